"""Chess and a Half as a PettingZoo environment."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from .aec import CatapultEnv, make_env

__all__ = ["env", "raw_env"]


def env(**settings: Any) -> AECEnv:
    """The environment, guarded as PettingZoo's wrappers guard its own games; settings as of `CatapultEnv`."""
    return make_env("half", **settings)


def raw_env(**settings: Any) -> CatapultEnv:
    """The environment without wrappers."""
    return CatapultEnv("half", **settings)
