//! Judgements in words: all sentences about a claim, its gates, and the data that would settle it.
//!
//! Intervals in these sentences are 95 % intervals over training seeds, unless another level is
//! given. They cover the effect expected if the same training is repeated with other seeds. With
//! [`Scheme::TheseNetworks`], they are for these networks only.

use crate::figure::sentence;
use crate::results::{
    Endpoint, Estimate, ExamGates, Gate, GateKind, Judgement, NetworkExam, Phrase, Place, Scatter, Scheme,
    SeedsNeeded, Times, Unit, Unmatched, Verdict, Withheld,
};
use crate::view::{info, name_of};
use catapult_figures::format;
use catapult_judge::SIGNIFICANT;
use catapult_measures::metrics::is_of_analysis;
use catapult_measures::{Arm, neither_side};
use catapult_rules::Variant;

/// Returns the name of an arm in running text: `chess`, `Chess++ with +free and +third`,
/// `Chess++ (neither side teleports)`.
pub fn game(arm: Arm) -> String {
    let rules = rules_name(arm.rules);
    arm.without.map_or(rules.clone(), |kind| format!("{rules} ({})", neither_side(kind)))
}

fn rules_name(rules: Variant) -> String {
    match rules {
        Variant::Chess => "chess".to_owned(),
        Variant::ChessPp(proposals) if proposals.is_empty() => "Chess++".to_owned(),
        Variant::ChessPp(proposals) => {
            let names: Vec<String> = proposals.each().iter().map(|(name, _)| format!("+{name}")).collect();
            format!("Chess++ with {}", list(&names))
        }
        Variant::Century => "Twenty-First Century Chess".to_owned(),
        Variant::Maxim => "Maxim chess".to_owned(),
        Variant::Half => "Chess and a Half".to_owned(),
    }
}

/// Returns a line about the exam of a network: `rules-1: exam, 9 gates passed, 1 failed, 2
/// unresolved`.
pub fn exam(found: &NetworkExam) -> String {
    let network = &found.network;
    let Some(ExamGates { passed, failed, unresolved, quick }) = found.gates else {
        return format!("{network}: no exam");
    };
    let kind = if quick { "quick exam" } else { "exam" };
    format!("{network}: {kind}, {passed} gates passed, {failed} failed, {unresolved} unresolved")
}

/// Returns the title of a claim with its rules: `Fewer draws: chesspp against chess`.
pub fn title(endpoint: &Endpoint) -> String {
    format!("{}: {}", sentence(&endpoint.claim), rules(endpoint))
}

/// Returns the arm of a claim and the control or fixed value: `chesspp against chess`,
/// `chesspp against 50.0 %`.
pub fn rules(endpoint: &Endpoint) -> String {
    format!("{} against {}", endpoint.arm, other(endpoint))
}

/// Returns the name of a claim's control, or the fixed value with its unit.
pub fn other(endpoint: &Endpoint) -> String {
    endpoint.control.map_or_else(|| fixed(endpoint), |control| control.to_string())
}

fn fixed(endpoint: &Endpoint) -> String {
    endpoint.against.map_or_else(|| "nothing".to_owned(), |value| format::value(value, unit(endpoint)))
}

fn unit(endpoint: &Endpoint) -> Unit {
    info(&endpoint.metric).unit
}

/// Returns the name of a claim's control in running text, or the fixed value with its unit.
fn control(endpoint: &Endpoint) -> String {
    match (endpoint.control, endpoint.against) {
        (Some(control), _) => game(control),
        (None, Some(0.0)) => "0".to_owned(),
        (None, _) => fixed(endpoint),
    }
}

/// Joins items by commas and `and`: `16, 64 and 128`.
pub(crate) fn list<T: ToString>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    match items.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} and {end}", rest.join(", ")),
        _ => items.concat(),
    }
}

/// Returns the size of a difference with its unit: `7.5 points` (percentage points), `23.0 plies`.
fn amount(size: f64, unit: Unit) -> String {
    match unit {
        Unit::Share => format!("{} points", format::number(size, Unit::Share)),
        unit => format::value(size, unit),
    }
}

fn signed(difference: f64, unit: Unit) -> String {
    let text = format::difference(difference, unit);
    text.strip_suffix(" pp").map_or_else(|| text.clone(), |number| format!("{number} points"))
}

/// Returns the result of a judgement in a sentence:
/// `Chess++ is drawn 7.5 points more often than chess [6.0, 8.9], in 12 of 12 networks.`
pub fn summary(judgement: &Judgement) -> String {
    let Judgement { endpoint, withheld, effect, gates, .. } = judgement;
    if let Some(withheld) = withheld {
        return not_shown(withheld);
    }
    if let Some(GateKind::Used { rule }) = gates.first().map(|gate| &gate.kind) {
        return format!("No game used {rule}, so nothing can be said about it.");
    }
    let Some(effect) = effect else { return not_measured(endpoint) };
    let (value, unit) = (effect.difference.value, unit(endpoint));
    let (arm, other, size) = (game(endpoint.arm), control(endpoint), amount(value.abs(), unit));
    let way = |[less, more]: [&'static str; 2]| if value < 0.0 { less } else { more };
    let phrase = if endpoint.control.is_none() { Phrase::Named } else { info(&endpoint.metric).phrase };
    let (ways, found) = match phrase {
        Phrase::Verb(verb) => {
            let ways = ["less", "more"];
            (ways, format!("{arm} {verb} {size} {} often than {other}", way(ways)))
        }
        Phrase::Longer => {
            let ways = ["shorter", "longer"];
            (ways, format!("{arm} {} {size} {} than {other}", way(["is", "takes"]), way(ways)))
        }
        Phrase::Named | Phrase::Noun(_) if endpoint.control.is_some() => {
            let ways = ["lower", "higher"];
            (ways, format!("in {arm} {} is {size} {} than in {other}", noun(endpoint), way(ways)))
        }
        Phrase::Named | Phrase::Noun(_) => {
            let ways = ["below", "above"];
            (ways, format!("in {arm} {} is {size} {} {other}", noun(endpoint), way(ways)))
        }
    };
    let when = if is_of_analysis(&endpoint.metric) { "without search, " } else { "" };
    let (ends, level) = judged_interval(judgement, &effect.difference);
    let interval = interval(ends, ways, unit);
    let level = level.map_or_else(String::new, |level| format!(" ({level})"));
    let (networks, judged) = (networks(judgement, value), judged(judgement));
    sentence(&format!("{when}{found} {interval}{level}{networks}{judged}."))
}

/// Returns the interval of the effect `found` on which its verdict depends, and the level of the
/// interval if that is not 95 %: `97.5 %`. Without a significance level left to this look, there is
/// no such interval, and the 95 % interval is returned.
pub(crate) fn judged_interval(judgement: &Judgement, found: &Estimate) -> (Option<[f64; 2]>, Option<String>) {
    let gate = judgement.gates.iter().find(|gate| gate.kind == GateKind::Significant);
    match gate.and_then(|gate| gate.interval).filter(|_| judgement.alpha != SIGNIFICANT) {
        Some(ends) => {
            // Two decimals distinguish the levels of the first looks.
            let percent = ((1.0 - judgement.alpha) * 1e4).round() / 100.0;
            (Some(ends), Some(format!("{percent} %")))
        }
        None => (judgement.scheme.interval(found), None),
    }
}

/// Returns a noun for the endpoint's metric that can follow `in Chess++`.
fn noun(endpoint: &Endpoint) -> String {
    match info(&endpoint.metric).phrase {
        Phrase::Noun(noun) => noun.to_owned(),
        _ => format!("the metric \u{201c}{}\u{201d}", name_of(&endpoint.metric)),
    }
}

/// Returns an interval without signs, for a sentence that gives the direction. The result is `[6.0,
/// 8.9]` if both ends have the same sign. Otherwise words show the direction of each end: `[13.6
/// less, 6.6 more]`.
fn interval(ends: Option<[f64; 2]>, [less, more]: [&str; 2], unit: Unit) -> String {
    let number = |end: f64| format::number(end.abs(), unit);
    match ends {
        None => "[unknown for other seeds]".to_owned(),
        Some([low, high]) if low < 0.0 && high > 0.0 => {
            format!("[{} {less}, {} {more}]", number(low), number(high))
        }
        Some([low, high]) if high <= 0.0 => format!("[{}, {}]", number(high), number(low)),
        Some([low, high]) => format!("[{}, {}]", number(low), number(high)),
    }
}

/// Returns a clause with the number of networks whose effect has the sign of `value`. Empty if
/// nothing was measured.
fn networks(judgement: &Judgement, value: f64) -> String {
    let Judgement { endpoint, seeds, networks, .. } = judgement;
    match (seeds.len(), networks) {
        (0, 0) => String::new(),
        (0, n) if endpoint.control.is_some() => format!(", with {} per rule set", count(*n)),
        (0, n) => format!(", with {}", count(*n)),
        (n, _) => {
            let agree = seeds.iter().filter(|seed| seed.value * value > 0.0).count();
            format!(", in {agree} of {}", count(n))
        }
    }
}

/// Returns a number of networks in words.
pub(crate) fn count(networks: usize) -> String {
    if networks == 1 { "1 network".to_owned() } else { format!("{networks} networks") }
}

/// Returns a clause that compares the effect with the smallest effect of interest. Empty if the
/// verdict does not depend on that comparison.
fn judged(judgement: &Judgement) -> String {
    let Judgement { endpoint, verdict, .. } = judgement;
    let smallest = amount(endpoint.smallest_effect, unit(endpoint));
    let size = match verdict {
        Verdict::Equivalent | Verdict::NoDifferenceThatMatters => {
            format!(": less than the {smallest} that would matter")
        }
        Verdict::More | Verdict::Fewer => format!(": more than the {smallest} that would matter"),
        Verdict::MoreSizeUnclear | Verdict::FewerSizeUnclear => {
            format!(": perhaps less than the {smallest} that would matter")
        }
        _ => String::new(),
    };
    if endpoint.by_construction { format!("{size}, which follows from the rules") } else { size }
}

fn not_measured(endpoint: &Endpoint) -> String {
    let games = match endpoint.control {
        Some(control) => format!("{} and {}", game(endpoint.arm), game(control)),
        None => game(endpoint.arm),
    };
    format!("Not measured in {games}: {}.", noun(endpoint))
}

fn not_shown(withheld: &Withheld) -> String {
    match withheld {
        Withheld::VariancesOnly => {
            "Not shown: only the scatter between training seeds was requested.".to_owned()
        }
        Withheld::MissingSeeds { agent, present, registered } => {
            format!("Not shown yet: {present} of {registered} registered seeds of `{agent}` are there.")
        }
    }
}

/// Returns a sentence with the reason why a claim is open: the first gate that does not pass.
/// `None` if the claim is not open, or if [`summary`] gives the reason.
pub fn why_open(judgement: &Judgement) -> Option<String> {
    let Judgement { verdict, endpoint, gates, effect, .. } = judgement;
    let is_unused = gates.iter().any(|gate| matches!(gate.kind, GateKind::Used { .. }));
    if !verdict.is_open() || effect.is_none() || is_unused {
        return None;
    }
    let is_inside = |gate: &Gate| gate.is_inside(endpoint.smallest_effect);
    let mut of_effect = gates.iter().filter(|gate| gate.kind == GateKind::Significant);
    // Find the gate that prevents the verdict "no difference that matters".
    if judgement.scheme != Scheme::Registered
        && of_effect.any(is_inside)
        && let Some(outside) = gates.iter().find(|gate| gate.is_of_strength() && !is_inside(gate))
    {
        let smallest = amount(endpoint.smallest_effect, unit(endpoint));
        return Some(match outside.value {
            Some(value) => {
                format!("It is less than {smallest}, but {}.", compared(judgement, outside, value))
            }
            None => format!("It is less than {smallest} here. {}", gate(judgement, outside)),
        });
    }
    gates.iter().find(|gate| gate.passed != Some(true)).map(|missed| gate(judgement, missed))
}

/// Returns the name of a gate: `significant`, `sign at 64 simulations`.
pub fn gate_name(kind: &GateKind) -> String {
    match kind {
        GateKind::Used { .. } => "rule used".to_owned(),
        GateKind::Significant => "significant".to_owned(),
        GateKind::Sign { at } => format!("sign {}", place(*at)),
        GateKind::Budget { times, .. } => format!("{times} the simulations"),
        GateKind::EqualStrength { .. } => "equal strength".to_owned(),
    }
}

fn place(at: Place) -> String {
    match at {
        Place::Level(level) => format!("at {level} simulations"),
        Place::LevelBelow => "at the level below".to_owned(),
        Place::Early => "at the earlier checkpoint".to_owned(),
    }
}

/// Returns the result of a gate in a sentence. If effects are withheld, the sentence gives the
/// scatter.
pub fn gate(judgement: &Judgement, gate: &Gate) -> String {
    if judgement.withheld.is_some() {
        return scatter(judgement, gate);
    }
    let effect = judgement.effect.as_ref().map_or(0.0, |effect| effect.difference.value);
    match (&gate.kind, gate.value) {
        (GateKind::Used { rule }, _) => {
            format!("No game used {rule}: whatever differs comes from elsewhere.")
        }
        (GateKind::Significant, p) => significance(judgement, gate, p),
        (_, Some(value)) => {
            let missed = match gate.passed {
                Some(false) if effect * value > 0.0 => ", which may be chance",
                Some(false) => ", not the same sign",
                _ => "",
            };
            sentence(&format!("{}{missed}.", compared(judgement, gate, value)))
        }
        (GateKind::Sign { at: Place::Early }, None) => {
            "No earlier checkpoint was measured, and a claim about networks must hold at two.".to_owned()
        }
        (GateKind::Sign { at: Place::LevelBelow }, None) => {
            "Only one search level was measured, and a claim must hold at two.".to_owned()
        }
        (GateKind::Sign { at }, None) => format!("Not measured {}.", place(*at)),
        (GateKind::Budget { times, .. }, None) => {
            format!("No games were played with {times} the control's simulations.")
        }
        (GateKind::EqualStrength { unmatched }, None) => {
            let why = unmatched.as_ref().map(|why| unmatched_words(&judgement.endpoint, why));
            format!("The sides cannot be matched for strength: {}.", why.unwrap_or_default())
        }
    }
}

/// Returns a clause with the difference at a gate and its interval:
/// `with half the control's simulations (32 against 64) it is +1.0 points [..]`.
fn compared(judgement: &Judgement, gate: &Gate, value: f64) -> String {
    let unit = unit(&judgement.endpoint);
    let at = match &gate.kind {
        GateKind::Sign { at } => place(*at),
        GateKind::Budget { times, levels } => {
            let pairs: Vec<String> = levels.iter().map(|(a, b)| format!("{a} against {b}")).collect();
            format!("with {times} the control's simulations ({})", list(&pairs))
        }
        _ => "between equally strong players".to_owned(),
    };
    let interval = gate.interval.map_or_else(
        || "[unknown for other seeds]".to_owned(),
        |ends| format::difference_interval(ends, unit),
    );
    format!("{at} it is {} {interval}", signed(value, unit))
}

/// Returns the result of the significance gate in a sentence. `p` is the adjusted p-value.
fn significance(judgement: &Judgement, gate: &Gate, p: Option<f64>) -> String {
    let Judgement { endpoint, effect, networks, alpha, .. } = judgement;
    let Some(effect) = effect else { return not_measured(endpoint) };
    let Some(p) = p else {
        return match gate.scatter {
            Some(_) => "It was not tested.".to_owned(),
            None => format!("With {} nothing is known about other seeds of this recipe.", count(*networks)),
        };
    };
    let adjusted = if endpoint.by_construction { "" } else { "adjusted " };
    let p_words = format!("{adjusted}p {}", format::p_value(p));
    let [chance, others] = match judgement.scheme {
        Scheme::TheseNetworks => ["Chance in the games", "More games of these networks"],
        _ => ["The choice of seeds", "Other seeds of this recipe"],
    };
    if gate.passed == Some(true) {
        return format!("{chance} alone does not explain it ({p_words}).");
    }
    if *alpha <= 0.0 {
        return "Earlier looks at this study have spent the whole significance level.".to_owned();
    }
    let left = match p < SIGNIFICANT {
        true => format!("; this look needs p below {}", format::significance_level(*alpha)),
        false => String::new(),
    };
    let found = &effect.difference;
    let (ends, level) = judged_interval(judgement, found);
    let [low, high] = ends.unwrap_or(found.agents).map(|end| signed(end, unit(endpoint)));
    let level = level.map_or_else(String::new, |level| format!("{level} interval, "));
    format!("{others} might show anything from {low} to {high} ({level}{p_words}{left}).")
}

fn unmatched_words(endpoint: &Endpoint, why: &Unmatched) -> String {
    match why {
        Unmatched::NoMatches { arm, agent } => {
            format!("no match gives the strength of {agent} in {}", game(*arm))
        }
        Unmatched::StrongerThroughout { arm: [low, high], control: [control_low, control_high] } => format!(
            "one side is stronger at every level ({low:+.0} to {high:+.0} Elo in {}, {control_low:+.0} to \
             {control_high:+.0} in {})",
            game(endpoint.arm),
            control(endpoint)
        ),
        Unmatched::TooFewLevels => "too few levels have both games and matches".to_owned(),
    }
}

/// Returns a sentence with the scatter between networks at a gate. It does not reveal the effect.
pub fn scatter(judgement: &Judgement, gate: &Gate) -> String {
    let unit = unit(&judgement.endpoint);
    let Some(Scatter { spread: (error, _), networks, sides, .. }) = gate.scatter else {
        return "So few networks do not tell how much networks of other seeds differ.".to_owned();
    };
    if sides == 2 {
        let error = amount(error, unit);
        return format!(
            "The standard error of the difference is {error}, equivalent to {} per side.",
            count(networks)
        );
    }
    let deviation = amount(error * (networks as f64).sqrt(), unit);
    format!("Between training seeds it scatters by {deviation} (standard deviation of {networks}).")
}

/// Returns sentences on the data that would settle a claim that is open or withheld. They name the
/// number of networks that every gate needs, and what else the failed gates need. `None` for other
/// claims.
pub fn would_settle(judgement: &Judgement) -> Option<String> {
    let Judgement { verdict, withheld, effect, gates, .. } = judgement;
    if !verdict.is_open() {
        return None;
    }
    if withheld.is_some() {
        return Some(enough_networks(judgement));
    }
    if judgement.scheme == Scheme::TheseNetworks {
        let games = "More games, in a new study, because the number is fixed. With the same `seed`, its first \
                     games are these. Then a p-value must be below .025 in both.";
        return Some(games.to_owned());
    }
    let mut failed = gates.iter().filter(|gate| gate.passed != Some(true));
    let is_unused = gates.iter().any(|gate| matches!(gate.kind, GateKind::Used { .. }));
    // Without a test, the required number of networks is unknown.
    if effect.is_none() || is_unused {
        return failed.next().and_then(|gate| gate_settles(judgement, gate)).map(str::to_owned);
    }
    let mut settle = vec![enough_networks(judgement)];
    for needs in failed.filter_map(|gate| gate_settles(judgement, gate)) {
        if settle.iter().all(|settle| settle != needs) {
            settle.push(needs.to_owned());
        }
    }
    Some(settle.join(" "))
}

const MORE_NETWORKS: &str = "Networks of at least three training seeds on each side.";

/// Returns a sentence on what a failed gate needs besides networks of more seeds. Returns `None` if
/// it needs nothing else.
fn gate_settles(judgement: &Judgement, gate: &Gate) -> Option<&'static str> {
    let effect = judgement.effect.as_ref().map(|effect| effect.difference.value);
    Some(match (&gate.kind, gate.value) {
        (GateKind::Used { .. }, _) => "Players that use the rule.",
        (GateKind::Significant, _) if effect.is_none() => "Games in which it can be measured on both sides.",
        (GateKind::Significant, _) if gate.scatter.is_none() => MORE_NETWORKS,
        (GateKind::Significant, _) => return None,
        (GateKind::Sign { at: Place::Early }, None) => {
            "An earlier checkpoint of the same networks (`early` of an agent)."
        }
        (GateKind::Sign { .. }, None) => "The same games at a second search level.",
        (GateKind::Sign { .. }, Some(value)) if effect.is_some_and(|effect| effect * value > 0.0) => {
            "More games at each level."
        }
        (GateKind::Sign { .. }, Some(_)) => {
            "More games at each level, or stronger networks: the effect may depend on strength."
        }
        (GateKind::Budget { times: Times::Half, .. }, None) => {
            "Games of both sides at levels of which one is half the other."
        }
        (GateKind::Budget { times: Times::Twice, .. }, None) => {
            "Games of both sides at levels of which one is twice the other."
        }
        (GateKind::Budget { .. }, Some(_)) => {
            "Stronger networks, or more search levels: strength may explain it."
        }
        (GateKind::EqualStrength { unmatched: Some(_) }, _) => {
            "Matches that give the strength of networks of both sides, at levels where they are alike."
        }
        (GateKind::EqualStrength { .. }, _) => {
            "Networks of both sides that are equally strong, at the strongest level."
        }
    })
}

/// Returns a sentence with the number of networks with which 80 % of studies would pass the hardest
/// gate. All gates together pass in fewer studies.
fn enough_networks(judgement: &Judgement) -> String {
    let smallest = amount(judgement.endpoint.smallest_effect, unit(&judgement.endpoint));
    let asked = judgement.gates.iter().filter_map(|gate| Some((gate, gate.scatter?)));
    let needed: Option<Vec<(SeedsNeeded, &Gate, Scatter)>> =
        asked.map(|(gate, scatter)| Some((gate.seeds?, gate, scatter))).collect();
    let Some(needed) = needed else {
        return format!(
            "Stronger or more similar networks: no affordable number of these would show {smallest}."
        );
    };
    let hardest = needed.iter().rev().max_by_key(|(seeds, ..)| seeds.estimate);
    // No gate has a scatter.
    let Some((most, gate, scatter)) = hardest else { return MORE_NETWORKS.to_owned() };
    let low = needed.iter().map(|(seeds, ..)| seeds.low).max().unwrap_or(most.low);
    let high = needed.iter().map(|(seeds, ..)| seeds.high).reduce(|a, b| Some(a?.max(b?))).flatten();
    let between = match high {
        Some(high) if (low, high) == (most.estimate, most.estimate) => String::new(),
        Some(high) => format!(" (from {low} to {high}: the scatter is known from few networks)"),
        None => {
            format!(" (from {low} to more than ten thousand: the scatter is known from too few networks)")
        }
    };
    let finds = match needed.len() {
        1 => format!("find an effect of {smallest} four times in five"),
        _ => format!(
            "pass each gate (the hardest is \u{201c}{}\u{201d}) at least four times in five for an effect of \
             {smallest}, and all gates together less often",
            gate_name(&gate.kind)
        ),
    };
    let games = match scatter.least.powi(2) > scatter.spread.0.powi(2) / 2.0 {
        true => {
            " Most of the uncertainty comes from too few games, so more games per network would do as well."
        }
        false => "",
    };
    let side = if scatter.sides == 2 { " on each side" } else { "" };
    format!(
        "Networks of {} training seeds{side}{between} would {finds}, if they differ as these do.{games}",
        most.estimate
    )
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
