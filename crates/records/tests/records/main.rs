//! Tests of records on disk through the public API.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod rules_files;
mod shards;
mod verify;
