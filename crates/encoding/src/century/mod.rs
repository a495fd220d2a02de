//! Twenty-First Century Chess as inputs and outputs of a network.

pub mod planes;
pub mod policy;
