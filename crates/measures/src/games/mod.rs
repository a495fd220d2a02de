//! Properties of games that studies need beyond the rules: uses of new rules, valued terms,
//! relation to chess.
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

/// Uses of the rules of all games, and the winner's share of each use.
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

/// Maximum number of valued terms of a game.
pub const MAX_TERMS: usize = 16;

/// Number of each term that a side has, in the order of [`StudiedGame::terms`].
pub type TermCounts = [i8; MAX_TERMS];

/// A valued piece or combination of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// Its name in tables: `knight`, `pair of catapults`.
    pub name: &'static str,
    /// True for the pawn, the unit of all values.
    pub is_pawn: bool,
}

impl Term {
    /// Returns its name in files: `pair-of-catapults`.
    pub fn id(&self) -> String {
        self.name.replace(' ', "-")
    }
}

/// Aim of a move, by its immediate effect on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Aim {
    /// It captures, threatens, or moves close to the enemy.
    pub attacks: bool,
    /// It saves or guards own pieces.
    pub defends: bool,
}

/// A board with one count per square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapInfo {
    /// Its name in files.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// True if marks are events, counted per game. False if they are states, counted as a share of
    /// plies.
    pub per_game: bool,
}

/// A rule that a game adds to another, and the uses that show it. Games without such a use could
/// have been played without the rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddedRule {
    /// Its name in files: `+promote`.
    pub id: &'static str,
    /// Its name in running text.
    pub name: &'static str,
    /// Its uses in words, in the plural: `promotions to a catapult`.
    pub what: &'static str,
    /// Ids of [`StudiedGame::USES`]. Empty for all of them.
    pub uses: &'static [&'static str],
}

/// A game that can be studied.
pub trait StudiedGame: Position {
    /// Files and ranks of the board.
    const BOARD: (usize, usize) = (Self::FILES, Self::RANKS);

    /// Uses: ways in which a move uses the rules that the game adds to chess. Counted per game, at
    /// most 16.
    const USES: &'static [MetricInfo] = &[];

    /// Ids of the uses that take a piece to a square that no chess move reaches at once. Boards
    /// draw them as arcs.
    const TELEPORTS: &'static [&'static str] = &[];

    /// Ids of the uses that capture in a way unknown to chess.
    const CAPTURES: &'static [&'static str] = &[];

    /// The winner's share of each use, in the order of [`StudiedGame::USES`]. Uses of the set-up
    /// come last there and have no share.
    const WINNERS: &'static [MetricInfo] = &[];

    /// Boards to draw.
    const MAPS: &'static [MapInfo] = &[];

    /// Returns the bits of the uses with the given ids.
    fn use_bits(ids: &[&str]) -> u16 {
        let held = Self::USES.iter().enumerate().filter(|(_, info)| ids.contains(&info.id));
        held.fold(0, |bits, (index, _)| bits | 1 << index)
    }

    /// Returns true if the use with this index exists under the rules.
    fn has_use(_rules: Self::Rules, _index: usize) -> bool {
        true
    }

    /// Returns true if the board of [`StudiedGame::MAPS`] with this index applies to the rules.
    fn has_map(_rules: Self::Rules, _index: usize) -> bool {
        true
    }

    /// Returns the rules that the game adds to chess, with their uses. By default, one rule stands
    /// for all.
    fn added_rules(_rules: Self::Rules) -> Vec<AddedRule> {
        let all =
            AddedRule { id: "own-rules", name: "its own rules", what: "moves that use them", uses: &[] };
        if Self::USES.is_empty() { Vec::new() } else { vec![all] }
    }

    /// Returns true if a legal move sets up the game. Set-up moves precede all others and do not
    /// count as plies.
    fn is_setup(&self, _mv: Move) -> bool {
        false
    }

    /// Returns the uses of a legal move, as bits in the order of [`StudiedGame::USES`].
    fn uses(&self, _mv: Move, _after: &Self) -> u16 {
        0
    }

    /// Returns the aim of a legal move, or `None` if the game or move has none.
    fn aim(&self, _mv: Move, _after: &Self) -> Option<Aim> {
        None
    }

    /// Calls `mark` with a board's index in [`StudiedGame::MAPS`] and a square. Squares are
    /// numbered rank by rank from the mover's own first rank.
    fn mark(&self, _mv: Move, _mark: &mut dyn FnMut(usize, usize)) {}

    /// Returns the valued terms, at most [`MAX_TERMS`]. By default, every kind of piece except the
    /// king.
    fn terms() -> Vec<Term> {
        let worth = Self::PIECES.iter().filter(|piece| piece.role != Role::King);
        worth.map(|piece| Term { name: piece.name, is_pawn: piece.role == Role::Pawn }).collect()
    }

    /// Counts the terms of a side.
    fn count_terms(&self, side: Color) -> TermCounts {
        let counts = self.count_pieces(side);
        let worth = Self::PIECES.iter().zip(counts).filter(|(piece, _)| piece.role != Role::King);
        let mut terms = TermCounts::default();
        for (term, (_, count)) in terms.iter_mut().zip(worth) {
            *term = count as i8;
        }
        terms
    }

    /// Probes the endgame tablebases. `None` if no table covers the position.
    ///
    /// # Errors
    /// The position's table does not exist or is damaged.
    fn probe(&self, _tables: &Tables) -> Result<Option<Probe>, EndingsError> {
        Ok(None)
    }

    /// Returns the position from which chess games can be replayed. `None` for a game unrelated to
    /// chess.
    fn chess_start(_rules: Self::Rules) -> Option<Self> {
        None
    }

    /// Replays a chess game under the rules. `None` for a game unrelated to chess.
    fn replay_chess(_game: &PgnGame, _rules: Self::Rules) -> Option<Result<ChessReplay, ReplayError>> {
        None
    }
}

/// Returns a board of an arm's game ([`StudiedGame::MAPS`]) by its id.
pub fn heat_map(arm: Variant, id: &str) -> Option<&'static MapInfo> {
    let maps: &'static [MapInfo] = with_variant!(arm, |P, _rules| <P as StudiedGame>::MAPS);
    maps.iter().find(|map| map.id == id)
}

/// Returns a rule that an arm adds ([`StudiedGame::added_rules`]) by its id.
pub fn added_rule(arm: Variant, id: &str) -> Option<AddedRule> {
    let rules = with_variant!(arm, |P, rules| <P as StudiedGame>::added_rules(rules));
    rules.into_iter().find(|rule| rule.id == id)
}

/// Returns a valued term of an arm's game ([`StudiedGame::terms`]) by its id.
pub fn term(arm: Variant, id: &str) -> Option<Term> {
    let terms = with_variant!(arm, |P, _rules| <P as StudiedGame>::terms());
    terms.into_iter().find(|term| term.id() == id)
}

/// Returns the number of plies that set up a game of an arm ([`StudiedGame::is_setup`]).
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
