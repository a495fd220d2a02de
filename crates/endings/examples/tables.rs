//! Solves tablebases, verifies random positions, and prints the longest wins: `solve DIR NAME..`,
//! `verify DIR POSITIONS NAME..` and `longest DIR NAME..`.
//!
//! ```text
//! cargo run --release -p catapult-endings --example tables -- solve endings KRvK KNvK-attacker-two
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_endings::{EndingsError, Metric, Sample, TableKey, Tables};
use catapult_rules::{AnyChess, AnyRules, Color, Position};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [command, dir, rest @ ..] = arguments.as_slice() else {
        return Err("solve, verify or longest, and a folder".into());
    };
    let tables = Tables::new(dir.as_ref());
    let (number, names) = match command.as_str() {
        "verify" => rest.split_first().ok_or("verify DIR POSITIONS NAME..")?,
        _ => (command, rest),
    };
    for name in names {
        let key: TableKey = name.parse()?;
        match command.as_str() {
            "solve" => solve(&tables, key)?,
            "verify" => verify(&tables, key, number.parse()?)?,
            "longest" => longest(&tables, key)?,
            other => return Err(format!("`{other}` is none of solve, verify, longest").into()),
        }
    }
    Ok(())
}

fn solve(tables: &Tables, key: TableKey) -> Result<(), EndingsError> {
    tables.solve(key, &mut |_, _| true)?;
    for metric in Metric::ALL {
        let solved = tables.solved(key, metric)?;
        println!("{key} by {}: {}", metric.name(), solved.counts.line());
    }
    Ok(())
}

fn verify(tables: &Tables, key: TableKey, positions: u64) -> Result<(), EndingsError> {
    for metric in Metric::ALL {
        let sample = Sample::Random { positions, seed: 1 };
        let checked = tables.verify(key, key.variant(), metric, sample, &|_| true)?;
        println!("{key} by {}: {checked:?}", metric.name());
    }
    Ok(())
}

fn longest(tables: &Tables, key: TableKey) -> Result<(), Box<dyn std::error::Error>> {
    for winner in Color::ALL {
        let Some((fen, plies)) = tables.longest(key, winner)? else { continue };
        let rules = AnyRules::of(key.variant()).unwrap_or_default();
        let mut position = AnyChess::from_fen(&fen, rules)?;
        let mut line = Vec::new();
        for mv in tables.best_line(&position)? {
            line.push(position.san(mv));
            position.play(mv);
        }
        println!("{key}: {winner:?} mates in {plies} plies\n{fen}\n{}", line.join(" "));
    }
    Ok(())
}
