//! The object-safe interface of games.

use catapult_rules::{Game, Position, Variant, with_variant};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

#[test]
fn a_fen_of_four_fields_gets_its_counters() {
    let fen = |variant: Variant, fen| variant.game(Some(fen)).map(|game| game.fen());
    let chesspp = "chesspp".parse().unwrap();
    assert_eq!(fen(Variant::Chess, "4k3/8/8/8/8/8/8/4K3 b - -\n").unwrap(), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    assert_eq!(fen(chesspp, "4k3/8/8/8/8/8/8/4K3 w - -").unwrap(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1 -");
    assert!(fen(chesspp, "4k3/8/8/8/8/8/8/4K3 w - - 0").is_err());
}

/// Random games of every variant: the interface agrees with [`Game`] after each move, and
/// undoing all moves gives each earlier position.
#[test]
fn agrees_with_games_and_undoes_moves() {
    for variant in Variant::all() {
        with_variant!(variant, |P, rules| {
            let mut rng = Pcg64Mcg::seed_from_u64(1);
            let (mut game, mut any) = (Game::new(P::start(rules)), variant.start());
            let mut fens = vec![any.fen()];
            while game.outcome().is_none() && game.ply() < 80 {
                let moves = any.legal_moves();
                assert_eq!(moves, game.position().legal_moves());
                let mv = moves[rng.random_range(0..moves.len())];
                assert_eq!(any.parse_move(&any.move_text(mv)), Ok(mv));
                game.push(mv);
                any.push(mv);
                assert_eq!(any.fen(), game.position().to_string());
                assert_eq!((any.outcome(), any.repetitions()), (game.outcome(), game.repetitions()));
                fens.push(any.fen());
            }
            assert_eq!(any.moves(), game.moves());
            assert_eq!(any.line::<P>().unwrap().game().repetitions(), game.repetitions());
            assert_eq!(any.forked().fen(), any.fen());
            assert_eq!(any.rewound().fen(), fens[0]);
            for fen in fens.iter().rev().skip(1) {
                assert_eq!(any.pop(), game.moves().get(any.moves().len()).copied());
                assert_eq!(any.fen(), *fen);
            }
            assert_eq!(any.pop(), None);
        });
    }
}
