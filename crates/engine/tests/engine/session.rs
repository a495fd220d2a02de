//! Tests of sessions with a simulated clock.

use catapult_engine::{AnalysisRequest, Analyst, Clock, Limits, Session, SessionThinker, Settings};
use catapult_mcts::evaluators::{HashRandom, Material};
use catapult_mcts::{Batch, Evaluator, Outlook};
use catapult_rules::{Chess, Game, Position, Standard, Variant};
use std::time::Duration;

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn game(fen: Option<&str>) -> Game<Chess> {
    let rules = Default::default();
    Game::new(fen.map_or(Chess::start(rules), |fen| Chess::from_fen(fen, rules).unwrap()))
}

fn session() -> Session<Chess> {
    Session::new(game(None), Settings::default())
}

/// Runs a search with a simulated clock that advances by `a_leaf` per leaf. Returns the final time
/// and the number of requested leaves. Stops after `batches` batches.
fn think(
    session: &mut Session<Chess>,
    begin: Duration,
    a_leaf: Duration,
    batches: usize,
) -> (Duration, usize) {
    let (mut batch, mut now, mut asked) = (Batch::default(), begin, 0);
    for _ in 0..batches {
        batch.clear();
        let count = session.gather(&mut batch, now);
        if count == 0 {
            break;
        }
        HashRandom { seed: 3 }.evaluate(&mut batch).unwrap();
        now += a_leaf * count as u32;
        asked += count;
        session.apply(&batch, 0, now);
    }
    (now, asked)
}

#[test]
fn nodes_are_counted_and_the_answer_is_of_the_best_line() {
    let mut session = session();
    for nodes in [1, 7, 64, 500] {
        session.forget();
        session.start(Limits { nodes: Some(nodes), ..Limits::default() }, ms(0));
        think(&mut session, ms(0), ms(1), usize::MAX);
        let snapshot = session.snapshot();
        assert_eq!((snapshot.simulations, session.is_thinking()), (nodes, false));
        assert_eq!(snapshot.lines.len(), 20);
        let (best, reply) = session.best().unwrap();
        assert_eq!(snapshot.lines[0].moves[0], best);
        assert_eq!(snapshot.lines[0].moves.get(1).copied(), reply);
        let shares: f32 = snapshot.lines.iter().map(|line| line.share).sum();
        assert!(
            (shares - 1.0).abs() < 1e-4
                && snapshot.lines.iter().map(|line| line.visits).sum::<u32>() == nodes
        );
        // All lines are legal.
        for line in &snapshot.lines {
            let mut game = session.game().clone();
            for &mv in &line.moves {
                assert!(game.position().is_legal(mv));
                game.push(mv);
            }
        }
    }
}

/// At any speed of the evaluator, a move takes about the planned time. It exceeds the deadline by
/// at most one batch.
#[test]
fn time_is_used_and_never_overrun() {
    for a_leaf in [Duration::from_micros(20), ms(1), ms(7)] {
        let mut session = session();
        let clock = Clock { remaining: ms(10_180), increment: ms(0), moves_to_go: None };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let allowance = limits.allowance(ms(30)).unwrap();
        assert_eq!((allowance.planned, allowance.latest), (ms(400), ms(1200)));
        let mut game = game(None);
        for number in 0..3 {
            let begin = ms(5_000 * number);
            session.start(limits.clone(), begin);
            let (end, _) = think(&mut session, begin, a_leaf, usize::MAX);
            let took = end - begin;
            assert!(!session.is_thinking());
            assert!(took >= allowance.planned / 2, "{took:?} at {a_leaf:?} a leaf");
            assert!(took <= allowance.latest + a_leaf * 16, "{took:?} at {a_leaf:?} a leaf");
            let (best, reply) = session.best().unwrap();
            game.push(best);
            game.push(reply.unwrap());
            session.set_game(game.clone());
        }
    }
    // With a close deadline leaves are requested one at a time.
    let mut session = session();
    let limits = Limits { move_time: Some(ms(45)), ..Limits::default() };
    session.start(limits, ms(0));
    let (end, _) = think(&mut session, ms(0), ms(10), usize::MAX);
    assert!(end <= ms(25), "{end:?}");
}

/// A limit on nodes that the time does not allow leaves the planned time of a move unchanged.
#[test]
fn a_limit_on_nodes_takes_no_more_than_the_planned_time() {
    let mut session = session();
    let clock = Clock { remaining: ms(10_180), ..Clock::default() };
    session.start(Limits { nodes: Some(1_000_000), clock: Some(clock), ..Limits::default() }, ms(0));
    let (end, _) = think(&mut session, ms(0), ms(1), usize::MAX);
    assert!(!session.is_thinking() && (ms(400)..=ms(416)).contains(&end), "{end:?}");
}

/// A search that the system delayed has little influence on the thinking time of the next move.
#[test]
fn a_stall_is_forgotten() {
    let mut session = session();
    let mut game = game(None);
    let limits = Limits { move_time: Some(ms(70)), ..Limits::default() };
    let speeds = [ms(30), Duration::from_micros(100), Duration::from_micros(100), Duration::from_micros(100)];
    for (number, a_leaf) in speeds.into_iter().enumerate() {
        let begin = ms(1_000 * number as u64);
        session.start(limits.clone(), begin);
        let (end, asked) = think(&mut session, begin, a_leaf, usize::MAX);
        if number > 0 {
            assert!(end - begin >= ms(20) && asked > 200, "move {number}: {:?}, {asked} leaves", end - begin);
        }
        let (best, reply) = session.best().unwrap();
        game.push(best);
        game.push(reply.unwrap_or(game.position().legal_moves()[0]));
        session.set_game(game.clone());
    }
}

/// A search of a fast evaluator, such as a cache, plans no round of the next game.
#[test]
fn another_game_measures_the_speed_anew() {
    let mut session = session();
    for (begin, a_leaf) in [(ms(0), Duration::from_micros(50)), (ms(1_000), ms(1))] {
        session.forget();
        session.start(Limits { move_time: Some(ms(330)), ..Limits::default() }, begin);
        think(&mut session, begin, a_leaf, usize::MAX);
    }
    // 300 simulations in the first level of a long sequential halving are 19 per move.
    let visits = session.snapshot().lines.iter().map(|line| line.visits).max().unwrap();
    assert!(visits > 30, "{visits}");
}

/// Once the speed of a slow evaluator is known, a search requests no more leaves than the time
/// allows.
#[test]
fn a_slow_evaluator_is_not_asked_for_more_than_there_is_time_for() {
    let mut session = session();
    let limits = Limits { move_time: Some(ms(70)), ..Limits::default() };
    for begin in [ms(0), ms(10_000), ms(20_000)] {
        session.start(limits.clone(), begin);
        let (end, asked) = think(&mut session, begin, ms(20), usize::MAX);
        assert!(begin == ms(0) || end - begin <= ms(60), "{:?}, {asked} leaves", end - begin);
    }
}

#[test]
fn infinite_searches_think_until_stopped() {
    for limits in [
        Limits { infinite: true, ..Limits::default() },
        Limits { infinite: true, move_time: Some(ms(50)), ..Limits::default() },
        Limits { ponder: true, nodes: Some(10), ..Limits::default() },
    ] {
        let mut session = session();
        session.start(limits, ms(0));
        let (_, asked) = think(&mut session, ms(0), ms(1), 400);
        assert!(session.is_thinking() && asked > 400);
        session.stop();
        assert!(!session.is_thinking() && session.best().is_some());
    }
    // The mate is found at once, but the answer waits for the stop.
    let mut session = Session::new(game(Some("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")), Settings::default());
    session.start(Limits { infinite: true, ..Limits::default() }, ms(0));
    let (_, asked) = think(&mut session, ms(0), ms(1), usize::MAX);
    assert!(asked < 100 && session.is_thinking());
    let proven = session.snapshot().lines[0].proven.unwrap();
    assert_eq!((proven.outlook, proven.plies), (Outlook::Win, 0));
}

#[test]
fn pondering_ends_by_the_clock_once_the_move_is_made() {
    let mut session = session();
    let clock = Clock { remaining: ms(2530), increment: ms(0), moves_to_go: None };
    session.start(Limits { ponder: true, clock: Some(clock), ..Limits::default() }, ms(0));
    let (now, _) = think(&mut session, ms(0), ms(1), 500);
    assert!(session.is_thinking() && now > ms(500));
    session.ponder_hit(now);
    let (end, _) = think(&mut session, now, ms(1), usize::MAX);
    assert!(!session.is_thinking());
    assert!(end - now <= ms(94 + 16), "{:?}", end - now);
    // Pondering uses no clock time and does not count as a speed measurement. Of a planned 100 ms
    // the next move exceeds at most one batch.
    let (best, reply) = session.best().unwrap();
    let mut game = game(None);
    game.push(best);
    game.push(reply.unwrap());
    session.set_game(game);
    session.start(Limits { clock: Some(clock), ..Limits::default() }, end);
    let (next, _) = think(&mut session, end, ms(1), usize::MAX);
    assert!(next - end <= ms(120), "{:?}", next - end);
}

/// Pondering may reach a limit in the middle of a long round. The round then ends with its next
/// batch.
#[test]
fn pondering_past_a_limit_ends_once_the_move_is_made() {
    // White's only legal move captures the rook.
    let forced = "7k/pp6/8/8/8/8/1r6/K7 w - - 0 1";
    let clock = Clock { remaining: ms(600_000), ..Clock::default() };
    for (fen, limits) in [
        (None, Limits { nodes: Some(100), ..Limits::default() }),
        (Some(forced), Limits { clock: Some(clock), ..Limits::default() }),
    ] {
        let mut session = Session::new(game(fen), Settings::default());
        session.start(Limits { ponder: true, ..limits }, ms(0));
        let (now, _) = think(&mut session, ms(0), ms(1), 500);
        assert!(session.is_thinking() && session.simulations() > 400);
        session.ponder_hit(now);
        let (_, asked) = think(&mut session, now, ms(1), usize::MAX);
        assert!(!session.is_thinking() && asked <= 1, "{fen:?}: {asked} leaves");
    }
}

#[test]
fn a_page_keeps_its_tree_unless_noise_has_another_seed() {
    let thinker = SessionThinker::<Chess, _>::new(Standard, Material);
    let mut analyst = Analyst::new(Box::new(thinker), Variant::Chess, 1 << 22);
    let game = Variant::Chess.start();
    let mut visits = |noise, seed| {
        let request = AnalysisRequest { nodes: Some(100), noise, seed, ..Default::default() };
        analyst.think(&*game, &request, ms(0)).unwrap();
        while analyst.step(ms(0)).unwrap() {}
        analyst.report().lines.iter().map(|line| line.visits).sum::<u32>()
    };
    assert_eq!(visits(0.0, 1), 100);
    assert_eq!(visits(0.0, 2), 200);
    assert_eq!(visits(1.0, 3), 100);
    assert_eq!(visits(1.0, 4), 100);
}

#[test]
fn the_tree_is_kept_while_the_game_goes_on() {
    let mut session = session();
    let limits = Limits { nodes: Some(400), ..Limits::default() };
    session.start(limits.clone(), ms(0));
    think(&mut session, ms(0), ms(1), usize::MAX);
    let (best, reply) = session.best().unwrap();
    let mut game = game(None);
    game.push(best);
    game.push(reply.unwrap());
    let visits =
        |session: &Session<Chess>| session.snapshot().lines.iter().map(|line| line.visits).sum::<u32>();
    session.set_game(game.clone());
    session.start(limits.clone(), ms(0));
    think(&mut session, ms(0), ms(1), usize::MAX);
    assert!(visits(&session) > 400, "{} visits", visits(&session));
    // Another game, then the same game after `forget`.
    let mut other = self::game(None);
    other.push(other.position().parse_move("a2a3").unwrap());
    session.set_game(other);
    session.start(limits.clone(), ms(0));
    think(&mut session, ms(0), ms(1), usize::MAX);
    assert_eq!(visits(&session), 400);
    session.set_game(game);
    session.forget();
    session.start(limits, ms(0));
    think(&mut session, ms(0), ms(1), usize::MAX);
    assert_eq!(visits(&session), 400);
}

#[test]
fn a_mate_that_was_asked_for_ends_the_search() {
    // Mate in two: 1. Ra6 bxa6 2. b7 mate (Morphy).
    let mut session = Session::new(game(Some("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")), Settings::default());
    session.start(Limits { mate: Some(2), ..Limits::default() }, ms(0));
    let mut batch = Batch::default();
    while session.is_thinking() {
        batch.clear();
        if session.gather(&mut batch, ms(0)) > 0 {
            Material.evaluate(&mut batch).unwrap();
            session.apply(&batch, 0, ms(0));
        }
    }
    let (best, _) = session.best().unwrap();
    assert_eq!(session.game().position().move_text(best), "a1a6");
}

#[test]
fn a_game_that_is_over_has_no_best_move() {
    let mut session = Session::new(game(Some("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")), Settings::default());
    session.start(Limits { nodes: Some(10), ..Limits::default() }, ms(0));
    think(&mut session, ms(0), ms(1), usize::MAX);
    assert!(!session.is_thinking() && session.best().is_none());
}

/// At temperature 1, the frequencies of sampled moves follow their probabilities according to the
/// search. Near temperature 0, only the likeliest move is sampled.
#[test]
fn drawn_moves_follow_their_probabilities() {
    let mut session = session();
    session.start(Limits { nodes: Some(200), ..Limits::default() }, ms(0));
    think(&mut session, ms(0), ms(1), usize::MAX);
    let lines = session.snapshot().lines;
    const DRAWS: u64 = 4000;
    for line in &lines {
        let hits =
            (0..DRAWS).filter(|&seed| session.sample_move(1.0, seed).unwrap().0 == line.moves[0]).count();
        let (p, n) = (f64::from(line.share), DRAWS as f64);
        // Five standard deviations, plus one for rare moves.
        let within = 5.0 * (n * p * (1.0 - p)).sqrt() + 1.0;
        assert!((hits as f64 - n * p).abs() < within, "{hits} of {DRAWS} for {p}");
    }
    let likeliest = lines.iter().max_by(|a, b| a.share.total_cmp(&b.share)).unwrap();
    assert!((0..100).all(|seed| session.sample_move(0.01, seed).unwrap().0 == likeliest.moves[0]));
}

#[test]
fn an_endless_search_with_nothing_left_to_search_waits() {
    // Every line ends in a draw by the fifty-move rule, which proves nothing.
    let mut session = Session::new(game(Some("7k/8/8/8/8/8/8/KR6 w - - 98 80")), Settings::default());
    session.start(Limits { infinite: true, ..Limits::default() }, ms(0));
    think(&mut session, ms(0), ms(1), usize::MAX);
    let made = session.simulations();
    let mut batch = Batch::default();
    for _ in 0..20 {
        assert_eq!(session.gather(&mut batch, ms(1)), 0);
    }
    assert_eq!((session.simulations(), session.is_thinking()), (made, true));
    session.stop();
    assert!(session.best().is_some());
}

#[test]
fn a_forced_move_takes_no_time() {
    let mut session = session();
    let clock = |remaining| Some(Clock { remaining, ..Clock::default() });
    session.start(Limits { clock: clock(ms(10_180)), ..Limits::default() }, ms(0));
    let (now, _) = think(&mut session, ms(0), ms(1), usize::MAX);
    session.set_game(game(Some("7k/8/8/8/8/8/1r6/K7 w - - 0 1")));
    session.start(Limits { clock: clock(ms(10_180)), ..Limits::default() }, now);
    let (end, _) = think(&mut session, now, ms(1), usize::MAX);
    assert!(end - now <= ms(40), "{:?}", end - now);
}

#[test]
fn another_clock_is_another_game() {
    let mut session = Session::new(game(Some("7k/8/5K2/8/8/8/8/R7 w - - 0 1")), Settings::default());
    for halfmoves in [0, 98] {
        session.set_game(game(Some(&format!("7k/8/5K2/8/8/8/8/R7 w - - {halfmoves} 60"))));
        session.start(Limits { nodes: Some(100), ..Limits::default() }, ms(0));
        think(&mut session, ms(0), ms(1), usize::MAX);
        let visits: u32 = session.snapshot().lines.iter().map(|line| line.visits).sum();
        assert!(visits <= 100, "the tree was kept: {visits}");
    }
}

/// A search of some moves may prove the root wrongly: here the only move stalemates.
#[test]
fn a_search_of_some_moves_says_nothing_of_the_others() {
    let mut session = Session::new(game(Some("7k/8/8/8/8/8/8/K4Q2 w - - 0 1")), Settings::default());
    let stalemate = session.game().position().parse_move("f1f7").unwrap();
    for only in [Some(vec![stalemate]), None] {
        let limits = Limits { nodes: Some(100), search_moves: only.clone(), ..Limits::default() };
        session.start(limits, ms(0));
        think(&mut session, ms(0), ms(1), usize::MAX);
        let best = session.best().unwrap().0;
        assert_eq!(best == stalemate, only.is_some());
    }
    // Before the root's evaluation, the answer is one of these moves, too.
    session.forget();
    session.start(Limits { search_moves: Some(vec![stalemate]), ..Limits::default() }, ms(0));
    session.stop();
    assert_eq!(session.best().unwrap().0, stalemate);
}
