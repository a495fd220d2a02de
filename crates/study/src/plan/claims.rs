//! Claims of a study that no result can settle, because the study measures nothing for a gate.

use crate::config::{StudyConfig, levels_of};
use crate::exact::EndingUnit;
use crate::matches::{MatchUnit, Opponent};
use catapult_arena::PlayerSpec;
use catapult_judge::{Design, Side, gates_without_games};
use catapult_measures::data::{Cell, Checkpoint};
use catapult_measures::metrics::{is_of_analysis, is_replayed};
use catapult_report::results::{Endpoint, GateKind, Scheme};
use std::collections::BTreeSet;

/// Returns the endpoints for which no effect can be established, with the gates for which the study
/// measures nothing.
pub(crate) fn open(config: &StudyConfig) -> Vec<(Endpoint, Vec<GateKind>)> {
    // Verdicts about these networks have no such gates.
    if config.scheme() == Scheme::TheseNetworks {
        return Vec::new();
    }
    let design = config.design(config);
    let gates = |it: &Endpoint| {
        let (levels, has_early) = measured(config, &design, it);
        // The page of a judged rule leaves out what its arms do not have.
        let is_left_out = config.rule.is_some() && levels.is_empty();
        if is_left_out { Vec::new() } else { gates_without_games(it, &design, &levels, has_early) }
    };
    let open = config.endpoints.iter().map(|it| (it.clone(), gates(it)));
    open.filter(|(_, gates)| !gates.is_empty()).collect()
}

/// Returns the search levels at which the study measures an endpoint's metric for the arm and its
/// control, in simulations per move. Then returns true if it also measures the metric for the early
/// checkpoint of both.
fn measured(config: &StudyConfig, design: &Design, endpoint: &Endpoint) -> (Vec<u32>, bool) {
    let Some((arm, control)) = design.sides(endpoint) else { return (Vec::new(), false) };
    let cells = cells_of(config, &endpoint.metric);
    let both = |checkpoint: Checkpoint| -> BTreeSet<u32> {
        let levels = |(arm, agent): Side| {
            // Replayed games are games of the control.
            let arm = if is_replayed(&endpoint.metric) { config.control } else { arm };
            levels_of(&cells, (arm, agent), checkpoint)
        };
        let of_arm = levels(arm);
        match control {
            Some(control) => &of_arm & &levels(control),
            None => of_arm,
        }
    };
    (both(Checkpoint::Last).into_iter().collect(), !both(Checkpoint::Early).is_empty())
}

/// Returns the cells whose games, matches or analyses give a metric.
fn cells_of(config: &StudyConfig, metric: &str) -> Vec<Cell> {
    let against = |units: Vec<MatchUnit>, is_its: &dyn Fn(&Opponent) -> bool| -> Vec<Cell> {
        units.into_iter().filter(|unit| is_its(&unit.opponent)).map(|unit| unit.cell).collect()
    };
    let strength = |is_its: &dyn Fn(&Opponent) -> bool| against(MatchUnit::strength(config), is_its);
    match metric {
        "elo_per_doubling" => strength(&|it| *it == Opponent::Half),
        "score_x4" => strength(&|it| *it == Opponent::Times(4)),
        "score_x16" => strength(&|it| *it == Opponent::Times(16)),
        "skill_rungs" => strength(&|it| matches!(it, Opponent::Half | Opponent::Player(PlayerSpec::Random))),
        "elo_against_control" => against(MatchUnit::control(config), &|_| true),
        _ if metric.starts_with("population_") => against(MatchUnit::population(config), &|_| true),
        _ if metric.starts_with("worth_") => against(MatchUnit::worth(config), &|it| match it {
            Opponent::Without(kind) => metric.contains(&kind.to_string().replace('-', "_")),
            _ => false,
        }),
        _ if metric.starts_with("ending_") => {
            EndingUnit::all(config).into_iter().map(|unit| unit.cell).collect()
        }
        _ if is_of_analysis(metric) => config.analysed_cells(),
        _ => config.played_cells().into_iter().map(|(cell, _)| cell).collect(),
    }
}
