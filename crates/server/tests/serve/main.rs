//! The server by real sockets: what it answers, whom it refuses, what survives a kill.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod common;
mod games;
mod security;
mod think;
mod watch;
