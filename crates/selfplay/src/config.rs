//! Settings that determine the games of self-play.

use catapult_endings::Tables;
use catapult_mcts::SearchConfig;
use catapult_rules::ForbiddenKind;
use catapult_seeds::Stream;
use catapult_store::BadSetting;
use catapult_store::setting::in_range;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

catapult_store::settings! {
    /// Settings of self-play games. A change of any setting changes the games.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct SelfPlayConfig {
        /// Number of simulations per move in a full search.
        simulations: u32 = 32, at_least(1);
        /// Share of plies with a full search of `simulations`. The other plies have
        /// `fast_simulations`, and their positions are not training samples. KataGo calls this
        /// playout cap randomization. With 1, every ply has a full search.
        full_search_share: f64 = 1.0, in_range(0.0..=1.0);
        /// Number of simulations for plies without a full search.
        fast_simulations: u32 = 8, at_least(1);
        /// Like `full_search_share`, for all decisions of a turn after the first, such as the
        /// portals of Maxim chess. `None` uses the value of `full_search_share`.
        #[serde(skip_serializing_if = "Option::is_none")]
        begun_turn_share: Option<f64> = None;
        /// Number of plies at the start of a game in which moves are sampled from the improved
        /// policy at temperature 1. Later plies play the search's choice.
        sampled_plies: u32 = 20;
        /// Like `sampled_plies`, for games that fork from an earlier game or start from an ending.
        /// Plies are counted from there.
        fork_sampled_plies: u32 = 4;
        /// Maximum number of plies at the start of a game that are played from the network's policy
        /// without search. Each game from the start position draws its own number of such plies,
        /// from 0 to this maximum. The positions of these plies are not training samples. 0
        /// disables such plies.
        prior_plies: u32 = 0;
        /// Temperature at which the first plies without search are sampled (see `prior_plies`). It
        /// is multiplied by the search's root temperature. A product above 1 gives more varied
        /// openings than the policy alone.
        prior_temperature: f32 = 1.0, in_range(0.1..=10.0);
        /// A side resigns after `resign_turns` consecutive own turns with a root value of at most
        /// `-resign_threshold`. The root value is P(win) - P(loss). A threshold of 1 disables
        /// resignation.
        resign_threshold: f32 = 1.0, in_range(0.5..=1.0);
        /// Number of consecutive own turns with a root value of at most `-resign_threshold` after
        /// which a side resigns.
        resign_turns: u32 = 3, at_least(2);
        /// Share of games in which no side resigns, drawn by the games' seeds. These games show how
        /// often a resignation would have been wrong.
        resign_audit: f64 = 0.1, in_range(0.0..=1.0);
        /// Share of games that fork from a random ply of an earlier game of the shard, from 0 to
        /// 0.5. The number of forked games is rounded down in each shard.
        fork_share: f64 = 0.25, in_range(0.0..=0.5);
        /// Share of random endings among the games that do not fork. Such a game starts with both
        /// kings and up to three more men per side. In half of the endings, one side has only its
        /// king. In half of them, the half-move clock is random, otherwise 0.
        ending_share: f64 = 0.0, in_range(0.0..=1.0);
        /// Number of plies after which a game is truncated, without a result. A turn in progress is
        /// completed first. A forked game counts its plies from the fork.
        ply_cap: u32 = 300, at_least(1);
        /// Value of the half-move clock at which a game is truncated, without a result. A turn in
        /// progress is completed first. With 100 or more, only the fifty-move rule ends such games.
        no_progress_cap: u32 = 100, at_least(1);
        /// Folder of endgame tablebases, as `catapult endings solve` writes them. A game that
        /// reaches a solved position ends with the tablebase's result at the current half-move
        /// clock. With `forbidden`, positions with catapults are not probed. `None` uses no
        /// tablebases.
        #[serde(skip_serializing_if = "Option::is_none")]
        endings: Option<PathBuf> = None;
        /// Kind of move that neither side plays, unless it has no other move. `None` allows all
        /// moves.
        #[serde(skip_serializing_if = "Option::is_none")]
        forbidden: Option<ForbiddenKind> = None;
    }
}

impl SelfPlayConfig {
    /// Returns true if no side resigns in the game with this seed (`resign_audit`).
    pub fn is_audited(&self, seed: u64) -> bool {
        // A float in [0, 1).
        let drawn = (Stream::Audit.seed(seed) >> 11) as f64 / (1u64 << 53) as f64;
        drawn < self.resign_audit
    }

    /// Checks the range of every setting.
    ///
    /// # Errors
    /// A setting is out of range. The error names the key, the value found and the allowed values.
    pub fn validate(&self) -> Result<(), BadSetting> {
        self.check_ranges()?;
        if self.full_search_share == 0.0 {
            let allowed = "no ply would be trained on; it must be above 0";
            return Err(BadSetting::new("full_search_share", 0, allowed));
        }
        in_range("begun_turn_share", self.begun_turn_share.unwrap_or(1.0), 0.0..=1.0)
    }
}

/// Inputs of a shard, which is a fixed number of self-play games. The games depend on all of these
/// inputs except `slots`.
#[derive(Clone, Copy, Debug)]
pub struct ShardSettings<'a> {
    /// Settings of the self-play games.
    pub selfplay: &'a SelfPlayConfig,
    /// Settings of the search. The numbers of simulations come from `selfplay`.
    pub search: &'a SearchConfig,
    /// Number of games to play.
    pub games: u64,
    /// Maximum number of games in progress at once.
    pub slots: usize,
    /// Seed from which the shard's [`Stream`](catapult_seeds::Stream)s of random numbers derive.
    pub seed: u64,
    /// Name of the evaluator in the records. It is the hash of a network file, or the name of a
    /// built-in evaluator.
    pub network: &'a str,
    /// Endgame tablebases. A game that reaches one of their positions ends. `None` uses no
    /// tablebases.
    pub endings: Option<&'a Tables>,
}

impl ShardSettings<'_> {
    /// Returns the number of slots to open: `slots`, but at least one and at most one per game.
    pub(crate) fn open_slots(&self) -> usize {
        self.slots.min(usize::try_from(self.games).unwrap_or(usize::MAX)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_spoilt_value_is_refused_by_its_key() {
        assert_eq!(SelfPlayConfig::default().validate(), Ok(()));
        type Spoil = fn(&mut SelfPlayConfig);
        let cases: [(&str, Spoil); 13] = [
            ("full_search_share", |c| c.full_search_share = 0.0),
            ("full_search_share", |c| c.full_search_share = f64::NAN),
            ("begun_turn_share", |c| c.begun_turn_share = Some(1.5)),
            ("fork_share", |c| c.fork_share = 0.6),
            ("ending_share", |c| c.ending_share = 1.5),
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
