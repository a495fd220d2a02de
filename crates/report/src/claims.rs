//! Sentences about claims with their numbers: registration, levels, effects, strength of the
//! players.

use super::figure::sentence;
use super::view::{Level, ResultsView, info, level, level_label, level_words, name_of, unique};
use super::{strength, words};
use crate::results::{
    Contrast, Direction, Endpoint, Estimate, Judgement, Registration, Robustness, WithoutSeed,
};
use catapult_figures::format;
use catapult_measures::data::SampleId;

/// HTML id of the chapter of claims on a page.
pub(super) const CLAIMS: &str = "claims";

/// Returns the claims of an endpoint's family in words: `all claims`, or for example
/// `the 6 claims of the family "paper"`.
pub(super) fn family(view: &ResultsView, endpoint: &Endpoint) -> String {
    let endpoints = || view.results.judgements.iter().map(|judgement| &judgement.endpoint);
    if endpoints().all(|other| other.family == endpoint.family) {
        return "all claims".to_owned();
    }
    let claims =
        endpoints().filter(|other| other.family == endpoint.family && !other.by_construction).count();
    match &endpoint.family {
        Some(name) => format!("the {claims} claims of the family \u{201c}{name}\u{201d}"),
        None => format!("the {claims} claims without a family"),
    }
}

/// Returns a sentence about the families of claims. `None` if there is only one family.
pub(super) fn families(judgements: &[Judgement]) -> Option<String> {
    let endpoints = judgements.iter().map(|judgement| &judgement.endpoint);
    let families = unique(endpoints.filter(|it| !it.by_construction).map(|endpoint| &endpoint.family));
    (families.len() > 1).then(|| {
        format!(
            "The claims are {} families: p-values are adjusted within each family, and each family has the \
             whole significance level.",
            families.len()
        )
    })
}

/// Returns true if claims were added or changed after the registration.
fn has_changed_claims(registration: &Registration) -> bool {
    registration.changes.iter().any(|change| change.is_under(&["endpoints"]))
}

/// Returns a sentence about the endpoint as the study's file has it.
pub(super) fn registered(judgement: &Judgement, registration: &Registration) -> String {
    let endpoint = &judgement.endpoint;
    let direction = match endpoint.direction {
        Direction::Lower => "lower",
        Direction::Higher => "higher",
    };
    let smallest = format::difference(endpoint.smallest_effect.abs(), info(&endpoint.metric).unit);
    let smallest = smallest.trim_start_matches('+');
    let when = match has_changed_claims(registration) {
        true => "In the study's file, whose claims changed after the registration",
        false => "Registered before the games",
    };
    format!(
        "{when}: {}, {} {direction} than {}; an effect of {smallest} is the smallest that matters.",
        name_of(&endpoint.metric),
        endpoint.arm,
        words::other(endpoint)
    )
}

/// Returns the judged effect: the mean of the endpoint's levels, else the effect at the strongest
/// level. `None` if nothing was measured.
pub(super) fn judged(judgement: &Judgement) -> Option<&Contrast> {
    judgement.effect.as_ref().or(judgement.levels.last())
}

/// Returns the levels of the effect in words: `at 64`, `mean of 32, 64 and 128`. Empty if nothing
/// was measured.
pub(super) fn at_levels(judgement: &Judgement) -> String {
    let named = &judgement.endpoint.levels;
    if named.len() > 1 {
        return format!("mean of {}", words::list(named));
    }
    judged(judgement).map_or_else(String::new, |contrast| format!("at {}", level_label(level(&contrast.arm))))
}

/// Returns sentences on the registration. They give the number of claims, the looks, the
/// significance level left, and changes of the study's file.
pub(super) fn registration(registration: &Registration, claims: usize) -> String {
    let Registration { hash, changes, looks, alpha } = registration;
    let claims = match claims {
        1 => "one claim".to_owned(),
        n => format!("{n} claims"),
    };
    let (blind, effects): (Vec<_>, Vec<_>) = looks.iter().partition(|look| look.variances_only);
    let times = match effects.len() {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{n} times"),
    };
    let blind = match blind.len() {
        0 => String::new(),
        1 => ", and the scatter between seeds alone once".to_owned(),
        n => format!(", and the scatter between seeds alone {n} times"),
    };
    let level = format::significance_level(*alpha);
    let changed = match changes.as_slice() {
        [] => "The file has not changed since.".to_owned(),
        changes => {
            let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
            format!("The file has changed since: {}.", changes.join("; "))
        }
    };
    let registered = match has_changed_claims(registration) {
        true => format!("The file {hash:.12}\u{2026} (BLAKE3). Now it has {claims}"),
        false => format!("{claims}, in the file {hash:.12}\u{2026} (BLAKE3)"),
    };
    format!(
        "Registered before the first game: {registered}. The effects were looked at {times}{blind}; the \
         significance level of this look is {level}. {changed}"
    )
}

/// Returns a sentence with the effect and both its intervals. It also gives the values of the arm
/// and of its control at each level of the effect.
pub(super) fn effect(view: &ResultsView, judgement: &Judgement, contrast: &Contrast) -> String {
    let unit = info(&contrast.metric).unit;
    let of = |sample: &SampleId, at| {
        let series = view.series_of(sample)?;
        let value = view.measure(&contrast.metric, series, at)?.estimate.value;
        Some(format!("{} {}", series.label, format::value(value, unit)))
    };
    let samples = || [Some(&contrast.arm), contrast.control.as_ref()].into_iter().flatten();
    let values = |at: Level| samples().filter_map(|sample| of(sample, at)).collect::<Vec<_>>().join(", ");
    let averaged = levels(judgement, contrast);
    let at = |at: &Level| format!("{} at {}", values(*at), level_words(*at));
    let (values, difference) = match averaged.as_slice() {
        [one] if values(*one).is_empty() => (format!(" at {}", level_words(*one)), "difference"),
        [one] => (format!(" at {}: {}", level_words(*one), values(*one)), "difference"),
        several => {
            (format!(": {}", several.iter().map(at).collect::<Vec<_>>().join("; ")), "mean difference")
        }
    };
    format!(
        "{}{values}; {difference} {}, {}.",
        sentence(&name_of(&contrast.metric)),
        format::difference(contrast.difference.value, unit),
        format::both(&contrast.difference, unit),
    )
}

/// Returns the levels over which an effect is averaged, or the single level of the effect.
fn levels(judgement: &Judgement, contrast: &Contrast) -> Vec<Level> {
    let (checkpoint, simulations) = level(&contrast.arm);
    match judgement.endpoint.levels.as_slice() {
        [] | [_] => vec![(checkpoint, simulations)],
        several => several.iter().map(|&simulations| (checkpoint, simulations)).collect(),
    }
}

/// Returns sentences on the robustness of an effect: its size at other levels and without single
/// networks.
pub(super) fn robustness(judgement: &Judgement) -> Vec<String> {
    let unit = info(&judgement.endpoint.metric).unit;
    let Robustness { all_levels, strongest, without } = &judgement.robustness;
    let mut said = Vec::new();
    let told = |found: &Estimate| {
        format!("{}, {}", format::difference(found.value, unit), format::both(found, unit))
    };
    let others = [
        ("on average over every level that was played", all_levels),
        ("at the strongest level alone", strongest),
    ];
    for (place, contrast) in others {
        said.extend(
            contrast.as_ref().map(|contrast| format!("{}: {}.", sentence(place), told(&contrast.difference))),
        );
    }
    let by_value = |a: &&WithoutSeed, b: &&WithoutSeed| a.value.total_cmp(&b.value);
    if let (Some(low), Some(high)) = (without.iter().min_by(by_value), without.iter().max_by(by_value)) {
        let end =
            |left: &WithoutSeed| format!("{} (seed {})", format::difference(left.value, unit), left.seed);
        said.push(format!(
            "With any one network left out, the effect lies between {} and {}.",
            end(low),
            end(high)
        ));
        let leaves_out_zero =
            |left: &&WithoutSeed| left.rule.is_some_and(|[low, high]| low > 0.0 || high < 0.0);
        if without.iter().all(|left| left.rule.is_some()) {
            let clear = without.iter().filter(leaves_out_zero).count();
            said.push(format!(
                "Without any one network, the others' 95 % interval for other seeds excludes 0 in {clear} of {} cases.",
                without.len()
            ));
        }
    }
    said
}

/// Returns a sentence on the strength of the networks that play the arm and of the networks that
/// play its control. It is about the strongest level of the effect at which strength was measured.
/// Returns `None` if there is no such level.
pub(super) fn at_strength(view: &ResultsView, judgement: &Judgement, contrast: &Contrast) -> Option<String> {
    let samples = || [Some(&contrast.arm), contrast.control.as_ref()].into_iter().flatten();
    levels(judgement, contrast).into_iter().rev().find_map(|(checkpoint, simulations)| {
        let of = |sample: &SampleId| {
            let label = view.series_of(sample).map_or_else(|| sample.arm.to_string(), |s| s.label.clone());
            let sample = SampleId { checkpoint, simulations, ..sample.clone() };
            Some(format!("{label} scores {}", strength::in_words(view, &sample)?))
        };
        let said: Vec<String> = samples().filter_map(of).collect();
        (!said.is_empty()).then(|| {
            format!(
                "Strength of the players at {}: {}.",
                level_words((checkpoint, simulations)),
                said.join("; ")
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_store::Difference;

    #[test]
    fn looks_are_counted_apart_by_what_was_shown() {
        let look = |variances_only| crate::results::LookTaken {
            file: String::new(),
            networks: Vec::new(),
            hashes: Vec::new(),
            levels: vec![64],
            variances_only,
        };
        let hash = "0123456789abcdef".to_owned();
        let taken = Registration {
            hash,
            looks: vec![look(true), look(false), look(false)],
            alpha: 0.031,
            changes: vec![],
        };
        let said = registration(&taken, 2);
        for part in [
            "2 claims, in the file 0123456789ab\u{2026}",
            "looked at twice, and the scatter between seeds alone once",
            "significance level of this look is 0.03",
            "has not changed",
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
        let change = Difference { key: "endpoints".to_owned(), before: None, now: None };
        let said = registration(&Registration { changes: vec![change], ..taken }, 2);
        assert!(said.contains("Now it has 2 claims") && !said.contains("claims, in the file"), "{said}");
    }
}
