//! Conversion between games and Parquet columns.
//!
//! Nested lists are stored as values with definition and repetition levels (Dremel: Melnik et al.
//! 2010). The definition level of a value inside `n` nested lists is the number of non-empty lists
//! around it. The repetition level is the number of these lists that the value shares with the
//! previous value: 0 starts a new row.

use catapult_rules::{Color, Outcome, Variant};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, FloatType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::RowGroupReader;
use parquet::file::writer::SerializedRowGroupWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, TypePtr};
use std::fmt::Display;
use std::sync::Arc;

use crate::{GameRecord, GameTexts};

/// Columns of format version 1, in the order in which [`write`] writes and [`read`] reads them.
const FIRST_COLUMNS: &str = "
    required binary variant (STRING);
    required int64 game (INTEGER(64, false));
    required int64 seed (INTEGER(64, false));
    optional int64 parent (INTEGER(64, false));
    optional int32 fork_ply (INTEGER(32, false));
    required binary network (STRING);
    required binary start_fen (STRING);
    required binary outcome (STRING);
    optional binary winner (STRING);
    required group moves (LIST) { repeated group list { required binary element (STRING); } }
    required group win (LIST) { repeated group list { required float element; } }
    required group draw (LIST) { repeated group list { required float element; } }
    required group loss (LIST) { repeated group list { required float element; } }
    required group moves_left (LIST) { repeated group list { required float element; } }
    required group policy_moves (LIST) { repeated group list { required group element (LIST) {
        repeated group list { required binary element (STRING); } } } }
    required group policy_probabilities (LIST) { repeated group list { required group element (LIST) {
        repeated group list { required float element; } } } }
";

/// Additional columns of version 2: lists of floats with one value per ply.
const LATER_COLUMNS: [&str; 7] =
    ["raw_win", "raw_draw", "raw_loss", "mean_win", "mean_draw", "mean_loss", "surprise"];

/// Returns the Parquet schema of a format version, 1 or 2.
pub(crate) fn schema(version: u32) -> Result<TypePtr> {
    let mut columns = FIRST_COLUMNS.to_owned();
    for name in LATER_COLUMNS.iter().filter(|_| version > 1) {
        columns += &format!(
            "required group {name} (LIST) {{ repeated group list {{ required float element; }} }}\n"
        );
    }
    Ok(Arc::new(parse_message_type(&format!("message game {{{columns}}}"))?))
}

/// Returns the encoding and compression of the columns.
///
/// - `policy_moves` has no dictionary. The moves of a ply repeat many moves of two plies before.
///   Zstandard finds these repetitions in plain strings but not in dictionary indices.
/// - Float lists with one value per ply use byte stream split, which compresses better.
/// - `policy_probabilities` keeps its dictionary, because [`crate::compact_policy`] leaves few
///   distinct values.
pub(crate) fn properties() -> Result<WriterProperties> {
    let column = |parts: &[&str]| ColumnPath::new(parts.iter().map(|part| part.to_string()).collect());
    let policy_moves = column(&["policy_moves", "list", "element", "list", "element"]);
    let mut builder = WriterProperties::builder()
        .set_created_by("catapult-records".into())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(6)?))
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_data_page_size_limit(8 << 20)
        .set_data_page_row_count_limit(usize::MAX)
        .set_column_dictionary_enabled(policy_moves, false);
    for name in ["win", "draw", "loss", "moves_left"].into_iter().chain(LATER_COLUMNS) {
        let path = column(&[name, "list", "element"]);
        builder = builder
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT);
    }
    Ok(builder.build())
}

/// Values of one column with their definition and repetition levels. A required column has no
/// levels. An optional column has no repetition levels.
struct Column<T> {
    values: Vec<T>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

impl<T> Column<T> {
    fn new() -> Column<T> {
        Column { values: Vec::new(), definition: Vec::new(), repetition: Vec::new() }
    }

    fn required(values: impl Iterator<Item = T>) -> Column<T> {
        Column { values: values.collect(), ..Column::new() }
    }

    fn optional(rows: impl Iterator<Item = Option<T>>) -> Column<T> {
        let mut column = Column::new();
        for row in rows {
            column.definition.push(i16::from(row.is_some()));
            column.values.extend(row);
        }
        column
    }

    fn lists<L: Iterator<Item = T>>(rows: impl Iterator<Item = L>) -> Column<T> {
        let mut column = Column::new();
        for row in rows {
            column.push_list(row, 0, 0);
        }
        column
    }

    fn nested<L: Iterator<Item = T>, M: Iterator<Item = L>>(rows: impl Iterator<Item = M>) -> Column<T> {
        let mut column = Column::new();
        for row in rows {
            let mut repetition = 0;
            for list in row {
                column.push_list(list, 1, repetition);
                repetition = 1;
            }
            if repetition == 0 {
                column.push_list(std::iter::empty(), 0, 0);
            }
        }
        column
    }

    /// Appends one list that lies inside `depth` other lists. `first` is the repetition level of
    /// the list's first entry.
    fn push_list(&mut self, list: impl Iterator<Item = T>, depth: i16, first: i16) {
        let before = self.values.len();
        for value in list {
            let start = self.values.len() == before;
            self.repetition.push(if start { first } else { depth + 1 });
            self.definition.push(depth + 1);
            self.values.push(value);
        }
        if self.values.len() == before {
            self.repetition.push(first);
            self.definition.push(depth);
        }
    }

    fn into_optional(self) -> Vec<Option<T>> {
        let mut values = self.values.into_iter();
        self.definition.iter().map(|&level| if level == 1 { values.next() } else { None }).collect()
    }

    fn into_lists(self) -> Vec<Vec<T>> {
        let mut rows: Vec<Vec<T>> = Vec::new();
        let mut values = self.values.into_iter();
        for (&definition, &repetition) in self.definition.iter().zip(&self.repetition) {
            if repetition == 0 {
                rows.push(Vec::new());
            }
            if definition == 1
                && let Some(row) = rows.last_mut()
            {
                row.extend(values.next());
            }
        }
        rows
    }

    fn into_nested(self) -> Vec<Vec<Vec<T>>> {
        let mut rows: Vec<Vec<Vec<T>>> = Vec::new();
        let mut values = self.values.into_iter();
        for (&definition, &repetition) in self.definition.iter().zip(&self.repetition) {
            if repetition == 0 {
                rows.push(Vec::new());
            }
            let Some(row) = rows.last_mut() else { continue };
            if repetition <= 1 && definition >= 1 {
                row.push(Vec::new());
            }
            if definition == 2
                && let Some(list) = row.last_mut()
            {
                list.extend(values.next());
            }
        }
        rows
    }
}

/// Writes all games into one row group, in the columns of format version 2. `texts` has the texts
/// of each game.
pub(crate) fn write(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    games: &[GameRecord],
    texts: &[GameTexts],
) -> Result<()> {
    let text = |s: &str| ByteArray::from(s);
    put::<ByteArrayType>(group, Column::required(games.iter().map(|g| text(&g.variant.to_string()))))?;
    put::<Int64Type>(group, Column::required(games.iter().map(|g| g.game as i64)))?;
    put::<Int64Type>(group, Column::required(games.iter().map(|g| g.seed as i64)))?;
    put::<Int64Type>(group, Column::optional(games.iter().map(|g| g.parent.map(|p| p as i64))))?;
    put::<Int32Type>(group, Column::optional(games.iter().map(|g| g.fork_ply.map(|p| p as i32))))?;
    put::<ByteArrayType>(group, Column::required(games.iter().map(|g| text(&g.network))))?;
    put::<ByteArrayType>(group, Column::required(games.iter().map(|g| text(&g.start_fen))))?;
    put::<ByteArrayType>(group, Column::required(games.iter().map(|g| text(g.outcome.name()))))?;
    put::<ByteArrayType>(group, Column::optional(games.iter().map(|g| g.winner.map(|w| text(w.name())))))?;
    put::<ByteArrayType>(group, Column::lists(texts.iter().map(|t| t.moves.iter().map(|m| text(m)))))?;
    for i in 0..3 {
        put::<FloatType>(group, Column::lists(games.iter().map(|g| g.values.iter().map(move |v| v[i]))))?;
    }
    put::<FloatType>(group, Column::lists(games.iter().map(|g| g.moves_left.iter().copied())))?;
    let policy_moves = texts.iter().map(|t| t.policies.iter().map(|p| p.iter().map(|(m, _)| text(m))));
    put::<ByteArrayType>(group, Column::nested(policy_moves))?;
    let probabilities = texts.iter().map(|t| t.policies.iter().map(|p| p.iter().map(|(_, p)| *p)));
    put::<FloatType>(group, Column::nested(probabilities))?;
    let raw: fn(&GameRecord) -> &[[f32; 3]] = |g| &g.raw_values;
    for values in [raw, |g| &g.mean_values] {
        for i in 0..3 {
            let values = games.iter().map(|g| values(g).iter().map(move |v| v[i]));
            put::<FloatType>(group, Column::lists(values))?;
        }
    }
    put::<FloatType>(group, Column::lists(games.iter().map(|g| g.surprises.iter().copied())))
}

fn put<D: DataType>(group: &mut SerializedRowGroupWriter<'_, Vec<u8>>, column: Column<D::T>) -> Result<()> {
    let mut writer =
        group.next_column()?.ok_or_else(|| ParquetError::General("more columns than the schema".into()))?;
    let definition = (!column.definition.is_empty()).then_some(column.definition.as_slice());
    let repetition = (!column.repetition.is_empty()).then_some(column.repetition.as_slice());
    writer.typed::<D>().write_batch(&column.values, definition, repetition)?;
    writer.close()
}

/// Reads the games of a row group. The columns that format version 1 lacks become 0 at every ply.
///
/// # Errors
/// The Parquet reader fails, columns have different lengths, a text is not UTF-8, a variant,
/// outcome or winner is unknown, or a start position or move is illegal.
pub(crate) fn read(group: &dyn RowGroupReader, version: u32) -> Result<Vec<GameRecord>> {
    let rows = group.metadata().num_rows() as usize;
    let mut source = Source { group, rows, next: 0 };
    let mut variant = source.take::<ByteArrayType>()?.values.into_iter();
    let mut game = source.take::<Int64Type>()?.values.into_iter();
    let mut seed = source.take::<Int64Type>()?.values.into_iter();
    let mut parent = source.take::<Int64Type>()?.into_optional().into_iter();
    let mut fork_ply = source.take::<Int32Type>()?.into_optional().into_iter();
    let mut network = source.take::<ByteArrayType>()?.values.into_iter();
    let mut start_fen = source.take::<ByteArrayType>()?.values.into_iter();
    let mut outcome = source.take::<ByteArrayType>()?.values.into_iter();
    let mut winner = source.take::<ByteArrayType>()?.into_optional().into_iter();
    let mut moves = source.take::<ByteArrayType>()?.into_lists().into_iter();
    let mut values = source.triples("win, draw, loss")?.into_iter();
    let mut moves_left = source.take::<FloatType>()?.into_lists().into_iter();
    let mut policy_moves = source.take::<ByteArrayType>()?.into_nested().into_iter();
    let mut probabilities = source.take::<FloatType>()?.into_nested().into_iter();
    let mut later = None;
    if version > 1 {
        let raw = source.triples("raw_win, raw_draw, raw_loss")?.into_iter();
        let mean = source.triples("mean_win, mean_draw, mean_loss")?.into_iter();
        later = Some((raw, mean, source.take::<FloatType>()?.into_lists().into_iter()));
    }
    let mut games = Vec::with_capacity(rows.min(1 << 20));
    for _ in 0..rows {
        let number = next(&mut game)? as u64;
        let texts = GameTexts {
            moves: next(&mut moves)?.into_iter().map(string).collect::<Result<_>>()?,
            policies: policies(next(&mut policy_moves)?, next(&mut probabilities)?)?,
        };
        same_length(&[texts.moves.len(), texts.policies.len()], "moves, policy_moves")?;
        let variant: Variant = of_game(number, string(next(&mut variant)?)?.parse())?;
        let start_fen = string(next(&mut start_fen)?)?;
        let mut start = of_game(number, variant.game(Some(&start_fen)))?;
        let found = texts.read(&mut *start).map_err(|(ply, reason)| format!("ply {ply}: {reason}"));
        let (moves, policies) = of_game(number, found)?;
        let (raw_values, mean_values, surprises) = match &mut later {
            Some((raw, mean, surprise)) => (next(raw)?, next(mean)?, next(surprise)?),
            None => (vec![[0.0; 3]; moves.len()], vec![[0.0; 3]; moves.len()], vec![0.0; moves.len()]),
        };
        games.push(GameRecord {
            variant,
            game: number,
            seed: next(&mut seed)? as u64,
            parent: next(&mut parent)?.map(|p| p as u64),
            fork_ply: next(&mut fork_ply)?.map(|p| p as u32),
            network: string(next(&mut network)?)?,
            start_fen,
            outcome: parse_outcome(&string(next(&mut outcome)?)?)?,
            winner: next(&mut winner)?.map(|name| parse_color(&string(name)?)).transpose()?,
            moves,
            values: next(&mut values)?,
            raw_values,
            mean_values,
            surprises,
            moves_left: next(&mut moves_left)?,
            policies,
        });
    }
    Ok(games)
}

/// Returns the value of a column in the next row.
fn next<T>(column: &mut impl Iterator<Item = T>) -> Result<T> {
    column.next().ok_or_else(|| ParquetError::General("a column has fewer rows than the file says".into()))
}

/// Adds the number of the game to an error.
fn of_game<T>(number: u64, found: std::result::Result<T, impl Display>) -> Result<T> {
    found.map_err(|error| ParquetError::General(format!("game {number}: {error}")))
}

fn policies(moves: Vec<Vec<ByteArray>>, probabilities: Vec<Vec<f32>>) -> Result<Vec<Vec<(String, f32)>>> {
    let name = "policy_moves, policy_probabilities";
    same_length(&[moves.len(), probabilities.len()], name)?;
    std::iter::zip(moves, probabilities)
        .map(|(moves, probabilities)| {
            same_length(&[moves.len(), probabilities.len()], name)?;
            std::iter::zip(moves, probabilities).map(|(text, p)| Ok((string(text)?, p))).collect()
        })
        .collect()
}

fn same_length(lengths: &[usize], columns: &str) -> Result<()> {
    if lengths.windows(2).all(|pair| pair[0] == pair[1]) {
        return Ok(());
    }
    Err(ParquetError::General(format!("columns {columns} have lists of different lengths {lengths:?}")))
}

struct Source<'a> {
    group: &'a dyn RowGroupReader,
    rows: usize,
    next: usize,
}

impl Source<'_> {
    /// Reads the next column with all its values.
    fn take<D: DataType>(&mut self) -> Result<Column<D::T>> {
        let reader = self.group.get_column_reader(self.next)?;
        self.next += 1;
        let mut reader = get_typed_column_reader::<D>(reader);
        let mut column = Column::new();
        let Column { values, definition, repetition } = &mut column;
        let mut records = 0;
        while records < self.rows {
            let (read, _, _) =
                reader.read_records(self.rows - records, Some(definition), Some(repetition), values)?;
            if read == 0 {
                break;
            }
            records += read;
        }
        Ok(column)
    }

    /// Reads the next three columns, which hold one float per ply, as lists of triples. `columns`
    /// names them in the error about different lengths.
    fn triples(&mut self, columns: &str) -> Result<Vec<Vec<[f32; 3]>>> {
        let mut lists = || self.take::<FloatType>().map(Column::into_lists);
        let rows = std::iter::zip(lists()?, std::iter::zip(lists()?, lists()?));
        rows.map(|(first, (second, third))| {
            same_length(&[first.len(), second.len(), third.len()], columns)?;
            Ok(std::iter::zip(first, std::iter::zip(second, third)).map(|(a, (b, c))| [a, b, c]).collect())
        })
        .collect()
    }
}

fn string(bytes: ByteArray) -> Result<String> {
    Ok(bytes.as_utf8()?.to_owned())
}

fn parse_color(name: &str) -> Result<Color> {
    let found = Color::ALL.into_iter().find(|color| color.name() == name);
    found.ok_or_else(|| ParquetError::General(format!("winner: `{name}` is neither `white` nor `black`")))
}

fn parse_outcome(name: &str) -> Result<Outcome> {
    let found = Outcome::ALL.into_iter().find(|outcome| outcome.name() == name);
    found.ok_or_else(|| ParquetError::General(format!("outcome: unknown outcome `{name}`")))
}
