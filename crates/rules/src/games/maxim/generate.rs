//! Legal move generator of Maxim chess. It generates each legal decision of a position once and
//! passes it to a [sink](crate::sinks).
//!
//! The generator plays a move to test it only if the move could expose the own king. It generates a
//! move without this test if all of these conditions hold:
//!
//! * The king is not attacked and does not move.
//! * The moving piece does not shield the king.
//! * No knight could leap over the moving piece's destination to the king.
//! * The move captures no stack, passes no portal and does not leave the board.
//! * The move is not a capture en passant.
//!
//! The following bound shows that a [`MoveList`](crate::MoveList) has room for all moves. `s` is
//! the number of enemy stacks.
//!
//! * At most 20 pieces can move to a square. Three come along each half of its rank and file: two
//!   on the nearest occupied square, and a knight that leaps. Two come along each diagonal.
//! * Only moves onto a stack have several variants, at most four. The total is therefore at most
//!   `1280 + 60 s`, with 1280 = 20 times 64.
//! * At most two pieces share each of the other squares, whose number is `64 - s`. A piece has at
//!   most 51 moves: a queen with 19 steps and eight captures of stacks. The total is therefore also
//!   at most `102 (64 - s)`.
//! * The smaller of these two bounds is at most 3,224.

use super::Maxim;
use super::declare::Declaring;
use super::kinds::{DONE, PORTAL, pushing};
use super::piece::{Code, PAWN};
use super::reach::{Screens, knight_screens, knights};
use super::state::{Phase, State};
use crate::sinks::Sink;
use crate::{Color, Move, PieceKind, Square, Squares};

/// Facts about a position that the legal move generator needs for every piece.
struct CheckInfo {
    us: Color,
    occupied: Squares,
    own: Squares,
    stacks: Squares,
    /// Squares with two own pieces. No own piece may move there.
    full: Squares,
    /// Squares with a portal or an enemy stack. A move there has further effects.
    eventful: Squares,
    /// True if an enemy attacks the own king's square. Every move is then tested.
    attacked: bool,
    /// Squares of own pieces, alone on their squares, that may shield the king. Moves of these
    /// pieces must be tested.
    shields: Squares,
    /// Empty squares on which a moving piece could serve an enemy knight as a hurdle to leap to the
    /// king. Moves to these squares must be tested.
    hurdles: Squares,
}

impl CheckInfo {
    fn new(s: &State) -> CheckInfo {
        let us = s.side();
        let occupied = s.occupied();
        let own = s.side_pieces(us);
        let enemy = occupied ^ own;
        let stacks = s.stacks();
        let king = s.king(us);
        let mut info = CheckInfo {
            us,
            occupied,
            own,
            stacks,
            full: own & stacks,
            eventful: s.all_portals() | enemy & stacks,
            attacked: !s.attackers(king, !us).is_empty(),
            shields: Squares::EMPTY,
            hurdles: Squares::EMPTY,
        };
        if !info.attacked {
            let singles = own & !stacks;
            let their_knights = s.of_kind(PieceKind::Knight) & enemy;
            let Screens { shields, hurdles } =
                knight_screens(Squares::of(king), singles, their_knights, occupied);
            info.shields = shields;
            info.hurdles = hurdles;
            // Without the own single pieces, these sliders would attack the king.
            let walls = occupied & !singles;
            let snipers = Squares::bishop(king, walls) & s.diagonal() & enemy
                | Squares::rook(king, walls) & s.straight() & enemy;
            for sniper in snipers {
                let blockers = Squares::between(king, sniper) & occupied;
                if !blockers.is_empty() && !blockers.is_many() {
                    info.shields |= blockers;
                }
            }
        }
        info
    }
}

impl Maxim {
    /// Generates all legal decisions and passes them to the sink.
    #[inline(always)]
    pub(super) fn generate<S: Sink<8, 8, 1>>(&self, sink: &mut S) {
        match self.state.phase() {
            Phase::Move => self.generate_moves(sink),
            Phase::First => {
                let king = self.state.king(self.state.side());
                sink.one(Move::new(king.byte(), king.byte(), 0, DONE));
                declare(Declaring::new(&self.state).firsts(), sink);
            }
            Phase::Second(first) => declare(Declaring::new(&self.state).seconds(first), sink),
        }
    }

    #[inline(always)]
    fn generate_moves<S: Sink<8, 8, 1>>(&self, sink: &mut S) {
        let s = &self.state;
        let info = CheckInfo::new(s);
        let own = info.own;
        for from in s.of_kind(PieceKind::King) & own {
            self.to(&info, from, PieceKind::King, Squares::king(from), sink);
        }
        for from in s.of_kind(PieceKind::Knight) & own {
            self.to(&info, from, PieceKind::Knight, knights(Squares::of(from), info.occupied), sink);
        }
        for from in s.of_kind(PieceKind::Bishop) & own {
            self.to(&info, from, PieceKind::Bishop, Squares::bishop(from, info.occupied), sink);
        }
        for from in s.of_kind(PieceKind::Rook) & own {
            self.to(&info, from, PieceKind::Rook, Squares::rook(from, info.occupied), sink);
        }
        for from in s.of_kind(PieceKind::Queen) & own {
            let reach = Squares::bishop(from, info.occupied) | Squares::rook(from, info.occupied);
            self.to(&info, from, PieceKind::Queen, reach, sink);
        }
        for from in s.sharing_pawns(info.us) {
            self.to(&info, from, PieceKind::Pawn, Squares::of(from).sideways(), sink);
        }
        self.lone_pawn_moves(&info, sink);
    }

    /// Generates moves of pawns that are alone on their squares (rule 5).
    #[inline(always)]
    fn lone_pawn_moves<S: Sink<8, 8, 1>>(&self, info: &CheckInfo, sink: &mut S) {
        let s = &self.state;
        let us = info.us;
        let enemy = info.occupied & !info.own;
        let third = Squares::rank_of(us, 2);
        let last = Squares::rank_of(us, 7);
        let passing = s.en_passant().map_or(Squares::EMPTY, Squares::of);
        for from in s.lone_pawns(us) {
            let bit = Squares::of(from);
            let push = bit.forward(us) & !enemy;
            let double = (push & third & !info.occupied).forward(us) & !enemy;
            let diagonal = bit.pawn_attacks(us);
            let plain = push | double | diagonal & enemy;
            self.to(info, from, PieceKind::Pawn, plain & !last, sink);
            for to in plain & last & !info.full | diagonal & passing {
                self.try_each(info, from, to, PAWN, sink);
            }
        }
    }

    /// Generates the legal moves of the piece of `kind` on `from` to squares of `reach`.
    #[inline(always)]
    fn to<S: Sink<8, 8, 1>>(
        &self,
        info: &CheckInfo,
        from: Square,
        kind: PieceKind,
        reach: Squares,
        sink: &mut S,
    ) {
        let code = kind as u8 + 1;
        let ends = reach & !info.full;
        // A piece that leaves a stack opens no line.
        let opens = (info.shields & !info.stacks).has(from);
        let tested = if info.attacked || opens || kind == PieceKind::King {
            ends
        } else {
            ends & (info.eventful | info.hurdles)
        };
        sink.targets(from, ends & !tested, code);
        for to in tested {
            if sink.is_done() {
                return;
            }
            self.try_each(info, from, to, code, sink);
        }
    }

    /// Passes the move to the sink if the own king is safe afterwards. If the move can push a
    /// piece, each possible destination of the push is a separate move.
    fn try_each<S: Sink<8, 8, 1>>(
        &self,
        info: &CheckInfo,
        from: Square,
        to: Square,
        code: Code,
        sink: &mut S,
    ) {
        let s = &self.state;
        let stack = (info.stacks & !info.own).has(to);
        let pushes = if stack { s.pushes(!info.us, to, from) } else { Squares::EMPTY };
        if pushes.is_empty() {
            self.try_one(info.us, Move::new(from.byte(), to.byte(), 0, code), sink);
        }
        for push in pushes {
            self.try_one(info.us, Move::new(from.byte(), to.byte(), pushing(push), code), sink);
        }
    }

    fn try_one<S: Sink<8, 8, 1>>(&self, us: Color, mv: Move, sink: &mut S) {
        let mut after = self.state;
        after.play_piece(mv);
        if after.king_capturers(us).is_empty() {
            sink.one(mv);
        }
    }
}

fn declare<S: Sink<8, 8, 1>>(squares: Squares, sink: &mut S) {
    for square in squares {
        sink.one(Move::new(square.byte(), square.byte(), 0, PORTAL));
    }
}
