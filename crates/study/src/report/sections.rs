//! The chapters of a report, and which metric, figure, table and board stands in which.

/// A chapter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Section {
    /// Its anchor in the page.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What it tells, for a chess player.
    pub intro: &'static str,
    /// Parts of the names of what belongs in it. Of several chapters that claim a name, the first has it.
    parts: &'static [&'static str],
}

/// How strong the agents are.
pub(super) const STRENGTH: &str = "strength";
/// How games end.
pub(super) const ENDINGS: &str = "endings";
/// What no other chapter claims.
pub(super) const OTHERS: &str = "others";

/// The chapters in the order of the page.
pub(super) const SECTIONS: &[Section] = &[
    Section {
        id: STRENGTH,
        title: "How strong the players are",
        intro: "The same training budget does not make players of the same strength in every game. So each one \
                is held against itself with half the thinking and against fixed opponents that search on hand-made \
                piece values. Draw rates in particular move with strength; the regression below shows how much.",
        parts: &["elo_per_doubling"],
    },
    Section {
        id: "values",
        title: "What pieces are worth",
        intro: "Fitted from results: by how much does a piece more raise the score? On chess the values should come \
                out near what every player knows. Where they do not, the players are too weak for this question.",
        parts: &["piece_value", "piece-value"],
    },
    Section {
        id: "comebacks",
        title: "Comebacks and changes of fortune",
        intro: "How often does the side that is behind still score? A player whose evaluation is honest comes back \
                now and then by luck alone; that share is drawn beside what was seen.",
        parts: &["comeback", "lead_changes", "leads-and", "drama", "late_uncertainty", "calibration"],
    },
    Section {
        id: "new-rules",
        title: "What the new rules are used for",
        intro: "How often the moves are played that chess does not have, and what they take, by phase of the game and by the \
                side that went on to win or lose. The boards show where it happens, each player looking from his own side.",
        parts: &[
            "catapult",
            "teleport",
            "placement",
            "attack",
            "defen",
            "new_rule",
            "use_",
            "rule-use",
            "worth",
        ],
    },
    Section {
        id: "superset",
        title: "How much of chess is still there",
        intro: "Is the game chess and something more? Played games of chess are replayed under the other rules, and the \
                networks of both are asked for their moves in the same positions of chess.",
        parts: &["superset", "divergence", "new_move"],
    },
    Section {
        id: "openings",
        title: "Openings",
        intro: "How many openings are there to know? The entropy of the lines that the network would play says how \
                spread they are; the share of plies with a single good move says how much must be known by heart.",
        parts: &["opening", "prior_", "candidate", "second_best", "only_move", "first-moves"],
    },
    Section {
        id: "skill",
        title: "Room for skill",
        intro: "How much better does a player get by thinking twice as long, how many rungs of such steps are there up \
                from random play, and how many moves are there to choose from?",
        parts: &[
            "elo",
            "rung",
            "skill",
            "doubling",
            "branching",
            "decision",
            "tree",
            "legal_moves",
            "ladder",
            "score_x",
        ],
    },
    Section {
        id: "length",
        title: "How long games last",
        intro: "In plies, that is half moves.",
        parts: &["length"],
    },
    Section {
        id: ENDINGS,
        title: "How games end",
        intro: "Wins, draws and the reason of every ending. A game without a winner is not always balanced: weak \
                players also fail to win with a queen more, so undecided games are split by what stood on the board.",
        parts: &[
            "draw",
            "win",
            "decisive",
            "white",
            "black",
            "ending",
            "undecided",
            "hundred_plies",
            "stalemate",
            "repetition",
            "dead",
            "capped",
            "checkmate",
            "balanced",
            "score",
            "loss",
        ],
    },
    Section { id: OTHERS, title: "Other measures", intro: "What belongs in no chapter above.", parts: &[""] },
];

/// The order in which chapters are read; that in which they claim names is [`SECTIONS`].
pub(super) const READING_ORDER: &[&str] = &[
    STRENGTH,
    ENDINGS,
    "length",
    "openings",
    "values",
    "new-rules",
    "superset",
    "comebacks",
    "skill",
    OTHERS,
];

/// The chapter that a metric, figure, table or board of this name stands in.
pub(super) fn section_of(name: &str) -> &'static str {
    let name = name.to_lowercase();
    let claims = |section: &&Section| section.parts.iter().any(|part| name.contains(part));
    SECTIONS.iter().find(claims).map_or(OTHERS, |section| section.id)
}

/// A chapter by its anchor.
pub(super) fn section(id: &str) -> Option<&'static Section> {
    SECTIONS.iter().find(|section| section.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_has_a_chapter_and_every_chapter_is_read() {
        for metric in crate::metrics::METRICS {
            assert_ne!(section_of(metric.id), OTHERS, "{}", metric.id);
        }
        let chapters = ["undecided_lead", "drawn_clock", "new_move_prior", "attacking_lead", "lead_changes"];
        assert_eq!(chapters.map(section_of), [ENDINGS, ENDINGS, "superset", "new-rules", "comebacks"]);
        assert_eq!(READING_ORDER.len(), SECTIONS.len());
        assert!(SECTIONS.iter().all(|section| READING_ORDER.contains(&section.id)));
    }
}
