//! Many tests at once.

/// p-values adjusted for their number (Benjamini and Hochberg 1995): among those below 0.05, at most one in twenty is
/// expected to be false. One that could not be computed counts as a test that found nothing.
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
