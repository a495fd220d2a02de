"""Environments: PettingZoo's AEC interface for every game, and many games at once as arrays.

>>> from catapult.envs import VectorEnv
>>> envs = VectorEnv("chesspp", num_envs=2)
>>> observation, info = envs.reset(seed=1)
>>> observation["observation"].shape, observation["action_mask"].shape
((2, 8, 8, 57), (2, 8512))

`catapult.envs.chesspp_v0.env()` and its like need the extra `catapult-chess[envs]` (PettingZoo and Gymnasium).

**Observations** are `float32 [ranks, files, channels]`, seen from the side to move (its first rank is rank 0, its pieces are "own"): the
input planes of our networks, then their global inputs, each of these the same on every square. `catapult.about(variant)` gives the
shapes, and the module documentation of the crate `catapult-encoding` names every channel.

**Actions** are `plane * ranks * files + square`, seen from the side to move: the policy indices of our networks. In one position each
legal move has its own action; `Board.action` and `Board.move_of_action` turn one into the other. The action mask is `int8 [actions]`.
"""

from .vector import OUTCOMES, VectorEnv

__all__ = ["OUTCOMES", "VectorEnv"]
