//! trial
use crate::exits::Exits;
use crate::key::TableKey;
use crate::layer::Layer;
use crate::solve::{Solver, Wave};
use crate::value::Metric;
use crate::words::Words;

/// trial
pub fn trial(key: TableKey) {
    fn layer(key: TableKey, metric: Metric) -> Layer {
        let words = Words::of(key);
        let exits = Exits::collect(&words, |k| Ok::<_, ()>(layer(k, metric))).unwrap();
        let t = std::time::Instant::now();
        let mut report = |w: &Wave| {
            eprint!("{:?} r{} n{} {}/{} {:.1}s\r", w.metric, w.round, w.plies, w.known, w.legal, t.elapsed().as_secs_f64());
            true
        };
        let l = Solver::new(words, metric, exits, &mut report).solve();
        eprintln!();
        let Ok(l) = l else { panic!() };
        eprintln!("{key} {:.1}s", t.elapsed().as_secs_f64());
        let c = l.count();
        println!("{key} {} {} | black wins {} of wtm lost {} longest {}", metric.name(), c.line(), c.black.won(), c.white.lost(), c.longest_of_black());
        l
    }
    for metric in Metric::ALL {
        layer(key, metric);
    }
}
