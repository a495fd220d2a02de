//! Positions as input planes, moves as policy indices.
//!
//! The 8x8 layout, shared by standard chess and every rule set of Chess++, is described plane by plane in [`chess::planes`], its
//! moves in [`chess::policy`]. Every other game has a layout of its own, made of what all of them share ([`planes`]) and what the
//! game adds in its folder, of the same two files.
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
//! // The planes of a square lie side by side; one of b1's tells of the catapult there.
//! let names = ChessPp::plane_names();
//! let on_b1: Vec<&String> = names.iter().zip(&planes[layout.planes..]).filter(|(_, value)| value.to_f32() == 1.0).map(|(name, _)| name).collect();
//! assert!(on_b1.iter().any(|name| name.contains("catapult")), "{on_b1:?}");
//! // Each legal move has an output of its own.
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

/// The shapes a network needs to know of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Names the layout and its version; networks carry it and refuse another.
    pub name: &'static str,
    /// Ranks of the board.
    pub ranks: usize,
    /// Files of the board.
    pub files: usize,
    /// Input planes: one value a square.
    pub planes: usize,
    /// Global inputs: one value a position.
    pub globals: usize,
    /// Policy planes: an index is `plane * ranks * files + square`.
    pub policy_planes: usize,
    /// Planes of what will stand on the board later (targets of the auxiliary heads).
    pub future_planes: usize,
}

impl Layout {
    /// Squares of the board.
    pub const fn squares(&self) -> usize {
        self.ranks * self.files
    }
}

/// Where a move sits in the policy, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PolicyIndex {
    /// The policy plane.
    pub plane: u16,
    /// The square the plane is read at (the origin; the destination of a placement).
    pub square: u16,
    /// The destination, a second feature of the policy head; not needed to tell moves apart.
    pub to: u16,
}

/// A game whose positions can be encoded. Everything is seen from the side to move: its first rank is rank 0.
pub trait Encode: Position {
    /// The shapes.
    const LAYOUT: Layout;

    /// Names of the planes, in their order.
    fn plane_names() -> Vec<String>;

    /// Names of the globals, in their order.
    fn global_names() -> Vec<String>;

    /// Writes all `squares * planes` values (square by square, the planes of a square side by side: channels last)
    /// and all `globals` values. `repetitions` is how often the position has occurred before in the game. `mirror` flips the
    /// files; allowed only where [`Encode::can_mirror`].
    ///
    /// # Panics
    /// If a slice has another length.
    fn encode(&self, repetitions: u8, mirror: bool, planes: &mut [bf16], globals: &mut [f32]);

    /// The policy index of a legal move; different legal moves have different (plane, square).
    fn policy_index(&self, mv: Move, mirror: bool) -> PolicyIndex;

    /// Whether the mirrored position is a position of the game with the mirrored moves.
    fn can_mirror(&self) -> bool;

    /// What stands where, as 0/1 values of `squares * future_planes` (channels last), seen from `side`.
    ///
    /// # Panics
    /// If the slice has another length.
    fn occupancy(&self, side: Color, mirror: bool, out: &mut [u8]);
}
