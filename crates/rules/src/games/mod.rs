//! The games.
//!
//! Each game is a folder with the same files. Files beyond these are specific to the game. Games
//! share the board and use nothing of one another.
//!
//! * `attacks`: attacked squares
//! * `draw`: description and drawing
//! * `fen`: FEN
//! * `generate`: legal moves
//! * `kinds`: kinds of moves
//! * `piece`: kinds of pieces
//! * `play`: playing a move
//! * `query`: public queries
//! * `state`: state of a position
//! * `text`: moves as text
//! * `rules.md`: the rules

pub mod century;
pub mod chess;
pub mod half;
pub mod maxim;
