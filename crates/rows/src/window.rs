//! Size of the replay window: the most recent training samples of a run. The window grows with the
//! run.

use crate::WindowConfig;

/// Returns the window size in training samples after a run has played `played` samples (KataGo's
/// power law).
pub fn window_rows(config: &WindowConfig, played: u64) -> usize {
    let start = config.start_rows as f64;
    if (played as f64) <= start {
        return config.start_rows as usize;
    }
    let exponent = config.growth_exponent;
    let growth = ((played as f64 / start).powf(exponent) - 1.0) / exponent;
    (start * (1.0 + config.growth_scale * growth)) as usize
}

/// Returns the oldest generation in the window of `generation`. `rows[i]` is the number of training
/// samples of generation i + 1. Network 0 played generations 1 to 1 + `lag`.
///
/// # Panics
/// `rows` has fewer than `generation` entries.
pub fn first_generation(config: &WindowConfig, lag: u32, generation: u32, rows: &[u64]) -> u32 {
    let size = window_rows(config, rows.iter().sum()) as u64;
    let trained = lag.saturating_add(2);
    let least = if generation >= config.drop_untrained_at.max(trained) { trained } else { 1 };
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
        assert_eq!(first_generation(&config, 0, 1, &[20_000]), 1);
        assert_eq!(first_generation(&config, 0, 2, &[20_000, 20_000]), 1);
        // 60,000 rows: a window of 47,300 rows.
        assert_eq!(first_generation(&config, 0, 3, &[20_000; 3]), 1);
        // 80,000 samples: a window of about 57,356, which is three generations. Generation 1 is
        // excluded in any case.
        assert_eq!(first_generation(&config, 0, 4, &[20_000; 4]), 2);
        assert_eq!(
            first_generation(
                &config,
                0,
                8,
                &[10_000, 20_000, 20_000, 20_000, 20_000, 20_000, 20_000, 60_000]
            ),
            7
        );
        // With lag 1, the untrained network played generations 1 and 2 (14,000 samples each).
        assert_eq!(first_generation(&config, 0, 4, &[14_000; 4]), 2);
        assert_eq!(first_generation(&config, 1, 4, &[14_000; 4]), 3);
        assert_eq!(first_generation(&config, 1, 5, &[14_000; 5]), 3);
        // With lag 5 there are no other games yet, so the size decides.
        assert_eq!(first_generation(&config, 5, 4, &[14_000; 4]), 2);
    }
}
