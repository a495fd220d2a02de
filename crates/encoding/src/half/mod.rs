//! Encoding of Chess and a Half.

pub mod planes;
pub mod policy;
