//! The results of a study, as `metrics.json` has them: the input of every figure, table and page.

pub use catapult_judge::results::*;
use catapult_measures::Arm;
use catapult_measures::data::{Checkpoint, NetworkId, SampleId};
pub use catapult_measures::results::*;
use catapult_rules::{Color, Outcome};
use catapult_store::Difference;
use serde::{Deserialize, Serialize};

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
    /// What it was made from.
    pub provenance: Provenance,
    /// The arms, in the order of the study's file.
    pub arms: Vec<Arm>,
    /// Values by metric and sample.
    pub measures: Vec<Measure>,
    /// Differences between arms and the study's control, all metrics and levels.
    pub contrasts: Vec<Contrast>,
    /// Curves.
    pub curves: Vec<Curve>,
    /// Boards.
    pub heat_maps: Vec<HeatMap>,
    /// Tables.
    pub tables: Vec<SampleTable>,
    /// Matches that tell strength.
    pub strengths: Vec<Strength>,
    /// Matches of an ablation's arms against the control of their seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against_control: Vec<Strength>,
    /// The agent of that control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_agent: Option<String>,
    /// Runs that had a budget.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<TrainedRun>,
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
    /// Rules of arms that were never used, so that the arm was a placebo.
    #[serde(default)]
    pub placebos: Vec<Placebo>,
    /// Games to look at.
    #[serde(default)]
    pub examples: Vec<ExampleGame>,
    /// What was fixed before the games, and how often the results were looked at.
    #[serde(default)]
    pub registration: Registration,
    /// What the reader must know.
    pub warnings: Vec<Warning>,
}

/// A run with a budget. Games, evaluations and samples are counted after the generations that it has in common with others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainedRun {
    /// The network that it trained.
    pub network: NetworkId,
    /// Settings over the training config, `key=value`.
    pub settings: Vec<String>,
    /// BLAKE3 of the network that it continues from; none if it starts from nothing.
    pub trunk: Option<String>,
    /// Generations from the beginning.
    pub generations: u32,
    /// Games.
    pub games: u64,
    /// Share of them without a result, not even an adjudicated one.
    pub without_result: f64,
    /// Evaluations that searches requested.
    pub evaluations: u64,
    /// Training samples, each as often as it was learned from.
    pub rows: u64,
    /// Share of the budget that was spent from the beginning.
    pub spent: f64,
}

/// A game that was chosen to be looked at, by a rule and not by hand.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExampleGame {
    /// The rule that chose it: [`examples::RuleInfo::id`](crate::examples::RuleInfo::id).
    pub rule: String,
    /// What it is a game of.
    pub sample: SampleId,
    /// The network's training seed.
    pub seed: u64,
    /// The game's number in its cell.
    pub game: u64,
    /// FEN of the start.
    pub start: String,
    /// The moves, as [`catapult_rules::Position::move_text`] writes them.
    pub moves: Vec<String>,
    /// White's expected score (0 to 1) at each ply, by the search.
    pub values: Vec<f64>,
    /// The ply (from 0) that it was chosen for.
    pub ply: usize,
    /// How it ended.
    pub outcome: Outcome,
    /// Who won.
    pub winner: Option<Color>,
}

/// What results were made from.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The command that makes them again.
    pub command: String,
    /// Version of the program.
    pub version: String,
    /// BLAKE3 of the study's file.
    pub file: String,
    /// BLAKE3 of the study's file when it was registered, before the first game.
    pub registered_file: String,
    /// What has changed in the file since.
    pub changes: Vec<Difference>,
    /// The study's seed.
    pub seed: u64,
    /// The networks.
    pub networks: Vec<NetworkFile>,
}

/// A network's file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NetworkFile {
    /// The network.
    pub network: NetworkId,
    /// How far it had been trained.
    pub checkpoint: Checkpoint,
    /// BLAKE3 of the file.
    pub hash: String,
}
