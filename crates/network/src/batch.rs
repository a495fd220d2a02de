//! Training samples and batches of training samples.

use crate::{FUTURE_PLIES, NetworkError};
use catapult_encoding::{Layout, PolicyIndex};
use catapult_model::fits;
use half::bf16;

/// Training sample: a position with its targets, as seen from the side to move.
#[derive(Clone, Copy, Debug)]
pub struct TrainingRow<'a> {
    /// Values of the board planes, in the order of [`catapult_encoding::Encode::encode`]. Their
    /// number is `squares * planes` of the layout.
    pub planes: &'a [bf16],
    /// Global inputs: one value each for the whole position. Their number is `globals` of the
    /// layout.
    pub globals: &'a [f32],
    /// Policy indices of the legal moves. There is at least one.
    pub moves: &'a [PolicyIndex],
    /// Target probability of each legal move, in the order of `moves`. The probabilities sum to 1.
    pub policy: &'a [f32],
    /// Target probabilities of win, draw and loss for the side to move. They sum to 1.
    pub wdl: [f32; 3],
    /// Weight of the sample in the value loss, usually 1.
    pub value_weight: f32,
    /// Number of plies until the end of the game. `None` if the game was not played to its end.
    pub moves_left: Option<f32>,
    /// Target occupancy of each square after each of [`FUTURE_PLIES`], as values 0 or 1: `[squares,
    /// 2, future_planes]`.
    pub future: &'a [u8],
    /// Weight of `future` in the loss at each of [`FUTURE_PLIES`]: 0 if a truncation, a resignation
    /// or a tablebase ended the game before it, otherwise 1.
    pub future_weight: [f32; 2],
}

/// Batch of training samples for one training step.
#[derive(Clone, Debug)]
pub struct TrainingBatch {
    layout: Layout,
    pub(crate) planes: Vec<bf16>,
    pub(crate) globals: Vec<f32>,
    pub(crate) moves: Vec<PolicyIndex>,
    pub(crate) move_counts: Vec<usize>,
    pub(crate) policy: Vec<f32>,
    pub(crate) wdl: Vec<f32>,
    pub(crate) value_weight: Vec<f32>,
    pub(crate) moves_left: Vec<f32>,
    pub(crate) moves_left_weight: Vec<f32>,
    pub(crate) future: Vec<u8>,
    pub(crate) future_weight: Vec<f32>,
}

impl TrainingBatch {
    /// Creates an empty batch for a layout.
    pub fn new(layout: Layout) -> TrainingBatch {
        TrainingBatch {
            layout,
            planes: Vec::new(),
            globals: Vec::new(),
            moves: Vec::new(),
            move_counts: Vec::new(),
            policy: Vec::new(),
            wdl: Vec::new(),
            value_weight: Vec::new(),
            moves_left: Vec::new(),
            moves_left_weight: Vec::new(),
            future: Vec::new(),
            future_weight: Vec::new(),
        }
    }

    /// Returns the layout of the samples.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the number of samples.
    pub fn rows(&self) -> usize {
        self.move_counts.len()
    }

    /// Returns a copy of the samples whose indices are in `rows`.
    #[cfg(feature = "torch")]
    pub(crate) fn part(&self, rows: std::ops::Range<usize>) -> TrainingBatch {
        // Copies the part of an array that has a fixed number of values per sample.
        fn of<T: Copy>(values: &[T], rows: &std::ops::Range<usize>, all: usize) -> Vec<T> {
            let width = values.len() / all.max(1);
            values[rows.start * width..rows.end * width].to_vec()
        }
        let all = self.rows();
        let begin: usize = self.move_counts[..rows.start].iter().sum();
        let moves = begin..begin + self.move_counts[rows.clone()].iter().sum::<usize>();
        TrainingBatch {
            layout: self.layout,
            planes: of(&self.planes, &rows, all),
            globals: of(&self.globals, &rows, all),
            moves: self.moves[moves.clone()].to_vec(),
            move_counts: of(&self.move_counts, &rows, all),
            policy: self.policy[moves].to_vec(),
            wdl: of(&self.wdl, &rows, all),
            value_weight: of(&self.value_weight, &rows, all),
            moves_left: of(&self.moves_left, &rows, all),
            moves_left_weight: of(&self.moves_left_weight, &rows, all),
            future: of(&self.future, &rows, all),
            future_weight: of(&self.future_weight, &rows, all),
        }
    }

    /// Appends a training sample.
    ///
    /// # Errors
    /// The sample does not fit the layout, has no legal move, has targets that are not
    /// probabilities, or has an invalid weight. The batch is then unchanged.
    pub fn push(&mut self, row: &TrainingRow<'_>) -> Result<(), NetworkError> {
        self.check(row)
            .map_err(|reason| NetworkError::BadTraining(format!("row {}: {reason}", self.rows())))?;
        self.planes.extend_from_slice(row.planes);
        self.globals.extend_from_slice(row.globals);
        self.moves.extend_from_slice(row.moves);
        self.move_counts.push(row.moves.len());
        self.policy.extend_from_slice(row.policy);
        self.wdl.extend_from_slice(&row.wdl);
        self.value_weight.push(row.value_weight);
        self.moves_left.push(row.moves_left.unwrap_or(0.0));
        self.moves_left_weight.push(if row.moves_left.is_some() { 1.0 } else { 0.0 });
        self.future.extend_from_slice(row.future);
        self.future_weight.extend_from_slice(&row.future_weight);
        Ok(())
    }

    fn check(&self, row: &TrainingRow<'_>) -> Result<(), String> {
        let layout = &self.layout;
        let sizes = [
            ("planes", row.planes.len(), layout.squares() * layout.planes),
            ("globals", row.globals.len(), layout.globals),
            ("policy", row.policy.len(), row.moves.len()),
            ("future", row.future.len(), layout.squares() * FUTURE_PLIES.len() * layout.future_planes),
        ];
        for (name, found, expected) in sizes {
            if found != expected {
                return Err(format!(
                    "{name} has {found} values, the layout {:?} has {expected}",
                    layout.name
                ));
            }
        }
        if row.moves.is_empty() {
            return Err("it has no legal move".to_string());
        }
        if let Some(index) = row.moves.iter().find(|index| !fits(index, layout)) {
            return Err(format!("{index:?} lies outside the layout {:?}", layout.name));
        }
        for (name, probabilities) in [("policy", row.policy), ("wdl", &row.wdl[..])] {
            let sum: f32 = probabilities.iter().sum();
            if (sum - 1.0).abs() > 1e-3 || probabilities.iter().any(|p| !(0.0..=1.001).contains(p)) {
                return Err(format!("{name} are not probabilities: they sum to {sum}"));
            }
        }
        let weights = [row.value_weight, row.future_weight[0], row.future_weight[1]];
        if weights.iter().chain(&row.moves_left).any(|value| !(value.is_finite() && *value >= 0.0)) {
            return Err("a weight or moves_left is negative or not finite".to_string());
        }
        Ok(())
    }
}
