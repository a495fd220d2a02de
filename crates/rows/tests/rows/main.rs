//! Tests of the rows from outside: what is read off games whose targets can be worked out by hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod games;
mod targets;
mod turns;
