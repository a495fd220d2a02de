//! Metrics of the draw rate by search level (simulations per move), and of its slope.

use super::facts::GameFacts;
use super::findings::Findings;
use super::sample::Sample;
use crate::arms::Arm;
use crate::data::{Checkpoint, SampleId};
use crate::results::Estimate;
use crate::rows::{figure, metrics};
use catapult_stats::{Clustered, Row, evidence, share, tanh_regression};
use std::collections::BTreeMap;

metrics! {
    METRICS =
    SLOPE: Endings Ratio "draw_slope", "draw rate per doubling";
        "Mean change of the draw rate with each doubling of the simulations, from the fewest simulations played to the \
         most. It follows a line fitted to the games of all levels of the last checkpoint. The line is straight in the \
         logit of the draw rate over log2 simulations. There is one value per arm and agent, at the strongest level.";
}

figure! {
    FIGURE: Endings Share "draws-by-thinking", "Draws and thinking";
        "simulations per move, log2", "draw rate"; [curve "fitted-line" "fitted line"];
        "Games without a winner, by simulations per move, at all levels of the last checkpoint. Beside it is \
         a line that is straight in the logit of the draw rate, fitted to all these games. It ends with the \
         games: beyond, nothing is known.";
}

/// Returns true if a metric is fitted to the games of all search levels together.
pub fn is_over_levels(metric: &str) -> bool {
    metric == SLOPE.id
}

/// One game: the index of its search level, and true if it has no winner.
type Drawn = (usize, bool);

pub(super) fn measure(samples: &[Sample], findings: &mut Findings) {
    let mut groups: BTreeMap<(Arm, &str), Vec<&Sample>> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| sample.id.checkpoint == Checkpoint::Last) {
        groups.entry((sample.id.arm, &sample.id.agent)).or_default().push(sample);
    }
    for mut levels in groups.into_values() {
        levels.sort_by_key(|sample| sample.id.simulations);
        if let Some(strongest) = levels.last() {
            of_group(&strongest.id, &levels, findings);
        }
    }
}

fn of_group(id: &SampleId, samples: &[&Sample], findings: &mut Findings) {
    let levels: Vec<f64> = samples.iter().map(|sample| f64::from(sample.id.simulations).log2()).collect();
    let drawn = |game: &GameFacts| (f64::from(game.winner.is_none()), 1.0);
    let seen = levels.iter().zip(samples);
    let seen = seen.filter_map(|(&x, sample)| Some((x, share(&sample.games, drawn)?.estimate)));
    findings.curve(&FIGURE, id, "", seen.collect());
    if levels.len() < 2 {
        return;
    }
    let games = pooled(samples);
    let resampling = findings.resampling;
    let of_fit = |value: &(dyn Fn(&[f64]) -> f64 + Sync)| {
        let statistic = |games: &mut dyn Iterator<Item = &Drawn>| {
            fit(&levels, games).map_or(f64::NAN, |rates| value(&rates))
        };
        evidence(&games, statistic, &resampling)
    };
    let fitted = levels.iter().enumerate().filter_map(|(level, &x)| {
        let estimate = of_fit(&|rates| rates[level])?.within([0.0, 1.0]).estimate;
        Some((x, estimate))
    });
    let fitted: Vec<(f64, Estimate)> = fitted.collect();
    let most = levels.len() - 1;
    let slope = of_fit(&|rates| (rates[most] - rates[0]) / (levels[most] - levels[0]));
    findings.curve(&FIGURE, id, "fitted-line", fitted);
    findings.add(&SLOPE, id, games.len(), slope);
}

/// Returns the games of all levels together. Games of one network are grouped by level and opening.
fn pooled(samples: &[&Sample]) -> Clustered<Drawn> {
    Clustered::new(samples.iter().enumerate().flat_map(|(level, sample)| {
        let games = sample.games.seeded();
        games.map(move |(seed, game)| (seed, (level, &game.opening), (level, game.winner.is_none())))
    }))
}

/// Fits a curve to the draw rates by maximum likelihood, and returns its draw rate at each level.
/// The logit of the curve is a straight line over the levels, which are log2(simulations). `None` if
/// only one level has games.
///
/// Half a drawn and half a decisive game are added at each level with games. The fit is therefore
/// finite even if all games or none are drawn.
fn fit(levels: &[f64], games: &mut dyn Iterator<Item = &Drawn>) -> Option<Vec<f64>> {
    let mut counts = vec![[0.0; 2]; levels.len()];
    for &(level, drawn) in games {
        counts[level][usize::from(drawn)] += 1.0;
    }
    let played = levels.iter().zip(&counts).filter(|(_, counts)| counts[0] + counts[1] > 0.0);
    let rows = played.flat_map(|(&x, counts)| {
        [0, 1].map(|drawn| {
            let y = 2.0 * drawn as f64 - 1.0;
            Row { x: vec![1.0, x], y, weight: counts[drawn] + 0.5 }
        })
    });
    let rows: Vec<Row> = rows.collect();
    let w = tanh_regression(&rows)?;
    Some(levels.iter().map(|x| (1.0 + (w[0] + w[1] * x).tanh()) / 2.0).collect())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{RESAMPLING, facts};
    use super::*;
    use catapult_rules::Color;
    use catapult_rules::Variant;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    /// Returns synthetic games at 16, 32, 64 and 128 simulations. `logit` returns the logit of the
    /// draw rate from log2(simulations).
    fn samples(networks: u64, games: usize, logit: impl Fn(f64) -> f64) -> Vec<Sample> {
        let mut random = Pcg64Mcg::seed_from_u64(3);
        let template = facts("chess", "", "e2e4");
        let level = |simulations: u32| {
            let rate = 1.0 / (1.0 + (-logit(f64::from(simulations).log2())).exp());
            let played = (0..networks * games as u64).map(|game| {
                let winner = if random.random::<f64>() < rate { None } else { Some(Color::White) };
                (game % networks, game, GameFacts { winner, ..template.clone() })
            });
            let id = SampleId {
                arm: Variant::Chess.into(),
                agent: "agent".to_owned(),
                checkpoint: Checkpoint::Last,
                simulations,
            };
            Sample { id, games: Clustered::new(played.collect::<Vec<_>>()) }
        };
        [16, 32, 64, 128].map(level).into()
    }

    #[test]
    fn a_known_slope_is_recovered_and_ends_where_the_games_do() {
        // The rates are 0.269, 0.378, 0.5 and 0.622, so the slope is 0.1178 per doubling.
        let samples = samples(3, 400, |x| (x - 6.0) / 2.0);
        let mut findings = Findings::new(RESAMPLING);
        measure(&samples, &mut findings);
        let measured = findings.finish(Variant::Chess);
        let [slope] = measured.measures.as_slice() else { panic!("{:?}", measured.measures) };
        let Estimate { value, agents, rule } = slope.estimate;
        assert!((value - 0.1178).abs() < 0.02 && agents[0] < 0.1178 && 0.1178 < agents[1], "{slope:?}");
        assert!(rule.is_some() && slope.networks.len() == 3 && slope.sample.simulations == 128);
        assert!(agents[1] - agents[0] < 0.06, "{slope:?}");
        let xs = |series: &str| -> Vec<f64> {
            let curve = measured.curves.iter().find(|curve| curve.series == series).unwrap();
            curve.points.iter().map(|(x, _)| *x).collect()
        };
        assert_eq!(xs(""), [4.0, 5.0, 6.0, 7.0]);
        assert_eq!(xs("fitted-line"), [4.0, 5.0, 6.0, 7.0]);
    }

    #[test]
    fn a_line_by_hand() {
        // 3 of 8 games are drawn at one level and 5 of 8 at the next. With the added games, the
        // rates are 3.5 / 9 and 5.5 / 9.
        let games: Vec<Drawn> = (0..8).flat_map(|i| [(0, i < 3), (1, i < 5)]).collect();
        let rates = fit(&[4.0, 5.0], &mut games.iter()).unwrap();
        assert!((rates[0] - 3.5 / 9.0).abs() < 1e-9 && (rates[1] - 5.5 / 9.0).abs() < 1e-9);
        // If all games are drawn, the fit is finite and flat.
        let rates = fit(&[4.0, 5.0], &mut [(0, true), (1, true)].iter()).unwrap();
        assert!(rates.iter().all(|rate| (rate - 0.75).abs() < 1e-9), "{rates:?}");
        assert!(fit(&[4.0, 5.0], &mut [(1, true), (1, false)].iter()).is_none(), "one level has no slope");
    }

    #[test]
    fn one_level_has_no_line() {
        let samples = samples(2, 20, |_| 0.0);
        let mut findings = Findings::new(RESAMPLING);
        measure(&samples[..1], &mut findings);
        let measured = findings.finish(Variant::Chess);
        assert!(measured.measures.is_empty());
        assert_eq!(measured.curves.len(), 1);
    }
}
