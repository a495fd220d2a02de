//! Tables with one row per game and per use of a new rule. Readers of a study can recompute its
//! metrics from them.
//!
//! `games.parquet` has one row per game:
//!
//! | column | meaning |
//! |---|---|
//! | `arm`, `agent`, `seed`, `checkpoint`, `simulations` | the cell |
//! | `game` | number of the game in its cell |
//! | `outcome`, `winner` | reason for the end; `white`, `black` or `none` |
//! | `plies` | plies after the set-up |
//! | `last_lead` | White's material minus Black's at the end, in conventional centipawns |
//! | `largest_lead` | the lead of largest size at any time, same unit and sign |
//!
//! A cell is a rule set, an agent, a training seed, a checkpoint and simulations per move.
//!
//! `uses.parquet` counts the uses of new rules. It has one row per game, use, phase, side and aim
//! that occurred. Its first six columns are the same as in `games.parquet`.
//!
//! | column | meaning |
//! |---|---|
//! | `use` | id of the metric that counts the use |
//! | `phase`, `side` | `setup`, `opening`, `middle` or `ending`; `white` or `black` |
//! | `aim` | `attack`, `defence`, `both` or `neither`; `unknown` if it is not defined |
//! | `count` | number of moves |

use catapult_measures::data::Cell;
use catapult_measures::games::{Aim, GameInfo};
use catapult_measures::metrics::GameFacts;
use catapult_records::TableColumn;
use catapult_rules::Color;
use serde_json::Value;
use std::collections::BTreeMap;

/// Name of a column and its values.
pub(crate) type NamedColumn = (&'static str, TableColumn);

/// A table built row by row.
pub(crate) struct Rows {
    pub columns: Vec<NamedColumn>,
}

impl Rows {
    /// Creates an empty table. Each column is given by its name and a flag, which is true for
    /// integers and false for text.
    pub(crate) fn new(columns: &[(&'static str, bool)]) -> Rows {
        let empty = |is_integer| match is_integer {
            true => TableColumn::Integers(Vec::new()),
            false => TableColumn::Text(Vec::new()),
        };
        Rows { columns: columns.iter().map(|(name, is_integer)| (*name, empty(*is_integer))).collect() }
    }

    /// Adds a row with one value per column, in the order of the columns. Panics in debug builds if
    /// a value has the wrong type.
    pub(crate) fn add(&mut self, row: Vec<Value>) {
        for ((_, column), value) in self.columns.iter_mut().zip(row) {
            match (column, value) {
                (TableColumn::Text(column), Value::String(text)) => column.push(text),
                (TableColumn::Integers(column), Value::Number(number)) => column.extend(number.as_i64()),
                (column, _) => debug_assert!(false, "{column:?}"),
            }
        }
    }
}

/// Names of the columns that identify a cell. The flags are true for integers.
pub(crate) const CELL: [(&str, bool); 5] =
    [("arm", false), ("agent", false), ("seed", true), ("checkpoint", false), ("simulations", true)];

/// Returns a cell's values in the columns [`CELL`].
pub(crate) fn cell_values(cell: &Cell) -> Vec<Value> {
    let Cell { arm, network, checkpoint, simulations } = cell;
    let seed = network.seed as i64;
    let [arm, agent, checkpoint] = [arm.to_string(), network.agent.clone(), checkpoint.to_string()];
    vec![arm.into(), agent.into(), seed.into(), checkpoint.into(), i64::from(*simulations).into()]
}

/// Rows of `games.parquet` and `uses.parquet`, collected cell by cell.
pub(crate) struct GameRows {
    pub games: Rows,
    pub uses: Rows,
}

impl GameRows {
    pub(crate) fn new() -> GameRows {
        let of_game = [("game", true), ("outcome", false), ("winner", false)];
        let numbers = [("plies", true), ("last_lead", true), ("largest_lead", true)];
        let of_use = [("game", true), ("use", false), ("phase", false)];
        let counted = [("side", false), ("aim", false), ("count", true)];
        let games = [&CELL[..], &of_game, &numbers].concat();
        GameRows { games: Rows::new(&games), uses: Rows::new(&[&CELL[..], &of_use, &counted].concat()) }
    }

    /// Adds the row of a game to `games.parquet` and the rows of its uses of new rules to
    /// `uses.parquet`. `index` is the index of the game in its cell.
    pub(crate) fn add(&mut self, cell: &Cell, index: usize, game: &GameFacts) {
        let key = || [cell_values(cell), vec![(index as i64).into()]].into_iter().flatten();
        let leads = game.plies.iter().map(|ply| ply.lead).chain([game.last_lead]);
        let largest = leads.max_by_key(|lead| lead.abs()).unwrap_or(0);
        let ends =
            [game.outcome.to_string(), game.winner.map_or("none", Color::name).to_owned()].map(Value::from);
        let numbers = [game.plies.len() as i64, i64::from(game.last_lead), i64::from(largest)];
        self.games.add(key().chain(ends).chain(numbers.map(Value::from)).collect());

        let mut counts: BTreeMap<(usize, &str, &str, &str), i64> = BTreeMap::new();
        let setup = game.setup.iter().map(|(mover, uses)| (*mover, *uses, "setup", "unknown"));
        let plies = game.plies.iter().map(|ply| (ply.mover, ply.uses, ply.phase.name(), aim(ply.aim)));
        for (mover, uses, phase, aim) in setup.chain(plies).filter(|(_, uses, ..)| *uses != 0) {
            for bit in (0..u16::BITS as usize).filter(|bit| uses >> bit & 1 == 1) {
                *counts.entry((bit, phase, mover.name(), aim)).or_default() += 1;
            }
        }
        let ids = GameInfo::of(cell.arm.rules).uses;
        for ((bit, phase, side, aim), count) in counts {
            let how = [ids.get(bit).map_or("unknown", |it| it.counted.id), phase, side, aim].map(Value::from);
            self.uses.add(key().chain(how).chain([count.into()]).collect());
        }
    }
}

fn aim(aim: Option<Aim>) -> &'static str {
    match aim {
        None => "unknown",
        Some(Aim { attacks: true, defends: true }) => "both",
        Some(Aim { attacks: true, defends: false }) => "attack",
        Some(Aim { attacks: false, defends: true }) => "defence",
        Some(Aim { attacks: false, defends: false }) => "neither",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_measures::data::{Checkpoint, NetworkId};
    use catapult_measures::metrics::read_game;
    use catapult_records::GameRecord;

    #[test]
    fn a_game_is_a_row_and_each_use_another() {
        // A knight teleports from a1 to h5 and captures a rook. The kings move. The knight
        // teleports back.
        let start = "4k3/8/8/7r/8/8/8/N3K3 w - - 3 7 a1h5/-";
        let moves = "a1h5t e8d8 h5a1t d8e8";
        let record = GameRecord::of_texts("chesspp".parse().unwrap(), Some(start), moves).unwrap();
        let arm = "chesspp".parse().unwrap();
        let network = NetworkId { agent: "rules".to_owned(), seed: 3 };
        let cell = Cell { arm, network, checkpoint: Checkpoint::Last, simulations: 64 };
        let mut rows = GameRows::new();
        rows.add(&cell, 5, &read_game(&record, cell.arm.rules).unwrap());
        let [games, uses] = [rows.games.columns, rows.uses.columns];
        let of = |columns: &[NamedColumn], name: &str| {
            columns.iter().find(|(column, _)| *column == name).unwrap().1.clone()
        };
        let text = |text: &str| TableColumn::Text(vec![text.to_owned()]);
        assert_eq!((of(&games, "arm"), of(&games, "outcome")), (text("chesspp"), text("capped")));
        assert_eq!(
            (of(&games, "winner"), of(&games, "game")),
            (text("none"), TableColumn::Integers(vec![5]))
        );
        // A knight against a rook, then a knight ahead.
        assert_eq!(of(&games, "last_lead"), TableColumn::Integers(vec![300]));
        assert_eq!(of(&games, "plies"), TableColumn::Integers(vec![4]));
        let TableColumn::Text(kinds) = of(&uses, "use") else { panic!() };
        let TableColumn::Integers(counts) = of(&uses, "count") else { panic!() };
        let teleports: i64 =
            kinds.iter().zip(&counts).filter(|(kind, _)| *kind == "teleports").map(|(_, count)| count).sum();
        assert_eq!(teleports, 2);
        assert!(kinds.iter().any(|kind| kind == "teleport_captures"));
    }
}
