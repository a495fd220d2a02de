//! The command `catapult judge`: measures a rule's effects by a study from a template.

use crate::progress::Bars;
use anyhow::bail;
use catapult_report::words;
use catapult_rules::Variant;
use catapult_study::rule::RuleTest;
use catapult_study::run as studies;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct JudgeArguments {
    /// Rules to judge: a rules file such as configs/rules/bare.toml, or a name such as
    /// chesspp+bare.
    #[arg(value_parser = crate::variant)]
    rules: Variant,
    /// File of a network, or folder of a finished run. Repeatable. From three on, verdicts are
    /// about their recipe.
    #[arg(long, default_value = "models/all-rules.safetensors")]
    network: Vec<PathBuf>,
    /// Rules that they are compared with, besides chess.
    #[arg(long, default_value = "chesspp", value_parser = crate::variant)]
    against: Variant,
    /// Number of games per network, rule set and level, at least 20.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(20..=1_000_000))]
    games: u64,
    /// Simulations per move, an even number. As many games are played with half of them.
    #[arg(long, default_value_t = 128, value_parser = clap::value_parser!(u32).range(2..))]
    simulations: u32,
    /// Print the expected cost, from a few seconds of play on this machine, and exit.
    #[arg(long)]
    plan: bool,
    /// Folder of the results. The default is judged/RULES. Rerun the command to resume.
    #[arg(short, long, alias = "out", value_parser = crate::folder())]
    output: Option<PathBuf>,
    /// Number of threads; 0 takes all.
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

pub(crate) fn run(arguments: &JudgeArguments) -> anyhow::Result<()> {
    let JudgeArguments { rules, network, against, games, simulations, plan, output, threads } = arguments;
    if let Some(missing) = network.iter().find(|path| !path.exists()) {
        bail!("{}: there is no such file or folder; --network names a network or a run", missing.display());
    }
    let (rules, against, networks) = (*rules, *against, network.clone());
    let (games, simulations, threads) = (*games, *simulations, *threads);
    let study = RuleTest { rules, against, networks, games, simulations, threads }.study()?;
    let dir = output.clone().unwrap_or_else(|| PathBuf::from(format!("judged/{rules}")));
    if *plan {
        say!("{}", catapult_study::plan::plan(&study, &dir)?);
        return Ok(());
    }
    let stop = crate::stop::on_signal()?;
    let named: String = network.iter().map(|path| format!(" --network {}", crate::quoted(path))).collect();
    let mut command = format!(
        "scripts/catapult judge {rules}{named} --against {against} --games {games} --simulations {simulations}"
    );
    if let Some(output) = output {
        command += &format!(" --output {}", crate::quoted(output));
    }
    let results = Bars::new().during(|bars| studies::run(&study, &*dir, &command, bars, stop))?;
    for judgement in results.judgements.iter().filter(|judgement| judgement.effect.is_some()) {
        let (claim, verdict) = (&judgement.endpoint.claim, judgement.verdict);
        say!("{claim}: {verdict}. {}", words::summary(judgement));
    }
    super::study::print_warnings(&results);
    say!("{}", dir.join("report.html").display());
    Ok(())
}
