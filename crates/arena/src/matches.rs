//! Plays a match: pairs of games from the same openings with colours swapped, many at once.

use crate::anchor::Anchor;
use crate::forbidden::{Forbidden, ForbiddenKind, mask};
use crate::match_error::MatchError;
use crate::openings::openings;
use crate::player::{Player, PlayerError, Turn};
use crate::random::mix;
use crate::result::{Ending, MatchResult};
use catapult_mcts::{Mask, allowed_moves};
use catapult_rules::{Color, Game, Move, Outcome, Position};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// How a match is played. Of these only `games`, `first_pair`, `seed`, `ply_cap` and `forbidden` touch the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchSettings {
    /// Games in all, half with each colour: an even number, at least 2.
    pub games: u32,
    /// Pairs of the same match, from its first, that have been played before and are not played again: with 10, twenty games are the
    /// last twenty of forty.
    pub first_pair: u32,
    /// What openings and all choices by chance are drawn from.
    pub seed: u64,
    /// Plies, those of the opening included, after which a game is cut, or at the end of the turn they fall in.
    pub ply_cap: u32,
    /// Threads that play; each makes its own players.
    pub threads: usize,
    /// Games played at the same time, over all threads and if the contenders agree: more of them make larger
    /// batches for networks.
    pub games_at_once: usize,
    /// A kind of move that the second player, whichever colour it has, may not make after the opening, unless it has no other.
    /// Both players search that game. What networks and alpha-beta's values make of a position stays as it was learned or made: of
    /// equal players the score is what it costs to lose the kind at once, without getting used to it.
    pub forbidden: Option<ForbiddenKind>,
}

impl Default for MatchSettings {
    fn default() -> Self {
        MatchSettings {
            games: 200,
            first_pair: 0,
            seed: 1,
            ply_cap: 400,
            threads: 1,
            games_at_once: 256,
            forbidden: None,
        }
    }
}

/// A player's name and how to make it; each thread makes its own.
pub struct Contender<'a, P> {
    /// The name in results.
    pub name: String,
    /// Makes the player.
    pub make: MakePlayer<'a, P>,
    /// How many games it can play side by side without filling the memory with trees.
    pub games_at_once: usize,
}

/// Makes a player.
pub type MakePlayer<'a, P> = Box<dyn Fn() -> Result<Box<dyn Player<P>>, PlayerError> + Sync + 'a>;

/// A finished game of a match.
#[derive(Clone, Debug)]
pub struct PlayedGame<P: Position> {
    /// The pair it belongs to, from 0: games of a pair have the same opening.
    pub pair: usize,
    /// The side that the match's player had.
    pub player_color: Color,
    /// Its start, moves and last position.
    pub game: Game<P>,
    /// How many of its plies were the opening's.
    pub opening_plies: u32,
    /// Why it is over.
    pub outcome: Outcome,
    /// Who has won.
    pub winner: Option<Color>,
}

/// A match's result and its games, in the order of pairs, the player's White game first.
#[derive(Clone, Debug)]
pub struct Match<P: Position> {
    /// The counts and what follows from them.
    pub result: MatchResult,
    /// The games.
    pub games: Vec<PlayedGame<P>>,
}

/// How far a match is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Games finished.
    pub games_done: u32,
    /// Games in all.
    pub games: u32,
    /// Moves chosen so far, openings not counted.
    pub plies: u64,
}

/// Plays a match under the rules of `variant`, a name that only goes into the result.
///
/// `progress` is called after every step of every thread and stops the match by breaking. The same settings, players
/// and rules give the same games on any number of threads: a game's random stream follows from the seed, its pair and
/// its colour, and players may not look at other games.
pub fn play_match<P: Anchor>(
    variant: &str,
    rules: P::Rules,
    player: &Contender<'_, P>,
    opponent: &Contender<'_, P>,
    settings: &MatchSettings,
    progress: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
) -> Result<Match<P>, MatchError> {
    if settings.games == 0 || !settings.games.is_multiple_of(2) {
        return Err(MatchError::Games(settings.games));
    }
    if settings.ply_cap <= *crate::OPENING_PLIES.end() {
        return Err(MatchError::PlyCap(settings.ply_cap));
    }
    if let Some(kind) = settings.forbidden
        && mask::<P>(rules, kind, Color::White).is_none()
    {
        return Err(MatchError::Forbidden { kind, variant: variant.to_owned() });
    }
    let pairs = settings.first_pair as usize + settings.games as usize / 2;
    let openings = openings::<P>(rules, pairs, mix(&[settings.seed, 0]))?;
    let hall = Hall {
        players: [player, opponent],
        openings: &openings,
        settings,
        next: AtomicUsize::new(2 * settings.first_pair as usize),
        done: AtomicU32::new(0),
        plies: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        progress,
    };
    let games = Mutex::new(Vec::with_capacity(settings.games as usize));
    let threads = settings.threads.clamp(1, settings.games as usize);
    let errors: Vec<MatchError> = std::thread::scope(|scope| {
        let work = || {
            let played = hall.play(threads);
            if played.is_err() {
                hall.stop.store(true, Ordering::Relaxed);
            }
            // A poisoned lock means that another thread panicked, which ends the match below.
            games.lock().unwrap_or_else(|e| e.into_inner()).extend(played?);
            Ok(())
        };
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut results = vec![work()];
        for other in others {
            results.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results.into_iter().filter_map(Result::err).collect()
    });
    // The error that made the others stop comes first.
    let mut errors = errors;
    errors.sort_by_key(|error| matches!(error, MatchError::Stopped));
    if let Some(error) = errors.into_iter().next() {
        return Err(error);
    }
    let mut games = games.into_inner().unwrap_or_else(|e| e.into_inner());
    games.sort_by_key(|game: &PlayedGame<P>| (game.pair, game.player_color));
    let mut result =
        MatchResult::empty(variant, &player.name, &opponent.name, settings.seed, settings.ply_cap);
    result.forbidden = settings.forbidden.map(|kind| Forbidden::over(kind, &games));
    for pair in games.chunks_exact(2) {
        result.add_pair(pair[0].ending(), pair[1].ending());
    }
    Ok(Match { result, games })
}

impl<P: Position> PlayedGame<P> {
    fn ending(&self) -> Ending {
        Ending { outcome: self.outcome, winner: self.winner, plies: self.game.ply() as u32 }
    }
}

/// What the threads of a match share.
struct Hall<'a, P: Anchor> {
    players: [&'a Contender<'a, P>; 2],
    openings: &'a [Game<P>],
    settings: &'a MatchSettings,
    /// The next game to start: pair 0 with White, pair 0 with Black, pair 1 ...
    next: AtomicUsize,
    done: AtomicU32,
    plies: AtomicU64,
    stop: AtomicBool,
    progress: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync),
}

/// A game being played.
struct Table<P: Position> {
    pair: usize,
    player_color: Color,
    seed: u64,
    game: Game<P>,
    mask: Option<Mask<P>>,
}

impl<P: Anchor> Hall<'_, P> {
    /// One thread's part: keeps its tables filled until no game is left.
    fn play(&self, threads: usize) -> Result<Vec<PlayedGame<P>>, MatchError> {
        let failed =
            |side: usize| move |error| MatchError::Player { name: self.players[side].name.clone(), error };
        let mut players =
            [(self.players[0].make)().map_err(failed(0))?, (self.players[1].make)().map_err(failed(1))?];
        let [a, b] = self.players;
        let at_once = self.settings.games_at_once.min(a.games_at_once).min(b.games_at_once);
        let at_once = at_once.min(self.settings.games as usize).div_ceil(threads).max(1);
        let mut tables: Vec<Table<P>> = Vec::new();
        let mut played = Vec::new();
        loop {
            while tables.len() < at_once
                && let Some(table) = self.next_table()
            {
                tables.push(table);
            }
            if tables.is_empty() {
                return Ok(played);
            }
            for (side, player) in players.iter_mut().enumerate() {
                let waiting: Vec<usize> =
                    (0..tables.len()).filter(|&i| tables[i].side_to_choose() == side).collect();
                if waiting.is_empty() {
                    continue;
                }
                let turns: Vec<_> = waiting.iter().map(|&i| tables[i].turn()).collect();
                let moves = player.choose(&turns).map_err(failed(side))?;
                for (&i, &mv) in waiting.iter().zip(&moves) {
                    self.make_move(&mut tables[i], side, mv)?;
                }
                let finished = self.clear_finished(&mut tables);
                self.plies.fetch_add(moves.len() as u64, Ordering::Relaxed);
                self.done.fetch_add(finished.len() as u32, Ordering::Relaxed);
                played.extend(finished);
                self.report()?;
            }
        }
    }

    fn next_table(&self) -> Option<Table<P>> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let (pair, color) = (index / 2, index % 2);
        let game = self.openings.get(pair)?.clone();
        let seed = mix(&[self.settings.seed, 1, index as u64]);
        let player_color = Color::ALL[color];
        let mask =
            self.settings.forbidden.and_then(|kind| mask(game.position().rules(), kind, !player_color));
        Some(Table { pair, player_color, seed, game, mask })
    }

    fn make_move(&self, table: &mut Table<P>, side: usize, mv: Move) -> Result<(), MatchError> {
        let position = table.game.position();
        let (name, fen) = (|| self.players[side].name.clone(), || position.to_string());
        if !position.is_legal(mv) {
            return Err(MatchError::IllegalMove { name: name(), fen: fen() });
        }
        if table.mask.is_some() && !allowed_moves(position, table.mask.as_ref()).contains(&mv) {
            return Err(MatchError::ForbiddenMove { name: name(), fen: fen() });
        }
        table.game.push(mv);
        Ok(())
    }

    /// Takes away the games that are over or have reached the cap. A turn that has begun goes to its end: its last
    /// decision may be a mate.
    fn clear_finished(&self, tables: &mut Vec<Table<P>>) -> Vec<PlayedGame<P>> {
        let cap = self.settings.ply_cap as usize;
        let is_long = |game: &Game<P>| game.ply() >= cap && game.position().is_turn_start();
        let outcome = |game: &Game<P>| game.outcome().or(is_long(game).then_some(Outcome::Capped));
        let finished = tables.extract_if(.., |table| outcome(&table.game).is_some());
        finished
            .map(|table| {
                // `extract_if` has just seen an outcome.
                let outcome = outcome(&table.game).unwrap_or(Outcome::Capped);
                PlayedGame {
                    pair: table.pair,
                    player_color: table.player_color,
                    opening_plies: self.openings[table.pair].moves().len() as u32,
                    outcome,
                    winner: outcome.winner(table.game.position().side_to_move()),
                    game: table.game,
                }
            })
            .collect()
    }

    fn report(&self) -> Result<(), MatchError> {
        let progress = Progress {
            games_done: self.done.load(Ordering::Relaxed),
            games: self.settings.games,
            plies: self.plies.load(Ordering::Relaxed),
        };
        if (self.progress)(progress).is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
        if self.stop.load(Ordering::Relaxed) { Err(MatchError::Stopped) } else { Ok(()) }
    }
}

impl<P: Position> Table<P> {
    /// 0 if the match's player is to move, 1 if its opponent is.
    fn side_to_choose(&self) -> usize {
        (self.game.position().side_to_move() != self.player_color) as usize
    }

    fn turn(&self) -> Turn<'_, P> {
        Turn { game: &self.game, seed: mix(&[self.seed, self.game.ply() as u64]), mask: self.mask }
    }
}
