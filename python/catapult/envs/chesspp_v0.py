"""Chess++ as a PettingZoo environment, with any of the inventor's proposals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .aec import CatapultEnv, GuardedEnv

__all__ = ["env", "raw_env"]


def _name(options: Iterable[str]) -> str:
    if isinstance(options, str):
        raise ValueError(f"options {options!r}: expected a sequence of names, such as ['instant']")
    return "+".join(["chesspp", *options])


def env(options: Iterable[str] = (), **settings: Any) -> GuardedEnv:
    """The environment with the checks of PettingZoo's wrappers.

    `options` are proposals: "free" (catapults are placed first), "instant" (a teleport in the same
    turn), "pawns" (pawns teleport), "promote" (pawns promote to catapults), "third" (three
    catapults). `settings` are the parameters of `CatapultEnv`.
    """
    return GuardedEnv(_name(options), **settings)


def raw_env(options: Iterable[str] = (), **settings: Any) -> CatapultEnv:
    """The environment without checks of misuse."""
    return CatapultEnv(_name(options), **settings)
