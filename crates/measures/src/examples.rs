//! Games to look at, chosen by rules and not by hand: the same games give the same examples.
//!
//! They are games of the strongest level of the arms that the claims are about, and of the control. What a move did is how far
//! the search's expected score at the position after it (the result, after the last move) lies from that before it.

use crate::MeasureError;
use crate::data::{CellGames, Checkpoint};
use crate::games::StudiedGame;
use crate::results::ExampleGame;
use catapult_records::{GameRecord, Replay};
use catapult_rules::{Color, Outcome, Variant, with_variant};
use rayon::prelude::*;

/// A rule that chooses a game and one of its plies.
struct Rule {
    chosen: &'static str,
    rule: &'static str,
    /// How much a ply is wanted; the first of the greatest is taken, and none where no ply is wanted.
    score: fn(&Ply, Uses) -> Option<f64>,
}

const RULES: [Rule; 5] = [
    Rule {
        chosen: "the teleport that decided",
        rule: "Of all teleports by the side that went on to win, the one that raised its side's expected score most.",
        score: |ply, uses| (ply.uses & uses.teleports != 0).then(|| ply.decided()).flatten(),
    },
    Rule {
        chosen: "the new move that decided",
        rule: "Of all moves that chess does not have by the side that went on to win, the one that raised its side's \
               expected score most.",
        score: |ply, uses| (uses.teleports == 0 && ply.uses != 0).then(|| ply.decided()).flatten(),
    },
    Rule {
        chosen: "the largest swing",
        rule: "Of all moves after the opening that was drawn at random, the one that moved the expected score furthest, \
               either way.",
        score: |ply, _| (!ply.sampled).then_some(ply.gain.abs()).filter(|swing| *swing > 0.0),
    },
    Rule {
        chosen: "a catapult capture",
        rule: "Of all captures of the other side's catapults, the one that raised its side's expected score most, or lowered \
               it least.",
        score: |ply, uses| (ply.uses & uses.catapults != 0).then_some(ply.gain),
    },
    Rule {
        chosen: "a capture by the new rules",
        rule: "Of all captures that chess does not have, the one that raised its side's expected score most, or lowered it \
               least.",
        score: |ply, uses| (uses.catapults == 0 && ply.uses & uses.captures != 0).then_some(ply.gain),
    },
];

/// Bits of [`StudiedGame::USES`] of one game.
#[derive(Clone, Copy, Default)]
struct Uses {
    teleports: u16,
    /// Captures of catapults.
    catapults: u16,
    /// All captures by the new rules.
    captures: u16,
}

impl Uses {
    fn of<P: StudiedGame>() -> Uses {
        Uses {
            teleports: P::use_bits(P::TELEPORTS),
            catapults: P::use_bits(&["catapult_captures"]),
            captures: P::use_bits(P::CAPTURES),
        }
    }
}

/// What the rules ask of a ply.
struct Ply {
    /// Whether its side won the game.
    won: bool,
    uses: u16,
    /// By how much it raised its side's expected score.
    gain: f64,
    /// Whether it was drawn at random.
    sampled: bool,
}

impl Ply {
    fn decided(&self) -> Option<f64> {
        (self.won && self.gain > 0.0).then_some(self.gain)
    }
}

/// The games that the rules choose: in the order of the cells' arms, at most one per rule and arm. `claimed` are the arms that
/// claims are about; empty, games of all arms are chosen.
///
/// # Errors
/// A game that its rules contradict.
pub fn choose(
    cells: &[CellGames],
    claimed: &[Variant],
    control: Variant,
    sampled_plies: u32,
) -> Result<Vec<ExampleGame>, MeasureError> {
    let mut arms: Vec<Variant> = Vec::new();
    for arm in cells.iter().map(|cell| cell.cell.arm) {
        let asked = claimed.is_empty() || arm == control || claimed.contains(&arm);
        if asked && !arms.contains(&arm) {
            arms.push(arm);
        }
    }
    let mut chosen = Vec::new();
    for arm in arms {
        let of_arm =
            || cells.iter().filter(|cell| cell.cell.arm == arm && cell.cell.checkpoint == Checkpoint::Last);
        let strongest = of_arm().map(|cell| cell.cell.simulations).max();
        let cells: Vec<&CellGames> =
            of_arm().filter(|cell| Some(cell.cell.simulations) == strongest).collect();
        chosen.extend(of_level(&cells, arm, sampled_plies as usize)?);
    }
    Ok(chosen)
}

/// Where a ply stands: cell, game and ply.
type Place = (usize, usize, usize);

fn of_level(cells: &[&CellGames], arm: Variant, sampled: usize) -> Result<Vec<ExampleGame>, MeasureError> {
    let uses = with_variant!(arm, |P, _rules| Uses::of::<P>());
    let mut best: [Option<(f64, Place)>; RULES.len()] = [None; RULES.len()];
    for (c, cell) in cells.iter().enumerate() {
        let read: Result<Vec<Vec<Ply>>, String> =
            cell.games.par_iter().map(|record| plies_of(record, arm, sampled)).collect();
        let read = read.map_err(|reason| MeasureError::Cell { cell: Box::new(cell.cell.clone()), reason })?;
        for (g, plies) in read.iter().enumerate() {
            for (p, ply) in plies.iter().enumerate() {
                for (rule, best) in RULES.iter().zip(&mut best) {
                    let Some(score) = (rule.score)(ply, uses) else { continue };
                    if best.is_none_or(|(most, _)| score > most) {
                        *best = Some((score, (c, g, p)));
                    }
                }
            }
        }
    }
    let found = RULES.iter().zip(best).filter_map(|(rule, best)| Some((rule, best?.1)));
    found.map(|(rule, (c, g, p))| example(rule, cells[c], &cells[c].games[g], p)).collect()
}

fn plies_of(record: &GameRecord, arm: Variant, sampled: usize) -> Result<Vec<Ply>, String> {
    let moves = with_variant!(arm, |P, rules| moves_of::<P>(record, rules))?;
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
    // A game that lacks a value could not be shown with its graph.
    Ok(moves.iter().enumerate().map(ply).collect::<Option<_>>().unwrap_or_default())
}

/// Who moves at each ply, and the uses that the move makes of the rules.
fn moves_of<P: StudiedGame>(record: &GameRecord, rules: P::Rules) -> Result<Vec<(Color, u16)>, String> {
    let replay = Replay::<P>::new(record, rules).map_err(|error| error.to_string())?;
    let uses =
        |ply: catapult_records::Ply<P>| (ply.before.side_to_move(), ply.before.uses(ply.mv, &ply.after));
    replay.map(|ply| ply.map(uses).map_err(|error| error.to_string())).collect()
}

/// White's expected score before each ply, by the search, and after the last one. A game that was cut has no result: its last
/// move changed nothing.
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

fn example(
    rule: &Rule,
    cell: &CellGames,
    record: &GameRecord,
    ply: usize,
) -> Result<ExampleGame, MeasureError> {
    let refuse = |reason| MeasureError::Cell { cell: Box::new(cell.cell.clone()), reason };
    let moves = with_variant!(cell.cell.arm, |P, rules| moves_of::<P>(record, rules)).map_err(refuse)?;
    let mut values: Vec<f64> =
        white_scores(record, moves.iter().map(|(mover, _)| *mover)).into_iter().flatten().collect();
    values.truncate(record.moves.len());
    let end = match record.winner {
        Some(winner) => format!("{}, {winner:?} wins", record.outcome),
        None => record.outcome.to_string(),
    };
    Ok(ExampleGame {
        chosen: rule.chosen.to_owned(),
        rule: rule.rule.to_owned(),
        sample: cell.cell.sample(),
        seed: cell.cell.network.seed,
        game: record.game,
        start: record.start_fen.clone(),
        moves: record.moves.clone(),
        values,
        ply,
        outcome: end,
    })
}

#[cfg(test)]
#[path = "examples_tests.rs"]
mod tests;
