//! Matches: of players by name, of networks, of other programs; with clocks, kinds of moves forbidden, openings from files.

#[cfg(unix)]
mod external;
mod forbidden;
mod networks;
mod played;
mod timed;
