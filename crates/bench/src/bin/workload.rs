//! Runs a fixed workload of the crate `catapult-rules`, chosen by name. The script `./instructions`
//! counts the instructions of each workload with callgrind. Without a name, the program lists the
//! workloads.

use catapult_rules::{
    Century, Chess, ChessPp, ChessPpProposals, Half, Maxim, MoveList, Plain, Position, Proposals, Standard,
    perft, perft_made,
};

/// Plays random games and returns the number of plies. Every ply builds the list of legal moves and
/// chooses a move by a fixed stream of random numbers. The start position is created only once,
/// because reading its FEN takes time.
fn games<P: Position>(rules: P::Rules, games: u32) -> u64 {
    let start = P::start(rules);
    let mut state = 1u64;
    let mut plies = 0;
    for _ in 0..games {
        let mut position = start;
        for _ in 0..200 {
            let mut moves = MoveList::new();
            position.legal_moves_into(&mut moves);
            if moves.is_empty() {
                break;
            }
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            position.play(moves[(state >> 33) as usize % moves.len()]);
            plies += 1;
        }
    }
    plies
}

/// Returns the counted number of leaves after checking that it equals `leaves`, so that a wrong
/// engine is not measured.
fn known(counted: u64, leaves: u64) -> u64 {
    assert_eq!(counted, leaves, "leaves");
    counted
}

fn kiwipete() -> Chess {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    Chess::from_fen(fen, Standard).expect("FEN")
}

fn all_proposals() -> Proposals {
    Proposals::ALL.iter().map(|proposal| proposal.set).collect()
}

/// Name of a workload, and a function that runs it and returns the number of leaves or plies.
type Workload = (&'static str, fn() -> u64);

const WORKLOADS: [Workload; 13] = [
    ("chess-bulk", || known(perft(&kiwipete(), 4), 4_085_603)),
    ("chess-made", || known(perft_made(&kiwipete(), 3), 97_862)),
    ("chess-games", || games::<Chess>(Standard, 50)),
    ("chesspp-bulk", || known(perft(&ChessPp::start(Plain), 4), 204_463)),
    ("chesspp-made", || known(perft_made(&ChessPp::start(Plain), 3), 9_062)),
    ("chesspp-games", || games::<ChessPp>(Plain, 50)),
    ("proposals-games", || games::<ChessPpProposals>(all_proposals(), 10)),
    ("century-bulk", || known(perft(&Century::start(()), 3), 203_791)),
    ("century-games", || games::<Century>((), 20)),
    ("maxim-bulk", || known(perft(&Maxim::start(()), 4), 1_334_717)),
    ("maxim-games", || games::<Maxim>((), 20)),
    ("half-bulk", || known(perft(&Half::start(()), 3), 357_412)),
    ("half-games", || games::<Half>((), 20)),
];

fn main() {
    match std::env::args().nth(1).as_deref() {
        None => WORKLOADS.iter().for_each(|(name, _)| println!("{name}")),
        Some("nothing") => println!("0"),
        Some(name) => {
            let (_, work) =
                WORKLOADS.iter().find(|(known, _)| *known == name).expect("a workload; no name lists them");
            println!("{}", work());
        }
    }
}
