//! Shards of games, asked from outside.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod overlapped;
mod shards;
