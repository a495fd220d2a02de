//! Encoding of Chess and a Half: network inputs and policy planes.

pub mod planes;
pub mod policy;
