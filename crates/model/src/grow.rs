//! Growth of networks. Evaluations stay the same, except for rounding.
//!
//! The method follows Net2Net (Chen et al. 2016). Unlike in Net2Net, new channels are not copies
//! but start as in an untrained network. Weights from new channels to old ones start at zero, so
//! the new channels do not change the evaluations.
//!
//! New blocks are added at the end of the tower and start as the identity, because the scale of
//! their second normalisation is zero. Their input comes from a ReLU, so their own ReLU does not
//! change it.

use crate::parameters::embed;
use crate::{Architecture, ModelError, Network, Parameters, Spec, TowerModel, TowerSizes};
use catapult_store::BadSetting;

impl Network {
    /// Returns a larger network with the evaluations of this one, except for rounding. It can have
    /// more channels, blocks or pooled blocks. `seed` determines the new weights.
    ///
    /// # Errors
    /// Either network is not a tower, or the new sizes reduce the channels or blocks, change the
    /// heads or remove the pooling of a block. The error names the key or the network.
    pub fn grown(&self, architecture: &Architecture, seed: u64) -> Result<Network, ModelError> {
        if *architecture == self.architecture {
            return Ok(self.clone());
        }
        let (Architecture::Tower(from), Architecture::Tower(to)) = (&self.architecture, architecture) else {
            let reason = format!("{} cannot grow to {architecture}: only towers grow", self.architecture);
            return Err(ModelError::BadArchitecture(reason));
        };
        from.check_growth(to)?;
        let mut parameters = Parameters::untrained(architecture, &self.layout, seed)?;
        let model = TowerModel::new(to, &self.layout, |spec| spec);
        // Global pooling reads all means, then all maxima.
        let pools: Vec<&Spec> =
            model.blocks.iter().filter_map(|block| block.pool.as_ref().map(|pool| &pool.weight)).collect();
        for spec in parameters.shared_specs().iter() {
            if let Some(old) = self.parameters.specs().iter().find(|old| old.name == spec.name) {
                let groups = if pools.contains(&spec) { 2 } else { 1 };
                let values = &mut parameters.values[spec.range()];
                embed(&self.parameters.values[old.range()], &old.shape, values, &spec.shape, groups);
            }
        }
        // The rest of a new block stays untrained, and pooling starts at zero.
        for block in &model.blocks[from.blocks..] {
            parameters.values[block.second_norm.weight.range()].fill(0.0);
        }
        let (layout, provenance) = (self.layout, self.provenance.clone());
        Ok(Network { architecture: architecture.clone(), layout, parameters, provenance })
    }
}

impl TowerSizes {
    /// Checks that a tower can grow from these sizes to `to`.
    ///
    /// # Errors
    /// The network cannot grow to these sizes. The error names the key that prevents it.
    fn check_growth(&self, to: &TowerSizes) -> Result<(), BadSetting> {
        for (key, from, to) in [("channels", self.channels, to.channels), ("blocks", self.blocks, to.blocks)]
        {
            if to < from {
                let allowed = format!("must be at least {from}, as in the initial network");
                return Err(BadSetting::new(key, to, allowed));
            }
        }
        for (key, from, to) in [
            ("policy_channels", self.policy_channels, to.policy_channels),
            ("attention_channels", self.attention_channels, to.attention_channels),
            ("value_channels", self.value_channels, to.value_channels),
            ("value_hidden", self.value_hidden, to.value_hidden),
        ] {
            if to != from {
                let allowed = format!("must be {from}, as in the initial network: heads cannot grow");
                return Err(BadSetting::new(key, to, allowed));
            }
        }
        if let Some(block) = (0..self.blocks).find(|&block| self.is_pooled(block) && !to.is_pooled(block)) {
            let allowed = format!(
                "must divide {}, as in the initial network: block {} would lose its global pooling",
                self.pooled_every,
                block + 1
            );
            return Err(BadSetting::new("pooled_every", to.pooled_every, allowed));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CpuEvaluator;
    use crate::testing::{architecture, positions, requests, shaken, sizes};
    use catapult_mcts::{Batch, Evaluator};
    use catapult_rules::ChessPp;

    fn answers(network: &Network, positions: &[ChessPp]) -> Batch<ChessPp> {
        let mut batch = requests(positions);
        CpuEvaluator::new(network, 128).unwrap().evaluate(&mut batch).unwrap();
        batch
    }

    #[test]
    fn a_grown_network_has_the_answers_of_the_small_one() {
        let small = shaken(architecture(), 31);
        let positions = positions(300, 32);
        let expected = answers(&small, &positions);
        let spread = expected.logits.iter().fold(0f32, |most, logit| most.max(logit.abs()));
        assert!(spread > 1.0, "the answers say something");
        let of = sizes;
        for larger in [
            TowerSizes { channels: 25, ..of() },
            TowerSizes { blocks: 6, ..of() },
            TowerSizes { channels: 24, blocks: 5, ..of() },
            TowerSizes { channels: 24, blocks: 5, pooled_every: 1, ..of() },
            of(),
        ] {
            let larger = Architecture::Tower(larger);
            let grown = small.grown(&larger, 33).unwrap();
            assert_eq!(grown.architecture, larger);
            let found = answers(&grown, &positions);
            // Growth is exact, but the largest value on a board changes, and with it the rounding.
            for (found, expected) in found.logits.iter().zip(&expected.logits) {
                assert!((found - expected).abs() < 2e-2 * spread, "{larger:?}: {found} is not {expected}");
            }
            for (found, expected) in found.values.iter().zip(&expected.values) {
                let same = found.wdl.iter().zip(expected.wdl).all(|(a, b)| (a - b).abs() < 2e-2);
                assert!(same && (found.moves_left - expected.moves_left).abs() < 6.0, "{larger:?}");
            }
        }
    }

    #[test]
    fn what_cannot_grow_is_refused_by_key() {
        let network = Network::untrained(architecture(), catapult_encoding::CHESS_LAYOUT, 1).unwrap();
        let of = sizes;
        for (to, words) in [
            (TowerSizes { channels: 8, ..of() }, ["channels = 8", "at least 16"]),
            (TowerSizes { blocks: 2, ..of() }, ["blocks = 2", "at least 3"]),
            (TowerSizes { value_hidden: 128, ..of() }, ["value_hidden = 128", "must be 64"]),
            (TowerSizes { pooled_every: 3, ..of() }, ["pooled_every = 3", "must divide 2"]),
        ] {
            let error = network.grown(&Architecture::Tower(to), 1).unwrap_err().to_string();
            assert!(words.iter().all(|word| error.contains(word)), "{error}");
        }
    }
}
