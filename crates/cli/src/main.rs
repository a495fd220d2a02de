//! The `catapult` command.

fn main() {}
