//! Players, matches, openings and ratings.
//!
//! A [`PlayerSpec`] names a player, and [`contender`] makes it ready for matches. [`play_match`]
//! plays pairs of games with colours swapped from the same [`openings`], many at once. It returns a
//! [`MatchResult`] with counts, and score and Elo with 95 % intervals ([`catapult_stats`]). Options
//! of a match:
//!
//! - a kind of move that one player, or both, may not make ([`MatchSettings::forbidden`])
//! - clocks for both players ([`TimeControl`])
//! - a folder from which an interrupted match resumes ([`MatchFolder`])
//! - a sequential test that ends the match early ([`MatchSettings::sprt`])
//!
//! External programs play by the Universal Chess Interface ([`ExternalPlayer`]). A program that
//! fails loses only that game. The anchors of the rating scale are alpha-beta players with a
//! hand-made evaluation ([`Anchor`]). They are frozen, so ratings against them stay comparable.
//!
//! ```
//! use catapult_arena::{MatchFiles, MatchSettings, NamedPlayer, PlayerSpec, play_named_match};
//! use catapult_network::Device;
//! use std::ops::ControlFlow;
//!
//! let specs = ["alphabeta:1", "random"].map(|name| name.parse::<PlayerSpec>().unwrap());
//! let players = specs.each_ref().map(|spec| (None, NamedPlayer::Spec(spec)));
//! let settings = MatchSettings { games: 4, ply_cap: 60, ..Default::default() };
//! let go_on = |_| ControlFlow::Continue(());
//! let chess = "chess".parse().unwrap();
//! let files = MatchFiles::default();
//! let played = play_named_match(chess, &players, Device::Cpu, &settings, files, &go_on).unwrap();
//! assert_eq!((played.result.games, played.ends.len()), (4, 4));
//! println!("{}", played.result);
//! ```

mod alphabeta;
mod anchor;
mod any;
mod build;
mod external;
mod folder;
mod forbidden;
#[cfg(not(target_family = "wasm"))]
mod many;
mod match_error;
mod matches;
// The browser build plays no matches. Such modules would enlarge it by a seventh.
#[cfg(not(target_family = "wasm"))]
mod named;
mod openings;
mod played;
mod player;
mod random;
pub mod rating;
mod reply;
mod result;
mod search_player;
mod selective;
mod session_player;
mod settings;
#[cfg(not(target_family = "wasm"))]
mod source;
mod spec;
mod time;

pub use alphabeta::{AlphaBeta, Analysis, MATE};
pub use anchor::{ANCHOR_VERSION, Anchor};
pub use any::{ChooseMove, alphabeta_move, choose_move, thinker};
pub use build::contender;
pub use external::{ExternalPlayer, ExternalSpec, read_lines};
pub use folder::{MatchFolder, MatchKey};
pub use forbidden::Forbidden;
#[cfg(not(target_family = "wasm"))]
pub use many::{ManySearches, Searched, search_many};
pub use match_error::MatchError;
pub use matches::{Contender, MakePlayer, Match, MatchSettings, play_match};
#[cfg(not(target_family = "wasm"))]
pub use named::{
    MatchFiles, NamedMatch, NamedPlayer, moves_per_second, play_named_match, play_named_shard,
    random_evaluations,
};
pub use openings::{OPENING_PLIES, openings, openings_from};
pub use played::{GameEnd, PlayedGame};
pub use player::{AlphaBetaPlayer, Player, PlayerError, RandomPlayer, Turn};
pub use reply::{Forfeit, Reply, Score, Thought};
pub use result::{MatchResult, SprtResult, result_table};
pub use search_player::breaking_ties;
pub use session_player::ClockSettings;
pub use settings::SearchSettings;
#[cfg(not(target_family = "wasm"))]
pub use source::{EncodedPositions, EvaluateEncoded, EvaluatorSource};
pub use spec::{BuiltInEvaluator, MAX_DEPTH, MAX_SIMULATIONS, PLAYER_FORMS, PlayerSpec, PlayerSpecError};
pub use time::{Clocks, MOVE_TIME_GRACE, TimeControl};
