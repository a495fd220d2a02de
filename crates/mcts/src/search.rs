//! The search: a state machine that requests evaluations and receives them.

use crate::algorithm;
use crate::gumbel::Halving;
use crate::mask::{Mask, allowed_moves};
use crate::math::{Prior, softmax};
use crate::node::{Status, WhiteValue};
use crate::root::{Root, RootMoves};
use crate::scratch::Scratch;
use crate::settings::{Algorithm, SearchConfig};
use crate::tree::{ROOT, Tree};
use crate::{Batch, Value};
use catapult_rules::{Color, Game, Move, MoveList, Outcome, Position};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

mod reuse;

/// One search, driven by its caller. Call [`start`](Self::start), then alternate
/// [`gather`](Self::gather) and [`apply`](Self::apply) until [`is_done`](Self::is_done), then read
/// [`result`](Self::result). The caller evaluates the batches, so one thread can run hundreds of
/// searches with shared batches. A restarted search reuses its memory.
///
/// The result depends only on the settings, the game, the number of simulations, the seed and the
/// evaluations. After [`start_after`](Self::start_after) it also depends on the reused tree.
///
/// ```
/// use catapult_mcts::{Search, SearchConfig, evaluators::Uniform, run};
/// use catapult_rules::{Chess, Game, Position};
///
/// let back_rank = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
/// let game = Game::new(Chess::from_fen(back_rank, Default::default())?);
/// let mut search = Search::new(SearchConfig::default());
/// search.start(&game, 16, 1);
/// let result = run(&mut search, &mut Uniform)?;
/// assert_eq!(result.best.map(|mv| game.position().san(mv)), Some("Ra8#".to_string()));
/// assert_eq!(result.value.wdl, [1.0, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Search<P> {
    pub(crate) config: SearchConfig,
    pub(crate) tree: Tree,
    pub(crate) root_moves: RootMoves,
    pub(crate) raw_value: Value,
    pub(crate) position: Option<P>,
    pub(crate) mask: Option<Mask<P>>,
    repetitions: u8,
    /// Keys of the positions that can repeat: first `root_keys` keys of the game up to the root,
    /// then the keys of the current path.
    keys: Vec<u64>,
    root_keys: usize,
    stage: Stage,
    /// Simulations that wait for [`Search::apply`], in starting order.
    pending: Vec<Visit>,
    /// Paths of the pending simulations, concatenated. A path is a list of child numbers from the
    /// root.
    paths: Vec<u16>,
    requested: usize,
    pub(crate) simulations: u32,
    /// Number of simulations after which the search is done. `share` of them belong to the current
    /// halving.
    budget: u32,
    share: u32,
    pub(crate) halving: Halving,
    /// True if memory is full or no move needs more visits. The search then ends with its result so
    /// far.
    full: bool,
    /// True if the tree was reused: the root was a node of the previous search.
    is_reused: bool,
    /// Root moves to search. `None` for all.
    only: Option<Vec<Move>>,
    rng: Pcg64Mcg,
    scratch: Scratch,
    numbers: Vec<f32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The root's evaluation has not arrived.
    Root,
    Running,
    Done,
}

/// A simulation that waits for [`Search::apply`]. Its path is the range `start..end` of `paths`.
/// `requested` is true if it has requested an evaluation.
#[derive(Clone, Copy, Debug)]
struct Visit {
    start: u32,
    end: u32,
    requested: bool,
}

/// End of one simulation's descent through the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Descent {
    /// Reached a new leaf, which is now in the batch.
    Requested,
    /// Reached a node with a known result.
    Known,
    /// Reached a leaf that still waits for the evaluation requested by an earlier simulation.
    Collision,
    /// Memory is full.
    Full,
}

impl<P: Position> Search<P> {
    /// Creates a search that is not started. It does not check the settings: see
    /// [`SearchConfig::validate`].
    pub fn new(config: SearchConfig) -> Search<P> {
        Search {
            tree: Tree::new(config.memory_limit),
            config,
            root_moves: RootMoves::default(),
            raw_value: Value::default(),
            position: None,
            mask: None,
            repetitions: 0,
            keys: Vec::new(),
            root_keys: 0,
            stage: Stage::Done,
            pending: Vec::new(),
            paths: Vec::new(),
            requested: 0,
            simulations: 0,
            budget: 0,
            share: 0,
            halving: Halving::default(),
            full: false,
            is_reused: false,
            only: None,
            rng: Pcg64Mcg::seed_from_u64(0),
            scratch: Scratch::default(),
            numbers: Vec::new(),
        }
    }

    /// Returns the current settings.
    pub fn config(&self) -> &SearchConfig {
        &self.config
    }

    /// Returns the position at the root, or `None` before the first search.
    pub fn root_position(&self) -> Option<&P> {
        self.position.as_ref()
    }

    /// Sets the settings for the next [`start`](Self::start) and ends a search in progress.
    pub fn set_config(&mut self, config: SearchConfig) {
        self.config = config;
        self.stage = Stage::Done;
    }

    /// Sets the mask from the next [`start`](Self::start) on: the moves that one side or both may
    /// not make, at the root and below it. `None` allows all moves. A search in progress ends, and
    /// its tree is discarded.
    pub fn set_mask(&mut self, mask: Option<Mask<P>>) {
        self.mask = mask;
        self.stage = Stage::Done;
        // The old tree belongs to other rules, so it is not reused.
        self.tree.nodes.clear();
    }

    /// Begins a search from the game's current position.
    ///
    /// The root's evaluation does not count as a simulation, so 0 simulations return the raw
    /// policy. The seed determines the noise. Without legal moves, the search is done at once. The
    /// search runs even if the game has ended by repetition or the fifty-move rule.
    pub fn start(&mut self, game: &Game<P>, simulations: u32, seed: u64) {
        let repetitions = game.repetitions().min(u8::MAX as usize) as u8;
        self.start_at(*game.position(), repetitions, game.repetition_keys(), simulations, seed);
    }

    /// Begins a search like [`start`](Self::start), for callers without a [`Game`]. The position
    /// has occurred `repetitions` times before. `earlier` are the keys of the game's positions
    /// since the last irreversible move, without `position` itself.
    pub fn start_at(&mut self, position: P, repetitions: u8, earlier: &[u64], simulations: u32, seed: u64) {
        self.tree.reset(position.side_to_move(), self.config.memory_limit);
        self.is_reused = false;
        self.begin(position, repetitions, earlier, simulations, seed);
    }

    /// Returns the side to move and the status of the position after a root move.
    fn child(&self, root: P, mv: Move) -> (Color, Status) {
        let mut position = root;
        position.play(mv);
        let since = if position.forgets_history() { self.keys.len() } else { 0 };
        (position.side_to_move(), judge(&position, &self.keys[since..]))
    }

    fn begin(&mut self, position: P, repetitions: u8, earlier: &[u64], simulations: u32, seed: u64) {
        self.root_moves.clear();
        self.raw_value = Value::default();
        self.position = Some(position);
        self.repetitions = repetitions;
        self.keys.clear();
        self.keys.extend_from_slice(earlier);
        if position.is_turn_start() {
            self.keys.push(position.key());
        }
        self.root_keys = self.keys.len();
        self.pending.clear();
        self.paths.clear();
        self.requested = 0;
        self.simulations = 0;
        (self.budget, self.share) = (simulations, simulations);
        self.halving.reset(None);
        self.full = false;
        self.rng = Pcg64Mcg::seed_from_u64(seed);
        self.stage = if position.has_legal_move() {
            Stage::Root
        } else {
            let status = settled(position.outcome(), position.side_to_move());
            self.tree.nodes[ROOT as usize].settle(status, 0);
            Stage::Done
        };
    }

    /// Returns true if the search is done or was never started. [`result`](Self::result) is then
    /// final.
    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// Appends evaluation requests to the batch and returns their number. It returns 0 only if the
    /// search is done or still waits for evaluations. Gumbel requests at most one leaf per root
    /// move that survives in sequential halving. PUCT requests at most
    /// [`SearchConfig::parallel_leaves`].
    pub fn gather(&mut self, batch: &mut Batch<P>) -> usize {
        self.gather_at_most(batch, usize::MAX)
    }

    /// Returns the root moves that the search considers.
    pub(crate) fn moves_at_root(&self, position: &P) -> MoveList {
        let mut moves = allowed_moves(position, self.mask.as_ref());
        if let Some(only) = &self.only {
            moves.retain(|mv| only.contains(mv));
        }
        moves
    }

    /// Appends evaluation requests like [`gather`](Self::gather), but at most `limit`. A limit of 0
    /// counts as 1.
    pub fn gather_at_most(&mut self, batch: &mut Batch<P>, limit: usize) -> usize {
        let Some(position) = self.position else { return 0 };
        if self.requested > 0 || self.stage == Stage::Done {
            return 0;
        }
        if self.stage == Stage::Root {
            let moves = self.moves_at_root(&position);
            // The root's edges always fit: the smallest memory limit has room for them.
            let fits = self.is_reused || !moves.is_empty() && self.tree.add_edges(ROOT, &moves);
            if !fits {
                self.stage = Stage::Done;
                return 0;
            }
            batch.push(position, self.repetitions, &moves);
            self.pending.push(Visit { start: 0, end: 0, requested: true });
            self.requested = 1;
            return 1;
        }
        loop {
            self.full |= self.simulate(position, batch, limit.max(1));
            if self.requested > 0 {
                return self.requested;
            }
            self.settle_pending(batch, 0);
            if self.stage == Stage::Done {
                return 0;
            }
        }
    }

    /// Reads the evaluations that the last [`gather`](Self::gather) requested. `first` is the index
    /// in [`Batch::leaves`] of this search's first request. Does nothing if no request is
    /// outstanding.
    ///
    /// # Panics
    /// If the batch lacks these requests or their evaluations.
    pub fn apply(&mut self, batch: &Batch<P>, first: usize) {
        if self.requested > 0 {
            self.settle_pending(batch, first);
        }
    }

    pub(crate) fn root(&self) -> Root<'_> {
        let (tree, moves, config) = (&self.tree, &self.root_moves, &self.config);
        Root { tree, moves, raw_value: self.raw_value, config }
    }

    /// Runs simulations until the algorithm needs evaluations. Gumbel runs to the end of a halving
    /// round, PUCT up to its number of concurrent simulations. Returns true if memory is full or no
    /// move needs more visits.
    fn simulate(&mut self, position: P, batch: &mut Batch<P>, limit: usize) -> bool {
        let left = self.budget - self.simulations;
        match self.config.algorithm {
            Algorithm::Gumbel => {
                if self.halving.round_is_done() {
                    let (tree, moves, config) = (&self.tree, &self.root_moves, &self.config);
                    let root = Root { tree, moves, raw_value: self.raw_value, config };
                    if !self.halving.begin_round(root, self.share, left) {
                        return true;
                    }
                }
                while self.requested < limit
                    && let Some(child) = self.halving.next_of_round()
                {
                    if self.descend(position, Some(child), batch) == Descent::Full {
                        return true;
                    }
                }
            }
            Algorithm::Puct => {
                let at_once = limit.min(self.config.parallel_leaves as usize).min(left as usize);
                while self.pending.len() < at_once {
                    match self.descend(position, None, batch) {
                        // A known result may settle the root, so it is backed up before the next
                        // descent.
                        Descent::Known if self.requested == 0 => break,
                        Descent::Requested | Descent::Known => {}
                        Descent::Collision => break,
                        Descent::Full => return true,
                    }
                }
            }
        }
        false
    }

    /// Runs the descent of one simulation from the root to a leaf. The simulation enters root child
    /// `first`, or the child that the algorithm selects if `first` is `None`.
    fn descend(&mut self, root: P, first: Option<u16>, batch: &mut Batch<P>) -> Descent {
        let start = self.paths.len() as u32;
        let mut position = root;
        self.keys.truncate(self.root_keys);
        // Index in `keys` of the first position that can occur again.
        let mut since = 0;
        let mut index = ROOT;
        let mut first = first;
        loop {
            let node = &self.tree.nodes[index as usize];
            let choice = match first.take() {
                Some(child) => child,
                None if node.child_count == 0 => {
                    self.tree.bring_next(index);
                    0
                }
                None => algorithm::select(&self.config, &self.tree, node, &mut self.scratch),
            };
            let node = &self.tree.nodes[index as usize];
            position.play(self.tree.moves[node.first_edge as usize + choice as usize]);
            self.paths.push(choice);
            if position.forgets_history() {
                since = self.keys.len();
            }
            let fresh = choice == node.child_count;
            index = if fresh {
                let status = judge(&position, &self.keys[since..]);
                let Some(child) = self.tree.add_child(index, position.side_to_move(), status) else {
                    self.paths.truncate(start as usize);
                    return Descent::Full;
                };
                self.tree.bring_next(index);
                child
            } else {
                node.first_child + choice as u32
            };
            let node = &self.tree.nodes[index as usize];
            if node.status != Status::Open {
                self.add_pending(start, false);
                return Descent::Known;
            }
            if node.edge_count == 0 && self.restrict_to_turn_end(index, &position) {
                // Continue from the position after the turn-ending move.
                continue;
            }
            let node = &self.tree.nodes[index as usize];
            if node.edge_count == 0 {
                let mut moves = MoveList::new();
                position.legal_moves_into(&mut moves);
                if let Some(mask) = &self.mask {
                    mask.apply(&position, &mut moves);
                }
                if moves.is_empty() {
                    // The game reports no outcome, but there is no move to search.
                    self.tree.nodes[index as usize].settle(Status::Drawn, 0);
                    self.add_pending(start, false);
                    return Descent::Known;
                }
                if !self.tree.add_edges(index, &moves) {
                    // The node stays without edges, so the next visit also finds memory full.
                    self.paths.truncate(start as usize);
                    return Descent::Full;
                }
                batch.push(position, 0, &moves);
                self.requested += 1;
                self.add_pending(start, true);
                return Descent::Requested;
            }
            if node.visits == 0 {
                self.paths.truncate(start as usize);
                return Descent::Collision;
            }
            if position.is_turn_start() {
                self.keys.push(position.key());
            }
        }
    }

    /// Gives a new node within a turn its turn-ending move as the only edge. Returns false if the
    /// node stays without edges: `finish_turns` is off, the move is illegal or forbidden, or memory
    /// is full.
    fn restrict_to_turn_end(&mut self, index: u32, position: &P) -> bool {
        let Some(end) = position.turn_end().filter(|_| self.config.finish_turns) else { return false };
        let forbidden = self.mask.as_ref().is_some_and(|mask| mask.forbids_here(position, end));
        if forbidden || !self.tree.add_edges(index, &[end]) {
            return false;
        }
        let node = &mut self.tree.nodes[index as usize];
        node.narrowed = true;
        self.tree.priors[node.first_edge as usize] = Prior::new(1.0);
        true
    }

    /// Adds the path that starts at index `start` of `paths` to the pending simulations.
    /// `requested` is true if the simulation has requested an evaluation.
    fn add_pending(&mut self, start: u32, requested: bool) {
        let end = self.paths.len() as u32;
        self.pending.push(Visit { start, end, requested });
        if self.config.algorithm.counts_in_flight() {
            let mut node = ROOT;
            self.tree.nodes[node as usize].in_flight += 1;
            for &child in &self.paths[start as usize..] {
                node = self.tree.nodes[node as usize].first_child + child as u32;
                self.tree.nodes[node as usize].in_flight += 1;
            }
        }
    }

    /// Backs up the pending simulations in starting order. `first` is the index in the batch of
    /// this search's first requested leaf.
    fn settle_pending(&mut self, batch: &Batch<P>, first: usize) {
        let mut leaf = first;
        let pending = std::mem::take(&mut self.pending);
        for &Visit { start, end, requested } in &pending {
            let path = &self.paths[start as usize..end as usize];
            if self.config.algorithm.counts_in_flight() && !path.is_empty() {
                let mut node = ROOT;
                self.tree.nodes[node as usize].in_flight -= 1;
                for &child in path {
                    node = self.tree.nodes[node as usize].first_child + child as u32;
                    self.tree.nodes[node as usize].in_flight -= 1;
                }
            }
            let index = self.tree.at(path);
            let mover = self.tree.nodes[index as usize].mover;
            let mut value = self.tree.nodes[index as usize].value();
            if requested {
                let logits = &batch.logits[batch.leaves[leaf].range()];
                value = WhiteValue::new(&batch.values[leaf], mover);
                let node = &mut self.tree.nodes[index as usize];
                node.raw_q = value.q;
                let first_edge = node.first_edge as usize;
                self.numbers.clear();
                self.numbers.extend_from_slice(logits);
                if path.is_empty() {
                    self.raw_value = value.of(mover);
                    let temperature = self.config.root_temperature;
                    self.numbers.iter_mut().for_each(|logit| *logit /= temperature);
                    self.root_moves.set_logits(&self.numbers);
                }
                softmax(&mut self.numbers);
                for (prior, &p) in self.tree.priors[first_edge..].iter_mut().zip(&self.numbers) {
                    *prior = Prior::new(p);
                }
                leaf += 1;
            }
            // A reused root already counts its own evaluation among its visits.
            if end > 0 || !self.is_reused {
                self.tree.back_up(path, value);
            }
            if end > 0 {
                self.simulations += 1;
            }
        }
        self.pending = pending;
        self.pending.clear();
        self.paths.clear();
        self.requested = 0;
        if self.stage == Stage::Root {
            self.open_root();
        }
        let root = &self.tree.nodes[ROOT as usize];
        let round_done = self.halving.round_is_done();
        if self.full || root.status.is_proven() || self.simulations >= self.budget && round_done {
            self.stage = Stage::Done;
        }
    }

    /// Creates all children of the root with their known results, and samples the noise.
    fn open_root(&mut self) {
        self.stage = Stage::Running;
        let Some(root) = self.position else { return };
        let count = self.tree.nodes[ROOT as usize].edge_count;
        let first_edge = self.tree.nodes[ROOT as usize].first_edge as usize;
        if !self.is_reused {
            for edge in first_edge..first_edge + count as usize {
                let (mover, status) = self.child(root, self.tree.moves[edge]);
                if self.tree.add_child(ROOT, mover, status).is_none() {
                    // Happens only near the smallest memory limit, with more than 1,024 moves.
                    self.stage = Stage::Done;
                    return;
                }
            }
        }
        self.tree.prove(ROOT);
        algorithm::draw_noise(&self.config, &mut self.tree, &mut self.root_moves, &mut self.rng);
    }
}

/// Converts the outcome of a position with `mover` to move into a status.
fn settled(outcome: Option<Outcome>, mover: Color) -> Status {
    match outcome {
        None => Status::Open,
        Some(Outcome::Checkmate) => Status::win_of(!mover),
        Some(Outcome::Stalemate | Outcome::Dead) => Status::ProvenDraw,
        // Of the others, `Position::outcome` returns only `HundredPlies`.
        Some(_) => Status::Drawn,
    }
}

/// Returns the status of a new node. `earlier` are the keys of the positions in the game and on the
/// path that can occur again. A position that occurs a second time counts as a draw.
fn judge<P: Position>(position: &P, earlier: &[u64]) -> Status {
    let outcome = position.outcome();
    if outcome.is_some() {
        return settled(outcome, position.side_to_move());
    }
    let repeated = !earlier.is_empty() && position.is_turn_start() && earlier.contains(&position.key());
    if repeated { Status::Drawn } else { Status::Open }
}
