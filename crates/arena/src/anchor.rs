//! Hand-made evaluation of the anchors. The anchors are alpha-beta players whose strength is
//! frozen, so that ratings against them stay comparable.

use catapult_rules::{
    Century, ChessPosition, ChessRules, Color, Half, Maxim, MaximMove, MaximMoveKind, MoveList, Phase,
    PieceKind, Position, Squares,
};

/// Version of the anchors `alphabeta:D`, `alphabeta:Dq`, `alphabeta:Dq~0.2` and
/// `alphabeta:material:NODES`. `~0.2` is a share of random moves. It is also the version of the
/// openings, because alpha-beta judges them.
///
/// The evaluation, the search and the draw of random moves are frozen. A rating against the anchors
/// therefore keeps its meaning for years. Any change of a chosen move or a score needs a new
/// version. Results under different versions are not comparable.
pub const ANCHOR_VERSION: u32 = 1;

/// Game with a hand-made evaluation: the worth of the side to move minus the opponent's worth. The
/// worth of a side is a sum in centipawns. By default it has two terms: piece values
/// ([`Position::material`]) and mobility. Mobility counts 5 centipawns for each square that a piece
/// reaches.
///
/// Chess and all rule sets of Chess++ use these values in centipawns:
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
/// The piece values are from Shannon, *Programming a Computer for Playing Chess*, 1950. Shannon
/// counts a tenth of a pawn per move of mobility. The anchors count half as much. A piece reaches
/// these squares:
///
/// - The squares that it attacks by ordinary moves, except squares with a piece of its own side. A
///   line ends at the first piece. Pins are ignored, and catapults do not block lines (rule 6).
/// - If it stands on a catapult of its own side: the squares of its side's other catapults, except
///   squares with a piece of its own side (rule 8).
///
/// All rule sets of Chess++ have the same values. The mobility therefore ignores teleports of pawns
/// (`+pawns`), teleports at the end of a move (`+instant`) and catapults not yet placed (`+free`).
///
/// The version freezes only the values of chess and Chess++. The other games define their values,
/// with sources, in [`Position::PIECES`].
///
/// For Twenty-First Century Chess, the values were compared with values fitted to games of the
/// network `models/opponents/century-quickstart.safetensors`. All values except the knight's are
/// within the fit's 95 % interval. At 64 simulations, the network scores 37 of 100 points against
/// `alphabeta:2`. The table lists the values, the fitted values and the ends of the fit's interval,
/// in pawns:
///
/// | | knight | bishop | rook | queen | Baron | Sorcerer | Jester |
/// |---|---|---|---|---|---|---|---|
/// | value | 3.0 | 3.5 | 4.75 | 9.5 | 8.75 | 12.5 | 1.5 |
/// | fitted | 1.2 | 2.8 | 2.8 | 7.8 | 7.4 | 12.4 | 1.8 |
/// | low | 0.1 | 1.2 | 1.1 | 3.6 | 3.9 | 4.8 | 0.2 |
/// | high | 2.8 | 6.9 | 7.0 | 17.9 | 16.9 | 29.8 | 4.3 |
///
/// The fitted values are from the table of piece values of a `catapult study run`. The study has
/// one arm, `century`, and one agent,
/// `taken = ["models/opponents/century-quickstart.safetensors"]`. It plays 400 games at 32
/// simulations with seed 1 and version 1 of the search defaults
/// ([`SEARCH_DEFAULTS`](catapult_mcts::SEARCH_DEFAULTS)).
///
/// The quickstart networks of Chess and a Half and of Maxim chess are too weak for a fit. The
/// network of Chess and a Half scores 0 of 100 points against `alphabeta:2`. In self-play of the
/// Maxim network, one of fifty games has a winner.
pub trait Anchor: Position {
    /// Returns the mobility of a side: the number of squares that each of its pieces reaches,
    /// summed over the pieces. Pins and the side to move are ignored.
    fn mobility(&self, side: Color) -> u32;

    /// Returns the worth of a side in centipawns: material and mobility.
    fn worth(&self, side: Color) -> i32 {
        self.material(side) + MOBILITY * self.mobility(side) as i32
    }

    /// Returns the score in centipawns for the side to move: its worth minus the opponent's worth.
    /// The score is meaningful only if the game is not over.
    fn evaluate(&self) -> i32 {
        let us = self.side_to_move();
        self.worth(us) - self.worth(!us)
    }

    /// Appends the legal moves that alpha-beta considers to `moves`. These are all legal moves,
    /// except in games with too many legal moves for a full-width search. If there is a legal move,
    /// at least one is appended.
    fn considered_into(&self, moves: &mut MoveList) {
        self.legal_moves_into(moves);
    }

    /// Returns the number of pieces of a side, king included. The search treats a move as a capture
    /// if the move lowers the opponent's number.
    fn men(&self, side: Color) -> u32 {
        self.count_pieces(side).into_iter().map(u32::from).sum()
    }
}

/// Piece values in chess and Chess++, in centipawns.
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
    fn mobility(&self, side: Color) -> u32 {
        mobility(self, side)
    }

    fn worth(&self, side: Color) -> i32 {
        let mut worth = CATAPULT * self.catapults(side).count() as i32;
        for (kind, value) in VALUES {
            worth += value * self.pieces(side, kind).count() as i32;
        }
        worth + MOBILITY * mobility(self, side) as i32
    }

    fn men(&self, side: Color) -> u32 {
        self.occupied_by(side).count()
    }
}

impl Anchor for Century {
    fn mobility(&self, side: Color) -> u32 {
        self.mobility(side)
    }
}

impl Anchor for Maxim {
    fn mobility(&self, side: Color) -> u32 {
        self.mobility(side)
    }

    /// Excludes declarations of portals, because there are too many pairs of squares for a
    /// full-width search. Pieces still pass through existing portals.
    fn considered_into(&self, moves: &mut MoveList) {
        self.legal_moves_into(moves);
        if self.phase() == Phase::First {
            moves.retain(|mv| MaximMove::of(*mv).kind == MaximMoveKind::Done);
        }
    }
}

impl Anchor for Half {
    fn mobility(&self, side: Color) -> u32 {
        self.mobility(side)
    }
}

/// Returns the mobility of a side: the number of squares that each knight, bishop, rook and queen
/// reaches, summed over these pieces.
fn mobility<R: ChessRules>(position: &ChessPosition<R>, side: Color) -> u32 {
    let of = |kind| position.pieces(side, kind);
    let own = position.occupied_by(side);
    let occupied = position.occupied();
    let knights = of(PieceKind::Knight);
    let straight = of(PieceKind::Rook) | of(PieceKind::Queen);
    let diagonal = of(PieceKind::Bishop) | of(PieceKind::Queen);
    let reached = |reach: Squares| (reach & !own).count();
    let mut count: u32 = knights.into_iter().map(|from| reached(Squares::knight(from))).sum();
    count += straight.into_iter().map(|from| reached(Squares::rook(from, occupied))).sum::<u32>();
    count += diagonal.into_iter().map(|from| reached(Squares::bishop(from, occupied))).sum::<u32>();
    let catapults = position.catapults(side);
    let riders = catapults & (knights | straight | diagonal);
    // `& !own` also excludes the rider's own catapult, because the rider stands on it.
    count + riders.count() * reached(catapults)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::random_move;
    use crate::random::numbers;
    use catapult_rules::{Chess, ChessPp, Game, Plain, Square, Standard};

    fn chess(fen: &str) -> i32 {
        Chess::from_fen(fen, Standard).unwrap().evaluate()
    }

    fn chesspp(fen: &str) -> i32 {
        ChessPp::from_fen(fen, Plain).unwrap().evaluate()
    }

    #[test]
    fn values_worked_by_hand() {
        assert_eq!(Chess::start(Standard).evaluate(), 0);
        assert_eq!(ChessPp::start(Plain).evaluate(), 0);
        // Rook: a2 to a8 and b1 to d1, ten squares.
        assert_eq!(chess("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), 500 + 10 * 5);
        assert_eq!(chess("4k3/8/8/8/8/8/8/R3K3 b - - 0 1"), -550);
        // Queen on d4 with its pawn on d5: 7 along the rank, 3 down, 4 + 3 + 3 + 3 on the
        // diagonals.
        assert_eq!(chess("4k3/8/8/3P4/3Q4/8/8/4K3 w - - 0 1"), 1000 + 23 * 5);
        // Bishop on h1 reaches g2, f3 and the black knight on e4, which reaches eight squares.
        assert_eq!(chess("4k3/8/8/8/4n3/8/8/K6B w - - 0 1"), 300 + 3 * 5 - 300 - 8 * 5);
    }

    #[test]
    fn teleports_and_catapults_worked_by_hand() {
        // Knight on b1 reaches a3, c3, d2, and teleports to f1.
        assert_eq!(chesspp("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1 b1f1/-"), 300 + 4 * 5 + 2 * 50);
        // The knight can't teleport onto its own pawn on f2, which reaches nothing.
        assert_eq!(chesspp("4k3/8/8/8/8/8/5P2/1N2K3 w - - 0 1 b1f2/-"), 400 + 3 * 5 + 2 * 50);
        // The knight teleports onto the black rook, which reaches ten squares. The rook does not
        // stand on a catapult of its own.
        assert_eq!(chesspp("r3k3/8/8/8/8/8/8/1N2K3 w - - 0 1 a8b1/-"), 320 + 100 - (500 + 10 * 5));
        // Catapults of the other side carry no piece.
        assert_eq!(chesspp("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1 -/b1f1"), 300 + 3 * 5 - 2 * 50);
    }

    #[test]
    fn values_of_century_worked_by_hand() {
        let century = |fen: &str| Century::from_fen(fen, ()).unwrap();
        assert_eq!(Century::start(()).evaluate(), 0);
        // The Baron on d4 reaches 13 squares on the diagonals and eight by leaps. Jesters have no
        // mobility.
        let position = century("5k4/10/10/10/3A6/9j/10/5K4 w - - 0 1 -");
        assert_eq!(position.evaluate(), 875 + 21 * 5 - 150);
        assert_eq!((position.men(Color::White), position.men(Color::Black)), (2, 2));
        // A rook on a1 reaches a2 to a8 and b1 to e1.
        assert_eq!(century("5k4/10/10/10/10/10/10/R4K4 b - - 0 1 -").evaluate(), -(475 + 11 * 5));
    }

    /// Computes the mobility a second time, directly from its definition: step by step along each
    /// line.
    fn slow_mobility(position: &ChessPp, side: Color) -> u32 {
        let mut count = 0;
        let own_at = |square| position.piece_at(square).is_some_and(|(color, _)| color == side);
        for from in Square::all() {
            let Some((color, kind)) = position.piece_at(from) else { continue };
            if color != side || kind == PieceKind::Pawn || kind == PieceKind::King {
                continue;
            }
            for file in -2i32..=2 {
                for rank in -2i32..=2 {
                    let (leap, straight) = (file.abs() + rank.abs() == 3, (file == 0) != (rank == 0));
                    let steps = match kind {
                        PieceKind::Knight if leap => 1,
                        PieceKind::Rook if straight && file.abs() + rank.abs() == 1 => 7,
                        PieceKind::Bishop if file.abs() == 1 && rank.abs() == 1 => 7,
                        PieceKind::Queen if file.abs().max(rank.abs()) == 1 => 7,
                        _ => 0,
                    };
                    for step in 1..=steps {
                        let (f, r) = (from.file() as i32 + file * step, from.rank() as i32 + rank * step);
                        if !(0..8).contains(&f) || !(0..8).contains(&r) {
                            break;
                        }
                        let to = Square::at(f as usize, r as usize).unwrap();
                        count += !own_at(to) as u32;
                        if position.piece_at(to).is_some() {
                            break;
                        }
                    }
                }
            }
            if position.catapults(side).has(from) {
                let others = position.catapults(side).into_iter().filter(|&to| to != from && !own_at(to));
                count += others.count() as u32;
            }
        }
        count
    }

    #[test]
    fn mobility_is_what_the_table_says_and_colours_are_alike() {
        let mut checked = 0;
        for seed in 0..40 {
            let mut random = numbers(seed);
            let mut game = Game::new(ChessPp::start(Plain));
            while game.ply() < 120 && game.outcome().is_none() {
                game.push(random_move(game.position(), None, &mut random));
                let position = game.position();
                for side in Color::ALL {
                    assert_eq!(mobility(position, side), slow_mobility(position, side), "{position}");
                }
                assert_eq!(position.evaluate(), flipped(position).evaluate(), "{position}");
                checked += 1;
            }
        }
        assert!(checked > 3000);
    }

    /// Returns the position with the board upside down and colours exchanged.
    fn flipped(position: &ChessPp) -> ChessPp {
        let swap = |c: char| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
        let turn = |text: &str| -> String {
            text.chars().map(|c| c.to_digit(10).map_or(c, |rank| char::from(b'9' - rank as u8))).collect()
        };
        let fen = position.to_string();
        let fields: Vec<&str> = fen.split(' ').collect();
        let ranks: Vec<&str> = fields[0].split('/').rev().collect();
        let board: String = ranks.join("/").chars().map(swap).collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        let castling: String = fields[2].chars().map(swap).collect();
        let catapults = match fields.get(6) {
            Some(&text) if text != "-" => {
                let (white, black) = text.split_once('/').unwrap();
                format!("{}/{}", turn(black), turn(white))
            }
            _ => "-".to_owned(),
        };
        let fen =
            format!("{board} {side} {castling} {} {} {} {catapults}", turn(fields[3]), fields[4], fields[5]);
        ChessPp::from_fen(&fen, Plain).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }
}
