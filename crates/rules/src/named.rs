//! Enums whose variants have names, and types that files write as text.

/// Declares an enum whose variants have names: one row per variant.
///
/// The enum gets `ALL`, `name` and `Display`, and with `read as` also `FromStr`, whose error names
/// the allowed names.
///
/// ```
/// catapult_rules::named! {
///     /// Side of a board.
///     #[derive(Clone, Copy, PartialEq, Debug)]
///     pub enum Wing {
///         /// The side of the king.
///         King = "kingside",
///         /// The side of the queen.
///         Queen = "queenside",
///     }
///     read as "wing"
/// }
/// assert_eq!("queenside".parse(), Ok(Wing::ALL[1]));
/// let error = "east".parse::<Wing>().unwrap_err();
/// assert_eq!(error, "`east` is not a valid wing; allowed are kingside, queenside");
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$meta:meta])* $vis:vis enum $type:ident {
        $($(#[$of_variant:meta])* $variant:ident = $name:literal,)*
    } $(read as $noun:literal)?) => {
        $(#[$meta])*
        $vis enum $type {
            $($(#[$of_variant])* $variant,)*
        }

        impl $type {
            /// All values, in the order of their declaration.
            #[allow(dead_code)]
            $vis const ALL: [$type; [$($name),*].len()] = [$($type::$variant),*];

            /// Returns the name.
            #[allow(dead_code)]
            $vis const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)*
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        $(
            impl std::str::FromStr for $type {
                type Err = String;

                fn from_str(name: &str) -> Result<$type, String> {
                    let found = $type::ALL.into_iter().find(|value| value.name() == name);
                    let names = || $type::ALL.map($type::name).join(", ");
                    found.ok_or_else(|| format!("`{name}` is not a valid {}; allowed are {}", $noun, names()))
                }
            }
        )?
    };
}

/// Implements conversion from and to `String` by `FromStr` and `Display`, so that
/// `#[serde(try_from = "String", into = "String")]` stores the type as text.
#[macro_export]
macro_rules! written_as_text {
    ($type:ty) => {
        impl TryFrom<String> for $type {
            type Error = <$type as std::str::FromStr>::Err;

            fn try_from(text: String) -> Result<$type, Self::Error> {
                text.parse()
            }
        }

        impl From<$type> for String {
            fn from(value: $type) -> String {
                value.to_string()
            }
        }
    };
}
