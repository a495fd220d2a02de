//! A playable network: sizes, layout, parameters and provenance.

use crate::files::{self, Header};
use crate::{Architecture, Model, ModelError, Parameters};
use catapult_encoding::Layout;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Notes on a network's origin (config, run, generation, seeds, data), sorted by key.
pub type Provenance = BTreeMap<String, String>;

/// A network for one layout.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    /// Sizes.
    pub architecture: Architecture,
    /// Layout of its inputs and policy.
    pub layout: Layout,
    /// Parameters. A network file contains the averaged weights.
    pub parameters: Parameters,
    /// Origin.
    pub provenance: Provenance,
}

/// Metadata of a network or state file, without its parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NetworkInfo {
    /// Sizes.
    pub architecture: Architecture,
    /// Name of the layout.
    pub layout: String,
    /// Number of trained values.
    pub parameters: usize,
    /// Origin.
    pub provenance: Provenance,
    /// BLAKE3 hash of the file.
    pub hash: String,
    /// Number of training steps, for a learner's state.
    pub step: Option<u64>,
}

/// Shapes of a layout as stored in a file.
#[derive(PartialEq, Serialize, Deserialize)]
struct LayoutShape {
    ranks: usize,
    files: usize,
    planes: usize,
    globals: usize,
    policy_planes: usize,
    future_planes: usize,
}

impl From<&Layout> for LayoutShape {
    fn from(layout: &Layout) -> LayoutShape {
        let &Layout { ranks, files, planes, globals, policy_planes, future_planes, .. } = layout;
        LayoutShape { ranks, files, planes, globals, policy_planes, future_planes }
    }
}

impl Network {
    /// An untrained network: uniform policy and equal probabilities of win, draw and loss.
    pub fn untrained(architecture: Architecture, layout: Layout, seed: u64) -> Result<Network, ModelError> {
        let parameters = Parameters::untrained(&architecture, &layout, seed)?;
        Ok(Network { architecture, layout, parameters, provenance: Provenance::new() })
    }

    /// The parameter values, part by part.
    pub fn model(&self) -> Model<&[f32]> {
        let values = &self.parameters.values;
        Model::new(&self.architecture, &self.layout, |spec| &values[spec.range()])
    }

    /// Writes the network atomically. Equal networks give equal bytes. Returns the BLAKE3 hash of
    /// the file (see [`crate::file_hash`]).
    pub fn save(&self, path: &Path) -> Result<String, ModelError> {
        let mut header = Header::new("network", &self.architecture, &self.layout);
        header.set_json("provenance", &self.provenance);
        files::write(path, header, &[("", &self.parameters)])
    }

    /// Reads and verifies a network for a layout. The error names the file and the reason.
    pub fn load(path: &Path, layout: &Layout) -> Result<Network, ModelError> {
        Network::from_file(path, files::read(path, "network")?, layout)
    }

    /// Like [`load`](Self::load), from the bytes of a file, which errors call `name`.
    pub fn from_bytes(name: &str, bytes: Vec<u8>, layout: &Layout) -> Result<Network, ModelError> {
        let path = Path::new(name);
        let file = files::of_kind(path, files::verified(path, bytes)?, "network")?;
        Network::from_file(path, file, layout)
    }

    fn from_file(path: &Path, file: files::Loaded, layout: &Layout) -> Result<Network, ModelError> {
        let architecture = file.header.architecture(path)?;
        file.header.check_layout(path, layout)?;
        let mut parameters = Parameters::zeros(&architecture, layout);
        file.fill(path, "", &mut parameters)?;
        let provenance = file.header.json(path, "provenance")?;
        Ok(Network { architecture, layout: *layout, parameters, provenance })
    }

    /// Returns an error for another layout.
    pub fn check_layout(&self, wanted: &Layout) -> Result<(), ModelError> {
        if self.layout == *wanted {
            return Ok(());
        }
        let (found, wanted) = (self.layout.name, wanted.name);
        let reason = format!("a network for the layout {found:?} cannot play {wanted:?}");
        Err(ModelError::BadArchitecture(reason))
    }
}

impl NetworkInfo {
    /// Reads and verifies a network or state file of any layout.
    pub fn read(path: &Path) -> Result<NetworkInfo, ModelError> {
        let file = files::read_any(path)?;
        let format = file.header.get(path, "format")?;
        let is_state = format == files::format_name("state");
        if !is_state && format != files::format_name("network") {
            let reason = format!("has the format {format:?}, which this version does not read");
            return Err(ModelError::BadFile { path: path.to_owned(), reason });
        }
        Ok(NetworkInfo {
            architecture: file.header.architecture(path)?,
            layout: file.header.get(path, "layout")?.to_string(),
            parameters: file.trained(if is_state { "raw." } else { "" }),
            provenance: file.header.json(path, "provenance")?,
            step: if is_state { Some(file.header.json(path, "step")?) } else { None },
            hash: file.hash,
        })
    }
}

impl Header {
    /// A header for parameters of these sizes.
    pub fn new(kind: &str, architecture: &Architecture, layout: &Layout) -> Header {
        let mut header = Header::default();
        header.set("format", &files::format_name(kind));
        header.set_json("architecture", architecture);
        header.set("layout", layout.name);
        header.set_json("layout_shape", &LayoutShape::from(layout));
        header
    }

    /// The architecture in the header, if it is valid.
    pub fn architecture(&self, path: &Path) -> Result<Architecture, ModelError> {
        let architecture: Architecture = self.json(path, "architecture")?;
        match architecture.validate() {
            Ok(()) => Ok(architecture),
            Err(error) => {
                let reason = ModelError::from(error).to_string();
                Err(ModelError::BadFile { path: path.to_owned(), reason })
            }
        }
    }

    /// Returns an error for a layout with another name or shape.
    pub fn check_layout(&self, path: &Path, layout: &Layout) -> Result<(), ModelError> {
        let found = self.get(path, "layout")?;
        let shape: LayoutShape = self.json(path, "layout_shape")?;
        if found == layout.name && shape == LayoutShape::from(layout) {
            return Ok(());
        }
        let reason = format!("is for the layout {found:?} and cannot play or learn {:?}", layout.name);
        Err(ModelError::BadFile { path: path.to_owned(), reason })
    }
}
