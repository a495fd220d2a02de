//! Results of an exam, as stored in `exam.json`: numbers and ids, without sentences.

use catapult_rules::Variant;
use serde::{Deserialize, Serialize};

/// Number of the format of `exam.json` that this version writes and reads.
pub const FORMAT: u32 = 1;

/// Results of an exam: the contents of `exam.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExamResults {
    /// Format of the file: [`FORMAT`].
    pub format: u32,
    /// Version of Catapult that wrote the file.
    pub version: String,
    /// The network's file name, without its extension.
    pub network: String,
    /// BLAKE3 hash (hex) of the network's file.
    pub hash: String,
    /// True for a quick exam, which has fewer games and simulations than a full exam.
    pub quick: bool,
    /// Simulations per move of matches, endings and probes.
    pub simulations: u32,
    /// Variants that were examined, chess first if the network has learned it.
    pub games: Vec<Variant>,
    /// Variants that the network has learned and that were not examined.
    pub unexamined: Vec<Variant>,
    /// Measured values, in the order of the page.
    pub lines: Vec<Line>,
    /// Items without a value, with the reasons.
    pub left_out: Vec<LeftOut>,
}

impl ExamResults {
    /// Returns the numbers of gates that passed, failed and are unresolved.
    pub fn counts(&self) -> [u32; 3] {
        let gates = || self.lines.iter().filter_map(|line| line.gate);
        Verdict::ALL.map(|verdict| gates().filter(|gate| gate.verdict == verdict).count() as u32)
    }
}

catapult_rules::named! {
    /// Quantity that an exam measures. An item with a gate has a threshold and a verdict.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Item {
        /// Gate: worth of a kind of move, in Elo.
        Misuse = "worth of kinds of moves",
        /// Gate: share of games from won positions of an ending that the network wins against the
        /// tablebase.
        Conversion = "conversion of won endings",
        /// Gate: value of won positions at a half-move clock at which they are drawn, divided by
        /// their value at clock 10.
        Clock = "value at a late half-move clock / value at clock 10",
        /// Gate: share of games that are fifty-move draws of a rook or queen against a bare king.
        RookDraws = "fifty-move draws with a rook against a bare king",
        /// Gate: change of the draw rate with each doubling of the simulations.
        DrawSlope = "draw rate per doubling of simulations",
        /// Gate: White's mean score in games of chess, from 0 to 1.
        WhiteScore = "White's score",
        /// Gate: calibration error of root values.
        Calibration = "calibration error of values",
        /// Fitted value of a piece, in pawns.
        PieceValues = "piece values",
        /// Mean number of moves per game that hang a piece.
        HungPieces = "hung pieces per game",
        /// Share of positions with a forced mate in which the network's move keeps the mate.
        MatesFound = "mates found",
        /// Share of the positions of a tactical test suite in which the network plays a best move.
        Tactics = "catapult tactics solved",
    }
}

/// Measured value of an item in one variant.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// The measured quantity.
    pub item: Item,
    /// The variant in which the item was measured.
    pub game: Variant,
    /// Part of the item, if it has several: kind of move, ending, piece, moves to mate, or
    /// simulations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Number of games or positions from which the value is computed.
    pub observations: u64,
    /// The value in the item's unit. Shares are from 0 to 1.
    pub value: f64,
    /// 95 % interval for this network. `None` if it is not finite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// Gate of the item. `None` for an item without a gate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
}

impl Line {
    /// Returns the line with a gate for this threshold. Without an interval, the line has no gate.
    #[must_use]
    pub fn with_gate(self, threshold: Threshold) -> Line {
        let gate = self.interval.map(|interval| Gate { threshold, verdict: threshold.verdict(interval) });
        Line { gate, ..self }
    }
}

/// Gate of an exam: a condition on an item's value, and the verdict on it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gate {
    /// The condition.
    pub threshold: Threshold,
    /// The verdict on the condition by the 95 % interval.
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

catapult_rules::named! {
    /// Verdict of a gate.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Verdict {
        /// The whole interval meets the condition. For [`Threshold::Reaches`], a part of it is
        /// enough.
        Pass = "pass",
        /// No part of the interval meets the condition.
        Fail = "fail",
        /// Only a part of the interval meets the condition.
        Unresolved = "unresolved",
    }
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

/// Item for which an exam has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LeftOut {
    /// The measured quantity.
    pub item: Item,
    /// The reason why there is no value.
    pub reason: Reason,
    /// The examined variant that lacks the value. `None` if the item applies to no examined
    /// variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<Variant>,
}

catapult_rules::named! {
    /// Reason why an item has no value.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Reason {
        /// The network has not learned chess.
        NoChess = "the network has not learned chess",
        /// The network has not learned a game with catapults.
        NoCatapults = "the network has not learned a game with catapults",
        /// No endgame tablebase covers its games.
        NoTables = "no endgame tables cover its game",
        /// In the network's games, a turn consists of several decisions.
        SeveralDecisions = "a turn of its game consists of several decisions",
        /// The file with the tactical test suite does not exist.
        NoSuite = "no file of positions",
        /// The exam gave no value. It had too few games, or the network sees no win at half-move
        /// clock 10.
        NotMeasured = "not enough data",
    }
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
