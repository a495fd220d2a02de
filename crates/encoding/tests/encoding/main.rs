//! Planes, globals and policy indices, asked from outside.

mod century;
mod common;
mod half;
mod maxim;
mod positions;
mod properties;
