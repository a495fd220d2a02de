//! Calibration: a monotone map that replaces a prediction by the mean outcome after such
//! predictions.
//!
//! The games on which the map is fitted must not be the games to which it is applied. See
//! [`Clustered::on_others`](super::Clustered::on_others).

/// Isotonic regression: a monotone map from predictions to outcomes, fitted by least squares (pool
/// adjacent violators).
///
/// A pool is a range of predictions with one fitted outcome. Between pools, the map is linear.
/// Below the first pool and above the last pool, it is constant.
#[derive(Clone, PartialEq, Debug)]
pub struct Isotonic {
    /// Pairs of (prediction, fitted outcome), both in increasing order. Each pool has two pairs:
    /// for its first and its last prediction.
    knots: Vec<(f64, f64)>,
}

impl Isotonic {
    /// Fits the map to pairs of (prediction, outcome). Returns `None` if there are no pairs.
    pub fn fit(pairs: impl IntoIterator<Item = (f64, f64)>) -> Option<Isotonic> {
        let mut pairs: Vec<(f64, f64)> = pairs.into_iter().collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut pools: Vec<Pool> = Vec::new();
        for (x, y) in pairs {
            match pools.last_mut() {
                // Equal predictions share one outcome, their mean.
                Some(pool) if pool.last == x => {
                    pool.sum += y;
                    pool.count += 1.0;
                }
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

    /// Returns the calibrated value of `prediction`.
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

/// A range of predictions, from `first` to `last`, with one fitted outcome: `sum / count`.
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
}

#[cfg(test)]
mod tests {
    use super::super::Clustered;
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
    fn overconfidence_is_taken_back() {
        // Predictions 0.9 and 0.1 have outcomes 0.7 and 0.3. A fit on half of the games is right
        // about the others.
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let games = Clustered::new((0..2000u64).map(|game| {
            let favoured = random.random::<bool>();
            let scored = (random.random::<f64>() < 0.7) == favoured;
            (1, game, (if favoured { 0.9 } else { 0.1 }, f64::from(scored)))
        }));
        let fit = |others: &mut dyn Iterator<Item = &(f64, f64)>| Isotonic::fit(others.copied()).unwrap();
        for (given, honest) in games.iter().zip(games.on_others(2, fit, |map, game| map.at(game.0)).iter()) {
            close(*honest, if given.0 > 0.5 { 0.7 } else { 0.3 }, 0.06);
        }
    }
}
