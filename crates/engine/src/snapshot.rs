//! State of a search for reports.

use catapult_mcts::{Outlook, Proven, Value};
use catapult_rules::{Move, Position};

/// A root move and its expected continuation.
#[derive(Clone, PartialEq, Debug)]
pub struct Variation {
    /// The root move and the expected moves after it (principal variation).
    pub moves: Vec<Move>,
    /// Number of simulations that passed through the root move.
    pub visits: u32,
    /// Probability of the root move according to the evaluator, without noise (prior).
    pub prior: f32,
    /// Probability of the root move according to the search (target policy).
    pub share: f32,
    /// P(win) - P(loss) after the root move, for the side to move at the root. `None` if the move
    /// has neither visits nor a known result.
    pub q: Option<f32>,
    /// Probabilities of win, draw and loss after the root move, for the side to move at the root.
    /// `None` if `q` is `None`.
    pub wdl: Option<[f32; 3]>,
    /// Proven result after the root move. Its plies count from the position after the move. `None`
    /// if unproven.
    pub proven: Option<Proven>,
    /// Number of moves to a proven mate. A move is a whole turn. It is negative if the side to move
    /// is mated. `None` without a proven mate.
    pub mate: Option<i32>,
}

/// Returns [`Variation::mate`] of a line that starts at `root`.
pub(crate) fn mate<P: Position>(root: &P, line: &[Move], proven: Proven) -> Option<i32> {
    if proven.outlook == Outlook::Draw {
        return None;
    }
    let mut position = *root;
    // `plies` counts from the position after the root move.
    let mut turns = u32::from(proven.plies) + 1;
    for &mv in line {
        position.play(mv);
        // In Maxim chess, the next ply may belong to the same turn.
        turns = turns.saturating_sub(u32::from(!position.is_turn_start()));
    }
    let moves = turns.div_ceil(2) as i32;
    Some(if proven.outlook == Outlook::Win { moves } else { -moves })
}

/// State of a search. Values are for the side to move at the root.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Snapshot {
    /// One line per searched root move, best first.
    pub lines: Vec<Variation>,
    /// Value of the root position.
    pub value: Value,
    /// Number of simulations since the search started. Visits from a reused tree do not count.
    pub simulations: u32,
    /// Memory used by the tree, in thousandths of its limit.
    pub hashfull: u32,
}

/// Converts q = P(win) - P(loss) to centipawns by 90 tan(1.5637541897 q), a formula of Leela Chess
/// Zero. The result is clamped to -12,800..=12,800. It is for display and does not measure
/// material. NaN gives 0.
pub fn centipawns(q: f32) -> i32 {
    (90.0 * (SLOPE * q.clamp(-1.0, 1.0)).tan()).round().clamp(-12_800.0, 12_800.0) as i32
}

/// Returns the q that [`centipawns`] converts to this number, up to rounding.
pub fn from_centipawns(score: i32) -> f32 {
    (score as f32 / 90.0).atan() / SLOPE
}

const SLOPE: f32 = 1.563_754_2;

#[cfg(test)]
mod tests {
    use super::{centipawns, from_centipawns, mate};
    use catapult_mcts::{Outlook, Proven};
    use catapult_rules::{Chess, Game, Maxim, Position, Standard};

    /// The numbers depend only on the turns of the line, so its last position need not be a mate.
    #[test]
    fn mates_are_counted_in_turns() {
        fn count<P: Position>(root: P, line: &str, outlook: Outlook) -> Option<i32> {
            let mut game = Game::new(root);
            for text in line.split(' ') {
                game.push(game.position().parse_move(text).unwrap());
            }
            mate(&root, game.moves(), Proven { outlook, plies: game.ply() as u16 - 1 })
        }
        let maxim = Maxim::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 -/- -", ()).unwrap();
        assert_eq!(count(maxim, "a1a2 done", Outlook::Win), Some(1));
        assert_eq!(count(maxim, "a1a2 done e8d8 done", Outlook::Loss), Some(-1));
        assert_eq!(count(maxim, "a1a2 done e8d8 done a2a1 done", Outlook::Win), Some(2));
        // A root within a turn.
        let mut begun = maxim;
        begun.play(maxim.parse_move("a1a2").unwrap());
        assert_eq!(count(begun, "done e8d8 done a2a1 done", Outlook::Win), Some(2));
        assert_eq!(count(begun, "done e8d8 done", Outlook::Loss), Some(-1));
        let chess = Chess::start(Standard);
        assert_eq!(count(chess, "e2e4", Outlook::Win), Some(1));
        assert_eq!(count(chess, "e2e4 e7e5", Outlook::Loss), Some(-1));
        assert_eq!(count(chess, "e2e4 e7e5 g1f3", Outlook::Win), Some(2));
        assert_eq!(count(chess, "e2e4 e7e5 g1f3", Outlook::Draw), None);
    }

    /// Expected centipawns were computed by hand.
    #[test]
    fn values_in_centipawns() {
        assert_eq!([0.0, 0.5, -0.5, 1.0, -1.0, f32::NAN].map(centipawns), [0, 89, -89, 12_780, -12_780, 0]);
        for score in [-9_000, -500, -1, 0, 1, 37, 150, 2_000] {
            assert!((centipawns(from_centipawns(score)) - score).abs() <= score.abs() / 100, "{score}");
        }
    }
}
