//! What pieces are worth, fitted from results.
//!
//! In quiet positions the expected result (1, 0, -1 for White) is tanh(w0 + w . x), x being White's pieces less Black's
//! (Tomasev et al. 2020) and w0 White's advantage. A value is w over the pawn's w.

use super::facts::GameFacts;
use super::findings::Findings;
use super::quiet::is_quiet;
use super::sample::Sample;
use crate::data::Checkpoint;
use crate::games::{StudiedGame, Term};
use crate::results::{Estimate, MetricInfo, SampleTable, Unit};
use crate::stats::{Evidence, Row, tanh_evidence};
use catapult_rules::{Variant, with_variant};

/// Every so many plies a position is looked at: neighbours say the same.
const EVERY: usize = 4;
/// Positions before are left out: nothing has been won or lost.
const FIRST_PLY: usize = 10;
/// A term that differs in fewer games is not valued.
const FEWEST_GAMES: usize = 10;

const fn worth(id: &'static str, name: &'static str) -> MetricInfo {
    MetricInfo {
        id,
        name,
        unit: Unit::Pawns,
        definition: "Worth in pawns, from a regression of results on differences of material in quiet positions: E(result) = \
                     tanh(w0 + w . difference) (Tomasev et al. 2020).",
    }
}

/// Terms whose values are metrics; those of all others stand in the tables.
const VALUES: &[(&str, MetricInfo)] = &[
    ("knight", worth("piece_value_knight", "worth of a knight")),
    ("bishop", worth("piece_value_bishop", "worth of a bishop")),
    ("rook", worth("piece_value_rook", "worth of a rook")),
    ("queen", worth("piece_value_queen", "worth of a queen")),
    ("pair of catapults", worth("piece_value_catapult_pair", "worth of a pair of catapults")),
    ("three catapults", worth("piece_value_three_catapults", "worth of three catapults")),
];

const PAWN_WEIGHT: MetricInfo = MetricInfo {
    id: "piece_value_pawn_weight",
    name: "weight of a pawn",
    unit: Unit::Ratio,
    definition: "What a pawn more is worth in the argument of tanh: how surely these players win with it. All values in pawns are \
                 relative to it.",
};

pub(super) const METRICS: &[MetricInfo] =
    &[VALUES[0].1, VALUES[1].1, VALUES[2].1, VALUES[3].1, VALUES[4].1, VALUES[5].1, PAWN_WEIGHT];

/// The terms of an arm.
pub(super) fn terms(arm: Variant) -> Vec<Term> {
    with_variant!(arm, |P, _rules| <P as StudiedGame>::terms())
}

/// The terms that differ in enough games to be valued.
pub(super) fn valued<'a>(terms: &[Term], games: impl Iterator<Item = &'a GameFacts>) -> Vec<usize> {
    let mut differ = vec![0; terms.len()];
    for game in games {
        for (count, term) in differ.iter_mut().zip(0..) {
            *count += usize::from(positions(game).any(|ply| game.plies[ply].terms[term] != 0));
        }
    }
    (0..terms.len()).filter(|&term| differ[term] >= FEWEST_GAMES).collect()
}

/// The plies of a game that are looked at.
fn positions(game: &GameFacts) -> impl Iterator<Item = usize> {
    (FIRST_PLY..game.plies.len()).step_by(EVERY).filter(|&ply| is_quiet(game, ply))
}

/// A game's rows of the regression: a constant, then the terms that are valued.
pub(super) fn rows(game: &GameFacts, valued: &[usize]) -> Vec<Row> {
    let row = |ply: usize| {
        let differences = valued.iter().map(|&term| f64::from(game.plies[ply].terms[term]));
        let x = std::iter::once(1.0).chain(differences).collect();
        Row { x, y: 2.0 * game.white_score() - 1.0, weight: 1.0 }
    };
    positions(game).map(row).collect()
}

/// Whether the values of the pieces of chess come in the order that every player knows: P < N, B < R < Q, the pawn above 0.
/// `value` gives that of a term by its name.
pub(super) fn is_sane(value: impl Fn(&str) -> Option<f64>) -> bool {
    let order = || {
        let [pawn, knight, bishop] = [value("pawn")?, value("knight")?, value("bishop")?];
        let [rook, queen] = [value("rook")?, value("queen")?];
        Some(0.0 < pawn && pawn < knight.min(bishop) && knight.max(bishop) < rook && rook < queen)
    };
    order().unwrap_or(false)
}

pub(super) fn measure(samples: &[Sample], control: Variant, findings: &mut Findings) {
    for sample in samples {
        let terms = terms(sample.id.arm);
        let valued = valued(&terms, sample.games.iter());
        let fitted = Fitted::new(sample, &terms, &valued, findings);
        let strongest =
            samples.iter().filter(|other| other.id.arm == control).map(|other| other.id.simulations).max();
        let is_yardstick = sample.id.arm == control
            && sample.id.checkpoint == Checkpoint::Last
            && Some(sample.id.simulations) == strongest;
        let doubt = match &fitted {
            None => Some(("there are too few games for any", "No value could be fitted.".to_owned())),
            Some(fitted) => fitted.doubt(),
        };
        if let (true, Some((why, detail))) = (is_yardstick, &doubt) {
            findings.warn(format!(
                "Piece values of {control} by {} at {} simulations do not come out sane: {why}, and values elsewhere are no better \
                 founded. {detail}",
                sample.id.agent, sample.id.simulations
            ));
        }
        let note = doubt.map(|(_, detail)| detail);
        if let Some(fitted) = fitted {
            fitted.report(sample, note, findings);
        }
    }
}

/// Values of one sample: of each valued term in pawns and as the weight in tanh.
struct Fitted {
    games: usize,
    values: Vec<(Term, Option<Evidence>, Option<Evidence>)>,
}

impl Fitted {
    fn new(sample: &Sample, terms: &[Term], valued: &[usize], findings: &Findings) -> Option<Fitted> {
        let pawn = 1 + valued.iter().position(|&term| terms[term].is_pawn)?;
        let games = sample.games.filter_map(|game| Some(rows(game, valued)).filter(|rows| !rows.is_empty()));
        let both = |w: &[f64]| w[1..].iter().flat_map(|value| [value / w[pawn], *value]).collect();
        let found = tanh_evidence(&games, both, &findings.resampling)?;
        let values = valued.iter().zip(found.chunks(2));
        let value =
            |(&term, pair): (&usize, &[Option<Evidence>])| (terms[term], pair[0].clone(), pair[1].clone());
        Some(Fitted { games: games.len(), values: values.map(value).collect() })
    }

    /// The weight of a term, which has not the pawn's uncertainty in it.
    fn weight(&self, name: &str) -> Option<Estimate> {
        let (_, _, weight) = self.values.iter().find(|(term, ..)| term.name == name)?;
        weight.as_ref().map(|evidence| evidence.estimate)
    }

    /// What speaks against the values: what that says of the players, and the figures.
    fn doubt(&self) -> Option<(&'static str, String)> {
        const TOO_WEAK: &str = "the agents are too weak for them";
        if self.weight("pawn").is_none_or(|weight| weight.agents[0] <= 0.0) {
            let detail = "It is not certain that a pawn more is of any use to these players, so values in pawns say nothing.";
            return Some((TOO_WEAK, detail.to_owned()));
        }
        if !is_sane(|name| self.weight(name).map(|weight| weight.value)) {
            let pawn = self.weight("pawn")?.value;
            let value =
                |name| self.weight(name).map_or("-".to_owned(), |found| format!("{:.1}", found.value / pawn));
            let list =
                ["pawn", "knight", "bishop", "rook", "queen"].map(|name| format!("{name} {}", value(name)));
            let detail =
                format!("The order pawn < knight, bishop < rook < queen does not hold: {}.", list.join(", "));
            return Some((TOO_WEAK, detail));
        }
        // The order holds, but is it certain?
        let apart = |low: &str, high: &str| {
            let ends = self.weight(low).zip(self.weight(high));
            ends.is_some_and(|(low, high)| low.agents[1] < high.agents[0])
        };
        let steps = [
            ("pawn", "knight"),
            ("pawn", "bishop"),
            ("knight", "rook"),
            ("bishop", "rook"),
            ("rook", "queen"),
        ];
        let open = steps.iter().filter(|(low, high)| !apart(low, high));
        let open: Vec<String> = open.map(|(low, high)| format!("{low} and {high}")).collect();
        let few = "the games are too few, or the agents too weak, to tell them apart";
        (!open.is_empty()).then(|| (few, format!("Intervals overlap: {}.", open.join("; "))))
    }

    fn report(self, sample: &Sample, note: Option<String>, findings: &mut Findings) {
        let estimate = |evidence: &Option<Evidence>| evidence.as_ref().map(|evidence| evidence.estimate);
        let row = |(term, pawns, weight): &(Term, Option<Evidence>, Option<Evidence>)| {
            (term.name.to_owned(), vec![estimate(pawns), estimate(weight)])
        };
        findings.table(SampleTable {
            table: "piece-values".to_owned(),
            title: "Piece values".to_owned(),
            sample: sample.id.clone(),
            columns: vec![("worth".to_owned(), Unit::Pawns), ("weight in tanh".to_owned(), Unit::Ratio)],
            rows: self.values.iter().map(row).collect(),
            note,
        });
        for (term, pawns, weight) in self.values {
            let metric = VALUES.iter().find(|(name, _)| *name == term.name);
            if let Some((_, metric)) = metric {
                findings.add(metric, &sample.id, self.games, pawns);
            } else if term.is_pawn {
                findings.add(&PAWN_WEIGHT, &sample.id, self.games, weight);
            }
        }
    }
}

#[cfg(test)]
#[path = "piece_values_tests.rs"]
mod tests;
