//! Facts of a game: numbers that one replay of the game yields. Most metrics are computed from
//! them.

use crate::games::{Aim, StudiedGame, TermCounts};
use catapult_records::{GameRecord, Ply, Replay, VerifyError};
use catapult_rules::{Color, Move, Outcome, Position, Role, Variant, with_variant};

/// Smallest decisive lead in material at the end of a game: three pawns, in centipawns.
pub const DECISIVE_LEAD: i32 = 300;

/// Length of the opening in plies. Set-up moves are not counted.
pub const OPENING_PLIES: usize = 20;

/// Share of the starting material, without kings and pawns. At this share or less, a position
/// belongs to the ending.
const ENDING_SHARE: f64 = 0.4;

/// Number of plies after the set-up moves that identify an opening. Games of one network with the
/// same opening are not independent.
pub(super) const OPENING_LINE: usize = 8;

catapult_rules::named! {
    /// Phase of a game at a ply.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Phase {
        /// The first [`OPENING_PLIES`] plies, unless the ending has begun.
        Opening = "opening",
        /// Plies that belong to neither the opening nor the ending.
        Middle = "middle",
        /// Positions in which the material of both sides together, without kings and pawns, is at
        /// most 40 % of its value at the start.
        Ending = "ending",
    }
}

/// Facts of one ply: the position before it, and the move played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlyFacts {
    /// The side to move.
    pub mover: Color,
    /// Counts of the terms ([`StudiedGame::terms`]), such as kinds of pieces: White's minus
    /// Black's.
    pub terms: TermCounts,
    /// Material in conventional centipawns: White's minus Black's.
    pub lead: i32,
    /// True if the side to move is in check.
    pub in_check: bool,
    /// Number of legal moves in the position.
    pub legal: u16,
    /// Phase of the game at this ply.
    pub phase: Phase,
    /// White's expected score from the search's root value, between 0 and 1. `None` if it was not
    /// recorded.
    pub value: Option<f32>,
    /// Entropy of the search's improved policy, in nats. `None` if the policy was not recorded.
    pub entropy: Option<f32>,
    /// Bit set of the uses of added rules by the move: bit i is entry i of [`StudiedGame::USES`].
    pub uses: u16,
    /// Aim of the move. `None` if aims are not defined for the game or for this move.
    pub aim: Option<Aim>,
}

/// Facts of a whole game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameFacts {
    /// First move after the set-up moves ([`StudiedGame::is_setup`]), as text. Empty if there is
    /// none.
    pub first_move: String,
    /// Set-up moves and the first eight plies as text, which identify the opening.
    pub opening: String,
    /// Rule or limit that ended the game.
    pub outcome: Outcome,
    /// The winner of the game. `None` if there is no winner.
    pub winner: Option<Color>,
    /// Mover and bit set of uses of each set-up move ([`StudiedGame::is_setup`]).
    pub setup: Vec<(Color, u16)>,
    /// Facts of each ply after the set-up moves.
    pub plies: Vec<PlyFacts>,
    /// Counts of the terms ([`StudiedGame::terms`]) at the end of the game: White's minus Black's.
    pub last_terms: TermCounts,
    /// Material at the end of the game in conventional centipawns: White's minus Black's.
    pub last_lead: i32,
    /// Numbers of marks per square on the boards of [`StudiedGame::MAPS`]: `maps[board][square]`.
    pub maps: Vec<Vec<u16>>,
}

impl GameFacts {
    /// Returns the mover of each ply of the game, and the bit set of its uses.
    pub fn uses(&self) -> Vec<(Color, u16)> {
        let played = self.plies.iter().map(|ply| (ply.mover, ply.uses));
        self.setup.iter().copied().chain(played).collect()
    }

    /// Returns White's score in the game: 1 for a win, 0 for a loss, 1/2 if there is no winner.
    pub fn white_score(&self) -> f64 {
        match self.winner {
            Some(Color::White) => 1.0,
            Some(Color::Black) => 0.0,
            None => 0.5,
        }
    }

    /// Returns the score of `side` in the game: 1 for a win, 0 for a loss, 1/2 if there is no
    /// winner.
    pub fn score(&self, side: Color) -> f64 {
        if side == Color::White { self.white_score() } else { 1.0 - self.white_score() }
    }
}

/// Replays a game of `arm` and returns its facts.
///
/// # Errors
/// The record belongs to another variant, or the rules contradict it. The message gives ply and
/// reason.
pub fn read_game(record: &GameRecord, arm: Variant) -> Result<GameFacts, String> {
    if record.variant != arm {
        return Err(format!("game {} is one of {}", record.game, record.variant));
    }
    with_variant!(arm, |P, rules| read::<P>(record, rules))
}

fn read<P: StudiedGame>(record: &GameRecord, rules: P::Rules) -> Result<GameFacts, String> {
    let damaged = |error: VerifyError| error.to_string();
    let mut replay = Replay::<P>::new(record, rules).map_err(damaged)?;
    let full = f64::from(pieces_worth(&P::start(rules)));
    let (mut setup, mut texts) = (Vec::new(), Vec::new());
    let mut plies = Vec::with_capacity(record.moves.len());
    let mut maps = vec![vec![0u16; P::FILES * P::RANKS]; P::MAPS.len()];
    for ply in replay.by_ref() {
        let Ply { number: at, before, mv, after } = ply.map_err(damaged)?;
        before.marks(mv).into_iter().for_each(|(map, square)| maps[map][square] += 1);
        if plies.len() < OPENING_LINE {
            texts.push(before.move_text(mv));
        }
        let mover = before.side_to_move();
        if before.is_setup(mv) {
            setup.push((mover, before.uses(mv, &after)));
            continue;
        }
        let ply = at - setup.len();
        plies.push(PlyFacts {
            mover,
            terms: terms_lead(&before),
            lead: lead(&before),
            in_check: before.in_check(),
            legal: before.count_legal_moves() as u16,
            phase: phase(ply, f64::from(pieces_worth(&before)) / full),
            value: record.values.get(at).and_then(|wdl| white_value(*wdl, mover)),
            entropy: record.policies.get(at).and_then(|policy| policy_entropy(policy)),
            uses: before.uses(mv, &after),
            aim: before.aim(mv, &after),
        });
    }
    let last = replay.game().position();
    Ok(GameFacts {
        first_move: texts.get(setup.len()).cloned().unwrap_or_default(),
        opening: texts.join(" "),
        outcome: record.outcome,
        winner: record.winner,
        setup,
        plies,
        last_terms: terms_lead(last),
        last_lead: lead(last),
        maps,
    })
}

fn phase(ply: usize, worth: f64) -> Phase {
    if worth <= ENDING_SHARE {
        Phase::Ending
    } else if ply < OPENING_PLIES {
        Phase::Opening
    } else {
        Phase::Middle
    }
}

/// Returns the material of both sides together, without pawns, in centipawns.
fn pieces_worth<P: Position>(position: &P) -> i32 {
    let pawns = P::PIECES.iter().position(|piece| piece.role == Role::Pawn);
    let worth = |side| {
        let counts = position.count_pieces(side);
        position.material(side) - pawns.map_or(0, |i| P::PIECES[i].centipawns * i32::from(counts[i]))
    };
    Color::ALL.into_iter().map(worth).sum()
}

fn lead<P: Position>(position: &P) -> i32 {
    position.material(Color::White) - position.material(Color::Black)
}

fn terms_lead<P: StudiedGame>(position: &P) -> TermCounts {
    let [white, black] = Color::ALL.map(|side| position.count_terms(side));
    std::array::from_fn(|i| white[i] - black[i])
}

/// Returns White's expected score from the mover's win, draw and loss probabilities. `None` if the
/// probabilities were not recorded (all 0).
fn white_value([win, draw, loss]: [f32; 3], mover: Color) -> Option<f32> {
    let sum = win + draw + loss;
    let score = (win + draw / 2.0) / sum;
    (sum > 0.5).then_some(if mover == Color::White { score } else { 1.0 - score })
}

/// Returns the entropy of a recorded policy in nats. Records omit small probabilities, so the
/// policy is normalised first. `None` if `policy` is empty.
fn policy_entropy(policy: &[(Move, f32)]) -> Option<f32> {
    let sum: f64 = policy.iter().map(|&(_, p)| f64::from(p)).sum();
    let probabilities = policy.iter().map(|&(_, p)| f64::from(p) / sum);
    (!policy.is_empty()).then(|| crate::analysis::entropy(probabilities) as f32)
}
