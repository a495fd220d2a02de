//! Example games. Rules choose them, so equal games give equal examples.
//!
//! Examples come from the games of the claims' arms and of the control, each at its strongest
//! level. The effect of a move is the change from the search's expected score before the move to
//! the score after it. After the last move, the result of the game replaces the search's score.

use crate::results::ExampleGame;
use catapult_measures::data::{Cell, Checkpoint};
use catapult_measures::games::GameInfo;
use catapult_measures::metrics::GameFacts;
use catapult_measures::{Arm, MeasureError};
use catapult_records::GameRecord;
use catapult_rules::{Color, Outcome};

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

/// Properties of a ply, for the scores of the rules and the graph of an example.
struct Ply {
    /// True if the mover won the game.
    won: bool,
    /// Kinds of moves that chess does not have, as bits. Bit i is entry i of [`GameInfo::uses`].
    uses: u16,
    /// White's expected score before the move, from the search.
    value: f64,
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

    /// Considers the games of a cell, given with their facts in the same order. Of plies with equal scores, the first
    /// is chosen.
    ///
    /// # Errors
    /// The rules contradict a game.
    pub fn add(
        &mut self,
        cell: &Cell,
        games: &[GameRecord],
        facts: &[GameFacts],
    ) -> Result<(), MeasureError> {
        let is_its = |of_arm: &&mut OfArm| {
            of_arm.arm == cell.arm
                && of_arm.simulations == cell.simulations
                && cell.checkpoint == Checkpoint::Last
        };
        let Some(of_arm) = self.arms.iter_mut().find(is_its) else { return Ok(()) };
        let info = GameInfo::of(cell.arm.rules);
        // Plies of the set-up are sampled in addition.
        let sampled = self.sampled + info.setup_plies;
        let read: Vec<Vec<Ply>> =
            games.iter().zip(facts).map(|(record, facts)| plies_of(record, facts, sampled)).collect();
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
                let example = example(rule, cell, &games[game], &read[game], ply);
                let refuse = |reason| MeasureError { cell: Box::new(cell.clone()), reason };
                *best = Some((most, example.map_err(refuse)?));
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

/// Returns the plies of a game. Empty if a score of the search is missing, because the game then
/// has no graph.
fn plies_of(record: &GameRecord, facts: &GameFacts, sampled: usize) -> Vec<Ply> {
    let moves = facts.uses();
    let Some(scores) = white_scores(record, &moves) else { return Vec::new() };
    let ply = |(ply, ((mover, uses), scores)): (usize, (&(Color, u16), &[f64]))| {
        let gain = scores[1] - scores[0];
        Ply {
            won: record.winner == Some(*mover),
            uses: *uses,
            value: scores[0],
            gain: if *mover == Color::White { gain } else { -gain },
            sampled: ply < sampled,
        }
    };
    moves.iter().zip(scores.windows(2)).enumerate().map(ply).collect()
}

/// Returns White's expected score before each ply, from the search, followed by the result of the
/// game. Scores are from 0 to 1. A truncated game has no result, so its last score is repeated.
/// `moves` has the mover of each ply. `None` if a score is missing.
fn white_scores(record: &GameRecord, moves: &[(Color, u16)]) -> Option<Vec<f64>> {
    let of_ply = |(ply, (mover, _)): (usize, &(Color, u16))| {
        let [win, draw, loss] = record.values.get(ply)?.map(f64::from);
        let sum = win + draw + loss;
        let score = (win + draw / 2.0) / sum;
        (sum > 0.5).then_some(if *mover == Color::White { score } else { 1.0 - score })
    };
    let mut scores: Vec<f64> = moves.iter().enumerate().map(of_ply).collect::<Option<_>>()?;
    scores.push(match (record.winner, record.outcome) {
        (Some(Color::White), _) => 1.0,
        (Some(Color::Black), _) => 0.0,
        (None, Outcome::Capped) => *scores.last()?,
        (None, _) => 0.5,
    });
    Some(scores)
}

/// Returns the example of a game with the chosen ply `ply`. `plies` are the plies of the game.
fn example(
    rule: &RuleInfo,
    cell: &Cell,
    record: &GameRecord,
    plies: &[Ply],
    ply: usize,
) -> Result<ExampleGame, String> {
    Ok(ExampleGame {
        rule: rule.id.to_owned(),
        sample: cell.sample(),
        seed: cell.network.seed,
        game: record.game,
        start: record.start_fen.clone(),
        moves: record.texts().map_err(|error| error.to_string())?.moves,
        values: plies.iter().map(|ply| ply.value).collect(),
        ply,
        outcome: record.outcome,
        winner: record.winner,
    })
}

#[cfg(test)]
#[path = "examples_tests.rs"]
mod tests;
