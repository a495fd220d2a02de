//! Tests of a shard's requests to an asynchronous evaluator.

use catapult_mcts::evaluators::HashRandom;
use catapult_mcts::{Batch, EvaluationError, Evaluator, QueuedEvaluator, SearchConfig};
use catapult_rules::{ChessPp, Plain, Variant};
use catapult_seeds::Stream;
use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings, play_shard, play_shard_overlapped};
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;

/// Stand-in for a device with a queue. It evaluates a copy of each request immediately, and returns
/// the results when they are collected.
#[derive(Default)]
struct Device {
    under_way: VecDeque<Vec<Batch<ChessPp>>>,
    most_under_way: usize,
    calls: usize,
    leaves: usize,
    largest: usize,
}

impl QueuedEvaluator<ChessPp> for Device {
    fn submit(&mut self, batches: &[&Batch<ChessPp>]) -> Result<(), EvaluationError> {
        let mut copies: Vec<Batch<ChessPp>> = batches.iter().map(|&batch| batch.clone()).collect();
        copies.iter_mut().try_for_each(|batch| HashRandom::default().evaluate(batch))?;
        let leaves = copies.iter().map(|batch| batch.leaves.len()).sum();
        self.calls += 1;
        self.leaves += leaves;
        self.largest = self.largest.max(leaves);
        self.under_way.push_back(copies);
        self.most_under_way = self.most_under_way.max(self.under_way.len());
        Ok(())
    }

    fn collect(&mut self, batches: &mut [&mut Batch<ChessPp>]) -> Result<(), EvaluationError> {
        let answers = self.under_way.pop_front().expect("it was asked before");
        assert_eq!(answers.len(), batches.len());
        for (batch, answer) in batches.iter_mut().zip(answers) {
            assert_eq!(batch.moves, answer.moves, "nothing changes while the device works");
            (batch.logits, batch.values) = (answer.logits, answer.values);
        }
        Ok(())
    }
}

#[test]
fn two_calls_are_under_way_and_every_game_is_that_of_a_thread_alone() {
    let selfplay = SelfPlayConfig { simulations: 8, ply_cap: 60, ..Default::default() };
    let search = SearchConfig { gumbel_scale: 1.0, ..SearchConfig::default() };
    let arms = [("chesspp".parse::<Variant>().unwrap(), Plain)];
    let stop = AtomicBool::new(false);
    for (games, slots) in [(30, 12), (10, 4000), (1, 2)] {
        let seed = Stream::Shard { generation: 1, number: 0 }.seed(4);
        let settings = ShardSettings {
            selfplay: &selfplay,
            search: &search,
            games,
            slots,
            seed,
            network: "test",
            endings: None,
        };
        let expected =
            play_shard::<ChessPp>(&arms, &settings, &mut HashRandom::default(), &Counters::default(), &stop);
        let (mut device, counters) = (Device::default(), Counters::default());
        let found = play_shard_overlapped(&arms, &settings, &mut device, &counters, &stop).unwrap();
        assert!(found == expected.unwrap(), "{games} games, {slots} slots");
        assert!(device.under_way.is_empty());
        assert_eq!(device.most_under_way, if games > 1 { 2 } else { 1 });
        assert_eq!(counters.evaluations.into_inner(), device.leaves as u64);
        assert_eq!(counters.batches.into_inner(), device.calls as u64);
        // A search of 8 simulations requests at most 8 leaves at once, and there are at most as
        // many slots as games.
        assert!(device.largest <= 8 * slots.min(games as usize).div_ceil(2), "{}", device.largest);
    }
}
