//! Second rules engines, one a game, written from the rule pages alone and slow, and how the first ones are held against them.

pub(crate) mod agreement;
pub(crate) mod century;
pub(crate) mod century_scatter;
pub(crate) mod chesspp;
pub(crate) mod chesspp_scatter;
mod filling;
pub(crate) mod half;
pub(crate) mod half_scatter;
pub(crate) mod maxim;
pub(crate) mod maxim_scatter;
