//! Access to the folders of runs and studies by name. No other module maps a name in a request to a
//! path.
//!
//! A name in a request is never turned into a path. It is compared with a listing of the configured
//! folder. Symbolic links are followed, and the resolved entry must be inside that folder.

use std::path::{Path, PathBuf};

/// Maximum number of entries of a folder that are considered. Further entries do not exist for
/// clients.
const MOST: usize = 5000;

/// A configured folder, whose subfolders are runs or studies. It may not exist yet.
pub(crate) struct Folder(pub PathBuf);

impl Folder {
    /// Returns the names and resolved paths of the subfolders that contain the file `file`, sorted
    /// by name. Empty if the folder cannot be read.
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

    /// Returns the resolved path of the subfolder `name` if it contains the file `file`, else
    /// `None`.
    pub(crate) fn find(&self, name: &str, file: &str) -> Option<PathBuf> {
        self.with(file).into_iter().find(|(one, _)| one == name).map(|(_, place)| place)
    }
}

/// Resolves the links in `path`. `None` unless the result exists inside `folder`. `folder` must not
/// contain links.
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
        let folder = Folder(runs.clone());
        let names: Vec<String> = folder.with("config.toml").into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, if cfg!(unix) { vec!["alias", "one"] } else { vec!["one"] });
        assert!(folder.find("one", "config.toml").is_some());
        let absolute = secret.to_str().unwrap();
        for name in ["../secret", "..", ".", "", "one/..", "one/../../secret", "link", "leads-out", absolute]
        {
            assert_eq!(folder.find(name, "config.toml"), None, "{name}");
        }
        assert!(Folder(dir.path().join("not there")).with("config.toml").is_empty());
    }
}
