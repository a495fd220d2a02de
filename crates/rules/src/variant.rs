//! Which game is played, by name.

use crate::games::chess::Proposals;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The register of games. A game of one rule set is one line here, named alike as a variant and as the type of its
/// positions; Chess++, whose name carries options, stands beside them.
///
/// The `$` handed in first stands for the dollar signs of the macro that is made here.
macro_rules! games {
    ($d:tt $($(#[$about:meta])* $game:ident $name:literal;)*) => {
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
            $($(#[$about])* $game,)*
            /// Chess++ with a set of proposals, none for the plain game.
            ChessPp(Proposals),
        }

        /// The games without options.
        const SIMPLE: &[(&str, Variant)] = &[$(($name, Variant::$game)),*];

        /// Turns a [`Variant`](crate::Variant) into types: evaluates the expression with the position's type and the rules'
        /// value bound to the names given. The only place where a variant's name becomes a type.
        ///
        /// ```
        /// use catapult_rules::{Position, Variant, perft, with_variant};
        /// let leaves = |variant: Variant| with_variant!(variant, |P, rules| perft(&P::start(rules), 2));
        /// assert_eq!(leaves("chess".parse().unwrap()), 400);
        /// assert_eq!(leaves("chesspp+free".parse().unwrap()), 64);
        /// ```
        #[macro_export]
        macro_rules! with_variant {
            ($d variant:expr, |$d position:ident, $d rules:ident| $d body:expr) => {
                match $d variant {
                    $($crate::Variant::$game => {
                        #[allow(dead_code)]
                        type $d position = $crate::$game;
                        let $d rules = <$crate::$game as $crate::Position>::Rules::default();
                        $d body
                    })*
                    $crate::Variant::ChessPp(proposals) => {
                        $crate::with_chesspp!(proposals, |$d position, $d rules| $d body)
                    }
                }
            };
        }
    };
}

games! { $
    /// Standard chess.
    Chess "chess";
    /// Twenty-First Century Chess.
    Century "century";
    /// Maxim chess.
    Maxim "maxim";
    /// Chess and a Half.
    Half "half";
}

/// Chess++ as types: plain, or with proposals chosen at run time. For the macros of this module.
#[doc(hidden)]
#[macro_export]
macro_rules! with_chesspp {
    ($proposals:expr, |$position:ident, $rules:ident| $body:expr) => {
        if $proposals.is_empty() {
            #[allow(dead_code)]
            type $position = $crate::ChessPp;
            let $rules = $crate::Plain;
            $body
        } else {
            #[allow(dead_code)]
            type $position = $crate::ChessPpProposals;
            let $rules = $proposals;
            $body
        }
    };
}

/// The variants of the 8x8 engine as types, as [`with_variant!`](crate::with_variant) does it for all: `Some` of the
/// expression's value, `None` for the other games.
#[macro_export]
macro_rules! with_chess_rules {
    ($variant:expr, |$position:ident, $rules:ident| $body:expr) => {
        match $variant {
            $crate::Variant::Chess => {
                #[allow(dead_code)]
                type $position = $crate::Chess;
                let $rules = $crate::Standard;
                Some($body)
            }
            $crate::Variant::ChessPp(proposals) => {
                Some($crate::with_chesspp!(proposals, |$position, $rules| $body))
            }
            #[allow(unreachable_patterns)]
            _ => None,
        }
    };
}

/// As [`with_variant!`](crate::with_variant) for several variants that share a board ([`AnyRules`](crate::AnyRules)): binds the
/// position's type, and a list of the variants with their rules. A single variant gets its own type. Variants of another board are
/// left out.
///
/// ```
/// use catapult_rules::{Position, Variant, perft, with_variants};
/// let variants: Vec<Variant> = ["chess", "chesspp+free"].map(|name| name.parse().unwrap()).to_vec();
/// let leaves = with_variants!(&variants, |P, arms| {
///     arms.into_iter().map(|(_, rules)| perft(&P::start(rules), 2)).collect::<Vec<_>>()
/// });
/// assert_eq!(leaves, [400, 64]);
/// ```
#[macro_export]
macro_rules! with_variants {
    ($variants:expr, |$position:ident, $arms:ident| $body:expr) => {{
        let variants: &[$crate::Variant] = $variants;
        if let [variant] = *variants {
            $crate::with_variant!(variant, |$position, rules| {
                let $arms = vec![(variant, rules)];
                $body
            })
        } else {
            #[allow(dead_code)]
            type $position = $crate::AnyChess;
            let arm = |&variant: &$crate::Variant| Some((variant, $crate::AnyRules::of(variant)?));
            let $arms: Vec<($crate::Variant, $crate::AnyRules)> = variants.iter().filter_map(arm).collect();
            $body
        }
    }};
}

impl Variant {
    /// Every game once: chess, Chess++ without proposals, and the others.
    pub fn games() -> impl Iterator<Item = Variant> {
        let simple = SIMPLE.iter().map(|(_, variant)| *variant);
        let chesspp = std::iter::once(Variant::ChessPp(Proposals::default()));
        simple.clone().take(1).chain(chesspp).chain(simple.skip(1))
    }

    /// Every game with every set of its options.
    pub fn all() -> impl Iterator<Item = Variant> {
        let simple = SIMPLE.iter().map(|(_, variant)| *variant);
        simple.clone().take(1).chain(Proposals::all_sets().map(Variant::ChessPp)).chain(simple.skip(1))
    }
}

/// A variant name that was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("variant `{name}`: {reason}; allowed are {}", allowed())]
pub struct VariantError {
    /// The name as it was given.
    pub name: String,
    /// What is wrong with it.
    pub reason: String,
}

fn allowed() -> String {
    let simple: Vec<String> = SIMPLE.iter().map(|(name, _)| format!("`{name}`")).collect();
    let options: Vec<String> = Proposals::NAMES.iter().map(|(name, _)| format!("+{name}")).collect();
    format!("{} and `chesspp` with any of {}", simple.join(", "), options.join(", "))
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(name: &str) -> Result<Variant, VariantError> {
        let error = |reason: String| VariantError { name: name.to_owned(), reason };
        let (game, options) =
            name.split_once('+').map_or((name, None), |(game, options)| (game, Some(options)));
        if let Some((_, variant)) = SIMPLE.iter().find(|(known, _)| *known == game) {
            return match options {
                None => Ok(*variant),
                Some(_) => Err(error(format!("`{game}` has no options"))),
            };
        }
        if game != "chesspp" {
            return Err(error(format!("no game `{game}`")));
        }
        let mut proposals = Proposals::default();
        for option in options.into_iter().flat_map(|options| options.split('+')) {
            let found = Proposals::NAMES.into_iter().find(|(known, _)| *known == option);
            let (_, proposal) = found.ok_or_else(|| error(format!("no option `+{option}`")))?;
            if proposals.contains(proposal) {
                return Err(error(format!("`+{option}` stands twice")));
            }
            proposals = proposals.with(proposal);
        }
        Ok(Variant::ChessPp(proposals))
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Variant::ChessPp(proposals) = self else {
            let name = SIMPLE.iter().find(|(_, variant)| variant == self).map_or("", |(name, _)| name);
            return f.write_str(name);
        };
        f.write_str("chesspp")?;
        for (name, proposal) in Proposals::NAMES {
            if proposals.contains(proposal) {
                write!(f, "+{name}")?;
            }
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        let names: Vec<String> = Variant::all().map(|variant| variant.to_string()).collect();
        for (name, variant) in names.iter().zip(Variant::all()) {
            assert_eq!(name.parse(), Ok(variant));
        }
        assert_eq!(names.iter().collect::<std::collections::HashSet<_>>().len(), names.len());
        assert!(Variant::games().all(|game| Variant::all().any(|variant| variant == game)));
        assert_eq!(names[..3], ["chess", "chesspp", "chesspp+free"]);
    }

    #[test]
    fn refusals_say_what_is_allowed() {
        let error = |name: &str| name.parse::<Variant>().unwrap_err().to_string();
        for (name, part) in [
            ("chess+", "`chess` has no options"),
            ("chess+free", "`chess` has no options"),
            ("", "no game ``"),
            ("draughts+free", "no game `draughts`"),
            ("chesspp+", "no option `+`"),
            ("chesspp+x", "no option `+x`"),
            ("chesspp+free+free", "`+free` stands twice"),
        ] {
            assert!(error(name).contains(part), "{}", error(name));
        }
        assert!(error("x").contains("`chess`") && error("x").contains("+third"), "{}", error("x"));
    }
}
