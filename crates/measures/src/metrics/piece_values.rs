//! Piece values, fitted from the results of games.
//!
//! In quiet positions, the expected result for White (1, 0 or -1) is `tanh(w0 + w . x)` (Tomašev et
//! al. 2020). Here x is White's number of each term (piece or combination) minus Black's, and w0 is
//! White's advantage. A term's value is its weight divided by the pawn's weight. Values are fitted
//! by maximum likelihood. (Tomašev et al. fit by least squares.)

use super::findings::Findings;
use super::fitted::{Fitted, PAWN, valued};
use super::sample::Sample;
use crate::arms::Arm;
use crate::data::Checkpoint;
use crate::games::{GameInfo, term_id};
use crate::results::{Doubt, MetricInfo, Note, RowNames, Warning};
use crate::rows::{info, table};
use catapult_stats::Evidence;

const fn worth(id: &'static str, name: &'static str) -> MetricInfo {
    info! { Values Pawns id, name;
        "Worth in pawns, from a regression of results on differences of material in quiet positions, fitted by likelihood. \
         The model is E(result) = tanh(w0 + w . difference) (Tomašev et al. 2020). Every game counts alike. It is not \
         measured if the values do not come in the known order."
    }
}

/// A term that has its own metric: the term's name, then the metric of its value. Other terms appear
/// only in the table.
const VALUES: [(&str, MetricInfo); 6] = [
    ("knight", worth("piece_value_knight", "worth of a knight")),
    ("bishop", worth("piece_value_bishop", "worth of a bishop")),
    ("rook", worth("piece_value_rook", "worth of a rook")),
    ("queen", worth("piece_value_queen", "worth of a queen")),
    ("pair of catapults", worth("piece_value_catapult_pair", "worth of a pair of catapults")),
    ("three catapults", worth("piece_value_three_catapults", "worth of three catapults")),
];

/// Returns each term (piece or combination) that has its own metrics: the term's name, and the id
/// of the metric of its value in pawns.
pub fn piece_values() -> impl Iterator<Item = (&'static str, &'static str)> {
    VALUES.iter().map(|(term, metric)| (*term, metric.id))
}

const PAWN_WEIGHT: MetricInfo = info! { Values Ratio "piece_value_pawn_weight", "weight of a pawn";
    "Weight of one extra pawn in the argument of tanh, fitted by maximum likelihood. Players who convert \
     leads more reliably have a higher weight. All values in pawns are relative to it."
};

pub(super) fn metrics() -> Vec<MetricInfo> {
    std::iter::once(PAWN_WEIGHT).chain(VALUES.map(|(_, metric)| metric)).collect()
}

table! {
    TABLE: Values "piece-values", "Piece values";
        Pawns "worth, by likelihood", Ratio "weight in tanh, by likelihood";
        RowNames::Terms;
}

pub(super) fn measure(samples: &[Sample], control: Arm, deep: &[u32], findings: &mut Findings) {
    for sample in samples {
        let terms = GameInfo::of(sample.id.arm.rules).terms;
        let valued = valued(&terms, sample.games.iter());
        let fitted = Fitted::new(sample, &terms, &valued, &findings.resampling);
        let rank = |sample: &Sample| (!deep.contains(&sample.id.simulations), sample.id.simulations);
        let strongest = samples.iter().filter(|other| other.id.arm == control).map(rank).max();
        let is_yardstick = sample.id.arm == control
            && sample.id.checkpoint == Checkpoint::Last
            && Some(rank(sample)) == strongest;
        let doubt = fitted.as_ref().map_or(Some(Doubt::Unfitted), Fitted::doubt);
        if let Some(doubt) = doubt.clone().filter(|_| is_yardstick) {
            findings.measured.warnings.push(Warning::PieceValues { sample: sample.id.clone(), doubt });
        }
        if let Some(fitted) = fitted {
            report(sample, fitted, doubt, findings);
        }
    }
}

/// Adds the table and the metrics of a sample. Values in pawns that are not credible
/// ([`Doubt::is_implausible`]) are omitted. A doubt becomes a note below the table.
fn report(sample: &Sample, fitted: Fitted, doubt: Option<Doubt>, findings: &mut Findings) {
    let is_told = doubt.as_ref().is_none_or(|doubt| !doubt.is_implausible());
    let estimate = |evidence: &Option<Evidence>| evidence.as_ref().map(|evidence| evidence.estimate);
    let row = |(term, pawns, weight): &(&str, Option<Evidence>, Option<Evidence>)| {
        (term_id(term), vec![estimate(pawns).filter(|_| is_told), estimate(weight)])
    };
    let rows = fitted.values.iter().map(row).collect();
    let note = |doubt| Note::PieceValues { fit: "likelihood".to_owned(), doubt };
    findings.table(&TABLE, &sample.id, rows, doubt.map(note).into_iter().collect());
    for (term, pawns, weight) in fitted.values {
        let metric = VALUES.iter().find(|(name, _)| *name == term);
        if let Some((_, metric)) = metric.filter(|_| is_told) {
            findings.add(metric, &sample.id, fitted.games, pawns);
        } else if term == PAWN {
            findings.add(&PAWN_WEIGHT, &sample.id, fitted.games, weight);
        }
    }
}

#[cfg(test)]
#[path = "piece_values_tests.rs"]
mod tests;
