//! The settings that decide which games are played.

use catapult_endings::Tables;
use catapult_mcts::SearchConfig;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How games are played. Every key changes the games; how many run at once does not belong here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlayConfig {
    /// Simulations a move.
    pub simulations: u32,
    /// Share of the plies searched with `simulations`; the others get `fast_simulations` and are not trained on
    /// (playout-cap randomisation, KataGo). 1 searches every ply in full.
    pub full_search_share: f64,
    /// Simulations of the plies that are not searched in full.
    pub fast_simulations: u32,
    /// The same share for decisions within a turn that has begun (the portals of Maxim chess), where a turn is several; left out,
    /// `full_search_share`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begun_turn_share: Option<f64>,
    /// Plies from the start of a game in which the move is drawn from the improved policy at temperature 1; after
    /// them the search's own choice is played.
    pub sampled_plies: u32,
    /// The same for a game that begins at a ply of an earlier one.
    pub fork_sampled_plies: u32,
    /// A game that begins at the start position plays a number of plies, drawn from 0 to this, by the network's own policy without
    /// search; they are not trained on. 0 turns it off.
    pub prior_plies: u32,
    /// The temperature at which these are drawn: above 1 opens games that the policy alone would not.
    pub prior_temperature: f32,
    /// A side gives up when its root value has been at most minus this at so many turns of its own on end (`resign_turns`);
    /// 1 turns it off.
    pub resign_threshold: f32,
    /// Turns on end for that.
    pub resign_turns: u32,
    /// Share of games in which nobody gives up, drawn by their seeds: what tells how often giving up would have been wrong.
    pub resign_audit: f64,
    /// Share of games that begin at a random ply of an earlier game of the shard, from 0 to 0.5.
    pub fork_share: f64,
    /// A game is cut, without a result, after so many plies, or at the end of the turn they fall in; those of a forked game
    /// count from its fork.
    pub ply_cap: u32,
    /// A game is cut, without a result, when the half-move clock reaches this; 100 or more leaves it to the rules.
    pub no_progress_cap: u32,
    /// A folder of tables of endings (`catapult endings solve`): a game that reaches one is ended with the result that is certain at
    /// its own clock. None by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endings: Option<PathBuf>,
}

impl Default for SelfPlayConfig {
    fn default() -> Self {
        SelfPlayConfig {
            simulations: 32,
            full_search_share: 1.0,
            fast_simulations: 8,
            begun_turn_share: None,
            sampled_plies: 20,
            prior_plies: 0,
            prior_temperature: 1.0,
            resign_threshold: 1.0,
            resign_turns: 3,
            resign_audit: 0.1,
            fork_sampled_plies: 4,
            fork_share: 0.25,
            ply_cap: 300,
            no_progress_cap: 100,
            endings: None,
        }
    }
}

impl SelfPlayConfig {
    /// Checks ranges; the error names the key, what was found and what is allowed.
    pub fn validate(&self) -> Result<(), String> {
        let share = |key: &str, value: f64, most: f64| {
            if (0.0..=most).contains(&value) {
                Ok(())
            } else {
                Err(format!("{key} = {value}: must be from 0 to {most}"))
            }
        };
        let positive = |key: &str, value: u32| {
            if value > 0 { Ok(()) } else { Err(format!("{key} = 0: must be at least 1")) }
        };
        share("full_search_share", self.full_search_share, 1.0)?;
        if self.full_search_share == 0.0 {
            return Err("full_search_share = 0: no ply would be trained on; it must be above 0".into());
        }
        share("begun_turn_share", self.begun_turn_share.unwrap_or(1.0), 1.0)?;
        share("fork_share", self.fork_share, 0.5)?;
        share("resign_audit", self.resign_audit, 1.0)?;
        if !(0.1..=10.0).contains(&self.prior_temperature) {
            return Err(format!("prior_temperature = {}: must be from 0.1 to 10", self.prior_temperature));
        }
        if !(0.5..=1.0).contains(&self.resign_threshold) {
            return Err(format!("resign_threshold = {}: must be from 0.5 to 1", self.resign_threshold));
        }
        if self.resign_turns < 2 {
            return Err(format!("resign_turns = {}: must be at least 2", self.resign_turns));
        }
        positive("simulations", self.simulations)?;
        positive("fast_simulations", self.fast_simulations)?;
        positive("ply_cap", self.ply_cap)?;
        positive("no_progress_cap", self.no_progress_cap)
    }
}

/// What a shard is made of. Its games are a function of all of this but `slots`.
#[derive(Clone, Copy, Debug)]
pub struct ShardSettings<'a> {
    /// How games are played.
    pub selfplay: &'a SelfPlayConfig,
    /// How moves are searched; its number of simulations is replaced by that of `selfplay`.
    pub search: &'a SearchConfig,
    /// Games to play.
    pub games: u64,
    /// Games under way at once.
    pub slots: usize,
    /// That of its [`Stream`](crate::Stream).
    pub seed: u64,
    /// Names the evaluator in the records: a network file's hash, or an evaluator's name.
    pub network: &'a str,
    /// Tables that end the games which reach them.
    pub endings: Option<&'a Tables>,
}
