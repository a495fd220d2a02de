//! Tests that compare alpha-beta with plain minimax. The minimax is a second implementation,
//! without windows, move ordering or buffers.

use catapult_arena::{ANCHOR_VERSION, AlphaBeta, AlphaBetaPlayer, Anchor, MATE, Player, Turn};
use catapult_rules::{
    Chess, ChessPp, Game, Half, Maxim, Move, MoveList, Outcome, Position, Variant, with_variant,
};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Returns the moves that alpha-beta considers, as a list on the heap. A `MoveList` in every stack
/// frame would overflow the stack.
#[inline(never)]
fn considered<P: Anchor>(position: &P) -> Vec<Move> {
    let mut moves = MoveList::new();
    position.considered_into(&mut moves);
    moves.to_vec()
}

/// Returns the minimax score, or `None` if it needs more than `left` positions. In some positions,
/// chains of captures do not end in reasonable time, because plain minimax has no cut-offs.
fn minimax<P: Anchor>(game: &Game<P>, depth: u32, quiescence: bool, ply: i32, left: &mut u32) -> Option<i32> {
    *left = left.checked_sub(1)?;
    match game.outcome() {
        Some(Outcome::Checkmate) => return Some(ply - MATE),
        Some(_) => return Some(0),
        None => {}
    }
    // A turn of several decisions is searched to its end.
    let is_leaf = depth == 0 && game.position().is_turn_start();
    if is_leaf && !quiescence {
        return Some(game.position().evaluate());
    }
    let mut best = if is_leaf { game.position().evaluate() } else { -MATE * 2 };
    for mv in considered(game.position()) {
        let mut next = game.clone();
        next.push(mv);
        let opponent = !game.position().side_to_move();
        if is_leaf && next.position().material(opponent) == game.position().material(opponent) {
            continue;
        }
        let depth = depth.saturating_sub(u32::from(next.position().is_turn_start()));
        let score = minimax(&next, depth, quiescence, ply + 1, left)?;
        let same = next.position().side_to_move() == game.position().side_to_move();
        best = best.max(if same { score } else { -score });
    }
    Some(best)
}

/// Returns a random game of `plies` plies that is not over.
fn random_game<P: Position>(rules: P::Rules, plies: usize, random: &mut impl Rng) -> Game<P> {
    loop {
        let mut game = Game::new(P::start(rules));
        while game.ply() < plies && game.outcome().is_none() {
            let moves = game.position().legal_moves();
            game.push(moves[random.random_range(0..moves.len())]);
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// Returns the minimax score of a game's position and the texts of all best moves. Returns `None`
/// if the search needs too many positions.
fn best_by_minimax<P: Anchor>(game: &Game<P>, depth: u32, quiescence: bool) -> Option<(i32, Vec<String>)> {
    let mut left = if quiescence { 2_000 } else { 100_000 };
    let position = game.position();
    let mut scored: Vec<(i32, String)> = Vec::new();
    for mv in considered(position) {
        let mut next = game.clone();
        next.push(mv);
        let depth = depth - u32::from(next.position().is_turn_start());
        let score = minimax(&next, depth, quiescence, 1, &mut left)?;
        let same = next.position().side_to_move() == position.side_to_move();
        scored.push((if same { score } else { -score }, position.move_text(mv)));
    }
    let score = scored.iter().map(|&(score, _)| score).max()?;
    let mut best: Vec<String> =
        scored.into_iter().filter(|&(s, _)| s == score).map(|(_, text)| text).collect();
    best.sort();
    Some((score, best))
}

/// Checks that alpha-beta and minimax agree in one position of each of `games` random games.
/// Returns these positions.
fn agrees<P: Anchor>(rules: P::Rules, games: usize, depth: u32, quiescence: bool) -> Vec<P> {
    let mut random = Pcg64Mcg::seed_from_u64(u64::from(depth));
    let mut searcher = AlphaBeta::new(depth, quiescence);
    let mut compared = Vec::new();
    while compared.len() < games {
        // Late in random games few captures are left. Larger boards take longer to get there.
        let late = 2 * P::FILES * P::RANKS;
        let plies = random.random_range(if quiescence { late..=2 * late } else { 0..=150 });
        let game = random_game::<P>(rules, plies, &mut random);
        let Some(expected) = best_by_minimax(&game, depth, quiescence) else { continue };
        let analysis = searcher.analyse(&game);
        let found = analysis.best.iter().map(|&mv| game.position().move_text(mv)).collect();
        assert_eq!((analysis.score, found), expected, "depth {depth} {}", game.position());
        compared.push(*game.position());
    }
    compared
}

#[test]
fn depth_one_is_the_best_of_all_successors() {
    let chess = ["chess", "chesspp", "chesspp+free+third", "chesspp+instant+pawns+promote"];
    for variant in chess.into_iter().chain(["maxim", "half", "century"]) {
        let variant: Variant = variant.parse().unwrap();
        with_variant!(variant, |P, rules| drop(agrees::<P>(rules, 60, 1, false)));
    }
}

#[test]
fn scores_and_best_moves_are_those_of_minimax() {
    for variant in ["chess", "chesspp", "chesspp+free", "chesspp+instant+third", "maxim"] {
        let variant: Variant = variant.parse().unwrap();
        with_variant!(variant, |P, rules| {
            agrees::<P>(rules, 12, 2, false);
            agrees::<P>(rules, 2, 3, false);
        });
    }
    for variant in ["half", "century"] {
        let variant: Variant = variant.parse().unwrap();
        with_variant!(variant, |P, rules| drop(agrees::<P>(rules, 6, 2, false)));
    }
}

/// Compares alpha-beta with minimax over captures: `ones` positions of each variant at depth 1 and
/// `twos` at depth 2.
fn captures_agree(ones: usize, twos: usize) {
    for variant in ["chess", "chesspp", "chesspp+promote", "century"] {
        let variant: Variant = variant.parse().unwrap();
        with_variant!(variant, |P, rules| {
            agrees::<P>(rules, ones, 1, true);
            agrees::<P>(rules, twos, 2, true);
        });
    }
    agrees::<Half>((), ones, 1, true);
}

#[test]
fn scores_with_captures_are_those_of_minimax_over_captures() {
    captures_agree(10, 4);
}

#[test]
#[ignore = "long"]
fn many_scores_with_captures_are_those_of_minimax_over_captures() {
    captures_agree(40, 20);
}

#[test]
fn scores_of_maxim_with_captures_are_those_of_minimax_over_captures() {
    agrees::<Maxim>((), 3, 1, true);
    agrees::<Maxim>((), 1, 2, true);
}

/// Compares alpha-beta with minimax in Maxim chess. The positions include pieces that share a
/// square, portals, and positions in the middle of a turn.
#[test]
#[ignore = "long"]
fn many_scores_of_maxim_with_captures_are_those_of_minimax_over_captures() {
    let mut positions = agrees::<Maxim>((), 12, 1, true);
    positions.extend(agrees::<Maxim>((), 4, 2, true));
    let count = |is: fn(&Maxim) -> bool| positions.iter().filter(|position| is(position)).count();
    let portals = count(|position| !position.to_string().contains(" -/- "));
    let stacks = count(|position| position.to_string().contains('('));
    let within = count(|position| !position.is_turn_start());
    assert!(portals > 8 && stacks > 8 && within > 4, "{portals} {stacks} {within}");
}

fn texts<P: Anchor>(game: &Game<P>, depth: u32, quiescence: bool) -> (i32, Vec<String>) {
    let analysis = AlphaBeta::new(depth, quiescence).analyse(game);
    (analysis.score, analysis.best.iter().map(|&mv| game.position().move_text(mv)).collect())
}

fn chess(fen: &str) -> Game<Chess> {
    Game::new(Chess::from_fen(fen, Default::default()).unwrap())
}

fn chesspp(fen: &str) -> Game<ChessPp> {
    Game::new(ChessPp::from_fen(fen, Default::default()).unwrap())
}

#[test]
fn mates_are_found_and_the_shortest_preferred() {
    let back_rank = chess("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    for depth in 1..=3 {
        assert_eq!(texts(&back_rank, depth, false), (MATE - 1, vec!["a1a8".to_owned()]));
        assert_eq!(texts(&back_rank, depth, true), (MATE - 1, vec!["a1a8".to_owned()]));
    }
    // Two rooks drive the king to the edge: one closes the seventh rank, the other mates.
    let ladder = chess("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1");
    assert!(texts(&ladder, 2, false).0 < MATE - 100);
    let (score, best) = texts(&ladder, 3, false);
    assert_eq!(score, MATE - 3);
    assert!(best.contains(&"a2a7".to_owned()) && best.contains(&"b1b7".to_owned()), "{best:?}");
    // The mated side sees the opposite score.
    let mut lost = ladder;
    lost.push(lost.position().parse_move("a2a7").unwrap());
    assert_eq!(texts(&lost, 2, false).0, 2 - MATE);
}

#[test]
fn a_teleport_mates() {
    // The rook goes from its catapult to the other on c8; the king on b6 takes the flight squares.
    let game = chesspp("k7/8/1K6/8/8/8/8/1R6 w - - 0 1 b1c8/-");
    assert_eq!(texts(&game, 1, false), (MATE - 1, vec!["b1c8t".to_owned()]));
}

fn maxim(fen: &str) -> Game<Maxim> {
    Game::new(Maxim::from_fen(fen, ()).unwrap())
}

#[test]
fn a_side_that_decides_twice_keeps_its_view() {
    // White's capture and `done` are one turn. White is a queen up at both decisions.
    let game = maxim("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1 -/- -");
    let (score, best) = texts(&game, 1, false);
    assert!(score > 400 && best == ["d1d5"], "{score} {best:?}");
    let mut taken = game;
    taken.push(taken.position().parse_move("d1d5").unwrap());
    let (score, best) = texts(&taken, 1, false);
    assert!(score > 400 && best == ["done"], "{score} {best:?}");
    // Depth 2, and depth 1 with captures, reach Black's reply: the pawn is guarded.
    let guarded = maxim("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1 -/- -");
    assert_eq!(texts(&guarded, 1, false).1, ["d1d5"]);
    assert!(!texts(&guarded, 2, false).1.contains(&"d1d5".to_owned()));
    assert!(!texts(&guarded, 1, true).1.contains(&"d1d5".to_owned()));
    // Mate in one turn, whose `done` ends the game.
    let mate = maxim("6k1/5(pp)(pp)(pp)/8/8/8/8/8/R3K3 w - - 0 1 -/- -");
    assert_eq!(texts(&mate, 1, false), (MATE - 2, vec!["a1a8".to_owned()]));
}

#[test]
fn a_third_occurrence_counts_nothing_and_a_second_what_it_is_worth() {
    // Black has no queen, so it repeats if that ends the game.
    let mut game = chess("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1");
    let play = |game: &mut Game<Chess>, text: &str| game.push(game.position().parse_move(text).unwrap());
    for text in ["g1f3", "g8f6", "f3g1"] {
        play(&mut game, text);
    }
    let second = texts(&game, 1, false);
    assert!(second.0 < -700 && !second.1.contains(&"f6g8".to_owned()), "{second:?}");
    for text in ["f6g8", "g1f3", "g8f6", "f3g1"] {
        play(&mut game, text);
    }
    assert_eq!(texts(&game, 1, false), (0, vec!["f6g8".to_owned()]));
    assert_eq!(texts(&game, 3, false), (0, vec!["f6g8".to_owned()]));
}

#[test]
fn clock_dead_position_and_stalemate_count_nothing() {
    // White is a rook down at half-move clock 99. Every move except the pawn's ends the game.
    let (score, best) = texts(&chess("4k2r/8/8/8/8/8/P7/4K3 w - - 99 80"), 1, false);
    assert_eq!(score, 0);
    assert!(!best.is_empty() && !best.contains(&"a2a4".to_owned()), "{best:?}");
    assert_eq!(texts(&chess("8/8/4k3/8/8/8/3qK3/8 w - - 0 1"), 1, false), (0, vec!["e2d2".to_owned()]));
    // Black is far behind. Qb6 would stalemate Black, so White does not choose it. Any other queen
    // move keeps the win.
    let (score, best) = texts(&chess("k7/8/8/8/8/8/1Q6/4K3 w - - 0 1"), 1, false);
    assert!(score > 900 && !best.contains(&"b2b6".to_owned()), "{best:?}");
}

#[test]
fn captures_are_searched_on_only_with_quiescence() {
    // The queen can take a pawn that another pawn guards.
    let game = chess("4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1");
    assert_eq!(texts(&game, 1, false).1, ["d2d5"]);
    assert!(!texts(&game, 1, true).1.contains(&"d2d5".to_owned()));
}

#[test]
fn ties_are_broken_by_the_seed_alone() {
    let game = Game::new(Chess::start(Default::default()));
    let analysis = AlphaBeta::new(1, false).analyse(&game);
    let mut sorted: Vec<String> = analysis.best.iter().map(|&mv| game.position().move_text(mv)).collect();
    sorted.sort();
    assert_eq!(sorted, texts(&game, 1, false).1);
    // Mirrored knights and pawns tie. Each of the best moves is drawn by some seed.
    let drawn: std::collections::HashSet<_> = (0..200).map(|seed| analysis.choose(seed).unwrap()).collect();
    assert_eq!(drawn.len(), analysis.best.len());
    assert_eq!(analysis.choose(7), AlphaBeta::new(1, false).analyse(&game).choose(7));
    let mated = chess("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    assert_eq!(AlphaBeta::new(1, false).analyse(&mated).choose(7), None);
}

#[test]
fn weakened_anchors_move_at_random_in_their_share_of_moves() {
    // One best move of many.
    let game = chess("4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1");
    let choose = |thousandths, seeds: std::ops::Range<u64>| -> Vec<String> {
        let turns: Vec<_> = seeds.map(|seed| Turn::new(&game, seed)).collect();
        let moves = AlphaBetaPlayer::new(1, false, thousandths).choose(&turns).unwrap();
        moves.iter().map(|&mv| game.position().move_text(mv)).collect()
    };
    let legal = game.position().legal_moves().len();
    for thousandths in [50, 200, 700] {
        let moves = choose(thousandths, 0..5000);
        let others: Vec<&String> = moves.iter().filter(|mv| *mv != "d2d5").collect();
        // One in `legal` of the random moves is the best by chance. Five standard deviations are at
        // most 3.5 %.
        let expected = f64::from(thousandths) / 1000.0 * (1.0 - 1.0 / legal as f64);
        let found = others.len() as f64 / 5000.0;
        assert!((found - expected).abs() < 0.035, "{thousandths}: {found} for {expected}");
        let kinds: std::collections::HashSet<_> = others.into_iter().collect();
        assert_eq!(kinds.len(), legal - 1, "each of the others sometime");
    }
    // Frozen under the anchors' version: the seeds that leave the best move, and their moves.
    let moves = choose(200, 0..40);
    let left: Vec<(usize, &str)> = moves
        .iter()
        .enumerate()
        .filter(|(_, mv)| *mv != "d2d5")
        .map(|(seed, mv)| (seed, mv.as_str()))
        .collect();
    let frozen = vec![(6, "d2d4"), (11, "e1f1"), (23, "d2c2"), (25, "d2g2"), (32, "e1f1")];
    assert_eq!((ANCHOR_VERSION, left), (1, frozen));
}
