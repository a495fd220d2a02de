//! Random boards of Maxim chess. They cover situations that random games rarely reach.

use super::maxim::{Board, EMPTY, Passed, Phase, inside, squares};
use super::{At, WHITE};
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

fn anywhere(random: &mut Pcg64Mcg) -> At {
    (random.random_range(0..8), random.random_range(0..8))
}

/// Returns a square near a king, mostly along its rank or file, or any square of the board.
fn somewhere(board: &Board, random: &mut Pcg64Mcg) -> At {
    let Some((f, r)) = board.king(random.random_range(0..2)) else { return anywhere(random) };
    let d = random.random_range(-3..=3);
    let e = random.random_range(-1..=1);
    let near = match random.random_range(0..6) {
        0 => (f + d, r),
        1 => (f, r + d),
        2 => (f + e, r + d),
        _ => return anywhere(random),
    };
    if inside(near) { near } else { anywhere(random) }
}

fn of_side(piece: u8, side: usize) -> u8 {
    if side == WHITE { piece.to_ascii_uppercase() } else { piece }
}

/// Puts a piece on a square if the square is empty. On a square with one piece of its own side, the
/// piece becomes the second one with probability `stacks`.
fn place(board: &mut Board, at: At, piece: u8, stacks: f64, random: &mut Pcg64Mcg) {
    let side = if piece.is_ascii_uppercase() { 0 } else { 1 };
    if piece.eq_ignore_ascii_case(&b'p') && at.1 == Board::rank(side, 7) {
        return;
    }
    let [first, second] = board.at(at);
    if first == EMPTY {
        board.put(at, [piece, EMPTY]);
    } else if second == EMPTY
        && first.is_ascii_uppercase() == piece.is_ascii_uppercase()
        && random.random_bool(stacks)
    {
        board.put(at, if random.random_bool(0.5) { [first, piece] } else { [piece, first] });
    }
}

/// Places pieces, stacks, portals, en-passant pairs and phases at random. Many results are valid.
pub(crate) fn scattered(random: &mut Pcg64Mcg) -> Board {
    let mut board = Board::empty();
    board.side = random.random_range(0..2);
    for king in [b'K', b'k'] {
        while board.king(if king == b'K' { 0 } else { 1 }).is_none() {
            place(&mut board, anywhere(random), king, 0.0, random);
        }
    }
    board.phase = match random.random_range(0..10) {
        0..6 => Phase::Move,
        6..8 => Phase::First,
        _ => Phase::Second(somewhere(&board, random)),
    };
    if random.random_bool(0.3) {
        double_step(&mut board, random);
    }
    // The range goes from boards that may be dead to full ones.
    let (most, kinds): (usize, &[u8]) = match random.random_range(0..10) {
        0 => (3, b"pnbk"),
        1..6 => (8, b"ppnnbrq"),
        6..9 => (26, b"ppppnnbrq"),
        _ if random.random_bool(0.2) => (90, b"qqqrbn"),
        _ => (90, b"pppppppnbr"),
    };
    let stacks = *[0.2, 0.5, 1.0].choose(random).unwrap();
    let stepped = board.passed;
    for _ in 0..random.random_range(0..most) {
        let piece = *kinds.choose(random).unwrap();
        if piece == b'k' {
            continue;
        }
        let piece = of_side(piece, random.random_range(0..2));
        let at = if random.random_bool(0.15) {
            board.king(random.random_range(0..2)).unwrap()
        } else {
            somewhere(&board, random)
        };
        // The squares passed by a double step stay empty.
        let clear = stepped.is_none_or(|Passed { pawn, square }| {
            at != pawn && at != square && at != (square.0, 2 * square.1 - pawn.1)
        });
        if clear {
            place(&mut board, at, piece, stacks, random);
        }
    }
    for side in 0..2 {
        if random.random_bool(0.5) {
            let pair = [0, 1].map(|_| {
                let in_passing = board.passed.filter(|_| random.random_bool(0.2));
                in_passing.map_or_else(|| somewhere(&board, random), |passed| passed.square)
            });
            let free = pair.iter().all(|at| board.is_empty(*at) || random.random_bool(0.02));
            let others = board.portals[1 - side].unwrap_or([(8, 8); 2]);
            if free && pair[0] != pair[1] && !pair.iter().any(|at| others.contains(at)) {
                let order: Vec<At> = squares().filter(|at| pair.contains(at)).collect();
                board.portals[side] = Some([order[0], order[1]]);
            }
        }
    }
    board.clock = random.random_range(0..120);
    board.number = random.random_range(1..90);
    board
}

/// Places a pawn that just made a double step, and an enemy pawn beside it. Each pawn may share its
/// square with another piece.
fn double_step(board: &mut Board, random: &mut Pcg64Mcg) {
    let stepped = if board.phase == Phase::Move { 1 - board.side } else { board.side };
    let f = random.random_range(0..8);
    let [pawn, square, origin] = [3, 2, 1].map(|rank| (f, Board::rank(stepped, rank)));
    let beside = (f + if random.random_bool(0.5) { 1 } else { -1 }, pawn.1);
    if !inside(beside) || [pawn, square, origin, beside].iter().any(|at| !board.is_empty(*at)) {
        return;
    }
    let under = *[EMPTY, EMPTY, b'n', b'p', b'r'].choose(random).unwrap();
    let stepper = of_side(b'p', stepped);
    board.put(pawn, if under == EMPTY { [stepper, EMPTY] } else { [of_side(under, stepped), stepper] });
    let taker = of_side(b'p', 1 - stepped);
    let other = of_side(b'q', 1 - stepped);
    board.put(beside, if random.random_bool(0.8) { [taker, EMPTY] } else { [taker, other] });
    board.passed = Some(Passed { pawn, square });
}
