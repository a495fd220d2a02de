//! Selective alpha-beta search: values at the leaves, and probabilities that decide how deep each
//! move is searched. Both come from a network or from the values of the anchors.
//!
//! It is a principal variation search with iterative deepening, a transposition table and a search
//! of captures at the leaves. The depth is a budget. An unlikely move costs more of it than a
//! likely one, as in realization-probability search (Tsuruoka, Yokoyama and Chikayama 2002). If
//! such a move turns out better than the best one so far, it is searched again at the usual cost.
//! Moves that refuted other moves of the same search are likelier (history heuristic).

use crate::alphabeta::{INFINITE, MATE, list_moves, score_of_outcome};
use crate::anchor::Anchor;
use crate::player::{Player, PlayerError, Turn};
use crate::reply::{Reply, Score, Thought};
use crate::session_player::{OVERHEAD, limits};
use catapult_engine::{Allowance, centipawns, from_centipawns};
use catapult_mcts::{Batch, EvaluationError, Evaluator, Mask, Value};
use catapult_rules::{Game, Move, MoveList};
use std::time::Instant;

/// Least score of a mate that the search has found.
const FOUND_MATE: i32 = MATE - 1000;

/// Number of depth units per turn. Costs of moves are in these units.
const TURN: i32 = 64;

/// Largest number of plies from the root.
const MAX_PLY: usize = 200;

/// Largest depth of iterative deepening, in turns.
const MAX_TURNS: i32 = 60;

/// Number of entries of the transposition table.
const ENTRIES: usize = 1 << 18;

/// Margin of reverse futility pruning, in centipawns per turn of remaining depth. A position whose
/// value is at least beta plus this margin is not searched.
const FUTILITY: i32 = 90;

/// Maximum remaining depth at which [`FUTILITY`] applies.
const FUTILITY_DEPTH: i32 = 4 * TURN;

/// Margin of delta pruning, in centipawns. A capture is not searched if the position's value, the
/// captured material and this margin sum to at most alpha.
const CAPTURE_MARGIN: i32 = 150;

/// Weight of the history in the logit of a move.
const HISTORY: f32 = 0.3;

/// Gain of a capture in centipawns that makes it e times as likely.
const GAIN: f32 = 150.0;

/// Exclusive lower bound of the depth at which all moves of a side in check are searched.
const LEAST_DEPTH_IN_CHECK: i32 = -3 * TURN;

#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Exact,
    Lower,
    Upper,
}

/// Result of the search of a position.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    /// Number of the search that wrote the entry. Later searches ignore the entry, so a move does
    /// not depend on earlier games.
    search: u32,
    best: Option<Move>,
    score: i32,
    depth: i32,
    bound: Bound,
}

const EMPTY: Entry = Entry { key: 0, search: 0, best: None, score: 0, depth: 0, bound: Bound::Exact };

/// Reason for which a search ends before its iteration is complete.
enum Stop {
    Limit,
    Failed(EvaluationError),
}

impl From<EvaluationError> for Stop {
    fn from(error: EvaluationError) -> Stop {
        Stop::Failed(error)
    }
}

/// Player that searches by selective alpha-beta, for a number of evaluations per move or for the
/// time that its clock allows.
pub(crate) struct SelectivePlayer<P, E> {
    evaluator: E,
    /// Number of evaluations per move. `None` if the clock decides.
    nodes: Option<u32>,
    batch: Batch<P>,
    table: Vec<Entry>,
    search: u32,
    mask: Option<Mask<P>>,
    /// Keys of the game's earlier positions and of the line that is being searched.
    keys: Vec<u64>,
    list: Box<MoveList>,
    /// History heuristic: weight of each move that caused a beta cutoff, indexed by [`place`].
    history: Vec<f32>,
    /// Buffers for the moves of each ply, with their probabilities.
    moves: Vec<Vec<(f32, Move)>>,
    /// Buffers for the captures of each ply, with their gains.
    captures: Vec<Vec<(i32, P)>>,
    evaluated: u32,
    /// Start of the search and its time allowance. `None` without a clock.
    time: Option<(Instant, Allowance)>,
    best: Option<Move>,
    /// Score of `best`. `None` before the first move has a score.
    score: Option<i32>,
}

impl<P: Anchor, E: Evaluator<P>> SelectivePlayer<P, E> {
    /// Creates a player. It makes at most `nodes` evaluations per move. With `None`, it needs a
    /// match with clocks.
    pub(crate) fn new(evaluator: E, nodes: Option<u32>) -> Self {
        SelectivePlayer {
            evaluator,
            nodes,
            batch: Batch::default(),
            table: vec![EMPTY; ENTRIES],
            search: 0,
            mask: None,
            keys: Vec::new(),
            list: Box::default(),
            history: vec![0.0; 1 << 16],
            moves: vec![Vec::new(); MAX_PLY + 1],
            captures: vec![Vec::new(); MAX_PLY + 1],
            evaluated: 0,
            time: None,
            best: None,
            score: None,
        }
    }

    fn answer(&mut self, turn: &Turn<'_, P>) -> Result<Reply, PlayerError> {
        self.time = match self.nodes {
            Some(_) => None,
            None => Some(Instant::now()).zip(limits(turn)?.allowance(OVERHEAD)),
        };
        self.mask = turn.mask;
        self.search = self.search.wrapping_add(1);
        self.history.fill(0.0);
        self.evaluated = 0;
        (self.best, self.score) = (None, None);
        let depth = self.deepen(turn.game).map_err(PlayerError::Evaluation)?;
        let best = self.best.ok_or(PlayerError::NoMove)?;
        let score = self.score.map(|score| match score {
            score if score.abs() < FOUND_MATE => Score::Cp(score),
            score => Score::Mate((MATE - score.abs() + 1) / 2 * score.signum()),
        });
        let nodes = Some(self.evaluated.into());
        Ok(Reply { chosen: Ok(best), thought: Thought { score, depth, nodes, seconds: None } })
    }

    /// Searches by iterative deepening until a limit is reached. Sets the best move and its score.
    /// Returns the depth of the last complete iteration, in turns. `None` if none is complete.
    fn deepen(&mut self, game: &Game<P>) -> Result<Option<u32>, EvaluationError> {
        let mut complete = None;
        for turns in 1..=MAX_TURNS {
            self.keys.clear();
            self.keys.extend_from_slice(game.repetition_keys());
            match self.search(game.position(), turns * TURN, 0, -INFINITE, INFINITE) {
                Ok(_) => complete = Some(turns as u32),
                Err(Stop::Limit) => break,
                Err(Stop::Failed(error)) => return Err(error),
            }
            // After half of the planned time, the next iteration would probably not finish.
            let is_late = self.time.is_some_and(|(began, time)| began.elapsed() > time.planned / 2);
            let is_mate = self.score.is_some_and(|score| score.abs() >= FOUND_MATE);
            if is_late || is_mate || self.moves[0].len() == 1 {
                break;
            }
        }
        Ok(complete)
    }

    /// Returns the value of a position for its side to move, in centipawns. Leaves the logits of
    /// `moves` in the batch.
    fn evaluate(&mut self, position: &P, moves: &[Move]) -> Result<i32, Stop> {
        let is_over = match self.time {
            // The first evaluation always takes place, so that there is a move.
            Some((began, time)) => self.evaluated > 0 && began.elapsed() >= time.latest.min(time.planned * 2),
            None => self.nodes.is_some_and(|nodes| self.evaluated >= nodes),
        };
        if is_over {
            return Err(Stop::Limit);
        }
        self.evaluated += 1;
        self.batch.clear();
        self.batch.push(*position, 0, moves);
        self.evaluator.evaluate(&mut self.batch)?;
        let value = self.batch.values[0];
        let q = value.wdl[0] - value.wdl[2];
        // Of two won positions, the one nearer to its end is better.
        let haste = q * value.moves_left.min(200.0) / 4.0;
        Ok((centipawns(q).clamp(-10_000, 10_000) as f32 - haste) as i32)
    }

    /// Returns the score for the side to move if the game is over at the position, or if the
    /// position occurred before. `ply` is the distance from the root.
    fn final_score(&self, position: &P, ply: usize) -> Option<i32> {
        let is_repeated = || position.is_turn_start() && self.keys.contains(&position.key());
        score_of_outcome(position, ply as u32).or_else(|| is_repeated().then_some(0))
    }

    /// Returns the score of a position for its side to move, by fail-soft alpha-beta.
    fn search(
        &mut self,
        position: &P,
        depth: i32,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, Stop> {
        if ply > 0
            && let Some(score) = self.final_score(position, ply)
        {
            return Ok(score);
        }
        let in_check = position.in_check();
        let is_deep = depth > 0 || in_check && depth > LEAST_DEPTH_IN_CHECK;
        if ply == MAX_PLY || !is_deep && position.is_turn_start() {
            return self.quiesce(position, ply, alpha, beta);
        }
        let key = position.key();
        let slot = key as usize % ENTRIES;
        let known = Some(self.table[slot]).filter(|entry| entry.key == key && entry.search == self.search);
        if let Some(entry) = known.filter(|entry| ply > 0 && entry.depth >= depth) {
            let score = from_table(entry.score, ply);
            let is_enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if is_enough {
                return Ok(score);
            }
        }
        list_moves(position, self.mask.as_ref(), &mut self.list);
        let list = std::mem::take(&mut self.list);
        let value = self.evaluate(position, &list);
        let mut moves = std::mem::take(&mut self.moves[ply]);
        moves.clear();
        for (&logit, &mv) in self.batch.logits.iter().zip(list.iter()) {
            moves.push((logit + HISTORY * self.history[place(mv)].ln_1p(), mv));
        }
        self.list = list;
        let value = value?;
        if ply > 0
            && !in_check
            && depth <= FUTILITY_DEPTH
            && position.is_turn_start()
            && value - FUTILITY * depth / TURN >= beta
        {
            self.moves[ply] = moves;
            return Ok(value);
        }
        to_probabilities(&mut moves);
        if let Some(best) = known.and_then(|entry| entry.best) {
            let place = moves.iter().position(|(_, mv)| *mv == best).unwrap_or_default();
            moves[..=place].rotate_right(1);
        }
        // A limit may end even the first iteration before a move has a score.
        if ply == 0 {
            self.best = self.best.or(moves.first().map(|(_, mv)| *mv));
        }

        self.keys.push(key);
        let (first_alpha, mut best, mut best_score) = (alpha, None, -INFINITE);
        for (number, &(probability, mv)) in moves.iter().enumerate() {
            let mut next = *position;
            next.play(mv);
            let cost = cost(probability) - TURN / 2 * i32::from(next.in_check());
            let usual = if next.is_turn_start() { TURN } else { TURN / 4 };
            let score = if number == 0 {
                self.after(position, &next, depth - cost.min(usual), ply, alpha, beta)?
            } else {
                let cost = cost.max(usual / 2);
                let mut score = self.after(position, &next, depth - cost, ply, alpha, alpha + 1)?;
                if score > alpha && cost > usual {
                    score = self.after(position, &next, depth - usual, ply, alpha, alpha + 1)?;
                }
                if score > alpha && score < beta {
                    score = self.after(position, &next, depth - cost.min(usual), ply, alpha, beta)?;
                }
                score
            };
            if score > best_score {
                (best, best_score) = (Some(mv), score);
                if ply == 0 {
                    (self.best, self.score) = (best, Some(score));
                }
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                let turns = depth.max(0) / TURN + 1;
                self.history[place(mv)] += (turns * turns) as f32;
                break;
            }
        }
        self.keys.pop();
        self.moves[ply] = moves;
        let bound = match best_score {
            score if score >= beta => Bound::Lower,
            score if score <= first_alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        let score = to_table(best_score, ply);
        self.table[slot] = Entry { key, search: self.search, best, score, depth, bound };
        Ok(best_score)
    }

    /// Returns the score of `next`, a successor of `position`, for the side to move in `position`.
    fn after(
        &mut self,
        position: &P,
        next: &P,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stop> {
        if next.side_to_move() == position.side_to_move() {
            self.search(next, depth, ply + 1, alpha, beta)
        } else {
            Ok(-self.search(next, depth, ply + 1, -beta, -alpha)?)
        }
    }

    /// Returns the score for the side to move, from a search of captures only. The value is a lower
    /// bound, because the side to move may decline all captures.
    fn quiesce(&mut self, position: &P, ply: usize, mut alpha: i32, beta: i32) -> Result<i32, Stop> {
        let value = self.evaluate(position, &[])?;
        if value >= beta || ply == MAX_PLY {
            return Ok(value);
        }
        alpha = alpha.max(value);
        let mut best = value;
        list_moves(position, self.mask.as_ref(), &mut self.list);
        let opponent = !position.side_to_move();
        let (material, men) = (position.material(opponent), position.men(opponent));
        let mut captures = std::mem::take(&mut self.captures[ply]);
        captures.clear();
        for &mv in self.list.iter() {
            let mut next = *position;
            next.play(mv);
            if next.men(opponent) < men && next.is_turn_start() {
                captures.push((material - next.material(opponent), next));
            }
        }
        captures.sort_by_key(|(gain, _)| -gain);
        for (gain, next) in &captures {
            if value + gain + CAPTURE_MARGIN <= alpha {
                break;
            }
            let score = match self.final_score(next, ply + 1) {
                Some(score) => -score,
                None => -self.quiesce(next, ply + 1, -beta, -alpha)?,
            };
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        self.captures[ply] = captures;
        Ok(best)
    }
}

/// Returns the index of a move in the history.
fn place(mv: Move) -> usize {
    usize::from(mv.from()) << 8 | usize::from(mv.to())
}

/// Evaluator with the values of the anchors ([`Anchor`]). Captures are likelier than other moves.
pub(crate) struct HandMade;

impl<P: Anchor> Evaluator<P> for HandMade {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        batch.values.clear();
        batch.logits.clear();
        for leaf in &batch.leaves {
            let position = &leaf.position;
            let q = from_centipawns(position.evaluate());
            batch.values.push(Value { wdl: [(1.0 + q) / 2.0, 0.0, (1.0 - q) / 2.0], moves_left: 0.0 });
            let opponent = !position.side_to_move();
            let material = position.material(opponent);
            for &mv in &batch.moves[leaf.range()] {
                let mut next = *position;
                next.play(mv);
                batch.logits.push((material - next.material(opponent)) as f32 / GAIN);
            }
        }
        Ok(())
    }
}

/// Returns the depth that a move of this probability costs.
fn cost(probability: f32) -> i32 {
    let turns = 0.5 - 0.4 * probability.max(1e-4).ln();
    (turns * TURN as f32) as i32
}

/// Replaces logits by probabilities and sorts them, largest first.
fn to_probabilities(moves: &mut [(f32, Move)]) {
    let most = moves.iter().map(|(logit, _)| *logit).fold(f32::MIN, f32::max);
    moves.iter_mut().for_each(|(logit, _)| *logit = (*logit - most).exp());
    let sum: f32 = moves.iter().map(|(weight, _)| weight).sum();
    moves.iter_mut().for_each(|(weight, _)| *weight /= sum);
    moves.sort_by(|a, b| b.0.total_cmp(&a.0));
}

/// Converts a mate score from plies after the root to plies after the stored position.
fn to_table(score: i32, ply: usize) -> i32 {
    if score.abs() < FOUND_MATE { score } else { score + score.signum() * ply as i32 }
}

/// Converts a mate score from plies after the stored position to plies after the root.
fn from_table(score: i32, ply: usize) -> i32 {
    if score.abs() < FOUND_MATE { score } else { score - score.signum() * ply as i32 }
}

impl<P: Anchor, E: Evaluator<P>> Player<P> for SelectivePlayer<P, E> {
    fn reply(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Reply>, PlayerError> {
        turns.iter().map(|turn| self.answer(turn)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlikely_moves_cost_more() {
        // 0.5 - 0.4 ln(p) turns, by hand.
        assert_eq!([1.0, 0.5, 0.1, 0.0].map(cost), [32, 49, 90, 267]);
        let mut moves = [(0.0, Move::from_bits(1)), (3.0f32.ln(), Move::from_bits(2))];
        to_probabilities(&mut moves);
        assert_eq!(moves.map(|(_, mv)| mv.bits()), [2, 1]);
        assert!((moves[0].0 - 0.75).abs() < 1e-6);
    }
}
