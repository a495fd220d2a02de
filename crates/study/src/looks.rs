//! Record of the looks at a study's results, and the significance level of each look.
//!
//! Looking at results, adding seeds and looking again is a second test. Each computation of results
//! is therefore recorded in the study's folder as a *look*. A look is identified by the parts of the
//! study's file on which results depend, the networks' files and the search levels. Repeating a look
//! does not count.
//!
//! The number of looks need not be fixed in advance. The k-th look gets the significance level
//! alpha / (k (k + 1)). The sum over any number of looks is at most alpha (alpha spending: Lan and
//! DeMets 1983; summable series: Foster and Stine 2008). Alpha applies to all endpoints of a family
//! together. The Benjamini-Hochberg procedure adjusts within the family.
//!
//! If the number of seeds was registered before the first game, claims are judged once, when all
//! seeds are present. This look gets the whole remaining alpha. Before that, and with
//! `--variances`, only the scatter between seeds is reported. Such a look spends nothing.

use crate::StudyError;
use crate::agents::Networks;
use crate::config::{AgentConfig, StudyConfig};
use crate::folder::Folder;
use catapult_judge::SIGNIFICANT;
use catapult_judge::results::{LookTaken, Registration, Withheld};
use catapult_measures::results::Warning;
use catapult_store::{StoreError, json_bytes, read_json, write_json};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Numbers of training seeds that were registered, compared with the seeds that exist.
pub(crate) struct Seeds<'a> {
    config: &'a StudyConfig,
    /// Agents that existed before the first game, with the number of seeds that was registered
    /// then. Empty if no number was registered.
    registered: Vec<(&'a AgentConfig, usize)>,
}

impl<'a> Seeds<'a> {
    /// Compares the seeds of `config` with the number in `registered`, the config before the first
    /// game. A number that was added later is ignored.
    pub(crate) fn new(config: &'a StudyConfig, registered: &StudyConfig) -> Seeds<'a> {
        let number = |agent: &'a AgentConfig| {
            let was_there = registered.agents.iter().any(|before| before.name == agent.name);
            Some((agent, registered.registered_seeds().filter(|_| was_there)?))
        };
        Seeds { config, registered: config.agents.iter().filter_map(number).collect() }
    }

    /// Returns the first agent that lacks registered seeds. `None` if all seeds are present or none
    /// are registered.
    pub(crate) fn missing(&self) -> Option<Withheld> {
        let (agent, number) = self.registered.iter().find(|(agent, number)| agent.seeds.len() < *number)?;
        let (agent, present) = (agent.name.clone(), agent.seeds.len());
        Some(Withheld::MissingSeeds { agent, present, registered: *number })
    }

    /// Returns warnings about agents with more seeds than registered, and about numbers of seeds
    /// set after the first game.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        let beyond = self.registered.iter().filter(|(agent, number)| agent.seeds.len() > *number);
        let more = beyond.map(|(agent, number)| Warning::MoreSeeds {
            agent: agent.name.clone(),
            seeds: agent.seeds.len() as u64,
            registered: *number as u64,
        });
        let without_force = self.config.agents.iter().filter(|agent| {
            self.config.registered_seeds().is_some()
                && !self.registered.iter().any(|(registered, _)| registered.name == agent.name)
        });
        let late = without_force.map(|agent| Warning::LateSeeds { agent: agent.name.clone() });
        more.chain(late).collect()
    }

    /// Returns true if a look included all registered networks. Returns false if no number of seeds
    /// is registered.
    fn are_all_in(&self, look: &LookTaken) -> bool {
        // Counted from the look, because the agent's seeds may have been exchanged since.
        let all_of = |(agent, number): &(&AgentConfig, usize)| {
            let seed = |name: &str| name.strip_prefix(&agent.name)?.strip_prefix('-')?.parse::<u64>().ok();
            look.networks.iter().filter(|name| seed(name).is_some()).count() >= *number
        };
        !self.registered.is_empty() && self.registered.iter().all(all_of)
    }
}

/// Returns the hash of a study's file without title, machine and resampling.
fn hash(config: &StudyConfig) -> String {
    let said = StudyConfig {
        title: String::new(),
        machine: Default::default(),
        resampling: Default::default(),
        ..config.clone()
    };
    // A config read from text can be written as text.
    let said = toml::to_string(&said).unwrap_or_default();
    catapult_network::hash(said.as_bytes())
}

/// Returns a config without the folder of the endgame tablebases and with the agents in order.
fn ordered(config: &StudyConfig) -> StudyConfig {
    let mut said = config.clone();
    if let Some(endings) = &mut said.endings {
        endings.tables = PathBuf::new();
    }
    said.agents.sort_by(|a, b| a.name.cmp(&b.name));
    said
}

/// Returns the present look at a study. Its hash of the study's file does not depend on title,
/// machine, resampling, the folder of the endgame tablebases, the order of agents and the wording
/// of claims.
pub(crate) fn present(config: &StudyConfig, networks: &Networks, variances_only: bool) -> LookTaken {
    let mut said = ordered(config);
    said.endpoints.iter_mut().for_each(|endpoint| endpoint.claim.clear());
    let hashes: BTreeSet<String> = networks.iter().map(|(.., file)| file.hash.clone()).collect();
    let networks: BTreeSet<String> = networks.iter().map(|(network, ..)| network.to_string()).collect();
    let levels: BTreeSet<u32> = config.cells().iter().map(|cell| cell.simulations).collect();
    LookTaken {
        file: hash(&said),
        networks: networks.into_iter().collect(),
        hashes: hashes.into_iter().collect(),
        levels: levels.into_iter().collect(),
        variances_only,
    }
}

/// Returns true if a recorded look is the present one. In looks of earlier versions, the hash of the
/// study's file depends on the claims, and before also on the folder of tablebases and the order of
/// agents. Looks of still earlier versions have no hashes of networks.
fn is_same(look: &LookTaken, present: &LookTaken, config: &StudyConfig) -> bool {
    let LookTaken { file, hashes, .. } = present;
    [file, &hash(&ordered(config)), &hash(config)].contains(&&look.file)
        && (look.hashes == *hashes || look.hashes.is_empty())
        && LookTaken { file: file.clone(), hashes: hashes.clone(), ..look.clone() } == *present
}

/// Records the present look in the study's folder, if it is new. Returns the registration with the
/// significance level of this look.
///
/// # Errors
/// The record cannot be read or written.
pub(crate) fn record(folder: &Folder, present: LookTaken, seeds: &Seeds) -> Result<Registration, StudyError> {
    let mut looks = taken(folder)?;
    match looks.iter().position(|look| is_same(look, &present, seeds.config)) {
        Some(known) => {
            looks[known] = present.clone();
            if !folder.location.is_mirror() {
                write_json(&folder.looks(), &looks)?;
            }
        }
        None => {
            looks.push(present.clone());
            write(folder, &looks)?;
        }
    }
    let alpha = alpha(&looks, &present, |look| seeds.are_all_in(look));
    // The present look comes last.
    looks.retain(|look| *look != present);
    looks.push(present);
    Ok(Registration { hash: folder.registered.hash.clone(), changes: folder.changes.clone(), looks, alpha })
}

/// Returns the recorded looks, oldest first.
fn taken(folder: &Folder) -> Result<Vec<LookTaken>, StudyError> {
    let (path, location) = (folder.looks(), &folder.location);
    if !location.is_mirror() {
        return Ok(if path.exists() { read_json(&path)? } else { Vec::new() });
    }
    let mut looks = Vec::new();
    while location.has(&of_number(folder, looks.len()))? {
        looks.push(read_json(&of_number(folder, looks.len()))?);
    }
    Ok(looks)
}

/// Writes the looks, of which only the last is new. At a URL each look has its own file. Of two
/// simultaneous looks, one fails with [`StoreError::InUse`], so no look is lost.
fn write(folder: &Folder, looks: &[LookTaken]) -> Result<(), StudyError> {
    let Some(last) = looks.last().filter(|_| folder.location.is_mirror()) else {
        return Ok(write_json(&folder.looks(), &looks)?);
    };
    let path = of_number(folder, looks.len() - 1);
    match folder.location.publish(&path, &json_bytes(&path, last)?)? {
        true => Ok(()),
        false => Err(StoreError::InUse(folder.dir().to_owned()).into()),
    }
}

fn of_number(folder: &Folder, number: usize) -> PathBuf {
    folder.dir().join(format!("looks/{number:04}.json"))
}

/// Returns the significance level of the present look. `looks` are in the order in which they were
/// first taken. `is_complete` returns true for a look at all registered seeds. Such a look gets all
/// of the level that is left. A look at variances gets 0.
fn alpha(looks: &[LookTaken], present: &LookTaken, is_complete: impl Fn(&LookTaken) -> bool) -> f64 {
    let mut left = SIGNIFICANT;
    let spending = looks.iter().filter(|look| !look.variances_only);
    for (look, k) in spending.zip(1u32..) {
        let share = SIGNIFICANT / f64::from(k * (k + 1));
        let spent = if is_complete(look) { left } else { share.min(left) };
        if look == present {
            return spent;
        }
        left -= spent;
    }
    0.0
}

/// Returns a warning about earlier looks at effects. `None` if there were none, or if the present
/// look shows no effects.
pub(crate) fn looked_before(registration: &Registration) -> Option<Warning> {
    let (present, before) = registration.looks.split_last()?;
    let before: Vec<&LookTaken> = before.iter().filter(|look| !look.variances_only).collect();
    let last = before.last().filter(|_| !present.variances_only)?;
    let is_new = |network: &&String| !last.networks.contains(network);
    Some(Warning::LookedBefore {
        times: before.len() as u64,
        networks: present.networks.iter().filter(is_new).cloned().collect(),
        levels: present.levels.iter().filter(|level| !last.levels.contains(level)).copied().collect(),
        alpha: registration.alpha,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_stats::testing::close;

    fn look(file: &str, networks: usize, variances_only: bool) -> LookTaken {
        let networks = (1..=networks).map(|seed| format!("rules-{seed}")).collect();
        LookTaken { file: file.to_owned(), networks, hashes: vec![], levels: vec![16, 32], variances_only }
    }

    #[test]
    fn looks_share_the_level_of_significance() {
        let looks = [
            look("a", 3, false),
            look("a", 4, true),
            look("a", 4, false),
            look("b", 4, false),
            look("b", 6, true),
        ];
        let never = |_: &LookTaken| false;
        let of = |i: usize| alpha(&looks, &looks[i], never);
        close(of(0), 0.05 / 2.0, 1e-12);
        close(of(2), 0.05 / 6.0, 1e-12);
        close(of(3), 0.05 / 12.0, 1e-12);
        assert_eq!((of(1), of(4)), (0.0, 0.0), "variances spend nothing and claim nothing");
        // Any number of looks together stays below alpha.
        let many: Vec<LookTaken> = (1..200).map(|n| look("a", n, false)).collect();
        let sum: f64 = many.iter().map(|one| alpha(&many, one, never)).sum();
        assert!(sum < 0.05 && sum > 0.049, "{sum}");
    }

    #[test]
    fn a_registered_set_has_what_is_left_and_leaves_nothing() {
        let complete = |look: &LookTaken| look.networks.len() >= 12;
        let looks = [look("a", 4, true), look("a", 12, false), look("a", 14, false)];
        close(alpha(&looks, &looks[1], complete), 0.05, 1e-12);
        assert_eq!(alpha(&looks, &looks[2], complete), 0.0);
        let early = [look("a", 6, false), look("a", 12, false)];
        close(alpha(&early, &early[1], complete), 0.025, 1e-12);
    }

    /// Exchanging seeds after a complete look must not make that look incomplete.
    #[test]
    fn other_seeds_after_a_complete_look_have_nothing_left() {
        let agent = |seeds: &[u64]| {
            format!(
                "name = 'a'\ntitle = ''\nseed = 1\ncontrol = 'chess'\narms = ['chess']\nregistered.seeds = 4\n\
                 [[agents]]\nname = 'rules'\narms = ['chess']\nseeds = {seeds:?}\ntrain = 'a.toml'\n\
                 [games]\nsimulations = [8]\nper_level = 2\nearly_simulations = 8\n"
            )
        };
        let registered = StudyConfig::parse(&agent(&[1, 2])).unwrap();
        let now = StudyConfig::parse(&agent(&[1, 2, 5, 6])).unwrap();
        let seeds = Seeds::new(&now, &registered);
        let of = |numbers: [u32; 4]| {
            let networks = numbers.map(|number| format!("rules-{number}")).to_vec();
            LookTaken { networks, ..look("a", 0, false) }
        };
        let looks = [of([1, 2, 3, 4]), of([1, 2, 5, 6])];
        let alphas = looks.each_ref().map(|look| alpha(&looks, look, |look| seeds.are_all_in(look)));
        assert_eq!(alphas, [SIGNIFICANT, 0.0]);
        let part = LookTaken { networks: vec!["rules-1".into(), "rules-x-2".into()], ..looks[0].clone() };
        assert!(!seeds.are_all_in(&part));
    }

    /// Results do not depend on the folder of tablebases, the order of agents and the words of claims.
    #[test]
    fn other_paths_another_order_and_other_words_are_the_same_look() {
        let study = |tables: &str, agents: [&str; 2], claim: &str| {
            let agent = |name: &str| {
                format!(
                    "[[agents]]\nname = '{name}'\narms = ['chess']\nseeds = [1]\ntrain = 'a.toml'\n\
                     settings = ['name={name}']\n"
                )
            };
            let agents = agents.map(agent).concat();
            let text = format!(
                "name = 'a'\ntitle = ''\nseed = 1\ncontrol = 'chess'\narms = ['chess']\n{agents}\
                 [games]\nsimulations = [8]\nper_level = 2\nearly_simulations = 8\n\
                 [endings]\ntables = '{tables}'\nendings = ['KRvK']\nsimulations = 8\n\
                 [[endpoints]]\nclaim = '{claim}'\nmetric = 'length'\narm = 'chess'\nagainst = 90.0\n\
                 direction = 'lower'\nsmallest_effect = 5.0\n"
            );
            StudyConfig::parse(&text).unwrap()
        };
        let before = study("a", ["rules", "other"], "shorter");
        let now = study("b", ["other", "rules"], "Shorter");
        let present = |config: &StudyConfig| super::present(config, &Networks::default(), false);
        assert_eq!(present(&before), present(&now));
        // Earlier versions recorded the hash with the claims, and first with the path and the order.
        for file in [hash(&before), hash(&ordered(&before))] {
            let earlier = LookTaken { file, ..present(&before) };
            assert_ne!(earlier, present(&before));
            assert!(is_same(&earlier, &present(&before), &before));
            let other = LookTaken { levels: vec![16], ..earlier };
            assert!(!is_same(&other, &present(&before), &before));
        }
    }

    #[test]
    fn what_was_added_after_looking_is_reported() {
        let taken =
            |looks: &[LookTaken]| Registration { looks: looks.to_vec(), alpha: 0.0083, ..Default::default() };
        assert_eq!(looked_before(&taken(&[look("a", 3, false)])), None);
        assert_eq!(looked_before(&taken(&[look("a", 3, true), look("a", 3, false)])), None);
        let more = LookTaken { levels: vec![16, 32, 64], ..look("a", 4, false) };
        let found = looked_before(&taken(&[look("a", 3, false), more]));
        let networks = vec!["rules-4".to_owned()];
        assert_eq!(
            found,
            Some(Warning::LookedBefore { times: 1, networks, levels: vec![64], alpha: 0.0083 })
        );
        let found = looked_before(&taken(&[look("a", 3, false), look("b", 3, false), look("c", 3, false)]));
        let (networks, levels) = (Vec::new(), Vec::new());
        assert_eq!(found, Some(Warning::LookedBefore { times: 2, networks, levels, alpha: 0.0083 }));
    }
}
