//! The page and the printed tables of an exam.

pub mod results;

use catapult_figures::{Unit, format};
use catapult_rules::Variant;
use results::{ExamResults, Item, LeftOut, Line, Threshold};

/// Returns the name of a measured item in words. `part` is [`Line::part`], such as a kind of move.
fn name(item: Item, part: Option<&str>) -> String {
    let Some(part) = part else { return item.to_string() };
    match item {
        Item::Misuse => format!("worth of {}", part.replace('-', " ")),
        Item::Conversion => format!("conversion of won {}", part.replacen('-', " ", 1)),
        Item::PieceValues => format!("value of {}", part.replace('-', " ")),
        Item::MatesFound => format!("mates in {part} found"),
        Item::Tactics => format!("{item}, {part} simulations"),
        item => item.to_string(),
    }
}

fn unit(item: Item) -> Unit {
    match item {
        Item::Misuse => Unit::Elo,
        Item::PieceValues => Unit::Pawns,
        Item::Clock | Item::HungPieces | Item::Calibration => Unit::Ratio,
        _ => Unit::Share,
    }
}

/// Formats the value of an item with its unit. A slope always has a sign. The share of rook draws
/// has two decimals, because these draws are rare.
fn number(item: Item, value: f64) -> String {
    match item {
        Item::DrawSlope => format::difference(value, Unit::Share),
        Item::RookDraws => format!("{:.2} %", 100.0 * value),
        item => format::value(value, unit(item)),
    }
}

fn interval(line: &Line) -> String {
    let Some([low, high]) = line.interval else { return "–".into() };
    let bare = |value| number(line.item, value).split(' ').next().unwrap_or_default().to_owned();
    format!("[{}, {}]", bare(low), bare(high))
}

fn threshold(item: Item, threshold: Threshold) -> String {
    match threshold {
        Threshold::AtLeast(least) => format!("at least {}", number(item, least)),
        Threshold::Below(most) => format!("below {}", number(item, most)),
        Threshold::Reaches([from, to]) => format!("reaches {} to {}", number(item, from), number(item, to)),
    }
}

/// Formats rows of cells as a Markdown table whose first row is the heading. Cells are padded, so
/// that the table is also legible as plain text.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!(" {cell:<width$} |"));
        text += &format!("|{}\n", cells.collect::<String>());
        if i == 0 {
            let rule = widths.iter().map(|width| format!("{}|", "-".repeat(width + 2)));
            text += &format!("|{}\n", rule.collect::<String>());
        }
    }
    text
}

fn row(line: &Line) -> Vec<String> {
    let mut row = vec![
        name(line.item, line.part.as_deref()),
        line.game.to_string(),
        number(line.item, line.value),
        interval(line),
        line.observations.to_string(),
    ];
    if let Some(gate) = line.gate {
        row.extend([threshold(line.item, gate.threshold), gate.verdict.to_string()]);
    }
    row
}

fn rows(found: &ExamResults, is_gate: bool) -> String {
    let mut head = vec!["", "game", "value", "95 % interval", "n"];
    if is_gate {
        head.extend(["threshold", "verdict"]);
    }
    let head: Vec<String> = head.into_iter().map(str::to_owned).collect();
    let lines = found.lines.iter().filter(|line| line.gate.is_some() == is_gate);
    table(&std::iter::once(head).chain(lines.map(row)).collect::<Vec<_>>())
}

fn names(games: &[Variant]) -> String {
    games.iter().map(Variant::to_string).collect::<Vec<_>>().join(", ")
}

/// Returns the numbers of gates that passed, failed and are unresolved, as one line of text.
pub fn summary(found: &ExamResults) -> String {
    let [passed, failed, unresolved] = found.counts();
    format!("{passed} passed, {failed} failed, {unresolved} unresolved")
}

/// Returns the table of gates, the table of items without a gate, and the list of items that were
/// left out, as Markdown.
pub fn tables(found: &ExamResults) -> String {
    let mut text = format!("## Gates\n\n{}", rows(found, true));
    if found.lines.iter().any(|line| line.gate.is_none()) {
        text += &format!("\n## Without a gate\n\n{}", rows(found, false));
    }
    if !found.left_out.is_empty() {
        text += "\n## Not applicable\n\n";
        for LeftOut { item, reason: why, game } in &found.left_out {
            let game = game.map(|game| format!(" ({game})")).unwrap_or_default();
            text += &format!("- {}{game}: {}\n", name(*item, None), why);
        }
    }
    text
}

/// Returns the page of an exam (`exam.md`) as Markdown.
pub fn page(found: &ExamResults) -> String {
    let ExamResults { network, simulations, version, hash, .. } = found;
    let mut text = format!("# Exam of {network}\n\nGates: {}.\n\n", summary(found));
    if found.quick {
        text += &format!(
            "> **Quick exam.** It has fewer games, and {simulations} simulations per move. Intervals are wide.\n\n"
        );
    }
    text += &format!("Games: {}. ", names(&found.games));
    if !found.unexamined.is_empty() {
        text += &format!("Learned and not examined: {}. ", names(&found.unexamined));
    }
    text += &format!(
        "Matches and endings: {simulations} simulations per move.\n\n{}\n\
         A gate passes if its whole interval meets the threshold. It fails if no part of it does. Otherwise it is\n\
         unresolved. White's score passes if its interval reaches the range. `n` counts games or positions.\n\n\
         An exam is about this network alone. It plays itself and the tables, so it does not say how strong the\n\
         network is.\n\nCatapult {version}. Network (BLAKE3): `{hash}`.\n",
        tables(found)
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_has_its_unit() {
        for (item, value, text) in [
            (Item::Misuse, -15.0, "−15 Elo"),
            (Item::Conversion, 0.9, "90.0 %"),
            (Item::Clock, 0.25, "0.250"),
            (Item::RookDraws, 0.005, "0.50 %"),
            (Item::DrawSlope, 0.214, "+21.4 pp"),
            (Item::Calibration, 0.05, "0.050"),
            (Item::PieceValues, 3.25, "3.25 pawns"),
        ] {
            assert_eq!(number(item, value), text);
        }
    }
}
