"""Games between engines."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ._catapult import Board, Engine

__all__ = ["play_games"]


def play_games(
    white: Engine,
    black: Engine | None = None,
    variant: str = "chesspp",
    games: int = 1,
    *,
    starts: Sequence[Board] | None = None,
    max_plies: int = 400,
    temperature: float = 0.0,
    sampled_plies: int = 20,
    seed: int = 0,
) -> list[Board]:
    """Plays games in parallel with batched evaluations and returns their boards.

    `white` and `black` (default: the same engine) play from the start position, or from copies of
    the boards in `starts`, one per game. The first `sampled_plies` plies of each game are sampled
    at `temperature`; later moves are the best found. All games from one start are equal if the
    temperature is 0 and the engine has no noise (`gumbel_scale`, `dirichlet_fraction`). A game
    ends by the rules, or at the end of a turn after `max_plies`.
    """
    boards = [Board(variant) for _ in range(games)] if starts is None else [board.copy() for board in starts]
    sides = {True: white, False: white if black is None else black}
    before = [board.ply() for board in boards]
    # Sums of seeds and plies would give games of successive seeds the same random numbers.
    rng = random.Random(f"{seed} {sides[True].seed} {sides[False].seed}")
    played = 0
    while True:
        going = [
            board
            for board, first in zip(boards, before)
            if not board.is_game_over() and (board.ply() - first < max_plies or not board.is_turn_start)
        ]
        if not going:
            return boards
        warmth = temperature if played < sampled_plies else 0.0
        chosen = []
        for colour, engine in sides.items():
            turns = [board for board in going if board.turn == colour]
            found = engine.analyse_many(turns, temperature=warmth, seed=rng.getrandbits(64)) if turns else []
            chosen += [(board, analysis.best) for board, analysis in zip(turns, found)]
        for board, move in chosen:
            board.push(move)
        played += 1
