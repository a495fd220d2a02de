//! Sentences for warnings, for rules that no game used, and for notes below tables.

use crate::results::{Caps, Doubt, Note, Placebo, Unit, Warning};
use catapult_figures::format;
use catapult_measures::data::{NetworkId, SampleId};
use catapult_measures::games::GameInfo;
use catapult_measures::metrics;
use catapult_rules::Outcome;
use catapult_store::Difference;
use std::collections::BTreeMap;

/// Maximum number of metrics that a warning lists by name.
const NAMED: usize = 3;

/// Returns a warning in a few sentences.
pub fn warning(warning: &Warning) -> String {
    match warning {
        Warning::TruncatedEarlier { networks, training, study } => format!(
            "Training truncated games earlier than this study does: after {}, here after {} ({}). What happens later is new to these \
             players.",
            caps(training),
            caps(study),
            of_networks(networks)
        ),
        Warning::TrainingUnknown { networks } => format!(
            "It is unknown where training truncated games, or how its games ended ({}).",
            of_networks(networks)
        ),
        Warning::Unlearned { arm, networks, unread } => format!(
            "The network file records no training under `{arm}` ({}). {}Players trained with these rules may \
             play differently.",
            of_networks(networks),
            if *unread {
                "The network does not read these options either, so it plays them without knowing them. "
            } else {
                ""
            }
        ),
        Warning::UnknownOutcome { metric, outcome, shares, networks } => {
            let share = |(sample, share): &(SampleId, f64)| {
                format!("{} of the games of {}", format::value(*share, Unit::Share), arm_and_level(sample))
            };
            let shares: Vec<String> = shares.iter().map(share).collect();
            format!(
                "No game of training ended by {} ({}). In this study it ended {}, which decides the claim \
                 about the {}. The difference may come from the training.",
                outcome_name(*outcome),
                of_networks(networks),
                crate::words::list(&shares),
                name(metric)
            )
        }
        Warning::Worthless { metric, sample, worth } => {
            let ends = worth.rule.unwrap_or(worth.agents);
            let (sure, so) = match ends[1] < 0.0 {
                true => ("is below 0", " These players have not learned to use the moves."),
                false => ("is not shown to be above 0", ""),
            };
            format!(
                "The {} {sure} for these players: {} {} ({}).{so}",
                name(metric),
                format::difference(worth.value, Unit::Elo),
                format::difference_interval(ends, Unit::Elo),
                arm_and_level(sample)
            )
        }
        Warning::Skewed { metric, samples } => {
            let Some(first) = samples.first() else { return String::new() };
            let others = match samples.len() - 1 {
                0 => String::new(),
                1 => ", and in 1 other sample".to_owned(),
                n => format!(", and in {n} other samples"),
            };
            let unit = metrics::metric(metric).map_or(Unit::Count, |info| info.unit);
            format!(
                "A few games dominate the mean of {}: mean {}, median {} ({}){others}.",
                name(metric),
                format::number(first.mean, unit),
                format::number(first.median, unit),
                arm_and_level(&first.sample)
            )
        }
        Warning::NoSeedVariance { networks, endpoints } => {
            let mut names: Vec<&str> = endpoints.iter().map(|alike| name(&alike.metric)).collect();
            names.sort_unstable();
            names.dedup();
            let more = if names.len() > NAMED { " and others" } else { "" };
            format!(
                "Effects that vary between the {networks} networks no more than chance in the games \
                 explains: {} ({}{more}). The networks repeat one recipe; they are not {networks} \
                 independent opinions on the rule.",
                endpoints.len(),
                names[..names.len().min(NAMED)].join(", ")
            )
        }
        Warning::PieceValues { sample, doubt } => {
            let found = match doubt {
                Doubt::Order { .. } => {
                    "are not in the known order, so do not trust the values of other games either"
                }
                Doubt::Overlap { .. } => "are in the known order, but not for certain",
                Doubt::Unfitted | Doubt::UselessPawn => "are unknown",
            };
            let (sample, by) = (arm_and_level(sample), &sample.agent);
            format!("Piece values of {sample} by {by} {found}. {}", self::doubt(doubt))
        }
        Warning::SaturatedLadder { networks } => {
            let subject = |(arm, network): &_| format!("{arm} by {network}");
            let networks: Vec<String> = networks.iter().map(subject).collect();
            format!(
                "One player won every game of a rung of the skill ladder, so the ladder is longer than \
                 measured: {}.",
                networks.join("; ")
            )
        }
        Warning::FewSampledPlies { drawn, needed } => format!(
            "Only {drawn} plies were drawn from the improved policy; the {} needs {needed}.",
            name("opening_entropy_played")
        ),
        Warning::MoreSeeds { agent, seeds, registered } => format!(
            "Agent `{agent}` has {seeds} training seeds, {} beyond the {registered} that were registered.",
            seeds.saturating_sub(*registered)
        ),
        Warning::LateSeeds { agent } => format!(
            "The number of training seeds of agent `{agent}` was set after the first game, so it does not \
             count as registered."
        ),
        Warning::UnequalBudgets { agent, spent, control } => format!(
            "The runs of `{agent}` spent {} of their budget, and those of the control {}, so the two are not equal. Smaller \
             generations, or more of them, make budgets more equal.",
            format::value(*spent, Unit::Share),
            format::value(*control, Unit::Share)
        ),
        Warning::LookedBefore { times, networks, levels, alpha } => {
            let times = if *times == 1 { "once".to_owned() } else { format!("{times} times") };
            let levels = levels.iter().map(|level| format!("level {level}"));
            let added: Vec<String> = networks.iter().cloned().chain(levels).collect();
            let added = match added.as_slice() {
                [] => "nothing but the file has changed".to_owned(),
                added => format!("new: {}", added.join(", ")),
            };
            let left = match *alpha > 0.0 {
                true => format!("At this look, p must be below {}.", format::significance_level(*alpha)),
                false => "Earlier looks have spent all of it.".to_owned(),
            };
            format!(
                "The results have been looked at {times} before, with other networks, levels or claims (since the last time \
                 {added}). Each look spends part of the significance level. {left}"
            )
        }
        Warning::FileChanged { changes } => {
            let changes: Vec<String> = changes.iter().map(Difference::to_string).collect();
            format!(
                "The study's file has changed since it was registered before the first game: {}.",
                changes.join(", ")
            )
        }
    }
}

/// Returns a sentence about a rule that no game used, with an upper bound for the rate of use.
///
/// With no use in n games, the rate is below 3 / n per game with 95 % confidence (rule of three;
/// Hanley and Lippman-Hand 1983). Games are taken as independent. The bound has two digits, rounded
/// up.
pub fn placebo(placebo: &Placebo) -> String {
    let mut rules = GameInfo::of(placebo.arm.rules).added_rules.into_iter();
    let rule = rules.find(|rule| rule.id == placebo.rule);
    let (name, what) = rule.map_or((placebo.rule.as_str(), "uses"), |rule| (rule.name, rule.what));
    let bound = 3.0 / placebo.games.max(1) as f64;
    let decimals = (1.0 - bound.log10().floor()).max(0.0);
    let scale = 10f64.powf(decimals);
    let (bound, decimals) = ((bound * scale).ceil() / scale, decimals as usize);
    format!(
        "{name}: 0 {what} in {} games (with 95 % confidence there are some in fewer than {bound:.decimals$} of the games)",
        placebo.games
    )
}

/// Returns a note below a table in words. `None` for a note that only earlier versions wrote.
pub(super) fn note(note: &Note) -> Option<String> {
    match note {
        Note::PieceValues { fit, doubt } => {
            let left_out = if doubt.is_implausible() { " These values are left out." } else { "" };
            Some(format!("By {fit}: {}{left_out}", self::doubt(doubt)))
        }
        Note::FirstMoves { .. } => None,
    }
}

fn doubt(doubt: &Doubt) -> String {
    match doubt {
        Doubt::Unfitted => "There are too few games to fit any value.".to_owned(),
        Doubt::UselessPawn => {
            "It is not certain that one more pawn is of any use to these players, so values in pawns mean \
                               nothing."
                .to_owned()
        }
        Doubt::Order { values } => {
            let value = |(piece, value): &(String, Option<f64>)| match value {
                Some(value) => format!("{piece} {value:.1}"),
                None => format!("{piece} -"),
            };
            let values: Vec<String> = values.iter().map(value).collect();
            format!(
                "The order pawn < knight, bishop < rook < queen does not hold: {}. The players are too weak for piece values.",
                values.join(", ")
            )
        }
        Doubt::Overlap { pairs } => {
            let pairs: Vec<String> = pairs.iter().map(|[low, high]| format!("{low} and {high}")).collect();
            format!(
                "The games are too few, or the players too weak: intervals overlap for {}.",
                pairs.join("; ")
            )
        }
    }
}

/// Returns the name of a metric, or the id if the metric is unknown.
fn name(metric: &str) -> &str {
    metrics::metric(metric).map_or(metric, |info| info.name)
}

fn arm_and_level(sample: &SampleId) -> String {
    format!("{} at {} simulations", sample.arm, sample.simulations)
}

/// Returns the names of networks. An agent with more than three networks is listed by their number.
fn of_networks(networks: &[NetworkId]) -> String {
    let mut agents: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for network in networks {
        agents.entry(&network.agent).or_default().push(network.to_string());
    }
    let agent = |(agent, names): (&str, Vec<String>)| match names.len() {
        1..=3 => names.join(", "),
        n => format!("{n} networks of `{agent}`"),
    };
    agents.into_iter().map(agent).collect::<Vec<_>>().join(", ")
}

fn caps(caps: &Caps) -> String {
    let cap = |cap: Option<u32>, what: &str| cap.map_or(String::new(), |cap| format!("{cap} {what}"));
    let both = [
        cap(caps.no_progress, "plies without a reset of the half-move clock"),
        cap(caps.plies, "plies in all"),
    ];
    both.into_iter().filter(|cap| !cap.is_empty()).collect::<Vec<_>>().join(" or ")
}

/// Returns the name of an outcome in running text, for a reader who knows chess.
pub(super) fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::HundredPlies => "the fifty-move rule",
        Outcome::Capped => "truncation at the ply cap",
        Outcome::Dead => "a dead position",
        Outcome::Tablebase => "an endgame tablebase",
        Outcome::TimeForfeit => "loss on time",
        Outcome::IllegalMove => "an illegal move",
        Outcome::Checkmate
        | Outcome::Stalemate
        | Outcome::Repetition
        | Outcome::Resignation
        | Outcome::Crash => outcome.name(),
    }
}

#[cfg(test)]
#[path = "warnings_tests.rs"]
mod tests;
