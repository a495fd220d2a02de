//! Which samples an endpoint compares.

use crate::data::Checkpoint;
use crate::results::{Contrast, Endpoint, Measure};
use crate::stats::Difference;
use catapult_rules::Variant;

/// What is compared at one level.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    /// The arm's measure.
    pub arm: &'a Measure,
    /// The control's; none against a fixed value.
    pub control: Option<&'a Measure>,
}

impl Side<'_> {
    /// The difference that the endpoint is about.
    pub fn difference(&self, endpoint: &Endpoint) -> Difference {
        match self.control {
            Some(control) => Contrast::difference_between(self.arm, control),
            None => Contrast::difference_against(self.arm, endpoint.against.unwrap_or_default()),
        }
    }

    /// The same as it is reported.
    pub fn contrast(&self, difference: &Difference) -> Contrast {
        Contrast::new(self.arm, self.control, difference)
    }

    /// Networks of the side that has fewer.
    pub fn networks(&self) -> usize {
        let control = self.control.map_or(usize::MAX, |control| control.networks.len());
        self.arm.networks.len().min(control)
    }

    /// 2 if each side has its own networks, 1 if there are only the arm's.
    pub fn independent_sides(&self) -> usize {
        let apart = self.control.is_some_and(|control| control.sample.agent != self.arm.sample.agent);
        if apart { 2 } else { 1 }
    }
}

/// The levels of the last checkpoint at which both sides were measured, weakest first.
///
/// Where several agents play an arm, the pair with most networks (on the side that has fewer) is taken, then one agent
/// that plays both sides, then the first by name.
pub(super) fn levels<'a>(endpoint: &Endpoint, measures: &'a [Measure]) -> Vec<Side<'a>> {
    let of = |variant: Variant| -> Vec<&'a Measure> {
        let wanted = |measure: &&Measure| {
            let sample = &measure.sample;
            measure.metric == endpoint.metric
                && sample.arm == variant
                && sample.checkpoint == Checkpoint::Last
        };
        measures.iter().filter(wanted).collect()
    };
    let arms = of(endpoint.arm);
    let mut sides: Vec<Side> = match endpoint.control.map(of) {
        None => arms.into_iter().map(|arm| Side { arm, control: None }).collect(),
        Some(controls) => {
            let level = |arm: &'a Measure| {
                let same =
                    controls.iter().filter(|control| control.sample.simulations == arm.sample.simulations);
                same.map(move |control| Side { arm, control: Some(control) }).collect::<Vec<_>>()
            };
            arms.into_iter().flat_map(level).collect()
        }
    };
    let agents =
        |side: &Side<'a>| (&side.arm.sample.agent, side.control.map(|control| &control.sample.agent));
    let preference =
        |side: &Side<'a>| (std::cmp::Reverse(side.networks()), side.independent_sides(), agents(side));
    let Some(chosen) = sides.iter().min_by_key(|side| preference(side)).map(agents) else {
        return Vec::new();
    };
    sides.retain(|side| agents(side) == chosen);
    sides.sort_by_key(|side| side.arm.sample.simulations);
    sides
}
