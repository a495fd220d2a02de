//! Example games. Rules choose them, so equal games give equal examples.
//!
//! Examples come from the games of the claims' arms and of the control, each at its strongest
//! level. The effect of a move is the change from the search's expected score before the move to
//! the score after it. After the last move, the result of the game replaces the search's score.

use crate::results::ExampleGame;
use catapult_measures::data::{Cell, Checkpoint};
use catapult_measures::games::GameInfo;
use catapult_measures::metrics::read_game;
use catapult_measures::{Arm, MeasureError};
use catapult_records::GameRecord;
use catapult_rules::{Color, Outcome, Variant};
use rayon::prelude::*;

/// Description of a rule that chooses a game and one of its plies.
#[derive(Clone, Copy, Debug)]
pub struct RuleInfo {
    /// Name of the rule in files.
    pub id: &'static str,
    /// Name of the chosen ply in words, such as `the largest swing`.
    pub name: &'static str,
    /// Definition of the rule in a sentence.
    pub definition: &'static str,
    /// Returns the score of a ply, or `None` to exclude the ply. The first ply with the highest
    /// score is chosen.
    score: fn(&Ply, &GameInfo) -> Option<f64>,
}

/// Returns the rule with this id, or `None` if there is none.
pub fn rule(id: &str) -> Option<&'static RuleInfo> {
    RULES.iter().find(|rule| rule.id == id)
}

/// Ids of the uses that capture catapults.
const CATAPULTS: &[&str] = &["catapult_captures"];

static RULES: [RuleInfo; 5] = [
    RuleInfo {
        id: "decisive-teleport",
        name: "the teleport that decided",
        definition: "Of all teleports by the side that went on to win, the one that raised its side's expected score most.",
        score: |ply, game| (ply.uses & game.teleports != 0).then(|| ply.decided()).flatten(),
    },
    RuleInfo {
        id: "decisive-new-move",
        name: "the new move that decided",
        definition: "Of all moves that chess does not have by the side that went on to win, the one that raised its side's \
               expected score most.",
        score: |ply, game| (game.teleports == 0 && ply.uses != 0).then(|| ply.decided()).flatten(),
    },
    RuleInfo {
        id: "largest-swing",
        name: "the largest swing",
        definition: "Of all moves after the opening that was drawn at random, the one that moved the expected score furthest, \
               either way.",
        score: |ply, _| (!ply.sampled).then_some(ply.gain.abs()).filter(|swing| *swing > 0.0),
    },
    RuleInfo {
        id: "catapult-capture",
        name: "a catapult capture",
        definition: "Of all captures of the other side's catapults, the one that raised its side's expected score most, or lowered \
               it least.",
        score: |ply, game| (ply.uses & game.use_bits(CATAPULTS) != 0).then_some(ply.gain),
    },
    RuleInfo {
        id: "new-capture",
        name: "a capture by the new rules",
        definition: "Of all captures that chess does not have, the one that raised its side's expected score most, or lowered it \
               least.",
        score: |ply, game| {
            (game.use_bits(CATAPULTS) == 0 && ply.uses & game.captures != 0).then_some(ply.gain)
        },
    },
];

/// Properties of a ply from which a rule computes its score.
struct Ply {
    /// True if the mover won the game.
    won: bool,
    /// Kinds of moves that chess does not have, as bits. Bit i is entry i of [`GameInfo::uses`].
    uses: u16,
    /// Change of the mover's expected score by the move.
    gain: f64,
    /// True if the move was drawn from the improved policy instead of being the best.
    sampled: bool,
}

impl Ply {
    fn decided(&self) -> Option<f64> {
        (self.won && self.gain > 0.0).then_some(self.gain)
    }
}

/// Chooses examples from the games of a study, which [`Chooser::add`] takes cell by cell. Only the
/// strongest level of the last checkpoint counts.
pub struct Chooser {
    sampled: usize,
    arms: Vec<OfArm>,
}

/// The best example of an arm so far, with its score, for each rule.
struct OfArm {
    arm: Arm,
    simulations: u32,
    best: [Option<(f64, ExampleGame)>; RULES.len()],
}

impl Chooser {
    /// Creates a chooser that has seen no games. `cells` are all cells of the study. Examples are
    /// chosen for the arms `claimed` and for the control. If `claimed` is empty, they are chosen
    /// for all arms.
    pub fn new(cells: &[Cell], claimed: &[Arm], control: Arm, sampled_plies: u32) -> Chooser {
        let mut arms: Vec<OfArm> = Vec::new();
        let is_asked = |arm: Arm| claimed.is_empty() || arm == control || claimed.contains(&arm);
        for &Cell { arm, simulations, checkpoint, .. } in cells {
            if checkpoint == Checkpoint::Last && is_asked(arm) {
                match arms.iter_mut().find(|known| known.arm == arm) {
                    Some(known) => known.simulations = known.simulations.max(simulations),
                    None => arms.push(OfArm { arm, simulations, best: Default::default() }),
                }
            }
        }
        Chooser { sampled: sampled_plies as usize, arms }
    }

    /// Considers the games of a cell. Of plies with equal scores, the first is chosen.
    ///
    /// # Errors
    /// A game belongs to another variant, or the rules contradict it.
    pub fn add(&mut self, cell: &Cell, games: &[GameRecord]) -> Result<(), MeasureError> {
        let refuse = |reason| MeasureError::Cell { cell: Box::new(cell.clone()), reason };
        let is_its = |of_arm: &&mut OfArm| {
            of_arm.arm == cell.arm
                && of_arm.simulations == cell.simulations
                && cell.checkpoint == Checkpoint::Last
        };
        let Some(of_arm) = self.arms.iter_mut().find(is_its) else { return Ok(()) };
        let info = GameInfo::of(cell.arm.rules);
        // Plies of the set-up are sampled in addition.
        let sampled = self.sampled + info.setup_plies;
        let read: Result<Vec<Vec<Ply>>, String> =
            games.par_iter().map(|record| plies_of(record, cell.arm.rules, sampled)).collect();
        let read = read.map_err(refuse)?;
        for (rule, best) in RULES.iter().zip(&mut of_arm.best) {
            let mut most = best.as_ref().map(|(most, _)| *most);
            let mut place = None;
            for (g, plies) in read.iter().enumerate() {
                for (p, ply) in plies.iter().enumerate() {
                    let score = (rule.score)(ply, &info);
                    if score.is_some_and(|score| most.is_none_or(|most| score > most)) {
                        (most, place) = (score, Some((g, p)));
                    }
                }
            }
            if let (Some(most), Some((game, ply))) = (most, place) {
                *best = Some((most, example(rule, cell, &games[game], ply).map_err(refuse)?));
            }
        }
        Ok(())
    }

    /// Returns the chosen games by arm, in the order in which the cells name the arms. There is at
    /// most one per rule and arm.
    pub fn finish(self) -> Vec<ExampleGame> {
        self.arms.into_iter().flat_map(|of_arm| of_arm.best).flatten().map(|(_, example)| example).collect()
    }
}

fn plies_of(record: &GameRecord, arm: Variant, sampled: usize) -> Result<Vec<Ply>, String> {
    let moves = read_game(record, arm)?.uses();
    let values = white_scores(record, moves.iter().map(|(mover, _)| *mover));
    let ply = |(ply, (mover, uses)): (usize, &(Color, u16))| {
        let gain = values[ply + 1]? - values[ply]?;
        Some(Ply {
            won: record.winner == Some(*mover),
            uses: *uses,
            gain: if *mover == Color::White { gain } else { -gain },
            sampled: ply < sampled,
        })
    };
    // A game with a missing value has no graph, so it is excluded.
    Ok(moves.iter().enumerate().map(ply).collect::<Option<_>>().unwrap_or_default())
}

/// Returns White's expected score before each ply, from the search, followed by the result of the
/// game. Scores are from 0 to 1, and `None` is a missing score. A truncated game has no result, so
/// its last score is repeated.
fn white_scores(record: &GameRecord, movers: impl Iterator<Item = Color>) -> Vec<Option<f64>> {
    let of_ply = |(mover, [win, draw, loss]): (Color, &[f32; 3])| {
        let [win, draw, loss] = [*win, *draw, *loss].map(f64::from);
        let sum = win + draw + loss;
        let score = (win + draw / 2.0) / sum;
        (sum > 0.5).then_some(if mover == Color::White { score } else { 1.0 - score })
    };
    let mut scores: Vec<Option<f64>> = movers.zip(&record.values).map(of_ply).collect();
    let result = match (record.winner, record.outcome) {
        (Some(Color::White), _) => Some(1.0),
        (Some(Color::Black), _) => Some(0.0),
        (None, Outcome::Capped) => scores.last().copied().flatten(),
        (None, _) => Some(0.5),
    };
    scores.resize(record.moves.len(), None);
    scores.push(result);
    scores
}

fn example(rule: &RuleInfo, cell: &Cell, record: &GameRecord, ply: usize) -> Result<ExampleGame, String> {
    let moves = record.texts().map_err(|error| error.to_string())?.moves;
    let uses = read_game(record, cell.arm.rules)?.uses();
    let mut values: Vec<f64> =
        white_scores(record, uses.iter().map(|(mover, _)| *mover)).into_iter().flatten().collect();
    values.truncate(record.moves.len());
    Ok(ExampleGame {
        rule: rule.id.to_owned(),
        sample: cell.sample(),
        seed: cell.network.seed,
        game: record.game,
        start: record.start_fen.clone(),
        moves,
        values,
        ply,
        outcome: record.outcome,
        winner: record.winner,
    })
}

#[cfg(test)]
#[path = "examples_tests.rs"]
mod tests;
