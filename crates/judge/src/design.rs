//! The registered parts of a study on which judgements depend. Every choice of a judgement follows
//! from these parts, never from results.

use crate::results::Endpoint;
use catapult_measures::Arm;
use catapult_measures::metrics::is_replayed;
use std::cmp::Reverse;

/// The registered parts of a study on which its judgements depend.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Design {
    /// The rule set that other arms are compared with. `None` if the study has no control.
    pub control: Option<Arm>,
    /// Search levels at which claims can be judged, in simulations per move, weakest first.
    pub levels: Vec<u32>,
    /// Search level at which the early checkpoint plays, in simulations per move.
    pub early: u32,
    /// All registered agents (training recipes).
    pub agents: Vec<Agent>,
    /// Names of the reference opponents, all players with fixed strength that the study registers.
    /// A network's strength is its mean Elo against them.
    pub reference_opponents: Vec<String>,
}

/// A registered agent: one training recipe, with one network per training seed.
#[derive(Clone, PartialEq, Debug)]
pub struct Agent {
    /// The agent's name in the study's file.
    pub name: String,
    /// The rule sets that the agent plays.
    pub arms: Vec<Arm>,
    /// Number of the agent's networks, one per training seed.
    pub seeds: usize,
}

/// A side of a comparison, which is the arm or its control: a rule set and the name of the agent
/// that plays it. For replayed games it is the agent that plays the control.
pub type Side<'a> = (Arm, &'a str);

impl Design {
    /// Returns the endpoint's arm and its control, each with the agent that plays it. The control is
    /// `None` if the arm is compared with a fixed value. Returns `None` if no agent plays one of
    /// them.
    ///
    /// If the endpoint names an agent, only that agent is considered. The pair of agents with the
    /// largest minimum number of networks is chosen. On a tie, one agent that plays both comes
    /// first, then the first pair by name.
    ///
    /// If the arm is compared with a fixed value, the agent with the most networks is chosen. For
    /// metrics of replayed games it must play the study's control, because the replayed games are
    /// the control's.
    pub fn sides<'a>(&'a self, endpoint: &Endpoint) -> Option<(Side<'a>, Option<Side<'a>>)> {
        let named = |player: &&Agent| endpoint.agent.as_ref().is_none_or(|name| *name == player.name);
        let who_play = |arm: Arm| -> Vec<&'a Agent> {
            let plays = |player: &&Agent| player.arms.contains(&arm);
            self.agents.iter().filter(named).filter(plays).collect()
        };
        let Some(control) = endpoint.control else {
            // Replays are games of the control, so the measure describes the control's players.
            let replayed = self.control.filter(|_| is_replayed(&endpoint.metric));
            let players = who_play(replayed.unwrap_or(endpoint.arm));
            let best = players.into_iter().min_by_key(|player| (Reverse(player.seeds), &player.name))?;
            return Some(((endpoint.arm, &best.name), None));
        };
        let (arms, controls) = (who_play(endpoint.arm), who_play(control));
        let both = arms.iter().flat_map(|arm| controls.iter().map(move |control| (*arm, *control)));
        let preference = |arm: &'a Agent, control: &'a Agent| {
            (Reverse(arm.seeds.min(control.seeds)), arm.name != control.name, &arm.name, &control.name)
        };
        let (by_arm, by_control) = both.min_by_key(|(arm, control)| preference(arm, control))?;
        Some(((endpoint.arm, &by_arm.name), Some((control, &by_control.name))))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::fewer_draws;
    use super::*;

    fn variant(name: &str) -> Arm {
        name.parse().unwrap()
    }

    fn player(name: &str, arms: &[&str], seeds: usize) -> Agent {
        Agent { name: name.to_owned(), arms: arms.iter().map(|arm| variant(arm)).collect(), seeds }
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
        let [chess, chesspp] = ["chess", "chesspp"].map(variant);
        assert_eq!(design.sides(&fewer_draws(None)), Some(((chesspp, "c"), Some((chess, "b")))));
        assert_eq!(design.sides(&fewer_draws(Some(0.5))), Some(((chesspp, "c"), None)));
        // Chess games replayed under the arm's rules belong to the agent that plays chess.
        let superset = Endpoint { metric: "superset_plies".to_owned(), ..fewer_draws(Some(0.9)) };
        assert_eq!(design.sides(&superset), Some(((chesspp, "b"), None)));
        let named = Endpoint { agent: Some("shared".to_owned()), ..fewer_draws(None) };
        let shared = ((chesspp, "shared"), Some((chess, "shared")));
        assert_eq!(design.sides(&named), Some(shared));
        // With equal numbers of networks, one agent plays both sides.
        design.agents[2].seeds = 3;
        assert_eq!(design.sides(&fewer_draws(None)), Some(shared));
        design.agents.clear();
        assert_eq!(design.sides(&fewer_draws(None)), None);
    }
}
