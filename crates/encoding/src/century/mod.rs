//! Encoding of Twenty-First Century Chess: network inputs and policy planes.

pub mod planes;
pub mod policy;
