//! Computes the power of a study from the number of networks that a pilot study found necessary.
//!
//! The pilot found that its effect needs NEEDED networks for a power of 0.8. The planned study has
//! NETWORKS networks, each with GAMES times the pilot's games. The computation assumes that more
//! games shrink the variance between networks as much as the variance between games. Use GAMES = 1
//! if only the networks differ.
//!
//! `cargo run --release -p catapult-stats --example power -- NEEDED NETWORKS [GAMES] [TESTS]`
//!
//! `catapult study run PILOT --variances` prints NEEDED. The test is Student's t over networks,
//! two-sided, at level 0.05 / TESTS. With several tests, that is the strictest threshold of
//! Benjamini and Hochberg.

#![allow(clippy::print_stdout)]

use catapult_stats::power;

/// Returns the power of a two-sided t-test at level `alpha` over `networks` networks, for an effect
/// of 1. `scatter` is the standard deviation of the networks' values.
fn t_test_power(networks: f64, scatter: f64, alpha: f64) -> f64 {
    power(1.0, scatter / networks.sqrt(), networks - 1.0, alpha)
}

/// Returns the power of a study with `networks` networks that each play `games` times the pilot's
/// games. With the pilot's games, a power of 0.8 needs `needed` networks.
fn power_with(networks: f64, needed: f64, games: f64, alpha: f64) -> f64 {
    // Power decreases with variance, so bisection finds the variance with a power of 0.8.
    let (mut low, mut high) = (0.0, needed.sqrt());
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if t_test_power(needed, middle, alpha) > 0.8 { low = middle } else { high = middle }
    }
    t_test_power(networks, low / games.sqrt(), alpha)
}

fn main() -> Result<(), String> {
    const USAGE: &str =
        "NEEDED NETWORKS [GAMES] [TESTS]: at least 3 networks in both, GAMES above 0, TESTS 1 or more";
    let number = |text: String| text.parse::<f64>().map_err(|_| format!("`{text}` is not a number; {USAGE}"));
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
