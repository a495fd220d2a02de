//! Players, matches, openings, ratings.
//!
//! A [`PlayerSpec`] names a player, [`contender`] makes it ready for matches, [`play_match`] plays pairs of games from
//! the same [`openings`] with colours swapped, many at once, and gives a [`MatchResult`]: counts, score and Elo with
//! 95 % intervals ([`stats`]). A match may forbid one player a kind of move ([`ForbiddenKind`]). The anchors, alpha-beta
//! on hand-made values ([`Anchor`]), are frozen.

mod alphabeta;
mod anchor;
mod build;
mod forbidden;
mod match_error;
mod matches;
mod openings;
mod player;
mod random;
pub mod rating;
mod result;
mod search_player;
mod settings;
mod spec;
pub mod stats;

pub use alphabeta::{AlphaBeta, Analysis, MATE};
pub use anchor::{ANCHOR_VERSION, Anchor};
pub use build::contender;
pub use forbidden::{Forbidden, ForbiddenKind, IsOfKind, mask};
pub use match_error::MatchError;
pub use matches::{Contender, MakePlayer, Match, MatchSettings, PlayedGame, Progress, play_match};
pub use openings::{OPENING_DEPTH, OPENING_MAX_SCORE, OPENING_PLIES, OpeningError, openings};
pub use player::{AlphaBetaPlayer, Player, PlayerError, RandomPlayer, Turn, WeakenedPlayer};
pub use result::{MatchResult, Table};
pub use search_player::SearchPlayer;
pub use settings::SearchSettings;
pub use spec::{BuiltInEvaluator, MAX_DEPTH, MAX_SIMULATIONS, PLAYER_FORMS, PlayerSpec, PlayerSpecError};
