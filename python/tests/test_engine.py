"""Search: forced mates, Python evaluators compared with native ones, many boards at once."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from conftest import random_game

import catapult
import catapult.data


def uniform(positions: catapult.Positions):
    return np.zeros(len(positions.moves)), np.zeros(len(positions))


MATES = [
    ("chess", "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", 1),
    ("chess", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1),
    ("chesspp", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1 -/-", 1),
]


@pytest.mark.parametrize("algorithm", ["gumbel", "puct"])
@pytest.mark.parametrize(("variant", "fen", "moves"), MATES)
def test_mates_are_found_and_proven(algorithm: str, variant: str, fen: str, moves: int) -> None:
    board = catapult.Board(variant, fen)
    analysis = catapult.Engine("material", simulations=300, algorithm=algorithm).analyse(board)
    line = analysis.lines[0]
    assert (line.mate, line.proven, line.move) == (moves, "win", analysis.best)
    for move in line.pv:
        board.push(move)
    assert board.is_checkmate() and analysis.value == 1 and line.san[-1].endswith("#")


def test_analysis_adds_up() -> None:
    board = random_game("chesspp", 4, plies=12)
    before = board.fen()
    analysis = catapult.Engine("material", simulations=200).analyse(board)
    assert sum(line.visits for line in analysis.lines) == analysis.simulations == 200
    assert {line.move for line in analysis.lines} == set(board.legal_moves)
    policy = analysis.policy()
    assert sum(policy.values()) == pytest.approx(1, abs=1e-4) and max(policy, key=policy.get) in policy
    assert sum(line.prior for line in analysis.lines) == pytest.approx(1, abs=1e-4)
    assert sum(analysis.wdl) == pytest.approx(1, abs=1e-5) and analysis.value == pytest.approx(analysis.wdl[0] - analysis.wdl[2])
    for line in analysis.lines:
        assert (line.value is None) == (line.visits == 0) and line.pv[0] == line.move
        if line.value is not None:
            assert line.value == pytest.approx(line.wdl[0] - line.wdl[2], abs=1e-5)
    assert board.fen() == before and analysis.best == analysis.lines[0].move


@pytest.mark.parametrize("variant", catapult.variants(options=False))
def test_a_function_that_says_what_we_say_finds_what_we_find(variant: str, tmp_path) -> None:
    network = catapult.Network.untrained(variant, channels=8, blocks=3, seed=1)
    arrays = network.parameters()
    rng = np.random.default_rng(0)
    shaken = {name: array + (0.1 * rng.standard_normal(array.shape)).astype(np.float32) * ("variance" not in name) for name, array in arrays.items()}
    network = catapult.Network.from_arrays(network.architecture, network.layout, shaken)
    calls = []

    def function(positions: catapult.Positions):
        calls.append(len(positions))
        assert positions.variant == variant and len(positions.fens) == len(positions)
        board = catapult.Board(variant, positions.fens[0])
        assert list(positions.actions[: positions.offsets[1]]) == list(board.legal_actions())
        logits, values, left = network.forward(positions.planes, positions.globals, positions.moves)
        dense = np.full((len(positions), positions.num_actions), -1e9, np.float32)
        dense[positions.moves[:, 0], positions.actions] = logits
        return (logits if len(calls) % 2 else dense), values, left

    boards = [random_game(variant, seed, plies=6) for seed in range(5)]
    ours = catapult.Engine(network, simulations=40).analyse_many(boards)
    theirs = catapult.Engine(function, simulations=40).analyse_many(boards)
    assert max(calls) > 5
    for a, b in zip(ours, theirs):
        assert a.best == b.best and [line.visits for line in a.lines] == [line.visits for line in b.lines]
        assert a.value == pytest.approx(b.value, abs=1e-5)
    small = []
    catapult.Engine(lambda p: (small.append(len(p)), uniform(p))[1], simulations=20, batch_size=3).analyse_many(boards)
    assert max(small) == 3


def test_one_board_is_found_among_many_on_any_number_of_threads(shipped) -> None:
    boards = [random_game("chesspp", seed, plies=10) for seed in range(9)]
    found = [
        [(a.best, a.value, [line.visits for line in a.lines]) for a in engine.analyse_many(boards)]
        for engine in (catapult.Engine(shipped, simulations=32, threads=threads) for threads in (1, 4))
    ]
    assert found[0] == found[1]
    mixed = [catapult.Board("chess"), boards[0], catapult.Board("half")]
    best = [analysis.best for analysis in catapult.Engine("material", simulations=8).analyse_many(mixed)]
    assert all(move in board.legal_moves for move, board in zip(best, mixed))


def test_temperature_draws_and_seeds_repeat() -> None:
    board = catapult.Board("chesspp")
    engine = catapult.Engine("uniform", simulations=16)
    drawn = {engine.play(board, temperature=1.0, seed=seed).uci() for seed in range(30)}
    assert len(drawn) > 5
    assert engine.play(board, temperature=1.0, seed=3) == engine.play(board, temperature=1.0, seed=3)
    assert engine.play(board, time=0.02) in board.legal_moves


def quantiles(game: catapult.Board) -> list[float]:
    """Random numbers from which a uniform policy's moves were drawn, to within a move."""
    board, found = catapult.Board(game.variant), []
    for move in game.move_stack:
        legal = list(board.legal_moves)
        found.append((legal.index(move) + 0.5) / len(legal))
        board.push(move)
    return found


def test_successive_seeds_give_unrelated_games() -> None:
    games = []
    for seed in range(30):
        engine, board = catapult.Engine(simulations=1, seed=seed), catapult.Board("chess")
        for _ in range(8):
            board.push(engine.play(board, temperature=1.0))
        games.append(board)
    many = {"games": 20, "temperature": 1.0, "max_plies": 8}
    early, late = (catapult.play_games(catapult.Engine(simulations=1), variant="chess", seed=seed, **many) for seed in (2**64 - 3, 2**64 - 1))
    for pairs in (zip(games, games[1:]), zip(early, late)):
        apart = [abs(a - b) for one, other in pairs for a, b in zip(quantiles(one)[1:], quantiles(other))]
        # Two unrelated numbers are this close with probability 0.12.
        assert np.mean(np.array(apart) < 0.06) < 0.3


@pytest.mark.parametrize("variants", [["chess"] * 769, ["chess", "half", "century", "maxim"]], ids=["boards", "variants"])
def test_time_limits_a_call_and_not_its_parts(variants: list[str]) -> None:
    boards = [catapult.Board(variant) for variant in variants]
    began = time.monotonic()
    found = catapult.Engine(uniform).analyse_many(boards, time=0.8)
    # Without sharing it takes 3.2 s.
    assert time.monotonic() - began < 2.6
    assert all(analysis.best in board.legal_moves for board, analysis in zip(boards, found))


def test_games_are_played_side_by_side() -> None:
    strong, weak = catapult.Engine("material", simulations=64), catapult.Engine("uniform", simulations=1)
    boards = catapult.play_games(strong, weak, "chess", games=12, temperature=1.0, sampled_plies=4, max_plies=80, seed=5)
    assert len({board.fen() for board in boards}) > 6
    lead = [sum({"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}.get(p.symbol.lower(), 0) * (1 if p.color else -1) for p in b.piece_map().values()) for b in boards]
    assert sum(lead) > 0
    again = catapult.play_games(strong, weak, "chess", games=12, temperature=1.0, sampled_plies=4, max_plies=80, seed=5)
    assert again == boards
    start = random_game("maxim", 1, plies=7)
    (board,) = catapult.play_games(weak, starts=[start], max_plies=3)
    assert board.is_turn_start and board.move_stack[: len(start.move_stack)] == start.move_stack


def test_a_match_is_measured() -> None:
    result = catapult.play_match("alphabeta:1", "random", "chess", games=10, threads=2)
    assert (result["games"], result["wins"] + result["draws"] + result["losses"] + result["capped"]) == (10, 10)
    assert result["score"]["low"] <= result["score"]["value"] <= result["score"]["high"] and result["wins"] > result["losses"]
    assert catapult.play_match("alphabeta:1", "random", "chess", games=10) == result
    by_engine = catapult.play_match(catapult.Engine("material", simulations=16), catapult.Engine(uniform, simulations=2), games=4)
    assert by_engine["player"] == "material:16" and by_engine["opponent"] == "function:2"
    named = catapult.play_match("search:material:16", "random", games=4)
    assert (named["wins"], named["pairs"]) == (catapult.play_match(catapult.Engine("material", simulations=16), "random", games=4)["wins"], named["pairs"])
    for call, message in [
        (lambda: catapult.play_match("nobody", "random"), "nobody"),
        (lambda: catapult.play_match("random", "random", games=3), "3"),
        (lambda: catapult.play_match("random", "random", games=-2), "games = -2"),
        (lambda: catapult.play_match("random", "random", ply_cap=-1), "ply_cap = -1"),
        (lambda: catapult.play_match("random", "random", threads=-1), "threads = -1"),
        (lambda: catapult.play_match("gone.safetensors:8", "random"), "gone.safetensors"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(TypeError):
        catapult.play_match(3, "random")


def test_boards_can_be_used_during_a_search() -> None:
    board = catapult.Board("chess")
    legal = board.legal_moves

    def function(positions: catapult.Positions):
        if len(board.move_stack) == 0:
            board.push_uci("e2e4")
        return uniform(positions)

    # The search goes on from the position at its start.
    assert catapult.Engine(function, simulations=4).play(board) in legal
    assert [move.uci() for move in board.move_stack] == ["e2e4"]
    found = catapult.Engine(function, simulations=4).analyse_many([board, board])
    assert all(one.best in board.legal_moves for one in found)


def test_one_thread_of_a_match_calls_a_function() -> None:
    threads = set()

    def function(positions: catapult.Positions):
        threads.add(threading.get_ident())
        time.sleep(0.001)
        return uniform(positions)

    catapult.play_match(catapult.Engine(function, simulations=2), "random", "chess", games=8, threads=4, ply_cap=60)
    assert len(threads) == 1


def broken(positions: catapult.Positions):
    raise KeyError("mine")


def test_what_a_function_raises_comes_out(tmp_path) -> None:
    board = catapult.Board("chess")
    with pytest.raises(KeyError, match="mine"):
        catapult.Engine(broken).play(board)
    with pytest.raises(KeyError, match="mine"):
        catapult.play_match(catapult.Engine(broken), "random", "chess", games=2)
    with pytest.raises(KeyError, match="mine"):
        catapult.data.selfplay(catapult.Engine(broken), "chess", 1, tmp_path)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda p: None, "tuple"),
        (lambda p: (np.zeros(1), np.zeros(1)), r"logits of shape \[1\]; expected \[20\] or \[1, 8512\]"),
        (lambda p: (np.zeros(20), np.zeros(7)), r"values of shape \[7\]"),
        (lambda p: (np.full(20, np.nan), np.zeros(1)), "logits hold NaN"),
        (lambda p: (np.zeros(20), np.array([[0.5, 0.5, 0.5]])), "probabilities"),
        (lambda p: (np.zeros(20), np.array([1.5])), "values hold 1.5; allowed: -1 to 1"),
        (lambda p: (np.zeros(20), np.zeros(1), np.array([-3.0])), "moves left hold -3; allowed: 0 or more"),
        (lambda p: (np.zeros(20), np.zeros(1), np.zeros(2)), "2 values of moves_left"),
        (lambda p: ("x", np.zeros(1)), "logits"),
        (lambda p: (np.zeros(20),), "1 arrays"),
    ],
)
def test_answers_that_make_no_sense_are_refused(answer, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        catapult.Engine(answer).play(catapult.Board("chess"))


def test_refusals(tmp_path, shipped) -> None:
    over = catapult.Board("chess", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    with pytest.raises(ValueError, match="the game is over"):
        catapult.Engine().play(over)
    assert catapult.Engine().analyse(over).best is None
    with pytest.raises(FileNotFoundError, match="gone"):
        catapult.Engine(tmp_path / "gone.safetensors")
    (tmp_path / "bad.safetensors").write_bytes(b"nothing of ours")
    with pytest.raises(ValueError, match="bad.safetensors"):
        catapult.Engine(tmp_path / "bad.safetensors")
    with pytest.raises(ValueError, match="half-12x12-1|layout"):
        catapult.Engine(shipped).play(catapult.Board("half"))
    # A draw with legal moves: the fifty-move rule comes before mate in one.
    draw = catapult.Board("chess", "k7/8/1K6/8/8/8/7Q/8 w - - 100 100")
    for board, wdl in [(draw, (0, 1, 0)), (over, (0, 0, 1))]:
        found = catapult.Engine("material", simulations=50).analyse(board)
        assert (found.best, found.wdl, found.simulations, found.lines) == (None, wdl, 0, [])
    began = time.monotonic()
    with pytest.raises(ValueError, match="the game is over"):
        catapult.Engine().play(draw, time=30)
    assert time.monotonic() - began < 10
    for settings, message in [
        ({"c_puct": -1}, "c_puct"),
        ({"unknown": 1}, "unknown"),
        ({"algorithm": "astar"}, "astar"),
        ({"threads": 0}, "threads = 0"),
        ({"batch_size": -1}, "batch_size = -1"),
        ({"considered": "x"}, "considered"),
        ({"considered": 4, "algorithm": "puct"}, "considered = 4: only gumbel uses it"),
        ({"c_puct": 2}, "c_puct = 2: only puct uses it"),
        ({"simulations": 10**9}, "simulations"),
        ({"simulations": -1}, "simulations = -1"),
        ({"seed": 2**64}, f"seed = {2**64}: must be from 0 to {2**64 - 1}"),
    ]:
        with pytest.raises(ValueError, match=message):
            catapult.Engine(**settings)
    for call in ({"time": -1}, {"time": float("inf")}, {"time": 1, "simulations": 2}, {"temperature": -1}, {"seed": -1}):
        with pytest.raises(ValueError):
            catapult.Engine().play(catapult.Board(), **call)
    with pytest.raises(TypeError):
        catapult.Engine(3.5)
    with pytest.raises(OSError, match="too long"):
        catapult.data.selfplay(catapult.Engine(simulations=1), "chess", 1, tmp_path, name="n" * 300, ply_cap=20)


@pytest.mark.parametrize("key", catapult.search_settings())
def test_every_search_setting_is_a_keyword(key: str) -> None:
    row = catapult.search_settings()[key]
    algorithm = row["algorithm"] or "gumbel"
    default = catapult.Engine(algorithm=algorithm).settings
    assert default[key] == row["default"] and row["meaning"] and row["allowed"]
    if key == "algorithm":
        changed = catapult.Engine(algorithm="puct").settings
    else:
        # A number of bytes, a flag, a whole number or any number, none of them a default.
        kinds = {"bytes": 200_000, "true": False, "whole": 3, "number": 0.75}
        value = next(value for word, value in kinds.items() if word in row["allowed"])
        changed = catapult.Engine(algorithm=algorithm, **{key: value}).settings
        assert changed[key] == str(value).lower()
        with pytest.raises(ValueError, match=f"`{key}` is many; allowed: {row['allowed']}"):
            catapult.Engine(algorithm=algorithm, **{key: "many"})
    assert {name for name in default if default[name] != changed[name]} == {key}


def test_an_unknown_setting_is_told_the_known_ones() -> None:
    with pytest.raises(ValueError, match="no search setting \"c_vist\"; allowed: algorithm, considered, c_visit"):
        catapult.Engine(c_vist=3)
