//! Flat Parquet tables: one value per row and column.

use crate::RecordError;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::path::Path;
use std::sync::Arc;

/// Values of one column, one per row.
#[derive(Clone, PartialEq, Debug)]
pub enum TableColumn {
    /// UTF-8 strings.
    Text(Vec<String>),
    /// Signed 64-bit integers.
    Integers(Vec<i64>),
}

impl TableColumn {
    /// Returns the number of rows.
    fn len(&self) -> usize {
        match self {
            TableColumn::Text(values) => values.len(),
            TableColumn::Integers(values) => values.len(),
        }
    }

    fn kind(&self) -> (&'static str, &'static str) {
        match self {
            TableColumn::Text(_) => ("binary", " (STRING)"),
            TableColumn::Integers(_) => ("int64", ""),
        }
    }
}

/// Writes a Parquet table atomically. `columns` contains names and values. A name consists of
/// lowercase letters, digits and underscores.
///
/// # Errors
/// The columns have different lengths, or the file cannot be written.
pub fn write_table(path: &Path, columns: &[(&str, TableColumn)]) -> std::result::Result<(), RecordError> {
    let bytes = table_bytes(columns).map_err(|error| RecordError::format(path, error))?;
    catapult_store::write_atomically(path, &bytes).map_err(|error| RecordError::io(path, "write", error))
}

fn table_bytes(columns: &[(&str, TableColumn)]) -> Result<Vec<u8>> {
    let rows = columns.first().map_or(0, |(_, column)| column.len());
    if let Some((name, column)) = columns.iter().find(|(_, column)| column.len() != rows) {
        let reason = format!("column {name} has {} rows, the first one {rows}", column.len());
        return Err(ParquetError::General(reason));
    }
    let field = |(name, column): &(&str, TableColumn)| {
        let (kind, annotation) = column.kind();
        format!("required {kind} {name}{annotation};")
    };
    let fields: String = columns.iter().map(field).collect();
    let schema = Arc::new(parse_message_type(&format!("message table {{{fields}}}"))?);
    let properties = WriterProperties::builder()
        .set_created_by("catapult-records".into())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(6)?))
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for (_, column) in columns {
        let Some(mut open) = group.next_column()? else { break };
        match column {
            TableColumn::Text(values) => {
                let values: Vec<ByteArray> = values.iter().map(|text| text.as_str().into()).collect();
                open.typed::<ByteArrayType>().write_batch(&values, None, None)?;
            }
            TableColumn::Integers(values) => {
                open.typed::<Int64Type>().write_batch(values, None, None)?;
            }
        }
        open.close()?;
    }
    group.close()?;
    writer.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    #[test]
    fn a_table_is_read_back_row_by_row() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.parquet");
        let columns = [
            ("arm", TableColumn::Text(vec!["chess".into(), "chesspp".into()])),
            ("plies", TableColumn::Integers(vec![61, -1])),
        ];
        write_table(&path, &columns).unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap()).collect();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1].get_string(0).unwrap(), "chesspp");
        assert_eq!(rows[0].get_long(1).unwrap(), 61);
    }

    #[test]
    fn columns_of_different_lengths_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let columns = [("a", TableColumn::Integers(vec![1])), ("b", TableColumn::Integers(vec![1, 2]))];
        let error = write_table(&dir.path().join("t.parquet"), &columns).unwrap_err().to_string();
        assert!(error.contains("column b has 2 rows, the first one 1"), "{error}");
    }
}
