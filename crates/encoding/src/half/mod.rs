//! Chess and a Half as inputs and outputs of a network.

pub mod planes;
pub mod policy;
