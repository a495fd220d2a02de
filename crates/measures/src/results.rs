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
    /// Name in files: `draw_rate`.
    pub id: &'static str,
    /// Name in running text: `draw rate`.
    pub name: &'static str,
    /// Unit of the metric's values.
    pub unit: Unit,
    /// Chapter of the report that shows the metric.
    pub chapter: Chapter,
    /// The value that favours neither side. `None` if the metric has no such value.
    pub neutral: Option<f64>,
    /// Form of a sentence that compares two arms by the metric.
    pub phrase: Phrase,
    /// Definition in one or two sentences, with its source.
    pub definition: &'static str,
}

/// Form of a sentence that compares two arms by a metric. Examples have the variable part in
/// italics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phrase {
    /// In Chess++ the measure "*draw rate*" is higher than in chess. The part is the metric's name.
    Named,
    /// Chess++ *is drawn* more often than chess. The metric is a share of games.
    Verb(&'static str),
    /// In Chess++ *White's score* is higher than in chess. The noun replaces the metric's name.
    Noun(&'static str),
    /// Chess++ takes 20 plies longer than chess. The metric is the length of a game.
    Longer,
}

impl MetricInfo {
    /// Creates a metric without a neutral value. Sentences that compare arms use its name.
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

    /// Sets the verb with which sentences compare a share of games.
    pub(crate) const fn verb(self, verb: &'static str) -> MetricInfo {
        MetricInfo { phrase: Phrase::Verb(verb), ..self }
    }

    /// Marks the metric as the length of a game.
    pub(crate) const fn longer(self) -> MetricInfo {
        MetricInfo { phrase: Phrase::Longer, ..self }
    }

    /// Sets the noun that replaces the name in sentences.
    pub(crate) const fn noun(self, noun: &'static str) -> MetricInfo {
        MetricInfo { phrase: Phrase::Noun(noun), ..self }
    }
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

/// The value of a metric for one sample.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measure {
    /// Id of the metric ([`MetricInfo::id`]).
    pub metric: String,
    /// The measured sample.
    pub sample: SampleId,
    /// Number of observations: games, unless the metric's definition counts positions or others.
    pub observations: u64,
    /// The value with its intervals.
    pub estimate: Estimate,
    /// Median over games. `None` if the metric is not a number per game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    /// Contribution of each network, by increasing seed.
    pub networks: Vec<NetworkValue>,
}

impl Measure {
    /// Creates a measure without a median. `metric` is a [`MetricInfo::id`].
    pub fn new(metric: &str, sample: SampleId, observations: u64, evidence: Evidence) -> Measure {
        let Evidence { estimate, networks } = evidence;
        Measure { metric: metric.to_owned(), sample, observations, estimate, median: None, networks }
    }

    /// Returns the estimate and the contribution of each network.
    pub fn evidence(&self) -> Evidence {
        Evidence { estimate: self.estimate, networks: self.networks.clone() }
    }
}

/// A curve of one sample: a metric along an axis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Curve {
    /// Id of the figure ([`FigureInfo::id`]).
    pub figure: String,
    /// The sample whose games the curve shows.
    pub sample: SampleId,
    /// Id of the curve ([`SeriesInfo::id`]). Empty if the figure has one curve per sample.
    pub series: String,
    /// Positions on the horizontal axis with estimates.
    pub points: Vec<(f64, Estimate)>,
}

/// Definition of a figure of [`Curve`]s.
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
    /// Curves of a sample. Empty if each sample has one curve.
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
    /// True for a curve that observed curves are compared with.
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

/// One number per square of a board, for one sample.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeatMap {
    /// Id of the board ([`MapInfo::id`](crate::games::MapInfo::id)).
    pub map: String,
    /// The sample whose games are counted.
    pub sample: SampleId,
    /// Number of files of the board.
    pub files: usize,
    /// One value per square, in events per game or as a share of plies. Squares are numbered from
    /// a1 rank by rank. For moves of Black, the board is seen from Black's side.
    pub values: Vec<f64>,
}

/// A table of one sample, such as its first moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SampleTable {
    /// Id of the table ([`TableInfo::id`]).
    pub table: String,
    /// The sample that the table describes.
    pub sample: SampleId,
    /// Id of each row ([`TableInfo::rows`]) and one cell per column. `None` is an empty cell.
    pub rows: Vec<(String, Vec<Option<Estimate>>)>,
    /// Notes below the table that concern this sample.
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
    /// Heading and unit of each column after the first.
    pub columns: &'static [(&'static str, Unit)],
    /// Meaning of the rows' ids.
    pub rows: RowNames,
    /// Notes below every table of this definition.
    pub note: &'static [&'static str],
}

/// Meaning of the ids of a table's rows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RowNames {
    /// Pairs of an id and the name that is shown.
    Named(&'static [(&'static str, &'static str)]),
    /// Ids of metrics ([`MetricInfo::id`]).
    Metrics,
    /// Ids of valued terms ([`Term::id`](crate::games::Term::id)) of the arm's game.
    Terms,
    /// Ids that are shown as they are: moves, endings or kinds of moves.
    Verbatim,
}

/// A note on the table of one sample.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "kebab-case")]
pub enum Note {
    /// The most balanced first moves, one chosen on each half of the games. Empty if no first move
    /// has enough games.
    FirstMoves {
        /// The moves as text, in alphabetical order.
        moves: Vec<String>,
    },
    /// A reason to doubt piece values.
    PieceValues {
        /// The fit that is doubted.
        fit: Fit,
        /// The reason to doubt its values.
        doubt: Doubt,
    },
}

/// Method by which piece values are fitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fit {
    /// Maximum likelihood.
    Likelihood,
    /// Least squares.
    Squares,
}

/// Strength of a network in an arm, measured against one opponent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Strength {
    /// Rule set of the match.
    pub arm: Arm,
    /// The network whose strength is measured.
    pub network: NetworkId,
    /// Stage of training of the network.
    pub checkpoint: Checkpoint,
    /// The network's simulations per move.
    pub simulations: u32,
    /// Name of the opponent, as written by `catapult_arena::PlayerSpec`, or one of these names for
    /// the network itself:
    ///
    /// * `half`: at half the simulations
    /// * `x4`, `x16`: at 4 or 16 times the simulations
    /// * `without-teleports` etc.: without that kind of move
    pub opponent: String,
    /// Result of the match, from the network's side.
    pub result: MatchResult,
}

impl Strength {
    /// Returns the sample to which the network belongs at this checkpoint and level.
    pub fn sample(&self) -> SampleId {
        self.network.sample(self.arm, self.checkpoint, self.simulations)
    }
}

/// A match between two networks of one agent, or of a network against itself. Networks of one agent
/// differ only in the training seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PopulationMatch {
    /// Rule set of the match.
    pub arm: Arm,
    /// The network whose wins are counted.
    pub network: NetworkId,
    /// The other network, or the same one.
    pub opponent: NetworkId,
    /// Simulations per move of both players.
    pub simulations: u32,
    /// Result of the match, from the side of `network`.
    pub result: MatchResult,
    /// Numbers of pairs of games by White's points in both games.
    pub white: Pentanomial,
    /// Numbers of pairs of games by the number of games without a winner. Each such game counts one
    /// point.
    pub drawn: Pentanomial,
}

/// A game from a position that endgame tablebases show to be won for White.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayedEnding {
    /// Distance to mate of the start position in plies (DTM), ignoring the fifty-move rule.
    pub distance: u16,
    /// True if White won.
    pub won: bool,
    /// Number of plies played.
    pub plies: u32,
    /// Number of White's moves from positions that are won with their half-move clock.
    pub turns: u32,
    /// Number of White's moves, of `turns`, after which the position was still won.
    pub kept: u32,
}

/// A network's games of one ending. Both lists have the same start positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EndingGames {
    /// Rule set of the games.
    pub arm: Arm,
    /// The network, which plays White.
    pub network: NetworkId,
    /// The network's simulations per move.
    pub simulations: u32,
    /// The ending, as the study's file names it.
    pub ending: String,
    /// Games of the network against itself.
    pub itself: Vec<PlayedEnding>,
    /// Games of the network against the tablebase's best defence.
    pub best: Vec<PlayedEnding>,
}

/// Difference of a metric at one level: the arm's value less its control's, or less a fixed value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contrast {
    /// Id of the metric ([`MetricInfo::id`]).
    pub metric: String,
    /// The arm's sample.
    pub arm: SampleId,
    /// The control's sample. `None` if the arm is compared with a fixed value.
    pub control: Option<SampleId>,
    /// The arm's value less the control's, or less the fixed value.
    pub difference: Estimate,
    /// Two-sided p-value for other training seeds of this recipe. `None` with fewer than three
    /// seeds per side.
    pub rule_p: Option<f64>,
    /// Two-sided p-value for these networks.
    pub agents_p: f64,
    /// Posterior probability, for these networks, that the arm's value is above the control's.
    pub probability_above: f64,
    /// Power: the probability that a study of this size finds the endpoint's smallest effect if no
    /// other endpoint has an effect. The judged effect has the lowest power of all gates. `None`
    /// without an endpoint or with fewer than three seeds per side.
    pub power: Option<f64>,
}

impl Contrast {
    /// Returns the difference of a metric between two samples. If both samples belong to one agent,
    /// the networks are paired by seed.
    pub fn between(arm: &Measure, control: &Measure) -> Contrast {
        let same = arm.sample.agent == control.sample.agent;
        let pairing = if same { Pairing::SameNetworks } else { Pairing::Apart };
        let difference = stats::contrast(&arm.evidence(), &control.evidence(), pairing);
        Contrast::of_samples(&arm.metric, arm.sample.clone(), Some(control.sample.clone()), &difference)
    }

    /// Creates a contrast, without power, from a difference between samples. A mean of several
    /// differences gets the samples of the strongest level.
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
    /// The arm that adds the rule.
    pub arm: Arm,
    /// Id of the rule ([`AddedRule::id`](crate::games::AddedRule::id)).
    pub rule: String,
    /// Number of the arm's games at the last checkpoint.
    pub games: u64,
}

/// Everything that [`measure`](crate::measure) computes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measured {
    /// Estimates with intervals, one per metric and sample.
    pub measures: Vec<Measure>,
    /// Differences between arms and the study's control, for all metrics and levels.
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
