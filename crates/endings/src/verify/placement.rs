//! Enumeration of the placements of an ending. It shares no code with the solver.

use crate::key::TableKey;
use catapult_rules::{Color, PieceKind, Square, write_placement};
use std::fmt::Write;

/// A placement of all men of an ending, which may be illegal.
pub struct Placement {
    /// Square of White's king.
    pub king: u8,
    /// Square of White's piece. It is not used if the ending has no piece.
    pub piece: u8,
    /// Square of Black's king.
    pub black: u8,
    /// Squares of the catapults.
    pub catapults: Vec<u8>,
    /// 0 for White to move, 1 for Black.
    pub side: usize,
}

/// Overwrites `fen` with the FEN of the placement.
pub fn write_fen(fen: &mut String, placement: &Placement, key: &TableKey, clock: u8) {
    fen.clear();
    let mut board = [None; 64];
    board[placement.king as usize] = Some('K');
    board[placement.black as usize] = Some('k');
    if let Some(kind) = key.piece {
        board[placement.piece as usize] = Some(Color::White.cased(kind.letter()));
    }
    // Writing to a string cannot fail.
    let _ = write_placement(fen, 8, 8, |file, rank| board[rank * 8 + file]);
    let _ = write!(fen, " {} - - {clock} 1", if placement.side == 0 { 'w' } else { 'b' });
    if placement.catapults.is_empty() {
        return;
    }
    fen.push_str(if key.owner == Color::White { " " } else { " -/" });
    for catapult in &placement.catapults {
        let _ = write!(fen, "{}", Square::of(*catapult));
        if key.fresh > 0 {
            fen.push('*');
        }
    }
    if key.owner == Color::White {
        fen.push_str("/-");
    }
}

/// Returns the squares of White's king, reduced by symmetry. The function shares no code with the
/// solver.
pub(super) fn kings(key: &TableKey) -> Vec<u8> {
    let home = |square: &u8| square % 8 < 4 && (key.has_pawn() || square / 8 <= square % 8);
    (0..64).filter(home).collect()
}

pub(super) fn catapult_sets(count: u8) -> Vec<Vec<u8>> {
    let mut sets = vec![Vec::new()];
    for _ in 0..count {
        sets = sets
            .into_iter()
            .flat_map(|set: Vec<u8>| {
                let first = set.last().map_or(0, |last| last + 1);
                (first..64).map(move |square| set.iter().copied().chain([square]).collect())
            })
            .collect();
    }
    sets
}

pub(super) fn pieces(key: &TableKey) -> std::ops::Range<u8> {
    match key.piece {
        None => 64..65,
        Some(PieceKind::Pawn) => 8..56,
        Some(_) => 0..64,
    }
}

/// Returns the random number with index `i` of the SplitMix64 stream with this seed. It depends
/// only on `seed` and `i`, so samples are reproducible.
pub(super) fn random(seed: u64, i: u64) -> u64 {
    let mut x = seed.wrapping_add((i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
