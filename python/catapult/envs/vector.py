"""Vectorised games as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._catapult import VectorGames

__all__ = ["OUTCOMES", "VectorEnv"]

# Meaning of the numbers in `info["outcome"]`.
OUTCOMES = ("goes on", "checkmate", "stalemate", "dead", "hundred-plies", "repetition", "cut")


class VectorEnv:
    """`num_envs` games of one variant. A finished game restarts in the same step.

    `reset` and `step` return a dict of arrays whose row `i` belongs to game `i`:

    - `observation`: float32 [num_envs, ranks, files, channels] (absent with `observations=False`)
    - `action_mask`: int8 [num_envs, actions], 1 for each legal action
    - `turn`: bool [num_envs], True if White decides next

    Every step overwrites the arrays: copy them to keep them, or pass `copy=True`. Equal actions
    give equal arrays for any number of `threads` (1 is the calling thread). With more threads,
    create the games after a fork, not before. The GIL is released during the work.

    `fen` is the first position of the games. `max_plies` truncates a game at the end of a turn.
    Raises ValueError for an invalid variant, FEN or number.
    """

    def __init__(
        self,
        variant: str = "chesspp",
        num_envs: int = 64,
        *,
        fen: str | None = None,
        max_plies: int | None = None,
        observations: bool = True,
        threads: int = 1,
        copy: bool = False,
    ) -> None:
        self._games = VectorGames(variant, num_envs, fen, max_plies, threads)
        self.variant = variant
        self.num_envs = num_envs
        self.copy = copy
        ranks, files, channels, actions = self._games.shape
        # Shape of one game's observation.
        self.observation_shape = (ranks, files, channels)
        # Number of actions.
        self.num_actions = actions
        self._observation = np.zeros((num_envs, ranks, files, channels), np.float32) if observations else None
        self._mask = np.zeros((num_envs, actions), np.int8)
        self._turn = np.zeros(num_envs, np.bool_)
        self._rewards = np.zeros(num_envs, np.float32)
        self._terminated = np.zeros(num_envs, np.bool_)
        self._truncated = np.zeros(num_envs, np.bool_)
        self._outcome = np.zeros(num_envs, np.int8)

    def _told(self) -> dict[str, np.ndarray]:
        self._games.write((self._observation, self._mask, self._turn))
        told = {"action_mask": self._mask, "turn": self._turn}
        if self._observation is not None:
            told["observation"] = self._observation
        return {name: array.copy() for name, array in told.items()} if self.copy else told

    def reset(
        self, *, seed: int | None = None, fens: Sequence[str] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Restarts all games, from `fens` (one per game) if given. Later restarts use the first
        position again. `seed` affects only `sample`.
        """
        if seed is not None:
            self._games.seed(seed)
        self._games.reset(None if fens is None else list(fens))
        return self._told(), {}

    def step(
        self, actions: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, np.ndarray]]:
        """Plays one action per game (integers [num_envs]).

        Returns the next observations, `rewards` (float32 [num_envs]: 1, 0 or -1 for the side that
        has just moved), `terminated` and `truncated` (bool [num_envs]), and `info` with `outcome`
        (int8 [num_envs]: index into `OUTCOMES`).

        The observation of a finished game is the start of the next one. Raises ValueError, with
        game and action, if an action is illegal; then no action is played.
        """
        asked = np.ascontiguousarray(actions)
        if asked.ndim != 1 or asked.dtype.kind not in "iu":
            raise ValueError(f"actions: expected integers of shape ({self.num_envs},), got {asked.dtype} of shape {asked.shape}")
        arrays = (self._rewards, self._terminated, self._truncated, self._outcome)
        self._games.step(asked.astype(np.int64, copy=False), *arrays)
        told = self._told()
        if self.copy:
            arrays = tuple(array.copy() for array in arrays)
        rewards, terminated, truncated, outcome = arrays
        return told, rewards, terminated, truncated, {"outcome": outcome}

    def sample(self) -> np.ndarray:
        """A random legal action per game, uniformly distributed: int64 [num_envs]."""
        return self._games.sample()

    def fens(self) -> list[str]:
        """FEN of each game's position."""
        return self._games.fens()

    def move_counts(self) -> np.ndarray:
        """Number of legal moves per game: uint32 [num_envs]."""
        return self._games.move_counts()

    def __repr__(self) -> str:
        return f"VectorEnv({self.variant!r}, num_envs={self.num_envs})"
