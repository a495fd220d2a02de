//! Alpha-beta search on hand-made values: the fixed points by which strength is measured over years.
//!
//! Full width to a fixed depth in turns (in plies, where a turn is one decision), no transposition table, no
//! pruning but alpha-beta, so that its scores are those of plain minimax. With `quiescence`, leaves are extended by
//! captures of pieces until a side would rather stand. Together with the evaluation ([`Anchor`]) it is frozen under
//! [`ANCHOR_VERSION`](crate::ANCHOR_VERSION).

use crate::anchor::Anchor;
use catapult_mcts::Mask;
use catapult_rules::{Game, Move, MoveList, Outcome};
use catapult_seeds::Stream;

/// The score of a mate now; a mate in n plies counts n less.
pub const MATE: i32 = 30_000;

/// More than any score.
const INFINITE: i32 = 32_000;

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// Centipawns for the side to move; `MATE - n` for a mate in n plies, a draw is 0.
    pub score: i32,
    /// Every move of that score, in the order of their texts.
    pub best: Vec<Move>,
}

impl Analysis {
    /// One of the best moves, drawn by the seed; none if the game was over.
    pub fn choose(&self, seed: u64) -> Option<Move> {
        // No library's idea of a random range: the choice must stay the same for good.
        let draw = Stream::Choice.seed(seed) % self.best.len().max(1) as u64;
        self.best.get(draw as usize).copied()
    }
}

/// An alpha-beta searcher. Holds buffers only: no answer depends on earlier ones.
pub struct AlphaBeta<P> {
    depth: u32,
    quiescence: bool,
    mask: Option<Mask<P>>,
    /// Keys of the game and of the line being looked at.
    keys: Vec<u64>,
    /// Moves of a position, kept for its memory: a list has room for any position's, too much to be handed about.
    moves: Box<MoveList>,
    /// Successors at each ply, kept for their memory.
    successors: Vec<Vec<Successor<P>>>,
}

/// A position after a move, and what the move took, by which the likely good ones are looked at first.
struct Successor<P> {
    position: P,
    gain: i32,
    is_capture: bool,
}

impl<P: Anchor> AlphaBeta<P> {
    /// A searcher to `depth` turns, at least 1.
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

    /// What a side may not do from now on, here and in the tree. The evaluation does not know of it.
    pub fn set_mask(&mut self, mask: Option<Mask<P>>) {
        self.mask = mask;
    }

    /// The moves that are looked at.
    #[inline]
    fn moves(&mut self, position: &P) -> &[Move] {
        self.moves.clear();
        position.considered_into(&mut self.moves);
        if let Some(mask) = &self.mask {
            mask.apply(position, &mut self.moves);
        }
        &self.moves
    }

    /// Searches the position of a game that is not over; a third occurrence, counted from the game's start, is a draw.
    pub fn analyse(&mut self, game: &Game<P>) -> Analysis {
        let position = game.position();
        self.keys.clear();
        self.keys.extend_from_slice(game.repetition_keys());
        self.keys.push(position.key());
        let mut score = -INFINITE;
        let mut best = Vec::new();
        for mv in self.moves(position).to_vec() {
            let mut next = *position;
            next.play(mv);
            // One below the best so far: a move that equals it must be told from one that is worse.
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

    /// The successor's score as `position`'s mover sees it. A mover may have several decisions in a row: only the last of
    /// them takes from the depth.
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

    /// Fail-soft alpha-beta: exact between alpha and beta, else a bound.
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

    /// Captures only, or none: the evaluation is a floor. A turn that has begun goes to its end.
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
            // A capture restarts the clock, so nothing can have occurred before.
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

    /// The score of a position where the game is over.
    fn final_score(&self, position: &P, ply: u32) -> Option<i32> {
        match position.outcome() {
            Some(Outcome::Checkmate) => return Some(ply as i32 - MATE),
            Some(_) => return Some(0),
            None => {}
        }
        let key = position.key();
        let earlier = self.keys.iter().filter(|&&earlier| earlier == key).count();
        (position.is_turn_start() && earlier >= 2).then_some(0)
    }

    /// Plays every move that is considered; the largest gains first (the order changes only the time, never the score).
    fn list_successors(&mut self, position: &P, ply: u32) -> Vec<Successor<P>> {
        if self.successors.len() <= ply as usize {
            self.successors.resize_with(ply as usize + 1, Vec::new);
        }
        let mut list = std::mem::take(&mut self.successors[ply as usize]);
        list.clear();
        let opponent = !position.side_to_move();
        let (material, men) = (position.material(opponent), position.men(opponent));
        for &mv in self.moves(position) {
            let mut next = *position;
            next.play(mv);
            let gain = material - next.material(opponent);
            list.push(Successor { position: next, gain, is_capture: next.men(opponent) < men });
        }
        list.sort_by_key(|next| -next.gain);
        list
    }
}
