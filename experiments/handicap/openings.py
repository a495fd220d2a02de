#!/usr/bin/env python3
"""Writes positions in which one side gives a handicap: openings.py FOLDER [NUMBER].

An opening is six random plies of chess without a capture. It is a position of Chess++, because no
catapult has moved. For each handicap, FOLDER/NAME.fen has two lines per opening: Black gives the
handicap, then White gives it. Needs the package chess.
"""

import random
import sys
from pathlib import Path

import chess

PLIES = 6
SEED = 1
CATAPULTS = {chess.WHITE: ["b1*", "f1*"], chess.BLACK: ["b8*", "f8*"]}


def opening(draw: random.Random) -> chess.Board:
    """Draws random plies until there is no capture among them, and no check after the last."""
    while True:
        board = chess.Board()
        for _ in range(PLIES):
            move = draw.choice(list(board.legal_moves))
            if board.is_capture(move):
                break
            board.push(move)
        else:
            if not board.is_check() and not board.has_legal_en_passant():
                return board


def text(board: chess.Board, catapults: dict[chess.Color, list[str]]) -> str:
    white, black = ("".join(catapults[side]) or "-" for side in (chess.WHITE, chess.BLACK))
    return f"{board.fen()} {white}/{black}"


def without(board: chess.Board, side: chess.Color, piece: int, draw: random.Random) -> str:
    """Removes a random piece of a kind. An attack on the king that it blocked must not appear."""
    squares = list(board.pieces(piece, side))
    draw.shuffle(squares)
    for square in squares:
        less = board.copy()
        less.remove_piece_at(square)
        if less.is_valid() and not less.is_check():
            return text(less, CATAPULTS)
    raise ValueError(f"{board.fen()}: no piece can be removed")


def handicaps(board: chess.Board, side: chess.Color, draw: random.Random) -> dict[str, str]:
    left, right = CATAPULTS[side]
    return {
        "one-catapult": text(board, CATAPULTS | {side: [draw.choice([left, right])]}),
        "catapults": text(board, CATAPULTS | {side: []}),
        "pawn": without(board, side, chess.PAWN, draw),
        "knight": without(board, side, chess.KNIGHT, draw),
    }


def main() -> None:
    folder = Path(sys.argv[1])
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(SEED)
    lines: dict[str, list[str]] = {}
    for _ in range(number):
        board = opening(draw)
        for side in (chess.BLACK, chess.WHITE):
            for name, fen in handicaps(board, side, draw).items():
                lines.setdefault(name, []).append(fen)
    for name, fens in lines.items():
        (folder / f"{name}.fen").write_text("\n".join(fens) + "\n")


if __name__ == "__main__":
    main()
