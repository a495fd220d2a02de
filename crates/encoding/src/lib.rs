//! Encoding of positions as network inputs and of moves as policy indices.
//!
//! A position becomes `squares * planes` values in channels-last order, plus one vector of globals.
//! Each legal move becomes one (plane, square) of the policy. Everything is seen from the side to
//! move.
//!
//! Standard chess and every rule set of Chess++ share the 8x8 layout of [`chess::planes`] and
//! [`chess::policy`]. Each other game combines the shared inputs of [`planes`] with its own, in the
//! modules `planes` and `policy` named after the game.
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

pub mod century;
pub mod chess;
#[cfg(test)]
mod documented;
pub mod globals;
pub mod half;
pub mod maxim;
pub mod planes;
mod rows;
mod view;

pub use chess::planes::CHESS_LAYOUT;
pub use planes::Planes;
pub use view::{View, leap_plane, step_plane, step_planes};

use ::half::bf16;
use catapult_rules::{Color, Move, Position};

/// Tensor shapes of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Name and version of the layout. Network files contain it, and a file with another name is
    /// rejected.
    pub name: &'static str,
    /// Ranks of the board.
    pub ranks: usize,
    /// Files of the board.
    pub files: usize,
    /// Number of input planes: one value per plane and square.
    pub planes: usize,
    /// Number of global inputs: one value per position.
    pub globals: usize,
    /// Number of policy planes. The flat index of an output is `plane * ranks * files + square`.
    pub policy_planes: usize,
    /// Number of occupancy planes: targets of the auxiliary heads.
    pub future_planes: usize,
}

impl Layout {
    /// Squares of the board.
    pub const fn squares(&self) -> usize {
        self.ranks * self.files
    }
}

/// Position of a move in the policy output, as seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PolicyIndex {
    /// The policy plane.
    pub plane: u16,
    /// Square of the output: the origin of a move, or the destination of a placement.
    pub square: u16,
    /// Destination square: a second feature of the policy head, not needed to distinguish moves.
    pub to: u16,
}

/// A game whose positions can be encoded. Everything is seen from the side to move, whose first
/// rank is rank 0.
pub trait Encode: Position {
    /// Tensor shapes of the game.
    const LAYOUT: Layout;

    /// Names of the planes, in order.
    fn plane_names() -> Vec<String>;

    /// Names of the globals, in order.
    fn global_names() -> Vec<String>;

    /// Writes the inputs of a network.
    ///
    /// - `planes` has the shape (squares, planes), channels last.
    /// - `globals` has the shape (globals).
    /// - `repetitions` is the number of earlier occurrences of the position in its game.
    /// - `mirror` flips the files. It is allowed only if [`Encode::can_mirror`] returns true.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    fn encode(&self, repetitions: u8, mirror: bool, planes: &mut [bf16], globals: &mut [f32]);

    /// Returns the policy index of a legal move. Different legal moves differ in (plane, square).
    fn policy_index(&self, mv: Move, mirror: bool) -> PolicyIndex;

    /// True if the mirrored position is a legal position with the mirrored moves.
    fn can_mirror(&self) -> bool;

    /// Writes the occupancy of the board as 0 or 1, in the shape (squares, future_planes), as seen
    /// from `side`.
    ///
    /// # Panics
    /// If the slice has the wrong length.
    fn occupancy(&self, side: Color, mirror: bool, out: &mut [u8]);
}
