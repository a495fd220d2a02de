//! Algebraic notation and PGN files.

use catapult_rules::{
    Chess, ChessPp, ChessPpProposals, Game, PgnError, PgnGame, PgnReader, PgnResult, Plain, Position,
    Proposals, ReplayError, Standard, Variant, with_variant, write_pgn,
};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

#[track_caller]
fn san(variant: &str, fen: &str, expected: &[(&str, &str)]) {
    let variant: Variant = variant.parse().unwrap();
    with_variant!(variant, |P, rules| {
        let position = P::from_fen(fen, rules).unwrap();
        for (uci, san) in expected {
            let mv = position.parse_move(uci).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(position.san(mv), *san, "{uci} in {fen}");
            assert_eq!(position.parse_san(san), Ok(mv), "{san} in {fen}");
        }
    });
}

#[test]
fn standard_notation() {
    san(
        "chess",
        "r3k2r/pppq1ppp/2n2n2/3Pp3/1b6/2N2N2/PPPBQPPP/R3K2R w KQkq e6 0 1",
        &[
            ("d5e6", "dxe6"),
            ("d5c6", "dxc6"),
            ("e1g1", "O-O"),
            ("e1c1", "O-O-O"),
            ("f3e5", "Nxe5"),
            ("a2a4", "a4"),
        ],
    );
    // Told apart by file, else rank, else square.
    san("chess", "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", &[("a1d1", "Rd1"), ("h1f1", "Rf1"), ("a1a5", "Ra5")]);
    san("chess", "4k3/8/R7/8/8/8/8/R3K3 w - - 0 1", &[("a1a3", "R1a3"), ("a6a3", "R6a3"), ("a6e6", "Re6+")]);
    san(
        "chess",
        "6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1",
        &[("h4e1", "Qh4e1"), ("e4e1", "Qee1"), ("h1e1", "Q1e1")],
    );
    // A pinned piece is no rival.
    san("chess", "4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1", &[("a1c2", "Nc2")]);
    san(
        "chess",
        "6k1/P4ppp/8/8/8/8/8/K7 w - - 0 1",
        &[("a7a8q", "a8=Q#"), ("a7a8n", "a8=N"), ("a7a8b", "a8=B")],
    );
    san("chess", "1n4k1/P7/8/8/8/8/8/K7 w - - 0 1", &[("a7b8q", "axb8=Q+"), ("a7b8r", "axb8=R+")]);
}

#[test]
fn notation_of_catapults() {
    san("chesspp", "4k3/8/8/7r/8/8/8/N3K3 w - - 0 1 a1h5/-", &[("a1h5t", "Nxh5t"), ("a1b3", "Nb3")]);
    san("chesspp", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1 b1*h5/-", &[("b1c3", "Cb1-c3"), ("h5g6", "Ch5-g6")]);
    san("chesspp", "4k3/8/8/8/8/8/8/4K2R w K - 0 1 e1e7/-", &[("e1g1", "O-O"), ("e1e2", "Ke2")]);
    san(
        "chesspp+third",
        "7k/8/8/8/8/8/1N6/N3K3 w - - 0 1 a1b2h5/-",
        &[("a1h5t", "Nah5t"), ("b2h5t", "Nbh5t"), ("b2c4", "Nc4")],
    );
    san("chesspp+free", &ChessPpProposals::start(Proposals::FREE).to_string(), &[("c@b1", "Cb1")]);
    san("chesspp+promote", "5n1k/4P3/8/8/8/8/8/4K3 w - - 0 1", &[("e7e8c", "e8=C"), ("e7f8c", "exf8=C")]);
    san("chesspp+pawns", "7k/8/8/8/8/8/6P1/4K3 w - - 0 1 c8g2/-", &[("g2c8nt", "g2c8=Nt"), ("g2g3", "g3")]);
    san("chesspp+pawns", "7k/8/8/2p5/8/8/6P1/4K3 w - - 0 1 c5g2/-", &[("g2c5t", "g2xc5t")]);
    san(
        "chesspp+instant+third",
        "7k/8/5p2/p7/8/8/8/R3K3 w - - 0 1 a5f6h1/-",
        &[("a1a5f6", "Rxa5-xf6"), ("a1a5h1", "Rxa5-h1+"), ("a1a5", "Rxa5")],
    );
    let both = "chesspp+instant+pawns";
    san(both, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 d6h3/-", &[("e5d6h3", "exd6-h3"), ("e5d6", "exd6")]);
    san(both, "7k/4p3/3P4/8/8/8/8/4K3 w - - 0 1 c8e7/-", &[("d6e7c8n", "dxe7-c8=N"), ("d6e7", "dxe7")]);
    san(both, "7k/8/8/8/8/8/2P5/4K3 w - - 0 1 c3g6/-", &[("c2c3g6", "c3-g6"), ("c2c4", "c4")]);
}

#[test]
fn reading_is_lenient_but_not_guessing() {
    let position = Chess::from_fen("r3k2r/P7/8/3pP3/8/8/8/RN2K1NR w KQkq d6 0 1", Standard).unwrap();
    let read = |text: &str| position.parse_san(text).map(|mv| position.move_text(mv));
    for (text, uci) in [
        ("Nf3!?", "g1f3"),
        ("Ng1f3", "g1f3"),
        ("Ngf3", "g1f3"),
        ("exd6", "e5d6"),
        ("ed6", "e5d6"),
        ("e5d6", "e5d6"),
        ("e6", "e5e6"),
        ("Rxh8", "h1h8"),
        ("Rh8+", "h1h8"),
    ] {
        assert_eq!(read(text).as_deref(), Ok(uci), "{text}");
    }
    for text in
        ["O-O", "0-0-0", "a8=Q", "d6", "Kd8", "Nd2x", "Xe4", "N", "", "=Q", "x", "Rxh8=Q", "é4", "Nf3-", "-"]
    {
        assert!(read(text).is_err(), "{text}: {:?}", read(text));
    }
    let rooks = Chess::from_fen("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", Standard).unwrap();
    assert!(rooks.parse_san("Rd1").unwrap_err().to_string().contains("more than one"));
    let castle = Chess::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", Standard).unwrap();
    assert_eq!(castle.parse_san("0-0").map(|mv| castle.move_text(mv)).as_deref(), Ok("e1g1"));
}

const FILE: &str = r#"%ignored line
[Event "A \"quoted\" name"]
[White "Müller"]
[Result "1-0"]

1. e4 {a comment with (brackets) and 1-0
over two lines} e5 2. Nf3 (2. f4 exf4 (2... d5 {x})) 2... Nc6 $14 ; to the end 3. Qh5
3.Bc4 Nf6?? 4. Ng5 d5 1-0

[Event "no result"]

1. d4 d5
[Event "catapults"]
[Variant "chesspp"]
[FEN "4k3/8/8/7r/8/8/8/N3K3 w - - 0 1 a1h5/-"]
[SetUp "1"]

1. Nxh5t Kd7 *
"#;

#[test]
fn a_file_of_games() {
    let games: Vec<PgnGame> = PgnReader::new(FILE.as_bytes()).collect::<Result<_, _>>().unwrap();
    assert_eq!(games.len(), 3);
    assert_eq!(games[0].tag("Event"), Some("A \"quoted\" name"));
    assert_eq!(games[0].moves, ["e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6", "Ng5", "d5"]);
    assert_eq!((games[0].result, games[0].line), (PgnResult::White, 2));
    let game = games[0].replay::<Chess>(Standard).unwrap();
    assert!(game.position().to_string().starts_with("r1bqkb1r/ppp2ppp/2n2n2/3pp1N1/2B1P3/8/"));
    assert_eq!((games[1].moves.len(), games[1].result), (2, PgnResult::Unknown));
    assert_eq!(games[2].variant().unwrap().to_string(), "chesspp");
    let game = games[2].replay::<ChessPp>(Plain).unwrap();
    assert_eq!(game.position().to_string(), "8/3k4/8/7N/8/8/8/4K3 w - - 1 2 a1h5/-");
}

#[test]
fn bad_files_name_the_line() {
    let error =
        |text: &str| PgnReader::new(text.as_bytes()).find_map(Result::err).map(|error| error.to_string());
    let starts = |text: &str, with: &str| {
        assert!(error(text).unwrap_or_default().starts_with(with), "{:?}", error(text))
    };
    starts("1. e4\n{never closed\n\n", "line 2: a comment");
    starts("\n1. e4 (1. d4\n", "line 2: a variation");
    starts("1. e4 )", "line 1: `)`");
    starts("[Event \"x]\n", "line 1: a tag");
    starts("[Event]\n", "line 1: a tag");
    starts("1. e4 ] e5", "line 1: `]`");
    assert_eq!(error(""), None);
    let truncated = PgnReader::new(&b"1. e4 \xff\xfe e5"[..]).next().unwrap().unwrap();
    let (played, why) = truncated.replay::<Chess>(Standard).unwrap_err();
    assert_eq!(played.unwrap().ply(), 1);
    assert!(matches!(why, ReplayError::Move { ply: 1, line: 1, .. }), "{why}");
    let bad_start = PgnGame { tags: vec![("FEN".into(), "x".into())], ..PgnGame::default() };
    assert!(matches!(bad_start.replay::<Chess>(Standard), Err((None, ReplayError::Start { .. }))));
    assert!(matches!(PgnReader::new(Broken).next(), Some(Err(PgnError::Io { .. }))));
}

struct Broken;

impl std::io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("no disk"))
    }
}

impl std::io::BufRead for Broken {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        Err(std::io::Error::other("no disk"))
    }
    fn consume(&mut self, _: usize) {}
}

#[test]
fn written_games_read_back() {
    let mut random = Pcg64Mcg::seed_from_u64(4);
    let variants = std::iter::once(Variant::Chess).chain(Proposals::all_sets().map(Variant::ChessPp));
    let mut file = Vec::new();
    let mut finals = Vec::new();
    let variants: Vec<Variant> = variants.collect();
    for (number, variant) in variants.iter().enumerate() {
        with_variant!(*variant, |P, rules| {
            let mut start = P::start(rules);
            // Every other game begins in the middle, Black to move in some.
            for _ in 0..(number % 2) * (20 + number % 3) {
                let moves = start.legal_moves();
                start.play(*moves.choose(&mut random).unwrap());
            }
            let mut game = Game::new(start);
            while game.outcome().is_none() && game.ply() < 120 {
                let moves = game.position().legal_moves();
                game.push(*moves.choose(&mut random).unwrap());
            }
            let tags = [
                ("White".to_owned(), "a \"b\" \\c".to_owned()),
                ("Annotator".to_owned(), number.to_string()),
            ];
            write_pgn(&mut file, *variant, &tags, &game, PgnResult::of(&game)).unwrap();
            finals.push((game.position().to_string(), PgnResult::of(&game)));
        });
    }
    let text = String::from_utf8(file).unwrap();
    assert!(text.lines().all(|line| line.len() <= 79 || line.starts_with('[')), "lines are short");
    let games: Vec<PgnGame> = PgnReader::new(text.as_bytes()).collect::<Result<_, _>>().unwrap();
    assert_eq!(games.len(), variants.len());
    for (number, (game, (fen, result))) in games.iter().zip(finals).enumerate() {
        assert_eq!(game.variant().unwrap(), variants[number]);
        assert_eq!(game.tag("White"), Some("a \"b\" \\c"));
        assert_eq!(game.tag("Annotator"), Some(number.to_string().as_str()));
        assert_eq!((game.result, game.tag("Result")), (result, Some(result.to_string().as_str())));
        with_variant!(variants[number], |P, rules| {
            assert_eq!(game.replay::<P>(rules).unwrap().position().to_string(), fen);
        });
    }
}
