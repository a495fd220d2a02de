//! What the page says in words: true whatever came out.

use super::{AblationResults, Effect, Verdict};
use crate::report::format;
use crate::results::Unit;

/// Seeds below which nothing is said of another one.
const FEWEST_SEEDS: usize = 3;

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
            "The runs of a seed have their generations up to {fork} in common, trained as `{}` is, and then go on each in its own way",
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
