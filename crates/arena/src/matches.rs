//! Matches: pairs of games with colours swapped from the same openings, many games at once.

use crate::anchor::Anchor;
use crate::folder::MatchFolder;
use crate::forbidden::Forbidden;
use crate::match_error::MatchError;
use crate::openings::openings;
use crate::played::PlayedGame;
use crate::player::{Player, PlayerError, Turn};
use crate::reply::{Forfeit, Reply, Thought};
use crate::result::{MatchResult, SprtResult};
use crate::time::{Clocks, TimeControl};
use catapult_mcts::{Mask, allowed_moves};
use catapult_rules::{Color, ForbiddenKind, Game, Move, Outcome, Position};
use catapult_seeds::Stream;
use catapult_stats::{Decision, Pentanomial, Sprt};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

catapult_store::settings! {
    /// Settings of a match.
    ///
    /// Without clocks, only `games`, `first_pair`, `seed`, `ply_cap`, `forbidden`,
    /// `forbidden_to_both` and `sprt` affect the result. The other settings then affect only the
    /// speed. With clocks (`time`), the result also depends on the machine.
    #[derive(Clone, PartialEq, Debug)]
    pub struct MatchSettings {
        /// Number of games: even and at least 2. Each player has White in half of them.
        games: u32 = 200;
        /// Number of pairs to skip at the start of the sequence of pairs. With `first_pair` 10, a
        /// match of 20 games plays the last 20 games of a match of 40.
        first_pair: u32 = 0;
        /// Seed of openings and random choices.
        seed: u64 = 1;
        /// Number of plies, including the opening, after which a game is truncated. A turn of
        /// several decisions is completed first.
        ply_cap: u32 = 400;
        /// Number of threads that play. Each thread makes its own players.
        threads: usize = 1;
        /// Maximum number of games in progress over all threads. [`Contender::games_at_once`] may
        /// lower it. Networks get larger batches if more games are in progress.
        games_at_once: usize = 256;
        /// Kind of move that the second player may not make after the opening, unless it has no
        /// other move. `None` allows all moves.
        ///
        /// Both players search the restricted game. Network evaluations and the static evaluation
        /// of alpha-beta do not know the restriction. Between equal players, the score therefore
        /// measures the cost of losing the kind of move without time to adapt.
        forbidden: Option<ForbiddenKind> = None;
        /// True if the kind is forbidden to the first player, too. Openings that the match draws
        /// then also contain no moves of the kind.
        forbidden_to_both: bool = false;
        /// Time control. `None` for games without clocks. With clocks, each thread plays one game
        /// at a time, and the result depends on the machine.
        time: Option<TimeControl> = None;
        /// Sequential test that ends the match when it is decided. `None` plays all games. The test
        /// takes pairs in the order of their numbers, because the order of completion would favour
        /// short games.
        sprt: Option<Sprt> = None;
    }
}

impl MatchSettings {
    /// Checks the settings for a match from these openings under these rules.
    ///
    /// # Errors
    /// A setting is invalid. The error names it.
    pub(crate) fn check<P: Anchor>(
        &self,
        variant: &str,
        rules: P::Rules,
        openings: &[Game<P>],
    ) -> Result<(), MatchError> {
        if self.games == 0 || !self.games.is_multiple_of(2) {
            let reason = "a match has an even number of games, at least 2, one of each pair with each colour";
            return Err(MatchError::Other(format!("games: {}; {reason}", self.games)));
        }
        let pairs = self.first_pair as usize + self.games as usize / 2;
        if openings.len() < pairs {
            return Err(MatchError::Other(format!("{} openings for {pairs} pairs of games", openings.len())));
        }
        let used = openings.iter().skip(self.first_pair as usize).take(self.games as usize / 2);
        let plies = used.map(|game| game.ply() as u32);
        let longest = plies.chain([*crate::OPENING_PLIES.end()]).max().unwrap_or(0);
        if self.ply_cap <= longest {
            let reason = format!("it must be larger than the longest opening, {longest} plies");
            return Err(MatchError::Other(format!("ply cap: {}; {reason}", self.ply_cap)));
        }
        match self.forbidden {
            Some(kind) if self.mask::<P>(rules, Color::White).is_none() => {
                Err(MatchError::Other(format!("forbidden: {kind}; `{variant}` has no such moves")))
            }
            _ => Ok(()),
        }
    }

    /// Draws the openings of the match. There is one per pair, including the pairs that
    /// [`first_pair`](Self::first_pair) skips. [`play_match`] accepts these or any other openings.
    ///
    /// # Errors
    /// The rules have too few openings that pass the tests of [`openings`](crate::openings()).
    pub fn openings<P: Anchor>(&self, rules: P::Rules) -> Result<Vec<Game<P>>, MatchError> {
        let pairs = self.first_pair as usize + self.games as usize / 2;
        let mask = if self.forbidden_to_both { self.mask(rules, Color::White) } else { None };
        openings::<P>(rules, mask.as_ref(), pairs, Stream::Openings.seed(self.seed))
    }

    /// Returns the mask for a game in which the second player has the colour `second`. Returns
    /// `None` if the match forbids nothing, or if the rules have no moves of the kind.
    fn mask<P: Anchor>(&self, rules: P::Rules, second: Color) -> Option<Mask<P>> {
        self.forbidden.and_then(|kind| Mask::new(rules, kind, (!self.forbidden_to_both).then_some(second)))
    }
}

/// Player of a match: its name, and a function that makes it. Each thread of a match calls the
/// function once.
pub struct Contender<'a, P> {
    /// The player's name in results and errors.
    pub name: String,
    /// Makes the player.
    pub make: MakePlayer<'a, P>,
    /// Maximum number of games that the player can play at the same time, over all threads. The
    /// memory for search trees limits it.
    pub games_at_once: usize,
}

/// Function that makes a player. It fails if, for example, an external program does not start.
pub type MakePlayer<'a, P> = Box<dyn Fn() -> Result<Box<dyn Player<P>>, PlayerError> + Sync + 'a>;

/// Result of a match and its games. The games are sorted by pair. In each pair, the game in which
/// the first player has White comes first.
#[derive(Clone, Debug)]
pub struct Match<P: Position> {
    /// Counts, score and Elo of the first player.
    pub result: MatchResult,
    /// The finished games that count for the result.
    pub games: Vec<PlayedGame<P>>,
}

/// Plays a match under `rules` and returns its result for the first player. `variant` is the name of
/// the rules in results and errors. There is one opening per pair, including the pairs that
/// [`MatchSettings::first_pair`] skips.
///
/// `folder` keeps each game as it ends. `known` are games of the match that were played before. They
/// count for the result and are not played again. If a game is known twice, the first counts.
///
/// `progress` is called after every reply of a player, in each thread. Its argument is the number of
/// finished games, including `known` ones. Returning `Break` stops the match with
/// [`MatchError::Stopped`].
///
/// The games depend only on the settings, players, openings and rules, and not on the number of
/// threads. Clocks and external programs are exceptions. The random numbers of a game depend only on
/// the seed, the pair and the colours.
///
/// # Errors
/// A setting is invalid, a player fails or plays illegally, or `progress` stops the match. The
/// openings are too few, one of them ends the game or reaches the ply cap, or a known game has
/// another opening. A game can't be written to the folder.
pub fn play_match<P: Anchor>(
    variant: &str,
    rules: P::Rules,
    players: [&Contender<'_, P>; 2],
    settings: &MatchSettings,
    openings: &[Game<P>],
    (folder, known): (Option<&MatchFolder>, Vec<PlayedGame<P>>),
    progress: &(dyn Fn(u32) -> ControlFlow<()> + Sync),
) -> Result<Match<P>, MatchError> {
    settings.check::<P>(variant, rules, openings)?;
    let first = settings.first_pair as usize;
    let pairs = first + settings.games as usize / 2;
    // The match may be shorter than the one that played the known games. Reversed, because the last
    // game of a key stays in the map.
    let known = known.into_iter().rev().filter(|game| (first..pairs).contains(&game.pair));
    let known: BTreeMap<_, _> = known.map(|game| ((game.pair, game.player_color), game)).collect();
    if let Some(game) = openings.iter().find(|game| game.outcome().is_some()) {
        let fen = game.position();
        return Err(MatchError::Other(format!("an opening ends in `{fen}`, where the game is over")));
    }
    let known_opening = |game: &PlayedGame<P>| {
        let opening = openings.get(game.pair);
        opening.is_none_or(|opening| {
            game.game.start() == opening.start() && game.game.moves().starts_with(opening.moves())
        })
    };
    if let Some(game) = known.values().find(|game| !known_opening(game)) {
        let reason = "was begun with another opening: the openings have changed since";
        return Err(MatchError::Other(format!("pair {} {reason}", game.pair + 1)));
    }
    let shared = Shared {
        players,
        openings: &openings[..pairs],
        settings,
        games: Mutex::new(known),
        next: AtomicUsize::new(2 * first),
        stop: AtomicBool::new(false),
        tested: Mutex::default(),
        folder,
        progress,
    };
    let threads = settings.threads.clamp(1, settings.games as usize);
    let errors: Vec<MatchError> = std::thread::scope(|scope| {
        let work = || {
            let played = shared.play(threads);
            if played.is_err() {
                shared.stop.store(true, Ordering::Relaxed);
            }
            played
        };
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut results = vec![work()];
        for other in others {
            results.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results.into_iter().filter_map(Result::err).collect()
    });
    // The error that stopped the other threads comes first.
    if let Some(error) = errors.into_iter().min_by_key(|error| matches!(error, MatchError::Stopped)) {
        return Err(error);
    }
    // Games beyond the deciding pair do not count.
    let counted = shared.deciding_pairs().map_or(usize::MAX, |pairs| 2 * pairs);
    let games = shared.games.into_inner().unwrap_or_else(|e| e.into_inner());
    let games: Vec<PlayedGame<P>> = games.into_values().take(counted).collect();
    let [player, opponent] = players.map(|player| &player.name);
    let mut result = MatchResult::empty(variant, player, opponent, settings.seed, settings.ply_cap);
    result.forbidden =
        settings.forbidden.map(|kind| Forbidden::over(kind, settings.forbidden_to_both, &games));
    for pair in games.chunks_exact(2) {
        result.add_pair(pair[0].end(), pair[1].end());
    }
    result.time = settings.time.map(|time| time.to_string());
    result.sprt = settings.sprt.map(|sprt| SprtResult::of(sprt, &result.pairs));
    Ok(Match { result, games })
}

/// State that the threads of a match share.
struct Shared<'a, P: Anchor> {
    players: [&'a Contender<'a, P>; 2],
    openings: &'a [Game<P>],
    settings: &'a MatchSettings,
    /// Finished games, including those that were played before. The key is the index of the pair and
    /// the first player's colour, so a game cannot count twice.
    games: Mutex<BTreeMap<(usize, Color), PlayedGame<P>>>,
    /// Index of the next game. Games 0 and 1 are pair 0, with White and then Black for the first
    /// player. Games 2 and 3 are pair 1.
    next: AtomicUsize,
    stop: AtomicBool,
    tested: Mutex<Tested>,
    folder: Option<&'a MatchFolder>,
    progress: &'a (dyn Fn(u32) -> ControlFlow<()> + Sync),
}

/// State of the sequential test, which takes pairs in the order of their numbers.
#[derive(Default)]
struct Tested {
    pairs: Pentanomial,
    /// Number of pairs after which the test was decided.
    deciding: Option<usize>,
}

/// Game in progress.
struct Playing<P: Position> {
    pair: usize,
    player_color: Color,
    seed: u64,
    game: Game<P>,
    mask: Option<Mask<P>>,
    clocks: Option<Clocks>,
    thoughts: Vec<Thought>,
    /// Forfeit that ended the game, and the colour that lost by it. `None` without a forfeit.
    forfeit: Option<(Forfeit, Color)>,
}

impl<P: Anchor> Shared<'_, P> {
    /// Locks the finished games.
    fn games(&self) -> MutexGuard<'_, BTreeMap<(usize, Color), PlayedGame<P>>> {
        // A poisoned lock means that another thread panicked, which ends the match.
        self.games.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Plays games on one of `threads` threads until none is left.
    fn play(&self, threads: usize) -> Result<(), MatchError> {
        let failed = |side: usize| {
            move |error: PlayerError| MatchError::Player {
                name: Some(self.players[side].name.clone()),
                error,
            }
        };
        let mut players =
            [(self.players[0].make)().map_err(failed(0))?, (self.players[1].make)().map_err(failed(1))?];
        let [a, b] = self.players;
        let at_once = self.settings.games_at_once.min(a.games_at_once).min(b.games_at_once);
        let at_once = at_once.min(self.settings.games as usize).div_ceil(threads).max(1);
        // A thread's other games would use up the clock's time.
        let at_once = if self.settings.time.is_some() { 1 } else { at_once };
        let mut under_way: Vec<Playing<P>> = Vec::new();
        loop {
            if self.deciding_pairs().is_some() {
                return Ok(());
            }
            while under_way.len() < at_once
                && let Some(playing) = self.next_game()
            {
                under_way.push(playing);
            }
            if under_way.is_empty() {
                return Ok(());
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
                for (&i, reply) in waiting.iter().zip(replies) {
                    self.take_reply(&mut under_way[i], side, reply, took)?;
                }
                let finished = self.clear_finished(&mut under_way);
                // A stop request may also end external programs. Such games are not counted as losses.
                if finished.iter().any(|game| game.outcome == Outcome::Crash) {
                    self.report()?;
                }
                self.count(finished)?;
                self.report()?;
            }
        }
    }

    fn next_game(&self) -> Option<Playing<P>> {
        let (index, pair, player_color) = loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let (pair, color) = (index / 2, Color::ALL[index % 2]);
            if !self.games().contains_key(&(pair, color)) {
                break (index, pair, color);
            }
        };
        let game = self.openings.get(pair)?.clone();
        let seed = Stream::MatchGame(index).seed(self.settings.seed);
        let mask = self.settings.mask(game.position().rules(), !player_color);
        let clocks = self.settings.time.map(TimeControl::begin);
        Some(Playing { pair, player_color, seed, game, mask, clocks, thoughts: Vec::new(), forfeit: None })
    }

    /// Makes the move of a reply and subtracts the time from the mover's clock. If the reply is a
    /// forfeit or came too late, the game ends.
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
        // A program may have been started in this turn. The time before `go` does not count.
        let took = reply.thought.seconds.map_or(took, Duration::from_secs_f64);
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

    /// Counts finished games and keeps them in the folder.
    fn count(&self, finished: Vec<PlayedGame<P>>) -> Result<(), MatchError> {
        for game in finished {
            if let Some(folder) = self.folder {
                folder.keep(&game)?;
            }
            self.games().insert((game.pair, game.player_color), game);
        }
        Ok(())
    }

    /// Returns the number of pairs after which the sequential test is decided, in the order of
    /// their numbers. Returns `None` if there is no test or the test is undecided.
    fn deciding_pairs(&self) -> Option<usize> {
        let sprt = self.settings.sprt?;
        let mut tested = self.tested.lock().unwrap_or_else(|e| e.into_inner());
        let of = |pair, color| Some(self.games().get(&(pair, color))?.end().half_points(color));
        while tested.deciding.is_none() {
            let pair = self.settings.first_pair as usize + tested.pairs.pairs() as usize;
            let points = of(pair, Color::White).zip(of(pair, Color::Black));
            let Some((white, black)) = points else { break };
            tested.pairs.add(white + black);
            if sprt.decision(&tested.pairs) != Decision::Open {
                tested.deciding = Some(tested.pairs.pairs() as usize);
            }
        }
        tested.deciding
    }

    fn make_move(&self, playing: &mut Playing<P>, side: usize, mv: Move) -> Result<(), MatchError> {
        let position = playing.game.position();
        let refused = |what: &str| {
            let name = &self.players[side].name;
            Err(MatchError::Other(format!("player {name} picked {what} in `{position}`")))
        };
        if !position.is_legal(mv) {
            return refused("an illegal move");
        }
        if playing.mask.is_some() && !allowed_moves(position, playing.mask.as_ref()).contains(&mv) {
            return refused("a move that is forbidden in this match");
        }
        playing.game.push(mv);
        Ok(())
    }

    /// Removes and returns games that are over or have reached the ply cap. A begun turn is
    /// completed before the cap counts, because its last decision may be a mate.
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
        let games_done = self.games().len() as u32;
        if (self.progress)(games_done).is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
        if self.stop.load(Ordering::Relaxed) { Err(MatchError::Stopped) } else { Ok(()) }
    }
}

impl<P: Position> Playing<P> {
    /// Returns 0 if the match's first player is to move, 1 if the second player is.
    fn side_to_choose(&self) -> usize {
        (self.game.position().side_to_move() != self.player_color) as usize
    }

    fn turn(&self) -> Turn<'_, P> {
        Turn {
            game: &self.game,
            seed: Stream::Turn(self.game.ply()).seed(self.seed),
            mask: self.mask,
            clocks: self.clocks,
        }
    }
}
