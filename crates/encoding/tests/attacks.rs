//! Planes of attacks and threats against a walk over the board, square by square.

mod common;

use catapult_rules::{ChessPosition, ChessRules, Color, PieceKind, Position, Square};
use common::{Encoded, Visit, random_games, variants};

/// Squares that the piece on `from` attacks, teleports not counted, from a walk along its steps.
fn reach<R: ChessRules>(
    position: &ChessPosition<R>,
    from: Square,
    side: Color,
    kind: PieceKind,
) -> Vec<Square> {
    let up = if side == Color::White { 1 } else { -1 };
    let square = |(file, rank): (i8, i8)| {
        ((0..8).contains(&file) && (0..8).contains(&rank)).then(|| Square::at(file as u8, rank as u8))
    };
    let straight = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let diagonal = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
    let (steps, slides): (Vec<(i8, i8)>, bool) = match kind {
        PieceKind::Pawn => (vec![(-1, up), (1, up)], false),
        PieceKind::Knight => {
            (vec![(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)], false)
        }
        PieceKind::Bishop => (diagonal.to_vec(), true),
        PieceKind::Rook => (straight.to_vec(), true),
        PieceKind::Queen => ([straight, diagonal].concat(), true),
        PieceKind::King => ([straight, diagonal].concat(), false),
    };
    let mut found = Vec::new();
    for (file, rank) in steps {
        let mut at = (from.file() as i8 + file, from.rank() as i8 + rank);
        while let Some(next) = square(at) {
            found.push(next);
            if !slides || position.piece_at(next).is_some() {
                break;
            }
            at = (at.0 + file, at.1 + rank);
        }
    }
    found
}

#[derive(Default)]
struct Attacks {
    threatened: usize,
    hanging: usize,
}

impl Visit for Attacks {
    fn visit<R: ChessRules>(&mut self, position: &ChessPosition<R>) {
        let encoded = Encoded::new(position, 0, false);
        let flip = if position.side_to_move() == Color::Black { 56 } else { 0 };
        let on = |plane: String, square: Square| encoded.value(&plane, square.index() ^ flip) == 1.0;
        for side in Color::ALL {
            let name = |side: Color| if side == position.side_to_move() { "own" } else { "enemy" };
            let mut attackers: Vec<Vec<PieceKind>> = vec![Vec::new(); 64];
            for from in Square::all() {
                if let Some((owner, kind)) = position.piece_at(from)
                    && owner == side
                {
                    reach(position, from, side, kind).iter().for_each(|to| attackers[to.index()].push(kind));
                }
            }
            for square in Square::all() {
                let by = &attackers[square.index()];
                assert_eq!(on(format!("{} pawn attacks", name(side)), square), by.contains(&PieceKind::Pawn));
                let attacked = on(format!("{} attacks", name(side)), square);
                let own_catapult = position.catapults(side).has(square);
                if own_catapult {
                    // A teleport may attack it besides.
                    assert!(attacked || by.is_empty(), "{position} {square}");
                } else if !position.rules().instant() {
                    assert_eq!(attacked, !by.is_empty(), "{position} {square}");
                }
                let target =
                    position.piece_at(square).filter(|(owner, _)| *owner != side).map(|(_, kind)| kind);
                let value = |kind: PieceKind| if kind == PieceKind::King { i32::MAX } else { kind.value() };
                let threatened = target.is_some_and(|kind| {
                    kind != PieceKind::King && by.iter().any(|by| value(*by) < kind.value())
                });
                assert_eq!(
                    on(format!("{} threatened", name(!side)), square),
                    threatened,
                    "{position} {square}"
                );
                let defended = on(format!("{} attacks", name(!side)), square);
                let hanging = target.is_some_and(|kind| kind != PieceKind::King && attacked && !defended);
                assert_eq!(on(format!("{} hanging", name(!side)), square), hanging, "{position} {square}");
                self.threatened += usize::from(threatened);
                self.hanging += usize::from(hanging);
            }
        }
    }
}

#[test]
fn attacks_are_what_a_walk_over_the_board_finds() {
    let mut seen = Attacks::default();
    for variant in variants() {
        random_games(variant, 3, &mut seen);
    }
    assert!(seen.threatened > 1000 && seen.hanging > 1000, "{} {}", seen.threatened, seen.hanging);
}
