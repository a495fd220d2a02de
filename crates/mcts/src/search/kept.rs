//! Searches that go on: prolonged at the same root, restricted to some of its moves, kept from move to move.

use super::{Search, Stage};
use crate::algorithm::Algorithm;
use crate::node::Status;
use catapult_rules::{Game, Move, Position};

impl<P: Position> Search<P> {
    /// [`start`](Self::start) for a game that has gone on from the last root by these moves: what the tree knows of the position
    /// is kept. The root is evaluated anew. Says whether there was anything to keep; if not, it is a plain start.
    pub fn start_after(&mut self, game: &Game<P>, moves: &[Move], simulations: u32, seed: u64) -> bool {
        let is_restricted = self.only.is_some() || self.mask.is_some();
        // A leaf whose answer never came would be waited for.
        let can_keep = !is_restricted && self.asked == 0;
        let Some(node) = self.tree.after(moves).filter(|_| can_keep) else {
            self.start(game, simulations, seed);
            return false;
        };
        self.tree.keep(node, self.config.memory_limit);
        self.is_kept = true;
        let repetitions = game.repetitions().min(u8::MAX as usize) as u8;
        self.begin(*game.position(), repetitions, game.repetition_keys(), simulations, seed);
        let root = *game.position();
        let children = root.legal_moves().into_iter().map(|mv| {
            let (mover, status) = self.child(root, mv);
            (mv, mover, status)
        });
        let children: Vec<_> = children.collect();
        if !self.tree.remake_root(&children) {
            self.start(game, simulations, seed);
            return false;
        }
        true
    }

    /// Prolongs a search that is done by so many simulations: another sequential halving over all moves, with what is known of
    /// them. Nothing happens where there is nothing more to find out: the root is proven, or memory is full.
    pub fn prolong(&mut self, simulations: u32) {
        let root = self.tree.nodes.first();
        let is_open = root.is_some_and(|root| root.status == Status::Open && root.child_count > 0);
        if self.stage == Stage::Done && is_open && !self.full && simulations > 0 {
            self.budget = self.simulations.saturating_add(simulations);
            self.share = simulations;
            let best = match &self.config.algorithm {
                Algorithm::Gumbel(gumbel) => self.halving.best(gumbel, self.root()),
                Algorithm::Puct(_) => None,
            };
            self.halving.reset(best);
            self.stage = Stage::Running;
        }
    }

    /// Which of the root's moves are searched, from the next start on; all without any. Those that are not legal are no moves.
    pub fn set_root_moves(&mut self, only: Option<Vec<Move>>) {
        self.only = only;
        self.stage = Stage::Done;
    }
}
