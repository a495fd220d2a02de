//! The settings that decide which rows there are, and what they say.

use serde::{Deserialize, Serialize};

/// Which rows (positions with their targets) are trained on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WindowConfig {
    /// Rows of the window at first.
    pub start_rows: u64,
    /// How the window grows with the rows played: `start * (1 + scale * ((rows / start)^exponent - 1) / exponent)`
    /// (KataGo, section 3 of its paper).
    pub growth_exponent: f64,
    /// The `scale` of that formula: the slope of the growth where it sets in.
    pub growth_scale: f64,
    /// From this generation on the games of the untrained network (generation 1) are left out.
    pub drop_untrained_at: u32,
    /// At most so many rows of one game.
    pub rows_per_game: usize,
    /// A half-move clock of this and more counts as high.
    pub high_clock: u32,
    /// At most so many rows of one game with a high clock.
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

/// What a network is to say of a position. As keys of a config these are part of `[learning]`, where they are explained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TargetConfig {
    /// Share of the game's result in the value target; the rest is the search's root values.
    pub result_share: f32,
    /// How far that rest looks ahead: the lambda of [`value_targets`](crate::value_targets).
    pub value_lambda: f32,
    /// What the values of a game weigh that was cut and is adjudicated ([`game_result`](crate::game_result)); 0 adjudicates nothing.
    pub adjudicated_weight: f32,
    /// The value (P(win) - P(loss)) that its last root values must give the side with the lead for that.
    pub adjudicated_from: f32,
    /// Share of the draws of rows that goes by surprise.
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
