//! Tests of planes, globals and policy indices through the public API.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod century;
mod common;
mod half;
mod maxim;
mod positions;
mod properties;
