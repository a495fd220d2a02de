//! The server by real sockets: what it answers, whom it refuses, what survives a kill.

mod common;
mod games;
mod security;
mod think;
mod watch;
