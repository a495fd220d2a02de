"""Environments: PettingZoo's AEC interface for every game, and vectorised games as arrays.

>>> from catapult.envs import VectorEnv
>>> envs = VectorEnv("chesspp", num_envs=2)
>>> observation, info = envs.reset(seed=1)
>>> observation["observation"].shape, observation["action_mask"].shape
((2, 8, 8, 78), (2, 8512))

`catapult.envs.chesspp_v0.env()` and its siblings need the extra `catapult-chess[envs]` (PettingZoo and Gymnasium).

**Observations** are `float32 [ranks, files, channels]`, seen from the side to move: its first rank is rank 0 and
its pieces are "own". The channels are the input planes of the networks, then the global inputs, each of which is
constant over the board. `catapult.about(variant)` gives the shapes. The documentation of the crate
`catapult-encoding` lists every channel.

**Actions** are `plane * ranks * files + square`, seen from the side to move: the policy indices of the networks.
Each legal move of a position has a different action. `Board.action` and `Board.move_of_action` convert between
them. The action mask is `int8 [actions]`. With four catapults, two moves can share an action, so environments raise
`ValueError` for these variants.
"""

from .vector import OUTCOMES, VectorEnv

__all__ = ["OUTCOMES", "VectorEnv"]
