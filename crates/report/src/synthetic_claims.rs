//! Synthetic claim for tests, with every part that a report can show, and a registration with
//! looks.

use super::{contrast, judgement, sample, variant};
use crate::results::*;
use catapult_measures::data::Checkpoint;
use catapult_store::Difference;

/// Returns a claim about networks that played both rule sets. It has every part that a report can
/// show.
pub(super) fn paired() -> Judgement {
    let mut judgement = judgement("longer games with instant teleports", "game_length", 3, Verdict::Open);
    judgement.endpoint.levels = vec![32, 64, 128];
    judgement.endpoint.smallest_effect = 8.0;
    judgement.endpoint.family = Some("proposals".to_owned());
    let values = [14.0, 22.5, -3.0, 9.0, 31.0, 12.5, 6.0, 18.0];
    judgement.seeds = (1..)
        .zip(values)
        .map(|(seed, value)| SeedEffect { seed, value, error: 3.0 + 0.5 * seed as f64 })
        .collect();
    let between = |value: f64, half: f64, arm: u32, control: u32| Contrast {
        arm: sample("chesspp+instant", "all-proposals", (Checkpoint::Last, arm)),
        control: Some(sample("chess", "all-proposals", (Checkpoint::Last, control))),
        difference: Estimate {
            value,
            agents: [value - half, value + half],
            rule: Some([value - 2.0 * half, value + 2.0 * half]),
        },
        ..contrast("game_length", 3, 4)
    };
    judgement.levels =
        vec![between(20.0, 5.0, 32, 32), between(12.0, 5.0, 64, 64), between(9.0, 5.0, 128, 128)];
    judgement.effect = Some(between(13.75, 4.3, 128, 128));
    judgement.sensitivity = vec![between(16.0, 5.0, 64, 128), between(-4.0, 6.0, 256, 128)];
    let robustness = &mut judgement.robustness;
    (robustness.all_levels, robustness.strongest) =
        (Some(between(16.5, 4.0, 128, 128)), Some(between(9.0, 5.0, 128, 128)));
    let left_out = |(seed, value): (u64, f64)| WithoutSeed {
        seed,
        value: (8.0 * 13.75 - value) / 7.0,
        rule: Some([if seed == 5 { -0.4 } else { 2.0 }, 24.0]),
    };
    robustness.without = (1..).zip(values).map(left_out).collect();
    judgement.matched = None;
    let gate = |kind: GateKind, found: Option<(f64, f64)>, passed: Option<bool>| Gate {
        kind,
        value: found.map(|(value, _)| value),
        interval: found.map(|(value, half)| [value - half, value + half]),
        threshold: Some(0.0),
        passed,
        power: Some(0.62),
        seeds: Some(SeedsNeeded { estimate: 14, low: 8, high: Some(41) }),
        scatter: Some(Scatter { spread: (4.3, 7.0), least: 2.0, networks: 8, sides: 1 }),
    };
    let no_matches = Unmatched::NoMatches { arm: variant("chess"), agent: "all-proposals".to_owned() };
    judgement.gates = vec![
        Gate {
            value: Some(0.012),
            interval: Some([5.15, 22.35]),
            threshold: Some(0.031),
            ..gate(GateKind::Significant, None, Some(true))
        },
        gate(GateKind::Sign { at: Place::Level(64) }, Some((12.0, 10.0)), Some(true)),
        gate(
            GateKind::Budget { times: Times::Twice, levels: vec![(256, 128)] },
            Some((-4.0, 12.0)),
            Some(false),
        ),
        gate(GateKind::EqualStrength { unmatched: Some(no_matches) }, None, None),
    ];
    judgement.tests = 1;
    judgement.networks = 8;
    judgement
}

pub(super) fn registration() -> Registration {
    let look = |levels: &[u32], variances_only| LookTaken {
        file: "1f0c5a7c".repeat(8),
        networks: ["chess-1", "chess-2", "chesspp-1"].map(str::to_owned).to_vec(),
        hashes: Vec::new(),
        levels: levels.to_vec(),
        variances_only,
    };
    Registration {
        hash: "1f0c5a7c".repeat(8),
        changes: vec![Difference {
            key: "games.per_level".to_owned(),
            before: Some(200.into()),
            now: Some(400.into()),
        }],
        looks: vec![look(&[16], true), look(&[16, 32], false), look(&[16, 32, 64, 128], false)],
        alpha: 0.031,
    }
}
