//! One played game.

use crate::{RecordError, VerifyError};
use catapult_rules::{Color, Outcome};
use std::ops::RangeInclusive;
use std::path::Path;

/// Probabilities below this are dropped by [`compact_policy`].
pub const PROBABILITY_FLOOR: f32 = 1.0 / 4096.0;

/// What counts as a probability: sums of floats may leave 0 to 1 by a rounding error.
const PROBABILITY: RangeInclusive<f32> = -1e-4..=1.0 + 1e-4;
/// What counts as 1, the sum of win, draw and loss.
const PROBABILITY_SUM: RangeInclusive<f32> = 0.99..=1.01;
/// What counts as the sum of a policy, from which small probabilities may have been dropped.
const POLICY_SUM: RangeInclusive<f32> = 0.7..=1.01;

/// A game as it was played. `policies`, the values, `surprises` and `moves_left` have one entry for each of `moves`: what the search
/// at the position before the move found.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// The variant's name.
    pub variant: String,
    /// Index of the game in its run.
    pub game: u64,
    /// Seed of the game's random stream.
    pub seed: u64,
    /// The game this one was forked from.
    pub parent: Option<u64>,
    /// Plies of the parent before the fork.
    pub fork_ply: Option<u32>,
    /// BLAKE3 (hex) of the network file that played, or the name of an evaluator.
    pub network: String,
    /// Where the moves start.
    pub start_fen: String,
    /// The texts of the moves.
    pub moves: Vec<String>,
    /// Improved policy: move text and probability, of each move at most once, each above 0, together about 1 (see
    /// [`compact_policy`]). Empty where the ply was not searched with the full budget.
    pub policies: Vec<Vec<(String, f32)>>,
    /// Root value: probabilities of win, draw and loss for the side to move, together about 1; all 0 where none is known.
    pub values: Vec<[f32; 3]>,
    /// The network's own answer about the root, in the same form.
    pub raw_values: Vec<[f32; 3]>,
    /// The mean of the root's visits, its own evaluation among them, in the same form.
    pub mean_values: Vec<[f32; 3]>,
    /// How far the improved policy is from the network's: Kullback-Leibler divergence, nats; 0 where it is not known.
    pub surprises: Vec<f32>,
    /// Plies that the root expected to follow, at least 0; 0 where no value is known.
    pub moves_left: Vec<f32>,
    /// How the game ended.
    pub outcome: Outcome,
    /// Who won: someone if the outcome is checkmate or resignation, someone or nobody if it is that of a table, else nobody.
    pub winner: Option<Color>,
}

/// The improved policy as records keep it: sorted by move text, probabilities below [`PROBABILITY_FLOOR`] dropped and the rest
/// rounded to 8 significant bits (relative error at most 1/256). Successive plies then look alike on disk, and a policy of
/// 30 moves takes some 20 bytes. Probabilities no longer add up to 1 exactly: whoever trains on them divides by their sum.
pub fn compact_policy(policy: impl IntoIterator<Item = (String, f32)>) -> Vec<(String, f32)> {
    let mut policy: Vec<(String, f32)> = policy
        .into_iter()
        .filter(|(_, probability)| *probability >= PROBABILITY_FLOOR)
        .map(|(text, probability)| (text, round_to_8_bits(probability)))
        .collect();
    policy.sort_by(|a, b| a.0.cmp(&b.0));
    policy
}

/// Rounds the 24-bit significand of a positive float to its first 8 bits; a carry runs into the exponent as it should.
fn round_to_8_bits(x: f32) -> f32 {
    f32::from_bits((x.to_bits() + 0x8000) & 0xFFFF_0000)
}

impl GameRecord {
    /// What the rules have against it.
    pub fn refused(&self, ply: usize, reason: impl ToString) -> VerifyError {
        VerifyError { game: self.game, ply, reason: reason.to_string() }
    }

    /// Refuses what no game can be; `path` is the file that the message names.
    pub(crate) fn check(&self, path: &Path) -> Result<(), RecordError> {
        let refuse =
            |field, reason| Err(RecordError::Value { path: path.to_owned(), game: self.game, field, reason });
        let plies = self.moves.len();
        for (field, found) in [
            ("policy_moves", self.policies.len()),
            ("win, draw, loss", self.values.len()),
            ("raw_win, raw_draw, raw_loss", self.raw_values.len()),
            ("mean_win, mean_draw, mean_loss", self.mean_values.len()),
            ("surprise", self.surprises.len()),
            ("moves_left", self.moves_left.len()),
        ] {
            if found != plies {
                return refuse(field, format!("{found} entries for {plies} moves"));
            }
        }
        if self.parent.is_some() != self.fork_ply.is_some() {
            return refuse("fork_ply", "parent and fork_ply must be given together".into());
        }
        let by_table = self.outcome == Outcome::Tablebase;
        let has_winner = matches!(self.outcome, Outcome::Checkmate | Outcome::Resignation);
        if !by_table && self.winner.is_some() != has_winner {
            return refuse("winner", format!("{:?} with outcome {}", self.winner, self.outcome));
        }
        if let Some(ply) = self.moves.iter().position(|text| text.is_empty()) {
            return refuse("moves", format!("no text at ply {ply}"));
        }
        for (field, values) in [
            ("win, draw, loss", &self.values),
            ("raw_win, raw_draw, raw_loss", &self.raw_values),
            ("mean_win, mean_draw, mean_loss", &self.mean_values),
        ] {
            for (ply, value) in values.iter().enumerate() {
                let sum: f32 = value.iter().sum();
                let none = value.iter().all(|&p| p == 0.0);
                if !value.iter().all(|p| PROBABILITY.contains(p)) || !(none || PROBABILITY_SUM.contains(&sum))
                {
                    return refuse(field, format!("{value:?} at ply {ply} are not three probabilities"));
                }
            }
        }
        for (field, numbers) in [("moves_left", &self.moves_left), ("surprise", &self.surprises)] {
            if let Some(ply) = numbers.iter().position(|x| !(x.is_finite() && *x >= 0.0)) {
                return refuse(field, format!("{} at ply {ply}; it must be at least 0", numbers[ply]));
            }
        }
        for (ply, policy) in self.policies.iter().enumerate() {
            if let Some((text, p)) =
                policy.iter().find(|(text, p)| text.is_empty() || !(*p > 0.0 && PROBABILITY.contains(p)))
            {
                let reason = format!("{p} for `{text}` at ply {ply}; it must be above 0 and at most 1");
                return refuse("policy_probabilities", reason);
            }
            let sum: f32 = policy.iter().map(|(_, p)| p).sum();
            if !policy.is_empty() && !POLICY_SUM.contains(&sum) {
                return refuse("policy_probabilities", format!("they add up to {sum} at ply {ply}"));
            }
            let mut texts: Vec<&str> = policy.iter().map(|(text, _)| text.as_str()).collect();
            texts.sort_unstable();
            if let Some(twice) = texts.windows(2).find(|pair| pair[0] == pair[1]) {
                return refuse("policy_moves", format!("`{}` stands twice at ply {ply}", twice[0]));
            }
        }
        Ok(())
    }
}
