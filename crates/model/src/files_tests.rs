//! Tests of network files. They check exact round trips, compatibility with the crate safetensors,
//! and the detection of any damage.

use crate::testing::{architecture, check_damage, positions, requests, shaken, shaken_for};
use crate::{Architecture, CpuEvaluator, Network, NetworkInfo, Portable, file_hash, random_positions};
use catapult_encoding::{CHESS_LAYOUT, Encode, Layout};
use catapult_mcts::{Evaluator, Value};
use catapult_rules::{AnyChess, AnyRules, Position};
use half::bf16;
use std::fs;
use std::path::Path;

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
    let path = folder.path().join("network.safetensors");
    network.save(&path).unwrap();
    check_damage(&path, || Network::load(&path, &CHESS_LAYOUT).err().map(|error| error.to_string()));
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

/// Returns the bits of all outputs of a network for positions of a rule set. The network reads the
/// first globals, as many as its layout has.
fn outputs(network: &Network, variant: &str) -> Vec<u32> {
    let rules = AnyRules::of(variant.parse().unwrap()).unwrap();
    let (mut planes, mut globals) =
        (vec![bf16::ZERO; 64 * CHESS_LAYOUT.planes], vec![0.0; CHESS_LAYOUT.globals]);
    let mut runner = Portable::new(network, 1);
    let mut found = Vec::new();
    for position in random_positions(AnyChess::start(rules), 60, 9) {
        position.encode(0, false, &mut planes, &mut globals);
        let moves: Vec<_> =
            position.legal_moves().iter().map(|&mv| position.policy_index(mv, false)).collect();
        let (mut logits, mut values) = (vec![0.0; moves.len()], [Value::default()]);
        let (read_planes, read_globals) = runner.row_mut(0);
        read_planes.copy_from_slice(&planes);
        read_globals.copy_from_slice(&globals[..network.layout.globals]);
        runner.answer(&moves, &[moves.len()], &mut logits, &mut values);
        let [value] = values;
        found.extend(
            logits.iter().chain(&value.wdl).chain([&value.moves_left]).map(|output| output.to_bits()),
        );
    }
    found
}

#[test]
fn a_network_of_the_earlier_layout_keeps_its_evaluations() {
    let (name, globals) = CHESS_LAYOUT.earlier.unwrap();
    let earlier = Layout { name, globals, earlier: None, ..CHESS_LAYOUT };
    let folder = tempfile::tempdir().unwrap();
    let [sparse, again] = ["sparse", "again"].map(|name| folder.path().join(name));
    shaken_for(Architecture::sparse(64), earlier, 7).save(&sparse).unwrap();
    let tower = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/chess-chesspp-clock.safetensors");
    for file in [tower, sparse] {
        let read = |layout| Network::load(&file, layout);
        let (old, new) = (read(&earlier).unwrap(), read(&CHESS_LAYOUT).unwrap());
        for variant in ["chess", "chesspp", "chesspp+bare+fifty=60+first=0+still+teleport=NB"] {
            assert_eq!(outputs(&old, variant), outputs(&new, variant), "{variant}");
        }
        new.save(&again).unwrap();
        assert_eq!(Network::load(&again, &CHESS_LAYOUT).unwrap(), new);
        assert!(Network::load(&again, &earlier).unwrap_err().to_string().contains(CHESS_LAYOUT.name));
        let other = Layout { earlier: Some((name, globals - 1)), ..CHESS_LAYOUT };
        assert!(read(&other).unwrap_err().to_string().contains(name));
    }
}

#[test]
fn both_kinds_of_network_read_the_options() {
    for architecture in [architecture(), Architecture::sparse(64)] {
        let network = shaken(architecture, 8);
        let plain = outputs(&network, "chesspp");
        // The number of moves of the first position, which is the start.
        let first = |outputs: &[u32]| outputs[..20].to_vec();
        for option in ["bare", "restart", "safe", "still", "fifty=60", "first=1", "later=2", "teleport=NBRQ"]
        {
            let found = outputs(&network, &format!("chesspp+{option}"));
            assert_ne!(first(&found), first(&plain), "{option}");
        }
    }
}
