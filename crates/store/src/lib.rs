//! Storage: atomic files, locked folders, object stores, and work in units.
//!
//! If a command is killed, a later command continues from the complete files.
//!
//! * [`write_atomically`], [`read_json`], [`write_json`]: files
//! * [`make_folder`]: a folder created atomically
//! * [`open_folder`], [`lock`]: folders locked for one process
//! * [`Location`]: a folder or an object store in which each result is published once
//! * [`differences`]: differences between two configs, key by key
//! * [`BadSetting`], [`setting`]: checks of config values
//! * [`read_cached`], [`write_cached`]: cached results with their cache keys
//! * [`Unit`], [`find_or_make_all`]: units of work; each result is found, or computed and stored
//!
//! ```
//! use catapult_store::{differences, read_json, write_json};
//! use std::collections::BTreeMap;
//!
//! let dir = std::env::temp_dir().join(format!("catapult-store-{}", std::process::id()));
//! std::fs::create_dir_all(&dir).unwrap();
//! let before = BTreeMap::from([("games", 100), ("seed", 1)]);
//! write_json(&dir.join("config.json"), &before).unwrap();
//! let read: BTreeMap<String, u32> = read_json(&dir.join("config.json")).unwrap();
//! let now = BTreeMap::from([("games".to_owned(), 200), ("seed".to_owned(), 1)]);
//! assert_eq!(differences(&read, &now)[0].to_string(), "games (was 100, is 200)");
//! # std::fs::remove_dir_all(dir).unwrap();
//! ```

mod atomic;
mod cached;
#[cfg(feature = "objects")]
mod cloud;
mod difference;
mod error;
mod folder;
mod json;
mod location;
mod objects;
pub mod setting;
mod work;

pub use atomic::{UNFINISHED, create_atomically, sweep, unfinished, write_atomically, write_atomically_with};
pub use cached::{publish_cached, read_cached, write_cached};
pub use difference::{Difference, differences};
pub use error::StoreError;
pub use folder::{lock, make_folder, open_folder};
pub use json::{json_bytes, read_json, write_json};
pub use location::{CACHE, Location, is_url};
pub use setting::BadSetting;
pub use work::{Stop, Tally, Unit, find_or_make_all};
