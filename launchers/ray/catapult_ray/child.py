"""Starts the program so that it never outlives who started it. This is what runs on the nodes.

Ray sends this module to them by value, so it may use nothing but the standard library: a node needs Ray and the program, no more.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from typing import TypedDict

# How much of what the program wrote on stderr is kept.
TAIL = 4000

# The program was not started. Its own codes for "never" are 1 and 2, so it must be none of them.
NOT_STARTED = 127

# Asks the kernel for SIGKILL at the death of the parent, makes sure that it has not died before that, and becomes the program. A
# process of its own does this, for a fork that runs Python in a process with as many threads as a worker's is no safe place.
# The death of the parent is that of the thread which started it: Ray runs tasks on a worker's main thread.
BECOME = f"""
import os, signal, sys
try:
    if sys.platform == "linux":
        import ctypes
        if ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGKILL, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
    if os.getppid() != int(sys.argv[1]):
        os._exit({NOT_STARTED})
    # Python ignores it, and what is ignored stays so.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.execvp(sys.argv[2], sys.argv[2:])
except BaseException as error:
    print(f"{{sys.argv[2]}} cannot be started: {{error}}", file=sys.stderr, flush=True)
    os._exit({NOT_STARTED})
"""


class Answer(TypedDict):
    """How the program ended: its code (negative for a signal), what it printed, and the end of what it told."""

    code: int
    stdout: str
    stderr: str


def call(*command: str) -> Answer:
    """Runs the program to its end; it dies with this process, and when this call is left for any reason."""
    # The token opens the whole cluster; a unit has no use for it.
    environment = {key: value for key, value in os.environ.items() if key != "RAY_AUTH_TOKEN"}
    tail = b""
    with contextlib.ExitStack() as leave:
        stdout = leave.enter_context(tempfile.TemporaryFile())
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", BECOME, str(os.getpid()), *command],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env=environment,
        )
        # Undone in the other order: killed first, then waited for. The killing of one that has ended does nothing.
        leave.enter_context(process)
        leave.callback(process.kill)
        assert process.stderr is not None
        while chunk := os.read(process.stderr.fileno(), 65536):
            tail = (tail + chunk)[-TAIL:]
        code = process.wait()
        stdout.seek(0)
        return Answer(code=code, stdout=stdout.read().decode(errors="replace"), stderr=tail.decode(errors="replace").strip())


class Made(TypedDict):
    """What became of a unit."""

    code: int
    made: bool
    seconds: float
    node: str
    stderr: str


def make(program: str, place: str, name: str, threads: int, device: str) -> Made:
    """The body of a task: makes one unit."""
    import ray

    answer = call(program, "cluster", "unit", place, name, "--threads", str(threads), "--device", device)
    made = Made(code=answer["code"], made=False, seconds=0.0, node=ray.util.get_node_ip_address(), stderr=answer["stderr"])
    if answer["code"] == 0:
        try:
            said = json.loads(answer["stdout"].splitlines()[-1])
            made["made"], made["seconds"] = bool(said["made"]), float(said["seconds"])
        except (ValueError, LookupError, TypeError) as error:
            # Not what the program does; another node may have a better one.
            made["code"], made["stderr"] = NOT_STARTED, f"{program} told no unit: {error}"
    return made
