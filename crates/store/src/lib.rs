//! What lies on disk: files that are there whole or not at all, folders that one process works on, and work that is made unit by
//! unit, so that a command killed at any instant goes on from what is whole.
//!
//! * [`write_atomically`], [`read_json`], [`write_json`]: files
//! * [`Folder`], [`lock`]: a folder, and who works on it
//! * [`differences`]: in which keys two configs differ
//! * [`read_kept`], [`write_kept`]: what was made once, beside the terms it was made on
//! * [`Unit`], [`Workers`]: work that any process can make, twice if it likes, and that is found again by its name

mod atomic;
mod difference;
mod error;
mod folder;
mod json;
mod kept;
mod work;

pub use atomic::{UNFINISHED, write_atomically, write_atomically_with};
pub use difference::{Difference, differences};
pub use error::StoreError;
pub use folder::{Folder, lock, try_lock};
pub use json::{read_json, write_json};
pub use kept::{read_kept, write_kept};
pub use work::{Stop, Tally, Unit, Workers};
