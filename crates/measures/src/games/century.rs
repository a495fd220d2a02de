//! Uses of the rules that Twenty-First Century Chess adds to chess: Barons, Sorcerers, Jesters,
//! castling over attacked squares.

use super::uses::{bits, uses};
use super::{StudiedGame, Use};
use catapult_rules::century::Square;
use catapult_rules::{Century, CenturyMove, CenturyMoveKind, CenturyPiece, Move, Position};

uses! {
    "use_baron_moves" "Baron moves": "Moves of Barons (rule 1), both sides together, per game.";
    "use_baron_captures" "captures by Barons": "Captures made by Barons (rule 1), per game.";
    "use_sorcerer_promotions" "promotions to Sorcerers": "Pawns and Jesters that become Sorcerers (rules 2 and 4), per game.";
    "use_sorcerer_moves" "Sorcerer moves": "Moves of Sorcerers (rule 1), both sides together, per game.";
    "use_jester_declarations" "Jester declarations":
        "Pawns declared Jesters (rule 3), both sides together, per game: two at most.";
    "use_jester_moves" "Jester moves":
        "Moves of Jesters (rule 4), the declaring one and their promotion among them, per game.";
    "use_jester_captures" "captures by Jesters":
        "Captures made by Jesters (rule 4), those that declare and those in passing among them, per game.";
    "use_castlings_over_attack" "castlings over attacked squares":
        "Castlings in which the king passes a square that the other side attacks (rule 5), per game.";
}

impl StudiedGame for Century {
    const USES: &'static [Use] = USES;

    const CAPTURES: &'static [&'static str] = &["use_baron_captures", "use_jester_captures"];

    fn uses(&self, mv: Move, _after: &Self) -> u16 {
        let CenturyMove { from, to, kind, promotion } = CenturyMove::of(mv);
        let piece = self.piece_at(from).map(|(_, piece)| piece);
        let captures = !self.captures(mv).is_empty();
        let declared = kind == CenturyMoveKind::Declare;
        let [baron, sorcerer] = [CenturyPiece::Baron, CenturyPiece::Sorcerer].map(|kind| piece == Some(kind));
        let jester = piece == Some(CenturyPiece::Jester) || declared;
        bits([
            baron,
            baron && captures,
            promotion.is_some(),
            sorcerer,
            declared,
            jester,
            jester && captures,
            kind == CenturyMoveKind::Castle && passes_attack(self, from, to),
        ])
    }
}

/// Returns true if the side that is not to move attacks a square strictly between `from` and `to`.
/// Both squares must be on one rank.
fn passes_attack(position: &Century, from: Square, to: Square) -> bool {
    let attacked = position.attacks(!position.side_to_move());
    let files = from.file().min(to.file()) + 1..from.file().max(to.file());
    files.filter_map(|file| Square::at(file, from.rank())).any(|square| attacked.has(square))
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_uses;
    use catapult_rules::Century;

    #[test]
    fn uses_are_told_apart() {
        assert_uses::<Century>(&[
            ("", "e2e4", &[][..]),
            ("", "e2e4j", &["use_jester_declarations", "use_jester_moves"]),
            ("", "e2f3j", &["use_jester_declarations", "use_jester_moves"]),
            // The Baron on d1 leaps like a knight.
            ("", "d1e3", &["use_baron_moves"]),
            ("5k4/10/10/7p2/10/10/10/3A1K4 w - - 0 1 -", "d1h5", &["use_baron_moves", "use_baron_captures"]),
            // A knight moves.
            ("", "b1c3", &[]),
            ("10/P9/5k4/10/10/10/10/5K4 w - - 0 1 -", "a7a8s", &["use_sorcerer_promotions"]),
            ("5k4/10/10/10/10/10/10/S4K4 w - - 0 1 -", "a1b3", &["use_sorcerer_moves"]),
            // A Jester steps diagonally, with or without a capture, and promotes.
            ("5k4/10/10/10/3p6/4J5/10/5K4 w - - 0 1 j", "e3f4", &["use_jester_moves"]),
            ("5k4/10/10/10/3p6/4J5/10/5K4 w - - 0 1 j", "e3d4", &["use_jester_moves", "use_jester_captures"]),
            (
                "10/J9/5k4/10/10/10/10/5K4 w - - 0 1 j",
                "a7b8s",
                &["use_sorcerer_promotions", "use_jester_moves"],
            ),
            // En passant.
            (
                "5k4/10/10/3pJ5/10/10/10/5K4 w - d6 0 1 j",
                "e5d6",
                &["use_jester_moves", "use_jester_captures"],
            ),
            ("5k4/10/10/3pP5/10/10/10/5K4 w - d6 0 1 -", "e5d6", &[]),
            // The king passes g1 and h1. The rook attacks g1, then h1, then neither.
            ("5k4/6r3/10/10/10/10/10/5K3R w K - 0 1 -", "f1i1", &["use_castlings_over_attack"]),
            ("5k4/7r2/10/10/10/10/10/5K3R w K - 0 1 -", "f1i1", &["use_castlings_over_attack"]),
            ("5k4/9r/10/10/10/10/10/5K3R w K - 0 1 -", "f1i1", &[]),
            ("5k4/2r7/10/10/10/10/10/R4K4 w Q - 0 1 -", "f1b1", &["use_castlings_over_attack"]),
            ("r4k4/10/10/10/10/10/3R6/5K4 b q - 0 1 -", "f8b8", &["use_castlings_over_attack"]),
            // Attacks on other squares do not count: the king ends on b1, and a1 lies beyond it.
            ("5k4/r9/10/10/10/10/10/R4K4 w Q - 0 1 -", "f1b1", &[]),
        ]);
    }
}
