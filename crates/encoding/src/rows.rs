//! Tables of inputs that define names, numbers, documentation and values in one place.

/// Expands rows `"name" "description" = value;` (or `"name" = value;` for a self-explanatory name)
/// into two items. One is a constant with the names, documented as a numbered list. The other is a
/// function that returns the values. The number of the first row is given twice: as a literal for
/// the list and as the expression that it must equal.
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

        /// Values of the rows.
        #[inline(always)]
        fn $values($scene: $type) -> [$value; $names.len()] {
            [$($of),*]
        }
    };
}

pub(crate) use rows;

/// Converts a condition into an input of 0 or 1.
#[inline(always)]
pub(crate) fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}
