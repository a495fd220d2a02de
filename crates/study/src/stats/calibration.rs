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
