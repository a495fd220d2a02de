//! The 8x8 engine: standard chess and Chess++ with its options.
//!
//! [`ChessPosition`] is generic over [`ChessRules`], and the compiler builds one engine per rule
//! set. A position stores the catapults (the second layer) beside the pieces. A position cannot
//! take back moves, so callers play them on copies.
//!
//! * [`Standard`] chess has no catapults. A position takes 48 bytes.
//! * [`Plain`] Chess++ has catapults. A position takes 72 bytes.
//! * [`Proposals`] selects the options of Chess++ at run time.
//! * [`AnyRules`] selects at run time between chess and Chess++ with any options.
//!
//! See [`chesspp`] for the rules of Chess++ and [`san`] for the algebraic notation.

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
pub use proposals::{Number, Proposal, Proposals};
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
///
/// ```
/// use catapult_rules::{Chess, Color, PieceKind, Position, Standard};
///
/// let position = Chess::start(Standard);
/// assert_eq!(position.legal_moves().len(), 20);
/// assert_eq!(position.pieces(Color::White, PieceKind::Rook).count(), 2);
/// assert_eq!(position.piece_at("e8".parse().unwrap()), Some((Color::Black, PieceKind::King)));
/// ```
pub type Chess = ChessPosition<Standard>;
/// A position of Chess++ without options.
///
/// ```
/// use catapult_rules::{ChessPp, Color, Plain, Position};
///
/// // The bishop leaves f1, so the knight can teleport from catapult b1 to catapult f1.
/// let mut position = ChessPp::start(Plain);
/// for san in ["e4", "e5", "Bc4", "Nc6", "Nf1t"] {
///     position.play(position.parse_san(san)?);
/// }
/// assert_eq!(position.catapults(Color::White).count(), 2);
/// assert!(position.to_string().starts_with("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/R1BQKNNR"));
/// # Ok::<(), catapult_rules::MoveError>(())
/// ```
pub type ChessPp = ChessPosition<Plain>;
/// A position of Chess++ with options chosen at run time.
///
/// ```
/// use catapult_rules::{ChessPpProposals, Position, Proposals};
///
/// // With +free, the players place their catapults on the first rank before the first move.
/// let position = ChessPpProposals::start(Proposals::FREE);
/// assert_eq!(position.legal_moves().len(), 8);
/// assert_eq!(position.move_text(position.legal_moves()[0]), "c@a1");
/// ```
pub type ChessPpProposals = ChessPosition<Proposals>;
/// A position of chess or Chess++, with rules selected at run time.
///
/// ```
/// use catapult_rules::{AnyChess, AnyRules, Position, Variant};
///
/// let names = ["chess", "chesspp+free"];
/// let counts = names.map(|name| {
///     let variant: Variant = name.parse().unwrap();
///     AnyChess::start(AnyRules::of(variant).unwrap()).count_legal_moves()
/// });
/// assert_eq!(counts, [20, 8]);
/// ```
pub type AnyChess = ChessPosition<AnyRules>;

/// A position of chess or Chess++ under the rules `R`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ChessPosition<R: ChessRules> {
    state: State<R::Layer>,
    rules: R,
}

/// Piece types of chess in the order of [`PieceKind`], then the catapult. The catapult has no
/// conventional value and counts as 0.
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

    fn for_each_successor(&self, visit: impl FnMut(Move, &Self)) {
        self.generate(&mut Successors::new(self, visit));
    }

    fn is_dead(&self) -> bool {
        self.is_dead()
    }

    fn forgets_history(&self) -> bool {
        // With `+pawns`, a pawn can teleport back, so a pawn move does not prevent repetition. Nor
        // does a catapult move with `+restart`.
        let is_reversible = self.rules.has(Proposals::PAWNS) || self.rules.has(Proposals::RESTART);
        !is_reversible && self.state.halfmove_clock == 0
    }

    fn fifty_move_plies(&self) -> u32 {
        self.rules.proposals().fifty_move_plies()
    }

    fn is_of_kind(rules: R, kind: ForbiddenKind) -> Option<fn(&Self, Move) -> bool> {
        let options = rules.proposals();
        let (exists, is_of_kind): (bool, fn(&Self, Move) -> bool) = match kind {
            ForbiddenKind::Teleports => (
                rules.catapults_per_side() > 1
                    && (options.teleporting().next().is_some() || rules.has(Proposals::PAWNS)),
                |_, mv| matches!(ChessMove::of(mv).kind, ChessMoveKind::Teleport | ChessMoveKind::Instant),
            ),
            ForbiddenKind::CatapultMoves => (
                // Catapults start fresh.
                options.catapult_moves_per_game() != Some(0) && options.catapult_reach(true) != 0,
                |_, mv| ChessMove::of(mv).kind == ChessMoveKind::Catapult,
            ),
            ForbiddenKind::CatapultCaptures => (!rules.has(Proposals::SAFE), Self::captures_catapults),
        };
        (exists && rules.catapults_per_side() > 0).then_some(is_of_kind)
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
