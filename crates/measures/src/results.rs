//! Results of a study's games: values, differences, curves, boards, tables and matches.

use crate::arms::Arm;
use crate::data::{Checkpoint, NetworkId, SampleId};
pub use crate::warning::{Alike, Caps, Doubt, Skewed, Warning};
use catapult_arena::MatchResult;
pub use catapult_figures::Unit;
use catapult_stats::{self as stats, Evidence, Pairing, Pentanomial};
pub use catapult_stats::{Estimate, NetworkValue};
use serde::{Deserialize, Serialize};

/// Definition of a metric.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MetricInfo {
    /// Its name in files: `draw_rate`.
    pub id: &'static str,
    /// Its name in running text: `draw rate`.
    pub name: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// Its chapter of the report.
    pub chapter: Chapter,
    /// The value that favours neither side, if there is one.
    pub neutral: Option<f64>,
    /// The form of a sentence that compares two games by it.
    pub phrase: Phrase,
    /// Its definition in one or two sentences, with its source.
    pub definition: &'static str,
}

/// The form of a sentence that compares two games by a metric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phrase {
    /// In Chess++ the measure "name" is higher than in chess.
    Named,
    /// A share of games: Chess++ *is drawn* more often than chess.
    Verb(&'static str),
    /// In Chess++ *White's score* is higher than in chess.
    Noun(&'static str),
    /// Chess++ takes 20 plies longer than chess.
    Longer,
}

impl MetricInfo {
    /// A metric without a neutral value, compared by its name.
    pub(crate) const fn new(
        chapter: Chapter,
        unit: Unit,
        id: &'static str,
        name: &'static str,
        definition: &'static str,
    ) -> MetricInfo {
        MetricInfo { id, name, unit, chapter, neutral: None, phrase: Phrase::Named, definition }
    }

    /// Sets the value that favours neither side.
    pub(crate) const fn neutral(self, value: f64) -> MetricInfo {
        MetricInfo { neutral: Some(value), ..self }
    }

    /// Sets the verb of a share of games.
    pub(crate) const fn verb(self, verb: &'static str) -> MetricInfo {
        MetricInfo { phrase: Phrase::Verb(verb), ..self }
    }

    /// Marks the metric as the length of a game.
    pub(crate) const fn longer(self) -> MetricInfo {
        MetricInfo { phrase: Phrase::Longer, ..self }
    }

    /// Sets the noun for running text.
    pub(crate) const fn noun(self, noun: &'static str) -> MetricInfo {
        MetricInfo { phrase: Phrase::Noun(noun), ..self }
    }
}

/// The chapters of a report, in the order in which they are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chapter {
    /// Strength of the players.
    Strength,
    /// Endings of games.
    Endings,
    /// Length of games.
    Length,
    /// Openings.
    Openings,
    /// Values of pieces.
    Values,
    /// Use of the new rules.
    NewRules,
    /// The part of chess that remains legal.
    Superset,
    /// Comebacks and lead changes.
    Comebacks,
    /// Room for skill.
    Skill,
    /// Metrics that this version does not know, and results without a chapter.
    #[default]
    Others,
}

/// A metric of one sample.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measure {
    /// [`MetricInfo::id`].
    pub metric: String,
    /// The sample.
    pub sample: SampleId,
    /// Number of games, or of positions if the metric's definition says so.
    pub observations: u64,
    /// The value.
    pub estimate: Estimate,
    /// Median over games, if the metric is a number per game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    /// Contribution of each network, by increasing seed.
    pub networks: Vec<NetworkValue>,
}

impl Measure {
    /// Creates a measure of a metric ([`MetricInfo::id`]) and a sample.
    pub fn new(metric: &str, sample: SampleId, observations: u64, evidence: Evidence) -> Measure {
        let Evidence { estimate, networks } = evidence;
        Measure { metric: metric.to_owned(), sample, observations, estimate, median: None, networks }
    }

    /// Returns the estimate and the networks' contributions.
    pub fn evidence(&self) -> Evidence {
        Evidence { estimate: self.estimate, networks: self.networks.clone() }
    }
}

/// A curve of one sample: a metric along an axis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Curve {
    /// [`FigureInfo::id`].
    pub figure: String,
    /// The sample.
    pub sample: SampleId,
    /// [`SeriesInfo::id`]; empty for the only curve of a sample and figure.
    pub series: String,
    /// Positions on the axis and estimates.
    pub points: Vec<(f64, Estimate)>,
}

/// Definition of a figure of [`Curve`]s.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FigureInfo {
    /// Its name in files.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The horizontal axis, with its unit.
    pub x: &'static str,
    /// The vertical axis, with its unit.
    pub y: &'static str,
    /// The unit of the vertical axis.
    pub unit: Unit,
    /// Its chapter of the report.
    pub chapter: Chapter,
    /// The curves of a sample. Empty if there is only one.
    pub series: &'static [SeriesInfo],
    /// Explanation of the figure and its method.
    pub caption: &'static str,
}

/// Definition of one curve of a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeriesInfo {
    /// Its name in files.
    pub id: &'static str,
    /// Its name in a legend.
    pub name: &'static str,
    /// True for a reference curve.
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

/// A number for each square of the board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeatMap {
    /// [`MapInfo::id`](crate::games::MapInfo::id).
    pub map: String,
    /// The sample.
    pub sample: SampleId,
    /// Files of the board.
    pub files: usize,
    /// One value per square, from a1 along the ranks. Black's squares are seen from Black's side.
    pub values: Vec<f64>,
}

/// A table of one sample: first moves, piece values.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SampleTable {
    /// [`TableInfo::id`].
    pub table: String,
    /// The sample.
    pub sample: SampleId,
    /// Id of each row ([`TableInfo::rows`]) and one cell per column, `None` without a value.
    pub rows: Vec<(String, Vec<Option<Estimate>>)>,
    /// Notes on this sample.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// Definition of a table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TableInfo {
    /// Its name in files.
    pub id: &'static str,
    /// Its chapter of the report.
    pub chapter: Chapter,
    /// Its title.
    pub title: &'static str,
    /// Heads and units of the columns after the first.
    pub columns: &'static [(&'static str, Unit)],
    /// Names of the rows.
    pub rows: RowNames,
    /// Notes on every table of this definition.
    pub note: &'static [&'static str],
}

/// Meaning of the ids of a table's rows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RowNames {
    /// Ids and names.
    Named(&'static [(&'static str, &'static str)]),
    /// [`MetricInfo::id`].
    Metrics,
    /// [`Term::id`](crate::games::Term::id) of the arm's game.
    Terms,
    /// Simulations per move.
    Simulations,
    /// The ids are the names: moves, endings or kinds of moves.
    Verbatim,
}

/// A note on the table of one sample.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "kebab-case")]
pub enum Note {
    /// The most balanced first moves, one chosen on each half of the games. Empty if no first move
    /// has enough games.
    FirstMoves {
        /// In alphabetical order.
        moves: Vec<String>,
    },
    /// A doubt about piece values.
    PieceValues {
        /// The doubtful fit.
        fit: Fit,
        /// The doubt.
        doubt: Doubt,
    },
}

/// A way to fit piece values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fit {
    /// Maximum likelihood.
    Likelihood,
    /// Least squares.
    Squares,
}

/// Strength of a network in an arm, against one opponent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Strength {
    /// The rules.
    pub arm: Arm,
    /// The network.
    pub network: NetworkId,
    /// Its checkpoint.
    pub checkpoint: Checkpoint,
    /// Its simulations per move.
    pub simulations: u32,
    /// The opponent, as written by `catapult_arena::PlayerSpec`, or the network itself:
    ///
    /// * `half`: at half the simulations
    /// * `x4`, `x16`: at 4 or 16 times the simulations
    /// * `without-teleports` etc.: without that kind of move
    pub opponent: String,
    /// The match.
    pub result: MatchResult,
}

impl Strength {
    /// Returns the network's sample.
    pub fn sample(&self) -> SampleId {
        self.network.sample(self.arm, self.checkpoint, self.simulations)
    }
}

/// A match between two networks of one agent, or of a network against itself. Networks of one agent
/// differ only in the training seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PopulationMatch {
    /// The rules.
    pub arm: Arm,
    /// The network whose wins are counted.
    pub network: NetworkId,
    /// The other network, or the same one.
    pub opponent: NetworkId,
    /// Simulations per move of both.
    pub simulations: u32,
    /// The match.
    pub result: MatchResult,
    /// Pairs by White's points in both games.
    pub white: Pentanomial,
    /// Pairs by games without a winner, each of which counts one point.
    pub drawn: Pentanomial,
}

/// A game from a position that endgame tablebases show to be won for White.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayedEnding {
    /// Distance to mate in plies (DTM), ignoring the fifty-move rule.
    pub distance: u16,
    /// True if White won.
    pub won: bool,
    /// Plies played.
    pub plies: u32,
    /// White's moves from positions that are won with their half-move clock.
    pub turns: u32,
    /// White's moves that kept such a position won.
    pub kept: u32,
}

/// A network's games of one ending, from the same start positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EndingGames {
    /// The rules.
    pub arm: Arm,
    /// The network, which plays White.
    pub network: NetworkId,
    /// Its simulations per move.
    pub simulations: u32,
    /// The ending, as the study's file names it.
    pub ending: String,
    /// Games against itself.
    pub itself: Vec<PlayedEnding>,
    /// Games against the tablebase's best defence.
    pub best: Vec<PlayedEnding>,
}

/// Difference of a metric at one level: the arm's value less its control's, or less a fixed value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contrast {
    /// [`MetricInfo::id`].
    pub metric: String,
    /// The arm's sample.
    pub arm: SampleId,
    /// The control's sample. `None` if the arm is compared with a fixed value.
    pub control: Option<SampleId>,
    /// Arm less control.
    pub difference: Estimate,
    /// Two-sided p-value for other seeds of this recipe. `None` with fewer than three seeds per
    /// side.
    pub rule_p: Option<f64>,
    /// Two-sided p-value for these networks.
    pub agents_p: f64,
    /// Posterior probability, for these networks, that the arm's value is above the control's.
    pub probability_above: f64,
    /// Power: probability that a study of this size finds the endpoint's smallest effect if no
    /// other endpoint has an effect. For the judged effect, it is the lowest power of any gate.
    /// `None` without an endpoint or with fewer than three seeds per side.
    pub power: Option<f64>,
}

impl Contrast {
    /// Returns the difference of a metric between two samples. If both belong to the same agent,
    /// the networks are paired by seed.
    pub fn between(arm: &Measure, control: &Measure) -> Contrast {
        let same = arm.sample.agent == control.sample.agent;
        let pairing = if same { Pairing::SameNetworks } else { Pairing::Apart };
        let difference = stats::contrast(&arm.evidence(), &control.evidence(), pairing);
        Contrast::of_samples(&arm.metric, arm.sample.clone(), Some(control.sample.clone()), &difference)
    }

    /// Creates a contrast from a difference between samples. A mean of several differences carries
    /// the names of the strongest samples.
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

/// A rule of an arm that no game used, so the games could have been played without it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Placebo {
    /// The arm.
    pub arm: Arm,
    /// [`AddedRule::id`](crate::games::AddedRule::id).
    pub rule: String,
    /// The arm's games at the last checkpoint.
    pub games: u64,
}

/// Everything that [`measure`](crate::measure) computes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measured {
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
    /// Rules of arms that no game used.
    pub placebos: Vec<Placebo>,
    /// Warnings, limits of validity first.
    pub warnings: Vec<Warning>,
}
