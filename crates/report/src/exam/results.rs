//! Results of an exam, as `exam.json` has them: numbers, and names that are ids.

use catapult_rules::Variant;
use serde::{Deserialize, Serialize};

/// Format of `exam.json` that this version writes and reads.
pub const FORMAT: u32 = 1;

/// An exam's results.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExamResults {
    /// Format of the file.
    pub format: u32,
    /// Version of the program.
    pub version: String,
    /// The network's file name, without its ending.
    pub network: String,
    /// BLAKE3 of the network's file.
    pub hash: String,
    /// True for a quick exam, which has fewer games and simulations than a full exam.
    pub quick: bool,
    /// Simulations per move of matches, endings and searches.
    pub simulations: u32,
    /// Games that were examined.
    pub games: Vec<Variant>,
    /// Further games that the network has learned.
    pub unexamined: Vec<Variant>,
    /// Measured numbers.
    pub lines: Vec<Line>,
    /// Items without a number.
    pub left_out: Vec<LeftOut>,
}

impl ExamResults {
    /// Returns the numbers of gates that passed, failed and are unresolved.
    pub fn counts(&self) -> [u32; 3] {
        let gates = || self.lines.iter().filter_map(|line| line.gate);
        [Verdict::Pass, Verdict::Fail, Verdict::Unresolved]
            .map(|verdict| gates().filter(|gate| gate.verdict == verdict).count() as u32)
    }
}

/// Something that an exam measures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Item {
    /// Gate: worth of a kind of move, in Elo.
    Misuse,
    /// Gate: share of won positions of an ending that are won against the table.
    Conversion,
    /// Gate: value of won positions at a half-move clock at which they are drawn, divided by their
    /// value at clock 10.
    Clock,
    /// Gate: share of games that are fifty-move draws of a rook or queen against a bare king.
    RookDraws,
    /// Gate: change of the draw rate with each doubling of the simulations.
    DrawSlope,
    /// Gate: White's mean score.
    WhiteScore,
    /// Gate: calibration error of root values.
    Calibration,
    /// Fitted value of a piece, in pawns.
    PieceValues,
    /// Hung pieces per game.
    HungPieces,
    /// Share of forced mates that the network keeps.
    MatesFound,
    /// Share of a suite's positions that are solved.
    Tactics,
}

impl Item {
    /// All items, in the order of the page.
    pub const ALL: [Item; 11] = [
        Item::Misuse,
        Item::Conversion,
        Item::Clock,
        Item::RookDraws,
        Item::DrawSlope,
        Item::WhiteScore,
        Item::Calibration,
        Item::PieceValues,
        Item::HungPieces,
        Item::MatesFound,
        Item::Tactics,
    ];
}

/// A measured number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// The item.
    pub item: Item,
    /// The game.
    pub game: Variant,
    /// Kind of move, ending, piece, moves to mate or simulations, if the item has several parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Games or positions.
    pub observations: u64,
    /// The value. Shares are of 1.
    pub value: f64,
    /// 95 % interval for this network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// Threshold and verdict of a gate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
}

impl Line {
    /// Returns the line with a gate, if it has an interval.
    #[must_use]
    pub fn with_gate(self, threshold: Threshold) -> Line {
        let gate = self.interval.map(|interval| Gate { threshold, verdict: threshold.verdict(interval) });
        Line { gate, ..self }
    }
}

/// A gate.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gate {
    /// Threshold.
    pub threshold: Threshold,
    /// Verdict.
    pub verdict: Verdict,
}

/// Condition of a gate.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Threshold {
    /// The value is at least this number.
    AtLeast(f64),
    /// The value is below this number.
    Below(f64),
    /// The interval reaches into this range.
    Reaches([f64; 2]),
}

/// Verdict of a gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The whole interval meets the condition.
    Pass,
    /// No part of the interval meets the condition.
    Fail,
    /// Neither.
    Unresolved,
}

impl Threshold {
    /// Returns the verdict of a 95 % interval.
    pub fn verdict(self, [low, high]: [f64; 2]) -> Verdict {
        let (passes, fails) = match self {
            Threshold::AtLeast(threshold) => (low >= threshold, high < threshold),
            Threshold::Below(threshold) => (high < threshold, low >= threshold),
            Threshold::Reaches([from, to]) => {
                let reaches = low <= to && high >= from;
                (reaches, !reaches)
            }
        };
        match (passes, fails) {
            (true, _) => Verdict::Pass,
            (_, true) => Verdict::Fail,
            _ => Verdict::Unresolved,
        }
    }
}

/// An item without a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LeftOut {
    /// The item.
    pub item: Item,
    /// The reason.
    pub reason: Reason,
    /// The game, if the item applies to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<Variant>,
}

/// Reason for an item without a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The network has not learned chess.
    NoChess,
    /// The network has not learned a game with catapults.
    NoCatapults,
    /// No endgame tablebase covers its games.
    NoTables,
    /// A turn consists of several decisions.
    SeveralDecisions,
    /// There is no file with a suite.
    NoSuite,
    /// The exam gave no number: too few games, or a network that sees no win at clock 10.
    NotMeasured,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_from_the_whole_interval() {
        use Threshold::{AtLeast, Below, Reaches};
        use Verdict::{Fail, Pass, Unresolved};
        for (threshold, interval, verdict) in [
            (AtLeast(-15.0), [-15.0, 40.0], Pass),
            (AtLeast(-15.0), [-15.1, 40.0], Unresolved),
            (AtLeast(-15.0), [-40.0, -15.0], Unresolved),
            (AtLeast(-15.0), [-40.0, -15.1], Fail),
            (Below(0.005), [0.0, 0.0019], Pass),
            (Below(0.005), [0.001, 0.005], Unresolved),
            (Below(0.005), [0.005, 0.02], Fail),
            (Reaches([0.51, 0.56]), [0.49, 0.51], Pass),
            (Reaches([0.51, 0.56]), [0.40, 0.60], Pass),
            (Reaches([0.51, 0.56]), [0.47, 0.509], Fail),
            (Reaches([0.51, 0.56]), [0.561, 0.60], Fail),
        ] {
            assert_eq!(threshold.verdict(interval), verdict, "{threshold:?} {interval:?}");
        }
    }
}
