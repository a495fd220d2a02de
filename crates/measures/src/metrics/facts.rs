//! A game as a table of numbers: it is replayed once, and every metric is a function of these.

use crate::games::{Aim, StudiedGame, TermCounts};
use catapult_records::{GameRecord, Ply, Replay, VerifyError};
use catapult_rules::{Color, Outcome, Position, Role, Variant, with_variant};

/// A side that is ahead by so many centipawns at the end of an undecided game leads decisively: three pawns.
pub const DECISIVE_LEAD: i32 = 300;

/// Plies that count as the opening.
pub const OPENING_PLIES: usize = 20;

/// The ending begins when the pieces of both sides but kings and pawns are worth at most this share of the start's.
const ENDING_SHARE: f64 = 0.4;

/// Games with the same first plies have the same opening, and are alike.
const OPENING_LINE: usize = 8;

/// A part of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The first [`OPENING_PLIES`].
    Opening,
    /// What is neither.
    Middle,
    /// Little is left on the board.
    Ending,
}

/// What is known of the position before a ply, and of the move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlyFacts {
    /// Who is to move.
    pub mover: Color,
    /// White's terms of piece values less Black's.
    pub terms: TermCounts,
    /// White's material less Black's in conventional centipawns.
    pub lead: i32,
    /// Whether the mover is in check.
    pub in_check: bool,
    /// Legal moves.
    pub legal: u16,
    /// Which part of the game it is.
    pub phase: Phase,
    /// White's expected score at the root of the search, a draw counting half; none where it was not recorded.
    pub value: Option<f32>,
    /// Entropy of the improved policy, nats; none where it was not recorded.
    pub entropy: Option<f32>,
    /// The uses that the move makes of the rules, as bits of [`StudiedGame::USES`].
    pub uses: u16,
    /// What the move is for.
    pub aim: Option<Aim>,
}

/// A game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameFacts {
    /// Its place among the games of its cell.
    pub index: usize,
    /// Its first move after the set-up; empty if there is none.
    pub first_move: String,
    /// Its set-up and first plies, which name its opening.
    pub opening: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Who won.
    pub winner: Option<Color>,
    /// The uses of the plies that set up the game ([`StudiedGame::is_setup`]), which are no plies of it, and who made them.
    pub setup: Vec<(Color, u16)>,
    /// Ply by ply, after the set-up.
    pub plies: Vec<PlyFacts>,
    /// White's terms less Black's at the end.
    pub last_terms: TermCounts,
    /// White's material less Black's at the end, in conventional centipawns.
    pub last_lead: i32,
    /// Marks on the boards of [`StudiedGame::MAPS`]: `maps[board][square]`.
    pub maps: Vec<Vec<u16>>,
}

impl GameFacts {
    /// White's score: 1, 0, or 1/2 for whatever was not won.
    pub fn white_score(&self) -> f64 {
        match self.winner {
            Some(Color::White) => 1.0,
            Some(Color::Black) => 0.0,
            None => 0.5,
        }
    }

    /// The same as a side sees it.
    pub fn score(&self, side: Color) -> f64 {
        if side == Color::White { self.white_score() } else { 1.0 - self.white_score() }
    }
}

/// Reads a game under the rules that its record names.
///
/// # Errors
/// Ply and reason of what the rules contradict.
pub fn read_game(record: &GameRecord, index: usize, arm: Variant) -> Result<GameFacts, String> {
    if record.variant != arm.to_string() {
        return Err(format!("game {} is one of {}", record.game, record.variant));
    }
    with_variant!(arm, |P, rules| read::<P>(record, index, rules))
}

fn read<P: StudiedGame>(record: &GameRecord, index: usize, rules: P::Rules) -> Result<GameFacts, String> {
    let damaged = |error: VerifyError| error.to_string();
    let mut replay = Replay::<P>::new(record, rules).map_err(damaged)?;
    let full = f64::from(pieces_worth(&P::start(rules)));
    let mut setup = Vec::new();
    let mut plies = Vec::with_capacity(record.moves.len());
    let mut maps = vec![vec![0u16; P::BOARD.0 * P::BOARD.1]; P::MAPS.len()];
    for ply in replay.by_ref() {
        let Ply { number: at, before, mv, after } = ply.map_err(damaged)?;
        before.mark(mv, &mut |map, square| maps[map][square] += 1);
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
        index,
        first_move: record.moves.get(setup.len()).cloned().unwrap_or_default(),
        opening: opening(record, setup.len()),
        outcome: record.outcome,
        winner: record.winner,
        setup,
        plies,
        last_terms: terms_lead(last),
        last_lead: lead(last),
        maps,
    })
}

/// The set-up and first plies of a game, separated by a character that sorts before all of theirs.
pub(super) fn opening(record: &GameRecord, setup: usize) -> String {
    let plies = record.moves.len().min(setup + OPENING_LINE);
    record.moves[..plies].join(" ")
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

/// Centipawns of both sides' pieces but pawns.
fn pieces_worth<P: Position>(position: &P) -> i32 {
    let pawns = P::PIECES.iter().position(|piece| piece.role == Role::Pawn);
    Color::ALL
        .into_iter()
        .map(|side| {
            let pawns =
                pawns.map_or(0, |i| P::PIECES[i].centipawns * i32::from(position.count_pieces(side)[i]));
            position.material(side) - pawns
        })
        .sum()
}

fn lead<P: Position>(position: &P) -> i32 {
    position.material(Color::White) - position.material(Color::Black)
}

fn terms_lead<P: StudiedGame>(position: &P) -> TermCounts {
    let [white, black] = Color::ALL.map(|side| position.count_terms(side));
    std::array::from_fn(|i| white[i] - black[i])
}

/// White's expected score from the mover's win, draw and loss.
fn white_value([win, draw, loss]: [f32; 3], mover: Color) -> Option<f32> {
    let sum = win + draw + loss;
    let score = (win + draw / 2.0) / sum;
    (sum > 0.5).then_some(if mover == Color::White { score } else { 1.0 - score })
}

/// The entropy of a recorded policy, whose small probabilities were dropped.
fn policy_entropy(policy: &[(String, f32)]) -> Option<f32> {
    let sum: f64 = policy.iter().map(|&(_, p)| f64::from(p)).sum();
    let probabilities = policy.iter().map(|&(_, p)| f64::from(p) / sum);
    (!policy.is_empty()).then(|| crate::analysis::entropy(probabilities) as f32)
}
