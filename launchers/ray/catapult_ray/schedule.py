"""What to submit, to try again, and when to give up. Nothing here knows of Ray, of processes or of what time it is."""

from __future__ import annotations

import collections
import dataclasses
import json
import random
from collections.abc import Iterable

AGAIN = 75
NEVER = (1, 2)
# A unit that failed waits 1, 2, 4 ... seconds, at most this many.
LONGEST_DELAY = 60.0


@dataclasses.dataclass(frozen=True)
class Unit:
    """A piece of work, as `catapult cluster units` tells it."""

    name: str
    kind: str
    threads: int
    # How many games (or what else it makes) there will be in it.
    expected: float

    @classmethod
    def read(cls, line: str) -> Unit:
        said = json.loads(line)
        return cls(str(said["unit"]), str(said["kind"]), max(1, int(said["threads"])), float(said.get("expected", 1)))


class Stopped(Exception):
    """The run can't go on. `code` is what the launcher ends with: 1 when it never will, 75 when another try may help."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def delay(tries: int, rng: random.Random) -> float:
    """Seconds until the next try after so many; spread, so that those that failed together don't come back together."""
    return min(LONGEST_DELAY, 2.0 ** min(tries - 1, 10)) * rng.uniform(0.5, 1.0)


class Schedule:
    """Which units wait, which are in flight, and how often each was tried.

    Nothing of it outlives the launcher, or has to: a listing tells all that is to be done.
    """

    def __init__(self, retries: int, max_in_flight: int | None = None, seed: int | None = None) -> None:
        self.retries = retries
        self.max_in_flight = max_in_flight
        self.waiting: dict[str, Unit] = {}
        self.in_flight: dict[str, Unit] = {}
        # How often a unit has ended and was listed all the same; those that were made fall out with the next listing.
        self.tries: collections.Counter[str] = collections.Counter()
        self.not_before: dict[str, float] = {}
        # Told and shown: units by kind, and how many tries failed.
        self.made: collections.Counter[str] = collections.Counter()
        self.there: collections.Counter[str] = collections.Counter()
        self.failed = 0
        self.rng = random.Random(seed)

    def listed(self, units: Iterable[Unit]) -> None:
        """Takes a listing, which must have been asked for after everything that has been told to have ended."""
        found = {unit.name: unit for unit in units}
        self.waiting = {name: unit for name, unit in found.items() if name not in self.in_flight}
        for name in [name for name in self.tries if name not in found]:
            del self.tries[name]
            self.not_before.pop(name, None)

    def take(self, now: float, room: int) -> list[Unit]:
        """Units to submit, at most as many as there is room for; they are in flight from here on."""
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
        """A unit in flight that no node can take any more waits again, as if it had never been submitted."""
        self.waiting[name] = self.in_flight.pop(name)

    def ended(self, name: str, code: int, made: bool, told: str, now: float) -> None:
        """A unit has ended: with the program's exit code, or a negative number for a signal or the death of its node."""
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
            # It can be tried again before the next listing.
            self.waiting[name] = unit
        if self.tries[name] > self.retries:
            raise Stopped(AGAIN, f"{name} was tried {self.tries[name]} times, the last one: {told}")

    def next_try(self, now: float) -> float | None:
        """Seconds until the next waiting unit may be submitted; None if none waits."""
        return min((max(0.0, self.not_before.get(name, now) - now) for name in self.waiting), default=None)
