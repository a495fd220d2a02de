//! Chapter of an ablation's page: the effect of each arm and the cost of each run.

use super::numbers::cell;
use super::parts::text;
use crate::results::{Estimate, Measure, TrainedRun, Unit};
use crate::view::ResultsView;
use catapult_figures::format;
use maud::{Markup, html};

/// Id of the metric of matches against the control of the same seed.
const EFFECT: &str = "elo_against_control";

/// Returns the verdict on an arm of an ablation. An effect is resolved if its interval for other
/// seeds excludes 0. The interval for these networks does not count, because it describes only
/// these runs.
fn verdict(effect: &Estimate, seeds: usize) -> String {
    match effect.rule {
        Some([low, _]) if low > 0.0 => "better".to_owned(),
        Some([_, high]) if high < 0.0 => "worse".to_owned(),
        Some(_) => "not resolved".to_owned(),
        None if seeds == 1 => "one seed: not resolved".to_owned(),
        None => format!("{seeds} seeds: not resolved"),
    }
}

/// Returns the effects of an ablation as lines for a terminal, one per arm.
pub fn lines(measures: &[Measure]) -> Vec<String> {
    let effects: Vec<&Measure> = measures.iter().filter(|measure| measure.metric == EFFECT).collect();
    let width = effects.iter().map(|effect| effect.sample.agent.len()).max().unwrap_or(0);
    let line = |Measure { sample, estimate, networks, .. }: &&Measure| {
        let value = format::difference(estimate.value, Unit::Elo);
        let ends = format::difference_interval(estimate.rule.unwrap_or(estimate.agents), Unit::Elo);
        format!("{:width$}  {value} {ends}  {}", sample.agent, verdict(estimate, networks.len()))
    };
    effects.iter().map(line).collect()
}

/// Returns the chapter of effects. `None` if the study is not an ablation.
pub(super) fn effects(view: &ResultsView) -> Option<Markup> {
    let results = view.results;
    let control = results.control_agent.as_ref()?;
    let settings = |agent: &str| {
        let run = results.runs.iter().find(|run| run.network.agent == agent);
        run.map_or_else(String::new, |run| run.settings.join(", "))
    };
    let effects = results.measures.iter().filter(|measure| measure.metric == EFFECT);
    Some(html! {
        section id="effects" {
            h2 { "Effects" }
            div.scroll tabindex="0" { table {
                tr { th { "arm" } th.left { "settings" } th { "Elo" } th { "by seed" } th.left { "verdict" } }
                tr { td { (text(control)) } td.words { (text(&settings(control))) } td { "0" } td { "–" } td.left { "the control" } }
                @for effect in effects {
                    @let seeds = effect.networks.iter().map(|it| format!("{}: {}", it.seed, format::difference(it.value, Unit::Elo)));
                    tr {
                        td { b { (text(&effect.sample.agent)) } }
                        td.words { (text(&settings(&effect.sample.agent))) }
                        td { (cell(&effect.estimate, Unit::Elo)) }
                        td { @for seed in seeds { small { (seed) } } }
                        td.left { b { (verdict(&effect.estimate, effect.networks.len())) } }
                    }
                }
            } }
            p.small {
                "An effect is the mean over training seeds of the Elo against " (text(control)) " of the same seed. Below it are \
                 its 95 % intervals, for these networks and for other seeds (Student's t). It is resolved if the interval for \
                 other seeds excludes 0, which needs three seeds. Effects are not adjusted for their number. If one \
                 side won every game of a match, its Elo is a bound."
            }
            h3 { "Cost of each run" }
            div.scroll tabindex="0" { table {
                tr {
                    th { "run" } th.head { "generations" } th { "games" } th.head { "without a result" } th { "evaluations" }
                    th.head { "samples learned" } th.head { "budget spent" } th.left { "continues from network (BLAKE3)" }
                }
                @for run in &results.runs { (cost(run)) }
            } }
            p.small.dim {
                "Games, evaluations and samples are counted after the common generations. Generations and the share of the budget \
                 are counted from the beginning. A run ends with a whole generation, so it spends somewhat more than its budget."
            }
        }
    })
}

fn cost(run: &TrainedRun) -> Markup {
    html! {
        tr {
            td { (text(&run.network.to_string())) } td { (run.generations) } td { (format::count(run.games)) }
            td { (format::value(run.without_result, Unit::Share)) }
            td { (format::count(run.evaluations)) } td { (format::count(run.rows)) }
            td { (format::value(run.spent, Unit::Share)) }
            td class="left hash" { (run.trunk.as_ref().and_then(|hash| hash.get(..16)).unwrap_or("–")) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_needs_three_seeds_and_an_interval_without_0() {
        let of = |rule, seeds| verdict(&Estimate { value: 12.3, agents: [1.0, 23.0], rule }, seeds);
        assert_eq!(of(None, 1), "one seed: not resolved");
        assert_eq!(of(None, 2), "2 seeds: not resolved");
        assert_eq!(of(Some([-9.6, 34.0]), 3), "not resolved");
        assert_eq!(of(Some([1.0, 34.0]), 3), "better");
        assert_eq!(of(Some([-34.0, -1.0]), 3), "worse");
    }
}
