//! From what was played to what was found: every metric as values with intervals, curves, boards and tables.
//!
//! Games are read once into numbers ([`GameFacts`]); metrics are functions of these. A *sample* is what networks of one
//! agent played in one arm at one checkpoint and level; every value belongs to a sample.

mod branching;
mod budgets;
mod calibration;
mod catalogue;
mod comebacks;
mod divergence;
mod endings;
mod exact;
mod facts;
mod figures;
mod findings;
mod first_moves;
mod fitted;
mod heat;
mod leads;
mod openings;
mod piece_values;
mod placebos;
mod population;
mod posteriors;
mod priors;
mod quiet;
mod replayed;
mod rule_use;
mod sample;
mod skill;
mod thinking;
mod white;
mod worth;

pub use catalogue::METRICS;
pub use facts::{DECISIVE_LEAD, GameFacts, OPENING_PLIES, Phase, PlyFacts, read_game};
pub use priors::{is_of_analysis, is_of_prior};
pub use replayed::is_replayed;
pub use skill::{mean, offsets};

use crate::MeasureError;
use crate::analysis::NetworkAnalysis;
use crate::data::{Cell, CellGames};
use crate::results::{EndingGames, Measured, PopulationMatch, Strength};
use catapult_rules::Variant;
use catapult_stats::Resampling;
use findings::Findings;
use sample::{analysed, samples};

/// What a study has to go by.
#[derive(Clone, Copy, Debug)]
pub struct StudyInput<'a> {
    /// The games of each cell.
    pub cells: &'a [CellGames],
    /// What networks said beyond their games; a cell may have none.
    pub analyses: &'a [(Cell, NetworkAnalysis)],
    /// Matches that tell strength.
    pub strengths: &'a [Strength],
    /// Matches between networks of one agent.
    pub population: &'a [PopulationMatch],
    /// Matches of networks against themselves without a kind of move.
    pub worth: &'a [Strength],
    /// Exact endings as they were played.
    pub endings: &'a [EndingGames],
    /// The arm that the others are held against.
    pub control: Variant,
    /// Plies after a set-up in which moves were drawn from the improved policy.
    pub sampled_plies: u32,
    /// How intervals are drawn.
    pub resampling: Resampling,
}

/// Computes every metric: the measures, contrasts, curves, boards, tables, placebos and warnings of a study's results. The result depends on nothing but the input.
///
/// # Errors
/// A game that the rules of its cell contradict.
pub fn measure(input: &StudyInput) -> Result<Measured, MeasureError> {
    let samples = samples(input.cells)?;
    let analysed = analysed(input.analyses);
    let mut findings = Findings::new(input.resampling);
    for sample in &samples {
        findings.per_game(sample, endings::METRICS);
        findings.per_game(sample, branching::METRICS);
        findings.per_game(sample, openings::METRICS);
        endings::measure(sample, &mut findings);
        openings::measure(sample, input.sampled_plies, &mut findings);
        first_moves::measure(sample, &analysed, &mut findings);
        rule_use::measure(sample, &mut findings);
        heat::measure(sample, &mut findings);
        leads::measure(sample, &mut findings);
        white::measure(sample, &mut findings);
    }
    for analyses in &analysed {
        priors::measure(analyses, &mut findings);
    }
    divergence::measure(&analysed, input.control, &mut findings);
    priors::by_loss(&analysed, &mut findings);
    posteriors::measure(&samples, input.control, &mut findings);
    piece_values::measure(&samples, input.control, &mut findings);
    comebacks::measure(&samples, &mut findings);
    replayed::measure(input.cells, input.control, &mut findings)?;
    budgets::measure(&samples, &mut findings);
    skill::measure(input.strengths, &mut findings);
    population::measure(input.population, &mut findings);
    worth::measure(input.worth, &mut findings);
    exact::measure(input.endings, &mut findings);
    thinking::measure(&samples, &mut findings);
    let found = findings.finish(input.control);
    let figures = figures::used(&found.curves);
    Ok(Measured { placebos: placebos::find(&samples), figures, ..found })
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod whole_tests;
