//! Searches of small trees whose results were computed by hand. The games are walks on graphs with
//! numbered states ([`Graph`]).

use super::toy::{Graph, Rules, Table, Walk, searched, step};
use super::{nodes, paper};
use crate::gumbel::rank;
use crate::{
    Algorithm, Batch, EvaluationError, Evaluator, Leaf, Outlook, Proven, Search, SearchConfig, Value, run,
};
use catapult_rules::{Color, Outcome, Position};

/// Graph without an end: state 0 has two moves, to 1 and 2. `logits` are the logits of these moves,
/// `values` the values of states 0 to 4 for White.
fn fork(logits: [f32; 2], values: [f32; 5]) -> Rules {
    Graph {
        following: vec![vec![1, 2], vec![3, 4], vec![3, 4], vec![3, 4], vec![3, 4]],
        logits: vec![logits.to_vec()],
        values: values.to_vec(),
        ..Graph::default()
    }
    .leak()
}

#[test]
fn no_simulations_play_the_prior() {
    let (_, result) = searched(&paper(), fork([0.0, 3f32.ln()], [0.25, 0.0, 0.0, 0.0, 0.0]), 0);
    assert_eq!(result.best, Some(step(1)));
    assert!((result.policy[0].1 - 0.25).abs() < 1e-6 && (result.policy[1].1 - 0.75).abs() < 1e-6);
    assert_eq!(result.simulations, 0);
    let wdl = result.value.wdl;
    assert!((wdl[0] - 0.625).abs() < 1e-6 && wdl[1].abs() < 1e-6, "raw value: {wdl:?}");
}

/// At root temperature 2 the priors 1/4 and 3/4 become priors in the ratio 1 to sqrt 3. The
/// surprise of a policy p over priors q is the sum of p ln(p / q).
#[test]
fn the_roots_temperature_flattens_its_priors_alone() {
    let rules = fork([0.0, 3f32.ln()], [0.25, 0.0, 0.0, 0.0, 0.0]);
    let flat = SearchConfig { root_temperature: 2.0, ..paper() };
    let (_, result) = searched(&flat, rules, 0);
    let expected = 1.0 / (1.0 + 3f32.sqrt());
    assert!((result.policy[0].1 - expected).abs() < 1e-6 && (result.moves[0].prior - expected).abs() < 1e-6);
    assert!(result.surprise() < 1e-6);
    let mut changed = result.clone();
    changed.moves[0].prior = 0.25;
    changed.moves[1].prior = 0.75;
    changed.policy[0].1 = 0.5;
    changed.policy[1].1 = 0.5;
    // (ln 2 + ln 2/3) / 2 = ln(4/3) / 2.
    assert!((changed.surprise() - (4f32 / 3.0).ln() / 2.0).abs() < 1e-6);
    assert_eq!(changed.mean_value, changed.raw_value, "nothing but the root has been looked at");
}

/// Two moves have equal priors and visits. The Q of the second is higher by 0.25, so its sigma is
/// higher by (50 + 2) / 2 * 0.25 = 6.5. With noise of scale 100, some seeds choose the first. With
/// `choice_noise` 0, no seed does.
#[test]
fn the_choice_may_leave_the_noise_out() {
    let rules = fork([0.0, 0.0], [0.0, 0.25, 0.75, -0.5, 1.0]);
    let firsts = |choice_noise: f32| {
        let config = SearchConfig { gumbel_scale: 100.0, choice_noise, c_visit: 50.0, ..paper() };
        let mut search = Search::new(config);
        let best = |seed| {
            search.start_at(Walk::start(rules), 0, &[], 4, seed);
            let result = run(&mut search, &mut Table).unwrap();
            assert_eq!(result.moves.iter().map(|m| m.visits).collect::<Vec<_>>(), [2, 2]);
            result.best
        };
        (0..40).map(best).filter(|best| *best == Some(step(0))).count()
    };
    assert!((5..35).contains(&firsts(1.0)));
    assert_eq!(firsts(0.0), 0);
}

/// Moves a (prior 1/4) and b (prior 3/4, value 0.5 for White). The only simulation visits b, so
/// Q(b) = 0.5. With the root's value v = 0.2, the unvisited move a gets v_mix = (0.2 + 1 * (0.75 *
/// 0.5) / 0.75) / 2 = 0.35. sigma = (2 + 1) * 1 * (q + 1) / 2, so the logits of pi' differ by
/// ln 3 + 1.5 * (0.5 - 0.35) = ln 3 + 0.225.
#[test]
fn completed_q_of_one_simulation() {
    let config = SearchConfig { c_visit: 2.0, ..paper() };
    let (_, result) = searched(&config, fork([0.0, 3f32.ln()], [0.2, -0.9, 0.5, 0.0, 0.0]), 1);
    assert_eq!(result.best, Some(step(1)));
    let ratio = (result.policy[1].1 / result.policy[0].1).ln();
    assert!((ratio - (3f32.ln() + 0.225)).abs() < 1e-5, "{ratio}");
    let (a, b) = (result.policy[0].1, result.policy[1].1);
    let q = result.value.wdl[0] - result.value.wdl[2];
    assert!((q - (a * 0.35 + b * 0.5)).abs() < 1e-5, "value of pi': {q}");
    assert_eq!(result.moves[0].q, None);
    assert!((result.moves[1].q.unwrap() - 0.5).abs() < 1e-6);
    // 11 plies left after the move: the mix of 10 (raw) and 11 is 10.5.
    let expected = a * 10.5 + b * 11.0;
    assert!((result.value.moves_left - expected).abs() < 1e-5, "{} {expected}", result.value.moves_left);
}

/// Four simulations over two moves: two rounds of two (ceil(log2 2) = 1 phase of 4 / 2 rounds). At
/// state 1 Black is to move. Both replies have prior 1/2, so the second visit of state 1 creates
/// its first child, state 3, with value -0.5 for White.
#[test]
fn halving_visits_in_rows() {
    let (search, result) = searched(&paper(), fork([0.0, 0.0], [0.0, 0.25, 0.75, -0.5, 1.0]), 4);
    assert_eq!(result.moves.iter().map(|m| m.visits).collect::<Vec<_>>(), [2, 2]);
    let seen = nodes(&search);
    let q = |path: &[usize]| seen[&path.iter().map(|&i| step(i).bits()).collect::<Vec<_>>()].1;
    assert_eq!(q(&[0, 0]), -0.5);
    assert_eq!(q(&[0]), (0.25 - 0.5) / 2.0);
    assert_eq!(q(&[1]), (0.75 - 0.5) / 2.0);
    assert_eq!(q(&[]), (0.0 + 0.25 + 0.75 - 0.5 - 0.5) / 5.0);
    assert_eq!(result.best, Some(step(1)));
    // Every evaluation says 10 plies left, plus one per ply on the way up: 10, twice 11, twice 12.
    assert!((seen[&Vec::new()].3 - 11.2).abs() < 1e-5);
}

/// PUCT with c = 1, no first-play reduction, priors 1/4 and 3/4, and raw value 0. The scores of
/// moves 0 and 1 in simulations 1 to 5:
/// 1. 0 + 1/4 = 0.25 and 0 + 3/4 = 0.75. Move 1, with value -0.5, is visited. The root's Q becomes
///    -0.25.
/// 2. -0.25 + 1/4 = 0 and -0.5 + 3/4 / 2 = -0.125. Move 0, with value 0.5, is visited. The root's Q
///    becomes 0.
/// 3. With sqrt 2 as factor: 0.5 + 1.414 / 8 = 0.677 and -0.5 + 1.414 * 3/8 = 0.03. Move 0.
/// 4. With sqrt 3: 0.644 and 0.15. Move 0.
/// 5. With sqrt 4: 0.625 and 0.25. Move 0.
#[test]
fn puct_by_hand() {
    let config = SearchConfig {
        algorithm: Algorithm::Puct,
        c_puct: 1.0,
        fpu_reduction: 0.0,
        parallel_leaves: 1,
        ..paper()
    };
    let rules = fork([0.0, 3f32.ln()], [0.0, 0.5, -0.5, 0.5, 0.5]);
    for (simulations, visits) in [(1, [0, 1]), (2, [1, 1]), (3, [2, 1]), (4, [3, 1]), (5, [4, 1])] {
        let (_, result) = searched(&config, rules, simulations);
        assert_eq!(result.moves.iter().map(|m| m.visits).collect::<Vec<_>>(), visits);
        let share = visits[0] as f32 / simulations as f32;
        assert!((result.policy[0].1 - share).abs() < 1e-6, "policy is the share of visits");
    }
}

/// The first-play urgency of an unvisited move is the parent's Q minus the reduction times the
/// square root of the visited moves' total prior. In both cases the likelier move 1 is visited
/// first and then again. At the second visit, the scores of moves 0 and 1 are:
/// - Raw value -0.9, value -0.2 of move 1, root's Q -0.55: -0.55 + 1/4 = -0.3 and -0.2 + 3/8 =
///   0.175.
/// - Raw value 0, value -0.5 of move 1, root's Q -0.25, reduction 0.2: -0.25 - 0.2 * 0.866 + 1/4 =
///   -0.17 and -0.5 + 3/8 = -0.125.
#[test]
fn puct_first_play() {
    for (raw, value, fpu_reduction) in [(-0.9, -0.2, 0.0), (0.0, -0.5, 0.2)] {
        let algorithm = Algorithm::Puct;
        let config = SearchConfig { algorithm, c_puct: 1.0, fpu_reduction, parallel_leaves: 1, ..paper() };
        let rules = fork([0.0, 3f32.ln()], [raw, 0.9, value, value, value]);
        let (_, result) = searched(&config, rules, 2);
        assert_eq!(result.moves.iter().map(|m| m.visits).collect::<Vec<_>>(), [0, 2]);
    }
}

/// White moves at state 0 and again at state 1. So the value of state 1 must not change its sign on
/// the way to the root. White chooses state 4 there.
#[test]
fn two_decisions_in_a_row() {
    let rules = Graph {
        following: vec![vec![1, 2], vec![3, 4], vec![3, 4], vec![3, 4], vec![3, 4]],
        keeps_turn: vec![0],
        values: vec![0.0, 0.0, 0.0, -1.0, 1.0],
        ..Graph::default()
    }
    .leak();
    let (mut search, _) = searched(&paper(), rules, 6);
    let seen = nodes(&search);
    // Third visit of state 1: its first child, 3, was bad for White; its second, 4, is good.
    let visits =
        |path: &[usize]| seen.get(&path.iter().map(|&i| step(i).bits()).collect::<Vec<_>>()).map(|n| n.0);
    assert_eq!(visits(&[0]), Some(3));
    assert_eq!((visits(&[0, 0]), visits(&[0, 1])), (Some(1), Some(1)));
    assert_eq!(seen[&vec![step(0).bits(), step(1).bits()]].1, 1.0);
    // Further visits go to the good child under both algorithms. Black, deciding twice, goes to the
    // other.
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        for (mover, good, bad) in [(Color::White, 1, 0), (Color::Black, 0, 1)] {
            search.set_config(SearchConfig { algorithm, ..paper() });
            search.start_at(Walk { mover, ..Walk::start(rules) }, 0, &[], 60, 1);
            run(&mut search, &mut Table).unwrap();
            let seen = nodes(&search);
            let visits = |path: &[usize]| seen[&path.iter().map(|&i| step(i).bits()).collect::<Vec<_>>()].0;
            let factor = if algorithm == Algorithm::Gumbel { 5 } else { 1 };
            assert!(visits(&[0, good]) > factor * visits(&[0, bad]), "{algorithm:?} {mover:?}");
        }
    }
}

/// Two moves have equal value, but one leads to a longer game. A winning side avoids the longer
/// game and a losing side chooses it. In a level position, or without the moves-left bonus, the
/// length does not matter.
#[test]
fn a_winning_side_hurries() {
    struct Lasting(f32);
    impl Evaluator<Walk> for Lasting {
        fn evaluate(&mut self, batch: &mut Batch<Walk>) -> Result<(), EvaluationError> {
            batch.logits.clear();
            batch.logits.resize(batch.moves.len(), 0.0);
            let white = self.0;
            let answer = |leaf: &Leaf<Walk>| {
                let q = if leaf.position.mover == Color::White { white } else { -white };
                let moves_left = [20.0, 11.0, 29.0, 11.0, 29.0][leaf.position.state];
                Value { wdl: [(1.0 + q) / 2.0, 0.0, (1.0 - q) / 2.0], moves_left }
            };
            batch.values = batch.leaves.iter().map(answer).collect();
            Ok(())
        }
    }
    let rules =
        Graph { following: vec![vec![1, 2], vec![3], vec![4], vec![3], vec![4]], ..Graph::default() }.leak();
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        for (lead, cap, expected) in [(0.9, 0.04, 1), (-0.9, 0.04, -1), (0.2, 0.04, 0), (0.9, 0.0, 0)] {
            let config = SearchConfig { algorithm, moves_left_cap: cap, c_puct: 0.1, ..paper() };
            let mut search = Search::new(config);
            search.start_at(Walk::start(rules), 0, &[], 40, 1);
            let result = run(&mut search, &mut Lasting(lead)).unwrap();
            let difference = result.policy[0].1 - result.policy[1].1;
            let sign = if difference.abs() < 1e-3 { 0 } else { difference.signum() as i32 };
            assert_eq!(sign, expected, "{algorithm:?} {lead} {cap}: {difference}");
            if expected == 1 {
                assert_eq!(result.best, Some(step(0)));
            }
            if expected == -1 {
                assert_eq!(result.best, Some(step(1)));
            }
        }
    }
}

/// With the default number of considered moves, halving eliminates moves at every budget. The
/// expected visits, after phases over all, half and a quarter of the moves, are computed by hand.
#[test]
fn by_default_few_simulations_are_halved_too() {
    let count = 20;
    let rules = Graph {
        following: std::iter::once((1..=count).collect())
            .chain((1..=count).map(|state| vec![state]))
            .collect(),
        values: vec![0.0; count + 1],
        ..Graph::default()
    }
    .leak();
    for (simulations, expected) in [
        (1, &[1][..]),
        (2, &[2]),
        (4, &[2, 2]),
        (8, &[3, 3, 1, 1]),
        (16, &[4, 4, 2, 2, 1, 1, 1, 1]),
        (32, &[11, 11, 3, 3, 1, 1, 1, 1]),
    ] {
        let mut search = Search::new(SearchConfig::default());
        search.start_at(Walk::start(rules), 0, &[], simulations, 1);
        let result = run(&mut search, &mut Table).unwrap();
        let mut visits: Vec<u32> = result.moves.iter().map(|stats| stats.visits).collect();
        visits.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(visits[..expected.len()], *expected, "{simulations}");
        assert_eq!(visits.iter().sum::<u32>(), simulations);
    }
}

/// The root has sixteen likely moves, and a seventeenth move with almost no prior, which mates. The
/// search finds the mate at any number of simulations, even 0.
#[test]
fn a_mate_in_one_is_always_seen() {
    let mut following = vec![(1..=17).collect::<Vec<usize>>()];
    following.extend(std::iter::repeat_n(vec![1], 16));
    following.push(vec![]);
    let mut logits = vec![vec![0.0; 17]];
    logits[0][16] = -30.0;
    let mut outcomes = vec![None; 18];
    outcomes[17] = Some(Outcome::Checkmate);
    let rules = Graph { following, outcomes, logits, values: vec![0.0; 18], ..Graph::default() }.leak();
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        for simulations in [0, 1, 16] {
            let (_, result) = searched(&SearchConfig { algorithm, ..paper() }, rules, simulations);
            assert_eq!(result.best, Some(step(16)));
            assert_eq!(result.proven, Some(Proven { outlook: Outlook::Win, plies: 1 }));
            assert_eq!(result.value.wdl, [1.0, 0.0, 0.0]);
            assert_eq!(result.value.moves_left, 1.0);
            assert_eq!(result.policy[16].1, 1.0);
            assert_eq!(result.policy[0].1, 0.0);
        }
    }
}

/// A side ahead (or behind) has a move to a draw by repetition. The Q of this move is 0, and the
/// early end of the game earns it no moves-left bonus. Both moves have the same logit, so the
/// logits of pi' differ only by sigma.
#[test]
fn a_repetition_gets_no_bonus_for_being_short() {
    for lead in [0.9f32, -0.9] {
        let rules = Graph {
            following: vec![vec![1, 2], vec![1], vec![2]],
            outcomes: vec![None, Some(Outcome::Repetition), None],
            values: vec![lead, 0.0, lead],
            ..Graph::default()
        }
        .leak();
        let ratio = |cap| {
            let config = SearchConfig { moves_left_cap: cap, c_visit: 2.0, moves_left_slope: 1.0, ..paper() };
            let (search, result) = searched(&config, rules, 2);
            let seen = nodes(&search);
            let root = seen[&Vec::new()];
            (result.policy[0].1.ln() - result.policy[1].1.ln(), root.1, root.3)
        };
        let (without, _, _) = ratio(0.0);
        let (with, q, moves_left) = ratio(0.04);
        // The open child: visited once, 10 plies left there.
        let weight = -q.signum() * ((q.abs() - 0.5) / 0.5).max(0.0);
        let bonus = weight * (10.0 + 1.0 - moves_left).clamp(-0.04, 0.04);
        assert!(bonus.abs() > 1e-3, "the utility is at work: {bonus}");
        // sigma's factor: (2 + 1) / 2.
        assert!((with - (without - 1.5 * bonus)).abs() < 1e-4, "{lead}: {with} {without} {bonus}");
    }
}

/// Three moves have almost equal logits. The raw value is 0.9. The two visited moves have the
/// values 0.4 and -0.6. The estimate for the unvisited move is (0.9 + 2 * -0.1) / 3 = 0.23, between
/// the two. With the raw value as estimate, the unvisited move would be first.
#[test]
fn unvisited_moves_are_ranked_by_the_mix() {
    let rules = Graph {
        following: vec![vec![1, 2, 3], vec![1], vec![2], vec![3]],
        logits: vec![vec![0.0, 0.0, -0.001], vec![0.0], vec![0.0], vec![0.0]],
        values: vec![0.9, 0.4, -0.6, 0.9],
        ..Graph::default()
    }
    .leak();
    let (search, result) = searched(&SearchConfig { considered: Some(2), ..paper() }, rules, 2);
    assert_eq!(result.moves.iter().map(|m| m.visits).collect::<Vec<_>>(), [1, 1, 0]);
    let mut candidates = vec![(0.0, 0), (0.0, 1), (0.0, 2)];
    rank(&mut candidates, search.root(), 1.0, 0.0);
    assert_eq!(candidates.iter().map(|candidate| candidate.1).collect::<Vec<_>>(), [0, 2, 1]);
}

/// White may draw at once (move 0) or reach a position with value -0.1 (move 1). The draw is
/// better, unless the draw score is -0.3. The reported value excludes the draw score.
#[test]
fn a_draw_counts_as_it_is_said_to() {
    let rules = Graph {
        following: vec![vec![1, 2], vec![], vec![3], vec![3]],
        outcomes: vec![None, Some(Outcome::Stalemate), None, None],
        values: vec![0.0, 0.0, -0.1, -0.1],
        ..Graph::default()
    }
    .leak();
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        for (draw_score, best) in [(0.0, 0), (-0.3, 1), (0.3, 0)] {
            let (_, result) = searched(&SearchConfig { draw_score, algorithm, ..paper() }, rules, 32);
            assert_eq!(result.best, Some(step(best)), "{algorithm:?}, {draw_score}");
            assert_eq!((result.moves[0].q, result.moves[0].draw), (Some(0.0), 1.0));
        }
    }
}

/// White has one move. Black then chooses between state 2, which is likely and level, and state 3,
/// which looks bad at first and is good for Black. White's search gives nearly all visits of these
/// two to state 2. Black's search in the reused tree gives both the same number of new visits.
/// State 3 is better by 80 * 0.8 / 2 in sigma and worse by ln 9 in the logits. If old visits
/// counted, state 2 would stay the most visited.
#[test]
fn a_favourite_of_the_search_before_does_not_win_by_its_old_visits() {
    let rules = Graph {
        following: vec![vec![1], vec![2, 3], vec![4], vec![5], vec![4], vec![5]],
        logits: vec![vec![0.0], vec![9f32.ln(), 0.0], vec![0.0], vec![0.0], vec![0.0], vec![0.0]],
        values: vec![0.0, 0.0, 0.0, 0.5, 0.0, -0.9],
        ..Graph::default()
    }
    .leak();
    let mut search = Search::new(SearchConfig { c_visit: 50.0, considered: Some(2), ..paper() });
    let mut game = catapult_rules::Game::new(Walk::start(rules));
    search.start(&game, 24, 1);
    run(&mut search, &mut Table).unwrap();
    game.push(step(0));
    assert!(search.start_after(&game, &[step(0)], 24, 1));
    let kept: Vec<u32> = search.result().moves.iter().map(|stats| stats.visits).collect();
    assert!(kept[0] > 3 * kept[1], "{kept:?}");
    let mut batch = Batch::default();
    while !search.is_done() {
        batch.clear();
        search.gather(&mut batch);
        Table.evaluate(&mut batch).unwrap();
        search.apply(&batch, 0);
    }
    let result = search.result();
    let visits: Vec<u32> = result.moves.iter().map(|stats| stats.visits).collect();
    assert_eq!([visits[0] - kept[0], visits[1] - kept[1]], [12, 12]);
    assert!(visits[0] > visits[1], "{visits:?}");
    assert_eq!(result.best, Some(step(1)));
    // A round that has just begun changes nothing.
    search.prolong(24);
    assert_eq!(search.result().best, Some(step(1)));
}
