//! Run of a study, from its file to its report.

use crate::StudyError;
use crate::agents::{self, Networks, prepare};
use crate::config::{StudyConfig, StudyFile};
use crate::exam::beside::exams;
use crate::folder::Folder;
use crate::looks::{self, Seeds};
use crate::matches::MatchUnit;
use crate::play::NO_PROGRESS_CAP;
use crate::progress::StudyProgress;
use crate::rows::GameRows;
use crate::stages::stages;
use crate::units::Stage;
use catapult_encoding::layout;
use catapult_judge::results::Withheld;
use catapult_judge::{Case, SIGNIFICANT, alike, judge};
use catapult_measures::Arm;
use catapult_measures::data::{Cell, Checkpoint, NetworkId};
use catapult_measures::metrics::{StudyGames, StudyInput, measure, read_games};
use catapult_measures::results::{Caps, Warning};
use catapult_network::NetworkInfo;
use catapult_records::write_table;
use catapult_report as report;
use catapult_report::examples::Chooser;
use catapult_report::results::{Endpoint, FORMAT, NetworkFile, Provenance, StudyResults, TrainedRun};
use catapult_rules::Variant;
use catapult_store::Location;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Largest relative difference between an agent's and the control's mean spent share of the budget
/// that causes no warning.
const UNEQUAL: f64 = 0.05;

/// Runs a study to its report. Trains its agents or takes existing networks, plays games and
/// matches, computes metrics, judges the claims and writes the report.
///
/// Work already done is reused. The report quotes `command`. While registered seeds are missing,
/// the results are the same as from [`variances`].
///
/// # Errors
/// Returns [`StudyError::Stopped`] soon after `stop` becomes true. Complete units remain, and the
/// same call resumes. Other errors name the file, key or cell.
pub fn run(
    study: &StudyFile,
    location: impl Into<Location>,
    command: &str,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<StudyResults, StudyError> {
    let folder = Folder::open(location, study)?;
    look_at(study, &folder, command, None, progress, stop)
}

/// Runs a study like [`run`], but reports no effects and writes no report.
///
/// The results contain the scatter between training seeds and the number of seeds that each claim
/// needs. The look spends no significance, because effects are withheld.
///
/// # Errors
/// Fails like [`run`].
pub fn variances(
    study: &StudyFile,
    location: impl Into<Location>,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<StudyResults, StudyError> {
    let folder = Folder::open(location, study)?;
    look_at(study, &folder, "", Some(Withheld::VariancesOnly), progress, stop)
}

/// Does the work of [`run`] and [`variances`]. `withheld` is the reason why effects are not
/// reported. `None` reports them.
pub(crate) fn look_at(
    study: &StudyFile,
    folder: &Folder,
    command: &str,
    withheld: Option<Withheld>,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<StudyResults, StudyError> {
    let config = &study.config;
    let tables = study.tables()?;
    if config.ablation.is_some() {
        // An ablation is registered before its training, which is most of its work.
        folder.register()?;
    }
    let networks = prepare(study, folder, progress, stop)?;
    folder.register()?;
    let stage = Stage { config, folder, networks: &networks, tables, progress, stop };
    for plan in stages(config) {
        stage.build(&plan)?;
    }
    let strengths = stage.strengths(MatchUnit::strength(config))?;
    let against_control = stage.strengths(MatchUnit::control(config))?;
    let worth = stage.strengths(MatchUnit::worth(config))?;
    let population = stage.populations()?;
    let endings = stage.endings()?;
    let analyses = stage.analyses()?;
    let claimed: Vec<Arm> = config.endpoints.iter().map(|endpoint| endpoint.arm).collect();
    let cells: Vec<Cell> = config.played_cells().into_iter().map(|(cell, _)| cell).collect();
    let mut games = StudyGames::new(&cells, config.control);
    let mut examples = Chooser::new(&cells, &claimed, config.control, config.games.sampled_plies);
    let mut rows = GameRows::new();
    for cell in &cells {
        let records = stage.cell_games(cell)?;
        let facts = read_games(cell, &records)?;
        facts.iter().enumerate().for_each(|(index, game)| rows.add(cell, index, game));
        examples.add(cell, &records, &facts)?;
        games.add(cell, &records, facts)?;
    }

    let compared = |endpoint: &Endpoint| (endpoint.arm, endpoint.control, endpoint.metric.clone());
    let input = StudyInput {
        analyses: &analyses,
        strengths: &strengths,
        control: &against_control,
        population: &population,
        worth: &worth,
        endings: &endings,
        // The warnings compare the study's games with the training games, so they need games.
        training: if cells.is_empty() { &[] } else { &networks.training },
        caps: Caps { no_progress: Some(NO_PROGRESS_CAP), plies: Some(config.games.ply_cap) },
        endpoints: &config.endpoints.iter().map(compared).collect::<Vec<_>>(),
        deep: &config.deep_levels(),
        sampled_plies: config.games.sampled_plies,
        resampling: config.bootstrap(),
    };
    let measured = measure(&input, games);

    let seeds = Seeds::new(config, &folder.registered_config);
    let withheld = seeds.missing().or(withheld);
    let look = looks::present(config, &networks, withheld.is_some());
    // The look is recorded before any result is shown.
    let registration = looks::record(folder, look, &seeds)?;
    let mut warnings = seeds.warnings();
    warnings.extend(looks::looked_before(&registration).filter(|_| !config.endpoints.is_empty()));
    warnings.extend(unequal(config.ablation.as_ref().map(|plan| plan.control.as_str()), &networks.runs));
    if !folder.changes.is_empty() {
        warnings.push(Warning::FileChanged { changes: folder.changes.clone() });
    }
    let judgements = judge(
        &config.endpoints,
        &Case {
            design: &config.design(&folder.registered_config),
            measures: &measured.measures,
            strengths: &strengths,
            placebos: &measured.placebos,
            // Withheld claims are planned for a single look.
            alpha: if withheld.is_some() { SIGNIFICANT } else { registration.alpha },
            scheme: folder.registered_config.scheme(),
            withheld: withheld.as_ref(),
        },
    );
    // If effects are withheld, only the registration and the needed seeds are reported.
    let found = if withheld.is_some() {
        StudyResults::default()
    } else {
        let measured_warnings = measured.warnings.into_iter().chain(alike(&judgements));
        warnings.splice(0..0, unlearned(config, &networks)?.into_iter().chain(measured_warnings));
        StudyResults {
            measures: measured.measures,
            contrasts: measured.contrasts,
            curves: measured.curves,
            heat_maps: measured.heat_maps,
            tables: measured.tables,
            placebos: measured.placebos,
            strengths,
            against_control,
            population,
            worth,
            endings,
            examples: examples.finish(),
            ..StudyResults::default()
        }
    };
    let results = StudyResults {
        format: FORMAT,
        name: config.name.clone(),
        title: config.title.clone(),
        provenance: provenance(study, folder, &networks, command),
        arms: config.arms.clone(),
        rule: config.rule,
        control_agent: config.ablation.as_ref().map(|plan| plan.control.clone()),
        runs: networks.runs.clone(),
        deep_levels: config.deep_levels(),
        judgements,
        registration,
        exams: exams(&networks, progress)?,
        warnings,
        ..found
    };
    if withheld.is_none() {
        report::write(&results, folder.dir())?;
        write_table(&folder.dir().join("games.parquet"), &rows.games.columns)?;
        write_table(&folder.dir().join("uses.parquet"), &rows.uses.columns)?;
        write_table(&folder.dir().join("match-games.parquet"), &stage.match_games()?)?;
    }
    Ok(results)
}

/// Returns a warning for each arm whose rules some of its networks have not learned, according to
/// their files. A file that does not say what it has learned counts only if a rule is judged.
fn unlearned(config: &StudyConfig, networks: &Networks) -> Result<Vec<Warning>, StudyError> {
    let mut found: BTreeMap<(Arm, bool), Vec<NetworkId>> = BTreeMap::new();
    for (network, arm) in config.pairings(&[], &[]) {
        let info = NetworkInfo::read(&networks.file(&network, Checkpoint::Last)?.path)?;
        let learned = info.provenance.get("variant");
        let is_learned = learned.map_or(config.rule.is_none(), |names| {
            names.split(',').any(|name| name.trim().parse() == Ok(arm.rules))
        });
        if !is_learned {
            let has_options = matches!(arm.rules, Variant::ChessPp(all) if all != all.of_the_paper());
            let unread = has_options && info.layout != layout(arm.rules).name;
            found.entry((arm, unread)).or_default().push(network);
        }
    }
    let warning = |((arm, unread), networks)| Warning::Unlearned { arm, networks, unread };
    Ok(found.into_iter().map(warning).collect())
}

/// Returns a warning for each agent whose mean spent share of the budget differs from the control's
/// by more than [`UNEQUAL`]. `control` is the name of the control agent. Without a control there
/// are no warnings.
fn unequal(control: Option<&str>, runs: &[TrainedRun]) -> Vec<Warning> {
    let mut shares: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    runs.iter().for_each(|run| shares.entry(&run.network.agent).or_default().push(run.spent));
    let mean = |shares: &Vec<f64>| shares.iter().sum::<f64>() / shares.len() as f64;
    let Some(control) = control.and_then(|control| shares.get(control)).map(mean) else { return Vec::new() };
    let means = shares.iter().map(|(agent, shares)| (*agent, mean(shares)));
    let unequal = means.filter(|(_, spent)| (spent / control - 1.0).abs() > UNEQUAL);
    unequal
        .map(|(agent, spent)| Warning::UnequalBudgets { agent: agent.to_owned(), spent, control })
        .collect()
}

fn provenance(study: &StudyFile, folder: &Folder, networks: &Networks, command: &str) -> Provenance {
    let file = |(network, checkpoint, file): (&NetworkId, Checkpoint, &agents::NetworkFile)| NetworkFile {
        network: network.clone(),
        checkpoint,
        hash: file.hash.clone(),
    };
    Provenance {
        command: command.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        file: folder.hash.clone(),
        registered_file: folder.registered.hash.clone(),
        changes: folder.changes.clone(),
        seed: study.config.seed,
        networks: networks.iter().map(file).collect(),
    }
}
