"""Child processes: their results, and that none outlives its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from catapult_ray import child

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills a process with its parent")


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def wait_for(condition, limit: float = 20.0) -> bool:  # type: ignore[no-untyped-def]
    until = time.monotonic() + limit
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.02)
    return False


def test_what_a_program_tells() -> None:
    assert child.call("sh", "-c", "echo out; echo ' told' >&2; exit 75") == {"code": 75, "stdout": "out\n", "stderr": "told"}
    assert child.call("sh", "-c", "kill -9 $$")["code"] == -9


def test_only_the_end_of_what_was_told_is_kept() -> None:
    answer = child.call("sh", "-c", "yes no | head -n 100000 >&2; echo last >&2")
    assert len(answer["stderr"]) <= child.TAIL and answer["stderr"].endswith("no\nlast")


def test_a_missing_program_may_be_elsewhere() -> None:
    answer = child.call("/nowhere/catapult", "unit")
    assert answer["code"] == child.NOT_STARTED and "/nowhere/catapult cannot be started" in answer["stderr"]


def test_the_token_is_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN", "secret")
    monkeypatch.setenv("AWS_PROFILE", "mine")
    answer = child.call("env")
    assert "AWS_PROFILE=mine" in answer["stdout"] and "secret" not in answer["stdout"]


@LINUX
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_it_dies_with_its_parent(tmp_path: Path, number: int) -> None:
    note = tmp_path / "pid"
    # A process that a shell starts in the background ignores SIGINT, and this one would inherit that.
    handled = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{handled}; from catapult_ray import child; child.call('sh', '-c', 'echo $$ > {note}; exec sleep 1000')"
    parent = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    assert wait_for(lambda: note.exists() and note.read_text().strip())
    pid = int(note.read_text())
    assert alive(pid)
    parent.send_signal(number)
    parent.wait()
    assert wait_for(lambda: not alive(pid))


@LINUX
def test_it_does_not_start_when_its_parent_has_died_before(tmp_path: Path) -> None:
    note = tmp_path / "note"
    # The process id passed as the parent's is wrong.
    answer = subprocess.run([sys.executable, "-I", "-S", "-c", child.BECOME, "1" if os.getpid() != 1 else "2", "touch", str(note)])
    assert answer.returncode == child.NOT_STARTED and not note.exists()


def test_it_is_ended_when_the_call_is_left(tmp_path: Path) -> None:
    """Ray cancels a task by an exception in the main thread."""
    note = tmp_path / "pid"

    def interrupt(*_: object) -> None:
        if note.exists() and note.read_text().strip():
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            child.call("sh", "-c", f"echo $$ > {note}; exec sleep 1000")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not alive(int(note.read_text()))


def test_a_program_that_tells_nothing_is_tried_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    made = child.make("true", "place", "unit", 1, "cpu")
    assert made["code"] == child.NOT_STARTED and "told no unit" in made["stderr"]
