//! Results of a study's games: values, differences, curves, boards, tables and matches.

use crate::arms::Arm;
use crate::data::{Checkpoint, NetworkId, SampleId};
pub use crate::warning::{Alike, Caps, Doubt, Skewed, Warning};
use catapult_arena::MatchResult;
pub use catapult_figures::Unit;
use catapult_stats::{self as stats, Evidence, Pairing, Pentanomial};
pub use catapult_stats::{Estimate, NetworkValue};
use serde::{Deserialize, Serialize};

/// What a metric is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MetricInfo {
    /// Its name in files: `draw_rate`.
    pub id: &'static str,
    /// Its name in running text: `draw rate`.
    pub name: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// The chapter of the report that it stands in.
    pub chapter: Chapter,
    /// The value that favours neither side, if there is one.
    pub neutral: Option<f64>,
    /// How a sentence compares two games by it.
    pub phrase: Phrase,
    /// Its definition in a sentence or two, with the source it follows.
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
    /// A metric that has no neutral value and goes by its name.
    pub(crate) const fn new(
        chapter: Chapter,
        unit: Unit,
        id: &'static str,
        name: &'static str,
        definition: &'static str,
    ) -> MetricInfo {
        MetricInfo { id, name, unit, chapter, neutral: None, phrase: Phrase::Named, definition }
    }

    /// With a value that favours neither side.
    pub(crate) const fn neutral(self, value: f64) -> MetricInfo {
        MetricInfo { neutral: Some(value), ..self }
    }

    /// A share of games of which the verb is true.
    pub(crate) const fn verb(self, verb: &'static str) -> MetricInfo {
        MetricInfo { phrase: Phrase::Verb(verb), ..self }
    }

    /// The length of a game.
    pub(crate) const fn longer(self) -> MetricInfo {
        MetricInfo { phrase: Phrase::Longer, ..self }
    }

    /// With a noun for running text.
    pub(crate) const fn noun(self, noun: &'static str) -> MetricInfo {
        MetricInfo { phrase: Phrase::Noun(noun), ..self }
    }
}

/// The chapters of a report, in the order in which they are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chapter {
    /// How strong the players are.
    Strength,
    /// How games end.
    Endings,
    /// How long they last.
    Length,
    /// Openings.
    Openings,
    /// What pieces are worth.
    Values,
    /// What the new rules are used for.
    NewRules,
    /// How much of chess is still there.
    Superset,
    /// Comebacks and changes of fortune.
    Comebacks,
    /// Room for skill.
    Skill,
    /// What this version does not know, or what results of earlier ones do not say.
    #[default]
    Others,
}

/// A metric of one sample.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measure {
    /// [`MetricInfo::id`].
    pub metric: String,
    /// What it was measured on.
    pub sample: SampleId,
    /// Games (or positions, as the metric's definition says) that entered.
    pub observations: u64,
    /// The value.
    pub estimate: Estimate,
    /// Median over games, of a number that each game has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    /// What each network contributes, by rising seed.
    pub networks: Vec<NetworkValue>,
}

impl Measure {
    /// A metric ([`MetricInfo::id`]) of a sample.
    pub fn new(metric: &str, sample: SampleId, observations: u64, evidence: Evidence) -> Measure {
        let Evidence { estimate, networks } = evidence;
        Measure { metric: metric.to_owned(), sample, observations, estimate, median: None, networks }
    }

    /// What the statistics work on.
    pub fn evidence(&self) -> Evidence {
        Evidence { estimate: self.estimate, networks: self.networks.clone() }
    }
}

/// A curve of one sample: a metric along an axis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Curve {
    /// [`FigureInfo::id`].
    pub figure: String,
    /// What it was measured on.
    pub sample: SampleId,
    /// [`SeriesInfo::id`]; empty for the only curve of a sample and figure.
    pub series: String,
    /// Along the axis.
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
    /// The chapter of the report that it stands in.
    pub chapter: Chapter,
    /// The curves of a sample, if there are several.
    pub series: &'static [SeriesInfo],
    /// What it shows and how it was measured.
    pub caption: &'static str,
}

/// Definition of one curve of a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeriesInfo {
    /// Its name in files.
    pub id: &'static str,
    /// Its name in a legend.
    pub name: &'static str,
    /// Whether the others are compared with it.
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
    /// What it was measured on.
    pub sample: SampleId,
    /// Files of the board.
    pub files: usize,
    /// Rank by rank from rank 1, file a first, as many as squares. Black's squares are seen from Black's side.
    pub values: Vec<f64>,
}

/// A table of one sample: first moves, piece values.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SampleTable {
    /// [`TableInfo::id`].
    pub table: String,
    /// What it was measured on.
    pub sample: SampleId,
    /// Id of the row ([`TableInfo::rows`]) and a cell for each column; none where there is no value.
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
    /// The chapter of the report that it stands in.
    pub chapter: Chapter,
    /// Its title.
    pub title: &'static str,
    /// Heads of the columns after the first, and their units.
    pub columns: &'static [(&'static str, Unit)],
    /// Names of the rows.
    pub rows: RowNames,
    /// Notes on the table of any sample.
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
    /// Simulations a move.
    Simulations,
    /// Moves, endings or kinds of moves, which name themselves.
    Verbatim,
}

/// A note on the table of one sample.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "kebab-case")]
pub enum Note {
    /// The most balanced first moves, chosen on either half of the games; none where no first move has enough games.
    FirstMoves {
        /// In alphabetical order.
        moves: Vec<String>,
    },
    /// A doubt about piece values.
    PieceValues {
        /// The fit that is in doubt.
        fit: Fit,
        /// The doubt.
        doubt: Doubt,
    },
}

/// A way to fit piece values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fit {
    /// By likelihood.
    Likelihood,
    /// By squared errors.
    Squares,
}

/// How strong a network is in an arm, against one opponent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Strength {
    /// The rules.
    pub arm: Arm,
    /// The network.
    pub network: NetworkId,
    /// How far it had been trained.
    pub checkpoint: Checkpoint,
    /// Its simulations a move.
    pub simulations: u32,
    /// The other player, in the form of `catapult_arena::PlayerSpec`; `half` is itself at half the simulations, `x4` and `x16` at
    /// so many times them, `without-teleports` and so on itself without that kind of move.
    pub opponent: String,
    /// The match.
    pub result: MatchResult,
}

impl Strength {
    /// The sample that the network belongs to.
    pub fn sample(&self) -> SampleId {
        self.network.sample(self.arm, self.checkpoint, self.simulations)
    }
}

/// A match between two networks of one agent, which differ in the training seed only, or of one against itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PopulationMatch {
    /// The rules.
    pub arm: Arm,
    /// The one whose wins are counted.
    pub network: NetworkId,
    /// The other one, or the same again.
    pub opponent: NetworkId,
    /// Simulations a move of both.
    pub simulations: u32,
    /// The match.
    pub result: MatchResult,
    /// Pairs by White's points in both games.
    pub white: Pentanomial,
    /// Pairs by the games that nobody won, each counting a point.
    pub drawn: Pentanomial,
}

/// A game from a position that tables of endings know to be won for White.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayedEnding {
    /// Plies to mate under best play, were there no hundred-ply rule.
    pub distance: u16,
    /// Whether White won.
    pub won: bool,
    /// Plies that were played.
    pub plies: u32,
    /// White's moves from positions that were won, at their own clock.
    pub turns: u32,
    /// Those of them that kept the win.
    pub kept: u32,
}

/// A network's games of one ending, from the same start positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EndingGames {
    /// The rules.
    pub arm: Arm,
    /// The network, which plays White.
    pub network: NetworkId,
    /// Its simulations a move.
    pub simulations: u32,
    /// The ending, as the study's file names it.
    pub ending: String,
    /// Against itself.
    pub itself: Vec<PlayedEnding>,
    /// Against the table's best defence.
    pub best: Vec<PlayedEnding>,
}

/// The difference of a metric between an arm and its control, or a fixed value, at one level: arm less control.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contrast {
    /// [`MetricInfo::id`].
    pub metric: String,
    /// The arm's sample.
    pub arm: SampleId,
    /// The control's; none where the arm is compared with a fixed value.
    pub control: Option<SampleId>,
    /// Arm less control.
    pub difference: Estimate,
    /// Two-sided p-value for other seeds of this recipe; none with fewer than three seeds a side.
    pub rule_p: Option<f64>,
    /// Two-sided p-value for these networks.
    pub agents_p: f64,
    /// Probability, over the posterior for these networks, that the arm's value is above the control's.
    pub probability_above: f64,
    /// Probability that a study of this size finds the endpoint's smallest effect if it is the only effect among the
    /// endpoints, of what is judged the least over all gates; none where no endpoint asks, or with fewer than three seeds a side.
    pub power: Option<f64>,
}

impl Contrast {
    /// The difference of a metric between two samples. Networks of the same agent and seed are the same network, so
    /// they are paired.
    pub fn between(arm: &Measure, control: &Measure) -> Contrast {
        let same = arm.sample.agent == control.sample.agent;
        let pairing = if same { Pairing::SameNetworks } else { Pairing::Apart };
        let difference = stats::contrast(&arm.evidence(), &control.evidence(), pairing);
        Contrast::of_samples(&arm.metric, arm.sample.clone(), Some(control.sample.clone()), &difference)
    }

    /// A difference between samples, or the mean of several, told as of the strongest of them.
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

/// A rule of an arm that no game used, so that the arm might as well have been played without it.
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
    /// Differences between arms and the study's control, all metrics and levels.
    pub contrasts: Vec<Contrast>,
    /// Curves.
    pub curves: Vec<Curve>,
    /// Boards.
    pub heat_maps: Vec<HeatMap>,
    /// Tables.
    pub tables: Vec<SampleTable>,
    /// Rules of arms that were never used.
    pub placebos: Vec<Placebo>,
    /// What the reader must know, the limits of validity first.
    pub warnings: Vec<Warning>,
}
