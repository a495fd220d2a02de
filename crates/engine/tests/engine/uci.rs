//! Tests of the UCI protocol, line by line, with evaluators without a network.

use catapult_engine::uci::{EngineFactory, Ladder, NewEngine, Options, Uci};
use catapult_engine::{SessionThinker, Thinker};
use catapult_mcts::evaluators::Material;
use catapult_rules::{Color, Position, Variant, with_variant};
use std::cell::Cell;
use std::time::Duration;

struct Materialists;

impl EngineFactory for Materialists {
    fn create(&self, variant: Variant, options: &Options) -> Result<NewEngine, String> {
        if !options.network.is_empty() {
            return Err(format!("{}: no such file", options.network));
        }
        Ok(with_variant!(variant, |P, rules| {
            let engine: Box<dyn Thinker> = Box::new(SessionThinker::<P, _>::new(rules, Material));
            // Only standard chess has a ladder.
            let ladder =
                (variant == Variant::Chess).then(|| Ladder::new(vec![(4, 1000.0), (64, 1400.0)]).unwrap());
            NewEngine { engine, description: format!("{variant} by material"), ladder }
        }))
    }
}

/// A UCI engine with a simulated clock, which advances by 0.1 ms per reading.
struct Talk {
    uci: Uci<Materialists>,
    now: Cell<Duration>,
}

impl Talk {
    fn new() -> Talk {
        Talk { uci: Uci::new(Materialists), now: Cell::new(Duration::ZERO) }
    }

    fn say(&mut self, line: &str) -> Vec<String> {
        self.uci.line(line, self.now.get())
    }

    /// Advances the search until it ends, at most `times` times. Returns the printed lines.
    fn think(&mut self, times: usize) -> Vec<String> {
        let mut out = Vec::new();
        let clock = || {
            self.now.set(self.now.get() + Duration::from_micros(100));
            self.now.get()
        };
        for _ in 0..times {
            let (lines, _) = self.uci.step(&clock);
            out.extend(lines);
            if !self.uci.is_thinking() {
                break;
            }
        }
        out
    }

    /// Runs a search with the command `go` and returns its `bestmove` line.
    fn best(&mut self, go: &str) -> String {
        assert!(self.say(go).iter().all(|line| line.starts_with("info string")), "{go}");
        let out = self.think(100_000);
        let last = out.last().unwrap_or_else(|| panic!("{go}: no answer"));
        last.strip_prefix("bestmove ").unwrap_or_else(|| panic!("{go}: {last}")).to_owned()
    }
}

fn word<'a>(line: &'a str, key: &str) -> &'a str {
    let mut words = line.split(' ').skip_while(|&word| word != key);
    words.next();
    words.next().unwrap_or_else(|| panic!("no {key} in {line}"))
}

#[test]
fn it_introduces_itself_and_is_ready() {
    let mut talk = Talk::new();
    let told = talk.say("uci");
    assert!(told[0].starts_with("id name Catapult") && told.last().unwrap() == "uciok");
    assert!(told.iter().filter(|line| line.starts_with("option name ")).count() >= 8);
    assert_eq!(talk.say("isready"), ["readyok"]);
    assert_eq!(
        talk.say("go nodes 1"),
        ["info string chess by material"],
        "who plays is told with the first search"
    );
    assert!(talk.say("go nodes 1").iter().all(|line| !line.contains("by material")));
    talk.think(1_000);
    assert!(talk.say("").is_empty() && talk.say("debug on").is_empty());
    assert!(talk.say("quit").is_empty() && talk.uci.has_quit());
}

#[test]
fn it_plays_every_variant_and_tells_its_board() {
    let mut talk = Talk::new();
    let options = [
        "chesspp+bare+fifty=60+restart+still+teleport=NB",
        "chesspp+block+castle+catapults=c3h4+moves=3+peaceful+start=BBNRKRQN+still",
    ];
    let options = options.map(|name| name.parse().unwrap());
    for variant in Variant::all().chain(options).filter(|variant| *variant != Variant::Chess) {
        let told = talk.say(&format!("setoption name UCI_Variant value {variant}"));
        let (board, start) = with_variant!(variant, |P, rules| {
            (format!("files {} ranks {} pocket 0", P::FILES, P::RANKS), P::start(rules).to_string())
        });
        let line = told.last().unwrap();
        assert!(line.starts_with(&format!("info string variant {variant} {board} ")), "{line}");
        assert!(line.ends_with(&format!(" startpos {start}")), "{line}");
        talk.say("position startpos");
        let best = talk.best("go nodes 8");
        with_variant!(variant, |P, rules| {
            P::start(rules).parse_move(best.split(' ').next().unwrap()).unwrap();
        });
    }
}

#[test]
fn the_move_to_ponder_on_is_the_opponents() {
    let mut talk = Talk::new();
    talk.say("setoption name UCI_Variant value maxim");
    for position in ["startpos", "startpos moves e1e2"] {
        talk.say(&format!("position {position}"));
        let best = talk.best("go nodes 60");
        let mut game = Variant::Maxim.start();
        for text in position.split(' ').skip(2).chain(best.split(' ').take(1)) {
            game.push(game.parse_move(text).unwrap());
        }
        let is_opponents = game.side_to_move() == Color::Black;
        assert_eq!(best.contains(" ponder "), is_opponents, "{position}: {best}");
    }
}

#[test]
fn a_variant_without_its_network_is_described() {
    let mut talk = Talk::new();
    talk.say("setoption name NetworkFile value none");
    let told = talk.say("setoption name UCI_Variant value half");
    assert!(
        told.iter().any(|line| line.starts_with("info string variant half files 12 ranks 12 ")),
        "{told:?}"
    );
}

#[test]
fn it_answers_with_legal_moves_and_says_why() {
    let mut talk = Talk::new();
    talk.say("setoption name MultiPV value 3");
    talk.say("setoption name UCI_ShowWDL value true");
    talk.say("position startpos moves e2e4 e7e5");
    talk.say("go nodes 300");
    let out = talk.think(100_000);
    let last: Vec<&String> = out.iter().rev().skip(1).take(3).collect();
    for (number, line) in last.iter().rev().enumerate() {
        assert_eq!(word(line, "multipv"), (number + 1).to_string(), "{line}");
        assert_eq!((word(line, "nodes"), word(line, "depth")), ("300", "8"));
        let wdl: Vec<i32> =
            line.split(' ').skip_while(|&w| w != "wdl").skip(1).take(3).map(|w| w.parse().unwrap()).collect();
        assert_eq!(wdl.iter().sum::<i32>(), 1000, "{line}");
    }
    // A hanging queen, then a mate.
    talk.say("position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
    assert!(talk.best("go nodes 200").starts_with("e4d5"));
    talk.say("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    talk.say("go movetime 100");
    let out = talk.think(100_000);
    assert!(out.last().unwrap().starts_with("bestmove a1a8"));
    assert!(out.iter().any(|line| line.contains("score mate 1 ")), "{out:?}");
    // Mate and stalemate on the board, then a position where mate is unavoidable.
    for (fen, score) in
        [("6k1/5ppp/8/8/8/8/r7/1r4K1 w - -", "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - -", "cp 0")]
    {
        talk.say(&format!("position fen {fen}"));
        talk.say("go nodes 10");
        assert_eq!(talk.think(10), [format!("info depth 0 score {score}"), "bestmove (none)".to_owned()]);
    }
    talk.say("position fen 7k/8/8/8/8/1r6/r7/7K w - - 0 1");
    talk.say("go nodes 500");
    assert!(talk.think(100_000).iter().any(|line| line.contains("score mate -1 ")));
    // `searchmoves`, verbose statistics and a depth.
    talk.say("setoption name VerboseMoveStats value true");
    talk.say("position startpos");
    talk.say("go depth 6 searchmoves a2a3 h2h3");
    let out = talk.think(100_000);
    assert!(["a2a3", "h2h3"].contains(&word(out.last().unwrap(), "bestmove")));
    let verbose = out.iter().filter(|line| line.contains("(P: ") && line.contains("(Q: "));
    assert_eq!(verbose.count(), 2);
    assert!(out.iter().any(|line| line.starts_with("info depth") && word(line, "nodes") == "64"));
}

#[test]
fn searches_wait_to_be_stopped_where_they_must() {
    let mut talk = Talk::new();
    talk.say("position startpos");
    talk.say("go infinite");
    let out = talk.think(3_000);
    assert!(talk.uci.is_thinking() && out.iter().all(|line| line.starts_with("info depth")));
    assert!(!out.is_empty());
    assert_eq!(talk.say("isready"), ["readyok"], "while it searches");
    let answer = talk.say("stop");
    assert!(answer.last().unwrap().starts_with("bestmove "));
    assert!(talk.say("stop").is_empty(), "one answer a search");
    // A finished infinite search still waits for `stop`.
    talk.say("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    talk.say("go infinite");
    assert!(talk.think(500).iter().all(|line| !line.starts_with("bestmove")));
    assert!(talk.say("stop").last().unwrap().starts_with("bestmove a1a8"));
    // An infinite search with nothing left to search prints its last state once.
    talk.say("position fen 7k/8/8/8/8/8/8/KR6 w - - 98 80");
    talk.say("go infinite");
    let out = talk.think(600);
    let [line] = &out[..] else { panic!("{out:?}") };
    assert_eq!(word(line, "nodes"), word(&talk.say("stop")[0], "nodes"));
    // Pondering.
    talk.say("position startpos moves e2e4 e7e5");
    talk.say("go ponder wtime 3000 btime 3000");
    assert!(talk.think(2_000).iter().all(|line| !line.starts_with("bestmove")));
    assert!(talk.say("ponderhit").is_empty() && talk.uci.is_thinking());
    assert!(talk.think(100_000).last().unwrap().starts_with("bestmove "));
    // Commands during a search end it with an answer.
    for line in ["position startpos moves d2d4", "go nodes 5", "ucinewgame", "quit"] {
        talk.say("go infinite");
        talk.think(10);
        let out = talk.say(line);
        assert_eq!(out.iter().filter(|line| line.starts_with("bestmove ")).count(), 1, "{line}");
        talk.think(1_000);
    }
}

/// The engine plays a whole game against itself with 100 ms per side plus 10 ms per move. No clock
/// runs out.
#[test]
fn a_game_by_the_clock_is_never_lost_on_time() {
    let mut talk = Talk::new();
    let (mut clocks, mut moves) = ([100i64; 2], String::new());
    for ply in 0..120 {
        talk.say(&format!("position startpos moves{moves}"));
        let before = talk.now.get();
        let best = talk.best(&format!("go wtime {} btime {} winc 10 binc 10", clocks[0], clocks[1]));
        let took = (talk.now.get() - before).as_millis() as i64;
        clocks[ply % 2] -= took;
        assert!(clocks[ply % 2] > 0, "ply {ply}: {took} ms");
        clocks[ply % 2] += 10;
        if best == "(none)" {
            break;
        }
        moves += " ";
        moves += best.split(' ').next().unwrap();
    }
}

/// The clock of the side to move is enough. A line with a score precedes the answer.
#[test]
fn one_clock_is_enough() {
    let mut talk = Talk::new();
    for (moves, go) in [("", "go wtime 100"), (" moves e2e4", "go btime 100")] {
        talk.say(&format!("position startpos{moves}"));
        let before = talk.now.get();
        talk.say(go);
        let out = talk.think(100_000);
        let [.., info, best] = &out[..] else { panic!("{go}: {out:?}") };
        assert!(info.contains(" score cp ") && best.starts_with("bestmove "), "{go}: {out:?}");
        assert!(talk.now.get() - before < Duration::from_millis(100), "{go}");
    }
}

#[test]
fn an_invalid_line_prints_one_error() {
    let mut talk = Talk::new();
    talk.say("position startpos moves e2e4");
    for (line, words) in [
        ("castle kingside", "castle"),
        ("position fen 8/8/8/8 w - - 0 1", "position"),
        ("position startpos moves e2e5", "e2e5"),
        ("setoption name Hash value lots", "lots"),
        ("setoption name UCI_Variant value checkers", "checkers"),
    ] {
        let told = talk.say(line);
        assert!(told.len() == 1 && told[0].starts_with("info string error: "), "{line}: {told:?}");
        assert!(told[0].contains(words), "{told:?}");
    }
    // After a rejected position, no move of another position is the answer.
    for wrong in ["position startpos moves e2e5", "position startpos e2e4"] {
        talk.say("position startpos");
        talk.say(wrong);
        let told = talk.say("go nodes 10");
        assert!(told[0].contains("rejected") && told[1] == "bestmove (none)", "{wrong}: {told:?}");
    }
    talk.say("position startpos moves e2e4");
    for (line, word) in [("go searchmoves e2e4", "e2e4"), ("go depth deep", "deep"), ("go nodes", "nodes")] {
        let told = talk.say(line);
        assert!(told[0].contains(word) && told[1] == "bestmove (none)", "{told:?}");
    }
    // Unknown words and illegal moves are skipped. Black is to move.
    assert!(talk.best("go depth 3 fast searchmoves e2e4 a7a6").starts_with("a7a6"));
    assert!(talk.best("go nodes 10").chars().nth(1).is_some_and(|rank| "78".contains(rank)));
    // A missing network file leaves no engine until another file is set.
    talk.say("setoption name NetworkFile value nowhere.safetensors");
    let told = talk.say("isready");
    assert!(told[0].contains("nowhere.safetensors") && told[1] == "readyok", "{told:?}");
    assert!(talk.say("go nodes 10")[0].contains("nowhere.safetensors") && !talk.uci.is_thinking());
    talk.say("setoption name NetworkFile value <empty>");
    assert!(talk.best("go nodes 10").len() >= 4);
}

/// Random lines of UCI words and of arbitrary characters cause no panic. Each search has one
/// answer with a move.
#[test]
fn no_line_can_do_harm() {
    const WORDS: [&str; 36] = [
        "uci",
        "isready",
        "debug",
        "on",
        "ucinewgame",
        "setoption",
        "name",
        "value",
        "Hash",
        "1",
        "MultiPV",
        "UCI_Variant",
        "chesspp+instant",
        "maxim",
        "half",
        "position",
        "startpos",
        "fen",
        "8/8/8/8/8/8/8/8",
        "w",
        "-",
        "moves",
        "e2e4",
        "a7a8q",
        "go",
        "nodes",
        "depth",
        "0",
        "movetime",
        "wtime",
        "-5",
        "searchmoves",
        "infinite",
        "ponder",
        "stop",
        "\u{1F600}",
    ];
    let mut talk = Talk::new();
    // A linear congruential generator (Knuth's MMIX) is random enough.
    let mut state = 1u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let moves = |lines: &[String]| {
        lines.iter().filter(|line| line.starts_with("bestmove") && *line != "bestmove (none)").count()
    };
    let (mut asked, mut answered) = (0, 0);
    for number in 0..4_000 {
        if number % 8 == 0 {
            // Most random positions are rejected, and `go` would then start no search.
            answered += moves(&talk.say("position startpos"));
        }
        let line: Vec<&str> = (0..1 + draw(7)).map(|_| WORDS[draw(WORDS.len())]).collect();
        let line = line.join(" ");
        let was_thinking = talk.uci.is_thinking();
        let mut out = talk.say(&line);
        answered += moves(&out);
        asked += usize::from(talk.uci.is_thinking() && (!was_thinking || moves(&out) > 0));
        out = talk.think(3);
        answered += moves(&out);
    }
    answered += moves(&talk.say("stop"));
    assert!(asked > 30, "{asked} searches");
    assert_eq!(answered, asked);
}

#[test]
fn chance_and_what_a_search_has_cost_are_told_where_they_are_asked_for() {
    let mut talk = Talk::new();
    talk.say("setoption name Temperature value 1000");
    talk.say("debug on");
    let mut moves = std::collections::BTreeSet::new();
    for _ in 0..30 {
        talk.say("position startpos");
        talk.say("go nodes 20");
        let out = talk.think(1000);
        assert!(out.iter().any(|line| line.starts_with("info string debug: 20 simulations, ")), "{out:?}");
        moves.insert(out.last().unwrap().clone());
    }
    assert!(moves.len() > 5, "{moves:?}");
    talk.say("debug off");
    talk.say("setoption name Temperature value 0");
    talk.say("go nodes 20");
    assert!(!talk.think(1000).iter().any(|line| line.contains("debug")));
}

/// The ladder rates 4 simulations 1000 and 64 simulations 1400. So 1200 corresponds to 16
/// simulations, halfway on a logarithmic scale. A smaller number in `go nodes` takes precedence.
#[test]
fn strength_is_limited_by_simulations() {
    let mut talk = Talk::new();
    for line in ["setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1200"] {
        assert!(talk.say(line).is_empty());
    }
    let nodes = |lines: &[String]| {
        let info = lines.iter().rev().find(|line| line.contains(" nodes ")).expect("it is told");
        let mut words = info.split_whitespace().skip_while(|&word| word != "nodes").skip(1);
        words.next().unwrap().parse::<u32>().unwrap()
    };
    for (go, expected) in [("go movetime 1000", 16), ("go nodes 9", 9), ("go wtime 60000 btime 60000", 16)] {
        talk.say(go);
        assert_eq!(nodes(&talk.think(100_000)), expected, "{go}");
    }
    // The tree of the previous move would add strength, so it is not reused.
    talk.say("position startpos moves e2e4 e7e5");
    talk.say("go movetime 1000");
    assert_eq!(nodes(&talk.think(100_000)), 16);
    // Pondering is not limited, but the move after it is.
    talk.say("go ponder wtime 60000 btime 60000");
    talk.think(200);
    talk.say("ponderhit");
    assert_eq!(nodes(&talk.think(100_000)), 16);
    talk.say("setoption name UCI_LimitStrength value false");
    talk.say("go nodes 40");
    assert_eq!(nodes(&talk.think(100_000)), 40);
    // Without measurements the engine prints an error line.
    talk.say("setoption name UCI_LimitStrength value true");
    talk.say("setoption name UCI_Variant value half");
    let told = talk.say("go nodes 9");
    assert!(
        told.iter().any(|line| line.contains("UCI_LimitStrength") && line.contains("not measured")),
        "{told:?}"
    );
    talk.think(100_000);
}

/// Programs expect an `info` line before `bestmove`, even if there was no time for a simulation.
#[test]
fn an_answer_without_a_simulation_tells_a_line() {
    let mut talk = Talk::new();
    assert!(talk.say("go infinite").iter().all(|line| line.starts_with("info string")));
    let told = talk.say("stop");
    let info = told.iter().find(|line| line.contains(" nodes 0 ")).unwrap_or_else(|| panic!("{told:?}"));
    let best = told.last().and_then(|line| line.strip_prefix("bestmove ")).expect("an answer");
    assert!(
        info.contains(" score cp ") && info.ends_with(&format!(" pv {}", best.split(' ').next().unwrap())),
        "{told:?}"
    );
    // The root's evaluation finds a mate in one.
    talk.say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    talk.say("go movetime 1000");
    let told = talk.say("stop");
    let [.., line, best] = &told[..] else { panic!("{told:?}") };
    assert!(
        line.contains(" score mate 1 ") && line.ends_with(" pv a1a8") && best == "bestmove a1a8",
        "{told:?}"
    );
}
