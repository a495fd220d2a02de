//! Proofs of the positions of `experiments/tactics/catapult.epd`, without the code that found the
//! positions.

use catapult_endings::{TableKey, Tables, Value};
use catapult_rules::{ChessMove, ChessMoveKind, ChessPp, Epd, Move, Outcome, Plain, Position};
use std::collections::HashSet;

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/tactics/catapult.epd");

/// One line of the suite: a position with its best moves and its theme.
struct Tactic {
    id: String,
    position: ChessPp,
    best: HashSet<Move>,
    /// Operand of the EPD opcode `c0`: the kind of move, `wins` or `saves`, and the number of turns
    /// to mate or the table.
    theme: String,
}

impl Tactic {
    fn read(line: &str) -> Tactic {
        let epd = Epd::read(line).unwrap();
        let get = |opcode| epd.get(opcode).unwrap_or_else(|| panic!("no {opcode}: {line}")).to_owned();
        assert_eq!(get("variant"), "chesspp");
        let position = ChessPp::from_fen(&epd.fen(), Plain).unwrap();
        let best = get("bm").split(' ').map(|text| position.parse_move(text).unwrap()).collect();
        Tactic { id: get("id"), position, best, theme: get("c0") }
    }

    fn all() -> Vec<Tactic> {
        std::fs::read_to_string(SUITE).unwrap().lines().map(Tactic::read).collect()
    }

    fn turns(&self) -> Option<u32> {
        Some(self.theme.split_once("mate in ")?.1.parse().unwrap())
    }

    fn after(&self, mv: Move) -> ChessPp {
        after(&self.position, mv)
    }

    /// Tests that the best moves are exactly the legal moves for which `keeps` returns true.
    fn assert_best(&self, keeps: impl Fn(Move) -> bool) {
        let found: HashSet<Move> = self.position.legal_moves().into_iter().filter(|mv| keeps(*mv)).collect();
        assert_eq!(found, self.best, "{}: {}", self.id, self.position);
    }

    /// Tests that exactly the best moves mate within the number of turns, and no move mates sooner.
    fn assert_mate(&self, turns: u32) {
        self.assert_best(|mv| is_mated(&self.after(mv), turns - 1));
        assert!(turns == 1 || !mates(&self.position, turns - 1), "{}", self.id);
    }
}

fn after(position: &ChessPp, mv: Move) -> ChessPp {
    let mut after = *position;
    after.play(mv);
    after
}

/// Returns true if the side to move mates within this number of its turns.
fn mates(position: &ChessPp, turns: u32) -> bool {
    turns > 0 && position.legal_moves().into_iter().any(|mv| is_mated(&after(position, mv), turns - 1))
}

/// Returns true if the side to move is mated within this number of the opponent's turns.
fn is_mated(position: &ChessPp, turns: u32) -> bool {
    match position.outcome() {
        Some(outcome) => outcome == Outcome::Checkmate,
        None => turns > 0 && position.legal_moves().into_iter().all(|mv| mates(&after(position, mv), turns)),
    }
}

#[test]
fn lines_are_distinct_and_best_moves_use_catapults() {
    let tactics = Tactic::all();
    assert!(tactics.len() >= 30, "{}", tactics.len());
    for name in [|tactic: &Tactic| tactic.id.clone(), |tactic: &Tactic| tactic.position.key().to_string()] {
        assert_eq!(tactics.iter().map(name).collect::<HashSet<_>>().len(), tactics.len());
    }
    for tactic in tactics {
        assert!(!tactic.best.is_empty() && tactic.position.outcome().is_none(), "{}", tactic.id);
        let kind = match tactic.theme {
            theme if theme.starts_with("teleport ") => ChessMoveKind::Teleport,
            theme if theme.starts_with("catapult move ") => ChessMoveKind::Catapult,
            theme => panic!("{}: {theme}", tactic.id),
        };
        assert!(tactic.best.iter().all(|mv| ChessMove::of(*mv).kind == kind), "{}", tactic.id);
    }
}

#[test]
fn exactly_the_best_moves_mate_in_one_or_two() {
    for tactic in Tactic::all() {
        if let Some(turns @ 1..=2) = tactic.turns() {
            tactic.assert_mate(turns);
        }
    }
}

#[test]
#[ignore = "long"]
fn exactly_the_best_moves_mate_in_three_and_ordinary_moves_not_a_turn_later() {
    for tactic in Tactic::all() {
        let Some(turns) = tactic.turns() else { continue };
        tactic.assert_mate(turns);
        for mv in tactic.position.legal_moves() {
            let is_ordinary =
                !matches!(ChessMove::of(mv).kind, ChessMoveKind::Teleport | ChessMoveKind::Catapult);
            assert!(!(is_ordinary && is_mated(&tactic.after(mv), turns)), "{}", tactic.id);
        }
    }
}

/// Tests endings by their tables. It solves the tables in a temporary folder, or uses the folder in
/// the environment variable `CATAPULT_TABLES`.
#[test]
#[ignore = "long"]
fn exactly_the_best_moves_keep_the_result_of_the_tables() {
    let made = tempfile::tempdir().unwrap();
    let dir = std::env::var_os("CATAPULT_TABLES").map_or_else(|| made.path().to_owned(), Into::into);
    let tables = Tables::new(&dir);
    for tactic in Tactic::all() {
        if tactic.turns().is_some() {
            continue;
        }
        let (theme, name) = tactic.theme.split_once(": ").unwrap();
        let key: TableKey = name.parse().unwrap();
        tables.solve(key, &mut |_, _| true).unwrap();
        let probe = tables.probe(&tactic.position).unwrap().unwrap();
        assert_eq!(probe.key, key);
        let result = |position: &ChessPp| tables.probe(position).unwrap().map(|probe| probe.result);
        if theme.ends_with("wins") {
            assert!(matches!(probe.result, Value::Won(_)), "{}", tactic.id);
            tactic.assert_best(|mv| matches!(result(&tactic.after(mv)), Some(Value::Lost(_))));
        } else {
            assert_eq!(probe.result, Value::Drawn, "{}", tactic.id);
            // Dead positions are in no table.
            tactic.assert_best(|mv| matches!(result(&tactic.after(mv)), None | Some(Value::Drawn)));
        }
    }
}
