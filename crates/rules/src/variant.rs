//! Variants: games with their options, by name.

use crate::games::chess::{Proposal, Proposals};
use crate::{ForbiddenKind, Position};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Defines the list of games, one row per game. A row has an identifier and the game's name. The
/// identifier names both the game in `Variant` and its position type.
///
/// A row of a game with options also has the type of the options and a macro such as
/// `with_chesspp`. That macro selects the position type by the options.
///
/// The leading argument `$` becomes the dollar signs of the inner macro.
macro_rules! games {
    ($d:tt $($(#[$about:meta])* $game:ident $(($chosen:ident: $options:ident, $bind:ident))? $name:literal;)*) => {
        /// A game with its options, written `chess`, `chesspp`, `chesspp+instant+third`, ...
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
            $($(#[$about])* $game $(($options))?,)*
        }

        /// Name of every game, and its variant with no options selected.
        const GAMES: &[(&str, Variant)] = &[$(($name, Variant::$game $(($options::NONE))?)),*];

        impl Variant {
            /// Returns the selected options, or `None` if the game offers no options.
            fn chosen(self) -> Option<Proposals> {
                match self {
                    $(Variant::$game $(($chosen))? => [$(Some($chosen),)? None][0],)*
                }
            }

            /// Returns the game with these options added. Games without options are unchanged.
            fn choose(self, options: Proposals) -> Variant {
                match self {
                    $(Variant::$game $(($chosen))? => Variant::$game $(($chosen.with(options)))?,)*
                }
            }
        }

        /// Evaluates an expression with the position type and the rules of a
        /// [`Variant`](crate::Variant) bound to the given names.
        ///
        /// [`with_chess_rules!`](crate::with_chess_rules) is the form of this macro for chess and
        /// Chess++ only.
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
                    $($crate::Variant::$game $(($chosen))? => {
                        $crate::with_game!($game $(($chosen, $bind))?, |$d position, $d rules| $d body)
                    })*
                }
            };
        }
    };
}

games! { $
    /// Standard chess.
    Chess "chess";
    /// Chess++ with a set of options. The empty set is plain Chess++.
    ChessPp(proposals: Proposals, with_chesspp) "chesspp";
    /// Twenty-First Century Chess.
    Century "century";
    /// Maxim chess.
    Maxim "maxim";
    /// Chess and a Half.
    Half "half";
}

/// Binds the position type and the rules of one game to the given names.
#[doc(hidden)]
#[macro_export]
macro_rules! with_game {
    ($game:ident, |$position:ident, $rules:ident| $body:expr) => {{
        #[allow(dead_code)]
        type $position = $crate::$game;
        let $rules = <$crate::$game as $crate::Position>::Rules::default();
        $body
    }};
    ($game:ident ($chosen:ident, $bind:ident), |$position:ident, $rules:ident| $body:expr) => {
        $crate::$bind!($chosen, |$position, $rules| $body)
    };
}

/// Binds the position type and the rules of Chess++ to the given names. An empty set of proposals
/// selects plain Chess++.
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

/// Evaluates an expression like [`with_variant!`](crate::with_variant), but only for chess and
/// Chess++.
///
/// The result is the expression's value in `Some`, or `None` for other games.
#[macro_export]
macro_rules! with_chess_rules {
    ($variant:expr, |$position:ident, $rules:ident| $body:expr) => {
        match $variant {
            $crate::Variant::Chess => Some($crate::with_game!(Chess, |$position, $rules| $body)),
            $crate::Variant::ChessPp(proposals) => {
                Some($crate::with_chesspp!(proposals, |$position, $rules| $body))
            }
            #[allow(unreachable_patterns)]
            _ => None,
        }
    };
}

/// Evaluates an expression once for several variants of chess and Chess++, with one position type.
///
/// The macro binds a position type and a list of the variants with their rules. A single variant
/// may be any game and has its own position type. Several variants share the type
/// [`AnyChess`](crate::AnyChess). Variants without [`AnyRules`](crate::AnyRules) are then omitted.
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
    /// Returns every game once, with no options selected.
    pub fn games() -> impl Iterator<Item = Variant> + Clone {
        GAMES.iter().map(|(_, game)| *game)
    }

    /// Returns every game with every set of its proposals.
    pub fn all() -> impl Iterator<Item = Variant> {
        Variant::games().flat_map(|game| {
            let has_options = !game.proposals().is_empty();
            let sets = Proposals::all_sets().filter(move |set| has_options || set.is_empty());
            sets.map(move |set| game.choose(set))
        })
    }

    /// Returns true if the game has moves of this kind.
    pub fn has_kind(self, kind: ForbiddenKind) -> bool {
        with_variant!(self, |P, rules| P::is_of_kind(rules, kind).is_some())
    }

    /// Returns the proposals that the game offers, selected or not. The slice is empty if the game
    /// offers no options.
    pub fn proposals(self) -> &'static [Proposal] {
        if self.chosen().is_some() { Proposals::ALL } else { &[] }
    }
}

/// A variant name that is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("variant `{name}`: {reason}; allowed are {}", allowed())]
pub struct VariantError {
    /// Variant name as given by the caller.
    pub name: String,
    /// Reason why the name is invalid.
    pub reason: String,
}

fn allowed() -> String {
    let described = |(name, game): &(&str, Variant)| {
        let mut options: Vec<String> = Vec::new();
        if game.chosen().is_some() {
            options.extend(Proposals::NAMED.iter().map(|option| format!("+{}", option.name)));
            options.extend(Proposals::NUMBERS.iter().map(|option| format!("+{}=NUMBER", option.name)));
            options.extend(Proposals::TEXTS.iter().map(|(name, _, word)| format!("+{name}={word}")));
        }
        if options.is_empty() {
            format!("`{name}`")
        } else {
            format!("`{name}` with any of {}", options.join(", "))
        }
    };
    GAMES.iter().map(described).collect::<Vec<_>>().join("; ")
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(name: &str) -> Result<Variant, VariantError> {
        let error = |reason: String| VariantError { name: name.to_owned(), reason };
        let mut parts = name.split('+');
        let game = parts.next().unwrap_or_default();
        let known = GAMES.iter().find(|(known, _)| *known == game);
        let (_, mut variant) = *known.ok_or_else(|| error(format!("no game `{game}`")))?;
        let mut seen = Vec::new();
        for part in parts {
            if variant.chosen().is_none() {
                return Err(error(format!("`{game}` has no options")));
            }
            let option = Proposals::option(part).ok_or_else(|| error(format!("no option `+{part}`")))?;
            variant = variant.choose(option.map_err(|allowed| error(format!("`+{part}` {allowed}")))?);
            let key = part.split('=').next();
            if seen.contains(&key) {
                return Err(error(format!("`+{}` occurs twice", key.unwrap_or_default())));
            }
            seen.push(key);
        }
        if let Some(reason) = variant.chosen().and_then(|set| set.conflict(seen.contains(&Some("catapults"))))
        {
            return Err(error(reason.to_owned()));
        }
        Ok(variant)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |game: Variant| std::mem::discriminant(&game) == std::mem::discriminant(self);
        let name = GAMES.iter().find(|(_, game)| plain(*game)).map_or("", |(name, _)| name);
        f.write_str(name)?;
        let chosen = self.chosen().unwrap_or_default();
        chosen.each().iter().try_for_each(|(option, _)| write!(f, "+{option}"))
    }
}

written_as_text!(Variant);

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
            ("chesspp+free+free", "`+free` occurs twice"),
        ] {
            assert!(error(name).contains(part), "{}", error(name));
        }
        assert!(error("x").contains("`chess`") && error("x").contains("+third"), "{}", error("x"));
    }
}
