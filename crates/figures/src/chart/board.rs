//! Game boards with one number per square, shown as a shade.

use crate::svg::{Anchor, Drawing};
use crate::{Unit, format};
use std::collections::BTreeMap;

/// A game board with one number per square, shown as a shade.
#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    /// Title above the board.
    pub title: String,
    /// Number of files of the board. The number of ranks is the length of `values` divided by
    /// `files`.
    pub files: usize,
    /// Value of each square, in the order a1, b1, ..., a2, b2, .... Values are not negative.
    pub values: Vec<f64>,
    /// Name of the unit. It is printed after the largest value.
    pub unit: String,
}

const SQUARE: f64 = 22.0;
const LEFT: f64 = 16.0;
const TOP: f64 = 40.0;
/// Number of different shades.
const SHADES: f64 = 16.0;
/// Horizontal distance between neighbouring boards in pixels.
const APART: f64 = 26.0;

/// Draws the boards, at most four in a row. All boards share one scale of shades, from 0 to the
/// largest value of any board.
pub fn draw(boards: &[Board]) -> Drawing {
    let most = boards.iter().flat_map(|b| &b.values).copied().filter(|v| v.is_finite()).fold(0.0, f64::max);
    let width = boards.iter().map(|b| LEFT + b.files as f64 * SQUARE + APART).fold(0.0, f64::max);
    let across = ((940.0 / width.max(1.0)) as usize).clamp(1, 4);
    let mut drawing = Drawing::new(across.min(boards.len().max(1)) as f64 * width, 0.0);
    for row in boards.chunks(across) {
        let drawn: Vec<Drawing> = row.iter().map(|board| board.draw(most)).collect();
        for (i, board) in drawn.iter().enumerate() {
            drawing.place((i as f64 * width, drawing.height), board);
        }
        drawing.height += drawn.iter().map(|b| b.height).fold(0.0, f64::max);
    }
    drawing
}

impl Board {
    fn draw(&self, most: f64) -> Drawing {
        let files = self.files.max(1);
        let ranks = self.values.len().div_ceil(files);
        let mut drawing = Drawing::new(LEFT + files as f64 * SQUARE, TOP + ranks as f64 * SQUARE + 24.0);
        drawing.text("strong", (0.0, 8.0), Anchor::Start, &self.title);
        for rank in 0..ranks {
            let held = files.min(self.values.len() - (ranks - 1 - rank) * files) as f64;
            let corner = (LEFT, TOP + rank as f64 * SQUARE);
            drawing.rect("void ribbon", corner, (held * SQUARE - 1.0, SQUARE - 1.0), "");
        }
        let mut shades: BTreeMap<u32, Vec<(f64, f64)>> = BTreeMap::new();
        let mut peak: Option<(f64, String)> = None;
        for (i, &value) in self.values.iter().enumerate() {
            let (file, rank) = (i % files, i / files);
            let at = (LEFT + file as f64 * SQUARE, TOP + (ranks - 1 - rank) as f64 * SQUARE);
            let name = format!("{}{}", file_name(file), rank + 1);
            let share = if most > 0.0 && value.is_finite() { (value / most).clamp(0.0, 1.0) } else { 0.0 };
            shades.entry((share * SHADES).round() as u32).or_default().push(at);
            if value.is_finite() && value > 0.0 && peak.as_ref().is_none_or(|(most, _)| value > *most) {
                peak = Some((value, name));
            }
        }
        for (shade, squares) in shades.iter().filter(|(shade, _)| **shade > 0) {
            drawing.shade("f1", squares, SQUARE - 1.0, f64::from(*shade) / SHADES);
        }
        let said = match peak {
            Some((value, square)) => {
                format!("most: {square}, {} {}", format::number(value, Unit::Ratio), self.unit)
            }
            None => "never".to_owned(),
        };
        drawing.text("dim", (0.0, 25.0), Anchor::Start, &said);
        for rank in 0..ranks {
            let y = TOP + (ranks - 1 - rank) as f64 * SQUARE + SQUARE / 2.0;
            drawing.text("dim", (LEFT - 5.0, y), Anchor::End, &(rank + 1).to_string());
        }
        for file in 0..files {
            let x = LEFT + (file as f64 + 0.5) * SQUARE;
            let y = TOP + ranks as f64 * SQUARE + 7.0;
            drawing.text("dim", (x, y), Anchor::Middle, &file_name(file).to_string());
        }
        drawing
    }
}

/// Returns the letter of the file with this index, from 0. Letters repeat after 26 files.
fn file_name(file: usize) -> char {
    char::from(b'a' + (file % 26) as u8)
}
