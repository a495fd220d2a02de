//! Which game is played, by name.

use crate::chess::Proposals;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A game by its name: `chess`, `chesspp`, `chesspp+instant+third`, ...
///
/// ```
/// use catapult_rules::Variant;
/// let variant: Variant = "chesspp+third+free".parse().unwrap();
/// assert_eq!(variant.to_string(), "chesspp+free+third");
/// assert!("chess+free".parse::<Variant>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Variant {
    /// Standard chess.
    Chess,
    /// Chess++ with a set of proposals, none for the plain game.
    ChessPp(Proposals),
}

/// A variant name that was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "variant `{name}`: {reason}; allowed are `chess` and `chesspp` with any of +free, +instant, +pawns, +promote, +third"
)]
pub struct VariantError {
    /// The name as it was given.
    pub name: String,
    /// What is wrong with it.
    pub reason: String,
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(name: &str) -> Result<Variant, VariantError> {
        let error = |reason: String| VariantError { name: name.to_owned(), reason };
        let mut parts = name.split('+');
        let game = parts.next().unwrap_or("");
        let mut proposals = Proposals::default();
        for option in parts {
            let found = Proposals::NAMES.into_iter().find(|(known, _)| *known == option);
            let (_, proposal) = found.ok_or_else(|| error(format!("no option `+{option}`")))?;
            if proposals.contains(proposal) {
                return Err(error(format!("`+{option}` stands twice")));
            }
            proposals = proposals.with(proposal);
        }
        match game {
            "chess" if proposals.is_empty() => Ok(Variant::Chess),
            "chess" => Err(error("`chess` has no options".to_owned())),
            "chesspp" => Ok(Variant::ChessPp(proposals)),
            _ => Err(error(format!("no game `{game}`"))),
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Variant::Chess => f.write_str("chess"),
            Variant::ChessPp(proposals) => {
                f.write_str("chesspp")?;
                for (name, proposal) in Proposals::NAMES {
                    if proposals.contains(proposal) {
                        write!(f, "+{name}")?;
                    }
                }
                Ok(())
            }
        }
    }
}

impl TryFrom<String> for Variant {
    type Error = VariantError;

    fn try_from(name: String) -> Result<Variant, VariantError> {
        name.parse()
    }
}

impl From<Variant> for String {
    fn from(variant: Variant) -> String {
        variant.to_string()
    }
}

/// Turns a [`Variant`] into types: evaluates the expression with the position's type and the rules' value bound to
/// the names given. The only place where a variant's name becomes a type.
///
/// ```
/// use catapult_rules::{Position, Variant, perft, with_variant};
/// let leaves = |variant: Variant| with_variant!(variant, |P, rules| perft(&P::start(rules), 2));
/// assert_eq!(leaves("chess".parse().unwrap()), 400);
/// assert_eq!(leaves("chesspp+free".parse().unwrap()), 64);
/// ```
#[macro_export]
macro_rules! with_variant {
    ($variant:expr, |$position:ident, $rules:ident| $body:expr) => {
        match $variant {
            $crate::Variant::Chess => {
                #[allow(dead_code)]
                type $position = $crate::Chess;
                let $rules = $crate::Standard;
                $body
            }
            $crate::Variant::ChessPp(proposals) if proposals.is_empty() => {
                #[allow(dead_code)]
                type $position = $crate::ChessPp;
                let $rules = $crate::Plain;
                $body
            }
            $crate::Variant::ChessPp(proposals) => {
                #[allow(dead_code)]
                type $position = $crate::ChessPpProposals;
                let $rules = proposals;
                $body
            }
        }
    };
}
