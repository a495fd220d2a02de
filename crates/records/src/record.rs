//! One played game.

use crate::{RecordError, VerifyError};
use catapult_rules::{Color, Move, Outcome, Variant};
use std::ops::RangeInclusive;
use std::path::Path;

/// Smallest stored probability of a policy. [`compact_policy`] drops smaller probabilities.
pub const PROBABILITY_FLOOR: f32 = 1.0 / 4096.0;

/// Accepted range of a probability. It allows rounding errors below 0 and above 1.
const PROBABILITY: RangeInclusive<f32> = -1e-4..=1.0 + 1e-4;
/// Accepted range of win + draw + loss.
const PROBABILITY_SUM: RangeInclusive<f32> = 0.99..=1.01;
/// Accepted range of a policy's sum. [`compact_policy`] may have dropped small probabilities.
const POLICY_SUM: RangeInclusive<f32> = 0.7..=1.01;

/// A played game.
///
/// `policies`, `values`, `raw_values`, `mean_values`, `surprises` and `moves_left` have one entry
/// per move. Each entry comes from the search of the position before the move.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// Variant of the game.
    pub variant: Variant,
    /// Index of the game in its shard.
    pub game: u64,
    /// Seed of the game's random stream.
    pub seed: u64,
    /// Index, in the same shard, of the game that this game was forked from. `None` if the game was
    /// not forked.
    pub parent: Option<u64>,
    /// Number of the parent's plies before the fork. `None` if the game was not forked.
    pub fork_ply: Option<u32>,
    /// BLAKE3 (hex) of the network file that played, or the name of an evaluator.
    pub network: String,
    /// FEN of the position before the first move.
    pub start_fen: String,
    /// Moves played.
    pub moves: Vec<Move>,
    /// Improved policy per ply: (move, probability), each move at most once. Probabilities are
    /// above 0 and sum to about 1 (see [`compact_policy`]). The policy is empty if the ply was not
    /// searched with the full budget.
    pub policies: Vec<Vec<(Move, f32)>>,
    /// Root value per ply: probabilities of win, draw and loss for the side to move. All three are
    /// 0 if unknown.
    pub values: Vec<[f32; 3]>,
    /// The network's evaluation of the root per ply, before any search, in the form of `values`.
    pub raw_values: Vec<[f32; 3]>,
    /// Mean value over the root's visits per ply, including the network's evaluation of the root,
    /// in the form of `values`.
    pub mean_values: Vec<[f32; 3]>,
    /// Policy surprise per ply: Kullback-Leibler divergence of the improved policy from the
    /// network's policy at the root temperature, in nats. 0 if unknown.
    pub surprises: Vec<f32>,
    /// Expected number of plies to the end of the game, per ply, at least 0. 0 if unknown.
    pub moves_left: Vec<f32>,
    /// Reason why the game ended.
    pub outcome: Outcome,
    /// The winner. Checkmate and resignation always have a winner, and a tablebase adjudication may
    /// have one. `None` after every other outcome.
    pub winner: Option<Color>,
}

/// Converts an improved policy to its stored form, without probabilities below
/// [`PROBABILITY_FLOOR`].
///
/// The remaining probabilities are rounded to 8 significant bits, with a relative error of at most
/// 1/256. Equal values repeat more often after rounding, so a policy of 30 moves takes about 20
/// bytes on disk. The stored probabilities do not sum to 1 exactly, so training divides by their
/// sum.
///
/// ```
/// use catapult_records::compact_policy;
/// use catapult_rules::Variant;
///
/// let start = Variant::Chess.start();
/// let [e4, a3, d4] = ["e2e4", "a2a3", "d2d4"].map(|text| start.parse_move(text).unwrap());
/// let stored = compact_policy([(e4, 0.7), (a3, 0.0001), (d4, 0.2999)]);
/// assert_eq!(stored, [(e4, 0.69921875), (d4, 0.30078125)]);
/// ```
pub fn compact_policy(policy: impl IntoIterator<Item = (Move, f32)>) -> Vec<(Move, f32)> {
    let policy = policy.into_iter().filter(|(_, probability)| *probability >= PROBABILITY_FLOOR);
    policy.map(|(mv, probability)| (mv, round_to_8_bits(probability))).collect()
}

/// Rounds the 24-bit significand of a positive float to 8 bits. A carry out of the significand
/// correctly increments the exponent.
fn round_to_8_bits(x: f32) -> f32 {
    f32::from_bits((x.to_bits() + 0x8000) & 0xFFFF_0000)
}

impl GameRecord {
    /// Creates an error about the ply with index `ply` of this game.
    pub fn error_at(&self, ply: usize, reason: impl ToString) -> VerifyError {
        VerifyError { game: self.game, ply, reason: reason.to_string() }
    }

    /// Checks that the lists have one entry per move and that the values are possible. The function
    /// does not play the moves. The error names `path`.
    pub(crate) fn check(&self, path: &Path) -> Result<(), RecordError> {
        let refuse = |field: &str, reason: String| {
            Err(RecordError::unusable(path, format!("game {}: {field}: {reason}", self.game)))
        };
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
        if matches!(self.outcome, Outcome::TimeForfeit | Outcome::IllegalMove | Outcome::Crash) {
            return refuse("outcome", format!("{}: records have no forfeits", self.outcome));
        }
        let by_table = self.outcome == Outcome::Tablebase;
        let has_winner = matches!(self.outcome, Outcome::Checkmate | Outcome::Resignation);
        if !by_table && self.winner.is_some() != has_winner {
            return refuse("winner", format!("{:?} with outcome {}", self.winner, self.outcome));
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
            if let Some((mv, p)) = policy.iter().find(|(_, p)| !(*p > 0.0 && PROBABILITY.contains(p))) {
                let reason = format!("{p} for {mv:?} at ply {ply}; it must be above 0 and at most 1");
                return refuse("policy_probabilities", reason);
            }
            let sum: f32 = policy.iter().map(|(_, p)| p).sum();
            if !policy.is_empty() && !POLICY_SUM.contains(&sum) {
                return refuse("policy_probabilities", format!("the sum is {sum} at ply {ply}"));
            }
            let mut moves: Vec<Move> = policy.iter().map(|&(mv, _)| mv).collect();
            moves.sort_unstable();
            if let Some(twice) = moves.windows(2).find(|pair| pair[0] == pair[1]) {
                return refuse("policy_moves", format!("{:?} occurs twice at ply {ply}", twice[0]));
            }
        }
        Ok(())
    }
}
