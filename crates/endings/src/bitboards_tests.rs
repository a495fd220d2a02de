//! Compares moves on bitboards with `catapult_rules` on random positions. A bitboard must contain a
//! position if and only if a legal move leads from it into the given set.

use crate::bitboards::{Sets, TableRules};
use crate::conversions::Conversions;
use crate::geometry::{apply, bit};
use crate::key::TableKey;
use crate::layer::Layer;
use crate::lines::fen_of;
use crate::probe::locate;
use crate::space::Located;
use crate::value::{Codes, Metric};
use catapult_rules::{AnyChess, AnyRules, Outcome, Position};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Returns a DTM table in which all positions are drawn.
fn drawn(key: TableKey) -> Layer {
    let rules = TableRules::of(key);
    let positions = rules.space.words() * 64;
    Layer { rules, metric: Metric::Dtm, codes: [Codes::new(positions), Codes::new(positions)] }
}

/// A set of positions: bitboards by side to move and number. Without a pawn, a table stores a
/// position with White's king on the long diagonal twice, and the set contains both copies.
struct Marks {
    bitboards: [Vec<u64>; 2],
}

impl Marks {
    fn set(&mut self, rules: &TableRules, at: &Located, on: bool) {
        let space = &rules.space;
        let stored = space.locate(at.men, at.black);
        let home = |symmetry: u8| crate::geometry::BOARD.symmetries[symmetry as usize];
        // These symmetries keep White's king on a stored square: one, or two on the long diagonal.
        let kept = (0..if space.pawn { 2 } else { 8 })
            .filter(|&symmetry| space.kings.contains(&home(symmetry)[at.men.king as usize]));
        let mut found = 0;
        for symmetry in kept {
            let king = home(symmetry)[at.men.king as usize];
            let piece = home(symmetry)[at.men.piece as usize];
            let set = crate::space::rank_of(apply(symmetry, at.men.catapults));
            let number = space.kings.iter().position(|k| *k == king).unwrap();
            let word = space.base(set, number) + space.place(piece);
            let black = apply(symmetry, bit(at.black));
            let marked = &mut self.bitboards[at.side][word];
            *marked = if on { *marked | black } else { *marked & !black };
            found += usize::from(word == stored / 64);
        }
        assert!(found > 0);
    }
}

fn check(name: &str, positions: usize) {
    let key: TableKey = name.parse().unwrap();
    let game_rules = AnyRules::of(key.variant()).unwrap();
    let rules = TableRules::of(key);
    let mut conversions = Conversions::collect(&rules, Metric::Dtm, |key| Ok::<_, ()>(drawn(key))).unwrap();
    conversions.reset();
    let space = &rules.space;
    let empty = || Marks { bitboards: [vec![0; space.words()], vec![0; space.words()]] };
    let mut all = empty();
    for word in 0..space.words() {
        let (set, king, place) = space.parts(word);
        let legal = rules.legal(rules.men(set, king, place));
        (all.bitboards[0][word], all.bitboards[1][word]) = (legal[0], legal[1]);
    }
    let mut none = empty();
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let (mut seen, mut left) = (0, 0);
    while seen < positions {
        let word = rng.random_range(0..space.words());
        let (set, king, place) = space.parts(word);
        let men = rules.men(set, king, place);
        let (side, black) = (rng.random_range(0..2usize), rng.random_range(0..64u8));
        // The rules accept exactly the positions that the bitboards call legal.
        let fen = fen_of(&key, men, black, side);
        let distinct = men.king != men.piece && men.king != black && men.piece != black;
        let position = distinct.then(|| AnyChess::from_fen(&fen, game_rules).ok()).flatten();
        assert_eq!(position.is_some(), rules.legal(men)[side] & bit(black) != 0, "{name} {fen}");
        let Some(position) = position else { continue };
        seen += 1;
        let check = if side == 0 { rules.attacked_by_black(men) } else { rules.attacked_by_white(men) };
        assert_eq!(position.in_check(), check & bit(black) != 0, "{name} {fen}");

        let reaches = |marks: &Marks, out: bool| {
            let table = &marks.bitboards[1 - side][..];
            let [without, promoted, used] = [&conversions.without, &conversions.promoted, &conversions.used]
                .map(|at| {
                    let all = at.bitboards(1 - side, false);
                    if out { all.to_vec() } else { vec![0; all.len()] }
                });
            let to = Sets {
                table,
                reset: table,
                without: &without,
                kings: Err(out),
                promoted: &promoted,
                used: &used,
            };
            let (mut candidates, mut found) = (vec![0; space.places], vec![0; space.places]);
            candidates[place] = bit(black);
            if side == 0 {
                rules.white_moves(set, king, &to, &candidates, &mut found);
            } else {
                rules.black_moves(set, king, &to, &candidates, &mut found);
            }
            found[place] != 0
        };
        let mut inside = Vec::new();
        let mut leaves = false;
        position.for_each_successor(|_, after| match locate(after).filter(|at| at.key == key) {
            Some(at) => inside.push((at, *after)),
            None => leaves = true,
        });
        if left < 300 || leaves {
            // The conversions of a pawn are large, so they are tested less often.
            left += 1;
            assert_eq!(reaches(&none, true), leaves, "{name} {fen}: moves out of the table");
        }
        // Each successor alone is found.
        for (at, after) in &inside {
            none.set(&rules, at, true);
            assert!(reaches(&none, false), "{name} {fen}: the move to {after} is not found");
            none.set(&rules, at, false);
        }
        // Without the successors, nothing is found.
        inside.iter().for_each(|(at, _)| all.set(&rules, at, false));
        assert!(!reaches(&all, false), "{name} {fen}: a move too many");
        inside.iter().for_each(|(at, _)| all.set(&rules, at, true));
        assert_ne!(position.outcome(), Some(Outcome::Repetition));
    }
}

#[test]
fn moves_of_kings_and_pieces_are_those_of_the_rules() {
    for name in ["KQvK", "KPvK", "KNvK-attacker-one-fresh", "KBvK-defender-one", "KRvK-attacker-two"] {
        check(name, 400);
    }
}

#[test]
fn moves_of_teleporting_defenders_are_those_of_the_rules() {
    for name in ["KQvK-defender-two+instant", "KNvK-defender-two"] {
        check(name, 1500);
    }
}

/// Under `+bare`, Black's king may capture a piece that only White's king guards by teleport.
#[test]
fn moves_under_bare_are_those_of_the_rules() {
    check("KNvK-attacker-two+bare+instant", 8000);
    check("KRvK-attacker-two+bare", 400);
}

#[test]
fn moves_of_pawns_are_those_of_the_rules() {
    for name in ["KPvK-defender-one-fresh+promote", "KPvK-attacker-one"] {
        check(name, 300);
    }
}

#[test]
fn moves_through_a_middle_square_are_those_of_the_rules() {
    for name in ["KvK-attacker-three+instant", "KBvK-attacker-two+instant"] {
        check(name, 1500);
    }
}
