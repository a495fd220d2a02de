//! Errors of matches.

use crate::openings::OpeningError;
use crate::player::PlayerError;
use catapult_rules::ForbiddenKind;
use catapult_store::StoreError;
use std::path::{Path, PathBuf};

/// Error that prevents a match or stops it.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The number of games is odd or 0.
    #[error("games: {0}; a match has an even number of games, at least 2, one of each pair with each colour")]
    Games(u32),
    /// The ply cap does not exceed the longest opening.
    #[error("ply cap: {0}; it is larger than the longest opening, {max}", max = crate::OPENING_PLIES.end())]
    PlyCap(u32),
    /// The rules have no moves of the forbidden kind.
    #[error("forbidden: {kind}; `{variant}` has no such moves")]
    Forbidden {
        /// Kind of move.
        kind: ForbiddenKind,
        /// Name of the variant.
        variant: String,
    },
    /// Too few openings.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// Fewer openings than pairs of games.
    #[error("{found} openings for {wanted} pairs of games")]
    FewOpenings {
        /// Number of openings.
        found: usize,
        /// Number of pairs.
        wanted: usize,
    },
    /// A played game does not begin with its pair's opening.
    #[error("pair {pair} was begun with another opening: the openings have changed since")]
    OtherOpening {
        /// Number of the pair, from 1.
        pair: usize,
    },
    /// The game is over after an opening.
    #[error("an opening ends in `{0}`, where the game is over")]
    OpeningOver(String),
    /// The folder of the match can't be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A player failed.
    #[error("player {name}: {error}")]
    Player {
        /// The player's name.
        name: String,
        /// Its error.
        error: PlayerError,
    },
    /// A player picked an illegal move.
    #[error("player {name} picked an illegal move in `{fen}`")]
    IllegalMove {
        /// The player's name.
        name: String,
        /// Position in which it was to move.
        fen: String,
    },
    /// A player picked a move that is forbidden in the match.
    #[error("player {name} picked a move that is forbidden in this match in `{fen}`")]
    ForbiddenMove {
        /// The player's name.
        name: String,
        /// Position in which it was to move.
        fen: String,
    },
    /// The progress callback stopped the match.
    #[error("the match was stopped")]
    Stopped,
}

/// Error of a match's folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file can't be used, or another process plays the match.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder contains another match.
    #[error("{path}: another match is there: {differences}")]
    Other {
        /// The folder.
        path: PathBuf,
        /// Differences from this match.
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
