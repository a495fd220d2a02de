//! Chapters of a report with their headings and introductions.

use crate::results::Chapter;

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

/// All chapters in reading order.
pub(super) const SECTIONS: [Section; 10] = [
    Section {
        chapter: Chapter::Strength,
        id: "strength",
        title: "How strong the players are",
        intro: "The same training budget does not make players of the same strength in every game. So each one \
                plays against itself with half the thinking and against fixed opponents that search on hand-made \
                piece values. Draw rates in particular move with strength; figures below show how much.",
    },
    Section {
        chapter: Chapter::Endings,
        id: "endings",
        title: "How games end",
        intro: "Wins, draws and the reason of every ending. A game without a winner is not always balanced: weak \
                players also fail to win with a queen more, so undecided games are split by what stood on the board.",
    },
    Section {
        chapter: Chapter::Length,
        id: "length",
        title: "How long games last",
        intro: "In plies, that is half moves.",
    },
    Section {
        chapter: Chapter::Openings,
        id: "openings",
        title: "Openings",
        intro: "How many openings are there to know? The entropy of the lines that the network would play says how \
                spread they are; the share of plies with a single good move says how much must be known by heart.",
    },
    Section {
        chapter: Chapter::Values,
        id: "values",
        title: "What pieces are worth",
        intro: "Fitted from results: by how much does a piece more raise the score? On chess the values should come \
                out near what every player knows. Where they do not, the players are too weak for this question.",
    },
    Section {
        chapter: Chapter::NewRules,
        id: "new-rules",
        title: "What the new rules are used for",
        intro: "How often the moves are played that chess does not have, and what they take, by phase of the game and by the \
                side that went on to win or lose. The boards show where it happens, each player looking from his own side.",
    },
    Section {
        chapter: Chapter::Superset,
        id: "superset",
        title: "How much of chess is still there",
        intro: "Is the game chess and something more? Played games of chess are replayed under the other rules, and the \
                networks of both are asked for their moves in the same positions of chess.",
    },
    Section {
        chapter: Chapter::Comebacks,
        id: "comebacks",
        title: "Comebacks and changes of fortune",
        intro: "How often does the side that is behind still score? A player whose evaluation is honest comes back \
                now and then by luck alone; that share is drawn beside what was seen.",
    },
    Section {
        chapter: Chapter::Skill,
        id: "skill",
        title: "Room for skill",
        intro: "How much better does a player get by thinking twice as long, how many rungs of such steps are there up \
                from random play, and how many moves are there to choose from?",
    },
    Section {
        chapter: Chapter::Others,
        id: "others",
        title: "Other measures",
        intro: "What belongs in no chapter above.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_has_a_chapter_and_every_chapter_is_read() {
        for metric in catapult_measures::metrics::METRICS.iter() {
            assert_ne!(metric.chapter, Chapter::Others, "{}", metric.id);
        }
        for (number, section) in SECTIONS.iter().enumerate() {
            assert_eq!(section.chapter as usize, number, "{}", section.id);
            let written = serde_json::to_value(section.chapter).unwrap();
            assert_eq!(written, section.id, "an anchor is the chapter's name in files");
        }
    }
}
