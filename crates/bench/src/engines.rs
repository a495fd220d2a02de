//! The crates compared, each behind the same three workloads.

/// A crate that plays chess.
pub trait Engine {
    /// Its name and version.
    const NAME: &'static str;
    /// Its licence.
    const LICENCE: &'static str;
    /// Its position.
    type Position: Clone;

    fn read(fen: &str) -> Self::Position;
    /// Leaves at a depth, those one move away counted only.
    fn bulk(position: &Self::Position, depth: u32) -> u64;
    /// Leaves at a depth, every one made.
    fn made(position: &Self::Position, depth: u32) -> u64;
    /// Plays a random game, the list of moves built at every ply; gives the plies played.
    fn random_game(start: &Self::Position, random: &mut Random) -> u64;
}

/// SplitMix64, the same for all.
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

/// Random games are cut here.
pub const MOST_PLIES: u64 = 300;

macro_rules! ours {
    ($engine:ident, $name:expr, $position:ty, $rules:expr) => {
        pub struct $engine;

        impl Engine for $engine {
            const NAME: &'static str = $name;
            const LICENCE: &'static str = "MIT OR Apache-2.0";
            type Position = $position;

            fn read(fen: &str) -> $position {
                use catapult_rules::Position;
                <$position>::from_fen(fen, $rules).expect("FEN")
            }

            fn bulk(position: &$position, depth: u32) -> u64 {
                catapult_rules::perft(position, depth)
            }

            fn made(position: &$position, depth: u32) -> u64 {
                catapult_rules::perft_made(position, depth)
            }

            fn random_game(start: &$position, random: &mut Random) -> u64 {
                use catapult_rules::{MoveList, Position};
                let mut position = *start;
                let mut plies = 0;
                while plies < MOST_PLIES {
                    let mut moves = MoveList::new();
                    position.legal_moves_into(&mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    position.play(moves[random.below(moves.len())]);
                    plies += 1;
                }
                plies
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

    fn read(fen: &str) -> cozy_chess::Board {
        fen.parse().expect("FEN")
    }

    fn bulk(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut leaves = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                leaves += moves.len() as u64;
            } else {
                for mv in moves {
                    let mut next = board.clone();
                    next.play_unchecked(mv);
                    leaves += Self::bulk(&next, depth - 1);
                }
            }
            false
        });
        leaves
    }

    fn made(board: &cozy_chess::Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut leaves = 0;
        board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                std::hint::black_box(&next);
                leaves += Self::made(&next, depth - 1);
            }
            false
        });
        leaves
    }

    fn random_game(start: &cozy_chess::Board, random: &mut Random) -> u64 {
        let mut board = start.clone();
        let mut moves = Vec::with_capacity(256);
        let mut plies = 0;
        while plies < MOST_PLIES {
            moves.clear();
            board.generate_moves(|set| {
                moves.extend(set);
                false
            });
            if moves.is_empty() {
                break;
            }
            board.play_unchecked(moves[random.below(moves.len())]);
            plies += 1;
        }
        plies
    }
}

pub struct ChessCrate;

impl Engine for ChessCrate {
    const NAME: &'static str = "chess 3.2.0";
    const LICENCE: &'static str = "MIT";
    type Position = chess::Board;

    fn read(fen: &str) -> chess::Board {
        fen.parse().expect("FEN")
    }

    fn bulk(board: &chess::Board, depth: u32) -> u64 {
        let moves = chess::MoveGen::new_legal(board);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.map(|mv| Self::bulk(&board.make_move_new(mv), depth - 1)).sum()
    }

    fn made(board: &chess::Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = chess::MoveGen::new_legal(board);
        moves
            .map(|mv| {
                let next = board.make_move_new(mv);
                std::hint::black_box(&next);
                Self::made(&next, depth - 1)
            })
            .sum()
    }

    fn random_game(start: &chess::Board, random: &mut Random) -> u64 {
        let mut board = *start;
        let mut moves = Vec::with_capacity(256);
        let mut plies = 0;
        while plies < MOST_PLIES {
            moves.clear();
            moves.extend(chess::MoveGen::new_legal(&board));
            if moves.is_empty() {
                break;
            }
            board = board.make_move_new(moves[random.below(moves.len())]);
            plies += 1;
        }
        plies
    }
}

pub struct Eschac;

impl Engine for Eschac {
    const NAME: &'static str = "eschac 0.6.2";
    const LICENCE: &'static str = "AGPL-3.0-or-later";
    type Position = eschac::position::Position;

    fn read(fen: &str) -> Self::Position {
        let record: Vec<&str> = fen.split(' ').take(4).collect();
        let setup = eschac::setup::Setup::from_text_record(&record.join(" ")).expect("record");
        setup.into_position().expect("position")
    }

    fn bulk(position: &Self::Position, depth: u32) -> u64 {
        if depth == 1 {
            return position.count_legal_moves() as u64;
        }
        let mut leaves = 0;
        position.for_each_move(|mv| leaves += Self::bulk(&mv.make(), depth - 1));
        leaves
    }

    fn made(position: &Self::Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut leaves = 0;
        position.for_each_move(|mv| {
            let next = mv.make();
            std::hint::black_box(&next);
            leaves += Self::made(&next, depth - 1);
        });
        leaves
    }

    fn random_game(start: &Self::Position, random: &mut Random) -> u64 {
        let mut position = start.clone();
        let mut plies = 0;
        while plies < MOST_PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let next = moves.get(random.below(moves.len())).expect("below the length").make();
            position = next;
            plies += 1;
        }
        plies
    }
}

pub struct Shakmaty;

impl Engine for Shakmaty {
    const NAME: &'static str = "shakmaty 0.30.0";
    const LICENCE: &'static str = "GPL-3.0-or-later";
    type Position = shakmaty::Chess;

    fn read(fen: &str) -> shakmaty::Chess {
        let fen: shakmaty::fen::Fen = fen.parse().expect("FEN");
        fen.into_position(shakmaty::CastlingMode::Standard).expect("position")
    }

    fn bulk(position: &shakmaty::Chess, depth: u32) -> u64 {
        shakmaty::perft(position, depth)
    }

    fn made(position: &shakmaty::Chess, depth: u32) -> u64 {
        use shakmaty::Position;
        if depth == 0 {
            return 1;
        }
        let mut leaves = 0;
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            std::hint::black_box(&next);
            leaves += Self::made(&next, depth - 1);
        }
        leaves
    }

    fn random_game(start: &shakmaty::Chess, random: &mut Random) -> u64 {
        use shakmaty::Position;
        let mut position = start.clone();
        let mut plies = 0;
        while plies < MOST_PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[random.below(moves.len())]);
            plies += 1;
        }
        plies
    }
}

pub struct Owlchess;

impl Owlchess {
    fn after(board: &owlchess::Board, mv: owlchess::Move) -> owlchess::Board {
        let mut next = board.clone();
        // Legal in this position, which is what the function asks for.
        unsafe { owlchess::moves::make_move_unchecked(&mut next, mv) };
        next
    }
}

impl Engine for Owlchess {
    const NAME: &'static str = "owlchess 0.4.1";
    const LICENCE: &'static str = "MIT";
    type Position = owlchess::Board;

    fn read(fen: &str) -> owlchess::Board {
        fen.parse().expect("FEN")
    }

    fn bulk(board: &owlchess::Board, depth: u32) -> u64 {
        let moves = owlchess::movegen::legal::gen_all(board);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|mv| Self::bulk(&Self::after(board, *mv), depth - 1)).sum()
    }

    fn made(board: &owlchess::Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut leaves = 0;
        for mv in &owlchess::movegen::legal::gen_all(board) {
            let next = Self::after(board, *mv);
            std::hint::black_box(&next);
            leaves += Self::made(&next, depth - 1);
        }
        leaves
    }

    fn random_game(start: &owlchess::Board, random: &mut Random) -> u64 {
        let mut board = start.clone();
        let mut plies = 0;
        while plies < MOST_PLIES {
            let moves = owlchess::movegen::legal::gen_all(&board);
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            // Legal in this position, which is what the function asks for.
            unsafe { owlchess::moves::make_move_unchecked(&mut board, mv) };
            plies += 1;
        }
        plies
    }
}
