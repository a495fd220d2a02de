//! Tests hexapawn with the rules, the search, self-play, records and training samples.

#![allow(clippy::unwrap_used)]

use catapult_encoding::Encode;
use catapult_hexapawn::Hexapawn;
use catapult_mcts::evaluators::Uniform;
use catapult_mcts::{Outlook, Proven, Search, SearchConfig};
use catapult_network::{Architecture, EvaluatorSettings, Network, NetworkEvaluator};
use catapult_records::verify_game;
use catapult_rows::{RowEncoder, TargetConfig, WindowConfig, game_rows};
use catapult_rules::{Game, Outcome, Position, conformance, perft};
use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings, play_shard};
use rand::{RngCore, SeedableRng};
use std::sync::atomic::AtomicBool;

#[test]
fn the_rules_are_those_of_an_independent_program() {
    let start = Hexapawn::start(());
    // Counted by an independent program. No game lasts eight plies.
    let counts: Vec<u64> = (1..=8).map(|depth| perft(&start, depth)).collect();
    assert_eq!(counts, [3, 10, 28, 56, 70, 64, 20, 0]);
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(5);
    conformance::check::<Hexapawn>((), 200, 20, || random.next_u32());
}

#[test]
fn a_search_proves_that_the_second_player_wins_in_six_plies() {
    let mut search = Search::<Hexapawn>::new(SearchConfig::default());
    search.start(&Game::new(Hexapawn::start(())), 2000, 1);
    let result = catapult_mcts::run(&mut search, &mut Uniform).unwrap();
    assert_eq!(result.proven, Some(Proven { outlook: Outlook::Loss, plies: 6 }));
}

#[test]
fn a_network_plays_games_that_are_recorded_and_become_rows() {
    let network = Network::untrained(Architecture::tower(8, 1), Hexapawn::LAYOUT, 3).unwrap();
    let mut evaluator = NetworkEvaluator::<Hexapawn>::new(&network, EvaluatorSettings::default()).unwrap();
    let settings = ShardSettings {
        selfplay: &SelfPlayConfig { simulations: 8, ..SelfPlayConfig::default() },
        search: &SearchConfig { gumbel_scale: 1.0, ..SearchConfig::default() },
        games: 20,
        slots: 4,
        seed: 7,
        network: "untrained",
        endings: None,
    };
    // Self-play uses the variant only as a label, so any will do.
    let arms = [(catapult_rules::Variant::Chess, ())];
    let (counters, stop) = (Counters::default(), AtomicBool::new(false));
    let games = play_shard::<Hexapawn>(&arms, &settings, &mut evaluator, &counters, &stop).unwrap().games;
    assert_eq!(games.len(), 20);
    let mut encoder = RowEncoder::new::<Hexapawn>();
    for record in &games {
        let game = verify_game::<Hexapawn>(record, ()).unwrap();
        assert_eq!(record.outcome, Outcome::Checkmate, "every game has a winner");
        let rows =
            game_rows::<Hexapawn>(record, (), &WindowConfig::default(), &TargetConfig::default()).unwrap();
        assert_eq!(rows.positions.len(), game.moves().len() + 1);
        for row in &rows.rows {
            let encoded = encoder.encode(row, false);
            let pawns = |plane: usize| {
                encoded
                    .planes
                    .iter()
                    .skip(plane)
                    .step_by(Hexapawn::LAYOUT.planes)
                    .map(|x| x.to_f32())
                    .sum::<f32>()
            };
            let side = row.position.side_to_move();
            let counts = [side, !side].map(|side| f32::from(row.position.count_pieces(side)[0]));
            assert_eq!([pawns(0), pawns(1)], counts);
        }
    }
}

/// Checks that each Rust code block of the tutorial `docs/add-a-game.md` occurs in this crate's
/// source. Differences in white space are ignored.
#[test]
fn the_tutorial_quotes_the_code() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let source = words(include_str!("../src/lib.rs"));
    let page = include_str!("../../../docs/add-a-game.md");
    let quoted: Vec<&str> =
        page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(quoted.len(), 3);
    for code in quoted {
        assert!(source.contains(&words(code)), "the crate lacks\n{code}");
    }
}
