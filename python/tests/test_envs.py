"""Environments: PettingZoo's own tests, and vectorised games compared with boards."""

from __future__ import annotations

import multiprocessing
import time

import numpy as np
import pytest

import catapult
import catapult.data
from catapult.envs import OUTCOMES, VectorEnv

pettingzoo_test = pytest.importorskip("pettingzoo.test")
from catapult.envs import century_v0, chess_v0, chesspp_v0, half_v0, maxim_v0  # noqa: E402

MODULES = [chess_v0, chesspp_v0, century_v0, half_v0, maxim_v0]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.split(".")[-1])
@pytest.mark.parametrize("make", ["env", "raw_env"])
def test_pettingzoo_is_content(module, make: str) -> None:
    make = getattr(module, make)
    pettingzoo_test.api_test(make(), num_cycles=150)
    pettingzoo_test.seed_test(make, num_cycles=40)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_options_are_other_games() -> None:
    env = chesspp_v0.env(options=["instant", "third"], render_mode="ansi")
    env.reset()
    assert env.board.variant == "chesspp+instant+third" and env.metadata["name"] == "chesspp+instant+third_v0"
    assert len(env.board.floor_map()) == 6 and "{" in env.render()
    pettingzoo_test.api_test(chesspp_v0.env(options=["free"]), num_cycles=50)
    for options in (["x"], "instant"):
        with pytest.raises(ValueError):
            chesspp_v0.env(options=options)


def test_rewards_and_ends() -> None:
    env = chess_v0.env()
    env.reset()
    for san in ("f3", "e5", "g4", "Qh4#"):
        observation, reward, terminated, truncated, _ = env.last()
        assert (reward, terminated, truncated) == (0, False, False)
        assert observation["action_mask"].sum() == len(env.board.legal_moves)
        other = "black" if env.agent_selection == "white" else "white"
        assert env.observe(other)["action_mask"].sum() == 0
        env.step(env.board.action(env.board.parse_san(san)))
    assert env.rewards == {"white": -1, "black": 1} and all(env.terminations.values())
    assert env.infos["white"]["outcome"] == "checkmate"


def test_an_illegal_action_ends_the_game_or_is_refused() -> None:
    env = chess_v0.env()
    for call in (lambda: env.step(0), env.render):
        with pytest.raises(AttributeError):
            call()
    env.reset()
    illegal = int(np.flatnonzero(env.observe("white")["action_mask"] == 0)[0])
    env.step(illegal)
    assert env.rewards == {"white": -1, "black": 0} and all(env.terminations.values())
    for _ in env.possible_agents:
        env.step(None)
    assert not env.agents
    env.step(None)  # a warning, as with PettingZoo's wrappers
    raw = chess_v0.raw_env()
    raw.reset()
    with pytest.raises(ValueError, match=f"action {illegal}"):
        raw.step(illegal)
    for action in (-1, 2**70):
        with pytest.raises(ValueError, match=f"action {action}"):
            raw.step(action)
    for action in (8.9, "8"):
        with pytest.raises(TypeError):
            raw.step(action)
    assert not any(raw.terminations.values()) and raw.board == catapult.Board()
    with pytest.raises(ValueError, match="is over"):
        raw.reset(options={"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"})


def test_games_are_cut_at_the_end_of_a_turn() -> None:
    env = maxim_v0.env(max_plies=2)
    env.reset()
    rng = np.random.default_rng(0)
    while not any(env.truncations.values()):
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
    assert env.board.is_turn_start and env.board.ply() <= 3


@pytest.mark.parametrize("variant", ["chess", "chesspp", "chesspp+free+instant", "century", "half", "maxim"])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_vector_of_games_is_so_many_boards(variant: str, threads: int) -> None:
    count, cap = 15, 150
    envs = VectorEnv(variant, count, max_plies=cap, threads=threads)
    boards = [catapult.Board(variant) for _ in range(count)]
    seen, _ = envs.reset(seed=5)
    ends = np.zeros(len(OUTCOMES), int)
    for _ in range(260):
        for game in range(0, count, 7):
            board = boards[game]
            assert (seen["action_mask"][game] == board.action_mask()).all()
            assert (seen["observation"][game] == board.observation()).all()
            assert seen["turn"][game] == board.turn
        actions = envs.sample()
        movers = [board.turn for board in boards]
        for board, action in zip(boards, actions):
            board.push(board.move_of_action(int(action)))
        seen, rewards, terminated, truncated, info = envs.step(actions)
        for game, (board, mover) in enumerate(zip(boards, movers)):
            outcome = board.outcome()
            cut = outcome is None and len(board.move_stack) >= cap and board.is_turn_start
            assert (terminated[game], truncated[game]) == (outcome is not None, cut)
            assert OUTCOMES[info["outcome"][game]] == (outcome.termination if outcome else "cut" if cut else "goes on")
            won = outcome is not None and outcome.winner is not None
            assert rewards[game] == ((1 if outcome.winner == mover else -1) if won else 0)
            if outcome or cut:
                board.reset()
        ends += np.bincount(info["outcome"], minlength=len(OUTCOMES))
        assert envs.fens() == [board.fen() for board in boards]
    assert ends[1:].sum() > 0 and (envs.move_counts() == [len(board.legal_moves) for board in boards]).all()


def test_the_same_seed_gives_the_same_games() -> None:
    def played(threads: int) -> list[str]:
        envs = VectorEnv("chesspp", 30, threads=threads, observations=False)
        envs.reset(seed=3)
        for _ in range(50):
            envs.step(envs.sample())
        return envs.fens()

    assert played(1) == played(1) == played(4)


def test_one_thread_is_the_calling_thread() -> None:
    envs = VectorEnv("chesspp", 64)
    envs.reset(seed=1)
    everyone, caller = time.process_time(), time.thread_time()
    for _ in range(20):
        envs.step(envs.sample())
    assert time.thread_time() - caller > 0.8 * (time.process_time() - everyone)


def test_forked_processes_play_and_read(tmp_path) -> None:
    path = catapult.data.selfplay(catapult.Engine(simulations=1), "chess", 2, tmp_path, ply_cap=20)
    envs = VectorEnv("chess", 64)
    envs.reset(seed=1)

    def work() -> None:
        envs.step(envs.sample())
        assert len(catapult.data.rows(path))

    work()
    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    child.join(30)
    code = child.exitcode
    child.kill()
    assert code == 0


def test_refusals_of_vectors() -> None:
    envs = VectorEnv("chess", 2)
    seen, _ = envs.reset()
    legal = envs.sample()
    with pytest.raises(ValueError, match="game 1: action 8511 is not legal in rnbq"):
        envs.step(np.array([legal[0], 8511]))
    assert envs.fens() == [catapult.Board().fen()] * 2
    for actions in (legal[:1], legal.astype(float), legal[None], np.array([-1, 2**40])):
        with pytest.raises(ValueError):
            envs.step(actions)
    results = [np.empty(2, kind) for kind in (np.float32, bool, bool, np.int8)]
    for short in range(4):
        arrays = [array[:1] if number == short else array for number, array in enumerate(results)]
        with pytest.raises(ValueError, match="expected arrays for 2 games"):
            envs._games.step(legal, *arrays)
    assert envs.fens() == [catapult.Board().fen()] * 2
    with pytest.raises(ValueError, match="1 FENs for 2 games"):
        envs.reset(fens=[catapult.Board().fen()])
    for key, value in [("num_envs", 0), ("num_envs", -1), ("max_plies", 0), ("max_plies", 2**32), ("threads", -1)]:
        with pytest.raises(ValueError, match=f"{key} = {value}: must be from 1 to"):
            VectorEnv("chess", **{key: value})
    with pytest.raises(ValueError, match="two moves can share an action"):
        VectorEnv("chesspp+catapults=b1c1f1g1", 1)
    with pytest.raises(ValueError, match="two moves can share an action"):
        chesspp_v0.env(options=["catapults=b1c1f1g1"])
    with pytest.raises(ValueError, match="is over: checkmate"):
        VectorEnv("chess", 1, fen="rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    assert set(VectorEnv("chess", 1, observations=False).reset()[0]) == {"action_mask", "turn"}
    kept = VectorEnv("chess", 1, copy=True)
    before = kept.reset()[0]["observation"]
    kept.step(kept.sample())
    assert (before == catapult.Board().observation()).all() and (seen["turn"] == [True, True]).all()
