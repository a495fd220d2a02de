//! The hand-made evaluation of the frozen anchors.

use catapult_rules::{ChessPosition, ChessRules, Color, PieceKind, Position};

/// Version of the anchors `alphabeta:D` and `alphabeta:Dq`, and of the openings they judge. Evaluation and search are
/// frozen: a rating against them must mean the same in years. Whatever changes a move they choose or a score they
/// give needs a new number, and results of different numbers are not to be compared.
pub const ANCHOR_VERSION: u32 = 1;

/// A game with a frozen hand-made evaluation.
///
/// For chess and all of Chess++, in centipawns, own less the other side's:
///
/// | term | worth |
/// |---|---|
/// | pawn | 100 |
/// | knight | 300 |
/// | bishop | 300 |
/// | rook | 500 |
/// | queen | 900 |
/// | catapult on the board | 50 |
/// | mobility: each square that a knight, bishop, rook or queen reaches | 5 |
///
/// The piece values are Shannon's (*Programming a Computer for Playing Chess*, 1950), his tenth of a pawn for each move
/// of mobility is halved. A square counts once for each piece that reaches it: by the piece's ordinary attack, own
/// pieces in the way and pins disregarded, if no piece of its own side stands there (catapults are no obstacle, rule 6);
/// and for a piece on a catapult of its own side, each other catapult of its side with no own piece on it (rule 8).
/// The teleports of pawns (`+pawns`) and at the end of a move (`+instant`) and catapults still to be placed (`+free`)
/// are left out: one table serves every rule set.
pub trait Anchor: Position {
    /// Score in centipawns as the side to move sees it. The game is not over.
    fn evaluate(&self) -> i32;

    /// The number of pieces of a side: a move that lowers the other side's is a capture.
    fn men(&self, side: Color) -> u32;
}

/// What is worth what, in centipawns.
const VALUES: [(PieceKind, i32); 5] = [
    (PieceKind::Pawn, 100),
    (PieceKind::Knight, 300),
    (PieceKind::Bishop, 300),
    (PieceKind::Rook, 500),
    (PieceKind::Queen, 900),
];
const CATAPULT: i32 = 50;
const MOBILITY: i32 = 5;

impl<R: ChessRules> Anchor for ChessPosition<R> {
    fn evaluate(&self) -> i32 {
        let us = self.side_to_move();
        worth(self, us) - worth(self, !us)
    }

    fn men(&self, side: Color) -> u32 {
        self.occupied_by(side).count()
    }
}

fn worth<R: ChessRules>(position: &ChessPosition<R>, side: Color) -> i32 {
    let mut worth = CATAPULT * position.catapults(side).count() as i32;
    for (kind, value) in VALUES {
        worth += value * position.pieces(side, kind).count() as i32;
    }
    worth + MOBILITY * mobility(position, side) as i32
}

/// Squares that knights, bishops, rooks and queens reach, counted once for each piece.
fn mobility<R: ChessRules>(position: &ChessPosition<R>, side: Color) -> u32 {
    let of = |kind| position.pieces(side, kind).0;
    let own = position.occupied_by(side).0;
    let empty = !(own | position.occupied_by(!side).0);
    let knights = of(PieceKind::Knight);
    let straight = of(PieceKind::Rook) | of(PieceKind::Queen);
    let diagonal = of(PieceKind::Bishop) | of(PieceKind::Queen);
    let mut count = 0;
    // In one direction no square is reached by two: leaps are one to one, rays end at the next piece.
    for (files, ranks) in [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)] {
        count += (shift(knights, files, ranks) & !own).count_ones();
    }
    for (sliders, directions) in
        [(straight, [(0, 1), (1, 0), (0, -1), (-1, 0)]), (diagonal, [(1, 1), (1, -1), (-1, -1), (-1, 1)])]
    {
        for (files, ranks) in directions {
            let mut front = sliders;
            while front != 0 {
                let reached = shift(front, files, ranks) & !own;
                count += reached.count_ones();
                front = reached & empty;
            }
        }
    }
    let catapults = position.catapults(side).0;
    if catapults != 0 {
        let riders = catapults & (knights | straight | diagonal);
        // A rider stands on an own piece's square, so its own catapult is never among the free ones.
        count += riders.count_ones() * (catapults & !own).count_ones();
    }
    count
}

/// The squares moved by so many files and ranks, those that leave the board dropped.
fn shift(squares: u64, files: i32, ranks: i32) -> u64 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let moved = match ranks * 8 + files {
        up @ 0.. => squares << up,
        down => squares >> -down,
    };
    // Files 0 to files-1 can't be reached by a move to the right, nor the last ones by a move to the left.
    let unreachable: u64 = match files {
        0.. => (0..files).map(|f| FILE_A << f).sum(),
        _ => (8 + files..8).map(|f| FILE_A << f).sum(),
    };
    moved & !unreachable
}
