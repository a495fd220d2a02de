//! Tests of the server over TCP: responses, access control, limits and recovery after a kill.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod common;
mod games;
mod security;
mod think;
mod watch;
