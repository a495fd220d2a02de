//! Longest wins of a table, and best lines from a position.

use crate::error::EndingsError;
use crate::key::TableKey;
use crate::probe::locate;
use crate::space::Men;
use crate::tables::Tables;
use crate::value::{Metric, Value};
use crate::verify::placement::{Placement, write_fen};
use catapult_rules::{ChessPosition, ChessRules, Color, Move, Position};

/// Returns the FEN of a position of a table, with half-move clock 0. `side` is 0 for White to move
/// and 1 for Black, and `black` is the square of Black's king.
pub(crate) fn fen_of(key: &TableKey, men: Men, black: u8, side: usize) -> String {
    let mut catapults: Vec<u8> = crate::geometry::squares(men.catapults).collect();
    catapults.sort_by_key(|square| (square % 8, square / 8));
    let placement = Placement { king: men.king, piece: men.piece, black, catapults, side };
    let mut fen = String::new();
    write_fen(&mut fen, &placement, key, 0);
    fen
}

impl Tables {
    /// Returns the FEN of a position with the longest win of `winner`, and its DTM in plies. White
    /// is the side with the piece. Returns `None` if `winner` never wins.
    ///
    /// # Errors
    /// The table does not exist or is damaged.
    pub fn longest(&self, key: TableKey, winner: Color) -> Result<Option<(String, u16)>, EndingsError> {
        let layer = self.load(key, Metric::Dtm)?;
        let space = &layer.rules.space;
        let mut found: Option<(String, u16)> = None;
        for side in 0..2 {
            let wins = (side == 0) == (winner == Color::White);
            for position in 0..space.words() * 64 {
                let plies = match Metric::Dtm.value(layer.codes[side].get(position)) {
                    Value::Won(plies) if wins => plies,
                    Value::Lost(plies) if !wins => plies,
                    _ => continue,
                };
                if found.as_ref().is_none_or(|(_, longest)| plies > *longest) {
                    let (set, king, place) = space.parts(position / 64);
                    let men = layer.rules.men(set, king, place);
                    found = Some((fen_of(&key, men, (position % 64) as u8, side), plies));
                }
            }
        }
        Ok(found)
    }

    /// Returns the moves to mate by best play of both sides, ignoring the fifty-move rule. Returns
    /// no moves for a drawn position or a position outside all tables.
    ///
    /// Among equally good moves, the line takes the first in legal-move order.
    ///
    /// # Errors
    /// A table on the line does not exist or is damaged.
    pub fn best_line<R: ChessRules>(&self, position: &ChessPosition<R>) -> Result<Vec<Move>, EndingsError> {
        let mut position = *position;
        let mut line = Vec::new();
        'line: loop {
            let best = match self.mate_value(&position)? {
                Value::Drawn | Value::Lost(0) => return Ok(line),
                Value::Won(plies) => Value::Lost(plies - 1),
                Value::Lost(plies) => Value::Won(plies - 1),
            };
            for mv in position.legal_moves() {
                let mut after = position;
                after.play(mv);
                if self.mate_value(&after)? == best {
                    line.push(mv);
                    position = after;
                    continue 'line;
                }
            }
            // A correct table always has such a move.
            return Ok(line);
        }
    }

    fn mate_value<R: ChessRules>(&self, position: &ChessPosition<R>) -> Result<Value, EndingsError> {
        match locate(position) {
            Some(at) => self.value(&at, Metric::Dtm),
            None => Ok(Value::Drawn),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_rules::{Square, Variant};

    #[test]
    fn a_position_is_written_as_the_rules_write_it() {
        let key = |name: &str| name.parse::<TableKey>().unwrap();
        let square = |name: &str| name.parse::<Square>().unwrap().index() as u8;
        for (table, king, piece, black, catapults, side, fen) in [
            ("KRvK", "a1", "h1", "d5", vec![], 0, "8/8/8/3k4/8/8/8/K6R w - - 0 1"),
            (
                "KNvK-defender-two",
                "c3",
                "d3",
                "e3",
                vec!["h1", "a8"],
                1,
                "8/8/8/8/8/2KNk3/8/8 b - - 0 1 -/a8h1",
            ),
            (
                "KPvK-attacker-one-fresh",
                "h8",
                "a2",
                "h6",
                vec!["b1"],
                0,
                "7K/8/7k/8/8/8/P7/8 w - - 0 1 b1*/-",
            ),
        ] {
            let men = Men {
                king: square(king),
                piece: square(piece),
                catapults: catapults.iter().fold(0, |set, name| set | 1 << square(name)),
            };
            assert_eq!(fen_of(&key(table), men, square(black), side), fen);
            let rules = catapult_rules::AnyRules::of(key(table).variant()).unwrap();
            let read = catapult_rules::AnyChess::from_fen(fen, rules).unwrap();
            let at = locate(&read).unwrap();
            assert_eq!((at.key, at.side, at.black), (key(table), side, square(black)));
            assert_eq!(key(table).variant() == Variant::Chess, catapults.is_empty());
        }
    }
}
