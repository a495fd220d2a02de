//! Finds positions of Chess++ in which only teleports or catapult moves win or save.
//!
//! ```text
//! cargo run --release -p catapult-endings --example tactics -- SEED GAMES.pgn TABLES NAME..
//! ```
//!
//! Mates come from the games, by exhaustive search. Endings come from the tables, by random
//! placements. A seed draws the positions among those that qualify. The counts go to standard error.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_endings::{CLOCK_LIMIT, Probe, TableKey, Tables, Value};
use catapult_rules::{
    ChessMove, ChessMoveKind, ChessPp, Color, Epd, Move, Outcome, PgnReader, PieceKind, Plain, Position, Proposals,
    Square, Squares, Variant,
};
use rand::seq::SliceRandom;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::BufReader;

type Failure = Box<dyn std::error::Error>;

/// Number of positions taken per number of turns to mate and kind of move.
const MATES: [(u32, usize); 3] = [(1, 4), (2, 12), (3, 12)];
/// Placements of the mover's catapults per position of a game. In the games themselves only few teleports mate.
const PER_POSITION: usize = 6;
/// Number of positions taken per table and kind of move.
const PER_TABLE: usize = 4;
/// Random placements tried per table.
const PLACEMENTS: usize = 30_000;
/// Placements of the men per placement of the catapults, because a table has a block per set of catapults.
const PER_CATAPULTS: usize = 100;
/// Maximum number of moves that keep the result.
const MOST_BEST: usize = 4;
/// Minimum number of legal moves of an ending's position.
const FEWEST_MOVES: usize = 8;
/// Half-move clock from which positions of games are skipped, so that no line meets the fifty-move rule.
const LATEST_CLOCK: u32 = 80;
/// Positions after which the search for slower mates stops and the position is dropped.
const NODES: u64 = 40_000_000;

/// Position with the moves that keep the result, all of one kind.
struct Puzzle {
    position: ChessPp,
    best: Vec<Move>,
    game: usize,
    theme: String,
    proof: String,
}

/// Returns the kind of a move that only Chess++ has.
fn kind_of(mv: Move) -> Option<&'static str> {
    match ChessMove::of(mv).kind {
        ChessMoveKind::Teleport => Some("teleport"),
        ChessMoveKind::Catapult => Some("catapult move"),
        _ => None,
    }
}

/// Returns the kind of all these moves, if it is one and they are few.
fn only_kind(moves: &[Move]) -> Option<&'static str> {
    let kind = kind_of(*moves.first()?)?;
    (moves.len() <= MOST_BEST && moves.iter().all(|mv| kind_of(*mv) == Some(kind))).then_some(kind)
}

fn after(position: &ChessPp, mv: Move) -> ChessPp {
    let mut after = *position;
    after.play(mv);
    after
}

/// Exhaustive search for mates, with a table of results and the last reply that refuted.
#[derive(Default)]
struct Search {
    known: HashMap<(u64, u32), bool>,
    refuted: [Option<Move>; 8],
    nodes: u64,
}

impl Search {
    /// Returns true if the side to move mates within this number of its turns.
    fn mates(&mut self, position: &ChessPp, turns: u32) -> bool {
        self.nodes += 1;
        if turns == 1 {
            let mut found = false;
            position.for_each_successor(|_, next| found |= next.in_check() && !next.has_legal_move());
            return found;
        }
        if let Some(known) = self.known.get(&(position.key(), turns)) {
            return *known;
        }
        let mut next: Vec<ChessPp> = Vec::new();
        position.for_each_successor(|_, after| next.push(*after));
        next.sort_by_key(|after| !after.in_check());
        let found = next.iter().any(|after| self.is_lost(after, turns - 1));
        self.known.insert((position.key(), turns), found);
        found
    }

    /// Returns true if the side to move is mated within this number of the opponent's turns.
    fn is_lost(&mut self, position: &ChessPp, turns: u32) -> bool {
        match position.outcome() {
            Some(outcome) => return outcome == Outcome::Checkmate,
            None if turns == 0 || self.nodes > NODES => return false,
            None => {}
        }
        let refuted = self.refuted[turns as usize];
        let first = refuted.filter(|mv| position.is_legal(*mv));
        for mv in first.into_iter().chain(position.legal_moves()) {
            if !self.mates(&after(position, mv), turns) {
                self.refuted[turns as usize] = Some(mv);
                return false;
            }
        }
        true
    }
}

/// Returns the shortest mate of up to three turns, if no ordinary move is as short.
fn mate(position: &ChessPp, game: usize) -> Option<(u32, Puzzle)> {
    let mut search = Search::default();
    let moves = position.legal_moves();
    let (special, ordinary): (Vec<Move>, Vec<Move>) = moves.iter().partition(|mv| kind_of(**mv).is_some());
    let turns = (1..=3).find(|turns| special.iter().any(|mv| search.is_lost(&after(position, *mv), turns - 1)))?;
    if ordinary.iter().any(|mv| search.is_lost(&after(position, *mv), turns - 1)) {
        return None;
    }
    let best: Vec<Move> =
        special.into_iter().filter(|mv| search.is_lost(&after(position, *mv), turns - 1)).collect();
    let kind = only_kind(&best)?;
    let theme = format!("{kind} wins: mate in {turns}");
    let proof = format!("no ordinary move mates within {} turns", turns + 1);
    Some((turns, Puzzle { position: *position, best, game, theme, proof }))
}

/// Returns true if no ordinary move mates within this number of turns, `None` if the search is too long.
fn has_no_slower_mate(position: &ChessPp, turns: u32) -> Option<bool> {
    let mut search = Search::default();
    let mut ordinary = position.legal_moves().into_iter().filter(|mv| kind_of(*mv).is_none());
    let found = ordinary.any(|mv| search.is_lost(&after(position, mv), turns - 1));
    (found || search.nodes <= NODES).then_some(!found)
}

/// Returns the result for the side to move: 2 for a win, 1 for a draw, 0 for a loss.
fn worth(tables: &Tables, position: &ChessPp) -> Result<u8, Failure> {
    // Positions without a table are dead.
    Ok(match tables.probe(position)?.map(|probe| probe.result) {
        Some(Value::Won(_)) => 2,
        Some(Value::Lost(_)) => 0,
        _ => 1,
    })
}

/// Returns the moves of an ending that keep its result, if they qualify.
fn ending(tables: &Tables, key: TableKey, position: &ChessPp) -> Result<Option<Puzzle>, Failure> {
    let attacks = position.side_to_move() == Color::White;
    let probe = tables.probe(position)?.filter(|probe| probe.key == key && position.outcome().is_none());
    let Some(Probe { mate, .. }) = probe else { return Ok(None) };
    let (result, moves) = (worth(tables, position)?, position.legal_moves());
    if result == 0 || (attacks && result == 1) || moves.len() < FEWEST_MOVES {
        return Ok(None);
    }
    // Ordinary moves first: they seldom leave the block of the table in memory, and nearly always decide.
    let (special, ordinary): (Vec<Move>, Vec<Move>) = moves.iter().partition(|mv| kind_of(**mv).is_some());
    let mut best = Vec::new();
    for mv in ordinary.into_iter().chain(special) {
        if worth(tables, &after(position, mv))? == 2 - result {
            best.push(mv);
        }
        if best.first().is_some_and(|mv| kind_of(*mv).is_none()) || best.len() > MOST_BEST {
            return Ok(None);
        }
    }
    let verb = if result == 2 { "wins" } else { "saves" };
    let proof = match mate {
        Value::Won(plies) => format!("mate in {plies} plies"),
        _ => "drawn".to_owned(),
    };
    Ok(only_kind(&best).map(|kind| Puzzle {
        position: *position,
        best,
        game: 0,
        theme: format!("{kind} {verb}: {key}"),
        proof,
    }))
}

/// Returns a random placement of an ending, with the side to move that may win or must save itself.
fn placement(key: TableKey, catapults: &str, random: &mut Pcg64Mcg) -> Option<ChessPp> {
    let mut squares: Vec<usize> = (0..64).collect();
    squares.shuffle(random);
    let mut board = ['1'; 64];
    let letter = Color::White.cased(key.piece?.letter());
    for (square, man) in squares.iter().zip(['K', 'k', letter]) {
        board[*square] = man;
    }
    let (side, catapults) = match key.owner {
        Color::White => ('w', format!("{catapults}/-")),
        Color::Black => ('b', format!("-/{catapults}")),
    };
    let ranks: Vec<String> = board.chunks(8).rev().map(|rank| rank.iter().collect()).collect();
    ChessPp::from_fen(&format!("{} {side} - - 0 1 {catapults}", ranks.join("/")), Plain).ok()
}

/// Returns an ending at the latest half-move clock at which it is won, so that only the fastest wins remain.
fn in_time(tables: &Tables, position: &ChessPp) -> Result<ChessPp, Failure> {
    let Some(Probe { clock: Value::Won(plies), .. }) = tables.probe(position)? else { return Ok(*position) };
    let clock = format!(" {} 90 ", CLOCK_LIMIT - plies);
    Ok(ChessPp::from_fen(&position.to_string().replacen(" 0 1 ", &clock, 1), Plain)?)
}

/// Returns a position of a game with the mover's catapults on other squares: one under a piece, the other anywhere.
fn with_catapults(position: &ChessPp, random: &mut Pcg64Mcg) -> Option<ChessPp> {
    let us = position.side_to_move();
    let mut squares: Vec<Square> = (0..64).map(Square::of).collect();
    squares.shuffle(random);
    let is_ours = |at: &&Square| {
        position.piece_at(**at).is_some_and(|(side, kind)| side == us && kind != PieceKind::Pawn)
    };
    let under = squares.iter().find(is_ours)?;
    let other = squares.iter().find(|at| *at != under && !position.catapults(!us).meets(Squares::of(**at)))?;
    let fen = position.to_string();
    let (board, catapults) = fen.rsplit_once(' ')?;
    let (white, black) = catapults.split_once('/').unwrap_or(("-", "-"));
    let (white, black) = match us {
        Color::White => (format!("{under}{other}"), black.to_owned()),
        Color::Black => (white.to_owned(), format!("{under}{other}")),
    };
    ChessPp::from_fen(&format!("{board} {white}/{black}"), Plain).ok()
}

fn line(number: usize, puzzle: &Puzzle) -> String {
    let best: Vec<String> = puzzle.best.iter().map(|mv| puzzle.position.move_text(*mv)).collect();
    let epd = Epd::of(&puzzle.position, Variant::ChessPp(Proposals::NONE));
    let Puzzle { theme, proof, .. } = puzzle;
    format!("{epd} bm {}; id \"tactics {number:02}\"; c0 \"{theme}\"; c1 \"{proof}\";", best.join(" "))
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seed, games, tables, names @ ..] = arguments.as_slice() else {
        return Err("SEED GAMES.pgn TABLES NAME..".into());
    };
    let (seed, tables): (u64, _) = (seed.parse()?, Tables::new(tables.as_ref()));
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut chosen: Vec<Puzzle> = Vec::new();

    let mut found: BTreeMap<(u32, String), Vec<Puzzle>> = BTreeMap::new();
    let mut seen = HashSet::new();
    for (number, game) in PgnReader::new(BufReader::new(std::fs::File::open(games)?)).enumerate() {
        let game = game?.replay::<ChessPp>(Plain).map_err(|(_, error)| error)?;
        let mut position = *game.start();
        for mv in game.moves() {
            position.play(*mv);
            for _ in 0..PER_POSITION {
                if let Some(moved) = with_catapults(&position, &mut random)
                    && moved.halfmove_clock() < LATEST_CLOCK
                    && moved.outcome().is_none()
                    && seen.insert(moved.key())
                    && let Some((turns, puzzle)) = mate(&moved, number)
                {
                    found.entry((turns, puzzle.theme.clone())).or_default().push(puzzle);
                }
            }
        }
    }
    eprintln!("{} positions of games", seen.len());
    let mut used = HashSet::new();
    // Longer mates first, because a game gives one position.
    for ((turns, theme), mut puzzles) in found.into_iter().rev() {
        puzzles.shuffle(&mut random);
        let (qualified, wanted) = (puzzles.len(), MATES[turns as usize - 1].1);
        let (mut taken, mut slower, mut undecided) = (Vec::new(), 0, 0);
        for puzzle in puzzles {
            if taken.len() == wanted || used.contains(&puzzle.game) {
                continue;
            }
            match has_no_slower_mate(&puzzle.position, turns + 1) {
                Some(true) => {
                    used.insert(puzzle.game);
                    taken.push(puzzle);
                }
                Some(false) => slower += 1,
                None => undecided += 1,
            }
        }
        eprintln!("{theme}: {qualified} qualify; {} taken, {slower} with a slower ordinary mate, {undecided} undecided", taken.len());
        taken.append(&mut chosen);
        chosen = taken;
    }

    for (number, name) in names.iter().enumerate() {
        let mut random = Pcg64Mcg::seed_from_u64(seed + 1 + number as u64);
        let key: TableKey = name.parse()?;
        let mut found: BTreeMap<String, Vec<Puzzle>> = BTreeMap::new();
        let (mut legal, mut seen) = (0, HashSet::new());
        let (mut catapults, attacks) = (String::new(), key.owner == Color::White);
        for number in 0..PLACEMENTS {
            if number % PER_CATAPULTS == 0 {
                let mut squares: Vec<u8> = (0..64).collect();
                let (chosen, _) = squares.partial_shuffle(&mut random, key.catapults().into());
                catapults = chosen.iter().map(|at| Square::of(*at).to_string()).collect();
            }
            let Some(position) = placement(key, &catapults, &mut random) else { continue };
            legal += 1;
            // With a piece the attacker nearly always wins at half-move clock 0.
            let position =
                if attacks && !key.has_pawn() { in_time(&tables, &position)? } else { position };
            if let Some(puzzle) = ending(&tables, key, &position)?
                && seen.insert(position.key())
            {
                found.entry(puzzle.theme.clone()).or_default().push(puzzle);
            }
        }
        for (theme, mut puzzles) in found {
            puzzles.shuffle(&mut random);
            eprintln!("{theme}: {} of {legal} legal placements qualify", puzzles.len());
            chosen.extend(puzzles.into_iter().take(PER_TABLE));
        }
    }
    for (number, puzzle) in chosen.iter().enumerate() {
        println!("{}", line(number + 1, puzzle));
    }
    Ok(())
}
