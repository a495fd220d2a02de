//! Tests of replaying games of chess under the rules of Chess++, and of lines of EPD.

use catapult_rules::{
    BreakReason, Chess, ChessReplay, Epd, Game, Outcome, PgnGame, PgnReader, PgnResult, Position, Proposals,
    Standard, Variant, replay_chess, with_variant, write_pgn,
};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

fn replay(variant: &str, game: &PgnGame) -> ChessReplay {
    replay_chess(game, variant.parse().unwrap())
        .expect("a variant of the 8x8 engine")
        .unwrap_or_else(|error| panic!("{error}"))
}

fn game(fen: &str, moves: &str) -> PgnGame {
    let text = format!("[FEN \"{fen}\"]\n\n{moves} *");
    PgnReader::new(text.as_bytes()).next().unwrap().unwrap()
}

#[track_caller]
fn breaks(variant: &str, fen: &str, moves: &str, san: &str, reason: BreakReason, detail: &str) {
    let found = replay(variant, &game(fen, moves)).broken.expect("it breaks");
    assert_eq!((&*found.san, found.reason, &*found.detail), (san, reason, detail), "{fen}");
    assert!(replay("chess", &game(fen, moves)).is_same());
}

#[test]
fn reasons_of_breaks() {
    // Rule 10: the knight on b8 guards its side's other catapult.
    let guards = "a teleport guards f8";
    let king = "1n6/p5K1/8/8/8/8/8/k7 w - - 0 1";
    breaks("chesspp", king, "1. Kf8", "1. Kf8", BreakReason::KingIntoTeleport, guards);
    // Rule 10: it comes to b8 and gives check; White does something else.
    let knight = "5K2/p7/2n5/8/8/7P/8/k7 b - - 0 7";
    let check = BreakReason::CheckByTeleport;
    breaks("chesspp", knight, "7... Nb8 8. h4 Na6 9. h5", "8. h4", check, "from b8 to f8");
    // In Kortschnoj against Zs. Polgar, 1994, the queen checks along the rank, which can be
    // blocked, and by teleport.
    let queen = "8/K5p1/8/8/8/6q1/8/1Q3k2 b - - 27 96";
    breaks("chesspp", queen, "96... Qe1", "96... Qe1", check, "from b1 to f1");
    // Rule 12: Black's catapult on d1 (a FEN may name any) is between king and rook.
    let castle = "q3k3/8/8/8/8/8/8/R3K3 w Q - 0 1 -/a8d1";
    let fen: Vec<&str> = castle.split(' ').collect();
    let barred = replay("chesspp", &game(castle, "1. O-O-O")).broken.expect("it breaks");
    assert_eq!((barred.reason, &*barred.detail), (BreakReason::CastlingBarred, "by a teleport to d1"));
    assert_eq!(replay("chesspp", &game(&fen[..6].join(" "), "1. O-O-O")).broken, None);
    // The catapult on c1 is not on the way of this castling.
    let short = "r3k3/8/8/8/8/8/8/4K2R w K - 0 1 -/a8c1f1";
    let barred = replay("chesspp+third", &game(short, "1. O-O")).broken.expect("it breaks");
    assert_eq!((barred.reason, &*barred.detail), (BreakReason::CastlingBarred, "by a teleport to f1"));
    // Rule 10: the knight on b1 guards f1, so that the rook mates; in chess the king goes there.
    let mate = "R7/1B6/3B4/8/8/4K3/8/1N4k1 w - - 0 1";
    breaks("chesspp", mate, "1. Rg8+ Kf1", "1... Kf1", BreakReason::EndedEarlier, "checkmate");
    // `+instant`: the bishop leaves the file on which the rook gets to b8, and from there to f8.
    let opens = "5K2/8/8/8/1B6/8/p7/kr6 w - - 0 1";
    let blocked = BreakReason::Blocked;
    let rook = "R7/8/4k3/8/8/8/8/4K3 w - - 0 1";
    breaks("chesspp+block", rook, "1. Rc8", "1. Rc8", blocked, "by the catapult on b8");
    let castling = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 -/b1";
    let found = replay("chesspp+block", &game(castling, "1. O-O-O")).broken.unwrap();
    assert_eq!((found.reason, &*found.detail), (blocked, "by the catapult on b1"));
    let exposed = BreakReason::KingExposed;
    breaks("chesspp+instant", opens, "1. Bc5", "1. Bc5", exposed, "to a teleport against f8");
    assert!(replay("chesspp", &game(opens, "1. Bc5")).is_same());
    let refused = "1n3K2/p7/8/8/8/8/8/k7 b - - 0 1";
    let found = replay("chesspp", &game(refused, "1... a6")).broken.expect("it breaks");
    assert_eq!((found.reason, found.ply, &*found.san), (BreakReason::StartRefused, 0, ""));
    assert!(found.detail.contains("the side not to move is in check"), "{}", found.detail);
}

#[test]
fn other_ends_and_catapults_captured() {
    // A smothered king on f8 leaves by its own catapult (rule 8).
    let smothered = replay("chesspp", &game("4rkr1/4ppp1/8/6N1/8/8/8/4K3 w - - 0 1", "1. Nh7#"));
    assert!(smothered.broken.is_none() && !smothered.is_same());
    assert_eq!((smothered.chess_outcome, smothered.outcome), (Some(Outcome::Checkmate), None));
    assert_eq!(smothered.escapes, ["Kb8t"]);
    // It is no stalemate while a catapult can move (rule 5).
    let stuck = replay("chesspp", &game("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "1. Qc7"));
    assert_eq!((stuck.chess_outcome, stuck.outcome), (Some(Outcome::Stalemate), None));
    assert!(
        stuck.escapes.iter().all(|san| san.starts_with('C')) && !stuck.escapes.is_empty(),
        "{:?}",
        stuck.escapes
    );
    // Rule 13: rooks on b8 and f8.
    let captured = replay("chesspp", &game("1R6/8/7k/8/8/8/8/4KR2 w - - 0 1", "1. Rff8 Kh7 2. Rf7+"));
    assert!(captured.is_same());
    assert_eq!(captured.catapults_captured, [(0, catapult_rules::Color::White)]);
}

#[test]
fn known_games_stay_legal() {
    let text = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games.pgn")).unwrap();
    for game in PgnReader::new(&text[..]) {
        let game = game.unwrap();
        let replay = replay("chesspp", &game);
        assert_eq!(
            (replay.legal, replay.plies),
            (game.moves.len(), game.moves.len()),
            "{:?}",
            game.tag("Event")
        );
    }
}

/// Compares the replay of random games of chess with playing their moves in Chess++. The test
/// covers all sets of proposals without `+free`.
#[test]
fn replays_agree_with_playing() {
    let mut random = Pcg64Mcg::seed_from_u64(8);
    let (mut broken, mut whole) = (0, 0);
    for round in 0..6 {
        let mut game = Game::new(Chess::start(Standard));
        while game.outcome().is_none() && game.ply() < 250 {
            let moves = game.position().legal_moves();
            // Kings that wander and captures meet catapults sooner.
            let wild: Vec<_> = moves
                .iter()
                .filter(|mv| game.position().king(game.position().side_to_move()).index() as u8 == mv.from())
                .collect();
            let mv = if round % 2 == 0 && !wild.is_empty() {
                **wild.choose(&mut random).unwrap()
            } else {
                *moves.choose(&mut random).unwrap()
            };
            game.push(mv);
        }
        let mut text = Vec::new();
        write_pgn(&mut text, Variant::Chess, &[], &game, &[], PgnResult::Unknown).unwrap();
        let pgn = PgnReader::new(&text[..]).next().unwrap().unwrap();
        for proposals in Proposals::all_sets().filter(|set| !set.contains(Proposals::FREE)) {
            let variant = Variant::ChessPp(proposals);
            let found = replay(&variant.to_string(), &pgn);
            let legal = with_variant!(variant, |P, rules| {
                let mut other = Game::new(P::start(rules));
                let mut chess = *game.start();
                for mv in game.moves() {
                    let text = chess.move_text(*mv);
                    chess.play(*mv);
                    // The text of a move that is legal in chess too, so it is neither a teleport
                    // nor a catapult move.
                    match other.position().parse_move(&text) {
                        Ok(mv) if other.outcome().is_none() => other.push(mv),
                        _ => break,
                    }
                }
                other.ply()
            });
            assert_eq!(found.legal, legal, "{variant}");
            assert_eq!(found.broken.is_none(), legal == game.ply(), "{variant}");
            if let Some(found) = found.broken {
                assert_eq!(found.ply, legal);
                assert_ne!(found.reason, BreakReason::StartRefused);
                broken += 1;
            } else {
                whole += 1;
            }
        }
    }
    assert!(broken > 0 && whole > 0, "{broken} {whole}");
}

#[test]
fn lines_of_epd() {
    let line = "8/8/8/8/8/8/4k3/4K2N w - - bm Nf2 Nxf2; id \"a; b\"; hmvc 12; c0 \"x\";";
    let epd = Epd::read(line).unwrap();
    assert_eq!((epd.get("bm"), epd.get("id"), epd.get("c1")), (Some("Nf2 Nxf2"), Some("a; b"), None));
    assert_eq!(epd.fen(), "8/8/8/8/8/8/4k3/4K2N w - - 12 1");
    let fen = "4k3/8/8/8/8/8/8/N3K3 w - - 3 9 a1h5/-";
    assert_eq!(Epd::read(fen).unwrap().fen(), fen);
    assert_eq!(Epd::read("8/8/8/8/8/8/8/8 w - -").unwrap().fen(), "8/8/8/8/8/8/8/8 w - - 0 1");
    let why = |line: &str| Epd::read(line).unwrap_err().to_string();
    assert_eq!(why("8/8 w -"), "FEN field en passant: missing");
    assert_eq!(why(""), "FEN field placement: missing");
    assert!(why("8/8 w - - bm Nf3").contains("semicolon"));
    assert!(why("8/8 w - - id \"x;").contains("semicolon"));
    assert!(why("8/8 w - - \"x\";").contains("opcode"));
    // Catapults are no opcode. Without this error they would be lost.
    assert!(why("8/8 w - - b1*f1*/b8*f8* bm e4; id \"q\";").contains("opcode"));
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for proposals in Proposals::all_sets() {
        let variant = Variant::ChessPp(proposals);
        with_variant!(variant, |P, rules| {
            let mut position = P::start(rules);
            for _ in 0..60 {
                let epd = Epd::of(&position.to_string(), variant);
                let read = Epd::read(&epd.to_string()).unwrap();
                assert_eq!(read.get("variant").unwrap().parse(), Ok(variant));
                assert_eq!(read.fen(), position.to_string());
                let moves = position.legal_moves();
                let Some(mv) = moves.choose(&mut random) else { break };
                position.play(*mv);
            }
        });
    }
}
