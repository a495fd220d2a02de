//! Encoding of standard chess and Chess++.

pub mod planes;
pub mod policy;
mod view;
