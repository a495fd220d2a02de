//! A macro for tables of network inputs. A table defines name, number, documentation and value of
//! each input in one place.

/// Expands rows `"name" "description" = value;` (or `"name" = value;` for a self-explanatory name)
/// into two items. The first item is a constant with the names, documented as a numbered list. The
/// second item is a function that returns the values. `from LITERAL = EXPRESSION` is the number of
/// the first row. The list uses the literal, and the expression must be equal to it.
macro_rules! rows {
    (
        $(#[$about:meta])*
        $names:ident from $first:literal = $found:expr;
        fn $values:ident($scene:ident: $type:ty) -> $value:ty;
        $($name:literal $($what:literal)? = $of:expr;)*
    ) => {
        $(#[$about])*
        ///
        $(#[doc = concat!($first, ". ", $name $(, ": ", $what)?)])*
        pub const $names: &[&str] = &[$($name),*];

        const _: () = assert!($first == $found, "the number from which the list counts");

        /// Returns the values of all rows of the table, in order.
        #[inline(always)]
        fn $values($scene: $type) -> [$value; $names.len()] {
            [$($of),*]
        }
    };
}

pub(crate) use rows;
