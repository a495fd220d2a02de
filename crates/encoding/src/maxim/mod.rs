//! Maxim chess as inputs and outputs of a network.

pub mod planes;
pub mod policy;
