//! One fixed piece of work of the rules crate, by name: what `./instructions` counts under callgrind.

use catapult_rules::{Chess, ChessPp, ChessPpProposals, MoveList, Plain, Position, Proposals, Standard, perft, perft_made};

/// Random games with the list of moves built, the n-th move chosen by a fixed stream.
fn games<P: Position>(rules: P::Rules, games: u32) -> u64 {
    let mut state = 1u64;
    let mut plies = 0;
    for _ in 0..games {
        let mut position = P::start(rules);
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

fn main() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let kiwipete = Chess::from_fen(kiwipete, Standard).expect("FEN");
    let all = Proposals::NAMES.into_iter().fold(Proposals::default(), |set, (_, one)| set.with(one));
    let done = match std::env::args().nth(1).as_deref() {
        Some("nothing") => 0,
        Some("chess-bulk") => perft(&kiwipete, 4),
        Some("chess-made") => perft_made(&kiwipete, 3),
        Some("chess-games") => games::<Chess>(Standard, 50),
        Some("chesspp-bulk") => perft(&ChessPp::start(Plain), 4),
        Some("chesspp-made") => perft_made(&ChessPp::start(Plain), 3),
        Some("chesspp-games") => games::<ChessPp>(Plain, 50),
        Some("proposals-games") => games::<ChessPpProposals>(all, 10),
        _ => panic!("a workload's name is expected; ./instructions has them"),
    };
    println!("{done}");
}
