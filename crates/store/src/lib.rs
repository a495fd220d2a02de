//! What lies on disk: files that are there whole or not at all, folders that one process works on, and work that is made unit by
//! unit, so that a command killed at any instant goes on from what is whole.
//!
//! * [`write_atomically`], [`read_json`], [`write_json`]: files
//! * [`make_folder`]: a folder that is there whole or not at all
//! * [`Folder`], [`lock`]: a folder, and who works on it
//! * [`Location`]: a folder or a store of objects, where what was made is published once
//! * [`differences`]: in which keys two configs differ
//! * [`BadSetting`], [`setting`]: what a config's values may be
//! * [`read_kept`], [`write_kept`]: what was made once, beside the terms it was made on
//! * [`Unit`], [`Workers`]: work that any process can make, twice if it likes, and that is found again by its name
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
#[cfg(feature = "objects")]
mod cloud;
mod difference;
mod error;
mod folder;
mod json;
mod kept;
mod location;
mod objects;
pub mod setting;
mod work;

pub use atomic::{UNFINISHED, create_atomically, sweep, unfinished, write_atomically, write_atomically_with};
pub use difference::{Difference, differences};
pub use error::StoreError;
pub use folder::{Folder, lock, make_folder, try_lock};
pub use json::{json_bytes, read_json, write_json};
pub use kept::{publish_kept, read_kept, write_kept};
pub use location::{CACHE, Location, is_url};
pub use setting::BadSetting;
pub use work::{Stop, Tally, Unit, Workers};
