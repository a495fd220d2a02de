//! Differences between two samples.

use super::combination::{Term, combination};
use super::difference::Difference;
use super::evidence::Evidence;

/// Returns the difference of a metric between two samples, arm minus control, computed by
/// [`combination`].
///
/// If `is_paired` is false, each sample was played by its own networks, and the test *for other
/// seeds* is Welch's t-test over networks. If it is true, the same networks played both samples, so
/// variation that they share cancels out of the difference. The test is then the paired t-test.
pub fn contrast(arm: &Evidence, control: &Evidence, is_paired: bool) -> Difference {
    let (arm, control) = (term(1.0, arm, 0), term(-1.0, control, 1));
    if is_paired { combination(&[&[arm, control]], 0.0) } else { combination(&[&[arm], &[control]], 0.0) }
}

fn term(weight: f64, evidence: &Evidence, games: usize) -> Term<'_> {
    Term { weight, estimate: evidence.estimate, networks: &evidence.networks, games }
}

#[cfg(test)]
mod tests {
    use super::super::share;
    use super::super::testing::{close, counted, frequency, synthetic};
    use super::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    fn scored(networks: &[(u64, u64)]) -> Evidence {
        share(&counted(networks), |&game| (game, 1.0)).unwrap()
    }

    fn against(arm: &Evidence, known: f64) -> Difference {
        combination(&[&[term(1.0, arm, 0)]], -known)
    }

    #[test]
    fn a_difference_of_two_shares_has_newcombes_interval() {
        // statsmodels: confint_proportions_2indep(56, 70, 48, 80, method="newcomb", correction=False)
        let found = contrast(&scored(&[(56, 70)]), &scored(&[(48, 80)]), false);
        close(found.estimate.value, 0.2, 1e-12);
        close(found.estimate.agents[0], 0.052_431_472, 1e-3);
        close(found.estimate.agents[1], 0.333_872_654, 1e-3);
        assert!(found.agents_p < 0.02 && found.probability_above > 0.99);
        assert_eq!(found.rule_p, None);
    }

    #[test]
    fn networks_of_their_own_are_held_apart_by_welchs_test() {
        // scipy.stats.ttest_ind([.30, .40, .35, .32], [.22, .25, .31], equal_var=False)
        let arm = scored(&[(300, 1000), (400, 1000), (350, 1000), (320, 1000)]);
        let control = scored(&[(220, 1000), (250, 1000), (310, 1000)]);
        let found = contrast(&arm, &control, false);
        close(found.rule_p.unwrap(), 0.069_115_128, 1e-8);
        close(found.spread.unwrap().1, 4.305_220_647, 1e-8);
        close(found.estimate.rule.unwrap()[0], -0.009_986_817, 1e-8);
        close(found.estimate.rule.unwrap()[1], 0.174_986_817, 1e-8);
        let mirrored = contrast(&control, &arm, false);
        assert_eq!(mirrored.rule_p, found.rule_p);
        close(mirrored.probability_above, 1.0 - found.probability_above, 1e-12);
    }

    #[test]
    fn the_same_networks_are_paired() {
        // scipy.stats.ttest_rel([.30, .40, .35], [.22, .25, .31])
        let arm = scored(&[(300, 1000), (400, 1000), (350, 1000)]);
        let control = scored(&[(220, 1000), (250, 1000), (310, 1000)]);
        let found = contrast(&arm, &control, true);
        close(found.rule_p.unwrap(), 0.107_407_533, 1e-8);
        close(found.estimate.rule.unwrap()[0], -0.048_310_934, 1e-8);
        close(found.estimate.rule.unwrap()[1], 0.228_310_934, 1e-8);
        // The networks differ after all, so nothing is paired.
        let fewer = scored(&[(220, 1000), (250, 1000)]);
        assert_eq!(contrast(&arm, &fewer, true).rule_p, None);
    }

    #[test]
    fn a_known_value_is_held_against_one_sample() {
        // scipy.stats.ttest_1samp([.30, .40, .35], .5)
        let found = against(&scored(&[(300, 1000), (400, 1000), (350, 1000)]), 0.5);
        close(found.estimate.value, -0.15, 1e-12);
        close(found.rule_p.unwrap(), 0.035_098_719, 1e-8);
        assert!(found.probability_above < 1e-6);
    }

    #[test]
    fn networks_that_agree_to_the_last_game_are_as_sure_as_their_games() {
        let found = against(&scored(&[(300, 1000); 3]), 0.28);
        assert_eq!(found.spread.unwrap().0, 0.0);
        assert!(found.agents_p > 0.005 && found.agents_p < 0.03);
        assert_eq!(found.rule_p, Some(found.agents_p));
    }

    #[test]
    fn nothing_against_nothing_is_no_difference() {
        let none = scored(&[(0, 100); 3]);
        let found = contrast(&none, &none, false);
        assert_eq!((found.estimate.value, found.agents_p, found.rule_p), (0.0, 1.0, Some(1.0)));
        assert_eq!(found.probability_above, 0.5);
        assert!(found.estimate.agents[0] < -0.02 && found.estimate.agents[1] > 0.02);
    }

    #[test]
    fn without_a_difference_the_rule_is_rarely_blamed_and_these_agents_often() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let mut sample = || share(&synthetic(3, 100, 0.4, 0.1, &mut random), |&game| (game, 1.0)).unwrap();
        let mut agents = 0;
        let rule = frequency(2000, || {
            let found = contrast(&sample(), &sample(), false);
            agents += usize::from(found.agents_p < 0.05);
            found.rule_p.unwrap() < 0.05
        });
        assert!((0.02..0.06).contains(&rule), "{rule}");
        assert!(agents > 500, "networks differ, and so do these: {agents}");
    }

    #[test]
    fn without_a_difference_between_games_these_agents_are_rarely_blamed() {
        let mut random = Pcg64Mcg::seed_from_u64(2);
        let mut sample = || share(&synthetic(1, 100, 0.1, 0.0, &mut random), |&game| (game, 1.0)).unwrap();
        let blamed = frequency(2000, || contrast(&sample(), &sample(), false).agents_p < 0.05);
        assert!((0.025..0.065).contains(&blamed), "{blamed}");
    }
}
