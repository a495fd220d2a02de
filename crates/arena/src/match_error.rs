//! Why a match could not be played.

use crate::openings::OpeningError;
use crate::player::PlayerError;
use catapult_rules::ForbiddenKind;
use catapult_store::StoreError;
use std::path::{Path, PathBuf};

/// A match that could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The number of games can't be halved.
    #[error("games: {0}; a match has an even number of games, at least 2, one of each pair with each colour")]
    Games(u32),
    /// The cap leaves no room for moves.
    #[error("ply cap: {0}; it is larger than the longest opening, {max}", max = crate::OPENING_PLIES.end())]
    PlyCap(u32),
    /// The rules lack what is to be forbidden.
    #[error("forbidden: {kind}; `{variant}` has no such moves")]
    Forbidden {
        /// The kind of move.
        kind: ForbiddenKind,
        /// The rules' name.
        variant: String,
    },
    /// Too few openings.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// Fewer openings given than pairs are to be played.
    #[error("{found} openings for {wanted} pairs of games")]
    FewOpenings {
        /// How many there are.
        found: usize,
        /// How many pairs there are.
        wanted: usize,
    },
    /// A game that was played before began otherwise than its pair does now.
    #[error("pair {pair} was begun with another opening: the openings have changed since")]
    OtherOpening {
        /// The pair, from 1.
        pair: usize,
    },
    /// An opening after which there is nothing to play.
    #[error("an opening ends in `{0}`, where the game is over")]
    OpeningOver(String),
    /// What has been played can't be kept.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A player failed.
    #[error("player {name}: {error}")]
    Player {
        /// The player's name.
        name: String,
        /// What happened.
        error: PlayerError,
    },
    /// A player picked what is not a legal move.
    #[error("player {name} picked an illegal move in `{fen}`")]
    IllegalMove {
        /// The player's name.
        name: String,
        /// Where it was to move.
        fen: String,
    },
    /// A player picked what is forbidden in the match.
    #[error("player {name} picked a move that is forbidden in this match in `{fen}`")]
    ForbiddenMove {
        /// The player's name.
        name: String,
        /// Where it was to move.
        fen: String,
    },
    /// The progress callback said so.
    #[error("the match was stopped")]
    Stopped,
}

/// A match's folder that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file can't be used, or another process plays the match.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder holds another match.
    #[error("{path}: another match is there: {differences}")]
    Other {
        /// The folder.
        path: PathBuf,
        /// What differs.
        differences: String,
    },
}

impl FolderError {
    pub(crate) fn file(path: &Path, error: std::io::Error) -> FolderError {
        StoreError::File { file: path.to_owned(), error }.into()
    }

    pub(crate) fn damaged(path: &Path, reason: String) -> FolderError {
        StoreError::Damaged { file: path.to_owned(), reason }.into()
    }
}
