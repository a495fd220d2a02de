//! Tests of files with learner states. Damaged files and network files are rejected.

use crate::device::Device;
use crate::torch::testing::{architecture, lessons, positions, random, shaken, shaken_for};
use crate::{Architecture, Learner, Network, TrainingSettings};
use catapult_encoding::{CHESS_LAYOUT, Layout};
use rand::Rng;
use std::fs;

#[test]
fn any_flipped_byte_of_a_state_is_noticed_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.safetensors");
    let network = shaken(Architecture::tower(4, 1), 3);
    let mut learner = Learner::new(network, TrainingSettings::default(), Device::Cpu).unwrap();
    learner.step(&lessons(&positions(4, 0), 0), 1e-3).unwrap();
    learner.save(&path).unwrap();
    let load = || {
        let loaded = Learner::load(&path, &CHESS_LAYOUT, TrainingSettings::default(), Device::Cpu);
        loaded.err().map(|error| error.to_string())
    };
    let mut random = random(4);
    let good = fs::read(&path).unwrap();
    assert_eq!(load(), None);
    let header = usize::from(u16::from_le_bytes([good[0], good[1]])) + 8;
    let some: Vec<usize> = (0..200).map(|_| random.random_range(header..good.len())).collect();
    for at in (0..16).chain((16..header).step_by(5)).chain(some).chain([good.len() - 1]) {
        let mut damaged = good.clone();
        damaged[at] ^= 1 << random.random_range(0..8);
        fs::write(&path, &damaged).unwrap();
        let error = load().unwrap_or_else(|| panic!("byte {at} of {}", good.len()));
        assert!(error.contains("state.safetensors"), "{error}");
    }
    for len in [0, 7, 8, 100, header, good.len() - 1] {
        fs::write(&path, &good[..len]).unwrap();
        assert!(load().unwrap().contains("damaged"), "cut to {len}");
    }
}

#[test]
fn a_network_is_no_state() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("network.safetensors");
    shaken(architecture(), 5).save(&path).unwrap();
    let state = Learner::load(&path, &CHESS_LAYOUT, TrainingSettings::default(), Device::Cpu);
    assert!(state.err().unwrap().to_string().contains("catapult-state-1"));
}

#[test]
fn a_state_of_the_earlier_layout_resumes_with_weights_of_zero() {
    let folder = tempfile::tempdir().unwrap();
    let [state, file] = ["state", "network"].map(|name| folder.path().join(name));
    let (name, globals) = CHESS_LAYOUT.earlier.unwrap();
    let earlier = Layout { name, globals, earlier: None, ..CHESS_LAYOUT };
    for architecture in [Architecture::tower(4, 1), Architecture::sparse(64)] {
        let network = shaken_for(architecture, earlier, 6);
        network.save(&file).unwrap();
        Learner::new(network, TrainingSettings::default(), Device::Cpu).unwrap().save(&state).unwrap();
        let mut learner =
            Learner::load(&state, &CHESS_LAYOUT, TrainingSettings::default(), Device::Cpu).unwrap();
        let expected = Network::load(&file, &CHESS_LAYOUT).unwrap();
        for network in [learner.raw().unwrap(), learner.averaged(Default::default()).unwrap()] {
            // A network file has fewer digits than a state.
            network.save(&file).unwrap();
            assert!(Network::load(&file, &CHESS_LAYOUT).unwrap().parameters == expected.parameters);
        }
        learner.step(&lessons(&positions(4, 0), 0), 1e-3).unwrap();
    }
}
