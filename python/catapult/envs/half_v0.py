"""Chess and a Half as a PettingZoo environment."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from .aec import CatapultEnv, make_env

__all__ = ["env", "raw_env"]


def env(**settings: Any) -> AECEnv:
    """The environment with the checks of PettingZoo's wrappers; settings as for `CatapultEnv`."""
    return make_env("half", **settings)


def raw_env(**settings: Any) -> CatapultEnv:
    """The environment without checks of misuse."""
    return CatapultEnv("half", **settings)
