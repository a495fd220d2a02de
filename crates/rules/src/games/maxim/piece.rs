//! Piece values of Maxim chess, and codes of pieces in bitboards.

use crate::{PieceKind, PieceType};

/// Piece types of Maxim chess in the order of [`PieceKind`]. All values except the knight's are the
/// values of chess.
///
/// The nearest known relative of Maxim's knight is the Woody Rook in Ralph Betza's Remarkable
/// Rookies. The Woody Rook leaps one or two squares along ranks and files, and replaces a bishop.
/// Maxim's knight is valued lower than a bishop, because its second step can be blocked and its
/// third step needs a piece to leap over.
pub(super) const PIECES: [PieceType; 6] = {
    let [pawn, knight, bishop, rook, queen, king] = PieceKind::TYPES;
    [pawn, PieceType { centipawns: 250, ..knight }, bishop, rook, queen, king]
};

/// Code of a piece kind: 0 for no piece, otherwise the index of [`PieceKind`] plus 1.
pub(super) type Code = u8;

pub(super) const PAWN: Code = PieceKind::Pawn as u8 + 1;
