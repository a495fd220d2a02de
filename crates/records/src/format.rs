//! Versions of the file format.

/// Name and version of the format that is written. The metadata of every shard stores it under
/// `format`.
pub const FORMAT: &str = "catapult-games-2";

/// Name of format version 1, which can still be read.
pub(crate) const FIRST_FORMAT: &str = "catapult-games-1";
