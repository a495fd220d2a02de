//! The 8x8 layout: standard chess and every rule set of Chess++.
//!
//! Everything is seen from the side to move: its first rank is rank 0 (ranks are flipped for Black), "own" is the side to
//! move. Planes hold 0 or 1 unless said otherwise.
//!
//! | plane | name | what |
//! |---|---|---|
//! | 0 | own pawns | |
//! | 1 | own knights | |
//! | 2 | own bishops | |
//! | 3 | own rooks | |
//! | 4 | own queens | |
//! | 5 | own king | |
//! | 6 | enemy pawns | |
//! | 7 | enemy knights | |
//! | 8 | enemy bishops | |
//! | 9 | enemy rooks | |
//! | 10 | enemy queens | |
//! | 11 | enemy king | |
//! | 12 | own catapults | |
//! | 13 | enemy catapults | |
//! | 14 | own fresh catapults | those that still have their first move |
//! | 15 | enemy fresh catapults | |
//! | 16 | en passant | the square on which a pawn can be captured in passing |
//! | 17 | own teleports | squares to which an own piece could teleport now (pseudo-legally) |
//! | 18 | enemy teleports | the same for the enemy, were it to move |
//! | 19 | own attacks | squares that own pieces attack, teleports counted |
//! | 20 | enemy attacks | |
//! | 21 | own pawn attacks | teleports not counted |
//! | 22 | enemy pawn attacks | |
//! | 23 | own catapult steps | squares to which an own catapult could move (rules 1 to 3) |
//! | 24 | enemy catapult steps | |
//! | 25 | checkers | enemy pieces that give check |
//! | 26 | own hanging | own pieces but the king that are attacked and not defended |
//! | 27 | enemy hanging | |
//! | 28 | own threatened | own pieces but the king that a cheaper piece attacks (pawn < knight, bishop < rook < queen; teleports not counted) |
//! | 29 | enemy threatened | |
//! | 30 | board | 1 on every square: tells the edge from an empty square |
//! | 31 | rank | from 0 on the own first rank to 1 on the last |
//!
//! | global | name | what |
//! |---|---|---|
//! | 0 | own castling, king's side | 1 while the right is left |
//! | 1 | own castling, queen's side | |
//! | 2 | enemy castling, king's side | |
//! | 3 | enemy castling, queen's side | |
//! | 4 | clock | half-move clock / 100, at most 1 |
//! | 5 | seen once | 1 if the position has occurred before in the game |
//! | 6 | seen twice | 1 if it has occurred at least twice before |
//! | 7 | rule catapults | 1 in Chess++, 0 in standard chess |
//! | 8 | rule free | `+free` |
//! | 9 | rule instant | `+instant` |
//! | 10 | rule pawns | `+pawns` |
//! | 11 | rule promote | `+promote` |
//! | 12 | rule third | `+third` |
//! | 13 | own catapults to place | left to place under `+free`, / 3 |
//! | 14 | enemy catapults to place | |
//! | 15 | pawns ahead | own number less the enemy's, / 4 |
//! | 16 | knights ahead | / 2 |
//! | 17 | bishops ahead | / 2 |
//! | 18 | rooks ahead | / 2 |
//! | 19 | queens ahead | |
//! | 20 | catapults ahead | / 2 |
//! | 21 | material | of both sides, / 7800 centipawns: 1 at the start |
//! | 22 | in check | |
//! | 23 | enemy catapults held | the part of them that own pieces occupy: at 1 they are captured (rule 13); 0 if there are none |
//! | 24 | own catapults held | the part of them that enemy pieces occupy |
//!
//! What will stand on the board (auxiliary targets): own pieces, enemy pieces, own catapults, enemy catapults.
//! The policy is described in [`crate::policy`].

use crate::globals::castling_clock_and_repetitions;
use crate::view8::View8;
use crate::{Encode, Layout, PolicyIndex, policy};
use catapult_rules::{ChessPosition, ChessRules, Color, Move, PieceKind, Position, Square, Squares};
use half::bf16;

/// The layout of standard chess and of every rule set of Chess++.
pub const CHESS_LAYOUT: Layout = Layout {
    name: "chess-8x8-1",
    ranks: 8,
    files: 8,
    planes: PLANE_NAMES.len(),
    globals: GLOBAL_NAMES.len(),
    policy_planes: policy::PLANES as usize,
    future_planes: 4,
};

/// Names of the input planes, in their order.
pub const PLANE_NAMES: [&str; 32] = [
    "own pawns",
    "own knights",
    "own bishops",
    "own rooks",
    "own queens",
    "own king",
    "enemy pawns",
    "enemy knights",
    "enemy bishops",
    "enemy rooks",
    "enemy queens",
    "enemy king",
    "own catapults",
    "enemy catapults",
    "own fresh catapults",
    "enemy fresh catapults",
    "en passant",
    "own teleports",
    "enemy teleports",
    "own attacks",
    "enemy attacks",
    "own pawn attacks",
    "enemy pawn attacks",
    "own catapult steps",
    "enemy catapult steps",
    "checkers",
    "own hanging",
    "enemy hanging",
    "own threatened",
    "enemy threatened",
    "board",
    "rank",
];

/// Names of the global inputs, in their order.
pub const GLOBAL_NAMES: [&str; 25] = [
    "own castling, king's side",
    "own castling, queen's side",
    "enemy castling, king's side",
    "enemy castling, queen's side",
    "clock",
    "seen once",
    "seen twice",
    "rule catapults",
    "rule free",
    "rule instant",
    "rule pawns",
    "rule promote",
    "rule third",
    "own catapults to place",
    "enemy catapults to place",
    "pawns ahead",
    "knights ahead",
    "bishops ahead",
    "rooks ahead",
    "queens ahead",
    "catapults ahead",
    "material",
    "in check",
    "enemy catapults held",
    "own catapults held",
];

/// Planes that are sets of squares; the last two are the same in every position.
const SETS: usize = PLANE_NAMES.len() - 2;

/// One side's pieces as the view shows them.
struct Pieces {
    kinds: [Squares; 6],
    all: Squares,
}

impl Pieces {
    fn new<R: ChessRules>(position: &ChessPosition<R>, side: Color, view: View8) -> Pieces {
        let kinds = PieceKind::ALL.map(|kind| view.set(position.pieces(side, kind)));
        Pieces { kinds, all: kinds.into_iter().fold(Squares::EMPTY, |all, kind| all | kind) }
    }

    /// The pieces that a cheaper one of `by` attacks.
    #[inline(always)]
    fn threatened(&self, by: &Pieces, by_pawns: Squares, occupied: Squares) -> Squares {
        let [_, knights, bishops, rooks, queens, _] = self.kinds;
        let by_minors = by_pawns | by.kinds[1].knights() | by.kinds[2].bishops(occupied);
        let by_rooks = by_minors | by.kinds[3].rooks(occupied);
        (knights | bishops) & by_pawns | rooks & by_minors | queens & by_rooks
    }
}

/// One side's catapults as the view shows them.
struct Catapults {
    all: Squares,
    fresh: Squares,
}

impl Catapults {
    fn new<R: ChessRules>(position: &ChessPosition<R>, side: Color, view: View8) -> Catapults {
        Catapults { all: view.set(position.catapults(side)), fresh: view.set(position.fresh_catapults(side)) }
    }

    /// Squares to which one could move: rules 1 to 3.
    #[inline(always)]
    fn steps(&self, occupied: Squares, catapults: Squares) -> Squares {
        let grown = |set: Squares| set | set.kings();
        let far = grown(grown(self.fresh & !occupied));
        (grown(self.all & !occupied) | far) & !occupied & !catapults
    }

    /// The part that pieces of `holders` occupy.
    fn held(&self, holders: &Pieces) -> f32 {
        (self.all & holders.all).count() as f32 / self.all.count().max(1) as f32
    }
}

/// The planes of a square before its sets are written, rank by rank.
static EMPTY_ROWS: [[bf16; PLANE_NAMES.len()]; 8] = {
    let mut rows = [[bf16::ZERO; PLANE_NAMES.len()]; 8];
    let mut rank = 0;
    while rank < 8 {
        rows[rank][SETS] = bf16::ONE;
        rows[rank][SETS + 1] = bf16::from_f32_const(rank as f32 / 7.0);
        rank += 1;
    }
    rows
};

impl<R: ChessRules> Encode for ChessPosition<R> {
    const LAYOUT: Layout = CHESS_LAYOUT;

    fn encode(&self, repetitions: u8, mirror: bool, planes: &mut [bf16], globals: &mut [f32]) {
        let side = self.side_to_move();
        let view = View8::new(side, mirror);
        let own = Pieces::new(self, side, view);
        let enemy = Pieces::new(self, !side, view);
        let own_catapults = Catapults::new(self, side, view);
        let enemy_catapults = Catapults::new(self, !side, view);
        let occupied = own.all | enemy.all;
        let catapults = own_catapults.all | enemy_catapults.all;
        let attacks = [side, !side].map(|side| view.set(self.attacks(side)));
        // As they are seen, own pawns go up.
        let pawn_attacks =
            [own.kinds[0].pawn_attacks(Color::White), enemy.kinds[0].pawn_attacks(Color::Black)];
        let checkers = view.set(self.checkers());

        let mut sets = [Squares::EMPTY; SETS];
        sets[..6].copy_from_slice(&own.kinds);
        sets[6..12].copy_from_slice(&enemy.kinds);
        sets[12] = own_catapults.all;
        sets[13] = enemy_catapults.all;
        sets[14] = own_catapults.fresh;
        sets[15] = enemy_catapults.fresh;
        sets[16] = self.en_passant().map_or(Squares::EMPTY, |square| Squares::of(view.square(square)));
        sets[17] = view.set(self.teleport_targets(side));
        sets[18] = view.set(self.teleport_targets(!side));
        sets[19] = attacks[0];
        sets[20] = attacks[1];
        sets[21] = pawn_attacks[0];
        sets[22] = pawn_attacks[1];
        sets[23] = own_catapults.steps(occupied, catapults);
        sets[24] = enemy_catapults.steps(occupied, catapults);
        sets[25] = checkers;
        sets[26] = own.all & !own.kinds[5] & attacks[1] & !attacks[0];
        sets[27] = enemy.all & !enemy.kinds[5] & attacks[0] & !attacks[1];
        sets[28] = own.threatened(&enemy, pawn_attacks[1], occupied);
        sets[29] = enemy.threatened(&own, pawn_attacks[0], occupied);
        write_planes(&sets, planes);

        let flag = |set: bool| f32::from(u8::from(set));
        let ahead = |kind: PieceKind, unit: f32| {
            let [own, enemy] = [&own, &enemy].map(|side| side.kinds[kind as usize].count() as f32);
            (own - enemy) / unit
        };
        let rules = self.rules();
        let may_castle = |side, kingside| self.may_castle(side, kingside);
        let (first, own_globals) = globals.split_at_mut(7);
        first.copy_from_slice(&castling_clock_and_repetitions(self, may_castle, repetitions));
        own_globals.copy_from_slice(&[
            flag(rules.catapults()),
            flag(rules.free()),
            flag(rules.instant()),
            flag(rules.pawns()),
            flag(rules.promote()),
            flag(rules.third()),
            f32::from(self.catapults_to_place(side)) / 3.0,
            f32::from(self.catapults_to_place(!side)) / 3.0,
            ahead(PieceKind::Pawn, 4.0),
            ahead(PieceKind::Knight, 2.0),
            ahead(PieceKind::Bishop, 2.0),
            ahead(PieceKind::Rook, 2.0),
            ahead(PieceKind::Queen, 1.0),
            (own_catapults.all.count() as f32 - enemy_catapults.all.count() as f32) / 2.0,
            (self.material(side) + self.material(!side)) as f32 / 7800.0,
            flag(!checkers.is_empty()),
            enemy_catapults.held(&own),
            own_catapults.held(&enemy),
        ]);
    }

    fn policy_index(&self, mv: Move, mirror: bool) -> PolicyIndex {
        policy::index(self, mv, View8::new(self.side_to_move(), mirror))
    }

    /// No castling right is left. Under `+instant` and `+third` together never: of two ways through different catapults the
    /// rules keep the one through the lower square, which depends on left and right.
    fn can_mirror(&self) -> bool {
        let castling =
            Color::ALL.iter().any(|&side| self.may_castle(side, true) || self.may_castle(side, false));
        !(castling || self.rules().instant() && self.rules().third())
    }

    fn occupancy(&self, side: Color, mirror: bool, out: &mut [u8]) {
        let view = View8::new(side, mirror);
        let sets = [
            view.set(self.occupied_by(side)),
            view.set(self.occupied_by(!side)),
            view.set(self.catapults(side)),
            view.set(self.catapults(!side)),
        ];
        assert_eq!(
            out.len(),
            CHESS_LAYOUT.squares() * sets.len(),
            "room for the planes of what stands on the board"
        );
        for (square, row) in Square::all().zip(out.as_chunks_mut::<4>().0) {
            *row = sets.map(|set| set.has(square).into());
        }
    }
}

/// Writes the planes of all squares: the constant ones, then the squares of each set.
fn write_planes(sets: &[Squares; SETS], planes: &mut [bf16]) {
    let (rows, rest) = planes.as_chunks_mut::<{ PLANE_NAMES.len() }>();
    assert!(rows.len() == 64 && rest.is_empty(), "room for 64 squares of {} planes", PLANE_NAMES.len());
    for (square, row) in rows.iter_mut().enumerate() {
        *row = EMPTY_ROWS[square / 8];
    }
    for (plane, &set) in sets.iter().enumerate() {
        for square in set {
            rows[square.index()][plane] = bf16::ONE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documented::{rows, tables};

    #[test]
    fn the_documented_tables_are_the_layout() {
        let documented = tables(include_str!("chess.rs"), &["plane", "global"]);
        assert_eq!(documented, [rows(&PLANE_NAMES), rows(&GLOBAL_NAMES)]);
    }
}
