//! Tests of searches with a mask, which forbids a kind of move to one side or to both.

use super::mates::after;
use super::toy::Nim;
use super::{nodes, paper};
use crate::evaluators::{HashRandom, Uniform};
use crate::{Algorithm, Mask, Outlook, Proven, Search, SearchConfig, SearchResult, allowed_moves, run};
use catapult_rules::{ChessMove, ChessMoveKind, ChessPp, Color, ForbiddenKind, Game, Move, Plain, Position};
use std::collections::BTreeMap;

const BOTH: [Algorithm; 2] = [Algorithm::Gumbel, Algorithm::Puct];

fn no_teleports(side: impl Into<Option<Color>>) -> Option<Mask<ChessPp>> {
    Some(Mask { side: side.into(), forbids: |_, mv| ChessMove::of(mv).kind == ChessMoveKind::Teleport })
}

fn position(fen: &str) -> ChessPp {
    ChessPp::from_fen(fen, Plain).unwrap()
}

fn search(
    position: &ChessPp,
    mask: Option<Mask<ChessPp>>,
    config: SearchConfig,
    simulations: u32,
) -> SearchResult {
    let mut search = Search::new(config);
    search.set_mask(mask);
    search.start_at(*position, 0, &[], simulations, 1);
    run(&mut search, &mut Uniform).unwrap()
}

#[test]
fn a_mate_by_teleport_is_found_unless_it_is_forbidden() {
    let position = position("6k1/5ppp/8/8/8/8/1P4PP/1R4K1 w - - 0 1 b1e8/-");
    let mate = position.parse_move("b1e8t").unwrap();
    for algorithm in BOTH {
        let find = |mask| search(&position, mask, SearchConfig { algorithm, ..paper() }, 64);
        for mask in [None, no_teleports(Color::Black)] {
            let found = find(mask);
            assert_eq!((found.best, found.moves.len()), (Some(mate), position.count_legal_moves()));
            assert_eq!(found.proven, Some(Proven { outlook: Outlook::Win, plies: 1 }));
        }
        for mask in [no_teleports(Color::White), no_teleports(None)] {
            let without = find(mask);
            assert_eq!(without.moves.len(), position.count_legal_moves() - 1);
            assert!(without.moves.iter().all(|stats| stats.mv != mate));
            assert!(without.policy.iter().all(|(mv, _)| *mv != mate));
            assert!(without.proven.is_none_or(|proven| proven.plies > 1), "{:?}", without.proven);
            assert!(without.best.is_some_and(|mv| mv != mate));
        }
    }
}

#[test]
fn what_is_forbidden_stays_allowed_where_there_is_nothing_else() {
    let position = position("N1n3r1/1pP5/1P5k/4p3/8/8/r7/7K w - - 0 1 a8e5/-");
    let only = position.parse_move("a8e5t").unwrap();
    assert_eq!(position.legal_moves()[..], [only]);
    for mask in [no_teleports(Color::White), no_teleports(None)] {
        assert_eq!(search(&position, mask, paper(), 8).best, Some(only));
    }
}

/// Black threatens mate by a teleport, so White must defend. If Black may not teleport, there is no
/// threat.
#[test]
fn threats_that_are_forbidden_are_not_feared() {
    let position = position("1r4k1/1p3ppp/8/8/8/8/P4PPP/6K1 w - - 0 1 -/b8e1");
    let slow = position.parse_move("a2a3").unwrap();
    for algorithm in BOTH {
        let proven = |mask| {
            let found =
                search(&position, mask, SearchConfig { algorithm, considered: Some(64), ..paper() }, 400);
            found.moves.iter().find(|stats| stats.mv == slow).unwrap().proven
        };
        let lost = Some(Proven { outlook: Outlook::Loss, plies: 1 });
        assert_eq!(proven(None).map(|proven| proven.outlook), lost.map(|proven| proven.outlook));
        assert_eq!(proven(no_teleports(Color::White)), proven(None));
        assert_eq!(proven(no_teleports(Color::Black)), None);
        assert_eq!(proven(no_teleports(None)), None);
    }
}

/// Every node has exactly the allowed moves. The priors of these moves sum to 1 and have the same
/// ratios as without the mask.
#[test]
fn priors_are_those_of_the_moves_that_are_left() {
    let position = position("r3k3/pppppppp/8/2N5/8/8/PPPPPPPP/RN1QK2R w KQq - 0 1 c5f1/a8h8");
    let run_with = |mask| {
        let mut search = Search::new(paper());
        search.set_mask(mask);
        search.start_at(position, 0, &[], 300, 1);
        let result = run(&mut search, &mut HashRandom::default()).unwrap();
        (search, result)
    };
    let (_, whole) = run_with(None);
    for side in [Some(Color::White), Some(Color::Black), None] {
        let mask = no_teleports(side);
        let (search, masked) = run_with(mask);
        let prior = |result: &SearchResult, mv: Move| {
            result.moves.iter().find(|stats| stats.mv == mv).map(|stats| stats.prior)
        };
        let left: f32 = masked.moves.iter().filter_map(|stats| prior(&whole, stats.mv)).sum();
        assert_eq!(left < 0.999, side != Some(Color::Black));
        for stats in &masked.moves {
            let expected = prior(&whole, stats.mv).unwrap() / left;
            assert!((stats.prior - expected).abs() < 1e-5, "{:?}", stats.mv);
        }
        let mut restricted = 0;
        let mut stack = vec![(0u32, position)];
        while let Some((index, here)) = stack.pop() {
            let node = &search.tree.nodes[index as usize];
            let edges = search.tree.edge_moves(node);
            for (i, &mv) in edges.iter().enumerate().take(node.child_count as usize) {
                stack.push((node.first_child + i as u32, after(&here, mv)));
            }
            if node.edge_count > 0 {
                let mut found = edges.to_vec();
                let mut expected = allowed_moves(&here, mask.as_ref()).to_vec();
                restricted += u32::from(expected.len() < here.count_legal_moves());
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected, "{here}");
                let sum: f32 = search.tree.edge_priors(node).iter().map(|prior| prior.get()).sum();
                assert!((sum - 1.0).abs() < 0.02, "{sum}: {here}");
            }
        }
        assert!(restricted > 10, "{restricted}");
    }
}

#[test]
fn a_mask_that_forbids_nothing_changes_nothing() {
    let position = ChessPp::start(Plain);
    for algorithm in BOTH {
        let tree = |mask| {
            let mut search = Search::new(SearchConfig { algorithm, ..paper() });
            search.set_mask(mask);
            search.start_at(position, 0, &[], 500, 3);
            let result = run(&mut search, &mut HashRandom::default()).unwrap();
            (nodes(&search), result)
        };
        let never = Mask { side: None, forbids: |_: &ChessPp, _| false };
        assert_eq!(tree(Some(never)), tree(None));
    }
}

/// Solves Nim by plain recursion. Returns true if `mover` wins. A masked side may take from the
/// first heap only if it has no other move.
fn solve(
    heaps: [u8; 3],
    mover: Color,
    masked: Option<Color>,
    known: &mut BTreeMap<([u8; 3], Color, Option<Color>), bool>,
) -> bool {
    if let Some(&wins) = known.get(&(heaps, mover, masked)) {
        return wins;
    }
    let others = heaps[1] > 0 || heaps[2] > 0;
    let mut wins = false;
    for heap in 0..3 {
        if heap == 0 && masked != Some(!mover) && others {
            continue;
        }
        for taken in 1..=heaps[heap] {
            let mut next = heaps;
            next[heap] -= taken;
            wins |= !solve(next, !mover, masked, known);
        }
    }
    known.insert((heaps, mover, masked), wins);
    wins
}

#[test]
fn proofs_are_of_the_game_as_it_is_masked() {
    let mut known = BTreeMap::new();
    let mut differ = 0;
    for code in 1..64u8 {
        let heaps = [code & 3, code >> 2 & 3, code >> 4];
        let sides = [Some(Color::White), Some(Color::Black), None];
        for (side, algorithm) in sides.into_iter().flat_map(|side| BOTH.map(|one| (side, one))) {
            let start = Nim { heaps, mover: Color::White };
            let mut search = Search::new(SearchConfig { algorithm, considered: Some(64), ..paper() });
            search.set_mask(Some(Mask { side, forbids: |_: &Nim, mv| mv.from() == 0 }));
            search.start_at(start, 0, &[], 20_000, 1);
            let proven = run(&mut search, &mut Uniform).unwrap().proven.unwrap();
            let wins = solve(heaps, Color::White, side, &mut known);
            assert_eq!(proven.outlook == Outlook::Win, wins, "{heaps:?} {side:?}");
            differ += u32::from(wins != start.mover_wins());
        }
    }
    assert!(differ > 20, "the mask matters: {differ}");
}

/// A forbidden move is an edge of a search tree, or is played, only if all legal moves of the
/// position are forbidden.
#[test]
fn no_forbidden_move_is_made_or_expanded_while_there_is_another() {
    for (kind, least) in [(ForbiddenKind::Teleports, 100), (ForbiddenKind::CatapultMoves, 1000)] {
        let mask = Mask::<ChessPp>::new(Plain, kind, None);
        let is_forbidden = |mv| match kind {
            ForbiddenKind::Teleports => ChessMove::of(mv).kind == ChessMoveKind::Teleport,
            _ => ChessMove::of(mv).kind == ChessMoveKind::Catapult,
        };
        let mut taken_away = 0;
        for (seed, algorithm) in (0..2).flat_map(|seed| BOTH.map(|algorithm| (seed, algorithm))) {
            let mut search = Search::new(SearchConfig { algorithm, ..paper() });
            search.set_mask(mask);
            let mut game = Game::new(ChessPp::start(Plain));
            while game.outcome().is_none() && game.ply() < 40 {
                search.start(&game, 32, seed);
                let best = run(&mut search, &mut HashRandom::default()).unwrap().best.unwrap();
                let mut stack = vec![(0u32, *game.position())];
                while let Some((index, here)) = stack.pop() {
                    let node = &search.tree.nodes[index as usize];
                    let legal = here.legal_moves();
                    let forbidden = legal.iter().filter(|&&mv| is_forbidden(mv)).count();
                    let edges = search.tree.edge_moves(node);
                    if forbidden < legal.len() {
                        assert!(!edges.iter().any(|&mv| is_forbidden(mv)), "{here}");
                        taken_away += forbidden;
                    }
                    for (i, &mv) in edges.iter().enumerate().take(node.child_count as usize) {
                        stack.push((node.first_child + i as u32, after(&here, mv)));
                    }
                }
                let is_only = game.position().legal_moves().into_iter().all(is_forbidden);
                assert!(is_only || !is_forbidden(best), "{}", game.position());
                game.push(best);
            }
        }
        assert!(taken_away > least, "{kind}: {taken_away}");
    }
}
