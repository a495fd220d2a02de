//! The 8x8 engine: standard chess, Chess++ and its proposals.
//!
//! [`ChessPosition`] is generic over [`ChessRules`]; each kind of rule set makes an engine: [`Standard`] chess has no
//! second layer at all (48 bytes a position), [`Plain`] Chess++ has one (72 bytes), [`Proposals`] asks at run time which
//! options are chosen, and [`AnyRules`] whether there are catapults, too. The second layer is kept beside the contents of the
//! board. Moves are played on copies.
//!
//! * the rules of Chess++: [`chesspp`]
//! * algebraic notation: [`san`]

mod attacks;
mod draw;
mod fen;
mod general;
mod generate;
mod kinds;
mod piece;
mod play;
mod proposals;
mod query;
mod replay;
mod rules;
pub mod san;
mod state;
mod successors;
mod text;

#[doc = include_str!("rules.md")]
pub mod chesspp {
    pub use super::{ChessPp, ChessPpProposals};
}

pub use kinds::{ChessMove, ChessMoveKind};
pub use piece::PromotionTo;
pub use proposals::{Proposal, Proposals};
pub use replay::{Break, BreakReason, ChessReplay, replay_chess};
pub use rules::{AnyRules, ChessRules, Plain, Standard};
pub use state::{CatapultLayer, Layer, NoLayer};

use crate::engine::engine_methods;
use crate::position::piece_counts;
use crate::{
    Color, FenError, ForbiddenKind, Move, MoveError, PieceCounts, PieceKind, PieceType, Position, Role,
};
use state::State;
use successors::Successors;

/// A position of standard chess.
pub type Chess = ChessPosition<Standard>;
/// A position of Chess++.
pub type ChessPp = ChessPosition<Plain>;
/// A position of Chess++ with proposals.
pub type ChessPpProposals = ChessPosition<Proposals>;
/// A position of any of these games, its rules asked at run time.
pub type AnyChess = ChessPosition<AnyRules>;

/// A position of a game of the 8x8 engine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ChessPosition<R: ChessRules> {
    state: State<R::Layer>,
    rules: R,
}

/// The kinds of [`PieceKind`] in their order, and the catapult, which has no conventional worth.
const PIECES: [PieceType; 7] = {
    let [pawn, knight, bishop, rook, queen, king] = PieceKind::TYPES;
    [
        pawn,
        knight,
        bishop,
        rook,
        queen,
        king,
        PieceType { role: Role::Marker, letter: '*', name: "catapult", centipawns: 0 },
    ]
};

impl<R: ChessRules> Position for ChessPosition<R> {
    type Rules = R;

    const FILES: usize = 8;

    const RANKS: usize = 8;

    const PIECES: &'static [PieceType] = &PIECES;

    fn start(rules: R) -> Self {
        Self::start_position(rules)
    }

    fn from_fen(fen: &str, rules: R) -> Result<Self, FenError> {
        Self::read_fen(fen, rules)
    }

    fn rules(&self) -> R {
        self.rules
    }

    engine_methods!();

    fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    fn for_each_successor(&self, visit: impl FnMut(Move, &Self)) {
        self.generate(&mut Successors::new(self, visit));
    }

    fn is_dead(&self) -> bool {
        self.is_dead()
    }

    fn forgets_history(&self) -> bool {
        // Under `+pawns` a pawn can teleport back behind its pushes.
        !self.rules.has(Proposals::PAWNS) && self.state.halfmove_clock == 0
    }

    fn is_of_kind(rules: R, kind: ForbiddenKind) -> Option<fn(&Self, Move) -> bool> {
        rules.catapults().then_some(match kind {
            ForbiddenKind::Teleports => Self::is_teleport,
            ForbiddenKind::CatapultMoves => Self::is_catapult_move,
            ForbiddenKind::CatapultCaptures => Self::leaves_fewer_catapults,
        })
    }

    fn move_text(&self, mv: Move) -> String {
        text::write(mv).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        text::read(self, text)
    }

    fn san(&self, mv: Move) -> String {
        self.write_san(mv)
    }

    fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        self.read_san(text)
    }

    fn count_pieces(&self, side: Color) -> PieceCounts {
        let mut counts = piece_counts(PieceKind::ALL.map(|kind| self.pieces(side, kind).count()));
        counts[PieceKind::ALL.len()] = self.catapults(side).count() as u8;
        counts
    }
}
