//! Probing: lookup of positions in the tables.

use crate::error::EndingsError;
use crate::geometry::{NOWHERE, bit};
use crate::key::{Catapults, Material, TableKey};
use crate::space::{Located, Men};
use crate::tables::Tables;
use crate::value::{CLOCK_LIMIT, Metric, Value};
use catapult_rules::{AnyChess, AnyRules, ChessPosition, ChessRules, Color, PieceKind, Position, Variant};

/// Values of a position from its tables ([`Tables::probe`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Key of the table.
    pub key: TableKey,
    /// Value by DTM for the side to move, ignoring the fifty-move rule.
    pub dtm: Value,
    /// Value by DTZ for the side to move if the half-move clock were 0. The distance is in plies to
    /// the next reset of the clock, or mate.
    pub dtz: Value,
    /// Value for the side to move at the position's half-move clock: `dtz`, or a draw if the
    /// fifty-move rule applies before the reset or mate.
    pub result: Value,
}

impl Probe {
    /// Returns the winner under best play at the position's half-move clock, or `None` for a draw.
    /// `side_to_move` is the side to move of the probed position.
    pub fn winner(&self, side_to_move: Color) -> Option<Color> {
        match self.result {
            Value::Won(_) => Some(side_to_move),
            Value::Lost(_) => Some(!side_to_move),
            Value::Drawn => None,
        }
    }
}

/// Returns the table of a position and the position's place in it.
///
/// Returns `None` for positions outside all tables: more than three men, castling rights, catapults
/// of both sides, a fresh catapult besides others, catapults still to be placed, a dead position,
/// or rules that are not solved.
pub(crate) fn locate<R: ChessRules>(position: &ChessPosition<R>) -> Option<Located> {
    let may_castle = |side| position.may_castle(side, true) || position.may_castle(side, false);
    let is_outside = |side| position.catapults_to_place(side) > 0 || may_castle(side);
    if position.occupied().count() > 3 || Color::ALL.into_iter().any(is_outside) {
        return None;
    }
    let catapults = Color::ALL.map(|side| position.catapults(side));
    let owner = match catapults.map(|set| set.is_empty()) {
        [true, true] => None,
        [false, true] => Some(Color::White),
        [true, false] => Some(Color::Black),
        [false, false] => return None,
    };
    let beside_king = |side: Color| {
        let kinds = PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::King);
        kinds.filter_map(|kind| Some((kind, position.pieces(side, kind).first()?))).next()
    };
    let men = Color::ALL.map(beside_king);
    let (attacker, piece) = match men {
        [Some(piece), None] => (Color::White, Some(piece)),
        [None, Some(piece)] => (Color::Black, Some(piece)),
        _ => (owner?, None),
    };
    let [all, fresh] = owner.map_or([0, 0], |owner| {
        [position.catapults(owner), position.fresh_catapults(owner)].map(|set| set.count() as u8)
    });
    if fresh > 0 && all > 1 {
        return None;
    }
    let catapults = owner.map(|owner| Catapults {
        owner: if owner == attacker { Color::White } else { Color::Black },
        used: Some(all - fresh),
        fresh,
    });
    let material = Material(piece.map(|(kind, _)| kind));
    let rules = position.rules();
    let variant = if rules.catapults() { Variant::ChessPp(rules.proposals()) } else { Variant::Chess };
    let key = TableKey::of(variant, material, catapults).ok()?;
    // Ranks are mirrored if Black attacks, so that White is the attacker.
    let square = |square: catapult_rules::Square| {
        if attacker == Color::White { square.byte() } else { square.flip_ranks().byte() }
    };
    let catapults_of = |owner| position.catapults(owner).into_iter().fold(0, |set, at| set | bit(square(at)));
    let set = owner.map_or(0, catapults_of);
    Some(Located {
        key,
        side: usize::from(position.side_to_move() != attacker),
        men: Men {
            king: square(position.king(attacker)),
            piece: piece.map_or(NOWHERE, |(_, at)| square(at)),
            catapults: set,
        },
        black: square(position.king(!attacker)),
    })
}

/// Converts a DTZ value at half-move clock 0 to the half-move clock `clock`. A win or loss becomes
/// a draw if the clock would exceed [`CLOCK_LIMIT`] before it.
pub(crate) fn at_clock(value: Value, clock: u32) -> Value {
    match value {
        Value::Won(plies) | Value::Lost(plies) if clock + u32::from(plies) > u32::from(CLOCK_LIMIT) => {
            Value::Drawn
        }
        value => value,
    }
}

/// Converts a position of chess or Chess++ with at most three men to [`AnyChess`]. Returns `None`
/// for other positions.
fn few_men<P: Position>(variant: Variant, position: &P) -> Option<AnyChess> {
    let rules = AnyRules::of(variant)?;
    let men = |side| position.count_pieces(side)[..PieceKind::ALL.len()].iter().sum::<u8>();
    (Color::ALL.into_iter().map(men).sum::<u8>() <= 3)
        .then(|| AnyChess::from_fen(&position.to_string(), rules).ok())
        .flatten()
}

/// Returns true if some table could contain the position, whether or not the table is solved. The
/// test is cheap for positions with more than three men.
pub fn could_have<P: Position>(variant: Variant, position: &P) -> bool {
    few_men(variant, position).is_some_and(|position| locate(&position).is_some())
}

impl Tables {
    /// Looks up a position in both of its tables (DTM and DTZ). Returns `None` for positions
    /// outside all possible tables.
    ///
    /// # Errors
    /// A table of the position does not exist or is damaged.
    pub fn probe<R: ChessRules>(&self, position: &ChessPosition<R>) -> Result<Option<Probe>, EndingsError> {
        let Some(at) = locate(position) else { return Ok(None) };
        debug_assert!(at.men.piece != at.black);
        let (dtm, dtz) = (self.value(&at, Metric::Dtm)?, self.value(&at, Metric::Dtz)?);
        let mated = dtm == Value::Lost(0);
        let result = if mated { dtm } else { at_clock(dtz, position.halfmove_clock()) };
        Ok(Some(Probe { key: at.key, dtm, dtz, result }))
    }

    /// Returns the result of best play at the position's half-move clock: `Some(Some(winner))`, or
    /// `Some(None)` for a draw.
    ///
    /// Returns `None` if the position is outside all tables, or if the folder lacks one of its two
    /// tables.
    ///
    /// # Errors
    /// An existing table cannot be read or is damaged.
    pub fn result<P: Position>(
        &self,
        variant: Variant,
        position: &P,
    ) -> Result<Option<Option<Color>>, EndingsError> {
        let Some(position) = few_men(variant, position) else { return Ok(None) };
        match self.probe(&position) {
            Ok(probe) => Ok(probe.map(|probe| probe.winner(position.side_to_move()))),
            Err(EndingsError::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns a hash over the names and hashes of all tables in the folder, in hexadecimal.
    ///
    /// # Errors
    /// The folder or a table cannot be read, or a table is damaged.
    pub fn digest(&self) -> Result<String, EndingsError> {
        let mut hasher = blake3::Hasher::new();
        for table in self.list()? {
            hasher.update(format!("{}.{} {}\n", table.key, table.metric.name(), table.hash).as_bytes());
        }
        Ok(hasher.finalize().to_hex().to_string())
    }
}
