//! Report of a generation: its games and its training.

use catapult_network::Losses;
use catapult_records::GameRecord;
use catapult_rows::{DECISIVE_LEAD, GameRows, would_resign};
use catapult_rules::{Color, Outcome, Position};
use catapult_selfplay::SelfPlayConfig;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Report of one generation of a run: the content of `report.json`. It is the last file that a
/// generation writes. If it exists, the generation is complete.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerationReport {
    /// Number of the generation. Generation 0 is the untrained network, or the one from `initial`.
    pub generation: u32,
    /// BLAKE3 of the file `initial`, in hexadecimal. `None` if the run began with an untrained
    /// network. It is set only in generation 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<String>,
    /// BLAKE3 of the network file, in hexadecimal.
    pub network: String,
    /// BLAKE3 of the file of the training state, in hexadecimal. `None` if the report does not
    /// record it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Statistics of the games. `None` for generation 0, which has no games.
    pub games: Option<GamesReport>,
    /// Statistics of the training. `None` for generation 0.
    pub learning: Option<LearningReport>,
    /// Work of the generation, which counts towards the run's budget. `None` for generation 0, or
    /// if the run has no budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<Work>,
}

/// Statistics of the games of one generation.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesReport {
    /// Number of games.
    pub games: u64,
    /// Number of plies over all games.
    pub plies: u64,
    /// Number of positions that the network evaluated. It covers only the process that finished the
    /// generation.
    pub evaluations: u64,
    /// Number of evaluations from the cache. It covers only the process that finished the
    /// generation.
    #[serde(default, rename = "remembered")]
    pub cache_hits: u64,
    /// Time spent on playing, in seconds. It covers only the process that finished the generation.
    pub seconds: f64,
    /// Simulations per move.
    pub simulations: u32,
    /// Number of games by outcome. The keys are names of [`Outcome::name`], such as `checkmate`.
    pub outcomes: BTreeMap<String, u64>,
    /// Numbers of games won by `[White, Black]`.
    pub wins: [u64; 2],
    /// Number of games that were truncated because the half-move clock reached its limit.
    pub capped_by_clock: u64,
    /// Number of games without a winner in which one side led at the end by [`DECISIVE_LEAD`]
    /// centipawns or more.
    pub undecided_with_lead: u64,
    /// Numbers of truncated games that were adjudicated, as `[won by either side, drawn]`.
    #[serde(default)]
    pub adjudicated: [u64; 2],
    /// Number of audited games in which a side would have resigned. 0 if self-play does not use
    /// resignation.
    #[serde(default)]
    pub resignations_audited: u64,
    /// Number of games among `resignations_audited` in which that side did not lose. Truncated games
    /// are among them.
    #[serde(default)]
    pub resignations_wrong: u64,
    /// Number of games by their first move, in coordinate notation such as `e2e4`. Only games
    /// from the start position count.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub first_moves: BTreeMap<String, u64>,
    /// Statistics by the name of the variant. Empty if the run has one variant.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arms: BTreeMap<String, VariantGames>,
    /// Number of shards by the numeric kernel of their evaluations. Different kernels may play
    /// different games, unless they differ only in a CPU's vector instructions. The kernel that
    /// trained the network is not recorded.
    #[serde(default, rename = "arithmetic", skip_serializing_if = "BTreeMap::is_empty")]
    pub kernels: BTreeMap<String, u32>,
}

/// Statistics of the games of one variant, in a run with several variants.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantGames {
    /// Number of games of the variant.
    pub games: u64,
    /// Number of plies over these games.
    pub plies: u64,
    /// Numbers of games won by `[White, Black]`.
    pub wins: [u64; 2],
}

impl VariantGames {
    /// Adds a game to the counts.
    pub fn add(&mut self, record: &GameRecord) {
        self.games += 1;
        self.plies += record.moves.len() as u64;
        if let Some(winner) = record.winner {
            self.wins[winner as usize] += 1;
        }
    }
}

/// Losses of a network on the training samples of one variant.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantLosses {
    /// Number of training samples of the variant. In a run, they are from the generation's new
    /// games. In supervised learning, they are from the held-out games.
    pub rows: u64,
    /// Mean cross-entropy of the policy in nats, with the averaged weights. It is computed on at
    /// most 1024 of the `rows` samples.
    pub policy: f32,
    /// Mean cross-entropy of win, draw and loss in nats. It is computed on the samples that
    /// `policy` uses. Samples of adjudicated games count `learning.adjudicated_weight` within their
    /// batch of 256.
    pub value: f32,
}

/// Statistics of a generation's training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearningReport {
    /// Number of training samples from this generation's games.
    pub new_rows: u64,
    /// Number of training samples in the replay window.
    pub window_rows: u64,
    /// Number of training steps in this generation.
    pub steps: u64,
    /// Number of training steps of the run so far, including this generation.
    pub total_steps: u64,
    /// Learning rate of the last step.
    pub learning_rate: f64,
    /// Means of the losses over the generation's steps. All are 0 if there was no step. Samples of
    /// adjudicated games count `learning.adjudicated_weight` within their step.
    pub losses: Losses,
    /// Mean entropy of the policy targets in nats, over the replay window, weighted by the sampling
    /// frequency. The policy loss can be lower only by chance, because the drawn samples are random.
    pub policy_target_entropy: f64,
    /// Losses by the name of the variant. Variants with fewer than two new training samples are left
    /// out. Empty if the run has one variant.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arms: BTreeMap<String, VariantLosses>,
    /// Time spent on training, in seconds. It includes reading games and writing the network.
    pub seconds: f64,
}

/// Work of a generation. It depends only on the config and the generation. Interruptions of the run
/// do not change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// Number of evaluations that the searches of the generation's games requested, cache hits
    /// included. This number does not depend on the number of games in progress at once. The number
    /// of cache hits alone does.
    pub asked: u64,
    /// Number of training samples in all training steps. A sample counts each time that it is
    /// drawn.
    pub rows: u64,
}

impl GamesReport {
    /// Adds a game to the statistics. `read` has the positions and training samples of `record`.
    /// `config` has the settings with which the game was played.
    pub fn add<P: Position>(&mut self, record: &GameRecord, read: &GameRows<P>, config: &SelfPlayConfig) {
        // The positions include the one before the first ply, so there is a last one.
        let Some(last) = read.positions.last() else { return };
        self.games += 1;
        self.plies += record.moves.len() as u64;
        *self.outcomes.entry(record.outcome.name().to_owned()).or_default() += 1;
        let start = &read.positions[0];
        let from_the_start = record.parent.is_none() && *start == P::start(start.rules());
        if let Some(&first) = record.moves.first().filter(|_| from_the_start) {
            *self.first_moves.entry(start.move_text(first)).or_default() += 1;
        }
        // A cap of 100 truncates no game, although some variants have a longer clock.
        let without_progress =
            config.no_progress_cap < 100 && last.halfmove_clock() >= config.no_progress_cap;
        self.capped_by_clock += u64::from(record.outcome == Outcome::Capped && without_progress);
        if let Some(result) = read.result.filter(|_| record.outcome == Outcome::Capped) {
            self.adjudicated[usize::from(result.winner.is_none())] += 1;
        }
        let is_audited = config.resign_threshold < 1.0 && config.is_audited(record.seed);
        if is_audited {
            let loser = would_resign(record, &read.positions, config.resign_threshold, config.resign_turns);
            self.resignations_audited += u64::from(loser.is_some());
            self.resignations_wrong += u64::from(loser.is_some_and(|loser| record.winner != Some(!loser)));
        }
        match record.winner {
            Some(winner) => self.wins[winner as usize] += 1,
            None => {
                let lead = last.material(Color::White) - last.material(Color::Black);
                self.undecided_with_lead += u64::from(lead.abs() >= DECISIVE_LEAD);
            }
        }
    }

    /// Returns the share of games with this outcome, from 0 to 1.
    pub fn share(&self, outcome: Outcome) -> f64 {
        self.of_games(self.outcomes.get(outcome.name()).copied().unwrap_or(0))
    }

    /// Returns the share of games that were truncated and not adjudicated, from 0 to 1.
    pub fn without_result(&self) -> f64 {
        self.share(Outcome::Capped) - self.of_games(self.adjudicated.iter().sum())
    }

    /// Returns the share of games with a winner, from 0 to 1.
    pub fn decisive(&self) -> f64 {
        self.of_games(self.wins[0] + self.wins[1])
    }

    /// Returns a share of the games without a winner, from 0 to 1: those in which one side led at
    /// the end by [`DECISIVE_LEAD`] centipawns or more.
    pub fn lead_share(&self) -> f64 {
        let undecided = self.games - self.wins[0] - self.wins[1];
        self.undecided_with_lead as f64 / undecided.max(1) as f64
    }

    /// Returns the share of games that were truncated because the half-move clock reached its
    /// limit, from 0 to 1.
    pub fn without_progress(&self) -> f64 {
        self.of_games(self.capped_by_clock)
    }

    /// Returns the entropy of the distribution of first moves, in nats. It is 0 if all games begin
    /// with one move. With `n` equally frequent moves it is `ln(n)`.
    pub fn first_move_entropy(&self) -> f64 {
        let all = self.first_moves.values().sum::<u64>() as f64;
        let shares = self.first_moves.values().map(|&count| count as f64 / all);
        shares.map(|share| -share * share.ln()).sum()
    }

    /// Returns the mean number of plies per game. A forked game counts from its fork.
    pub fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.games.max(1) as f64
    }

    fn of_games(&self, count: u64) -> f64 {
        count as f64 / self.games.max(1) as f64
    }
}

impl GenerationReport {
    /// Returns the report's values for TensorBoard, each with the name of its curve.
    pub fn scalars(&self) -> Vec<(String, f64)> {
        let mut scalars: Vec<(&str, f64)> = Vec::new();
        if let Some(games) = &self.games {
            scalars.extend([
                ("games/decisive", games.decisive()),
                ("games/stalemate", games.share(Outcome::Stalemate)),
                ("games/dead", games.share(Outcome::Dead)),
                ("games/hundred-plies", games.share(Outcome::HundredPlies)),
                ("games/repetition", games.share(Outcome::Repetition)),
                ("games/tablebase", games.share(Outcome::Tablebase)),
                ("games/resignation", games.share(Outcome::Resignation)),
                ("games/capped", games.share(Outcome::Capped)),
                ("games/without_result", games.without_result()),
                ("games/capped_by_clock", games.without_progress()),
                ("games/undecided_with_lead", games.lead_share()),
                ("games/white_wins", games.of_games(games.wins[0])),
                ("games/black_wins", games.of_games(games.wins[1])),
                ("games/mean_plies", games.mean_plies()),
                ("games/first_move_entropy", games.first_move_entropy()),
            ]);
        }
        if let Some(learning) = &self.learning {
            scalars.extend([
                ("loss/policy_target_entropy", learning.policy_target_entropy),
                ("learning/window_rows", learning.window_rows as f64),
                ("learning/steps", learning.total_steps as f64),
            ]);
        }
        // Without a step, no loss was measured.
        if let Some(learning) = self.learning.as_ref().filter(|learning| learning.steps > 0) {
            let losses = &learning.losses;
            scalars.extend([
                ("loss/total", losses.total.into()),
                ("loss/policy", losses.policy.into()),
                ("loss/value", losses.value.into()),
                ("loss/moves_left", losses.moves_left.into()),
                ("loss/future", losses.future.into()),
                ("loss/gradient_norm", losses.gradient_norm.into()),
                ("learning/rate", learning.learning_rate),
            ]);
        }
        let mut scalars: Vec<(String, f64)> =
            scalars.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        for (arm, games) in self.games.iter().flat_map(|games| &games.arms) {
            scalars.push((format!("games/arms/{arm}"), games.games as f64));
        }
        for (arm, losses) in self.learning.iter().flat_map(|learning| &learning.arms) {
            scalars.push((format!("loss/policy/{arm}"), losses.policy.into()));
            scalars.push((format!("loss/value/{arm}"), losses.value.into()));
        }
        scalars
    }
}
