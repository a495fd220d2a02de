//! Settings of training samples: which positions are selected, and how their targets are computed.

use serde::{Deserialize, Serialize};

/// Settings of the replay window and of the samples per game. A training sample is a position with
/// targets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WindowConfig {
    /// Initial window size in training samples.
    pub start_rows: u64,
    /// Exponent e of the window's growth. With s = `start_rows` and c = `growth_scale`, the window
    /// after `played` samples has `s * (1 + c * ((played / s)^e - 1) / e)` samples (Wu 2019,
    /// KataGo, section 3).
    pub growth_exponent: f64,
    /// Factor c in the formula of `growth_exponent`, which is the initial slope of the growth.
    pub growth_scale: f64,
    /// First generation whose window excludes generation 1, the games of the untrained network.
    pub drop_untrained_at: u32,
    /// Maximum number of training samples per game.
    pub rows_per_game: usize,
    /// Smallest half-move clock, in plies, of a *high-clock* position.
    pub high_clock: u32,
    /// Maximum number of training samples per game from high-clock positions.
    pub high_clock_rows: usize,
}

impl Default for WindowConfig {
    fn default() -> Self {
        WindowConfig {
            start_rows: 30_000,
            growth_exponent: 0.75,
            growth_scale: 0.4,
            drop_untrained_at: 4,
            rows_per_game: 150,
            high_clock: 40,
            high_clock_rows: 10,
        }
    }
}

/// Settings of the training targets. The keys are part of a config's `[learning]` table, whose
/// documentation describes them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TargetConfig {
    /// Share of the game's result in the value target, 0 to 1. The lambda-return of the root values
    /// ([`value_targets`](crate::value_targets)) has the remaining share.
    pub result_share: f32,
    /// Lambda of the lambda-return, 0 to 1. 0 uses only the root value of the ply, and 1 only the
    /// game's result.
    pub value_lambda: f32,
    /// Loss weight of value targets from adjudicated games ([`game_result`](crate::game_result)).
    /// Only truncated games are adjudicated. 0 disables adjudication.
    pub adjudicated_weight: f32,
    /// Threshold for adjudicating a win. The mean of the last root values, as P(win) - P(loss) for
    /// the side with more material, must be at least this.
    pub adjudicated_from: f32,
    /// Share of the sampling frequency that is proportional to policy surprise, 0 to 1. With 0, all
    /// samples have the same frequency.
    pub surprise_share: f32,
}

impl Default for TargetConfig {
    fn default() -> Self {
        TargetConfig {
            result_share: 0.7,
            value_lambda: 0.0,
            adjudicated_weight: 0.0,
            adjudicated_from: 0.3,
            surprise_share: 0.0,
        }
    }
}
