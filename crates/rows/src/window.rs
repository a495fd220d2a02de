//! The replay window: the most recent rows, more of them as the run goes on.

use crate::WindowConfig;
use crate::rows::Row;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rows by the generation that learned from them first.
#[derive(Debug)]
pub struct Window<P> {
    generations: BTreeMap<u32, Arc<Vec<Row<P>>>>,
}

impl<P> Default for Window<P> {
    fn default() -> Self {
        Window { generations: BTreeMap::new() }
    }
}

impl<P> Window<P> {
    /// Whether a generation's rows are here.
    pub fn contains(&self, generation: u32) -> bool {
        self.generations.contains_key(&generation)
    }

    /// The rows of a generation that is here.
    pub fn of(&self, generation: u32) -> &[Row<P>] {
        self.generations.get(&generation).map_or(&[], |rows| rows)
    }

    /// Adds a generation's rows.
    pub fn insert(&mut self, generation: u32, rows: Vec<Row<P>>) {
        self.generations.insert(generation, Arc::new(rows));
    }

    /// Forgets rows before a generation.
    pub fn forget_before(&mut self, generation: u32) {
        self.generations.retain(|&g, _| g >= generation);
    }

    /// The last `size` rows, oldest first.
    pub fn rows(&self, size: usize) -> Vec<&Row<P>> {
        let all: Vec<&Row<P>> = self.generations.values().flat_map(|rows| rows.iter()).collect();
        all[all.len().saturating_sub(size)..].to_vec()
    }
}

/// The window's size after `played` rows in all (KataGo's power law).
pub fn window_rows(config: &WindowConfig, played: u64) -> usize {
    let start = config.start_rows as f64;
    if (played as f64) <= start {
        return config.start_rows as usize;
    }
    let exponent = config.growth_exponent;
    let growth = ((played as f64 / start).powf(exponent) - 1.0) / exponent;
    (start * (1.0 + config.growth_scale * growth)) as usize
}

/// The first generation whose rows the window of `generation` reaches, given the rows that each generation from 1
/// on gave.
pub fn first_generation(config: &WindowConfig, generation: u32, rows: &[u64]) -> u32 {
    let size = window_rows(config, rows.iter().sum()) as u64;
    let least = if generation >= config.drop_untrained_at { 2 } else { 1 };
    let mut reached = 0;
    let mut first = generation;
    while reached + rows[first as usize - 1] < size && first > least {
        reached += rows[first as usize - 1];
        first -= 1;
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_constant_at_first_and_then_grows_more_slowly_than_the_rows() {
        let config = WindowConfig::default();
        assert_eq!(window_rows(&config, 10_000), 30_000);
        assert_eq!(window_rows(&config, 30_000), 30_000);
        // By hand: 4^0.75 = 2.8284, (2.8284 - 1) / 0.75 * 0.4 = 0.97516.
        assert_eq!(window_rows(&config, 120_000), 59_254);
    }

    #[test]
    fn the_window_reaches_back_as_far_as_its_rows() {
        let config = WindowConfig::default();
        assert_eq!(first_generation(&config, 1, &[20_000]), 1);
        assert_eq!(first_generation(&config, 2, &[20_000, 20_000]), 1);
        // 60,000 rows: a window of 47,300 rows.
        assert_eq!(first_generation(&config, 3, &[20_000; 3]), 1);
        // 80,000 rows: 57,356 or so, three generations; generation 1 is dropped in any case.
        assert_eq!(first_generation(&config, 4, &[20_000; 4]), 2);
        assert_eq!(
            first_generation(&config, 8, &[10_000, 20_000, 20_000, 20_000, 20_000, 20_000, 20_000, 60_000]),
            7
        );
    }
}
