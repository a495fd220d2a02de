//! Computation of an exam's lines from the results of its study and its probes.

use super::size::{ENDINGS, Size};
use super::template::KINDS;
use crate::exact::table_key;
use crate::probes::{Facts, Probe, ProbeUnit};
use catapult_measures::Arm;
use catapult_measures::metrics::piece_values;
use catapult_report::exam::results::{Item, LeftOut, Line, Reason, Threshold};
use catapult_report::results::{Measure, StudyResults};
use catapult_rules::Variant;
use catapult_stats::{Clustered, Estimate, Resampling, mean, rate, ratio, wilson};
use std::collections::BTreeSet;

/// Smallest worth of a kind of move that passes the gate, in Elo.
const WORTH: f64 = -15.0;
/// Smallest share of won endings that the network must win to pass the gate, from 0 to 1.
const CONVERTED: f64 = 0.9;
/// Upper bound of a ratio: the value at a late half-move clock, divided by the value at clock 10.
const CLOCK_RATIO: f64 = 0.5;
/// Upper bound of the share of games that end as fifty-move draws with a rook or queen against a
/// bare king.
const ROOK_DRAWS: f64 = 0.005;
/// Smallest change of the draw rate per doubling of simulations that passes the gate, as a share.
/// The value is -0.5 percentage points.
const SLOPE: f64 = -0.005;
/// Range of White's mean score in chess that passes the gate, from 0 to 1.
const WHITE: [f64; 2] = [0.51, 0.56];
/// Upper bound of the calibration error of the network's values.
const CALIBRATION: f64 = 0.05;

/// Elo values are limited to plus or minus this number, because JSON has no infinity.
const MOST_ELO: f64 = 9999.0;

/// Results of an exam's study and its probes, from which the lines of the exam are computed.
pub(super) struct Source<'a> {
    pub results: &'a StudyResults,
    pub probes: &'a [(ProbeUnit, Facts)],
    pub size: &'a Size,
    pub resampling: Resampling,
}

impl Source<'_> {
    /// Returns all lines of the exam, in the order of its page.
    pub(super) fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for (i, arm) in self.results.arms.iter().enumerate() {
            self.worth(*arm, &mut lines);
            self.endings(*arm, &mut lines);
            if arm.rules == Variant::Chess {
                self.chess(*arm, &mut lines);
            }
            if i == 0 {
                let found = self.measure(Item::Calibration, "calibration_error_raw", *arm, self.size.gates.0);
                lines.extend(found.map(|line| line.with_gate(Threshold::Below(CALIBRATION))));
            }
            let level = if i == 0 { self.size.gates.0 } else { self.size.common.0 };
            self.values(*arm, level, &mut lines);
            self.probed(*arm, &mut lines);
        }
        // The sort is stable, so lines of one item stay in the order of the variants.
        lines.sort_by_key(|line| line.item);
        lines.retain(|line| line.value.is_finite());
        lines
    }

    fn worth(&self, arm: Arm, lines: &mut Vec<Line>) {
        for kind in KINDS {
            let is_it = |without: &catapult_arena::Forbidden| without.kind == kind;
            let mut matches = self.results.worth.iter().filter(|found| found.arm == arm);
            let Some(found) = matches.find(|found| found.result.forbidden.as_ref().is_some_and(is_it)) else {
                continue;
            };
            let elo = found.result.elo;
            let [value, low, high] = [elo.value, elo.low, elo.high].map(|elo| elo.clamp(-MOST_ELO, MOST_ELO));
            let line = Line {
                part: Some(kind.name().to_owned()),
                ..line(Item::Misuse, arm, found.result.games.into(), value, [low, high])
            };
            lines.push(line.with_gate(Threshold::AtLeast(WORTH)));
        }
    }

    fn endings(&self, arm: Arm, lines: &mut Vec<Line>) {
        for found in self.results.endings.iter().filter(|found| found.arm == arm) {
            let won = found.best.iter().filter(|game| game.won).count();
            let line = share(Item::Conversion, arm, won, found.best.len());
            let part = Some(found.ending.replace(' ', "-"));
            lines.extend(line.map(|line| Line { part, ..line }.with_gate(Threshold::AtLeast(CONVERTED))));
        }
        let Some(facts) = self.facts(Probe::Clock, arm) else { return };
        let found = ratio(&clustered(facts), |[early, late]| (*late, *early), &self.resampling);
        // The ratio means nothing for a network that sees no win at clock 10.
        let early = mean(&clustered(facts), |[early, _]| *early, &self.resampling);
        if let (Some(found), true) = (found, early.is_some_and(|early| early.estimate.agents[0] > 0.0)) {
            let line = estimated(Item::Clock, arm, facts.len() as u64, &found.estimate);
            lines.push(line.with_gate(Threshold::Below(CLOCK_RATIO)));
        }
    }

    fn chess(&self, arm: Arm, lines: &mut Vec<Line>) {
        if let Some(facts) = self.facts(Probe::RookDraws, arm) {
            let drawn = facts.iter().filter(|[is_drawn, _]| *is_drawn > 0.0).count();
            let line = share(Item::RookDraws, arm, drawn, facts.len());
            lines.extend(line.map(|line| line.with_gate(Threshold::Below(ROOK_DRAWS))));
        }
        for (item, metric, level, threshold) in [
            (Item::DrawSlope, "draw_slope", self.size.deep.0, Threshold::AtLeast(SLOPE)),
            (Item::WhiteScore, "white_score", self.size.gates.0, Threshold::Reaches(WHITE)),
        ] {
            let found = self.measure(item, metric, arm, level);
            lines.extend(found.map(|line| line.with_gate(threshold)));
        }
    }

    /// Adds the piece values of an arm, fitted to games at this search level. They have no gate.
    fn values(&self, arm: Arm, level: u32, lines: &mut Vec<Line>) {
        for (piece, metric) in piece_values() {
            let found = self.measure(Item::PieceValues, metric, arm, level);
            let part = Some(piece.replace(' ', "-"));
            lines.extend(found.map(|line| Line { part, ..line }));
        }
    }

    fn probed(&self, arm: Arm, lines: &mut Vec<Line>) {
        if let Some(facts) = self.facts(Probe::Hung, arm)
            && let Some(found) = rate(&clustered(facts), |[hung, _]| (*hung, 1.0), &self.resampling)
        {
            lines.push(estimated(Item::HungPieces, arm, facts.len() as u64, &found.estimate));
        }
        for (item, probe) in [(Item::MatesFound, Probe::Mates), (Item::Tactics, Probe::Tactics)] {
            let Some(facts) = self.facts(probe, arm) else { continue };
            let parts: BTreeSet<u32> = facts.iter().map(|[part, _]| *part as u32).collect();
            for part in parts {
                let of_part: Vec<_> = facts.iter().filter(|[of, _]| *of as u32 == part).collect();
                let found = of_part.iter().filter(|[_, found]| *found > 0.0).count();
                let line = share(item, arm, found, of_part.len());
                lines.extend(line.map(|line| Line { part: Some(part.to_string()), ..line }));
            }
        }
    }

    fn facts(&self, probe: Probe, arm: Arm) -> Option<&Facts> {
        let found = self.probes.iter().find(|(unit, _)| unit.probe == probe && unit.cell.arm == arm);
        found.map(|(_, facts)| facts).filter(|facts| !facts.is_empty())
    }

    /// Returns the line of an item whose value is a metric of the study. The line has no gate.
    fn measure(&self, item: Item, metric: &str, arm: Arm, simulations: u32) -> Option<Line> {
        let is_it = |found: &&Measure| {
            found.metric == metric && found.sample.arm == arm && found.sample.simulations == simulations
        };
        let found = self.results.measures.iter().find(is_it)?;
        Some(estimated(item, arm, found.observations, &found.estimate))
    }
}

/// Converts a probe's facts to observations for a bootstrap. Each observation is its own cluster.
fn clustered(facts: &Facts) -> Clustered<[f64; 2]> {
    Clustered::new(facts.iter().enumerate().map(|(i, fact)| (1, i, *fact)))
}

fn line(item: Item, arm: Arm, observations: u64, value: f64, interval: [f64; 2]) -> Line {
    let interval = Some(interval).filter(|ends| ends.iter().all(|end| end.is_finite()));
    Line { item, game: arm.rules, part: None, observations, value, interval, gate: None }
}

fn share(item: Item, arm: Arm, of: usize, all: usize) -> Option<Line> {
    let found = wilson(of as f64 / all as f64, all as f64);
    (all > 0).then(|| line(item, arm, all as u64, found.value, [found.low, found.high]))
}

fn estimated(item: Item, arm: Arm, observations: u64, estimate: &Estimate) -> Line {
    line(item, arm, observations, estimate.value, estimate.agents)
}

/// Returns the items that have no line in the exam, each with the reason.
pub(super) fn left_out(lines: &[Line], games: &[Variant], has_suite: bool) -> Vec<LeftOut> {
    let mut found = Vec::new();
    for item in Item::ALL {
        let reasons = games.iter().map(|game| (game, applies(item, *game, games, has_suite)));
        let (applied, others): (Vec<_>, Vec<_>) = reasons.partition(|(_, it)| it.is_ok());
        // The last reason is reported, because Chess++ comes after chess.
        if let Some((_, Err(reason))) = others.last().filter(|_| applied.is_empty()) {
            found.push(LeftOut { item, reason: *reason, game: None });
        }
        let is_missing = |game: &Variant| lines.iter().all(|it| (it.item, it.game) != (item, *game));
        let reason = Reason::NotMeasured;
        let missing = applied.into_iter().filter(|(game, _)| is_missing(game));
        found.extend(missing.map(|(game, _)| LeftOut { item, reason, game: Some(*game) }));
    }
    found
}

/// Returns `Ok` if the item applies to `game`, which is one of the examined `games`. Otherwise
/// returns the reason why it does not.
fn applies(item: Item, game: Variant, games: &[Variant], has_suite: bool) -> Result<(), Reason> {
    let has_catapults = matches!(game, Variant::ChessPp(_));
    let is_chess = game == Variant::Chess;
    let (holds, reason) = match item {
        Item::Misuse => (has_catapults, Reason::NoCatapults),
        Item::Conversion | Item::Clock => (has_tables(game), Reason::NoTables),
        Item::RookDraws | Item::DrawSlope | Item::WhiteScore => (is_chess, Reason::NoChess),
        Item::Calibration => (games.first() == Some(&game), Reason::NotMeasured),
        Item::PieceValues => (true, Reason::NotMeasured),
        Item::HungPieces | Item::MatesFound => (game != Variant::Maxim, Reason::SeveralDecisions),
        Item::Tactics if !has_catapults => (false, Reason::NoCatapults),
        Item::Tactics => (has_suite, Reason::NoSuite),
    };
    if holds { Ok(()) } else { Err(reason) }
}

/// Returns true if the rules of `game` have tablebases of some ending of the exam.
fn has_tables(game: Variant) -> bool {
    ENDINGS.into_iter().any(|name| matches!(table_key(name, game.into()), Ok(Some(_))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_arena::{Forbidden, MatchResult};
    use catapult_measures::data::{Cell, Checkpoint, NetworkId};
    use catapult_report::results::{EndingGames, PlayedEnding, Strength};
    use catapult_stats::{Evidence, Interval};

    /// Returns the numbers in a cell of a table of `docs/exam.md`. `row` is the start of the row's
    /// name. The names are column 0.
    fn documented(row: &str, column: usize) -> Vec<f64> {
        let page = include_str!("../../../../docs/exam.md");
        let row = page.lines().find(|line| line.starts_with(&format!("| {row}"))).unwrap();
        let words = row.split('|').nth(column + 1).unwrap().split(' ');
        words.filter_map(|word| word.trim_end_matches(',').replace(',', "").parse().ok()).collect()
    }

    #[test]
    fn each_gate_has_its_value_and_the_documented_threshold() {
        let (arm, checkpoint) = (Arm::from(Variant::Chess), Checkpoint::Last);
        let network = || NetworkId { agent: "network".to_owned(), seed: 1 };
        // The value of a measure tells its level.
        let measure = |metric: &str, level: u32| {
            let value = f64::from(level) / 1000.0;
            let evidence = Evidence::new(value, [value; 2], Vec::new());
            Measure::new(metric, network().sample(arm, checkpoint, level), 8, evidence)
        };
        let metrics = ["draw_slope", "white_score", "calibration_error_raw"].into_iter();
        let game = |won| PlayedEnding { distance: 5, won, plies: 5, turns: 3, kept: 3 };
        let result = MatchResult {
            elo: Interval { value: 20.0, low: -20.0, high: 60.0 },
            forbidden: Some(Forbidden { kind: KINDS[0], both: false, turns: 0, restricted: 0, allowed: 0 }),
            ..Default::default()
        };
        let (simulations, opponent) = (256, String::new());
        let results = StudyResults {
            arms: vec![arm],
            measures: metrics.flat_map(|it| [128, 64, 256].map(|level| measure(it, level))).collect(),
            worth: vec![Strength { arm, network: network(), checkpoint, simulations, opponent, result }],
            endings: vec![EndingGames {
                arm,
                network: network(),
                simulations,
                ending: "KQvK".to_owned(),
                itself: vec![game(true); 4],
                best: [true, false, false, false].map(game).to_vec(),
            }],
            ..Default::default()
        };
        let probe = |probe, facts: &[[f64; 2]]| {
            let cell = Cell { arm, network: network(), checkpoint, simulations: 64 };
            (ProbeUnit { probe, cell }, facts.to_vec())
        };
        let rook_draws = probe(Probe::RookDraws, &[[1.0, 1.0], [0.0, 1.0]]);
        let hung = probe(Probe::Hung, &[[0.0, 40.0]; 5]);
        let probes = [probe(Probe::Clock, &[[0.5, 0.125]; 5]), rook_draws, hung];
        let resampling = Resampling { replicates: 100, seed: 1 };
        let source = Source { results: &results, probes: &probes, size: &Size::full(), resampling };
        let lines = source.lines();
        let gates = lines.iter().filter_map(|line| Some((line.item, line.value, line.gate?.threshold)));
        let found: Vec<_> = gates.collect();

        let least = |row: &str, unit: f64| Threshold::AtLeast(documented(row, 1)[0] / unit);
        let below = |row: &str, unit: f64| Threshold::Below(documented(row, 1)[0] / unit);
        let white = documented("White's score", 1);
        let expected = [
            (Item::Misuse, 20.0, least("worth", 1.0)),
            (Item::Conversion, 0.25, least("conversion", 100.0)),
            (Item::Clock, 0.25, Threshold::Below(0.5)),
            (Item::RookDraws, 0.5, below("fifty-move draws", 100.0)),
            (Item::DrawSlope, 0.256, least("draw rate", 100.0)),
            (Item::WhiteScore, 0.064, Threshold::Reaches([white[0] / 100.0, white[1] / 100.0])),
            (Item::Calibration, 0.064, below("calibration", 1.0)),
        ];
        assert_eq!(found, expected);
        // Five games without a hung piece bound the rate by Poisson's limit.
        let hung = lines.iter().find(|line| line.item == Item::HungPieces).unwrap();
        let [low, high] = hung.interval.unwrap();
        assert_eq!(low, 0.0);
        assert!((high - 3.688_879 / 5.0).abs() < 1e-6, "{high}");
    }

    #[test]
    fn sizes_are_the_documented_ones() {
        for (column, size) in [(1, Size::full()), (2, Size::quick())] {
            let [gates, common, deep] = [size.gates.0, size.common.0, size.deep.0].map(f64::from);
            assert_eq!(documented("simulations per move", column), [f64::from(size.simulations)]);
            assert_eq!(documented("games per match", column), [f64::from(size.worth_games)]);
            assert_eq!(documented("start positions", column), [f64::from(size.positions)]);
            assert_eq!(documented("games of chess for", column), [size.gates.1 as f64, gates]);
            assert_eq!(documented("levels of the draw rate", column), [gates, common, deep]);
        }
    }

    #[test]
    fn gates_of_options_without_tables_have_their_reason() {
        let left = left_out(&[], &["chesspp+still".parse().unwrap()], true);
        for item in [Item::Conversion, Item::Clock] {
            assert!(left.contains(&LeftOut { item, reason: Reason::NoTables, game: None }), "{left:?}");
        }
        assert!(left_out(&[], &[Variant::Chess], true).iter().all(|left| left.reason != Reason::NoTables));
    }
}
