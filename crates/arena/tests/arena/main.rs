//! Players and their matches: of players by name, of networks, of other programs; with clocks, kinds of moves forbidden, openings from files.

mod alphabeta;
#[cfg(unix)]
mod external;
mod forbidden;
mod golden;
mod networks;
mod played;
mod timed;
