"""The loop that asks what can be made, has it made on the nodes, and asks again."""

from __future__ import annotations

import dataclasses
import random
import signal
import time
from typing import Any

from . import child, cluster, view
from .schedule import AGAIN, NEVER, Schedule, Stopped, Unit, delay

# The code of a unit whose worker or node died: it told none.
LOST = -1
# Seconds between two looks at the nodes, and between two listings when nothing ends.
NODES_EVERY = 5.0
LISTING_EVERY = 30.0


@dataclasses.dataclass(frozen=True)
class Options:
    """What the user asked for."""

    program: str
    place: str
    begin: str
    retries: int
    max_in_flight: int | None
    gpus: float
    gpu_for: frozenset[str]
    json: bool
    every: float


@dataclasses.dataclass(frozen=True)
class Demand:
    """What a unit takes of a node."""

    cpus: int
    gpus: float

    def fits(self, node: cluster.Node) -> bool:
        return self.cpus <= node.cpus and self.gpus <= node.gpus

    @property
    def device(self) -> str:
        return "cuda" if self.gpus else "cpu"


def demand(unit: Unit, nodes: list[cluster.Node], options: Options) -> Demand | None:
    """As many threads as the unit can use and a node has, with a GPU where it wants one and there is one. None: no node can take it."""
    with_gpu = [node for node in nodes if node.cpus and node.gpus >= options.gpus > 0] if unit.kind in options.gpu_for else []
    biggest = max((node.cpus for node in with_gpu or nodes), default=0)
    return Demand(min(unit.threads, biggest), options.gpus if with_gpu else 0.0) if biggest else None


def listing(options: Options, begin: bool) -> list[Unit]:
    """What can be made now; empty at the end of the run. A store that can't be reached is tried again."""
    rng = random.Random()
    for tries in range(1, options.retries + 2):
        answer = child.call(options.program, "cluster", "units", options.place, *(["--begin", options.begin] if begin else []))
        if answer["code"] == 0:
            return [Unit.read(line) for line in answer["stdout"].splitlines() if line.strip()]
        if answer["code"] in NEVER:
            raise Stopped(1, answer["stderr"])
        if tries <= options.retries:
            time.sleep(delay(tries, rng))
    raise Stopped(AGAIN, f"no listing after {options.retries + 1} tries, the last one: {answer['stderr']}")


class Driver:
    """Keeps nothing that a listing does not tell again, so that it may be killed at any instant."""

    def __init__(self, options: Options) -> None:
        import ray

        self.ray = ray
        self.options = options
        self.schedule = Schedule(options.retries, options.max_in_flight)
        # By value: the nodes need not have this package. A try that Ray makes by itself would be seen by nobody.
        ray.cloudpickle.register_pickle_by_value(child)
        self.task = ray.remote(max_retries=0, scheduling_strategy="SPREAD")(child.make)
        self.refs: dict[Any, tuple[Unit, Demand]] = {}
        self.nodes = cluster.nodes()
        self.rates = view.Rates(time.monotonic())
        self.view = view.View(options.every)
        self.metrics = view.Metrics(options.place)
        self.signal: int | None = None

    def signalled(self, number: int, _: object) -> None:
        """Notes a signal; the loop ends within a second. A second one ends it at once."""
        self.signal = number
        signal.signal(number, signal.SIG_DFL)

    def submit(self, now: float) -> None:
        room = max(4, 2 * sum(node.cpus for node in self.nodes)) if any(node.cpus for node in self.nodes) else 0
        for unit in self.schedule.take(now, room):
            wants = demand(unit, self.nodes, self.options)
            assert wants is not None, "there is a node with a processor"
            ref = self.task.options(name=unit.name, num_cpus=wants.cpus, num_gpus=wants.gpus).remote(
                self.options.program, self.options.place, unit.name, wants.cpus, wants.device
            )
            self.refs[ref] = unit, wants

    def end(self, ref: Any, now: float) -> None:
        """Takes in a task that has ended."""
        unit, _ = self.refs.pop(ref)
        try:
            made: child.Made = self.ray.get(ref)
        except self.ray.exceptions.RayError as error:
            # The death of a worker or a node, or too little memory; or a node that can't even start a process.
            reason = str(error).strip().splitlines() or [""]
            made = child.Made(code=LOST, made=False, seconds=0.0, node="?", stderr=f"{type(error).__name__}: {reason[0]}")
        if made["code"] == 0 and made["made"]:
            self.rates.made(unit, now)
        view.event(
            self.options.json,
            event="ended",
            unit=unit.name,
            kind=unit.kind,
            code=made["code"],
            made=made["made"],
            seconds=made["seconds"],
            node=made["node"],
        )
        self.schedule.ended(unit.name, made["code"], made["made"], made["stderr"], now)
        if made["code"] != 0:
            last = made["stderr"].splitlines()[-1:] or ["without a word"]
            self.view.note(f"{unit.name} failed on {made['node']} with {made['code']} and is tried again: {last[0][:300]}")

    def look(self) -> None:
        """Looks at the nodes. What waits in Ray for a node that is gone, and that no other is like, is submitted anew."""
        self.nodes = cluster.nodes()
        for ref, (unit, wants) in list(self.refs.items()):
            if not any(wants.fits(node) for node in self.nodes):
                self.ray.cancel(ref, force=True)
                del self.refs[ref]
                self.schedule.withdrawn(unit.name)

    def run(self) -> dict[str, Any]:
        """Until all is made; tells the last status."""
        self.schedule.listed(units := listing(self.options, begin=True))
        asked, ended, looked, took = time.monotonic(), False, time.monotonic(), 0.0
        while units:
            if self.signal is not None:
                raise Stopped(128 + self.signal, "stopped; the same command goes on")
            now = time.monotonic()
            # Where a listing takes long, it is not asked for after each unit, unless there is nothing else to do.
            due = asked + (4 * took if ended and self.refs else 0 if ended else LISTING_EVERY)
            if now >= due:
                units = listing(self.options, begin=False)
                self.schedule.listed(units)
                asked, ended, took = time.monotonic(), False, time.monotonic() - now
                due = asked + LISTING_EVERY
            if now - looked > NODES_EVERY:
                self.look()
                looked = now
            self.submit(now)
            told = self.status()
            self.view.show(told, now)
            pause = max(0.01, min(1.0, due - now, self.schedule.next_try(now) or 1.0))
            if not self.refs:
                time.sleep(pause)
                continue
            self.ray.wait(list(self.refs), num_returns=1, timeout=pause)
            for ref in self.ray.wait(list(self.refs), num_returns=len(self.refs), timeout=0)[0]:
                self.end(ref, time.monotonic())
                ended = True
        self.view.clear()
        return self.status()

    def status(self) -> dict[str, Any]:
        told = view.status(self.schedule, self.nodes, self.rates, time.monotonic())
        self.metrics.set(told)
        return told
