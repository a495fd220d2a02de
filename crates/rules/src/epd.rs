//! Lines of position lists: FEN and EPD (extended position description).

use crate::{FenError, Variant};
use std::fmt;

/// A position as one line of EPD (extended position description).
///
/// The line has the first four fields of a FEN, then operations. An operation is an opcode, its
/// operand and a semicolon.
///
/// The standard opcodes `hmvc` and `fmvn` are the half-move clock and the full-move number. Two
/// opcodes are specific to this crate. `variant` names the game unless it is standard chess.
/// `fields` lists the FEN fields after the counters.
///
/// ```
/// use catapult_rules::{Epd, Variant};
/// let chesspp: Variant = "chesspp".parse().unwrap();
/// let mut epd = Epd::of(&chesspp.start().fen(), chesspp);
/// epd.set("id", "the start");
/// assert_eq!(
///     epd.to_string(),
///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1; variant \"chesspp\"; \
///      fields \"b1*f1*/b8*f8*\"; id \"the start\";"
/// );
/// assert_eq!(Epd::read(&epd.to_string()), Ok(epd));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// Placement, side to move, castling and en passant, as in a FEN.
    pub fields: [String; 4],
    /// Pairs of opcode and operand, in the order of the line. Operands have no quotes.
    pub operations: Vec<(String, String)>,
}

/// Opcodes of the counters.
const NUMBERS: [&str; 2] = ["hmvc", "fmvn"];

/// Opcodes whose operands are moves or numbers, so they are written without quotes.
const UNQUOTED: [&str; 14] =
    ["acd", "acn", "acs", "am", "bm", "ce", "dm", "fmvn", "hmvc", "pm", "pv", "rc", "sm", "tcgs"];

fn error(reason: String) -> FenError {
    FenError { field: "operations", reason }
}

impl Epd {
    /// Creates the line for a position of `variant`, given as FEN.
    pub fn of(fen: &str, variant: Variant) -> Epd {
        let mut fields = fen.split(' ').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_default();
        let mut epd = Epd { fields: [next(), next(), next(), next()], operations: Vec::new() };
        for opcode in NUMBERS {
            epd.set(opcode, &next());
        }
        if variant != Variant::Chess {
            epd.set("variant", &variant.to_string());
        }
        let rest: Vec<String> = fields.collect();
        if !rest.is_empty() {
            epd.set("fields", &rest.join(" "));
        }
        epd
    }

    /// Sets the operand of an opcode. Appends the opcode if the line lacks it.
    pub fn set(&mut self, opcode: &str, operand: &str) {
        match self.operations.iter_mut().find(|(name, _)| name == opcode) {
            Some((_, old)) => operand.clone_into(old),
            None => self.operations.push((opcode.to_owned(), operand.to_owned())),
        }
    }

    /// Returns the operand of an opcode without quotes, or `None` if the line lacks the opcode.
    pub fn get(&self, opcode: &str) -> Option<&str> {
        self.operations.iter().find(|(name, _)| name == opcode).map(|(_, operand)| operand.as_str())
    }

    /// Reads a line of EPD or FEN. A line whose fifth field starts with a digit is a FEN.
    ///
    /// # Errors
    /// * The line has fewer than four fields.
    /// * An operation lacks its opcode or final semicolon, or a quote is unclosed.
    ///
    /// The values of the fields are not checked. [`Position::from_fen`](crate::Position::from_fen)
    /// checks them.
    pub fn read(line: &str) -> Result<Epd, FenError> {
        let mut rest = line.trim();
        let mut fields = [const { String::new() }; 4];
        for (field, name) in fields.iter_mut().zip(["placement", "side to move", "castling", "en passant"]) {
            let (text, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            if text.is_empty() {
                return Err(FenError { field: name, reason: "missing".to_owned() });
            }
            text.clone_into(field);
            rest = behind.trim_start();
        }
        let mut epd = Epd { fields, operations: Vec::new() };
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            let mut behind = rest.split_whitespace();
            for opcode in NUMBERS {
                epd.set(opcode, behind.next().unwrap_or(""));
            }
            let more: Vec<&str> = behind.collect();
            if !more.is_empty() {
                epd.set("fields", &more.join(" "));
            }
            return Ok(epd);
        }
        while !rest.is_empty() {
            let (operation, behind) = split_operation(rest)?;
            let (opcode, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
            let operand = operand.trim();
            let inner = operand.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            let is_opcode = opcode.starts_with(|letter: char| letter.is_ascii_alphabetic())
                && opcode.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
            if !is_opcode {
                return Err(error(format!("`{operation}` does not begin with an opcode")));
            }
            epd.set(opcode, inner.filter(|text| !text.contains('"')).unwrap_or(operand));
            rest = behind.trim_start();
        }
        Ok(epd)
    }

    /// Returns the FEN of the position. A missing half-move clock is 0, and a missing full-move
    /// number is 1.
    pub fn fen(&self) -> String {
        let [placement, side, castling, en_passant] = &self.fields;
        let clock = self.get("hmvc").unwrap_or("0");
        let number = self.get("fmvn").unwrap_or("1");
        let fen = format!("{placement} {side} {castling} {en_passant} {clock} {number}");
        match self.get("fields") {
            Some(fields) => format!("{fen} {fields}"),
            None => fen,
        }
    }
}

/// Splits the text at the first semicolon outside quotes. Returns the operation before the
/// semicolon and the rest after it.
fn split_operation(text: &str) -> Result<(&str, &str), FenError> {
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ';' if !quoted => return Ok((text[..at].trim(), &text[at + 1..])),
            _ => {}
        }
    }
    Err(error(format!("`{text}` does not end with a semicolon")))
}

/// Writes the line of EPD. Quotes and control characters in operands are dropped, because EPD
/// cannot escape them.
impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fields.join(" "))?;
        for (opcode, operand) in &self.operations {
            let operand: String = operand.chars().filter(|c| *c != '"' && !c.is_control()).collect();
            if operand.is_empty() {
                write!(f, " {opcode};")?;
            } else if UNQUOTED.contains(&opcode.as_str()) && !operand.contains(';') {
                write!(f, " {opcode} {operand};")?;
            } else {
                write!(f, " {opcode} \"{operand}\";")?;
            }
        }
        Ok(())
    }
}
