//! Tactical test suites: positions with their best moves, read from a text in EPD.

use catapult_measures::games::StudiedGame;
use catapult_rules::{Epd, Move, Variant};

/// Line of a suite: its number in the file, from 1, and the parsed EPD.
pub(crate) type Line = (usize, Epd);

/// Parses a suite. Each line is EPD whose operation `bm` lists the best moves, separated by spaces.
/// Empty lines and comments (`#`) are skipped. The error names the line.
pub(crate) fn read_suite(text: &str) -> Result<Vec<Line>, String> {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let read = |(number, line)| {
        let epd = Epd::read(line).map_err(|error| format!("line {number}: {error}"))?;
        match epd.get("bm") {
            Some(_) => Ok((number, epd)),
            None => Err(format!("line {number}: the operation `bm` is missing")),
        }
    };
    lines.map(read).collect()
}

/// Returns the positions of `variant` in a suite, with their best moves. A line without the
/// operation `variant` belongs to `chesspp`. The error names the line.
pub(super) fn of_game<P: StudiedGame>(
    suite: &[Line],
    variant: Variant,
    rules: P::Rules,
) -> Result<Vec<(P, Vec<Move>)>, String> {
    let is_of_game = |(_, epd): &&Line| epd.get("variant").unwrap_or("chesspp") == variant.to_string();
    let read = |(number, epd): &Line| {
        let at = |error: String| format!("line {number}: {error}");
        let position = P::from_fen(&epd.fen(), rules).map_err(|error| at(error.to_string()))?;
        let best = epd.get("bm").unwrap_or_default().split_whitespace();
        let parse = |text: &str| position.parse_move(text).or_else(|_| position.parse_san(text));
        let best = best.map(|text| parse(text).map_err(|error| at(error.to_string())));
        Ok((position, best.collect::<Result<_, String>>()?))
    };
    suite.iter().filter(is_of_game).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_rules::{ChessPp, Plain, Position};

    const SUITE: &str = "# teleports\n\
        4k3/8/8/7r/8/8/8/N3K3 w - - variant \"chesspp\"; fields \"a1h5/-\"; bm a1h5t; id \"one\";\n\n\
        4k3/8/8/8/8/8/8/R3K3 w - - bm a1a8 Ra7; id \"two\";\n";

    #[test]
    fn a_suite_is_read() {
        let suite = read_suite(SUITE).unwrap();
        assert_eq!(suite.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [2, 4]);
        let found = of_game::<ChessPp>(&suite, "chesspp".parse().unwrap(), Plain).unwrap();
        let best =
            |i: usize| found[i].1.iter().map(|&mv| found[i].0.move_text(mv)).collect::<Vec<_>>().join(" ");
        assert_eq!((best(0).as_str(), best(1).as_str()), ("a1h5t", "a1a8 a1a7"));
        assert!(of_game::<ChessPp>(&suite, "chesspp+free".parse().unwrap(), Plain).unwrap().is_empty());
    }

    #[test]
    fn mistakes_name_the_line() {
        let error = read_suite("4k3/8/8/8/8/8/8/R3K3 w - - id \"x\";").unwrap_err();
        assert!(error.contains("line 1") && error.contains("bm"), "{error}");
        let suite = read_suite("\n4k3/8/8/8/8/8/8/R3K3 w - - bm a1b8;").unwrap();
        let error = of_game::<ChessPp>(&suite, "chesspp".parse().unwrap(), Plain).unwrap_err();
        assert!(error.contains("line 2") && error.contains("a1b8"), "{error}");
    }
}
