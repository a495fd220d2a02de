//! Properties that the fuzz targets check on any input, and the format of the inputs.

use catapult_rules::{Epd, PgnReader, Position, Proposals, Variant, with_variant, write_pgn};

/// Splits off the first byte, which selects the variant. Returns the variant and the text after the
/// byte. Returns `None` for input that is empty or not UTF-8.
fn split(data: &[u8]) -> Option<(Variant, &str)> {
    let (&choice, text) = data.split_first()?;
    let text = std::str::from_utf8(text).ok()?;
    let variant = match choice & 63 {
        0..32 => Proposals::all_sets().nth(choice as usize & 31).map(Variant::ChessPp)?,
        // Standard chess and the games other than Chess++, in the order of their list.
        n => {
            let mut others = Variant::games().filter(|variant| !matches!(variant, Variant::ChessPp(_)));
            others.nth(usize::from(n - 32)).unwrap_or(Variant::Chess)
        }
    };
    Some((variant, text))
}

/// Checks that a readable FEN is written and read back as the same position. Also checks that the
/// list and the count of legal moves agree, and that the FEN after each move is readable.
pub fn fen(data: &[u8]) {
    let Some((variant, text)) = split(data) else { return };
    with_variant!(variant, |P, rules| {
        let Ok(position) = P::from_fen(text, rules) else { return };
        let written = position.to_string();
        let read = P::from_fen(&written, rules).expect("what is written can be read");
        assert_eq!((read, read.key(), read.to_string()), (position, position.key(), written.clone()));
        let moves = position.legal_moves();
        assert_eq!(moves.len(), position.count_legal_moves());
        assert_eq!(moves.is_empty(), !position.has_legal_move());
        let _ = position.outcome();
        for mv in moves {
            let mut after = position;
            after.play(mv);
            let fen = after.to_string();
            assert_eq!(P::from_fen(&fen, rules), Ok(after), "after {} in {written}", position.move_text(mv));
        }
        let epd = Epd::of(&written, variant);
        assert_eq!(Epd::read(&epd.to_string()).map(|epd| epd.fen()), Ok(written));
    });
    let _ =
        Epd::read(text).map(|epd| assert_eq!(Epd::read(&epd.fen()).map(|epd| epd.fields), Ok(epd.fields)));
}

/// Splits the text into a position and the text after it. The position is the FEN before the first
/// line feed, or the start position if there is no line feed. Returns `None` if the FEN is invalid.
fn position_and_text<P: Position>(text: &str, rules: P::Rules) -> Option<(P, &str)> {
    match text.split_once('\n') {
        Some((fen, text)) => Some((P::from_fen(fen, rules).ok()?, text)),
        None => Some((P::start(rules), text)),
    }
}

/// Plays the words of the input as move texts, up to the first word that is not a legal move.
/// Checks that each move's text equals its word.
pub fn move_text(data: &[u8]) {
    let Some((variant, text)) = split(data) else { return };
    with_variant!(variant, |P, rules| {
        let Some((mut position, text)) = position_and_text::<P>(text, rules) else { return };
        for word in text.split(' ') {
            let Ok(mv) = position.parse_move(word) else { return };
            assert!(position.is_legal(mv));
            assert_eq!(position.move_text(mv), word);
            position.play(mv);
        }
    });
}

/// Plays the words of the input as moves in algebraic notation, up to the first word that is not a
/// legal move. Checks that each move is written and read back as the same move.
pub fn san(data: &[u8]) {
    let Some((variant, text)) = split(data) else { return };
    with_variant!(variant, |P, rules| {
        let Some((mut position, text)) = position_and_text::<P>(text, rules) else { return };
        for word in text.split(' ') {
            let Ok(mv) = position.parse_san(word) else { return };
            assert!(position.is_legal(mv), "{word} in {position}");
            let written = position.san(mv);
            assert_eq!(position.parse_san(&written), Ok(mv), "{word} is {written} in {position}");
            position.play(mv);
        }
    });
}

/// Reads the input as a PGN file. Writes the legal moves of each game as PGN and checks that they
/// read back unchanged.
pub fn pgn(data: &[u8]) {
    for (number, game) in PgnReader::new(data).enumerate() {
        let Ok(game) = game else { continue };
        assert_eq!(game.number, number + 1);
        let Ok(variant) = game.variant() else { continue };
        with_variant!(variant, |P, rules| {
            let played = match game.replay::<P>(rules) {
                Ok(played) => played,
                Err((Some(played), _)) => played,
                Err((None, _)) => continue,
            };
            let mut text = Vec::new();
            // The reader accepts tag names that the writer rejects.
            let tags = if write_pgn(&mut text, variant, &game.tags, &played, &[], game.result).is_ok() {
                &game.tags[..]
            } else {
                &[]
            };
            text.clear();
            write_pgn(&mut text, variant, tags, &played, &[], game.result).expect("writing to memory");
            let mut again = PgnReader::new(&text[..]);
            let back = again.next().expect("a game").expect("what is written can be read");
            assert!(again.next().is_none());
            assert_eq!((back.variant(), back.result), (Ok(variant), game.result));
            let back = back.replay::<P>(rules).unwrap_or_else(|(_, error)| panic!("{error}"));
            assert_eq!((back.start(), back.moves()), (played.start(), played.moves()));
        });
    }
}
