//! Arms of a study: rule sets, optionally without a kind of move.

use catapult_rules::{ForbiddenKind, Variant};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Rule set of a study, optionally without a kind of move. Examples of names are `chesspp` and
/// `chesspp-without-catapult-moves`. A player makes a move of the missing kind only if no other
/// move is legal.
///
/// ```
/// use catapult_measures::Arm;
/// let arm: Arm = "chesspp-without-teleports".parse().unwrap();
/// assert_eq!((arm.rules, arm.to_string().as_str()), ("chesspp".parse().unwrap(), "chesspp-without-teleports"));
/// assert!("chess-without-teleports".parse::<Arm>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Arm {
    /// The rules of the game.
    pub rules: Variant,
    /// Kind of move that players make only if no other move is legal. `None` allows all moves.
    pub without: Option<ForbiddenKind>,
}

/// Text between the rules and the kind of move in an arm's name, as in `chesspp-without-teleports`.
const WITHOUT: &str = "-without-";

impl From<Variant> for Arm {
    fn from(rules: Variant) -> Arm {
        Arm { rules, without: None }
    }
}

impl FromStr for Arm {
    type Err = String;

    fn from_str(name: &str) -> Result<Arm, String> {
        let (rules, kind) =
            name.split_once(WITHOUT).map_or((name, None), |(rules, kind)| (rules, Some(kind)));
        let rules: Variant =
            rules.parse().map_err(|error: catapult_rules::VariantError| error.to_string())?;
        let without = kind.map(str::parse::<ForbiddenKind>).transpose()?;
        match without.filter(|kind| !rules.has_kind(*kind)) {
            Some(kind) => Err(format!("`{name}`: `{rules}` has no {kind}")),
            None => Ok(Arm { rules, without }),
        }
    }
}

impl fmt::Display for Arm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rules)?;
        self.without.map_or(Ok(()), |kind| write!(f, "{WITHOUT}{kind}"))
    }
}

catapult_rules::written_as_text!(Arm);

/// Returns a clause about an arm without this kind of move, such as `neither side moves catapults`.
pub fn neither_side(kind: ForbiddenKind) -> &'static str {
    match kind {
        ForbiddenKind::Teleports => "neither side teleports",
        ForbiddenKind::CatapultMoves => "neither side moves catapults",
        ForbiddenKind::CatapultCaptures => "neither side captures catapults",
    }
}

/// Returns a description of an arm in one or two sentences, for a reader who knows chess.
pub fn in_words(arm: Arm) -> String {
    let rules = rules_in_words(arm.rules);
    arm.without.map_or(rules.clone(), |kind| {
        format!("{rules} In this arm {} unless no other move is legal.", neither_side(kind))
    })
}

fn rules_in_words(rules: Variant) -> String {
    if let Variant::ChessPp(proposals) = rules
        && !proposals.is_empty()
    {
        let words: Vec<String> = proposals.each().into_iter().map(|(_, about)| about).collect();
        return format!("Chess++, and: {}.", words.join("; "));
    }
    rules.start().about().to_owned()
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
        assert_eq!(both, "Chess++, and: pawns also teleport; a pawn may become a catapult.");
        let all: BTreeSet<String> = Variant::all().map(rules_in_words).collect();
        assert_eq!(all.len(), Variant::all().count());
        let options = "Chess++, and: a game is drawn after 60 plies without a reset of the half-move clock; a side that has \
                       moved a catapult may not move one on its next turn; only NB teleport.";
        assert_eq!(words("chesspp+fifty=60+still+teleport=NB"), options);
        let still = words("chesspp-without-catapult-moves");
        let added = " In this arm neither side moves catapults unless no other move is legal.";
        assert_eq!(still, words("chesspp") + added);
    }

    #[test]
    fn names_read_back_and_bad_ones_say_what_is_allowed() {
        for rules in ["chess", "chesspp+free"] {
            for kind in [None, Some(ForbiddenKind::Teleports), Some(ForbiddenKind::CatapultCaptures)] {
                let arm = Arm { rules: rules.parse().unwrap(), without: kind };
                let read = arm.to_string().parse::<Arm>();
                assert_eq!(read.ok(), Some(arm).filter(|_| kind.is_none() || rules != "chess"));
            }
        }
        let error = |name: &str| name.parse::<Arm>().unwrap_err();
        let bad = error("chesspp-without-castling");
        assert!(
            bad.contains("`castling`") && bad.contains("teleports, catapult-moves, catapult-captures"),
            "{bad}"
        );
        assert!(error("chess-without-teleports").contains("`chess` has no teleports"));
        assert!(error("draughts-without-teleports").contains("no game `draughts`"));
    }
}
