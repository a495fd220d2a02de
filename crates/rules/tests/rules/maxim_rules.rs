//! Tests of the numbered rules of Maxim chess, in positions in which the tested rule decides.

use crate::common::{CLOCK, Report, field, report};
use catapult_rules::{Game, Maxim, Outcome, Position};

const SIDE: usize = 1;
const EN_PASSANT: usize = 3;
const NUMBER: usize = 5;
const PORTALS: usize = 6;
const PHASE: usize = 7;

#[track_caller]
fn ask(fen: &str) -> Report {
    report(&read(fen))
}

/// Returns the report on a position with this placement and these portals, in which White is to
/// move a piece.
#[track_caller]
fn white(board: &str, portals: &str) -> Report {
    ask(&format!("{board} w - - 0 1 {portals} -"))
}

/// Returns the placement field of the FEN after a move.
#[track_caller]
fn after(report: &Report, text: &str) -> String {
    field(report.after(text), 0).to_owned()
}

#[test]
fn the_start() {
    let start = Maxim::start(());
    assert_eq!(start.to_string(), "rnpqkpnr/bppppppb/8/8/8/8/BPPPPPPB/RNPQKPNR w - - 0 1 -/- -");
    let moves = ask(&start.to_string());
    // A pawn goes onto its friend; the bishops in the corners are free; nobody castles.
    for text in ["b2b3", "b2b4", "c1c2", "e1e2", "a2b3", "a1b1", "d1c1", "b1b4", "b1e1", "b1a1"] {
        assert!(moves.has(text), "{text} among {:?}", moves.texts());
    }
    for text in ["e1c1", "e1g1", "c1c3", "b1c3", "b1b3", "a1a3"] {
        assert!(!moves.has(text), "{text}");
    }
}

#[test]
fn r1_where_a_move_ends() {
    let onto_a_friend = white("4k3/8/8/8/8/8/8/R2B1K2", "-/-");
    assert_eq!(onto_a_friend.of("a1d1"), ["a1d1"]);
    assert_eq!(after(&onto_a_friend, "a1d1"), "4k3/8/8/8/8/8/8/3(BR)1K2");
    assert!(!onto_a_friend.has("a1e1"));
    let full = white("4k3/8/8/8/8/8/8/R2(BN)1K2", "-/-");
    assert!(full.has("a1c1") && !full.has("a1d1") && !full.has("a1e1"));
    let enemies = white("4k3/r2(nb)4/8/8/8/8/8/R2Q1K2", "-/-");
    assert!(enemies.has("a1a7") && !enemies.has("a1a8"));
    assert!(enemies.has("d1d7>d6") && !enemies.has("d1d8"));
}

#[test]
fn r2_knights() {
    let alone = white("4k3/8/8/8/3N4/8/8/4K3", "-/-");
    assert_eq!(alone.of("d4"), ["d4b4", "d4c4", "d4d2", "d4d3", "d4d5", "d4d6", "d4e4", "d4f4"]);
    // A friend on the first square: onto it, or over it to the third. An enemy on the second: captured, or leapt over.
    let leaps = white("4k3/8/3p4/8/2BN4/8/8/4K3", "-/-");
    assert_eq!(leaps.of("d4"), ["d4a4", "d4c4", "d4d2", "d4d3", "d4d5", "d4d6", "d4d7", "d4e4", "d4f4"]);
    let over_two = white("4k3/8/8/8/1ppN4/8/8/4K3", "-/-");
    assert!(over_two.has("d4c4") && !over_two.has("d4b4") && over_two.has("d4a4"));
    let five = white("4k3/8/8/8/1pppN3/8/8/4K3", "-/-");
    assert!(five.has("e4b4") && !five.has("e4a4"));
    assert!(!white("4k3/8/8/8/2(BB)N4/8/8/4K3", "-/-").has("d4c4"));
}

#[test]
fn r3_moving_out_of_a_stack() {
    let stack = white("4k3/8/8/8/3(NB)4/8/8/4K3", "-/-");
    assert!(stack.has("Nd4e4") && stack.has("Bd4e5") && stack.of("d4").is_empty());
    assert_eq!(after(&stack, "Nd4e4"), "4k3/8/8/8/3BN3/8/8/4K3");
    assert_eq!(after(&stack, "Bd4e5"), "4k3/8/8/4B3/3N4/8/8/4K3");
    let black = ask("4k3/8/8/3(nb)4/8/8/8/4K3 b - - 0 1 -/- -");
    assert!(black.has("Nd5d4") && black.has("Bd5e4"));
    // Moves of two pieces of one kind are the same.
    let twins = white("4k3/8/8/8/3(RR)4/8/8/4K3", "-/-");
    assert!(twins.has("d4d5") && !twins.has("Rd4d5"));
    assert_eq!(after(&twins, "d4d5"), "4k3/8/8/3R4/3R4/8/8/4K3");
}

#[test]
fn r4_capturing_a_stack() {
    let choices = white("4k3/8/8/4(nb)3/8/8/4R3/6K1", "-/-");
    assert_eq!(choices.of("e2e5"), ["e2e5>d5", "e2e5>e4", "e2e5>e6", "e2e5>f5"]);
    assert_eq!(after(&choices, "e2e5>d5"), "4k3/8/8/3bR3/8/8/8/6K1");
    assert_eq!(field(choices.after("e2e5>d5"), CLOCK), "0");
    // Only to empty squares.
    let some_taken = white("4k3/8/4p3/4(nb)P2/8/8/4R3/6K1", "-/-");
    assert_eq!(some_taken.of("e2e5"), ["e2e5>d5", "e2e5>e4"]);
    // The square that the capturing piece left, if no other piece remains there.
    assert!(white("4k3/8/8/4(nb)3/4R3/8/8/6K1", "-/-").has("e4e5>e4"));
    let shared = white("4k3/8/8/4(nb)3/4(RN)3/8/8/6K1", "-/-");
    assert!(shared.has("Re4e5>d5") && !shared.has("Re4e5>e4"));
    // Not onto anyone's portal.
    let portals = white("4k3/8/8/4(nb)3/8/8/4R3/6K1", "e4h7/d5h8");
    assert_eq!(portals.of("e2e5"), ["e2e5>e6", "e2e5>f5"]);
    // A pawn not onto its last rank.
    let pawn = white("4k3/8/8/8/8/8/R3(np)3/7K", "-/-");
    assert_eq!(pawn.of("a2e2"), ["a2e2>d2", "a2e2>e3", "a2e2>f2"]);
    assert!(white("4k3/8/8/8/8/8/R3(pn)3/7K", "-/-").has("a2e2>e1"));
    // Without such a square, both are captured.
    let cornered = white("(nb)p5k/p7/8/8/8/8/8/K6B", "-/-");
    assert_eq!(cornered.of("h1a8"), ["h1a8"]);
    assert_eq!(after(&cornered, "h1a8"), "Bp5k/p7/8/8/8/8/8/K7");
}

#[test]
fn r5_a_pawn_alone() {
    let onto_friends = white("4k3/8/8/8/4N3/8/4P3/4K3", "-/-");
    assert_eq!(onto_friends.of("e2"), ["e2e3", "e2e4"]);
    assert_eq!(after(&onto_friends, "e2e4"), "4k3/8/8/8/4(NP)3/8/8/4K3");
    assert_eq!(white("4k3/8/8/8/8/4N3/4P3/4K3", "-/-").of("e2"), ["e2e3"]);
    assert!(white("4k3/8/8/8/8/4(NN)3/4P3/4K3", "-/-").of("e2").is_empty());
    assert_eq!(white("4k3/8/8/8/4(NN)3/8/4P3/4K3", "-/-").of("e2"), ["e2e3"]);
    // Straight ahead it captures nothing; diagonally it only captures.
    assert_eq!(white("4k3/8/8/8/4p3/8/4P3/4K3", "-/-").of("e2"), ["e2e3"]);
    assert!(white("4k3/8/8/8/8/4p3/4P3/4K3", "-/-").of("e2").is_empty());
    let diagonal = white("4k3/8/8/8/8/3N1p2/4P3/4K3", "-/-");
    assert_eq!(diagonal.of("e2"), ["e2e3", "e2e4", "e2f3"]);
    // One step from its first rank, and from its third.
    assert_eq!(white("4k3/8/8/8/8/8/8/4PK2", "-/-").of("e1"), ["e1e2"]);
    assert_eq!(white("4k3/8/8/8/8/4P3/8/4K3", "-/-").of("e3"), ["e3e4"]);
}

#[test]
fn r5_en_passant() {
    let step = white("4k3/8/8/8/3p4/8/4P3/4K3", "-/-");
    assert_eq!(field(step.after("e2e4"), EN_PASSANT), "e3");
    let take = ask("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1 -/- -");
    assert_eq!(after(&take, "d4e3"), "4k3/8/8/8/8/4p3/8/4K3");
    // The capturer is alone on its square.
    let sharing = white("4k3/8/8/8/3(np)4/8/4P3/4K3", "-/-");
    assert_eq!(field(sharing.after("e2e4"), EN_PASSANT), "-");
    // Onto a friend, who stays.
    let onto = white("4k3/8/8/8/3pN3/8/4P3/4K3", "-/-");
    assert_eq!(field(onto.after("e2e4"), EN_PASSANT), "e3");
    let from_over = ask("4k3/8/8/8/3p(NP)3/8/8/4K3 b - e3 0 1 -/- -");
    assert_eq!(after(&from_over, "d4e3"), "4k3/8/8/8/4N3/4p3/8/4K3");
    let twins = ask("4k3/8/8/8/3p(PP)3/8/8/4K3 b - e3 0 1 -/- -");
    assert_eq!(after(&twins, "d4e3"), "4k3/8/8/8/4P3/4p3/8/4K3");
}

#[test]
fn r6_a_pawn_sharing_its_square() {
    let free = white("4k3/8/8/8/4(NP)3/8/8/4K3", "-/-");
    assert_eq!(free.of("Pe4"), ["Pe4d4", "Pe4f4"]);
    let captures = white("4k3/8/8/3p4/3n(PN)B2/8/8/4K3", "-/-");
    assert_eq!(captures.of("Pe4"), ["Pe4d4", "Pe4f4"]);
    assert_eq!(after(&captures, "Pe4d4"), "4k3/8/8/3p4/3PNB2/8/8/4K3");
    assert_eq!(after(&captures, "Pe4f4"), "4k3/8/8/3p4/3nN(BP)2/8/8/4K3");
    assert!(white("4k3/8/8/8/3(NN)(PN)B2/8/8/4K3", "-/-").of("Pe4d4").is_empty());
    // It has no double step and no capture en passant.
    assert_eq!(white("4k3/8/8/8/8/8/4(NP)3/4K3", "-/-").of("Pe2"), ["Pe2d2", "Pe2f2"]);
    let passing = ask("4k3/8/8/3p(NP)3/8/8/8/4K3 w - d6 0 1 -/- -");
    assert_eq!(passing.of("Pe5"), ["Pe5d5", "Pe5f5"]);
    // A move to the very square that was passed is not a capture en passant.
    let beside = ask("7k/8/4(BP)3/3pP3/8/8/8/4K3 w - d6 0 1 -/- -");
    assert_eq!(after(&beside, "Pe6d6"), "7k/8/3PB3/3pP3/8/8/8/4K3");
    assert_eq!(after(&beside, "e5d6"), "7k/8/3P(BP)3/8/8/8/8/4K3");
}

#[test]
fn r7_the_last_rank() {
    let step = white("7k/4P3/8/8/8/8/8/4K3", "-/-");
    assert_eq!(step.of("e7"), ["e7e8"]);
    assert_eq!(after(&step, "e7e8"), "7k/8/8/8/8/8/8/4K3");
    let captures = white("3n3k/4P3/8/8/8/8/8/4K3", "-/-");
    assert_eq!(after(&captures, "e7d8"), "7k/8/8/8/8/8/8/4K3");
    let onto = white("4N2k/4P3/8/8/8/8/8/4K3", "-/-");
    assert_eq!(after(&onto, "e7e8"), "4N2k/8/8/8/8/8/8/4K3");
    // Capture and push come first: the square that is captured on is not free for the pushed piece.
    let pushes = white("3(nb)3k/4P3/8/8/8/8/8/4K3", "-/-");
    assert_eq!(pushes.of("e7d8"), ["e7d8>c8", "e7d8>d7", "e7d8>e8"]);
    assert_eq!(after(&pushes, "e7d8>d7"), "7k/3b4/8/8/8/8/8/4K3");
    // The portal comes before the removal, both ways.
    let out = white("7k/4P3/8/8/8/8/8/4K3", "a3e8/-");
    assert_eq!(after(&out, "e7e8"), "7k/8/8/8/8/P7/8/4K3");
    let into = white("7k/8/8/8/8/8/4P3/4K3", "e3b8/-");
    assert_eq!(after(&into, "e2e3"), "7k/8/8/8/8/8/8/4K3");
    // Black's last rank is the first.
    let black = ask("4k3/8/8/8/8/8/p7/4K3 b - - 0 1 -/- -");
    assert_eq!(after(&black, "a2a1"), "4k3/8/8/8/8/8/8/4K3");
}

#[test]
fn r8_decisions_of_a_turn() {
    let turn = ask("4k3/8/8/8/8/8/8/R3K3 b - - 3 7 -/- -");
    let moved = turn.after("e8d8");
    assert_eq!([SIDE, CLOCK, NUMBER, PHASE].map(|n| field(moved, n)), ["b", "4", "7", "?"]);
    let choice = ask(moved);
    let done = choice.after("done");
    assert_eq!([SIDE, CLOCK, NUMBER, PHASE, PORTALS].map(|n| field(done, n)), ["w", "4", "8", "-", "-/-"]);
    let first = choice.after("@c3");
    assert_eq!([SIDE, CLOCK, NUMBER, PHASE, PORTALS].map(|n| field(first, n)), ["b", "4", "7", "@c3", "-/-"]);
    let second = ask(first);
    let declared = second.after("@f6");
    assert_eq!(
        [SIDE, CLOCK, NUMBER, PHASE, PORTALS].map(|n| field(declared, n)),
        ["w", "4", "8", "-", "-/c3f6"]
    );
    // The second square has a higher index than the first. The choice cannot be reversed.
    assert!(second.has("@d3") && second.has("@a4"));
    assert!(!second.has("@b3") && !second.has("@h2") && !second.has("@c3") && !second.has("done"));
    assert!(choice.has("@g8") && !choice.has("@h8"), "h8 has no second square");
    // The square passed by a double step remains until the end of the turn.
    let step = ask("4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1 -/- ?");
    assert_eq!(field(step.after("@c3"), EN_PASSANT), "e3");
    assert_eq!(field(step.after("done"), EN_PASSANT), "e3");
}

#[test]
fn r8_squares_for_portals() {
    // The squares are empty and not the opponent's portals, which the king can pass.
    let choice = ask("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 1 1 -/c3f6 ?");
    assert!(!choice.has("@c3") && !choice.has("@f6") && !choice.has("@e8") && !choice.has("@a2"));
    assert!(choice.has("@a1") && choice.has("@a3") && choice.has("@a8"));
    // Enemies are a wall. The king passes it neither straight nor through a diagonal gap.
    let walled = ask("7k/8/8/8/pppppppp/8/8/K7 w - - 1 1 -/- ?");
    assert!(walled.has("@g3") && !walled.has("@h3") && !walled.has("@a5"));
    let walled = white("7k/8/8/8/8/8/b7/Kb2R3", "-/-");
    assert_eq!([SIDE, PHASE].map(|n| field(walled.after("e1e2"), n)), ["b", "-"], "no pair is legal");
    // The king's own stack.
    assert!(ask("7k/8/8/8/8/8/8/(RK)7 w - - 1 1 -/- ?").has("@b1"));
}

#[test]
fn r8_a_new_pair_replaces_the_old() {
    let choice = ask("4k3/8/8/8/8/8/8/4K3 w - - 1 1 a3f6/- ?");
    assert!(choice.has("@a3") && choice.has("@f6"));
    let one_stays = ask("4k3/8/8/8/8/8/8/4K3 w - - 1 1 a3f6/- @a3");
    assert!(!one_stays.has("@f6"), "the same pair is no declaration");
    assert_eq!(field(one_stays.after("@g6"), PORTALS), "a3g6/-");
    assert!(ask("4k3/8/8/8/8/8/8/4K3 w - - 1 1 -/- ?").has("@g8"));
    assert!(!ask("4k3/8/8/8/8/8/8/4K3 w - - 1 1 g8h8/- ?").has("@g8"));
    // Only two squares are open, and they are the side's portals, so the turn ends with the move.
    let none = white("6k1/8/8/7R/8/8/prp5/K2b4", "b1c1/-");
    assert_eq!([SIDE, PHASE].map(|n| field(none.after("h5g5"), n)), ["b", "-"]);
    let some = white("6k1/8/8/7R/8/8/prp5/K2b4", "-/-");
    assert_eq!(field(some.after("h5g5"), PHASE), "?");
    assert_eq!(ask(some.after("h5g5")).texts(), ["@b1", "done"]);
}

#[test]
fn r8_a_declaration_may_not_give_up_the_king() {
    // The rook on a8 could capture on a1 if the king could not be pushed to a2.
    let one = "r3k3/8/8/8/8/8/8/(NK)R6 w - - 1 1 -/-";
    assert!(!ask(&format!("{one} ?")).has("@a2"));
    assert!(!ask(&format!("{one} @c1")).has("@a2") && ask(&format!("{one} @c1")).has("@b2"));
    let two = "r3k3/8/8/8/8/8/8/(NK)7 w - - 1 1 -/-";
    assert!(ask(&format!("{two} ?")).has("@b1") && ask(&format!("{two} ?")).has("@a2"));
    assert!(!ask(&format!("{two} @b1")).has("@a2") && ask(&format!("{two} @b1")).has("@b2"));
    // Without an attack the king gives way to portals.
    assert!(ask("1r2k3/8/8/8/8/8/8/(NK)7 w - - 1 1 -/- @b1").has("@a2"));
    // An old pair that is replaced frees its squares.
    assert!(ask("r3k3/8/8/8/8/8/8/(NK)7 w - - 1 1 a2h8/- @b1").has("@b2"));
    assert!(!ask("r3k3/8/8/8/8/8/8/(NK)7 w - - 1 1 b1h8/- @b1").has("@a2"));
    // The move itself must be legal with the current portals.
    let before = white("4k2b/8/8/8/8/8/7P/(NK)7", "b1a2/-");
    assert!(before.check && !before.has("h2h3"));
}

#[test]
fn r9_passing_through() {
    let rook = white("7k/8/8/8/8/8/8/R3K3", "a4h5/c6d6");
    assert_eq!(after(&rook, "a1a4"), "7k/8/8/7R/8/8/8/4K3");
    assert_eq!([PORTALS, PHASE].map(|n| field(rook.after("a1a4"), n)), ["-/c6d6", "?"]);
    assert_eq!(after(&rook, "a1a5"), "7k/8/8/R7/8/8/8/4K3");
    assert_eq!(field(rook.after("a1a5"), PORTALS), "a4h5/c6d6");
    // The enemy's pieces pass too.
    let black = ask("r3k3/8/8/8/8/8/8/4K3 b - - 0 1 a4h5/- -");
    assert_eq!(after(&black, "a8a4"), "4k3/8/8/7r/8/8/8/4K3");
    assert_eq!(field(black.after("a8a4"), PORTALS), "-/-");
    // A king passes out of reach.
    let king = white("7k/8/8/8/8/8/8/r3K3", "f2b7/-");
    assert_eq!(after(&king, "e1f2"), "7k/1K6/8/8/8/8/8/r7");
    // No en passant after a double step that ends on a portal, unlike one that passes a portal.
    let step = white("4k3/8/8/8/3p4/8/4P3/4K3", "e4a6/-");
    assert_eq!(after(&step, "e2e4"), "4k3/8/P7/8/3p4/8/8/4K3");
    assert_eq!(field(step.after("e2e4"), EN_PASSANT), "-");
    let passed = white("4k3/8/8/8/3p4/8/4P3/4K3", "e3a6/-");
    assert_eq!([EN_PASSANT, PORTALS].map(|n| field(passed.after("e2e4"), n)), ["e3", "e3a6/-"]);
    let taken = ask("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1 e3a5/- -");
    assert_eq!(after(&taken, "d4e3"), "4k3/8/8/p7/8/8/8/4K3");
}

#[test]
fn r10_check() {
    assert!(!ask("4k3/8/8/8/8/8/8/(NK)6r w - - 0 1 -/- -").check, "the king can be pushed");
    assert!(ask("4k3/8/8/8/8/8/8/(KN)6r w - - 0 1 -/- -").check, "the earlier occupant is captured");
    assert!(ask("4k2b/8/8/8/8/8/P7/(NK)R6 w - - 0 1 -/- -").check, "no square to be pushed to");
    assert!(!ask("4k2b/8/8/8/8/8/8/(NK)R6 w - - 0 1 -/- -").check);
    assert!(ask("4k2b/8/8/8/8/8/8/(NK)R6 w - - 0 1 a2h5/- -").check, "a portal is no such square");
    assert!(ask("4k2b/8/8/8/8/8/8/(NK)R6 w - - 0 1 -/a2h5 -").check);
    // The square that the capturing piece leaves counts, if the piece was alone there.
    assert!(!ask("4k3/8/8/8/8/8/P7/(NK)r6 w - - 0 1 -/- -").check);
    assert!(ask("4k3/8/8/8/8/8/P7/(NK)(rb)6 w - - 0 1 -/- -").check);
    // Pinned pieces give check, and so do pawns as they capture: alone diagonally, sharing sideways.
    assert!(ask("4k3/K3r3/8/8/8/8/4R3/8 w - - 0 1 -/- -").check);
    assert!(ask("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1 -/- -").check);
    assert!(!ask("4k3/8/8/8/8/8/3(pn)4/4K3 w - - 0 1 -/- -").check);
    assert!(ask("4k3/8/8/8/8/8/3(pb)K3/8 w - - 0 1 -/- -").check);
    assert!(!ask("4k3/8/8/8/8/8/3pK3/8 w - - 0 1 -/- -").check);
}

#[test]
fn r10_knights_leap_over_what_comes_between() {
    let hurdle = white("4k3/8/8/8/n7/7R/8/K7", "-/-");
    assert!(!hurdle.check && !hurdle.has("h3a3") && hurdle.has("h3b3"));
    let shield = white("4k3/8/8/8/8/n7/R7/K7", "-/-");
    assert_eq!(shield.of("a2"), ["a2a3"]);
    // A stack that loses one piece still shields.
    assert!(white("4k3/8/8/8/8/n7/(RB)7/K7", "-/-").has("Ra2b2"));
    // The friend under a king may not leave it to be captured.
    let alone = white("4k3/8/8/8/8/8/8/(NK)6r", "-/-");
    assert!(!alone.has("Na1a2") && alone.has("Na1b1") && alone.has("Ka1a2"));
}

#[test]
fn r11_the_clock() {
    let at = |fen: &str, text: &str| field(ask(fen).after(text), CLOCK).to_owned();
    assert_eq!(at("4k3/8/8/8/8/8/4P3/R3K3 w - - 7 9 -/- -", "a1a2"), "8");
    assert_eq!(at("4k3/8/8/8/8/8/4P3/R3K3 w - - 7 9 -/- -", "e2e3"), "0");
    assert_eq!(at("4k3/8/8/8/8/8/4(NP)3/R3K3 w - - 7 9 -/- -", "Pe2d2"), "0");
    assert_eq!(at("4k3/n7/8/8/8/8/8/R3K3 w - - 7 9 -/- -", "a1a7"), "0");
    assert_eq!(at("4k3/8/8/8/8/8/8/R3K3 w - - 7 9 -/- ?", "done"), "7");
    assert_eq!(at("4k3/8/8/8/8/8/8/R3K3 w - - 7 9 -/- ?", "@c3"), "7");
    assert_eq!(at("4k3/8/8/8/8/8/8/R3K3 w - - 7 9 -/- @c3", "@f6"), "7");
}

fn read(fen: &str) -> Maxim {
    Maxim::from_fen(fen, ()).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn r11_what_belongs_to_the_position() {
    let fens = [
        "4k3/8/8/8/3(NB)4/8/8/4K3 w - - 0 1 -/- -",
        "4k3/8/8/8/3(BN)4/8/8/4K3 w - - 0 1 -/- -",
        "4k3/8/8/8/3(NB)4/8/8/4K3 w - - 0 1 a3f6/- -",
        "4k3/8/8/8/3(NB)4/8/8/4K3 w - - 0 1 -/a3f6 -",
        "4k3/8/8/8/3(NB)4/8/8/4K3 w - - 0 1 a3f6/- ?",
        "4k3/8/8/8/3(NB)4/8/8/4K3 w - - 0 1 a3f6/- @a1",
        "4k3/8/8/8/3(NB)4/8/8/4K3 w - - 0 1 a3f6/- @a2",
    ];
    for (i, a) in fens.iter().enumerate() {
        for b in &fens[..i] {
            assert!(read(a) != read(b) && read(a).key() != read(b).key(), "{a} and {b}");
        }
    }
    assert_eq!(read(fens[0]), read("4k3/8/8/8/3(NB)4/8/8/4K3 w - - 9 30 -/- -"));
}

#[track_caller]
fn play(game: &mut Game<Maxim>, texts: &str) {
    for text in texts.split(' ') {
        let mv = game.position().parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        game.push(mv);
    }
}

#[test]
fn r11_repetition_is_judged_at_the_start_of_a_turn() {
    let mut game = Game::new(read("4k2r/8/8/8/8/8/8/R3K3 w - - 0 1 -/- -"));
    for _ in 0..2 {
        assert_eq!(game.outcome(), None);
        play(&mut game, "a1a2 done h8h7 done a2a1 done h7h8");
        assert_eq!(game.outcome(), None, "not in the middle of a turn");
        play(&mut game, "done");
    }
    assert_eq!(game.outcome(), Some(Outcome::Repetition));
    // A portal makes the position different.
    let mut game = Game::new(read("4k2r/8/8/8/8/8/8/R3K3 w - - 0 1 -/- -"));
    play(&mut game, "a1a2 done h8h7 done a2a1 done h7h8 done a1a2 @b3 @c3 h8h7 done a2a1 done h7h8 done");
    assert_eq!((game.repetitions(), game.outcome()), (0, None));
}

#[test]
fn r11_pawn_moves_can_be_taken_back() {
    let mut game = Game::new(read("4k2r/8/8/8/8/2(NP)B4/8/4K3 w - - 5 9 -/- -"));
    for _ in 0..2 {
        play(&mut game, "Pc3d3 done h8h7 done Pd3c3 done h7h8 done");
    }
    assert_eq!(game.outcome(), Some(Outcome::Repetition));
}

#[test]
fn r11_ends() {
    assert_eq!(white("4k3/8/8/8/8/8/8/4K3", "a3f6/-").outcome, Some(Outcome::Dead));
    assert_eq!(white("4k3/8/8/8/8/8/8/4(KN)3", "-/-").outcome, None);
    assert_eq!(ask("4k3/8/8/8/8/8/8/4K3 w - - 0 1 -/- ?").outcome, None);
    assert_eq!(ask("4k3/8/8/8/8/8/8/R3K3 w - - 100 80 -/- -").outcome, Some(Outcome::HundredPlies));
    assert_eq!(ask("4k3/8/8/8/8/8/8/R3K3 w - - 100 80 -/- ?").outcome, None);
    assert_eq!(ask("R5k1/5(pp)(pp)(pp)/8/8/8/8/8/4K3 b - - 100 80 -/- -").outcome, Some(Outcome::Checkmate));
    let stalemate = ask("k7/2Q5/8/2K5/8/8/8/8 b - - 0 1 -/- -");
    assert_eq!((stalemate.outcome, stalemate.check), (Some(Outcome::Stalemate), false));
}
