//! Compares the solver with a brute-force solution. The solution uses `catapult_rules`, every FEN
//! of an ending and every move, ply by ply.

use catapult_endings::{TableKey, Tables, Value};
use catapult_rules::{AnyChess, AnyRules, Chess, Position, Square, Standard};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::collections::HashMap;

fn solve(tables: &Tables, name: &str) -> TableKey {
    let key = name.parse().unwrap();
    tables.solve(key, &mut |_, _| true).unwrap();
    key
}

fn fen(pieces: &[(u8, char)], side: char, rest: &str) -> String {
    let at = |square: u8| pieces.iter().find(|(at, _)| *at == square).map_or('1', |(_, piece)| *piece);
    let ranks: Vec<String> =
        (0..8).rev().map(|rank| (0..8).map(|file| at(rank * 8 + file)).collect()).collect();
    format!("{} {side} - - 0 1{rest}", ranks.join("/"))
}

/// King and rook against king in chess. Known results: 175,168 positions with White to move, all
/// won, and a longest win of sixteen moves.
#[test]
fn king_and_rook_against_king_agree_in_every_position() {
    let mut positions = Vec::new();
    let mut numbers = HashMap::new();
    for king in 0..64u8 {
        for rook in 0..64 {
            for black in 0..64 {
                if king == rook || king == black || rook == black {
                    continue;
                }
                for side in ['w', 'b'] {
                    let text = fen(&[(king, 'K'), (rook, 'R'), (black, 'k')], side, "");
                    if let Ok(position) = Chess::from_fen(&text, Standard) {
                        numbers.insert(position.key(), positions.len());
                        positions.push(position);
                    }
                }
            }
        }
    }
    // Successors by number. A captured rook leaves a draw.
    let successors: Vec<Vec<Option<usize>>> = positions
        .iter()
        .map(|position| {
            let mut all = Vec::new();
            position.for_each_successor(|_, after| all.push(numbers.get(&after.key()).copied()));
            all
        })
        .collect();
    let mut values: Vec<Option<Value>> = vec![None; positions.len()];
    for plies in 0..40u16 {
        let known = values.clone();
        let lost = |to: &Option<usize>| to.is_some_and(|to| matches!(known[to], Some(Value::Lost(_))));
        let won = |to: &Option<usize>| to.is_some_and(|to| matches!(known[to], Some(Value::Won(_))));
        for (i, moves) in successors.iter().enumerate().filter(|(i, _)| known[*i].is_none()) {
            values[i] = if moves.is_empty() {
                (plies == 0 && positions[i].in_check()).then_some(Value::Lost(0))
            } else if moves.iter().any(lost) {
                Some(Value::Won(plies))
            } else {
                moves.iter().all(won).then_some(Value::Lost(plies))
            };
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let tables = Tables::new(dir.path());
    solve(&tables, "KRvK");
    let won = |position: &&Value| matches!(position, Value::Won(_));
    assert_eq!(values.iter().flatten().filter(won).count(), 175_168);
    assert!(values.contains(&Some(Value::Lost(32))) && !values.contains(&Some(Value::Lost(34))));
    for (position, value) in positions.iter().zip(&values) {
        let probed = tables.probe(position).unwrap().unwrap();
        let value = value.unwrap_or(Value::Drawn);
        assert_eq!((probed.dtm, probed.dtz), (value, value), "{position}");
    }
}

/// Searches all lines of `depth` plies. Returns the win or loss of the side to move if the lines
/// prove a forced mate, or a draw if the position is stalemate or dead. Returns `None` for other
/// positions.
fn searched(position: &AnyChess, depth: u16) -> Option<Value> {
    if !position.has_legal_move() {
        return Some(if position.in_check() { Value::Lost(0) } else { Value::Drawn });
    }
    if position.is_dead() {
        return Some(Value::Drawn);
    }
    if depth == 0 {
        return None;
    }
    let replies: Vec<Option<Value>> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let mut after = *position;
            after.play(mv);
            searched(&after, depth - 1)
        })
        .collect();
    let lost = |value: &Option<Value>| if let Some(Value::Lost(plies)) = value { Some(*plies) } else { None };
    let won = |value: &Option<Value>| if let Some(Value::Won(plies)) = value { Some(*plies) } else { None };
    match replies.iter().filter_map(lost).min() {
        Some(plies) => Some(Value::Won(plies + 1)),
        None if replies.iter().all(|value| won(value).is_some()) => {
            Some(Value::Lost(replies.iter().filter_map(won).max().unwrap_or(0) + 1))
        }
        None => None,
    }
}

/// Searches random positions of endings with catapults to three plies. The table must agree with
/// every mate found. All other positions must be draws, or longer wins or losses, in the table.
#[test]
fn short_mates_are_those_of_a_full_search() {
    let dir = tempfile::tempdir().unwrap();
    let tables = Tables::new(dir.path());
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let mut decided = 0;
    for (name, piece, owner) in
        [("KQvK-attacker-one", 'Q', 'w'), ("KQvK-defender-one", 'Q', 'b'), ("KPvK-defender-one", 'P', 'b')]
    {
        let key = solve(&tables, name);
        let rules = AnyRules::of(key.variant()).unwrap();
        let mut seen = 0;
        while seen < 60 {
            // Black's king is on the edge with White's king two ranks away, a common pattern of
            // mates.
            let (black, king) = (rng.random_range(56..64u8), rng.random_range(40..48u8));
            let [man, catapult] = [(); 2].map(|()| rng.random_range(0..64u8));
            if king == man || man == black || (black & 7).abs_diff(king & 7) > 1 {
                continue;
            }
            let side = if rng.random_range(0..2) == 0 { 'w' } else { 'b' };
            let square = Square::of(catapult);
            let lists = if owner == 'w' { format!(" {square}/-") } else { format!(" -/{square}") };
            let text = fen(&[(king, 'K'), (man, piece), (black, 'k')], side, &lists);
            let Ok(position) = AnyChess::from_fen(&text, rules) else { continue };
            seen += 1;
            let probed = tables.probe(&position).unwrap().unwrap().dtm;
            match searched(&position, 3) {
                Some(found) if found != Value::Drawn => {
                    decided += 1;
                    assert_eq!(probed, found, "{position}");
                }
                _ => {
                    assert!(!matches!(probed, Value::Won(0..=3) | Value::Lost(0..=3)), "{position}: {probed}")
                }
            }
        }
    }
    assert!(decided > 30, "{decided} of the positions were mates");
}
