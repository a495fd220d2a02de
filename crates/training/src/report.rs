//! What a generation did, and what its games look like.

use crate::Work;
use catapult_network::Losses;
use catapult_records::GameRecord;
use catapult_rows::{GameRows, would_resign};
use catapult_rules::{Color, Outcome, Position};
use catapult_selfplay::SelfPlayConfig;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use catapult_rows::DECISIVE_LEAD;

/// The report of one generation; the last file to be written, so that its presence says the generation is complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerationReport {
    /// The generation; 0 is the untrained network, or the one that the run starts from.
    pub generation: u32,
    /// BLAKE3 of the file that generation 0 was made from, if it is not untrained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<String>,
    /// BLAKE3 of the network file, hexadecimal.
    pub network: String,
    /// BLAKE3 of the learner's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// What the games look like; `None` for generation 0, which has none.
    pub games: Option<GamesReport>,
    /// What was learned from them.
    pub learning: Option<LearningReport>,
    /// What it took, where the run has a budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<Work>,
}

/// Counts and shares over a generation's games.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesReport {
    /// Games played.
    pub games: u64,
    /// Plies played.
    pub plies: u64,
    /// Positions that the network evaluated in the process that finished the generation.
    pub evaluations: u64,
    /// Positions that were asked for again in that process, and answered from memory.
    #[serde(default)]
    pub remembered: u64,
    /// Seconds of playing in the process that finished the generation.
    pub seconds: f64,
    /// Simulations a move.
    pub simulations: u32,
    /// Games by how they ended, by [`Outcome::name`].
    pub outcomes: BTreeMap<String, u64>,
    /// Games won by White and by Black.
    pub wins: [u64; 2],
    /// Capped games that were cut for want of progress, and not for their length.
    pub capped_by_clock: u64,
    /// Games without a winner at whose end one side led by [`DECISIVE_LEAD`] or more.
    pub undecided_with_lead: u64,
    /// Games that were cut and adjudicated: won by either side, drawn.
    #[serde(default)]
    pub adjudicated: [u64; 2],
    /// Games played on in which a side would have given up, where self-play lets sides do so.
    #[serde(default)]
    pub resignations_audited: u64,
    /// Those of them that this side did not lose.
    #[serde(default)]
    pub resignations_wrong: u64,
    /// First moves of the games that began at a start position, in coordinates.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub first_moves: BTreeMap<String, u64>,
    /// Each variant's games, where the run has several.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arms: BTreeMap<String, ArmGames>,
    /// Shards by the arithmetic that they were played in. Machines of one kind give equal games; where there are several kinds here, the
    /// same run elsewhere gives others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arithmetic: BTreeMap<String, u32>,
}

/// Counts over the games of one variant among several.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmGames {
    /// Games played.
    pub games: u64,
    /// Plies played.
    pub plies: u64,
    /// Games won by White and by Black.
    pub wins: [u64; 2],
}

impl ArmGames {
    /// Counts a game in.
    pub fn add(&mut self, record: &GameRecord) {
        self.games += 1;
        self.plies += record.moves.len() as u64;
        if let Some(winner) = record.winner {
            self.wins[winner as usize] += 1;
        }
    }
}

/// How well one variant among several is known.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmLosses {
    /// New rows of the generation.
    pub rows: u64,
    /// Mean cross-entropy of the policy on them (on a thousand where there are more), by the averaged weights, nats.
    pub policy: f32,
    /// The same of win, draw, loss.
    pub value: f32,
}

/// What the learner did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearningReport {
    /// Rows that this generation's games gave.
    pub new_rows: u64,
    /// Rows in the window.
    pub window_rows: u64,
    /// Steps of this generation.
    pub steps: u64,
    /// Steps of the run so far.
    pub total_steps: u64,
    /// Learning rate of the last step.
    pub learning_rate: f64,
    /// Mean losses over the generation's steps.
    pub losses: Losses,
    /// Mean entropy of the policy targets, nats: the least that the policy loss can reach.
    pub policy_target_entropy: f64,
    /// Each variant's own losses, where the run has several.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arms: BTreeMap<String, ArmLosses>,
    /// Seconds of training, reading the records included.
    pub seconds: f64,
}

impl GamesReport {
    /// Counts a game in, given what was read off it and how it was played.
    pub fn add<P: Position>(&mut self, record: &GameRecord, read: &GameRows<P>, config: &SelfPlayConfig) {
        // There is a position before the first ply.
        let Some(last) = read.positions.last() else { return };
        self.games += 1;
        self.plies += record.moves.len() as u64;
        *self.outcomes.entry(record.outcome.name().to_owned()).or_default() += 1;
        if let Some(first) = record.moves.first().filter(|_| record.parent.is_none()) {
            *self.first_moves.entry(first.clone()).or_default() += 1;
        }
        let without_progress = last.halfmove_clock() >= config.no_progress_cap;
        self.capped_by_clock += u64::from(record.outcome == Outcome::Capped && without_progress);
        if let Some(result) = read.result.filter(|_| record.outcome == Outcome::Capped) {
            self.adjudicated[usize::from(result.winner.is_none())] += 1;
        }
        if config.resign_threshold < 1.0 && !matches!(record.outcome, Outcome::Resignation | Outcome::Capped)
        {
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

    /// The share of games that ended so.
    pub fn share(&self, outcome: Outcome) -> f64 {
        self.of_games(self.outcomes.get(outcome.name()).copied().unwrap_or(0))
    }

    /// The share of games that have no result, not even an adjudicated one.
    pub fn without_result(&self) -> f64 {
        self.share(Outcome::Capped) - self.of_games(self.adjudicated.iter().sum())
    }

    /// The share of games that were won.
    pub fn decisive(&self) -> f64 {
        self.of_games(self.wins[0] + self.wins[1])
    }

    /// The share of undecided games in which one side led decisively at the end.
    pub fn lead_share(&self) -> f64 {
        let undecided = self.games - self.wins[0] - self.wins[1];
        self.undecided_with_lead as f64 / undecided.max(1) as f64
    }

    /// Whether more than half of the games have no winner, which usually ends in a network that only predicts draws.
    pub fn mostly_undecided(&self) -> bool {
        self.decisive() < 0.5
    }

    /// The share of games that were cut for want of progress.
    pub fn without_progress(&self) -> f64 {
        self.of_games(self.capped_by_clock)
    }

    /// Entropy of the first moves, nats: ln of how many there would be if all were played alike. 0 where openings have narrowed to
    /// one, however good.
    pub fn first_move_entropy(&self) -> f64 {
        let all = self.first_moves.values().sum::<u64>() as f64;
        let shares = self.first_moves.values().map(|&count| count as f64 / all);
        shares.map(|share| -share * share.ln()).sum()
    }

    /// The mean length of a game in plies.
    pub fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.games.max(1) as f64
    }

    fn of_games(&self, count: u64) -> f64 {
        count as f64 / self.games.max(1) as f64
    }
}

impl GenerationReport {
    /// The numbers that curves are drawn of, by name.
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
            let losses = &learning.losses;
            scalars.extend([
                ("loss/total", losses.total.into()),
                ("loss/policy", losses.policy.into()),
                ("loss/value", losses.value.into()),
                ("loss/moves_left", losses.moves_left.into()),
                ("loss/future", losses.future.into()),
                ("loss/gradient_norm", losses.gradient_norm.into()),
                ("loss/policy_target_entropy", learning.policy_target_entropy),
                ("learning/rate", learning.learning_rate),
                ("learning/window_rows", learning.window_rows as f64),
                ("learning/steps", learning.total_steps as f64),
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
