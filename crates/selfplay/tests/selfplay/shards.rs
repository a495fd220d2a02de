//! Tests that a shard's games depend only on its settings, follow the rules and record the
//! searches' results.

use catapult_mcts::evaluators::{HashRandom, Material};
use catapult_mcts::{Batch, EvaluationError, Evaluator, QueuedEvaluator, SearchConfig};
use catapult_records::{GameRecord, verify_game, verify_record};
use catapult_rules::{
    AnyChess, AnyRules, ChessMove, ChessMoveKind, ChessPp, Color, ForbiddenKind, Maxim, Move, Outcome, Plain,
    Position, Variant, with_variant,
};
use catapult_seeds::Stream;
use catapult_selfplay::{
    Counters, SelfPlayConfig, SelfPlayError, ShardSettings, play_shard, play_shard_overlapped,
};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// Adapts an [`Evaluator`] to [`QueuedEvaluator`]. The evaluation runs synchronously in
/// [`collect`](QueuedEvaluator::collect).
struct WhenTaken<E>(E);

impl<P: Position, E: Evaluator<P> + Send> QueuedEvaluator<P> for WhenTaken<E> {
    fn submit(&mut self, _batches: &[&Batch<P>]) -> Result<(), EvaluationError> {
        Ok(())
    }

    fn collect(&mut self, batches: &mut [&mut Batch<P>]) -> Result<(), EvaluationError> {
        batches.iter_mut().try_for_each(|batch| self.0.evaluate(batch))
    }
}

fn plain() -> [(Variant, Plain); 1] {
    [("chesspp".parse().unwrap(), Plain)]
}

/// Settings of a shard without endings.
fn settings<'a>(
    selfplay: &'a SelfPlayConfig,
    search: &'a SearchConfig,
    games: u64,
    slots: usize,
    seed: u64,
) -> ShardSettings<'a> {
    ShardSettings { selfplay, search, games, slots, seed, network: "test", endings: None }
}

fn search() -> SearchConfig {
    SearchConfig { gumbel_scale: 1.0, ..SearchConfig::default() }
}

fn selfplay() -> SelfPlayConfig {
    SelfPlayConfig { simulations: 8, ply_cap: 80, ..Default::default() }
}

fn play(
    selfplay: &SelfPlayConfig,
    games: u64,
    slots: usize,
    evaluator: &mut dyn Evaluator<ChessPp>,
) -> Vec<GameRecord> {
    let search = search();
    let settings =
        settings(selfplay, &search, games, slots, Stream::Shard { generation: 1, number: 2 }.seed(5));
    play_shard(&plain(), &settings, evaluator, &Counters::default(), &AtomicBool::new(false)).unwrap().games
}

#[test]
fn games_do_not_depend_on_the_number_of_slots() {
    let expected = play(&selfplay(), 12, 1, &mut HashRandom::default());
    for slots in [2, 5, 12, usize::MAX] {
        assert!(play(&selfplay(), 12, slots, &mut HashRandom::default()) == expected, "{slots} slots");
    }
}

#[test]
fn games_do_not_depend_on_the_thread() {
    let expected = play(&selfplay(), 6, 3, &mut HashRandom::default());
    let threads: Vec<_> =
        (0..2).map(|_| std::thread::spawn(|| play(&selfplay(), 6, 3, &mut HashRandom::default()))).collect();
    for thread in threads {
        assert!(thread.join().unwrap() == expected);
    }
}

#[test]
fn games_do_not_depend_on_overlapping() {
    let expected = play(&selfplay(), 12, 1, &mut HashRandom::default());
    let (config, search) = (selfplay(), search());
    for slots in [1, 2, 5, 12, usize::MAX] {
        let settings =
            settings(&config, &search, 12, slots, Stream::Shard { generation: 1, number: 2 }.seed(5));
        let (counters, stop) = (Counters::default(), AtomicBool::new(false));
        let mut evaluator = WhenTaken(HashRandom::default());
        let played = play_shard_overlapped::<ChessPp>(&plain(), &settings, &mut evaluator, &counters, &stop);
        assert!(played.unwrap().games == expected, "{slots} slots");
        assert_eq!(counters.games.into_inner(), 12);

        stop.store(true, Ordering::Relaxed);
        let counters = Counters::default();
        let result = play_shard_overlapped::<ChessPp>(&plain(), &settings, &mut evaluator, &counters, &stop);
        assert!(matches!(result, Err(SelfPlayError::Stopped)));
    }
}

/// Evaluator that fails after this number of calls.
struct Failing(u32);

impl Evaluator<ChessPp> for Failing {
    fn evaluate(&mut self, batch: &mut Batch<ChessPp>) -> Result<(), EvaluationError> {
        self.0 = self.0.checked_sub(1).ok_or_else(|| EvaluationError("no more".into()))?;
        HashRandom::default().evaluate(batch)
    }
}

#[test]
fn a_failing_evaluator_ends_the_shard_with_its_error() {
    let (config, search) = (selfplay(), search());
    let settings = settings(&config, &search, 8, 4, 1);
    let (counters, stop) = (Counters::default(), AtomicBool::new(false));
    for calls in [0, 1, 2, 9] {
        let alone = play_shard::<ChessPp>(&plain(), &settings, &mut Failing(calls), &counters, &stop);
        let overlapped = play_shard_overlapped::<ChessPp>(
            &plain(),
            &settings,
            &mut WhenTaken(Failing(calls)),
            &counters,
            &stop,
        );
        for result in [alone, overlapped] {
            assert!(result.unwrap_err().to_string().contains("no more"));
        }
    }
}

#[test]
fn every_game_follows_the_rules_and_is_there_once() {
    let games = play(&selfplay(), 13, 4, &mut Material);
    assert_eq!(games.iter().map(|g| g.game).collect::<Vec<_>>(), (0..13).collect::<Vec<_>>());
    let mut seeds = BTreeSet::new();
    for game in &games {
        verify_game::<ChessPp>(game, Plain).unwrap();
        assert!(seeds.insert(game.seed), "two games share a random stream");
        assert!(game.moves.len() <= 80);
        assert_eq!(game.moves.len(), game.policies.len());
    }
}

#[test]
fn a_quarter_of_the_games_begins_within_an_earlier_one() {
    let games = play(&selfplay(), 16, 3, &mut HashRandom::default());
    let forks: Vec<&GameRecord> = games.iter().filter(|g| g.parent.is_some()).collect();
    assert_eq!(forks.len(), 4);
    for fork in forks {
        let parent = &games[fork.parent.unwrap() as usize];
        let mut position = ChessPp::from_fen(&parent.start_fen, Plain).unwrap();
        for &mv in &parent.moves[..fork.fork_ply.unwrap() as usize] {
            position.play(mv);
        }
        assert_eq!(fork.start_fen, position.to_string());
    }
}

#[test]
fn a_capped_game_has_no_winner_and_is_no_draw() {
    let config = SelfPlayConfig { ply_cap: 6, fork_share: 0.0, ..selfplay() };
    let games = play(&config, 8, 8, &mut HashRandom::default());
    assert!(games.iter().all(|g| g.moves.len() <= 6));
    assert!(games.iter().any(|g| g.outcome == Outcome::Capped && g.winner.is_none()));

    let config = SelfPlayConfig { no_progress_cap: 3, fork_share: 0.0, ..selfplay() };
    for game in play(&config, 8, 8, &mut HashRandom::default()) {
        let last = *verify_game::<ChessPp>(&game, Plain).unwrap().position();
        assert!(last.halfmove_clock() <= 3);
        assert!(game.outcome != Outcome::Capped || last.halfmove_clock() == 3 || game.moves.len() == 80);
    }
}

#[test]
fn fast_searches_leave_no_policy_target() {
    let config = SelfPlayConfig { full_search_share: 0.3, fast_simulations: 2, ..selfplay() };
    let games = play(&config, 8, 8, &mut HashRandom::default());
    let plies: usize = games.iter().map(|g| g.policies.len()).sum();
    let full: usize = games.iter().flat_map(|g| &g.policies).filter(|p| !p.is_empty()).count();
    let share = full as f64 / plies as f64;
    // Four standard deviations around 0.3.
    assert!((share - 0.3).abs() < 4.0 * (0.21 / plies as f64).sqrt(), "{full} of {plies}");
}

#[test]
fn a_stopped_shard_says_so() {
    let (config, search) = (selfplay(), search());
    let settings = settings(&config, &search, 4, 4, 1);
    let stop = AtomicBool::new(false);
    stop.store(true, Ordering::Relaxed);
    let result =
        play_shard::<ChessPp>(&plain(), &settings, &mut HashRandom::default(), &Counters::default(), &stop);
    assert!(matches!(result, Err(SelfPlayError::Stopped)));
}

#[test]
fn each_game_is_played_in_the_arm_that_its_seed_draws() {
    let variants = ["chess", "chesspp", "chesspp+free", "chesspp+instant", "chesspp+third"];
    let variants: Vec<Variant> = variants.iter().map(|name| name.parse().unwrap()).collect();
    let arms: Vec<_> = variants.iter().map(|&v| (v, AnyRules::of(v).unwrap())).collect();
    let (config, search) = (SelfPlayConfig { ply_cap: 30, ..selfplay() }, search());
    let stop = AtomicBool::new(false);
    let play = |slots: usize, overlapped: bool| {
        let (games, seed) = (200, Stream::Shard { generation: 1, number: 2 }.seed(5));
        let settings = settings(&config, &search, games, slots, seed);
        let (mut evaluator, counters) = (HashRandom::default(), Counters::default());
        let played = if overlapped {
            play_shard_overlapped::<AnyChess>(&arms, &settings, &mut WhenTaken(evaluator), &counters, &stop)
        } else {
            play_shard::<AnyChess>(&arms, &settings, &mut evaluator, &counters, &stop)
        };
        played.unwrap().games
    };
    let games = play(7, false);
    assert!(play(64, false) == games && play(9, true) == games, "the order of play changes nothing");
    for record in &games {
        verify_record(record).unwrap();
        if let Some(parent) = record.parent {
            assert_eq!(record.variant, games[parent as usize].variant, "a fork stays in its arm");
        }
    }
    for variant in variants {
        let drawn = games.iter().filter(|game| game.variant == variant).count();
        // Expected: 40 of 200, with a standard deviation of 5.7. Forks follow their parents.
        assert!((18..=62).contains(&drawn), "{variant}: {drawn}");
    }
}

#[test]
fn the_engine_of_any_rules_plays_the_games_of_the_dedicated_one() {
    let (config, search, stop) = (selfplay(), search(), AtomicBool::new(false));
    let settings = settings(&config, &search, 8, 3, 11);
    for name in ["chess", "chesspp", "chesspp+free+pawns", "chesspp+instant+promote+third"] {
        let variant: Variant = name.parse().unwrap();
        let (mut evaluator, counters) = (HashRandom::default(), Counters::default());
        let any = [(variant, AnyRules::of(variant).unwrap())];
        let found = play_shard::<AnyChess>(&any, &settings, &mut evaluator, &counters, &stop).unwrap();
        let expected = with_variant!(variant, |P, rules| {
            play_shard::<P>(&[(variant, rules)], &settings, &mut evaluator, &counters, &stop).unwrap()
        });
        assert!(found == expected, "{name}");
    }
}

/// Plays a shard of Maxim chess, in which a turn has up to three decisions.
fn play_maxim(
    selfplay: &SelfPlayConfig,
    games: u64,
    evaluator: &mut dyn Evaluator<Maxim>,
) -> Vec<GameRecord> {
    let search = search();
    let settings = settings(selfplay, &search, games, 7, Stream::Shard { generation: 1, number: 2 }.seed(5));
    let arms = [(Variant::Maxim, ())];
    play_shard(&arms, &settings, evaluator, &Counters::default(), &AtomicBool::new(false)).unwrap().games
}

/// Returns the position before each decision of a Maxim chess game.
fn positions(record: &GameRecord) -> Vec<Maxim> {
    let mut position = Maxim::from_fen(&record.start_fen, ()).unwrap();
    let before = |mv: &Move| {
        let before = position;
        position.play(*mv);
        before
    };
    record.moves.iter().map(before).collect()
}

#[test]
fn a_game_may_fork_from_within_a_turn() {
    let config = SelfPlayConfig { ply_cap: 40, fork_share: 0.5, ..selfplay() };
    let games = play_maxim(&config, 60, &mut HashRandom::default());
    let mut within = 0;
    for fork in games.iter().filter(|game| game.parent.is_some()) {
        verify_record(fork).unwrap();
        let parent = &games[fork.parent.unwrap() as usize];
        let start = positions(parent)[fork.fork_ply.unwrap() as usize];
        assert_eq!(fork.start_fen, start.to_string());
        if start.is_turn_start() {
            continue;
        }
        within += 1;
        // The turn continues: the same side decides next, and its turn ends after at most two
        // decisions.
        let forked = positions(fork);
        assert_eq!(forked[0].side_to_move(), start.side_to_move());
        let turn = forked.iter().take_while(|position| position.side_to_move() == start.side_to_move());
        assert!(turn.count() <= 2, "{}", fork.start_fen);
    }
    assert!(within > 5, "{within} games begin within a turn");
}

#[test]
fn a_game_is_cut_where_a_turn_starts() {
    for config in [
        SelfPlayConfig { ply_cap: 7, ..selfplay() },
        SelfPlayConfig { no_progress_cap: 2, ply_cap: 60, ..selfplay() },
    ] {
        let mut overlong = 0;
        for game in play_maxim(&config, 24, &mut HashRandom::default()) {
            let last = *verify_game::<Maxim>(&game, ()).unwrap().position();
            assert!(last.is_turn_start(), "{last}");
            let plies = game.moves.len() as u32;
            // At most two more decisions end the turn.
            assert!(plies <= config.ply_cap + 2, "{plies}");
            assert!(
                game.outcome != Outcome::Capped
                    || plies >= config.ply_cap
                    || last.halfmove_clock() >= config.no_progress_cap
            );
            overlong += u32::from(plies > config.ply_cap);
        }
        assert!(config.ply_cap > 7 || overlong > 0, "no game was at the cap within a turn");
    }
}

/// Checks that recorded values are seen from the side that decides. Material determines the values
/// of this search. A ply's value therefore has the sign of the deciding side's lead in material,
/// unless a capture changes the lead. If the sign flipped at every ply, the value at the second
/// decision of a turn would have the wrong sign.
#[test]
fn values_are_those_of_who_decides() {
    // For turn starts and for positions within a turn: plies with a lead of at least a rook, and
    // those among them whose value has the lead's sign.
    let mut seen = [[0; 2]; 2];
    for game in play_maxim(&selfplay(), 12, &mut Material) {
        for (position, [win, _, loss]) in positions(&game).into_iter().zip(game.values) {
            let us = position.side_to_move();
            let lead = position.material(us) - position.material(!us);
            if lead.abs() >= 500 {
                let [plies, agreeing] = &mut seen[usize::from(!position.is_turn_start())];
                *plies += 1;
                *agreeing += usize::from((win > loss) == (lead > 0));
            }
        }
    }
    assert!(seen.iter().all(|&[plies, agreeing]| plies > 50 && agreeing * 10 > plies * 9), "{seen:?}");
}

/// Returns two numbers for the games of a shard: catapult moves played, and positions with a legal
/// catapult move.
fn catapult_moves(games: &[GameRecord]) -> [usize; 2] {
    let mut counts = [0; 2];
    for game in games {
        let mut position = ChessPp::from_fen(&game.start_fen, Plain).unwrap();
        for &mv in &game.moves {
            let is_catapults = |mv| ChessMove::of(mv).kind == ChessMoveKind::Catapult;
            counts[0] += usize::from(is_catapults(mv));
            counts[1] += usize::from(position.legal_moves().into_iter().any(is_catapults));
            position.play(mv);
        }
    }
    counts
}

#[test]
fn a_share_of_the_games_begins_at_endings() {
    let config = SelfPlayConfig { prior_plies: 6, sampled_plies: 20, fork_sampled_plies: 0, ..selfplay() };
    let games =
        play(&SelfPlayConfig { ending_share: 0.5, ..config.clone() }, 80, 7, &mut HashRandom::default());
    let begins = |game: &GameRecord| ChessPp::from_fen(&game.start_fen, Plain).unwrap();
    let few = |position: &ChessPp| Color::ALL.iter().all(|side| position.material(*side) <= 2700);
    let fresh = games.iter().filter(|game| game.parent.is_none());
    let (endings, whole): (Vec<_>, Vec<_>) = fresh.partition(|game| few(&begins(game)));
    assert_eq!(endings.len() + whole.len(), 60);
    assert!((20..=40).contains(&endings.len()), "{} of 60", endings.len());
    assert!(whole.iter().all(|game| begins(game) == ChessPp::start(Plain)));
    for game in &endings {
        verify_record(game).unwrap();
        // Every ply is searched.
        assert!(game.policies.iter().all(|policy| !policy.is_empty()), "{}", game.start_fen);
    }
    let forks =
        games.iter().filter(|game| game.parent.is_some_and(|parent| few(&begins(&games[parent as usize]))));
    assert!(forks.count() > 5, "games fork from endings");
    // The other games are the same as without endings, except those that fork from endings.
    let without = play(&config, 80, 7, &mut HashRandom::default());
    assert!(whole.iter().all(|game| without[game.game as usize] == **game));
}

#[test]
fn neither_side_makes_a_forbidden_move_in_a_shard() {
    let config = SelfPlayConfig { prior_plies: 6, full_search_share: 0.5, ..selfplay() };
    let without = SelfPlayConfig { forbidden: Some(ForbiddenKind::CatapultMoves), ..config.clone() };
    let games = play(&without, 12, 5, &mut HashRandom::default());
    assert!(games.iter().any(|game| game.parent.is_some()), "forked games too");
    let [made, legal] = catapult_moves(&games);
    assert!(made == 0 && legal > 200, "{made} of {legal}");
    let mut recorded = games.iter().flat_map(|game| &game.policies).flatten();
    assert!(recorded.all(|&(mv, _)| ChessMove::of(mv).kind != ChessMoveKind::Catapult));
    assert_eq!(play(&without, 12, 1, &mut HashRandom::default()), games, "whatever the slots");
    let [made, _] = catapult_moves(&play(&config, 12, 5, &mut HashRandom::default()));
    assert!(made > 20, "{made}");
}
