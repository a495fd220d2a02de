//! Exact tables of small endings.
mod count;
mod exits;
mod folder;
mod geometry;
mod key;
mod layer;
mod solve;
mod space;
mod value;
mod words;
pub use folder::trial;
pub use key::*;
pub use solve::Wave;
pub use value::*;
