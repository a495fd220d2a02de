//! Tests that the dependencies between crates and files follow ARCHITECTURE.md.

use catapult_rules::{Proposal, Proposals, Variant};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

type Uses = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the names of the crates in the order of the table in ARCHITECTURE.md, and the crates
/// that each may use. Rows have the form "`name` | description | used crates". In the last cell,
/// `all` stands for every crate above the row.
fn documented() -> (Vec<String>, Uses) {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md can be read");
    let (mut order, mut table) = (Vec::new(), Uses::new());
    let rows = text
        .lines()
        .skip_while(|line| !line.starts_with("| crate |"))
        .take_while(|line| line.starts_with('|'));
    for row in rows.skip(2) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let &[name, _, uses] = cells.as_slice() else { panic!("a row that is not three cells: {row}") };
        let uses: BTreeSet<String> = match uses {
            "-" => BTreeSet::new(),
            "all" => order.iter().cloned().collect(),
            _ => uses.split(", ").map(str::to_owned).collect(),
        };
        let name = name.trim_matches('`').to_owned();
        table.insert(name.clone(), uses);
        order.push(name);
    }
    (order, table)
}

/// Returns the workspace's crates that each crate uses, except in tests, according to `cargo
/// metadata`.
fn actual() -> Uses {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("cargo metadata writes JSON");
    let ours =
        |name: &serde_json::Value| name.as_str().and_then(|n| n.strip_prefix("catapult-")).map(str::to_owned);
    let packages = metadata["packages"].as_array().expect("metadata lists packages");
    packages
        .iter()
        .map(|package| {
            let name = ours(&package["name"]).expect("crates are named catapult-<folder>");
            let manifest = package["manifest_path"].as_str().expect("a package has a manifest");
            assert!(manifest.ends_with(&format!("crates/{name}/Cargo.toml")), "{name} lies in {manifest}");
            let dependencies = package["dependencies"].as_array().expect("a package lists dependencies");
            let built = dependencies.iter().filter(|dependency| dependency["kind"] != "dev");
            (name, built.filter_map(|dependency| ours(&dependency["name"])).collect())
        })
        .collect()
}

#[test]
fn crates_use_what_the_table_allows() {
    let (_, documented) = documented();
    let actual = actual();
    let names = |table: &Uses| table.keys().cloned().collect::<Vec<_>>();
    assert!(documented.len() > 1, "the table was found");
    assert_eq!(names(&actual), names(&documented), "the same crates");
    for (name, uses) in &actual {
        let extra: Vec<_> = uses.difference(&documented[name]).collect();
        assert!(extra.is_empty(), "{name} uses {extra:?}, which the table does not list");
    }
}

/// Tests that the section "Source tree" of ARCHITECTURE.md names existing files. Crates must be in
/// the order of the table.
#[test]
fn the_source_tree_is_there() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md can be read");
    let section = text.split("## Source tree").nth(1).expect("a section of that name");
    let tree = section.split("```").nth(1).expect("a block with the tree");
    let (mut crates, mut files) = (Vec::new(), 0);
    for line in tree.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("  ") {
            None => crates.push(line.trim_end_matches('/').to_owned()),
            Some(file) => {
                let file = file.split(' ').next().unwrap_or_default();
                let path = format!("crates/{}/src/{file}", crates.last().expect("a crate comes first"));
                assert!(root().join(&path).exists(), "{path}");
                files += 1;
            }
        }
    }
    let order = documented().0.into_iter().filter(|name| crates.contains(name));
    assert_eq!(crates, order.collect::<Vec<_>>());
    assert!(files > 40, "{files}");
}

/// Tests that each crate uses only crates above it in the table of ARCHITECTURE.md. There is thus
/// no cycle, and a reader can take the crates in the table's order.
#[test]
fn the_table_is_in_order_of_use() {
    let (order, table) = documented();
    for (row, name) in order.iter().enumerate() {
        for used in &table[name] {
            assert!(order[..row].contains(used), "{name} uses {used}, which does not stand above it");
        }
    }
}

/// Tests that the files of a crate do not use each other in a cycle. A path counts as a use of the
/// innermost file that contains it. A re-exported name counts as a use of the file that defines it.
/// Test code is ignored.
#[test]
fn files_form_no_circle() {
    let crates = std::fs::read_dir(root().join("crates")).expect("the crates can be listed");
    for folder in crates.map(|entry| entry.expect("an entry").path().join("src")).filter(|src| src.is_dir()) {
        let mut texts = BTreeMap::new();
        read_modules(&folder, &mut Vec::new(), &mut texts);
        let lib = std::fs::read_to_string(folder.join("lib.rs")).unwrap_or_default();
        let lists = listed(&lib, &[]).chain(texts.iter().flat_map(|(module, text)| listed(text, module)));
        let homes: BTreeMap<Vec<String>, Vec<String>> = lists.collect();
        let uses = |module: &Vec<String>| {
            named_paths(&texts[module], module)
                .into_iter()
                .map(|path| home(&homes, path))
                .filter_map(|path| {
                    (1..=path.len()).rev().map(|n| path[..n].to_vec()).find(|p| texts.contains_key(p))
                })
                .filter(|used| used != module)
                .collect::<BTreeSet<_>>()
        };
        let mut left: BTreeMap<_, _> = texts.keys().map(|module| (module.clone(), uses(module))).collect();
        // Removes files without remaining uses, until only cycles and files that use them remain.
        while let Some(leaf) = left.iter().find(|(_, used)| used.is_empty()).map(|(module, _)| module.clone())
        {
            left.remove(&leaf);
            left.values_mut().for_each(|used| {
                used.remove(&leaf);
            });
        }
        assert!(left.is_empty(), "{}: {left:?}", folder.display());
    }
}

/// Tests that only files in `rules/src/board` treat bitboards as integers and list directions.
/// Exceptions are two files of `endings`, which compute with millions of bitboards, and one file of
/// `encoding`. The file of `encoding` lists the directions of its policy planes.
#[test]
fn geometry_is_the_boards() {
    const HOME: &str = "rules/src/board/";
    const EXCEPTIONS: [&str; 3] =
        ["endings/src/geometry.rs", "endings/src/bitboards.rs", "encoding/src/view.rs"];
    // Masks of files, ranks and colours, tables of bitboards, flipped or iterated bitboards, lists
    // of leaps and directions.
    const MARKS: [&str; 11] = [
        "0101_0101",
        "0x0101",
        "ff00_ff",
        "55aa_55",
        "u64; 64]",
        "1u64 << ",
        "swap_bytes",
        "reverse_bits",
        "trailing_zeros() as u8",
        "(1, 2), (2, 1)",
        "(1, 1), (1, -1)",
    ];
    let mut found = BTreeSet::new();
    for (name, text) in sources() {
        // Shifts in random numbers are not squares.
        let text = text.replace("1u64 << 53", "").replace("1u64 << 24", "");
        let marks = MARKS.iter().filter(|mark| text.contains(**mark));
        found.extend(marks.map(|mark| (name.clone(), *mark)));
    }
    assert!(found.iter().any(|(name, _)| name.starts_with(HOME)), "the marks are those of the board");
    found.retain(|(name, _)| ![HOME].iter().chain(&EXCEPTIONS).any(|known| name.starts_with(known)));
    assert!(found.is_empty(), "{found:?}");
    // The games use the board's types for squares. Their integers are keys.
    let mut games = BTreeMap::new();
    read_modules(&root().join("crates/rules/src/games"), &mut Vec::new(), &mut games);
    for (module, text) in games {
        let others = text.lines().filter(|line| line.contains("u64") && !line.contains("key"));
        assert_eq!(others.collect::<Vec<_>>(), [""; 0], "{module:?}");
        // No game uses another game's module.
        for other in ["century", "chess", "half", "maxim"].iter().filter(|other| module[0] != **other) {
            assert!(!text.contains(&format!("games::{other}")), "{module:?} uses {other}");
        }
    }
}

/// Tests that the crate documentation of every library has a code example.
#[test]
fn every_library_shows_its_use() {
    for name in documented().0.iter().filter(|name| !["cli", "python", "wasm"].contains(&name.as_str())) {
        let lib =
            std::fs::read_to_string(root().join(format!("crates/{name}/src/lib.rs"))).expect("a library");
        assert!(lib.lines().any(|line| line.starts_with("//! ```")), "{name}");
    }
}

/// Returns the names (such as `rules/src/game.rs`) and texts of all crates' source files, except
/// separate test files.
fn sources() -> Vec<(String, String)> {
    let crates = root().join("crates");
    let mut sources = Vec::new();
    for folder in std::fs::read_dir(&crates).expect("the crates can be listed") {
        let src = folder.expect("an entry").path().join("src");
        let mut texts = BTreeMap::new();
        if src.is_dir() {
            read_modules(&src, &mut Vec::new(), &mut texts);
        }
        let folder = src.strip_prefix(&crates).expect("a crate's folder");
        let named = |(module, text): (Vec<String>, String)| {
            (format!("{}.rs", folder.join(module.join("/")).display()), text)
        };
        sources.extend(texts.into_iter().map(named));
    }
    sources
}

/// Tests that outside the rules of chess only the files in the test's list name a proposal. A
/// proposal should be one row of a table and conditions in the move generator.
#[test]
fn few_files_name_a_proposal() {
    const HOME: &str = "rules/src/games/chess";
    let constant = |proposal: &Proposal| format!("Proposals::{}", proposal.name.to_uppercase());
    let constants: Vec<String> = Proposals::NAMED.iter().map(constant).collect();
    let names = |text: &str| constants.iter().any(|constant| text.contains(constant));
    let named: BTreeSet<String> = sources()
        .into_iter()
        .filter(|(name, text)| !name.starts_with(HOME) && names(text))
        .map(|(name, _)| name)
        .collect();
    // Its input plane, its measures and its endings.
    let known = ["encoding/src/chess/planes.rs", "endings/src/key.rs", "measures/src/games/chess.rs"];
    assert_eq!(named, known.map(String::from).into());
    // Checks that the search finds the constants.
    assert!(sources().iter().any(|(name, text)| name.starts_with(HOME) && names(text)));
}

/// Tests that each game of the register has all files and entries that CONTRIBUTING lists for a new
/// game. Chess and Chess++ share theirs. The failure names what is missing.
#[test]
fn a_game_is_everywhere_that_contributing_lists() {
    let page = std::fs::read_to_string(root().join("CONTRIBUTING.md")).expect("the page can be read");
    let (_, table) = page.split_once("| own files | entries |\n").expect("the table of a new game");
    let (table, _) = table.split_once("\n\n").expect("an end of the table");
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let games: BTreeSet<String> = Variant::all()
        .map(|variant| variant.to_string())
        .map(|name| name.split('+').next().unwrap_or_default().to_owned())
        .filter(|name| !name.starts_with("chess"))
        .collect();
    assert!(games.len() >= 3, "{games:?}");
    let (mut missing, mut found) = (Vec::new(), 0);
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let [own, entries] = cells[..] else { panic!("{row} has {} cells", cells.len()) };
        for game in &games {
            let own = quoted(own).into_iter().map(|path| path.replace("<game>", game));
            missing.extend(own.filter(|path| !root().join(path).exists()));
            for path in quoted(entries) {
                let text = std::fs::read_to_string(root().join(&path)).unwrap_or_default();
                found += 1;
                if !text.to_lowercase().contains(game.as_str()) {
                    missing.push(format!("{path}: {game}"));
                }
            }
        }
    }
    assert!(missing.is_empty() && found >= 20 * games.len(), "{found} entries; missing: {missing:#?}");
}

/// Tests that only these crates choose a position type by a variant's name, and in how many places.
/// Each place compiles its generic code once per game. All other code uses `AnyGame`, `Thinker`,
/// `NamedPlayer`, `ManySearches` and the functions of `catapult_encoding` that take a variant.
#[test]
fn few_places_are_compiled_for_each_game() {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for folder in std::fs::read_dir(root().join("crates")).expect("the crates can be listed") {
        let folder = folder.expect("an entry");
        found.insert(folder.file_name().to_string_lossy().into_owned(), choices(&folder.path().join("src")));
    }
    found.retain(|name, count| *count > 0 && name != "rules");
    let known = [
        ("arena", 7),
        // Four functions of a layout are short enough to be compiled once per game.
        ("encoding", 4),
        ("measures", 2),
        ("python", 1),
        ("records", 1),
        ("study", 3),
        ("training", 3),
    ];
    assert_eq!(found, known.map(|(name, count)| (name.to_owned(), count)).into());
}

/// Returns the number of places in a source folder that choose a position type, outside comments and
/// tests.
fn choices(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let of = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            return choices(&path);
        }
        if name.contains("test") || !name.ends_with(".rs") {
            return 0;
        }
        let text = std::fs::read_to_string(&path).expect("a source can be read");
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().lines();
        let code: String = code.map(|line| line.split("//").next().unwrap_or_default()).collect();
        code.matches("with_variant!(").count() + code.matches("with_variants!(").count()
    };
    entries.map(|entry| of(entry.expect("an entry").path())).sum()
}

/// Adds the code of each module in a source folder to `texts`, by the module's path. `at` is the
/// folder's own module path. The code ends at the module's tests. The crate's root module is not
/// added.
fn read_modules(folder: &Path, at: &mut Vec<String>, texts: &mut BTreeMap<Vec<String>, String>) {
    for entry in std::fs::read_dir(folder).expect("sources can be listed") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("names are UTF-8").to_owned();
        if name.contains("test") {
            continue;
        }
        if path.is_dir() {
            at.push(name);
            read_modules(&path, at, texts);
            at.pop();
        } else if path.extension().is_some_and(|end| end == "rs") {
            let module: Vec<String> = at.iter().cloned().chain((name != "mod").then_some(name)).collect();
            if !matches!(module.last().map(String::as_str), None | Some("lib" | "main")) {
                let text = std::fs::read_to_string(&path).expect("a source can be read");
                let lines = text.split("#[cfg(test)]").next().unwrap_or_default().lines();
                let code = lines.map(|line| line.split("//").next().unwrap_or_default());
                texts.insert(module, code.collect::<Vec<_>>().join("\n"));
            }
        }
    }
}

/// Resolves re-exports: returns the path of the item in the file that defines it.
fn home(homes: &BTreeMap<Vec<String>, Vec<String>>, path: Vec<String>) -> Vec<String> {
    // Re-exports are nested at most three deep.
    (0..3).fold(path, |path, _| homes.get(&path).cloned().unwrap_or(path))
}

/// Returns the names that a module re-exports (`pub use file::Name;`) as pairs of paths: the
/// re-exported path, and the path in the file. Both are relative to the crate's root.
fn listed<'a>(text: &'a str, module: &'a [String]) -> impl Iterator<Item = (Vec<String>, Vec<String>)> + 'a {
    let lists = text.split("\npub").skip(1).filter_map(|line| {
        let list = line.trim_start_matches("(crate)").trim_start_matches("(super)").strip_prefix(" use ")?;
        list.split(';').next()?.split_once("::")
    });
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    lists.flat_map(move |(file, names)| {
        let names = names.split(move |c| !is_name(c)).filter(|name| !name.is_empty());
        let at = |parts: &[&str]| {
            module.iter().cloned().chain(parts.iter().map(|part| part.to_string())).collect()
        };
        names.map(move |name| (at(&[name]), at(&[file, name]))).collect::<Vec<_>>()
    })
}

/// Returns the paths in a module's code that begin with `crate`, `super` or `self`, relative to the
/// crate's root. A list in braces gives one path per name.
fn named_paths(text: &str, module: &[String]) -> Vec<Vec<String>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (start, first) in ["crate::", "super::", "self::"].iter().flat_map(|first| text.match_indices(first))
    {
        if text[..start].ends_with(|c| is_name(c) || c == ':' || c == '$') {
            continue;
        }
        let mut path = match first {
            "crate::" => Vec::new(),
            "super::" => module[..module.len() - 1].to_vec(),
            _ => module.to_vec(),
        };
        let mut rest = &text[start + first.len()..];
        loop {
            if let Some(list) = rest.strip_prefix('{') {
                let names = list.split('}').next().unwrap_or_default().split(|c| !is_name(c));
                found.extend(
                    names
                        .filter(|name| !name.is_empty())
                        .map(|name| [&path[..], &[name.to_owned()]].concat()),
                );
            }
            let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            match &rest[..end] {
                "" => break,
                "super" => path.truncate(path.len().saturating_sub(1)),
                name => path.push(name.to_owned()),
            }
            match rest[end..].strip_prefix("::") {
                Some(next) => rest = next,
                None => break,
            }
        }
        found.push(path);
    }
    found
}

/// Tests that the binary needs no libtorch if it is built without the features `torch` and `server`.
#[test]
fn without_its_feature_libtorch_is_not_in_the_tree() {
    let tree = |features: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .args([
                "tree",
                "--package",
                "catapult-cli",
                "--edges",
                "normal,build",
                "--prefix",
                "none",
                "--offline",
            ])
            .args(features)
            .current_dir(root())
            .output()
            .expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("names are UTF-8");
        text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let (with, without) = (tree(&[]), tree(&["--no-default-features"]));
    // Playing does not need a server either.
    for name in ["tch", "torch-sys", "catapult-server", "rusqlite"] {
        assert!(with.contains(name) && !without.contains(name), "{name}");
    }
    assert!(without.contains("catapult-arena") && without.contains("catapult-report"), "{without:?}");
    for name in ["catapult-training", "catapult-study"] {
        assert!(with.contains(name) && !without.contains(name), "{name}");
    }
}
