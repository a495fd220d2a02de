//! Tests of verification. Played games pass, and an error names the ply.

use catapult_records::{GameRecord, Replay, compact_policy, read_shard, verify_record, write_shard};
use catapult_rules::{Chess, Color, Game, Move, Outcome, Position, Standard, Variant, with_variant};
use rand::seq::IndexedRandom;
use rand_pcg::{Pcg64, rand_core::SeedableRng};

/// Plays random legal moves, at most `cap` plies. Every policy gives all legal moves the same
/// probability.
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
            record.moves.push(mv);
            record.policies.push(compact_policy(moves.iter().map(|&mv| (mv, even))));
            record.values.push([0.25, 0.5, 0.25]);
            record.raw_values.push([0.5, 0.25, 0.25]);
            record.mean_values.push([0.25, 0.5, 0.25]);
            record.surprises.push(0.5);
            record.moves_left.push(10.0);
            game.push(mv);
        }
        record.outcome = game.outcome().unwrap_or(Outcome::Capped);
        record.winner = record.outcome.winner(game.position().side_to_move());
        record
    })
}

fn empty(variant: Variant, start_fen: &str, game: u64) -> GameRecord {
    let record = GameRecord::of_texts(variant, Some(start_fen), "").unwrap();
    GameRecord { game, seed: game, outcome: Outcome::Capped, winner: None, ..record }
}

/// Returns a chess record without search results, from the start position. Spaces separate the
/// moves.
fn chess(moves: &str, outcome: Outcome, winner: Option<Color>) -> GameRecord {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let record = GameRecord::of_texts(Variant::Chess, Some(start), moves).unwrap();
    GameRecord { game: 7, outcome, winner, ..record }
}

#[test]
fn random_games_of_every_variant_pass() {
    let mut outcomes = std::collections::BTreeSet::new();
    for variant in Variant::all() {
        for seed in 0..4 {
            let record = random_game(variant, seed, 300);
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

/// Returns a Maxim chess record. In Maxim chess, one side plays several plies in a turn (rule 8 of
/// Maxim chess).
fn maxim(start_fen: &str, decisions: &str, outcome: Outcome, winner: Option<Color>) -> GameRecord {
    let record = GameRecord::of_texts(Variant::Maxim, Some(start_fen), decisions).unwrap();
    GameRecord { game: 7, outcome, winner, ..record }
}

/// The mating side wins if it mates with the last ply of its turn. A mating turn has two plies, or
/// three if a portal must block the only flight square. The cases cover both colours.
#[test]
fn who_decides_twice_in_a_row_and_mates_has_won() {
    let back_rank = "6k1/5(pp)(pp)(pp)/8/8/8/8/8/R3K3 w - - 0 1 -/- -";
    let turned = "r3k3/8/8/8/8/8/5(PP)(PP)(PP)/6K1 b - - 0 1 -/- -";
    let flight = "7k/8/5K2/8/8/8/8/R7 w - - 0 1 -/- -";
    let dir = tempfile::tempdir().unwrap();
    for (fen, decisions, winner) in [
        (back_rank, "a1a8 done", Color::White),
        (turned, "a8a1 done", Color::Black),
        (back_rank, "e1d1 done g8h8 done a1a8 done", Color::White),
        (flight, "a1h1 @e5 @g8", Color::White),
        // A game that begins within a turn, like one forked from another.
        ("7k/8/5K2/8/8/8/8/7R w - - 1 1 -/- @e5", "@g8", Color::White),
    ] {
        let record = maxim(fen, decisions, Outcome::Checkmate, Some(winner));
        verify_record(&record).unwrap();
        let error = verify_record(&GameRecord { winner: Some(!winner), ..record.clone() }).unwrap_err();
        assert!(error.ply == record.moves.len() && error.to_string().contains("won"), "{error}");
        // Before the last decision there is no winner.
        let mut cut = record.clone();
        cut.moves.pop();
        assert!(verify_record(&cut).unwrap_err().to_string().contains("no end"));
        verify_record(&GameRecord { outcome: Outcome::Capped, winner: None, ..cut }).unwrap();

        let plies = record.moves.len();
        let values = vec![[0.5, 0.25, 0.25]; plies];
        let policies: Vec<_> = record.moves.iter().map(|&mv| vec![(mv, 1.0)]).collect();
        let moves_left = (1..=plies).rev().map(|left| left as f32).collect();
        let (raw_values, mean_values, surprises) = (values.clone(), values.clone(), vec![0.5; plies]);
        let searched = GameRecord { raw_values, mean_values, surprises, ..record };
        let record = GameRecord { values, policies, moves_left, ..searched };
        let path =
            write_shard(dir.path(), "maxim", std::slice::from_ref(&record), &Default::default()).unwrap();
        let read = read_shard(&path).unwrap().games.remove(0);
        verify_record(&read).unwrap();
        assert_eq!(read, record);
    }
}

/// The game begins within a turn. After 16 plies, the position before `done` has occurred three
/// times, but the game continues. The third start of a turn, one ply later, ends the game.
#[test]
fn a_third_occurrence_counts_where_a_turn_starts() {
    let start = "4k3/8/8/8/8/8/R7/4K3 w - - 1 1 -/- ?";
    let round = "done e8d8 done a2a1 done d8e8 done a1a2";
    let twice = format!("{round} {round}");
    verify_record(&maxim(start, &twice, Outcome::Capped, None)).unwrap();
    let error = verify_record(&maxim(start, &twice, Outcome::Repetition, None)).unwrap_err();
    assert!(error.ply == 16 && error.to_string().contains("no end"), "{error}");
    let ended = format!("{twice} done");
    verify_record(&maxim(start, &ended, Outcome::Repetition, None)).unwrap();
    let error = verify_record(&maxim(start, &ended, Outcome::Capped, None)).unwrap_err();
    assert!(error.ply == 17 && error.to_string().contains("repetition"), "{error}");
    let error = verify_record(&maxim(start, &format!("{ended} e8d8"), Outcome::Capped, None)).unwrap_err();
    assert!(error.ply == 17 && error.to_string().contains("repetition"), "{error}");
}

/// The half-move clock counts a turn of several plies once. It ends the game only at the end of a
/// turn. A mate has precedence.
#[test]
fn the_clock_counts_where_a_turn_starts() {
    let quiet = "4k3/8/8/8/8/8/8/R3K3 w - - 99 80 -/- -";
    verify_record(&maxim(quiet, "a1a2", Outcome::Capped, None)).unwrap();
    verify_record(&maxim(quiet, "a1a2 done", Outcome::HundredPlies, None)).unwrap();
    verify_record(&maxim(quiet, "a1a2 @c3 @f6", Outcome::HundredPlies, None)).unwrap();
    let mating = "6k1/5(pp)(pp)(pp)/8/8/8/8/8/R3K3 w - - 99 80 -/- -";
    verify_record(&maxim(mating, "a1a8 done", Outcome::Checkmate, Some(Color::White))).unwrap();
}

#[test]
fn faults_are_found_where_they_are() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    // The king from e1 to e3.
    let illegal = Move::new(4, 20, 0, 0);
    let with = |mut record: GameRecord, mv| {
        record.moves.push(mv);
        record
    };
    let cases = [
        (with(chess("e2e4 e7e5", Outcome::Capped, None), illegal), 2, "Move(4-20"),
        (chess("f2f3 e7e5 g2g4 d8h4", Outcome::Checkmate, Some(Color::White)), 4, "won"),
        (chess("f2f3 e7e5 g2g4 d8h4", Outcome::Stalemate, None), 4, "checkmate"),
        (chess("f2f3 e7e5 g2g4 d8h4", Outcome::Capped, None), 4, "checkmate"),
        (chess("f2f3 e7e5 g2g4", Outcome::Checkmate, Some(Color::Black)), 3, "no end"),
        (chess(&format!("{shuffle} e2e4"), Outcome::Capped, None), 8, "repetition"),
        (with(chess("f2f3 e7e5 g2g4 d8h4", Outcome::Capped, None), illegal), 4, "checkmate"),
        (GameRecord { start_fen: "8/8".into(), ..chess("e2e4", Outcome::Capped, None) }, 0, "FEN"),
        (
            GameRecord {
                policies: vec![Vec::new(), vec![(illegal, 1.0)]],
                ..chess("e2e4 e7e5", Outcome::Capped, None)
            },
            1,
            "Move(4-20 aux 0 kind 0) of the policy",
        ),
    ];
    for (record, ply, part) in cases {
        let error = verify_record(&record).unwrap_err();
        assert_eq!((error.game, error.ply), (7, ply), "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn a_replay_shows_each_ply_and_names_the_one_that_can_not_be_played() {
    let mut record = empty("chess".parse().unwrap(), &Chess::start(Standard).to_string(), 3);
    record.moves = chess("e2e4 e7e5", Outcome::Capped, None).moves;
    record.moves.push(Move::new(28, 36, 0, 0));
    let mut replay = Replay::<Chess>::new(&record, Standard).unwrap();
    let first = replay.next().unwrap().unwrap();
    assert_eq!((first.number, first.before), (0, Chess::start(Standard)));
    assert_eq!(first.after.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    let second = replay.next().unwrap().unwrap();
    assert_eq!((second.number, second.before), (1, first.after));
    let error = replay.next().unwrap().unwrap_err();
    assert_eq!((error.game, error.ply), (3, 2));
    assert!(error.reason.contains("Move(28-36"), "{error}");
    assert_eq!(replay.into_game().ply(), 2, "as far as it could be played");
    record.start_fen = "8/8".into();
    assert_eq!(Replay::<Chess>::new(&record, Standard).unwrap_err().ply, 0);
}
