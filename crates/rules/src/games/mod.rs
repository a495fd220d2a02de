//! The games of this crate.
//!
//! Each game is a folder with the files below. Other files in a folder are specific to its game.
//! The games share [`board`](crate::board) and do not use each other.
//!
//! * `attacks`: attacked squares and attacking pieces
//! * `draw`: description of the game and drawing of its board
//! * `fen`: FEN
//! * `generate`: legal moves
//! * `kinds`: kinds of moves
//! * `piece`: kinds of pieces
//! * `play`: playing a move
//! * `query`: the position's public methods
//! * `state`: state of a position
//! * `text`: moves as text
//! * `rules.md`: the rules

pub mod century;
pub mod chess;
pub mod half;
pub mod maxim;
