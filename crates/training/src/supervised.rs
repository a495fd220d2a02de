//! Supervised learning: trains a network on existing games, from PGN files or from shards of runs.
//!
//! From PGN, the policy learns the moves played and the value learns the results. From shards, both
//! learn the same targets as in a run. With a teacher, they learn the outputs of another network on
//! the same positions (distillation: Hinton et al. 2015). The trained network serves as a baseline
//! for networks that learn only from self-play. It can also be the `initial` network of a run.

use crate::games::on_all_threads;
use crate::learner::{self, make_steps, variant_losses};
use crate::progress::{Progress, Watch};
use crate::report::VariantLosses;
use crate::train::{first_network, rules_of};
use crate::{TrainConfig, TrainingError};
use catapult_encoding::Encode;
use catapult_mcts::{Batch, Evaluator, softmax};
use catapult_network::{
    Device, EvaluatorSettings, Learner, Losses, Network, NetworkEvaluator, file_hash, hash, usable_threads,
};
use catapult_records::{GameRecord, find_shards, read_shard};
use catapult_rows::{Row, game_rows};
use catapult_rules::{
    Color, Move, Outcome, PgnError, PgnGame, PgnReader, PgnResult, Position, Variant, with_variants,
};
use catapult_seeds::Stream;
use catapult_store::{StoreError, unfinished, write_atomically};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Games whose BLAKE3 is below this hexadecimal number are held out: 13 of 256, one in twenty. The
/// network does not learn from these games and is tested on them.
const HELD_OUT: &str = "0d";

/// Result of supervised learning.
#[derive(Clone, Debug)]
pub struct SupervisedReport {
    /// Number of usable games in all sources, including held-out games.
    pub games: u64,
    /// Number of games that could not be used: of another variant, without a result, or unreadable.
    pub skipped: u64,
    /// Number of training samples, except samples of held-out games.
    pub rows: u64,
    /// Number of training steps.
    pub steps: u64,
    /// Mean losses over all steps.
    pub losses: Losses,
    /// Losses on the held-out games, by the name of the variant. With a teacher, the targets are
    /// still the games' own. A hash of start and moves selects about one game in twenty, so copies
    /// of a game are on the same side. Empty if the hash selects no game or all. Then the network
    /// learns from all games.
    pub held_out: BTreeMap<String, VariantLosses>,
    /// BLAKE3 of the network file, in hexadecimal.
    pub network: String,
}

/// Trains a network on the games in `sources` and writes it to the file `output`. A source is a PGN
/// file, a shard, a folder of shards or a run's folder. With a `teacher`, its outputs replace the
/// moves, results and plies left of the games.
///
/// Only these settings of the config apply: `network`, `learning`, `initial`, `seed`, `machine`,
/// the variants and the limits per game in `window`. The network learns from each training sample
/// `learning.passes` times on average. The learning rate falls until the last step.
///
/// # Errors
/// [`TrainingError::Stopped`] soon after `stop` becomes true. Another error if a source cannot be
/// read or has no usable game, if the teacher has another layout, or if `output` exists or can't be
/// written. The error names the file. After an error, `output` is not written.
pub fn learn_from(
    config: &TrainConfig,
    sources: &[PathBuf],
    teacher: Option<&Path>,
    output: &Path,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<SupervisedReport, TrainingError> {
    if output.exists() {
        let text = format!("{} is there already; choose another name", output.display());
        return Err(TrainingError::Other(text));
    }
    // An output that can't be written must not cost the training.
    let probe = unfinished(output);
    let written = write_atomically(&probe, b"").and_then(|()| std::fs::remove_file(&probe));
    written.map_err(|error| StoreError::file(output, error))?;
    with_variants!(config.variants(), |P, arms| {
        Reader::<P> {
            config,
            arms: &arms,
            watch: Watch { progress, stop },
            games: 0,
            skipped: 0,
            rows: Vec::new(),
            held_out: Vec::new(),
        }
        .learn(sources, teacher, output)
    })
}

/// Reader of the sources. It extracts training samples from their games, and counts the games.
struct Reader<'a, P: Position> {
    config: &'a TrainConfig,
    arms: &'a [(Variant, P::Rules)],
    watch: Watch<'a>,
    games: u64,
    skipped: u64,
    rows: Vec<Row<P>>,
    held_out: Vec<Row<P>>,
}

impl<P: Encode> Reader<'_, P> {
    fn learn(
        mut self,
        sources: &[PathBuf],
        teacher: Option<&Path>,
        output: &Path,
    ) -> Result<SupervisedReport, TrainingError> {
        let teacher = teacher
            .map(|file| Ok::<_, TrainingError>((Network::load(file, &P::LAYOUT)?, file_hash(file)?)))
            .transpose()?;
        for source in sources {
            let before = self.games;
            self.read(source)?;
            if self.games == before {
                let (file, variants) = (source.display(), self.config.variant_names());
                let lack = "with a result; a PGN game without the tag Variant is chess";
                return Err(TrainingError::Other(format!("{file}: no game of {variants} {lack}")));
            }
        }
        if self.rows.is_empty() {
            std::mem::swap(&mut self.rows, &mut self.held_out);
        }
        if self.rows.len() < 2 {
            let files: Vec<_> = sources.iter().map(|source| source.display().to_string()).collect();
            let (files, rows) = (files.join(", "), self.rows.len());
            return Err(TrainingError::Other(format!("{files}: {rows} training samples; a batch needs two")));
        }
        let device = self.config.machine.device.choose()?;
        if let Some((teacher, _)) = &teacher {
            self.teach(teacher, device)?;
        }
        let Reader { config, rows, games, skipped, watch, .. } = self;
        let (start, initial) = first_network(config)?;
        let mut learner = Learner::new(start, config.training_settings(), device)?;
        let steps = learner::steps(&config.learning, rows.len() as u64, rows.len()).max(1);
        let mut rng = Pcg64Mcg::seed_from_u64(Stream::Lessons.seed(config.seed));
        watch.progress.learning(1, steps);
        let window: Vec<&Row<P>> = rows.iter().collect();
        let share = |step| step as f64 / steps as f64;
        let (losses, _) = make_steps(&mut learner, &config.learning, &window, steps, &mut rng, share, watch)?;
        let held_out = match self.held_out.as_slice() {
            [] => BTreeMap::new(),
            rows => variant_losses(&learner, self.arms, rows)?,
        };
        let learned = format!("{} positions; {games} games with those held out", rows.len());
        let mut provenance = config.provenance(initial.as_deref());
        provenance.insert("supervised".into(), learned);
        provenance.extend(teacher.map(|(_, hash)| ("teacher".into(), hash)));
        let network = learner.averaged(provenance)?.save(output)?;
        Ok(SupervisedReport { games, skipped, rows: rows.len() as u64, steps, losses, held_out, network })
    }

    /// Replaces the targets of all training samples, except those of held-out games.
    fn teach(&mut self, teacher: &Network, device: Device) -> Result<(), TrainingError> {
        let device = device.playing(&teacher.architecture);
        let (settings, watch) = (EvaluatorSettings::on(device), self.watch);
        let threads = if device.is_cuda() { 1 } else { usable_threads(self.config.machine.threads) };
        let of_thread = self.rows.len().div_ceil(threads).max(1);
        let teach = |rows: &mut [Row<P>]| {
            let mut evaluator = NetworkEvaluator::<P>::new(teacher, settings)?;
            let mut batch = Batch::default();
            for rows in rows.chunks_mut(settings.max_batch) {
                watch.check()?;
                batch.clear();
                for row in &*rows {
                    batch.push(row.position, row.repetitions, &row.moves);
                }
                evaluator.evaluate(&mut batch)?;
                for ((row, leaf), value) in rows.iter_mut().zip(&batch.leaves).zip(&batch.values) {
                    row.policy.copy_from_slice(&batch.logits[leaf.range()]);
                    softmax(&mut row.policy);
                    row.wdl = value.wdl;
                    row.value_weight = 1.0;
                    row.moves_left = Some(value.moves_left);
                }
            }
            Ok(())
        };
        on_all_threads(threads, || self.rows.par_chunks_mut(of_thread).try_for_each(teach))
    }

    fn read(&mut self, source: &Path) -> Result<(), TrainingError> {
        if source.is_dir() {
            let shards = shards_in(source)?;
            if shards.is_empty() {
                return Err(TrainingError::config(
                    source,
                    "no shards (*.parquet) in it, and it is not a run",
                ));
            }
            return shards.iter().try_for_each(|shard| self.read_shard(shard));
        }
        let extension = source.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        match extension.as_deref() {
            Some("parquet") => self.read_shard(source),
            Some("pgn") => self.read_pgn(source),
            _ => {
                let reason = "unknown kind of source; use a PGN file (.pgn), a shard (.parquet), a folder of \
                              shards or a run";
                Err(TrainingError::config(source, reason))
            }
        }
    }

    fn read_shard(&mut self, path: &Path) -> Result<(), TrainingError> {
        for record in read_shard(path)?.games {
            self.add(path, &record)?;
        }
        Ok(())
    }

    fn read_pgn(&mut self, path: &Path) -> Result<(), TrainingError> {
        let file = std::fs::File::open(path).map_err(|e| StoreError::file(path, e))?;
        for game in PgnReader::new(BufReader::new(file)) {
            let recorded = match game {
                Ok(game) => self.record_of(&game),
                Err(PgnError::Io { error, .. }) => return Err(StoreError::file(path, error).into()),
                Err(error) => Err(error.to_string()),
            };
            match recorded {
                Ok(Some(record)) => self.add(path, &record)?,
                Ok(None) => self.skipped += 1,
                Err(reason) => {
                    self.skipped += 1;
                    self.watch.progress.warn(&format!("{}: {reason}", path.display()));
                }
            }
        }
        Ok(())
    }

    /// Converts a PGN game to a record. Its policies are the moves played, and its values are the
    /// result. Returns `None` if the game is of another variant or has no moves or no result.
    /// Returns an error message if the game cannot be replayed.
    fn record_of(&self, game: &PgnGame) -> Result<Option<GameRecord>, String> {
        let variant = game.variant().map_err(|e| format!("game {}, line {}: {e}", game.number, game.line))?;
        if self.arms.iter().all(|arm| arm.0 != variant) {
            return Ok(None);
        }
        let winner = match game.result {
            PgnResult::Unknown => return Ok(None),
            PgnResult::White => Some(Color::White),
            PgnResult::Black => Some(Color::Black),
            PgnResult::Draw => None,
        };
        let played = game.replay_any(variant).map_err(|(_, error)| error.to_string())?;
        let mut position = played.rewound();
        let value = |&mv: &Move| {
            let mover = position.side_to_move();
            position.push(mv);
            match winner {
                None => [0.0, 1.0, 0.0],
                Some(side) if side == mover => [1.0, 0.0, 0.0],
                Some(_) => [0.0, 0.0, 1.0],
            }
        };
        let values: Vec<[f32; 3]> = played.moves().iter().map(value).collect();
        Ok((!values.is_empty()).then(|| GameRecord {
            policies: played.moves().iter().map(|&mv| vec![(mv, 1.0)]).collect(),
            raw_values: values.clone(),
            mean_values: values.clone(),
            values,
            // Most human games end by resignation or agreement, so the number of plies left is
            // unknown.
            outcome: played.outcome().unwrap_or(Outcome::Resignation),
            winner,
            game: game.number as u64,
            seed: game.number as u64,
            ..GameRecord::of_game(&*played)
        }))
    }

    fn add(&mut self, path: &Path, record: &GameRecord) -> Result<(), TrainingError> {
        self.watch.check()?;
        let Ok(rules) = rules_of(record, self.arms) else {
            self.skipped += 1;
            return Ok(());
        };
        let rows = game_rows::<P>(record, rules, &self.config.window, &self.config.learning.targets())
            .map_err(|error| TrainingError::Other(format!("{}: {error}", path.display())))?
            .rows;
        self.games += 1;
        let moves: Vec<u32> = record.moves.iter().map(|mv| mv.bits()).collect();
        let content = hash(format!("{} {moves:?}", record.start_fen).as_bytes());
        let to = if content.as_str() < HELD_OUT { &mut self.held_out } else { &mut self.rows };
        to.extend(rows);
        Ok(())
    }
}

/// Returns the paths of the shards in a folder. If it is a run's folder, returns the shards of all
/// generations.
fn shards_in(dir: &Path) -> Result<Vec<PathBuf>, TrainingError> {
    let mut folders = vec![dir.to_owned()];
    if dir.join("config.toml").exists() {
        folders = (1..)
            .map(|generation| crate::run::generation_dir(dir, generation))
            .take_while(|generation| generation.is_dir())
            // A packed run lacks its early games.
            .map(|generation| generation.join("games"))
            .collect();
    }
    let mut shards = Vec::new();
    for folder in folders {
        shards.extend(find_shards(&folder)?.into_iter().map(|shard| shard.path));
    }
    Ok(shards)
}
