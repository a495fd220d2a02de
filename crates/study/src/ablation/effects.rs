//! What each arm gave, in Elo, with intervals over games and over seeds.

use super::{Effect, SeedElo, Verdict};
use catapult_measures::metrics::{mean, offsets};
use catapult_report::results::{Estimate, Strength};
use std::collections::BTreeMap;

/// The matches arm by arm and opponent by opponent, in their order; `opponent` says whom a match was against.
///
/// Each seed's match has its Elo with the interval of its pairs (pentanomial). An arm's is the mean over seeds, each counting alike:
/// with the seeds given, their errors are added in squares; over seeds, it is Student's t, which needs three of them and is never
/// narrower ([`Evidence::new`](catapult_stats::Evidence::new)).
pub fn effects(matches: &[Strength], opponent: impl Fn(&Strength) -> String) -> Vec<Effect> {
    let mut found: Vec<Effect> = Vec::new();
    for played in matches {
        let (arm, opponent) = (played.network.agent.clone(), opponent(played));
        let seed = SeedElo {
            seed: played.network.seed,
            games: played.result.games,
            pairs: played.result.pairs,
            elo: played.result.elo,
        };
        match found.iter_mut().find(|effect| effect.arm == arm && effect.opponent == opponent) {
            Some(effect) => effect.seeds.push(seed),
            None => found.push(Effect {
                arm,
                opponent,
                estimate: Estimate { value: 0.0, agents: [0.0; 2], rule: None },
                verdict: Verdict::NotResolved,
                seeds: vec![seed],
            }),
        }
    }
    for effect in &mut found {
        let values: BTreeMap<u64, _> =
            effect.seeds.iter().map(|found| (found.seed, offsets(found.elo))).collect();
        // Every effect has a seed.
        if let Some(evidence) = mean(&values) {
            effect.estimate = evidence.estimate;
        }
        effect.verdict = verdict(&effect.estimate);
    }
    found
}

/// Only an interval over seeds that leaves 0 out says anything of the next run.
fn verdict(estimate: &Estimate) -> Verdict {
    match estimate.rule {
        Some([low, _]) if low > 0.0 => Verdict::Better,
        Some([_, high]) if high < 0.0 => Verdict::Worse,
        _ => Verdict::NotResolved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_measures::data::{Checkpoint, NetworkId};
    use catapult_measures::testing::played;
    use catapult_rules::Variant;

    /// A match of 100 pairs, so many of them won two to nothing, one all, and lost.
    fn strength(arm: &str, seed: u64, [won, even, lost]: [u64; 3]) -> Strength {
        Strength {
            arm: Variant::Chess.into(),
            network: NetworkId { agent: arm.to_owned(), seed },
            checkpoint: Checkpoint::Last,
            simulations: 8,
            opponent: format!("plain-{seed}"),
            result: played([lost, 0, even, 0, won]),
        }
    }

    fn of(matches: &[Strength]) -> Vec<Effect> {
        effects(matches, |_| "plain".to_owned())
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-3, "{found} is not {expected}");
    }

    #[test]
    fn the_effect_is_the_mean_over_seeds_with_students_interval() {
        // Scores 60, 55 and 65 %: Elo 70.437, 34.860, 107.536; mean 70.944, standard deviation 36.340.
        let effects = of(&[
            strength("a", 1, [20, 80, 0]),
            strength("a", 2, [10, 90, 0]),
            strength("a", 3, [30, 70, 0]),
        ]);
        let [effect] = &effects[..] else { panic!("{effects:?}") };
        assert_eq!((effect.arm.as_str(), effect.opponent.as_str(), effect.seeds.len()), ("a", "plain", 3));
        close(effect.estimate.value, 70.944);
        // t(0.975, 2) = 4.302653; 4.302653 * 36.340 / sqrt(3) = 90.274.
        let [low, high] = effect.estimate.rule.unwrap();
        assert!((low + 19.33).abs() < 0.02 && (high - 161.22).abs() < 0.02, "{low} {high}");
        // With these seeds given it is far from 0; what another seed would give is not known.
        assert!(effect.estimate.agents[0] > 40.0 && effect.estimate.agents[1] < 100.0);
        assert_eq!(effect.verdict, Verdict::NotResolved);
    }

    #[test]
    fn a_verdict_needs_three_seeds_and_an_interval_without_0() {
        let same = |arm: &str, seeds: u64, pairs| {
            (1..=seeds).map(|seed| strength(arm, seed, pairs)).collect::<Vec<_>>()
        };
        let all = [
            same("one", 1, [60, 40, 0]),
            same("two", 2, [60, 40, 0]),
            same("three", 3, [60, 40, 0]),
            same("worse", 3, [0, 40, 60]),
            same("even", 3, [10, 80, 10]),
        ]
        .concat();
        let effects = of(&all);
        let told: Vec<_> =
            effects.iter().map(|e| (e.arm.as_str(), e.verdict, e.estimate.rule.is_some())).collect();
        let expected = [
            ("one", Verdict::NotResolved, false),
            ("two", Verdict::NotResolved, false),
            ("three", Verdict::Better, true),
            ("worse", Verdict::Worse, true),
            ("even", Verdict::NotResolved, true),
        ];
        assert_eq!(told, expected);
        // One seed: the match's own interval, of its games alone.
        let one = &effects[0];
        assert_eq!(
            (one.estimate.value, one.estimate.agents),
            (one.seeds[0].elo.value, [one.seeds[0].elo.low, one.seeds[0].elo.high])
        );
        // Seeds that agree to the last game are as sure as their games, and mirrored ones mirror.
        assert_eq!(effects[2].estimate.rule.unwrap(), effects[2].estimate.agents);
        close(effects[3].estimate.value, -effects[2].estimate.value);
    }
}
