"""The games for OpenSpiel: `import catapult.openspiel` registers them with `pyspiel`.

```python
import pyspiel, catapult.openspiel

game = pyspiel.load_game("catapult(variant=chesspp+instant)")
state = game.new_initial_state()
```

The single game `catapult` has the parameters `variant` and `max_plies`. A game without an outcome
after `max_plies` is a draw. With the default 0, only the rules end a game. Actions and observations
are the same as in `catapult.envs`, but observations are flat tensors. Players are 0 (White, who
begins) and 1 (Black). In Maxim chess, a player may act several times in a row.

In OpenSpiel, a parameter cannot contain `=`. Write a colon: `catapult(variant=chesspp+fifty:60)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from ._catapult import Board, _check_actions, about

__all__ = ["CatapultGame", "CatapultState"]

# Upper bound on the actions of a game: fewer than 500 captures and pawn moves, at most 1,000 plies
# apart (`+fifty=1000`).
_LONGEST = 1_000_000

_TYPE = pyspiel.GameType(
    short_name="catapult",
    long_name="Chess++ and its relatives",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"variant": "chesspp", "max_plies": 0},
)


class CatapultGame(pyspiel.Game):
    """A variant as an OpenSpiel game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.variant = str(params.get("variant", "chesspp")).replace(":", "=")
        self.max_plies = int(params.get("max_plies", 0))
        if self.max_plies < 0:
            raise ValueError(f"max_plies = {self.max_plies}: must be at least 0")
        shapes = about(self.variant)
        _check_actions(self.variant)
        self.shape = (shapes["ranks"], shapes["files"], shapes["channels"])
        info = pyspiel.GameInfo(
            num_distinct_actions=shapes["actions"],
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_plies or _LONGEST,
        )
        variant = self.variant.replace("=", ":")
        super().__init__(_TYPE, info, {"variant": variant, "max_plies": self.max_plies})

    def new_initial_state(self, state: str | None = None) -> CatapultState:
        """The start position, or the position of a FEN."""
        return CatapultState(self, Board(self.variant, state))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        return _Observer(self, iig_obs_type is not None and iig_obs_type.perfect_recall)


class CatapultState(pyspiel.State):
    """A position with its history."""

    def __init__(self, game: CatapultGame, board: Board) -> None:
        super().__init__(game)
        # OpenSpiel copies a state with all its attributes, so the game is not one of them.
        self.board = board
        self._first = board.ply()
        self._max_plies = game.max_plies

    def _is_cut(self) -> bool:
        return bool(self._max_plies) and self.board.ply() - self._first >= self._max_plies

    def current_player(self) -> int:
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return 0 if self.board.turn else 1

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(int(action) for action in self.board.legal_actions())

    def _apply_action(self, action: int) -> None:
        self.board.push(self.board.move_of_action(action))

    def _action_to_string(self, player: int, action: int) -> str:
        # OpenSpiel calls this on the position before the action.
        return self.board.san(self.board.move_of_action(action))

    def is_terminal(self) -> bool:
        return self._is_cut() or self.board.is_game_over()

    def returns(self) -> list[float]:
        outcome = self.board.outcome()
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if outcome.winner else [-1.0, 1.0]

    def __str__(self) -> str:
        return self.board.fen()


class _Observer:
    """An OpenSpiel observer: a flat tensor and a text.

    The text is the FEN. With perfect recall, the actions that led to it follow.
    """

    def __init__(self, game: CatapultGame, perfect_recall: bool) -> None:
        self._perfect_recall = perfect_recall
        self.tensor = np.zeros(int(np.prod(game.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(game.shape)}

    def set_from(self, state: CatapultState, player: int) -> None:
        self.dict["observation"][...] = state.board.observation()

    def string_from(self, state: CatapultState, player: int) -> str:
        fen = state.board.fen()
        return f"{fen}; {state.history_str()}" if self._perfect_recall else fen


pyspiel.register_game(_TYPE, CatapultGame)
