//! Fuzz test of the UCI engine with arbitrary lines. The engine must not panic, must answer each
//! search with one `bestmove` line, and must answer `isready` at once.
#![no_main]

use catapult_engine::SessionThinker;
use catapult_engine::uci::{EngineFactory, Ladder, NewEngine, Options, Uci};
use catapult_mcts::evaluators::Material;
use catapult_rules::{Variant, with_variant};
use std::cell::Cell;
use std::time::Duration;

struct Materialists;

impl EngineFactory for Materialists {
    fn create(&self, variant: Variant, _: &Options) -> Result<NewEngine, String> {
        Ok(with_variant!(variant, |P, rules| NewEngine {
            engine: Box::new(SessionThinker::<P, _>::new(rules, Material)),
            description: variant.to_string(),
            ladder: Some(Ladder::new(vec![(1, 0.0), (64, 2000.0)])?),
        }))
    }
}

/// Maximum number of batches of a search before the test stops it.
const PATIENCE: usize = 20;

fn best_moves(lines: &[String]) -> usize {
    assert!(lines.iter().all(|line| !line.contains('\n') && !line.contains('\r')));
    lines.iter().filter(|line| line.starts_with("bestmove ")).count()
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let now = Cell::new(Duration::ZERO);
    let clock = || {
        now.set(now.get() + Duration::from_millis(1));
        now.get()
    };
    let mut uci = Uci::new(Materialists);
    for line in String::from_utf8_lossy(data).lines() {
        let was_thinking = uci.is_thinking();
        let mut answers = best_moves(&uci.line(line, clock()));
        if uci.is_thinking() {
            for _ in 0..PATIENCE {
                answers += best_moves(&uci.step(&clock).0);
                if !uci.is_thinking() {
                    break;
                }
            }
        }
        assert!(answers <= usize::from(was_thinking) + 1, "{line}");
        if uci.has_quit() {
            return;
        }
    }
    let was_thinking = uci.is_thinking();
    assert_eq!(best_moves(&uci.line("stop", clock())), usize::from(was_thinking));
    assert_eq!(uci.line("isready", clock()).last().map(String::as_str), Some("readyok"));
});
