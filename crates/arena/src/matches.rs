//! Plays a match: pairs of games from the same openings with colours swapped, many at once.

use crate::anchor::Anchor;
use crate::forbidden::{Forbidden, mask};
use crate::match_error::MatchError;
use crate::openings::{OpeningError, openings_without};
use crate::played::PlayedGame;
use crate::player::{Player, PlayerError, Turn};
use crate::reply::{Forfeit, Reply, Thought};
use crate::result::{Ending, MatchResult, SprtResult};
use crate::time::{Clocks, TimeControl};
use catapult_mcts::{Mask, allowed_moves};
use catapult_rules::{Color, ForbiddenKind, Game, Move, Outcome, Position};
use catapult_seeds::Stream;
use catapult_stats::{Decision, Pentanomial, Sprt};
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Settings of a match.
///
/// Only `games`, `first_pair`, `seed`, `ply_cap`, `forbidden`, `forbidden_to_both`, `time` and `sprt`
/// affect the result.
#[derive(Clone, PartialEq, Debug)]
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
    /// Forbids these moves to the first player, too, and in openings that the match draws.
    pub forbidden_to_both: bool,
    /// The clocks, if there are any. Each thread then plays one game at a time, and the result depends on the machine.
    pub time: Option<TimeControl>,
    /// A sequential test that ends the match when it is decided. It goes over the pairs in their order, whichever end first, so that
    /// short games are not favoured.
    pub sprt: Option<Sprt>,
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
            forbidden_to_both: false,
            time: None,
            sprt: None,
        }
    }
}

impl MatchSettings {
    /// The openings of the match, where none are given.
    ///
    /// # Errors
    /// There are too few in the game.
    pub fn openings<P: Anchor>(&self, rules: P::Rules) -> Result<Vec<Game<P>>, OpeningError> {
        let pairs = self.first_pair as usize + self.games as usize / 2;
        let mask = if self.forbidden_to_both { self.mask(rules, Color::White) } else { None };
        openings_without::<P>(rules, mask.as_ref(), pairs, Stream::Openings.seed(self.seed))
    }

    /// The mask of a game in which the second player has this colour.
    fn mask<P: Anchor>(&self, rules: P::Rules, second: Color) -> Option<Mask<P>> {
        self.forbidden.and_then(|kind| mask(rules, (kind, self.forbidden_to_both), second))
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
pub struct MatchProgress {
    /// Games finished.
    pub games_done: u32,
    /// Games in all.
    pub games: u32,
    /// Moves chosen so far, openings not counted.
    pub plies: u64,
}

/// Sees how a match goes.
pub trait Watch<P: Position>: Sync {
    /// Called after every step of every thread; breaking stops the match.
    fn progress(&self, _state: MatchProgress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called with every game that has been played, one at a time; an error stops the match.
    fn finished(&self, _game: &PlayedGame<P>) -> Result<(), MatchError> {
        Ok(())
    }
}

impl<P: Position, F: Fn(MatchProgress) -> ControlFlow<()> + Sync> Watch<P> for F {
    fn progress(&self, state: MatchProgress) -> ControlFlow<()> {
        self(state)
    }
}

/// Plays a match under the rules of `variant`, a name that only goes into the result.
///
/// `progress` is called after every step of every thread and stops the match by breaking. The same settings, players
/// and rules give the same games on any number of threads: a game's random stream follows from the seed, its pair and
/// its colour, and players may not look at other games. (Not so with clocks, nor with other programs.)
pub fn play_match<P: Anchor>(
    variant: &str,
    rules: P::Rules,
    player: &Contender<'_, P>,
    opponent: &Contender<'_, P>,
    settings: &MatchSettings,
    progress: &(dyn Fn(MatchProgress) -> ControlFlow<()> + Sync),
) -> Result<Match<P>, MatchError> {
    let openings = settings.openings::<P>(rules)?;
    play_match_with(variant, rules, [player, opponent], settings, &openings, Vec::new(), &progress)
}

/// The same from given openings, one a pair, with the games that have been played before.
pub fn play_match_with<P: Anchor>(
    variant: &str,
    rules: P::Rules,
    players: [&Contender<'_, P>; 2],
    settings: &MatchSettings,
    openings: &[Game<P>],
    mut known: Vec<PlayedGame<P>>,
    watch: &dyn Watch<P>,
) -> Result<Match<P>, MatchError> {
    if settings.games == 0 || !settings.games.is_multiple_of(2) {
        return Err(MatchError::Games(settings.games));
    }
    if settings.ply_cap <= *crate::OPENING_PLIES.end() {
        return Err(MatchError::PlyCap(settings.ply_cap));
    }
    if let Some(kind) = settings.forbidden
        && settings.mask::<P>(rules, Color::White).is_none()
    {
        return Err(MatchError::Forbidden { kind, variant: variant.to_owned() });
    }
    let pairs = settings.first_pair as usize + settings.games as usize / 2;
    // A match that is now to be shorter.
    known.retain(|game| (settings.first_pair as usize..pairs).contains(&game.pair));
    if let Some(game) = openings.iter().find(|game| game.outcome().is_some()) {
        return Err(MatchError::OpeningOver(game.position().to_string()));
    }
    let known_opening = |game: &PlayedGame<P>| {
        let opening = openings.get(game.pair);
        opening.is_none_or(|opening| {
            game.game.start() == opening.start() && game.game.moves().starts_with(opening.moves())
        })
    };
    let other = known.iter().filter(|game| !known_opening(game)).map(|game| game.pair).min();
    if let Some(pair) = other {
        return Err(MatchError::OtherOpening { pair: pair + 1 });
    }
    let hall = Hall {
        players,
        openings: openings
            .get(..pairs)
            .ok_or(MatchError::FewOpenings { found: openings.len(), wanted: pairs })?,
        settings,
        known: known.iter().map(|game| (game.pair, game.player_color)).collect(),
        next: AtomicUsize::new(2 * settings.first_pair as usize),
        done: AtomicU32::new(known.len() as u32),
        plies: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        decided: AtomicBool::new(false),
        score: Mutex::new(
            known.iter().map(|game| ((game.pair, game.player_color), game.half_points())).collect(),
        ),
        watch,
    };
    hall.decide();
    let games = Mutex::new(known);
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
    if let Some(pairs) = hall.deciding_pairs() {
        // What was played beyond the pair that decided has not been asked for.
        games.truncate(2 * pairs);
    }
    let [player, opponent] = players.map(|player| &player.name);
    let mut result = MatchResult::empty(variant, player, opponent, settings.seed, settings.ply_cap);
    result.forbidden =
        settings.forbidden.map(|kind| Forbidden::over(kind, settings.forbidden_to_both, &games));
    for pair in games.chunks_exact(2) {
        result.add_pair(pair[0].ending(), pair[1].ending());
    }
    result.time = settings.time.map(|time| time.to_string());
    result.sprt = settings.sprt.map(|sprt| SprtResult::of(sprt, &result.pairs));
    Ok(Match { result, games })
}

impl<P: Position> PlayedGame<P> {
    /// The player's half points.
    fn half_points(&self) -> usize {
        self.winner.map_or(1, |winner| if winner == self.player_color { 2 } else { 0 })
    }

    fn ending(&self) -> Ending {
        Ending { outcome: self.outcome, winner: self.winner, plies: self.game.ply() as u32 }
    }
}

/// What the threads of a match share.
struct Hall<'a, P: Anchor> {
    players: [&'a Contender<'a, P>; 2],
    openings: &'a [Game<P>],
    settings: &'a MatchSettings,
    /// Games that have been played before, by pair and the player's colour.
    known: HashSet<(usize, Color)>,
    /// The next game to start: pair 0 with White, pair 0 with Black, pair 1 ...
    next: AtomicUsize,
    done: AtomicU32,
    plies: AtomicU64,
    stop: AtomicBool,
    /// Whether the sequential test is over.
    decided: AtomicBool,
    /// The player's half points, by game.
    score: Mutex<BTreeMap<(usize, Color), usize>>,
    watch: &'a dyn Watch<P>,
}

/// A game being played.
struct Playing<P: Position> {
    pair: usize,
    player_color: Color,
    seed: u64,
    game: Game<P>,
    mask: Option<Mask<P>>,
    clocks: Option<Clocks>,
    thoughts: Vec<Thought>,
    /// How it was lost otherwise than on the board, and by whom.
    forfeit: Option<(Forfeit, Color)>,
}

impl<P: Anchor> Hall<'_, P> {
    /// One thread's part: keeps so many games under way until none is left.
    fn play(&self, threads: usize) -> Result<Vec<PlayedGame<P>>, MatchError> {
        let failed =
            |side: usize| move |error| MatchError::Player { name: self.players[side].name.clone(), error };
        let mut players =
            [(self.players[0].make)().map_err(failed(0))?, (self.players[1].make)().map_err(failed(1))?];
        let [a, b] = self.players;
        let at_once = self.settings.games_at_once.min(a.games_at_once).min(b.games_at_once);
        let at_once = at_once.min(self.settings.games as usize).div_ceil(threads).max(1);
        // A clock runs for one game alone.
        let at_once = if self.settings.time.is_some() { 1 } else { at_once };
        let mut under_way: Vec<Playing<P>> = Vec::new();
        let mut played = Vec::new();
        loop {
            if self.decided.load(Ordering::Relaxed) {
                return Ok(played);
            }
            while under_way.len() < at_once
                && let Some(playing) = self.next_game()
            {
                under_way.push(playing);
            }
            if under_way.is_empty() {
                return Ok(played);
            }
            for (side, player) in players.iter_mut().enumerate() {
                let waiting: Vec<usize> =
                    (0..under_way.len()).filter(|&i| under_way[i].side_to_choose() == side).collect();
                if waiting.is_empty() {
                    continue;
                }
                let turns: Vec<_> = waiting.iter().map(|&i| under_way[i].turn()).collect();
                let began = Instant::now();
                let replies = player.reply(&turns).map_err(failed(side))?;
                let took = began.elapsed();
                let decisions = replies.len() as u64;
                for (&i, reply) in waiting.iter().zip(replies) {
                    self.take_reply(&mut under_way[i], side, reply, took)?;
                }
                let finished = self.clear_finished(&mut under_way);
                self.plies.fetch_add(decisions, Ordering::Relaxed);
                self.count(&finished)?;
                played.extend(finished);
                self.report()?;
            }
        }
    }

    fn next_game(&self) -> Option<Playing<P>> {
        let (index, pair, player_color) = loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let (pair, color) = (index / 2, Color::ALL[index % 2]);
            if !self.known.contains(&(pair, color)) {
                break (index, pair, color);
            }
        };
        let game = self.openings.get(pair)?.clone();
        let seed = Stream::MatchGame(index).seed(self.settings.seed);
        let mask = self.settings.mask(game.position().rules(), !player_color);
        let clocks = self.settings.time.map(TimeControl::begin);
        Some(Playing { pair, player_color, seed, game, mask, clocks, thoughts: Vec::new(), forfeit: None })
    }

    /// Makes the move that was answered, or ends the game by a forfeit.
    fn take_reply(
        &self,
        playing: &mut Playing<P>,
        side: usize,
        reply: Reply,
        took: Duration,
    ) -> Result<(), MatchError> {
        let mover = playing.game.position().side_to_move();
        let mv = match reply.chosen {
            Ok(mv) => mv,
            Err(forfeit) => {
                playing.forfeit = Some((forfeit, mover));
                return Ok(());
            }
        };
        self.make_move(playing, side, mv)?;
        let seconds = playing.clocks.map(|_| took.as_secs_f64());
        playing.thoughts.push(Thought { seconds, ..reply.thought });
        if let Some(clocks) = &mut playing.clocks {
            let ends_turn = playing.game.position().side_to_move() != mover;
            let left = clocks.remaining(mover as usize);
            if !clocks.spend(mover as usize, took, ends_turn) {
                let reason = format!("{} ms with {} ms left", took.as_millis(), left.as_millis());
                playing.forfeit = Some((Forfeit { outcome: Outcome::TimeForfeit, reason }, mover));
            }
        }
        Ok(())
    }

    /// Tells of games that have ended and sees whether they decide the match.
    fn count(&self, finished: &[PlayedGame<P>]) -> Result<(), MatchError> {
        if finished.is_empty() {
            return Ok(());
        }
        {
            // Held while games are told, so that they are told one at a time.
            let mut score = self.score.lock().unwrap_or_else(|e| e.into_inner());
            for game in finished {
                score.insert((game.pair, game.player_color), game.half_points());
                self.watch.finished(game)?;
            }
        }
        self.done.fetch_add(finished.len() as u32, Ordering::Relaxed);
        self.decide();
        Ok(())
    }

    fn decide(&self) {
        self.decided.fetch_or(self.deciding_pairs().is_some(), Ordering::Relaxed);
    }

    /// How many pairs, in their order, decide the sequential test, if they do.
    fn deciding_pairs(&self) -> Option<usize> {
        let sprt = self.settings.sprt?;
        let mut so_far = Pentanomial::default();
        let decides = |half_points: usize| {
            so_far.add(half_points);
            sprt.decision(&so_far) != Decision::Open
        };
        self.pairs_in_order().into_iter().position(decides).map(|last| last + 1)
    }

    /// Half points of the pairs of which both games have been played, from the first to where one is missing.
    fn pairs_in_order(&self) -> Vec<usize> {
        let score = self.score.lock().unwrap_or_else(|e| e.into_inner());
        let pair = |pair: usize| {
            let of = |color: Color| score.get(&(pair, color)).copied();
            Some(of(Color::White)? + of(Color::Black)?)
        };
        (self.settings.first_pair as usize..).map_while(pair).collect()
    }

    fn make_move(&self, playing: &mut Playing<P>, side: usize, mv: Move) -> Result<(), MatchError> {
        let position = playing.game.position();
        let (name, fen) = (|| self.players[side].name.clone(), || position.to_string());
        if !position.is_legal(mv) {
            return Err(MatchError::IllegalMove { name: name(), fen: fen() });
        }
        if playing.mask.is_some() && !allowed_moves(position, playing.mask.as_ref()).contains(&mv) {
            return Err(MatchError::ForbiddenMove { name: name(), fen: fen() });
        }
        playing.game.push(mv);
        Ok(())
    }

    /// Takes away the games that are over or have reached the cap. A turn that has begun goes to its end: its last
    /// decision may be a mate.
    fn clear_finished(&self, under_way: &mut Vec<Playing<P>>) -> Vec<PlayedGame<P>> {
        let cap = self.settings.ply_cap as usize;
        let is_long = |game: &Game<P>| game.ply() >= cap && game.position().is_turn_start();
        let outcome = |playing: &Playing<P>| match &playing.forfeit {
            Some((forfeit, _)) => Some(forfeit.outcome),
            None => playing.game.outcome().or(is_long(&playing.game).then_some(Outcome::Capped)),
        };
        let finished = under_way.extract_if(.., |playing| outcome(playing).is_some());
        finished
            .map(|playing| {
                // `extract_if` has just seen an outcome.
                let outcome = outcome(&playing).unwrap_or(Outcome::Capped);
                let (note, winner) = match playing.forfeit {
                    Some((forfeit, loser)) => (Some(forfeit.reason), Some(!loser)),
                    None => (None, outcome.winner(playing.game.position().side_to_move())),
                };
                PlayedGame {
                    pair: playing.pair,
                    player_color: playing.player_color,
                    opening_plies: self.openings[playing.pair].moves().len() as u32,
                    outcome,
                    winner,
                    game: playing.game,
                    thoughts: playing.thoughts,
                    note,
                }
            })
            .collect()
    }

    fn report(&self) -> Result<(), MatchError> {
        let progress = MatchProgress {
            games_done: self.done.load(Ordering::Relaxed),
            games: self.settings.games,
            plies: self.plies.load(Ordering::Relaxed),
        };
        if self.watch.progress(progress).is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
        if self.stop.load(Ordering::Relaxed) { Err(MatchError::Stopped) } else { Ok(()) }
    }
}

impl<P: Position> Playing<P> {
    /// 0 if the match's player is to move, 1 if its opponent is.
    fn side_to_choose(&self) -> usize {
        (self.game.position().side_to_move() != self.player_color) as usize
    }

    fn turn(&self) -> Turn<'_, P> {
        let side = self.game.position().side_to_move() as usize;
        Turn {
            game: &self.game,
            seed: Stream::Turn(self.game.ply()).seed(self.seed),
            mask: self.mask,
            time: self.clocks.map(|clocks| clocks.told(side)),
        }
    }
}
