"""A cluster started on this machine: it listens only on loopback and ends with the launcher."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

pytest.importorskip("ray")
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")

FAKE = Path(__file__).resolve().parents[3] / "scripts" / "fake-catapult"


def family(of: int) -> set[int]:
    """Returns a process and its living descendants."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            if state not in "ZX":
                parents[int(path.parent.name)] = int(parent)
    found = {of}
    while more := {pid for pid, parent in parents.items() if parent in found and pid not in found}:
        found |= more
    return found


def listening(pids: set[int]) -> set[str]:
    """Returns the addresses, in hexadecimal, on which the processes listen."""
    sockets = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            sockets |= {os.readlink(file) for file in Path(f"/proc/{pid}/fd").iterdir()}
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
                found.add(fields[1].partition(":")[0])
    return found


def making(place: Path) -> set[int]:
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if f"unit\0{place}\0".encode() in path.read_bytes():
                found.add(int(path.parent.name))
    return found


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_it_listens_to_nobody_else_and_leaves_nothing(tmp_path: Path, number: int) -> None:
    config, place = tmp_path / "config.json", tmp_path / "run"
    config.write_text(json.dumps({"generations": 1, "shards": 4, "seconds": {"games": 1000}}))
    command = [sys.executable, "-m", "catapult_ray", "train", str(config), "--run", str(place), "--catapult", str(FAKE), "--cpus", "2"]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("RAY_")}
    # Ray creates sockets in this folder, so its path must be short.
    folder = tempfile.TemporaryDirectory(prefix="ray")
    environment |= {"HOME": str(tmp_path), "RAY_TMPDIR": folder.name}
    launcher = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    everyone: set[int] = {launcher.pid}
    try:
        until = time.monotonic() + 60
        while len(making(place)) < 2:
            assert launcher.poll() is None and time.monotonic() < until
            time.sleep(0.1)
        everyone = family(launcher.pid)
        # 127.0.0.1, and the same address in IPv6 notation.
        found = listening(everyone)
        assert found and found <= {"0100007F", "0000000000000000FFFF00000100007F"}
        launcher.send_signal(number)
        assert launcher.wait(30) == (-number if number == signal.SIGKILL else 128 + number)
        until = time.monotonic() + 30
        while making(place):
            assert time.monotonic() < until
            time.sleep(0.1)
    finally:
        # Ray's agents take half a minute to notice that the launcher was killed.
        for pid in everyone:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        launcher.wait()
        folder.cleanup()
