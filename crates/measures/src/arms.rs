//! Rule sets in words.

use catapult_rules::{Drawn, Variant, with_variant};

/// What a rule set is, in a sentence or two for someone who knows chess.
pub fn in_words(arm: Variant) -> String {
    if let Variant::ChessPp(proposals) = arm
        && !proposals.is_empty()
    {
        let words: Vec<&str> = proposals.each().map(|proposal| proposal.about).collect();
        return format!("Chess++, and: {}.", words.join("; "));
    }
    with_variant!(arm, |P, rules| P::about(rules)).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_rule_set_has_words_of_its_own() {
        let words = |name: &str| in_words(name.parse().unwrap());
        assert_eq!(words("chess"), "Standard (FIDE) chess.");
        let both = words("chesspp+promote+pawns");
        assert_eq!(both, "Chess++, and: pawns teleport, too; a pawn may become a catapult.");
        let all: BTreeSet<String> = Variant::all().map(in_words).collect();
        assert_eq!(all.len(), Variant::all().count());
    }
}
