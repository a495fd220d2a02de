"""Joins a Ray cluster or starts one on this machine, and lists its nodes.

By default the cluster requires a token, and a cluster started here listens only on loopback.
"""

from __future__ import annotations

import dataclasses
import os
import secrets
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

from .schedule import AGAIN, Stopped

# Seconds that the head may be unreachable. After a minute Ray would end this process with 1, which means "never".
HEAD_LOST = 30.0


@dataclasses.dataclass(frozen=True)
class Node:
    """A live node of the cluster."""

    cpus: int
    gpus: float


def prepare(local: bool) -> None:
    """Sets Ray's environment variables and checks the token. Must be called before Ray is imported."""
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if local:
        # On Linux, Ray listens on every interface, whatever its settings. With this variable it assumes that the system
        # supports no clusters, like macOS, and listens only on 127.0.0.1.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    if os.environ["RAY_AUTH_MODE"] == "token":
        token(local)
    else:
        print("catapult-ray: RAY_AUTH_MODE is not token: whoever reaches the cluster's ports can run commands on it", file=sys.stderr)


def token(local: bool) -> None:
    """Ensures that a token exists. Writes one if needed, because other users could read a token written by Ray."""
    if os.environ.get("RAY_AUTH_TOKEN") or os.environ.get("RAY_AUTH_TOKEN_PATH"):
        return
    path = Path.home() / ".ray" / "auth_token"
    if path.exists():
        if path.stat().st_mode & 0o077:
            print(f"catapult-ray: others may read the token: chmod 600 {path}", file=sys.stderr)
    elif local:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
    else:
        raise Stopped(1, f"no token for the cluster: copy {path} from its head, or set RAY_AUTH_TOKEN_PATH")


def join(address: str | None, cpus: int | None) -> None:
    """Connects to the cluster at an address, or starts one that ends with this process."""
    prepare(local=address is None)
    import ray

    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address is None:
        # Tasks return only a few lines, so the smallest object store is enough.
        options.update(address="local", num_cpus=cpus, dashboard_host="127.0.0.1", object_store_memory=80_000_000)
    else:
        options.update(address=address)
    try:
        ray.init(**options)
    except (ConnectionError, ray.exceptions.RayError) as error:
        raise Stopped(AGAIN, f"no cluster at {address or 'this machine'}, or not with this token: {error}") from error
    threading.Thread(target=watch, args=(ray.get_runtime_context().gcs_address,), daemon=True).start()


def watch(head: str) -> None:
    """Ends this process when the head is lost, because every call to Ray would then block."""
    host, _, port = head.rpartition(":")
    seen = time.monotonic()
    while time.monotonic() - seen < HEAD_LOST:
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=5).close()
            seen = time.monotonic()
        except OSError:
            pass
        time.sleep(5)
    print(f"catapult-ray: the head at {head} is lost; rerun the command to resume when it is back", file=sys.stderr, flush=True)
    os._exit(AGAIN)


def nodes() -> list[Node]:
    import ray

    live = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    return [Node(int(resources.get("CPU", 0)), resources.get("GPU", 0.0)) for resources in live]
