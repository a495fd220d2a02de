//! Tests of shards on disk. A round trip preserves the games, and an error about a damaged file
//! names the file.

use catapult_records::{
    GameRecord, RecordError, Shard, ShardKey, WantedShard, compact_policy, find_shards, read_shard,
    set_aside, verify_record, write_shard,
};
use catapult_rules::{Color, Move, Outcome, Variant};
use catapult_store::Location;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Returns games with every combination that the format must store: no moves, no policies, empty
/// policies between non-empty ones, forks and six outcomes.
fn games() -> Vec<GameRecord> {
    let outcomes = [
        Outcome::Checkmate,
        Outcome::Stalemate,
        Outcome::Dead,
        Outcome::HundredPlies,
        Outcome::Repetition,
        Outcome::Capped,
    ];
    let (mut rng, variant) = (Pcg64::seed_from_u64(1), "chesspp".parse::<Variant>().unwrap());
    (0..25u64)
        .map(|number| {
            let plies = [3, 0, 1, 40, 7][number as usize % 5];
            let outcome = outcomes[number as usize % outcomes.len()];
            let (mut game, mut moves, mut policies) = (variant.start(), Vec::new(), Vec::new());
            for ply in 0..plies {
                let mut legal: Vec<Move> = game.legal_moves().into_iter().collect();
                // Files sort a policy by text.
                legal.sort_by_key(|&mv| game.move_text(mv));
                let entries = [4, 0, 1, 7][(ply + number as usize) % 4].min(legal.len());
                let total: f32 = (1..=entries).map(|i| i as f32).sum();
                policies.push(compact_policy((0..entries).map(|i| (legal[i], (i + 1) as f32 / total))));
                moves.push(legal[rng.random_range(0..legal.len())]);
                game.push(moves[ply]);
            }
            let plies = moves.len();
            GameRecord {
                variant,
                game: number,
                seed: u64::MAX - number,
                parent: (number % 3 == 0).then_some(u64::MAX / 2 + number),
                fork_ply: (number % 3 == 0).then_some(u32::MAX - number as u32),
                network: "00ff".repeat(16),
                start_fen: game.start_fen(),
                moves,
                policies,
                values: (0..plies)
                    .map(|p| if p % 5 == 4 { [0.0; 3] } else { [0.25, 0.125, 0.625] })
                    .collect(),
                moves_left: (0..plies).map(|ply| 0.1 * ply as f32).collect(),
                raw_values: vec![[0.5, 0.25, 0.25]; plies],
                mean_values: (0..plies)
                    .map(|ply| if ply == 1 { [0.0; 3] } else { [0.125, 0.75, 0.125] })
                    .collect(),
                surprises: (0..plies).map(|ply| 0.25 * ply as f32).collect(),
                outcome,
                winner: (outcome == Outcome::Checkmate).then_some(Color::ALL[number as usize % 2]),
            }
        })
        .collect()
}

fn metadata() -> BTreeMap<String, String> {
    BTreeMap::from([("generation".into(), "7".into()), ("config".into(), "[games]\nn = 1\n".into())])
}

#[test]
fn what_is_written_comes_back() {
    let dir = tempfile::tempdir().unwrap();
    for (name, games) in [("shard-0003", games()), ("empty", Vec::new())] {
        let path = write_shard(dir.path(), name, &games, &metadata()).unwrap();
        let shard = read_shard(&path).unwrap();
        assert_eq!(shard.games, games);
        assert_eq!(shard.metadata, metadata());
    }
    let found = find_shards(dir.path()).unwrap();
    assert_eq!(found.iter().map(|shard| shard.name.as_str()).collect::<Vec<_>>(), ["empty", "shard-0003"]);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "no temporary file is left");
}

#[test]
fn the_name_carries_the_hash_of_the_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let path = write_shard(dir.path(), "shard-0003", &games(), &metadata()).unwrap();
    let hash = blake3::hash(&fs::read(&path).unwrap()).to_hex();
    assert_eq!(path.file_name().unwrap().to_str().unwrap(), format!("shard-0003-{}.parquet", &hash[..16]));
}

#[test]
fn equal_games_give_equal_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let [one, two] = ["a", "b"].map(|name| {
        let folder = dir.path().join(name);
        fs::create_dir(&folder).unwrap();
        write_shard(&folder, "shard", &games(), &metadata()).unwrap()
    });
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    assert_eq!(one.file_name(), two.file_name());
    let other = write_shard(dir.path(), "shard", &games()[1..], &metadata()).unwrap();
    assert_ne!(one.file_name(), other.file_name());
}

#[test]
fn a_byte_flipped_anywhere_is_noticed_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let path = write_shard(dir.path(), "shard", &games()[..4], &metadata()).unwrap();
    let bytes = fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, &damaged).unwrap();
        let error = read_shard(&path).unwrap_err();
        assert!(error.to_string().contains("its bytes hash to"), "byte {at}: {error}");
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    }
    fs::write(&path, &bytes).unwrap();
    read_shard(&path).unwrap();
}

#[test]
fn a_truncated_file_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let path = write_shard(dir.path(), "shard", &games(), &metadata()).unwrap();
    let bytes = fs::read(&path).unwrap();
    for length in [0, 1, 4, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..length]).unwrap();
        let error = read_shard(&path).unwrap_err();
        assert!(error.to_string().contains("its bytes hash to"), "{length} bytes: {error}");
    }
}

#[test]
fn a_wrong_name_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = write_shard(dir.path(), "shard", &games(), &metadata()).unwrap();
    for name in
        ["shard.parquet", "shard-0123.parquet", "-0123456789abcdef.parquet", "shard-0123456789ABCDEF.parquet"]
    {
        let renamed = dir.path().join(name);
        fs::copy(&path, &renamed).unwrap();
        let error = read_shard(&renamed).unwrap_err();
        assert!(error.to_string().contains("not a shard's name"), "{name}: {error}");
    }
    let swapped = dir.path().join("shard-0123456789abcdef.parquet");
    fs::copy(&path, &swapped).unwrap();
    assert!(read_shard(&swapped).unwrap_err().to_string().contains("its bytes hash to"));
    assert_eq!(find_shards(dir.path()).unwrap().len(), 2, "files that are not shards are passed over");
}

#[test]
fn bytes_that_agree_with_the_name_but_are_no_shard_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    for bytes in [&b""[..], b"PAR1", b"PAR1 and then some text that is no Parquet file PAR1"] {
        let hash = blake3::hash(bytes).to_hex();
        let path = dir.path().join(format!("shard-{}.parquet", &hash[..16]));
        fs::write(&path, bytes).unwrap();
        let error = read_shard(&path).unwrap_err();
        assert!(error.to_string().contains("not a shard of format"), "{error}");
    }
}

#[test]
fn a_damaged_file_is_set_aside_under_a_free_name() {
    let dir = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    for _ in 0..3 {
        let path = write_shard(dir.path(), "shard", &games(), &metadata()).unwrap();
        let aside = set_aside(&path).unwrap();
        assert!(!path.exists() && aside.exists());
        names.push(aside.to_str().unwrap().rsplit_once(".parquet").unwrap().1.to_owned());
    }
    assert_eq!(names, [".damaged", ".damaged-2", ".damaged-3"]);
    assert!(find_shards(dir.path()).unwrap().is_empty());
    assert!(set_aside(&dir.path().join("none")).unwrap_err().to_string().contains("none"));
}

#[test]
fn a_folder_that_cannot_be_written_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    let under_a_file = dir.path().join("file").join("games");
    let error = write_shard(&under_a_file, "shard", &games(), &metadata()).unwrap_err();
    assert!(matches!(error, RecordError::Io { .. }), "{error}");
    assert!(error.to_string().contains("games"), "{error}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn impossible_values_are_refused_when_written() {
    type Spoil = fn(&mut GameRecord);
    let cases: [(&str, Spoil); 13] = [
        ("winner", |g| g.winner = None),
        ("outcome", |g| (g.outcome, g.winner) = (Outcome::TimeForfeit, None)),
        ("moves_left", |g| g.moves_left[1] = -1.0),
        ("moves_left", |g| g.moves_left[1] = f32::NAN),
        ("moves_left", |g| g.moves_left.truncate(1)),
        ("win, draw, loss", |g| g.values[2] = [0.5, 0.6, 0.5]),
        ("win, draw, loss", |g| g.values[2] = [1.5, -0.5, 0.0]),
        ("win, draw, loss", |g| g.values[2] = [f32::NAN, 0.0, 0.0]),
        ("policy_moves", |g| drop(g.policies.pop())),
        ("policy_moves", |g| g.policies[0] = vec![(g.moves[0], 0.5); 2]),
        ("policy_probabilities", |g| g.policies[0][0].1 = 0.0),
        ("policy_probabilities", |g| drop(g.policies[0].drain(..3))),
        ("fork_ply", |g| g.fork_ply = None),
    ];
    let dir = tempfile::tempdir().unwrap();
    for (field, spoil) in cases {
        let mut game = games().swap_remove(0);
        spoil(&mut game);
        let error = write_shard(dir.path(), "shard", &[game], &metadata()).unwrap_err();
        assert!(error.to_string().contains(&format!(": {field}: ")), "{field}: {error}");
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_move_that_is_not_legal_is_named_by_game_and_ply() {
    let dir = tempfile::tempdir().unwrap();
    let mut game = games().swap_remove(3);
    game.moves[2] = Move::new(0, 63, 0, 0);
    let error = write_shard(dir.path(), "shard", &[game], &metadata()).unwrap_err().to_string();
    assert!(error.contains("game 3, ply 2: Move(0-63"), "{error}");
    for (fen, moves, part) in [(None, "e2e4 e7e8", "ply 1"), (Some("8/8"), "e2e4", "ply 0")] {
        let error = GameRecord::of_texts(Variant::Chess, fen, moves).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn compacting_keeps_probabilities_within_their_error() {
    let policy = (0..300).map(|i| (Move::from_bits(i as u32), 0.9f32.powi(i))).collect::<Vec<_>>();
    let compact = compact_policy(policy.clone());
    for (mv, p) in &policy {
        match compact.iter().find(|(other, _)| other == mv) {
            Some((_, kept)) => assert!((kept / p - 1.0).abs() <= 1.0 / 256.0, "{p} became {kept}"),
            None => assert!(*p < 1.0 / 4096.0),
        }
    }
    assert!(
        compact.len() < 100 && compact.iter().all(|(_, p)| *p >= 1.0 / 4096.0 && p.to_bits() & 0xFFFF == 0)
    );
}

#[test]
fn a_rounding_error_is_no_fault() {
    let dir = tempfile::tempdir().unwrap();
    let mut game = games().swap_remove(0);
    game.values[0] = [1.0000001, -1e-9, 0.0];
    game.policies[0] = vec![(game.moves[0], 1.0000001)];
    let path = write_shard(dir.path(), "shard", std::slice::from_ref(&game), &metadata()).unwrap();
    assert_eq!(read_shard(&path).unwrap().games, [game]);
}

/// A file of format version 1 with two games of twelve plies can still be read.
#[test]
fn the_first_version_of_the_format_is_still_read() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/first-format");
    let found = find_shards(&dir).unwrap();
    let shard = read_shard(&found[0].path).unwrap();
    assert_eq!(shard.games.len(), 2);
    for game in &shard.games {
        assert_eq!((game.moves.len(), game.outcome), (12, Outcome::Capped));
        assert!(game.values.iter().all(|value| (value.iter().sum::<f32>() - 1.0).abs() < 1e-3));
        assert_eq!(game.raw_values, [[0.0; 3]; 12], "it does not say");
        assert_eq!(game.surprises, [0.0; 12]);
        verify_record(game).unwrap();
    }
}

#[test]
fn later_columns_are_held_against_the_moves_as_the_others() {
    let dir = tempfile::tempdir().unwrap();
    type Spoil = fn(&mut GameRecord);
    let cases: [(Spoil, &str); 4] = [
        (|game| game.surprises[0] = -1.0, "surprise"),
        (|game| game.raw_values[1] = [0.5, 0.0, 0.0], "raw_win"),
        (|game| game.mean_values.truncate(1), "mean_win"),
        (|game| game.surprises.push(0.0), "surprise"),
    ];
    for (spoil, field) in cases {
        let mut game = games().remove(0);
        spoil(&mut game);
        let error = write_shard(dir.path(), "spoilt", &[game], &metadata()).unwrap_err();
        assert!(error.to_string().contains(field), "{error}");
    }
}

#[test]
fn a_wanted_shard_is_found_by_its_key_and_another_is_set_aside() {
    let dir = tempfile::tempdir().unwrap();
    let told = RefCell::new(Vec::new());
    let warn = |text: &str| told.borrow_mut().push(text.to_owned());
    let mut key = ShardKey { games: games().len() as u64, metadata: metadata(), ..Default::default() };
    let wanted = |key: &ShardKey| WantedShard {
        location: dir.path().into(),
        dir: dir.path().join("games"),
        name: "shard-0001".into(),
        key: Some(key.clone()),
    };
    assert_eq!(wanted(&key).find(&warn).unwrap(), None, "there is nothing");
    let path = write_shard(&dir.path().join("games"), "shard-0001", &games(), &metadata()).unwrap();
    write_shard(&dir.path().join("games"), "shard-0002", &games()[..1], &metadata()).unwrap();
    let (found, shard) = wanted(&key).find(&warn).unwrap().unwrap();
    assert_eq!((found, shard.games), (path.clone(), games()));
    // A result key must exist with any value.
    key.results = &["asked"];
    assert!(!key.matches(&read_shard(&path).unwrap()));
    let mut counted = metadata();
    counted.insert("asked".into(), "17".into());
    assert!(key.matches(&Shard { games: games(), metadata: counted.clone() }));
    counted.insert("seed".into(), "another".into());
    assert!(!key.matches(&Shard { games: games(), metadata: counted }));
    key.results = &[];
    // Without a cache key any shard of the name matches.
    let any = WantedShard { key: None, ..wanted(&key) };
    assert!(any.find(&warn).unwrap().is_some());
    assert_eq!(told.borrow().len(), 0);

    key.games += 1;
    assert_eq!(wanted(&key).find(&warn).unwrap(), None, "it has fewer games");
    key.games -= 1;
    assert_eq!(wanted(&key).find(&warn).unwrap(), None, "it has been set aside");
    let path = write_shard(&dir.path().join("games"), "shard-0001", &games(), &metadata()).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[100] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert_eq!(any.find(&warn).unwrap(), None, "it is damaged");
    let told = told.into_inner();
    assert!(
        told[0].contains("another network, config, endings or version") && told[0].contains(".damaged"),
        "{told:?}"
    );
    assert!(told[1].contains("its name says") && told[1].contains(".damaged-2"), "{told:?}");
    assert_eq!(told.len(), 2);
}

#[test]
fn notes_may_have_any_value_or_be_absent() {
    let key = ShardKey { games: 1, metadata: metadata(), notes: &["arithmetic"], ..Default::default() };
    let mut noted = metadata();
    for arithmetic in [None, Some("f32"), Some("bfloat16")] {
        noted.extend(arithmetic.map(|arithmetic| ("arithmetic".to_owned(), arithmetic.to_owned())));
        assert!(
            key.matches(&Shard { games: games()[..1].to_vec(), metadata: noted.clone() }),
            "{arithmetic:?}"
        );
    }
    assert!(
        !ShardKey { notes: &[], ..key }.matches(&Shard { games: games()[..1].to_vec(), metadata: noted })
    );
}

/// Returns a wanted shard without a cache key, so any games match it.
fn any(location: Location) -> WantedShard {
    let dir = location.dir().join("games");
    WantedShard { location, dir, name: "shard-0001".into(), key: None }
}

#[test]
fn of_two_that_play_a_shard_one_is_published_and_everybody_reads_that_one() {
    let dir = tempfile::tempdir().unwrap();
    let wanted = any(dir.path().into());
    let [first, second] = [&games()[..1], &games()[..2]];
    let published = wanted.write(first, &metadata()).unwrap();
    assert!(wanted.is_published().unwrap());
    assert_eq!(wanted.write(second, &metadata()).unwrap(), published, "the first to be published counts");
    // The state after a worker was killed before publishing.
    write_shard(&wanted.dir, "shard-0001", second, &metadata()).unwrap();
    let (path, shard) = wanted.find(&|text| panic!("{text}")).unwrap().unwrap();
    assert_eq!((&path, &shard.games[..]), (&published, first));
    let found: Vec<_> = find_shards(&wanted.dir).unwrap().into_iter().map(|file| file.path).collect();
    assert_eq!(found, [published]);
}

#[test]
fn what_was_written_and_not_published_is_published_when_it_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let wanted = any(dir.path().into());
    let path = write_shard(&wanted.dir, "shard-0001", &games(), &metadata()).unwrap();
    assert!(!wanted.is_published().unwrap());
    assert_eq!(wanted.find(&|text| panic!("{text}")).unwrap().unwrap().0, path);
    assert!(wanted.is_published().unwrap());
    // The file is lost, so the marker counts as none and the games are played again.
    fs::remove_file(path).unwrap();
    assert_eq!(wanted.find(&|text| panic!("{text}")).unwrap(), None);
    wanted.write(&games()[1..], &metadata()).unwrap();
    assert_eq!(wanted.find(&|text| panic!("{text}")).unwrap().unwrap().1.games, games()[1..]);
}

#[test]
fn two_workers_race_while_two_learners_read_and_both_learn_from_the_same_games() {
    let dir = tempfile::tempdir().unwrap();
    let machine = |name: &str| {
        let url = format!("file://{}", dir.path().join("objects").display());
        Location::mirrored(&url, &dir.path().join(name)).unwrap()
    };
    let read: Vec<Vec<GameRecord>> = std::thread::scope(|scope| {
        for (worker, games) in [&games()[..1], &games()[..2]].into_iter().enumerate() {
            let (location, games) = (machine(&format!("worker {worker}")), games.to_vec());
            scope.spawn(move || {
                for number in 0..20 {
                    let wanted = WantedShard { name: format!("shard-{number:04}"), ..any(location.clone()) };
                    wanted.write(&games, &metadata()).unwrap();
                }
            });
        }
        let learners: Vec<_> = (0..2)
            .map(|learner| {
                let location = machine(&format!("learner {learner}"));
                scope.spawn(move || {
                    (0..20)
                        .flat_map(|number| {
                            let wanted =
                                WantedShard { name: format!("shard-{number:04}"), ..any(location.clone()) };
                            loop {
                                if let Some((_, shard)) = wanted.find(&|text| panic!("{text}")).unwrap() {
                                    return shard.games;
                                }
                            }
                        })
                        .collect()
                })
            })
            .collect();
        learners.into_iter().map(|learner| learner.join().unwrap()).collect()
    });
    assert!(read[0].len() >= 20);
    assert_eq!(read[0], read[1]);
}

#[test]
fn a_mirror_that_is_damaged_is_fetched_again() {
    let dir = tempfile::tempdir().unwrap();
    let url = format!("file://{}", dir.path().join("objects").display());
    let [a, b] = ["a", "b"].map(|name| any(Location::mirrored(&url, &dir.path().join(name)).unwrap()));
    a.write(&games(), &metadata()).unwrap();
    let (path, _) = b.find(&|text| panic!("{text}")).unwrap().unwrap();
    fs::write(&path, "damaged").unwrap();
    let told = RefCell::new(Vec::new());
    let (_, shard) = b.find(&|text| told.borrow_mut().push(text.to_owned())).unwrap().unwrap();
    assert_eq!(shard.games, games());
    assert!(told.borrow()[0].contains("downloading it again"), "{told:?}");
    // The published copy is damaged as well, so the error is final.
    for file in [path.clone(), dir.path().join("objects/games").join(path.file_name().unwrap())] {
        fs::write(file, "damaged").unwrap();
    }
    let refused = b.find(&|_| ()).unwrap_err().to_string();
    assert!(refused.contains("damaged") && refused.ends_with("the published file is unusable"), "{refused}");
}
