//! Comparison with searches of mctx, a JAX library. `scripts/mctx-golden.py` recorded them.

use super::toy::{Graph, Table, Walk, step};
use super::{nodes, paper};
use crate::{Batch, Evaluator, Search, SearchConfig};
use catapult_rules::{Color, Position};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    simulations: u32,
    considered: u32,
    c_scale: f32,
    following: Vec<Vec<usize>>,
    logits_64: Vec<Vec<i32>>,
    values_64: Vec<i32>,
    noise: Vec<f32>,
    visits: Vec<u32>,
    policy: Vec<f32>,
    action: usize,
    root_value: f32,
    /// Nodes as (path, visits, mean value for the side to move). A path is a string of move
    /// numbers.
    nodes: Vec<(String, u32, f32)>,
}

#[test]
fn trees_are_those_of_mctx() {
    let text = include_str!("../../tests/data/mctx.json");
    let cases: Vec<Case> = serde_json::from_str(text).unwrap();
    assert!(cases.len() >= 20);
    for (number, case) in cases.into_iter().enumerate() {
        let logits =
            case.logits_64.iter().map(|row| row.iter().map(|&x| x as f32 / 64.0).collect()).collect();
        let rules = Graph {
            following: case.following,
            logits,
            values: case.values_64.iter().map(|&x| x as f32 / 64.0).collect(),
            values_for_mover: true,
            ..Graph::default()
        };
        let config = SearchConfig { considered: Some(case.considered), c_scale: case.c_scale, ..paper() };
        let mut search = Search::new(config);
        search.start_at(Walk::start(rules.leak()), 0, &[], case.simulations, 0);
        let mut batch = Batch::default();
        while !search.is_done() {
            batch.clear();
            search.gather(&mut batch);
            Table.evaluate(&mut batch).unwrap();
            search.apply(&batch, 0);
            if search.root_moves.noise.iter().all(|&x| x == 0.0) {
                search.root_moves.noise = case.noise.clone();
            }
        }
        let result = search.result();
        let visits: Vec<u32> = result.moves.iter().map(|stats| stats.visits).collect();
        assert_eq!(visits, case.visits, "visits of case {number}");
        assert_eq!(result.best, Some(step(case.action)), "move of case {number}");
        for ((_, ours), theirs) in result.policy.iter().zip(&case.policy) {
            assert!(
                (ours - theirs).abs() < 2e-3 * theirs.max(0.01),
                "policy of case {number}: {ours} {theirs}"
            );
        }

        let seen = nodes(&search);
        let root = seen[&Vec::new()];
        assert!((root.1 - case.root_value).abs() < 1e-5, "root value of case {number}");
        for (path, visits, value) in &case.nodes {
            let path: Vec<u32> = path.split(' ').map(|number| step(number.parse().unwrap()).bits()).collect();
            let node = seen.get(&path).unwrap_or_else(|| panic!("case {number} has no node {path:?}"));
            let mover = if path.len().is_multiple_of(2) { Color::White } else { Color::Black };
            let q = crate::node::WhiteQ(node.1).of(mover);
            assert_eq!(node.0, *visits, "visits of {path:?} in case {number}");
            assert!((q - value).abs() < 1e-5, "value of {path:?} in case {number}: {q} {value}");
        }
        let made = seen.values().filter(|node| node.0 > 0).count();
        assert_eq!(made, case.nodes.len() + 1, "nodes of case {number}");
    }
}
