//! Tests on positions of chess and Chess++ that are decided by catapults or by a repetition.

use super::mates::{after, is_mated};
use super::{nodes, paper};
use crate::evaluators::Uniform;
use crate::{
    Algorithm, Batch, EvaluationError, Evaluator, Outlook, Proven, Search, SearchConfig, Value, run,
};
use catapult_rules::{
    Chess, ChessMove, ChessMoveKind, ChessPp, ChessPpProposals, Color, Game, Move, Outcome, Plain, Position,
    Proposals, Standard,
};

const BOTH: [Algorithm; 2] = [Algorithm::Gumbel, Algorithm::Puct];

/// The only mate on the back rank uses a catapult, because the rook's file is blocked.
#[test]
fn mate_in_one_by_a_teleport() {
    fn find<P: Position>(fen: &str, rules: P::Rules, key: &str, kind: ChessMoveKind) {
        let position = P::from_fen(fen, rules).unwrap();
        let key = position.parse_move(key).unwrap();
        let others = position.legal_moves().into_iter().filter(|mv| *mv != key);
        assert!(others.into_iter().all(|mv| !is_mated(&after(&position, mv), 0)), "the only mate: {fen}");
        assert!(is_mated(&after(&position, key), 0) && ChessMove::of(key).kind == kind);
        for algorithm in BOTH {
            for simulations in [0, 1, 64] {
                let mut search = Search::new(SearchConfig { algorithm, ..paper() });
                search.start_at(position, 0, &[], simulations, 0);
                let result = run(&mut search, &mut Uniform).unwrap();
                assert_eq!(result.best, Some(key), "{fen}");
                assert_eq!(result.proven, Some(Proven { outlook: Outlook::Win, plies: 1 }), "{fen}");
            }
        }
    }
    let fen = "7k/6pp/8/P7/8/8/8/R5K1 w - - 0 1 a3e8/-";
    find::<ChessPpProposals>(fen, Proposals::INSTANT, "a1a3e8", ChessMoveKind::Instant);
    let fen = "7k/6pp/8/P7/8/8/8/R5K1 w - - 0 1 a1e8/-";
    find::<ChessPp>(fen, Plain, "a1e8t", ChessMoveKind::Teleport);
}

/// After a6-a7 and after b1-b7, White mates on the next move. The position after a6-a7 has occurred
/// twice, so a6-a7 draws by repetition. The search must prove b1-b7 as the only win.
#[test]
fn a_win_where_the_other_one_repeats() {
    fn find<P: Position>(fen: &str, rules: P::Rules) {
        let mut game = Game::new(P::from_fen(fen, rules).unwrap());
        for text in ["h8g8", "a7a6", "g8h8", "a6a7", "h8g8", "a7a6", "g8h8"] {
            let mv = game.position().parse_move(text).unwrap();
            game.push(mv);
        }
        let position = *game.position();
        assert_eq!((game.repetitions(), game.outcome()), (1, None));
        let [repeats, wins] = ["a6a7", "b1b7"].map(|text| position.parse_move(text).unwrap());
        for mv in position.legal_moves() {
            assert_eq!(is_mated(&after(&position, mv), 1), [repeats, wins].contains(&mv), "{mv:?}");
        }
        let mut repeated = game.clone();
        repeated.push(repeats);
        assert_eq!(repeated.outcome(), Some(Outcome::Repetition));

        for algorithm in BOTH {
            let config = SearchConfig { algorithm, considered: Some(256), ..paper() };
            let mut search = Search::new(config);
            let mate = Some(Proven { outlook: Outlook::Win, plies: 3 });
            search.start(&game, 20_000, 1);
            let result = run(&mut search, &mut Uniform).unwrap();
            let stats = |mv| *result.moves.iter().find(|stats| stats.mv == mv).unwrap();
            assert_eq!((result.best, result.proven), (Some(wins), mate), "{algorithm:?}");
            assert_eq!((stats(repeats).q, stats(repeats).proven), (Some(0.0), None), "{algorithm:?}");
            // Without the history both wins are equal.
            search.start_at(after(&position, repeats), 0, &[], 20_000, 1);
            let result = run(&mut search, &mut Uniform).unwrap();
            assert_eq!(result.proven, Some(Proven { outlook: Outlook::Loss, plies: 2 }), "{algorithm:?}");
        }
    }
    find::<Chess>("7k/R7/8/8/8/8/8/1R5K b - - 0 1", Standard);
    find::<ChessPp>("7k/R7/8/8/8/8/8/1R5K b - - 0 1 c2c3/-", Plain);
}

/// An evaluator: each catapult on c1 or f1 gives White 0.25, and each catapult on c8 or f8 gives
/// Black 0.25. The search is right only if the sign of values follows the side to move.
struct Placed;

impl Placed {
    fn white_q<P: Position>(position: &P) -> f32 {
        let fen = position.to_string();
        let lists = fen.rsplit(' ').next().unwrap_or("");
        let count =
            |squares: [&str; 2]| squares.iter().filter(|square| lists.contains(*square)).count() as f32;
        0.25 * (count(["c1", "f1"]) - count(["c8", "f8"]))
    }
}

impl<P: Position> Evaluator<P> for Placed {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        batch.logits.clear();
        batch.logits.resize(batch.moves.len(), 0.0);
        let value = |position: &P| {
            let white = Placed::white_q(position);
            let q = if position.side_to_move() == Color::White { white } else { -white };
            Value { wdl: [(1.0 + q) / 2.0, 0.0, (1.0 - q) / 2.0], moves_left: 50.0 }
        };
        batch.values = batch.leaves.iter().map(|leaf| value(&leaf.position)).collect();
        Ok(())
    }
}

/// Each side places its catapults on the squares that [`Placed`] values most for it. A node visited
/// once has the value of its position for White.
#[test]
fn catapults_are_placed_where_they_are_worth_most() {
    let cases: [(&str, &[&str]); 4] = [
        ("", &["c@c1", "c@f1"]),
        ("c@a1", &["c@c8", "c@f8"]),
        ("c@a1 c@a8", &["c@c1", "c@f1"]),
        ("c@c1 c@f8 c@h1", &["c@c8"]),
    ];
    for algorithm in BOTH {
        let mut search = Search::new(SearchConfig { algorithm, moves_left_cap: 0.0, ..paper() });
        for (placed, expected) in cases {
            let mut game = Game::new(ChessPpProposals::start(Proposals::FREE));
            for text in placed.split_whitespace() {
                let mv = game.position().parse_move(text).unwrap();
                game.push(mv);
            }
            search.start(&game, 200, 1);
            let result = run(&mut search, &mut Placed).unwrap();
            let best = game.position().move_text(result.best.unwrap());
            assert!(expected.contains(&best.as_str()), "{best} after `{placed}` ({algorithm:?})");
            for (path, (visits, q, ..)) in nodes(&search) {
                let mut position = *game.position();
                for bits in path {
                    position.play(Move::from_bits(bits));
                }
                if visits == 1 {
                    assert_eq!(q, Placed::white_q(&position), "{position}");
                }
            }
        }
    }
}
