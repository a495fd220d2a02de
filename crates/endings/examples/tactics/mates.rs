//! Mates of one to three turns in positions from games.

use crate::{Failure, Puzzle, after, kind_of, only_kind};
use catapult_rules::{ChessPp, Color, Move, Outcome, PgnReader, PieceKind, Plain, Position, Square, Squares};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::BufReader;

/// Maximum number of positions chosen per kind of move, for mates of one, two and three turns.
const MATES: [usize; 3] = [4, 12, 12];
/// Number of random placements of the side to move's catapults per position of a game. In the
/// unchanged positions, few teleports mate.
const PER_POSITION: usize = 6;
/// Half-move clock from which positions of games are skipped, so that the fifty-move rule plays no
/// part.
const LATEST_CLOCK: u32 = 80;
/// Limit on the positions of a search for slower mates. Beyond it, the searched position is
/// dropped.
const NODES: u64 = 40_000_000;

/// Exhaustive search for mates, with a table of results. It also remembers the last refuting reply
/// for each number of turns.
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

/// Returns the shortest mate of up to three turns by teleports or catapult moves, with its number
/// of turns. Returns `None` if there is none, or if an ordinary move mates as fast.
fn mate(position: &ChessPp, game: usize) -> Option<(u32, Puzzle)> {
    let mut search = Search::default();
    let moves = position.legal_moves();
    let (special, ordinary): (Vec<Move>, Vec<Move>) = moves.iter().partition(|mv| kind_of(**mv).is_some());
    let turns =
        (1..=3).find(|turns| special.iter().any(|mv| search.is_lost(&after(position, *mv), turns - 1)))?;
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

/// Returns true if no ordinary move mates within this number of turns. Returns `None` if the search
/// exceeds [`NODES`] positions.
fn has_no_slower_mate(position: &ChessPp, turns: u32) -> Option<bool> {
    let mut search = Search::default();
    let mut ordinary = position.legal_moves().into_iter().filter(|mv| kind_of(*mv).is_none());
    let found = ordinary.any(|mv| search.is_lost(&after(position, mv), turns - 1));
    (found || search.nodes <= NODES).then_some(!found)
}

/// Returns a position of a game with the two catapults of the side to move on random squares. One
/// is under a piece of this side other than a pawn, the second on any square without an opposing
/// catapult.
fn with_catapults(position: &ChessPp, random: &mut Pcg64Mcg) -> Option<ChessPp> {
    let us = position.side_to_move();
    let mut squares: Vec<Square> = (0..64).map(Square::of).collect();
    squares.shuffle(random);
    let is_ours = |at: &&Square| {
        position.piece_at(**at).is_some_and(|(side, kind)| side == us && kind != PieceKind::Pawn)
    };
    let under = squares.iter().find(is_ours)?;
    let other =
        squares.iter().find(|at| *at != under && !position.catapults(!us).meets(Squares::of(**at)))?;
    let fen = position.to_string();
    let (board, catapults) = fen.rsplit_once(' ')?;
    let (white, black) = catapults.split_once('/').unwrap_or(("-", "-"));
    let (white, black) = match us {
        Color::White => (format!("{under}{other}"), black.to_owned()),
        Color::Black => (white.to_owned(), format!("{under}{other}")),
    };
    ChessPp::from_fen(&format!("{board} {white}/{black}"), Plain).ok()
}

/// Chooses mates at random from the games of a PGN file.
pub(crate) fn choose(games: &str, seed: u64) -> Result<Vec<Puzzle>, Failure> {
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
        let (qualified, wanted) = (puzzles.len(), MATES[turns as usize - 1]);
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
        eprintln!(
            "{theme}: {qualified} qualify; {} taken, {slower} with a slower ordinary mate, {undecided} undecided",
            taken.len()
        );
        taken.append(&mut chosen);
        chosen = taken;
    }
    Ok(chosen)
}
