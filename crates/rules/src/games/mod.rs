//! The games. Each is a folder of one shape: `attacks` (what reaches what), `fen`, `generate` (legal moves), `kinds` (kinds of
//! moves), `piece` (kinds of pieces), `play`, `query`, `state` (contents of a position), `text` (moves as text), `rules.md`; what
//! only one game has is in files of their own. They share the board and nothing of one another.

pub mod century;
pub mod chess;
pub mod half;
pub mod maxim;
