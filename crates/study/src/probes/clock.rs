//! Values that a network gives to won positions of endings at two half-move clocks.

use super::Facts;
use crate::exact::starts;
use catapult_encoding::Encode;
use catapult_endings::{CLOCK_LIMIT, TableKey, Tables, Value};
use catapult_mcts::{Batch, Evaluator};
use catapult_measures::games::StudiedGame;
use catapult_network::{Device, EvaluatorSettings, Network, NetworkEvaluator};
use catapult_seeds::Stream;
use std::path::Path;

/// The earlier of the two half-move clocks. The position is won at it.
const EARLY: u16 = 10;

/// Draws about `number` positions with White to move, in equal numbers from the endings of all
/// `keys`. Each is returned at two half-move clocks: won at the first, drawn at the second.
pub(super) fn positions<P: StudiedGame>(
    rules: P::Rules,
    keys: &[TableKey],
    number: usize,
    seed: u64,
    tables: &Tables,
) -> Result<Vec<[P; 2]>, String> {
    let mut found = Vec::new();
    for &key in keys {
        let seed = Stream::Ending(&key.to_string()).seed(seed);
        let starts = starts::draw::<P>(rules, key, number.div_ceil(keys.len()), seed, tables)?;
        for start in starts {
            let probe = start.position.probe(tables).map_err(|error| error.to_string())?;
            let late = probe.and_then(|probe| late_clock(probe.dtz));
            if let Some(late) = late {
                found.push([at_clock(&start.position, EARLY)?, at_clock(&start.position, late)?]);
            }
        }
    }
    Ok(found)
}

/// Returns the earliest half-move clock at which a won position is drawn, given its DTZ in plies.
/// Returns `None` if the position is not won at clock [`EARLY`].
///
/// At the returned clock, the fifty-move rule applies one ply before the next reset of the clock.
fn late_clock(distance: Value) -> Option<u16> {
    match distance {
        // A game with a clock of 100 is over.
        Value::Won(plies) if plies > 1 && EARLY + plies <= CLOCK_LIMIT => Some(CLOCK_LIMIT + 1 - plies),
        _ => None,
    }
}

fn at_clock<P: StudiedGame>(position: &P, clock: u16) -> Result<P, String> {
    let fen = position.to_string();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let clock = clock.to_string();
    if let Some(field) = fields.get_mut(4) {
        *field = &clock;
    }
    P::from_fen(&fields.join(" "), position.rules()).map_err(|error| error.to_string())
}

/// Evaluates both positions of every pair without a search. Each value is P(win) minus P(loss) for
/// the side to move, from -1 to 1.
pub(super) fn values<P: StudiedGame + Encode>(
    positions: &[[P; 2]],
    file: &Path,
    device: Device,
) -> Result<Facts, String> {
    let network = Network::load(file, &P::LAYOUT).map_err(|error| error.to_string())?;
    let settings = EvaluatorSettings::on(device);
    let mut evaluator = NetworkEvaluator::<P>::new(&network, settings).map_err(|error| error.to_string())?;
    let mut facts = Vec::new();
    for pair in positions {
        let mut batch = Batch::of(pair);
        evaluator.evaluate(&mut batch).map_err(|error| error.to_string())?;
        let value = |i: usize| f64::from(batch.values[i].wdl[0] - batch.values[i].wdl[2]);
        facts.push([value(0), value(1)]);
    }
    Ok(facts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::table_key;
    use catapult_rules::{Chess, Position, Standard};

    #[test]
    fn the_late_clock_leaves_one_ply_too_few() {
        // A win in 21 plies: at clock 79 the mate would be ply 100, at 80 it comes too late.
        assert_eq!(late_clock(Value::Won(21)), Some(80));
        assert_eq!(late_clock(Value::Won(90)), Some(11));
        // Not won at clock 10; nothing later than a mate in one; not won.
        for distance in [Value::Won(91), Value::Won(1), Value::Drawn, Value::Lost(20)] {
            assert_eq!(late_clock(distance), None);
        }
    }

    #[test]
    fn positions_are_won_at_the_first_clock_and_drawn_at_the_second() {
        let dir = tempfile::tempdir().unwrap();
        let tables = Tables::new(dir.path());
        let key = table_key("KRvK", "chess".parse().unwrap()).unwrap().unwrap();
        tables.solve(key, &mut |_, _| true).unwrap();
        let found = positions::<Chess>(Standard, &[key], 20, 1, &tables).unwrap();
        assert!((15..=20).contains(&found.len()), "{}", found.len());
        for [early, late] in &found {
            let result = |position: &Chess| tables.probe(position).unwrap().unwrap().result;
            assert!(matches!(result(early), Value::Won(_)), "{early}");
            assert_eq!(result(late), Value::Drawn, "{late}");
            let placement = |position: &Chess| position.to_string().split(' ').next().unwrap().to_owned();
            assert_eq!(placement(early), placement(late));
            // With one ply more, it is won.
            let before = at_clock(late, late.halfmove_clock() as u16 - 1).unwrap();
            assert!(matches!(result(&before), Value::Won(_)), "{before}");
        }
        // Positions are worth more to a network that follows the clock where they are won.
        let file = Path::new("../../models/chess-chesspp-clock.safetensors");
        let facts = values(&found, file, Device::Cpu).unwrap();
        let [early, late] = [0, 1].map(|clock| facts.iter().map(|fact| fact[clock]).sum::<f64>());
        assert!(early > late, "{early} {late}");
        // By hand: mate in two, three plies, so that at clock 98 it is too late.
        let position = Chess::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1", Standard).unwrap();
        let probe = tables.probe(&position).unwrap().unwrap();
        assert_eq!((probe.dtz, late_clock(probe.dtz)), (Value::Won(3), Some(98)));
    }
}
