//! Macros that define metrics, tables and figures as rows.

/// Defines one constant per metric, and a list of all these metrics.
///
/// A row is `CONSTANT: Chapter Unit "id", "name"; "definition";`. After the name, a row may set
/// other fields of [`MetricInfo`](crate::results::MetricInfo), such as `neutral: Some(0.5)` or
/// `phrase: Phrase::Verb("is drawn")`.
macro_rules! metrics {
    ($list:ident = $($metric:ident: $chapter:ident $unit:ident $id:expr, $name:expr $(, $field:ident: $value:expr)*;
        $definition:expr;)+) => {
        $(const $metric: $crate::results::MetricInfo =
            $crate::rows::info!($chapter $unit $id, $name $(, $field: $value)*; $definition);)+

        pub(super) const $list: &[$crate::results::MetricInfo] = &[$($metric),+];
    };
}

/// Builds one [`MetricInfo`](crate::results::MetricInfo). The syntax is a row of `metrics!` without
/// the constant.
macro_rules! info {
    ($chapter:ident $unit:ident $id:expr, $name:expr $(, $field:ident: $value:expr)*; $definition:expr) => {{
        use $crate::results::{Chapter, MetricInfo, Phrase, Unit};
        MetricInfo {
            $($field: $value,)*
            ..MetricInfo {
                id: $id,
                name: $name,
                unit: Unit::$unit,
                chapter: Chapter::$chapter,
                neutral: None,
                phrase: Phrase::Named,
                definition: $definition,
            }
        }
    }};
}

/// Builds a list of `PerGame` metrics. Each row has the syntax of `info!`, followed by a function.
/// The function returns the numerator and the denominator of the metric for one game.
macro_rules! per_game {
    ($($chapter:ident $unit:ident $id:expr, $name:expr $(, $field:ident: $value:expr)*;
        $definition:expr; $parts:expr;)+) => {
        &[$(PerGame {
            info: $crate::rows::info!($chapter $unit $id, $name $(, $field: $value)*; $definition),
            parts: $parts,
        }),+]
    };
}

/// Defines a table of samples. The syntax is
/// `CONSTANT: Chapter "id", "title"; Unit "column", ..; names of the rows; "note";`.
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

/// Defines a figure of curves:
/// `CONSTANT: Chapter Unit "id", "title"; "x", "y"; [curves]; "caption";`.
///
/// Each curve is `curve "id" "name"` or `reference "id" "name"`.
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
