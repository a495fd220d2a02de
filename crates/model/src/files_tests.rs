//! Tests of network files. They check exact round trips, compatibility with the crate safetensors,
//! and the detection of any damage.

use crate::testing::{architecture, positions, random, requests, shaken};
use crate::{Architecture, CpuEvaluator, Network, NetworkInfo, file_hash};
use catapult_encoding::{CHESS_LAYOUT, Layout};
use catapult_mcts::Evaluator;
use rand::Rng;
use std::fs;

#[test]
fn a_network_comes_back_exactly_and_its_bytes_are_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["a.safetensors", "b.safetensors"].map(|name| folder.path().join(name));
    let mut network = shaken(architecture(), 1);
    network.provenance.insert("run".to_string(), "\"quoted\" \u{1F600}".to_string());
    network.provenance.insert("generation".to_string(), "7".to_string());
    let hash = network.save(&first).unwrap();
    let loaded = Network::load(&first, &CHESS_LAYOUT).unwrap();
    assert_eq!(loaded, network);
    loaded.save(&second).unwrap();
    assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap());
    assert_eq!(hash, file_hash(&first).unwrap());
    assert_eq!(hash, blake3::hash(&fs::read(&first).unwrap()).to_hex().to_string());
    let info = NetworkInfo::read(&first).unwrap();
    assert_eq!((info.layout.as_str(), info.parameters), (CHESS_LAYOUT.name, network.parameters.trained()));
    assert_eq!(
        (info.architecture, info.provenance, info.hash),
        (network.architecture, network.provenance, hash)
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file stays behind");
}

#[test]
fn a_sparse_network_plays_equally_from_its_file_of_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["a.safetensors", "b.safetensors"].map(|name| folder.path().join(name));
    let network = shaken(Architecture::sparse(64), 6);
    network.save(&first).unwrap();
    let loaded = Network::load(&first, &CHESS_LAYOUT).unwrap();
    assert_ne!(loaded, network, "the values are rounded");
    loaded.save(&second).unwrap();
    let bytes = fs::read(&first).unwrap();
    assert_eq!(bytes, fs::read(&second).unwrap());
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    for spec in network.parameters.specs() {
        let tensor = file.tensor(&spec.name).unwrap();
        assert_eq!(tensor.dtype() == safetensors::Dtype::I8, spec.bytes, "{}", spec.name);
        let values = &network.parameters.values[spec.range()];
        for (byte, value) in tensor.data().iter().zip(values).filter(|_| spec.bytes) {
            let value = value.clamp(-1.0, 1.0);
            assert!((f32::from(*byte as i8) - 127.0 * value).abs() <= 0.5, "{}: {value}", spec.name);
        }
    }
    let positions = positions(50, 7);
    let [from_memory, from_file] = [network, loaded].map(|network| {
        let mut batch = requests(&positions);
        CpuEvaluator::new(&network, positions.len()).unwrap().evaluate(&mut batch).unwrap();
        (batch.values, batch.logits)
    });
    assert_eq!(from_memory, from_file);
}

#[test]
fn the_safetensors_crate_reads_our_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("network.safetensors");
    let network = shaken(architecture(), 2);
    network.save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(file.len(), network.parameters.specs().len());
    for spec in network.parameters.specs() {
        let tensor = file.tensor(&spec.name).unwrap();
        assert_eq!((tensor.dtype(), tensor.shape()), (safetensors::Dtype::F32, &spec.shape[..]));
        let values = tensor.data().as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        assert!(values.eq(network.parameters.values[spec.range()].iter().copied()), "{}", spec.name);
    }
}

#[test]
fn any_flipped_byte_is_noticed_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let network = shaken(Architecture::tower(4, 1), 3);
    let network_path = folder.path().join("network.safetensors");
    network.save(&network_path).unwrap();
    let load =
        |path: &std::path::Path| Network::load(path, &CHESS_LAYOUT).err().map(|error| error.to_string());
    let mut random = random(4);
    {
        let (name, path) = ("network", &network_path);
        let good = fs::read(path).unwrap();
        assert_eq!(load(path), None);
        let header = usize::from(u16::from_le_bytes([good[0], good[1]])) + 8;
        let some: Vec<usize> = (0..200).map(|_| random.random_range(header..good.len())).collect();
        for at in (0..16).chain((16..header).step_by(5)).chain(some).chain([good.len() - 1]) {
            let mut damaged = good.clone();
            damaged[at] ^= 1 << random.random_range(0..8);
            fs::write(path, &damaged).unwrap();
            let error = load(path).unwrap_or_else(|| panic!("{name}: byte {at} of {}", good.len()));
            assert!(error.contains(&format!("{name}.safetensors")), "{error}");
        }
        for len in [0, 7, 8, 100, header, good.len() - 1] {
            fs::write(path, &good[..len]).unwrap();
            assert!(load(path).unwrap().contains("damaged"), "cut to {len}");
        }
    }
}

#[test]
fn files_of_another_kind_layout_or_format_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("network.safetensors");
    let network = shaken(architecture(), 5);
    network.save(&path).unwrap();
    let error = crate::files::read(&path, "state").err().unwrap().to_string();
    assert!(error.contains("catapult-state-1") && error.contains("catapult-network-1"), "{error}");
    let other = Layout { planes: CHESS_LAYOUT.planes + 1, ..CHESS_LAYOUT };
    assert!(Network::load(&path, &other).unwrap_err().to_string().contains(CHESS_LAYOUT.name));
    let missing = Network::load(&folder.path().join("none.safetensors"), &CHESS_LAYOUT).unwrap_err();
    assert!(missing.to_string().contains("none.safetensors"), "{missing}");
    let nowhere = network.save(&path.join("within-a-file.safetensors")).unwrap_err();
    assert!(nowhere.to_string().contains("within-a-file.safetensors"), "{nowhere}");
}
