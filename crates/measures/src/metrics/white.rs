//! Metric of White's score after the most balanced first move.

use super::facts::GameFacts;
use super::findings::Findings;
use super::sample::Sample;
use crate::results::{Note, RowNames};
use crate::rows::{metrics, table};
use catapult_stats::{Evidence, share};
use std::collections::{BTreeMap, BTreeSet};

/// Minimum number of games with a first move, in one half of a sample's games, for the move to be
/// chosen.
const FEWEST_GAMES: u32 = 20;

metrics! {
    METRICS =
    BALANCED: Endings Share "white_score_balanced", "White's score after the most balanced first move", neutral 0.5;
        "White's mean score in the games with the most balanced first move. That is the first move of at least twenty games \
         whose score is nearest to one half. It is chosen on one half of the games and measured on the other, and the other \
         way round. No move is measured on the games that it is chosen by.";
}

table! {
    TABLE: Endings "white-score", "White's score"; Share "White's score";
        RowNames::Named(&[("all", "all games"), ("balanced", "most balanced first move")]);
}

pub(super) fn measure(sample: &Sample, findings: &mut Findings) {
    // The other half's choice, and White's score if the game starts with it.
    let chosen = sample.games.on_others(2, most_balanced, |choice, game| {
        let score = (choice.as_ref() == Some(&game.first_move)).then(|| game.white_score());
        (choice.clone(), score)
    });
    let observations = chosen.iter().filter(|(_, score)| score.is_some()).count();
    let balanced = share(&chosen, |(_, score)| score.map_or((0.0, 0.0), |score| (score, 1.0)));
    let moves: BTreeSet<&String> = chosen.iter().filter_map(|(choice, _)| choice.as_ref()).collect();
    let moves = moves.into_iter().cloned().collect();
    let overall = share(&sample.games, |game| (game.white_score(), 1.0));
    let row = |id: &str, evidence: &Option<Evidence>| {
        (id.to_owned(), vec![evidence.as_ref().map(|evidence| evidence.estimate)])
    };
    let rows = vec![row("all", &overall), row("balanced", &balanced)];
    findings.table(&TABLE, &sample.id, rows, vec![Note::FirstMoves { moves }]);
    findings.add(&BALANCED, &sample.id, observations, balanced);
}

/// Returns the first move after which White's mean score is nearest to one half. Of equally near
/// moves, the first in alphabetical order is returned. `None` if no move has [`FEWEST_GAMES`]
/// games.
fn most_balanced(games: &mut dyn Iterator<Item = &GameFacts>) -> Option<String> {
    let mut scores: BTreeMap<&str, (f64, u32)> = BTreeMap::new();
    for game in games.filter(|game| !game.first_move.is_empty()) {
        let (sum, count) = scores.entry(&game.first_move).or_default();
        (*sum, *count) = (*sum + game.white_score(), *count + 1);
    }
    let enough = scores.into_iter().filter(|(_, (_, count))| *count >= FEWEST_GAMES);
    let off =
        |(text, (sum, count)): (&str, (f64, u32))| ((sum / f64::from(count) - 0.5).abs(), text.to_owned());
    enough.map(off).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{RESAMPLING, facts, value};
    use super::*;
    use crate::data::{Checkpoint, SampleId};
    use crate::results::Measured;
    use catapult_rules::{Color, Variant};
    use catapult_stats::Clustered;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn found(games: impl Iterator<Item = (String, Option<Color>)>) -> Measured {
        let template = facts("chess", "", "e2e4");
        let games: Vec<(u64, usize, GameFacts)> = games
            .enumerate()
            .map(|(opening, (first_move, winner))| {
                (1, opening, GameFacts { first_move, winner, ..template.clone() })
            })
            .collect();
        let id = SampleId {
            arm: Variant::Chess.into(),
            agent: "agent".to_owned(),
            checkpoint: Checkpoint::Last,
            simulations: 8,
        };
        let mut findings = Findings::new(RESAMPLING);
        measure(&Sample { id, games: Clustered::new(games) }, &mut findings);
        findings.finish(Variant::Chess)
    }

    #[test]
    fn the_nearest_to_one_half_is_measured() {
        // White always wins after e2e4. After d2d4 it wins, draws, draws and loses in turn. a2a3
        // has too few games.
        let results = [Some(Color::White), None, None, Some(Color::Black)];
        let e4 = (0..100).map(|_| ("e2e4", Some(Color::White)));
        let d4 = (0..100).map(|i| ("d2d4", results[i / 2 % 4]));
        let a3 = (0..30).map(|_| ("a2a3", None));
        let measured = found(e4.chain(d4).chain(a3).map(|(text, winner)| (text.to_owned(), winner)));
        assert!(
            (value(&measured.measures, "white_score_balanced") - 0.5).abs() < 0.02,
            "{:?}",
            measured.measures
        );
        assert_eq!(measured.measures[0].observations, 100);
        let chosen = |measured: &Measured| measured.tables[0].notes.clone();
        assert_eq!(chosen(&measured), [Note::FirstMoves { moves: vec!["d2d4".to_owned()] }]);
        let few = found((0..30).map(|_| ("a2a3".to_owned(), None)));
        assert!(few.measures.is_empty());
        assert_eq!(chosen(&few), [Note::FirstMoves { moves: Vec::new() }]);
    }

    #[test]
    fn what_is_chosen_by_chance_is_not_measured_by_it() {
        // White scores 0.7 after each of twelve moves. The move that seems most balanced by chance
        // scores 0.7 on other games.
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let mut mean = 0.0;
        for _ in 0..60 {
            let games: Vec<(String, Option<Color>)> = (0..600)
                .map(|game| {
                    let white = random.random::<f64>() < 0.7;
                    (
                        format!("move {:02}", game / 2 % 12),
                        Some(if white { Color::White } else { Color::Black }),
                    )
                })
                .collect();
            mean += value(&found(games.into_iter()).measures, "white_score_balanced") / 60.0;
        }
        assert!((mean - 0.7).abs() < 0.03, "{mean}");
    }
}
