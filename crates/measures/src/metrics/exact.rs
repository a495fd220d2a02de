//! Metrics of play in endings whose result is known from endgame tablebases.

use super::findings::Findings;
use super::sample::grouped;
use crate::data::Checkpoint;
use crate::results::{EndingGames, PlayedEnding, RowNames};
use crate::rows::{metrics, table};
use catapult_stats::{Clustered, Evidence, ratio, share};
use std::collections::BTreeSet;

metrics! {
    METRICS =
    WON: Endings Share "ending_won", "conversion of won endings in self-play";
        "Positions that a network wins against itself, of those that endgame tablebases know to be won. All endings of the \
         study count.";
    WON_BEST: Endings Share "ending_won_best", "conversion of won endings against best defence";
        "Positions that a network wins against the tablebase, of those known to be won. The tablebase draws if it can, and \
         else loses as late as possible.";
    PLIES_LOST: Endings Plies "ending_plies_lost", "plies lost in won endings";
        "Plies to mate beyond the shortest win, of endings that were won against the best defence.";
    KEPT: Endings Share "ending_moves_kept", "win-preserving moves in won endings";
        "Moves after which a won position is still won at its own clock, of all moves from won positions of these endings. \
         Games against the network itself and against the best defence count.";
}

table! {
    TABLE: Endings "exact-endings", "Play of won endings";
        Share "won", Share "won against the best defence", Plies "plies lost", Share "moves that keep the win";
        RowNames::Verbatim;
}

/// Function that selects some of a network's games of an ending, such as its games against itself.
type Of = fn(&EndingGames) -> &[PlayedEnding];

pub(super) fn measure(endings: &[EndingGames], findings: &mut Findings) {
    let sample = |found: &EndingGames| found.network.sample(found.arm, Checkpoint::Last, found.simulations);
    for (id, endings) in grouped(endings, sample) {
        let all = values(&endings, findings);
        for ((games, evidence), metric) in all.into_iter().zip([&WON, &WON_BEST, &PLIES_LOST, &KEPT]) {
            findings.add(metric, &id, games, evidence);
        }
        let names: BTreeSet<&str> = endings.iter().map(|found| found.ending.as_str()).collect();
        let row = |name: &str| {
            let of: Vec<&EndingGames> =
                endings.iter().copied().filter(|found| found.ending == name).collect();
            let cells = values(&of, findings).map(|(_, evidence)| evidence.map(|found| found.estimate));
            (name.to_owned(), cells.to_vec())
        };
        let rows = names.into_iter().map(row).collect();
        findings.table(&TABLE, &id, rows, Vec::new());
    }
}

/// Returns the number of observations and the value of each metric, in the order [`WON`],
/// [`WON_BEST`], [`PLIES_LOST`], [`KEPT`].
fn values(endings: &[&EndingGames], findings: &Findings) -> [(usize, Option<Evidence>); 4] {
    let games = |of: &[Of]| {
        let each = endings.iter().flat_map(|found| {
            let played = of.iter().flat_map(|of| of(found).iter().enumerate());
            played.map(|(start, game)| (found.network.seed, (found.ending.clone(), start), *game))
        });
        Clustered::new(each)
    };
    let [itself, best]: [Of; 2] = [|found| &found.itself, |found| &found.best];
    let won = |game: &PlayedEnding| f64::from(game.won);
    let (own, defended, both) = (games(&[itself]), games(&[best]), games(&[itself, best]));
    let beyond =
        |game: &PlayedEnding| (won(game) * (f64::from(game.plies) - f64::from(game.distance)), won(game));
    let wins = defended.iter().filter(|game| game.won).count();
    [
        (own.len(), share(&own, |game| (won(game), 1.0))),
        (defended.len(), share(&defended, |game| (won(game), 1.0))),
        (wins, ratio(&defended, beyond, &findings.resampling)),
        (both.len(), share(&both, |game| (f64::from(game.kept), f64::from(game.turns)))),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::testing::RESAMPLING;
    use super::*;
    use crate::data::NetworkId;
    use catapult_rules::Variant;

    #[test]
    fn endings_are_told_by_hand() {
        let game = |distance, won, plies, turns, kept| PlayedEnding { distance, won, plies, turns, kept };
        let of = |ending: &str, itself: [PlayedEnding; 2], best: [PlayedEnding; 2]| EndingGames {
            arm: Variant::Chess.into(),
            network: NetworkId { agent: "agent".to_owned(), seed: 1 },
            simulations: 64,
            ending: ending.to_owned(),
            itself: itself.to_vec(),
            best: best.to_vec(),
        };
        let endings = [
            of(
                "KRvK",
                [game(21, true, 21, 11, 11), game(9, false, 100, 20, 19)],
                [game(21, true, 31, 16, 16), game(9, true, 15, 8, 8)],
            ),
            of(
                "KQvK",
                [game(5, true, 5, 3, 3), game(7, true, 9, 5, 5)],
                [game(5, true, 5, 3, 3), game(7, false, 2, 1, 0)],
            ),
        ];
        // Another network plays the same games.
        let network = NetworkId { agent: "agent".to_owned(), seed: 2 };
        let again = endings.clone().map(|found| EndingGames { network: network.clone(), ..found });
        let mut findings = Findings::new(RESAMPLING);
        measure(&[endings, again].concat(), &mut findings);
        let measured = findings.finish(Variant::Chess);
        let value = |metric: &str| {
            measured.measures.iter().find(|found| found.metric == metric).unwrap().estimate.value
        };
        assert_eq!(value("ending_won"), 0.75);
        assert_eq!(value("ending_won_best"), 0.75);
        // 10, 6 and 0 plies are lost in three wins.
        assert!((value("ending_plies_lost") - 16.0 / 3.0).abs() < 1e-12);
        assert!((value("ending_moves_kept") - 65.0 / 67.0).abs() < 1e-12);
        let rows: Vec<&str> = measured.tables[0].rows.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(rows, ["KQvK", "KRvK"]);
        assert_eq!(measured.tables[0].rows[1].1[0].unwrap().value, 0.5);
    }
}
