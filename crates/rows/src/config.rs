//! Settings of training samples: which positions are selected, and how their targets are computed.

use serde::{Deserialize, Serialize};

catapult_store::settings! {
    /// Settings of the replay window and of the samples per game. A training sample is a position
    /// with targets.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct WindowConfig {
        /// Initial window size in training samples.
        start_rows: u64 = 30_000, at_least(1);
        /// Exponent e of the window's growth. With s = `start_rows` and c = `growth_scale`, the
        /// window after `played` samples has `s * (1 + c * ((played / s)^e - 1) / e)` samples (Wu
        /// 2019, KataGo, section 3).
        growth_exponent: f64 = 0.75, in_range(0.01..=1.0);
        /// Factor c in the formula of `growth_exponent`, which is the initial slope of the growth.
        growth_scale: f64 = 0.4, in_range(0.0..=1.0);
        /// First generation whose window excludes the games of the untrained network.
        drop_untrained_at: u32 = 4, at_least(2);
        /// Maximum number of training samples per game.
        rows_per_game: usize = 150, at_least(1);
        /// Smallest half-move clock, in plies, of a *high-clock* position.
        high_clock: u32 = 40;
        /// Maximum number of training samples per game from high-clock positions.
        high_clock_rows: usize = 10;
    }

    /// Settings of the training targets. The keys are part of a config's `[learning]` table, whose
    /// documentation describes them.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct TargetConfig {
        /// Share of the game's result in the value target, 0 to 1. The lambda-return of the root
        /// values ([`value_targets`](crate::value_targets)) has the remaining share.
        result_share: f32 = 0.7, in_range(0.0..=1.0);
        /// Lambda of the lambda-return, 0 to 1. 0 uses only the root value of the ply, and 1 only
        /// the game's result.
        value_lambda: f32 = 0.0, in_range(0.0..=1.0);
        /// Loss weight of value targets from adjudicated games
        /// ([`game_result`](crate::game_result)). Only truncated games are adjudicated. 0 disables
        /// adjudication.
        adjudicated_weight: f32 = 0.0, in_range(0.0..=1.0);
        /// Threshold for adjudicating a win. The mean of the last root values, as P(win) - P(loss)
        /// for the side with more material, must be at least this.
        adjudicated_from: f32 = 0.3, in_range(-1.0..=1.0);
        /// Share of the sampling frequency that is proportional to policy surprise, 0 to 1. With 0,
        /// all samples have the same frequency. The default of training runs is 0.5.
        surprise_share: f32 = 0.0, in_range(0.0..=1.0);
    }
}
