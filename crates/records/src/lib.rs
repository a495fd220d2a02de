//! Records of played games in Parquet files that are verified when read, and [rules
//! files](rules_file).
//!
//! One file is a *shard* with one row per game. pandas, Polars and DuckDB can read it. Its columns:
//!
//! | column | Parquet type | meaning |
//! |---|---|---|
//! | `variant` | string | name of the game's variant |
//! | `game` | uint64 | index of the game in its shard |
//! | `seed` | uint64 | seed of the game's random stream |
//! | `parent` | uint64, null | index in the shard of the game that this one forks from; null if not forked |
//! | `fork_ply` | uint32, null | number of the parent's plies before the fork; null if not forked |
//! | `network` | string | BLAKE3 (hex) of the network file that played, or the name of an evaluator |
//! | `start_fen` | string | position before the first move |
//! | `outcome` | string | `checkmate stalemate dead hundred-plies repetition tablebase resignation capped`; `hundred-plies` is the fifty-move rule, `capped` a truncated game |
//! | `winner` | string, null | `white` or `black`; null without a winner |
//! | `moves` | list of string | the moves played, in the variant's notation |
//! | `win`, `draw`, `loss` | list of float | per ply: root value for the side to move; all 0 if unknown |
//! | `moves_left` | list of float | per ply: expected number of plies to the end of the game; 0 if unknown |
//! | `policy_moves` | list of list of string | per ply: moves of the improved policy; empty without a full search |
//! | `policy_probabilities` | list of list of float | per ply: probabilities of `policy_moves`, in the same order |
//! | `raw_win`, `raw_draw`, `raw_loss` | list of float | per ply: the network's evaluation of the root before the search |
//! | `mean_win`, `mean_draw`, `mean_loss` | list of float | per ply: mean value over the root's visits |
//! | `surprise` | list of float | per ply: KL divergence (nats) of the improved policy from the network's at the root temperature |
//!
//! All lists of a row from `moves` on have the same length. The file's key-value metadata contains
//! `format` = [`FORMAT`] and the entries that the writer passed. Version 1 of the format lacks the
//! last seven columns. It can still be read.
//!
//! A shard `NAME` is stored as `NAME-HHHHHHHHHHHHHHHH.parquet`. The 16 hex digits are the start of
//! the BLAKE3 hash of the file's bytes. The writer creates a temporary file, syncs it and renames
//! it, so a file with a final name is complete. [`read_shard`] first verifies the hash. Equal games
//! and metadata give equal bytes. If several machines play the same shard, the commit marker
//! `_NAME` names the file to use ([`WantedShard`]).
//!
//! ```
//! use catapult_records::{GameRecord, verify_record};
//! use catapult_rules::{Color, Outcome, Variant};
//!
//! let record = GameRecord::of_texts(Variant::Chess, None, "f2f3 e7e5 g2g4 d8h4").unwrap();
//! assert_eq!((record.outcome, record.winner), (Outcome::Checkmate, Some(Color::Black)));
//! assert!(verify_record(&record).is_ok());
//! // A wrong winner is an error.
//! assert!(verify_record(&GameRecord { winner: Some(Color::White), ..record }).is_err());
//! ```

mod columns;
mod error;
mod format;
mod record;
mod replay;
pub mod rules_file;
mod shard;
mod table;
mod texts;
mod verify;

pub use error::{RecordError, VerifyError};
pub use format::FORMAT;
pub use record::{GameRecord, PROBABILITY_FLOOR, compact_policy};
pub use replay::{Ply, Replay};
pub use shard::{
    Shard, ShardFile, ShardKey, WantedShard, find_shards, mark_name, read_shard, set_aside, write_shard,
};
pub use table::{TableColumn, write_table};
pub use texts::GameTexts;
pub use verify::{verify_game, verify_record};
