//! Encoding of Twenty-First Century Chess.

pub mod planes;
pub mod policy;
