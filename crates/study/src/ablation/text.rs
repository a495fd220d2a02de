//! What the page says in words: true whatever came out.

use super::{AblationResults, Effect, Verdict};
use catapult_figures::format;
use catapult_report::results::Unit;

/// Seeds below which nothing is said of another one.
const FEWEST_SEEDS: usize = 3;

/// Runs whose spending differs by more than this share are not equal.
const UNEQUAL: f64 = 0.05;

/// A verdict as a word.
pub(super) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::NotResolved => "not resolved",
    }
}

/// A verdict with why nothing is resolved.
pub(super) fn judged(effect: &Effect) -> String {
    match (effect.verdict, effect.seeds.len()) {
        (Verdict::NotResolved, 1) => "one seed: not resolved".to_owned(),
        (Verdict::NotResolved, n) if n < FEWEST_SEEDS => format!("{n} seeds: not resolved"),
        (other, _) => verdict(other).to_owned(),
    }
}

/// An effect with its interval: over seeds where there is one, else of the games alone.
pub(super) fn elo(effect: &Effect) -> String {
    let ends = effect.estimate.rule.unwrap_or(effect.estimate.agents);
    let ends = format::difference_interval(ends, Unit::Elo);
    format!("{} {ends}", format::difference(effect.estimate.value, Unit::Elo))
}

/// The answer in a sentence.
pub(super) fn answer(results: &AblationResults) -> String {
    let names = |wanted: Verdict| -> Vec<&str> {
        results.effects.iter().filter(|e| e.verdict == wanted).map(|e| e.arm.as_str()).collect()
    };
    let part = |wanted: Verdict| match &names(wanted)[..] {
        [] => None,
        names => Some(format!("{}: {}", verdict(wanted), names.join(", "))),
    };
    let parts: Vec<String> =
        [Verdict::Better, Verdict::Worse, Verdict::NotResolved].into_iter().filter_map(part).collect();
    format!("Against {}, {}.", results.control, parts.join("; "))
}

/// How the runs were made equal.
pub(super) fn budget(results: &AblationResults) -> String {
    let work = format::count(results.budget.work);
    let fork = match results.fork {
        0 => "Every run starts from nothing".to_owned(),
        fork => format!(
            "The runs of a seed have their generations up to {fork} in common, trained as {} is, and then go on each in its own way",
            results.control
        ),
    };
    let equal = match results.budget.row_cost {
        0.0 => format!("{work} evaluations, learning not counted: runs are equal in evaluations"),
        cost => format!(
            "{work} evaluations, each row that is learned from counting as {cost} of them: runs are equal in cost, and in time as far \
             as that is what a row costs"
        ),
    };
    format!(
        "{fork}. Each ends with the first generation at whose end its budget is spent, and its learning rate falls with what is \
         spent. The budget, which the common generations share in, is {equal}. What memory answers counts as evaluated, so that a \
         run does not depend on how many games it plays at once."
    )
}

/// What must be said beside the figures.
pub(super) fn warnings(results: &AblationResults, changes: &[String]) -> Vec<String> {
    let mut warnings = Vec::new();
    if results.seeds.len() < FEWEST_SEEDS {
        warnings.push(format!(
            "{} training seed{}: intervals count games alone. Runs that differ in nothing but their seed differ by more than that, so \
             nothing is resolved; three seeds are needed.",
            results.seeds.len(),
            if results.seeds.len() == 1 { "" } else { "s" }
        ));
    }
    for run in results.runs.iter().filter(|run| run.spent < 1.0) {
        warnings.push(format!(
            "{} of seed {} came to its last generation, {}, with {:.0} % of its budget spent: it is not equal to the others. More \
             `generations` let it go on.",
            run.arm,
            run.seed,
            run.generations,
            100.0 * run.spent
        ));
    }
    let spent = |arm: &str| {
        let shares: Vec<f64> =
            results.runs.iter().filter(|run| run.arm == arm).map(|run| run.spent).collect();
        shares.iter().sum::<f64>() / shares.len() as f64
    };
    let control = spent(&results.control);
    for (arm, _) in &results.arms {
        let more = spent(arm) / control - 1.0;
        if more.abs() > UNEQUAL {
            warnings.push(format!(
                "{arm} spent {:.0} % {} than {} did: a generation is much of this budget, and runs end with whole ones. Smaller \
                 generations, or more to spend, make them more equal.",
                100.0 * more.abs(),
                if more > 0.0 { "more" } else { "less" },
                results.control
            ));
        }
    }
    let saturated = |effect: &&Effect| effect.seeds.iter().any(|seed| seed.pairs.is_saturated());
    for effect in results.effects.iter().chain(&results.opponents).filter(saturated) {
        warnings.push(format!(
            "{} against {}: a match was won or lost to the last game, so that its Elo is a bound and the mean says little.",
            effect.arm, effect.opponent
        ));
    }
    if !changes.is_empty() {
        warnings.push(format!(
            "The plan has changed since it was registered before the first game: {}.",
            changes.join(", ")
        ));
    }
    warnings
}

/// The effects as lines of a terminal.
pub fn told(results: &AblationResults) -> Vec<String> {
    let width = results.effects.iter().map(|effect| effect.arm.len()).max().unwrap_or(0);
    let line = |effect: &Effect| format!("{:width$}  {}  {}", effect.arm, elo(effect), judged(effect));
    results.effects.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{RunResult, SeedElo};
    use super::*;
    use catapult_report::results::Estimate;
    use catapult_stats::Pentanomial;
    use catapult_training::{BudgetConfig, Work};

    fn effect(arm: &str, verdict: Verdict, seeds: usize, pairs: [u64; 5]) -> Effect {
        let pairs = Pentanomial(pairs);
        let seed = |seed| SeedElo { seed, games: 8, pairs, elo: pairs.elo() };
        Effect {
            arm: arm.into(),
            opponent: "plain".into(),
            estimate: Estimate {
                value: 12.3,
                agents: [1.0, 23.0],
                rule: (seeds > 2).then_some([-9.6, 34.0]),
            },
            verdict,
            seeds: (1..=seeds as u64).map(seed).collect(),
        }
    }

    fn results(seeds: usize, effects: Vec<Effect>, spent: &[(&str, f64)]) -> AblationResults {
        let run = |&(arm, spent): &(&str, f64)| RunResult {
            arm: arm.into(),
            seed: 1,
            network: String::new(),
            trunk: None,
            generations: 7,
            games: 1,
            without_result: 0.0,
            work: Work::default(),
            spent,
        };
        AblationResults {
            name: "name".into(),
            question: String::new(),
            provenance: Default::default(),
            control: "plain".into(),
            arms: spent.iter().map(|(arm, _)| (arm.to_string(), Vec::new())).collect(),
            seeds: (1..=seeds as u64).collect(),
            fork: 0,
            budget: BudgetConfig { work: 1000, row_cost: 0.0 },
            simulations: 8,
            effects,
            opponents: Vec::new(),
            runs: spent.iter().map(run).collect(),
            warnings: Vec::new(),
        }
    }

    const EVEN: [u64; 5] = [1, 0, 2, 0, 1];

    #[test]
    fn the_answer_names_every_arm_once_under_what_was_found() {
        let effects = vec![
            effect("a", Verdict::NotResolved, 3, EVEN),
            effect("b", Verdict::Better, 3, EVEN),
            effect("c", Verdict::NotResolved, 3, EVEN),
        ];
        let found = results(3, effects, &[("plain", 1.01)]);
        assert_eq!(answer(&found), "Against plain, better: b; not resolved: a, c.");
        assert_eq!(told(&found)[1], "b  +12 Elo [\u{2212}10, +34]  better");
        assert_eq!(warnings(&found, &[]), Vec::<String>::new());
    }

    #[test]
    fn few_seeds_say_so() {
        for (seeds, said) in
            [(1, "one seed: not resolved"), (2, "2 seeds: not resolved"), (3, "not resolved")]
        {
            let found = effect("a", Verdict::NotResolved, seeds, EVEN);
            assert_eq!(judged(&found), said);
            let told = warnings(&results(seeds, vec![found], &[("plain", 1.0)]), &[]);
            assert_eq!(told.len(), usize::from(seeds < 3), "{told:?}");
        }
    }

    #[test]
    fn what_is_not_equal_is_told() {
        let found = results(
            3,
            vec![effect("a", Verdict::Better, 3, [0, 0, 0, 0, 4])],
            &[("plain", 1.0), ("a", 1.04)],
        );
        let told = warnings(&found, &["seeds (was [1], is [1, 2, 3])".into()]);
        assert!(
            told.len() == 2 && told[0].contains("last game") && told[1].contains("seeds (was"),
            "{told:?}"
        );
        let found = results(3, Vec::new(), &[("plain", 1.0), ("a", 1.06), ("b", 0.7)]);
        let told = warnings(&found, &[]);
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].starts_with("b of seed 1") && told[0].contains("70 %"), "{told:?}");
        assert!(told[1].starts_with("a spent 6 % more than plain"), "{told:?}");
        assert!(told[2].starts_with("b spent 30 % less than plain"), "{told:?}");
    }
}
