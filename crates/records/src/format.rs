//! Which format files are in.

/// Name and version of the format, under `format` in the metadata of every shard.
pub const FORMAT: &str = "catapult-games-2";

/// The version that is still read.
pub(crate) const FIRST_FORMAT: &str = "catapult-games-1";
