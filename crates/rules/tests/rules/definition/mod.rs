//! Second rules engines, one a game, written from the rule pages alone and slow, and how the first ones are held against them.

pub mod agreement;
pub mod century;
pub mod century_scatter;
pub mod chesspp;
pub mod chesspp_scatter;
mod filling;
pub mod half;
pub mod half_scatter;
pub mod maxim;
pub mod maxim_scatter;
