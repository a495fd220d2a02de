//! Rule sets in words.

use catapult_rules::{Proposals, Variant};

/// What a rule set is, in a few words a chess player understands.
pub fn in_words(arm: Variant) -> String {
    let proposals = match arm {
        Variant::Chess => return "standard chess".into(),
        Variant::ChessPp(proposals) => proposals,
        #[allow(unreachable_patterns)]
        other => return other.to_string(),
    };
    let said =
        |(_, proposal): (&str, Proposals)| proposals.contains(proposal).then(|| proposal_in_words(proposal));
    let words: Vec<&str> = Proposals::NAMES.into_iter().filter_map(said).collect();
    match words.split_last() {
        None => "Chess++: two catapults a side, between which pieces teleport".into(),
        Some((last, [])) => format!("Chess++, and {last}"),
        Some((last, others)) => format!("Chess++; {}, and {last}", others.join(", ")),
    }
}

fn proposal_in_words(proposal: Proposals) -> &'static str {
    match proposal {
        Proposals::FREE => "the players place their catapults before the first move",
        Proposals::INSTANT => "a move that ends on an own catapult may go on by teleport at once",
        Proposals::PAWNS => "pawns teleport too",
        Proposals::PROMOTE => "a pawn may promote to a catapult",
        // The only one left of the five.
        _ => "each side has a third catapult",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_proposal_is_named() {
        let words = |name: &str| in_words(name.parse().unwrap());
        assert_eq!(words("chess"), "standard chess");
        assert_eq!(words("chesspp+pawns"), "Chess++, and pawns teleport too");
        assert_eq!(
            words("chesspp+promote+third+pawns"),
            "Chess++; pawns teleport too, a pawn may promote to a catapult, and each side has a third catapult"
        );
        let all: std::collections::BTreeSet<String> =
            Proposals::all_sets().map(|set| in_words(Variant::ChessPp(set))).collect();
        assert_eq!(all.len(), 32);
    }
}
