//! Macros for tables of metrics. Each metric is one row.

/// Metrics: a constant for each, and the list of all. A row is `CONSTANT: Chapter Unit "id", "name"; "definition";`, with methods of
/// [`MetricInfo`](crate::results::MetricInfo) after the name: `neutral 0.5`, `verb "is drawn"`.
macro_rules! metrics {
    ($list:ident = $($metric:ident: $chapter:ident $unit:ident $id:expr, $name:expr $(, $method:ident $($value:literal)?)*;
        $definition:expr;)+) => {
        $(const $metric: $crate::results::MetricInfo =
            $crate::rows::info!($chapter $unit $id, $name $(, $method $($value)?)*; $definition);)+

        pub(super) const $list: &[$crate::results::MetricInfo] = &[$($metric),+];
    };
}

/// One row of a table of metrics, as above.
macro_rules! info {
    ($chapter:ident $unit:ident $id:expr, $name:expr $(, $method:ident $($value:literal)?)*; $definition:expr) => {{
        use $crate::results::{Chapter, MetricInfo, Unit};
        MetricInfo::new(Chapter::$chapter, Unit::$unit, $id, $name, $definition)$(.$method($($value)?))*
    }};
}

/// Metrics of single games as a list of `PerGame`: the same rows, each with the numerator and the denominator of a game.
macro_rules! per_game {
    ($($chapter:ident $unit:ident $id:expr, $name:expr $(, $method:ident $($value:literal)?)*;
        $definition:expr; $parts:expr;)+) => {
        &[$(PerGame {
            info: $crate::rows::info!($chapter $unit $id, $name $(, $method $($value)?)*; $definition),
            parts: $parts,
        }),+]
    };
}

/// A table of samples: `CONSTANT: Chapter "id", "title"; Unit "column", ..; names of the rows; "note";`.
macro_rules! table {
    ($table:ident: $chapter:ident $id:literal, $title:literal; $($unit:ident $column:literal),+; $rows:expr; $($note:literal;)?) => {
        pub(super) const $table: $crate::results::TableInfo = $crate::results::TableInfo {
            id: $id,
            chapter: $crate::results::Chapter::$chapter,
            title: $title,
            columns: &[$(($column, $crate::results::Unit::$unit)),+],
            rows: $rows,
            note: &[$($note)?],
        };
    };
}

/// A figure of curves: `CONSTANT: Chapter Unit "id", "title"; "x", "y"; [curve "id" "name", reference "id" "name"]; "caption";`.
macro_rules! figure {
    ($figure:ident: $chapter:ident $unit:ident $id:literal, $title:literal; $x:literal, $y:literal;
        [$($kind:ident $series:literal $name:literal),*]; $caption:literal;) => {
        pub(super) const $figure: $crate::results::FigureInfo = $crate::results::FigureInfo {
            id: $id,
            title: $title,
            x: $x,
            y: $y,
            unit: $crate::results::Unit::$unit,
            chapter: $crate::results::Chapter::$chapter,
            series: &[$($crate::results::SeriesInfo::$kind($series, $name)),*],
            caption: $caption,
        };
    };
}

pub(crate) use {figure, info, metrics, per_game, table};
