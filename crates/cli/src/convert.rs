//! The command `catapult convert`: converts shards, PGN and lists of positions.

use anyhow::{Context, anyhow, bail, ensure};
use catapult_records::{GameRecord, find_shards, read_shard, verify_record};
use catapult_rules::{AnyGame, Epd, PgnError, PgnGame, PgnReader, PgnResult, Variant, is_tag_name};
use catapult_store::write_atomically_with;
use clap::{Args, ValueEnum};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Mark with which some editors begin a text file.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

#[derive(Args)]
pub(crate) struct ConvertArguments {
    /// Records (.parquet, or a folder of them), games (.pgn), positions (.fen, .epd), or `-` for standard input.
    input: PathBuf,
    /// Output format.
    #[arg(long, value_enum, default_value = "pgn")]
    to: Output,
    /// Input format, if the file name does not say it. Standard input is PGN by default.
    #[arg(long, value_enum)]
    from: Option<Input>,
    /// Variant, if the input does not name it. The default is standard chess.
    #[arg(long, value_parser = crate::variant)]
    variant: Option<Variant>,
    /// Positions of each game to write, if the output is FEN or EPD. The default is all.
    #[arg(long, value_enum)]
    positions: Option<Positions>,
    /// Output file. The default is standard output.
    #[arg(short, long, alias = "out")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Input {
    Pgn,
    Fen,
    Epd,
    Records,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Output {
    Pgn,
    Fen,
    Epd,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Positions {
    /// All positions.
    All,
    /// The first position.
    First,
    /// The last position.
    Last,
}

/// Opens a file for reading. The path `-` stands for standard input.
pub(crate) fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(std::io::stdin())));
    }
    ensure!(!path.is_dir(), "{}: is a folder", path.display());
    let file = File::open(path).with_context(|| path.display().to_string())?;
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}

pub(crate) fn run(arguments: &ConvertArguments) -> anyhow::Result<()> {
    let from = arguments.format()?;
    if arguments.to == Output::Pgn && matches!(from, Input::Fen | Input::Epd) {
        bail!("cannot convert positions to PGN; use --to fen or --to epd");
    }
    if arguments.to == Output::Pgn && arguments.positions.is_some() {
        bail!("--positions: PGN has whole games; use --to fen or --to epd");
    }
    let converted = match arguments.output.as_deref().filter(|path| *path != Path::new("-")) {
        None => convert(arguments, from, BufWriter::new(std::io::stdout().lock()))?,
        Some(path) => {
            arguments.check_files(path)?;
            to_file(arguments, from, path).with_context(|| format!("to {}", path.display()))?
        }
    };
    if converted.failed > 0 {
        let what = if matches!(from, Input::Fen | Input::Epd) { "positions" } else { "games" };
        let Converted { done, failed } = converted;
        bail!("{failed} of {} {what} could not be converted", done + failed);
    }
    Ok(())
}

/// Converts the input to a file. If the conversion breaks off, an existing file keeps its contents.
fn to_file(arguments: &ConvertArguments, from: Input, path: &Path) -> anyhow::Result<Converted> {
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        // A device or a pipe has no contents to keep.
        return convert(arguments, from, BufWriter::new(File::create(path)?));
    }
    let mut converted = Converted::default();
    // A symbolic link stays, and its target is written.
    write_atomically_with(&path.canonicalize().unwrap_or(path.to_owned()), |file| {
        converted = convert(arguments, from, BufWriter::new(file)).map_err(std::io::Error::other)?;
        Ok(())
    })?;
    Ok(converted)
}

fn convert(arguments: &ConvertArguments, from: Input, out: impl Write) -> anyhow::Result<Converted> {
    let input = &arguments.input;
    let ConvertArguments { to, variant, .. } = *arguments;
    let positions = arguments.positions.unwrap_or(Positions::All);
    let mut job = Job { out, to, positions, variant, converted: Converted::default() };
    match from {
        Input::Records => job.records(input)?,
        Input::Pgn => job.games(PgnReader::new(open(input)?))?,
        Input::Fen | Input::Epd => job.lines(open(input)?)?,
    }
    let found = job.converted.done + job.converted.failed;
    ensure!(found > 0, "{}: no game or position in it", input.display());
    job.out.flush()?;
    Ok(job.converted)
}

impl ConvertArguments {
    /// Checks that the output's folder and the input exist, and that the input is not the output.
    fn check_files(&self, output: &Path) -> anyhow::Result<()> {
        crate::check_folder(output)?;
        let input = &self.input;
        if input == Path::new("-") {
            return Ok(());
        }
        let read = input.canonicalize().with_context(|| input.display().to_string())?;
        if output.canonicalize().is_ok_and(|output| output == read) {
            bail!("{}: it is the input; choose another output", output.display());
        }
        Ok(())
    }

    /// Returns the format of the input: `--from` if given, or else the format that the file name
    /// implies.
    fn format(&self) -> anyhow::Result<Input> {
        if let Some(from) = self.from {
            return Ok(from);
        }
        let extension = self.input.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
        Ok(match extension.as_str() {
            "parquet" => Input::Records,
            "pgn" => Input::Pgn,
            "fen" => Input::Fen,
            "epd" => Input::Epd,
            _ if self.input == Path::new("-") => Input::Pgn,
            _ if self.input.is_dir() => Input::Records,
            _ => bail!("{}: unknown format; add --from", self.input.display()),
        })
    }
}

/// Numbers of games or positions of the input.
#[derive(Default)]
struct Converted {
    /// Those that were converted.
    done: usize,
    /// Those that could not be converted. They are skipped and reported on standard error.
    failed: usize,
}

/// A conversion in progress.
struct Job<W> {
    out: W,
    to: Output,
    positions: Positions,
    variant: Option<Variant>,
    converted: Converted,
}

impl<W: Write> Job<W> {
    fn fails(&mut self, error: impl std::fmt::Display) {
        self.converted.failed += 1;
        note!("catapult: {error}");
    }

    fn records(&mut self, path: &Path) -> anyhow::Result<()> {
        let shards: Vec<PathBuf> = match path.is_dir() {
            true => find_shards(path)?.into_iter().map(|shard| shard.path).collect(),
            false => vec![path.to_owned()],
        };
        if shards.is_empty() {
            bail!("{}: no records (*.parquet) in it", path.display());
        }
        for path in shards {
            for record in read_shard(&path)?.games {
                let result = PgnResult::new(record.outcome, record.winner);
                match verify_record(&record) {
                    Ok(game) => self.game(record.game, &tags_of(&record), &*game, result)?,
                    Err(error) => self.fails(format!("{}: {error}", path.display())),
                }
            }
        }
        Ok(())
    }

    fn games(&mut self, games: impl Iterator<Item = Result<PgnGame, PgnError>>) -> anyhow::Result<()> {
        for game in games {
            let game = match game {
                Ok(game) => game,
                Err(error @ PgnError::Io { .. }) => return Err(error.into()),
                Err(error) => {
                    self.fails(error);
                    continue;
                }
            };
            let variant = match (game.tag("Variant"), self.variant) {
                (None, Some(variant)) => Ok(variant),
                _ => game.variant(),
            };
            match variant {
                Ok(variant) => match game.replay_any(variant) {
                    Ok(played) => self.game(game.number as u64, &game.tags, &*played, game.result)?,
                    Err((_, error)) => self.fails(error),
                },
                Err(error) => self.fails(format!("game {}, line {}: {error}", game.number, game.line)),
            }
        }
        Ok(())
    }

    fn game(
        &mut self,
        number: u64,
        tags: &[(String, String)],
        game: &dyn AnyGame,
        result: PgnResult,
    ) -> anyhow::Result<()> {
        self.converted.done += 1;
        if self.to == Output::Pgn {
            // Some files have tags whose names PGN does not allow.
            let tags: Vec<_> = tags.iter().filter(|(name, _)| is_tag_name(name)).cloned().collect();
            return Ok(self.out.write_all(game.pgn(&tags, &[], Some(result))?.as_bytes())?);
        }
        let mut at = game.rewound();
        let last = game.moves().len();
        for ply in 0..=last {
            let wanted = match self.positions {
                Positions::All => true,
                Positions::First => ply == 0,
                Positions::Last => ply == last,
            };
            if wanted {
                self.position(&*at, &[("id".to_owned(), format!("game {number}, ply {ply}"))])?;
            }
            if let Some(mv) = game.moves().get(ply) {
                at.push(*mv);
            }
        }
        Ok(())
    }

    /// Writes a position. `operations` are those of EPD. The operations that name the position
    /// follow from the game.
    fn position(&mut self, game: &dyn AnyGame, operations: &[(String, String)]) -> std::io::Result<()> {
        if self.to == Output::Fen {
            return writeln!(self.out, "{}", game.fen());
        }
        let mut epd = Epd::of(&game.fen(), game.variant());
        for (opcode, operand) in operations {
            if !matches!(opcode.as_str(), "hmvc" | "fmvn" | "variant" | "fields") {
                epd.set(opcode, operand);
            }
        }
        writeln!(self.out, "{epd}")
    }

    /// Converts a list of positions, one FEN or EPD per line. Each position is parsed and written
    /// by its variant's rules.
    fn lines(&mut self, mut input: impl BufRead) -> anyhow::Result<()> {
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            // Reads bytes, so that a line that is not UTF-8 does not stop the lines after it. No
            // position needs a megabyte.
            if (&mut input).take(1 << 20).read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            let line = String::from_utf8_lossy(&bytes);
            let line = line.trim_start_matches(BYTE_ORDER_MARK);
            if line.trim().is_empty() {
                continue;
            }
            if let Err(error) = self.line(line) {
                match error.downcast::<std::io::Error>() {
                    Ok(error) => return Err(error.into()),
                    Err(error) => self.fails(format!("line {number}: {error}")),
                }
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> anyhow::Result<()> {
        let epd = Epd::read(line)?;
        let variant = match epd.get("variant") {
            Some(name) => name.parse()?,
            None => self.variant.unwrap_or(Variant::Chess),
        };
        let game = variant.game(Some(&epd.fen())).map_err(|error| anyhow!("as `{variant}`: {error}"))?;
        self.position(&*game, &epd.operations)?;
        self.converted.done += 1;
        Ok(())
    }
}

fn tags_of(record: &GameRecord) -> Vec<(String, String)> {
    let mut tags = vec![
        ("Event", "Catapult self-play".to_owned()),
        ("Round", record.game.to_string()),
        ("White", record.network.clone()),
        ("Black", record.network.clone()),
        ("Outcome", record.outcome.to_string()),
        ("Seed", record.seed.to_string()),
    ];
    if let (Some(parent), Some(ply)) = (record.parent, record.fork_ply) {
        tags.push(("ForkedFrom", format!("game {parent} after {ply} plies")));
    }
    tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(to: Output, positions: Positions) -> Job<Vec<u8>> {
        Job { out: Vec::new(), to, positions, variant: None, converted: Converted::default() }
    }

    fn text(job: Job<Vec<u8>>) -> String {
        String::from_utf8(job.out).unwrap()
    }

    const GAMES: &str = "[White \"A\"]\n\n1. e4 e5 (1... c5) 2. Nf3 {good} *\n\n1. e5 *\n\n[Variant \"chesspp\"]\n\n1. Nc3 d5 2. Bb1t *\n";

    #[test]
    fn games_become_lists() {
        let mut all = job(Output::Fen, Positions::All);
        all.games(PgnReader::new(GAMES.as_bytes())).unwrap();
        assert_eq!((all.converted.done, all.converted.failed), (2, 1));
        let fens = text(all);
        assert_eq!(fens.lines().count(), 4 + 4);
        let last = "rnbqkbnr/ppp1pppp/8/3p4/8/2N5/PPPPPPPP/RBBQK1NR b KQkq - 1 2 b1*f1*/b8*f8*";
        assert_eq!(fens.lines().last(), Some(last));
        let mut ends = job(Output::Epd, Positions::Last);
        ends.games(PgnReader::new(GAMES.as_bytes())).unwrap();
        let epds = text(ends);
        assert_eq!(epds.lines().count(), 2);
        assert!(epds.ends_with("fields \"b1*f1*/b8*f8*\"; id \"game 3, ply 3\";\n"), "{epds}");
        // The conversion back gives the same positions.
        let mut back = job(Output::Fen, Positions::All);
        back.lines(epds.as_bytes()).unwrap();
        let back = text(back);
        assert_eq!(back.lines().last(), Some(last));
    }

    #[test]
    fn bad_lines_are_left_out() {
        let mut list = job(Output::Epd, Positions::All);
        let lines = b"4k3/8/8/8/8/8/8/4K3 w - - 0 1\n\n\xff\n4k3/8/8/8/8/8/8/4K3 w - - id \"b\";\nx w - -\n";
        list.lines(&lines[..]).unwrap();
        assert_eq!((list.converted.done, list.converted.failed), (2, 2));
        assert_eq!(
            text(list),
            "4k3/8/8/8/8/8/8/4K3 w - - hmvc 0; fmvn 1;\n4k3/8/8/8/8/8/8/4K3 w - - hmvc 0; fmvn 1; id \"b\";\n"
        );
    }

    #[test]
    fn records_become_games() {
        let folder = tempfile::tempdir().unwrap();
        let record = |moves: &str| GameRecord {
            game: 7,
            network: "uniform".into(),
            ..GameRecord::of_texts("chesspp".parse().unwrap(), None, moves).unwrap()
        };
        let (mate, cut) = (record("f2f3 e7e5 g2g4 d8h4"), record("b1c3 b8c6 f1b1t"));
        let path =
            catapult_records::write_shard(folder.path(), "games", &[mate, cut], &Default::default()).unwrap();
        let mut games = job(Output::Pgn, Positions::All);
        games.records(&path).unwrap();
        let pgn = text(games);
        assert!(pgn.contains("[Variant \"chesspp\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"), "{pgn}");
        assert!(pgn.contains("[Outcome \"capped\"]") && pgn.ends_with("\n1. Nc3 Nc6 2. Bb1t *\n\n"), "{pgn}");
        let mut again = job(Output::Pgn, Positions::All);
        again.games(PgnReader::new(pgn.as_bytes())).unwrap();
        assert_eq!(text(again), pgn, "what was written is read and written alike");
        let mut last = job(Output::Fen, Positions::Last);
        last.records(folder.path()).unwrap();
        assert_eq!(text(last).lines().count(), 2);
    }
}
