//! Uses of the rules that Maxim chess adds to chess: portals, shared squares, pushes, knights that
//! move along ranks and files.

use super::uses::{bits, uses};
use super::{MapInfo, StudiedGame, Use};
use catapult_rules::{Color, Maxim, MaximMove, MaximMoveKind, Move, Phase, PieceKind, Position, Square};

uses! {
    "use_portals_declared" "pairs of portals": "Pairs of portals declared (rule 8), both sides together, per game.";
    "use_portal_passages" "passages through portals":
        "Moves that end on a portal and come out at the other (rule 9), per game.";
    "use_foreign_portals" "passages through the other side's portals":
        "Moves that end on a portal of the other side and come out at its other one (rule 9), per game.";
    "use_shared_squares" "moves that stack two pieces":
        "Moves that end on a square with a friend, which the two then share (rule 1), per game.";
    "use_stack_captures" "captures of stacks": "Captures of a square that two pieces share (rule 4), per game.";
    "use_pushes" "pushes":
        "Captures of a shared square in which the later piece is pushed aside instead of captured (rule 4), per game.";
    "use_knight_moves" "knight moves":
        "Moves of knights, which go along ranks and files (rule 2), both sides together, per game.";
    "use_knight_captures" "captures by knights": "Captures made by knights (rule 2), per game.";
    "use_sideways_pawns" "sideways pawn moves": "Moves of pawns out of a shared square, sideways (rule 6), per game.";
    "use_removed_pawns" "pawns removed on the last rank":
        "Pawns that come to their last rank and are removed (rule 7), per game.";
}

impl StudiedGame for Maxim {
    const USES: &'static [Use] = USES;

    const TELEPORTS: &'static [&'static str] = &["use_portal_passages"];

    const CAPTURES: &'static [&'static str] = &["use_stack_captures", "use_knight_captures"];

    const MAPS: &'static [MapInfo] = &[
        MapInfo { id: "portals", title: "where portals are declared", per_game: true },
        MapInfo { id: "passages", title: "where pieces come out of portals", per_game: true },
    ];

    fn uses(&self, mv: Move, after: &Self) -> u16 {
        let us = self.side_to_move();
        let MaximMove { from, to, push, kind } = MaximMove::of(mv);
        let piece = match kind {
            MaximMoveKind::Piece(piece) => piece,
            MaximMoveKind::Portal => return bits([matches!(self.phase(), Phase::Second(_))]),
            MaximMoveKind::Done => return 0,
        };
        let captures = !self.captures(mv).is_empty();
        let (pawn, knight) = (piece == PieceKind::Pawn, piece == PieceKind::Knight);
        let pawns = |position: &Maxim| position.count_pieces(us)[PieceKind::Pawn as usize];
        bits([
            false,
            out_of_portal(self, to).is_some(),
            self.portals(!us).has(to),
            self.occupied_by(us).has(to),
            captures && self.stacks().has(to),
            push.is_some(),
            knight,
            knight && captures,
            pawn && from.rank() == to.rank(),
            pawns(after) < pawns(self),
        ])
    }

    fn marks(&self, mv: Move) -> Vec<(usize, usize)> {
        let us = self.side_to_move();
        let seen = |square: Square| if us == Color::White { square } else { square.flip_ranks() }.index();
        let MaximMove { to, kind, .. } = MaximMove::of(mv);
        match kind {
            MaximMoveKind::Portal => vec![(0, seen(to))],
            MaximMoveKind::Piece(_) => {
                out_of_portal(self, to).map(|square| (1, seen(square))).into_iter().collect()
            }
            MaximMoveKind::Done => Vec::new(),
        }
    }
}

/// Returns the second portal of the pair to which the portal `square` belongs. `None` if `square`
/// is not a portal.
fn out_of_portal(position: &Maxim, square: Square) -> Option<Square> {
    let mut pairs = Color::ALL.map(|side| position.portals(side)).into_iter();
    pairs.find(|pair| pair.has(square))?.into_iter().find(|other| *other != square)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_uses, marks};
    use catapult_rules::Maxim;

    #[test]
    fn uses_are_told_apart() {
        assert_uses::<Maxim>(&[
            ("", "e2e4", &[][..]),
            // The knight on b1 moves along its file to b2, which it shares with the pawn.
            ("", "b1b2", &["use_shared_squares", "use_knight_moves"]),
            // A rook captures on a shared square: it takes the pawn, and the bishop is pushed
            // aside.
            ("4k3/8/8/4(pb)3/8/8/8/4RK2 w - - 0 1 -/- -", "e1e5>d5", &["use_stack_captures", "use_pushes"]),
            ("4k3/8/8/4p3/8/8/8/4RK2 w - - 0 1 -/- -", "e1e5", &[]),
            // A knight moves two squares along its file and captures.
            ("4k3/8/8/8/8/4p3/8/4NK2 w - - 0 1 -/- -", "e1e3", &["use_knight_moves", "use_knight_captures"]),
            // A pawn leaves a shared square sideways.
            ("4k3/8/8/8/8/4(PB)3/8/5K2 w - - 0 1 -/- -", "Pe3d3", &["use_sideways_pawns"]),
            // A pawn reaches its last rank.
            ("8/P7/5k2/8/8/8/8/5K2 w - - 0 1 -/- -", "a7a8", &["use_removed_pawns"]),
            // A rook passes through White's own portals, then through Black's.
            ("4k3/8/8/8/8/8/8/R4K2 w - - 0 1 a5h5/- -", "a1a5", &["use_portal_passages"]),
            (
                "4k3/8/8/8/8/8/8/R4K2 w - - 0 1 -/a5h5 -",
                "a1a5",
                &["use_portal_passages", "use_foreign_portals"],
            ),
            // A rook passes over a portal without ending on it.
            ("4k3/8/8/8/8/8/8/R4K2 w - - 0 1 a5h5/- -", "a1a6", &[]),
            // A pawn passes through a portal to the last rank.
            (
                "4k3/8/8/8/8/8/P7/5K2 w - - 0 1 a3h8/- -",
                "a2a3",
                &["use_portal_passages", "use_removed_pawns"],
            ),
            // Only the choice of the second square declares a pair.
            ("4k3/8/8/8/8/8/8/R4K2 w - - 1 1 -/- ?", "@c3", &[]),
            ("4k3/8/8/8/8/8/8/R4K2 w - - 1 1 -/- @c3", "@f6", &["use_portals_declared"]),
            ("4k3/8/8/8/8/8/8/R4K2 w - - 1 1 -/- ?", "done", &[]),
        ]);
    }

    #[test]
    fn portals_are_seen_from_the_movers_side() {
        // c3 is square 18, h5 39.
        assert_eq!(marks::<Maxim>("4k3/8/8/8/8/8/8/R4K2 w - - 1 1 -/- ?", "@c3"), [(0, 18)]);
        assert_eq!(marks::<Maxim>("4k3/8/8/8/8/8/8/R4K2 w - - 0 1 a5h5/- -", "a1a5"), [(1, 39)]);
        assert_eq!(marks::<Maxim>("r4k2/8/8/8/8/8/8/4K3 b - - 0 1 -/a4h4 -", "a8a4"), [(1, 39)]);
    }
}
