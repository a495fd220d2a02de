//! A player with a clock, asked from outside.

mod session;
mod uci;
