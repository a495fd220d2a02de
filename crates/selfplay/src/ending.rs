//! Random endings: both kings and a few more men on random squares.
//!
//! Games from the start position seldom reach a bare king, and then mostly with many pieces against
//! it. Games from endings show a network how the last few pieces win.

use catapult_rules::{Color, Position, Role, write_placement};
use rand::Rng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// Maximum number of men of a side besides the king.
const MEN: usize = 3;

/// Number of placements to try. Most are legal.
const TRIES: u32 = 100;

/// Draws a legal ending that is not over. In half of the endings, the stronger side has one man
/// besides its king, otherwise two to [`MEN`]. In half of the endings, the weaker side has only its
/// king, otherwise at most as many men as the stronger side. All kinds in the start position are
/// equally likely. Each side has all its catapults or none. In half of the endings, the half-move
/// clock is 0. Otherwise it is random and below `cap` and the limit of the rules, because high clocks
/// show that a won ending can be drawn.
///
/// Returns the start position if no placement is legal.
pub(crate) fn ending<P: Position>(rules: P::Rules, cap: u32, random: &mut Pcg64Mcg) -> P {
    let start = P::start(rules);
    let clocks = cap.min(start.fifty_move_plies());
    let fen = start.to_string();
    let drawn = (0..TRIES).find_map(|_| {
        let ending = P::from_fen(&placement::<P>(&start, &fen, clocks, random), rules).ok()?;
        ending.outcome().is_none().then_some(ending)
    });
    drawn.unwrap_or(start)
}

/// Returns the FEN of a random placement, which may be illegal.
fn placement<P: Position>(start: &P, start_fen: &str, clocks: u32, random: &mut Pcg64Mcg) -> String {
    let mut squares: Vec<usize> = (0..P::FILES * P::RANKS).collect();
    squares.shuffle(random);
    let strong = if random.random() { 1 } else { random.random_range(2..=MEN) };
    let weak = if random.random() { 0 } else { random.random_range(1..=strong) };
    let counts = if random.random() { [strong, weak] } else { [weak, strong] };
    let mut board = vec![None; squares.len()];
    let mut free = squares.into_iter();
    for (side, men) in Color::ALL.into_iter().zip(counts) {
        let present = start.count_pieces(side);
        let all = || P::PIECES.iter().zip(present).filter(|(_, count)| *count > 0).map(|(kind, _)| kind);
        let officers: Vec<char> = all()
            .filter(|kind| matches!(kind.role, Role::Pawn | Role::Officer))
            .map(|kind| kind.letter)
            .collect();
        let kings = all().filter(|kind| kind.role == Role::King).map(|kind| kind.letter);
        let drawn: Vec<char> = (0..men).map(|_| officers[random.random_range(0..officers.len())]).collect();
        for (letter, square) in kings.chain(drawn).zip(&mut free) {
            board[square] = Some(side.cased(letter));
        }
    }
    let mut fen = String::new();
    // Writing to a string cannot fail. The squares count from the board's last rank.
    let place = |file: usize, rank: usize| board[(P::RANKS - 1 - rank) * P::FILES + file];
    let _ = write_placement(&mut fen, P::FILES, P::RANKS, place);
    let side = if random.random() { 'w' } else { 'b' };
    let clock = if random.random() { 0 } else { random.random_range(0..clocks) };
    fen += &format!(" {side} - - {clock} 1");
    for field in start_fen.split(' ').skip(6) {
        fen += " ";
        fen += &further::<P>(field, random);
    }
    fen
}

/// Returns an additional FEN field of an ending. `field` is this field of the start position.
/// Catapults get random squares and count as moved. Other lists are empty, because they name men on
/// their home squares.
fn further<P: Position>(field: &str, random: &mut Pcg64Mcg) -> String {
    let Some((side, _)) = field.split_once('/') else { return "-".to_owned() };
    // With +free, `+2` stands for two catapults that have no square yet.
    let left = side.strip_prefix('+').and_then(|count| count.parse().ok());
    let count = left.unwrap_or_else(|| side.matches('*').count());
    if count == 0 {
        return field.to_owned();
    }
    let mut squares: Vec<usize> = (0..P::FILES * P::RANKS).collect();
    squares.shuffle(random);
    let mut squares = squares.into_iter();
    let mut list = |there: bool| -> String {
        let name =
            |square| format!("{}{}", char::from(b'a' + (square % P::FILES) as u8), square / P::FILES + 1);
        if there { squares.by_ref().take(count).map(name).collect() } else { "-".to_owned() }
    };
    format!("{}/{}", list(random.random()), list(random.random()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_rules::{Variant, with_variant};
    use rand::SeedableRng;

    fn endings<P: Position>(rules: P::Rules) -> Vec<P> {
        (0..400).map(|seed| ending(rules, 100, &mut Pcg64Mcg::seed_from_u64(seed))).collect()
    }

    /// Returns the numbers of men besides the kings, the fewer first.
    fn men<P: Position>(position: &P) -> [usize; 2] {
        let count = |side| {
            let counts = position.count_pieces(side);
            let is_man = |role| matches!(role, Role::Pawn | Role::Officer);
            P::PIECES
                .iter()
                .zip(counts)
                .filter(|(kind, _)| is_man(kind.role))
                .map(|(_, n)| usize::from(n))
                .sum()
        };
        let [white, black]: [usize; 2] = Color::ALL.map(count);
        [white.min(black), white.max(black)]
    }

    fn check<P: Position>(variant: &str, rules: P::Rules) {
        let all = endings::<P>(rules);
        for position in &all {
            let [weak, strong] = men(position);
            assert!((1..=MEN).contains(&strong) && weak <= strong, "{variant}: {position}");
            assert!(position.outcome().is_none());
            assert_eq!(P::from_fen(&position.to_string(), rules).as_ref(), Ok(position));
        }
        let bare = all.iter().filter(|position| men(*position)[0] == 0).count();
        assert!((100..=300).contains(&bare), "{variant}: {bare} of 400 with a bare king");
        let single = all.iter().filter(|position| men(*position)[1] == 1).count();
        assert!((120..=280).contains(&single), "{variant}: {single} of 400 with one man at most");
        let clocks = all.iter().filter(|position| position.halfmove_clock() > 0).count();
        let limit = P::start(rules).fifty_move_plies().min(100);
        let late = all.iter().filter(|position| position.halfmove_clock() >= limit / 2).count();
        assert!((150..=250).contains(&clocks) && late > 50, "{variant}: {clocks} clocks, {late} late");
        for side in Color::ALL {
            let ahead = all.iter().filter(|p| p.material(side) > p.material(!side)).count();
            assert!((120..=280).contains(&ahead), "{variant}: {side:?} is ahead in {ahead} of 400");
        }
    }

    #[test]
    fn every_game_and_option_has_endings() {
        let variants = [
            "chess",
            "chesspp",
            "chesspp+free",
            "chesspp+third",
            "chesspp+free+third",
            "chesspp+bare",
            "chesspp+still",
            "chesspp+fifty=20",
            "chesspp+moves=3",
            "chesspp+bare+still",
            "chesspp+catapults=c3",
            "chesspp+safe",
            "chesspp+instant+third",
            "century",
            "half",
            "maxim",
        ];
        for name in variants {
            let variant: Variant = name.parse().unwrap();
            with_variant!(variant, |P, rules| check::<P>(name, rules));
        }
    }

    /// A game whose clock is at the cap would be truncated at once.
    #[test]
    fn clocks_are_below_the_cap() {
        let clock = |seed| {
            let mut random = Pcg64Mcg::seed_from_u64(seed);
            ending::<catapult_rules::Chess>(catapult_rules::Standard, 40, &mut random).halfmove_clock()
        };
        let largest = (0..400).map(clock).max();
        assert!((30..40).contains(&largest.unwrap()), "{largest:?}");
    }

    #[test]
    fn each_side_has_all_its_catapults_or_none() {
        let variant: Variant = "chesspp+third".parse().unwrap();
        with_variant!(variant, |P, rules| {
            let mut seen = [[0; 2]; 2];
            for position in endings::<P>(rules) {
                let marker = P::PIECES.iter().position(|kind| kind.role == Role::Marker).unwrap();
                let [white, black] = Color::ALL.map(|side| position.count_pieces(side)[marker]);
                assert!([0, 3].contains(&white) && [0, 3].contains(&black), "{position}");
                seen[usize::from(white > 0)][usize::from(black > 0)] += 1;
            }
            assert!(seen.iter().flatten().all(|&count| count > 40), "{seen:?}");
        });
    }
}
