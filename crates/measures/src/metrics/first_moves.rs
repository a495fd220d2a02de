//! Table of the first moves of games.

use super::facts::GameFacts;
use super::findings::Findings;
use super::sample::{Analysed, Sample};
use crate::results::{Estimate, RowNames};
use crate::rows::table;
use catapult_stats::share;
use std::cmp::Reverse;
use std::collections::BTreeMap;

table! {
    TABLE: Openings "first-moves", "First moves"; Share "played", Share "White's score", Share "prior";
        RowNames::Verbatim;
}

/// Maximum number of rows of the table.
const ROWS: usize = 12;

pub(super) fn measure(sample: &Sample, analysed: &[Analysed], findings: &mut Findings) {
    let mut played: BTreeMap<&str, u32> = BTreeMap::new();
    for game in sample.games.iter().filter(|game| !game.first_move.is_empty()) {
        *played.entry(&game.first_move).or_default() += 1;
    }
    let mut moves: Vec<(&str, u32)> = played.into_iter().collect();
    moves.sort_by_key(|&(_, count)| Reverse(count));
    moves.truncate(ROWS);
    let analyses = analysed.iter().find(|analyses| analyses.id == sample.id);
    let row = |&(text, _): &(&str, u32)| {
        let starts_so = |game: &GameFacts| game.first_move == text;
        let share = |parts: &dyn Fn(&GameFacts) -> (f64, f64)| {
            share(&sample.games, parts).map(|evidence| evidence.estimate)
        };
        let played = share(&|game| (f64::from(starts_so(game)), 1.0));
        let score = share(&|game| {
            if starts_so(game) { (game.white_score(), 1.0) } else { (0.0, 0.0) }
        });
        (text.to_owned(), vec![played, score, analyses.and_then(|analyses| prior(analyses, text))])
    };
    let rows: Vec<_> = moves.iter().map(row).collect();
    if !rows.is_empty() {
        findings.table(&TABLE, &sample.id, rows, Vec::new());
    }
}

/// Returns the prior of the first move `text`, averaged over networks. It has no sampling error, so
/// the interval for these networks is a point. `None` if there are no networks.
fn prior(analyses: &Analysed, text: &str) -> Option<Estimate> {
    let of_network = analyses.networks.iter().map(|(_, analysis)| {
        let found = analysis.first_moves.iter().find(|(other, _)| other == text);
        found.map_or(0.0, |&(_, prior)| prior)
    });
    let value = of_network.sum::<f64>() / analyses.networks.len() as f64;
    value.is_finite().then_some(Estimate { value, agents: [value; 2], rule: None })
}
