//! What pieces are worth, fitted from results.
//!
//! In quiet positions the expected result (1, 0, -1 for White) is tanh(w0 + w . x), x being White's pieces less Black's
//! (Tomasev et al. 2020) and w0 White's advantage. A value is w over the pawn's w. It is fitted twice, by likelihood and, as
//! they do, by squared errors: where results do not follow the model the two differ, and each stands under its own name.

use super::findings::Findings;
use super::fitted::{Doubt, Fitted, terms, valued};
use super::sample::Sample;
use crate::data::Checkpoint;
use crate::results::{Chapter, MetricInfo, SampleTable, Unit};
use catapult_rules::Variant;
use catapult_stats::Loss;

const fn likeliest(id: &'static str, name: &'static str) -> MetricInfo {
    MetricInfo {
        id,
        name,
        unit: Unit::Pawns,
        chapter: Chapter::Values,
        neutral: None,
        definition: "Worth in pawns, from a regression of results on differences of material in quiet positions, every game counting \
                     alike: E(result) = tanh(w0 + w . difference) (the model of Tomasev et al. 2020), fitted by likelihood. No row \
                     where the values come out insane.",
    }
}

const fn least_squares(id: &'static str, name: &'static str) -> MetricInfo {
    MetricInfo {
        id,
        name,
        unit: Unit::Pawns,
        chapter: Chapter::Values,
        neutral: None,
        definition: "The same regression fitted by squared errors, as Tomasev et al. 2020 do: it counts surprises in positions that \
                     seemed decided for less, and gives other values of the same games.",
    }
}

/// A term whose values are metrics, by likelihood and by squares; those of all others stand in the tables.
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

const PAWN_WEIGHT: [MetricInfo; 2] = [
    MetricInfo {
        id: "piece_value_pawn_weight",
        name: "weight of a pawn",
        unit: Unit::Ratio,
        chapter: Chapter::Values,
        neutral: None,
        definition: "What a pawn more is worth in the argument of tanh, fitted by likelihood: how surely these players win with it. \
                     All values in pawns are relative to it.",
    },
    MetricInfo {
        id: "piece_value_pawn_weight_squares",
        name: "weight of a pawn, by squares",
        unit: Unit::Ratio,
        chapter: Chapter::Values,
        neutral: None,
        definition: "What a pawn more is worth in the argument of tanh, fitted by squared errors.",
    },
];

pub(super) const METRICS: &[MetricInfo] = &{
    let mut all = [PAWN_WEIGHT[0]; 2 * (VALUES.len() + 1)];
    all[1] = PAWN_WEIGHT[1];
    let mut i = 0;
    while i < VALUES.len() {
        (all[2 * i + 2], all[2 * i + 3]) = (VALUES[i].1[0], VALUES[i].1[1]);
        i += 1;
    }
    all
};

/// How values are fitted, in the order of their metrics, and in words.
const FITS: [(Loss, &str); 2] = [(Loss::Likelihood, "likelihood"), (Loss::Squares, "squares")];

pub(super) fn measure(samples: &[Sample], control: Variant, findings: &mut Findings) {
    for sample in samples {
        let terms = terms(sample.id.arm);
        let valued = valued(&terms, sample.games.iter());
        let fits = FITS.map(|(loss, _)| Fitted::new(sample, &terms, &valued, loss, &findings.resampling));
        let strongest =
            samples.iter().filter(|other| other.id.arm == control).map(|other| other.id.simulations).max();
        let is_yardstick = sample.id.arm == control
            && sample.id.checkpoint == Checkpoint::Last
            && Some(sample.id.simulations) == strongest;
        let doubts = fits.each_ref().map(|fitted| match fitted {
            None => Some(Doubt::unfitted()),
            Some(fitted) => fitted.doubt(),
        });
        if let (true, Some(Doubt { why, detail, .. })) = (is_yardstick, &doubts[0]) {
            findings.warn(format!(
                "Piece values of {control} by {} at {} simulations do not come out sane: {why}, and values elsewhere are no better \
                 founded. {detail}",
                sample.id.agent, sample.id.simulations
            ));
        }
        report(sample, fits, doubts, findings);
    }
}

/// The table and the metrics of both fits. Values in pawns that are to be ignored are left out: the note says what they were.
fn report(sample: &Sample, fits: [Option<Fitted>; 2], doubts: [Option<Doubt>; 2], findings: &mut Findings) {
    let Some(first) = fits.iter().flatten().next() else { return };
    let is_told = doubts.each_ref().map(|doubt| doubt.as_ref().is_none_or(|doubt| !doubt.is_insane));
    let cells = |name: &str| {
        let cells = fits.iter().zip(is_told).flat_map(|(fitted, is_told)| {
            let (pawns, weight) = fitted.as_ref().map_or((None, None), |fitted| fitted.of(name));
            [pawns.filter(|_| is_told), weight].map(|evidence| evidence.map(|evidence| evidence.estimate))
        });
        cells.collect()
    };
    let rows = first.values.iter().map(|(term, ..)| (term.name.to_owned(), cells(term.name)));
    let heads = FITS.iter().flat_map(|(_, by)| {
        [(format!("worth, by {by}"), Unit::Pawns), (format!("weight in tanh, by {by}"), Unit::Ratio)]
    });
    let notes = FITS.iter().zip(&doubts).filter_map(|((_, by), doubt)| {
        let Doubt { detail, is_insane, .. } = doubt.as_ref()?;
        let left_out = if *is_insane { " These values are left out." } else { "" };
        Some(format!("By {by}: {detail}{left_out}"))
    });
    let note = notes.collect::<Vec<_>>().join(" ");
    findings.table(SampleTable {
        table: "piece-values".to_owned(),
        chapter: Chapter::Values,
        title: "Piece values".to_owned(),
        sample: sample.id.clone(),
        columns: heads.collect(),
        rows: rows.collect(),
        note: (!note.is_empty()).then_some(note),
    });
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
