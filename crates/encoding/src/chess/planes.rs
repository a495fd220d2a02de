//! Network inputs of the 8x8 layout, for standard chess and every rule set of Chess++.
//!
//! Everything is seen from the side to move ("own"): its first rank is rank 0, so ranks are flipped
//! for Black. Planes 0 to 29 are [`SETS`], with the values 0 and 1. Two further planes are
//! constant:
//!
//! - 30, board: 1 on every square. This distinguishes empty squares from the padding beyond the
//!   edge.
//! - 31, rank: from 0 on the first rank of the side to move to 1 on the last.
//!
//! The globals are the [common globals](crate::globals::COMMON), [`GLOBALS`] and [`OPTIONS`]. The
//! layout `chess-8x8-1` has no [`OPTIONS`], and its networks are still read. The occupancy planes
//! (auxiliary targets) are own pieces, enemy pieces, own catapults and enemy catapults.

use super::policy;
use super::view::View8;
use crate::globals::{COMMON, common};
use crate::rows::rows;
use crate::{CONSTANT, Encode, Layout, PolicyIndex};
use catapult_rules::{
    ChessPosition, ChessRules, Color, Move, PieceKind, Position, Proposals, Square, Squares,
};

/// Tensor shapes of standard chess and of every rule set of Chess++.
pub const CHESS_LAYOUT: Layout = Layout {
    name: "chess-8x8-2",
    earlier: Some(("chess-8x8-1", COMMON.len() + GLOBALS.len())),
    ranks: 8,
    files: 8,
    planes: SETS.len() + CONSTANT.len(),
    piece_planes: 12,
    king_plane: PieceKind::King as usize,
    attack_planes: [19, 20],
    pawn_attack_planes: Some([21, 22]),
    globals: COMMON.len() + GLOBALS.len() + OPTIONS.len(),
    policy_planes: policy::PLANES as usize,
    future_planes: 4,
};

rows! {
    /// Names of the planes that are sets of squares, with their plane numbers.
    SETS from 0 = 0;
    fn sets(s: &Scene) -> Squares;
    "own pawns" = s.own.kinds[0];
    "own knights" = s.own.kinds[1];
    "own bishops" = s.own.kinds[2];
    "own rooks" = s.own.kinds[3];
    "own queens" = s.own.kinds[4];
    "own king" = s.own.kinds[5];
    "enemy pawns" = s.enemy.kinds[0];
    "enemy knights" = s.enemy.kinds[1];
    "enemy bishops" = s.enemy.kinds[2];
    "enemy rooks" = s.enemy.kinds[3];
    "enemy queens" = s.enemy.kinds[4];
    "enemy king" = s.enemy.kinds[5];
    "own catapults" = s.own_catapults.all;
    "enemy catapults" = s.enemy_catapults.all;
    "own fresh catapults" "catapults with their first move left" = s.own_catapults.fresh;
    "enemy fresh catapults" = s.enemy_catapults.fresh;
    "en passant" "square on which a pawn can be captured en passant" = s.en_passant;
    "own teleports" "squares to which an own piece could teleport now (pseudo-legally)" = s.teleports[0];
    "enemy teleports" "the same for the enemy, as if it were to move" = s.teleports[1];
    "own attacks" "squares that own pieces attack, including by teleport" = s.attacks[0];
    "enemy attacks" = s.attacks[1];
    "own pawn attacks" "without teleports" = s.pawn_attacks[0];
    "enemy pawn attacks" = s.pawn_attacks[1];
    "own catapult steps" "squares to which an own catapult could move (rules 1 to 3)" = s.own_catapults.steps(s.occupied, s.catapults());
    "enemy catapult steps" = s.enemy_catapults.steps(s.occupied, s.catapults());
    "checkers" "enemy pieces that give check" = s.checkers;
    "own hanging" "own pieces except the king that are attacked and not defended" = s.own.men() & s.attacks[1] & !s.attacks[0];
    "enemy hanging" = s.enemy.men() & s.attacks[0] & !s.attacks[1];
    "own threatened" "own pieces except the king that a cheaper piece attacks (pawn < knight, bishop < rook < queen; without teleports)" = s.own.threatened(&s.enemy, s.pawn_attacks[1], s.obstacles[1]);
    "enemy threatened" = s.enemy.threatened(&s.own, s.pawn_attacks[0], s.obstacles[0]);
}

rows! {
    /// Names of the globals after the common globals, with their numbers. A global is an input with
    /// one value per position.
    GLOBALS from 7 = COMMON.len();
    fn globals_of(s: &Scene) -> f32;
    "rule catapults" "1 in Chess++, 0 in standard chess" = f32::from(s.rules.0);
    "rule free" "`+free`" = f32::from(s.rules.1.contains(Proposals::FREE));
    "rule instant" "`+instant`" = f32::from(s.rules.1.contains(Proposals::INSTANT));
    "rule pawns" "`+pawns`" = f32::from(s.rules.1.contains(Proposals::PAWNS));
    "rule promote" "`+promote`" = f32::from(s.rules.1.contains(Proposals::PROMOTE));
    "rule third" "`+third`" = f32::from(s.rules.1.contains(Proposals::THIRD));
    "own catapults to place" "left to place under `+free`, / 3" = f32::from(s.to_place[0]) / 3.0;
    "enemy catapults to place" = f32::from(s.to_place[1]) / 3.0;
    "pawns ahead" "own number minus enemy number, / 4" = s.ahead(PieceKind::Pawn) / 4.0;
    "knights ahead" "/ 2" = s.ahead(PieceKind::Knight) / 2.0;
    "bishops ahead" "/ 2" = s.ahead(PieceKind::Bishop) / 2.0;
    "rooks ahead" "/ 2" = s.ahead(PieceKind::Rook) / 2.0;
    "queens ahead" = s.ahead(PieceKind::Queen);
    "catapults ahead" "/ 2" = (s.own_catapults.all.count() as f32 - s.enemy_catapults.all.count() as f32) / 2.0;
    "material" "of both sides, / 7800 centipawns: 1 at the start" = s.material as f32 / 7800.0;
    "in check" = f32::from(!s.checkers.is_empty());
    "enemy catapults held" "share of them occupied by own pieces; at 1 they are captured (rule 13); 0 if there are none" = s.enemy_catapults.held(&s.own);
    "own catapults held" "share of them occupied by enemy pieces" = s.own_catapults.held(&s.enemy);
}

rows! {
    /// Names of the globals of options that are not proposals, with their numbers. All values are 0
    /// in chess and in Chess++ with proposals only.
    OPTIONS from 25 = COMMON.len() + GLOBALS.len();
    fn options_of(s: &Options) -> f32;
    "rule bare" "`+bare`" = f32::from(s.all.contains(Proposals::BARE));
    "rule restart" "`+restart`" = f32::from(s.all.contains(Proposals::RESTART));
    "rule safe" "`+safe`" = f32::from(s.all.contains(Proposals::SAFE));
    "rule still" "`+still`" = f32::from(s.all.contains(Proposals::STILL));
    "half-move limit" "`+fifty`: (plies - 100) / (plies + 100)" = (s.limit - 100.0) / (s.limit + 100.0);
    "clock of the limit" "half-move clock / limit, at most 1, minus the global `clock`" = (s.clock / s.limit).min(1.0) - (s.clock / 100.0).min(1.0);
    "no knight teleports" "`+teleport`: 1 if knights may not teleport, here and in the next four" = s.stays(PieceKind::Knight);
    "no bishop teleports" = s.stays(PieceKind::Bishop);
    "no rook teleports" = s.stays(PieceKind::Rook);
    "no queen teleports" = s.stays(PieceKind::Queen);
    "no king teleports" = s.stays(PieceKind::King);
    "first catapult move" "`+first`: reach - 2" = f32::from(s.all.catapult_reach(true)) - 2.0;
    "later catapult moves" "`+later`: reach - 1" = f32::from(s.all.catapult_reach(false)) - 1.0;
    "own catapults rest" "1 if no own catapult may move on this turn (`+still`)" = f32::from(s.rest[0]);
    "enemy catapults rest" "1 if no enemy catapult may move on the next turn" = f32::from(s.rest[1]);
    "rule block" "`+block`" = f32::from(s.all.contains(Proposals::BLOCK));
    "rule castle" "`+castle`" = f32::from(s.all.contains(Proposals::CASTLE));
    "rule peaceful" "`+peaceful`" = f32::from(s.all.contains(Proposals::PEACEFUL));
    "own catapult moves used up" "`+moves`: 1 / (1 + moves left in the game), 0 without a limit" = s.used_up(0);
    "enemy catapult moves used up" = s.used_up(1);
    "catapults at most" "`+catapults`: (number that a side may have - 2) / 2, 0 without the option" = s.most;
}

/// Options of a rule set, with the parts of a position that they add.
struct Options {
    all: Proposals,
    /// Half-move clock, and its value at which a game is drawn, in plies.
    clock: f32,
    limit: f32,
    /// True if the side's catapults may not move on its next turn: the side to move, the enemy.
    rest: [bool; 2],
    /// Catapult moves left in the game: the side to move, the enemy. `None` without a limit.
    moves_left: [Option<u8>; 2],
    /// Input for the number of catapults that a side may have.
    most: f32,
}

impl Options {
    fn used_up(&self, side: usize) -> f32 {
        self.moves_left[side].map_or(0.0, |left| 1.0 / (1.0 + f32::from(left)))
    }

    fn stays(&self, kind: PieceKind) -> f32 {
        f32::from(!self.all.teleporting().any(|teleporting| teleporting == kind))
    }
}

/// Intermediate results for the inputs, as seen from the side to move. Arrays of two hold the value
/// of the side to move first, then the enemy's.
struct Scene {
    own: Pieces,
    enemy: Pieces,
    own_catapults: Catapults,
    enemy_catapults: Catapults,
    occupied: Squares,
    /// Squares that a side's pieces cannot pass over.
    obstacles: [Squares; 2],
    en_passant: Squares,
    teleports: [Squares; 2],
    attacks: [Squares; 2],
    pawn_attacks: [Squares; 2],
    checkers: Squares,
    /// Rule set: true if the rules have catapults, and the proposals in use.
    rules: (bool, Proposals),
    to_place: [u8; 2],
    /// Value of both sides' pieces in centipawns.
    material: i32,
}

impl Scene {
    #[inline(always)]
    fn new<R: ChessRules>(position: &ChessPosition<R>, view: View8) -> Scene {
        let us = position.side_to_move();
        let sides = [us, !us];
        let [own, enemy] = sides.map(|side| Pieces::new(position, side, view));
        let [own_catapults, enemy_catapults] = sides.map(|side| Catapults::new(position, side, view));
        Scene {
            occupied: own.all | enemy.all,
            obstacles: sides.map(|side| view.set(position.obstacles(side))),
            en_passant: position
                .en_passant()
                .map_or(Squares::EMPTY, |square| Squares::of(view.square(square))),
            teleports: sides.map(|side| view.set(position.teleport_targets(side))),
            attacks: sides.map(|side| view.set(position.attacks(side))),
            // In this view own pawns always move up.
            pawn_attacks: [
                own.kinds[0].pawn_attacks(Color::White),
                enemy.kinds[0].pawn_attacks(Color::Black),
            ],
            checkers: view.set(position.checkers()),
            rules: (position.rules().catapults(), position.rules().proposals()),
            to_place: sides.map(|side| position.catapults_to_place(side)),
            material: position.material(us) + position.material(!us),
            own,
            enemy,
            own_catapults,
            enemy_catapults,
        }
    }

    #[inline(always)]
    fn catapults(&self) -> Squares {
        self.own_catapults.all | self.enemy_catapults.all
    }

    /// Returns the own number of pieces of a kind minus the enemy's number.
    #[inline(always)]
    fn ahead(&self, kind: PieceKind) -> f32 {
        let [own, enemy] = [&self.own, &self.enemy].map(|side| side.kinds[kind as usize].count() as f32);
        own - enemy
    }
}

/// Squares of one side's pieces, as seen from the side to move. `kinds` is indexed by
/// [`PieceKind`].
struct Pieces {
    kinds: [Squares; 6],
    all: Squares,
}

impl Pieces {
    fn new<R: ChessRules>(position: &ChessPosition<R>, side: Color, view: View8) -> Pieces {
        let kinds = PieceKind::ALL.map(|kind| view.set(position.pieces(side, kind)));
        Pieces { kinds, all: kinds.into_iter().fold(Squares::EMPTY, |all, kind| all | kind) }
    }

    /// Returns the squares of all pieces of this side except the king.
    #[inline(always)]
    fn men(&self) -> Squares {
        self.all & !self.kinds[PieceKind::King as usize]
    }

    /// Returns the squares of this side's pieces, except the king, that a cheaper piece of `by`
    /// attacks. `by_pawns` are the squares that pawns of `by` attack. `obstacles` are the squares
    /// that its pieces cannot pass over.
    #[inline(always)]
    fn threatened(&self, by: &Pieces, by_pawns: Squares, obstacles: Squares) -> Squares {
        let [_, knights, bishops, rooks, queens, _] = self.kinds;
        let by_minors = by_pawns | by.kinds[1].knights() | by.kinds[2].bishops(obstacles);
        let by_rooks = by_minors | by.kinds[3].rooks(obstacles);
        (knights | bishops) & by_pawns | rooks & by_minors | queens & by_rooks
    }
}

/// Squares of one side's catapults, as seen from the side to move. Fresh catapults have not moved
/// yet.
struct Catapults {
    all: Squares,
    fresh: Squares,
}

impl Catapults {
    fn new<R: ChessRules>(position: &ChessPosition<R>, side: Color, view: View8) -> Catapults {
        Catapults { all: view.set(position.catapults(side)), fresh: view.set(position.fresh_catapults(side)) }
    }

    /// Returns the squares to which a catapult of this side could move (rules 1 to 3). `occupied`
    /// holds the squares of all pieces, and `catapults` those of both sides' catapults.
    #[inline(always)]
    fn steps(&self, occupied: Squares, catapults: Squares) -> Squares {
        let grown = |set: Squares| set | set.kings();
        let far = grown(grown(self.fresh & !occupied));
        (grown(self.all & !occupied) | far) & !occupied & !catapults
    }

    /// Returns the share of this side's catapults that pieces of `holders` occupy, from 0 to 1.
    /// The share is 0 if the side has no catapults.
    fn held(&self, holders: &Pieces) -> f32 {
        (self.all & holders.all).count() as f32 / self.all.count().max(1) as f32
    }
}

impl<R: ChessRules> Encode for ChessPosition<R> {
    const LAYOUT: Layout = CHESS_LAYOUT;

    fn plane_names() -> Vec<String> {
        SETS.iter().chain(&CONSTANT).map(|name| name.to_string()).collect()
    }

    fn global_names() -> Vec<String> {
        COMMON.iter().chain(GLOBALS).chain(OPTIONS).map(|name| name.to_string()).collect()
    }

    fn inputs(&self, repetitions: u8, mirror: bool, globals: &mut [f32], mut set: impl FnMut(usize, usize)) {
        let scene = Scene::new(self, View8::new(self.side_to_move(), mirror));
        let may_castle = |side, kingside| self.may_castle(side, kingside);
        let (first, others) = globals.split_at_mut(COMMON.len());
        first.copy_from_slice(&common(self, may_castle, repetitions));
        let (others, options) = others.split_at_mut(GLOBALS.len());
        others.copy_from_slice(&globals_of(&scene));
        let all = self.rules().proposals();
        if all == all.of_the_paper() {
            options.fill(0.0);
        } else {
            let us = self.side_to_move();
            let [clock, limit] = [self.halfmove_clock(), self.fifty_move_plies()].map(|plies| plies as f32);
            let rest = [us, !us].map(|side| self.catapults_rest(side));
            let moves_left = [us, !us].map(|side| self.catapult_moves_left(side));
            let usual = if all.contains(Proposals::THIRD) { 3.0 } else { 2.0 };
            let most = (f32::from(self.rules().catapults_per_side()) - usual) / 2.0;
            options.copy_from_slice(&options_of(&Options { all, clock, limit, rest, moves_left, most }));
        }
        for (plane, squares) in sets(&scene).into_iter().enumerate() {
            squares.into_iter().for_each(|square| set(plane, square.index()));
        }
    }

    fn policy_index(&self, mv: Move, mirror: bool) -> PolicyIndex {
        policy::index(self, mv, View8::new(self.side_to_move(), mirror))
    }

    /// Returns true if no side has castling rights, but always false under `+instant` with more than
    /// two catapults per side. Instant teleports through different catapults can then lead to the same
    /// position. The rules keep the teleport through the square with the lower index, and flipping
    /// files can change the order of the indices.
    fn can_mirror(&self) -> bool {
        let castling =
            Color::ALL.iter().any(|&side| self.may_castle(side, true) || self.may_castle(side, false));
        !(castling || self.rules().has(Proposals::INSTANT) && self.rules().catapults_per_side() > 2)
    }

    fn occupancy(&self, side: Color, mirror: bool, out: &mut [u8]) {
        let view = View8::new(side, mirror);
        let sets = [
            view.set(self.occupied_by(side)),
            view.set(self.occupied_by(!side)),
            view.set(self.catapults(side)),
            view.set(self.catapults(!side)),
        ];
        assert_eq!(
            out.len(),
            CHESS_LAYOUT.squares() * sets.len(),
            "room for the planes of what stands on the board"
        );
        for (square, row) in Square::all().zip(out.as_chunks_mut::<4>().0) {
            *row = sets.map(|set| set.has(square).into());
        }
    }
}
