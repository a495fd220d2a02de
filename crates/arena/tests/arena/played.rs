//! Tests of openings and matches.

use crate::play_fresh;
use catapult_arena::*;
use catapult_network::Device;
use catapult_rules::{Chess, ChessPp, Color, Game, Move, Outcome, Plain, Position, Standard, Variant};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};

fn on(_: u32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn player(name: &str) -> Contender<'static, ChessPp> {
    contender(&name.parse().unwrap(), "chesspp".parse().unwrap(), Device::Cpu).unwrap()
}

fn play(a: &str, b: &str, settings: &MatchSettings) -> Match<ChessPp> {
    play_fresh("chesspp", Plain, &player(a), &player(b), settings, &on).unwrap()
}

fn texts<P: Position>(game: &Game<P>) -> Vec<String> {
    let mut position = *game.start();
    let mut texts = Vec::new();
    for &mv in game.moves() {
        texts.push(position.move_text(mv));
        position.play(mv);
    }
    texts
}

#[test]
fn openings_are_short_level_and_distinct() {
    let many = openings::<ChessPp>(Plain, None, 300, 11).unwrap();
    let keys: HashSet<u64> = many.iter().map(|game| game.position().key()).collect();
    assert_eq!(keys.len(), 300);
    let lengths: HashSet<usize> = many.iter().map(Game::ply).collect();
    assert_eq!(lengths, (6..=10).collect());
    for game in &many {
        assert_eq!(game.outcome(), None);
        let score = AlphaBeta::new(2, false).analyse(game).score;
        assert!(score.abs() <= 150, "{score}: {}", game.position());
    }
    // The bound matters: some plain random games of ten plies exceed it.
    let mut random = (player("random").make)().unwrap();
    let beyond = |seed| {
        let mut game = Game::new(ChessPp::start(Plain));
        while game.ply() < 10 && game.outcome().is_none() {
            let turn = Turn::new(&game, seed + 1000 * game.ply() as u64);
            game.push(random.choose(&[turn]).unwrap()[0]);
        }
        game.outcome().is_none() && AlphaBeta::new(2, false).analyse(&game).score.abs() > 150
    };
    assert!((0..100).map(beyond).filter(|&beyond| beyond).count() > 10);
    let few = openings::<ChessPp>(Plain, None, 20, 11).unwrap();
    for (a, b) in few.iter().zip(&many) {
        assert_eq!(texts(a), texts(b));
    }
    let other = openings::<ChessPp>(Plain, None, 20, 12).unwrap();
    assert!(other.iter().all(|game| texts(game) != texts(&few[0])));
    assert_eq!(openings::<Chess>(Standard, None, 50, 1).unwrap().len(), 50);
}

#[test]
fn pairs_share_an_opening_and_swap_colours() {
    let settings = MatchSettings { games: 20, ply_cap: 120, ..Default::default() };
    let played = play("alphabeta:1", "random", &settings);
    assert_eq!(played.games.len(), 20);
    let mut wins = 0;
    for (i, pair) in played.games.chunks(2).enumerate() {
        assert_eq!((pair[0].pair, pair[1].pair), (i, i));
        assert_eq!([pair[0].player_color, pair[1].player_color], Color::ALL);
        let plies = pair[0].opening_plies as usize;
        assert_eq!(plies, pair[1].opening_plies as usize);
        assert_eq!(texts(&pair[0].game)[..plies], texts(&pair[1].game)[..plies]);
        for game in pair {
            if game.outcome == Outcome::Capped {
                assert_eq!((game.game.ply(), game.game.outcome(), game.winner), (120, None, None));
            } else {
                assert_eq!(game.game.outcome(), Some(game.outcome));
                let loser = game.game.position().side_to_move();
                assert_eq!(game.winner, (game.outcome == Outcome::Checkmate).then_some(!loser));
            }
            wins += (game.winner == Some(game.player_color)) as u32;
        }
    }
    let result = &played.result;
    assert_eq!(result.wins, wins);
    assert_eq!(result.games, 20);
    assert_eq!(result.wins + result.draws + result.losses + result.capped, 20);
    assert_eq!(result.plies, played.games.iter().map(|game| game.game.ply() as u64).sum::<u64>());
    assert_eq!(result.reasons.get(&Outcome::Capped).copied().unwrap_or(0), result.capped);
    assert_eq!((result.player.as_str(), result.opponent.as_str()), ("alphabeta:1", "random"));
}

#[test]
fn results_do_not_depend_on_threads_or_batches() {
    let base = MatchSettings { games: 12, seed: 5, ply_cap: 40, ..Default::default() };
    for (a, b) in [("search:uniform:8", "alphabeta:1"), ("search:material:12", "search:hash-random:20")] {
        let one = play(a, b, &base);
        for (threads, games_at_once) in [(1, 1), (1, 5), (2, 256), (3, 4), (64, 256)] {
            let other = play(a, b, &MatchSettings { threads, games_at_once, ..base.clone() });
            assert_eq!(other.result, one.result, "{threads} threads, {games_at_once} at once");
            for (x, y) in other.games.iter().zip(&one.games) {
                assert_eq!(texts(&x.game), texts(&y.game));
            }
        }
        let reseeded = play(a, b, &MatchSettings { seed: 6, ..base.clone() });
        assert_ne!(texts(&reseeded.games[0].game), texts(&one.games[0].game));
    }
}

#[test]
fn a_choice_does_not_depend_on_the_other_games() {
    let games = openings::<ChessPp>(Plain, None, 9, 3).unwrap();
    let turns =
        |range: &[usize]| -> Vec<_> { range.iter().map(|&i| Turn::new(&games[i], i as u64)).collect() };
    for name in ["random", "alphabeta:2", "search:uniform:32", "search:material:17", "search:hash-random:64"]
    {
        let make = player(name).make;
        let all: Vec<usize> = (0..9).collect();
        let together = make().unwrap().choose(&turns(&all)).unwrap();
        let mut reused = make().unwrap();
        for i in all {
            assert_eq!(make().unwrap().choose(&turns(&[i])).unwrap(), [together[i]], "{name}");
            // Earlier choices do not matter either.
            assert_eq!(reused.choose(&turns(&[8 - i, i])).unwrap()[1], together[i], "{name}");
        }
        assert!(make().unwrap().choose(&[]).unwrap().is_empty());
    }
}

#[test]
fn strengths_are_ordered_as_they_must_be() {
    let settings = MatchSettings { games: 200, ply_cap: 300, ..Default::default() };
    let even = play("random", "random", &settings).result;
    assert!(even.score.low <= 0.5 && even.score.high >= 0.5, "{even}");
    let strong = play("alphabeta:1", "random", &settings).result;
    assert!(strong.score.low > 0.9, "{strong}");
    let settings = MatchSettings { games: 40, ..settings };
    let deeper = play("alphabeta:2q", "alphabeta:1", &settings).result;
    assert!(deeper.score.low > 0.6, "{deeper}");
    // A search without a network sees mates, so it beats a random mover.
    let untrained = play("search:uniform:64", "random", &settings).result;
    assert!(untrained.score.low > 0.55, "{untrained}");
}

#[test]
fn impossible_settings_are_refused() {
    let refuse = |settings: MatchSettings| {
        let result = play_fresh("chesspp", Plain, &player("random"), &player("random"), &settings, &on);
        result.unwrap_err().to_string()
    };
    for games in [0, 7] {
        let error = refuse(MatchSettings { games, ..Default::default() });
        assert!(error.contains(&format!("games: {games}")) && error.contains("even"), "{error}");
    }
    let error = refuse(MatchSettings { ply_cap: 10, ..Default::default() });
    assert!(error.contains("ply cap: 10") && error.contains("longest opening, 10"), "{error}");
}

#[test]
fn a_match_can_be_stopped() {
    for threads in [1, 2] {
        let calls = AtomicU32::new(0);
        let stop_late = |_| match calls.fetch_add(1, Ordering::Relaxed) {
            20.. => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let settings = MatchSettings { games: 40, threads, ..Default::default() };
        let stopped =
            play_fresh("chesspp", Plain, &player("random"), &player("random"), &settings, &stop_late);
        assert!(matches!(stopped, Err(MatchError::Stopped)));
    }
}

/// Player that always picks the same move, even if it is illegal.
struct Stubborn(Move);

impl Player<ChessPp> for Stubborn {
    fn reply(&mut self, turns: &[Turn<'_, ChessPp>]) -> Result<Vec<Reply>, PlayerError> {
        Ok(vec![self.0.into(); turns.len()])
    }
}

#[test]
fn players_that_fail_are_named() {
    let settings = MatchSettings { games: 8, threads: 2, ..Default::default() };
    let start = ChessPp::start(Plain);
    let mv = start.parse_move("e2e4").unwrap();
    let stubborn = Contender {
        name: "stubborn".to_owned(),
        make: Box::new(move || Ok(Box::new(Stubborn(mv)) as Box<dyn Player<ChessPp>>)),
        games_at_once: 4,
    };
    let error = play_fresh("chesspp", Plain, &player("random"), &stubborn, &settings, &on).unwrap_err();
    assert!(error.to_string().starts_with("player stubborn picked an illegal move in `"), "{error}");
    let broken = Contender {
        name: "broken".to_owned(),
        make: Box::new(|| Err(PlayerError::NoMove)),
        games_at_once: 4,
    };
    let error = play_fresh("chesspp", Plain, &broken, &player("random"), &settings, &on).unwrap_err();
    assert!(error.to_string().starts_with("player broken: "), "{error}");
}

#[test]
fn a_match_can_go_on_from_where_it_ended() {
    let settings =
        |games, first_pair| MatchSettings { games, first_pair, seed: 4, ply_cap: 80, ..Default::default() };
    let whole = play("alphabeta:1~0.3", "search:uniform:4", &settings(24, 0));
    let (begun, rest) = (
        play("alphabeta:1~0.3", "search:uniform:4", &settings(10, 0)),
        play("alphabeta:1~0.3", "search:uniform:4", &settings(14, 5)),
    );
    assert_eq!((rest.games.len(), rest.games[0].pair), (14, 5));
    let parts = begun.games.iter().chain(&rest.games);
    for (part, game) in parts.zip(&whole.games) {
        assert_eq!(
            (part.pair, part.player_color, texts(&part.game)),
            (game.pair, game.player_color, texts(&game.game))
        );
    }
}

#[test]
fn players_by_name_play_the_same_match() {
    let settings = MatchSettings { games: 6, ply_cap: 80, seed: 5, ..Default::default() };
    let typed = play("alphabeta:1", "random", &settings);
    let [one, random]: [PlayerSpec; 2] = ["alphabeta:1", "random"].map(|name| name.parse().unwrap());
    let variant = "chesspp".parse().unwrap();
    let play_named = |names: [&str; 2], specs: [&PlayerSpec; 2]| {
        let players = [0, 1].map(|side| (Some(names[side]), NamedPlayer::Spec(specs[side])));
        play_named_match(variant, &players, Device::Cpu, &settings, MatchFiles::default(), &on)
    };
    let named = play_named(["alphabeta:1", "random"], [&one, &random]).unwrap();
    assert_eq!(named.result, typed.result);
    let ends: Vec<_> =
        typed.games.iter().map(|game| (game.player_color, game.outcome, game.winner)).collect();
    let found: Vec<_> = named.ends.iter().map(|end| (end.player_color, end.outcome, end.winner)).collect();
    assert_eq!(found, ends);
    // Results have the given names, and an error names the player that can't play.
    let named = play_named(["one", "other"], [&one, &random]).unwrap().result;
    assert_eq!([named.player.as_str(), named.opponent.as_str()], ["one", "other"]);
    let missing = PlayerSpec::network("nowhere.safetensors", 8);
    let error = play_named(["one", "gone"], [&one, &missing]).unwrap_err();
    assert!(
        error.to_string().starts_with("player gone: ") && error.to_string().contains("nowhere"),
        "{error}"
    );
}

#[test]
fn a_match_that_fails_before_its_first_game_does_not_take_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let settings = MatchSettings { games: 2, ply_cap: 40, ..Default::default() };
    let play_in_folder = |opponent: &str| {
        let specs: [PlayerSpec; 2] = ["random", opponent].map(|name| name.parse().unwrap());
        let players = [0, 1].map(|side| (None, NamedPlayer::Spec(&specs[side])));
        let files = MatchFiles { folder: Some(dir.path()), ..Default::default() };
        play_named_match(Variant::Chess, &players, Device::Cpu, &settings, files, &on)
    };
    let error = play_in_folder("uci:/no/such/program").unwrap_err().to_string();
    assert!(error.contains("can't be started"), "{error}");
    play_in_folder("random").unwrap();
    let error = play_in_folder("alphabeta:1").unwrap_err().to_string();
    assert!(error.contains("the folder contains another match: opponent"), "{error}");
}

#[test]
fn deeper_search_moves_less_often() {
    let pace = |depth| {
        let player = PlayerSpec::AlphaBeta { depth, quiescence: false, thousandths: 0 };
        let time = std::time::Duration::from_millis(300);
        moves_per_second("chess".parse().unwrap(), &player, Device::Cpu, time, 120).unwrap()
    };
    let [shallow, deep] = [1, 3].map(pace);
    assert!(shallow > 3.0 * deep, "{shallow} {deep}");
}
