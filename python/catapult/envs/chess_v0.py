"""Standard chess as a PettingZoo environment.

`env` makes the environment with the checks of PettingZoo's wrappers, `raw_env` without checks of misuse. Their
settings are the parameters of `CatapultEnv`.
"""

from functools import partial

from .aec import CatapultEnv, GuardedEnv

__all__ = ["env", "raw_env"]

env = partial(GuardedEnv, "chess")
raw_env = partial(CatapultEnv, "chess")
