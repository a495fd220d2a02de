//! Standard algebraic notation, and what Chess++ adds to it.
//!
//! Standard moves are written as the PGN standard has them. The additions use only characters that PGN allows in a
//! move, so that other programs' readers can skip over such games.
//!
//! | move | written | example |
//! |---|---|---|
//! | ordinary move, castling | as in PGN | `Nf3` `exd5` `R1a3` `O-O-O` `e8=Q+` |
//! | catapult move | `C`, origin, `-`, destination | `Cf1-d3` |
//! | teleport | as an ordinary move, then `t` | `Nf1t` `Nxh5t` `Kc4t+` |
//! | teleport of a pawn | with its whole origin square | `g2c6t` `g2xc6t` `g2c8=Qt` |
//! | instant teleport | the ordinary move, `-`, `x` if it captures there, destination | `Ra5-f6` `Rxa5-xf6` `exd6-h3` `dxe7-c8=N` |
//! | placement | `C` and the square | `Cb1` |
//! | promotion to a catapult | as a promotion | `e8=C` `exf8=C` |
//!
//! `+` and `#` stand last. Pieces of one kind are told apart by file, else rank, else square, among the legal moves
//! written alike. When read, `0-0`, a missing `x`, `=`, `+` or `#`, more origin than needed, and trailing `!` and
//! `?` are accepted.

use super::kinds::{MoveKind, MoveParts};
use super::piece::{PieceKind, PromotionTo};
use super::rules::ChessRules;
use super::{ChessPosition, Position};
use crate::{Bitboard, Move, MoveError, Square};

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// What a text says of a move.
struct Pattern {
    kind: Written,
    piece: PieceKind,
    /// Squares it may come from.
    from: Bitboard,
    mid: Option<Square>,
    to: Square,
    promotion: Option<PromotionTo>,
}

/// Kinds of moves as far as the notation tells them apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Ordinary,
    Castle,
    Catapult,
    Teleport,
    Instant,
    Place,
}

impl Written {
    fn of(kind: MoveKind) -> Written {
        match kind {
            MoveKind::Normal | MoveKind::DoublePush | MoveKind::EnPassant => Written::Ordinary,
            MoveKind::Castle => Written::Castle,
            MoveKind::Catapult => Written::Catapult,
            MoveKind::Teleport => Written::Teleport,
            MoveKind::Instant => Written::Instant,
            MoveKind::Place => Written::Place,
        }
    }
}

impl<R: ChessRules> ChessPosition<R> {
    fn moved_kind(&self, parts: &MoveParts) -> PieceKind {
        self.piece_at(parts.from).map_or(PieceKind::Pawn, |(_, kind)| kind)
    }

    pub(super) fn write_san(&self, mv: Move) -> String {
        let parts = self.describe(mv);
        let mut text = match Written::of(parts.kind) {
            Written::Castle if parts.to.file() > parts.from.file() => "O-O".to_owned(),
            Written::Castle => "O-O-O".to_owned(),
            Written::Catapult => format!("C{}-{}", parts.from, parts.to),
            Written::Place => format!("C{}", parts.to),
            _ => self.write_piece_move(mv, &parts),
        };
        let mut after = *self;
        after.play(mv);
        if after.in_check() {
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    fn write_piece_move(&self, mv: Move, parts: &MoveParts) -> String {
        let piece = self.moved_kind(parts);
        let first = parts.mid.unwrap_or(parts.to);
        // Where a pawn captures in passing on its way.
        let slants = piece == PieceKind::Pawn && first.file() != parts.from.file();
        let passing = (slants && parts.kind != MoveKind::Teleport && self.piece_at(first).is_none())
            .then(|| Square::at(first.file(), parts.from.rank()));
        let captures = passing.is_some() || parts.captures.has(first);
        let mut text = String::new();
        if piece == PieceKind::Pawn {
            if parts.kind == MoveKind::Teleport {
                text += &parts.from.to_string();
            } else if captures {
                text.push(file_letter(parts.from));
            }
        } else {
            text.push(piece.letter().to_ascii_uppercase());
            text += &self.told_apart(mv, parts, piece);
        }
        if captures {
            text.push('x');
        }
        text += &first.to_string();
        if parts.mid.is_some() {
            text.push('-');
            if parts.captures.has(parts.to) && passing != Some(parts.to) {
                text.push('x');
            }
            text += &parts.to.to_string();
        }
        if let Some(promotion) = parts.promotion {
            text.push('=');
            text.push(promotion.letter().to_ascii_uppercase());
        }
        if parts.kind == MoveKind::Teleport {
            text.push('t');
        }
        text
    }

    /// As much of the origin as tells the move from others written alike.
    fn told_apart(&self, mv: Move, parts: &MoveParts, piece: PieceKind) -> String {
        let mut others = Bitboard::EMPTY;
        let alike = self.pieces(self.side_to_move(), piece) & !parts.from.bit();
        if alike.is_empty() {
            return String::new();
        }
        for other in self.legal_moves() {
            let same_end = other.to() == mv.to() && other.aux() == mv.aux();
            let same_kind = Written::of(MoveKind::of(other)) == Written::of(parts.kind);
            if same_end && same_kind && alike.has(Square::new(other.from())) {
                others |= Square::new(other.from()).bit();
            }
        }
        if others.is_empty() {
            String::new()
        } else if (others & file_of(parts.from)).is_empty() {
            file_letter(parts.from).to_string()
        } else if (others & rank_of(parts.from)).is_empty() {
            (parts.from.rank() + 1).to_string()
        } else {
            parts.from.to_string()
        }
    }

    pub(super) fn read_san(&self, text: &str) -> Result<Move, MoveError> {
        let error = |reason: &str| MoveError { text: text.to_owned(), reason: reason.to_owned() };
        let pattern = read(text, self).ok_or_else(|| error("not a move in algebraic notation"))?;
        let mut found = None;
        for mv in self.legal_moves() {
            if mv.to() != pattern.to.index() as u8 {
                continue;
            }
            let parts = self.describe(mv);
            let fits = Written::of(parts.kind) == pattern.kind
                && parts.to == pattern.to
                && parts.mid == pattern.mid
                && parts.promotion == pattern.promotion
                && pattern.from.has(parts.from)
                && (matches!(pattern.kind, Written::Catapult | Written::Place)
                    || self.moved_kind(&parts) == pattern.piece);
            if fits && found.replace(mv).is_some() {
                return Err(error("more than one legal move is written so; add the origin's file or rank"));
            }
        }
        found.ok_or_else(|| error("not legal in this position"))
    }
}

fn file_letter(square: Square) -> char {
    (b'a' + square.file()) as char
}

fn file_of(square: Square) -> Bitboard {
    Bitboard(FILE_A << square.file())
}

fn rank_of(square: Square) -> Bitboard {
    Bitboard(0xff << (8 * square.rank()))
}

/// Takes the last square off a text.
fn last_square(text: &str) -> Option<(&str, Square)> {
    let at = text.len().checked_sub(2)?;
    Some((text.get(..at)?, text.get(at..)?.parse().ok()?))
}

fn read<R: ChessRules>(text: &str, position: &ChessPosition<R>) -> Option<Pattern> {
    let side = position.side_to_move();
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    if matches!(bare, "O-O" | "0-0" | "O-O-O" | "0-0-0") {
        let king = position.king(side);
        let file = if bare.len() == 3 { 6 } else { 2 };
        return Some(Pattern {
            kind: Written::Castle,
            piece: PieceKind::King,
            from: king.bit(),
            mid: None,
            to: Square::at(file, king.rank()),
            promotion: None,
        });
    }
    if let Some(catapult) = bare.strip_prefix('C') {
        let (from, kind, to) = match catapult.split_once('-') {
            Some((from, to)) => (from.parse::<Square>().ok()?.bit(), Written::Catapult, to.parse().ok()?),
            None => (!Bitboard::EMPTY, Written::Place, catapult.parse().ok()?),
        };
        return Some(Pattern { kind, piece: PieceKind::Pawn, from, mid: None, to, promotion: None });
    }
    let (bare, teleport) = bare.strip_suffix('t').map_or((bare, false), |rest| (rest, true));
    let (bare, promotion) = read_promotion(bare);
    let (way, end) = match bare.split_once('-') {
        Some((way, end)) => (way, Some(end.strip_prefix('x').unwrap_or(end).parse::<Square>().ok()?)),
        None => (bare, None),
    };
    if teleport && end.is_some() {
        return None;
    }
    let (rest, square) = last_square(way)?;
    let rest = rest.strip_suffix('x').unwrap_or(rest);
    let letter = rest.chars().next().filter(char::is_ascii_uppercase);
    let piece = match letter {
        Some(letter) => PieceKind::from_letter(letter.to_ascii_lowercase())?,
        None => PieceKind::Pawn,
    };
    let mut from = !Bitboard::EMPTY;
    for c in rest.chars().skip(letter.is_some() as usize) {
        from &= match c {
            'a'..='h' => file_of(Square::at(c as u8 - b'a', 0)),
            '1'..='8' => rank_of(Square::at(0, c as u8 - b'1')),
            _ => return None,
        };
    }
    // `e4` is a push: a pawn's capture always says its file.
    if piece == PieceKind::Pawn && rest.is_empty() && !teleport {
        from &= file_of(square);
    }
    let (kind, mid, to) = match end {
        Some(end) => (Written::Instant, Some(square), end),
        None if teleport => (Written::Teleport, None, square),
        None => (Written::Ordinary, None, square),
    };
    Some(Pattern { kind, piece, from, mid, to, promotion })
}

/// Takes `=Q` or `Q` off the end.
fn read_promotion(text: &str) -> (&str, Option<PromotionTo>) {
    let found = PromotionTo::ALL
        .into_iter()
        .find_map(|to| Some((text.strip_suffix(to.letter().to_ascii_uppercase())?, Some(to))));
    found.map_or((text, None), |(rest, to)| (rest.strip_suffix('=').unwrap_or(rest), to))
}
