//! White's advantage after the most balanced opening.

use super::facts::GameFacts;
use super::findings::{Findings, Kind};
use super::sample::Sample;
use crate::results::{Chapter, MetricInfo, SampleTable, Unit};
use catapult_stats::{Evidence, share};
use std::collections::{BTreeMap, BTreeSet};

/// A first move that fewer games of a half begin with is not chosen.
const FEWEST_GAMES: u32 = 20;

const BALANCED: MetricInfo = MetricInfo {
    id: "white_score_balanced",
    name: "White's score after the most balanced first move",
    unit: Unit::Share,
    chapter: Chapter::Endings,
    neutral: Some(0.5),
    definition: "White's mean score in the games with the most balanced first move: that whose White score is nearest to one half among \
                 the first moves of at least twenty games, chosen on one half of the games and measured on the other, and the other way \
                 round, so that no move is chosen by the games that it is measured on.",
};

pub(super) const METRICS: &[MetricInfo] = &[BALANCED];

pub(super) fn measure(sample: &Sample, findings: &mut Findings) {
    // The choice of the other half, and White's score in the games that begin with it.
    let chosen = sample.games.on_others(2, most_balanced, |choice, game| {
        let score = (choice.as_ref() == Some(&game.first_move)).then(|| game.white_score());
        (choice.clone(), score)
    });
    let observations = chosen.iter().filter(|(_, score)| score.is_some()).count();
    let balanced = share(&chosen, |(_, score)| score.map_or((0.0, 0.0), |score| (score, 1.0)));
    let choices: BTreeSet<&str> = chosen.iter().filter_map(|(choice, _)| choice.as_deref()).collect();
    let choices: Vec<&str> = choices.into_iter().collect();
    let overall = findings.quotient(Kind::Share, sample, |game| (game.white_score(), 1.0));
    let row = |name: &str, evidence: &Option<Evidence>| {
        (name.to_owned(), vec![evidence.as_ref().map(|evidence| evidence.estimate)])
    };
    findings.table(SampleTable {
        table: "white-score".to_owned(),
        chapter: Chapter::Endings,
        title: "White's score".to_owned(),
        sample: sample.id.clone(),
        columns: vec![("White's score".to_owned(), Unit::Share)],
        rows: vec![row("all games", &overall), row("most balanced first move", &balanced)],
        note: Some(match choices.as_slice() {
            [] => format!("No first move has {FEWEST_GAMES} games in either half, so none is chosen."),
            [one] => format!("Chosen on either half of the games: {one}."),
            several => format!("Chosen on the two halves of the games: {}.", several.join(" and ")),
        }),
    });
    findings.add(&BALANCED, &sample.id, observations, balanced);
}

/// The first move whose White score is nearest to one half, of equals the first by name; none with too few games.
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
            arm: Variant::Chess,
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
        // After e2e4 White always wins; after d2d4 it wins, draws, draws and loses in turn; a2a3 has too few games.
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
        assert!(measured.tables[0].note.as_ref().unwrap().contains("d2d4"));
        let few = found((0..30).map(|_| ("a2a3".to_owned(), None)));
        assert!(few.measures.is_empty() && few.tables[0].note.as_ref().unwrap().contains("none is chosen"));
    }

    #[test]
    fn what_is_chosen_by_chance_is_not_measured_by_it() {
        // Twelve moves after which White scores 0.7: the one that happens to be nearest to one half scores 0.7 on other games.
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
