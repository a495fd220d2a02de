//! Two-player games. Each game has one link per side and one for spectators.

use crate::clock::{Clock, now as millis};
use crate::error::{Answer, Refusal};
use crate::guard::{JsonBody, LINK_HEADER};
use crate::ids::{Digest, ID_LENGTH, digest, new_id};
use crate::play::{MOST_PLIES, game, push, variant};
use crate::store::{Role, Store};
use crate::{App, ServeError, live};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use catapult_rules::{AnyGame, Color};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex as Lock, PoisonError};
use tokio::sync::{Mutex, Semaphore, watch};

/// Number of games in memory above which idle games are dropped when another game is loaded. A game
/// is idle if no request or stream uses it.
const MOST_IDLE: usize = 64;
/// Number of turns before the clock starts.
const UNTIMED: usize = 2;

pub(crate) struct Games {
    store: Store,
    tables: Lock<HashMap<i64, Arc<OpenGame>>>,
    /// Locked while a game is loaded, so that all clients share one `OpenGame`.
    reading: Mutex<()>,
    /// Maximum number of event streams per link.
    link_streams: usize,
}

/// A game in memory, shared by its clients.
struct OpenGame {
    id: i64,
    game: Mutex<Current>,
    state: watch::Sender<Arc<str>>,
    /// Permits for the event streams of each link, by [`Role`].
    streams: [Arc<Semaphore>; 3],
}

struct Current {
    variant: String,
    board: Box<dyn AnyGame>,
    moves: Vec<String>,
    /// Resignation or loss on time, and the winner. Other outcomes come from `board`.
    ended: Option<(&'static str, Color)>,
    /// The side whose seat is free, if any.
    free: Option<Color>,
    clock: Option<Clock>,
    /// The side that asks to take back its last turn or offers a rematch, with the digest of its
    /// link in the rematch.
    offer: Option<(Color, Digest)>,
    /// Link for spectators of the rematch.
    next: Option<String>,
}

#[derive(Serialize)]
struct End {
    name: &'static str,
    winner: Option<&'static str>,
}

/// State of a game, sent to players and spectators as JSON.
#[derive(Serialize)]
struct GameState<'a> {
    variant: &'a str,
    start: String,
    moves: &'a [String],
    side: &'static str,
    end: Option<End>,
    /// The side whose seat a visitor may take, if any.
    free: Option<&'static str>,
    clock: Option<&'a Clock>,
    offer: Option<&'static str>,
    next: Option<&'a str>,
}

impl Current {
    fn end(&self) -> Option<End> {
        if let Some((name, winner)) = self.ended {
            return Some(End { name, winner: Some(winner.name()) });
        }
        outcome(&*self.board).map(|(name, winner)| End { name, winner })
    }

    fn state(&self) -> Arc<str> {
        let state = GameState {
            variant: &self.variant,
            start: self.board.start_fen(),
            moves: &self.moves,
            side: self.board.side_to_move().name(),
            end: self.end(),
            free: self.free.map(Color::name),
            clock: self.clock.as_ref(),
            offer: self.offer.map(|(color, _)| color.name()),
            next: self.next.as_deref(),
        };
        // The structure has only string keys, so serialization cannot fail.
        serde_json::to_string(&state).unwrap_or_default().into()
    }

    /// Returns the number of plies before the last turn of `color`. `None` if it has made no turn.
    fn before_turn(&self, color: Color) -> Option<usize> {
        let mut board = self.board.copied();
        while board.pop().is_some() {
            if board.side_to_move() == color && board.is_turn_start() {
                return Some(board.moves().len());
            }
        }
        None
    }

    /// Returns true if the first `plies` decisions complete the turns before the clock starts.
    fn is_timed(&self, plies: usize) -> bool {
        let (mut board, mut turns) = (self.board.copied(), 0);
        while turns < UNTIMED && !board.moves().is_empty() {
            // A turn may consist of several decisions.
            turns += usize::from(board.moves().len() <= plies && board.is_turn_start());
            board.pop();
        }
        turns == UNTIMED
    }

    /// Returns the clock after a decision of `mover`, or after a take-back, with `plies` played.
    fn clock_after(&self, mover: Color, plies: usize) -> Option<Clock> {
        let clock = self.clock.as_ref()?;
        let runs = self.free.is_none() && self.end().is_none() && self.is_timed(plies);
        Some(clock.after(mover, self.board.side_to_move() != mover, runs))
    }
}

/// Returns the name of the outcome and of the winner. Returns `None` if the game is not over by the
/// rules.
pub(crate) fn outcome(game: &dyn AnyGame) -> Option<(&'static str, Option<&'static str>)> {
    game.outcome().map(|outcome| (outcome.name(), outcome.winner(game.side_to_move()).map(Color::name)))
}

impl Role {
    /// Returns the side that the holder of the link plays.
    ///
    /// # Errors
    /// The link is for spectators.
    fn color(self) -> Answer<Color> {
        match self {
            Role::White => Ok(Color::White),
            Role::Black => Ok(Color::Black),
            Role::Watch => Err(Refusal::forbidden("this link is for watching only")),
        }
    }
}

impl Games {
    pub(crate) fn open(path: &Path, link_streams: usize) -> Result<Games, ServeError> {
        let (store, tables) = (Store::open(path)?, Lock::default());
        Ok(Games { store, tables, reading: Mutex::default(), link_streams })
    }

    /// Returns the game and the role of the link in a request's headers.
    ///
    /// # Errors
    /// The link is missing or unknown, or the game cannot be read.
    async fn at(&self, headers: &HeaderMap) -> Answer<(Arc<OpenGame>, Role)> {
        let link = headers.get(LINK_HEADER).and_then(|link| link.to_str().ok()).unwrap_or_default();
        let unknown = || Refusal::missing("there is no game at this link");
        if link.len() != ID_LENGTH {
            return Err(unknown());
        }
        let (id, role) = self.store.find(digest(link)).await?.ok_or_else(unknown)?;
        let table = self.table(id).await?;
        let mut game = table.game.lock().await;
        let mover = game.board.side_to_move();
        if game.clock.as_ref().is_some_and(|clock| clock.left(mover) <= 0) && game.end().is_none() {
            self.end(&table, &mut game, "time", !mover).await?;
        }
        drop(game);
        Ok((table, role))
    }

    /// Ends a game that is not over by the rules.
    async fn end(
        &self,
        table: &OpenGame,
        game: &mut Current,
        how: &'static str,
        winner: Color,
    ) -> Answer<()> {
        // No clock runs at 0 plies, so this one stops.
        let clock = game.clock_after(game.board.side_to_move(), 0);
        self.store.end(table.id, how, winner.name(), clock.clone()).await?;
        (game.ended, game.clock, game.offer) = (Some((how, winner)), clock, None);
        table.state.send_replace(game.state());
        Ok(())
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
        let stored = self.store.load(id).await?;
        let board = game(variant(&stored.variant)?, &stored.start, &stored.moves)?;
        let color = |name: String| if name == "white" { Color::White } else { Color::Black };
        let ended = stored.ended.and_then(|(how, winner)| {
            let how = ["resignation", "time"].into_iter().find(|name| *name == how)?;
            Some((how, color(winner?)))
        });
        let free = stored.free.map(color);
        let mut clock: Option<Clock> = stored.clock.and_then(|text| serde_json::from_str(&text).ok());
        // Loading a game, after a restart or an idle period, resets the running clock to its value
        // after the last move.
        if let Some(since) = clock.as_mut().and_then(|clock| clock.since.as_mut()) {
            *since = millis();
        }
        let offer = stored.offer.map(|(side, seat)| (color(side), seat));
        let (variant, moves, next) = (stored.variant, stored.moves, stored.next);
        let current = Current { variant, board, moves, ended, free, clock, offer, next };
        let state = watch::Sender::new(current.state());
        let streams = || Arc::new(Semaphore::new(self.link_streams));
        let streams = [streams(), streams(), streams()];
        let table = Arc::new(OpenGame { id, game: Mutex::new(current), state, streams });
        let mut tables = tables();
        if tables.len() >= MOST_IDLE {
            // Active clients hold a reference to their game.
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
    /// The side of the person who creates the game. The other seat is then free for a visitor.
    side: Option<Color>,
    clock: Option<Clock>,
}

/// Links of a new game. A free seat has no link.
#[derive(Serialize)]
pub(crate) struct Links {
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<String>,
    watch: String,
}

/// Creates a game and returns its links: one per side, or one for the side in the request, and one
/// for spectators. A visitor with the link for spectators can take a free seat.
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<NewGame>,
) -> Answer<Json<Links>> {
    let variant = variant(&request.variant)?;
    let board = game(variant, &request.fen, &[])?;
    if let Some((how, _)) = outcome(&*board) {
        return Err(Refusal::bad(format!("the game is already over at its start: {how}")));
    }
    let (white, black, watch) = (new_id()?, new_id()?, new_id()?);
    let digests = [&white, &black, &watch].map(|link| digest(link));
    let free = request.side.map(|side| (!side).name());
    let most = app.limits.open_games;
    let start = (variant.to_string(), board.start_fen());
    let clock = request.clock.as_ref().map(Clock::fresh).transpose()?;
    let id = app.games.store.create(digests, start, free, clock, None, most).await?;
    let taken = |name: &str, link: String| Some(link).filter(|_| free != Some(name));
    match id {
        // The link of a free seat is not returned. Joining replaces its digest.
        Some(_) => Ok(Json(Links { white: taken("white", white), black: taken("black", black), watch })),
        None => Err(Refusal::busy(format!("the limit of {most} open games is reached"))),
    }
}

/// Returns the state of the link's game, the role of the link, and the server's time.
pub(crate) async fn now(State(app): State<Arc<App>>, headers: HeaderMap) -> Answer<Response> {
    let (table, role) = app.games.at(&headers).await?;
    let (role, game) = (role.name(), table.state.borrow().clone());
    let body = format!("{{\"role\":\"{role}\",\"now\":{},\"game\":{game}}}", millis());
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}

/// Streams the state of the link's game: now and after each change.
pub(crate) async fn events(State(app): State<Arc<App>>, headers: HeaderMap) -> Answer<Response> {
    let permit = live::permit(&app.streams)?;
    let (table, role) = app.games.at(&headers).await?;
    let of_link = live::permit(&table.streams[role as usize])?;
    Ok(live::stream(table.state.subscribe(), (permit, table, of_link)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Join {
    /// The link that the visitor chose for the seat. A client that knows it can repeat the request.
    seat: String,
}

#[derive(Serialize)]
pub(crate) struct Joined {
    role: &'static str,
}

/// Gives the game's free seat to the first visitor who asks for it.
pub(crate) async fn join(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    JsonBody(Join { seat }): JsonBody<Join>,
) -> Answer<Json<Joined>> {
    let (table, _) = app.games.at(&headers).await?;
    if seat.len() != ID_LENGTH {
        return Err(Refusal::bad(format!("a link has {ID_LENGTH} characters")));
    }
    run_to_completion(async move {
        let mut game = table.game.lock().await;
        if let Some((id, role)) = app.games.store.find(digest(&seat)).await? {
            if id != table.id {
                return Err(Refusal::conflict("another game has this link"));
            }
            return Ok(Json(Joined { role: role.name() }));
        }
        let free = game.free.ok_or_else(|| Refusal::conflict("both seats are taken"))?;
        app.games.store.join(table.id, free.name(), digest(&seat)).await?;
        game.free = None;
        table.state.send_replace(game.state());
        Ok(Json(Joined { role: free.name() }))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MakeMove {
    /// Number of moves before this one. It identifies the move, so a repeated request does not play
    /// it twice.
    ply: usize,
    #[serde(rename = "move")]
    text: String,
}

#[derive(Serialize)]
pub(crate) struct MoveResult {
    ply: usize,
    end: Option<End>,
}

/// Plays a move for the link's side.
pub(crate) async fn make_move(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    JsonBody(request): JsonBody<MakeMove>,
) -> Answer<Json<MoveResult>> {
    let (table, role) = app.games.at(&headers).await?;
    let color = role.color()?;
    run_to_completion(async move {
        let mut game = table.game.lock().await;
        if game.moves.get(request.ply) == Some(&request.text) {
            return Ok(Json(MoveResult { ply: game.moves.len(), end: game.end() }));
        }
        if game.end().is_some() {
            return Err(Refusal::conflict("the game is over"));
        }
        if request.ply != game.moves.len() {
            let (found, request) = (game.moves.len(), request.ply);
            return Err(Refusal::conflict(format!("the game is at {found} moves, not at {request}")));
        }
        if game.board.side_to_move() != color {
            return Err(Refusal::conflict("the other side is to move"));
        }
        if game.moves.len() >= MOST_PLIES {
            return Err(Refusal::conflict(format!("a game has at most {MOST_PLIES} moves")));
        }
        let text = push(&mut *game.board, &request.text)?;
        let ended = outcome(&*game.board);
        let clock = game.clock_after(color, request.ply + 1);
        let stored = app.games.store.add_move(table.id, request.ply, text.clone(), ended, clock.clone());
        if let Err(refusal) = stored.await {
            game.board.pop();
            return Err(refusal);
        }
        game.moves.push(text);
        (game.clock, game.offer) = (clock, None);
        table.state.send_replace(game.state());
        Ok(Json(MoveResult { ply: game.moves.len(), end: game.end() }))
    })
    .await
}

/// Resigns the game for the link's side.
pub(crate) async fn resign(State(app): State<Arc<App>>, headers: HeaderMap) -> Answer<Json<MoveResult>> {
    let (table, role) = app.games.at(&headers).await?;
    let color = role.color()?;
    run_to_completion(async move {
        let mut game = table.game.lock().await;
        if game.end().is_some() {
            return Err(Refusal::conflict("the game is over"));
        }
        app.games.end(&table, &mut game, "resignation", !color).await?;
        Ok(Json(MoveResult { ply: game.moves.len(), end: game.end() }))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Offer {
    /// Link of the sender in a rematch.
    seat: String,
    /// True if the sender agrees to the other side's request to take back. Both sides may ask at the
    /// same time, and a move may decline the request before the sender has agreed.
    #[serde(default)]
    agrees: bool,
}

/// Asks to take back the last turn of the link's side, or agrees to the other side's request. After
/// the game, offers a rematch with swapped colours, in which the side has the link `seat`, or
/// accepts if the other side has already offered.
pub(crate) async fn offer(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    JsonBody(Offer { seat, agrees }): JsonBody<Offer>,
) -> Answer<Json<MoveResult>> {
    let (table, role) = app.games.at(&headers).await?;
    let (color, link) = (role.color()?, digest(&seat));
    run_to_completion(async move {
        let (mut game, store) = (table.game.lock().await, &app.games.store);
        let over = game.end().is_some();
        let other = game.offer.filter(|(other, _)| *other != color);
        let no_turn = || Refusal::conflict("there is no turn to take back");
        if !over && agrees != other.is_some() {
            return Err(Refusal::conflict("the other side has just asked or moved"));
        }
        if over && (seat.len() != ID_LENGTH || store.find(link).await?.is_some() || game.next.is_some()) {
            return Err(Refusal::conflict("the rematch has begun, or the link can't be used"));
        }
        if let Some((_, theirs)) = other.filter(|_| over) {
            let watch = new_id()?;
            let [white, black] = if color == Color::Black { [link, theirs] } else { [theirs, link] };
            let links = [white, black, digest(&watch)];
            let start = (game.variant.clone(), game.board.start_fen());
            let clock = game.clock.as_ref().map(Clock::fresh).transpose()?;
            let (of, most) = ((table.id, watch.clone()), app.limits.open_games);
            let id = store.create(links, start, None, clock, Some(of), most).await?;
            id.ok_or_else(|| Refusal::busy("the limit of open games is reached"))?;
            (game.next, game.offer) = (Some(watch), None);
        } else if let Some((other, _)) = other {
            let ply = game.before_turn(other).ok_or_else(no_turn)?;
            let clock = game.clock_after(game.board.side_to_move(), ply);
            store.take_back(table.id, ply, clock.clone()).await?;
            while game.moves.len() > ply {
                game.board.pop();
                game.moves.pop();
            }
            (game.clock, game.offer) = (clock, None);
        } else {
            (if over { Some(0) } else { game.before_turn(color) }).ok_or_else(no_turn)?;
            store.offer(table.id, color.name(), link).await?;
            game.offer = Some((color, link));
        }
        table.state.send_replace(game.state());
        Ok(Json(MoveResult { ply: game.moves.len(), end: game.end() }))
    })
    .await
}

/// Runs `work` to its end even if the client disconnects. Otherwise the game in memory could differ
/// from the stored one.
async fn run_to_completion<T: Send + 'static>(
    work: impl Future<Output = Answer<T>> + Send + 'static,
) -> Answer<T> {
    let done = tokio::spawn(work).await;
    done.unwrap_or_else(|_| Err(Refusal::fault("something went wrong; try again")))
}
