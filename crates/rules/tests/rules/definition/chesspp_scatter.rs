//! Random boards of chess and Chess++. They cover situations that random games rarely reach.

use super::At;
use super::chesspp::{Board, Catapult, Options};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64Mcg;

/// Places pieces, catapults, en-passant pairs and castling set-ups at random. Most results are
/// valid.
pub(crate) fn scattered(options: Options, random: &mut Pcg64Mcg) -> Board {
    let mut board = Board::empty(options);
    board.side = random.random_range(0..2);
    let mut free: Vec<At> = (0..64).map(|i| (i % 8, i / 8)).collect();
    free.shuffle(random);
    let put = |board: &mut Board, free: &mut Vec<At>, at: At, piece: char| {
        if free.contains(&at) {
            free.retain(|other| *other != at);
            board.put(at, piece);
        }
    };
    for side in 0..2 {
        let home = 7 * side as i32;
        let letter = |piece: char| if side == 0 { piece.to_ascii_uppercase() } else { piece };
        if random.random_bool(0.3) {
            put(&mut board, &mut free, (4, home), letter('k'));
            for (right, file) in [(0, 7), (1, 0)] {
                if random.random_bool(0.8) {
                    put(&mut board, &mut free, (file, home), letter('r'));
                    board.castling[2 * side + right] = true;
                }
            }
        }
    }
    // A pawn that has just double-stepped and one that may take it.
    if random.random_bool(0.3) {
        let (f, rank, up) =
            (random.random_range(0..8), if board.side == 0 { 4 } else { 3 }, [1, -1][board.side]);
        let beside = f + if random.random_bool(0.5) { 1 } else { -1 };
        let passed = (f, rank + up);
        if (0..8).contains(&beside) && free.contains(&passed) && free.contains(&(f, rank + 2 * up)) {
            let (mine, theirs) = if board.side == 0 { ('P', 'p') } else { ('p', 'P') };
            put(&mut board, &mut free, (f, rank), theirs);
            put(&mut board, &mut free, (beside, rank), mine);
            free.retain(|at| *at != passed && *at != (f, rank + 2 * up));
            board.en_passant = Some(passed);
        }
    }
    for side in 0..2 {
        if board.king(side).is_none() {
            let at = free[0];
            put(&mut board, &mut free, at, ['K', 'k'][side]);
        }
    }
    // The range goes from boards that may be dead to full ones.
    let (most, kinds): (usize, &[char]) = match random.random_range(0..8) {
        0 => (3, &['n', 'b', 'b']),
        1..5 => (6, &['p', 'p', 'p', 'n', 'b', 'r', 'q']),
        _ => (26, &['p', 'p', 'p', 'n', 'b', 'r', 'q']),
    };
    for _ in 0..random.random_range(0..most) {
        let piece = *kinds.choose(random).unwrap();
        let at = *free.choose(random).unwrap();
        if piece != 'p' || (1..7).contains(&at.1) {
            let piece = if random.random_bool(0.5) { piece.to_ascii_uppercase() } else { piece };
            put(&mut board, &mut free, at, piece);
        }
    }
    if options.catapults {
        // Most are where they matter: under pieces and kings, on en-passant squares, between king
        // and rook.
        let occupied: Vec<At> = (0..64).map(|i| (i % 8, i / 8)).filter(|at| board.at(*at) != '.').collect();
        for side in 0..2 {
            for _ in 0..random.random_range(0..=options.catapults_per_side()) {
                let anywhere = (random.random_range(0..8), random.random_range(0..8));
                let home = *[0, 7].choose(random).unwrap();
                let at = match random.random_range(0..12) {
                    0..5 => *occupied.choose(random).unwrap(),
                    5 => board.king(random.random_range(0..2)).unwrap(),
                    6 => board.en_passant.unwrap_or(anywhere),
                    7 => (*[1, 2, 3, 5, 6].choose(random).unwrap(), home),
                    8 => (anywhere.0, home),
                    _ => anywhere,
                };
                if board.catapult(at).is_none() {
                    let fresh = random.random_bool(0.3);
                    board.catapults[at.1 as usize][at.0 as usize] =
                        Some(Catapult { side: side as u8, fresh });
                }
            }
        }
    }
    if options.block && options.instant && options.catapults_per_side() > 1 && random.random_bool(0.5) {
        shield(&mut board, random);
    }
    if options.still {
        board.rest = [random.random_bool(0.3), random.random_bool(0.3)];
    }
    if let Some(most) = options.moves {
        board.left = [random.random_range(0..=most), random.random_range(0..=most)];
    }
    board.clock = random.random_range(0..120);
    board.number = random.random_range(1..90);
    board
}

/// Puts a rook, a catapult of the side to move and two catapults of the enemy on the board: the
/// first catapult stops the rook before an enemy catapult, and the king stands on the other one. The
/// three stand on one file, if it has room.
fn shield(board: &mut Board, random: &mut Pcg64Mcg) {
    let king = board.king(board.side).unwrap();
    let file = random.random_range(0..8);
    let mut ranks: Vec<i32> = (0..8).filter(|rank| board.at((file, *rank)) == '.').collect();
    ranks.shuffle(random);
    ranks.truncate(3);
    ranks.sort_unstable();
    let &[rook, mine, theirs] = &ranks[..] else { return };
    board.catapults = Default::default();
    let mut place = |at: At, side: usize| {
        board.catapults[at.1 as usize][at.0 as usize] = Some(Catapult { side: side as u8, fresh: false });
    };
    place((file, mine), board.side);
    place((file, theirs), 1 - board.side);
    place(king, 1 - board.side);
    board.put((file, rook), ['r', 'R'][board.side]);
}

/// Returns true if a side rests (`+still`) that has not moved a catapult of its own.
pub(crate) fn rests_for_nothing(board: &Board) -> bool {
    let moved = |side: u8| {
        let mut catapults = board.catapults.iter().flatten().flatten();
        catapults.any(|catapult| catapult.side == side && !catapult.fresh)
    };
    board.rest[0] && !moved(0) || board.rest[1] && !moved(1)
}

/// Returns true if a side has catapults and all are under enemy pieces, or, with `+bare`, it has
/// only its king. In a game, these catapults would already be gone.
pub(crate) fn lost_catapults(board: &Board) -> bool {
    (0..2).any(|side| {
        let squares = (0..64).map(|i| (i % 8, i / 8));
        let mut theirs =
            squares.filter(|at| board.catapult(*at).is_some_and(|c| c.side as usize == side)).peekable();
        let enemy = |piece: char| piece != '.' && piece.is_ascii_uppercase() != (side == 0);
        let bare = board.options.bare && board.is_bare(side);
        theirs.peek().is_some() && (bare || !board.options.safe && theirs.all(|at| enemy(board.at(at))))
    })
}
