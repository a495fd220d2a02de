"""Portable Game Notation: reading the games of files one by one, and writing boards.

>>> import catapult, catapult.pgn
>>> board = catapult.Board()
>>> for san in ["f3", "e5", "g4", "Qh4#"]:
...     _ = board.push_san(san)
>>> text = catapult.pgn.write(board, {"White": "Foolish"})
>>> game, = catapult.pgn.read_text(text)
>>> game.tags["White"], game.result, game.board == board
('Foolish', '0-1', True)
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ._catapult import Board, PgnReader, _write_pgn

__all__ = ["Game", "read", "read_text", "write"]


@dataclass
class Game:
    """A game of a PGN file.

    `board` is the position after the last legal move, or None if the variant or the start is
    invalid. `error` describes the problem with the game's number and line, or is None. After a
    syntax error, `tags` is empty, and `variant` and `board` are None.
    """

    tags: dict[str, str] = field(default_factory=dict)
    variant: str | None = None
    board: Board | None = None
    result: str = "*"
    error: str | None = None


def _games(reader: PgnReader) -> Iterator[Game]:
    for tags, variant, board, result, error in reader:
        yield Game(dict(tags), variant, board, result, error)


def read(path: str | os.PathLike[str], variant: str | None = None) -> Iterator[Game]:
    """Iterates over the games of a file of any size. `variant` overrides the `Variant` tags.

    An unreadable game does not affect the others; its `error` gives the reason. Raises OSError if
    the file cannot be opened or read.
    """
    return _games(PgnReader(path=path, variant=variant))


def read_text(text: str, variant: str | None = None) -> Iterator[Game]:
    """Iterates over the games of a text, like `read`."""
    return _games(PgnReader(text=text, variant=variant))


def write(
    board: Board,
    tags: Mapping[str, str] | None = None,
    comments: Sequence[str] = (),
    result: str | None = None,
) -> str:
    """Writes a board's game as PGN, with `comments[i]` after move `i` ("" for none).

    `result` defaults to the board's result. If the game is not over on the board, for example after
    a resignation, it defaults to the tag `Result` if that is `1-0`, `0-1` or `1/2-1/2`. Raises ValueError for an invalid result, or for a
    tag name with characters other than letters, digits and `_`.
    """
    if result is None and tags is not None and not board.is_game_over():
        tag = tags.get("Result")
        result = tag if tag in ("1-0", "0-1", "1/2-1/2") else None
    return _write_pgn(board, list((tags or {}).items()), list(comments), result)
