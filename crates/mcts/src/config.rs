//! Defaults of the search settings.

use crate::settings::{Algorithm, Gumbel, SearchConfig};

/// Version of the defaults of [`SearchConfig`].
///
/// A player name without settings uses these defaults. Results under different versions therefore
/// belong to different players. The versions:
///
/// 1. Sequential halving considers min(16, simulations) root moves. At 16 simulations or fewer, it
///    therefore eliminates no move.
/// 2. The number of considered root moves depends on the simulations
///    ([`Gumbel::considered_among`]).
/// 3. [`SearchConfig::finish_turns`] is true.
/// 4. [`Gumbel::c_visit`] is 500 and [`Gumbel::c_scale`] 0.1, instead of 50 and 1. From ten
///    visits to a thousand, the weight of a move's value then grows threefold instead of 17-fold.
pub const SEARCH_DEFAULTS: u32 = 4;

/// Selects Gumbel AlphaZero with the given settings. All other settings have their default values.
impl From<Gumbel> for SearchConfig {
    fn from(gumbel: Gumbel) -> SearchConfig {
        SearchConfig { algorithm: Algorithm::Gumbel(gumbel), ..SearchConfig::default() }
    }
}
