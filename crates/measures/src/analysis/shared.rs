//! Shared positions: positions that all arms related to chess can reach by the same moves, and the
//! networks' priors there.

use super::AnalysisSettings;
use super::priors::priors;
use crate::MeasureError;
use crate::games::{GameInfo, StudiedGame};
use catapult_mcts::Evaluator;
use catapult_rules::{AnyGame, Game, Variant};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// A position that all arms related to chess can reach by the same moves, and a network's prior
/// there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedPosition {
    /// Index, in the result of [`shared_lines`], of the line that leads to the position. It
    /// identifies the position for all networks.
    pub line: u32,
    /// Legal moves as text, with their probabilities by the network's prior.
    pub prior: Vec<(String, f32)>,
}

/// Returns the lines of moves that lead to the shared positions.
///
/// An element of `sources` is an arm with the moves of one agent's games. Sources unrelated to
/// chess are ignored. A line consists of the first moves of a game after its set-up moves, at most
/// `shared_plies`. It must be legal in every arm from the start of chess. No line occurs twice.
///
/// Each source contributes equally many lines, together at most `shared_positions`. The result is
/// shorter if a source has too few lines. A source takes one line from each of its games in turn.
/// All lengths occur about equally often.
pub fn shared_lines(sources: &[(Variant, Vec<&[String]>)], settings: &AnalysisSettings) -> Vec<Vec<String>> {
    let start = |arm: &Variant| arm.game(Some(&GameInfo::of(*arm).chess_start?)).ok();
    let starts: BTreeMap<Variant, Box<dyn AnyGame>> =
        sources.iter().filter_map(|(arm, _)| Some((*arm, start(arm)?))).collect();
    let related: Vec<&(Variant, Vec<&[String]>)> =
        sources.iter().filter(|(arm, _)| starts.contains_key(arm)).collect();
    let mut candidates: Vec<_> =
        related.iter().map(|(arm, games)| first_plies(*arm, games, settings.shared_plies as usize)).collect();
    let turns = (settings.shared_positions as usize).checked_div(related.len()).unwrap_or(0);
    let mut seen: HashSet<&[String]> = HashSet::new();
    let mut lines = Vec::new();
    for _ in 0..turns {
        let mut turn = Vec::new();
        for source in &mut candidates {
            let mut legal = source
                .filter(|line| !seen.contains(line) && starts.values().all(|start| reaches(&**start, line)));
            // Sources contribute equally, so the first exhausted source ends the list.
            let Some(line) = legal.next() else { return lines };
            seen.insert(line);
            turn.push(line.to_vec());
        }
        lines.extend(turn);
    }
    lines
}

/// Yields the first plies of games after their set-up moves, one line from each game in turn.
/// Lengths from 1 to `plies` occur about equally often.
fn first_plies<'a>(
    arm: Variant,
    games: &'a [&'a [String]],
    plies: usize,
) -> impl Iterator<Item = &'a [String]> {
    let setup = GameInfo::of(arm).setup_plies;
    let line = move |round: usize, game: usize| games[game].get(setup..setup + 1 + (game + round) % plies);
    (0..plies)
        .flat_map(move |round| (0..games.len()).map(move |game| (round, game)))
        .filter_map(move |(round, game)| line(round, game))
}

/// Returns true if `moves` are legal from `start` and don't end the game.
fn reaches(start: &dyn AnyGame, moves: &[String]) -> bool {
    let mut game = start.copied();
    moves.iter().all(|text| game.parse_move(text).map(|mv| game.push(mv)).is_ok()) && game.outcome().is_none()
}

/// Returns the priors at the ends of the lines. Lines that are illegal under the rules are left
/// out. The result is empty for a game unrelated to chess.
pub(super) fn shared_positions<P: StudiedGame>(
    rules: P::Rules,
    evaluator: &mut dyn Evaluator<P>,
    lines: &[Vec<String>],
) -> Result<Vec<SharedPosition>, MeasureError> {
    let reached: Vec<(usize, Game<P>)> =
        lines.iter().enumerate().filter_map(|(line, moves)| Some((line, follow(rules, moves)?))).collect();
    let games: Vec<&Game<P>> = reached.iter().map(|(_, game)| game).collect();
    let priors = priors(evaluator, &games)?;
    let position = |((line, game), prior): (&(usize, Game<P>), Vec<f64>)| {
        let texts = game.position().legal_moves().into_iter().map(|mv| game.position().move_text(mv));
        SharedPosition { line: *line as u32, prior: texts.zip(prior.into_iter().map(|p| p as f32)).collect() }
    };
    Ok(reached.iter().zip(priors).map(position).collect())
}

/// Plays `moves` from the start of chess and returns the game. `None` if a move is illegal, if the
/// game is over at the end, or if the rules are unrelated to chess.
fn follow<P: StudiedGame>(rules: P::Rules, moves: &[String]) -> Option<Game<P>> {
    let mut game = Game::new(P::chess_start(rules)?);
    for text in moves {
        let mv = game.position().parse_move(text).ok()?;
        game.push(mv);
    }
    game.outcome().is_none().then_some(game)
}
