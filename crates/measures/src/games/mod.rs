//! Properties of games that studies need beyond the rules: uses of the rules that a game adds to
//! chess, terms (pieces and combinations) whose value is estimated, and the relation to chess.
//!
//! A game without such properties needs only `impl StudiedGame for MyGame {}`.

mod century;
mod chess;
mod half;
mod maxim;
#[cfg(test)]
mod testing;
mod uses;

use crate::results::MetricInfo;
use catapult_endings::{EndingsError, Probe, Tables};
use catapult_rules::{Color, Move, Position, Role, Variant, with_variant};

/// Uses of added rules, for all games.
pub(crate) const ALL_USES: [&[Use]; 4] = [chess::USES, century::USES, half::USES, maxim::USES];

/// Maximum number of terms ([`StudiedGame::terms`]) of a game.
pub const MAX_TERMS: usize = 16;

/// One count per term, in the order of [`StudiedGame::terms`]. It is the number that a side has, or
/// White's number minus Black's. Entries beyond the terms are 0.
pub type TermCounts = [i8; MAX_TERMS];

/// Returns the name in files of a term ([`StudiedGame::terms`]), such as `pair-of-catapults`.
pub fn term_id(term: &str) -> String {
    term.replace(' ', "-")
}

/// Aim of a move, from its immediate effect on the board: attack, defence, both or neither.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Aim {
    /// True if the move captures, gives check, newly threatens a piece, or lands close to the
    /// opponent.
    pub attacks: bool,
    /// True if the move ends a check, or saves or guards a piece of its own side.
    pub defends: bool,
}

/// Definition of a drawn board that shows one number per square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapInfo {
    /// The board's name in files.
    pub id: &'static str,
    /// The board's title, such as `where portals are declared`.
    pub title: &'static str,
    /// True if marked squares are events, counted per game. False if they are states, counted as a
    /// share of plies.
    pub per_game: bool,
}

/// A rule that a game adds to chess, or that a proposal (optional rule) adds to Chess++. A game
/// without uses of the rule could have been played without the rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddedRule {
    /// The rule's name in files, such as `+promote`.
    pub id: &'static str,
    /// The rule's name in running text.
    pub name: &'static str,
    /// The rule's uses in words, in the plural, such as `promotions to a catapult`.
    pub what: &'static str,
    /// Ids of the entries of [`StudiedGame::USES`] that are uses of the rule. If empty, all of them
    /// are.
    pub uses: &'static [&'static str],
}

/// A way in which moves use the rules that a game adds to chess.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Use {
    /// Metric that counts these moves per game, for both sides together. Its id is the id of the use.
    pub counted: MetricInfo,
    /// Metric of the eventual winner's share of these moves. `None` for set-up moves, because both
    /// sides make equally many.
    pub by_winner: Option<MetricInfo>,
}

/// A game that studies can measure.
pub trait StudiedGame: Position {
    /// Uses of the rules that the game adds to chess, at most 16.
    const USES: &'static [Use] = &[];

    /// Ids of the uses that take a piece to a square that no chess move reaches in one move. Drawn
    /// boards show these moves as arcs.
    const TELEPORTS: &'static [&'static str] = &[];

    /// Ids of the uses that capture in a way that chess does not have.
    const CAPTURES: &'static [&'static str] = &[];

    /// Boards that a study draws to show squares on which moves happen. [`StudiedGame::marks`]
    /// returns the squares.
    const MAPS: &'static [MapInfo] = &[];

    /// Returns true if moves can make use `_index` of [`StudiedGame::USES`] under these rules.
    fn has_use(_rules: Self::Rules, _index: usize) -> bool {
        true
    }

    /// Returns true if board `_index` of [`StudiedGame::MAPS`] is drawn under these rules.
    fn has_map(_rules: Self::Rules, _index: usize) -> bool {
        true
    }

    /// Returns the rules that the game adds to chess, with their uses. By default, it returns one
    /// rule with all uses, or no rule if the game has no uses.
    fn added_rules(_rules: Self::Rules) -> Vec<AddedRule> {
        let all =
            AddedRule { id: "own-rules", name: "its own rules", what: "moves that use them", uses: &[] };
        if Self::USES.is_empty() { Vec::new() } else { vec![all] }
    }

    /// Returns true if a legal move sets up the game, such as the placement of a catapult. Set-up
    /// moves precede all other moves and do not count as plies.
    fn is_setup(&self, _mv: Move) -> bool {
        false
    }

    /// Returns a bit set of the uses of a legal move: bit i is entry i of [`StudiedGame::USES`].
    /// `_after` is the position after the move.
    fn uses(&self, _mv: Move, _after: &Self) -> u16 {
        0
    }

    /// Returns the aim of a legal move. `None` if aims are not defined for the game or for this
    /// move. `_after` is the position after the move.
    fn aim(&self, _mv: Move, _after: &Self) -> Option<Aim> {
        None
    }

    /// Returns the squares that a legal move marks on drawn boards, each after the board's index in
    /// [`StudiedGame::MAPS`]. Squares are numbered rank by rank from the mover's own first rank.
    fn marks(&self, _mv: Move) -> Vec<(usize, usize)> {
        Vec::new()
    }

    /// Returns the names of the terms, at most [`MAX_TERMS`]. A term is a piece or a combination of
    /// pieces whose value in pawns is estimated, such as `knight` or `pair of catapults`. The term
    /// `pawn` is the unit; without it no values are estimated. By default, these are all kinds of
    /// pieces except the king.
    fn terms() -> Vec<&'static str> {
        let worth = Self::PIECES.iter().filter(|piece| piece.role != Role::King);
        worth.map(|piece| piece.name).collect()
    }

    /// Returns the number of each term that `side` has, in the order of [`StudiedGame::terms`].
    fn count_terms(&self, side: Color) -> TermCounts {
        let counts = self.count_pieces(side);
        let worth = Self::PIECES.iter().zip(counts).filter(|(piece, _)| piece.role != Role::King);
        let mut terms = TermCounts::default();
        for (term, (_, count)) in terms.iter_mut().zip(worth) {
            *term = count as i8;
        }
        terms
    }

    /// Looks up the position in the endgame tablebases. `None` if no table covers the position.
    ///
    /// # Errors
    /// The position's table does not exist or is damaged.
    fn probe(&self, _tables: &Tables) -> Result<Option<Probe>, EndingsError> {
        Ok(None)
    }
}

/// Properties of a rule set that studies use, without its position type.
#[derive(Clone, PartialEq, Debug)]
pub struct GameInfo {
    /// Number of files and number of ranks of the board.
    pub board: (usize, usize),
    /// [`StudiedGame::USES`].
    pub uses: &'static [Use],
    /// The uses that moves can make under the rules, each with its index in `uses`.
    pub known_uses: Vec<(usize, &'static Use)>,
    /// Bit set of the uses in [`StudiedGame::TELEPORTS`].
    pub teleports: u16,
    /// Bit set of the uses in [`StudiedGame::CAPTURES`].
    pub captures: u16,
    /// The boards that the rules have, each with its index in [`StudiedGame::MAPS`].
    pub maps: Vec<(usize, &'static MapInfo)>,
    /// [`StudiedGame::terms`].
    pub terms: Vec<&'static str>,
    /// [`StudiedGame::added_rules`].
    pub added_rules: Vec<AddedRule>,
    /// Number of set-up moves ([`StudiedGame::is_setup`]) at the start of a game.
    pub setup_plies: usize,
}

impl GameInfo {
    /// Returns the properties of these rules.
    pub fn of(rules: Variant) -> GameInfo {
        with_variant!(rules, |P, rules| GameInfo::of_game::<P>(rules))
    }

    pub(crate) fn of_game<P: StudiedGame>(rules: P::Rules) -> GameInfo {
        let mut position = P::start(rules);
        let mut setup_plies = 0;
        while let Some(&mv) = position.legal_moves().first().filter(|mv| position.is_setup(**mv)) {
            position.play(mv);
            setup_plies += 1;
        }
        GameInfo {
            board: (P::FILES, P::RANKS),
            uses: P::USES,
            known_uses: P::USES.iter().enumerate().filter(|(index, _)| P::has_use(rules, *index)).collect(),
            teleports: bits_of(P::USES, P::TELEPORTS),
            captures: bits_of(P::USES, P::CAPTURES),
            maps: P::MAPS.iter().enumerate().filter(|(index, _)| P::has_map(rules, *index)).collect(),
            terms: P::terms(),
            added_rules: P::added_rules(rules),
            setup_plies,
        }
    }

    /// Returns a bit set of uses: bit i is set if entry i of `uses` has one of these ids. Unknown
    /// ids are ignored.
    pub fn use_bits(&self, ids: &[&str]) -> u16 {
        bits_of(self.uses, ids)
    }
}

fn bits_of(uses: &[Use], ids: &[&str]) -> u16 {
    let held = uses.iter().enumerate().filter(|(_, it)| ids.contains(&it.counted.id));
    held.fold(0, |bits, (index, _)| bits | 1 << index)
}
