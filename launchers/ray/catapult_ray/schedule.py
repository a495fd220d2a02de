"""Decides which units to submit or retry, and when to stop. Uses neither Ray nor processes nor a clock."""

from __future__ import annotations

import collections
import dataclasses
import json
import random
from collections.abc import Iterable

AGAIN = 75
NEVER = (1, 2)
# Longest delay before a retry, in seconds. The delay doubles with each try, starting at 1 s.
LONGEST_DELAY = 60.0


@dataclasses.dataclass(frozen=True)
class Unit:
    """A unit of work, as listed by `catapult cluster units`."""

    name: str
    kind: str
    threads: int
    # Expected number of games for units of runs, otherwise of evaluations.
    expected: float

    @classmethod
    def read(cls, line: str) -> Unit:
        said = json.loads(line)
        return cls(str(said["unit"]), str(said["kind"]), max(1, int(said["threads"])), float(said.get("expected", 1)))


class Stopped(Exception):
    """Ends the launcher with exit code `code`.

    1: permanent failure; 75: a retry may help; 128 + N: stopped by signal N.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def delay(tries: int, rng: random.Random) -> float:
    """Returns the seconds to wait after `tries` tries. The random factor spreads units that failed together."""
    return min(LONGEST_DELAY, 2.0 ** min(tries - 1, 10)) * rng.uniform(0.5, 1.0)


class Schedule:
    """Units that wait or are in flight, and the number of tries of each.

    This state need not outlive the launcher, because a listing contains all work that is left.
    """

    def __init__(self, retries: int, max_in_flight: int | None = None, seed: int | None = None) -> None:
        self.retries = retries
        self.max_in_flight = max_in_flight
        self.waiting: dict[str, Unit] = {}
        self.in_flight: dict[str, Unit] = {}
        # Number of times that each unit has ended. A listing without the unit removes its entry.
        self.tries: collections.Counter[str] = collections.Counter()
        self.not_before: dict[str, float] = {}
        # Statistics for display. By kind: units that this launcher produced, and units that already existed. Failed
        # tries.
        self.made: collections.Counter[str] = collections.Counter()
        self.there: collections.Counter[str] = collections.Counter()
        self.failed = 0
        self.rng = random.Random(seed)

    def listed(self, units: Iterable[Unit]) -> None:
        """Takes a listing, which must have been requested after the last call of `ended`."""
        found = {unit.name: unit for unit in units}
        self.waiting = {name: unit for name, unit in found.items() if name not in self.in_flight}
        for name in [name for name in self.tries if name not in found]:
            del self.tries[name]
            self.not_before.pop(name, None)

    def take(self, now: float, room: int) -> list[Unit]:
        """Moves waiting units to those in flight, of which there are then at most `room`. Returns the moved units."""
        if self.max_in_flight is not None:
            room = min(room, self.max_in_flight)
        room -= len(self.in_flight)
        taken: list[Unit] = []
        for unit in self.waiting.values():
            if len(taken) >= room:
                break
            if self.not_before.get(unit.name, now) <= now:
                taken.append(unit)
        for unit in taken:
            self.in_flight[unit.name] = self.waiting.pop(unit.name)
        return taken

    def withdrawn(self, name: str) -> None:
        """Moves a unit in flight back to the waiting ones, as if it had never been submitted."""
        self.waiting[name] = self.in_flight.pop(name)

    def ended(self, name: str, code: int, made: bool, told: str, now: float) -> None:
        """Records the end of a unit. `code` is the exit code, or negative after a signal or the loss of its node."""
        unit = self.in_flight.pop(name)
        if code in NEVER:
            raise Stopped(1, f"{name} will never work (it ended with {code}):\n{told}")
        self.tries[name] += 1
        self.not_before[name] = now + delay(self.tries[name], self.rng)
        if code == 0:
            (self.made if made else self.there)[unit.kind] += 1
            told = "it was made, and is listed all the same"
        else:
            self.failed += 1
            # A failed unit may be retried before the next listing.
            self.waiting[name] = unit
        # A unit that was made counts as failed only when a listing has it again.
        if self.tries[name] > self.retries + (code == 0):
            raise Stopped(AGAIN, f"{name} was tried {self.tries[name]} times, the last one: {told}")

    def next_try(self, now: float) -> float | None:
        """Returns the seconds until the next waiting unit may be submitted, or None if none waits."""
        return min((max(0.0, self.not_before.get(name, now) - now) for name in self.waiting), default=None)
