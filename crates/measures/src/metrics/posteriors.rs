//! What may be believed of win, draw and loss, and of an arm beside the control, if games were independent.

use super::findings::{Findings, partner};
use super::sample::Sample;
use crate::arms::Arm;
use crate::results::{Chapter, Estimate, RowNames, TableInfo, Unit};
use catapult_rules::Color;
use catapult_stats::{Posterior, Prior, decisiveness, white_score};

pub(super) const TABLE: TableInfo = TableInfo {
    id: "win-draw-loss",
    chapter: Chapter::Endings,
    title: "Win, draw and loss",
    columns: &[("posterior", Unit::Share)],
    rows: RowNames::Named(&[
        ("white", "White wins"),
        ("nobody", "nobody wins"),
        ("black", "Black wins"),
        ("more-decisive", "P(more decisive than the control)"),
        ("favours-white", "P(favours White more than the control)"),
    ]),
    note: Some("Dirichlet posterior from Jeffreys' prior, for these networks, games taken as independent."),
};

pub(super) fn measure(samples: &[Sample], control: Arm, findings: &mut Findings) {
    let seed = findings.resampling.seed;
    for sample in samples {
        let own = posterior(sample);
        let mean = own.mean();
        let names = ["white", "nobody", "black"];
        let mut rows: Vec<(String, Vec<Option<Estimate>>)> = names
            .iter()
            .zip(0..)
            .map(|(name, i): (_, usize)| {
                let agents = own.interval(|probabilities| probabilities[i], seed);
                ((*name).to_owned(), vec![Some(Estimate { value: mean[i], agents, rule: None })])
            })
            .collect();
        let candidates = samples.iter().map(|other| (&other.id, other.games.seeds().count(), other));
        if let Some(other) = partner(&sample.id, control, candidates) {
            let theirs = posterior(other);
            for (name, value) in
                [("more-decisive", decisiveness as fn([f64; 3]) -> f64), ("favours-white", white_score)]
            {
                let value = own.probability_above(&theirs, value, seed);
                // A probability of the posterior has no interval of its own.
                let estimate = Estimate { value, agents: [value; 2], rule: None };
                rows.push((name.to_owned(), vec![Some(estimate)]));
            }
        }
        findings.table(&TABLE, &sample.id, rows, Vec::new());
    }
}

fn posterior(sample: &Sample) -> Posterior {
    let count =
        |winner: Option<Color>| sample.games.iter().filter(|game| game.winner == winner).count() as u64;
    let results = [Some(Color::White), None, Some(Color::Black)].map(count);
    Posterior::new(results, Prior::default())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{RESAMPLING, cell, record};
    use super::*;
    use catapult_rules::Variant;

    #[test]
    fn a_decisive_arm_is_believed_to_be_so() {
        let games = |variant: &str, moves: &str, count| vec![record(variant, "", moves); count];
        let (mate, cut) = ("f2f3 e7e5 g2g4 d8h4", "f2f3 e7e5");
        let cells = [
            cell("chess", "agent", 1, 8, [games("chess", mate, 5), games("chess", cut, 15)].concat()),
            cell("chesspp", "agent", 1, 8, [games("chesspp", mate, 15), games("chesspp", cut, 5)].concat()),
        ];
        let samples = super::super::testing::samples(&cells);
        let mut findings = Findings::new(RESAMPLING);
        measure(&samples, Variant::Chess.into(), &mut findings);
        let measured = findings.finish(Variant::Chess);
        let [chess, other] = [&measured.tables[0], &measured.tables[1]];
        assert_eq!((chess.rows.len(), other.rows.len()), (3, 5));
        let value = |row: usize| other.rows[row].1[0].unwrap().value;
        // (0.5, 5.5, 15.5) of 21.5.
        assert!((value(2) - 15.5 / 21.5).abs() < 1e-9);
        assert!(value(3) > 0.99, "P(more decisive) = {}", value(3));
        assert!(value(4) < 0.01, "all are won by Black");
    }
}
