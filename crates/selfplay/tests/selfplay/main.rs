//! Shards of games, asked from outside.

mod overlapped;
mod shards;
