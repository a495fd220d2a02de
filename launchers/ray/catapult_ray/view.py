"""Progress output: lines in the terminal, and the same numbers as Ray metrics."""

from __future__ import annotations

import collections
import json
import sys
from typing import Any, TextIO

from .cluster import Node
from .schedule import Schedule, Unit

# Seconds over which rates are averaged.
WINDOW = 600.0
# Seconds between two lines if stderr is not a terminal.
SELDOM = 30.0


class Rates:
    """Units produced within the last `WINDOW` seconds."""

    def __init__(self, now: float) -> None:
        self.began = now
        self.ends: collections.deque[tuple[float, Unit]] = collections.deque()

    def made(self, unit: Unit, now: float) -> None:
        self.ends.append((now, unit))

    def hourly(self, now: float) -> tuple[float, float]:
        """Returns the units per hour, and the games per hour in runs. A study's own units expect evaluations."""
        while self.ends and self.ends[0][0] < now - WINDOW:
            self.ends.popleft()
        hours = max(1.0, min(WINDOW, now - self.began)) / 3600
        games = (unit.expected for _, unit in self.ends if unit.kind == "games" and "generation-" in unit.name)
        return len(self.ends) / hours, sum(games) / hours


def seconds(count: float) -> str:
    count = round(count)
    if count < 60:
        return f"{count} s"
    return f"{count // 60} min" if count < 7200 else f"{count / 3600:.1f} h"


def status(schedule: Schedule, nodes: list[Node], rates: Rates, now: float) -> dict[str, Any]:
    """Returns all reported numbers."""
    kinds = {
        kind: {"done": schedule.made[kind] + schedule.there[kind], "in flight": 0, "waiting": 0}
        for kind in [*schedule.made, *schedule.there]
    }
    for state, units in (("in flight", schedule.in_flight), ("waiting", schedule.waiting)):
        for unit in units.values():
            kinds.setdefault(unit.kind, {"done": 0, "in flight": 0, "waiting": 0})[state] += 1
    hourly, games = rates.hourly(now)
    left = len(schedule.in_flight) + len(schedule.waiting)
    return {
        "kinds": kinds,
        "units an hour": round(hourly, 1),
        "games an hour": round(games, 1),
        "nodes": len(nodes),
        "cpus": sum(node.cpus for node in nodes),
        "gpus": sum(node.gpus for node in nodes),
        "retries": schedule.failed,
        # Only for the listed units, because later units are not known yet.
        "seconds left": round(left / hourly * 3600) if hourly and left else None,
        "seconds": round(now - rates.began, 1),
    }


def lines(told: dict[str, Any]) -> list[str]:
    kinds = [
        f"{kind:<9} {counts['done']:>6} done {counts['in flight']:>5} in flight {counts['waiting']:>6} waiting"
        for kind, counts in sorted(told["kinds"].items())
    ]
    rate = f"{told['games an hour']:.0f} games/h" if told["games an hour"] else f"{told['units an hour']:.0f} units/h"
    parts = [f"{told['nodes']} nodes", f"{told['cpus']} CPUs"]
    parts += [f"{told['gpus']:g} GPUs"] if told["gpus"] else []
    parts += [rate, f"{told['retries']} retries"]
    parts += [f"{seconds(told['seconds left'])} left of what is listed"] if told["seconds left"] is not None else []
    return [*kinds, ", ".join(parts)]


class View:
    """Lines that are redrawn in a terminal. Without a terminal, one line every `every` seconds."""

    def __init__(self, every: float = SELDOM, stream: TextIO = sys.stderr) -> None:
        self.stream = stream
        self.live = stream.isatty()
        self.every = 1.0 if self.live else every
        self.last = float("-inf")
        self.drawn = 0

    def note(self, text: str) -> None:
        """Prints a line that stays."""
        self.clear()
        print(f"catapult-ray: {text}", file=self.stream, flush=True)

    def clear(self) -> None:
        if self.drawn:
            self.stream.write(f"\x1b[{self.drawn}A\x1b[J")
            self.drawn = 0
            self.last = float("-inf")

    def show(self, told: dict[str, Any], now: float) -> None:
        if now - self.last < self.every:
            return
        self.clear()
        self.last = now
        if self.live:
            drawn = lines(told)
            self.drawn = len(drawn)
            self.stream.write("".join(f"{line}\n" for line in drawn))
        else:
            self.stream.write("catapult-ray: " + "; ".join(" ".join(line.split()) for line in lines(told)) + "\n")
        self.stream.flush()


class Metrics:
    """The reported numbers as Ray gauges, for Ray's dashboard and for programs that collect its metrics."""

    def __init__(self, place: str) -> None:
        from ray.util.metrics import Gauge

        def gauge(name: str, description: str, *tags: str) -> Any:
            made = Gauge(f"catapult_{name}", description=description, tag_keys=("place", *tags))
            made.set_default_tags({"place": place})
            return made

        self.units = gauge("units", "Units of the run, by kind and state", "kind", "state")
        self.rest = {
            "units an hour": gauge("units_per_hour", "Units made, of the last ten minutes"),
            "games an hour": gauge("games_per_hour", "Games made, of the last ten minutes"),
            "nodes": gauge("nodes", "Nodes that are alive"),
            "retries": gauge("retries", "Tries that failed"),
            "seconds left": gauge("seconds_left", "Until all that is listed is made"),
        }

    def set(self, told: dict[str, Any]) -> None:
        for kind, counts in told["kinds"].items():
            for state, count in counts.items():
                self.units.set(count, tags={"kind": kind, "state": state})
        for name, gauge in self.rest.items():
            gauge.set(told[name] or 0)


def event(enabled: bool, **what: Any) -> None:
    """Prints a JSON line for monitoring programs."""
    if enabled:
        print(json.dumps(what), flush=True)
