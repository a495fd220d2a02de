"""Command line of `catapult-ray`."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
from collections.abc import Callable

from . import cluster, driver, view
from .schedule import Stopped

# Kinds of units, as `catapult cluster units` lists them.
KINDS = ("games", "learn", "match", "endings", "analysis")


def at_least(least: int) -> Callable[[str], int]:
    """Returns a type of arguments: integers from `least` on."""

    def number(text: str) -> int:
        if int(text) < least:
            raise argparse.ArgumentTypeError(f"{text}: it must be at least {least}")
        return int(text)

    return number


def kinds(text: str) -> frozenset[str]:
    """Returns the kinds of units in a list separated by commas."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in KINDS:
            raise argparse.ArgumentTypeError(f"{name!r} is no kind of unit: it must be one of {', '.join(KINDS)}")
    return frozenset(names)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="catapult-ray",
        description="Spreads a run or a study over a Ray cluster. The same command starts and resumes.",
        epilog="Exit codes: 0 all units are built; 75 try again later; 1 it will never work; 130 and 143 stopped by a signal.",
    )
    shared = argparse.ArgumentParser(add_help=False)
    option = shared.add_argument
    option(
        "--catapult",
        metavar="PROGRAM",
        default=os.environ.get("CATAPULT") or "catapult",
        help="the program, as each node finds it (default: $CATAPULT, or catapult on PATH)",
    )
    option(
        "--address",
        default=os.environ.get("RAY_ADDRESS") or None,
        help="the cluster, HOST:PORT or auto (default: $RAY_ADDRESS, or one is started on this machine)",
    )
    option("--cpus", type=at_least(1), metavar="N", help="processors of the cluster that is started on this machine")
    option(
        "--gpus",
        type=float,
        default=1.0,
        metavar="N",
        help="GPUs that a unit takes which wants one; 0.5 lets two share one, 0 keeps all on processors (default: 1)",
    )
    option(
        "--gpu-for",
        type=kinds,
        default="learn",
        metavar="KINDS",
        help="kinds that want a GPU where there is one (default: learn; e.g. learn,games)",
    )
    option(
        "--retries",
        type=at_least(0),
        default=30,
        metavar="N",
        help="how often a unit is tried again before the launcher gives up (default: 30, some 20 minutes)",
    )
    option("--max-in-flight", type=at_least(1), metavar="N", help="units handed to Ray at a time (default: two a processor)")
    option(
        "--every",
        type=float,
        default=view.SELDOM,
        metavar="SECONDS",
        help="between two lines where stderr is no terminal (default: 30)",
    )
    option("--json", action="store_true", help="each unit that ends, and the summary, as a line of JSON on stdout")
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", parents=[shared], help="a run")
    train.add_argument("config")
    train.add_argument("--run", dest="place", metavar="PLACE", required=True, help="a folder that all nodes share, or a URL")
    study = commands.add_parser("study", parents=[shared], help="a study")
    study.add_argument("config", metavar="study")
    study.add_argument("--out", dest="place", metavar="PLACE", required=True, help="a folder that all nodes share, or a URL")
    return parser.parse_args(arguments)


def options_of(parsed: argparse.Namespace) -> driver.Options:
    program, place = parsed.catapult, parsed.place
    if shutil.which(program) is None:
        raise Stopped(1, f"{program} is not a program on this machine; name one with --catapult PROGRAM that each node has")
    if parsed.cpus and parsed.address:
        raise Stopped(1, "--cpus is for a cluster that is started on this machine; remove it, or --address and $RAY_ADDRESS")
    return driver.Options(
        # Nodes have other working directories, so relative paths become absolute.
        program=os.path.abspath(program) if os.sep in program else program,
        place=place if "://" in place else os.path.abspath(place),
        begin=parsed.config,
        retries=parsed.retries,
        max_in_flight=parsed.max_in_flight,
        gpus=parsed.gpus,
        gpu_for=parsed.gpu_for,
        json=parsed.json,
        every=parsed.every,
    )


def main(arguments: list[str] | None = None) -> int:
    parsed = parse(arguments)
    try:
        options = options_of(parsed)
        cluster.join(parsed.address, parsed.cpus)
        import ray

        try:
            running = driver.Driver(options)
            # The handler only sets a flag. An exception inside a Ray call would end the process with 1, which means
            # "never".
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, running.signalled)
            told = running.run()
        finally:
            # Disconnecting ends the tasks in flight, and the cluster if `join` started it.
            ray.shutdown()
    except Stopped as stopped:
        print(f"catapult-ray: {stopped}", file=sys.stderr)
        return stopped.code
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    done = ", ".join(f"{counts['done']} {kind}" for kind, counts in sorted(told["kinds"].items())) or "nothing was left to do"
    view.event(options.json, event="done", **told)
    print(f"catapult-ray: all units are built: {done}; {view.seconds(told['seconds'])}, {told['retries']} retries", file=sys.stderr)
    if parsed.command == "train":
        print(f"catapult-ray: `catapult train {parsed.config} --run {parsed.place}` prints the table of its matches", file=sys.stderr)
    else:
        print(f"catapult-ray: `catapult study run {parsed.config} --out {parsed.place}` writes the report", file=sys.stderr)
    return 0
