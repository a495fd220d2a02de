//! Selection of endings in which only teleports or catapult moves win, or save the draw. Their
//! tables prove it.

use crate::{Failure, MOST_BEST, Puzzle, after, kind_of, only_kind};
use catapult_endings::{CLOCK_LIMIT, Probe, TableKey, Tables, Value};
use catapult_rules::{ChessPp, Color, Move, Plain, Position, Square};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use std::collections::{BTreeMap, HashSet};

/// Number of random placements tried per table.
const PLACEMENTS: usize = 30_000;
/// Number of random placements of the men per placement of the catapults. Only few placements of
/// the catapults are used, because each has its own block in a table's file.
const PER_CATAPULTS: usize = 100;
/// Minimum number of legal moves in a chosen position.
const FEWEST_MOVES: usize = 8;

/// Returns the result for the side to move: 2 for a win, 1 for a draw, 0 for a loss.
fn worth(tables: &Tables, position: &ChessPp) -> Result<u8, Failure> {
    // Positions without a table are dead.
    Ok(match tables.probe(position)?.map(|probe| probe.result) {
        Some(Value::Won(_)) => 2,
        Some(Value::Lost(_)) => 0,
        _ => 1,
    })
}

/// Returns the moves that keep the result of a position. Returns `None` if the position does not
/// qualify: it is lost, White to move does not win, it has fewer than [`FEWEST_MOVES`] legal moves,
/// or the best moves are too many or not all of one special kind.
fn ending(tables: &Tables, key: TableKey, position: &ChessPp) -> Result<Option<Puzzle>, Failure> {
    let attacks = position.side_to_move() == Color::White;
    let probe = tables.probe(position)?.filter(|probe| probe.key == key && position.outcome().is_none());
    let Some(Probe { dtm, .. }) = probe else { return Ok(None) };
    let (result, moves) = (worth(tables, position)?, position.legal_moves());
    if result == 0 || (attacks && result == 1) || moves.len() < FEWEST_MOVES {
        return Ok(None);
    }
    // Tests ordinary moves first: they rarely change blocks and usually rule the position out.
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
    let proof = match dtm {
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

/// Returns a random placement of an ending, with the owner of the catapults to move. Returns `None`
/// if the placement is illegal.
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

/// Returns a won position with the latest half-move clock at which it is still won. Only the
/// fastest wins then keep the result. Other positions are returned unchanged.
fn in_time(tables: &Tables, position: &ChessPp) -> Result<ChessPp, Failure> {
    let Some(Probe { dtz: Value::Won(plies), .. }) = tables.probe(position)? else { return Ok(*position) };
    let clock = format!(" {} 90 ", CLOCK_LIMIT - plies);
    Ok(ChessPp::from_fen(&position.to_string().replacen(" 0 1 ", &clock, 1), Plain)?)
}

/// Chooses positions of one table at random, at most `count` per kind of move.
pub(crate) fn choose(
    tables: &Tables,
    key: TableKey,
    count: usize,
    seed: u64,
) -> Result<Vec<Puzzle>, Failure> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut chosen = Vec::new();
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
        let position = if attacks && !key.has_pawn() { in_time(tables, &position)? } else { position };
        if let Some(puzzle) = ending(tables, key, &position)?
            && seen.insert(position.key())
        {
            found.entry(puzzle.theme.clone()).or_default().push(puzzle);
        }
    }
    for (theme, mut puzzles) in found {
        puzzles.shuffle(&mut random);
        eprintln!("{theme}: {} of {legal} legal placements qualify", puzzles.len());
        chosen.extend(puzzles.into_iter().take(count));
    }
    Ok(chosen)
}
