//! The registered parts of a study on which judgements depend. Every choice of a judgement follows
//! from these parts, never from results.

use crate::results::Endpoint;
use catapult_measures::Arm;
use catapult_measures::metrics::is_replayed;
use catapult_rules::{Proposals, Variant};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The registered parts of a study on which its judgements depend.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Design {
    /// All rule sets of the study.
    pub arms: Vec<Arm>,
    /// The rule set that other arms are compared with. `None` if the study has no control.
    pub control: Option<Arm>,
    /// Search levels at which claims can be judged, in simulations per move, weakest first.
    pub levels: Vec<u32>,
    /// Search level at which the early checkpoint plays, in simulations per move.
    pub early: u32,
    /// All registered agents (training recipes).
    pub agents: Vec<Player>,
    /// Names of the reference opponents, all players with fixed strength that the study registers.
    /// A network's strength is its mean Elo against them.
    pub ruler: Vec<String>,
}

/// A registered agent: one training recipe, with one network per training seed.
#[derive(Clone, PartialEq, Debug)]
pub struct Player {
    /// The agent's name in the study's file.
    pub name: String,
    /// The rule sets that the agent plays.
    pub arms: Vec<Arm>,
    /// Number of the agent's networks, one per training seed.
    pub seeds: usize,
}

/// Names of the agent that plays the arm and of the agent that plays its control. The second is
/// `None` if the arm is compared with a fixed value.
pub type Agents<'a> = (&'a str, Option<&'a str>);

impl Design {
    /// Returns the pairs of an arm and its control over which an endpoint is averaged.
    ///
    /// Without `main_effect`, the only pair is the endpoint's own. With `main_effect`, the pairs
    /// are all pairs of arms that differ in the same proposals (optional rules of Chess++) as the
    /// endpoint's pair. The result is then empty if one of the endpoint's arms is not Chess++ or
    /// lacks a kind of move.
    pub fn pairs(&self, endpoint: &Endpoint) -> Vec<(Arm, Option<Arm>)> {
        let (arm, control) = (endpoint.arm, endpoint.control);
        let Some(change) = control.filter(|_| endpoint.main_effect).map(|control| change(arm, control))
        else {
            return vec![(arm, control)];
        };
        let each = |a: &Arm| self.arms.iter().map(|b| (*a, Some(*b))).collect::<Vec<_>>();
        let differ_alike = |(a, b): &(Arm, Option<Arm>)| {
            change.is_some() && b.is_some_and(|b| *a != b && self::change(*a, b) == change)
        };
        self.arms.iter().flat_map(each).filter(differ_alike).collect()
    }

    /// Returns the agents that play the endpoint's arm and its control. `None` if no agent plays
    /// one of them.
    ///
    /// If the endpoint names an agent, only that agent is considered. The pair of agents with the
    /// largest minimum number of networks is chosen. On a tie, one agent that plays both comes
    /// first, then the first pair by name. A main effect needs one agent for both.
    ///
    /// If the arm is compared with a fixed value, the agent with the most networks is chosen. For
    /// metrics of replayed games it must play the study's control, because the replayed games are
    /// the control's.
    pub fn agents<'a>(&'a self, endpoint: &Endpoint) -> Option<Agents<'a>> {
        let pairs = self.pairs(endpoint);
        let named = |player: &&Player| endpoint.agent.as_ref().is_none_or(|name| *name == player.name);
        let arms: BTreeSet<Arm> = pairs.iter().map(|pair| pair.0).collect();
        let controls: BTreeSet<Arm> = pairs.iter().filter_map(|pair| pair.1).collect();
        let who_play = |side: &BTreeSet<Arm>| -> Vec<&'a Player> {
            let plays = |player: &&Player| side.iter().all(|arm| player.arms.contains(arm));
            self.agents.iter().filter(named).filter(plays).collect()
        };
        let (arms, controls) = (who_play(&arms), who_play(&controls));
        if endpoint.control.is_none() {
            // Replays are games of the control, so the measure describes the control's players.
            let arms = match self.control.filter(|_| is_replayed(&endpoint.metric)) {
                Some(control) => who_play(&BTreeSet::from([control])),
                None => arms,
            };
            let best = arms.into_iter().min_by_key(|player| (Reverse(player.seeds), &player.name))?;
            return Some((&best.name, None));
        }
        let both = arms.iter().flat_map(|arm| controls.iter().map(move |control| (*arm, *control)));
        let fits =
            |(arm, control): &(&'a Player, &'a Player)| !endpoint.main_effect || arm.name == control.name;
        let preference = |arm: &'a Player, control: &'a Player| {
            (Reverse(arm.seeds.min(control.seeds)), arm.name != control.name, &arm.name, &control.name)
        };
        let (arm, control) = both.filter(fits).min_by_key(|(arm, control)| preference(arm, control))?;
        Some((&arm.name, Some(&control.name)))
    }
}

/// Returns the options of Chess++ that only the arm has, then the options that only the control has.
/// `None` if one of the two is not Chess++ or lacks a kind of move.
fn change(arm: Arm, control: Arm) -> Option<[Proposals; 2]> {
    let plain = |arm: Arm| arm.without.is_none().then_some(arm.rules);
    let (Variant::ChessPp(arm), Variant::ChessPp(control)) = (plain(arm)?, plain(control)?) else {
        return None;
    };
    Some([arm.without(control), control.without(arm)])
}

#[cfg(test)]
mod tests {
    use super::super::tests::fewer_draws;
    use super::*;

    fn variant(name: &str) -> Arm {
        name.parse().unwrap()
    }

    fn player(name: &str, arms: &[&str], seeds: usize) -> Player {
        Player { name: name.to_owned(), arms: arms.iter().map(|arm| variant(arm)).collect(), seeds }
    }

    #[test]
    fn a_main_effect_is_over_all_pairs_that_differ_alike() {
        let arms = [
            "chess",
            "chesspp",
            "chesspp+free",
            "chesspp+third",
            "chesspp+free+third",
            "chesspp+free+pawns",
            "chesspp+pawns+third",
        ];
        let design = Design { arms: arms.map(variant).to_vec(), ..Default::default() };
        let effect = |arm: &str, control: &str| {
            let (arm, control) = (variant(arm), Some(variant(control)));
            let pairs = design.pairs(&Endpoint { arm, control, main_effect: true, ..fewer_draws(None) });
            pairs.into_iter().map(|(a, b)| format!("{a} {}", b.unwrap())).collect::<Vec<_>>()
        };
        assert_eq!(
            effect("chesspp+free", "chesspp"),
            ["chesspp+free chesspp", "chesspp+free+third chesspp+third"]
        );
        // One proposal replaces another.
        assert_eq!(
            effect("chesspp+free", "chesspp+third"),
            ["chesspp+free chesspp+third", "chesspp+free+pawns chesspp+pawns+third"]
        );
        assert_eq!(effect("chesspp", "chess"), [""; 0]);
        assert_eq!(design.pairs(&fewer_draws(None)), [(variant("chesspp"), Some(variant("chess")))]);
    }

    #[test]
    fn the_agents_with_most_networks_are_compared() {
        let mut design = Design {
            agents: vec![
                player("b", &["chess"], 3),
                player("c", &["chesspp"], 5),
                player("shared", &["chess", "chesspp"], 2),
            ],
            control: Some(variant("chess")),
            ..Default::default()
        };
        assert_eq!(design.agents(&fewer_draws(None)), Some(("c", Some("b"))));
        assert_eq!(design.agents(&fewer_draws(Some(0.5))), Some(("c", None)));
        // Chess games replayed under the arm's rules belong to the agent that plays chess.
        let superset = Endpoint { metric: "superset_plies".to_owned(), ..fewer_draws(Some(0.9)) };
        assert_eq!(design.agents(&superset), Some(("b", None)));
        let named = Endpoint { agent: Some("shared".to_owned()), ..fewer_draws(None) };
        assert_eq!(design.agents(&named), Some(("shared", Some("shared"))));
        // With equal numbers of networks, one agent plays both sides.
        design.agents[2].seeds = 3;
        assert_eq!(design.agents(&fewer_draws(None)), Some(("shared", Some("shared"))));
        design.agents.clear();
        assert_eq!(design.agents(&fewer_draws(None)), None);
    }
}
