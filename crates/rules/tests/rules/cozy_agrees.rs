//! Compares standard chess with the crate cozy-chess, on random placements and random games.

use crate::definition::chesspp::Options;
use crate::definition::chesspp_scatter::scattered;
use catapult_rules::{Chess, Color, PieceKind, Position, Squares, Standard, perft};
use cozy_chess::{BitBoard, Board, Move, Piece, Square};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

/// Returns the text of a move of cozy-chess. That crate writes castling as the king capturing its
/// rook, so this function converts it.
fn text(board: &Board, mv: Move) -> String {
    let king = board.piece_on(mv.from) == Some(Piece::King);
    let own = board.color_on(mv.to) == Some(board.side_to_move());
    if king && own {
        let file = if mv.to.file() > mv.from.file() { cozy_chess::File::G } else { cozy_chess::File::C };
        return format!("{}{}", mv.from, Square::new(file, mv.from.rank()));
    }
    mv.to_string()
}

fn attacks(board: &Board, side: cozy_chess::Color) -> BitBoard {
    let blockers = board.occupied();
    board.colors(side).into_iter().fold(BitBoard::EMPTY, |set, from| {
        set | match board.piece_on(from).expect("the side's piece") {
            Piece::Pawn => cozy_chess::get_pawn_attacks(from, side),
            Piece::Knight => cozy_chess::get_knight_moves(from),
            Piece::Bishop => cozy_chess::get_bishop_moves(from, blockers),
            Piece::Rook => cozy_chess::get_rook_moves(from, blockers),
            Piece::Queen => {
                cozy_chess::get_bishop_moves(from, blockers) | cozy_chess::get_rook_moves(from, blockers)
            }
            Piece::King => cozy_chess::get_king_moves(from),
        }
    })
}

/// Converts a set of squares from cozy-chess. Both crates give the squares the same indices.
fn ours(theirs: BitBoard) -> Squares {
    theirs.into_iter().map(|square| catapult_rules::Square::of(square as u8)).collect()
}

fn compare(position: &Chess, board: &Board) {
    let mut theirs = Vec::new();
    board.generate_moves(|moves| {
        theirs.extend(moves.into_iter().map(|mv| (text(board, mv), mv)));
        false
    });
    theirs.sort_by(|a, b| a.0.cmp(&b.0));
    let mut texts: Vec<String> =
        position.legal_moves().into_iter().map(|mv| position.move_text(mv)).collect();
    texts.sort();
    assert_eq!(texts, theirs.iter().map(|(text, _)| text.clone()).collect::<Vec<_>>(), "{position}");
    assert_eq!(position.in_check(), !board.checkers().is_empty(), "{position}");
    assert_eq!(position.checkers(), ours(board.checkers()), "{position}");
    for (side, theirs) in Color::ALL.into_iter().zip(cozy_chess::Color::ALL) {
        let rights = board.castle_rights(theirs);
        let rights_here = [true, false].map(|kingside| position.may_castle(side, kingside));
        assert_eq!(rights_here, [rights.short.is_some(), rights.long.is_some()], "{position}");
        assert_eq!(position.attacks(side), ours(attacks(board, theirs)), "{position}");
        assert_eq!(position.occupied_by(side), ours(board.colors(theirs)), "{position}");
        for (kind, their_kind) in PieceKind::ALL.into_iter().zip(Piece::ALL) {
            assert_eq!(
                position.pieces(side, kind),
                ours(board.colored_pieces(theirs, their_kind)),
                "{position}"
            );
        }
    }
    for (text, mv) in theirs {
        let mut next = *position;
        next.play(position.parse_move(&text).unwrap());
        let mut after = board.clone();
        after.play(mv);
        let mut replies = 0;
        after.generate_moves(|moves| {
            replies += moves.len();
            false
        });
        assert_eq!(next.count_legal_moves(), replies, "{position}: after {text}");
    }
}

#[test]
fn scattered_positions() {
    let wanted: u64 = std::env::var("CATAPULT_SCATTERED").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000);
    let mut random = Pcg64Mcg::seed_from_u64(9);
    let (mut compared, mut refused) = (0, 0);
    while compared < wanted {
        let mut scattered = scattered(Options::of("chess"), &mut random);
        // cozy-chess rejects half-move clocks above 100.
        scattered.clock %= 100;
        let fen = scattered.fen();
        let (ours, theirs) = (Chess::from_fen(&fen, Standard), fen.parse::<Board>());
        match (ours, theirs) {
            (Ok(position), Ok(board)) => {
                compare(&position, &board);
                compared += 1;
            }
            // cozy-chess also rejects checks that no last move can have given.
            (Ok(_), Err(_)) => refused += 1,
            // cozy-chess accepts adjacent kings.
            (Err(error), Ok(board)) => {
                let kings = [cozy_chess::Color::White, cozy_chess::Color::Black].map(|side| board.king(side));
                assert!(cozy_chess::get_king_moves(kings[0]).has(kings[1]), "`{fen}` refused: {error}");
            }
            (Err(_), Err(_)) => {}
        }
    }
    assert!(refused < compared / 5, "{refused} refused by cozy-chess only");
}

fn agree_on_random_games(games: usize) {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for _ in 0..games {
        let mut position = Chess::start(Standard);
        while position.outcome().is_none() {
            let fen = position.to_string();
            if let Ok(board) = fen.parse::<Board>() {
                compare(&position, &board);
            }
            position.play(*position.legal_moves().choose(&mut random).unwrap());
        }
    }
}

#[test]
fn random_games() {
    agree_on_random_games(5);
    assert_eq!(perft(&Chess::start(Standard), 4), 197_281);
}

#[test]
#[ignore = "long"]
fn many_random_games() {
    agree_on_random_games(50);
}
