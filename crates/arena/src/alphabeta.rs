//! Alpha-beta search with a hand-made evaluation. Its players are the anchors, the fixed reference
//! players of the rating scale.
//!
//! The search has full width to a fixed depth in turns. In games with one decision per turn, a turn
//! is a ply. The search has no transposition table and no pruning except alpha-beta. Its scores
//! therefore equal the scores of plain minimax. With `quiescence`, the search continues from its
//! leaves with captures of pieces. Either side may decline to capture, and the evaluation then
//! applies. [`ANCHOR_VERSION`](crate::ANCHOR_VERSION) freezes the search and its evaluation
//! ([`Anchor`]).

use crate::anchor::Anchor;
use catapult_mcts::Mask;
use catapult_rules::{Game, Move, MoveList, Outcome};
use catapult_seeds::Stream;

/// Score of a mate in 0 plies, on the scale of centipawns. A mate in n plies scores `MATE - n`.
pub const MATE: i32 = 30_000;

/// Bound of all scores: every score is between `-INFINITE` and `INFINITE`, exclusive.
pub(crate) const INFINITE: i32 = 32_000;

/// Result of an alpha-beta search: the root's score and best moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// Score in centipawns for the side to move. A mate in n plies scores `MATE - n`. Being mated
    /// in n plies scores `n - MATE`. A draw scores 0.
    pub score: i32,
    /// All moves that reach `score`, sorted by their texts.
    pub best: Vec<Move>,
}

impl Analysis {
    /// Returns one of the best moves, drawn by `seed`. Returns `None` if the position has no moves,
    /// as after mate.
    pub fn choose(&self, seed: u64) -> Option<Move> {
        // A library's random range is not used, because the choice must never change.
        let draw = Stream::Choice.seed(seed) % self.best.len().max(1) as u64;
        self.best.get(draw as usize).copied()
    }
}

/// Alpha-beta searcher. It keeps only settings and buffers between searches, so no result depends
/// on earlier searches.
pub struct AlphaBeta<P> {
    depth: u32,
    quiescence: bool,
    mask: Option<Mask<P>>,
    /// Keys of the game's earlier positions and of the line that is being searched. A position
    /// whose key is listed twice occurs for the third time, which is a draw.
    keys: Vec<u64>,
    /// Buffer for the moves of one position. It is allocated once, because a [`MoveList`] is large.
    moves: Box<MoveList>,
    /// Buffers for the positions after each move, one per ply of the search.
    successors: Vec<Vec<Successor<P>>>,
}

/// Position after a move. `gain` is the material that the opponent loses by the move, in
/// centipawns. The search tries moves with a larger gain first.
struct Successor<P> {
    position: P,
    gain: i32,
    is_capture: bool,
}

impl<P: Anchor> AlphaBeta<P> {
    /// Creates a searcher to `depth` turns. A depth of 0 counts as 1. With `quiescence`, the search
    /// continues from its leaves with captures.
    pub fn new(depth: u32, quiescence: bool) -> Self {
        AlphaBeta {
            depth: depth.max(1),
            quiescence,
            mask: None,
            keys: Vec::new(),
            moves: Box::default(),
            successors: Vec::new(),
        }
    }

    /// Sets the moves that a side may not play, at the root and in the tree. `None` allows all
    /// moves. The static evaluation ignores the mask.
    pub fn set_mask(&mut self, mask: Option<Mask<P>>) {
        self.mask = mask;
    }

    /// Searches the current position of `game`. In the tree, the third occurrence of a position
    /// since the game's start is a draw. The game must not be over. Otherwise, the result is
    /// meaningless.
    pub fn analyse(&mut self, game: &Game<P>) -> Analysis {
        let position = game.position();
        self.keys.clear();
        self.keys.extend_from_slice(game.repetition_keys());
        self.keys.push(position.key());
        let mut score = -INFINITE;
        let mut best = Vec::new();
        list_moves(position, self.mask.as_ref(), &mut self.moves);
        for &mv in self.moves.clone().iter() {
            let mut next = *position;
            next.play(mv);
            // Alpha is one below the best score, so an equal score is exact.
            let found = self.score_of_successor(position, &next, self.depth, 1, score - 1, INFINITE);
            if found > score {
                score = found;
                best.clear();
            }
            if found == score {
                best.push(mv);
            }
        }
        best.sort_by_cached_key(|&mv| position.move_text(mv));
        Analysis { score, best }
    }

    /// Returns the score of `next`, a successor of `position`, for the side to move in `position`.
    /// A side may have several decisions in a row. Only the last decision of a turn reduces the
    /// remaining `depth`, in turns.
    fn score_of_successor(
        &mut self,
        position: &P,
        next: &P,
        depth: u32,
        ply: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let depth = depth - u32::from(next.is_turn_start());
        if next.side_to_move() == position.side_to_move() {
            self.search(next, depth, ply, alpha, beta)
        } else {
            -self.search(next, depth, ply, -beta, -alpha)
        }
    }

    /// Returns the score of a position for its side to move, by fail-soft alpha-beta. A score
    /// between `alpha` and `beta` is exact. A score of at most `alpha` is an upper bound. A score
    /// of at least `beta` is a lower bound.
    fn search(&mut self, position: &P, depth: u32, ply: u32, mut alpha: i32, beta: i32) -> i32 {
        if let Some(score) = self.final_score(position, ply) {
            return score;
        }
        if depth == 0 {
            return if self.quiescence {
                self.quiesce(position, ply, alpha, beta)
            } else {
                position.evaluate()
            };
        }
        let successors = self.list_successors(position, ply);
        self.keys.push(position.key());
        let mut best = -INFINITE;
        for next in &successors {
            let score = self.score_of_successor(position, &next.position, depth, ply + 1, alpha, beta);
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        self.keys.pop();
        self.successors[ply as usize] = successors;
        best
    }

    /// Returns the score for the side to move, from a search of captures only. The static
    /// evaluation is a lower bound, because the side to move may decline all captures. If a turn of
    /// several decisions has begun, all moves are searched until the turn is complete.
    fn quiesce(&mut self, position: &P, ply: u32, mut alpha: i32, beta: i32) -> i32 {
        let has_begun = !position.is_turn_start();
        let mut best = if has_begun { -INFINITE } else { position.evaluate() };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let successors = self.list_successors(position, ply);
        for next in successors.iter().filter(|next| has_begun || next.is_capture) {
            let next = &next.position;
            let same_mover = next.side_to_move() == position.side_to_move();
            let (low, high) = if same_mover { (alpha, beta) } else { (-beta, -alpha) };
            // A capture resets the half-move clock, so no position can recur and no key is pushed.
            let found = match self.final_score(next, ply + 1) {
                Some(score) => score,
                None => self.quiesce(next, ply + 1, low, high),
            };
            let score = if same_mover { found } else { -found };
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        self.successors[ply as usize] = successors;
        best
    }

    /// Returns the score for the side to move if the game is over at the position. Otherwise
    /// returns `None`. `ply` is the distance from the root.
    fn final_score(&self, position: &P, ply: u32) -> Option<i32> {
        score_of_outcome(position, ply).or_else(|| {
            let key = position.key();
            let earlier = self.keys.iter().filter(|&&earlier| earlier == key).count();
            (position.is_turn_start() && earlier >= 2).then_some(0)
        })
    }

    /// Returns the positions after every considered move, with the largest gains of material first.
    /// The order affects the time and never the score.
    fn list_successors(&mut self, position: &P, ply: u32) -> Vec<Successor<P>> {
        if self.successors.len() <= ply as usize {
            self.successors.resize_with(ply as usize + 1, Vec::new);
        }
        let mut list = std::mem::take(&mut self.successors[ply as usize]);
        list.clear();
        let opponent = !position.side_to_move();
        let (material, men) = (position.material(opponent), position.men(opponent));
        list_moves(position, self.mask.as_ref(), &mut self.moves);
        for &mv in self.moves.iter() {
            let mut next = *position;
            next.play(mv);
            let gain = material - next.material(opponent);
            list.push(Successor { position: next, gain, is_capture: next.men(opponent) < men });
        }
        list.sort_by_key(|next| -next.gain);
        list
    }
}

/// Replaces `moves` by the legal moves that alpha-beta considers and the mask allows.
#[inline]
pub(crate) fn list_moves<P: Anchor>(position: &P, mask: Option<&Mask<P>>, moves: &mut MoveList) {
    moves.clear();
    position.considered_into(moves);
    if let Some(mask) = mask {
        mask.apply(position, moves);
    }
}

/// Returns the score for the side to move if the game is over at the position by its own state,
/// without repetition. `ply` is the distance from the root.
#[inline]
pub(crate) fn score_of_outcome<P: Anchor>(position: &P, ply: u32) -> Option<i32> {
    position.outcome().map(|outcome| if outcome == Outcome::Checkmate { ply as i32 - MATE } else { 0 })
}
