//! Test positions of chess and Chess++, and encodings that tests read by plane name.

pub(crate) mod grid;

use catapult_encoding::{CHESS_LAYOUT, Encode, PolicyIndex};
use catapult_rules::{Chess, ChessPosition, ChessRules, Position, Proposals, Variant, with_chess_rules};
use half::bf16;
use rand::seq::IndexedRandom;
use rand_pcg::{Pcg64, rand_core::SeedableRng};
use std::sync::LazyLock;

static PLANES: LazyLock<Vec<String>> = LazyLock::new(Chess::plane_names);
static GLOBALS: LazyLock<Vec<String>> = LazyLock::new(Chess::global_names);

/// Planes and globals of an encoded position.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Encoded {
    pub planes: Vec<bf16>,
    pub globals: Vec<f32>,
}

impl Encoded {
    pub(crate) fn new<P: Encode>(position: &P, repetitions: u8, mirror: bool) -> Encoded {
        // Non-zero values, so that the test notices anything left over.
        let mut planes = vec![bf16::from_f32(7.0); P::LAYOUT.squares() * P::LAYOUT.planes];
        let mut globals = vec![7.0; P::LAYOUT.globals];
        position.encode(repetitions, mirror, &mut planes, &mut globals);
        Encoded { planes, globals }
    }

    pub(crate) fn value(&self, plane: &str, square: usize) -> f32 {
        let index = PLANES.iter().position(|name| name == plane).expect("a plane's name");
        self.planes[square * CHESS_LAYOUT.planes + index].to_f32()
    }

    /// Returns the names of the squares with a 1 on a plane. `a1` is the left end of the first rank
    /// of the side to move.
    pub(crate) fn squares(&self, plane: &str) -> String {
        let name = |square: usize| format!("{}{}", (b'a' + square as u8 % 8) as char, square / 8 + 1);
        let set = (0..64).filter(|&square| self.value(plane, square) != 0.0);
        set.map(name).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn global(&self, name: &str) -> f32 {
        self.globals[GLOBALS.iter().position(|global| global == name).expect("a global's name")]
    }
}

/// Returns the policy indices (plane, square, to) of all legal moves, sorted.
pub(crate) fn indices<P: Encode>(position: &P, mirror: bool) -> Vec<(u16, u16, u16)> {
    let parts = |PolicyIndex { plane, square, to }| (plane, square, to);
    let mut all: Vec<_> =
        position.legal_moves().iter().map(|&mv| parts(position.policy_index(mv, mirror))).collect();
    all.sort_unstable();
    all
}

/// A visitor of positions, generic over the rule sets of chess and Chess++.
pub(crate) trait Visit {
    fn visit<R: ChessRules>(&mut self, position: &ChessPosition<R>);
}

/// Visits all positions of `games` random games of a variant, of at most 120 plies.
pub(crate) fn random_games(variant: Variant, games: u64, visit: &mut impl Visit) {
    with_chess_rules!(variant, |P, rules| {
        for game in 0..games {
            let mut rng = Pcg64::seed_from_u64(game);
            let mut position = P::start(rules);
            for _ in 0..120 {
                visit.visit(&position);
                let moves = position.legal_moves();
                let Some(&mv) = moves.choose(&mut rng) else { break };
                position.play(mv);
            }
        }
    });
}

/// Visits the positions of the test vectors of chess and Chess++, and every position one move
/// later. Returns the number of vectors.
pub(crate) fn vectors(visit: &mut impl Visit) -> usize {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../rules/tests/data/vectors.jsonl");
    let text = std::fs::read_to_string(path).expect("the vectors can be read");
    let mut count = 0;
    for line in text.lines() {
        let vector: serde_json::Value = serde_json::from_str(line).expect("a vector is JSON");
        let Ok(variant) = vector["variant"].as_str().expect("a vector has a variant").parse::<Variant>()
        else {
            continue;
        };
        if !variants().contains(&variant) {
            continue;
        }
        let fen = vector["fen"].as_str().expect("a vector has a FEN");
        let after = vector["after"].as_object().expect("a vector has moves").values();
        with_chess_rules!(variant, |P, rules| {
            // `from_fen` rejects two vectors, because the side to move could capture the king.
            if let Ok(position) = P::from_fen(fen, rules) {
                count += 1;
                visit.visit(&position);
                for fen in after.filter_map(|fen| fen.as_str()) {
                    visit.visit(&P::from_fen(fen, rules).unwrap_or_else(|error| panic!("{fen}: {error}")));
                }
            }
        });
    }
    count
}

/// Returns standard chess and all variants of Chess++.
pub(crate) fn variants() -> Vec<Variant> {
    std::iter::once(Variant::Chess).chain(Proposals::all_sets().map(Variant::ChessPp)).collect()
}

/// Swaps the colors of the pieces and the side to move of a FEN, and flips its ranks.
pub(crate) fn swap_colors(fen: &str) -> String {
    let swap = |text: &str| -> String {
        let flip =
            |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
        text.chars().map(flip).collect()
    };
    let rank = |square: &str| -> String {
        square
            .chars()
            .map(|c| if c.is_ascii_digit() { (b'9' - (c as u8 - b'0')) as char } else { c })
            .collect()
    };
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    fields[0] = swap(&fields[0]).split('/').rev().collect::<Vec<_>>().join("/");
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.into();
    let castling = swap(&fields[2]);
    fields[2] = ["K", "Q", "k", "q"].into_iter().filter(|right| castling.contains(right)).collect();
    if fields[2].is_empty() {
        fields[2] = "-".into();
    }
    fields[3] = rank(&fields[3]);
    if fields.len() > 6
        && let Some((white, black)) = fields[6].split_once('/')
    {
        fields[6] = format!("{}/{}", map_catapults(black, &rank), map_catapults(white, &rank));
    }
    fields.join(" ")
}

/// Flips the files of a FEN without castling rights.
pub(crate) fn swap_files(fen: &str) -> String {
    let file = |square: &str| -> String {
        let flip = |c: char| if ('a'..='h').contains(&c) { (b'a' + (b'h' - c as u8)) as char } else { c };
        square.chars().map(flip).collect()
    };
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    assert_eq!(fields[2], "-");
    let ranks: Vec<String> = fields[0].split('/').map(|rank| rank.chars().rev().collect()).collect();
    fields[0] = ranks.join("/");
    fields[3] = file(&fields[3]);
    if fields.len() > 6
        && let Some((white, black)) = fields[6].split_once('/')
    {
        fields[6] = format!("{}/{}", map_catapults(white, &file), map_catapults(black, &file));
    }
    fields.join(" ")
}

/// Maps each square of a FEN's catapult list with `map` and sorts the list.
fn map_catapults(list: &str, map: &impl Fn(&str) -> String) -> String {
    if list == "-" {
        return list.into();
    }
    let (placed, left) = list.split_once('+').map_or((list, None), |(placed, left)| (placed, Some(left)));
    let mut entries: Vec<String> = Vec::new();
    for c in placed.chars() {
        if c.is_ascii_lowercase() {
            entries.push(String::new());
        }
        entries.last_mut().expect("a list begins with a file").push(c);
    }
    for entry in &mut entries {
        *entry = map(&entry[..2]) + &entry[2..];
    }
    entries.sort();
    entries.concat() + &left.map_or(String::new(), |left| format!("+{left}"))
}
