//! The only way from a request to the file system. A name is never made into a path: it is looked for in a listing, and what is found must,
//! links followed, lie in the folder that was named when the server was started.

use std::path::{Path, PathBuf};

/// The most of a folder that is listed.
const MOST: usize = 5000;

/// A folder of folders. It need not be there (yet).
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(path: PathBuf) -> Folder {
        Folder(path)
    }

    /// The names and places of the folders in it that hold this file, by name.
    pub(crate) fn with(&self, file: &str) -> Vec<(String, PathBuf)> {
        let Ok(root) = self.0.canonicalize() else { return Vec::new() };
        let Ok(entries) = root.read_dir() else { return Vec::new() };
        let mut found: Vec<(String, PathBuf)> = entries
            .flatten()
            .take(MOST)
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let place = inside(&root, &entry.path())?;
                inside(&place, &place.join(file)).map(|_| (name, place))
            })
            .collect();
        found.sort();
        found
    }

    /// The folder of this name that holds this file.
    pub(crate) fn find(&self, name: &str, file: &str) -> Option<PathBuf> {
        self.with(file).into_iter().find(|(one, _)| one == name).map(|(_, place)| place)
    }
}

/// Where a path leads, if it is there and lies in the folder, itself without links.
pub(crate) fn inside(folder: &Path, path: &Path) -> Option<PathBuf> {
    let place = path.canonicalize().ok()?;
    (place.starts_with(folder) && place != folder).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn names_of_a_listing_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let (runs, secret) = (dir.path().join("runs"), dir.path().join("secret"));
        for folder in [runs.join("one"), runs.join("empty"), runs.join("leads-out"), secret.clone()] {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(runs.join("one/config.toml"), "").unwrap();
        fs::write(secret.join("config.toml"), "").unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&secret, runs.join("link")).unwrap();
            std::os::unix::fs::symlink(secret.join("config.toml"), runs.join("leads-out/config.toml"))
                .unwrap();
            std::os::unix::fs::symlink(runs.join("one"), runs.join("alias")).unwrap();
        }
        let folder = Folder::new(runs.clone());
        let names: Vec<String> = folder.with("config.toml").into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, if cfg!(unix) { vec!["alias", "one"] } else { vec!["one"] });
        assert!(folder.find("one", "config.toml").is_some());
        let absolute = secret.to_str().unwrap();
        for name in ["../secret", "..", ".", "", "one/..", "one/../../secret", "link", "leads-out", absolute]
        {
            assert_eq!(folder.find(name, "config.toml"), None, "{name}");
        }
        assert!(Folder::new(dir.path().join("not there")).with("config.toml").is_empty());
    }
}
