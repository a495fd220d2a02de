//! Sizes of a network's layers.

use catapult_store::BadSetting;
use catapult_store::setting::in_range;
use serde::{Deserialize, Serialize};

/// Sizes of a network's layers. Together with a game's [`Layout`](catapult_encoding::Layout), they
/// determine the shape of every parameter: see [`Model`](crate::Model).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Architecture {
    /// Number of channels in the residual tower, 1 to 2048.
    pub channels: usize,
    /// Number of residual blocks in the tower, 0 to 256.
    pub blocks: usize,
    /// Distance between blocks with global pooling, 0 to 256. Every `pooled_every`-th block has
    /// pooling. 0 disables pooling.
    #[serde(default = "default_pooled_every")]
    pub pooled_every: usize,
    /// Number of policy features per square, 1 to 1024.
    #[serde(default = "default_policy_channels")]
    pub policy_channels: usize,
    /// Length of a query and of a key in the policy head, 1 to 1024.
    #[serde(default = "default_attention_channels")]
    pub attention_channels: usize,
    /// Number of value features per square, 1 to 1024. They are pooled over the board.
    #[serde(default = "default_value_channels")]
    pub value_channels: usize,
    /// Number of hidden units in the value head, 1 to 4096.
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
    /// Creates an architecture with these sizes of the tower and default sizes of the heads.
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

    /// Checks that every size is within its allowed range.
    ///
    /// # Errors
    /// A size is outside its range. The error names the key.
    pub fn validate(&self) -> Result<(), BadSetting> {
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
            in_range(key, value, least..=most)?;
        }
        Ok(())
    }

    /// Returns true if the block with this index (from 0) has global pooling.
    pub fn is_pooled(&self, block: usize) -> bool {
        self.pooled_every > 0 && (block + 1).is_multiple_of(self.pooled_every)
    }

    /// Returns the number of head features per square that inference computes. Their order is
    /// policy features, keys, value features, queries.
    pub fn head_channels(&self) -> usize {
        self.policy_channels + 2 * self.attention_channels + self.value_channels
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
