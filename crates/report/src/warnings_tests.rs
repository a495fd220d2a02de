use super::*;
use crate::results::Estimate;
use catapult_measures::data::Checkpoint;

fn sample(arm: &str) -> SampleId {
    SampleId {
        arm: arm.parse().unwrap(),
        agent: "rules".to_owned(),
        checkpoint: Checkpoint::Last,
        simulations: 64,
    }
}

fn networks(seeds: u64) -> Vec<NetworkId> {
    (1..=seeds).map(|seed| NetworkId { agent: "rules".to_owned(), seed }).collect()
}

#[test]
fn what_training_never_met_is_told() {
    let earlier = Warning::TruncatedEarlier {
        networks: networks(12),
        training: Caps { no_progress: Some(60), plies: None },
        study: Caps { no_progress: Some(100), plies: Some(400) },
    };
    assert_eq!(
        warning(&earlier),
        "Training truncated games earlier than this study does: after 60 plies without a reset of the \
         half-move clock, here after 100 plies without a reset of the half-move clock or 400 plies in all \
         (12 networks of `rules`). What happens later is new to these players."
    );
    let outcome = Warning::UnknownOutcome {
        metric: "draw_rate".to_owned(),
        outcome: Outcome::HundredPlies,
        shares: vec![(sample("chess"), 0.025), (sample("chesspp"), 0.1)],
        networks: networks(2),
    };
    assert_eq!(
        warning(&outcome),
        "No game of training ended by the fifty-move rule (rules-1, rules-2). In this study it ended 2.5 % \
         of the games of chess at 64 simulations and 10.0 % of the games of chesspp at 64 simulations, which \
         decides the claim about the draw rate. The difference may come from the training."
    );
}

#[test]
fn moves_without_a_gain_are_unlearned_only_if_the_interval_is_below_0() {
    let of = |rule| {
        let worth = Estimate { value: -30.4, agents: [-40.0, -20.0], rule: Some(rule) };
        let metric = "worth_catapult_moves".to_owned();
        warning(&Warning::Worthless { metric, sample: sample("chesspp"), worth })
    };
    assert_eq!(
        of([-49.0, -11.8]),
        "The worth of moving catapults is below 0 for these players: −30 Elo [−49, −12] \
         (chesspp at 64 simulations). These players have not learned to use the moves."
    );
    assert_eq!(
        of([-80.0, 19.0]),
        "The worth of moving catapults is not shown to be above 0 for these players: −30 Elo \
         [−80, +19] (chesspp at 64 simulations)."
    );
}

#[test]
fn rules_that_training_did_not_have_are_told() {
    let of = |unread| {
        warning(&Warning::Unlearned { arm: sample("chesspp+bare").arm, networks: networks(1), unread })
    };
    assert_eq!(
        of(false),
        "The network file records no training under `chesspp+bare` (rules-1). Players trained with these \
         rules may play differently."
    );
    assert!(
        of(true).contains("(rules-1). The network does not read these options either, so it plays"),
        "{}",
        of(true)
    );
}

#[test]
fn an_unused_rule_is_told_with_its_bound() {
    let of =
        |games| placebo(&Placebo { arm: sample("chesspp+promote").arm, rule: "+promote".to_owned(), games });
    let told = |games: u64, bound: &str| {
        format!(
            "+promote: 0 promotions to a catapult in {games} games (with 95 % confidence there are some in fewer than {bound} of the games)"
        )
    };
    assert_eq!(of(240), told(240, "0.013"));
    assert_eq!(of(2), told(2, "1.5"));
}

#[test]
fn a_look_before_is_told_with_what_was_added() {
    let before_at = |alpha, times, networks: &[&str], levels: &[u32]| {
        warning(&Warning::LookedBefore {
            times,
            networks: networks.iter().map(|name| (*name).to_owned()).collect(),
            levels: levels.to_vec(),
            alpha,
        })
    };
    let before = |times, networks: &[&str], levels: &[u32]| before_at(0.025, times, networks, levels);
    let said = before(1, &["rules-4"], &[64]);
    assert!(said.contains("looked at once before") && said.contains("new: rules-4, level 64"), "{said}");
    let said = before(2, &[], &[]);
    assert!(said.contains("2 times") && said.contains("nothing but the file"), "{said}");
    assert!(said.ends_with("p must be below 0.025."), "{said}");
    let said = before_at(0.0, 1, &[], &[]);
    assert!(said.ends_with("Earlier looks have spent all of it."), "{said}");
}
