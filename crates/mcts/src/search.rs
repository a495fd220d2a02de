//! The search: a value that asks for evaluations and takes the answers until it has its own.

use crate::config::{Algorithm, SearchConfig};
use crate::gumbel::{self, Halving, RootMoves};
use crate::math::{Prior, softmax};
use crate::node::{Node, Status, WhiteValue};
use crate::result::{MoveStats, Outlook, Proven, SearchResult};
use crate::select::{Scratch, select};
use crate::tree::{ROOT, Tree};
use crate::{Batch, Value, puct};
use catapult_rules::{Color, Game, Move, MoveList, Outcome, Position};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// One search. It does no evaluation itself, so one thread can hold hundreds and answer them together:
/// [`start`](Self::start), then [`gather`](Self::gather) and [`apply`](Self::apply) in turns until
/// [`is_done`](Self::is_done), then [`result`](Self::result). Started again, it reuses its memory.
///
/// The result depends on nothing but the settings, the game, the seed and the answers.
#[derive(Clone, Debug)]
pub struct Search<P> {
    config: SearchConfig,
    pub(crate) tree: Tree,
    pub(crate) root_moves: RootMoves,
    raw_value: Value,
    pub(crate) position: Option<P>,
    repetitions: u8,
    /// Keys of the game's positions since its last irreversible move, the root's included, then those of the path.
    keys: Vec<u64>,
    root_keys: usize,
    stage: Stage,
    /// Simulations that wait for [`Search::apply`], in the order they were made.
    waiting: Vec<Visit>,
    /// Their paths, one after the other: child numbers from the root.
    paths: Vec<u16>,
    asked: usize,
    simulations: u32,
    halving: Halving,
    row: Vec<u16>,
    row_next: usize,
    /// Memory is full: the search ends with what it has.
    full: bool,
    rng: Pcg64Mcg,
    scratch: Scratch,
    numbers: Vec<f32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The root's evaluation has not been asked for.
    Root,
    Running,
    Done,
}

/// A simulation under way: its part of the paths, and whether an evaluation was asked for.
#[derive(Clone, Copy, Debug)]
struct Visit {
    start: u32,
    end: u32,
    asked: bool,
}

/// How a way down the tree ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Descent {
    /// At a new leaf, now in the batch.
    Asked,
    /// At a node whose value is known.
    Known,
    /// At a leaf that another simulation is waiting for.
    Collision,
    /// Memory is full.
    Full,
}

impl<P: Position> Search<P> {
    /// A search with nothing to do yet. The settings are taken as they are: see [`SearchConfig::validate`].
    pub fn new(config: SearchConfig) -> Search<P> {
        Search {
            tree: Tree::new(config.memory_limit),
            config,
            root_moves: RootMoves::default(),
            raw_value: Value::default(),
            position: None,
            repetitions: 0,
            keys: Vec::new(),
            root_keys: 0,
            stage: Stage::Done,
            waiting: Vec::new(),
            paths: Vec::new(),
            asked: 0,
            simulations: 0,
            halving: Halving::default(),
            row: Vec::new(),
            row_next: 0,
            full: false,
            rng: Pcg64Mcg::seed_from_u64(0),
            scratch: Scratch::default(),
            numbers: Vec::new(),
        }
    }

    /// The settings.
    pub fn config(&self) -> &SearchConfig {
        &self.config
    }

    /// Settings for the next [`start`](Self::start); a search under way ends here.
    pub fn set_config(&mut self, config: SearchConfig) {
        self.config = config;
        self.stage = Stage::Done;
    }

    /// Begins a search from the game's current position. The seed decides the noise. A position without legal moves
    /// is done at once; whether the game is over by repetition or the clock is not asked.
    pub fn start(&mut self, game: &Game<P>, seed: u64) {
        let repetitions = game.repetitions().min(u8::MAX as usize) as u8;
        self.start_at(*game.position(), repetitions, game.repetition_keys(), seed);
    }

    /// [`start`](Self::start) for those who keep no [`Game`]: a position that has occurred `repetitions` times before, `earlier` being the keys of the
    /// game's positions since its last irreversible move, the position itself not among them.
    pub fn start_at(&mut self, position: P, repetitions: u8, earlier: &[u64], seed: u64) {
        self.tree.reset(position.side_to_move(), self.config.memory_limit);
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
        self.waiting.clear();
        self.paths.clear();
        self.asked = 0;
        self.simulations = 0;
        self.halving.reset();
        self.row.clear();
        self.row_next = 0;
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

    /// Whether [`result`](Self::result) is final.
    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// Appends requests to the batch and says how many. None only if the search is done, or still waits for answers.
    /// Gumbel asks for a whole halving row at once, PUCT for up to `parallel_leaves`.
    pub fn gather(&mut self, batch: &mut Batch<P>) -> usize {
        self.gather_at_most(batch, usize::MAX)
    }

    /// As [`gather`](Self::gather), with at most `limit` (at least 1) requests.
    pub fn gather_at_most(&mut self, batch: &mut Batch<P>, limit: usize) -> usize {
        let Some(position) = self.position else { return 0 };
        if self.asked > 0 || self.stage == Stage::Done {
            return 0;
        }
        if self.stage == Stage::Root {
            let moves = position.legal_moves();
            // The root's edges always fit: the least memory limit has room for them.
            let fits = self.tree.add_edges(ROOT, &moves);
            if !fits {
                self.stage = Stage::Done;
                return 0;
            }
            batch.push(position, self.repetitions, &moves);
            self.waiting.push(Visit { start: 0, end: 0, asked: true });
            self.asked = 1;
            return 1;
        }
        loop {
            self.full |= match self.config.algorithm {
                Algorithm::Gumbel => self.gather_row(position, batch, limit.max(1)),
                Algorithm::Puct => self.gather_puct(position, batch, limit.max(1)),
            };
            if self.asked > 0 {
                return self.asked;
            }
            self.settle_waiting(batch, 0);
            if self.stage == Stage::Done {
                return 0;
            }
        }
    }

    /// Takes the answers to the requests that the last [`gather`](Self::gather) appended: `first` is the index in
    /// the batch of the first of them.
    pub fn apply(&mut self, batch: &Batch<P>, first: usize) {
        if self.asked > 0 {
            self.settle_waiting(batch, first);
        }
    }

    /// Goes on with the current halving row, or begins the next. True if memory is full.
    fn gather_row(&mut self, position: P, batch: &mut Batch<P>, limit: usize) -> bool {
        let budget = self.config.simulations;
        if self.row_next == self.row.len() {
            let left = budget - self.simulations;
            let row = self.halving.next_row(&self.tree, &self.root_moves, &self.config, budget, left);
            self.row.clear();
            self.row.extend(row);
            self.row_next = 0;
        }
        while self.row_next < self.row.len() && self.asked < limit {
            let child = self.row[self.row_next];
            self.row_next += 1;
            if self.descend(position, Some(child), batch) == Descent::Full {
                return true;
            }
        }
        false
    }

    /// Selects up to `parallel_leaves` leaves from the root. True if memory is full.
    fn gather_puct(&mut self, position: P, batch: &mut Batch<P>, limit: usize) -> bool {
        let limit = limit.min(self.config.parallel_leaves as usize);
        let left = (self.config.simulations - self.simulations) as usize;
        while self.waiting.len() < limit.min(left) {
            match self.descend(position, None, batch) {
                // A known end may decide the whole: it is counted before the next way down.
                Descent::Known if self.asked == 0 => break,
                Descent::Asked | Descent::Known => {}
                Descent::Collision => break,
                Descent::Full => return true,
            }
        }
        false
    }

    /// One simulation's way down, by way of the root's child `first` or the one that is selected.
    fn descend(&mut self, root: P, first: Option<u16>, batch: &mut Batch<P>) -> Descent {
        let start = self.paths.len() as u32;
        let mut position = root;
        self.keys.truncate(self.root_keys);
        // Where the positions begin that can occur again.
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
                None => select(&self.tree, node, &self.config, &mut self.scratch),
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
                self.wait_for(start, false);
                return Descent::Known;
            }
            if node.edge_count == 0 {
                let mut moves = MoveList::new();
                position.legal_moves_into(&mut moves);
                if moves.is_empty() {
                    // Not an end by the game's own word, but nothing to go on with.
                    self.tree.nodes[index as usize].settle(Status::Drawn, 0);
                    self.wait_for(start, false);
                    return Descent::Known;
                }
                if !self.tree.add_edges(index, &moves) {
                    // The node stays, without edges: whoever comes here again finds memory full too.
                    self.paths.truncate(start as usize);
                    return Descent::Full;
                }
                batch.push(position, 0, &moves);
                self.asked += 1;
                self.wait_for(start, true);
                return Descent::Asked;
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

    /// Puts the path that ends the list among the simulations under way.
    fn wait_for(&mut self, start: u32, asked: bool) {
        let end = self.paths.len() as u32;
        self.waiting.push(Visit { start, end, asked });
        if self.config.algorithm == Algorithm::Puct {
            let mut node = ROOT;
            self.tree.nodes[node as usize].in_flight += 1;
            for &child in &self.paths[start as usize..] {
                node = self.tree.nodes[node as usize].first_child + child as u32;
                self.tree.nodes[node as usize].in_flight += 1;
            }
        }
    }

    /// Counts the simulations under way, in the order they were made.
    fn settle_waiting(&mut self, batch: &Batch<P>, first: usize) {
        let mut leaf = first;
        let waiting = std::mem::take(&mut self.waiting);
        for &Visit { start, end, asked } in &waiting {
            let path = &self.paths[start as usize..end as usize];
            if self.config.algorithm == Algorithm::Puct && !path.is_empty() {
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
            if asked {
                let logits = &batch.logits[batch.leaves[leaf].range()];
                value = WhiteValue::new(&batch.values[leaf], mover);
                let node = &mut self.tree.nodes[index as usize];
                node.raw_q = value.q;
                let first_edge = node.first_edge as usize;
                if path.is_empty() {
                    self.raw_value = value.of(mover);
                    self.root_moves.set_logits(logits);
                }
                self.numbers.clear();
                self.numbers.extend_from_slice(logits);
                softmax(&mut self.numbers);
                for (prior, &p) in self.tree.priors[first_edge..].iter_mut().zip(&self.numbers) {
                    *prior = Prior::new(p);
                }
                leaf += 1;
            }
            self.tree.back_up(path, value);
            if end > 0 {
                self.simulations += 1;
            }
        }
        self.waiting = waiting;
        self.waiting.clear();
        self.paths.clear();
        self.asked = 0;
        if self.stage == Stage::Root {
            self.open_root();
        }
        let root = &self.tree.nodes[ROOT as usize];
        let row_finished = self.row_next == self.row.len();
        if self.full || root.status.is_proven() || self.simulations >= self.config.simulations && row_finished
        {
            self.stage = Stage::Done;
        }
    }

    /// Makes all children of the root, each looked at for an end of the game, and mixes in the noise.
    fn open_root(&mut self) {
        self.stage = Stage::Running;
        let Some(root) = self.position else { return };
        let count = self.tree.nodes[ROOT as usize].edge_count;
        let first_edge = self.tree.nodes[ROOT as usize].first_edge as usize;
        for edge in first_edge..first_edge + count as usize {
            let mut position = root;
            position.play(self.tree.moves[edge]);
            let since = if position.forgets_history() { self.keys.len() } else { 0 };
            let status = judge(&position, &self.keys[since..]);
            if self.tree.add_child(ROOT, position.side_to_move(), status).is_none() {
                // Below the least memory limit.
                self.stage = Stage::Done;
                return;
            }
        }
        self.tree.prove(ROOT);
        match self.config.algorithm {
            Algorithm::Gumbel => {
                self.root_moves.draw_noise(count as usize, self.config.gumbel_scale, &mut self.rng);
            }
            Algorithm::Puct => {
                self.root_moves.noise.clear();
                self.root_moves.noise.resize(count as usize, 0.0);
                let fraction = self.config.dirichlet_fraction;
                if fraction > 0.0 {
                    self.numbers.clear();
                    self.numbers.resize(count as usize, 0.0);
                    puct::dirichlet(self.config.dirichlet_alpha, &mut self.numbers, &mut self.rng);
                    let priors = self.root_moves.priors.iter().zip(&self.numbers);
                    for (edge, (&prior, &noise)) in self.tree.priors[first_edge..].iter_mut().zip(priors) {
                        *edge = Prior::new(prior + fraction * (noise - prior));
                    }
                }
            }
        }
    }

    /// The answer so far; final once [`is_done`](Self::is_done). Before the root is evaluated all moves count alike.
    pub fn result(&self) -> SearchResult {
        let Some(root) = self.tree.nodes.first() else { return self.empty_result() };
        if root.child_count != root.edge_count || root.edge_count == 0 {
            return self.empty_result();
        }
        let mover = root.mover;
        let children = self.tree.children(root);
        let edges = self.tree.edge_moves(root);
        let moves: Vec<MoveStats> = children
            .iter()
            .zip(edges)
            .zip(&self.root_moves.priors)
            .map(|((child, &mv), &prior)| MoveStats {
                mv,
                prior,
                visits: child.visits,
                q: gumbel::has_value(child).then(|| child.q.of(mover)),
                moves_left: child.moves_left,
                proven: proven(child.status, child.plies, mover),
            })
            .collect();

        let mut policy = Vec::new();
        gumbel::improved_policy(&self.tree, &self.root_moves, &self.config, &mut policy);
        let mut value = self.improved_value(&policy);
        let mut best = None;
        match self.config.algorithm {
            Algorithm::Gumbel => best = self.halving.best(&self.tree, &self.root_moves, &self.config),
            Algorithm::Puct => {
                let total: u32 = children.iter().map(|child| child.visits).sum();
                if total > 0 {
                    policy.clear();
                    policy.extend(children.iter().map(|child| child.visits as f32 / total as f32));
                    gumbel::without_losses(&self.tree, &mut policy);
                    value = root.value().of(mover);
                }
            }
        }
        if let Some(exact) = root.status.value(root.plies) {
            self.proven_policy(&mut policy);
            value = exact.of(mover);
            best = None;
        }
        // The most likely move, the first of equals.
        let likeliest = || {
            let max = policy.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            policy.iter().position(|&p| p == max)
        };
        let best = best.map(usize::from).or_else(likeliest).map(|i| edges[i]);
        SearchResult {
            best,
            policy: edges.iter().copied().zip(policy).collect(),
            moves,
            value,
            raw_value: self.raw_value,
            proven: proven(root.status, root.plies, mover),
            simulations: self.simulations,
            nodes: self.tree.made as usize,
            bytes: self.tree.bytes(),
        }
    }

    /// Expected value of playing by pi', moves without a value of their own completed by the mix.
    fn improved_value(&self, policy: &[f32]) -> Value {
        let root = &self.tree.nodes[ROOT as usize];
        let children = self.tree.children(root);
        let visited = gumbel::visited(&self.tree, &self.root_moves);
        let after = |child: &Node| WhiteValue { moves_left: child.moves_left + 1.0, ..child.value() };
        let raw = WhiteValue::new(&self.raw_value, root.mover);
        let mut mixed = raw;
        if visited.prior > 0.0 {
            let mean = |field: fn(&WhiteValue) -> f32| {
                let each = children.iter().zip(&self.root_moves.priors).filter(|(child, _)| child.visits > 0);
                let sum: f32 = each.map(|(child, &prior)| prior * field(&after(child))).sum();
                (field(&raw) + visited.sum * sum / visited.prior) / (1.0 + visited.sum)
            };
            mixed.q.0 = mean(|value| value.q.0);
            mixed.draw = mean(|value| value.draw);
            mixed.moves_left = mean(|value| value.moves_left);
        }
        let mut sum = WhiteValue::default();
        for (child, &p) in children.iter().zip(policy) {
            let value = if gumbel::has_value(child) { after(child) } else { mixed };
            sum.q.0 += p * value.q.0;
            sum.draw += p * value.draw;
            sum.moves_left += p * value.moves_left;
        }
        sum.of(root.mover)
    }

    /// Leaves only the moves that keep a proven result: in a win the shortest, in a loss the longest, in the ratio of
    /// their priors.
    fn proven_policy(&self, policy: &mut [f32]) {
        let root = &self.tree.nodes[ROOT as usize];
        let children = self.tree.children(root);
        let same = |i: usize| children[i].status == root.status;
        let plies = children.iter().filter(|child| child.status == root.status).map(|child| child.plies);
        let wanted = match root.status {
            status if status == Status::win_of(root.mover) => plies.min(),
            Status::ProvenDraw => None,
            _ => plies.max(),
        };
        let kept = |i: usize| same(i) && wanted.is_none_or(|plies| children[i].plies == plies);
        let total: f32 = (0..children.len()).filter(|&i| kept(i)).map(|i| self.root_moves.priors[i]).sum();
        let count = (0..children.len()).filter(|&i| kept(i)).count() as f32;
        for (i, p) in policy.iter_mut().enumerate() {
            let share = if total > 0.0 { self.root_moves.priors[i] / total } else { 1.0 / count };
            *p = if kept(i) { share } else { 0.0 };
        }
    }

    /// The answer where nothing was evaluated.
    fn empty_result(&self) -> SearchResult {
        let moves = self.position.map(|position| position.legal_moves()).unwrap_or_default();
        let share = 1.0 / moves.len().max(1) as f32;
        let root = self.tree.nodes.first();
        SearchResult {
            best: moves.first().copied(),
            policy: moves.iter().map(|&mv| (mv, share)).collect(),
            moves: moves
                .iter()
                .map(|&mv| MoveStats { mv, prior: share, visits: 0, q: None, moves_left: 0.0, proven: None })
                .collect(),
            value: root.map_or(WhiteValue::DRAW.of(Color::White), |root| {
                root.status.value(root.plies).unwrap_or(WhiteValue::DRAW).of(root.mover)
            }),
            raw_value: self.raw_value,
            proven: root.and_then(|root| proven(root.status, root.plies, root.mover)),
            simulations: 0,
            nodes: self.tree.made as usize,
            bytes: self.tree.bytes(),
        }
    }

    /// The moves that are expected: at each node the most visited child, or the one that keeps a proven result.
    pub fn principal_variation(&self) -> Vec<Move> {
        let mut line = Vec::new();
        let Some(best) = self.result().best else { return line };
        let mut node = &self.tree.nodes[ROOT as usize];
        let mut choice = self.tree.edge_moves(node).iter().position(|&mv| mv == best);
        while let Some(i) = choice {
            line.push(self.tree.edge_moves(node)[i]);
            if i >= node.child_count as usize {
                break;
            }
            node = &self.tree.nodes[node.first_child as usize + i];
            let children = self.tree.children(node);
            let rank = |child: &Node| {
                let keeps = node.status.is_proven() && child.status == node.status;
                let won = node.status == Status::win_of(node.mover);
                let plies = if won { -(child.plies as i32) } else { child.plies as i32 };
                (keeps, if keeps { plies } else { 0 }, child.visits)
            };
            let known = (0..children.len()).filter(|&i| gumbel::has_value(&children[i]));
            // The first of equals: `max_by_key` alone would take the last.
            choice = known.rev().max_by_key(|&i| rank(&children[i]));
        }
        line
    }
}

/// What an outcome means for a node where `mover` is to move.
fn settled(outcome: Option<Outcome>, mover: Color) -> Status {
    match outcome {
        None => Status::Open,
        Some(Outcome::Checkmate) => Status::win_of(!mover),
        Some(Outcome::Stalemate | Outcome::Dead) => Status::ProvenDraw,
        Some(Outcome::HundredPlies | Outcome::Repetition | Outcome::Capped) => Status::Drawn,
    }
}

/// The status of a new node; `earlier` are the keys of the positions before it, in the game and on the path, that can
/// occur again. A second occurrence counts as a draw.
fn judge<P: Position>(position: &P, earlier: &[u64]) -> Status {
    let outcome = position.outcome();
    if outcome.is_some() {
        return settled(outcome, position.side_to_move());
    }
    let repeated = !earlier.is_empty() && position.is_turn_start() && earlier.contains(&position.key());
    if repeated { Status::Drawn } else { Status::Open }
}

/// A status seen by a side.
fn proven(status: Status, plies: u16, side: Color) -> Option<Proven> {
    let outlook = match status {
        Status::Open | Status::Drawn => return None,
        Status::ProvenDraw => Outlook::Draw,
        status if status == Status::win_of(side) => Outlook::Win,
        _ => Outlook::Loss,
    };
    Some(Proven { outlook, plies })
}
