"""PGN compared with python-chess's reader and writer."""

from __future__ import annotations

import io

import chess.pgn
import pytest
from conftest import random_game

import catapult
import catapult.pgn


@pytest.mark.parametrize("variant", catapult.variants())
def test_what_is_written_is_read(variant: str, tmp_path) -> None:
    boards = [random_game(variant, seed, plies=60) for seed in range(3)]
    text = "".join(catapult.pgn.write(board, {"White": 'A "name"', "Round": str(n)}) for n, board in enumerate(boards))
    path = tmp_path / "games.pgn"
    path.write_text(text)
    for games in (list(catapult.pgn.read(path)), list(catapult.pgn.read_text(text))):
        assert [game.board for game in games] == boards
        assert [game.board.move_stack for game in games] == [board.move_stack for board in boards]
        assert all(game.error is None and game.variant == variant and game.tags["White"] == 'A "name"' for game in games)
        assert [game.result for game in games] == [board.result() for board in boards]


def test_python_chess_reads_what_we_write() -> None:
    board = random_game("chess", 7, plies=90)
    comments = ["first", "", "third", "fourth"]
    text = catapult.pgn.write(board, {"Event": "Test"}, comments=comments, result="1-0")
    game = chess.pgn.read_game(io.StringIO(text))
    assert [move.uci() for move in game.mainline_moves()] == [move.uci() for move in board.move_stack]
    assert game.headers["Event"] == "Test" and game.headers["Result"] == "1-0" and game.next().comment == "first"
    moves = game.accept(chess.pgn.StringExporter(columns=None, headers=False))
    assert text.split("\n\n")[1].split() == moves.replace("{ ", "{").replace(" }", "}").split()


def test_we_read_what_python_chess_writes() -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    for san in ("O-O", "Rxa1", "Rxa1", "Rh7"):
        board.push_san(san)
    text = str(chess.pgn.Game.from_board(board))
    (game,) = catapult.pgn.read_text(text)
    assert game.error is None and game.board.fen() == board.fen(en_passant="xfen")


def test_a_resigned_game_keeps_its_result() -> None:
    (game,) = catapult.pgn.read_text('[Result "1-0"]\n\n1. e4 1-0')
    (again,) = catapult.pgn.read_text(catapult.pgn.write(game.board, game.tags))
    assert again.board == game.board and again.result == again.tags["Result"] == "1-0"
    (again,) = catapult.pgn.read_text(catapult.pgn.write(game.board, game.tags, result="*"))
    assert again.result == "*"
    mate = catapult.Board()
    for san in ("f3", "e5", "g4", "Qh4#"):
        mate.push_san(san)
    (again,) = catapult.pgn.read_text(catapult.pgn.write(mate, {"Result": "1-0"}))
    assert again.result == "0-1"


def test_a_bad_game_costs_itself_only() -> None:
    text = '[Event "a"]\n\n1. e4 e5 2. Ke3 *\n\n[Event "b"]\n[Variant "draughts"]\n\n1. e4 *\n\n[Event "c"]\n\n1. d4 *\n'
    first, second, third = catapult.pgn.read_text(text)
    assert "Ke3" in first.error and "game 1, line 3, after 2 plies" in first.error
    assert [move.uci() for move in first.board.move_stack] == ["e2e4", "e7e5"]
    assert "draughts" in second.error and second.board is None
    assert third.error is None and third.board.ply() == 1
    (broken,) = catapult.pgn.read_text('[Event "a"]\n\n1. e4 {open\n')
    assert (broken.tags, broken.variant, broken.board) == ({}, None, None) and "never closed" in broken.error


def test_refusals(tmp_path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere.pgn"):
        catapult.pgn.read("nowhere.pgn")
    # A folder can be opened, but not read.
    with pytest.raises(IsADirectoryError, match=str(tmp_path)):
        list(catapult.pgn.read(tmp_path))
    with pytest.raises(ValueError, match="result \"2-0\""):
        catapult.pgn.write(catapult.Board(), result="2-0")
    # A tag is data of a file, not a request.
    assert '[Result "*"]' in catapult.pgn.write(catapult.Board(), {"Result": "2-0"})
    with pytest.raises(ValueError, match="`a b` is not the name of a tag"):
        catapult.pgn.write(catapult.Board(), {"a b": "c"})
