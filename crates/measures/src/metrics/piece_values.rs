//! Piece values, fitted from the results of games.
//!
//! In quiet positions, the expected result for White (1, 0 or -1) is `tanh(w0 + w . x)` (Tomašev et
//! al. 2020). Here x is White's number of each term (piece or combination) minus Black's, and w0 is
//! White's advantage. A term's value is its weight divided by the pawn's weight. Values are fitted
//! by maximum likelihood and, like Tomašev et al., by least squares. The two fits differ if results
//! do not follow the model. They are therefore separate metrics.

use super::findings::Findings;
use super::fitted::{Fitted, valued};
use super::sample::Sample;
use crate::arms::Arm;
use crate::data::Checkpoint;
use crate::games::GameInfo;
use crate::results::{Doubt, Fit, MetricInfo, Note, RowNames, Warning};
use crate::rows::{info, table};
use catapult_stats::Loss;

const fn likeliest(id: &'static str, name: &'static str) -> MetricInfo {
    info! { Values Pawns id, name;
        "Worth in pawns, from a regression of results on differences of material in quiet positions, fitted by likelihood. \
         The model is E(result) = tanh(w0 + w . difference) (Tomašev et al. 2020). Every game counts alike. It is not \
         measured if the values do not come in the known order."
    }
}

const fn least_squares(id: &'static str, name: &'static str) -> MetricInfo {
    info! { Values Pawns id, name;
        "Worth in pawns by the same regression, fitted by squared errors as Tomašev et al. 2020 do. Surprises in positions \
         that seemed decided count for less, so the values of the same games differ."
    }
}

/// A term that has its own metrics: the term's name, then its metrics by maximum likelihood and by
/// least squares. Other terms appear only in the table.
type Valued = (&'static str, [MetricInfo; 2]);

macro_rules! value {
    ($term:literal, $id:literal, $named:literal) => {
        (
            $term,
            [
                likeliest(concat!("piece_value_", $id), concat!("worth of ", $named)),
                least_squares(
                    concat!("piece_value_", $id, "_squares"),
                    concat!("worth of ", $named, ", by squares"),
                ),
            ],
        )
    };
}

const VALUES: [Valued; 6] = [
    value!("knight", "knight", "a knight"),
    value!("bishop", "bishop", "a bishop"),
    value!("rook", "rook", "a rook"),
    value!("queen", "queen", "a queen"),
    value!("pair of catapults", "catapult_pair", "a pair of catapults"),
    value!("three catapults", "three_catapults", "three catapults"),
];

/// Returns each term (piece or combination) that has its own metrics: the term's name, and the id
/// of the metric of its value in pawns by maximum likelihood.
pub fn piece_values() -> impl Iterator<Item = (&'static str, &'static str)> {
    VALUES.iter().map(|(term, [likelihood, _])| (*term, likelihood.id))
}

const PAWN_WEIGHT: [MetricInfo; 2] = [
    info! { Values Ratio "piece_value_pawn_weight", "weight of a pawn";
        "Weight of one more pawn in the argument of tanh, fitted by likelihood: how surely these players win with it. All \
         values in pawns are relative to it."
    },
    info! { Values Ratio "piece_value_pawn_weight_squares", "weight of a pawn, by squares";
        "Weight of one more pawn in the argument of tanh, fitted by squared errors."
    },
];

pub(super) fn metrics() -> Vec<MetricInfo> {
    std::iter::once(PAWN_WEIGHT).chain(VALUES.map(|(_, metrics)| metrics)).flatten().collect()
}

/// Loss functions of the two fits, in the order of the metrics of a term.
const FITS: [(Loss, Fit); 2] = [(Loss::Likelihood, Fit::Likelihood), (Loss::Squares, Fit::Squares)];

table! {
    TABLE: Values "piece-values", "Piece values";
        Pawns "worth, by likelihood", Ratio "weight in tanh, by likelihood", Pawns "worth, by squares", Ratio "weight in tanh, by squares";
        RowNames::Terms;
}

pub(super) fn measure(samples: &[Sample], control: Arm, findings: &mut Findings) {
    for sample in samples {
        let terms = GameInfo::of(sample.id.arm.rules).terms;
        let valued = valued(&terms, sample.games.iter());
        let fits = FITS.map(|(loss, _)| Fitted::new(sample, &terms, &valued, loss, &findings.resampling));
        let strongest =
            samples.iter().filter(|other| other.id.arm == control).map(|other| other.id.simulations).max();
        let is_yardstick = sample.id.arm == control
            && sample.id.checkpoint == Checkpoint::Last
            && Some(sample.id.simulations) == strongest;
        let doubts = fits.each_ref().map(|fitted| match fitted {
            None => Some(Doubt::Unfitted),
            Some(fitted) => fitted.doubt(),
        });
        if let (true, Some(doubt)) = (is_yardstick, &doubts[0]) {
            findings.warn(Warning::PieceValues { sample: sample.id.clone(), doubt: doubt.clone() });
        }
        report(sample, fits, doubts, findings);
    }
}

/// Adds the table and the metrics of both fits of a sample. Values in pawns that are not credible
/// ([`Doubt::is_insane`]) are omitted. Each doubt becomes a note below the table.
fn report(sample: &Sample, fits: [Option<Fitted>; 2], doubts: [Option<Doubt>; 2], findings: &mut Findings) {
    let Some(first) = fits.iter().flatten().next() else { return };
    let is_told = doubts.each_ref().map(|doubt| doubt.as_ref().is_none_or(|doubt| !doubt.is_insane()));
    let cells = |name: &str| {
        let cells = fits.iter().zip(is_told).flat_map(|(fitted, is_told)| {
            let (pawns, weight) = fitted.as_ref().map_or((None, None), |fitted| fitted.of(name));
            [pawns.filter(|_| is_told), weight].map(|evidence| evidence.map(|evidence| evidence.estimate))
        });
        cells.collect()
    };
    let rows = first.values.iter().map(|(term, ..)| (term.id(), cells(term.name))).collect();
    let notes = FITS.into_iter().zip(doubts);
    let notes =
        notes.filter_map(|((_, fit), doubt)| Some(Note::PieceValues { fit, doubt: doubt? })).collect();
    findings.table(&TABLE, &sample.id, rows, notes);
    for (by, (fitted, is_told)) in fits.into_iter().zip(is_told).enumerate() {
        let Some(fitted) = fitted else { continue };
        for (term, pawns, weight) in fitted.values {
            let metric = VALUES.iter().find(|(name, _)| *name == term.name);
            if let Some((_, metrics)) = metric.filter(|_| is_told) {
                findings.add(&metrics[by], &sample.id, fitted.games, pawns);
            } else if term.is_pawn {
                findings.add(&PAWN_WEIGHT[by], &sample.id, fitted.games, weight);
            }
        }
    }
}

#[cfg(test)]
#[path = "piece_values_tests.rs"]
mod tests;
