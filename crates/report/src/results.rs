//! Results of a study, as stored in `metrics.json`. All figures, tables and pages are drawn from
//! them.

pub use catapult_judge::results::*;
use catapult_measures::Arm;
use catapult_measures::data::{Checkpoint, NetworkId, SampleId};
pub use catapult_measures::results::*;
use catapult_rules::{Color, Outcome};
use catapult_store::Difference;
use serde::{Deserialize, Serialize};

/// Number of the format of `metrics.json` that this version writes and reads.
pub const FORMAT: u32 = 2;

/// Results of a study, as stored in `metrics.json`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StudyResults {
    /// Format of the file: [`FORMAT`].
    pub format: u32,
    /// Name of the study.
    pub name: String,
    /// Title of the study, from its file.
    pub title: String,
    /// Command, version, files and networks that gave the results.
    pub provenance: Provenance,
    /// The arms, in the order of the study's file.
    pub arms: Vec<Arm>,
    /// Estimates with intervals, one per metric and sample.
    pub measures: Vec<Measure>,
    /// Differences between arms and the study's control, for all metrics and levels.
    pub contrasts: Vec<Contrast>,
    /// Points of curves, such as the calibration of values, by figure and sample.
    pub curves: Vec<Curve>,
    /// Boards with one number per square, by [`HeatMap::map`] and sample.
    pub heat_maps: Vec<HeatMap>,
    /// Tables, such as the most frequent first moves, by kind of table and sample.
    pub tables: Vec<SampleTable>,
    /// Matches that measure strength: against reference opponents and against the network itself at
    /// other simulations.
    pub strengths: Vec<Strength>,
    /// Matches of an ablation's arms against the control of the same seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against_control: Vec<Strength>,
    /// Name of an ablation's control agent. `None` if the study is not an ablation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_agent: Option<String>,
    /// The rule set that `catapult judge` compares with others. `None` in other studies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Arm>,
    /// Training runs that have a budget.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<TrainedRun>,
    /// Matches between networks of one agent.
    #[serde(default)]
    pub population: Vec<PopulationMatch>,
    /// Matches of each network against itself in which the opponent may not make a kind of move.
    #[serde(default)]
    pub worth: Vec<Strength>,
    /// Games from endings whose result is known from tablebases.
    #[serde(default)]
    pub endings: Vec<EndingGames>,
    /// Additional search levels of the study's file (`games.deep`), in simulations per move. They
    /// usually have fewer games. Only endpoints that name such a level use its games.
    #[serde(default)]
    pub deep_levels: Vec<u32>,
    /// Judgements of the registered endpoints, in the order of the study's file.
    pub judgements: Vec<Judgement>,
    /// Rules of arms that no game used (placebos).
    #[serde(default)]
    pub placebos: Vec<Placebo>,
    /// Example games that rules have chosen.
    #[serde(default)]
    pub examples: Vec<ExampleGame>,
    /// The registration before the first game, its later changes, and all distinct looks (results
    /// that were computed) so far.
    pub registration: Registration,
    /// Exams of the study's networks. Networks without an exam have an entry, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exams: Vec<NetworkExam>,
    /// Warnings for the reader. Warnings about the validity of the study come first.
    pub warnings: Vec<Warning>,
}

/// Exam of a network, read from the results file beside the network's file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NetworkExam {
    /// The network.
    pub network: NetworkId,
    /// Numbers of the exam's gates by verdict. `None` if the network has no exam.
    pub gates: Option<ExamGates>,
}

/// Numbers of an exam's gates by verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExamGates {
    /// Number of gates that passed.
    pub passed: u32,
    /// Number of gates that failed.
    pub failed: u32,
    /// Number of gates whose interval contains the threshold, so that the verdict is unresolved.
    pub unresolved: u32,
    /// True for a quick exam, which has fewer games and simulations than a full one.
    pub quick: bool,
}

/// A training run with a budget. Its numbers of games, evaluations and samples exclude generations
/// that it shares with other runs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainedRun {
    /// The network that the run trained.
    pub network: NetworkId,
    /// Settings that override the training config, as `key=value`.
    pub settings: Vec<String>,
    /// BLAKE3 hash of the network from which the run continues. `None` for a run from an untrained
    /// network.
    pub trunk: Option<String>,
    /// Number of generations. Shared generations count.
    pub generations: u32,
    /// Number of self-play games.
    pub games: u64,
    /// Share of `games` without a result, not even an adjudicated one.
    pub without_result: f64,
    /// Number of evaluations that searches requested, cache hits included.
    pub evaluations: u64,
    /// Number of training samples. A sample counts each time it is used.
    pub rows: u64,
    /// Share of the budget that was spent, 1 for all. Shared generations count.
    pub spent: f64,
}

/// A game that a rule has chosen as an example.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExampleGame {
    /// Id of the rule that chose the game:
    /// [`examples::RuleInfo::id`](crate::examples::RuleInfo::id).
    pub rule: String,
    /// Sample to which the game belongs.
    pub sample: SampleId,
    /// Training seed of the network that played the game.
    pub seed: u64,
    /// Number of the game in its cell.
    pub game: u64,
    /// FEN of the game's start position.
    pub start: String,
    /// The moves of the game, as [`catapult_rules::Position::move_text`] writes them.
    pub moves: Vec<String>,
    /// White's expected score (0 to 1) before each ply, from the search.
    pub values: Vec<f64>,
    /// Index of the chosen ply in `moves`.
    pub ply: usize,
    /// Rule or limit that ended the game.
    pub outcome: Outcome,
    /// The winner of the game. `None` without a winner.
    pub winner: Option<Color>,
}

/// Origin of results: everything needed to compute them again.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The command that reproduces the results.
    pub command: String,
    /// Version of Catapult that computed the results.
    pub version: String,
    /// BLAKE3 hash of the study's file.
    pub file: String,
    /// BLAKE3 hash of the study's file at registration, before the first game.
    pub registered_file: String,
    /// Keys of the study's file that changed since the registration, with both values.
    pub changes: Vec<Difference>,
    /// Seed of the study's random numbers.
    pub seed: u64,
    /// The files of all networks that played.
    pub networks: Vec<NetworkFile>,
}

/// The file of a network at one checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NetworkFile {
    /// The network in the file.
    pub network: NetworkId,
    /// Stage of training of the network.
    pub checkpoint: Checkpoint,
    /// BLAKE3 hash of the file.
    pub hash: String,
}
