use super::*;
use catapult_mcts::evaluators::{Material, Uniform};
use catapult_rules::{Chess, ChessPp, ChessPpProposals, Outcome, Plain, Position, Proposals, Standard};

fn mean(lines: &[OpeningLine]) -> f64 {
    lines.iter().map(OpeningLine::total).sum::<f64>() / lines.len() as f64
}

/// The entropy of uniform play's lines by going through all of them: ln b of each position, weighted by how likely it is.
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
    // A prior that knows nothing plays the same.
    let prior = sample_lines::<Chess>(Standard, &mut Uniform, 2000, 3, 2).unwrap();
    assert!((mean(&prior) - exact).abs() < 0.016, "{} for {exact}", mean(&prior));
    // Placing catapults: 8, 8 and 7 squares, whatever was chosen before.
    let free = sample_lines::<ChessPpProposals>(Proposals::FREE, &mut Uniform, 5, 3, 3).unwrap();
    assert!((mean(&free) - 448f64.ln()).abs() < 1e-6);
}

#[test]
fn lines_end_where_games_do() {
    /// One legal move from the start to the end: what is drawn is certain.
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

fn record(moves: &[&str]) -> GameRecord {
    let plies = moves.len();
    GameRecord {
        variant: "chesspp".to_owned(),
        game: 0,
        seed: 0,
        parent: None,
        fork_ply: None,
        network: String::new(),
        start_fen: ChessPp::start(Plain).to_string(),
        moves: moves.iter().map(|&text| text.to_owned()).collect(),
        policies: vec![Vec::new(); plies],
        values: vec![[0.0; 3]; plies],
        moves_left: vec![0.0; plies],
        outcome: Outcome::Capped,
        winner: None,
    }
}

#[test]
fn the_second_best_move_loses_the_queen() {
    // White's queen is attacked and can take the attacker; all else loses it.
    let mut game = record(&["e1f1"]);
    game.start_fen = "4k3/8/8/8/4r3/8/8/4Q1K1 w - - 0 1 -".to_owned();
    game.moves = vec!["e1e4".to_owned()];
    game.policies = vec![vec![("e1e4".to_owned(), 0.75), ("e1d2".to_owned(), 0.25)]];
    let settings = AnalysisSettings { positions: 3, simulations: 64, ..AnalysisSettings::default() };
    let found = searched::search_positions::<ChessPp>(Plain, &mut Material, &[game], &settings, 1).unwrap();
    assert_eq!(found.len(), 3, "one game serves for all");
    let position = &found[0];
    assert!(position.best > position.second + 0.1, "{position:?}");
    // Equal logits: the loss is ln of the number of moves, the least -sum p ln p.
    let moves = ChessPp::from_fen("4k3/8/8/8/4r3/8/8/4Q1K1 w - - 0 1 -", Plain).unwrap().count_legal_moves();
    assert!((f64::from(position.policy_loss.unwrap()) - (moves as f64).ln()).abs() < 1e-4);
    let least = -(0.75f64 * 0.75f64.ln() + 0.25 * 0.25f64.ln());
    assert!((f64::from(position.target_entropy.unwrap()) - least).abs() < 1e-6);
}

#[test]
fn shared_positions_are_those_that_both_games_reach() {
    let mut chess = record(&["b1c3", "b8c6", "e2e4", "e7e5"]);
    chess.variant = "chess".to_owned();
    let settings = AnalysisSettings { shared_positions: 10, shared_plies: 4, ..AnalysisSettings::default() };
    let lines: Vec<usize> =
        chess_lines(&[chess.clone(), chess.clone()], &settings).iter().map(|line| line.len()).collect();
    assert_eq!(lines, [1, 2, 3, 4], "no line twice");
    let found = shared::shared_positions::<ChessPp>(Plain, &mut Uniform, &[chess], &settings).unwrap();
    assert_eq!(found.len(), 4);
    // After 1.Nc3 Nc6 the catapult on b1 is free, and the bishop may teleport there.
    let after = found.iter().find(|position| position.line == 1).unwrap();
    assert!(after.prior.iter().any(|(text, _)| text == "f1b1t"));
    let sum: f32 = after.prior.iter().map(|(_, p)| p).sum();
    assert!((sum - 1.0).abs() < 1e-5);
}

#[test]
fn an_analysis_is_a_function_of_its_seed_and_survives_json() {
    let game = record(&["e2e4", "e7e5", "g1f3", "b8c6"]);
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
    assert!(AnalysisSettings { simulations: 1, ..settings }.validate().unwrap_err().contains("simulations"));
}
