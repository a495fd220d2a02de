//! Loop over a run's generations.

use crate::evaluate::check_opponents;
use crate::games::{ASKED, KERNEL, on_all_threads, open_tables, play_generation, read_generation};
use crate::learner::{learn, steps, variant_losses};
use crate::logs::Logs;
use crate::progress::{Progress, Watch};
use crate::report::{GamesReport, GenerationReport, Work};
use crate::run::{Run, STATE};
use crate::{TrainConfig, TrainingError};
use catapult_encoding::{Encode, layout};
use catapult_network::{Learner, ModelError, Network, file_hash};
use catapult_records::{GameRecord, Shard, VerifyError};
use catapult_rows::{Row, first_generation, game_rows, window_rows};
use catapult_rules::{Variant, with_variants};
use catapult_seeds::Stream;
use catapult_selfplay::Counters;
use catapult_store::Location;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Trains a run until its last generation is complete. Existing generations and shards are used.
/// Returns the reports of all generations, from 0.
///
/// # Errors
/// [`TrainingError::Stopped`] soon after `stop` becomes true. Finished shards and generations are
/// kept, and repeating the call resumes the run. Other errors name the file or key at fault.
pub fn train(
    config: &TrainConfig,
    location: impl Into<Location>,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Vec<GenerationReport>, TrainingError> {
    train_until(config, location.into(), config.generations, progress, stop)
}

/// Trains a run like [`train`], but at most to generation `last`. A later call can continue the
/// run. The results then equal the results of one call without a pause. Because the function has no
/// generic parameters, training is compiled once here, and not in every crate that calls it.
///
/// # Errors
/// The errors of [`train`].
pub fn train_until(
    config: &TrainConfig,
    location: Location,
    last: u32,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Vec<GenerationReport>, TrainingError> {
    check_opponents(config)?;
    train_on(&open(location, config)?, last, Watch { progress, stop })
}

/// Opens a run for training, like [`Run::open`]. The files that a new run reads are checked before
/// the run is created, because the keys that name them cannot be changed later.
pub(crate) fn open(location: Location, config: &TrainConfig) -> Result<Run, TrainingError> {
    if !Run::exists(&location)? {
        if config.initial.is_some() {
            first_network(config)?;
        }
        open_tables(config, location.dir())?;
    }
    Run::open(location, config)
}

/// Trains an open run like [`train_until`].
pub(crate) fn train_on(
    run: &Run,
    last: u32,
    watch: Watch<'_>,
) -> Result<Vec<GenerationReport>, TrainingError> {
    with_variants!(run.config().variants(), |P, arms| train_games::<P>(run, &arms, last, watch))
}

fn train_games<P: Encode>(
    run: &Run,
    arms: &[(Variant, P::Rules)],
    last: u32,
    watch: Watch<'_>,
) -> Result<Vec<GenerationReport>, TrainingError> {
    let config = run.config();
    let mut reports = Vec::new();
    let mut window = BTreeMap::new();
    if run.report(0)?.is_none() {
        begin(run)?;
    }
    let mut logs = Logs::open(run.dir(), watch.progress)?;
    for generation in 0..=config.generations.min(last) {
        let found = run.report(generation)?;
        let trained = found.is_none();
        let report = match found {
            Some(report) => report,
            None => {
                let report = train_generation::<P>(run, arms, generation, &reports, &mut window, watch)?;
                let report = run.write_report(&report)?;
                run.thin_states(generation)?;
                report
            }
        };
        logs.add(&report, watch.progress)?;
        reports.push(report);
        let of = config.expected_to_end_with(&reports).min(last);
        watch.progress.generation_done(&reports[reports.len() - 1], of, trained);
        if config.ends_with(&reports).is_some() {
            break;
        }
    }
    Ok(reports)
}

/// Returns the network with which training starts: untrained, or from the file `initial`, with the
/// file's hash.
pub(crate) fn first_network(config: &TrainConfig) -> Result<(Network, Option<String>), TrainingError> {
    let weights = Stream::Weights.seed(config.seed);
    // All variants of a run have one layout.
    let layout = layout(config.variants()[0]);
    let Some(file) = &config.initial else {
        return Ok((Network::untrained(config.network.clone(), layout, weights)?, None));
    };
    let network = Network::load(file, &layout)?.grown(&config.network, weights);
    let refused = |error| match error {
        ModelError::BadSize(bad) => TrainingError::config(file, bad.within("network")),
        other => other.into(),
    };
    Ok((network.map_err(refused)?, Some(file_hash(file)?)))
}

/// Creates and publishes generation 0.
fn begin(run: &Run) -> Result<(), TrainingError> {
    let config = run.config();
    let (network, initial) = first_network(config)?;
    let learner = Learner::new(network, config.training_settings(), config.machine.device.choose()?)?;
    let [network, state] = run.write(0, &learner, initial.as_deref())?;
    let report = GenerationReport { initial, network, state: Some(state), ..Default::default() };
    run.write_report(&report).map(drop)
}

fn train_generation<P: Encode>(
    run: &Run,
    arms: &[(Variant, P::Rules)],
    generation: u32,
    reports: &[GenerationReport],
    window: &mut BTreeMap<u32, Vec<Row<P>>>,
    watch: Watch<'_>,
) -> Result<GenerationReport, TrainingError> {
    let config = run.config();
    let began = Instant::now();
    let counters = Arc::new(Counters::default());
    let simulations = config.simulations(generation);
    watch.progress.playing(generation, config.games.per_generation, simulations, &counters);
    let shards = play_generation(run, generation, &counters, watch)?;
    let mut games = GamesReport {
        evaluations: counters.evaluations.load(Ordering::Relaxed),
        cache_hits: counters.cache_hits.load(Ordering::Relaxed),
        seconds: began.elapsed().as_secs_f64(),
        simulations,
        ..Default::default()
    };
    let began = Instant::now();
    let rows = shard_rows::<P>(config, arms, &shards, &mut games)?;
    for kernel in shards.iter().filter_map(|(_, shard)| shard.metadata.get(KERNEL)) {
        *games.kernels.entry(kernel.clone()).or_default() += 1;
    }
    if games.decisive() < 0.5 {
        let (undecided, lead) = (100.0 * (1.0 - games.decisive()), 100.0 * games.lead_share());
        watch.progress.warn(&format!(
            "generation {generation}: {undecided:.0} % of the games have no winner ({lead:.0} % of those end with a decisive \
             material lead); a network that learns from such games may come to predict nothing but draws"
        ));
    }

    let new_rows = rows.len() as u64;
    window.insert(generation, rows);
    let mut rows_by_generation: Vec<u64> =
        reports.iter().filter_map(|r| r.learning.as_ref()).map(|l| l.new_rows).collect();
    rows_by_generation.push(new_rows);
    let first = first_generation(&config.replay_window(), config.games.lag, generation, &rows_by_generation);
    window.retain(|&generation, _| generation >= first);
    for earlier in first..generation {
        if let Entry::Vacant(missing) = window.entry(earlier) {
            let shards = read_generation(run, earlier, watch)?;
            missing.insert(shard_rows::<P>(config, arms, &shards, &mut GamesReport::default())?);
        }
    }
    let size = window_rows(&config.window, rows_by_generation.iter().sum());
    let in_window = window.values().map(Vec::len).sum::<usize>().min(size);
    let work = config.budget.map(|_| {
        let asked = |(_, shard): &(PathBuf, Shard)| shard.metadata.get(ASKED)?.parse::<u64>().ok();
        let asked = shards.iter().filter_map(asked).sum();
        // A batch has at most the samples of the window.
        let batch_rows = config.learning.batch_rows.min(in_window) as u64;
        Work { asked, rows: steps(&config.learning, new_rows, in_window) * batch_rows }
    });
    let spent = config.budget.zip(work).map(|(budget, work)| budget.shares(reports, work));

    let mut learner = Learner::load(
        &run.bring(generation - 1, STATE)?,
        &P::LAYOUT,
        config.training_settings(),
        config.machine.device.choose()?,
    )?;
    let rows: Vec<&Row<P>> = window.values().flatten().collect();
    let rows = &rows[rows.len().saturating_sub(size)..];
    let mut learning = learn(run, &mut learner, generation, (rows, new_rows), spent, watch)?;
    if arms.len() > 1 {
        learning.arms = variant_losses(&learner, arms, &window[&generation])?;
    }
    let initial = reports.first().and_then(|report| report.initial.as_deref());
    let [network, state] = run.write(generation, &learner, initial)?;
    learning.seconds = began.elapsed().as_secs_f64();
    Ok(GenerationReport {
        generation,
        initial: None,
        network,
        state: Some(state),
        games: Some(games),
        learning: Some(learning),
        work,
    })
}

/// Returns the training samples of shards. Adds the statistics of the shards' games to `games`.
fn shard_rows<P: Encode>(
    config: &TrainConfig,
    arms: &[(Variant, P::Rules)],
    shards: &[(PathBuf, Shard)],
    games: &mut GamesReport,
) -> Result<Vec<Row<P>>, TrainingError> {
    let mut rows = Vec::new();
    let targets = config.learning.targets();
    let records =
        shards.iter().flat_map(|(path, shard)| shard.games.iter().map(move |record| (path, record)));
    let records: Vec<_> = records.collect();
    let of_game = |&(path, record): &(&PathBuf, &GameRecord)| {
        rules_of(record, arms)
            .and_then(|rules| game_rows::<P>(record, rules, &config.window, &targets))
            .map_err(|error| TrainingError::Other(format!("{}: {error}", path.display())))
    };
    // Games are replayed on the learner's threads, and counted in order.
    let replay = || Ok(records.par_iter().map(of_game).collect::<Vec<_>>());
    let of_games = on_all_threads(config.machine.learner_threads(), replay)?;
    for (&(_, record), of_game) in records.iter().zip(of_games) {
        let of_game = of_game?;
        games.add(record, &of_game, &config.selfplay);
        if arms.len() > 1 {
            games.arms.entry(record.variant.to_string()).or_default().add(record);
        }
        rows.extend(of_game.rows);
    }
    Ok(rows)
}

/// Returns the rules of a game record's variant. `arms` are the run's variants with their rules.
///
/// # Errors
/// The record's variant is not among `arms`.
pub(crate) fn rules_of<R: Copy>(record: &GameRecord, arms: &[(Variant, R)]) -> Result<R, VerifyError> {
    let arm = arms.iter().find(|(variant, _)| *variant == record.variant);
    arm.map(|&(_, rules)| rules).ok_or_else(|| {
        record.error_at(0, format!("it is of the variant `{}`, which the run does not play", record.variant))
    })
}
