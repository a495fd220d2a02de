//! Piece values, and codes of pieces in bitboards.

use crate::{PieceKind, PieceType};

/// Kinds of [`PieceKind`] in their order, with the values of chess except the knight's.
///
/// The nearest known relative of Maxim's knight is the Woody Rook in Ralph Betza's Remarkable
/// Rookies. The Woody Rook leaps one or two squares along ranks and files, and replaces a bishop.
/// Maxim's knight is valued lower. Its second step can be blocked, and its third needs a piece to
/// leap over.
pub(super) const PIECES: [PieceType; 6] = {
    let [pawn, knight, bishop, rook, queen, king] = PieceKind::TYPES;
    [pawn, PieceType { centipawns: 250, ..knight }, bishop, rook, queen, king]
};

/// Code of a piece kind: 0 for no piece, otherwise the index of [`PieceKind`] plus 1.
pub(super) type Code = u8;

pub(super) const PAWN: Code = PieceKind::Pawn as u8 + 1;
