//! Results of a study's games: values, differences, curves, boards, tables and matches.

use crate::arms::Arm;
use crate::data::{Checkpoint, NetworkId, SampleId};
pub use crate::warning::{Alike, Caps, Doubt, Skewed, Warning};
use catapult_arena::MatchResult;
pub use catapult_figures::Unit;
use catapult_stats::{self as stats, Evidence, Pentanomial};
pub use catapult_stats::{Estimate, NetworkValue};
use serde::{Deserialize, Serialize};

/// Definition of a metric.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MetricInfo {
    /// Name of the metric in files, such as `draw_rate`.
    pub id: &'static str,
    /// Name of the metric in running text, such as `draw rate`.
    pub name: &'static str,
    /// Unit of the metric's values.
    pub unit: Unit,
    /// Chapter of the report that shows the metric.
    pub chapter: Chapter,
    /// The value that favours neither side, such as 0.5 for White's score. `None` if the metric has
    /// no such value.
    pub neutral: Option<f64>,
    /// Form of the sentences that compare two arms by the metric.
    pub phrase: Phrase,
    /// Definition of the metric in one or more sentences, with its source.
    pub definition: &'static str,
}

/// Form of a sentence that compares two arms by a metric. In the examples, the part that depends on
/// the metric is in italics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phrase {
    /// Uses the metric's name. Example: In Chess++ the metric "*draw rate*" is higher than in
    /// chess.
    Named,
    /// Uses this verb, for a metric that is a share of games. Example: Chess++ *is drawn* more
    /// often than chess.
    Verb(&'static str),
    /// Uses this noun instead of the metric's name. Example: In Chess++ *White's score* is higher
    /// than in chess.
    Noun(&'static str),
    /// Compares lengths of games. Example: Chess++ takes 20 plies longer than chess.
    Longer,
}

/// Chapters of a report, in reading order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chapter {
    /// Strength of the players.
    Strength,
    /// Endings of games.
    Endings,
    /// Length of games.
    Length,
    /// Openings of games.
    Openings,
    /// Values of pieces.
    Values,
    /// Use of the rules that a game adds to chess.
    NewRules,
    /// The share of chess games that remains legal under other rules.
    Superset,
    /// Comebacks, and the calibration of values.
    Comebacks,
    /// Room for skill: the gain from more simulations.
    Skill,
    /// Metrics that this version of the program does not know, and results without a chapter.
    #[default]
    Others,
}

/// The value of a metric for one sample.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measure {
    /// Id of the metric ([`MetricInfo::id`]).
    pub metric: String,
    /// The sample of games that was measured.
    pub sample: SampleId,
    /// Number of observations. These are games, unless the metric's definition counts positions or
    /// other items.
    pub observations: u64,
    /// The value with its two 95 % intervals.
    pub estimate: Estimate,
    /// Median over games, in the metric's unit. `None` if the metric is not a number per game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    /// Value of each network, by increasing seed.
    pub networks: Vec<NetworkValue>,
}

impl Measure {
    /// Creates a measure without a median. `metric` is a [`MetricInfo::id`].
    pub fn new(metric: &str, sample: SampleId, observations: u64, evidence: Evidence) -> Measure {
        let Evidence { estimate, networks } = evidence;
        Measure { metric: metric.to_owned(), sample, observations, estimate, median: None, networks }
    }

    /// Returns the estimate and the value of each network.
    pub fn evidence(&self) -> Evidence {
        Evidence { estimate: self.estimate, networks: self.networks.clone() }
    }
}

/// A curve of one sample: estimates along a horizontal axis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Curve {
    /// Id of the figure ([`FigureInfo::id`]).
    pub figure: String,
    /// The sample whose games the curve shows.
    pub sample: SampleId,
    /// Id of the curve ([`SeriesInfo::id`]). Empty if the figure has one curve per sample.
    pub series: String,
    /// Points of the curve: the position on the horizontal axis, and the estimate.
    pub points: Vec<(f64, Estimate)>,
}

/// Definition of a figure that shows [`Curve`]s.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FigureInfo {
    /// Name of the figure in files.
    pub id: &'static str,
    /// Title of the figure.
    pub title: &'static str,
    /// Label of the horizontal axis, with its unit.
    pub x: &'static str,
    /// Label of the vertical axis, with its unit.
    pub y: &'static str,
    /// Unit of the values on the vertical axis.
    pub unit: Unit,
    /// Chapter of the report that shows the figure.
    pub chapter: Chapter,
    /// Definitions of the curves of a sample. Empty if each sample has one curve.
    pub series: &'static [SeriesInfo],
    /// Explanation of the figure and its method.
    pub caption: &'static str,
}

/// Definition of one curve of a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeriesInfo {
    /// Name of the curve in files.
    pub id: &'static str,
    /// Name of the curve in a legend.
    pub name: &'static str,
    /// True for a reference curve, with which observed curves are compared.
    pub is_reference: bool,
}

impl SeriesInfo {
    pub(crate) const fn curve(id: &'static str, name: &'static str) -> SeriesInfo {
        SeriesInfo { id, name, is_reference: false }
    }

    pub(crate) const fn reference(id: &'static str, name: &'static str) -> SeriesInfo {
        SeriesInfo { id, name, is_reference: true }
    }
}

/// A board of one sample with one number per square.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeatMap {
    /// Id of the board ([`MapInfo::id`](crate::games::MapInfo::id)).
    pub map: String,
    /// The sample whose games are counted.
    pub sample: SampleId,
    /// Number of files of the board.
    pub files: usize,
    /// One value per square, in events per game or as a share of plies. Squares are numbered rank
    /// by rank from a1. For moves of Black, ranks are numbered from Black's side.
    pub values: Vec<f64>,
}

/// A table of one sample, such as its first moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SampleTable {
    /// Id of the table ([`TableInfo::id`]).
    pub table: String,
    /// The sample that the table describes.
    pub sample: SampleId,
    /// Rows of the table: the row's id ([`TableInfo::rows`]) and one cell per column. `None` is an
    /// empty cell.
    pub rows: Vec<(String, Vec<Option<Estimate>>)>,
    /// Notes about this sample, shown below the table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// Definition of a table that samples can have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TableInfo {
    /// Name of the table in files.
    pub id: &'static str,
    /// Chapter of the report that shows the table.
    pub chapter: Chapter,
    /// Title of the table.
    pub title: &'static str,
    /// Heading and unit of each column, without the column of row names.
    pub columns: &'static [(&'static str, Unit)],
    /// Meaning of the rows' ids.
    pub rows: RowNames,
    /// Notes below every table of this definition.
    pub note: &'static [&'static str],
}

/// Meaning of the ids of a table's rows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RowNames {
    /// The ids are the first elements of these pairs. The second elements are the names that tables
    /// show.
    Named(&'static [(&'static str, &'static str)]),
    /// The ids are ids of metrics ([`MetricInfo::id`]).
    Metrics,
    /// The ids are ids of terms ([`term_id`](crate::games::term_id)), such as kinds of pieces.
    Terms,
    /// The ids are moves, endings or kinds of moves, which tables show unchanged.
    Verbatim,
}

/// A note on the table of one sample.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "kebab-case")]
pub enum Note {
    /// A reason to doubt the piece values of a fit.
    PieceValues {
        /// The method of the doubted fit: `likelihood`, or `squares` in files of other versions.
        fit: String,
        /// The reason to doubt the piece values.
        doubt: Doubt,
    },
    /// The most balanced first moves. Only earlier versions wrote it, and reports leave it out.
    FirstMoves {
        /// The moves as text.
        moves: Vec<String>,
    },
}

/// Name of the opponent that is the network itself at half its simulations.
pub const HALF: &str = "half";

/// Strength of a network in an arm, measured against one opponent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Strength {
    /// Rule set of the match.
    pub arm: Arm,
    /// The network whose strength is measured.
    pub network: NetworkId,
    /// Stage of training from which the network is taken.
    pub checkpoint: Checkpoint,
    /// The network's simulations per move.
    pub simulations: u32,
    /// Name of the opponent, as written by `catapult_arena::PlayerSpec`. If the opponent is the
    /// network itself with other settings, it is one of these names:
    ///
    /// * [`HALF`]: the network at half the simulations
    /// * `x4`, `x16`: the network at 4 or 16 times the simulations
    /// * `without-teleports` etc.: the network without that kind of move
    pub opponent: String,
    /// Result of the match, from the network's side.
    pub result: MatchResult,
}

impl Strength {
    /// Returns the sample (arm, agent, checkpoint and level) to which the network belongs.
    pub fn sample(&self) -> SampleId {
        self.network.sample(self.arm, self.checkpoint, self.simulations)
    }
}

/// A match between two networks of one agent, or of a network against itself. The two networks
/// differ only in the training seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PopulationMatch {
    /// Rule set of the match.
    pub arm: Arm,
    /// The network from whose side the result is counted.
    pub network: NetworkId,
    /// The network's opponent. It may be the network itself.
    pub opponent: NetworkId,
    /// Simulations per move of both players.
    pub simulations: u32,
    /// Result of the match, from the side of `network`.
    pub result: MatchResult,
    /// Numbers of pairs of games, by White's points in the two games of a pair.
    pub white: Pentanomial,
    /// Numbers of pairs of games, by the number of games without a winner in a pair: 0, 1 or 2.
    /// Each such game counts as one point.
    pub drawn: Pentanomial,
}

/// Result of a game that starts from a position won for White according to endgame tablebases.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayedEnding {
    /// Distance to mate (DTM) of the start position in plies. It ignores the fifty-move rule.
    pub distance: u16,
    /// True if White won.
    pub won: bool,
    /// Number of plies played.
    pub plies: u32,
    /// Number of White's moves from positions that were still won under the fifty-move rule, at
    /// their half-move clock.
    pub turns: u32,
    /// Number of these moves (`turns`) after which the position was still won.
    pub kept: u32,
}

/// A network's games from positions of one ending. If both lists have games, they have the same
/// start positions in the same order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EndingGames {
    /// Rule set of the games.
    pub arm: Arm,
    /// The network, which plays White.
    pub network: NetworkId,
    /// The network's simulations per move.
    pub simulations: u32,
    /// Name of the ending in the study's file, such as `KQvK`.
    pub ending: String,
    /// Games of the network against itself. Empty if only the best defence was examined.
    pub itself: Vec<PlayedEnding>,
    /// Games of the network against the tablebase's best defence.
    pub best: Vec<PlayedEnding>,
}

/// Difference of a metric at one level: the arm's value minus the control's, or minus a fixed
/// value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contrast {
    /// Id of the metric ([`MetricInfo::id`]).
    pub metric: String,
    /// The arm's sample.
    pub arm: SampleId,
    /// The control's sample. `None` if the arm is compared with a fixed value.
    pub control: Option<SampleId>,
    /// The arm's value minus the control's, or minus the fixed value.
    pub difference: Estimate,
    /// Two-sided p-value for networks of other training seeds, trained in the same way. `None` with
    /// fewer than three seeds of the arm or of the control.
    pub rule_p: Option<f64>,
    /// Two-sided p-value for exactly these networks.
    pub agents_p: f64,
    /// Posterior probability, for exactly these networks, that `difference` is above 0.
    pub probability_above: f64,
    /// Power: the probability that a study of this size finds the endpoint's smallest effect if no
    /// other endpoint has an effect. For the judged effect, it is the lowest power of all gates. With
    /// several gates, this is an upper bound.
    /// `None` without an endpoint or with fewer than three seeds of the arm or of the control.
    pub power: Option<f64>,
}

impl Contrast {
    /// Returns the difference of a metric between two samples. If both samples belong to one agent,
    /// the networks are paired by seed.
    pub fn between(arm: &Measure, control: &Measure) -> Contrast {
        let is_paired = arm.sample.agent == control.sample.agent;
        let difference = stats::contrast(&arm.evidence(), &control.evidence(), is_paired);
        Contrast::of_samples(&arm.metric, arm.sample.clone(), Some(control.sample.clone()), &difference)
    }

    /// Creates a contrast, without power, from a difference between samples. `arm` and `control`
    /// are the compared samples. For a mean over several levels, they are the samples of the
    /// strongest level.
    pub fn of_samples(
        metric: &str,
        arm: SampleId,
        control: Option<SampleId>,
        difference: &stats::Difference,
    ) -> Contrast {
        Contrast {
            metric: metric.to_owned(),
            arm,
            control,
            difference: difference.estimate,
            rule_p: difference.rule_p,
            agents_p: difference.agents_p,
            probability_above: difference.probability_above,
            power: None,
        }
    }
}

/// A rule of an arm that no game used. The games could have been played without the rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Placebo {
    /// The arm that has the rule.
    pub arm: Arm,
    /// Id of the unused rule ([`AddedRule::id`](crate::games::AddedRule::id)).
    pub rule: String,
    /// Number of the arm's games at the last checkpoint.
    pub games: u64,
}

/// Everything that [`measure`](crate::measure) computes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measured {
    /// Estimates with intervals, one per metric and sample.
    pub measures: Vec<Measure>,
    /// Differences between arms and the study's control, for all metrics and search levels.
    pub contrasts: Vec<Contrast>,
    /// Curves by figure and sample.
    pub curves: Vec<Curve>,
    /// Boards with one number per square, by [`HeatMap::map`] and sample.
    pub heat_maps: Vec<HeatMap>,
    /// Tables by definition and sample.
    pub tables: Vec<SampleTable>,
    /// Rules of arms that no game used.
    pub placebos: Vec<Placebo>,
    /// Warnings. Those about the validity of the study come first.
    pub warnings: Vec<Warning>,
}
