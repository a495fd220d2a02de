//! Storage of two-player games in SQLite. A response is sent only after its data is on disk.
//!
//! One thread owns the file. Requests that arrive during a write form one transaction and are
//! answered after its commit. The file stores only digests of links for players. A link cannot be
//! derived from its digest.

use crate::ServeError;
use crate::clock::{Clock, now as millis};
use crate::error::{Answer, Refusal};
use crate::ids::Digest;
use rusqlite::{Connection, OptionalExtension, Params, TransactionBehavior, params};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use tokio::sync::oneshot;

/// Maximum number of requests that wait for the thread that owns the file.
const WAITING: usize = 512;
/// Maximum number of requests per transaction.
const TOGETHER: usize = 128;
/// Days without a move after which a game no longer counts as open.
const OPEN_DAYS: i64 = 7;

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS games (
        id INTEGER PRIMARY KEY,
        white BLOB NOT NULL UNIQUE, black BLOB NOT NULL UNIQUE, watch BLOB NOT NULL UNIQUE,
        variant TEXT NOT NULL, start TEXT NOT NULL,
        changed INTEGER NOT NULL,
        ended TEXT, winner TEXT,
        free TEXT, clock TEXT,
        offer TEXT, seat BLOB, next TEXT
    ) STRICT;
    CREATE TABLE IF NOT EXISTS moves (
        game INTEGER NOT NULL REFERENCES games(id), ply INTEGER NOT NULL, move TEXT NOT NULL,
        PRIMARY KEY (game, ply)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS open ON games(changed) WHERE ended IS NULL;
";

catapult_rules::named! {
    /// Role of a link: playing a side, or watching. The name is also a column of the table `games`.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) enum Role {
        White = "white",
        Black = "black",
        Watch = "watch",
    }
}

/// A stored game.
#[derive(Debug)]
pub(crate) struct StoredGame {
    pub variant: String,
    pub start: String,
    pub moves: Vec<String>,
    /// Outcome and winner of a finished game. `None` if the game is not over.
    pub ended: Option<(String, Option<String>)>,
    /// The side whose seat is free, if any.
    pub free: Option<String>,
    /// The clock as JSON. `None` without a clock.
    pub clock: Option<String>,
    /// The side that asks or offers, and the digest of its link in a rematch.
    pub offer: Option<(String, Digest)>,
    /// Link for spectators of the rematch.
    pub next: Option<String>,
}

/// Sends the result of a request. It is called after the request's transaction has committed or
/// failed.
type Reply = Box<dyn FnOnce(Result<(), String>) + Send>;
/// Runs a request within a transaction and returns its reply.
type Job = Box<dyn FnOnce(&Connection) -> Reply + Send>;

pub(crate) struct Store {
    jobs: SyncSender<Job>,
}

impl Store {
    /// Opens or creates the SQLite file at `path` and starts the thread that owns it.
    pub(crate) fn open(path: &Path) -> Result<Store, ServeError> {
        let failed = |reason: String| ServeError::Other(format!("{}: {reason}", path.display()));
        let connection = open(path).map_err(|error| {
            let is_taken = error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy);
            failed(if is_taken { "another process has it open".to_owned() } else { error.to_string() })
        })?;
        let (jobs, waiting) = sync_channel(WAITING);
        let thread = std::thread::Builder::new().name("games".to_owned());
        thread.spawn(move || work(connection, &waiting)).map_err(|error| failed(error.to_string()))?;
        Ok(Store { jobs })
    }

    /// Runs a request on the thread that owns the file. Returns the result after the commit.
    async fn run<T: Send + 'static>(
        &self,
        request: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Answer<T> {
        let (send, result) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let found = all_or_nothing(connection, request).map_err(|error| error.to_string());
            Box::new(move |written| {
                // The requester may have disconnected.
                let _ = send.send(written.and(found));
            })
        });
        self.jobs.try_send(job).map_err(|error| match error {
            TrySendError::Full(_) => Refusal::busy("too many games are being written; try again"),
            TrySendError::Disconnected(_) => Refusal::fault("games cannot be written"),
        })?;
        let found = result.await.map_err(|_| Refusal::fault("games cannot be written"))?;
        found.map_err(|error| Refusal::fault(format!("the game could not be stored: {error}")))
    }

    /// Runs an SQL statement with the values `row`.
    async fn update(
        &self,
        statement: impl AsRef<str> + Send + 'static,
        row: impl Params + Send + 'static,
    ) -> Answer<()> {
        self.run(move |file| file.prepare_cached(statement.as_ref())?.execute(row).map(|_| ())).await
    }

    /// Stores a new game and returns its id. `links` are the digests of the links for White, Black
    /// and spectators. `free` is the side whose seat a visitor may take. Returns `None` if `most`
    /// games are open: unfinished, and created or with a move in the last [`OPEN_DAYS`] days. For a
    /// rematch, `of` is the previous game's id and the new link for spectators.
    pub(crate) async fn create(
        &self,
        links: [Digest; 3],
        (variant, start): (String, String),
        free: Option<&'static str>,
        clock: Option<Clock>,
        of: Option<(i64, String)>,
        most: u32,
    ) -> Answer<Option<i64>> {
        let now = millis() / 1000;
        self.run(move |file| {
            let since = now - OPEN_DAYS * 24 * 3600;
            let count = "SELECT count(*) FROM games WHERE ended IS NULL AND changed > ?1";
            let open: u32 = file.prepare_cached(count)?.query_row([since], |row| row.get(0))?;
            if open >= most {
                return Ok(None);
            }
            let insert = "INSERT INTO games (white, black, watch, variant, start, changed, free, clock) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
            let [white, black, watch] = links;
            let row = params![white, black, watch, variant, start, now, free, clock];
            let id = file.prepare_cached(insert)?.insert(row)?;
            if let Some(row) = of {
                let update = "UPDATE games SET offer = NULL, next = ?2 WHERE id = ?1";
                file.prepare_cached(update)?.execute(row)?;
            }
            Ok(Some(id))
        })
        .await
    }

    /// Stores that a side asks to take back, or offers a rematch in which it has the link `seat`.
    pub(crate) async fn offer(&self, game: i64, side: &'static str, seat: Digest) -> Answer<()> {
        self.update("UPDATE games SET offer = ?2, seat = ?3 WHERE id = ?1", (game, side, seat)).await
    }

    /// Makes `seat` the link of the game's free side, which is `side`.
    pub(crate) async fn join(&self, game: i64, side: &'static str, seat: Digest) -> Answer<()> {
        let update = format!("UPDATE games SET {side} = ?2, free = NULL WHERE id = ?1");
        self.update(update, (game, seat)).await
    }

    /// Returns the id of the link's game and the role of the link, or `None` if no game has this
    /// link.
    pub(crate) async fn find(&self, link: Digest) -> Answer<Option<(i64, Role)>> {
        self.run(move |file| {
            for role in Role::ALL {
                let select = format!("SELECT id FROM games WHERE {role} = ?1");
                let found = file.prepare_cached(&select)?.query_row([link], |row| row.get(0)).optional()?;
                if let Some(id) = found {
                    return Ok(Some((id, role)));
                }
            }
            Ok(None)
        })
        .await
    }

    pub(crate) async fn load(&self, game: i64) -> Answer<StoredGame> {
        self.run(move |file| {
            let mut moves = file.prepare_cached("SELECT move FROM moves WHERE game = ?1 ORDER BY ply")?;
            let moves = moves.query_map([game], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            let select = "SELECT variant, start, ended, winner, free, clock, offer, seat, next FROM games WHERE id = ?1";
            let mut select = file.prepare_cached(select)?;
            select.query_row([game], |row| {
                let ended: Option<String> = row.get(2)?;
                let winner = row.get(3)?;
                let ended = ended.map(|how| (how, winner));
                let (free, clock, next) = (row.get(4)?, row.get(5)?, row.get(8)?);
                let offer = row.get::<_, Option<_>>(6)?.zip(row.get(7)?);
                let (variant, start) = (row.get(0)?, row.get(1)?);
                Ok(StoredGame { variant, start, moves, ended, free, clock, offer, next })
            })
        })
        .await
    }

    /// Stores a move. If the move ends the game, `ended` has the outcome and the winner.
    pub(crate) async fn add_move(
        &self,
        game: i64,
        ply: usize,
        text: String,
        ended: Option<(&'static str, Option<&'static str>)>,
        clock: Option<Clock>,
    ) -> Answer<()> {
        let now = millis() / 1000;
        self.run(move |file| {
            let insert = "INSERT INTO moves (game, ply, move) VALUES (?1, ?2, ?3)";
            file.prepare_cached(insert)?.execute(params![game, ply as i64, text])?;
            let (how, winner) = ended.unzip();
            let update = "UPDATE games SET changed = ?2, ended = ?3, winner = ?4, clock = ?5, offer = NULL WHERE id = ?1";
            file.prepare_cached(update)?.execute(params![game, now, how, winner.flatten(), clock])?;
            Ok(())
        })
        .await
    }

    /// Deletes the moves from `ply` on.
    pub(crate) async fn take_back(&self, game: i64, ply: usize, clock: Option<Clock>) -> Answer<()> {
        self.run(move |file| {
            let delete = "DELETE FROM moves WHERE game = ?1 AND ply >= ?2";
            file.prepare_cached(delete)?.execute(params![game, ply as i64])?;
            let update = "UPDATE games SET clock = ?2, offer = NULL WHERE id = ?1";
            file.prepare_cached(update)?.execute(params![game, clock]).map(|_| ())
        })
        .await
    }

    /// Stores the outcome, the winner and the stopped clock of a game.
    pub(crate) async fn end(
        &self,
        game: i64,
        how: &'static str,
        winner: &'static str,
        clock: Option<Clock>,
    ) -> Answer<()> {
        let update =
            "UPDATE games SET changed = ?2, ended = ?3, winner = ?4, clock = ?5, offer = NULL WHERE id = ?1";
        self.update(update, (game, millis() / 1000, how, winner, clock)).await
    }
}

/// Runs one request in a savepoint. If it fails, only its own changes are undone. Other requests in
/// the transaction are not affected.
fn all_or_nothing<T>(
    connection: &Connection,
    request: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    connection.execute_batch("SAVEPOINT part")?;
    let found = request(connection);
    connection.execute_batch(if found.is_ok() {
        "RELEASE part"
    } else {
        "ROLLBACK TO part; RELEASE part"
    })?;
    found
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(std::time::Duration::from_secs(2))?;
    // One process owns the file exclusively, so games in memory never become stale.
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // A commit waits for the disk.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.execute_batch(TABLES)?;
    // Files of earlier versions lack these columns.
    for column in ["free TEXT", "clock TEXT", "offer TEXT", "seat BLOB", "next TEXT"] {
        let columns = "SELECT count(*) FROM pragma_table_info('games') WHERE ?1 = name || ' ' || type";
        if connection.query_row(columns, [column], |row| row.get::<_, i64>(0))? == 0 {
            connection.execute_batch(&format!("ALTER TABLE games ADD COLUMN {column}"))?;
        }
    }
    Ok(connection)
}

fn work(mut connection: Connection, jobs: &Receiver<Job>) {
    while let Ok(first) = jobs.recv() {
        let mut replies = Vec::new();
        let written =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).and_then(|transaction| {
                replies.push(first(&transaction));
                while replies.len() < TOGETHER
                    && let Ok(job) = jobs.try_recv()
                {
                    replies.push(job(&transaction));
                }
                transaction.commit()
            });
        let written = written.map_err(|error| error.to_string());
        for reply in replies {
            reply(written.clone());
        }
    }
}
