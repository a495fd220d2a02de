//! Encoding of Maxim chess: network inputs and policy planes.

pub mod planes;
pub mod policy;
