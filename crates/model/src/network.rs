//! Network with its sizes, layout, parameters and origin.

use crate::files::{self, Header, bad};
use crate::{Architecture, Model, ModelError, Parameters, TowerModel};
use catapult_encoding::Layout;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Notes on the origin of a network, such as config, run, generation, seeds and data. They are
/// sorted by key.
pub type Provenance = BTreeMap<String, String>;

/// Network for the games of one layout, which defines its inputs and policy.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    /// Sizes of the layers.
    pub architecture: Architecture,
    /// Layout of the inputs and the policy.
    pub layout: Layout,
    /// Values of all parameters. In a network file, they are averages of the trained weights.
    pub parameters: Parameters,
    /// Notes on the origin of the network.
    pub provenance: Provenance,
}

/// Metadata of a network file or a training state file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NetworkInfo {
    /// Sizes of the network's layers.
    pub architecture: Architecture,
    /// Name of the network's layout.
    pub layout: String,
    /// Number of trained values in the network. Running statistics of batch normalisation do not
    /// count.
    pub parameters: usize,
    /// Notes on the origin of the network.
    pub provenance: Provenance,
    /// BLAKE3 hash of the whole file, in hexadecimal.
    pub hash: String,
    /// Number of training steps so far. `None` for a network file.
    pub step: Option<u64>,
}

/// Sizes of a layout, as stored in a network file.
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
    /// Creates an untrained network. It evaluates every position with a uniform policy and equal
    /// probabilities of win, draw and loss. `seed` determines the weights.
    ///
    /// # Errors
    /// The architecture is invalid.
    pub fn untrained(architecture: Architecture, layout: Layout, seed: u64) -> Result<Network, ModelError> {
        let parameters = Parameters::untrained(&architecture, &layout, seed)?;
        Ok(Network { architecture, layout, parameters, provenance: Provenance::new() })
    }

    /// Returns the network as a model. Each parameter of the model is a slice of its values.
    pub fn model(&self) -> Model<&[f32]> {
        let values = &self.parameters.values;
        Model::new(&self.architecture, &self.layout, |spec| &values[spec.range()])
    }

    /// Returns the parts of the network's tower.
    ///
    /// # Errors
    /// The network is not a tower.
    pub fn tower(&self) -> Result<TowerModel<&[f32]>, ModelError> {
        let Model::Tower(model) = self.model() else {
            return Err(ModelError::BadArchitecture(format!("{} is not a tower", self.architecture)));
        };
        Ok(model)
    }

    /// Writes the network to a file, atomically. Equal networks give equal bytes. Parameters with
    /// [`Spec::bytes`](crate::Spec) are rounded, which does not change evaluations. Returns the
    /// BLAKE3 hash of the file in hexadecimal (see [`crate::file_hash`]).
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: &Path) -> Result<String, ModelError> {
        files::write(path, self.header(), &[("", &self.parameters)], true)
    }

    /// Returns the hash that [`save`](Self::save) would return, without writing a file.
    pub fn file_hash(&self) -> String {
        files::hash(&files::encode(self.header(), &[("", &self.parameters)], true))
    }

    fn header(&self) -> Header {
        let mut header = Header::new("network", &self.architecture, &self.layout);
        header.set_json("provenance", &self.provenance);
        header
    }

    /// Reads a network file, verifies its hash and checks its layout. A network with the earlier
    /// version of the layout is converted without changing its evaluations.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, is not a network or has another layout. The error names
    /// the file.
    pub fn load(path: &Path, layout: &Layout) -> Result<Network, ModelError> {
        Network::from_file(path, files::read(path, "network")?, layout)
    }

    /// Reads a network from the bytes of a network file. Verifies the hash and checks the layout,
    /// like [`load`](Self::load). `name` is the file name in errors.
    ///
    /// # Errors
    /// The bytes are damaged, are not a network or have another layout.
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

    /// Checks that the network has the layout `wanted`.
    ///
    /// # Errors
    /// The network has another layout.
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
    /// Reads a network file or a training state file of any layout and verifies its hash.
    ///
    /// # Errors
    /// The file cannot be read, is damaged or is of another kind. The error names the file.
    pub fn read(path: &Path) -> Result<NetworkInfo, ModelError> {
        let file = files::read_any(path)?;
        let format = file.header.get(path, "format")?;
        let is_state = format == files::format_name("state");
        if !is_state && format != files::format_name("network") {
            return Err(bad(path, format!("has the format {format:?}, which this version does not read")));
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
    /// Creates the header of a file with a network's parameters. `kind` is `network` or `state`.
    pub fn new(kind: &str, architecture: &Architecture, layout: &Layout) -> Header {
        let mut header = Header::default();
        header.set("format", &files::format_name(kind));
        header.set_json("architecture", architecture);
        header.set("layout", layout.name);
        header.set_json("layout_shape", &LayoutShape::from(layout));
        header
    }

    /// Returns the architecture in the header. `path` is the name of the file in errors.
    ///
    /// # Errors
    /// The architecture is missing or invalid.
    pub fn architecture(&self, path: &Path) -> Result<Architecture, ModelError> {
        let architecture: Architecture = self.json(path, "architecture")?;
        architecture.validate().map_err(|error| bad(path, ModelError::from(error).to_string()))?;
        Ok(architecture)
    }

    /// Checks that the header has the name and the sizes of `layout` or of its earlier version.
    /// `path` is the name of the file in errors.
    ///
    /// # Errors
    /// The header has another layout.
    pub fn check_layout(&self, path: &Path, layout: &Layout) -> Result<(), ModelError> {
        let found = self.get(path, "layout")?;
        let shape: LayoutShape = self.json(path, "layout_shape")?;
        let earlier = layout.earlier.filter(|(name, _)| *name == found);
        let (name, globals) = earlier.unwrap_or((layout.name, layout.globals));
        if found == name && shape == (LayoutShape { globals, ..LayoutShape::from(layout) }) {
            return Ok(());
        }
        Err(bad(path, format!("is for the layout {found:?} and cannot play or learn {:?}", layout.name)))
    }
}
