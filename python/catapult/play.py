"""Games between engines, and matches."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ._catapult import Board, Engine, _play_match

__all__ = ["play_games", "play_match"]


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
    """Plays games side by side, so that an engine is asked about all of them at once, and gives their boards.

    `white` and `black` (by default the same engine) play from the start, or from `starts`, one board a game, which are copied. Moves are
    drawn at `temperature` for the first `sampled_plies` of each game, and are the best that is found after them: at a temperature of 0 games
    from one start are alike. A game ends by the rules, or at the end of a turn after `max_plies`.
    """
    boards = [Board(variant) for _ in range(games)] if starts is None else [board.copy() for board in starts]
    sides = {True: white, False: white if black is None else black}
    before = [len(board.move_stack) for board in boards]
    played = 0
    while True:
        going = [
            board
            for board, first in zip(boards, before)
            if not board.is_game_over() and (len(board.move_stack) - first < max_plies or not board.is_turn_start)
        ]
        if not going:
            return boards
        warmth = temperature if played < sampled_plies else 0.0
        chosen = []
        for colour, engine in sides.items():
            turns = [board for board in going if board.turn == colour]
            found = engine.analyse_many(turns, temperature=warmth, seed=engine.seed + seed + played) if turns else []
            chosen += [(board, analysis.best) for board, analysis in zip(turns, found)]
        for board, move in chosen:
            board.push(move)
        played += 1


def play_match(
    player: Engine | str,
    opponent: Engine | str,
    variant: str = "chesspp",
    games: int = 100,
    *,
    seed: int = 1,
    threads: int = 1,
    ply_cap: int = 400,
) -> dict[str, Any]:
    """Plays a match as `catapult match` does, with the project's openings, colours swapped in pairs, and gives its result as a dict: `wins`,
    `draws`, `losses` and `capped` of `player`, `score` and `elo` with their 95 % intervals (`value`, `low`, `high`), `reasons`, `pairs`, ...

    Players are engines or names: `"random"`, `"alphabeta:1"`, `"search:uniform:64"`, `"FILE.safetensors:64"` and so on. `games` is even. The
    same players and seed give the same games on any number of `threads`.
    """
    return json.loads(_play_match(player, opponent, variant, games, seed, threads, ply_cap))
