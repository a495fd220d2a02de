//! A figure, and the words that all figures share.

use crate::results::{Chapter, Unit};
use catapult_figures::svg::Drawing;

/// A figure, ready to be shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// Its name as a file.
    pub id: String,
    /// The chapter it stands in; none for what stands elsewhere, as the figure of a claim does.
    pub chapter: Option<Chapter>,
    /// Its title.
    pub title: String,
    /// What it shows and how it was measured.
    pub caption: String,
    /// The picture.
    pub drawing: Drawing,
}

/// How intervals look: said below each claim, and once above the chapters.
pub(crate) const WHISKERS: &str = "Whiskers: 95 % intervals, thick for these networks, thin for other seeds of this recipe (none with fewer than three training \
     seeds). An arrow: the interval goes on.";

/// A name that can be a file and an anchor: letters, digits and hyphens.
pub(crate) fn slug(name: &str) -> String {
    let text: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    text.split('-').filter(|part| !part.is_empty()).take(12).collect::<Vec<_>>().join("-")
}

/// A name and its unit, along an axis.
pub(crate) fn axis(name: &str, unit: Unit) -> String {
    let unit = catapult_figures::format::unit_name(unit);
    if unit.is_empty() || name.contains(unit) { name.to_owned() } else { format!("{name}\u{a0}({unit})") }
}

/// With a capital letter.
pub(crate) fn sentence(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
