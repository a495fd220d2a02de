//! Players and their matches: of players by name, of networks, of other programs; with clocks, kinds of moves forbidden, openings from files.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod alphabeta;
#[cfg(unix)]
mod external;
mod forbidden;
mod golden;
mod networks;
mod played;
mod timed;
