//! Versions of the file format.

/// Name and version of the format, stored under `format` in the metadata of every shard.
pub const FORMAT: &str = "catapult-games-2";

/// The older version that can still be read.
pub(crate) const FIRST_FORMAT: &str = "catapult-games-1";
