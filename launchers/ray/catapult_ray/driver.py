"""Main loop: lists the ready units, runs them on the nodes, and lists again."""

from __future__ import annotations

import dataclasses
import random
import signal
import time
from typing import Any

from . import child, cluster, view
from .schedule import AGAIN, NEVER, Schedule, Stopped, Unit, delay

# Code of a unit whose worker or node died without reporting an exit code.
LOST = -1
# Seconds between two updates of the nodes, and between two listings while no unit ends.
NODES_EVERY = 5.0
LISTING_EVERY = 30.0


@dataclasses.dataclass(frozen=True)
class Options:
    """Options of the command line."""

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
    """Resources that a unit requests from a node."""

    cpus: int
    gpus: float

    def fits(self, node: cluster.Node) -> bool:
        return self.cpus <= node.cpus and self.gpus <= node.gpus

    @property
    def device(self) -> str:
        return "cuda" if self.gpus else "cpu"


def demand(unit: Unit, nodes: list[cluster.Node], options: Options) -> Demand | None:
    """Returns the threads that the unit can use and a node has, with GPUs if its kind wants them and a node has them.

    Returns None if no node has a processor.
    """
    with_gpu = [node for node in nodes if node.cpus and node.gpus >= options.gpus > 0] if unit.kind in options.gpu_for else []
    biggest = max((node.cpus for node in with_gpu or nodes), default=0)
    return Demand(min(unit.threads, biggest), options.gpus if with_gpu else 0.0) if biggest else None


class Driver:
    """Main loop and its state. The process may be killed at any time, because a listing restores all that matters."""

    def __init__(self, options: Options) -> None:
        import ray

        self.ray = ray
        self.options = options
        self.schedule = Schedule(options.retries, options.max_in_flight)
        # By value, because the nodes need not have this package. Without retries by Ray, which the schedule would not
        # count.
        ray.cloudpickle.register_pickle_by_value(child)
        self.task = ray.remote(max_retries=0, scheduling_strategy="SPREAD")(child.make)
        self.refs: dict[Any, tuple[Unit, Demand]] = {}
        self.nodes = cluster.nodes()
        self.rates = view.Rates(time.monotonic())
        self.view = view.View(options.every)
        self.metrics = view.Metrics(options.place)
        self.signal: int | None = None

    def signalled(self, number: int, _: object) -> None:
        """Records a signal, which ends the launcher at its next check. The same signal again ends the process at once."""
        self.signal = number
        signal.signal(number, signal.SIG_DFL)

    def check_signal(self) -> None:
        """Raises `Stopped` after a signal."""
        if self.signal is not None:
            raise Stopped(128 + self.signal, "stopped; rerun the command to resume")

    def listing(self, begin: bool) -> list[Unit]:
        """Returns the ready units, or an empty list if the run is complete. Retries after temporary failures."""
        options, rng = self.options, random.Random()
        for tries in range(1, options.retries + 2):
            answer = child.call(options.program, "cluster", "units", options.place, *(["--begin", options.begin] if begin else []))
            if answer["code"] == 0:
                return [Unit.read(line) for line in answer["stdout"].splitlines() if line.strip()]
            if answer["code"] in NEVER:
                raise Stopped(1, answer["stderr"])
            self.check_signal()
            if tries <= options.retries:
                again = time.monotonic() + delay(tries, rng)
                # In steps of a second, because a signal does not end a sleep.
                while (left := again - time.monotonic()) > 0:
                    time.sleep(min(1.0, left))
                    self.check_signal()
        raise Stopped(AGAIN, f"no listing after {options.retries + 1} tries, the last one: {answer['stderr']}")

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
        """Records the result of a task that has ended."""
        unit, _ = self.refs.pop(ref)
        try:
            made: child.Made = self.ray.get(ref)
        except self.ray.exceptions.RayError as error:
            # A worker or node died, memory ran out, or a node cannot start a process.
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
        """Updates the nodes. Withdraws units whose requests fit none of them, so that they are submitted again."""
        self.nodes = cluster.nodes()
        for ref, (unit, wants) in list(self.refs.items()):
            if not any(wants.fits(node) for node in self.nodes):
                self.ray.cancel(ref, force=True)
                del self.refs[ref]
                self.schedule.withdrawn(unit.name)

    def run(self) -> dict[str, Any]:
        """Runs until no unit is left. Returns the last status."""
        self.schedule.listed(units := self.listing(begin=True))
        asked, ended, looked, took = time.monotonic(), False, time.monotonic(), 0.0
        while units:
            self.check_signal()
            now = time.monotonic()
            # A slow listing does not follow every unit, except if no unit is in flight.
            due = asked + (4 * took if ended and self.refs else 0 if ended else LISTING_EVERY)
            if now >= due:
                units = self.listing(begin=False)
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
