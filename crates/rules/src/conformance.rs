//! Test suite for games: checks the contract of [`Position`] in random play.

use crate::{Color, Game, Move, MoveList, Outcome, Position, Role};
use std::collections::HashSet;

/// Plays `games` random games of up to `plies` moves and checks every position. `random` returns
/// uniformly distributed 32-bit numbers.
///
/// The function checks these properties:
///
/// * The list of legal moves has no duplicates and is the same each time.
/// * [`Position::count_legal_moves`], [`Position::has_legal_move`] and [`Position::is_legal`] agree
///   with the list.
/// * Each move's text and algebraic notation read back as the same move.
/// * No two moves lead to the same position.
/// * The FEN reads back as the same position with the same counters.
/// * The outcome is checkmate or stalemate if and only if there is no legal move, and checkmate
///   only in check.
/// * [`Game::repetitions`] equals a count over the whole game. [`Position::forgets_history`]
///   therefore discards no position that recurs.
/// * [`Position::play`] does not panic for any 32-bit move.
///
/// # Panics
/// If a property does not hold.
pub fn check<P: Position>(rules: P::Rules, games: usize, plies: usize, mut random: impl FnMut() -> u32) {
    let start = P::start(rules);
    assert_eq!(start.rules(), rules);
    assert_eq!(start.outcome(), None, "the start is not the end");
    for _ in 0..games {
        let mut game = Game::new(start);
        // Keys of all positions before the current one.
        let mut keys = Vec::new();
        for _ in 0..plies {
            let key = game.position().key();
            let repetitions = keys.iter().filter(|earlier| **earlier == key).count();
            assert_eq!(game.repetitions(), repetitions, "repetitions of {}", game.position());
            let third = repetitions >= 2 && game.position().is_turn_start();
            let outcome = game.position().outcome().or(third.then_some(Outcome::Repetition));
            assert_eq!(game.outcome(), outcome, "{}", game.position());
            keys.push(key);
            let moves = check_position(game.position());
            // An arbitrary move may leave an invalid position. It must not panic.
            let mut spoilt = *game.position();
            spoilt.play(Move::from_bits(random()));
            let illegal = Move::from_bits(random());
            assert_eq!(game.position().is_legal(illegal), moves.contains(&illegal));
            // Flipping one bit of a legal move gives an illegal move, unless the result is in the
            // list.
            let legal = moves.get(random() as usize % moves.len().max(1));
            for near in
                legal.into_iter().flat_map(|mv| (0..32).map(|bit| Move::from_bits(mv.bits() ^ 1 << bit)))
            {
                assert_eq!(
                    game.position().is_legal(near),
                    moves.contains(&near),
                    "{near:?}: {}",
                    game.position()
                );
            }
            // The game continues after a repetition, because later positions repeat too.
            if game.position().outcome().is_some() || moves.is_empty() {
                break;
            }
            let before = *game.position();
            let mut mv = moves[random() as usize % moves.len()];
            if random().is_multiple_of(4) {
                // Prefers a move back to an earlier position, because random games rarely repeat.
                let returns = |mv: &&Move| {
                    let mut after = before;
                    after.play(**mv);
                    keys.contains(&after.key())
                };
                mv = moves.iter().find(returns).copied().unwrap_or(mv);
            }
            game.push(mv);
            let mut after = before;
            after.play(mv);
            assert_eq!((*game.position(), game.position().key()), (after, after.key()));
            assert_eq!(game.ply(), game.moves().len());
        }
        let mut replayed = *game.start();
        for mv in game.moves() {
            replayed.play(*mv);
        }
        assert_eq!((replayed, replayed.key()), (*game.position(), game.position().key()), "moves replay");
    }
}

/// Checks the properties of [`check`] that concern a single position. Returns its legal moves.
///
/// # Panics
/// If a property does not hold.
pub fn check_position<P: Position>(position: &P) -> MoveList {
    let moves = position.legal_moves();
    assert_eq!(moves, position.legal_moves(), "the order is fixed: {position}");
    assert_eq!(position.count_legal_moves(), moves.len(), "count: {position}");
    assert_eq!(position.has_legal_move(), !moves.is_empty(), "any: {position}");
    let mut texts = HashSet::new();
    let mut reached = HashSet::new();
    for mv in &moves {
        assert!(position.is_legal(*mv), "{mv:?}: {position}");
        assert_eq!(Move::from_bits(mv.bits()), *mv);
        let san = position.san(*mv);
        assert_eq!(position.parse_san(&san), Ok(*mv), "{san}: {position}");
        let text = position.move_text(*mv);
        assert_eq!(position.parse_move(&text), Ok(*mv), "{text}: {position}");
        let mut after = *position;
        after.play(*mv);
        let fen = after.to_string();
        let same: Vec<&str> =
            fen.split(' ').enumerate().filter(|(i, _)| *i != 4 && *i != 5).map(|(_, f)| f).collect();
        assert!(reached.insert(same.join(" ")), "{text} leads where another move leads: {position}");
        assert!(texts.insert(text), "a text twice: {position}");
        assert_ne!((after.key(), *position == after), (position.key(), true), "a move that changes nothing");
    }
    let mut listed: HashSet<Move> = moves.iter().copied().collect();
    position.for_each_successor(|mv, after| {
        let mut played = *position;
        played.play(mv);
        assert!(listed.remove(&mv), "each legal move has one successor: {position}");
        assert_eq!((after, after.key(), after.to_string()), (&played, played.key(), played.to_string()));
    });
    assert!(listed.is_empty(), "a successor for each: {position}");
    for bad in ["", "e2", "e2e99", "0000", "zzzz", "♔♔", "e2e4e2e4"] {
        assert!(position.parse_move(bad).is_err(), "`{bad}` is not a move: {position}");
        assert!(position.parse_san(bad).is_err() || bad == "e2", "`{bad}` is not a move: {position}");
    }
    let fen = position.to_string();
    let read = P::from_fen(&fen, position.rules()).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!((read, read.key(), read.to_string()), (*position, position.key(), fen), "FEN reads back");
    assert_eq!(read.halfmove_clock(), position.halfmove_clock());
    assert_eq!(read.fullmove_number(), position.fullmove_number());
    let placement = position.to_string().split(' ').next().unwrap_or_default().to_owned();
    for side in [Color::White, Color::Black] {
        for (piece, count) in P::PIECES.iter().zip(position.count_pieces(side)) {
            let letter = if side == Color::White { piece.letter } else { piece.letter.to_ascii_lowercase() };
            let drawn = placement.matches(letter).count();
            assert!(
                piece.role == Role::Marker || drawn == usize::from(count),
                "{count} {}s: {position}",
                piece.name
            );
        }
    }
    match position.outcome() {
        Some(Outcome::Checkmate) => assert!(moves.is_empty() && position.in_check(), "{position}"),
        Some(Outcome::Stalemate) => assert!(moves.is_empty() && !position.in_check(), "{position}"),
        _ => assert!(!moves.is_empty(), "no move and no outcome: {position}"),
    }
    moves
}
