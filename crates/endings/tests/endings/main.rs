//! Tests of tablebases through the public API.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod brute_force;
mod tables;
mod tactics;
