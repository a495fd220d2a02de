//! Second, slow engines, one per game, written from the rules pages alone. Tests compare them with
//! the crate's engines.

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
