//! Compares positions whose rules are selected at run time (`AnyChess`) with positions of the types
//! for one rule set.

use crate::common::random_rules;
use catapult_rules::{
    AnyChess, AnyRules, ChessPosition, ChessRules, Position, Proposals, Variant, conformance,
    with_chess_rules,
};
use rand::seq::IndexedRandom;
use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn variants() -> impl Iterator<Item = Variant> {
    let mut random = Pcg64Mcg::seed_from_u64(8);
    let sets = Proposals::all_sets().map(Variant::ChessPp);
    std::iter::once(Variant::Chess).chain(sets).chain((0..16).map(move |_| random_rules(&mut random)))
}

fn any(variant: Variant) -> AnyRules {
    AnyRules::of(variant).unwrap()
}

fn assert_agree<R: ChessRules>(dedicated: &ChessPosition<R>, any: &AnyChess) {
    assert_eq!(any.to_string(), dedicated.to_string());
    assert_eq!(any.key(), dedicated.key(), "{any}");
    assert_eq!(any.outcome(), dedicated.outcome(), "{any}");
    assert_eq!(any.in_check(), dedicated.in_check(), "{any}");
    assert_eq!(any.forgets_history(), dedicated.forgets_history(), "{any}");
    let moves = dedicated.legal_moves();
    assert_eq!(any.legal_moves()[..], moves[..], "{any}");
    for mv in moves {
        assert_eq!(any.san(mv), dedicated.san(mv), "{any}");
        assert_eq!(any.move_text(mv), dedicated.move_text(mv), "{any}");
        assert_eq!(any.captures(mv), dedicated.captures(mv), "{any}");
        assert_eq!(any.captures_catapults(mv), dedicated.captures_catapults(mv), "{any}");
    }
}

#[test]
fn it_agrees_with_the_dedicated_engines_on_random_games() {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    for variant in variants() {
        with_chess_rules!(variant, |P, rules| {
            for _ in 0..4 {
                let (mut dedicated, mut other) = (P::start(rules), AnyChess::start(any(variant)));
                for _ in 0..150 {
                    assert_agree(&dedicated, &other);
                    let moves = dedicated.legal_moves();
                    let Some(&mv) = moves.choose(&mut random) else { break };
                    dedicated.play(mv);
                    other.play(mv);
                }
            }
        })
        .expect("a variant of the engine");
    }
}

/// Reads variant and FEN of each line of a file in `tests/data`. Lines of games other than chess
/// and Chess++ are omitted.
fn lines(name: &str) -> Vec<(Variant, String)> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let text = |line: &serde_json::Value, key: &str| line[key].as_str().unwrap().to_owned();
    let known = variants().collect::<Vec<_>>();
    lines
        .filter_map(|line| Some((text(&line, "variant").parse().ok()?, text(&line, "fen"))))
        .filter(|(variant, _)| known.contains(variant))
        .collect()
}

#[test]
fn it_agrees_with_the_dedicated_engines_on_the_vectors() {
    let lines = lines("vectors.jsonl");
    assert!(lines.len() >= 172);
    for (variant, fen) in lines {
        with_chess_rules!(variant, |P, rules| match P::from_fen(&fen, rules) {
            Ok(dedicated) => assert_agree(&dedicated, &AnyChess::from_fen(&fen, any(variant)).unwrap()),
            Err(error) => assert_eq!(AnyChess::from_fen(&fen, any(variant)), Err(error)),
        })
        .expect("a variant of the engine");
    }
}

#[test]
fn it_refuses_what_the_dedicated_engines_refuse() {
    let lines = lines("refused.jsonl");
    assert!(lines.len() >= 22);
    for (variant, fen) in lines {
        let expected = with_chess_rules!(variant, |P, rules| P::from_fen(&fen, rules).unwrap_err());
        assert_eq!(AnyChess::from_fen(&fen, any(variant)).err(), expected, "{variant} {fen}");
    }
}

#[test]
fn it_conforms_as_standard_chess_and_with_all_proposals() {
    for name in ["chess", "chesspp", "chesspp+free+instant+pawns+promote+third"] {
        let mut random = Pcg64Mcg::seed_from_u64(3);
        conformance::check::<AnyChess>(any(name.parse().unwrap()), 3, 120, || random.next_u32());
    }
}

#[test]
fn positions_of_different_rules_are_different() {
    let start = |name: &str| AnyChess::start(any(name.parse().unwrap()));
    assert_ne!(start("chesspp"), start("chesspp+instant"), "though the same stands on their boards");
}
