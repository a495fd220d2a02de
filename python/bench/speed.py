"""Speed of boards and environments compared with other packages, in equal loops: python bench/speed.py [SECONDS]

Missing packages are skipped. The choice of an action is never timed. Compare ratios within one run.

- *steps*: PettingZoo's loop: `last()`, its observation and mask, `step()`; with each package's own wrappers, and raw
- *boards*: a list of the legal moves as objects, and playing one of them
- *vector*: vectorised games, with observations and masks, or masks alone
"""

from __future__ import annotations

import importlib.metadata
import platform
import sys
import time
from collections.abc import Callable

import numpy as np

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0


def version(*names: str) -> str:
    for name in names:
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return "?"


def steps(make: Callable) -> float:
    """Steps per second of a PettingZoo environment."""
    env, rng = make(), np.random.default_rng(0)
    env.reset(seed=0)
    spent, done = 0.0, 0
    while spent < SECONDS:
        began = time.perf_counter()
        observation, _, terminated, truncated, _ = env.last()
        spent += time.perf_counter() - began
        if terminated or truncated:
            env.reset(seed=0)
            continue
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        began = time.perf_counter()
        env.step(action)
        spent += time.perf_counter() - began
        done += 1
    return done / spent


def boards(make: Callable, moves: Callable, push: Callable, over: Callable) -> float:
    """Positions per second in random games of at most 200 plies."""
    rng = np.random.default_rng(0)
    board, plies = make(), 0
    spent, done = 0.0, 0
    while spent < SECONDS:
        began = time.perf_counter()
        legal = moves(board)
        spent += time.perf_counter() - began
        if not legal or plies == 200 or over(board):
            board, plies = make(), 0
            continue
        move = legal[rng.integers(len(legal))]
        began = time.perf_counter()
        push(board, move)
        spent += time.perf_counter() - began
        plies, done = plies + 1, done + 1
    return done / spent


def vector(variant: str, observations: bool) -> float:
    """Steps per second of vectorised games, counted in each game."""
    from catapult.envs import VectorEnv

    envs = VectorEnv(variant, 128, observations=observations)
    envs.reset(seed=0)
    for _ in range(3):
        envs.step(envs.sample())
    spent, done = 0.0, 0
    while spent < SECONDS:
        actions = envs.sample()
        began = time.perf_counter()
        envs.step(actions)
        spent += time.perf_counter() - began
        done += envs.num_envs
    return done / spent


def main() -> None:
    import catapult
    from catapult.envs import chess_v0, chesspp_v0

    ours = f"catapult {version('catapult-chess')}"
    rows: list[tuple[str, str, float, float | None]] = []

    theirs: float | None = None
    raw: float | None = None
    try:
        from pettingzoo.classic import chess_v6

        theirs, raw = steps(chess_v6.env), steps(chess_v6.raw_env)
        named = f"PettingZoo {version('pettingzoo')} chess_v6"
        rows += [("steps, as shipped", named, theirs, None), ("steps, raw", named, raw, None)]
    except ImportError as error:
        print(f"PettingZoo's chess is left out: {error}", file=sys.stderr)
    for name, module in (("chess_v0", chess_v0), ("chesspp_v0", chesspp_v0)):
        rows.append(("steps, as shipped", f"{ours} {name}", steps(module.env), theirs))
        rows.append(("steps, raw", f"{ours} {name}", steps(module.raw_env), raw))

    theirs = None
    try:
        import chess

        theirs = boards(chess.Board, lambda b: list(b.legal_moves), lambda b, m: b.push(m), lambda b: False)
        rows.append(("boards", f"python-chess {chess.__version__}", theirs, None))
    except ImportError as error:
        print(f"python-chess is left out: {error}", file=sys.stderr)
    try:
        import pyspiel

        game = pyspiel.load_game("chess")
        rate = boards(game.new_initial_state, lambda s: s.legal_actions(), lambda s, a: s.apply_action(a), lambda s: s.is_terminal())
        rows.append(("boards (numbers, no objects)", f"OpenSpiel {version('open_spiel', 'open-spiel')} chess", rate, theirs))
    except ImportError as error:
        print(f"OpenSpiel is left out: {error}", file=sys.stderr)
    for variant in ("chess", "chesspp"):
        rate = boards(lambda: catapult.Board(variant), lambda b: list(b.legal_moves), lambda b, m: b.push(m), lambda b: False)
        rows.append(("boards", f"{ours} {variant}", rate, theirs))

    for variant in ("chess", "chesspp"):
        rows.append(("vector, with observations", f"{ours} {variant}, 128 games, 1 thread", vector(variant, True), None))
        rows.append(("vector, masks alone", f"{ours} {variant}, 128 games, 1 thread", vector(variant, False), None))

    print(f"Python {platform.python_version()}, numpy {np.__version__}, {SECONDS:g} s a row\n")
    print("| loop | of | a second | ratio |\n|---|---|---|---|")
    for loop, of, rate, beside in rows:
        ratio = f"{rate / beside:.1f}" if beside else ""
        print(f"| {loop} | {of} | {rate:,.0f} | {ratio} |")


if __name__ == "__main__":
    main()
