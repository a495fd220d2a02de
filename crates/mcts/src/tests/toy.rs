//! Small games for tests: walks on a graph, and Nim.

use crate::{Batch, EvaluationError, Evaluator, Search, SearchConfig, SearchResult, Value, run};
use catapult_rules::{Color, FenError, Move, MoveList, Outcome, PieceCounts, PieceType, Position};
use std::fmt;

/// A graph on which two players move one token. Nodes of the graph are called states. A state
/// without successors needs an outcome.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub following: Vec<Vec<usize>>,
    pub outcomes: Vec<Option<Outcome>>,
    /// States at which the side to move keeps the turn: it also makes the next move.
    pub keeps_turn: Vec<usize>,
    /// Turn-ending moves as (state, move number). A state without an entry has no turn-ending move.
    pub turn_ends: Vec<(usize, usize)>,
    /// True if a repeated position is a draw.
    pub repeats: bool,
    /// Policy logits by state, one per move. In states without an entry, all logits are 0.
    /// [`Table`] returns them and, as Q, the entry of `values` for the state.
    pub logits: Vec<Vec<f32>>,
    pub values: Vec<f32>,
    /// If true, `values` are for the side to move. Otherwise they are for White.
    pub values_for_mover: bool,
}

impl Graph {
    /// Leaks the graph and returns rules that refer to it. Positions are `Copy`, so they cannot own
    /// the graph.
    pub(super) fn leak(self) -> Rules {
        Rules(Box::leak(Box::new(self)))
    }
}

#[derive(Clone, Copy)]
pub(super) struct Rules(pub &'static Graph);

impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Rules {}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("graph")
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Walk {
    pub rules: Rules,
    pub state: usize,
    pub mover: Color,
    pub plies: u32,
}

impl fmt::Display for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.state, self.mover)
    }
}

pub(super) fn step(to: usize) -> Move {
    Move::new(0, to as u8, 0, 0)
}

impl Position for Walk {
    type Rules = Rules;

    const FILES: usize = 1;
    const RANKS: usize = 1;
    const PIECES: &'static [PieceType] = &[];

    fn start(rules: Rules) -> Walk {
        Walk { rules, state: 0, mover: Color::White, plies: 0 }
    }

    fn from_fen(_: &str, _: Rules) -> Result<Walk, FenError> {
        Err(FenError { field: "placement", reason: "graphs have no FEN".into() })
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn side_to_move(&self) -> Color {
        self.mover
    }

    fn halfmove_clock(&self) -> u32 {
        if self.rules.0.repeats { self.plies } else { 0 }
    }

    fn fullmove_number(&self) -> u32 {
        1
    }

    fn key(&self) -> u64 {
        (self.state as u64 * 2 + self.mover as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn in_check(&self) -> bool {
        self.rules.0.outcomes.get(self.state) == Some(&Some(Outcome::Checkmate))
    }

    /// A move encodes its index among the successors, because several moves may lead to the same
    /// state.
    fn legal_moves_into(&self, moves: &mut MoveList) {
        for i in 0..self.rules.0.following[self.state].len() {
            moves.push(step(i));
        }
    }

    fn play(&mut self, mv: Move) {
        if !self.rules.0.keeps_turn.contains(&self.state) {
            self.mover = !self.mover;
        }
        self.state = self.rules.0.following[self.state][mv.to() as usize];
        self.plies += 1;
    }

    fn is_turn_start(&self) -> bool {
        self.turn_end().is_none()
    }

    fn turn_end(&self) -> Option<Move> {
        let end = self.rules.0.turn_ends.iter().find(|&&(state, _)| state == self.state);
        end.map(|&(_, mv)| step(mv))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.rules.0.outcomes.get(self.state).copied().flatten()
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to().to_string()
    }

    fn count_pieces(&self, _: Color) -> PieceCounts {
        PieceCounts::default()
    }
}

/// An evaluator of a [`Walk`] with the logits and values of its [`Graph`]. P(draw) is 0, and 10
/// plies are left.
pub(super) struct Table;

impl Evaluator<Walk> for Table {
    fn evaluate(&mut self, batch: &mut Batch<Walk>) -> Result<(), EvaluationError> {
        batch.logits.clear();
        batch.values.clear();
        for leaf in &batch.leaves {
            let graph = leaf.position.rules.0;
            match graph.logits.get(leaf.position.state) {
                Some(logits) => batch.logits.extend_from_slice(logits),
                None => batch.logits.resize(leaf.range().end, 0.0),
            }
            let value = graph.values[leaf.position.state];
            let white = leaf.position.mover == Color::White || graph.values_for_mover;
            let q = if white { value } else { -value };
            batch.values.push(Value { wdl: [(1.0 + q) / 2.0, 0.0, (1.0 - q) / 2.0], moves_left: 10.0 });
        }
        Ok(())
    }
}

/// Searches from the start of a graph with seed 1, and returns the search and its result.
pub(super) fn searched(
    config: &SearchConfig,
    rules: Rules,
    simulations: u32,
) -> (Search<Walk>, SearchResult) {
    let mut search = Search::new(*config);
    search.start_at(Walk::start(rules), 0, &[], simulations, 1);
    let result = run(&mut search, &mut Table).unwrap();
    (search, result)
}

/// Nim with three heaps. A move takes any number from one heap; a player without a move loses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Nim {
    pub heaps: [u8; 3],
    pub mover: Color,
}

impl fmt::Display for Nim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.heaps, self.mover)
    }
}

impl Nim {
    /// Returns true if the side to move wins. By Bouton's theorem it wins unless the exclusive or
    /// of the heaps is 0.
    pub(super) fn mover_wins(&self) -> bool {
        self.heaps[0] ^ self.heaps[1] ^ self.heaps[2] != 0
    }
}

impl Position for Nim {
    type Rules = ();

    const FILES: usize = 1;
    const RANKS: usize = 1;
    const PIECES: &'static [PieceType] = &[];

    fn start(_: ()) -> Nim {
        Nim { heaps: [3, 4, 5], mover: Color::White }
    }

    fn from_fen(_: &str, _: ()) -> Result<Nim, FenError> {
        Err(FenError { field: "placement", reason: "Nim has no FEN".into() })
    }

    fn rules(&self) {}

    fn side_to_move(&self) -> Color {
        self.mover
    }

    fn halfmove_clock(&self) -> u32 {
        0
    }

    fn fullmove_number(&self) -> u32 {
        1
    }

    fn key(&self) -> u64 {
        u64::from_le_bytes([self.heaps[0], self.heaps[1], self.heaps[2], self.mover as u8, 1, 0, 0, 0])
    }

    fn in_check(&self) -> bool {
        self.heaps == [0; 3]
    }

    fn legal_moves_into(&self, moves: &mut MoveList) {
        for heap in 0..3 {
            for taken in 1..=self.heaps[heap] {
                moves.push(Move::new(heap as u8, taken, 0, 0));
            }
        }
    }

    fn play(&mut self, mv: Move) {
        self.heaps[mv.from() as usize] -= mv.to();
        self.mover = !self.mover;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.in_check().then_some(Outcome::Checkmate)
    }

    fn move_text(&self, mv: Move) -> String {
        format!("{}:{}", mv.from(), mv.to())
    }

    fn count_pieces(&self, _: Color) -> PieceCounts {
        PieceCounts::default()
    }
}
