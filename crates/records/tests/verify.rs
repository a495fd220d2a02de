//! Records against the rules: real games pass, and each way of being wrong is found where it is.

use catapult_records::{GameRecord, compact_policy, verify_record};
use catapult_rules::{Color, Game, Outcome, Position, Variant, with_variant};
use rand::seq::IndexedRandom;
use rand_pcg::{Pcg64, rand_core::SeedableRng};

/// A random game of at most so many plies, with policies that spread over all legal moves.
fn random_game(variant: Variant, seed: u64, cap: usize) -> GameRecord {
    let mut rng = Pcg64::seed_from_u64(seed);
    with_variant!(variant, |P, rules| {
        let mut game = Game::new(P::start(rules));
        let mut record = empty(variant, &game.start().to_string(), seed);
        while game.outcome().is_none() && game.ply() < cap {
            let position = *game.position();
            let moves = position.legal_moves();
            let even = 1.0 / moves.len() as f32;
            let mv = *moves.choose(&mut rng).expect("a game that has not ended has a move");
            record.moves.push(position.move_text(mv));
            record.policies.push(compact_policy(moves.iter().map(|&mv| (position.move_text(mv), even))));
            record.values.push([0.25, 0.5, 0.25]);
            record.moves_left.push(10.0);
            game.push(mv);
        }
        record.outcome = game.outcome().unwrap_or(Outcome::Capped);
        record.winner = record.outcome.winner(game.position().side_to_move());
        record
    })
}

fn empty(variant: Variant, start_fen: &str, game: u64) -> GameRecord {
    GameRecord {
        variant: variant.to_string(),
        game,
        seed: game,
        parent: None,
        fork_ply: None,
        network: "uniform".into(),
        start_fen: start_fen.into(),
        moves: Vec::new(),
        policies: Vec::new(),
        values: Vec::new(),
        moves_left: Vec::new(),
        outcome: Outcome::Capped,
        winner: None,
    }
}

/// The record of moves from the start of chess without anything about the search.
fn chess(moves: &str, outcome: Outcome, winner: Option<Color>) -> GameRecord {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let moves = moves.split(' ').map(str::to_owned).collect();
    GameRecord { moves, outcome, winner, ..empty(Variant::Chess, start, 7) }
}

#[test]
fn random_games_of_every_variant_pass() {
    let mut outcomes = std::collections::BTreeSet::new();
    for proposals in catapult_rules::Proposals::all_sets() {
        for seed in 0..4 {
            let record = random_game(Variant::ChessPp(proposals), seed, 300);
            verify_record(&record).unwrap();
            outcomes.insert(record.outcome);
        }
    }
    assert!(outcomes.contains(&Outcome::Checkmate) && outcomes.contains(&Outcome::Capped), "{outcomes:?}");
}

#[test]
fn real_endings_pass() {
    verify_record(&chess("f2f3 e7e5 g2g4 d8h4", Outcome::Checkmate, Some(Color::Black))).unwrap();
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    verify_record(&chess(shuffle, Outcome::Repetition, None)).unwrap();
    verify_record(&chess("e2e4 e7e5", Outcome::Capped, None)).unwrap();
}

#[test]
fn faults_are_found_where_they_are() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let cases = [
        (chess("e2e4 e7e5 e1e3", Outcome::Capped, None), 2, "`e1e3`"),
        (chess("f2f3 e7e5 g2g4 d8h4", Outcome::Checkmate, Some(Color::White)), 4, "won"),
        (chess("f2f3 e7e5 g2g4 d8h4", Outcome::Stalemate, None), 4, "checkmate"),
        (chess("f2f3 e7e5 g2g4 d8h4", Outcome::Capped, None), 4, "checkmate"),
        (chess("f2f3 e7e5 g2g4", Outcome::Checkmate, Some(Color::Black)), 3, "no end"),
        (chess(&format!("{shuffle} e2e4"), Outcome::Capped, None), 8, "repetition"),
        (chess("f2f3 e7e5 g2g4 d8h4 e2e4", Outcome::Capped, None), 4, "checkmate"),
        (GameRecord { start_fen: "8/8".into(), ..chess("e2e4", Outcome::Capped, None) }, 0, "FEN"),
        (GameRecord { variant: "draughts".into(), ..chess("e2e4", Outcome::Capped, None) }, 0, "draughts"),
        (
            GameRecord {
                policies: vec![Vec::new(), vec![("e2e4".into(), 1.0)]],
                ..chess("e2e4 e7e5", Outcome::Capped, None)
            },
            1,
            "`e2e4` of the policy",
        ),
    ];
    for (record, ply, part) in cases {
        let error = verify_record(&record).unwrap_err();
        assert_eq!((error.game, error.ply), (7, ply), "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }
}
