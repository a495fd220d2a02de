"""Portable game notation: games of files one by one, and boards as PGN.

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
    """A game as it stands in a file.

    `board` stands after the last move that could be played; None where the variant or the start was refused. `error` says what was wrong,
    with the game's number and the line; None if nothing was.
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
    """The games of a file, one after the other, whatever its size. `variant` overrules the `Variant` tags.

    A game that can't be read costs that game only: its `error` says why. Raises OSError if the file can't be opened.
    """
    return _games(PgnReader(path=os.fspath(path), variant=variant))


def read_text(text: str, variant: str | None = None) -> Iterator[Game]:
    """The same of text."""
    return _games(PgnReader(text=text, variant=variant))


def write(
    board: Board,
    tags: Mapping[str, str] | None = None,
    comments: Sequence[str] = (),
    result: str | None = None,
) -> str:
    """A board's game as PGN, with a comment behind each move as far as there are any ("" is none).

    `result` is that of the board if it is left out. Raises ValueError for a result that is none, and for a tag whose name is not made of
    letters, digits and `_`.
    """
    return _write_pgn(board, list((tags or {}).items()), list(comments), result)
