//! Helpers for tests of the rules. They take the name of a variant and a FEN, and return facts
//! about the position as text.
pub(crate) mod reference;

use catapult_rules::{Outcome, Position, Variant, with_variant};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeMap;

/// Names of the options of Chess++ that are on or off.
pub(crate) const NAMED: [&str; 12] = [
    "free", "instant", "pawns", "promote", "third", "bare", "block", "castle", "peaceful", "restart", "safe",
    "still",
];

/// Returns Chess++ with a random set of options, read from a name in random order.
pub(crate) fn random_rules(random: &mut Pcg64Mcg) -> Variant {
    let mut options =
        NAMED.iter().filter(|_| random.random_bool(0.35)).map(|name| (*name).to_owned()).collect::<Vec<_>>();
    if random.random_bool(0.3) {
        options.push(format!("fifty={}", random.random_range(8..=150)));
    }
    if random.random_bool(0.5) {
        let mut kinds = vec!['N', 'B', 'R', 'Q', 'K'];
        kinds.retain(|_| random.random_bool(0.5));
        kinds.shuffle(random);
        let kinds: String = kinds.into_iter().collect();
        options.push(format!("teleport={}", if kinds.is_empty() { "-" } else { &kinds }));
    }
    if random.random_bool(0.3) && !options.contains(&"third".to_owned()) {
        let mut squares =
            (0..32).map(|at| format!("{}{}", b"abcdefgh"[at % 8] as char, at / 8 + 1)).collect::<Vec<_>>();
        squares.shuffle(random);
        squares.truncate(random.random_range(0..=4));
        options.push(format!(
            "catapults={}",
            if squares.is_empty() { "-".to_owned() } else { squares.concat() }
        ));
    }
    if random.random_bool(0.3) {
        let mut rank: Vec<char> = (0..7).map(|_| *['N', 'B', 'R', 'Q'].choose(random).unwrap()).collect();
        // Half of the kings are at home, where they may castle.
        rank.insert(if random.random_bool(0.5) { 4 } else { random.random_range(0..8) }, 'K');
        options.push(format!("start={}", rank.iter().collect::<String>()));
    }
    if random.random_bool(0.3) {
        options.push(format!("moves={}", random.random_range(0..=6)));
    }
    for name in ["first", "later"] {
        if random.random_bool(0.3) {
            options.push(format!("{name}={}", random.random_range(0..=2)));
        }
    }
    options.shuffle(random);
    let name = options.iter().fold("chesspp".to_owned(), |name, option| name + "+" + option);
    let variant: Variant = name.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(variant.to_string().parse(), Ok(variant), "{name}");
    variant
}

/// Check, outcome and legal moves of a position.
pub(crate) struct Report {
    pub check: bool,
    pub outcome: Option<Outcome>,
    /// FEN of the position after each legal move, by the move's text.
    pub moves: BTreeMap<String, String>,
}

impl Report {
    #[track_caller]
    pub(crate) fn after(&self, text: &str) -> &str {
        self.moves.get(text).unwrap_or_else(|| panic!("{text} is not among {:?}", self.texts()))
    }

    pub(crate) fn has(&self, text: &str) -> bool {
        self.moves.contains_key(text)
    }

    pub(crate) fn texts(&self) -> Vec<&str> {
        self.moves.keys().map(String::as_str).collect()
    }

    /// Returns the texts of the moves that begin with `from`, such as a square.
    pub(crate) fn of(&self, from: &str) -> Vec<&str> {
        self.texts().into_iter().filter(|text| text.starts_with(from)).collect()
    }
}

#[track_caller]
pub(crate) fn ask(variant: &str, fen: &str) -> Report {
    let variant: Variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    with_variant!(variant, |P, rules| {
        report(&P::from_fen(fen, rules).unwrap_or_else(|error| panic!("{fen}: {error}")))
    })
}

/// Collects check, outcome and legal moves of a position.
pub(crate) fn report<P: Position>(position: &P) -> Report {
    let after = |mv| {
        let mut next = *position;
        next.play(mv);
        next.to_string()
    };
    let moves = position.legal_moves();
    let moves = moves.into_iter().map(|mv| (position.move_text(mv), after(mv))).collect();
    Report { check: position.in_check(), outcome: position.outcome(), moves }
}

/// Returns the error message of an invalid FEN.
///
/// # Panics
/// If the FEN is accepted.
#[track_caller]
pub(crate) fn refused(variant: &str, fen: &str) -> String {
    let variant: Variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    let error = with_variant!(variant, |P, rules| P::from_fen(fen, rules).err());
    error.unwrap_or_else(|| panic!("`{fen}` was accepted")).to_string()
}

/// Returns field `n` of a FEN, counted from 0. A missing field is empty.
pub(crate) fn field(fen: &str, n: usize) -> &str {
    fen.split(' ').nth(n).unwrap_or("")
}

pub(crate) const CATAPULTS: usize = 6;
pub(crate) const CASTLING: usize = 2;
pub(crate) const CLOCK: usize = 4;
