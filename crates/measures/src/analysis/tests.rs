use super::*;
use catapult_mcts::evaluators::{Material, Uniform};
use catapult_rules::{Chess, ChessPp, ChessPpProposals, Plain, Position, Proposals, Standard};

/// Draws lines from an evaluator's prior.
fn sample_lines<P: StudiedGame>(
    rules: P::Rules,
    evaluator: &mut dyn Evaluator<P>,
    lines: u32,
    plies: usize,
    seed: u64,
) -> Vec<OpeningLine> {
    draw_lines::<P>(rules, lines, plies, seed, |open| priors::priors(evaluator, open)).unwrap()
}

fn total(line: &OpeningLine) -> f64 {
    line.entropies.iter().map(|&entropy| f64::from(entropy)).sum()
}

fn mean(lines: &[OpeningLine]) -> f64 {
    lines.iter().map(total).sum::<f64>() / lines.len() as f64
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
    let drawn = draw_lines::<Chess>(Standard, 4000, 3, 1, |games| Ok(priors::equal(games))).unwrap();
    assert!((mean(&drawn) - exact).abs() < 0.012, "{} for {exact}", mean(&drawn));
    // A uniform prior plays the same.
    let prior = sample_lines::<Chess>(Standard, &mut Uniform, 2000, 3, 2);
    assert!((mean(&prior) - exact).abs() < 0.016, "{} for {exact}", mean(&prior));
}

#[test]
fn lines_begin_after_the_placements() {
    // The placements (8, 8, 7 and 7 squares) are not part of a line. Its first ply has the 20 moves
    // of chess. A piece that can teleport at once or a free catapult would add moves, but none can
    // here.
    let free = sample_lines::<ChessPpProposals>(Proposals::FREE, &mut Uniform, 50, 1, 3);
    assert!(
        free.iter().all(|line| line.entropies.len() == 1 && (total(line) - 20f64.ln()).abs() < 1e-6),
        "{free:?}"
    );
    let uniform =
        draw_lines::<ChessPpProposals>(Proposals::FREE, 50, 1, 3, |games| Ok(priors::equal(games))).unwrap();
    assert!(uniform.iter().all(|line| (total(line) - 20f64.ln()).abs() < 1e-6));
    // The first move of the prior comes after the placements.
    let settings = AnalysisSettings { lines: 8, ..AnalysisSettings::default() };
    let found = analyse::<ChessPpProposals>(Proposals::FREE, &mut Uniform, &settings, 1).unwrap();
    assert_eq!(found.first_moves.len(), 20);
    assert!(found.first_moves.iter().all(|(text, p)| !text.contains('@') && (p - 0.05).abs() < 1e-6));
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
    let lines = sample_lines::<Chess>(Standard, &mut FoolsMate, 3, 20, 1);
    assert!(lines.iter().all(|line| line.entropies.len() == 4 && total(line) < 1e-6), "{lines:?}");
    assert_eq!(mean(&lines) as i32, 0);
}

#[test]
fn an_analysis_is_a_function_of_its_seed_and_survives_json() {
    let settings = AnalysisSettings { lines: 4, line_plies: 5 };
    let run = |seed| analyse::<ChessPp>(Plain, &mut Material, &settings, seed).unwrap();
    let one = run(1);
    assert_eq!(one, run(1));
    assert_ne!(one, run(2));
    let json = serde_json::to_string(&one).unwrap();
    assert_eq!(serde_json::from_str::<NetworkAnalysis>(&json).unwrap(), one);
    assert_eq!(one.first_moves.len(), 20);
    assert!(AnalysisSettings { lines: 0, ..settings }.check_ranges().unwrap_err().key == "lines");
}
