//! Correction of p-values for multiple testing.

/// Returns adjusted p-values that control the false discovery rate (Benjamini and Hochberg 1995),
/// in the order of `p`.
///
/// Among the results with an adjusted p-value below 0.05, the expected share of false ones is at
/// most 5 %. A p-value of `None` counts as a test that found nothing. It stays `None`.
pub fn benjamini_hochberg(p: &[Option<f64>]) -> Vec<Option<f64>> {
    let tests = p.len() as f64;
    let mut order: Vec<(usize, f64)> = p.iter().enumerate().filter_map(|(i, p)| Some((i, (*p)?))).collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut adjusted = vec![None; p.len()];
    let mut least: f64 = 1.0;
    for (rank, &(i, p)) in order.iter().enumerate().rev() {
        least = least.min(p * tests / (rank + 1) as f64);
        adjusted[i] = Some(least);
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::super::testing::close;
    use super::*;

    #[test]
    fn p_values_are_adjusted_as_statsmodels_does() {
        // statsmodels.stats.multitest.multipletests(p, method="fdr_bh")
        let p = [
            0.269, 0.001, 0.041, 0.008, 0.039, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216, 0.222, 0.251, 0.275,
            0.34, 0.341, 0.384, 0.569, 0.594, 0.696, 0.762, 0.94, 0.942, 0.975, 0.986,
        ];
        let adjusted = benjamini_hochberg(&p.map(Some));
        for (i, expected) in
            [(1, 0.025), (3, 0.1), (4, 0.21), (2, 0.21), (5, 0.21), (6, 0.25), (7, 0.264_285_714)]
        {
            close(adjusted[i].unwrap(), expected, 1e-9);
        }
        close(adjusted[8].unwrap(), 0.491_071_43, 1e-8);
        close(adjusted[24].unwrap(), 0.986, 1e-12);
    }

    #[test]
    fn a_test_that_could_not_be_made_counts_as_one() {
        assert_eq!(
            benjamini_hochberg(&[None, Some(0.01), None, Some(0.6)]),
            [None, Some(0.04), None, Some(1.0)]
        );
        assert_eq!(benjamini_hochberg(&[]), []);
    }
}
