//! Tests of ratings with simulated players of known strength.

use super::bounds::{Standing, standings};
use super::fit::WEAK_SD;
use super::*;
use crate::random::numbers;
use catapult_seeds::Stream;
use rand::Rng;

/// Returns `pairs` pairs of games whose results are drawn from a model.
fn play(model: &Model, first: usize, second: usize, pairs: u32, random: &mut impl Rng) -> Vec<Pair> {
    let mut ended = |[worst, level, _]: [f64; 3]| {
        let u: f64 = random.random();
        if u < worst { 0 } else { 1 + usize::from(u >= worst + level) }
    };
    let mut pair = || {
        let white = ended(model.chances(first, second));
        let black = 2 - ended(model.chances(second, first));
        let of = |points| [Ended::Lost, Ended::Drawn, Ended::Won][points];
        Pair { as_white: of(white), as_black: of(black) }
    };
    (0..pairs).map(|_| pair()).collect()
}

fn contest(first: usize, second: usize, text: &str) -> Contest {
    let pairs: Vec<Pair> = text.split(' ').map(|pair| pair.parse().unwrap()).collect();
    Contest::new(first, second, &pairs)
}

fn value(rating: Rating) -> (f64, f64, f64) {
    match rating {
        Rating::Value { elo, low, high } => {
            (elo, low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY))
        }
        other => panic!("{other}"),
    }
}

#[test]
fn two_players_differ_by_wins_to_losses() {
    // The first player wins 28 of 38 decided games, half of them with each colour: 400 log10(28 /
    // 10), and no advantage of White.
    let contest = Contest { first: 0, second: 1, counts: [[2, 1, 2], [1, 1, 4], [2, 4, 8]] };
    assert_eq!(contest.as_white().map(|n| n as u32), [5, 6, 14]);
    assert_eq!(contest.as_black().map(|n| n as u32), [5, 6, 14]);
    let ratings = rate(std::slice::from_ref(&contest), 2, 1, 199, 1);
    let (elo, low, high) = value(ratings.players[0].rating);
    // nu: draws over the geometric mean of wins and losses, 12 / sqrt(28 x 10).
    let nu = 12.0 / 280f64.sqrt();
    let by_hand = 400.0 * (28.0f64 / 10.0).log10() / (1.0 + nu / 2.0);
    assert!((elo - by_hand).abs() < 1.0, "{elo} is not {by_hand}");
    assert!(low < elo && elo < high && high - low > 100.0);
    assert!(ratings.white.value.abs() < 0.5, "{:?}", ratings.white);
    // Near the Elo of a match with 34 of 50 points, which ignores draws.
    assert!((elo - catapult_stats::elo_of_score(0.68)).abs() < 3.0, "{elo}");
    assert!((ratings.draws.value - nu).abs() < 0.01, "{:?}", ratings.draws);
    assert_eq!((ratings.players[0].games, ratings.players[0].opponents), (50, 1));
    assert_eq!(value(ratings.players[1].rating), (0.0, 0.0, 0.0));
    // Exchanging the zero mirrors the result.
    let mirrored = rate(&[contest], 2, 0, 199, 1);
    assert!((value(mirrored.players[1].rating).0 + elo).abs() < 1e-6);
    // The fit meets a single pairing exactly, except for the prior.
    assert!(ratings.meetings[0].residual.abs() < 0.02, "{:?}", ratings.meetings);
}

#[test]
fn drawn_games_leave_an_interval() {
    // A match with 20 drawn pairs has the interval -33 to +33 Elo.
    let drawn = Contest { first: 0, second: 1, counts: [[0, 0, 0], [0, 20, 0], [0, 0, 0]] };
    let (elo, low, high) = value(rate(&[drawn], 2, 0, 999, 1).players[1].rating);
    assert!(
        elo.abs() < 1e-6 && (-60.0..-20.0).contains(&low) && (20.0..60.0).contains(&high),
        "{low} {high}"
    );
    // 2 % of the games between equals are won by White, 2 % by Black.
    let model = Model { ratings: vec![0.0, 0.0], white: 0.0, draws: 48.0 };
    let mut widths = 0.0;
    let mut holds = |seed: u64| {
        let pairs = play(&model, 1, 0, 30, &mut numbers(Stream::Choice.seed(seed)));
        let (_, low, high) = value(rate(&[Contest::new(1, 0, &pairs)], 2, 0, 199, seed).players[1].rating);
        widths += high - low;
        low <= 0.0 && 0.0 <= high
    };
    let held = (0..200).filter(|seed| holds(*seed)).count();
    assert!(held >= 186 && widths / 200.0 < 60.0, "{held} of 200, {widths}");
}

#[test]
fn games_that_one_player_wins_leave_whites_advantage_open() {
    let won = Contest { first: 1, second: 0, counts: [[0, 0, 0], [0, 0, 0], [0, 0, 20]] };
    let ratings = rate(&[won], 2, 0, 99, 1);
    assert!(ratings.white.low < -100.0 && 100.0 < ratings.white.high, "{:?}", ratings.white);
    assert!(ratings.draws.low < ratings.draws.value && ratings.draws.value < ratings.draws.high);
    let some_drawn = Contest { first: 1, second: 0, counts: [[0, 0, 0], [0, 3, 0], [0, 0, 7]] };
    let white = rate(&[some_drawn], 2, 0, 99, 1).white;
    assert!(white.low < -50.0 && 50.0 < white.high, "{white:?}");
    let none_drawn = Contest { first: 1, second: 0, counts: [[3, 0, 0], [0, 0, 0], [0, 0, 7]] };
    let draws = rate(&[none_drawn], 2, 0, 99, 1).draws;
    assert!(draws.low < 0.01 && 0.3 < draws.high, "{draws:?}");
}

#[test]
fn intervals_of_unequal_players_hold_the_truth_too() {
    let model = Model { ratings: vec![0.0, 200.0], white: 20.0, draws: 0.5 };
    let (mut held, mut of) = (0, 0);
    for seed in 0..200 {
        let pairs = play(&model, 1, 0, 20, &mut numbers(Stream::Choice.seed(seed)));
        let (_, low, high) = value(rate(&[Contest::new(1, 0, &pairs)], 2, 0, 199, seed).players[1].rating);
        (held, of) = (held + u32::from(low <= 200.0 && 200.0 <= high), of + 1);
    }
    assert!((180..=199).contains(&held), "{held} of {of}");
}

#[test]
fn white_is_worth_what_equals_lose_with_black() {
    // Equals; White wins 60 of 80 decided games.
    let contest = Contest { first: 0, second: 1, counts: [[0, 0, 10], [0, 0, 0], [30, 0, 0]] };
    assert_eq!((contest.as_white(), contest.as_black()), ([10.0, 0.0, 30.0], [30.0, 0.0, 10.0]));
    let ratings = rate(&[contest], 2, 0, 49, 1);
    let by_hand = 400.0 * 3f64.log10();
    assert!((ratings.white.value - by_hand).abs() < 3.0, "{:?}", ratings.white);
    assert!(value(ratings.players[1].rating).0.abs() < 1e-6);
    // No game is drawn. The prior keeps nu above 0.
    assert!((0.0..0.02).contains(&ratings.draws.value), "{:?}", ratings.draws);
}

/// Returns a model of six players. In the games of `ladder`, each player meets the two next
/// stronger players.
fn known() -> Model {
    Model { ratings: vec![0.0, -350.0, 180.0, 320.0, 500.0, 640.0], white: 40.0, draws: 0.6 }
}

fn ladder(model: &Model, pairs: u32, random: &mut impl Rng) -> Vec<Contest> {
    let pairings = [(1, 0), (0, 2), (0, 3), (2, 3), (1, 2), (2, 4), (3, 4), (3, 5), (4, 5)];
    pairings.map(|(a, b)| Contest::new(a, b, &play(model, a, b, pairs, random))).into()
}

#[test]
fn known_strengths_are_found() {
    let model = known();
    let contests = ladder(&model, 400, &mut numbers(Stream::Choice.seed(3)));
    let fitted = fit(&contests, 0, &[(0.0, WEAK_SD); 6], None).model;
    for (player, truth) in model.ratings.iter().enumerate() {
        assert!((fitted.ratings[player] - truth).abs() < 45.0, "{player}: {}", fitted.ratings[player]);
    }
    assert!((fitted.white - 40.0).abs() < 15.0 && (fitted.draws - 0.6).abs() < 0.08, "{fitted:?}");
    // At the maximum each player's score is the expected one, except for the prior.
    let ratings = rate(&contests, 6, 0, 99, 1);
    for player in 1..6 {
        let own = ratings.meetings.iter().filter(|m| m.first == player || m.second == player);
        let surplus: f64 = own
            .map(|m| {
                let sign = if m.first == player { 1.0 } else { -1.0 };
                sign * f64::from(m.games) * (m.observed - m.expected)
            })
            .sum();
        assert!(surplus.abs() < 0.05, "{player}: {surplus}");
    }
    assert!(ratings.meetings.iter().all(|m| m.residual.abs() < 4.0));
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    let model = known();
    let (mut held, mut of, mut white) = (0, 0, 0);
    let scales = 200;
    for seed in 0..scales {
        let contests = ladder(&model, 10, &mut numbers(Stream::Choice.seed(seed)));
        let ratings = rate(&contests, 6, 0, 199, seed);
        for (player, truth) in model.ratings.iter().enumerate().skip(1) {
            let (_, low, high) = value(ratings.players[player].rating);
            held += u32::from(low <= *truth && *truth <= high);
            of += 1;
        }
        white += u32::from(ratings.white.low <= 40.0 && 40.0 <= ratings.white.high);
    }
    let share = f64::from(held) / f64::from(of);
    // Four standard errors of 1000 intervals are 3 %. The intervals of one scale are correlated.
    assert!((0.92..0.98).contains(&share), "{share}");
    assert!((0.90..0.99).contains(&(f64::from(white) / scales as f64)), "{white} of {scales}");
}

#[test]
fn an_unbeaten_player_gets_a_bound() {
    let won = ["ww"; 20].join(" ");
    let contests =
        [contest(0, 1, "wl ld ww wl"), contest(1, 2, &won), contest(3, 0, &won), contest(4, 3, &won)];
    let ratings = rate(&contests, 5, 0, 99, 1);
    value(ratings.players[1].rating);
    // 20 pairs all won: Wilson's low end is 20 / (20 + 1.96^2) = 0.8389, which is +286.5 Elo.
    let elo = 400.0 * (0.8389f64 / 0.1611).log10();
    let Rating::AtLeast { elo: above } = ratings.players[3].rating else { panic!("{ratings:?}") };
    assert!((above - elo).abs() < 0.5, "{above}");
    // Bounded by a player that has only a bound.
    let Rating::AtLeast { elo: top } = ratings.players[4].rating else { panic!("{ratings:?}") };
    assert!((top - 2.0 * elo).abs() < 1.0, "{top}");
    let Rating::AtMost { elo: below } = ratings.players[2].rating else { panic!("{ratings:?}") };
    let (_, _, high) = value(ratings.players[1].rating);
    assert!((below - (high - elo)).abs() < 0.5, "{below}");
    assert_eq!(ratings.players[3].rating.to_string(), "> +287");
    // One draw bounds it on both sides, but the games leave its upper end open.
    let nearly = format!("{won} wd");
    let others = contest(0, 2, "wl dd ld wd wl ww dl wl");
    let ratings = rate(&[contest(1, 0, &nearly), others], 3, 0, 199, 1);
    let Rating::Value { elo, low: Some(low), high: None } = ratings.players[1].rating else {
        panic!("{ratings:?}")
    };
    assert!(low < elo && low > 250.0, "{low} {elo}");
    assert!(ratings.players[1].rating.to_string().ends_with(", ...]"));
}

#[test]
fn players_that_nothing_joins_to_the_zero_are_told() {
    let contests = [contest(0, 1, "wl lw"), contest(2, 3, "wl ww"), contest(4, 5, "ww"), contest(4, 1, "ww")];
    assert_eq!(
        standings(&contests, 6, 0),
        [Standing::Held, Standing::Held, Standing::Apart, Standing::Apart, Standing::Above, Standing::Apart]
    );
    let ratings = rate(&contests, 6, 0, 9, 1);
    // Player 5 lost to a player above the zero, so it may stand anywhere.
    for player in [2, 3, 5] {
        assert_eq!(ratings.players[player].rating.to_string(), "not connected");
    }
    assert!(matches!(ratings.players[4].rating, Rating::AtLeast { .. }));
}

#[test]
fn pairs_read_as_they_are_written() {
    for text in ["wl", "dc", "ww", "ll"] {
        assert_eq!(text.parse::<Pair>().unwrap().to_string(), text);
    }
    for text in ["", "w", "wlw", "x1", "WL"] {
        assert!(text.parse::<Pair>().unwrap_err().contains("letters w, d, c and l"));
    }
    assert_eq!(contest(0, 1, "wl dc").half_points(), 4);
}

/// Plays the games of a plan until it is complete and returns the contests. The results are drawn
/// from the model.
fn follow(plan: &Plan, model: &Model, seed: u64) -> Vec<Contest> {
    let mut contests: Vec<Contest> = Vec::new();
    let mut random = numbers(Stream::Choice.seed(seed));
    loop {
        let round = plan.next_round(&contests);
        if round.is_empty() {
            return contests;
        }
        for (first, second) in round {
            let new = Contest::new(first, second, &play(model, first, second, BLOCK_PAIRS, &mut random));
            match contests.iter_mut().find(|c| (c.first, c.second) == (first, second)) {
                Some(contest) => {
                    for (row, more) in contest.counts.iter_mut().zip(new.counts) {
                        row.iter_mut().zip(more).for_each(|(count, more)| *count += more);
                    }
                }
                None => contests.push(new),
            }
        }
    }
}

/// Returns a plan and the true ratings. Players 0 to 5 are anchors with guesses near the truth.
/// Players 6 to 8 have no guess, and player 8 is too strong for any opponent.
fn unknown() -> (Plan, Model) {
    let model = Model {
        ratings: vec![0.0, -320.0, -560.0, 330.0, 560.0, 900.0, -450.0, 700.0, 2500.0],
        white: 20.0,
        draws: 0.3,
    };
    let guesses = [0.0, -300.0, -600.0, 300.0, 600.0, 900.0].map(Some);
    let seat = |guess| Seat { guess, cost: 1.0, is_target: guess.is_none() };
    let seats = guesses.into_iter().chain([None; 3]).map(seat).collect();
    (Plan { seats, zero: 0, games: 1600, games_per_pairing: 200 }, model)
}

#[test]
fn games_go_where_they_tell_most() {
    let (plan, model) = unknown();
    let contests = follow(&plan, &model, 1);
    let games: u32 = contests.iter().map(|c| 2 * c.pairs()).sum();
    assert!(games <= 1600 && games > 1500, "{games}");
    let mut telling = 0;
    for contest in &contests {
        assert!(2 * contest.pairs() <= 200);
        let score = f64::from(contest.half_points()) / f64::from(4 * contest.pairs());
        if (0.1..0.9).contains(&score) {
            telling += 2 * contest.pairs();
        }
        // Pairings with little information end early.
        if !(0.02..0.98).contains(&model.score(contest.first, contest.second).0) {
            assert!(contest.pairs() <= 2 * BLOCK_PAIRS, "{contest:?}");
        }
    }
    assert!(telling > games * 7 / 10, "{telling} of {games}");
    let ratings = rate(&contests, 9, 0, 99, 1);
    for (player, truth) in [(6, -450.0), (7, 700.0)] {
        let (elo, low, high) = value(ratings.players[player].rating);
        assert!((elo - truth).abs() < 100.0 && high - low < 300.0, "{player}: {elo} [{low}, {high}]");
        assert!(ratings.players[player].opponents >= 2);
    }
    assert!(
        matches!(ratings.players[8].rating, Rating::AtLeast { elo } if (700.0..2500.0).contains(&elo)),
        "{ratings:?}"
    );
    // Player 8 is out of reach, so no opponent says much about it.
    assert!(ratings.players[8].games <= 120, "{:?}", ratings.players[8]);
    // If the zero is slow, an unknown player first meets another.
    let mut slow = plan.clone();
    assert!(plan.next_round(&[]).contains(&(0, 6)));
    slow.seats[0].cost = 10_000.0;
    assert!(!slow.next_round(&[]).contains(&(0, 6)));
    // A plan with more games begins with the same games.
    assert_eq!(Plan { games: 3200, ..plan.clone() }.next_round(&[]), plan.next_round(&[]));
}

#[test]
fn choosing_opponents_by_results_leaves_intervals_honest() {
    let (plan, model) = unknown();
    let (mut held, mut error, mut bounds) = ([0; 2], [0.0; 2], 0);
    let plans = 100;
    for seed in 0..plans {
        let ratings = rate(&follow(&plan, &model, seed), 9, 0, 199, seed);
        for (at, player) in [6, 7].into_iter().enumerate() {
            let truth = model.ratings[player];
            // If a fluke decides the first block between the only neighbours, the result is a
            // bound.
            if let Rating::AtLeast { elo } = ratings.players[player].rating {
                held[at] += u32::from(elo <= truth);
                bounds += 1;
                continue;
            }
            let (elo, low, high) = value(ratings.players[player].rating);
            held[at] += u32::from(low <= truth && truth <= high);
            error[at] += (elo - truth) / plans as f64;
        }
    }
    assert!(bounds <= 1, "{bounds}");
    assert!(held.iter().all(|held| *held >= 90), "{held:?}");
    assert!(error.iter().all(|error| error.abs() < 20.0), "{error:?}");
}
