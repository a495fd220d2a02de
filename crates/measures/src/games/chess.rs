//! Uses and aims of moves in standard chess, Chess++ and the proposals of Chess++. A use is a way
//! in which a move uses the rules that Chess++ adds to chess.
//!
//! A move *attacks* if it
//!
//! * captures a piece or the opponent's catapults,
//! * gives check,
//! * lands in the opponent's half or within two squares of the opponent's king, or
//! * newly attacks an opponent's piece that is unguarded or worth more than the moved piece.
//!
//! A move *defends* if it
//!
//! * ends a check,
//! * takes the moved piece from an attacked square to a square that is not attacked, or
//! * guards an attacked piece of its own side that was unguarded.
//!
//! A move may do both or neither. A move of a catapult counts as a move of the least valuable piece
//! on the side's catapults, because these pieces gain the catapult's reach.

use super::uses::{bits, uses};
use super::{AddedRule, Aim, MapInfo, StudiedGame, TermCounts, Use};
use catapult_endings::{EndingsError, Probe, Tables};
use catapult_rules::chess::ChessRules;
use catapult_rules::{
    ChessMove, ChessMoveKind, ChessPosition, Color, Move, PieceKind, Position, PromotionTo, Proposals, Role,
    Square, Squares,
};

uses! {
    "catapult_moves" "catapult moves": "Moves of catapults by themselves, both sides together, per game.";
    "teleports" "teleports": "Teleports as a turn of their own, both sides together, per game.";
    "instant_teleports" "instant teleports":
        "Moves that reach a catapult and teleport in the same turn, both sides together, per game.";
    "teleport_captures" "teleport captures": "Teleports and instant teleports that capture a piece, per game.";
    "teleport_checks" "teleport checks": "Teleports and instant teleports after which the other side is in check, per game.";
    "catapult_captures" "captures of catapults": "Moves that capture the other side's catapults (rule 13), per game.";
    "catapult_promotions" "promotions to catapults": "Pawns that become catapults (`+promote`), per game.";
    "pawn_teleports" "teleports of pawns":
        "Teleports and instant teleports of pawns (`+pawns`), both sides together, per game.";
    "third_catapult_teleports" "teleports among three catapults":
        "Teleports and instant teleports of a side that has three catapults at the time (`+third`), per game. Its pieces \
         have one more catapult to choose from.";
    setup
    "placements_elsewhere" "placements on other squares than in plain Chess++":
        "Catapults placed (`+free`) where none stands at the start of the plain game, per game. That is off the files b and \
         f, with `+third` also off d, with `+catapults` off the files of its squares.";
    "catapult_placements" "placements": "Catapults placed before the first move (`+free`), per game.";
}

/// A proposal of Chess++ (optional rule), its name, its uses in words, and the ids of uses that
/// exist only under it. A game uses the proposal if it has the first of these uses.
type Proposed = (Proposals, &'static str, &'static str, &'static [&'static str]);

const PROPOSED: [Proposed; 5] = [
    (
        Proposals::FREE,
        "+free",
        "catapults placed elsewhere than where they stand without it",
        &["placements_elsewhere", "catapult_placements"],
    ),
    (Proposals::INSTANT, "+instant", "instant teleports", &["instant_teleports"]),
    (Proposals::PAWNS, "+pawns", "teleports of pawns", &["pawn_teleports"]),
    (Proposals::PROMOTE, "+promote", "promotions to a catapult", &["catapult_promotions"]),
    (Proposals::THIRD, "+third", "teleports among three catapults", &["third_catapult_teleports"]),
];

impl<R: ChessRules> StudiedGame for ChessPosition<R> {
    const USES: &'static [Use] = USES;

    const TELEPORTS: &'static [&'static str] = &["teleports", "instant_teleports"];

    const CAPTURES: &'static [&'static str] = &["teleport_captures", "catapult_captures"];

    const MAPS: &'static [MapInfo] = &[
        MapInfo { id: "catapults", title: "where catapults stand", per_game: false },
        MapInfo { id: "teleports", title: "where teleports land", per_game: true },
        MapInfo { id: "placements", title: "where catapults are placed", per_game: true },
    ];

    fn has_map(rules: R, index: usize) -> bool {
        rules.catapults() && (index != 2 || rules.has(Proposals::FREE))
    }

    fn added_rules(rules: R) -> Vec<AddedRule> {
        let rule = |id, what, uses| AddedRule { id, name: id, what, uses };
        let catapults: &[&str] = &["catapult_moves", "teleports", "instant_teleports", "catapult_captures"];
        let plain = rule("catapults", "moves, teleports and captures of catapults", catapults);
        let proposed = PROPOSED.iter().filter(|(proposal, ..)| rules.has(*proposal));
        let proposed = proposed.map(|(_, name, what, uses)| rule(name, what, &uses[..1]));
        rules.catapults().then_some(plain).into_iter().chain(proposed).collect()
    }

    fn is_setup(&self, mv: Move) -> bool {
        ChessMove::of(mv).kind == ChessMoveKind::Place
    }

    fn has_use(rules: R, index: usize) -> bool {
        let id = USES[index].counted.id;
        let known = |(proposal, _, _, uses): &Proposed| rules.has(*proposal) || !uses.contains(&id);
        rules.catapults() && PROPOSED.iter().all(known)
    }

    fn uses(&self, mv: Move, after: &Self) -> u16 {
        let (path, us) = (ChessMove::of(mv), self.side_to_move());
        let them = !us;
        let of_kind = |kind: ChessMoveKind| path.kind == kind;
        let teleported = of_kind(ChessMoveKind::Teleport) || of_kind(ChessMoveKind::Instant);
        let placed = of_kind(ChessMoveKind::Place);
        bits([
            of_kind(ChessMoveKind::Catapult),
            of_kind(ChessMoveKind::Teleport),
            of_kind(ChessMoveKind::Instant),
            teleported && after.occupied_by(them) != self.occupied_by(them),
            teleported && after.in_check(),
            takes_catapults(self, after),
            path.promotion == Some(PromotionTo::Catapult),
            teleported && self.piece_at(path.from).is_some_and(|(_, kind)| kind == PieceKind::Pawn),
            teleported && self.rules().has(Proposals::THIRD) && self.catapults(us).count() == 3,
            placed && !is_on_usual_file(self.rules(), path.to),
            placed,
        ])
    }

    fn aim(&self, mv: Move, after: &Self) -> Option<Aim> {
        let path = ChessMove::of(mv);
        if path.kind == ChessMoveKind::Place {
            return None;
        }
        let us = self.side_to_move();
        let catapult = path.kind == ChessMoveKind::Catapult;
        let moved = if catapult {
            let lent = self.catapults(us) & self.occupied_by(us);
            lent.into_iter().filter_map(|square| worth_at(self, square)).min()
        } else {
            worth_at(self, path.from)
        };
        Some(Aim {
            attacks: attacks(self, after, path.to, moved),
            defends: defends(self, after, path.from, path.to, catapult),
        })
    }

    fn marks(&self, mv: Move) -> Vec<(usize, usize)> {
        let us = self.side_to_move();
        let seen = |square: Square| if us == Color::White { square } else { square.flip_ranks() }.index();
        let path = ChessMove::of(mv);
        let board = match path.kind {
            ChessMoveKind::Place => return vec![(2, seen(path.to))],
            ChessMoveKind::Teleport | ChessMoveKind::Instant => Some(1),
            _ => None,
        };
        let catapults = self.catapults(us).into_iter().map(|square| (0, seen(square)));
        catapults.chain(board.map(|board| (board, seen(path.to)))).collect()
    }

    fn probe(&self, tables: &Tables) -> Result<Option<Probe>, EndingsError> {
        tables.probe(self)
    }

    fn terms() -> Vec<&'static str> {
        let pieces = Self::PIECES.iter().filter(|piece| matches!(piece.role, Role::Pawn | Role::Officer));
        let catapults = ["single catapult", "pair of catapults", "three catapults", "four catapults"];
        pieces.map(|piece| piece.name).chain(catapults).collect()
    }

    fn count_terms(&self, side: Color) -> TermCounts {
        let counts = self.count_pieces(side);
        let mut terms = TermCounts::default();
        for (term, count) in terms.iter_mut().zip(&counts[..5]) {
            *term = *count as i8;
        }
        // Catapults are valued by their number: a single one cannot teleport.
        if let Some(together) = counts[PieceKind::ALL.len()].checked_sub(1) {
            terms[5 + usize::from(together)] = 1;
        }
        terms
    }
}

/// Returns true if a catapult is on the file of a square at the start without `+free`.
fn is_on_usual_file<R: ChessRules>(rules: R, square: Square) -> bool {
    rules.proposals().catapults_at_start().meets(Squares::file(square.file()))
}

/// Returns the value, in centipawns, of the piece on a square. A king has the value `i32::MAX`.
/// `None` if no piece is on the square.
fn worth_at<R: ChessRules>(position: &ChessPosition<R>, square: Square) -> Option<i32> {
    let (_, kind) = position.piece_at(square)?;
    Some(if kind == PieceKind::King { i32::MAX } else { kind.value() })
}

/// Returns true if the move from `before` to `after` captured the opponent's catapults.
fn takes_catapults<R: ChessRules>(before: &ChessPosition<R>, after: &ChessPosition<R>) -> bool {
    let us = before.side_to_move();
    let theirs = before.catapults(!us);
    // A bare king's catapults vanish without being occupied (`+bare`).
    !theirs.is_empty() && after.catapults(!us).is_empty() && (theirs & !after.occupied_by(us)).is_empty()
}

/// Returns `square` and all squares that a king reaches from it in at most two steps.
fn zone(square: Square) -> Squares {
    let near = Squares::king(square).with(square);
    near | near.kings()
}

fn attacks<R: ChessRules>(
    before: &ChessPosition<R>,
    after: &ChessPosition<R>,
    to: Square,
    moved: Option<i32>,
) -> bool {
    let us = before.side_to_move();
    let rank = if us == Color::White { to.rank() } else { 7 - to.rank() };
    if rank >= 4
        || after.occupied_by(!us) != before.occupied_by(!us)
        || takes_catapults(before, after)
        || after.in_check()
        || zone(after.king(!us)).has(to)
    {
        return true;
    }
    let guarded = after.attacks(!us);
    let new = after.attacks(us) & !before.attacks(us) & after.occupied_by(!us);
    let worth_it = |square: Square| {
        let more = worth_at(after, square).zip(moved).is_some_and(|(target, own)| target > own);
        moved.is_some() && (!guarded.has(square) || more)
    };
    new.into_iter().any(worth_it)
}

fn defends<R: ChessRules>(
    before: &ChessPosition<R>,
    after: &ChessPosition<R>,
    from: Square,
    to: Square,
    catapult: bool,
) -> bool {
    let us = before.side_to_move();
    let (threats_before, threats_after) = (before.attacks(!us), after.attacks(!us));
    let saved = !catapult && threats_before.has(from) && !threats_after.has(to);
    let unguarded = threats_after & !before.attacks(us) & before.occupied_by(us) & after.occupied_by(us);
    let guarded = unguarded & after.attacks(us) & !Squares::of(to);
    before.in_check() || saved || !guarded.is_empty()
}

#[cfg(test)]
#[path = "chess_tests.rs"]
mod tests;
