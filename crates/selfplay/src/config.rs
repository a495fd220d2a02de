//! The settings that decide which games are played.

use catapult_endings::Tables;
use catapult_mcts::SearchConfig;
use catapult_rules::ForbiddenKind;
use catapult_store::BadSetting;
use catapult_store::setting::{at_least, in_range};
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
    /// A kind of move that neither side makes, unless it has no other. None by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forbidden: Option<ForbiddenKind>,
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
            forbidden: None,
        }
    }
}

impl SelfPlayConfig {
    /// Checks ranges; the error names the key, what was found and what is allowed.
    pub fn validate(&self) -> Result<(), BadSetting> {
        in_range("full_search_share", self.full_search_share, 0.0..=1.0)?;
        if self.full_search_share == 0.0 {
            let allowed = "no ply would be trained on; it must be above 0";
            return Err(BadSetting::new("full_search_share", 0, allowed));
        }
        in_range("begun_turn_share", self.begun_turn_share.unwrap_or(1.0), 0.0..=1.0)?;
        in_range("fork_share", self.fork_share, 0.0..=0.5)?;
        in_range("resign_audit", self.resign_audit, 0.0..=1.0)?;
        in_range("prior_temperature", self.prior_temperature, 0.1..=10.0)?;
        in_range("resign_threshold", self.resign_threshold, 0.5..=1.0)?;
        at_least("resign_turns", self.resign_turns, 2)?;
        at_least("simulations", self.simulations, 1)?;
        at_least("fast_simulations", self.fast_simulations, 1)?;
        at_least("ply_cap", self.ply_cap, 1)?;
        at_least("no_progress_cap", self.no_progress_cap, 1)
    }
}

/// What a shard is made of. Its games are a function of all of this but `slots`.
#[derive(Clone, Copy, Debug)]
pub struct ShardSettings<'a> {
    /// How games are played.
    pub selfplay: &'a SelfPlayConfig,
    /// How moves are searched, with the simulations of `selfplay`.
    pub search: &'a SearchConfig,
    /// Games to play.
    pub games: u64,
    /// Games under way at once.
    pub slots: usize,
    /// That of its [`Stream`](catapult_seeds::Stream).
    pub seed: u64,
    /// Names the evaluator in the records: a network file's hash, or an evaluator's name.
    pub network: &'a str,
    /// Tables that end the games which reach them.
    pub endings: Option<&'a Tables>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_spoilt_value_is_refused_by_its_key() {
        assert_eq!(SelfPlayConfig::default().validate(), Ok(()));
        type Spoil = fn(&mut SelfPlayConfig);
        let cases: [(&str, Spoil); 12] = [
            ("full_search_share", |c| c.full_search_share = 0.0),
            ("full_search_share", |c| c.full_search_share = f64::NAN),
            ("begun_turn_share", |c| c.begun_turn_share = Some(1.5)),
            ("fork_share", |c| c.fork_share = 0.6),
            ("resign_audit", |c| c.resign_audit = -0.1),
            ("prior_temperature", |c| c.prior_temperature = 0.0),
            ("resign_threshold", |c| c.resign_threshold = 0.4),
            ("resign_turns", |c| c.resign_turns = 1),
            ("simulations", |c| c.simulations = 0),
            ("fast_simulations", |c| c.fast_simulations = 0),
            ("ply_cap", |c| c.ply_cap = 0),
            ("no_progress_cap", |c| c.no_progress_cap = 0),
        ];
        for (key, spoil) in cases {
            let mut config = SelfPlayConfig::default();
            spoil(&mut config);
            let bad = config.validate().unwrap_err();
            assert_eq!(bad.key, key);
            assert!(bad.allowed.contains("must be "), "{bad}");
        }
    }
}
