"""The simulation against what can be said without it."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest

from growth import Simulation
from terms import FEW, LEARNER, LOST, PLAYING, SHARES, Inputs, Plan, mean

PLAIN = Inputs(games=160, shards=16, shard_seconds=3.0, learn_seconds=5.0)
FULL = replace(
    PLAIN,
    one_game_seconds=0.5,
    start_seconds=0.2,
    network_bytes=3e5,
    shard_bytes=2e5,
    state_bytes=1e6,
    list_seconds=0.3,
    latency=0.05,
    bandwidth_each=1e7,
    small_requests=3,
    connections=8,
    launch_seconds=0.4,
)
NOISY = replace(
    FULL,
    shard_seconds={"mean": 3.0, "sd": 0.5},
    failures_per_hour=20.0,
    restart_seconds=5.0,
    notice_seconds=2.0,
    fail_chance=0.02,
    straggler_one_in=20,
    straggler_slower=5.0,
    backup_after=1.5,
    workers_per_node=4,
    bandwidth=1e8,
    requests_per_second=500.0,
    launches_per_second=50.0,
)


def run(inputs: Inputs, workers: int, **plan):
    return Simulation(inputs, Plan(workers, **plan)).run()


def closed_form(inputs: Inputs, workers: int, shards: int, games: float) -> float:
    """Seconds of a generation without chance, with a store and a launcher that serve any number at once."""

    def moved(size: float, requests: int = 1, connections: int = 1) -> float:
        return math.ceil(requests / connections) * inputs.latency + size / connections / inputs.bandwidth_each

    each, measured = games / shards, inputs.games / inputs.shards
    played = mean(inputs.shard_seconds) * each / measured
    if inputs.one_game_seconds is not None:
        played = inputs.one_game_seconds + (mean(inputs.shard_seconds) - inputs.one_game_seconds) * (each - 1) / (measured - 1)
    begins = inputs.launch_seconds + inputs.start_seconds + inputs.small_requests * inputs.latency
    size = inputs.shard_bytes * each / measured
    play = moved(inputs.network_bytes) + math.ceil(shards / workers) * (begins + played + moved(size))
    fetch = moved(size * shards, shards, inputs.connections)
    learn = begins + fetch + mean(inputs.learn_seconds) * games / inputs.games + moved(inputs.network_bytes + inputs.state_bytes)
    return 2 * inputs.list_seconds + play + learn


@pytest.mark.parametrize("workers", [1, 2, 3, 5, 16, 100])
@pytest.mark.parametrize("shards, games", [(16, 160), (7, 160), (40, 400)])
@pytest.mark.parametrize("inputs", [PLAIN, FULL])
def test_without_chance_it_is_the_closed_form(inputs, workers, shards, games):
    result = run(inputs, workers, shards=shards, games=games, generations=7)
    expected = closed_form(inputs, workers, shards, games)
    assert result.seconds == pytest.approx([expected * generation for generation in range(1, 8)], rel=1e-12)
    assert result.games_an_hour == pytest.approx(3600 * games / expected, rel=1e-12)


@pytest.mark.parametrize("lag", [0, 1, 2])
@pytest.mark.parametrize("workers", [1, 7, 64])
def test_every_unit_counts_once_and_all_time_is_accounted_for(workers, lag):
    result = run(NOISY, workers, lag=lag, generations=30)
    for generation in range(1, 31):
        for number in range(-1, 16):
            assert result.made[generation, number] == 1
    assert set(result.made.values()) == {1}
    assert result.failures > 0
    assert sum(result.shares.values()) == pytest.approx(1.0, rel=1e-9)
    assert all(share >= 0 for share in result.shares.values()) and set(result.shares) == set(SHARES)


def test_copies_are_made_only_where_they_are_asked_for():
    assert run(NOISY, 32, generations=30).copies > 0
    assert run(replace(NOISY, backup_after=None), 32, generations=30).copies == 0


@pytest.mark.parametrize("lag", [0, 1])
def test_more_workers_are_never_slower_with_ample_shards(lag):
    rates = [run(FULL, workers, lag=lag, shards=1024, games=10240).games_an_hour for workers in (1, 2, 4, 8, 16, 64, 256, 1024)]
    assert all(more >= less * (1 - 1e-12) for less, more in pairwise(rates))
    # And with chance, where each has twice the workers of the one before.
    noisy = replace(NOISY, learn_seconds=0.01)
    rates = [run(noisy, workers, lag=lag, shards=1024, games=10240, generations=4).games_an_hour for workers in (1, 2, 4, 8, 16, 64)]
    assert rates == sorted(rates)


@pytest.mark.parametrize("learn", [1.0, 3.0, 9.0])
def test_a_lag_hides_the_shorter_of_playing_and_learning(learn):
    inputs = replace(PLAIN, learn_seconds=learn)
    assert run(inputs, 16).generations_an_hour == pytest.approx(3600 / (3.0 + learn))
    for lag in (1, 2):
        result = run(inputs, 16, lag=lag)
        assert result.generations_an_hour == pytest.approx(3600 / max(3.0, learn))
    assert run(inputs, 16, lag=1).learner_busy == pytest.approx(min(1.0, learn / 3.0), abs=0.1)


def test_failures_cost_what_is_expected():
    # A unit that fails with chance p at its end is run 1 / (1 - p) times, by one worker.
    chance = replace(PLAIN, fail_chance=0.1)
    result = run(chance, 1, generations=400)
    expected = (16 * 3.0 + 5.0) / 0.9
    assert result.seconds[-1] / 400 == pytest.approx(expected, rel=0.01)
    assert result.shares[LOST] == pytest.approx(16 * 3.0 / 9 / expected, rel=0.1)
    # A worker that breaks down at a rate r needs (1 / r + restart) (e^(r t) - 1) for a unit of t: again from its beginning each time.
    broken = replace(PLAIN, learn_seconds=0.0, failures_per_hour=120.0, restart_seconds=10.0)
    rate = 120 / 3600
    expected = 16 * (1 / rate + 10) * math.expm1(rate * 3.0)
    assert run(broken, 1, generations=400).seconds[-1] / 400 == pytest.approx(expected, rel=0.02)


def test_copies_help_against_stragglers():
    inputs = replace(PLAIN, straggler_one_in=50, straggler_slower=10.0)
    alone = run(inputs, 64, shards=64, games=640, generations=100)
    copied = run(replace(inputs, backup_after=1.5), 64, shards=64, games=640, generations=100)
    assert copied.games_an_hour > 1.3 * alone.games_an_hour
    assert copied.limit == "learner" and alone.shares[PLAYING] < copied.shares[PLAYING]


def test_a_seed_repeats():
    assert run(NOISY, 9, seed=3) == run(NOISY, 9, seed=3)
    assert run(NOISY, 9, seed=3) != run(NOISY, 9, seed=4)


def test_what_all_share_bounds_the_rate():
    rates = {
        # A shard asks what is there, fetches the network and is written and read: 4 requests, and its bytes go over twice.
        "requests": (replace(PLAIN, small_requests=1, requests_per_second=10.0, learn_seconds=0.0), 2000),
        "bytes": (replace(PLAIN, shard_bytes=1e6, bandwidth=2e7, learn_seconds=0.0), 500),
        "launches": (replace(PLAIN, launches_per_second=10.0, learn_seconds=0.0), 500),
    }
    for name, (inputs, seconds) in rates.items():
        result = run(inputs, 5000, shards=5000, games=50_000, generations=3)
        assert 3600 / result.generations_an_hour == pytest.approx(seconds, rel=0.01), name


def test_who_has_nothing_to_do_is_told_why():
    few = run(replace(PLAIN, learn_seconds=0.1), 64)
    assert few.limit == "too few shards" and few.shares[FEW] == pytest.approx(0.75 * 3.0 / 3.1)
    slow = run(replace(PLAIN, learn_seconds=30.0), 16)
    assert slow.limit == "learner" and slow.shares[LEARNER] == pytest.approx(30 / 33)
    assert run(PLAIN, 2).limit == "playing"
    assert run(replace(PLAIN, latency=20.0), 2).limit == "store"


def test_a_shared_start_is_fetched_once_a_node():
    inputs = replace(PLAIN, network_bytes=1e6, bandwidth=1e6)
    assert run(inputs, 16, generations=3).seconds[-1] == pytest.approx(3 * (16 + 3 + 5 + 1))
    shared = replace(inputs, workers_per_node=16)
    assert run(shared, 16, generations=3).seconds[-1] == pytest.approx(3 * (1 + 3 + 5 + 1))
