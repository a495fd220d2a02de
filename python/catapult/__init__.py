"""Chess++ and its relatives: boards, environments, search, networks and games, over a Rust engine.

The interface of boards follows python-chess:

>>> import catapult
>>> board = catapult.Board("chesspp")
>>> board.push_san("e4")
Move.from_uci("e2e4")
>>> board.push_uci("b8f8t")    # a teleport of the knight from catapult to catapult
Traceback (most recent call last):
    ...
ValueError: move `b8f8t`: not legal in this position
>>> len(board.legal_moves), board.turn == catapult.BLACK
(20, True)

Modules: `catapult.pgn`, `catapult.svg`, `catapult.envs` (PettingZoo and vectorised games),
`catapult.data` (training samples from shards and runs), `catapult.torch` (the networks in PyTorch),
`catapult.onnx` (their export), `catapult.openspiel`.
"""

from ._catapult import (
    Analysis,
    Board,
    Engine,
    Floor,
    LegalMoves,
    Line,
    Move,
    Network,
    Outcome,
    Piece,
    Positions,
    __version__,
    about,
    inspect,
    play_match,
    search_settings,
    variants,
)
from .play import play_games

WHITE = True
BLACK = False

__all__ = [
    "BLACK",
    "WHITE",
    "Analysis",
    "Board",
    "Engine",
    "Floor",
    "LegalMoves",
    "Line",
    "Move",
    "Network",
    "Outcome",
    "Piece",
    "Positions",
    "__version__",
    "about",
    "inspect",
    "play_games",
    "play_match",
    "search_settings",
    "variants",
]
