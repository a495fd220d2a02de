//! Prints the network inputs of a position: each plane that is not 0 everywhere, as seen from the
//! side to move, and the globals. Also prints the policy plane of each legal move. The `planes`
//! module of each game describes the inputs.
//!
//! Run `cargo run -p catapult-encoding --example planes -- chesspp 'FEN'`. Without a FEN, the
//! example prints the start position.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_encoding::Encode;
use catapult_rules::{Position, Variant, with_variant};
use half::bf16;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let variant: Variant = arguments.next().as_deref().unwrap_or("chesspp").parse()?;
    let fen = arguments.next();
    with_variant!(variant, |P, rules| {
        let position = fen.map_or(Ok(P::start(rules)), |fen| P::from_fen(&fen, rules))?;
        let layout = P::LAYOUT;
        let names = P::plane_names();
        let mut planes = vec![bf16::ZERO; layout.squares() * layout.planes];
        let mut globals = vec![0.0; layout.globals];
        position.encode(0, false, &mut planes, &mut globals);
        println!("{}: {} planes of {}x{}", layout.name, layout.planes, layout.files, layout.ranks);
        // Channels last: the planes of a square are adjacent.
        let at = |plane: usize, rank: usize, file: usize| {
            planes[(rank * layout.files + file) * layout.planes + plane].to_f32()
        };
        for (plane, name) in names.iter().enumerate() {
            let rows: Vec<String> = (0..layout.ranks)
                .rev()
                .map(|rank| {
                    (0..layout.files)
                        .map(|file| match at(plane, rank, file) {
                            0.0 => " .".to_owned(),
                            1.0 => " 1".to_owned(),
                            value => format!(" {value:.1}"),
                        })
                        .collect()
                })
                .collect();
            if rows.iter().any(|row: &String| row.chars().any(|c| c.is_ascii_digit())) {
                println!("plane {plane}: {name}\n{}", rows.join("\n"));
            }
        }
        for (global, (name, value)) in P::global_names().iter().zip(&globals).enumerate() {
            println!("global {global}: {name} {value}");
        }
        for &mv in position.legal_moves().iter() {
            let index = position.policy_index(mv, false);
            println!(
                "{:8} policy plane {:3}, square {:3}",
                position.move_text(mv),
                index.plane,
                index.square
            );
        }
    });
    Ok(())
}
