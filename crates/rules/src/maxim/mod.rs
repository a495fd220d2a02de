//! Maxim chess: squares that two friends may share, portals, knights that step and leap along ranks and files.
//!
//! * the rules: [`rules`]
//!
//! Pieces are kept as two layers of three planes of bits: the earlier or only occupant of a square, the later one. Both are
//! of one side, so that one more plane tells whose. A turn has up to three decisions (rule 8), each a [`Move`] of its own;
//! what is decided next is part of the position: [`Phase`].

mod attack;
mod declare;
mod fen;
mod generate;
mod play;
mod query;
mod reach;
mod state;
mod zobrist;

#[doc = include_str!("rules.md")]
pub mod rules {
    pub use super::Maxim;
}

pub use state::Phase;

use crate::chess::PieceKind;
use crate::engine::engine_methods;
use crate::{Color, FenError, Move, MoveError, PieceCounts, PieceType, Position, Shown, Square};
use state::State;
use zobrist::{TO_DECLARE, TO_MOVE};

const START: &str = "rnpqkpnr/bppppppb/8/8/8/8/BPPPPPPB/RNPQKPNR w - - 0 1 -/- -";

/// Kinds of decisions: a move's kind is that of its piece plus 1, and these two. A move's auxiliary byte is the square plus
/// 1 to which it pushes a piece, 0 if it pushes none; `done` has the own king's square twice, a portal its own.
const DONE: u8 = 7;
const PORTAL: u8 = 8;

const fn pushing(square: u8) -> u8 {
    square + 1
}

const fn pushed_to(mv: Move) -> Option<u8> {
    match mv.aux() {
        0 => None,
        aux => Some((aux - 1) & 63),
    }
}

/// A position of Maxim chess.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Maxim {
    state: State,
}

/// A decision taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// A piece is moved.
    Move {
        /// Which kind: of a stack's two members, that one.
        piece: PieceKind,
        /// Where it comes from.
        from: Square,
        /// Where it goes, before any portal.
        to: Square,
        /// Where the later of two captured pieces is pushed (rule 4).
        push: Option<Square>,
    },
    /// A square is chosen for a portal.
    Portal(Square),
    /// The turn ends without portals.
    Done,
}

impl Maxim {
    /// Takes a decision apart.
    #[inline]
    pub fn decision(mv: Move) -> Decision {
        match mv.kind() {
            PORTAL => Decision::Portal(Square::new(mv.to())),
            kind @ 1..=6 => Decision::Move {
                piece: PieceKind::ALL[kind as usize - 1],
                from: Square::new(mv.from()),
                to: Square::new(mv.to()),
                push: pushed_to(mv).map(Square::new),
            },
            _ => Decision::Done,
        }
    }
}

/// The kinds of [`PieceKind`] in their order, with the values of chess but for the knight's: its nearest relative is the Woody
/// Rook (one or two squares along ranks and files, leaping) of Ralph Betza's Remarkable Rookies, which stands there for a
/// bishop; its own second step can be blocked, and its third needs something to leap over.
const PIECES: [PieceType; 6] = {
    let [pawn, knight, bishop, rook, queen, king] = PieceKind::TYPES;
    [pawn, PieceType { centipawns: 250, ..knight }, bishop, rook, queen, king]
};

impl Position for Maxim {
    type Rules = ();

    const FILES: usize = 8;

    const RANKS: usize = 8;

    const PIECES_PER_SQUARE: usize = 2;

    const PIECES: &'static [PieceType] = &PIECES;

    fn about((): ()) -> &'static str {
        "Two friendly pieces may share a square; of a captured pair the later one is pushed aside. After a move a player may \
         declare a pair of portals: the next piece to end on one of them comes out at the other. No castling, no promotion."
    }

    #[allow(clippy::expect_used)]
    fn start((): ()) -> Self {
        Self::read_fen(START).expect("the start position is valid: tests read it")
    }

    fn from_fen(fen: &str, (): ()) -> Result<Self, FenError> {
        Self::read_fen(fen)
    }

    fn rules(&self) {}

    engine_methods!();

    fn in_check(&self) -> bool {
        self.state.king_capturers(self.state.side()) != 0
    }

    fn is_dead(&self) -> bool {
        self.state.occupied().count_ones() == 2 && self.state.stacks() == 0
    }

    fn is_turn_start(&self) -> bool {
        self.state.phase() == TO_MOVE
    }

    /// Rule 8: `done` is offered, and legal, wherever a first portal is.
    fn turn_end(&self) -> Option<Move> {
        let king = self.state.king(self.state.side());
        (self.state.phase() == TO_DECLARE).then(|| Move::new(king, king, 0, DONE))
    }

    /// Pawns go sideways and back, and through portals: only what takes a piece off the board is for ever.
    fn forgets_history(&self) -> bool {
        self.state.took
    }

    fn move_text(&self, mv: Move) -> String {
        match Maxim::decision(mv) {
            Decision::Done => "done".to_owned(),
            Decision::Portal(square) => format!("@{square}"),
            Decision::Move { piece, from, to, push } => {
                let [first, second] = self.state.codes(from.index() as u8);
                let letter = piece.letter().to_ascii_uppercase().to_string();
                let letter = if second != 0 && first != second { letter } else { String::new() };
                let push = push.map_or(String::new(), |square| format!(">{square}"));
                format!("{letter}{from}{to}{push}")
            }
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let found = self.legal_moves().into_iter().find(|mv| self.move_text(*mv) == text);
        found.ok_or_else(|| {
            let reason = match self.phase() {
                Phase::Move => "not legal in this position; moves look like `e2e4`, `Ne2g2` or `e2e5>d5`",
                Phase::First => {
                    "not legal in this position, where `done` or a portal such as `@c3` is expected"
                }
                Phase::Second(_) => {
                    "not legal in this position, where a second portal such as `@f6` is expected"
                }
            };
            MoveError { text: text.to_owned(), reason: reason.to_owned() }
        })
    }

    /// The frame is a portal.
    fn shown(&self, file: usize, rank: usize) -> Shown {
        let square = Square::at(file as u8, rank as u8);
        let mut shown = Shown::default();
        if let Some((side, first, second)) = self.pieces_at(square) {
            for kind in [Some(first), second].into_iter().flatten() {
                shown.pieces.push(side.cased(kind.letter()));
            }
        }
        let owner = Color::ALL.into_iter().find(|side| self.portals(*side).has(square));
        shown.frame = owner.map(|side| (side, if side == Color::White { ['[', ']'] } else { ['(', ')'] }));
        shown
    }

    fn legend(&self) -> Option<&'static str> {
        let any = self.state.all_portals() != 0;
        match (any, self.phase()) {
            (_, Phase::First) => {
                Some("[ ] White's portals, ( ) Black's; `done`, or the first of two new portals, as `@c3`")
            }
            (_, Phase::Second(_)) => Some("[ ] White's portals, ( ) Black's; the second portal, as `@f6`"),
            (true, Phase::Move) => Some("[ ] White's portals, ( ) Black's"),
            (false, Phase::Move) => None,
        }
    }

    fn count_pieces(&self, side: Color) -> PieceCounts {
        fen::count_pieces(&self.state, side)
    }
}
