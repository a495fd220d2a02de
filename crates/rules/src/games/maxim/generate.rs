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
use super::reach::{Screens, knight_screens, knights, sideways};
use super::state::State;
use super::zobrist::{TO_DECLARE, TO_MOVE};
use crate::PieceKind;
use crate::board::attacks8::{self as attacks, between, forward, pawn_attacks, rank_of};
use crate::sinks::{Sink, Targets};
use crate::{Color, Move};

/// What the generator knows of a position before it makes moves.
struct Scene {
    us: Color,
    occupied: u64,
    own: u64,
    stacks: u64,
    /// Where no piece of ours may end: on two friends.
    full: u64,
    /// Where a move has consequences: portals and stacks of the enemy.
    eventful: u64,
    /// Whether an enemy attacks our king's square: then all moves are tested.
    attacked: bool,
    /// Squares that can't be left empty without a test.
    shields: u64,
    /// Empty squares that can't be occupied without a test.
    hurdles: u64,
}

impl Scene {
    fn new(s: &State) -> Scene {
        let us = s.side();
        let occupied = s.occupied();
        let own = s.held(us);
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
            attacked: s.attackers(king, !us) != 0,
            shields: 0,
            hurdles: 0,
        };
        if !scene.attacked {
            let singles = own & !stacks;
            let their_knights = s.of_kind(PieceKind::Knight) & enemy;
            let Screens { shields, hurdles } = knight_screens(1 << king, singles, their_knights, occupied);
            scene.shields = shields;
            scene.hurdles = hurdles;
            // Sliders that would attack the king, were our single pieces away.
            let walls = occupied & !singles;
            let snipers = attacks::bishop(king, walls) & s.diagonal() & enemy
                | attacks::rook(king, walls) & s.straight() & enemy;
            for sniper in snipers.indices() {
                let blockers = between(king, sniper) & occupied;
                if blockers.number() == 1 {
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
    pub(super) fn generate<S: Sink<u64>>(&self, sink: &mut S) {
        match self.state.phase() {
            TO_MOVE => self.generate_moves(sink),
            TO_DECLARE => {
                let king = self.state.king(self.state.side());
                sink.one(Move::new(king, king, 0, DONE));
                declare(Declaring::new(&self.state).firsts(), sink);
            }
            first => declare(Declaring::new(&self.state).seconds(first), sink),
        }
    }

    #[inline(always)]
    fn generate_moves<S: Sink<u64>>(&self, sink: &mut S) {
        let s = &self.state;
        let scene = Scene::new(s);
        let own = scene.own;
        for from in (s.of_kind(PieceKind::King) & own).indices() {
            self.to(&scene, from, PieceKind::King, attacks::king(from), sink);
        }
        for from in (s.of_kind(PieceKind::Knight) & own).indices() {
            self.to(&scene, from, PieceKind::Knight, knights(1 << from, scene.occupied), sink);
        }
        for from in (s.of_kind(PieceKind::Bishop) & own).indices() {
            self.to(&scene, from, PieceKind::Bishop, attacks::bishop(from, scene.occupied), sink);
        }
        for from in (s.of_kind(PieceKind::Rook) & own).indices() {
            self.to(&scene, from, PieceKind::Rook, attacks::rook(from, scene.occupied), sink);
        }
        for from in (s.of_kind(PieceKind::Queen) & own).indices() {
            let reach = attacks::bishop(from, scene.occupied) | attacks::rook(from, scene.occupied);
            self.to(&scene, from, PieceKind::Queen, reach, sink);
        }
        for from in s.sharing_pawns(scene.us).indices() {
            self.to(&scene, from, PieceKind::Pawn, sideways(1 << from), sink);
        }
        self.lone_pawn_moves(&scene, sink);
    }

    /// Rule 5.
    #[inline(always)]
    fn lone_pawn_moves<S: Sink<u64>>(&self, scene: &Scene, sink: &mut S) {
        let s = &self.state;
        let us = scene.us;
        let enemy = scene.occupied & !scene.own;
        let third = rank_of(us, 2);
        let last = rank_of(us, 7);
        let passing = if s.en_passant() < 64 { 1u64 << s.en_passant() } else { 0 };
        for from in s.lone_pawns(us).indices() {
            let bit = 1u64 << from;
            let push = forward(bit, us) & !enemy;
            let double = forward(push & third & !scene.occupied, us) & !enemy;
            let diagonal = pawn_attacks(bit, us);
            let plain = push | double | diagonal & enemy;
            self.to(scene, from, PieceKind::Pawn, plain & !last, sink);
            for to in (plain & last & !scene.full | diagonal & passing).indices() {
                self.try_each(scene, from, to, PAWN, sink);
            }
        }
    }

    /// The moves of a piece to where it reaches.
    #[inline(always)]
    fn to<S: Sink<u64>>(&self, scene: &Scene, from: u8, kind: PieceKind, reach: u64, sink: &mut S) {
        let code = kind as u8 + 1;
        let ends = reach & !scene.full;
        // What leaves a stack opens no line.
        let opens = scene.shields & !scene.stacks & 1 << from != 0;
        let tested = if scene.attacked || opens || kind == PieceKind::King {
            ends
        } else {
            ends & (scene.eventful | scene.hurdles)
        };
        sink.targets(from, ends & !tested, code);
        for to in tested.indices() {
            if sink.is_done() {
                return;
            }
            self.try_each(scene, from, to, code, sink);
        }
    }

    /// The move, or each of its pushes, if the king is safe then.
    fn try_each<S: Sink<u64>>(&self, scene: &Scene, from: u8, to: u8, code: Code, sink: &mut S) {
        let s = &self.state;
        let stack = scene.stacks & !scene.own & 1 << to != 0;
        let pushes = if stack { s.pushes(!scene.us, to, from) } else { 0 };
        if pushes == 0 {
            self.try_one(scene.us, Move::new(from, to, 0, code), sink);
        }
        for push in pushes.indices() {
            self.try_one(scene.us, Move::new(from, to, pushing(push), code), sink);
        }
    }

    fn try_one<S: Sink<u64>>(&self, us: Color, mv: Move, sink: &mut S) {
        let mut after = self.state;
        after.carry(mv);
        if after.king_capturers(us) == 0 {
            sink.one(mv);
        }
    }
}

fn declare<S: Sink<u64>>(squares: u64, sink: &mut S) {
    for square in squares.indices() {
        sink.one(Move::new(square, square, 0, PORTAL));
    }
}
