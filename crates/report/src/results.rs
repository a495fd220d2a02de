//! Results of a study, as in `metrics.json`: the input of all figures, tables and pages.

pub use catapult_judge::results::*;
use catapult_measures::Arm;
use catapult_measures::data::{Checkpoint, NetworkId, SampleId};
pub use catapult_measures::results::*;
use catapult_rules::{Color, Outcome};
use catapult_store::Difference;
use serde::{Deserialize, Serialize};

/// The format of `metrics.json` that this version writes and reads.
pub const FORMAT: u32 = 2;

/// Number of a format. The default is [`FORMAT`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Format(pub u32);

impl Default for Format {
    fn default() -> Format {
        Format(FORMAT)
    }
}

/// Results of a study.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StudyResults {
    /// The format of the file.
    pub format: Format,
    /// The study's name.
    pub name: String,
    /// Its title, from its file.
    pub title: String,
    /// Its provenance.
    pub provenance: Provenance,
    /// The arms, in the order of the study's file.
    pub arms: Vec<Arm>,
    /// Values by metric and sample.
    pub measures: Vec<Measure>,
    /// Differences between arms and the study's control, for all metrics and levels.
    pub contrasts: Vec<Contrast>,
    /// Curves.
    pub curves: Vec<Curve>,
    /// Boards.
    pub heat_maps: Vec<HeatMap>,
    /// Tables.
    pub tables: Vec<SampleTable>,
    /// Matches that measure strength.
    pub strengths: Vec<Strength>,
    /// Matches of an ablation's arms against the control of the same seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against_control: Vec<Strength>,
    /// The control agent of an ablation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_agent: Option<String>,
    /// Runs with a budget.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<TrainedRun>,
    /// Matches between networks of one agent.
    #[serde(default)]
    pub population: Vec<PopulationMatch>,
    /// Matches of networks against themselves without a kind of move.
    #[serde(default)]
    pub worth: Vec<Strength>,
    /// Games of exact endings.
    #[serde(default)]
    pub endings: Vec<EndingGames>,
    /// Levels with fewer games than the others. Only endpoints that name them use them.
    #[serde(default)]
    pub deep_levels: Vec<u32>,
    /// Equivalence tests of networks trained across arms.
    pub equivalences: Vec<Equivalence>,
    /// Judgements of the claims.
    pub judgements: Vec<Judgement>,
    /// Rules of arms that no game used (placebos).
    #[serde(default)]
    pub placebos: Vec<Placebo>,
    /// Example games.
    #[serde(default)]
    pub examples: Vec<ExampleGame>,
    /// The registration before the first game, and all looks at the results.
    #[serde(default)]
    pub registration: Registration,
    /// Warnings for the reader.
    pub warnings: Vec<Warning>,
}

/// A training run with a budget. Games, evaluations and samples exclude generations shared with
/// other runs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainedRun {
    /// The trained network.
    pub network: NetworkId,
    /// Settings that override the training config, as `key=value`.
    pub settings: Vec<String>,
    /// BLAKE3 of the network that the run continues from. `None` for a run from scratch.
    pub trunk: Option<String>,
    /// Number of generations, shared ones included.
    pub generations: u32,
    /// Number of games.
    pub games: u64,
    /// Share of these games without a result, not even an adjudicated one.
    pub without_result: f64,
    /// Number of evaluations that searches requested.
    pub evaluations: u64,
    /// Number of training samples, counted once per use.
    pub rows: u64,
    /// Share of the budget spent, shared generations included.
    pub spent: f64,
}

/// An example game, chosen by a rule and not by hand.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExampleGame {
    /// The rule that chose it: [`examples::RuleInfo::id`](crate::examples::RuleInfo::id).
    pub rule: String,
    /// The game's sample.
    pub sample: SampleId,
    /// The network's training seed.
    pub seed: u64,
    /// The game's number in its cell.
    pub game: u64,
    /// FEN of the start position.
    pub start: String,
    /// The moves, as [`catapult_rules::Position::move_text`] writes them.
    pub moves: Vec<String>,
    /// White's expected score (0 to 1) at each ply, from the search.
    pub values: Vec<f64>,
    /// The chosen ply, counted from 0.
    pub ply: usize,
    /// Its outcome.
    pub outcome: Outcome,
    /// The winner.
    pub winner: Option<Color>,
}

/// Provenance of results.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The command that reproduces them.
    pub command: String,
    /// Version of the program.
    pub version: String,
    /// BLAKE3 of the study's file.
    pub file: String,
    /// BLAKE3 of the study's file at registration, before the first game.
    pub registered_file: String,
    /// Changes of the file since the registration.
    pub changes: Vec<Difference>,
    /// The study's seed.
    pub seed: u64,
    /// The networks.
    pub networks: Vec<NetworkFile>,
}

/// A network file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NetworkFile {
    /// The network.
    pub network: NetworkId,
    /// Its checkpoint.
    pub checkpoint: Checkpoint,
    /// BLAKE3 of the file.
    pub hash: String,
}
