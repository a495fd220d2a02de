//! Short ways to ask a position of any variant.
pub mod reference;

use catapult_rules::{Outcome, Position, Variant, with_variant};
use std::collections::BTreeMap;

/// A position asked by text.
pub struct Asked {
    pub check: bool,
    pub outcome: Option<Outcome>,
    /// Move text to FEN after it.
    pub moves: BTreeMap<String, String>,
}

impl Asked {
    #[track_caller]
    pub fn after(&self, text: &str) -> &str {
        self.moves.get(text).unwrap_or_else(|| panic!("{text} is not among {:?}", self.texts()))
    }

    pub fn has(&self, text: &str) -> bool {
        self.moves.contains_key(text)
    }

    pub fn texts(&self) -> Vec<&str> {
        self.moves.keys().map(String::as_str).collect()
    }

    /// The moves that begin with these letters.
    pub fn of(&self, from: &str) -> Vec<&str> {
        self.texts().into_iter().filter(|text| text.starts_with(from)).collect()
    }
}

#[track_caller]
pub fn ask(variant: &str, fen: &str) -> Asked {
    let variant: Variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    with_variant!(variant, |P, rules| {
        asked(&P::from_fen(fen, rules).unwrap_or_else(|error| panic!("{fen}: {error}")))
    })
}

/// What a position answers.
pub fn asked<P: Position>(position: &P) -> Asked {
    let after = |mv| {
        let mut next = *position;
        next.play(mv);
        next.to_string()
    };
    let moves = position.legal_moves();
    let moves = moves.into_iter().map(|mv| (position.move_text(mv), after(mv))).collect();
    Asked { check: position.in_check(), outcome: position.outcome(), moves }
}

/// The error with which a FEN is refused.
#[track_caller]
pub fn refused(variant: &str, fen: &str) -> String {
    let variant: Variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    let error = with_variant!(variant, |P, rules| P::from_fen(fen, rules).err());
    error.unwrap_or_else(|| panic!("`{fen}` was accepted")).to_string()
}

/// A field of a FEN, from 0.
pub fn field(fen: &str, n: usize) -> &str {
    fen.split(' ').nth(n).unwrap_or("")
}

pub const CATAPULTS: usize = 6;
pub const CASTLING: usize = 2;
pub const CLOCK: usize = 4;
