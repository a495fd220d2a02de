//! Tests of training samples through the public API, on games with targets worked out by hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod games;
mod targets;
mod turns;
