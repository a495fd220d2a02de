//! The page of an ablation, its figure, and its data.

use super::{AblationResults, Effect, RunResult, RunTime, Verdict, text};
use catapult_figures::chart::forest::{Forest, Kind, Row};
use catapult_figures::format;
use catapult_report::figure::Figure;
use catapult_report::html::{page, parts};
use catapult_report::results::{Estimate, Unit};
use catapult_report::{PAGE_FILE, ReportError, save};
use maud::{Markup, html};
use std::path::Path;

/// Writes `results.json`, `times.json`, `figures/effects.svg` and `report.html`. The same results make the same bytes, but for what
/// tells how long it took: `times.json` and one line of the page.
pub(super) fn write(results: &AblationResults, times: &[RunTime], dir: &Path) -> Result<(), ReportError> {
    let json = |error: serde_json::Error| ReportError::Report(error.to_string());
    save(dir, "results.json", &(serde_json::to_string_pretty(results).map_err(json)? + "\n"))?;
    save(dir, "times.json", &(serde_json::to_string_pretty(times).map_err(json)? + "\n"))?;
    let figure = figure(results);
    let file = figure.drawing.file(&figure.title);
    save(&dir.join("figures"), &format!("{}.svg", figure.id), &file)?;
    save(dir, PAGE_FILE, &whole(results, times, &figure))
}

/// Every arm's effect, seed by seed and over seeds.
fn figure(results: &AblationResults) -> Figure {
    let group = |effect: &Effect| {
        let mut rows: Vec<Row> = effect
            .seeds
            .iter()
            .map(|found| Row {
                kind: Kind::Network,
                name: format!("seed {}", found.seed),
                estimate: Estimate {
                    value: found.elo.value,
                    agents: [found.elo.low, found.elo.high],
                    rule: None,
                },
            })
            .collect();
        if effect.seeds.len() > 1 {
            rows.push(Row { kind: Kind::Mean, name: "mean".into(), estimate: effect.estimate });
        }
        (format!("{}: {}", effect.arm, text::judged(effect)), rows)
    };
    let forest = Forest {
        axis: format!("Elo against {} of the same seed", results.control),
        unit: Unit::Elo,
        color: 1,
        smallest: 0.0,
        groups: results.effects.iter().map(group).collect(),
    };
    Figure {
        id: "effects".into(),
        chapter: None,
        title: "What each arm gives".into(),
        caption: format!(
            "Matches at {} simulations a move. Whiskers are 95 % intervals: thick for the games of these networks, thin over seeds \
             (none with fewer than three), an arrow: it goes on.",
            results.simulations
        ),
        drawing: forest.draw(),
    }
}

fn whole(results: &AblationResults, times: &[RunTime], figure: &Figure) -> String {
    let content = html! {
        header {
            p.lead { "Ablation " b { (parts::text(&results.name)) } }
            h1 { (parts::text(&results.question)) }
        }
        main {
            section id="effects" {
                h2 { "Effects" }
                p { (parts::text(&text::answer(results))) }
                (effects(results))
                (parts::figure(figure))
                p.small {
                    "An effect is the mean over training seeds of the Elo between two runs of one seed. It is resolved where the 95 % interval over \
                     seeds (Student's t, never narrower than that of the games) leaves 0 out; each interval stands for itself, so of twenty \
                     effects that are nothing one is expected to be called something."
                }
                @for warning in &results.warnings { div class="box warn" { p { (parts::text(warning)) } } }
            }
            section id="equal" {
                h2 { "What was equal" }
                p { (parts::text(&text::budget(results))) }
                (runs(results))
                h3 { "How long it took" }
                p.small.dim {
                    "Seconds after the fork, in the processes that ended the generations: where a run was interrupted, what had been done before is \
                     not in them. They hold for the machine that it ran on."
                }
                // On a line of its own: nothing else of the page differs between two machines.
                (maud::PreEscaped("\n")) (durations(results, times)) (maud::PreEscaped("\n"))
            }
            @if !results.opponents.is_empty() {
                section id="opponents" { h2 { "Against fixed opponents" } (opponents(results)) }
            }
            section id="provenance" { h2 { "How to repeat it" } (provenance(results)) }
        }
    };
    page(&format!("{}: {}", results.name, results.question), &content)
}

fn table(content: &Markup) -> Markup {
    html! { div.scroll tabindex="0" { table { (content) } } }
}

fn badge(effect: &Effect) -> Markup {
    let (class, sign) = match effect.verdict {
        Verdict::Better => ("supported", "✓"),
        Verdict::Worse => ("contradicted", "✗"),
        Verdict::NotResolved => ("open", "?"),
    };
    html! { span class=(format!("badge {class}")) { (sign) " " (text::judged(effect)) } }
}

fn interval(ends: Option<[f64; 2]>) -> String {
    ends.map_or_else(|| "–".to_owned(), |ends| format::difference_interval(ends, Unit::Elo))
}

fn effects(results: &AblationResults) -> Markup {
    let set = |arm: &str| {
        let found = results.arms.iter().find(|(name, _)| name == arm);
        found.map_or(String::new(), |(_, set)| if set.is_empty() { "nothing".into() } else { set.join(", ") })
    };
    table(&html! {
        tr { th { "arm" } th.left { "what differs from the training config" } th { "Elo" } th { "over seeds" } th { "of the games" } th.left { "verdict" } }
        tr { td { (parts::text(&results.control)) } td.words { (parts::text(&set(&results.control))) } td { "0" } td { "–" } td { "–" } td.left { "the control" } }
        @for effect in &results.effects {
            tr {
                td { b { (parts::text(&effect.arm)) } }
                td.words { (parts::text(&set(&effect.arm))) }
                td { (format::difference(effect.estimate.value, Unit::Elo)) }
                td { (interval(effect.estimate.rule)) }
                td { (interval(Some(effect.estimate.agents))) }
                td.left { (badge(effect)) }
            }
        }
    })
}

fn runs(results: &AblationResults) -> Markup {
    let row = |run: &RunResult| {
        html! {
            tr {
                td { (parts::text(&run.arm)) } td { (run.seed) } td { (run.generations) } td { (format::count(run.games)) }
                td { (format::value(run.without_result, Unit::Share)) }
                td { (format::count(run.work.asked)) } td { (format::count(run.work.rows)) }
                td { (format::value(run.spent, Unit::Share)) }
                td class="left hash" { (run.network.get(..16).unwrap_or(&run.network)) }
            }
        }
    };
    html! {
        (table(&html! {
            tr {
                th { "arm" } th { "seed" } th.head { "generations" } th { "games" } th.head { "without a result" } th { "evaluations" }
                th.head { "rows learned" } th.head { "budget spent" } th.left { "network (BLAKE3)" }
            }
            @for run in &results.runs { (row(run)) }
        }))
        p.small.dim {
            "Games, evaluations and rows are those after the common generations; generations and the share of the budget count from the beginning. \
             A run ends with a whole generation, so that it spends somewhat more than its budget."
        }
    }
}

/// Each arm's seconds, all seeds together, beside the control's; it holds no line break.
fn durations(results: &AblationResults, times: &[RunTime]) -> Markup {
    let sum = |arm: &str| {
        times.iter().filter(|time| time.arm == arm).fold((0, 0.0, 0.0), |sum, time| {
            (sum.0 + time.evaluations, sum.1 + time.playing, sum.2 + time.learning)
        })
    };
    let (_, playing, learning) = sum(&results.control);
    let control = playing + learning;
    table(&html! {
        tr { th { "arm" } th.head { "evaluated" } th.head { "seconds playing" } th.head { "seconds learning" } th.head { "of the control's seconds" } }
        @for (arm, _) in &results.arms {
            @let (evaluations, playing, learning) = sum(arm);
            tr {
                td { (parts::text(arm)) } td { (format::count(evaluations)) }
                td { (format!("{playing:.0}")) } td { (format!("{learning:.0}")) }
                td { (format::value((playing + learning) / control, Unit::Share)) }
            }
        }
    })
}

fn opponents(results: &AblationResults) -> Markup {
    html! {
        (table(&html! {
            tr { th { "arm" } th.left { "against" } th { "games" } th { "Elo" } th { "over seeds" } th { "of the games" } }
            @for found in &results.opponents {
                tr {
                    td { (parts::text(&found.arm)) } td.left { (parts::text(&found.opponent)) }
                    td { (format::count(found.seeds.iter().map(|seed| u64::from(seed.games)).sum())) }
                    td { (format::difference(found.estimate.value, Unit::Elo)) }
                    td { (interval(found.estimate.rule)) }
                    td { (interval(Some(found.estimate.agents))) }
                }
            }
        }))
        p.small.dim { "Differences between these rows are known less well than the effects above, whose matches are direct." }
    }
}

fn provenance(results: &AblationResults) -> Markup {
    html! {
        (table(&html! {
            @for (name, value) in &results.provenance { tr { td { (parts::text(name)) } td class="left hash" { (parts::text(value)) } } }
            @for run in results.runs.iter().filter(|run| run.arm == results.control) {
                @if let Some(trunk) = &run.trunk {
                    tr { td { "network that the runs of seed " (run.seed) " go on from (BLAKE3)" } td class="left hash" { (trunk) } }
                }
            }
        }))
        p.small.dim { "Beside this page: results.json (everything above but the times), times.json, figures/ (SVG), every run (agents/) and match (matches/)." }
    }
}
