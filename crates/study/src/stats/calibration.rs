//! Predictions made honest: a monotone map from what was predicted to what came of it, fitted on other games.

use super::clustered::Clustered;

/// A monotone map fitted by least squares (isotonic regression, pool adjacent violators), straight between the ends of
/// neighbouring pools and constant beyond the last ones.
#[derive(Clone, PartialEq, Debug)]
pub struct Isotonic {
    /// (prediction, outcome), both rising: the first and the last prediction of each pool.
    knots: Vec<(f64, f64)>,
}

impl Isotonic {
    /// From pairs of a prediction and its outcome; none without any.
    pub fn fit(pairs: impl IntoIterator<Item = (f64, f64)>) -> Option<Isotonic> {
        let mut pairs: Vec<(f64, f64)> = pairs.into_iter().collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut pools: Vec<Pool> = Vec::new();
        for (x, y) in pairs {
            match pools.last_mut() {
                // Equal predictions have one outcome, their mean.
                Some(pool) if pool.last == x && pool.first == x => pool.merge(x, y, 1.0),
                _ => pools.push(Pool { first: x, last: x, sum: y, count: 1.0 }),
            }
        }
        let mut merged: Vec<Pool> = Vec::new();
        for mut pool in pools {
            while let Some(before) = merged.pop_if(|before| before.mean() >= pool.mean()) {
                pool = Pool {
                    first: before.first,
                    sum: before.sum + pool.sum,
                    count: before.count + pool.count,
                    ..pool
                };
            }
            merged.push(pool);
        }
        let knots: Vec<_> =
            merged.iter().flat_map(|pool| [(pool.first, pool.mean()), (pool.last, pool.mean())]).collect();
        (!knots.is_empty()).then_some(Isotonic { knots })
    }

    /// What comes of a prediction.
    pub fn at(&self, prediction: f64) -> f64 {
        let above = self.knots.partition_point(|knot| knot.0 < prediction);
        let Some(&(x1, y1)) = self.knots.get(above) else { return self.knots[self.knots.len() - 1].1 };
        if above == 0 || x1 == prediction {
            return y1;
        }
        let (x0, y0) = self.knots[above - 1];
        y0 + (y1 - y0) * (prediction - x0) / (x1 - x0)
    }
}

/// Neighbouring predictions with one outcome.
struct Pool {
    first: f64,
    last: f64,
    sum: f64,
    count: f64,
}

impl Pool {
    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn merge(&mut self, last: f64, sum: f64, count: f64) {
        self.last = last;
        self.sum += sum;
        self.count += count;
    }
}

/// The predictions of every game's plies calibrated on other games: each game is a list of (prediction, outcome), and gets
/// back what the map fitted on the other `folds` - 1 parts of the openings says. None where those have no game.
pub fn calibrated<T>(
    games: &Clustered<T>,
    pairs: impl Fn(&T) -> Vec<(f64, f64)>,
    folds: usize,
) -> Clustered<Option<Vec<f64>>> {
    let honest = |map: &Option<Isotonic>, game: &T| {
        let map = map.as_ref()?;
        Some(pairs(game).iter().map(|&(prediction, _)| map.at(prediction)).collect())
    };
    games.on_others(folds, |others| Isotonic::fit(others.flat_map(&pairs)), honest)
}

#[cfg(test)]
mod tests {
    use super::super::testing::close;
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    #[test]
    fn the_map_is_that_of_scikit_learn() {
        // IsotonicRegression(out_of_bounds="clip").fit(x, y).predict(..)
        let x = [0.8, 0.1, 0.2, 0.2, 0.3, 0.4, 0.55, 0.6, 0.7, 0.9];
        let y = [0.5, 0.0, 0.5, 0.0, 0.0, 1.0, 0.5, 0.0, 1.0, 1.0];
        let map = Isotonic::fit(x.into_iter().zip(y)).unwrap();
        let sixth = 1.0 / 6.0;
        for (x, expected) in [
            (0.0, 0.0),
            (0.15, sixth / 2.0),
            (0.25, sixth),
            (0.35, 2.0 * sixth),
            (0.5, 0.5),
            (0.65, 0.625),
            (0.75, 0.75),
            (1.0, 1.0),
        ] {
            close(map.at(x), expected, 1e-12);
        }
        assert_eq!(Isotonic::fit([]), None);
        assert_eq!(Isotonic::fit([(0.5, 0.3)]).unwrap().at(0.9), 0.3);
    }

    #[test]
    fn a_games_own_result_does_not_touch_its_calibration() {
        let games = |turned: Option<u64>| {
            Clustered::new((0..60u64).map(|game| {
                let outcome = f64::from(game % 3 == 0 || game > 40);
                let outcome = if turned == Some(game) { 1.0 - outcome } else { outcome };
                (game % 2, game, (game, vec![(game as f64 / 60.0, outcome)]))
            }))
        };
        let honest = |turned| calibrated(&games(turned), |(_, pairs)| pairs.clone(), 5);
        let (before, after) = (honest(None), honest(Some(17)));
        let changed: Vec<u64> = (games(None).iter().zip(before.iter().zip(after.iter())))
            .filter(|(_, (a, b))| a != b)
            .map(|((game, _), _)| *game)
            .collect();
        assert!(!changed.contains(&17) && !changed.is_empty(), "{changed:?}");
    }

    #[test]
    fn overconfidence_is_taken_back() {
        // Predicted 0.9 and 0.1 where 0.7 and 0.3 come out.
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let games = Clustered::new((0..2000u64).map(|game| {
            let favoured = random.random::<bool>();
            let scored = (random.random::<f64>() < 0.7) == favoured;
            (1, game, vec![(if favoured { 0.9 } else { 0.1 }, f64::from(scored))])
        }));
        for (given, honest) in games.iter().zip(calibrated(&games, Clone::clone, 4).iter()) {
            close(honest.as_ref().unwrap()[0], if given[0].0 > 0.5 { 0.7 } else { 0.3 }, 0.06);
        }
        let one = Clustered::new([(1, 1, vec![(0.5, 1.0)])]);
        assert_eq!(calibrated(&one, Clone::clone, 2).iter().next(), Some(&None), "there is no other game");
    }
}
