//! Metrics: values with intervals, curves, boards and tables from games and analyses.
//!
//! [`read_games`] reads each game into numbers ([`GameFacts`]). Metrics are computed from these
//! numbers. A *sample* is the games of one agent's networks in one arm at one checkpoint and search
//! level. Every value belongs to a sample.

mod branching;
mod calibration;
mod catalogue;
mod comebacks;
mod endings;
mod exact;
mod facts;
mod findings;
mod first_moves;
mod fitted;
mod heat;
mod openings;
mod piece_values;
mod placebos;
mod population;
mod priors;
mod quiet;
mod replayed;
mod rule_use;
mod sample;
mod skill;
mod study_games;
mod thinking;
mod validity;
mod worth;

pub use catalogue::{FIGURES, METRICS, TABLES, metric};
pub use facts::{DECISIVE_LEAD, GameFacts, OPENING_PLIES, Phase, PlyFacts, read_game};
pub use piece_values::piece_values;
pub use priors::is_of_analysis;
pub use replayed::is_replayed;
pub use skill::ladder_levels;
pub use study_games::{StudyGames, read_games};
pub use thinking::is_over_levels;
pub use validity::Training;

use crate::analysis::NetworkAnalysis;
use crate::arms::Arm;
use crate::data::Cell;
use crate::results::{Caps, EndingGames, Measured, PopulationMatch, Strength, Warning};
use catalogue::PER_GAME;
use catapult_stats::Resampling;
use findings::Findings;
use sample::analysed;

/// Results of a study besides its games, from which metrics are computed. [`StudyGames`] has the
/// games.
#[derive(Clone, Copy, Debug)]
pub struct StudyInput<'a> {
    /// Analyses of networks, one per cell. A cell may have none.
    pub analyses: &'a [(Cell, NetworkAnalysis)],
    /// Matches that measure strength. A network plays them against reference opponents, or against
    /// itself at other simulations per move.
    pub strengths: &'a [Strength],
    /// Matches of networks against the control's network with the same training seed.
    pub control: &'a [Strength],
    /// Matches between networks of one agent, and of networks against themselves.
    pub population: &'a [PopulationMatch],
    /// Matches of networks against themselves without a kind of move. They show the gain in Elo
    /// from that kind of move.
    pub worth: &'a [Strength],
    /// Games from endings whose result is known from tablebases.
    pub endings: &'a [EndingGames],
    /// Limits and outcomes of the games with which each network was trained.
    pub training: &'a [Training],
    /// Limits at which the study truncates games.
    pub caps: Caps,
    /// Arm, control and metric id of each registered endpoint. Only warnings depend on endpoints.
    pub endpoints: &'a [(Arm, Option<Arm>, String)],
    /// Search levels with fewer games than the others. Warnings look at another level, if there is
    /// one.
    pub deep: &'a [u32],
    /// Number of plies per game, after the set-up moves, whose moves were drawn from the improved
    /// policy.
    pub sampled_plies: u32,
    /// Settings of the resampling from which intervals are computed.
    pub resampling: Resampling,
}

/// Computes every metric of a study. The result depends only on the arguments.
pub fn measure(input: &StudyInput, games: StudyGames) -> Measured {
    let control = games.control;
    let (samples, replays) = games.finish();
    let analysed = analysed(input.analyses);
    let mut findings = Findings::new(input.resampling);
    for sample in &samples {
        PER_GAME.iter().for_each(|metrics| findings.per_game(sample, metrics));
        endings::measure(sample, &mut findings);
        openings::measure(sample, input.sampled_plies, &mut findings);
        first_moves::measure(sample, &analysed, &mut findings);
        rule_use::measure(sample, &mut findings);
        heat::measure(sample, &mut findings);
        calibration::measure(sample, &mut findings);
    }
    if !samples.is_empty() && (input.sampled_plies as usize) < OPENING_PLIES {
        let needed = OPENING_PLIES as u32;
        findings.measured.warnings.push(Warning::FewSampledPlies { drawn: input.sampled_plies, needed });
    }
    for analyses in &analysed {
        priors::measure(analyses, &mut findings);
    }
    piece_values::measure(&samples, control, input.deep, &mut findings);
    samples.iter().for_each(|sample| comebacks::measure(sample, &mut findings));
    replays.measure(&mut findings);
    skill::measure(input.strengths, input.control, &mut findings);
    population::measure(input.population, &mut findings);
    worth::measure(input.worth, &mut findings);
    exact::measure(input.endings, &mut findings);
    thinking::measure(&samples, &mut findings);
    let mut found = findings.finish(control);
    let warnings = validity::warnings(input, &found.measures);
    found.warnings.splice(0..0, warnings);
    Measured { placebos: placebos::find(&samples), ..found }
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod whole_tests;
