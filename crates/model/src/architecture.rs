//! Kinds and sizes of networks.

use catapult_store::BadSetting;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Kind of a network, with the sizes of its layers. Together with a game's
/// [`Layout`](catapult_encoding::Layout), it determines the shape of every parameter: see
/// [`Model`](crate::Model).
///
/// In configs and files, the key `kind` selects `"tower"` or `"sparse"`. Without it, the network is
/// a tower. The text form is `32x4` for a tower of 32 channels and 4 blocks, and `sparse-512` for a
/// sparse network of width 512.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Architecture {
    /// One wide layer whose inputs are the set bits of a position.
    Sparse(SparseSizes),
    /// Residual convolutional tower. It is written without `kind`, so that equal towers give equal
    /// files in all versions.
    #[serde(untagged)]
    Tower(TowerSizes),
}

catapult_store::settings! {
    /// Sizes of a residual convolutional tower and its heads.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct TowerSizes {
        /// Number of channels in the residual tower, 1 to 2048.
        channels: usize = 32, in_range(1..=2048);
        /// Number of residual blocks in the tower, 0 to 256.
        blocks: usize = 4, in_range(0..=256);
        /// Distance between blocks with global pooling, 0 to 256. Every `pooled_every`-th block has
        /// pooling. 0 disables pooling.
        pooled_every: usize = 3, in_range(0..=256);
        /// Number of policy features per square, 1 to 1024.
        policy_channels: usize = 32, in_range(1..=1024);
        /// Length of a query and of a key in the policy head, 1 to 1024.
        attention_channels: usize = 16, in_range(1..=1024);
        /// Number of value features per square, 1 to 1024. They are pooled over the board.
        value_channels: usize = 32, in_range(1..=1024);
        /// Number of hidden units in the value head, 1 to 4096.
        value_hidden: usize = 64, in_range(1..=4096);
    }

    /// Sizes of a sparse network.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct SparseSizes {
        /// Number of units in the wide layer, a multiple of 64 from 64 to 4096.
        width: usize = 512, in_range(64..=4096);
        /// Length of the vectors whose dot products are the policy logits, a multiple of 16 from 16
        /// to 256.
        policy_size: usize = 64, in_range(16..=256);
        /// Number of units in each of the two hidden layers of the value head, 1 to 256.
        value_hidden: usize = 32, in_range(1..=256);
    }
}

impl TowerSizes {
    /// Creates sizes with these channels and blocks, and default sizes of the heads.
    pub fn new(channels: usize, blocks: usize) -> TowerSizes {
        TowerSizes { channels, blocks, ..TowerSizes::default() }
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

impl SparseSizes {
    fn validate(&self) -> Result<(), BadSetting> {
        self.check_ranges()?;
        for (key, value, step) in [("width", self.width, 64), ("policy_size", self.policy_size, 16)] {
            if !value.is_multiple_of(step) {
                return Err(BadSetting::new(key, value, format!("must be a multiple of {step}")));
            }
        }
        Ok(())
    }
}

impl Architecture {
    /// Creates a tower of these sizes with default sizes of the heads.
    pub fn tower(channels: usize, blocks: usize) -> Architecture {
        Architecture::Tower(TowerSizes::new(channels, blocks))
    }

    /// Creates a sparse network of this width with default sizes of the heads.
    pub fn sparse(width: usize) -> Architecture {
        Architecture::Sparse(SparseSizes { width, ..SparseSizes::default() })
    }

    /// Checks that every size is allowed.
    ///
    /// # Errors
    /// A size is outside its range or not the required multiple. The error names the key.
    pub fn validate(&self) -> Result<(), BadSetting> {
        match self {
            Architecture::Tower(sizes) => sizes.check_ranges(),
            Architecture::Sparse(sizes) => sizes.validate(),
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Architecture::Tower(TowerSizes { channels, blocks, .. }) => write!(f, "{channels}x{blocks}"),
            Architecture::Sparse(SparseSizes { width, .. }) => write!(f, "sparse-{width}"),
        }
    }
}

impl FromStr for Architecture {
    type Err = BadSetting;

    fn from_str(text: &str) -> Result<Architecture, BadSetting> {
        let tower = || {
            let (channels, blocks) = text.split_once('x')?;
            Some(Architecture::tower(channels.parse().ok()?, blocks.parse().ok()?))
        };
        let sparse = || Some(Architecture::sparse(text.strip_prefix("sparse-")?.parse().ok()?));
        let allowed = "must be CHANNELSxBLOCKS or sparse-WIDTH, such as 32x4";
        tower().or_else(sparse).ok_or_else(|| BadSetting::new("network", format!("{text:?}"), allowed))
    }
}

/// [`Architecture`] with an explicit `kind`.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Tagged {
    Tower(TowerSizes),
    Sparse(SparseSizes),
}

impl<'de> Deserialize<'de> for Architecture {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Architecture, D::Error> {
        let mut sizes = BTreeMap::<String, Value>::deserialize(deserializer)?;
        // `from_value` below would not name the key.
        if let Some((key, found)) = sizes.iter().find(|(key, size)| *key != "kind" && !size.is_u64()) {
            let bad = BadSetting::new(key, found, "must be a whole number");
            return Err(serde::de::Error::custom(bad));
        }
        sizes.entry("kind".to_owned()).or_insert_with(|| "tower".into());
        // A file must give these two sizes of a tower, although `TowerSizes` has defaults for them.
        let missing = ["channels", "blocks"].into_iter().find(|key| !sizes.contains_key(*key));
        let tagged = serde_json::from_value(sizes.into_iter().collect());
        match (tagged.map_err(serde::de::Error::custom)?, missing) {
            (Tagged::Tower(_), Some(key)) => Err(serde::de::Error::missing_field(key)),
            (Tagged::Tower(sizes), None) => Ok(Architecture::Tower(sizes)),
            (Tagged::Sparse(sizes), _) => Ok(Architecture::Sparse(sizes)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_and_impossible_sizes_are_refused_by_name() {
        let parse = serde_json::from_str::<Architecture>;
        for (text, named) in [
            (r#"{"channels": 32, "blocks": 4, "width": 3}"#, "width"),
            (r#"{"kind": "sparse", "channels": 32}"#, "channels"),
            (r#"{"kind": "dense"}"#, "dense"),
            (r#"{"channels": "64", "blocks": 4}"#, "channels = \"64\": must be a whole number"),
            (r#"{"channels": 32, "blocks": -1}"#, "blocks = -1: must be a whole number"),
            (r#"{"blocks": 4}"#, "missing field `channels`"),
            (r#"{"channels": 32}"#, "missing field `blocks`"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.to_string().contains(named), "{error}");
        }
        for (wrong, named) in [
            (Architecture::tower(0, 4), "channels = 0"),
            (Architecture::sparse(96), "width = 96"),
            (Architecture::sparse(8192), "width = 8192"),
        ] {
            let error = wrong.validate().unwrap_err();
            assert!(error.to_string().contains(named), "{error}");
        }
        Architecture::tower(32, 4).validate().unwrap();
        Architecture::sparse(512).validate().unwrap();
    }

    #[test]
    fn both_kinds_are_written_and_read() {
        let tower = r#"{"channels":32,"blocks":4,"pooled_every":3,"policy_channels":32,"attention_channels":16,"value_channels":32,"value_hidden":64}"#;
        let sparse = r#"{"kind":"sparse","width":256,"policy_size":64,"value_hidden":32}"#;
        for (architecture, text, written) in
            [(Architecture::tower(32, 4), "32x4", tower), (Architecture::sparse(256), "sparse-256", sparse)]
        {
            let json = serde_json::to_string(&architecture).unwrap();
            assert_eq!(json, written);
            assert_eq!(serde_json::from_str::<Architecture>(&json).unwrap(), architecture);
            assert_eq!(architecture.to_string(), text);
            assert_eq!(text.parse::<Architecture>().unwrap(), architecture);
        }
        for wrong in ["", "32", "32x", "sparse", "sparse-x"] {
            assert!(wrong.parse::<Architecture>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_third_block_is_pooled() {
        let sizes = TowerSizes::new(32, 7);
        let pooled: Vec<usize> = (0..7).filter(|&block| sizes.is_pooled(block)).collect();
        assert_eq!(pooled, [2, 5]);
        let none = TowerSizes { pooled_every: 0, ..sizes };
        assert!((0..7).all(|block| !none.is_pooled(block)));
    }
}
