//! Standard chess and Chess++ as inputs and outputs of a network.

pub mod planes;
pub mod policy;
mod view;
