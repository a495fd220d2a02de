//! Tests of the engine through the public API.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod session;
mod uci;
