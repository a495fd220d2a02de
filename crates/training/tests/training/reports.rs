//! Tests of the statistics of games, which are compared with counts by hand.

use catapult_records::GameRecord;
use catapult_rows::GameRows;
use catapult_rules::{Chess, Color, Move, Outcome, Position, Standard, Variant};
use catapult_selfplay::SelfPlayConfig;
use catapult_training::report::{GamesReport, GenerationReport};

const EVEN: &str = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1";
/// FEN in which Black leads by a knight, which is at least 300 centipawns. In `TWO_PAWNS`, White
/// leads by less.
const KNIGHT: &str = "1n2k3/8/8/8/8/8/8/4K3 w - - 60 90";
const TWO_PAWNS: &str = "4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1";

/// Returns a move of the start position of chess.
fn mv(text: &str) -> Move {
    Chess::start(Standard).parse_move(text).unwrap()
}

fn record(outcome: Outcome, winner: Option<Color>, plies: usize) -> GameRecord {
    let empty = GameRecord::of_texts(Variant::Chess, None, "").unwrap();
    GameRecord { moves: vec![mv("e2e4"); plies], outcome, winner, ..empty }
}

fn add(report: &mut GamesReport, outcome: Outcome, winner: Option<Color>, plies: usize, last: &str) {
    let record = record(outcome, winner, plies);
    let positions = vec![Chess::from_fen(last, Standard).unwrap()];
    let read = GameRows { rows: Vec::new(), positions, result: None };
    report.add(&record, &read, &SelfPlayConfig { no_progress_cap: 60, ..SelfPlayConfig::default() });
}

fn example() -> GamesReport {
    let mut report = GamesReport::default();
    add(&mut report, Outcome::Checkmate, Some(Color::White), 10, EVEN);
    // A lead in a won game does not count.
    add(&mut report, Outcome::Checkmate, Some(Color::Black), 20, KNIGHT);
    add(&mut report, Outcome::Checkmate, Some(Color::Black), 30, EVEN);
    add(&mut report, Outcome::Repetition, None, 40, EVEN);
    add(&mut report, Outcome::Stalemate, None, 50, TWO_PAWNS);
    add(&mut report, Outcome::Capped, None, 60, KNIGHT);
    report
}

#[test]
fn shares_are_of_all_games_and_leads_of_the_undecided() {
    let report = example();
    assert_eq!((report.games, report.plies, report.wins), (6, 210, [1, 2]));
    assert_eq!(report.mean_plies(), 35.0);
    assert_eq!(report.decisive(), 0.5);
    assert_eq!(report.share(Outcome::Checkmate), 0.5);
    for outcome in [Outcome::Repetition, Outcome::Stalemate, Outcome::Capped] {
        assert_eq!(report.share(outcome), 1.0 / 6.0);
    }
    assert_eq!(report.share(Outcome::Dead), 0.0);
    assert_eq!(report.undecided_with_lead, 1);
    // Two games reached a half-move clock of 60. One was truncated, the other was won.
    assert_eq!((report.capped_by_clock, report.without_progress()), (1, 1.0 / 6.0));
    assert_eq!(report.lead_share(), 1.0 / 3.0);
    let empty = GamesReport::default();
    assert_eq!((empty.decisive(), empty.lead_share(), empty.mean_plies()), (0.0, 0.0, 0.0));
}

/// Checks the entropy of first moves. Two of three games begin with the same move: -(2/3 ln 2/3 +
/// 1/3 ln 1/3) = 0.6365. The forked game is not counted.
#[test]
fn the_entropy_of_first_moves_is_that_of_games_from_the_start() {
    let mut report = GamesReport::default();
    assert_eq!(report.first_move_entropy(), 0.0);
    let start = Chess::start(Standard);
    let other = Chess::from_fen(EVEN, Standard).unwrap();
    for (first, parent, position) in [
        ("e2e4", None, start),
        ("d2d4", None, start),
        ("e2e4", None, start),
        ("a2a3", Some(0), start),
        ("a2a3", None, other),
    ] {
        let positions = vec![position];
        let read = GameRows { rows: Vec::new(), positions, result: None };
        let game =
            GameRecord { moves: vec![mv(first), mv("a2a3")], parent, ..record(Outcome::Capped, None, 0) };
        report.add(&game, &read, &SelfPlayConfig::default());
    }
    assert!((report.first_move_entropy() - 0.6365).abs() < 1e-4, "{}", report.first_move_entropy());
    assert_eq!(report.first_moves.len(), 2);
}

/// Checks audited games in which White would resign at its second turn. White then loses one game,
/// wins one, and draws one. The last game is truncated.
#[test]
fn a_resignation_is_wrong_unless_that_side_lost() {
    let mut report = GamesReport::default();
    let config = SelfPlayConfig {
        resign_threshold: 0.9,
        resign_turns: 2,
        resign_audit: 1.0,
        ..SelfPlayConfig::default()
    };
    let [white, black] =
        [EVEN, "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1"].map(|fen| Chess::from_fen(fen, Standard).unwrap());
    for (outcome, winner) in [
        (Outcome::Checkmate, Some(Color::Black)),
        (Outcome::Checkmate, Some(Color::White)),
        (Outcome::Repetition, None),
        (Outcome::Capped, None),
    ] {
        let values = vec![[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let positions = vec![white, black, white, black];
        let read = GameRows { rows: Vec::new(), positions, result: None };
        report.add(&GameRecord { values, ..record(outcome, winner, 3) }, &read, &config);
    }
    assert_eq!((report.resignations_audited, report.resignations_wrong), (4, 3));
}

#[test]
fn a_truncated_game_is_not_decisive() {
    let mut report = example();
    assert_eq!(report.decisive(), 0.5);
    add(&mut report, Outcome::Capped, None, 60, EVEN);
    assert!(report.decisive() < 0.5);
    assert_eq!(report.capped_by_clock, 1, "this one was cut at its length");
}

/// Checks a game of a variant in which the half-move clock may exceed 100. A cap of 100 truncates no
/// game.
#[test]
fn a_long_clock_is_no_cap() {
    let positions = vec![Chess::from_fen("4k3/4p3/8/8/8/8/4P3/4K3 w - - 120 150", Standard).unwrap()];
    let read = GameRows { rows: Vec::new(), positions, result: None };
    let mut report = GamesReport::default();
    report.add(&record(Outcome::Capped, None, 60), &read, &SelfPlayConfig::default());
    assert_eq!((report.games, report.capped_by_clock), (1, 0));
}

#[test]
fn a_report_survives_json_and_has_no_unknown_keys() {
    let report = GenerationReport { generation: 1, games: Some(example()), ..GenerationReport::default() };
    let text = serde_json::to_string(&report).unwrap();
    assert!(
        text.contains("\"outcomes\":{\"capped\":1,\"checkmate\":3,\"repetition\":1,\"stalemate\":1}"),
        "{text}"
    );
    assert_eq!(serde_json::from_str::<GenerationReport>(&text).unwrap(), report);
    let more = text.replacen('{', "{\"colour\":1,", 1);
    assert!(serde_json::from_str::<GenerationReport>(&more).unwrap_err().to_string().contains("colour"));
    // Curves have shares, and no losses without training.
    let scalars = report.scalars();
    let value = |name: &str| scalars.iter().find(|scalar| scalar.0 == name).map(|scalar| scalar.1);
    assert_eq!(value("games/decisive"), Some(0.5));
    assert_eq!(value("games/black_wins"), Some(2.0 / 6.0));
    assert_eq!(value("games/undecided_with_lead"), Some(1.0 / 3.0));
    assert_eq!(value("loss/policy"), None);
}
