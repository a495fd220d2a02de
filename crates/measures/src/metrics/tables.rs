//! List of all tables of samples.

use crate::results::TableInfo;

/// Every table, in the order of the report.
pub const TABLES: &[TableInfo] = &[
    super::endings::TABLE,
    super::endings::DRAWS,
    super::first_moves::TABLE,
    super::rule_use::USES,
    super::rule_use::AIMS,
    super::leads::TABLE,
    super::white::TABLE,
    super::piece_values::TABLE,
    super::worth::TABLE,
    super::exact::TABLE,
];

/// Returns the table with this id, or `None` if there is none.
pub fn table(id: &str) -> Option<&'static TableInfo> {
    TABLES.iter().find(|table| table.id == id)
}
