use super::super::testing::{RESAMPLING, cell, facts, found, record, samples, value};
use super::*;
use crate::data::{Checkpoint, SampleId};
use crate::results::Measured;
use catapult_rules::{Color, Variant};
use catapult_stats::Clustered;

/// Bits of the first two uses of Chess++ in a bit set of uses.
const CATAPULT_MOVE: u16 = 1;
const TELEPORT: u16 = 2;

/// Returns a game with these plies. A ply is given by its mover, its bit set of uses, and true for
/// an attacking or false for a defending move.
fn game(plies: &[(Color, u16, bool)], winner: Option<Color>) -> GameFacts {
    let template = facts("chesspp", "", "g1f3");
    let ply = |&(mover, uses, attacks): &(Color, u16, bool)| PlyFacts {
        mover,
        uses,
        aim: Some(if attacks { ATTACKS } else { DEFENDS }),
        ..template.plies[0]
    };
    GameFacts { plies: plies.iter().map(ply).collect(), winner, ..template.clone() }
}

fn measured(games: Vec<GameFacts>) -> Measured {
    let id = SampleId {
        arm: "chesspp".parse().unwrap(),
        agent: "agent".to_owned(),
        checkpoint: Checkpoint::Last,
        simulations: 32,
    };
    let games = games.into_iter().enumerate().map(|(i, game)| (1 + i as u64 % 3, i, game));
    let mut findings = Findings::new(RESAMPLING);
    measure(&Sample { id, games: Clustered::new(games) }, &mut findings);
    findings.finish(Variant::Chess)
}

#[test]
fn a_game_without_new_rules_has_no_uses_that_attack() {
    let chess = found("chess", vec![record("chess", "", "e2e4 d7d5 e4d5 d8d5"); 4], measure);
    let ids: Vec<&str> = chess.measures.iter().map(|measure| measure.metric.as_str()).collect();
    assert_eq!(ids, ["attacking_lead_ordinary"]);
}

#[test]
fn uses_are_held_against_the_ordinary_moves_of_the_same_games() {
    let white = Color::White;
    // Three of four uses attack, and half of the ordinary moves do: 0.5 less 0.
    let [one, two] = [true, false].map(|attacks| {
        let uses = [(white, CATAPULT_MOVE, true), (white, TELEPORT, attacks)];
        game(&[uses[0], uses[1], (white, 0, true), (white, 0, false)], None)
    });
    let found = measured([vec![one; 6], vec![two; 6]].concat());
    assert_eq!(value(&found.measures, "new_rule_plies"), 0.5);
    assert_eq!(value(&found.measures, "attacking_share"), 0.75);
    assert_eq!(value(&found.measures, "defending_share"), 0.25);
    assert_eq!(value(&found.measures, "attacking_lead"), 0.5);
    assert_eq!(value(&found.measures, "attacking_lead_ordinary"), 0.0);
    assert_eq!(value(&found.measures, "attacking_excess"), 0.5);
    let excess = found.measures.iter().find(|measure| measure.metric == "attacking_excess").unwrap();
    assert!(excess.networks.len() == 3 && excess.networks.iter().all(|network| network.without.is_some()));
    assert!(excess.estimate.rule.is_some());

    // Uses and ordinary moves both attack in some games, and neither does in others. Each share
    // varies, but the difference is 0 in every resample.
    let [all, none] =
        [true, false].map(|attacks| game(&[(white, TELEPORT, attacks), (white, 0, attacks)], None));
    let found = measured([vec![all; 6], vec![none; 6]].concat());
    let of = |id: &str| found.measures.iter().find(|measure| measure.metric == id).unwrap().estimate;
    let width = of("attacking_lead").agents[1] - of("attacking_lead").agents[0];
    assert!(width > 0.5, "{width}");
    assert_eq!((of("attacking_excess").value, of("attacking_excess").agents), (0.0, [0.0, 0.0]));
}

#[test]
fn the_winners_share_is_told_use_by_use() {
    let (white, black) = (Color::White, Color::Black);
    let plies = [
        (white, CATAPULT_MOVE, true),
        (black, CATAPULT_MOVE, true),
        (black, CATAPULT_MOVE, true),
        (white, TELEPORT, true),
        (black, 0, true),
    ];
    // Drawn games do not count.
    let mut games = [vec![game(&plies, Some(white)); 6], vec![game(&plies, None); 6]].concat();
    games.iter_mut().for_each(|game| game.plies[1..3].iter_mut().for_each(|ply| ply.phase = Phase::Middle));
    let found = measured(games);
    let table = found.tables.iter().find(|table| table.table == "rule-use").unwrap();
    let (_, cells) = table.rows.iter().find(|(name, _)| name == "catapult_moves").unwrap();
    assert!(cells[2].unwrap().agents[1] > 0.1, "no use in twelve games");
    let cells: Vec<f64> = cells.iter().map(|cell| cell.unwrap().value).collect();
    // Opening, middle game and ending, then the winner and the loser.
    assert_eq!(cells, [1.0, 2.0, 0.0, 1.0, 2.0]);
    assert!((value(&found.measures, "winner_share_catapult_moves") - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(value(&found.measures, "winner_share_teleports"), 1.0);
    assert_eq!(value(&found.measures, "new_rules_winner_share"), 0.5);
    let ids = |id: &str| found.measures.iter().any(|measure| measure.metric == id);
    assert!(!ids("winner_share_teleport_captures"), "there was none");
    assert!(!ids("winner_share_pawn_teleports"), "the rules know none");
}

#[test]
fn placements_are_counted_but_are_no_plies_that_use_the_rules() {
    let placed = record("chesspp+free", "", "c@a1 c@b8 c@f1 c@f8 e2e4 e7e5");
    let found = found("chesspp+free", vec![placed; 4], measure);
    assert_eq!(value(&found.measures, "catapult_placements"), 4.0);
    assert_eq!(value(&found.measures, "placements_elsewhere"), 1.0);
    assert_eq!(value(&found.measures, "new_rule_plies"), 0.0);
    let table = found.tables.iter().find(|table| table.table == "rule-use").unwrap();
    assert!(table.rows.iter().all(|(name, _)| !name.contains("placements")));
}

#[test]
fn boards_are_those_of_the_rules() {
    let titles = |arm: &str, moves: &str| -> Vec<(String, f64)> {
        let samples = samples(&[cell(arm, "agent", 1, 8, vec![record(arm, "", moves)])]);
        let mut findings = Findings::new(RESAMPLING);
        super::super::heat::measure(&samples[0], &mut findings);
        let maps = findings.finish(Variant::Chess).heat_maps.into_iter();
        maps.map(|map| (map.map, map.values.iter().sum())).collect()
    };
    assert_eq!(titles("chess", "e2e4"), []);
    let plain = titles("chesspp", "e2e4 e7e5");
    assert_eq!(plain.len(), 2);
    // Both games have two catapults per ply, because placements are not plies.
    let free = titles("chesspp+free", "c@b1 c@b8 c@f1 c@f8 e2e4 e7e5");
    assert_eq!((free[0].1, plain[0].1), (2.0, 2.0));
    assert_eq!(free[2], ("placements".to_owned(), 4.0));
}
