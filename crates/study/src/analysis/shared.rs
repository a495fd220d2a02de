//! Positions that a game shares with chess, and the priors there.

use super::AnalysisSettings;
use super::priors::priors;
use crate::StudyError;
use crate::games::StudiedGame;
use catapult_mcts::Evaluator;
use catapult_records::GameRecord;
use catapult_rules::{Game, Position};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// A position reached by the moves of a game of chess, and a network's prior there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedPosition {
    /// Number of the position among those of the study: the same moves for all networks.
    pub line: u32,
    /// The prior, by the texts of the moves.
    pub prior: Vec<(String, f32)>,
}

/// The moves that lead to the shared positions, all different: the first plies of games of chess, of each game in
/// turn, at plies spread evenly.
pub fn chess_lines<'a>(chess: &'a [GameRecord], settings: &AnalysisSettings) -> Vec<&'a [String]> {
    let plies = settings.shared_plies as usize;
    let line = |round: usize, game: usize| chess[game].moves.get(..1 + (game + round) % plies);
    let rounds = (0..plies).flat_map(|round| (0..chess.len()).map(move |game| (round, game)));
    let mut seen = HashSet::new();
    let lines = rounds.filter_map(|(round, game)| line(round, game)).filter(|line| seen.insert(*line));
    lines.take(settings.shared_positions as usize).collect()
}

/// The priors in those positions that the moves reach under the rules, too, with the same pieces on the same squares.
pub(super) fn shared_positions<P: StudiedGame>(
    rules: P::Rules,
    evaluator: &mut dyn Evaluator<P>,
    chess: &[GameRecord],
    settings: &AnalysisSettings,
) -> Result<Vec<SharedPosition>, StudyError> {
    let Some(start) = P::chess_start(rules) else { return Ok(Vec::new()) };
    let lines = chess_lines(chess, settings);
    let reached: Vec<(usize, Game<P>)> =
        lines.iter().enumerate().filter_map(|(line, moves)| Some((line, follow(start, moves)?))).collect();
    let games: Vec<&Game<P>> = reached.iter().map(|(_, game)| game).collect();
    let priors = priors(evaluator, &games)?;
    let position = |((line, game), prior): (&(usize, Game<P>), Vec<f64>)| {
        let texts = game.position().legal_moves().into_iter().map(|mv| game.position().move_text(mv));
        SharedPosition { line: *line as u32, prior: texts.zip(prior.into_iter().map(|p| p as f32)).collect() }
    };
    Ok(reached.iter().zip(priors).map(position).collect())
}

/// Plays moves of chess, if they are all legal and the game is not over after them.
fn follow<P: Position>(start: P, moves: &[String]) -> Option<Game<P>> {
    let mut game = Game::new(start);
    for text in moves {
        let mv = game.position().parse_move(text).ok()?;
        game.push(mv);
    }
    game.outcome().is_none().then_some(game)
}
