//! Attacks of the pieces of Chess and a Half on its 12x12 board.

use super::piece::HalfPiece;
use super::state::State;
use super::{Square, Squares};
use crate::Color;
use crate::board::{KNIGHT_LEAPS, PerSquare};

/// Returns the offsets (files, ranks) of jumps of one to `N / 8` squares along ranks, files and
/// diagonals.
const fn jumps<const N: usize>() -> [(i32, i32); N] {
    let mut offsets = [(0, 0); N];
    let mut i = 0;
    while i < N {
        let (files, ranks) = crate::board::KING_STEPS[i % 8];
        let distance = i as i32 / 8 + 1;
        offsets[i] = (files * distance, ranks * distance);
        i += 1;
    }
    offsets
}

/// Returns the offsets (files, ranks) of two equal knight's leaps, one after the other.
const fn doubled() -> [(i32, i32); 8] {
    let mut offsets = KNIGHT_LEAPS;
    let mut i = 0;
    while i < 8 {
        offsets[i] = (offsets[i].0 * 2, offsets[i].1 * 2);
        i += 1;
    }
    offsets
}

/// Squares that a Cat attacks from each square. A Cat jumps over pieces (rule 2).
pub(super) static CAT: PerSquare<Squares, 12, 12> = Squares::leaps(&jumps::<16>());
/// Squares that a Star Cat attacks from each square. A Star Cat jumps over pieces (rule 2).
pub(super) static STAR_CAT: PerSquare<Squares, 12, 12> = Squares::leaps(&jumps::<24>());
static TWO_LEAPS: PerSquare<Squares, 12, 12> = Squares::leaps(&doubled());

/// Returns the squares that a rider on `square` attacks. A rider repeats a knight's leap in one
/// direction up to `most` times and stops at the first piece. A Nightrider has no limit (rule 1).
pub(super) fn rides(square: Square, occupied: Squares, most: u32) -> Squares {
    let mut seen = Squares::EMPTY;
    for (files, ranks) in KNIGHT_LEAPS {
        let mut at = square;
        for _ in 0..most {
            let Some(next) = at.offset(files, ranks) else { break };
            seen |= Squares::one(next);
            if occupied.has(next) {
                break;
            }
            at = next;
        }
    }
    seen
}

/// Returns the squares that a rider touches on its way from `from` to `to`, both excluded. Returns
/// `None` if equal leaps do not lead from `from` to `to`.
fn ride_between(from: Square, to: Square) -> Option<Squares> {
    let files = to.file() as i32 - from.file() as i32;
    let ranks = to.rank() as i32 - from.rank() as i32;
    let leaps = files.abs().min(ranks.abs());
    if leaps == 0 || files.abs().max(ranks.abs()) != 2 * leaps {
        return None;
    }
    let step = |n: i32| from.offset(files / leaps * n, ranks / leaps * n);
    Some((1..leaps).filter_map(step).collect())
}

/// Squares of one side's pieces, grouped by their way of attacking.
#[derive(Clone, Copy)]
pub(super) struct Army {
    side: Color,
    pub pawns: Squares,
    pub knights: Squares,
    /// Squares of the king and the Guards.
    pub near: Squares,
    pub cats: Squares,
    pub star_cats: Squares,
    /// Squares of bishops and queens.
    pub diagonal: Squares,
    /// Squares of rooks and queens.
    pub straight: Squares,
    pub nightriders: Squares,
    /// Squares of knights that have never moved and may leap twice (rule 4).
    pub unmoved: Squares,
}

impl Army {
    #[inline(always)]
    pub(super) fn of(state: &State, side: Color) -> Army {
        let own = state.side_pieces(side);
        let queens = state.kind(HalfPiece::Queen);
        let of = |kind| state.kind(kind) & own;
        let knights = of(HalfPiece::Knight);
        Army {
            side,
            pawns: of(HalfPiece::Pawn),
            knights,
            near: (state.kind(HalfPiece::King) | state.kind(HalfPiece::Guard)) & own,
            cats: of(HalfPiece::Cat),
            star_cats: of(HalfPiece::StarCat),
            diagonal: (state.kind(HalfPiece::Bishop) | queens) & own,
            straight: (state.kind(HalfPiece::Rook) | queens) & own,
            nightriders: of(HalfPiece::Nightrider),
            unmoved: state.unmoved_knights() & knights,
        }
    }

    /// Returns the squares of the pieces that attack `square` on a board whose occupied squares are
    /// `occupied`.
    #[inline(always)]
    pub(super) fn attackers(&self, square: Square, occupied: Squares) -> Squares {
        self.leapers(square)
            | (Squares::rook(square, occupied) & self.straight)
            | (Squares::bishop(square, occupied) & self.diagonal)
            | self.riders(square, occupied)
    }

    /// Returns true if a piece outside `removed` attacks `square` on a board whose occupied squares
    /// are `occupied`.
    #[inline(always)]
    pub(super) fn attacks_without(&self, square: Square, occupied: Squares, removed: Squares) -> bool {
        self.leapers(square).without(removed) != Squares::EMPTY
            || Squares::rook(square, occupied).meets(self.straight.without(removed))
            || Squares::bishop(square, occupied).meets(self.diagonal.without(removed))
            || self.riders(square, occupied).without(removed) != Squares::EMPTY
    }

    /// Returns the squares of the pawns, knights, kings, Guards, Cats and Star Cats that attack a
    /// square. No piece can block these attacks.
    #[inline(always)]
    fn leapers(&self, square: Square) -> Squares {
        (Squares::knight(square) & self.knights)
            | (Squares::king(square) & self.near)
            | (CAT[square] & self.cats)
            | (STAR_CAT[square] & self.star_cats)
            | (Squares::one(square).pawn_attacks(!self.side) & self.pawns)
    }

    /// Returns the squares of the Nightriders that attack `square`, and of the unmoved knights that
    /// attack `square` by two leaps.
    #[inline(always)]
    fn riders(&self, square: Square, occupied: Squares) -> Squares {
        let mut found = Squares::EMPTY;
        for (rider, between) in self.rides_to(square) {
            if !between.meets(occupied) {
                found |= Squares::one(rider);
            }
        }
        found
    }

    /// Returns the squares of the pieces that could attack `square` by repeated leaps. Each item
    /// also has the squares between, which must be empty for the attack.
    #[inline(always)]
    pub(super) fn rides_to(&self, square: Square) -> impl Iterator<Item = (Square, Squares)> {
        let twice = TWO_LEAPS[square] & self.unmoved;
        (self.nightriders | twice)
            .into_iter()
            .filter_map(move |rider| ride_between(rider, square).map(|between| (rider, between)))
    }
}
