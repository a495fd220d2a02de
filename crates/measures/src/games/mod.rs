//! What a study asks of a game beyond its rules: what its moves make use of, what its pieces are worth by, and how it
//! is related to chess.
//!
//! A game that adds nothing needs `impl StudiedGame for MyGame {}`.

mod century;
mod chess;
mod half;
mod maxim;
#[cfg(test)]
mod testing;
mod uses;

use crate::results::MetricInfo;
use catapult_endings::{EndingsError, Probe, Tables};
use catapult_rules::{ChessReplay, Color, Move, PgnGame, Position, ReplayError, Role, Variant, with_variant};

/// The uses of all games' own rules, and the winner's share of each.
pub(crate) const ALL_USES: [&[MetricInfo]; 8] = [
    chess::USES,
    century::USES,
    half::USES,
    maxim::USES,
    chess::WINNERS,
    century::WINNERS,
    half::WINNERS,
    maxim::WINNERS,
];

/// The most terms of piece values of a game.
pub const MAX_TERMS: usize = 16;

/// Numbers of a side's pieces, pairs and so on, in the order of [`StudiedGame::terms`].
pub type TermCounts = [i8; MAX_TERMS];

/// A kind of piece, or of pieces together, that is valued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// Its name in tables: `knight`, `pair of catapults`.
    pub name: &'static str,
    /// Whether it is what the values of the others are measured in.
    pub is_pawn: bool,
}

impl Term {
    /// Its name in files: `pair-of-catapults`.
    pub fn id(&self) -> String {
        self.name.replace(' ', "-")
    }
}

/// What a move is for, by what it changes on the board at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Aim {
    /// It takes, threatens, or goes to where the enemy is.
    pub attacks: bool,
    /// It saves or guards something of its own.
    pub defends: bool,
}

/// A board on which a study counts what happens where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapInfo {
    /// Its name in files.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Whether a mark is an event, counted per game; else a state, counted as a share of the plies.
    pub per_game: bool,
}

/// A rule that a game adds to another, and the uses that show it at work. A game in which none was made might as well have been
/// played without the rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddedRule {
    /// Its name in files: `+promote`.
    pub id: &'static str,
    /// Its name in running text.
    pub name: &'static str,
    /// What its uses are, in words, many of them: `promotions to a catapult`.
    pub what: &'static str,
    /// Ids of [`StudiedGame::USES`]; none are all of them.
    pub uses: &'static [&'static str],
}

/// A game that can be studied.
pub trait StudiedGame: Position {
    /// Files and ranks of its board.
    const BOARD: (usize, usize) = (Self::FILES, Self::RANKS);

    /// The ways in which a move may use what the game adds to chess, counted per game; at most 16.
    const USES: &'static [MetricInfo] = &[];

    /// Those of them (ids) by which a piece goes where no move of chess takes it at once: drawn as an arc.
    const TELEPORTS: &'static [&'static str] = &[];

    /// Those of them (ids) that capture as chess does not.
    const CAPTURES: &'static [&'static str] = &[];

    /// The winner's share of each of these uses, in their order. The uses of the set-up come last and have none.
    const WINNERS: &'static [MetricInfo] = &[];

    /// Boards to be drawn.
    const MAPS: &'static [MapInfo] = &[];

    /// The bits of uses by their ids.
    fn use_bits(ids: &[&str]) -> u16 {
        let held = Self::USES.iter().enumerate().filter(|(_, info)| ids.contains(&info.id));
        held.fold(0, |bits, (index, _)| bits | 1 << index)
    }

    /// Whether the rules know the use with this index.
    fn has_use(_rules: Self::Rules, _index: usize) -> bool {
        true
    }

    /// Whether the rules have anything to show on the board with this index of [`StudiedGame::MAPS`].
    fn has_map(_rules: Self::Rules, _index: usize) -> bool {
        true
    }

    /// The rules that the game adds to chess, each with the uses that show it; by default all of them together.
    fn added_rules(_rules: Self::Rules) -> Vec<AddedRule> {
        let all =
            AddedRule { id: "own-rules", name: "its own rules", what: "moves that use them", uses: &[] };
        if Self::USES.is_empty() { Vec::new() } else { vec![all] }
    }

    /// Whether a legal move sets up the game instead of playing it. Such plies come before all others and are not counted among
    /// them.
    fn is_setup(&self, _mv: Move) -> bool {
        false
    }

    /// The uses that a legal move makes of the rules, as bits in the order of [`StudiedGame::USES`].
    fn uses(&self, _mv: Move, _after: &Self) -> u16 {
        0
    }

    /// What a legal move is for; none where the question makes no sense.
    fn aim(&self, _mv: Move, _after: &Self) -> Option<Aim> {
        None
    }

    /// Marks squares, rank by rank from the mover's own first rank, on a board of [`StudiedGame::MAPS`] given by its
    /// index.
    fn mark(&self, _mv: Move, _mark: &mut dyn FnMut(usize, usize)) {}

    /// What is valued: by default every kind of piece but the king. At most [`MAX_TERMS`].
    fn terms() -> Vec<Term> {
        let worth = Self::PIECES.iter().filter(|piece| piece.role != Role::King);
        worth.map(|piece| Term { name: piece.name, is_pawn: piece.role == Role::Pawn }).collect()
    }

    /// How many of each term a side has.
    fn count_terms(&self, side: Color) -> TermCounts {
        let counts = self.count_pieces(side);
        let worth = Self::PIECES.iter().zip(counts).filter(|(piece, _)| piece.role != Role::King);
        let mut terms = TermCounts::default();
        for (term, (_, count)) in terms.iter_mut().zip(worth) {
            *term = count as i8;
        }
        terms
    }

    /// What tables of endings say of it; nothing if none has it.
    ///
    /// # Errors
    /// Its table is not there, or damaged.
    fn probe(&self, _tables: &Tables) -> Result<Option<Probe>, EndingsError> {
        Ok(None)
    }

    /// The position from which games of chess can be replayed; none for a game that is not played with them.
    fn chess_start(_rules: Self::Rules) -> Option<Self> {
        None
    }

    /// Replays a game of chess under the rules; none for a game in which that makes no sense.
    fn replay_chess(_game: &PgnGame, _rules: Self::Rules) -> Option<Result<ChessReplay, ReplayError>> {
        None
    }
}

/// A board of an arm's game ([`StudiedGame::MAPS`]) by its id.
pub fn heat_map(arm: Variant, id: &str) -> Option<&'static MapInfo> {
    let maps: &'static [MapInfo] = with_variant!(arm, |P, _rules| <P as StudiedGame>::MAPS);
    maps.iter().find(|map| map.id == id)
}

/// A rule that an arm adds ([`StudiedGame::added_rules`]) by its id.
pub fn added_rule(arm: Variant, id: &str) -> Option<AddedRule> {
    let rules = with_variant!(arm, |P, rules| <P as StudiedGame>::added_rules(rules));
    rules.into_iter().find(|rule| rule.id == id)
}

/// A valued term of an arm's game ([`StudiedGame::terms`]) by its id.
pub fn term(arm: Variant, id: &str) -> Option<Term> {
    let terms = with_variant!(arm, |P, _rules| <P as StudiedGame>::terms());
    terms.into_iter().find(|term| term.id() == id)
}

/// Plies with which the games of an arm are set up ([`StudiedGame::is_setup`]).
pub fn setup_plies(arm: Variant) -> usize {
    with_variant!(arm, |P, rules| {
        let mut position = <P as Position>::start(rules);
        let mut plies = 0;
        while let Some(&mv) = position.legal_moves().first().filter(|mv| position.is_setup(**mv)) {
            position.play(mv);
            plies += 1;
        }
        plies
    })
}
