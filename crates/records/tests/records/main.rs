//! Records on disk, asked from outside.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod shards;
mod verify;
