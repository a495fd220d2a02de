//! Errors of matches.

use crate::openings::{OpeningError, OpeningFileError};
use crate::player::PlayerError;
use catapult_rules::ForbiddenKind;
use catapult_store::StoreError;
use std::path::{Path, PathBuf};

/// Reason for which a match can't begin or was stopped.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The number of games (the value) is odd or 0.
    #[error("games: {0}; a match has an even number of games, at least 2, one of each pair with each colour")]
    Games(u32),
    /// The ply cap (the value) does not exceed the number of plies of the longest opening.
    #[error("ply cap: {0}; it is larger than the longest opening, {max}", max = crate::OPENING_PLIES.end())]
    PlyCap(u32),
    /// The rules have no moves of the kind that should be forbidden.
    #[error("forbidden: {kind}; `{variant}` has no such moves")]
    Forbidden {
        /// Forbidden kind of move.
        kind: ForbiddenKind,
        /// Name of the variant.
        variant: String,
    },
    /// The game has too few openings.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// A player cannot be built. The error states the reason.
    #[error(transparent)]
    NoPlayer(#[from] PlayerError),
    /// The file of openings cannot be used.
    #[error(transparent)]
    OpeningFile(#[from] OpeningFileError),
    /// The caller gave fewer openings than the match has pairs of games.
    #[error("{found} openings for {wanted} pairs of games")]
    FewOpenings {
        /// Number of openings given.
        found: usize,
        /// Number of openings needed. It is one per pair, including pairs that the match skips at
        /// its start.
        wanted: usize,
    },
    /// A game from the match's folder does not begin with the opening of its pair.
    #[error("pair {pair} was begun with another opening: the openings have changed since")]
    OtherOpening {
        /// Number of the pair, from 1.
        pair: usize,
    },
    /// The game is already over at the end of an opening. The value is the FEN of that position.
    #[error("an opening ends in `{0}`, where the game is over")]
    OpeningOver(String),
    /// The folder of the match can't be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A player failed.
    #[error("player {name}: {error}")]
    Player {
        /// Name of the player that failed.
        name: String,
        /// Error of the player.
        error: PlayerError,
    },
    /// A player picked an illegal move.
    #[error("player {name} picked an illegal move in `{fen}`")]
    IllegalMove {
        /// Name of the player.
        name: String,
        /// FEN of the position in which the player was to move.
        fen: String,
    },
    /// A player picked a move that the match forbids.
    #[error("player {name} picked a move that is forbidden in this match in `{fen}`")]
    ForbiddenMove {
        /// Name of the player.
        name: String,
        /// FEN of the position in which the player was to move.
        fen: String,
    },
    /// The progress callback stopped the match.
    #[error("the match was stopped")]
    Stopped,
}

/// Reason for which the folder of a match can't be used for this match.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file can't be read or written, or another process plays the match.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder contains a match with other terms.
    #[error("{path}: another match is there: {differences}")]
    Other {
        /// Path of the folder.
        path: PathBuf,
        /// Names of the terms that differ. Each has the value in the folder and the requested
        /// value.
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
