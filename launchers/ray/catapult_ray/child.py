"""Starts the program so that it never outlives its parent. The nodes run this module.

Ray sends the module to the nodes by value. It may import only the standard library and Ray, because a node needs only
Ray and the program.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from typing import TypedDict

# Bytes kept from the end of the program's stderr.
TAIL = 4000

# Exit code if the program was not started. Unlike 1 and 2, the program's codes for permanent failures, it allows a
# retry.
NOT_STARTED = 127

# On Linux, makes the kernel send SIGKILL when the parent dies. Then checks that the parent is still alive, and becomes
# the program. A separate interpreter does this, because Python code after a fork is unsafe in a process with many
# threads, such as a Ray worker. For the kernel the parent dies when the thread that started the child ends. Ray runs
# tasks on a worker's main thread.
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
    """Result of the program: its exit code (negative for a signal), its stdout and the end of its stderr."""

    code: int
    stdout: str
    stderr: str


def call(*command: str) -> Answer:
    """Runs the program to its end. Kills it if an exception ends this call; on Linux it also dies with this process."""
    # The token gives access to the whole cluster, and a unit does not need it.
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
        # The stack unwinds in reverse: it kills the process and then waits for it. `kill` ignores a process that has
        # ended.
        leave.enter_context(process)
        leave.callback(process.kill)
        assert process.stderr is not None
        while chunk := os.read(process.stderr.fileno(), 65536):
            tail = (tail + chunk)[-TAIL:]
        code = process.wait()
        stdout.seek(0)
        return Answer(code=code, stdout=stdout.read().decode(errors="replace"), stderr=tail.decode(errors="replace").strip())


class Made(TypedDict):
    """Result of a unit."""

    code: int
    made: bool
    seconds: float
    node: str
    stderr: str


def make(program: str, place: str, name: str, threads: int, device: str) -> Made:
    """Runs one unit; the body of a Ray task."""
    import ray

    answer = call(program, "cluster", "unit", place, name, "--threads", str(threads), "--device", device)
    made = Made(code=answer["code"], made=False, seconds=0.0, node=ray.util.get_node_ip_address(), stderr=answer["stderr"])
    if answer["code"] == 0:
        try:
            said = json.loads(answer["stdout"].splitlines()[-1])
            made["made"], made["seconds"] = bool(said["made"]), float(said["seconds"])
        except (ValueError, LookupError, TypeError) as error:
            # This is not output of the right program. Another node may have the right one, so the code allows a retry.
            made["code"], made["stderr"] = NOT_STARTED, f"{program} told no unit: {error}"
    return made
