//! Records on disk, asked from outside.

mod shards;
mod verify;
