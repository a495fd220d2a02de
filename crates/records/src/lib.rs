//! Played games on disk: Parquet files that are verified when read.
//!
//! One file is a *shard*, one row a game. pandas, Polars and DuckDB open it; the schema is
//!
//! | column | Parquet type | meaning |
//! |---|---|---|
//! | `variant` | string | name of the game's variant |
//! | `game` | uint64 | index of the game in its run |
//! | `seed` | uint64 | seed of the game's random stream |
//! | `parent` | uint64, null | the game this one was forked from |
//! | `fork_ply` | uint32, null | plies of the parent before the fork |
//! | `network` | string | BLAKE3 (hex) of the network file that played, or the name of an evaluator |
//! | `start_fen` | string | where the moves start |
//! | `outcome` | string | `checkmate stalemate dead hundred-plies repetition tablebase resignation capped` |
//! | `winner` | string, null | `white`, `black`, null where nobody won |
//! | `moves` | list of string | the moves played, in the variant's notation |
//! | `win`, `draw`, `loss` | list of float | a ply each: root value for the side to move; all 0 where there is none |
//! | `moves_left` | list of float | a ply each: plies that the root expected to follow, 0 where there is no value |
//! | `policy_moves` | list of list of string | a ply each: moves of the improved policy; empty where it was not searched in full |
//! | `policy_probabilities` | list of list of float | their probabilities, side by side with `policy_moves` |
//! | `raw_win`, `raw_draw`, `raw_loss` | list of float | as `win`, `draw`, `loss`: the network's own answer about the root |
//! | `mean_win`, `mean_draw`, `mean_loss` | list of float | likewise: the mean of the root's visits |
//! | `surprise` | list of float | a ply each: divergence of the improved policy from the network's, nats |
//!
//! The lists of a row from `moves` on are equally long. The file's key-value metadata holds `format` =
//! [`FORMAT`] and what the writer was given. The first version of the format, without the last seven columns, is still read.
//!
//! A shard `NAME` lies in `NAME-HHHHHHHHHHHHHHHH.parquet`, where the 16 hex digits are the start of the BLAKE3 hash of the
//! file's bytes. It is written under a temporary name, synced and renamed, so a file with a final name is whole;
//! [`read_shard`] holds the bytes against the name before it looks at them. Equal games and metadata give equal bytes. Where several
//! machines may play the same shard, `_NAME` says which file it is ([`WantedShard`]).
//!
//! ```
//! use catapult_records::{GameRecord, verify_record};
//! use catapult_rules::{Color, Outcome};
//!
//! let moves = ["f2f3", "e7e5", "g2g4", "d8h4"].map(str::to_owned).to_vec();
//! let record = GameRecord {
//!     variant: "chess".to_owned(),
//!     game: 0,
//!     seed: 1,
//!     parent: None,
//!     fork_ply: None,
//!     network: "by hand".to_owned(),
//!     start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
//!     policies: vec![Vec::new(); 4],
//!     values: vec![[0.0; 3]; 4],
//!     raw_values: vec![[0.0; 3]; 4],
//!     mean_values: vec![[0.0; 3]; 4],
//!     surprises: vec![0.0; 4],
//!     moves_left: vec![0.0; 4],
//!     outcome: Outcome::Checkmate,
//!     winner: Some(Color::Black),
//!     moves,
//! };
//! assert!(verify_record(&record).is_ok());
//! // Black is mated nowhere in it.
//! assert!(verify_record(&GameRecord { winner: Some(Color::White), ..record }).is_err());
//! ```

mod columns;
mod error;
mod format;
mod record;
mod replay;
mod shard;
mod table;
mod verify;

pub use error::{RecordError, VerifyError};
pub use format::FORMAT;
pub use record::{GameRecord, PROBABILITY_FLOOR, compact_policy};
pub use replay::{Ply, Replay};
pub use shard::{
    Shard, ShardFile, ShardTerms, WantedShard, find_shards, mark_name, read_shard, set_aside, write_shard,
};
pub use table::{TableColumn, write_table};
pub use verify::{verify_game, verify_record};
