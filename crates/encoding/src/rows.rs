//! Tables of inputs: a row each, from which names, number, documentation and values come.

/// Makes of rows `"name" "what" = value;` (or `"name" = value;`, where the name says it all) a constant with the names, documented
/// as a list that is numbered as the layout numbers its inputs, and a function that gives the values. What the numbers start
/// from is written twice, as a number for the list and as what it is worked out from.
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

        /// The values of the rows.
        #[inline(always)]
        fn $values($scene: $type) -> [$value; $names.len()] {
            [$($of),*]
        }
    };
}

pub(crate) use rows;

/// A condition as an input.
#[inline(always)]
pub(crate) fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}
