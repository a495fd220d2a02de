//! The command `catapult serve`: runs the web server.

use crate::compute::ComputeArguments;
use clap::Args;
use std::net::IpAddr;
use std::path::PathBuf;

#[derive(Args)]
#[cfg_attr(not(feature = "server"), allow(dead_code))]
pub(crate) struct ServeArguments {
    /// Port; 0 takes any free one.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Address to listen on instead of loopback, e.g. 0.0.0.0. Remote clients need the token. `serve` has no TLS, so put
    /// a proxy in front.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<IpAddr>,
    /// File with the token, at least 16 characters. Without it, `serve` prints a new token if one is needed.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Name of a proxy in front, as browsers send it, with the port unless it is the usual one. Repeatable.
    #[arg(long, value_name = "NAME", value_parser = parse_host)]
    host: Vec<String>,
    /// Folder of runs to watch.
    #[arg(long, default_value = "runs", value_name = "DIR")]
    runs: PathBuf,
    /// Folder of studies whose reports are shown.
    #[arg(long, default_value = "studies", value_name = "DIR")]
    studies: PathBuf,
    /// File that keeps the games of two people.
    #[arg(long, default_value = "games.sqlite", value_name = "FILE")]
    games: PathBuf,
    /// CSV file to which results of games against the computer are appended: rule set, level, colour, result, plies.
    /// Without it, none are recorded.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Maximum number of concurrent searches.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    searches: u16,
    #[command(flatten)]
    compute: ComputeArguments,
}

fn parse_host(text: &str) -> Result<String, &'static str> {
    if text.contains('/') { Err("must be a name, not a URL") } else { Ok(text.to_owned()) }
}

#[cfg(not(feature = "server"))]
pub(crate) fn run(_: &ServeArguments) -> anyhow::Result<()> {
    anyhow::bail!("serve: this build has no server; build with the feature `server` (scripts/catapult does)")
}

#[cfg(feature = "server")]
pub(crate) fn run(arguments: &ServeArguments) -> anyhow::Result<()> {
    use crate::networks::EMBEDDED;
    use catapult_server::{Config, Limits, serve};
    use std::collections::BTreeMap;
    use std::net::{Ipv4Addr, SocketAddr};
    let address = arguments.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let token = token(arguments, address)?;
    // The map removes duplicates of networks that play several games.
    let networks: BTreeMap<_, _> = EMBEDDED.iter().map(|network| (network.name, network.bytes)).collect();
    let config = Config {
        listen: SocketAddr::new(address, arguments.port),
        token,
        hosts: arguments.host.clone(),
        runs: arguments.runs.clone(),
        studies: arguments.studies.clone(),
        experiments: PathBuf::from("experiments"),
        games: arguments.games.clone(),
        results: arguments.results.clone(),
        networks: networks.into_iter().collect(),
        compute: catapult_network::EvaluatorSettings::on(arguments.compute.device),
        limits: Limits { searches: arguments.searches.into(), ..Limits::default() },
    };
    let stop = crate::stop::on_signal()?;
    serve(config, stop, |address| {
        note!("http://{address}");
        if !address.ip().is_loopback() {
            note!("there is no TLS here: what is sent can be read on the way; put a proxy in front");
        }
    })?;
    Ok(())
}

/// Returns the token that remote clients need. It comes from `--token-file`. Without that option,
/// the function generates and prints a new token if other machines can reach the server, and
/// otherwise returns `None`.
#[cfg(feature = "server")]
fn token(arguments: &ServeArguments, address: IpAddr) -> anyhow::Result<Option<String>> {
    use anyhow::{Context, bail};
    /// Minimum length of a token in characters.
    const SHORTEST: usize = 16;
    if let Some(file) = &arguments.token_file {
        let text =
            std::fs::read_to_string(file).with_context(|| format!("--token-file {}", file.display()))?;
        let token = text.trim();
        let found = token.chars().count();
        if found < SHORTEST {
            let file = file.display();
            bail!("--token-file {file}: the token has {found} characters; it must have at least {SHORTEST}");
        }
        return Ok(Some(token.to_owned()));
    }
    if address.is_loopback() && arguments.host.is_empty() {
        return Ok(None);
    }
    let token = catapult_server::new_token()?;
    note!("the token, which is shown only now: {token}");
    Ok(Some(token))
}
