//! Tests of invariants of the encoding, on test vectors and random games of chess and every rule
//! set of Chess++.

use crate::common::{Encoded, Visit, indices, random_games, swap_colors, swap_files, variants, vectors};
use catapult_encoding::{CHESS_LAYOUT, Encode};
use catapult_rules::{
    ChessMove, ChessMoveKind, ChessPosition, ChessRules, Color, Position, Proposals, Variant,
};

/// Calls `visit` with the positions of the test vectors and of random games.
fn everywhere(visit: &mut impl Visit) {
    assert_eq!(vectors(visit), 170, "vectors that were read");
    for variant in variants() {
        let plain = matches!(variant, Variant::Chess) || variant == Variant::ChessPp(Default::default());
        random_games(variant, if plain { 30 } else { 4 }, visit);
    }
}

fn reread<R: ChessRules>(position: &ChessPosition<R>, fen: &str) -> ChessPosition<R> {
    ChessPosition::from_fen(fen, position.rules())
        .unwrap_or_else(|error| panic!("{position} became {fen}: {error}"))
}

struct OneToOne(usize);

impl Visit for OneToOne {
    fn visit<R: ChessRules>(&mut self, position: &ChessPosition<R>) {
        let all = indices(position, false);
        for &(plane, square, to) in &all {
            assert!(plane < CHESS_LAYOUT.policy_planes as u16 && square < 64 && to < 64, "{position}");
        }
        for pair in all.windows(2) {
            assert!(
                pair[0].0 != pair[1].0 || pair[0].1 != pair[1].1,
                "{position}: two moves share {:?}",
                pair[0]
            );
        }
        self.0 += all.len();
    }
}

#[test]
fn legal_moves_have_their_own_indices() {
    let mut moves = OneToOne(0);
    everywhere(&mut moves);
    assert!(moves.0 > 100_000, "{} moves", moves.0);
}

struct BlackSeesAsWhite;

impl Visit for BlackSeesAsWhite {
    fn visit<R: ChessRules>(&mut self, position: &ChessPosition<R>) {
        // White places first: with colours swapped there is no such position.
        if Color::ALL.iter().any(|&side| position.catapults_to_place(side) > 0) {
            return;
        }
        let swapped = reread(position, &swap_colors(&position.to_string()));
        assert_eq!(Encoded::new(position, 1, false), Encoded::new(&swapped, 1, false), "{position}");
        assert_eq!(
            occupancy(position, Color::White, false),
            occupancy(&swapped, Color::Black, false),
            "{position}"
        );
        // The rules' choice between two middle squares depends on the order of ranks (see
        // `can_mirror`).
        if !(position.rules().has(Proposals::INSTANT) && position.rules().has(Proposals::THIRD)) {
            assert_eq!(indices(position, false), indices(&swapped, false), "{position}");
        }
    }
}

#[test]
fn black_sees_what_white_sees_with_colours_swapped() {
    everywhere(&mut BlackSeesAsWhite);
}

#[derive(Default)]
struct Mirrors {
    mirrored: usize,
}

impl Visit for Mirrors {
    fn visit<R: ChessRules>(&mut self, position: &ChessPosition<R>) {
        if !position.can_mirror() {
            return;
        }
        self.mirrored += 1;
        let mirrored = reread(position, &swap_files(&position.to_string()));
        assert_eq!(Encoded::new(position, 2, true), Encoded::new(&mirrored, 2, false), "{position}");
        assert_eq!(Encoded::new(position, 2, false), Encoded::new(&mirrored, 2, true), "{position}");
        assert_eq!(indices(position, true), indices(&mirrored, false), "{position}");
        for side in Color::ALL {
            assert_eq!(occupancy(position, side, true), occupancy(&mirrored, side, false), "{position}");
        }
    }
}

#[test]
fn mirrored_positions_have_mirrored_moves() {
    let mut mirrors = Mirrors::default();
    everywhere(&mut mirrors);
    assert!(mirrors.mirrored > 1000, "{} positions without castling rights", mirrors.mirrored);
}

fn occupancy<P: Encode>(position: &P, side: Color, mirror: bool) -> Vec<u8> {
    let mut out = vec![7; 64 * P::LAYOUT.future_planes];
    position.occupancy(side, mirror, &mut out);
    out
}

struct OccupancyIsThePlanes;

impl Visit for OccupancyIsThePlanes {
    fn visit<R: ChessRules>(&mut self, position: &ChessPosition<R>) {
        let encoded = Encoded::new(position, 0, false);
        let seen = occupancy(position, position.side_to_move(), false);
        for (square, row) in seen.as_chunks::<4>().0.iter().enumerate() {
            let any = |side: &str| {
                let kinds = ["pawns", "knights", "bishops", "rooks", "queens", "king"];
                kinds.iter().any(|kind| encoded.value(&format!("{side} {kind}"), square) == 1.0) as u8
            };
            let catapult = |side: &str| encoded.value(&format!("{side} catapults"), square) as u8;
            assert_eq!(*row, [any("own"), any("enemy"), catapult("own"), catapult("enemy")], "{position}");
        }
    }
}

#[test]
fn occupancy_is_what_the_planes_show() {
    everywhere(&mut OccupancyIsThePlanes);
}

/// Visitor that compares planes with the legal moves. The fields count the moves compared.
#[derive(Default)]
struct PlanesAgreeWithMoves {
    catapult_moves: usize,
    teleports: usize,
    captures_in_passing: usize,
}

impl Visit for PlanesAgreeWithMoves {
    fn visit<R: ChessRules>(&mut self, position: &ChessPosition<R>) {
        let encoded = Encoded::new(position, 0, false);
        let flip = if position.side_to_move() == Color::Black { 56 } else { 0 };
        let mut ends: [Vec<usize>; 8] = Default::default();
        for &mv in &position.legal_moves() {
            let parts = ChessMove::of(mv);
            ends[parts.kind as usize].push(parts.to.index() ^ flip);
        }
        let of = |kind: ChessMoveKind| &ends[kind as usize];
        let check = position.in_check();
        assert_eq!(encoded.squares("checkers").is_empty(), !check, "{position}");
        assert_eq!(encoded.global("in check") == 1.0, check);
        for square in 0..64 {
            let on = |plane: &str| encoded.value(plane, square) == 1.0;
            let placing = position.catapults_to_place(Color::Black) > 0;
            // Rules 1 to 3 and 5: any catapult move, unless in check.
            if !check && !placing {
                assert_eq!(
                    on("own catapult steps"),
                    of(ChessMoveKind::Catapult).contains(&square),
                    "{position} {square}"
                );
            }
            if of(ChessMoveKind::Teleport).contains(&square) {
                assert!(on("own teleports"), "{position} {square}");
            }
            if of(ChessMoveKind::EnPassant).contains(&square) {
                assert!(on("en passant"), "{position} {square}");
            }
        }
        self.catapult_moves += of(ChessMoveKind::Catapult).len();
        self.teleports += of(ChessMoveKind::Teleport).len();
        self.captures_in_passing += of(ChessMoveKind::EnPassant).len();
    }
}

#[test]
fn planes_agree_with_legal_moves() {
    let mut seen = PlanesAgreeWithMoves::default();
    everywhere(&mut seen);
    assert!(seen.catapult_moves > 1000 && seen.teleports > 1000 && seen.captures_in_passing > 10);
}
