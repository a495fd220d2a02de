//! Tests of self-play through the public interface.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod overlapped;
mod shards;
