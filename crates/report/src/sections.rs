//! Chapters of a report with their headings and introductions.

use crate::results::Chapter;
use std::sync::LazyLock;

/// Heading and introduction of a chapter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Section {
    /// The chapter with this heading and introduction.
    pub chapter: Chapter,
    /// HTML id of the chapter on a page, which is also its name in files.
    pub id: &'static str,
    /// Heading of the chapter.
    pub title: &'static str,
    /// Introduction of the chapter for a chess player.
    pub intro: &'static str,
}

/// All chapters in reading order. Each line of `sections.txt` has a chapter's name in files, its
/// heading and its introduction.
pub(super) static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| {
    let section = |line: &'static str| {
        let (id, rest) = line.split_once(" | ")?;
        let (title, intro) = rest.split_once(" | ")?;
        Some(Section { chapter: serde_json::from_value(id.into()).ok()?, id, title, intro })
    };
    include_str!("sections.txt").lines().filter_map(section).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_has_a_chapter_and_every_chapter_is_read() {
        for metric in catapult_measures::metrics::METRICS.iter() {
            assert_ne!(metric.chapter, Chapter::Others, "{}", metric.id);
        }
        assert_eq!(SECTIONS.len(), 10);
        for (number, section) in SECTIONS.iter().enumerate() {
            assert_eq!(section.chapter as usize, number, "{}", section.id);
            let written = serde_json::to_value(section.chapter).unwrap();
            assert_eq!(written, section.id, "an anchor is the chapter's name in files");
        }
    }
}
