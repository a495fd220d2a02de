//! Encoding of Maxim chess.

pub mod planes;
pub mod policy;
