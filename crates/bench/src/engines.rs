//! Adapters of the compared crates. Each implements the trait [`Engine`], which has three
//! workloads.

use catapult_rules::{MoveList, Position as _};
use shakmaty::Position as _;

/// A compared crate: its position type, its move generation and a player of random moves.
pub trait Engine {
    /// Name and version of the crate.
    const NAME: &'static str;
    const LICENCE: &'static str;
    type Position: Clone;
    /// Buffer for a list of moves that the caller owns. It is `()` if the crate returns its own
    /// list.
    type Moves: Default;

    fn read(fen: &str) -> Self::Position;

    /// Returns the number of legal moves without playing any.
    fn count(position: &Self::Position) -> u64;

    /// Calls `visit` with each position after a legal move.
    fn for_each_next(position: &Self::Position, visit: impl FnMut(&Self::Position));

    /// Plays a random move from the list of all legal moves. Returns false if no move is legal.
    fn random_ply(position: &mut Self::Position, moves: &mut Self::Moves, random: &mut Random) -> bool;

    /// Returns the number of leaves at a depth of at least 1, without playing the moves of the last
    /// ply. The perft functions of the crates count in this way too.
    fn bulk(position: &Self::Position, depth: u32) -> u64 {
        if depth == 1 {
            return Self::count(position);
        }
        let mut leaves = 0;
        Self::for_each_next(position, |next| leaves += Self::bulk(next, depth - 1));
        leaves
    }

    /// Returns the number of leaves at a depth. Unlike [`Engine::bulk`], it plays the moves of the
    /// last ply too.
    fn made(position: &Self::Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut leaves = 0;
        Self::for_each_next(position, |next| {
            std::hint::black_box(next);
            leaves += Self::made(next, depth - 1);
        });
        leaves
    }

    /// Plays a random game of at most [`MOST_PLIES`] plies. Returns the number of plies. Every ply
    /// builds the list of legal moves.
    fn random_game(start: &Self::Position, random: &mut Random) -> u64 {
        let mut position = start.clone();
        let mut moves = Self::Moves::default();
        let mut plies = 0;
        while plies < MOST_PLIES && Self::random_ply(&mut position, &mut moves, random) {
            plies += 1;
        }
        plies
    }
}

/// SplitMix64 random numbers. All crates draw from equal streams.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ (z >> 31)) as u128 * n as u128) >> 64) as usize
    }
}

/// Number of plies after which random games are truncated.
pub const MOST_PLIES: u64 = 300;

macro_rules! ours {
    ($engine:ident, $name:expr, $position:ty, $rules:expr) => {
        pub struct $engine;

        impl Engine for $engine {
            const NAME: &'static str = $name;
            const LICENCE: &'static str = "MIT OR Apache-2.0";
            type Position = $position;
            type Moves = ();

            fn read(fen: &str) -> $position {
                <$position>::from_fen(fen, $rules).expect("FEN")
            }

            fn count(position: &$position) -> u64 {
                position.count_legal_moves() as u64
            }

            fn for_each_next(position: &$position, mut visit: impl FnMut(&$position)) {
                position.for_each_successor(|_, next| visit(next));
            }

            fn random_ply(position: &mut $position, _: &mut (), random: &mut Random) -> bool {
                let mut moves = MoveList::new();
                position.legal_moves_into(&mut moves);
                if moves.is_empty() {
                    return false;
                }
                position.play(moves[random.below(moves.len())]);
                true
            }
        }
    };
}

ours!(Ours, "catapult-rules", catapult_rules::Chess, catapult_rules::Standard);
ours!(OursPp, "catapult-rules (chesspp)", catapult_rules::ChessPp, catapult_rules::Plain);

ours!(OursCentury, "century", catapult_rules::Century, ());
ours!(OursMaxim, "maxim", catapult_rules::Maxim, ());
ours!(OursHalf, "half", catapult_rules::Half, ());

pub struct Cozy;

impl Engine for Cozy {
    const NAME: &'static str = "cozy-chess 0.3.4";
    const LICENCE: &'static str = "MIT";
    type Position = cozy_chess::Board;
    type Moves = Vec<cozy_chess::Move>;

    fn read(fen: &str) -> cozy_chess::Board {
        fen.parse().expect("FEN")
    }

    fn count(board: &cozy_chess::Board) -> u64 {
        let mut count = 0;
        board.generate_moves(|moves| {
            count += moves.len() as u64;
            false
        });
        count
    }

    fn for_each_next(board: &cozy_chess::Board, mut visit: impl FnMut(&cozy_chess::Board)) {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                visit(&next);
            }
            false
        });
    }

    fn random_ply(board: &mut cozy_chess::Board, moves: &mut Self::Moves, random: &mut Random) -> bool {
        moves.clear();
        board.generate_moves(|set| {
            moves.extend(set);
            false
        });
        if moves.is_empty() {
            return false;
        }
        board.play_unchecked(moves[random.below(moves.len())]);
        true
    }
}

pub struct ChessCrate;

impl Engine for ChessCrate {
    const NAME: &'static str = "chess 3.2.0";
    const LICENCE: &'static str = "MIT";
    type Position = chess::Board;
    type Moves = Vec<chess::ChessMove>;

    fn read(fen: &str) -> chess::Board {
        fen.parse().expect("FEN")
    }

    fn count(board: &chess::Board) -> u64 {
        chess::MoveGen::new_legal(board).len() as u64
    }

    fn for_each_next(board: &chess::Board, mut visit: impl FnMut(&chess::Board)) {
        for mv in chess::MoveGen::new_legal(board) {
            visit(&board.make_move_new(mv));
        }
    }

    fn random_ply(board: &mut chess::Board, moves: &mut Self::Moves, random: &mut Random) -> bool {
        moves.clear();
        moves.extend(chess::MoveGen::new_legal(board));
        if moves.is_empty() {
            return false;
        }
        *board = board.make_move_new(moves[random.below(moves.len())]);
        true
    }
}

pub struct Eschac;

impl Engine for Eschac {
    const NAME: &'static str = "eschac 0.6.2";
    const LICENCE: &'static str = "AGPL-3.0-or-later";
    type Position = eschac::position::Position;
    type Moves = ();

    fn read(fen: &str) -> Self::Position {
        let record: Vec<&str> = fen.split(' ').take(4).collect();
        let setup = eschac::setup::Setup::from_text_record(&record.join(" ")).expect("record");
        setup.into_position().expect("position")
    }

    fn count(position: &Self::Position) -> u64 {
        position.count_legal_moves() as u64
    }

    fn for_each_next(position: &Self::Position, mut visit: impl FnMut(&Self::Position)) {
        position.for_each_move(|mv| visit(&mv.make()));
    }

    fn random_ply(position: &mut Self::Position, _: &mut (), random: &mut Random) -> bool {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return false;
        }
        let next = moves.get(random.below(moves.len())).expect("below the length").make();
        *position = next;
        true
    }
}

pub struct Shakmaty;

impl Engine for Shakmaty {
    const NAME: &'static str = "shakmaty 0.30.0";
    const LICENCE: &'static str = "GPL-3.0-or-later";
    type Position = shakmaty::Chess;
    type Moves = ();

    fn read(fen: &str) -> shakmaty::Chess {
        let fen: shakmaty::fen::Fen = fen.parse().expect("FEN");
        fen.into_position(shakmaty::CastlingMode::Standard).expect("position")
    }

    fn count(position: &shakmaty::Chess) -> u64 {
        position.legal_moves().len() as u64
    }

    fn for_each_next(position: &shakmaty::Chess, mut visit: impl FnMut(&shakmaty::Chess)) {
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            visit(&next);
        }
    }

    fn random_ply(position: &mut shakmaty::Chess, _: &mut (), random: &mut Random) -> bool {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return false;
        }
        position.play_unchecked(moves[random.below(moves.len())]);
        true
    }
}

pub struct Owlchess;

fn play(board: &mut owlchess::Board, mv: owlchess::Move) {
    // The function requires a move that is legal in this position, which it is.
    unsafe { owlchess::moves::make_move_unchecked(board, mv) };
}

impl Engine for Owlchess {
    const NAME: &'static str = "owlchess 0.4.1";
    const LICENCE: &'static str = "MIT";
    type Position = owlchess::Board;
    type Moves = ();

    fn read(fen: &str) -> owlchess::Board {
        fen.parse().expect("FEN")
    }

    fn count(board: &owlchess::Board) -> u64 {
        owlchess::movegen::legal::gen_all(board).len() as u64
    }

    fn for_each_next(board: &owlchess::Board, mut visit: impl FnMut(&owlchess::Board)) {
        for mv in &owlchess::movegen::legal::gen_all(board) {
            let mut next = board.clone();
            play(&mut next, *mv);
            visit(&next);
        }
    }

    fn random_ply(board: &mut owlchess::Board, _: &mut (), random: &mut Random) -> bool {
        let moves = owlchess::movegen::legal::gen_all(board);
        if moves.is_empty() {
            return false;
        }
        play(board, moves[random.below(moves.len())]);
        true
    }
}
