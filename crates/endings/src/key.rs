//! Keys of tables: an ending with its relevant rules.

use catapult_rules::{Color, PieceKind, Proposals, Variant};
use std::fmt;
use std::str::FromStr;

/// Options of Chess++ with which endings can be solved.
const SOLVED: Proposals = Proposals::BARE
    .with(Proposals::FREE)
    .with(Proposals::INSTANT)
    .with(Proposals::PAWNS)
    .with(Proposals::PROMOTE)
    .with(Proposals::THIRD);

/// Pieces of an ending: a king and this piece, if any, against a king. The text form is, for
/// example, `KRvK`, or `KvK` without a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Material(pub Option<PieceKind>);

/// Texts that [`parse_catapults`] accepts, for error messages.
pub const CATAPULTS: &str = "`none`, `attacker`, `defender` (all that a side has), or one of these with `-one`, `-two`, `-three`, `-one-fresh`";

/// Owner and number of the catapults in an ending.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Catapults {
    /// Side that owns the catapults. White is the side with the piece.
    pub owner: Color,
    /// Number of catapults that have moved. `None` means all catapults that the variant gives a
    /// side: two, or three under `+third`.
    pub used: Option<u8>,
    /// Number of catapults that have not moved: 0, or 1 if it is the only catapult. A pawn can
    /// become such a catapult under `+promote`.
    pub fresh: u8,
}

/// An invalid name, or an ending that has no table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what} `{found}`: {allowed}")]
pub struct KeyError {
    what: &'static str,
    found: String,
    allowed: String,
}

fn refused(what: &'static str, found: impl fmt::Display, allowed: impl Into<String>) -> KeyError {
    KeyError { what, found: found.to_string(), allowed: allowed.into() }
}

impl FromStr for Material {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Material, KeyError> {
        let pieces = PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::King).map(Some);
        let found = pieces.chain([None]).map(Material).find(|material| material.to_string() == text);
        found.ok_or_else(|| refused("ending", text, "allowed are KQvK, KRvK, KBvK, KNvK, KPvK, KvK"))
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let piece = self.0.map_or(String::new(), |kind| Color::White.cased(kind.letter()).to_string());
        write!(f, "K{piece}vK")
    }
}

/// Parses the catapults of an ending, such as `attacker-two`. Returns `None` for `none`.
///
/// # Errors
/// The text is not one of [`CATAPULTS`].
pub fn parse_catapults(text: &str) -> Result<Option<Catapults>, KeyError> {
    if text == "none" {
        return Ok(None);
    }
    let (owner, rest) = text.split_once('-').unwrap_or((text, ""));
    let owner = match owner {
        "attacker" => Color::White,
        "defender" => Color::Black,
        _ => return Err(refused("catapults", text, format!("allowed are {CATAPULTS}"))),
    };
    let (used, fresh) = match rest {
        "" if !text.ends_with('-') => (None, 0),
        "one" => (Some(1), 0),
        "two" => (Some(2), 0),
        "three" => (Some(3), 0),
        "one-fresh" => (Some(0), 1),
        _ => return Err(refused("catapults", text, format!("allowed are {CATAPULTS}"))),
    };
    Ok(Some(Catapults { owner, used, fresh }))
}

/// Key of a table: an ending and the rules that are relevant in it. Variants with the same relevant
/// rules share a table. White is the side with the piece, or with the catapults if there is no
/// piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TableKey {
    /// White's piece besides the king. `None` for bare kings.
    pub piece: Option<PieceKind>,
    /// Owner of the catapults. White if there are no catapults.
    pub owner: Color,
    /// Number of catapults that have moved.
    pub used: u8,
    /// Number of catapults that have not moved: 0, or 1 if it is the only catapult.
    pub fresh: u8,
    /// True under `+instant` with at least two catapults. With fewer, `+instant` has no effect.
    pub instant: bool,
    /// True under `+pawns` with a pawn and at least two catapults of White. Otherwise `+pawns` has
    /// no effect.
    pub pawns: bool,
    /// True under `+promote` if White has a pawn and Black owns the catapults. The pawn can then
    /// become a catapult, which draws. This helps White only if Black may win.
    pub promote: bool,
    /// True under `+bare` with a piece and at least two catapults of White. A capture of the piece
    /// then takes the catapults too, so a teleport of the king does not guard the piece. Otherwise
    /// `+bare` has no effect.
    pub bare: bool,
}

impl TableKey {
    /// Returns the key of an ending under a variant. `catapults` is `None` for an ending without
    /// catapults.
    ///
    /// # Errors
    /// * The variant is not chess or Chess++, or has an option that is not solved.
    /// * The ending has more catapults than a side of the variant, or `catapults` is given with a
    ///   total of 0.
    /// * Under `+bare`, the side with the catapults has only its king.
    /// * The ending is dead, or leads to an ending that is not solved.
    pub fn of(
        variant: Variant,
        material: Material,
        catapults: Option<Catapults>,
    ) -> Result<TableKey, KeyError> {
        let proposals = match variant {
            Variant::Chess => None,
            Variant::ChessPp(proposals) => Some(proposals),
            _ => return Err(refused("variant", variant, "endings are solved for chess and Chess++")),
        };
        if let Some((other, _)) = proposals.and_then(|set| set.without(SOLVED).each().into_iter().next()) {
            return Err(refused("variant", variant, format!("endings with +{other} are not solved")));
        }
        let has = |proposal| proposals.is_some_and(|set| set.contains(proposal));
        let most = match (proposals, has(Proposals::THIRD)) {
            (None, _) => 0,
            (_, false) => 2,
            (_, true) => 3,
        };
        let Catapults { owner, used, fresh } =
            catapults.unwrap_or(Catapults { owner: Color::White, used: Some(0), fresh: 0 });
        if most == 0 && catapults.is_some() {
            let named = if owner == Color::White { "attacker" } else { "defender" };
            return Err(refused("catapults", named, format!("{variant} has no catapults")));
        }
        let used = used.unwrap_or(most);
        let total = used + fresh;
        if total > most || catapults.is_some() && total == 0 {
            return Err(refused("catapults", total, format!("a side of {variant} has at most {most}")));
        }
        // With bare kings, White is the side with the catapults.
        let owner = if material.0.is_none() { Color::White } else { owner };
        let bare = has(Proposals::BARE);
        if bare && total > 0 && (owner == Color::Black || material.0.is_none()) {
            return Err(refused("catapults", total, format!("a lone king of {variant} has none")));
        }
        if material.0.is_none() && total < 3 {
            let reason = "king against king is dead with fewer than three catapults";
            return Err(refused("ending", material, reason));
        }
        let pawn = material.0 == Some(PieceKind::Pawn);
        let promote = pawn && has(Proposals::PROMOTE);
        // A promotion to a catapult would lead to bare kings with catapults for which there is no
        // table.
        let beyond = match owner {
            Color::White => total == 2 && most == 3,
            Color::Black => total == 3,
        };
        if promote && beyond && !bare {
            let reason =
                "with +promote the pawn makes a catapult, and kings with such catapults are not solved";
            return Err(refused("ending", material, reason));
        }
        Ok(TableKey {
            piece: material.0,
            owner,
            used,
            fresh,
            instant: has(Proposals::INSTANT) && total >= 2,
            pawns: has(Proposals::PAWNS) && pawn && total >= 2 && owner == Color::White,
            promote: promote && owner == Color::Black,
            bare: bare && total >= 2,
        })
    }

    /// Returns the number of catapults in the ending.
    pub fn catapults(&self) -> u8 {
        self.used + self.fresh
    }

    /// Returns true if White's piece is a pawn.
    pub fn has_pawn(&self) -> bool {
        self.piece == Some(PieceKind::Pawn)
    }

    /// Returns a variant that uses this table. Other variants may share it.
    pub fn variant(&self) -> Variant {
        if self.catapults() == 0 {
            return Variant::Chess;
        }
        let third = if self.catapults() == 3 { Proposals::THIRD } else { Proposals::NONE };
        Variant::ChessPp(self.options().with(third))
    }

    /// Returns the relevant options. `+third` is left out, because the number of catapults shows it.
    fn options(&self) -> Proposals {
        let chosen = [
            (self.bare, Proposals::BARE),
            (self.instant, Proposals::INSTANT),
            (self.pawns, Proposals::PAWNS),
            (self.promote, Proposals::PROMOTE),
        ];
        chosen.into_iter().filter_map(|(is, option)| is.then_some(option)).collect()
    }

    /// Returns the ending after White's piece becomes `piece`, by a promotion or (with `None`) by
    /// its capture.
    fn with_piece(self, piece: Option<PieceKind>) -> TableKey {
        TableKey { piece, pawns: false, promote: false, ..self }
    }

    /// Returns the ending after the capture of all catapults.
    pub fn without_catapults(self) -> TableKey {
        let owner = Color::White;
        TableKey { owner, used: 0, fresh: 0, instant: false, bare: false, ..self.with_piece(self.piece) }
    }

    /// Returns the ending after the capture of White's piece: bare kings with three catapults.
    /// Returns `None` without a piece, or with fewer catapults, because the position is then dead.
    /// Also returns `None` under `+bare`, because the catapults vanish.
    pub fn kings_left(self) -> Option<TableKey> {
        (self.piece.is_some() && self.catapults() == 3 && !self.bare)
            .then(|| TableKey { owner: Color::White, ..self.with_piece(None) })
    }

    /// Returns the ending after the first move of the fresh catapult. Returns `None` without a
    /// fresh catapult.
    pub fn all_used(self) -> Option<TableKey> {
        (self.fresh > 0).then_some(TableKey { used: self.catapults(), fresh: 0, ..self })
    }

    /// Returns true if all catapults of this ending can be captured.
    pub fn loses_catapults(self) -> bool {
        match self.owner {
            Color::White => self.catapults() == 1,
            Color::Black => matches!(self.catapults(), 1 | 2) && self.piece.is_some(),
        }
    }

    /// Returns the endings after the pawn's promotion to queen, rook, bishop or knight. Empty
    /// without a pawn.
    pub fn promoted(self) -> impl Iterator<Item = TableKey> {
        let pieces = [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];
        pieces.into_iter().filter(move |_| self.has_pawn()).map(move |piece| self.with_piece(Some(piece)))
    }

    /// Returns the keys of the other tables that a move can lead to. The list may contain
    /// duplicates.
    pub fn needs(self) -> Vec<TableKey> {
        let mut needed = Vec::new();
        needed.extend(self.promoted());
        needed.extend(self.kings_left());
        needed.extend(self.all_used());
        if self.loses_catapults() {
            needed.push(self.without_catapults());
            needed.extend(self.without_catapults().promoted());
        }
        needed
    }

    /// Returns this key and the keys of all tables that are needed to solve its table, without
    /// duplicates. A key comes after the keys that it needs.
    pub fn with_needs(self) -> Vec<TableKey> {
        let mut all: Vec<TableKey> = Vec::new();
        for key in self.needs().into_iter().flat_map(TableKey::with_needs).chain([self]) {
            if !all.contains(&key) {
                all.push(key);
            }
        }
        all
    }
}

impl fmt::Display for TableKey {
    /// Writes the table's name, such as `KRvK` or `KPvK-defender-two+instant`. File names begin
    /// with it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Material(self.piece))?;
        if self.catapults() > 0 {
            let owner = if self.owner == Color::White { "attacker" } else { "defender" };
            write!(f, "-{owner}-{}", ["none", "one", "two", "three"][self.catapults() as usize & 3])?;
            if self.fresh > 0 {
                f.write_str("-fresh")?;
            }
        }
        self.options().each().iter().try_for_each(|(option, _)| write!(f, "+{option}"))
    }
}

impl FromStr for TableKey {
    type Err = KeyError;

    /// Parses a table's name, such as `KPvK-defender-two+instant`.
    fn from_str(text: &str) -> Result<TableKey, KeyError> {
        let mut parts = text.split('+');
        let ending = parts.next().unwrap_or("");
        let mut proposals = Proposals::THIRD;
        for part in parts {
            let found = Proposals::NAMED.iter().find(|option| option.name == part);
            proposals = proposals.with(found.ok_or_else(|| refused("table", text, "no such option"))?.set);
        }
        let (material, catapults) = ending.split_once('-').unwrap_or((ending, "none"));
        let key = TableKey::of(Variant::ChessPp(proposals), material.parse()?, parse_catapults(catapults)?);
        let named = key?;
        if named.to_string() != text {
            return Err(refused("table", text, format!("its name would be {named}")));
        }
        Ok(named)
    }
}
