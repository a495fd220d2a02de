//! Facts of games as flat tables, for anyone who wants to recompute.
//!
//! `games.parquet` has one row per game:
//!
//! | column | meaning |
//! |---|---|
//! | `arm`, `agent`, `seed`, `checkpoint`, `simulations` | rule set, agent, training seed, checkpoint and simulations per move |
//! | `game` | number of the game among those of the five columns before |
//! | `outcome`, `winner` | how it ended; `white`, `black` or `none` |
//! | `plies` | plies after the set-up |
//! | `last_lead` | White's material minus Black's at the end, conventional centipawns |
//! | `largest_lead` | the lead of largest size at any time, same unit and sign |
//!
//! `uses.parquet` has one row per game, use of a new rule, phase, side and aim that occurred. Its first six columns are the same.
//!
//! | column | meaning |
//! |---|---|
//! | `use` | id of the metric that counts the use |
//! | `phase`, `side` | `setup`, `opening`, `middle` or `ending`; `white` or `black` |
//! | `aim` | `attack`, `defence`, `both` or `neither`; `unknown` where it is not defined |
//! | `count` | moves |

use crate::data::Cell;
use crate::games::{Aim, StudiedGame};
use crate::metrics::{GameFacts, Phase};
use catapult_records::TableColumn;
use catapult_rules::{Color, with_variant};
use std::collections::BTreeMap;

/// A column's name and values.
pub type NamedColumn = (&'static str, TableColumn);

/// Rows of both tables, collected cell by cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameRows {
    games: Keys,
    outcomes: Vec<String>,
    winners: Vec<String>,
    /// Plies, last lead, largest lead.
    numbers: [Vec<i64>; 3],
    used: Keys,
    /// Use, phase, side, aim.
    how: [Vec<String>; 4],
    counts: Vec<i64>,
}

/// The columns that name a game.
#[derive(Clone, PartialEq, Debug, Default)]
struct Keys {
    /// Arm, agent, checkpoint.
    names: [Vec<String>; 3],
    /// Seed, simulations, game.
    numbers: [Vec<i64>; 3],
}

impl Keys {
    fn add(&mut self, cell: &Cell, game: usize) {
        let Cell { arm, network, checkpoint, simulations } = cell;
        let names = [arm.to_string(), network.agent.clone(), checkpoint.to_string()];
        self.names.iter_mut().zip(names).for_each(|(column, name)| column.push(name));
        let numbers = [network.seed as i64, i64::from(*simulations), game as i64];
        self.numbers.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
    }

    fn columns(self) -> Vec<NamedColumn> {
        let [arm, agent, checkpoint] = self.names.map(TableColumn::Text);
        let [seed, simulations, game] = self.numbers.map(TableColumn::Integers);
        vec![
            ("arm", arm),
            ("agent", agent),
            ("seed", seed),
            ("checkpoint", checkpoint),
            ("simulations", simulations),
            ("game", game),
        ]
    }
}

impl GameRows {
    /// Adds a game of a cell.
    pub fn add(&mut self, cell: &Cell, game: &GameFacts) {
        self.games.add(cell, game.index);
        self.outcomes.push(game.outcome.to_string());
        self.winners.push(game.winner.map_or("none", color).to_owned());
        let leads = game.plies.iter().map(|ply| ply.lead).chain([game.last_lead]);
        let largest = leads.max_by_key(|lead| lead.abs()).unwrap_or(0);
        let numbers = [game.plies.len() as i64, i64::from(game.last_lead), i64::from(largest)];
        self.numbers.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));

        let mut counts: BTreeMap<(usize, &str, &str, &str), i64> = BTreeMap::new();
        let setup = game.setup.iter().map(|(mover, uses)| (*mover, *uses, "setup", "unknown"));
        let plies = game.plies.iter().map(|ply| (ply.mover, ply.uses, phase(ply.phase), aim(ply.aim)));
        for (mover, uses, phase, aim) in setup.chain(plies).filter(|(_, uses, ..)| *uses != 0) {
            for bit in (0..u16::BITS as usize).filter(|bit| uses >> bit & 1 == 1) {
                *counts.entry((bit, phase, color(mover), aim)).or_default() += 1;
            }
        }
        let ids = with_variant!(cell.arm, |P, _rules| P::USES);
        for ((bit, phase, side, aim), count) in counts {
            self.used.add(cell, game.index);
            let how = [ids.get(bit).map_or("unknown", |info| info.id), phase, side, aim];
            self.how.iter_mut().zip(how).for_each(|(column, text)| column.push(text.to_owned()));
            self.counts.push(count);
        }
    }

    /// The columns of `games.parquet` and of `uses.parquet`.
    pub fn columns(self) -> [Vec<NamedColumn>; 2] {
        let [plies, last_lead, largest_lead] = self.numbers.map(TableColumn::Integers);
        let mut games = self.games.columns();
        games.extend([
            ("outcome", TableColumn::Text(self.outcomes)),
            ("winner", TableColumn::Text(self.winners)),
            ("plies", plies),
            ("last_lead", last_lead),
            ("largest_lead", largest_lead),
        ]);
        let [what, phase, side, aim] = self.how.map(TableColumn::Text);
        let mut uses = self.used.columns();
        uses.extend([("use", what), ("phase", phase), ("side", side), ("aim", aim)]);
        uses.push(("count", TableColumn::Integers(self.counts)));
        [games, uses]
    }
}

fn color(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Opening => "opening",
        Phase::Middle => "middle",
        Phase::Ending => "ending",
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
