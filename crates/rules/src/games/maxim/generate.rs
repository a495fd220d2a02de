//! The move generator: one walk over a position's legal decisions, several consumers.
//!
//! Most moves can't change whether the own king can be captured, and are handed on untested: the king is not attacked, no
//! piece shields it by standing where the mover comes from, and no knight would leap over the mover where it ends. All
//! others, and all that capture stacks, pass portals or leave the board, are tried.
//!
//! No board has room for more moves than a [`MoveList`](crate::MoveList). At most 20 pieces can go to a square: three along
//! each half of its rank and file (two on the nearest square held, and a knight that leaps), two along each diagonal; and
//! only where they capture one of `s` stacks has each up to four moves. That makes no more than `20 * 64 + 60 * s`. A piece,
//! two of which share each of the other `64 - s` squares, has at most 51, a queen with 19 steps and eight captures of stacks:
//! no more than `102 * (64 - s)`. The smaller of the two is never above 3,224.

use super::Maxim;
use super::declare::Declaring;
use super::kinds::{DONE, PORTAL, pushing};
use super::piece::{Code, PAWN};
use super::reach::{Screens, knight_screens, knights};
use super::state::{Phase, State};
use crate::PieceKind;
use crate::sinks::Sink;
use crate::{Color, Move, Square, Squares};

/// What the generator knows of a position before it makes moves.
struct Scene {
    us: Color,
    occupied: Squares,
    own: Squares,
    stacks: Squares,
    /// Where no piece of ours may end: on two friends.
    full: Squares,
    /// Where a move has consequences: portals and stacks of the enemy.
    eventful: Squares,
    /// Whether an enemy attacks our king's square: then all moves are tested.
    attacked: bool,
    /// Squares that can't be left empty without a test.
    shields: Squares,
    /// Empty squares that can't be occupied without a test.
    hurdles: Squares,
}

impl Scene {
    fn new(s: &State) -> Scene {
        let us = s.side();
        let occupied = s.occupied();
        let own = s.side_pieces(us);
        let enemy = occupied ^ own;
        let stacks = s.stacks();
        let king = s.king(us);
        let mut scene = Scene {
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
        if !scene.attacked {
            let singles = own & !stacks;
            let their_knights = s.of_kind(PieceKind::Knight) & enemy;
            let Screens { shields, hurdles } =
                knight_screens(Squares::of(king), singles, their_knights, occupied);
            scene.shields = shields;
            scene.hurdles = hurdles;
            // Sliders that would attack the king, were our single pieces away.
            let walls = occupied & !singles;
            let snipers = Squares::bishop(king, walls) & s.diagonal() & enemy
                | Squares::rook(king, walls) & s.straight() & enemy;
            for sniper in snipers {
                let blockers = Squares::between(king, sniper) & occupied;
                if !blockers.is_empty() && !blockers.is_many() {
                    scene.shields |= blockers;
                }
            }
        }
        scene
    }
}

impl Maxim {
    /// Hands all legal decisions to the sink.
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
        let scene = Scene::new(s);
        let own = scene.own;
        for from in s.of_kind(PieceKind::King) & own {
            self.to(&scene, from, PieceKind::King, Squares::king(from), sink);
        }
        for from in s.of_kind(PieceKind::Knight) & own {
            self.to(&scene, from, PieceKind::Knight, knights(Squares::of(from), scene.occupied), sink);
        }
        for from in s.of_kind(PieceKind::Bishop) & own {
            self.to(&scene, from, PieceKind::Bishop, Squares::bishop(from, scene.occupied), sink);
        }
        for from in s.of_kind(PieceKind::Rook) & own {
            self.to(&scene, from, PieceKind::Rook, Squares::rook(from, scene.occupied), sink);
        }
        for from in s.of_kind(PieceKind::Queen) & own {
            let reach = Squares::bishop(from, scene.occupied) | Squares::rook(from, scene.occupied);
            self.to(&scene, from, PieceKind::Queen, reach, sink);
        }
        for from in s.sharing_pawns(scene.us) {
            self.to(&scene, from, PieceKind::Pawn, Squares::of(from).sideways(), sink);
        }
        self.lone_pawn_moves(&scene, sink);
    }

    /// Rule 5.
    #[inline(always)]
    fn lone_pawn_moves<S: Sink<8, 8, 1>>(&self, scene: &Scene, sink: &mut S) {
        let s = &self.state;
        let us = scene.us;
        let enemy = scene.occupied & !scene.own;
        let third = Squares::rank_of(us, 2);
        let last = Squares::rank_of(us, 7);
        let passing = s.en_passant().map_or(Squares::EMPTY, Squares::of);
        for from in s.lone_pawns(us) {
            let bit = Squares::of(from);
            let push = bit.forward(us) & !enemy;
            let double = (push & third & !scene.occupied).forward(us) & !enemy;
            let diagonal = bit.pawn_attacks(us);
            let plain = push | double | diagonal & enemy;
            self.to(scene, from, PieceKind::Pawn, plain & !last, sink);
            for to in plain & last & !scene.full | diagonal & passing {
                self.try_each(scene, from, to, PAWN, sink);
            }
        }
    }

    /// The moves of a piece to where it reaches.
    #[inline(always)]
    fn to<S: Sink<8, 8, 1>>(
        &self,
        scene: &Scene,
        from: Square,
        kind: PieceKind,
        reach: Squares,
        sink: &mut S,
    ) {
        let code = kind as u8 + 1;
        let ends = reach & !scene.full;
        // What leaves a stack opens no line.
        let opens = (scene.shields & !scene.stacks).has(from);
        let tested = if scene.attacked || opens || kind == PieceKind::King {
            ends
        } else {
            ends & (scene.eventful | scene.hurdles)
        };
        sink.targets(from, ends & !tested, code);
        for to in tested {
            if sink.is_done() {
                return;
            }
            self.try_each(scene, from, to, code, sink);
        }
    }

    /// The move, or each of its pushes, if the king is safe then.
    fn try_each<S: Sink<8, 8, 1>>(&self, scene: &Scene, from: Square, to: Square, code: Code, sink: &mut S) {
        let s = &self.state;
        let stack = (scene.stacks & !scene.own).has(to);
        let pushes = if stack { s.pushes(!scene.us, to, from) } else { Squares::EMPTY };
        if pushes.is_empty() {
            self.try_one(scene.us, Move::new(from.byte(), to.byte(), 0, code), sink);
        }
        for push in pushes {
            self.try_one(scene.us, Move::new(from.byte(), to.byte(), pushing(push), code), sink);
        }
    }

    fn try_one<S: Sink<8, 8, 1>>(&self, us: Color, mv: Move, sink: &mut S) {
        let mut after = self.state;
        after.carry(mv);
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
