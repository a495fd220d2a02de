//! What the pieces are worth, and how the planes have them.

use crate::{PieceKind, PieceType};

/// The kinds of [`PieceKind`] in their order, with the values of chess but for the knight's: its nearest relative is the Woody
/// Rook (one or two squares along ranks and files, leaping) of Ralph Betza's Remarkable Rookies, which stands there for a
/// bishop; its own second step can be blocked, and its third needs something to leap over.
pub(super) const PIECES: [PieceType; 6] = {
    let [pawn, knight, bishop, rook, queen, king] = PieceKind::TYPES;
    [pawn, PieceType { centipawns: 250, ..knight }, bishop, rook, queen, king]
};

/// A piece's kind as the planes have it: 0 for nothing, else that of [`PieceKind`] plus 1.
pub(super) type Code = u8;

pub(super) const PAWN: Code = PieceKind::Pawn as u8 + 1;
