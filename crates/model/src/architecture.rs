//! How large a network is, and which parameters it has.

use crate::ModelError;
use crate::parameters::{Init, Role, Spec};
use catapult_encoding::Layout;
use serde::{Deserialize, Serialize};

/// The sizes of a network. With a game's [`Layout`] they fix every parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Architecture {
    /// Channels of the tower.
    pub channels: usize,
    /// Residual blocks of the tower.
    pub blocks: usize,
    /// Every so many-th block has global pooling; 0 for none.
    #[serde(default = "default_pooled_every")]
    pub pooled_every: usize,
    /// Features a square for the policy.
    #[serde(default = "default_policy_channels")]
    pub policy_channels: usize,
    /// Length of the policy's queries and keys.
    #[serde(default = "default_attention_channels")]
    pub attention_channels: usize,
    /// Features a square for the value, before they are pooled.
    #[serde(default = "default_value_channels")]
    pub value_channels: usize,
    /// Hidden units of the value head.
    #[serde(default = "default_value_hidden")]
    pub value_hidden: usize,
}

fn default_pooled_every() -> usize {
    3
}
fn default_policy_channels() -> usize {
    32
}
fn default_attention_channels() -> usize {
    16
}
fn default_value_channels() -> usize {
    32
}
fn default_value_hidden() -> usize {
    64
}

impl Architecture {
    /// A tower of the given size with the default heads.
    pub fn new(channels: usize, blocks: usize) -> Architecture {
        Architecture {
            channels,
            blocks,
            pooled_every: default_pooled_every(),
            policy_channels: default_policy_channels(),
            attention_channels: default_attention_channels(),
            value_channels: default_value_channels(),
            value_hidden: default_value_hidden(),
        }
    }

    /// Refuses sizes that cannot be built; the error names the key.
    pub fn validate(&self) -> Result<(), ModelError> {
        let sizes = [
            ("channels", self.channels, 1, 2048),
            ("blocks", self.blocks, 0, 256),
            ("pooled_every", self.pooled_every, 0, 256),
            ("policy_channels", self.policy_channels, 1, 1024),
            ("attention_channels", self.attention_channels, 1, 1024),
            ("value_channels", self.value_channels, 1, 1024),
            ("value_hidden", self.value_hidden, 1, 4096),
        ];
        for (key, value, least, most) in sizes {
            if !(least..=most).contains(&value) {
                let reason = format!("{key} = {value}: it may be {least} to {most}");
                return Err(ModelError::BadArchitecture(reason));
            }
        }
        Ok(())
    }

    /// Whether a block (from 0) has global pooling.
    pub fn is_pooled(&self, block: usize) -> bool {
        self.pooled_every > 0 && (block + 1).is_multiple_of(self.pooled_every)
    }

    /// Features a square that the heads use in play: policy, key, value, query, in this order.
    pub fn head_channels(&self) -> usize {
        self.policy_channels + 2 * self.attention_channels + self.value_channels
    }

    /// Every parameter, in the order in which they are stored.
    pub fn specs(&self, layout: &Layout) -> Vec<Spec> {
        let c = self.channels;
        let mut specs = Specs::default();
        // He initialisation, for layers followed by a ReLU.
        let conv = |inputs: usize| Init::Normal((2.0 / (9 * inputs) as f32).sqrt());
        let dense = |inputs: usize| Init::Normal((2.0 / inputs as f32).sqrt());

        specs.add("input.conv.weight", &[c, layout.planes, 3, 3], Role::Weight, conv(layout.planes));
        specs.add("input.globals.weight", &[c, layout.globals], Role::Weight, dense(layout.globals.max(1)));
        specs.batch_norm("input.norm", c);
        for block in 0..self.blocks {
            specs.add(&format!("block.{block}.conv1.weight"), &[c, c, 3, 3], Role::Weight, conv(c));
            specs.batch_norm(&format!("block.{block}.norm1"), c);
            specs.add(&format!("block.{block}.conv2.weight"), &[c, c, 3, 3], Role::Weight, conv(c));
            specs.batch_norm(&format!("block.{block}.norm2"), c);
            if self.is_pooled(block) {
                specs.add(&format!("block.{block}.pool.weight"), &[c, 2 * c], Role::Weight, Init::Zeros);
                specs.add(&format!("block.{block}.pool.bias"), &[c], Role::Bias, Init::Zeros);
            }
        }
        // The last layer of each head starts at zero (of the attention term, the query): an untrained network has a
        // uniform policy and gives win, draw and loss a third each.
        let features = self.policy_channels + self.attention_channels + self.value_channels;
        specs.add("head.features.weight", &[features, c], Role::Weight, dense(c));
        specs.add("head.features.bias", &[features], Role::Bias, Init::Zeros);
        specs.add("head.query.weight", &[self.attention_channels, c], Role::Weight, Init::Zeros);
        specs.add("head.query.bias", &[self.attention_channels], Role::Bias, Init::Zeros);
        for part in ["from", "to"] {
            let shape = [layout.policy_planes, self.policy_channels];
            specs.add(&format!("policy.{part}.weight"), &shape, Role::Weight, Init::Zeros);
        }
        specs.add("policy.bias", &[layout.policy_planes], Role::Bias, Init::Zeros);
        let pooled = 2 * self.value_channels;
        specs.add("value.hidden.weight", &[self.value_hidden, pooled], Role::Weight, dense(pooled));
        specs.add("value.hidden.bias", &[self.value_hidden], Role::Bias, Init::Zeros);
        // Rows: win, draw, loss, moves left.
        specs.add("value.output.weight", &[4, self.value_hidden], Role::Weight, Init::Zeros);
        specs.add("value.output.bias", &[4], Role::Bias, Init::Zeros);
        let future = crate::FUTURE_PLIES.len() * layout.future_planes;
        specs.add("future.weight", &[future, c], Role::Weight, Init::Zeros);
        specs.add("future.bias", &[future], Role::Bias, Init::Zeros);
        specs.0
    }
}

#[derive(Default)]
struct Specs(Vec<Spec>);

impl Specs {
    fn add(&mut self, name: &str, shape: &[usize], role: Role, init: Init) {
        let offset = self.0.last().map_or(0, |last| last.range().end);
        self.0.push(Spec { name: name.to_string(), shape: shape.to_vec(), offset, role, init });
    }

    fn batch_norm(&mut self, name: &str, channels: usize) {
        self.add(&format!("{name}.weight"), &[channels], Role::Bias, Init::Ones);
        self.add(&format!("{name}.bias"), &[channels], Role::Bias, Init::Zeros);
        self.add(&format!("{name}.mean"), &[channels], Role::Statistic, Init::Zeros);
        self.add(&format!("{name}.variance"), &[channels], Role::Statistic, Init::Ones);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_and_impossible_sizes_are_refused_by_name() {
        let error =
            serde_json::from_str::<Architecture>(r#"{"channels": 32, "blocks": 4, "width": 3}"#).unwrap_err();
        assert!(error.to_string().contains("width"), "{error}");
        let error = Architecture::new(0, 4).validate().unwrap_err();
        assert!(error.to_string().contains("channels = 0"), "{error}");
        Architecture::new(32, 4).validate().unwrap();
    }

    #[test]
    fn every_third_block_is_pooled() {
        let architecture = Architecture::new(32, 7);
        let pooled: Vec<usize> = (0..7).filter(|&block| architecture.is_pooled(block)).collect();
        assert_eq!(pooled, [2, 5]);
        let none = Architecture { pooled_every: 0, ..architecture };
        assert!((0..7).all(|block| !none.is_pooled(block)));
    }
}
