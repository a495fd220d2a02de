//! Results of a study's games: values, differences, curves, boards, tables and matches.

use crate::data::{Checkpoint, NetworkId, SampleId};
use catapult_arena::MatchResult;
pub use catapult_figures::Unit;
use catapult_rules::Variant;
use catapult_stats::{self as stats, Evidence, Pairing, Pentanomial};
pub use catapult_stats::{Estimate, NetworkValue};
use serde::{Deserialize, Serialize};

/// What a metric is.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
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
    /// Its definition in a sentence or two, with the source it follows.
    pub definition: &'static str,
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
    /// What each network contributes, by rising seed.
    pub networks: Vec<NetworkValue>,
}

impl Measure {
    /// A metric ([`MetricInfo::id`]) of a sample.
    pub fn new(metric: &str, sample: SampleId, observations: u64, evidence: Evidence) -> Measure {
        let Evidence { estimate, networks } = evidence;
        Measure { metric: metric.to_owned(), sample, observations, estimate, networks }
    }

    /// What the statistics work on.
    pub fn evidence(&self) -> Evidence {
        Evidence { estimate: self.estimate, networks: self.networks.clone() }
    }
}

/// A curve of one sample: a metric along an axis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Curve {
    /// Which figure it belongs to: `comebacks`, `opening-entropy`, `lead-changes`, ...
    pub figure: String,
    /// What it was measured on.
    pub sample: SampleId,
    /// Tells curves of one sample and figure apart; empty where there is one.
    pub series: String,
    /// Along the axis.
    pub points: Vec<(f64, Estimate)>,
}

/// What the axes of a figure of [`Curve`]s are.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FigureInfo {
    /// [`Curve::figure`].
    pub id: String,
    /// Its title.
    pub title: String,
    /// The horizontal axis, with its unit.
    pub x: String,
    /// The vertical axis, with its unit.
    pub y: String,
    /// The unit of the vertical axis.
    #[serde(default = "FigureInfo::unit_of_old")]
    pub unit: Unit,
    /// The chapter of the report that it stands in.
    #[serde(default)]
    pub chapter: Chapter,
    /// What it shows and how it was measured, in a sentence or two.
    pub caption: String,
}

impl FigureInfo {
    /// Results that were written before figures had units drew shares in per cent by their values.
    fn unit_of_old() -> Unit {
        Unit::Ratio
    }
}

/// A number for each square of the board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeatMap {
    /// What it shows: `catapults stand`, `teleports land`, ...
    pub title: String,
    /// What it was measured on.
    pub sample: SampleId,
    /// Files of the board.
    pub files: usize,
    /// Rank by rank from rank 1, file a first, as many as squares. Black's squares are seen from Black's side.
    pub values: Vec<f64>,
    /// What the numbers are: `per game`, `share of plies`.
    pub unit: String,
}

/// A table of one sample: first moves, piece values.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SampleTable {
    /// Which table: `first-moves`, `piece-values`, `endings`.
    pub table: String,
    /// The chapter of the report that it stands in.
    #[serde(default)]
    pub chapter: Chapter,
    /// Its title.
    pub title: String,
    /// What it was measured on.
    pub sample: SampleId,
    /// Heads of the columns after the first, and their units.
    pub columns: Vec<(String, Unit)>,
    /// Name of the row, and its cells; none where there is nothing to say.
    pub rows: Vec<(String, Vec<Option<Estimate>>)>,
    /// What must be said beside it, e.g. that the networks are too weak for it.
    pub note: Option<String>,
}

/// How strong a network is in an arm, against one opponent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Strength {
    /// The rules.
    pub arm: Variant,
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

/// A match between two networks of one agent, which differ in the training seed only, or of one against itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PopulationMatch {
    /// The rules.
    pub arm: Variant,
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
    pub arm: Variant,
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
    /// The control's; none where the arm is held against a fixed value.
    pub control: Option<SampleId>,
    /// Arm less control.
    pub difference: Estimate,
    /// Two-sided, that networks of other seeds show no difference; none with fewer than three seeds a side.
    pub rule_p: Option<f64>,
    /// Two-sided, that these networks show no difference.
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

/// A game that was chosen to be looked at, by a rule and not by hand.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExampleGame {
    /// The rule that chose it: `the teleport that decided`, `the largest swing`, `a catapult capture`.
    pub chosen: String,
    /// The rule in a sentence.
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
    pub outcome: String,
}

/// Everything that [`measure`](crate::measure) computes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measured {
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
    /// Rules of arms that were never used: the arm, and what was not used.
    pub placebos: Vec<(Variant, String)>,
    /// What the reader must know: a control that came out insane, too few games, and so on.
    pub warnings: Vec<String>,
}
