use super::*;
use catapult_mcts::evaluators::{Material, Uniform};
use catapult_rules::{Chess, ChessPp, ChessPpProposals, Plain, Position, Proposals, Standard, Variant};

fn mean(lines: &[OpeningLine]) -> f64 {
    lines.iter().map(OpeningLine::total).sum::<f64>() / lines.len() as f64
}

/// Returns the entropy, in nats, of lines whose moves are drawn with equal probability. It
/// enumerates all lines and adds ln(number of legal moves) of each position, weighted by the
/// position's probability.
fn by_enumeration<P: Position>(position: &P, plies: usize) -> f64 {
    if plies == 0 || position.outcome().is_some() {
        return 0.0;
    }
    let moves = position.legal_moves();
    let after = moves.iter().map(|&mv| {
        let mut after = *position;
        after.play(mv);
        by_enumeration(&after, plies - 1)
    });
    (moves.len() as f64).ln() + after.sum::<f64>() / moves.len() as f64
}

#[test]
fn entropy_of_uniform_play_is_the_mean_log_branching() {
    let exact = by_enumeration(&Chess::start(Standard), 3);
    assert!((exact - (400f64.ln() + 22.0f64.ln())).abs() < 0.1, "about 20, 20 and 22 moves: {exact}");
    let drawn = uniform_lines::<Chess>(Standard, 4000, 3, 1);
    assert!((mean(&drawn) - exact).abs() < 0.012, "{} for {exact}", mean(&drawn));
    // A uniform prior plays the same.
    let prior = sample_lines::<Chess>(Standard, &mut Uniform, 2000, 3, 2).unwrap();
    assert!((mean(&prior) - exact).abs() < 0.016, "{} for {exact}", mean(&prior));
}

#[test]
fn lines_begin_after_the_placements() {
    // The placements (8, 8, 7 and 7 squares) are not part of a line. Its first ply has the 20 moves
    // of chess. A piece that can teleport at once or a free catapult would add moves, but none can
    // here.
    let free = sample_lines::<ChessPpProposals>(Proposals::FREE, &mut Uniform, 50, 1, 3).unwrap();
    assert!(
        free.iter().all(|line| line.entropies.len() == 1 && (line.total() - 20f64.ln()).abs() < 1e-6),
        "{free:?}"
    );
    let uniform = uniform_lines::<ChessPpProposals>(Proposals::FREE, 50, 1, 3);
    assert!(uniform.iter().all(|line| (line.total() - 20f64.ln()).abs() < 1e-6));
    // The first move of the prior comes after the placements.
    let settings = AnalysisSettings { lines: 8, positions: 6, simulations: 4, ..AnalysisSettings::default() };
    let game = record("chesspp+free", "c@a1 c@a8 c@b1 c@b8 e2e4");
    let found =
        analyse::<ChessPpProposals>(Proposals::FREE, &mut Uniform, &[game], &[], &settings, 1).unwrap();
    assert_eq!(found.first_moves.len(), 20);
    assert!(found.first_moves.iter().all(|(text, p)| !text.contains('@') && (p - 0.05).abs() < 1e-6));
    // Searched positions also come after the placements.
    assert!(found.searched.iter().all(|position| position.ply == 4) && found.searched.len() == 6);
}

#[test]
fn lines_end_where_games_do() {
    /// An evaluator whose prior gives one move per ply nearly all probability, so the drawn line is
    /// certain.
    #[derive(Clone, Copy)]
    struct FoolsMate;
    impl Evaluator<Chess> for FoolsMate {
        fn evaluate(
            &mut self,
            batch: &mut catapult_mcts::Batch<Chess>,
        ) -> Result<(), catapult_mcts::EvaluationError> {
            for leaf in &batch.leaves {
                let ply = 2 * (leaf.position.fullmove_number() - 1) + leaf.position.side_to_move() as u32;
                let text = ["f2f3", "e7e5", "g2g4", "d8h4"][ply as usize];
                let moves = &batch.moves[leaf.range()];
                let logit = |mv: &catapult_rules::Move| {
                    if leaf.position.move_text(*mv) == text { 200.0 } else { 0.0 }
                };
                batch.logits.extend(moves.iter().map(logit));
                batch.values.push(catapult_mcts::Value { wdl: [0.0, 1.0, 0.0], moves_left: 1.0 });
            }
            Ok(())
        }
    }
    let lines = sample_lines::<Chess>(Standard, &mut FoolsMate, 3, 20, 1).unwrap();
    assert!(lines.iter().all(|line| line.entropies.len() == 4 && line.total() < 1e-6), "{lines:?}");
    assert_eq!(mean(&lines) as i32, 0);
}

fn record(variant: &str, moves: &str) -> GameRecord {
    GameRecord::of_texts(variant.parse().unwrap(), None, moves).unwrap()
}

#[test]
fn the_second_best_move_loses_the_queen() {
    // White's attacked queen can take the attacker. Every other move loses it.
    let after = |text: &str| {
        let fen = "4k3/8/8/8/4r3/8/8/4Q1K1 w - - 0 1 -";
        GameRecord::of_texts("chesspp".parse().unwrap(), Some(fen), text).unwrap()
    };
    let mut game = after("e1e4");
    game.policies = vec![vec![(game.moves[0], 0.75), (after("e1d2").moves[0], 0.25)]];
    let settings = AnalysisSettings { positions: 3, simulations: 64, ..AnalysisSettings::default() };
    let found = searched::search_positions::<ChessPp>(Plain, &mut Material, &[game], &settings, 1).unwrap();
    assert_eq!(found.len(), 3, "one game serves for all");
    let position = &found[0];
    assert!(position.best > position.second + 0.1, "{position:?}");
    // With equal logits, the loss is ln of the number of moves.
    let moves = ChessPp::from_fen("4k3/8/8/8/4r3/8/8/4Q1K1 w - - 0 1 -", Plain).unwrap().count_legal_moves();
    assert!((f64::from(position.policy_loss.unwrap()) - (moves as f64).ln()).abs() < 1e-4);
    let least = -(0.75f64 * 0.75f64.ln() + 0.25 * 0.25f64.ln());
    assert!((f64::from(position.target_entropy.unwrap()) - least).abs() < 1e-6);
}

/// Returns the index of the source of each line. Each source has its own first move, which
/// identifies it.
fn sources_of(lines: &[Vec<String>]) -> Vec<usize> {
    let of =
        |line: &Vec<String>| ["e2e4", "d2d4", "b1c3"].iter().position(|first| line[0] == *first).unwrap();
    lines.iter().map(of).collect()
}

#[test]
fn shared_positions_are_drawn_in_equal_numbers_from_every_source() {
    let [chess, plain, free] = ["chess", "chesspp", "chesspp+free"].map(|name| name.parse().unwrap());
    let of_chess = record("chess", "e2e4 e7e5 g1f3 b8c6");
    // The fourth ply moves a catapult, so the whole line is not legal in chess.
    let of_plain = record("chesspp", "d2d4 b8c6 d4d5 b8b6");
    let of_free = record("chesspp+free", "c@b1 c@b8 c@f1 c@f8 b1c3 e7e6 e2e3 f8a3");
    let games = |game: &GameRecord| vec![game.clone(); 3];
    let [a, b, c] = [games(&of_chess), games(&of_plain), games(&of_free)];
    let moves =
        |games: &'_ [GameRecord]| games.iter().map(|game| game.texts().unwrap().moves).collect::<Vec<_>>();
    let [a, b, c] = [moves(&a), moves(&b), moves(&c)];
    let of = |moves| Vec::from_iter(<[Vec<String>]>::iter(moves).map(Vec::as_slice));
    let sources = [(chess, of(&a)), (plain, of(&b)), (free, of(&c))];
    let lines = |settings: &AnalysisSettings| shared_lines(&sources, settings);
    let settings = AnalysisSettings { shared_positions: 10, shared_plies: 4, ..AnalysisSettings::default() };
    // Three lines per source, in turn, all different. A tenth would favour one source.
    assert_eq!(sources_of(&lines(&settings)), [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    let mut different = lines(&settings);
    different.sort();
    different.dedup();
    assert_eq!(different.len(), 9);
    // The second source has only three lines that are legal in all three arms, so the others
    // contribute three, too.
    let more = AnalysisSettings { shared_positions: 100, ..settings.clone() };
    assert_eq!(sources_of(&lines(&more)), [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    assert!(lines(&more).iter().all(|line| line.len() < 4 || line[0] != "d2d4"));
    // A game unrelated to chess is ignored.
    let century: Variant = "century".parse().unwrap();
    let with_century = [(chess, of(&a)), (century, of(&b))];
    assert_eq!(sources_of(&shared_lines(&with_century, &more)), [0, 0, 0, 0]);
    assert_eq!(shared_lines(&[], &more), Vec::<Vec<String>>::new());
}

#[test]
fn shared_positions_are_those_of_their_lines() {
    let lines: Vec<Vec<String>> = [&["b1c3"][..], &["b1c3", "b8c6"]]
        .map(|line| line.iter().map(|&text| text.to_owned()).collect())
        .into();
    let found = shared::shared_positions::<ChessPp>(Plain, &mut Uniform, &lines).unwrap();
    assert_eq!(found.len(), 2);
    // After 1.Nc3 Nc6, nothing stands on the catapult on b1, and the bishop may teleport there.
    let after = found.iter().find(|position| position.line == 1).unwrap();
    assert!(after.prior.iter().any(|(text, _)| text == "f1b1t"));
    let sum: f32 = after.prior.iter().map(|(_, p)| p).sum();
    assert!((sum - 1.0).abs() < 1e-5);
}

#[test]
fn an_analysis_is_a_function_of_its_seed_and_survives_json() {
    let game = record("chesspp", "e2e4 e7e5 g1f3 b8c6");
    let settings = AnalysisSettings {
        lines: 4,
        line_plies: 5,
        positions: 4,
        simulations: 4,
        ..AnalysisSettings::default()
    };
    let run = |seed| {
        analyse::<ChessPp>(Plain, &mut Material, std::slice::from_ref(&game), &[], &settings, seed).unwrap()
    };
    let one = run(1);
    assert_eq!(one, run(1));
    assert_ne!(one, run(2));
    let json = serde_json::to_string(&one).unwrap();
    assert_eq!(serde_json::from_str::<NetworkAnalysis>(&json).unwrap(), one);
    assert_eq!(one.first_moves.len(), 20);
    assert!(AnalysisSettings { simulations: 1, ..settings }.check_ranges().unwrap_err().key == "simulations");
}
