//! Second rules engines, one per game, slow and written from the rules pages alone, and their
//! comparison with the first ones.

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
