//! Uses of the rules that Chess and a Half adds to chess: Cats, Guards, Nightriders, double leaps,
//! long pawn steps.

use super::uses::{bits, uses};
use super::{StudiedGame, Use};
use catapult_rules::{Half, HalfMove, HalfMoveKind, HalfPiece, Move};

uses! {
    "use_cat_moves" "moves of Cats": "Moves of Cats and Star Cats (rule 2), both sides together, per game.";
    "use_jump_captures" "jumps with captures":
        "Moves of Cats and Star Cats that capture pieces which they jump over (rule 3), per game.";
    "use_multiple_captures" "multiple captures": "Moves that capture more than one piece (rule 3), per game.";
    "use_guard_moves" "Guard moves": "Moves of Guards (rule 1), both sides together, per game.";
    "use_nightrider_moves" "Nightrider moves": "Moves of Nightriders (rule 1), both sides together, per game.";
    "use_double_leaps" "double leaps of knights": "Knights that leap twice on their first move (rule 4), per game.";
    "use_long_pawn_steps" "long pawn steps": "Pawns that step three or four squares at once (rule 5), per game.";
    "use_new_promotions" "new promotions":
        "Pawns that become Guards or Cats, Cats that become Star Cats, knights that become Nightriders (rule 6), per game.";
    "use_free_castlings" "castlings by other than two squares":
        "Castlings in which the king does not move two squares, as it does in chess (rule 7), per game.";
}

impl StudiedGame for Half {
    const USES: &'static [Use] = USES;

    const CAPTURES: &'static [&'static str] = &["use_jump_captures", "use_multiple_captures"];

    fn uses(&self, mv: Move, _after: &Self) -> u16 {
        let parts = HalfMove::of(mv);
        let piece = self.piece_at(parts.from).map(|(_, piece)| piece);
        let is = |kind: HalfPiece| piece == Some(kind);
        let (files, ranks) =
            (parts.from.file().abs_diff(parts.to.file()), parts.from.rank().abs_diff(parts.to.rank()));
        let becomes = |kinds: &[HalfPiece]| parts.promotion.is_some_and(|kind| kinds.contains(&kind));
        bits([
            is(HalfPiece::Cat) || is(HalfPiece::StarCat),
            !parts.taken_on_the_way().is_empty(),
            self.captures(mv).is_many(),
            is(HalfPiece::Guard),
            is(HalfPiece::Nightrider),
            // One leap covers 1 + 2 squares. Two leaps in one direction cover 2 + 4.
            is(HalfPiece::Knight) && files + ranks == 6,
            is(HalfPiece::Pawn) && ranks >= 3,
            becomes(&[HalfPiece::Guard, HalfPiece::Cat, HalfPiece::StarCat, HalfPiece::Nightrider]),
            parts.kind == HalfMoveKind::Castle && files != 2,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_uses;
    use catapult_rules::Half;

    #[test]
    fn uses_are_told_apart() {
        const KINGS: &str = "6k5/12/12/12/12/12/12/12/12/12/12";
        let with = |rank: &str, rest: &str| format!("{KINGS}/{rank} w {rest}");
        assert_uses::<Half>(&[
            (String::new(), "e2e3", &[][..]),
            (String::new(), "e2e4", &[]),
            (String::new(), "e2e5", &["use_long_pawn_steps"]),
            (String::new(), "e2e6", &["use_long_pawn_steps"]),
            (String::new(), "b1c3", &[]),
            (String::new(), "b1d5", &["use_double_leaps"]),
            (String::new(), "d2d3", &["use_guard_moves"]),
            (String::new(), "d1d4", &["use_cat_moves"]),
            (String::new(), "e1c3", &["use_cat_moves"]),
            // A Star Cat on d1 jumps to d4 over enemies on d2 and d3.
            ("6k5/12/12/12/12/12/12/12/12/3p8/3p8/3S2K5 w - - 0 1 -".into(), "d1d4", &["use_cat_moves"]),
            (
                "6k5/12/12/12/12/12/12/12/12/3p8/3p8/3S2K5 w - - 0 1 -".into(),
                "d1d4xd2",
                &["use_cat_moves", "use_jump_captures"],
            ),
            (
                "6k5/12/12/12/12/12/12/12/12/3p8/3p8/3S2K5 w - - 0 1 -".into(),
                "d1d4xd2xd3",
                &["use_cat_moves", "use_jump_captures", "use_multiple_captures"],
            ),
            // It captures one piece on its way and one on its destination.
            (
                "6k5/12/12/12/12/12/12/12/12/3p8/3p8/3S2K5 w - - 0 1 -".into(),
                "d1d3xd2",
                &["use_cat_moves", "use_jump_captures", "use_multiple_captures"],
            ),
            (with("H5K5", "- - 0 1 -"), "a1b3", &["use_nightrider_moves"]),
            (with("6K4R", "K - 0 1 -"), "g1i1o", &[]),
            (with("6K4R", "K - 0 1 -"), "g1k1o", &["use_free_castlings"]),
            (with("6K4R", "K - 0 1 -"), "g1h1o", &["use_free_castlings"]),
            (with("6K4R", "K - 0 1 -"), "g1h1", &[]),
            ("12/4P7/k11/12/12/12/12/12/12/12/12/6K5 w - - 0 1 -".into(), "e11e12q", &[]),
            ("12/4P7/k11/12/12/12/12/12/12/12/12/6K5 w - - 0 1 -".into(), "e11e12c", &["use_new_promotions"]),
            ("12/4N7/k11/12/12/12/12/12/12/12/12/6K5 w - - 0 1 -".into(), "e11g12h", &["use_new_promotions"]),
            (
                "12/12/k3C7/12/12/12/12/12/12/12/12/6K5 w - - 0 1 -".into(),
                "e10e12s",
                &["use_cat_moves", "use_new_promotions"],
            ),
        ]);
    }
}
