"""PettingZoo's AEC interface."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from .._catapult import Board, _check_actions, about

__all__ = ["CatapultEnv", "GuardedEnv"]


def _check_goes_on(board: Board) -> None:
    if board.is_game_over():
        raise ValueError(f"{board.fen()} is over: {board.result()}")


class CatapultEnv(AECEnv):
    """A game of two agents, `white` and `black`.

    `observe` returns `{"observation": float32 [ranks, files, channels], "action_mask": int8
    [actions]}`, seen from the side to move. The mask of the other agent is 0. The winner's reward
    is 1, the loser's -1. In games with several decisions per turn (Maxim chess) an agent is
    selected several times in a row.

    `variant` is a name with its options and `fen` the first position. `max_plies` truncates games
    for both agents. `render_mode` may be "ansi" (text) or "svg".
    """

    metadata = {"render_modes": ["ansi", "svg"], "is_parallelizable": False, "render_fps": 2}

    def __init__(
        self,
        variant: str = "chesspp",
        *,
        fen: str | None = None,
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._start = Board(variant, fen)
        if render_mode not in (None, "ansi", "svg"):
            raise ValueError(f"render_mode {render_mode!r}: must be 'ansi' or 'svg'")
        if max_plies is not None and max_plies < 1:
            raise ValueError(f"max_plies = {max_plies}: it is at least 1")
        _check_goes_on(self._start)
        shapes = about(variant)
        _check_actions(variant)
        self.metadata = {**self.metadata, "name": f"{variant}_v0"}
        self.variant = variant
        self.max_plies = max_plies
        self.render_mode = render_mode
        self.possible_agents = ["white", "black"]
        shape, actions = (shapes["ranks"], shapes["files"], shapes["channels"]), shapes["actions"]
        # Piece differences are the largest inputs: a FEN may contain 144 queens.
        seen = spaces.Dict(
            {
                "observation": spaces.Box(-144.0, 144.0, shape, np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = {agent: seen for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._no_actions = np.zeros(actions, np.int8)
        self.board = self._start.copy()
        self._plies = 0

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game; `options={"fen": ...}` sets its first position. The seed has no effect,
        because nothing is random.
        """
        fen = (options or {}).get("fen")
        board = self._start.copy() if fen is None else Board(self.variant, fen)
        _check_goes_on(board)
        self.board = board
        self._plies = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def _to_move(self) -> str:
        return "white" if self.board.turn else "black"

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        to_move = agent == self._to_move()
        mask = self.board.action_mask() if to_move else self._no_actions.copy()
        return {"observation": self.board.observation(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays an action. Raises ValueError if it is not legal, TypeError if it is not an integer."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._was_dead_step(action)
        if action is None:
            raise ValueError("action None: the game is not over")
        action = operator.index(action)
        self._cumulative_rewards[agent] = 0
        if not 0 <= action < len(self._no_actions):
            raise ValueError(f"action {action}: there are 0 to {len(self._no_actions) - 1}")
        self.board.push(self.board.move_of_action(action))
        self._plies += 1
        self.rewards = dict.fromkeys(self.agents, 0)
        outcome = self.board.outcome()
        if outcome is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {agent: {"outcome": outcome.termination} for agent in self.agents}
            if outcome.winner is not None:
                self.rewards = {"white": 1, "black": -1} if outcome.winner else {"white": -1, "black": 1}
        elif self.max_plies is not None and self._plies >= self.max_plies and self.board.is_turn_start:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._to_move()
        self._accumulate_rewards()

    def render(self) -> str | None:
        if self.render_mode == "ansi":
            return str(self.board)
        return self.board.svg() if self.render_mode == "svg" else None

    def close(self) -> None:
        pass


class GuardedEnv(CatapultEnv):
    """The environment with the checks of PettingZoo's wrappers, in one class instead of three.
    Calls before `reset` fail. An illegal action ends the game, with reward -1 for its agent and 0
    for the other.
    """

    def _check_begun(self) -> None:
        if not hasattr(self, "agents"):
            raise AttributeError("reset() must be called first")

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        self._check_begun()
        return super().observe(agent)

    def render(self) -> str | None:
        self._check_begun()
        return super().render()

    def step(self, action: int | None) -> None:
        self._check_begun()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        try:
            super().step(action)
        except ValueError:
            agent = self.agent_selection
            if self.terminations[agent] or self.truncations[agent] or action is None:
                raise
            self.rewards = dict.fromkeys(self.agents, 0)
            self.rewards[agent] = -1
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {agent: {"outcome": "illegal-move"} for agent in self.agents}
            self._accumulate_rewards()
