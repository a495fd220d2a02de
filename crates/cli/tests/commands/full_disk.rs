//! Tests that a run on a full disk ends with one message that names the file. The disk is filled at
//! several points of the run. Once there is space, the run resumes to the same bytes.

use super::{path, root, text};
use std::path::Path;
use std::process::Command;

/// Shell script that trains on a file system of `$SIZE`, then again on this file system with more
/// space. It prints the exit codes and the hashes of the networks. The file system is mounted in
/// its own namespace, which needs no privileges and ends with the script.
const SCRIPT: &str = r#"
mount -t tmpfs -o size=$SIZE tmpfs "$DIR" || exit
"$CATAPULT" train "$CONFIG" --run "$DIR/run" --set generations=2 --set machine.device=cpu 2>"$LOG" >/dev/null
echo "exit $?"
mount -o remount,size=64m "$DIR" || exit
"$CATAPULT" train "$CONFIG" --run "$DIR/run" --set generations=2 --set machine.device=cpu 2>>"$LOG.2" >/dev/null
echo "exit $?"
cd "$DIR/run" && sha256sum generation-*/*.safetensors && ls generation-*/games && find . -name '*.tmp'
"#;

/// Runs [`SCRIPT`]. Returns its output and the error messages of the first training. Returns `None`
/// if the system has no mount namespaces.
fn run(size: &str, folder: &Path) -> Option<(String, String)> {
    let dir = folder.join("disk");
    std::fs::create_dir_all(&dir).unwrap();
    let log = folder.join("log");
    let output = Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", SCRIPT])
        .env("SIZE", size)
        .env("DIR", &dir)
        .env("LOG", &log)
        .env("CATAPULT", env!("CARGO_BIN_EXE_catapult"))
        .env("CONFIG", path(&root().join("configs/test/tiny.toml")))
        .output()
        .ok()?;
    // The script prints from the first training on, even if the program fails.
    let printed = text(&output.stdout);
    (!printed.is_empty()).then(|| (printed, std::fs::read_to_string(&log).unwrap()))
}

/// Runs [`SCRIPT`] with each of the sizes.
fn no_harm_by_full_disks(sizes: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let Some((whole, _)) = run("64m", folder.path()) else {
        eprintln!("skipped: no mount namespace can be made here");
        return;
    };
    let whole = whole.strip_prefix("exit 0\nexit 0\n").expect("there is room for a whole run");
    for size in sizes {
        let (printed, errors) = run(size, folder.path()).expect("what worked once works again");
        let rest =
            printed.strip_prefix("exit 1\nexit 0\n").unwrap_or_else(|| panic!("{size}: {printed}{errors}"));
        assert_eq!(rest, whole, "{size}: not the bytes of an unbroken run");
        assert!(!errors.contains("panicked"), "{size}: {errors}");
        let messages: Vec<&str> = errors.lines().filter(|line| line.starts_with("catapult: ")).collect();
        assert_eq!(messages.len(), 1, "{size}: {errors}");
        let disk = folder.path().join("disk/run");
        assert!(messages[0].contains(path(&disk)), "{size}: no file is named: {errors}");
        assert_eq!(messages[0].matches("No space left on device").count(), 1, "{size}: {errors}");
    }
}

#[test]
fn a_full_disk_ends_a_run_with_one_message_and_harms_nothing() {
    no_harm_by_full_disks(&["100k", "560k"]);
}

/// Space for only the first files of generation 0, its network, the games of generation 1, or its
/// learner.
#[test]
#[ignore = "long"]
fn a_disk_may_be_full_at_any_point_of_a_run() {
    no_harm_by_full_disks(&["100k", "450k", "528k", "560k", "700k"]);
}
