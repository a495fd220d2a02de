//! Tests of players and matches. They cover named players, networks, external programs, clocks,
//! forbidden moves and openings from files.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod alphabeta;
#[cfg(unix)]
mod external;
mod forbidden;
mod golden;
mod networks;
mod played;
mod timed;
