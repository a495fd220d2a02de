//! Tests of files with learner states. Damaged files and network files are rejected.

use crate::device::Device;
use crate::torch::testing::{architecture, check_damage, lessons, positions, shaken, shaken_for};
use crate::{Architecture, Learner, Network, TrainingSettings};
use catapult_encoding::{CHESS_LAYOUT, Layout};

#[test]
fn any_flipped_byte_of_a_state_is_noticed_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.safetensors");
    let network = shaken(Architecture::tower(4, 1), 3);
    let mut learner = Learner::new(network, TrainingSettings::default(), Device::Cpu).unwrap();
    learner.step(&lessons(&positions(4, 0), 0), 1e-3).unwrap();
    learner.save(&path).unwrap();
    check_damage(&path, || {
        let loaded = Learner::load(&path, &CHESS_LAYOUT, TrainingSettings::default(), Device::Cpu);
        loaded.err().map(|error| error.to_string())
    });
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
