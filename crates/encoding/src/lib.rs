//! Encoding of positions as network inputs and of moves as policy indices.
//!
//! A position becomes `squares * planes` values in channels-last order, plus one vector of globals
//! (inputs that are not tied to a square). Each legal move becomes one pair (plane, square) of the
//! policy output. With four catapults, two moves can become the same pair. Everything is seen from
//! the side to move: its first rank is rank 0.
//!
//! Standard chess and every rule set of Chess++ share the 8x8 layout of [`chess::planes`] and
//! [`chess::policy`]. Each other game has a module of its own. Its inputs are the shared inputs of
//! [`planes`] plus game-specific inputs.
//!
//! ```
//! use catapult_encoding::Encode;
//! use catapult_rules::{ChessPp, Plain, Position};
//! use half::bf16;
//!
//! let (start, layout) = (ChessPp::start(Plain), ChessPp::LAYOUT);
//! let mut planes = vec![bf16::ZERO; layout.squares() * layout.planes];
//! let mut globals = vec![0.0; layout.globals];
//! start.encode(0, false, &mut planes, &mut globals);
//! // The planes of a square are adjacent. One plane of b1 marks its catapult.
//! let names = ChessPp::plane_names();
//! let on_b1: Vec<&String> = names.iter().zip(&planes[layout.planes..]).filter(|(_, value)| value.to_f32() == 1.0).map(|(name, _)| name).collect();
//! assert!(on_b1.iter().any(|name| name.contains("catapult")), "{on_b1:?}");
//! // Each legal move has a different policy output.
//! let outputs: std::collections::BTreeSet<_> =
//!     start.legal_moves().iter().map(|&mv| start.policy_index(mv, false)).map(|index| (index.plane, index.square)).collect();
//! assert_eq!(outputs.len(), start.legal_moves().len());
//! ```

mod any;
pub mod century;
pub mod chess;
#[cfg(test)]
mod documented_tests;
pub mod globals;
pub mod half;
pub mod maxim;
pub mod planes;
mod rows;
mod view;

pub use any::{input_names, inputs, inputs_into, layout, policy_indices};
pub use chess::planes::CHESS_LAYOUT;
pub use planes::Planes;
pub use view::{View, leap_plane, step_plane, step_planes};

use ::half::bf16;
use catapult_rules::{Color, Move, Position};

/// Tensor shapes of a game's network inputs and outputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Name and version of the layout. Network files contain it. A network file of another layout
    /// is rejected, except one of `earlier`.
    pub name: &'static str,
    /// Name and number of globals of an earlier version, if any. Its globals are the first ones of
    /// this layout, and all else is equal. Its networks are loaded with zero weights for the other
    /// globals.
    pub earlier: Option<(&'static str, usize)>,
    /// Number of ranks of the board.
    pub ranks: usize,
    /// Number of files of the board.
    pub files: usize,
    /// Number of input planes: one value per plane and square. All planes except the constant last
    /// two are sets of squares with the values 0 and 1.
    pub planes: usize,
    /// Number of planes of pieces. They come first: one for each kind of own piece, then one for
    /// each kind of enemy piece.
    pub piece_planes: usize,
    /// Plane of the own king, or of the first of several kings. In a game without kings, it is the
    /// number of kinds of pieces.
    pub king_plane: usize,
    /// Planes of the squares that own pieces and that enemy pieces attack.
    pub attack_planes: [usize; 2],
    /// Planes of the squares that own pawns and that enemy pawns attack. `None` except for chess
    /// and Chess++, even if a game has such planes.
    pub pawn_attack_planes: Option<[usize; 2]>,
    /// Number of global inputs: one value per position.
    pub globals: usize,
    /// Number of policy planes. The policy has one output per plane and square, with the index
    /// `plane * ranks * files + square`.
    pub policy_planes: usize,
    /// Number of occupancy planes, the training targets of the auxiliary heads. See
    /// [`Encode::occupancy`].
    pub future_planes: usize,
}

/// Names of the planes that are the same in every position. They come last in every layout. The
/// first is 1 on every square, which distinguishes empty squares from the padding beyond the edge.
/// The second is from 0 on the first rank of the side to move to 1 on the last.
pub(crate) const CONSTANT: [&str; 2] = ["board", "rank"];

impl Layout {
    /// Returns the number of planes that are sets of squares.
    pub const fn sets(&self) -> usize {
        self.planes - CONSTANT.len()
    }

    /// Returns the number of squares of the board.
    pub const fn squares(&self) -> usize {
        self.ranks * self.files
    }
}

/// Index of a move in the policy output. Squares are seen from the side to move and numbered rank
/// by rank, with a1 = 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PolicyIndex {
    /// Policy plane, which encodes the kind and direction of the move.
    pub plane: u16,
    /// Square of the policy plane: the origin of a move, or the square of a placement.
    pub square: u16,
    /// Destination square of the move, which the policy head uses as a further feature. `plane` and
    /// `square` alone identify the move, unless a side has four catapults ([`chess::policy`]).
    pub to: u16,
}

/// A game whose positions can be encoded. Everything is seen from the side to move, whose first
/// rank is rank 0. `mirror` also flips the files.
pub trait Encode: Position {
    /// Tensor shapes of the game's network inputs and outputs.
    const LAYOUT: Layout;

    /// Returns the names of the input planes, in order.
    fn plane_names() -> Vec<String>;

    /// Returns the names of the globals, in order.
    fn global_names() -> Vec<String>;

    /// Overwrites `globals` with the globals of this position, one value per global, and calls `set`
    /// with the plane and the square of each 1 on the planes that are sets of squares.
    ///
    /// - `repetitions` is the number of earlier occurrences of the position in its game.
    /// - `mirror` flips the files. It is allowed only if [`Encode::can_mirror`] returns true.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    fn inputs(&self, repetitions: u8, mirror: bool, globals: &mut [f32], set: impl FnMut(usize, usize));

    /// Overwrites `planes` and `globals` with the network inputs of this position. `planes` has the
    /// shape (squares, planes): the planes of a square are adjacent. The other arguments are those
    /// of [`Encode::inputs`].
    ///
    /// # Panics
    /// If a slice has the wrong length.
    fn encode(&self, repetitions: u8, mirror: bool, planes: &mut [bf16], globals: &mut [f32]) {
        let layout = Self::LAYOUT;
        assert_eq!(planes.len(), layout.squares() * layout.planes, "room for the planes");
        planes.fill(bf16::ZERO);
        for (rank, squares) in planes.chunks_exact_mut(layout.files * layout.planes).enumerate() {
            let rank = bf16::from_f32(rank as f32 / (layout.ranks - 1) as f32);
            for row in squares.chunks_exact_mut(layout.planes) {
                row[layout.planes - CONSTANT.len()..].copy_from_slice(&[bf16::ONE, rank]);
            }
        }
        self.inputs(repetitions, mirror, globals, |plane, square| {
            planes[square * layout.planes + plane] = bf16::ONE;
        });
    }

    /// Returns the policy index of a legal move. Different legal moves of a position differ in
    /// (plane, square), unless a side has four catapults ([`chess::policy`]). The result is
    /// unspecified for illegal moves.
    fn policy_index(&self, mv: Move, mirror: bool) -> PolicyIndex;

    /// Returns true if the position with flipped files is legal and its legal moves are the flipped
    /// moves.
    fn can_mirror(&self) -> bool;

    /// Overwrites `out` with the occupancy of the board, as seen from `side`. The shape is
    /// (squares, future_planes). A value is 1 if the square is occupied in the sense of the plane,
    /// else 0. [`chess::planes`] and [`planes`] list the occupancy planes.
    ///
    /// # Panics
    /// If the slice has the wrong length.
    fn occupancy(&self, side: Color, mirror: bool, out: &mut [u8]);
}
