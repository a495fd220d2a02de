"""The state machine: units that are submitted, retried and abandoned."""

from __future__ import annotations

import random

import pytest

from catapult_ray.schedule import AGAIN, LONGEST_DELAY, Schedule, Stopped, Unit, delay


def games(*numbers: int) -> list[Unit]:
    return [Unit(f"generation-0001/shard-{number:04}", "games", 1, 25) for number in numbers]


def test_a_line_of_a_listing() -> None:
    line = '{"unit": "agents/plain-1/generation-0003/shard-0002", "kind": "games", "threads": 1, "expected": 25, "later": []}'
    assert Unit.read(line) == Unit("agents/plain-1/generation-0003/shard-0002", "games", 1, 25)


def test_units_are_taken_once_and_in_order() -> None:
    schedule = Schedule(retries=3)
    schedule.listed(games(0, 1, 2, 3))
    assert schedule.take(0, room=3) == games(0, 1, 2)
    assert schedule.take(0, room=3) == []
    # A unit that is listed again while in flight is not submitted twice.
    schedule.listed(games(0, 1, 2, 3, 4))
    assert schedule.take(0, room=10) == games(3, 4)


def test_at_most_so_many_are_in_flight() -> None:
    schedule = Schedule(retries=3, max_in_flight=2)
    schedule.listed(games(0, 1, 2))
    assert len(schedule.take(0, room=10)) == 2
    schedule.ended(games(0)[0].name, 0, True, "", 1)
    assert schedule.take(1, room=10) == games(2)


def test_a_failure_waits_and_is_tried_again() -> None:
    schedule = Schedule(retries=3, seed=1)
    schedule.listed(games(0))
    schedule.take(0, room=1)
    schedule.ended(games(0)[0].name, AGAIN, False, "the store did not answer", 10)
    assert schedule.take(10, room=1) == []
    pause = schedule.next_try(10)
    assert pause is not None and 0.5 <= pause <= 1
    assert schedule.take(10 + pause, room=1) == games(0)
    assert schedule.failed == 1 and not schedule.made


def test_delays_grow_up_to_a_bound() -> None:
    rng = random.Random(1)
    for tries in range(1, 2000):
        assert 0.5 <= delay(tries, rng) / min(LONGEST_DELAY, 2.0 ** (tries - 1) if tries < 20 else LONGEST_DELAY) <= 1


@pytest.mark.parametrize("code", [AGAIN, 101, 127, -9, -1])
def test_too_many_failures_end_the_run_for_now(code: int) -> None:
    schedule = Schedule(retries=2)
    schedule.listed(games(0))
    for now in (0, 100):
        schedule.take(now, room=1)
        schedule.ended(games(0)[0].name, code, False, "no", now)
    schedule.take(200, room=1)
    with pytest.raises(Stopped, match="3 times, the last one: no") as stopped:
        schedule.ended(games(0)[0].name, code, False, "no", 200)
    assert stopped.value.code == AGAIN


@pytest.mark.parametrize("code", [1, 2])
def test_what_will_never_work_ends_the_run_at_once(code: int) -> None:
    schedule = Schedule(retries=100)
    schedule.listed(games(0, 1))
    schedule.take(0, room=2)
    with pytest.raises(Stopped, match="damaged") as stopped:
        schedule.ended(games(1)[0].name, code, False, "the network is damaged", 0)
    assert stopped.value.code == 1


def test_what_another_made_is_forgotten() -> None:
    schedule = Schedule(retries=3)
    schedule.listed(games(0, 1))
    schedule.take(0, room=2)
    schedule.ended(games(0)[0].name, AGAIN, False, "", 0)
    schedule.listed(games(1))
    assert schedule.take(1000, room=9) == [] and schedule.next_try(0) is None
    # The unit's failed tries are forgotten too.
    schedule.listed(games(0, 1))
    assert schedule.take(0, room=9) == games(0)


def test_made_and_there() -> None:
    schedule = Schedule(retries=3)
    schedule.listed(games(0, 1))
    schedule.take(0, room=2)
    schedule.ended(games(0)[0].name, 0, True, "", 0)
    schedule.ended(games(1)[0].name, 0, False, "", 0)
    assert schedule.made == {"games": 1} and schedule.there == {"games": 1} and schedule.failed == 0


def test_made_and_listed_all_the_same_does_not_go_on_for_ever() -> None:
    schedule = Schedule(retries=5)
    now = 0.0
    with pytest.raises(Stopped, match="listed all the same"):
        for _ in range(100):
            schedule.listed(games(0))
            now += schedule.next_try(now) or 0
            schedule.take(now, room=1)
            schedule.ended(games(0)[0].name, 0, False, "", now)
    assert now > 10


@pytest.mark.parametrize("codes", [[0], [AGAIN, 0]])
def test_the_last_retry_may_succeed(codes: list[int]) -> None:
    schedule = Schedule(retries=len(codes) - 1)
    schedule.listed(games(0))
    for number, code in enumerate(codes):
        schedule.take(100.0 * number, room=1)
        schedule.ended(games(0)[0].name, code, code == 0, "", 100.0 * number)
    assert schedule.made == {"games": 1}


def test_withdrawn_units_wait_again_and_are_not_counted() -> None:
    schedule = Schedule(retries=0)
    schedule.listed(games(0))
    schedule.take(0, room=1)
    schedule.withdrawn(games(0)[0].name)
    assert schedule.take(0, room=1) == games(0) and schedule.failed == 0


def test_a_whole_run_of_chance() -> None:
    """With random failures and listings, every unit is produced, and none is in flight twice."""
    for seed in range(50):
        rng = random.Random(seed)
        schedule = Schedule(retries=1000, seed=seed)
        left, now = {unit.name: unit for unit in games(*range(40))}, 0.0
        under_way: set[str] = set()
        while left:
            now += rng.random()
            if rng.random() < 0.3:
                schedule.listed(left.values())
            for unit in schedule.take(now, room=6):
                assert unit.name not in under_way
                under_way.add(unit.name)
            assert len(under_way) <= 6
            for name in [name for name in sorted(under_way) if rng.random() < 0.4]:
                under_way.remove(name)
                code = rng.choice([0, 0, AGAIN, -9])
                if code == 0:
                    left.pop(name, None)
                schedule.ended(name, code, True, "", now)
        assert now < 1000
