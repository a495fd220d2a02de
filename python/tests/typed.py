"""Code that a type checker must accept. It is checked, not run."""

import numpy as np
from numpy.typing import NDArray

import catapult
import catapult.data
import catapult.pgn
from catapult.envs import VectorEnv


def evaluator(positions: catapult.Positions) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    return np.zeros(len(positions.moves), np.float32), np.zeros(len(positions), np.float32)


def played() -> str:
    board = catapult.Board("chesspp")
    move: catapult.Move = catapult.Engine(evaluator, simulations=8).play(board)
    board.push(move)
    first: catapult.Move = board.legal_moves[0]
    texts: list[str] = [each.uci() for each in board.legal_moves]
    outcome = board.outcome()
    winner: bool | None = outcome.winner if outcome is not None else None
    observation, info = VectorEnv("chess", 2).reset()
    mask: NDArray[np.int8] = observation["action_mask"]
    for game in catapult.pgn.read("games.pgn"):
        text: str | None = game.error
    return catapult.pgn.write(board)
