//! Settings that select training samples and define their targets.

use serde::{Deserialize, Serialize};

/// Selection of training samples (positions with targets).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WindowConfig {
    /// Initial window size in training samples.
    pub start_rows: u64,
    /// Exponent of the window's growth: `start * (1 + scale * ((played / start)^exponent - 1) /
    /// exponent)` training samples after `played` samples in all (Wu 2019, KataGo, section 3).
    pub growth_exponent: f64,
    /// The `scale` of that formula: the initial slope of the growth.
    pub growth_scale: f64,
    /// From this generation on, the window excludes the games of the untrained network (generation
    /// 1).
    pub drop_untrained_at: u32,
    /// Maximum number of training samples per game.
    pub rows_per_game: usize,
    /// Half-move clock from which a position counts as high-clock.
    pub high_clock: u32,
    /// Maximum number of high-clock training samples per game.
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

/// Training targets. The keys are part of a config's `[learning]` table, which documents them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TargetConfig {
    /// Share of the game's result in the value target. The rest comes from root values.
    pub result_share: f32,
    /// Lambda of [`value_targets`](crate::value_targets) for that rest.
    pub value_lambda: f32,
    /// Loss weight of value targets from adjudicated (truncated) games
    /// ([`game_result`](crate::game_result)). 0 disables adjudication.
    pub adjudicated_weight: f32,
    /// Smallest mean of the last root values (P(win) - P(loss)) for the leading side that
    /// adjudicates a win.
    pub adjudicated_from: f32,
    /// Share of the sampling frequency that is proportional to policy surprise.
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
