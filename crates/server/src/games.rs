//! Games of two people: a link for each seat, and one to watch.

use crate::error::{Answer, Refusal};
use crate::guard::{LINK_HEADER, json};
use crate::ids::{ID_LENGTH, digest, new_id};
use crate::play::{Board, MOST_PLIES, board, side, variant};
use crate::store::{Role, Store};
use crate::{App, Limits, ServeError, live};
use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use catapult_rules::Color;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex as Lock, PoisonError};
use tokio::sync::{Mutex, watch};

/// Games that stay in memory with nobody at them.
const KEPT: usize = 64;

pub(crate) struct Games {
    store: Store,
    tables: Lock<HashMap<i64, Arc<OpenGame>>>,
    /// Held while a game is read, so that nobody has an older state of it than somebody else.
    reading: Mutex<()>,
    most_open: u32,
    open_days: u32,
}

/// A game that somebody is at.
struct OpenGame {
    id: i64,
    game: Mutex<Current>,
    told: watch::Sender<Arc<str>>,
}

struct Current {
    variant: String,
    board: Box<dyn Board>,
    moves: Vec<String>,
    /// Set by resignation; what the rules end is the board's.
    resigned: Option<Color>,
}

#[derive(Serialize)]
struct End<'a> {
    name: &'a str,
    winner: Option<&'static str>,
}

/// What players and watchers are told.
#[derive(Serialize)]
struct Told<'a> {
    variant: &'a str,
    start: String,
    moves: &'a [String],
    side: &'static str,
    end: Option<End<'static>>,
}

impl Current {
    fn end(&self) -> Option<End<'static>> {
        if let Some(loser) = self.resigned {
            return Some(End { name: "resignation", winner: Some(side(!loser)) });
        }
        self.board.outcome().map(|(name, winner)| End { name, winner: winner.map(side) })
    }

    fn told(&self) -> Arc<str> {
        let told = Told {
            variant: &self.variant,
            start: self.board.start(),
            moves: &self.moves,
            side: side(self.board.side()),
            end: self.end(),
        };
        // Structures of ours have no key that is not a text, the only thing that could fail.
        serde_json::to_string(&told).unwrap_or_default().into()
    }
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Role::White => "white",
            Role::Black => "black",
            Role::Watch => "watch",
        }
    }

    /// The side that a link plays.
    fn seat(self) -> Answer<Color> {
        match self {
            Role::White => Ok(Color::White),
            Role::Black => Ok(Color::Black),
            Role::Watch => Err(Refusal::forbidden("this link is for watching only")),
        }
    }
}

impl Games {
    pub(crate) fn open(path: &Path, limits: &Limits) -> Result<Games, ServeError> {
        Ok(Games {
            store: Store::open(path)?,
            tables: Lock::default(),
            reading: Mutex::default(),
            most_open: limits.open_games,
            open_days: limits.open_days,
        })
    }

    /// The game that the request's link opens.
    async fn at(&self, headers: &HeaderMap) -> Answer<(Arc<OpenGame>, Role)> {
        let link = headers.get(LINK_HEADER).and_then(|link| link.to_str().ok()).unwrap_or_default();
        let unknown = || Refusal::missing("there is no game at this link");
        if link.len() != ID_LENGTH {
            return Err(unknown());
        }
        let (id, role) = self.store.find(digest(link)).await?.ok_or_else(unknown)?;
        Ok((self.table(id).await?, role))
    }

    async fn table(&self, id: i64) -> Answer<Arc<OpenGame>> {
        let tables = || self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = tables().get(&id) {
            return Ok(table.clone());
        }
        let _reading = self.reading.lock().await;
        if let Some(table) = tables().get(&id) {
            return Ok(table.clone());
        }
        let kept = self.store.load(id).await?;
        let mut board = board(variant(&kept.variant)?, &kept.start)?;
        for text in &kept.moves {
            board = board.after(text)?.0;
        }
        let resigned = match kept.ended {
            Some((how, winner)) if how == "resignation" => {
                Some(if winner.as_deref() == Some("white") { Color::Black } else { Color::White })
            }
            _ => None,
        };
        let current = Current { variant: kept.variant, board, moves: kept.moves, resigned };
        let told = watch::Sender::new(current.told());
        let table = Arc::new(OpenGame { id, game: Mutex::new(current), told });
        let mut tables = tables();
        if tables.len() >= KEPT {
            // Whoever is at a game holds its table.
            tables.retain(|_, table| Arc::strong_count(table) > 1);
        }
        tables.insert(id, table.clone());
        Ok(table)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    variant: String,
    #[serde(default)]
    fen: String,
}

#[derive(Serialize)]
pub(crate) struct Links {
    white: String,
    black: String,
    watch: String,
}

/// Begins a game and gives its links.
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    asked: Result<Json<NewGame>, JsonRejection>,
) -> Answer<Json<Links>> {
    let asked = json(asked)?;
    let variant = variant(&asked.variant)?;
    let board = board(variant, &asked.fen)?;
    if let Some((how, _)) = board.outcome() {
        return Err(Refusal::bad(format!("the game is over where it begins: {how}")));
    }
    let links = Links { white: new_id()?, black: new_id()?, watch: new_id()? };
    let digests = [&links.white, &links.black, &links.watch].map(|link| digest(link));
    let Games { store, most_open, open_days, .. } = &app.games;
    let id = store.create(digests, variant.to_string(), board.start(), *most_open, *open_days).await?;
    match id {
        Some(_) => Ok(Json(links)),
        None => Err(Refusal::busy(format!("{most_open} games are open, which is all there may be"))),
    }
}

/// The game as it is, and what the link is good for.
pub(crate) async fn now(State(app): State<Arc<App>>, headers: HeaderMap) -> Answer<Response> {
    let (table, role) = app.games.at(&headers).await?;
    let (role, game) = (role.name(), table.told.borrow().clone());
    let body = format!("{{\"role\":\"{role}\",\"game\":{game}}}");
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}

/// The game whenever it changes.
pub(crate) async fn events(State(app): State<Arc<App>>, headers: HeaderMap) -> Answer<Response> {
    let place = live::place(&app)?;
    let (table, _) = app.games.at(&headers).await?;
    Ok(live::stream(table.told.subscribe(), place, table))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MakeMove {
    /// Moves before this one, so that a move that is sent twice is made once.
    ply: usize,
    #[serde(rename = "move")]
    text: String,
}

#[derive(Serialize)]
pub(crate) struct Made {
    ply: usize,
    end: Option<End<'static>>,
}

/// Makes a move of the side whose link it is.
pub(crate) async fn make_move(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    asked: Result<Json<MakeMove>, JsonRejection>,
) -> Answer<Json<Made>> {
    let asked = json(asked)?;
    let (table, role) = app.games.at(&headers).await?;
    let seat = role.seat()?;
    whole(async move {
        let mut game = table.game.lock().await;
        if game.moves.get(asked.ply) == Some(&asked.text) {
            return Ok(Json(Made { ply: game.moves.len(), end: game.end() }));
        }
        if game.end().is_some() {
            return Err(Refusal::conflict("the game is over"));
        }
        if asked.ply != game.moves.len() {
            let (found, asked) = (game.moves.len(), asked.ply);
            return Err(Refusal::conflict(format!("the game is at {found} moves, not at {asked}")));
        }
        if game.board.side() != seat {
            return Err(Refusal::conflict("the other side is to move"));
        }
        if game.moves.len() >= MOST_PLIES {
            return Err(Refusal::conflict(format!("a game has at most {MOST_PLIES} moves")));
        }
        let (board, text) = game.board.after(&asked.text)?;
        let ended = board.outcome().map(|(how, winner)| (how, winner.map(side)));
        app.games.store.add_move(table.id, asked.ply, text.clone(), ended).await?;
        game.board = board;
        game.moves.push(text);
        table.told.send_replace(game.told());
        Ok(Json(Made { ply: game.moves.len(), end: game.end() }))
    })
    .await
}

/// Gives the game up for the side whose link it is.
pub(crate) async fn resign(State(app): State<Arc<App>>, headers: HeaderMap) -> Answer<Json<Made>> {
    let (table, role) = app.games.at(&headers).await?;
    let seat = role.seat()?;
    whole(async move {
        let mut game = table.game.lock().await;
        if game.end().is_some() {
            return Err(Refusal::conflict("the game is over"));
        }
        app.games.store.end(table.id, "resignation", side(!seat)).await?;
        game.resigned = Some(seat);
        table.told.send_replace(game.told());
        Ok(Json(Made { ply: game.moves.len(), end: game.end() }))
    })
    .await
}

/// Does something to its end, whether or not the client waits for it: what is on the disk is told.
async fn whole<T: Send + 'static>(work: impl Future<Output = Answer<T>> + Send + 'static) -> Answer<T> {
    match tokio::spawn(work).await {
        Ok(answer) => answer,
        Err(_) => Err(Refusal::fault("something went wrong; try again")),
    }
}
