//! Evaluation of search leaves by a network on a CPU.

use crate::fold::fold;
use crate::heads::Heads;
use crate::sparse::{Inputs, Sparse};
use crate::winograd::{Tower, Vectors};
use crate::{Features, Model, ModelError, Network};
use catapult_encoding::{Encode, Layout, PolicyIndex};
use catapult_mcts::{Batch, EvaluationError, Evaluator, Value};
use half::bf16;
use std::marker::PhantomData;

/// Network in plain Rust, evaluated on the calling thread. It needs no libtorch and runs on any
/// processor and in WebAssembly.
pub struct Portable {
    runner: Runner,
    /// Input planes in the shape (rows, squares, planes). `globals` has the shape (rows, global
    /// inputs). A row is one position.
    planes: Vec<bf16>,
    globals: Vec<f32>,
    layout: Layout,
}

enum Runner {
    Tower(Box<Tower>, Box<Heads>),
    Sparse(Box<Sparse>, Box<Features>),
}

impl Portable {
    /// Prepares a network for batches of at most `rows` positions.
    pub fn new(network: &Network, rows: usize) -> Portable {
        let (layout, vectors) = (&network.layout, Vectors::best());
        let runner = match network.model() {
            Model::Sparse(model) => {
                Runner::Sparse(Box::new(Sparse::new(&model, vectors)), Box::new(Features::new(*layout)))
            }
            Model::Tower(model) => {
                let tower = Tower::new(&fold(&model, layout), layout.planes, vectors);
                Runner::Tower(Box::new(tower), Box::new(Heads::new(&model)))
            }
        };
        Portable {
            runner,
            planes: vec![bf16::ZERO; rows * layout.squares() * layout.planes],
            globals: vec![0.0; rows * layout.globals],
            layout: *layout,
        }
    }

    /// Returns the inputs of the position with index `row`, for the caller to overwrite: the planes,
    /// in the shape (squares, planes), and the globals.
    ///
    /// # Panics
    /// `row` is not less than the number of rows passed to [`Portable::new`].
    pub fn row_mut(&mut self, row: usize) -> (&mut [bf16], &mut [f32]) {
        let (planes, globals) = (self.layout.squares() * self.layout.planes, self.layout.globals);
        (&mut self.planes[row * planes..][..planes], &mut self.globals[row * globals..][..globals])
    }

    /// Evaluates the positions in the first `counts.len()` rows.
    ///
    /// `counts` has the number of legal moves of each position, and `moves` has the moves of all
    /// positions in order. The function overwrites `logits` with one logit per move, and `values`
    /// with one value per position.
    ///
    /// # Panics
    /// `moves` or `logits` is shorter than the sum of `counts`, or a move is outside the network's
    /// layout (see [`fits`](crate::fits)).
    pub fn answer(
        &mut self,
        moves: &[PolicyIndex],
        counts: &[usize],
        logits: &mut [f32],
        values: &mut [Value],
    ) {
        let (planes, globals) = (self.layout.squares() * self.layout.planes, self.layout.globals);
        let at_once = match &self.runner {
            Runner::Tower(tower, _) => tower.rows(),
            Runner::Sparse(..) => 1,
        };
        let mut begin = 0;
        for (part, (counts, values)) in counts.chunks(at_once).zip(values.chunks_mut(at_once)).enumerate() {
            let rows = part * at_once..part * at_once + counts.len();
            let planes = &self.planes[rows.start * planes..rows.end * planes];
            let globals = &self.globals[rows.start * globals..rows.end * globals];
            let range = begin..begin + counts.iter().sum::<usize>();
            begin = range.end;
            let (moves, logits) = (&moves[range.clone()], &mut logits[range]);
            match &mut self.runner {
                Runner::Tower(tower, heads) => {
                    heads.answer_rows(tower.forward(planes, globals), moves, counts, logits, values);
                }
                Runner::Sparse(sparse, features) => {
                    features.read(planes);
                    values[0] = sparse.answer(Inputs { features, globals, moves }, logits);
                }
            }
        }
    }
}

/// [`Evaluator`] that runs a network on the CPU. The evaluation of a leaf depends only on the leaf,
/// bit for bit. The size of the batch and the leaf's index do not affect it.
pub struct CpuEvaluator<P> {
    network: Portable,
    rows: usize,
    moves: Vec<PolicyIndex>,
    counts: Vec<usize>,
    game: PhantomData<fn(P)>,
}

impl<P: Encode> CpuEvaluator<P> {
    /// Creates an evaluator that runs the network on at most `rows` positions at once. If `rows` is
    /// 0, it counts as 1.
    ///
    /// # Errors
    /// The network has another layout than the game `P`.
    pub fn new(network: &Network, rows: usize) -> Result<CpuEvaluator<P>, ModelError> {
        network.check_layout(&P::LAYOUT)?;
        let rows = rows.max(1);
        Ok(CpuEvaluator {
            network: Portable::new(network, rows),
            rows,
            moves: Vec::new(),
            counts: Vec::new(),
            game: PhantomData,
        })
    }
}

impl<P: Encode> Evaluator<P> for CpuEvaluator<P> {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        let layout = P::LAYOUT;
        batch.logits.resize(batch.moves.len(), 0.0);
        batch.values.resize(batch.leaves.len(), Value::default());
        let Portable { runner, globals, .. } = &mut self.network;
        if let Runner::Sparse(sparse, features) = runner {
            let globals = &mut globals[..layout.globals];
            for (leaf, value) in batch.leaves.iter().zip(&mut batch.values) {
                self.moves.clear();
                let moves = batch.moves[leaf.range()].iter();
                self.moves.extend(moves.map(|&mv| leaf.position.policy_index(mv, false)));
                check_all(&self.moves, &layout)?;
                features.encode(&leaf.position, leaf.repetitions, globals);
                let inputs = Inputs { features, globals, moves: &self.moves };
                *value = sparse.answer(inputs, &mut batch.logits[leaf.range()]);
            }
            return Ok(());
        }
        let values = batch.values.chunks_mut(self.rows);
        for (leaves, values) in batch.leaves.chunks(self.rows).zip(values) {
            self.moves.clear();
            self.counts.clear();
            for (row, leaf) in leaves.iter().enumerate() {
                let (planes, globals) = self.network.row_mut(row);
                leaf.position.encode(leaf.repetitions, false, planes, globals);
                let moves = &batch.moves[leaf.range()];
                self.counts.push(moves.len());
                self.moves.extend(moves.iter().map(|&mv| leaf.position.policy_index(mv, false)));
            }
            check_all(&self.moves, &layout)?;
            // The moves of consecutive leaves are adjacent.
            let logits = &mut batch.logits[leaves[0].range().start..][..self.moves.len()];
            self.network.answer(&self.moves, &self.counts, logits, values);
        }
        Ok(())
    }
}

fn check_all(moves: &[PolicyIndex], layout: &Layout) -> Result<(), EvaluationError> {
    match moves.iter().find(|index| !fits(index, layout)) {
        None => Ok(()),
        Some(index) => Err(EvaluationError(format!("{index:?} lies outside the layout {:?}", layout.name))),
    }
}

/// Returns true if a policy index is within a layout: its plane and both of its squares exist.
pub fn fits(index: &PolicyIndex, layout: &Layout) -> bool {
    (index.plane as usize) < layout.policy_planes
        && (index.square as usize) < layout.squares()
        && (index.to as usize) < layout.squares()
}
