use super::super::testing;
use super::*;
use catapult_rules::{Variant, with_chess_rules};

/// Plays the move `text` from `fen`, or from the start position if `fen` is empty. Returns the
/// ids of the move's uses, and the move's aim.
fn play(variant: &str, fen: &str, text: &str) -> (Vec<&'static str>, Option<Aim>) {
    let variant: Variant = variant.parse().unwrap();
    let found = with_chess_rules!(variant, |P, rules| {
        let before = if fen.is_empty() { P::start(rules) } else { P::from_fen(fen, rules).unwrap() };
        let mv = before.parse_move(text).unwrap();
        let mut after = before;
        after.play(mv);
        (testing::ids::<P>(before.uses(mv, &after)), before.aim(mv, &after))
    });
    found.unwrap()
}

const ATTACKS: Option<Aim> = Some(Aim { attacks: true, defends: false });
const DEFENDS: Option<Aim> = Some(Aim { attacks: false, defends: true });
const NEITHER: Option<Aim> = Some(Aim { attacks: false, defends: false });

#[test]
fn uses_are_told_apart() {
    // Boards of the rules reference.
    for (variant, fen, text, uses) in [
        ("chess", "", "e2e4", &[][..]),
        ("chesspp", "4k3/8/8/7r/8/8/8/N3K3 w - - 3 7 a1h5/-", "a1h5t", &["teleports", "teleport_captures"]),
        ("chesspp", "4k3/8/8/8/8/N7/6P1/4K3 w - - 3 1 -/a3g3", "g2g3", &["catapult_captures"]),
        ("chesspp", "7k/8/8/8/8/8/8/7K w - - 0 1 d4*/-", "d4d5", &["catapult_moves"]),
        (
            "chesspp+instant+third",
            "7k/8/5p2/p7/8/8/8/R3K3 w - - 4 1 a5f6h1/-",
            "a1a5f6",
            &["instant_teleports", "teleport_captures", "third_catapult_teleports"],
        ),
        // Two catapults are left, so the piece has no choice.
        ("chesspp+third", "7k/8/8/8/8/8/8/N3K3 w - - 0 1 a1c4/-", "a1c4t", &["teleports"]),
        (
            "chesspp+third",
            "7k/8/8/8/8/8/8/N3K3 w - - 0 1 a1c4g6/-",
            "a1c4t",
            &["teleports", "third_catapult_teleports"],
        ),
        (
            "chesspp+pawns",
            "4k3/8/8/8/8/8/6P1/4K3 w - - 5 1 c6g2/-",
            "g2c6t",
            &["teleports", "pawn_teleports"],
        ),
        ("chesspp+pawns", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1 a1c6/-", "a1c6t", &["teleports"]),
        (
            "chesspp+instant+pawns",
            "7k/8/8/8/8/8/2P5/4K3 w - - 4 1 c3g6/-",
            "c2c3g6",
            &["instant_teleports", "pawn_teleports"],
        ),
        ("chesspp", "7k/8/8/8/8/8/8/R3K3 w - - 0 1 a1h4/-", "a1h4t", &["teleports", "teleport_checks"]),
        ("chesspp+free", "", "c@b1", &["catapult_placements"]),
        ("chesspp+free", "", "c@d1", &["placements_elsewhere", "catapult_placements"]),
        ("chesspp+free+third", "", "c@d1", &["catapult_placements"]),
        ("chesspp+promote", "5n1k/4P3/8/8/8/8/8/4K3 w - - 3 1 a1/-", "e7f8c", &["catapult_promotions"]),
    ] {
        assert_eq!(play(variant, fen, text).0, uses, "{text} in {fen}");
    }
}

#[test]
fn aims_are_told_apart() {
    for (fen, text, aim) in [
        // The knight captures a rook.
        ("4k3/8/8/7r/8/8/8/N3K3 w - - 3 7 a1h5/-", "a1h5t", ATTACKS),
        // The knight interposes and ends a check.
        ("4r2k/8/8/8/8/8/8/N3K3 w - - 0 1 a1e4/-", "a1e4t", DEFENDS),
        // A rook moves without effect.
        ("4k3/8/8/8/8/8/8/1R4K1 w - - 0 1 a2b1/-", "b1a2t", NEITHER),
        // The knight leaves a square that a bishop attacks for one that nothing attacks.
        ("4k3/8/8/4b3/8/2N5/8/6K1 w - - 0 1 b3c3/-", "c3b3t", DEFENDS),
        // The knight newly attacks an unguarded knight.
        ("4k3/8/8/2n5/8/8/8/N5K1 w - - 0 1 a1a4/-", "a1a4t", ATTACKS),
        // A knight guarded by a pawn is worth no more than its attacker.
        ("4k3/8/3p4/2n5/8/8/8/N5K1 w - - 0 1 a1a4/-", "a1a4t", NEITHER),
        // A guarded rook is worth more than its attacker.
        ("4k3/8/3p4/2r5/8/8/8/N5K1 w - - 0 1 a1a4/-", "a1a4t", ATTACKS),
        // The knight guards a pawn that a rook attacks.
        ("3rk3/8/8/8/3P4/8/8/N5K1 w - - 0 1 a1e2/-", "a1e2t", DEFENDS),
        // The knight lands in the enemy's half.
        ("k7/8/8/8/8/8/8/N5K1 w - - 0 1 a1h6/-", "a1h6t", ATTACKS),
        // A catapult steps without effect.
        ("4k3/8/8/8/3q4/8/8/7K w - - 0 1 d3h1/-", "d3e3", NEITHER),
    ] {
        assert_eq!(play("chesspp", fen, text).1, aim, "{text} in {fen}");
    }
    assert_eq!(play("chesspp+free", "", "c@b1").1, None);
    // Black's half is seen from Black's side.
    assert_eq!(play("chesspp", "n3k3/8/8/8/8/8/8/6K1 b - - 0 1 -/a8b3", "a8b3t").1, ATTACKS);
    assert_eq!(play("chesspp", "n3k3/8/8/8/8/8/8/6K1 b - - 0 1 -/a6a8", "a8a6t").1, NEITHER);
}

#[test]
fn squares_are_seen_from_the_movers_side() {
    let marks = |fen: &str, text: &str| {
        let position = catapult_rules::ChessPp::from_fen(fen, catapult_rules::Plain).unwrap();
        position.marks(position.parse_move(text).unwrap())
    };
    // a1 is square 0 and a3 is 16. Seen from Black's side, so are a8 and a6.
    assert_eq!(marks("4k3/8/8/8/8/8/8/N5K1 w - - 0 1 a1a3/-", "a1a3t"), [(0, 0), (0, 16), (1, 16)]);
    let mut black = marks("n3k3/8/8/8/8/8/8/6K1 b - - 0 1 -/a6a8", "a8a6t");
    black.sort();
    assert_eq!(black, [(0, 0), (0, 16), (1, 16)]);
}

#[test]
fn placements_are_marked_on_a_board_of_their_own() {
    let variant: Variant = "chesspp+free".parse().unwrap();
    let Variant::ChessPp(rules) = variant else { panic!() };
    let start = catapult_rules::ChessPpProposals::start(rules);
    assert_eq!(start.marks(start.parse_move("c@g1").unwrap()), [(2, 6)]);
}

#[test]
fn set_ups_are_counted() {
    for (name, plies) in
        [("chess", 0), ("chesspp", 0), ("chesspp+free", 4), ("chesspp+free+third", 6), ("maxim", 0)]
    {
        assert_eq!(super::super::GameInfo::of(name.parse().unwrap()).setup_plies, plies, "{name}");
    }
}
