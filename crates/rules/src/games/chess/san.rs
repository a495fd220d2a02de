//! Standard algebraic notation, with additions for Chess++.
//!
//! Standard moves follow the PGN standard. The additions use only characters that PGN allows in a
//! move, so other programs can skip such games.
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
//! Captures of catapults (rule 13) happen automatically and are not written.
//!
//! `+` and `#` come last. If several legal moves of one kind of piece have the same text, the file,
//! rank or square of origin distinguishes them. Moves that a pin makes illegal do not count.
//!
//! Reasons for this notation:
//!
//! * A teleport reads like an ordinary move. The `t`, as in plain texts (`b1f1t`), shows that it is
//!   a teleport.
//! * A catapult's move always includes the origin. The side's other catapult is often only two
//!   squares away, so the destination alone says little. The dash sets it apart from a placement.
//! * A pawn's teleport includes the origin, because pawns have no letter and the pawn can come from
//!   any file.
//! * An instant teleport consists of two moves and is written as two. Each `x` is written at its
//!   capture.
//!
//! The reader also accepts these forms:
//!
//! * `0-0` and `0-0-0` for castling
//! * missing or extra `x`, `=`, `+` or `#`
//! * `!`, `?` and `e.p.` after the move
//! * more origin than needed (`Ng1f3`, `Ng1-f3`, `Pe4`), or less if it is unambiguous (`Cd3`)
//! * `e8(Q)`, `e8/Q` or `e8=q` for a promotion
//! * `C@b1` for a placement
//! * the plain texts of [`Position::move_text`] (`g1f3`, `e7e8q`, `c@b1`)
//!
//! ```
//! use catapult_rules::{ChessPp, Plain, Position};
//!
//! let fen = "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1 b1f1/-";
//! let position = ChessPp::from_fen(fen, Plain).unwrap();
//! let teleport = position.parse_san("Nf1t").unwrap();
//! assert_eq!(position.move_text(teleport), "b1f1t");
//! let catapult = position.parse_move("f1g2").unwrap();
//! assert_eq!(position.san(catapult), "Cf1-g2");
//! ```

use super::kinds::{ChessMove, ChessMoveKind};
use super::piece::PromotionTo;
use super::rules::ChessRules;
use super::{ChessPosition, Position};
use crate::{Move, MoveError, PieceKind, Square, Squares};

/// Parts of a move text in algebraic notation.
struct Pattern {
    kind: ChessMoveKind,
    piece: PieceKind,
    /// Squares from which the move may start.
    from: Squares,
    mid: Option<Square>,
    to: Square,
    promotion: Option<PromotionTo>,
}

/// Returns the kind of a move, as far as algebraic notation distinguishes kinds.
fn notation(mv: Move) -> ChessMoveKind {
    match ChessMoveKind::of(mv) {
        ChessMoveKind::DoublePush | ChessMoveKind::EnPassant => ChessMoveKind::Normal,
        kind => kind,
    }
}

impl<R: ChessRules> ChessPosition<R> {
    fn moved_kind(&self, parts: &ChessMove) -> PieceKind {
        self.piece_at(parts.from).map_or(PieceKind::Pawn, |(_, kind)| kind)
    }

    pub(super) fn write_san(&self, mv: Move) -> String {
        let parts = ChessMove::of(mv);
        let mut text = match parts.kind {
            ChessMoveKind::Castle if parts.to.file() > parts.from.file() => "O-O".to_owned(),
            ChessMoveKind::Castle => "O-O-O".to_owned(),
            ChessMoveKind::Catapult => format!("C{}-{}", parts.from, parts.to),
            ChessMoveKind::Place => format!("C{}", parts.to),
            _ => self.write_piece_move(mv, &parts),
        };
        let mut after = *self;
        after.play(mv);
        if after.in_check() {
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    fn write_piece_move(&self, mv: Move, parts: &ChessMove) -> String {
        let piece = self.moved_kind(parts);
        let first = parts.mid.unwrap_or(parts.to);
        // Square of a pawn that is captured en passant on the way.
        let slants = piece == PieceKind::Pawn && first.file() != parts.from.file();
        let passing = (slants && parts.kind != ChessMoveKind::Teleport && self.piece_at(first).is_none())
            .then(|| Square::at(first.file(), parts.from.rank()))
            .flatten();
        let captured = self.captures(mv);
        let captures = passing.is_some() || captured.has(first);
        let mut text = String::new();
        if piece == PieceKind::Pawn {
            if parts.kind == ChessMoveKind::Teleport {
                text += &parts.from.to_string();
            } else if captures {
                text.push(file_letter(parts.from));
            }
        } else {
            text.push(piece.letter().to_ascii_uppercase());
            text += &self.disambiguation(mv, parts, piece);
        }
        if captures {
            text.push('x');
        }
        text += &first.to_string();
        if parts.mid.is_some() {
            text.push('-');
            if captured.has(parts.to) && passing != Some(parts.to) {
                text.push('x');
            }
            text += &parts.to.to_string();
        }
        if let Some(promotion) = parts.promotion {
            text.push('=');
            text.push(promotion.letter().to_ascii_uppercase());
        }
        if parts.kind == ChessMoveKind::Teleport {
            text.push('t');
        }
        text
    }

    /// Returns the part of the origin (file, rank or square) that distinguishes the move from other
    /// moves with the same text. The part is empty if there are no such moves.
    fn disambiguation(&self, mv: Move, parts: &ChessMove, piece: PieceKind) -> String {
        let mut others = Squares::EMPTY;
        let alike = self.pieces(self.side_to_move(), piece) & !Squares::of(parts.from);
        if alike.is_empty() {
            return String::new();
        }
        for other in self.legal_moves() {
            let same_end = other.to() == mv.to() && other.aux() == mv.aux();
            let same_kind = notation(other) == notation(mv);
            if same_end && same_kind && alike.has(Square::of(other.from())) {
                others |= Squares::of(Square::of(other.from()));
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
        let error = |reason: String| MoveError { text: text.to_owned(), reason };
        let bare = text.trim_end_matches(['+', '#', '!', '?']);
        let bare = bare.strip_suffix("e.p.").unwrap_or(bare).trim_end_matches(['+', '#', ' ']);
        let pattern = read(bare, self);
        if let Some(pattern) = &pattern
            && let Some(mv) = self.find(pattern).map_err(error)?
        {
            return Ok(mv);
        }
        // `Ng1-f3` has the dash of an instant teleport but can only mean an ordinary move.
        if pattern.as_ref().is_some_and(|pattern| pattern.kind == ChessMoveKind::Instant)
            && let Some((from, to)) = bare.split_once('-')
            && let Some(pattern) = read(&format!("{from}{to}"), self)
            && let Some(mv) = self.find(&pattern).map_err(error)?
        {
            return Ok(mv);
        }
        self.parse_move(bare).map_err(|_| {
            error(match pattern {
                Some(pattern) => self.explain_no_match(&pattern),
                None => "not a move in algebraic notation, nor squares such as `e2e4`".to_owned(),
            })
        })
    }

    /// Returns the legal move that matches the pattern, or `None` if no move matches.
    ///
    /// # Errors
    /// Several legal moves match. The error text lists them.
    fn find(&self, pattern: &Pattern) -> Result<Option<Move>, String> {
        let moves = self.legal_moves();
        let mut found = moves.iter().copied().filter(|mv| self.fits(*mv, pattern));
        let Some(first) = found.next() else { return Ok(None) };
        let mut all: Vec<String> = found.map(|mv| self.write_san(mv)).collect();
        if all.is_empty() {
            return Ok(Some(first));
        }
        all.insert(0, self.write_san(first));
        Err(format!("ambiguous: {}", all.join(" or ")))
    }

    fn fits(&self, mv: Move, pattern: &Pattern) -> bool {
        if mv.to() != pattern.to.byte() || !pattern.from.has(Square::of(mv.from())) {
            return false;
        }
        let parts = ChessMove::of(mv);
        let by_catapult = matches!(pattern.kind, ChessMoveKind::Catapult | ChessMoveKind::Place);
        notation(mv) == pattern.kind
            && parts.mid == pattern.mid
            && parts.promotion == pattern.promotion
            && (by_catapult || self.moved_kind(&parts) == pattern.piece)
    }

    /// Explains why no legal move matches the pattern.
    fn explain_no_match(&self, pattern: &Pattern) -> String {
        let side = self.side_to_move();
        let mut unpromoted = Pattern { promotion: None, ..*pattern };
        let any = |pattern: &Pattern| self.legal_moves().iter().any(|mv| self.fits(*mv, pattern));
        if pattern.promotion.is_none() {
            unpromoted.promotion = Some(PromotionTo::Queen);
            if any(&unpromoted) {
                return format!("not legal: a pawn on {} must promote (`=Q`)", pattern.to);
            }
        } else if any(&unpromoted) {
            return format!("not legal: nothing promotes on {}", pattern.to);
        }
        // A plain text such as `b1b3` names no piece, so `pattern.piece` is a pawn.
        let from = pattern.from.first().filter(|_| pattern.from.count() == 1);
        let piece = name(from.and_then(|from| self.piece_at(from)).map_or(pattern.piece, |(_, kind)| kind));
        let what = match pattern.kind {
            ChessMoveKind::Castle => "castling".to_owned(),
            ChessMoveKind::Catapult => "move of a catapult".to_owned(),
            ChessMoveKind::Place => "placement of a catapult".to_owned(),
            ChessMoveKind::Teleport => format!("teleport of a {piece}"),
            ChessMoveKind::Instant => format!("instant teleport of a {piece}"),
            _ => format!("move of a {piece}"),
        };
        let check = if self.in_check() { ", in check," } else { "" };
        format!("not legal: {side:?}{check} has no {what} to {} that fits", pattern.to)
    }
}

fn name(piece: PieceKind) -> &'static str {
    PieceKind::TYPES[piece as usize].name
}

fn file_letter(square: Square) -> char {
    (b'a' + square.file() as u8) as char
}

fn file_of(square: Square) -> Squares {
    Squares::file(square.file())
}

fn rank_of(square: Square) -> Squares {
    Squares::rank(square.rank())
}

/// Splits off the square at the end of a text. Returns the text before the square and the square,
/// or `None` if no square is there.
fn last_square(text: &str) -> Option<(&str, Square)> {
    let at = text.len().checked_sub(2)?;
    Some((text.get(..at)?, text.get(at..)?.parse().ok()?))
}

/// Parses a move text without `+`, `#` and annotation at its end. Returns `None` if it is not in
/// algebraic notation.
fn read<R: ChessRules>(bare: &str, position: &ChessPosition<R>) -> Option<Pattern> {
    let side = position.side_to_move();
    if matches!(bare, "O-O" | "0-0" | "O-O-O" | "0-0-0") {
        let king = position.king(side);
        let file = if bare.len() == 3 { 6 } else { 2 };
        return Some(Pattern {
            kind: ChessMoveKind::Castle,
            piece: PieceKind::King,
            from: Squares::of(king),
            mid: None,
            to: Square::at(file, king.rank())?,
            promotion: None,
        });
    }
    if let Some(catapult) = bare.strip_prefix('C') {
        let placing = position.catapults_to_place(side) > 0;
        let kind = if placing { ChessMoveKind::Place } else { ChessMoveKind::Catapult };
        let (origin, to) = last_square(catapult)?;
        let origin = if placing { origin.strip_prefix('@').unwrap_or(origin) } else { origin };
        let from = read_origin(origin.strip_suffix('-').unwrap_or(origin))?;
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
    let mut from = read_origin(&rest[letter.is_some() as usize..])?;
    // `e4` is a push, because a pawn's capture always has its file.
    if piece == PieceKind::Pawn && rest.is_empty() && !teleport {
        from &= file_of(square);
    }
    let (kind, mid, to) = match end {
        Some(end) => (ChessMoveKind::Instant, Some(square), end),
        None if teleport => (ChessMoveKind::Teleport, None, square),
        None => (ChessMoveKind::Normal, None, square),
    };
    Some(Pattern { kind, piece, from, mid, to, promotion })
}

/// Returns the squares that an origin text names: a file, a rank or one square. An empty text gives
/// all squares. Returns `None` for any other text.
fn read_origin(text: &str) -> Option<Squares> {
    Some(match text.as_bytes() {
        [] => !Squares::EMPTY,
        [file @ b'a'..=b'h'] => Squares::file((file - b'a').into()),
        [rank @ b'1'..=b'8'] => Squares::rank((rank - b'1').into()),
        _ => Squares::of(text.parse::<Square>().ok()?),
    })
}

/// Splits off a promotion at the end of a text: `=Q`, `Q`, `=q`, `(Q)` or `/Q`. Returns the text
/// before the promotion and the promotion piece, if any.
fn read_promotion(text: &str) -> (&str, Option<PromotionTo>) {
    let (inner, closed) = text.strip_suffix(')').map_or((text, false), |inner| (inner, true));
    for to in PromotionTo::ALL {
        let upper = inner.strip_suffix(to.letter().to_ascii_uppercase());
        let marked = upper
            .or_else(|| inner.strip_suffix(to.letter()))
            .and_then(|rest| rest.strip_suffix(if closed { ['(', '('] } else { ['=', '/'] }));
        if let Some(rest) = marked.or(upper.filter(|_| !closed)) {
            return (rest, Some(to));
        }
    }
    (text, None)
}
