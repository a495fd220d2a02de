//! The results of a study, as `metrics.json` has them: the input of every figure, table and page.

pub use catapult_judge::results::*;
pub use catapult_measures::results::*;
use catapult_rules::Variant;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The format of `metrics.json` that this version writes and reads.
pub const FORMAT: u32 = 2;

/// The number of a format: [`FORMAT`] unless it was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Format(pub u32);

impl Default for Format {
    fn default() -> Format {
        Format(FORMAT)
    }
}

/// Everything a study has found.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StudyResults {
    /// The format of the file.
    pub format: Format,
    /// The study's name.
    pub name: String,
    /// Its title and what it asks, from its file.
    pub title: String,
    /// Where it comes from: command, hash of the study's file, version, seeds, hashes of networks. By name, as printed.
    pub provenance: BTreeMap<String, String>,
    /// The arms, in the order of the study's file, and what each is in words.
    pub arms: Vec<(String, String)>,
    /// Values by metric and sample.
    pub measures: Vec<Measure>,
    /// Differences between arms and the study's control, all metrics and levels.
    pub contrasts: Vec<Contrast>,
    /// Figures of curves.
    pub figures: Vec<FigureInfo>,
    /// Their curves.
    pub curves: Vec<Curve>,
    /// Boards.
    pub heat_maps: Vec<HeatMap>,
    /// Tables.
    pub tables: Vec<SampleTable>,
    /// Matches that tell strength.
    pub strengths: Vec<Strength>,
    /// Matches between networks of one agent.
    #[serde(default)]
    pub population: Vec<PopulationMatch>,
    /// Matches of networks against themselves without a kind of move.
    #[serde(default)]
    pub worth: Vec<Strength>,
    /// Exact endings as they were played.
    #[serde(default)]
    pub endings: Vec<EndingGames>,
    /// Levels with fewer games than the others, which no verdict rests on unless its endpoint names them.
    #[serde(default)]
    pub deep_levels: Vec<u32>,
    /// Checks of networks trained across arms.
    pub equivalences: Vec<Equivalence>,
    /// The claims.
    pub judgements: Vec<Judgement>,
    /// Rules of arms that were never used, so that the arm was a placebo: the arm, and what was not used.
    #[serde(default)]
    pub placebos: Vec<(Variant, String)>,
    /// Games to look at.
    #[serde(default)]
    pub examples: Vec<ExampleGame>,
    /// What was fixed before the games, and how often the results were looked at.
    #[serde(default)]
    pub registration: Registration,
    /// What the reader must know: a control that came out insane, too few games, and so on.
    pub warnings: Vec<String>,
}
