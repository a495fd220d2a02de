//! Tree reuse between moves, more simulations for a finished search, and restricted root moves.

use super::{Search, Stage};
use crate::node::Status;
use crate::settings::Algorithm;
use catapult_rules::{Game, Move, Position};

impl<P: Position> Search<P> {
    /// Begins a search like [`start`](Self::start), with the tree of the last search. `moves` lead
    /// from the last root to the game's current position. The search reuses the subtree of the
    /// current position and evaluates that position again. Returns false if nothing could be
    /// reused. The search then starts with an empty tree.
    pub fn start_after(&mut self, game: &Game<P>, moves: &[Move], simulations: u32, seed: u64) -> bool {
        let is_restricted = self.only.is_some() || self.mask.is_some();
        // A leaf with an outstanding evaluation would never get its value.
        let can_reuse = !is_restricted && self.requested == 0;
        let Some(node) = self.tree.after(moves).filter(|_| can_reuse) else {
            self.start(game, simulations, seed);
            return false;
        };
        self.tree.reroot(node, self.config.memory_limit);
        self.is_reused = true;
        let repetitions = game.repetitions().min(u8::MAX as usize) as u8;
        self.begin(*game.position(), repetitions, game.repetition_keys(), simulations, seed);
        let root = *game.position();
        let children = root.legal_moves().into_iter().map(|mv| {
            let (mover, status) = self.child(root, mv);
            (mv, mover, status)
        });
        let children: Vec<_> = children.collect();
        if !self.tree.set_root_moves(&children) {
            self.start(game, simulations, seed);
            return false;
        }
        true
    }

    /// Adds `simulations` to a finished search. Gumbel runs another sequential halving over all
    /// root moves with their statistics so far. The call has no effect if the search still runs,
    /// the root is proven, memory is full, or no move needs more visits.
    pub fn prolong(&mut self, simulations: u32) {
        let root = self.tree.nodes.first();
        let is_open = root.is_some_and(|root| root.status == Status::Open && root.child_count > 0);
        if self.stage == Stage::Done && is_open && !self.full && simulations > 0 {
            self.budget = self.simulations.saturating_add(simulations);
            self.share = simulations;
            let best = match self.config.algorithm {
                Algorithm::Gumbel => self.halving.best(self.root()),
                Algorithm::Puct => None,
            };
            self.halving.reset(best);
            self.stage = Stage::Running;
        }
    }

    /// Restricts the root moves to `only`, from the next start on. `None` allows all moves. Illegal
    /// moves in the list are ignored. A search in progress ends.
    pub fn set_root_moves(&mut self, only: Option<Vec<Move>>) {
        // A search of some moves may have proven the root wrongly, so its root is not reused.
        if self.only.is_some()
            && let Some(root) = self.tree.nodes.first_mut()
        {
            root.narrowed = true;
        }
        self.only = only;
        self.stage = Stage::Done;
    }
}
