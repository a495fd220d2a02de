//! Reading and writing of the FEN fields that all games share. Errors name the invalid field.

use crate::board::{BoardGame, Cell, Contents, Kind, Square, Squares};
use crate::{Color, FenError};
use std::borrow::Cow;
use std::fmt::{self, Display, Write};
use std::str::SplitAsciiWhitespace;

/// Creates the error for an invalid FEN field. `field` is the name of the field.
pub(crate) fn error(field: &'static str, reason: impl Into<String>) -> FenError {
    FenError { field, reason: reason.into() }
}

/// Returns a FEN of four fields with the counters `0 1`, and any other FEN unchanged.
pub(crate) fn with_counters(fen: &str) -> Cow<'_, str> {
    match fen.split_ascii_whitespace().count() {
        4 => format!("{fen} 0 1").into(),
        _ => fen.into(),
    }
}

/// Reader of the fields of a FEN, from first to last.
pub(crate) struct Fields<'a>(SplitAsciiWhitespace<'a>);

impl<'a> Fields<'a> {
    pub(crate) fn new(fen: &'a str) -> Fields<'a> {
        Fields(fen.split_ascii_whitespace())
    }

    /// Returns the next field of the FEN. If no field is left, the error says that the field `name`
    /// is missing.
    pub(crate) fn required(&mut self, name: &'static str) -> Result<&'a str, FenError> {
        self.0.next().ok_or_else(|| error(name, "is missing"))
    }

    /// Returns the next field of the FEN, or `None` if no field is left.
    pub(crate) fn optional(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    /// Reads the next field of the FEN as the side to move.
    pub(crate) fn side(&mut self) -> Result<Color, FenError> {
        const FIELD: &str = "side to move";
        match self.required(FIELD)? {
            "w" => Ok(Color::White),
            "b" => Ok(Color::Black),
            other => Err(error(FIELD, format!("`{other}` is neither `w` nor `b`"))),
        }
    }

    /// Reads the next two fields of the FEN: half-move clock and full-move number. The full-move
    /// number 0, which many programs write, is read as 1.
    pub(crate) fn counters(&mut self) -> Result<(u16, u16), FenError> {
        let mut number = |field| read_number(field, self.required(field)?);
        Ok((number("half-move clock")?, number("full-move number")?.max(1)))
    }

    /// Checks that no field of the FEN is left. A further field is an error.
    pub(crate) fn end(mut self) -> Result<(), FenError> {
        match self.0.next() {
            Some(extra) => Err(error("end", format!("`{extra}` is a field too many"))),
            None => Ok(()),
        }
    }
}

fn read_number(field: &'static str, text: &str) -> Result<u16, FenError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| error(field, format!("`{text}` is not a number from 0 to {}", u16::MAX)))
}

/// Reads the placement field of a FEN and calls `place` for each occupied square. The arguments are
/// file, rank (both from 0) and text. The text is a letter, or a bracket with its contents such as
/// `(NP)`.
///
/// On boards with more than nine files, a count of empty squares may have two digits.
pub(crate) fn read_placement(
    text: &str,
    files: usize,
    ranks: usize,
    mut place: impl FnMut(usize, usize, &str) -> Result<(), FenError>,
) -> Result<(), FenError> {
    const FIELD: &str = "placement";
    let lines = text.split('/').count();
    if lines != ranks {
        return Err(error(FIELD, format!("{lines} ranks instead of {ranks}")));
    }
    for (rank, line) in (0..ranks).rev().zip(text.split('/')) {
        let mut file = 0;
        let mut rest = line;
        while !rest.is_empty() {
            let (token, after) = rest.split_at(token_length(rest, files));
            rest = after;
            match token.parse::<usize>() {
                Ok(empty) if !token.starts_with('0') => file += empty.min(files + 1),
                _ => {
                    // Squares beyond the last file are not placed. The count below reports them.
                    if file < files {
                        place(file, rank, token)?;
                    }
                    file += 1;
                }
            }
            if file > files {
                return Err(error(FIELD, format!("rank {} has more than {files} files", rank + 1)));
            }
        }
        if file < files {
            return Err(error(FIELD, format!("rank {} has {file} files instead of {files}", rank + 1)));
        }
    }
    Ok(())
}

/// Returns the length in bytes of the first token of `rest`: a number, a bracket with its contents,
/// or a letter.
fn token_length(rest: &str, files: usize) -> usize {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        return if files > 9 { digits } else { 1 };
    }
    if rest.starts_with('(') {
        return rest.find(')').map_or(rest.len(), |end| end + 1);
    }
    rest.chars().next().map_or(0, char::len_utf8)
}

/// Creates the error for a placement token that is neither a piece nor a count of empty squares.
pub(crate) fn not_a_piece(token: &str) -> FenError {
    error("placement", format!("`{token}` is neither a piece nor a count of empty squares"))
}

/// Returns the letter of a one-letter placement token. Longer and empty tokens are errors.
pub(crate) fn letter(token: &str) -> Result<char, FenError> {
    let mut letters = token.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Ok(letter),
        _ => Err(not_a_piece(token)),
    }
}

/// Reads the placement field of a game with at most one piece per square and adds the pieces to
/// `state`. `kind` returns the piece kind with a lower-case letter. `check` returns an error if a
/// side may not have a piece of this kind on a rank, from 0. No such game has pawns on the first or
/// last rank.
pub(crate) fn read_pieces<G: BoardGame, const F: usize, const R: usize, const W: usize, const B: usize>(
    text: &str,
    state: &mut Contents<G, F, R, W, B>,
    kind: impl Fn(char) -> Option<G::Kind>,
    check: impl Fn(Color, G::Kind, usize) -> Result<(), FenError>,
) -> Result<(), FenError> {
    read_placement(text, F, R, |file, rank, token| {
        let letter = letter(token)?;
        let kind = kind(letter.to_ascii_lowercase()).ok_or_else(|| not_a_piece(token))?;
        let side = Color::of_case(letter);
        // The pawn is the first kind of every game.
        if kind.code() == G::Kind::KINDS[0].code() && (rank == 0 || rank == R - 1) {
            return Err(error("placement", format!("a pawn on rank {}", rank + 1)));
        }
        check(side, kind, rank)?;
        if let Some(square) = Square::at(file, rank) {
            state.replace(square, Cell::EMPTY, Cell::of(side, kind));
        }
        Ok(())
    })
}

/// Reads the en-passant field of a game whose pawns step at most two squares. Returns the square
/// that a pawn of `stepped` has just passed, or `None` for `-`. `pawns` are the squares where a
/// pawn of either side may just have arrived.
pub(crate) fn read_passed<G: BoardGame, const F: usize, const R: usize, const W: usize, const B: usize>(
    text: &str,
    state: &Contents<G, F, R, W, B>,
    stepped: Color,
    pawns: Squares<F, R, W>,
) -> Result<Option<Square<F, R>>, FenError> {
    const FIELD: &str = "en passant";
    if text == "-" {
        return Ok(None);
    }
    let square: Square<F, R> =
        text.parse().map_err(|()| error(FIELD, format!("`{text}` is not a square")))?;
    let here = Squares::of(square);
    if !here.meets(Squares::rank_of(stepped, 2)) {
        return Err(error(FIELD, format!("{text} is not on the rank that {stepped:?}'s pawns pass over")));
    }
    let pawn = here.forward(stepped) & pawns & state.side_pieces(stepped);
    if pawn.is_empty() || state.occupied().meets(here | here.forward(!stepped)) {
        return Err(error(FIELD, format!("no pawn can just have passed over {text}")));
    }
    Ok(Some(square))
}

/// Checks that each side has exactly one king. `kings` returns a side's number of kings.
pub(crate) fn one_king_each(kings: impl Fn(Color) -> u32) -> Result<(), FenError> {
    for side in Color::ALL {
        let found = kings(side);
        if found != 1 {
            return Err(error("placement", format!("{side:?} has {found} kings instead of one")));
        }
    }
    Ok(())
}

/// Writes the placement field of a FEN. `cell` returns the text of the square with this file and
/// rank (both from 0), or `None` if the square is empty.
///
/// # Errors
/// Writing to `f` fails.
pub fn write_placement<T: Display>(
    f: &mut impl Write,
    files: usize,
    ranks: usize,
    cell: impl Fn(usize, usize) -> Option<T>,
) -> fmt::Result {
    for rank in (0..ranks).rev() {
        let mut empty = 0;
        for file in 0..files {
            match cell(file, rank) {
                None => empty += 1,
                Some(piece) => {
                    write_count(f, empty)?;
                    empty = 0;
                    write!(f, "{piece}")?;
                }
            }
        }
        write_count(f, empty)?;
        if rank > 0 {
            f.write_str("/")?;
        }
    }
    Ok(())
}

fn write_count(f: &mut impl Write, empty: usize) -> fmt::Result {
    if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
}

/// Writes the side to move as `w` or `b`, with a space before and after.
pub(crate) fn write_side(f: &mut fmt::Formatter<'_>, side: Color) -> fmt::Result {
    f.write_str(if side == Color::White { " w " } else { " b " })
}

/// Writes a space and the en-passant square, or a space and `-` if there is none.
pub(crate) fn write_square(f: &mut fmt::Formatter<'_>, square: Option<impl Display>) -> fmt::Result {
    match square {
        Some(square) => write!(f, " {square}"),
        None => f.write_str(" -"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a placement. Returns file, rank and text of each occupied square.
    fn placed(text: &str, files: usize, ranks: usize) -> Result<Vec<(usize, usize, String)>, String> {
        let mut all = Vec::new();
        let read = read_placement(text, files, ranks, |file, rank, token| {
            all.push((file, rank, token.to_owned()));
            Ok(())
        });
        read.map(|()| all).map_err(|error| error.to_string())
    }

    #[test]
    fn counts_and_brackets_are_read() {
        let p = |file, rank, token: &str| (file, rank, token.to_owned());
        assert_eq!(placed("10P/p10", 11, 2).unwrap(), [p(10, 1, "P"), p(0, 0, "p")]);
        assert_eq!(placed("1(Np)1/k2", 3, 2).unwrap(), [p(1, 1, "(Np)"), p(0, 0, "k")]);
        assert_eq!(placed("(Np", 1, 1).unwrap(), [p(0, 0, "(Np")]);
        // Counts have one digit on boards with up to nine files.
        assert_eq!(placed("11k", 3, 1).unwrap(), [p(2, 0, "k")]);
        for (text, files, ranks, part) in [
            ("k/k", 1, 3, "2 ranks instead of 3"),
            ("kk", 3, 1, "rank 1 has 2 files instead of 3"),
            ("kkkk", 3, 1, "rank 1 has more than 3 files"),
            ("9kk", 10, 1, "rank 1 has more than 10 files"),
            ("11", 10, 1, "rank 1 has more than 10 files"),
            ("9", 8, 1, "rank 1 has more than 8 files"),
        ] {
            let error = placed(text, files, ranks).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert_eq!(letter("k"), Ok('k'));
        for token in ["(NN)", "01", "99999999999999999999999"] {
            let read = read_placement(token, 10, 1, |_, _, token| letter(token).map(drop));
            assert_eq!(read, Err(not_a_piece(token)));
        }
    }

    struct Written;

    impl Display for Written {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write_placement(f, 12, 2, |file, rank| (file == 11 && rank == 1).then_some("(Np)"))
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        assert_eq!(Written.to_string(), "11(Np)/12");
        assert_eq!(placed(&Written.to_string(), 12, 2).unwrap(), [(11, 1, "(Np)".to_owned())]);
    }
}
