//! Encoding of standard chess and Chess++: network inputs and policy planes.

pub mod planes;
pub mod policy;
mod view;
