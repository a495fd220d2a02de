//! solve|verify DIR NAME...
use catapult_endings::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let t = Tables::new(a[2].as_ref());
    for name in &a[3..] {
        let key: TableKey = name.parse().unwrap();
        let s = std::time::Instant::now();
        if a[1] == "solve" {
            if let Err(e) = t.solve(key, &mut |k, w| {
                if w.plies % 8 == 1 {
                    eprintln!("{k} {w:?} {:.0}s", s.elapsed().as_secs_f64());
                }
                true
            }) {
                println!("{e}");
                continue;
            }
            for m in Metric::ALL {
                let c = t.solved(key, m).unwrap();
                println!(
                    "{key} {} {} | black wins {} of btm, wtm lost {}, longest {} | {} bytes {:.0}s",
                    m.name(),
                    c.counts.line(),
                    c.counts.black.won(),
                    c.counts.white.lost(),
                    c.counts.longest_of_black(),
                    c.bytes,
                    s.elapsed().as_secs_f64()
                );
            }
        } else {
            let sample = if a[1] == "all" {
                Sample::All
            } else {
                Sample::Random { positions: a[1].parse().unwrap(), seed: 7 }
            };
            for m in Metric::ALL {
                println!(
                    "{key} {} {:?} {:.0}s",
                    m.name(),
                    t.verify(key, key.variant(), m, sample, &|_| true),
                    s.elapsed().as_secs_f64()
                );
            }
        }
    }
}
