//! What a study finds, by what a pilot says it would need: the probability that NETWORKS networks, each of which plays GAMES
//! times the pilot's games, show an effect that NEEDED networks of the pilot would show four times in five, if more games
//! shrink the scatter between networks as they shrink that of games (GAMES 1 for what networks alone differ in).
//!
//! `cargo run --release -p catapult-stats --example power -- NEEDED NETWORKS [GAMES] [TESTS]`
//!
//! `NEEDED` is what `catapult study run PILOT --variances` prints. Student's t over networks, two-sided, at 0.05 / TESTS: the
//! strictest threshold that Benjamini and Hochberg set for one of so many tests.

#![allow(clippy::print_stdout)]

use catapult_stats::power;

/// The power of a t-test of so many networks for an effect of 1, if `scatter` is the standard deviation of a network's value.
fn found(networks: f64, scatter: f64, alpha: f64) -> f64 {
    power(1.0, scatter / networks.sqrt(), networks - 1.0, alpha)
}

/// The power with `networks`, if `needed` have a power of 0.8 and each then plays `games` times its games.
fn power_with(networks: f64, needed: f64, games: f64, alpha: f64) -> f64 {
    // More scatter, less power: the scatter that leaves 0.8, by halving.
    let (mut low, mut high) = (0.0, needed.sqrt());
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if found(needed, middle, alpha) > 0.8 { low = middle } else { high = middle }
    }
    found(networks, low / games.sqrt(), alpha)
}

fn main() -> Result<(), String> {
    const USAGE: &str =
        "NEEDED NETWORKS [GAMES] [TESTS]: at least 3 networks in both, GAMES above 0, TESTS 1 or more";
    let number = |text: String| text.parse::<f64>().map_err(|_| format!("`{text}` is no number; {USAGE}"));
    let numbers = std::env::args().skip(1).map(number).collect::<Result<Vec<f64>, _>>()?;
    let (needed, networks, games, tests) = match numbers[..] {
        [needed, networks] => (needed, networks, 1.0, 1.0),
        [needed, networks, games] => (needed, networks, games, 1.0),
        [needed, networks, games, tests] => (needed, networks, games, tests),
        _ => return Err(USAGE.to_owned()),
    };
    if !(needed >= 3.0 && networks >= 3.0 && games > 0.0 && tests >= 1.0) {
        return Err(USAGE.to_owned());
    }
    println!("{:.3}", power_with(networks, needed, games, 0.05 / tests));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::power_with;

    #[test]
    fn powers_are_those_of_the_noncentral_t() {
        // f = lambda s, n: nct.sf(t.ppf(1 - a / 2, n - 1), n - 1, n**.5 / s) of scipy.stats with a = 0.05 / 6, and
        // s = scipy.optimize.brentq(lambda s: f(s, needed) - 0.8, 0.1, needed**.5): f(s / games**.5, 12).
        for (needed, games, expected) in [
            (20.0, 2.0, 0.811_858),
            (18.0, 2.0, 0.867_646),
            (5.0, 1.0, 0.999_999),
            (12.0, 2.0, 0.987_384),
            (16.0, 1.0, 0.594_341),
            (13.0, 100.0 / 60.0, 0.943_866),
        ] {
            let power = power_with(12.0, needed, games, 0.05 / 6.0);
            assert!((power - expected).abs() < 1e-4, "{needed} {games}: {power} is not {expected}");
        }
    }
}
