//! Tests of reading and writing PGN files.

use catapult_rules::{
    Chess, ChessPp, Game, PgnError, PgnGame, PgnReader, PgnResult, Plain, Position, ReplayError, Standard,
    Variant, with_variant, write_pgn,
};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::io::{BufReader, Read};

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
    assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(games[0].tag("Event"), Some("A \"quoted\" name"));
    assert_eq!(texts(&games[0]), ["e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6", "Ng5", "d5"]);
    assert_eq!((games[0].moves[1].line, games[0].moves[4].line), (7, 8));
    assert_eq!((games[0].result, games[0].line), (PgnResult::White, 2));
    let game = games[0].replay::<Chess>(Standard).unwrap();
    assert!(game.position().to_string().starts_with("r1bqkb1r/ppp2ppp/2n2n2/3pp1N1/2B1P3/8/"));
    assert_eq!((games[1].moves.len(), games[1].result), (2, PgnResult::Unknown));
    assert_eq!(games[2].variant().unwrap().to_string(), "chesspp");
    let game = games[2].replay::<ChessPp>(Plain).unwrap();
    assert_eq!(game.position().to_string(), "8/3k4/8/7N/8/8/8/4K3 w - - 1 2 a1h5/-");
}

fn texts(game: &PgnGame) -> Vec<&str> {
    game.moves.iter().map(|mv| mv.text.as_str()).collect()
}

/// Returns the moves of each game of a PGN text, joined by spaces, or the error of an invalid game.
fn outline(text: &[u8]) -> Vec<String> {
    let games = PgnReader::new(text).map(|game| match game {
        Ok(game) => texts(&game).join(" "),
        Err(error) => format!("! {error}"),
    });
    games.collect()
}

#[test]
fn what_is_no_move_is_passed_over() {
    let clean = ["e4 e5 Nf3 O-O 0-0-0 Nc6"];
    for text in [
        "1.e4 e5 2.Nf3 O-O 3.0-0-0 Nc6 *",
        "1 e4 e5 2 Nf3 O-O 3 0-0-0 Nc6",
        "1. e4! $1 e5 +/- 2. Nf3!? $10$11 ... O-O = 3. 0-0-0 3... Nc6 1/2-1/2",
        "{a}1. e4{b}e5 2. Nf3(2. Nc3(2. f4)*)O-O{)}3. 0-0-0 ; {\nNc6 1-0",
        "\u{feff}1. e4 e5\r\n%1. d4\r\n2. Nf3 O-O\r\n\r\n3. 0-0-0 Nc6* \r\n",
        "1. e4 e5 2. Nf3 (2. Nc3 [Site \"?\"] Nc6) O-O 3. 0-0-0 Nc6 *",
        "1. e4 e5 2. Nf3 O-O ± 3. 0-0-0 {[%clk 0:01:02]\n[Event\n} Nc6 0-1",
    ] {
        assert_eq!(outline(text.as_bytes()), clean, "{text}");
    }
    assert_eq!(outline(b"1. e4 -- 2. d4 *"), ["e4 -- d4"], "a pass is not left out in silence");
    assert_eq!(outline(b""), [""; 0]);
    assert_eq!(outline(b" \n\n"), [""; 0]);
    assert_eq!(outline(b"*"), [""], "a game without moves");
}

#[test]
fn a_game_of_tags_alone_ends_where_a_tag_repeats_after_a_blank_line() {
    let fen = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]";
    let text = format!("[White \"A\"]\n{fen}\n\n[White \"B\"]\n\n1. e4 e5 1-0\n");
    assert_eq!(outline(text.as_bytes()), ["", "e4 e5"]);
    let games: Vec<PgnGame> = PgnReader::new(text.as_bytes()).collect::<Result<_, _>>().unwrap();
    assert_eq!((games[1].tag("White"), games[1].tag("FEN")), (Some("B"), None));
    // Otherwise all tags before the moves are one game's.
    assert_eq!(outline(b"[White \"A\"]\n\n[Black \"B\"]\n[Black \"B\"]\n\n1. e4 *"), ["e4"]);
    assert_eq!(outline(b"[White \"A\"]\n%\n[White \"A\"]\n1. e4 *"), ["e4"]);
}

#[test]
fn a_comment_after_the_last_game_is_no_game() {
    assert_eq!(outline(b"1. e4 e5 1-0\n{end of file}\n; end\n").len(), 1);
    // A `$` ends a symbol (section 7 of the PGN standard).
    let game = PgnReader::new(&b"1. e4$1 e5$14 1-0"[..]).next().unwrap().unwrap();
    assert_eq!(texts(&game), ["e4", "e5"]);
}

#[test]
fn a_bad_game_costs_itself_only() {
    let good = "[Event \"good\"]\n[Site \"?\"]\n\n1. d4 d5 *\n\n";
    for (bad, error) in [
        ("[Event \"x\"]\n\n1. e4\n{never closed\n\n", "game 2, line 9, after 1 plies: a comment"),
        ("[Event \"x\"]\n\n1. e4 (1. d4\n\n", "game 2, line 8, after 1 plies: a variation"),
        ("[Event \"x\"]\n\n1. e4 ) e5 *\n\n", "game 2, line 8, after 1 plies: `)` without `(`"),
        ("[Event \"x\"]\n\n1. e4 ] e5 1-0\n\n", "game 2, line 8, after 1 plies: `]`"),
        ("[Event \"x\"]\n\n1. e4 [Site \"?\"] e5 1-0\n\n", "game 2, line 8, after 1 plies: `[`"),
        ("[Event \"x]\n[Site \"?\"]\n\n1. e4 e5 1-0\n\n", "game 2, line 6, after 0 plies: `[Event \"x]`"),
        ("[Event]\n\n1. e4 e5 1-0\n\n", "game 2, line 6, after 0 plies: `[Event]`"),
        ("[Event x]\n[Site \"?\"]\n1. e4 e5 1-0\n", "game 2, line 6, after 0 plies: `[Event x]`"),
    ] {
        let found = outline(format!("{good}{bad}{good}{good}").as_bytes());
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!((&*found[0], &*found[2], &*found[3]), ("d4 d5", "d4 d5", "d4 d5"), "{bad}");
        assert!(found[1].starts_with(&format!("! {error}")), "{}", found[1]);
        let at_the_end = outline(format!("{good}{bad}").as_bytes());
        assert_eq!(at_the_end[1], found[1], "{bad}");
        assert_eq!(at_the_end.len(), 2, "{at_the_end:?}");
    }
    let found = outline(format!("{good}1. e4 {} e5 *\n{good}", "y".repeat(300)).as_bytes());
    assert!(found[1].contains("yyy` where a move was expected") && found[1].len() < 120, "{found:?}");
    assert_eq!(found.len(), 3);
}

#[test]
fn replays_name_the_game_the_line_the_ply_and_the_text() {
    let text = b"1. e4 e5 *\n\n1. d4\nd5 2. Nf6 {?} Nc6 *\n[FEN \"x\"]\n\n*\n1. e4 \xff\xfe e5";
    let games: Vec<PgnGame> = PgnReader::new(&text[..]).map(Result::unwrap).collect();
    let (played, why) = games[1].replay::<Chess>(Standard).unwrap_err();
    assert_eq!(played.unwrap().ply(), 2);
    assert!(matches!(why, ReplayError::Move { game: 2, line: 4, ply: 2, .. }));
    let expected =
        "game 2, line 4, after 2 plies: move `Nf6`: not legal: White has no move of a knight to f6 that fits";
    assert_eq!(why.to_string(), expected);
    let (played, why) = games[2].replay::<Chess>(Standard).unwrap_err();
    assert!(played.is_none());
    assert!(why.to_string().starts_with("game 3, line 5: FEN field"), "{why}");
    assert!(games[3].replay::<Chess>(Standard).is_err());
}

#[test]
fn values_of_tags() {
    let text =
        b"[White \"M\xfcller\"] [Black \"M\xc3\xbcller\"]\n[ Site  \"a \\\"b\\\" \\\\ ] c\" ][Date\"1\"]\n*";
    let game = PgnReader::new(&text[..]).next().unwrap().unwrap();
    let found: Vec<(&str, &str)> = game.tags.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    assert_eq!(found, [("White", "Müller"), ("Black", "Müller"), ("Site", "a \"b\" \\ ] c"), ("Date", "1")]);
    let variant =
        |name: &str| PgnGame { tags: vec![("Variant".into(), name.into())], ..PgnGame::default() }.variant();
    assert_eq!(variant("Standard"), Ok(Variant::Chess));
    assert_eq!(variant("ChessPP+third+free").unwrap().to_string(), "chesspp+free+third");
    assert!(variant("Antichess").is_err());
}

/// Checks that endless input takes no more memory than the limit for one game, even if it has no
/// line breaks.
#[test]
fn memory_is_bounded() {
    struct Endless(&'static [u8], usize);
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let take = buffer.len().min(self.0.len()).min(self.1);
            buffer[..take].copy_from_slice(&self.0[..take]);
            self.1 -= take;
            Ok(take)
        }
    }
    let first = |pattern, bytes| PgnReader::new(BufReader::new(Endless(pattern, bytes))).next().unwrap();
    let error = first(b"Nf3 ", 20_000_000).unwrap_err().to_string();
    assert!(error.contains("the game takes more than"), "{error}");
    let error = first(b"[A \"b\"] ", 20_000_000).unwrap_err().to_string();
    assert!(error.contains("the game takes more than"), "{error}");
    let error = first(b"{e4 e5", 20_000_000).unwrap_err().to_string();
    assert!(error.contains("line 1, after 0 plies: a comment"), "{error}");
    assert!(first(b"[A \"", 20_000_000).is_err());
    assert!(first(b"((((", 1_000_000).is_err());
    // The file has one line. Words and tags are not split where its parts meet.
    let game = |n| format!("[White \"A\"] 1. e4 {{{}}} e5 2. Nf3 Nc6 1-0 ", "x".repeat(n % 37));
    let game: String = (0..20_000usize).map(game).collect();
    let games: Vec<PgnGame> = PgnReader::new(game.as_bytes()).collect::<Result<_, _>>().unwrap();
    assert_eq!(games.len(), 20_000);
    assert!(games.iter().all(|game| texts(game) == ["e4", "e5", "Nf3", "Nc6"] && game.tags.len() == 1));
}

#[test]
fn what_is_long_but_within_the_limits_is_read() {
    let first = |text: String| PgnReader::new(text.as_bytes()).next().unwrap();
    let symbol = |length| first(format!("1. e4 {} 1-0", "y".repeat(length)));
    assert_eq!(symbol(255).unwrap().moves[1].text.len(), 255, "the standard's limit");
    assert!(symbol(256).is_err());
    let tag = format!("[{} \"{}\"]\n", "N".repeat(100), "v".repeat(1000));
    let long = first(tag.repeat(100) + &"e4 ".repeat(1000)).unwrap();
    assert_eq!((long.tags.len(), long.moves.len()), (100, 1000));
}

#[test]
fn a_broken_disk_ends_the_reading() {
    let mut reader = PgnReader::new(Broken);
    assert!(matches!(reader.next(), Some(Err(PgnError::Io { game: 1, line: 1, .. }))));
    assert!(reader.next().is_none());
}

#[test]
fn known_games_end_as_they_did() {
    let text = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games.pgn")).unwrap();
    let games: Vec<PgnGame> = PgnReader::new(&text[..]).collect::<Result<_, _>>().unwrap();
    assert_eq!(games.len(), 7);
    for game in &games {
        let played = game.replay::<Chess>(Standard).unwrap_or_else(|(_, error)| panic!("{error}"));
        assert_eq!(Some(game.result.to_string().as_str()), game.tag("Result"));
        if game.moves.last().unwrap().text.ends_with('#') {
            assert_eq!(PgnResult::of(&played), game.result, "{:?}", game.tag("Event"));
        }
        // The file's text equals the moves written by the standard's rules, including check marks.
        let mut position = *played.start();
        for (mv, written) in played.moves().iter().zip(&game.moves) {
            assert_eq!(position.san(*mv), written.text);
            position.play(*mv);
        }
    }
}

/// Checks that reading `files` damaged files never panics and reaches the end of the input. Games
/// that can be read are written and read back unchanged.
fn no_harm_by_spoilt_files(files: usize) {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let sources = [FILE.as_bytes(), include_bytes!("../data/games.pgn")];
    let spice = b"{}()[]\";%*.$!?-0O/=+#1a\n\r\t \\\xff\x00x";
    let (mut read, mut refused, mut legal) = (0, 0, 0);
    for _ in 0..files {
        let source = sources[random.random_range(0..2)];
        let from = random.random_range(0..source.len());
        let to = (from + random.random_range(0..700)).min(source.len());
        let mut text = source[from..to].to_vec();
        for _ in 0..random.random_range(0..6) {
            let at = random.random_range(0..=text.len());
            match random.random_range(0..4) {
                0 => text.insert(at, *spice.choose(&mut random).unwrap()),
                1 if at < text.len() => text[at] = *spice.choose(&mut random).unwrap(),
                2 if at < text.len() => drop(text.remove(at)),
                _ => text.insert(at, random.random()),
            }
        }
        let mut last = 0;
        for game in PgnReader::new(&text[..]) {
            let Ok(game) = game else {
                refused += 1;
                last += 1;
                continue;
            };
            read += 1;
            last += 1;
            assert_eq!(game.number, last);
            let game = match game.replay::<Chess>(Standard) {
                Ok(game) => game,
                Err((Some(game), _)) => game,
                Err((None, _)) => continue,
            };
            legal += game.ply();
            let mut again = Vec::new();
            write_pgn(&mut again, Variant::Chess, &[], &game, &[], PgnResult::Unknown).unwrap();
            let back = PgnReader::new(&again[..]).next().unwrap().unwrap();
            assert_eq!(back.replay::<Chess>(Standard).unwrap().moves(), game.moves());
        }
    }
    assert!(read > files / 2 && refused > files / 20 && legal > files / 2, "{read} {refused} {legal}");
}

#[test]
fn spoilt_files_do_no_harm() {
    no_harm_by_spoilt_files(2_000);
}

#[test]
#[ignore = "long"]
fn many_spoilt_files_do_no_harm() {
    no_harm_by_spoilt_files(20_000);
}

#[test]
fn tags_that_cannot_be_read_back_are_not_written() {
    let game = Game::new(Chess::start(Standard));
    for name in ["", "two words", "a]b", "é"] {
        let tags = [(name.to_owned(), "x".to_owned())];
        let written = write_pgn(&mut Vec::new(), Variant::Chess, &tags, &game, &[], PgnResult::Unknown);
        let error = written.unwrap_err();
        assert!(error.to_string().contains("not the name of a tag"), "{error}");
    }
}

#[test]
fn a_black_move_after_a_comment_has_a_number() {
    let text = "1. e4 {first} 1... e5 2. Nf3 Nc6 {fourth} 3. Bb5 {fifth} 3... a6 *";
    let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap().replay::<Chess>(Standard).unwrap();
    let comments = ["first", "", "", "fourth", "fifth"].map(str::to_owned);
    let mut file = Vec::new();
    write_pgn(&mut file, Variant::Chess, &[], &game, &comments, PgnResult::Unknown).unwrap();
    assert!(String::from_utf8(file).unwrap().ends_with(&format!("\n\n{text}\n\n")), "{text}");
}

#[test]
fn the_fen_of_a_game_may_lack_its_counters() {
    let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - -\"]\n\n1. e4 *";
    let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap().replay::<Chess>(Standard).unwrap();
    assert_eq!(game.start().to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
}

#[test]
fn a_comment_with_a_tag_is_read_back() {
    let text = format!("1. e4 {{{}[Event \"x\"] there}} *", "word ".repeat(14));
    let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap().replay::<Chess>(Standard).unwrap();
    let comments = [text[text.find('{').unwrap() + 1..text.find('}').unwrap()].to_owned()];
    let mut file = Vec::new();
    write_pgn(&mut file, Variant::Chess, &[], &game, &comments, PgnResult::Unknown).unwrap();
    let games: Vec<PgnGame> = PgnReader::new(&file[..]).collect::<Result<_, _>>().unwrap();
    assert_eq!(games.len(), 1);
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
    let mut file = Vec::new();
    let mut finals = Vec::new();
    let variants: Vec<Variant> = Variant::all().collect();
    for (number, variant) in variants.iter().enumerate() {
        with_variant!(*variant, |P, rules| {
            let mut start = P::start(rules);
            // Every other game begins in the middle, some with Black to move.
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
            write_pgn(&mut file, *variant, &tags, &game, &[], PgnResult::of(&game)).unwrap();
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
