#!/usr/bin/env python3
"""Trains a tower and sparse networks on the same training samples, once each, and compares them on other games.

    python compare.py prepare OUT SHARDS...          # samples of shards (files or folders) as compact arrays
    python compare.py train NETWORK TRAIN TEST...    # one pass over TRAIN, then errors on each TEST; one line of JSON

NETWORK is `tower-32x4` or `sparse-WIDTH`, with options after commas:

    inputs=pieces    pieces and catapults only
    inputs=split     pieces split by whether each side attacks their square
    inputs=lean      the same, without the planes of attacks
    policy=actions   one vector of the policy per plane and square, instead of three small tables
    policy=exchange  a further table: kinds of mover and victim, attacks on both squares
    policy=kings     two more: mover and way from each king to the destination
    layers=2         a second hidden layer for the value
    batch=256        samples per step, instead of 1,024; the tower has 256

Needs the Python package `catapult`, numpy and PyTorch.
"""

import argparse
import json
import math
import sys
import time
from pathlib import Path

import numpy as np

SQUARES, PLANES, GLOBALS, ACTIONS = 64, 32, 25, 133 * 64
# Targets of configs/train/strong.toml.
TARGETS = {"value_lambda": 0.8, "adjudicated_weight": 0.0}


def prepare(out: Path, sources: list[Path]) -> None:
    """Writes the samples of all shards to `out`: the set bits of all binary planes, and the targets."""
    import catapult
    import catapult.data

    names = catapult.about("chesspp")["plane_names"]
    constant = [names.index(name) for name in ("board", "rank")]
    files = [path for source in sources for path in (catapult.data.shards(source) if source.is_dir() else [source])]
    parts = {name: [] for name in ("features", "counts", "globals", "actions", "probabilities", "moves", "values", "weights")}
    for path in files:
        rows = catapult.data.rows([path], ["chess", "chesspp"], targets=TARGETS)
        for first in range(0, len(rows), 4096):
            arrays = rows.arrays(range(first, min(first + 4096, len(rows))))
            planes = arrays["planes"].reshape(-1, SQUARES, PLANES).copy()
            planes[:, :, constant] = 0
            assert ((planes == 0) | (planes == 1)).all()
            row, square, plane = planes.nonzero()
            parts["features"].append((plane * SQUARES + square).astype(np.uint16))
            parts["counts"].append(np.bincount(row, minlength=len(planes)).astype(np.uint16))
            parts["globals"].append(arrays["globals"][:, :GLOBALS].astype(np.float16))
            parts["actions"].append(np.stack([arrays["actions"], arrays["moves"][:, 3]], 1).astype(np.uint16))
            parts["probabilities"].append(arrays["policy"].astype(np.float16))
            parts["moves"].append(np.diff(arrays["offsets"]).astype(np.uint16))
            parts["values"].append(arrays["values"].astype(np.float16))
            parts["weights"].append(arrays["value_weight"].astype(np.float16))
    out.mkdir(parents=True, exist_ok=True)
    for name, found in parts.items():
        np.save(out / f"{name}.npy", np.concatenate(found))
    print(json.dumps({"out": str(out), "shards": len(files), "samples": int(sum(len(part) for part in parts["counts"]))}))


class Samples:
    """Samples on disk, read in batches."""

    def __init__(self, folder: Path):
        self.of = {path.stem: np.load(path, mmap_mode="r") for path in folder.glob("*.npy")}
        self.feature_at = np.concatenate([[0], np.cumsum(self.of["counts"], dtype=np.int64)])
        self.move_at = np.concatenate([[0], np.cumsum(self.of["moves"], dtype=np.int64)])
        self.length = len(self.of["counts"])

    def batch(self, rows: np.ndarray) -> dict:
        import torch

        def ragged(name: str, at: np.ndarray):
            lengths = at[rows + 1] - at[rows]
            starts = np.repeat(at[rows] - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
            return self.of[name][starts + np.arange(lengths.sum())], lengths

        features, counts = ragged("features", self.feature_at)
        actions, moves = ragged("actions", self.move_at)
        probabilities, _ = ragged("probabilities", self.move_at)
        tensor = lambda array, kind: torch.from_numpy(np.ascontiguousarray(array).astype(kind))  # noqa: E731
        return {
            "features": tensor(features, np.int64),
            "offsets": tensor(np.concatenate([[0], np.cumsum(counts)[:-1]]), np.int64),
            "feature_row": tensor(np.repeat(np.arange(len(rows)), counts), np.int64),
            "globals": tensor(self.of["globals"][rows], np.float32),
            "action": tensor(actions[:, 0], np.int64),
            "to": tensor(actions[:, 1], np.int64),
            "row": tensor(np.repeat(np.arange(len(rows)), moves), np.int64),
            "policy": tensor(probabilities, np.float32),
            "values": tensor(self.of["values"][rows], np.float32),
            "weights": tensor(self.of["weights"][rows], np.float32),
        }


def dense(batch: dict):
    """Returns the planes of a batch, [rows, planes, 8, 8], with the constant planes zero."""
    import torch

    planes = torch.zeros(len(batch["globals"]), PLANES * SQUARES)
    planes[batch["feature_row"], batch["features"]] = 1.0
    return planes.view(-1, PLANES, 8, 8)


def networks():
    import torch
    from torch import nn
    from torch.nn import functional as F

    class Tower(nn.Module):
        """The network of `crates/model`, without its auxiliary heads and in f32."""

        def __init__(self, channels: int, blocks: int):
            super().__init__()
            conv = lambda i: nn.Conv2d(i, channels, 3, padding=1, bias=False)  # noqa: E731
            self.input, self.globals, self.norm = conv(PLANES), nn.Linear(GLOBALS, channels, bias=False), nn.BatchNorm2d(channels)
            self.blocks = nn.ModuleList(
                nn.ModuleList([conv(channels), nn.BatchNorm2d(channels), conv(channels), nn.BatchNorm2d(channels)]) for _ in range(blocks))
            self.pools = nn.ModuleList(nn.Linear(2 * channels, channels) if number % 3 == 2 else nn.Identity() for number in range(blocks))
            self.policy, self.query, self.key, self.value = (nn.Linear(channels, width) for width in (32, 16, 16, 32))
            self.origin, self.target, self.bias = nn.Embedding(133, 32), nn.Embedding(133, 32), nn.Embedding(133, 1)
            self.hidden, self.output = nn.Linear(64, 64), nn.Linear(64, 3)
            for table in (self.origin, self.target, self.bias):
                nn.init.normal_(table.weight, std=0.1)

        def forward(self, batch):
            x = self.input(dense(batch)) + self.globals(batch["globals"])[:, :, None, None]
            x = F.relu(self.norm(x))
            for (first, first_norm, second, second_norm), pool in zip(self.blocks, self.pools):
                y = F.relu(first_norm(first(x)))
                x = second_norm(second(y)) + x
                if isinstance(pool, nn.Linear):
                    x = x + pool(torch.cat([y.mean((2, 3)), y.amax((2, 3))], 1))[:, :, None, None]
                x = F.relu(x)
            x = x.flatten(2).transpose(1, 2)
            plane, square = batch["action"] // SQUARES, batch["action"] % SQUARES
            start, end = batch["row"] * SQUARES + square, batch["row"] * SQUARES + batch["to"]
            policy, query, key = F.relu(self.policy(x)).flatten(0, 1), self.query(x).flatten(0, 1), self.key(x).flatten(0, 1)
            logits = (policy[start] * self.origin(plane)).sum(1) + (policy[end] * self.target(plane)).sum(1)
            logits = logits + (query[start] * key[end]).sum(1) / 4 + self.bias(plane)[:, 0]
            value = F.relu(self.value(x))
            value = torch.cat([value.mean(1), value.amax(1)], 1)
            return logits, self.output(F.relu(self.hidden(value)))

    class Sparse(nn.Module):
        """One wide layer over the set bits of the planes; a small value head; a policy of dot products for the legal moves."""

        def __init__(self, width: int, layers: int = 1, policy: str = "shared", inputs: str = "all", size: int = 64):
            super().__init__()
            self.inputs, self.policy = inputs, policy
            # Set bits of the planes, then pieces split by whether either side attacks their square.
            self.bits = nn.EmbeddingBag((PLANES + 48) * SQUARES + 1, width, mode="sum", padding_idx=(PLANES + 48) * SQUARES)
            self.globals = nn.Linear(GLOBALS, width)
            nn.init.normal_(self.bits.weight, std=0.07)
            self.value = nn.Sequential(nn.Linear(width, 32), nn.ReLU(), *([nn.Linear(32, 32), nn.ReLU()] if layers == 2 else []), nn.Linear(32, 3))
            self.query = nn.Linear(width, size)
            tables = {"by_plane": 133 * 8, "by_end": 64 * 14, "by_start": 64 * 14}
            if policy == "actions":
                tables = {"by_action": ACTIONS}
            elif policy in ("exchange", "kings"):  # kinds of mover and victim, and how both squares are attacked
                tables |= {"by_exchange": 7 * 7 * 4 * 4 * 4}
                if policy == "kings":
                    tables |= {"by_enemy_king": 7 * 225, "by_own_king": 7 * 225}
            self.tables = nn.ModuleDict({name: nn.Embedding(rows, size) for name, rows in tables.items()})
            self.biases = nn.ModuleDict({name: nn.Embedding(rows, 1) for name, rows in tables.items()})
            for table in self.tables.values():
                nn.init.normal_(table.weight, std=0.1)
            for table in self.biases.values():
                nn.init.zeros_(table.weight)

        def hidden(self, batch):
            features = batch["features"]
            if self.inputs == "pieces":
                features = torch.where(features < 17 * SQUARES, features, (PLANES + 48) * SQUARES)
            elif self.inputs in ("split", "lean"):
                planes = dense(batch).flatten(2)
                bucket = (planes[:, 19] * 2 + planes[:, 20]).long()
                plane, square = features // SQUARES, features % SQUARES
                split = (PLANES + plane * 4 + bucket[batch["feature_row"], square]) * SQUARES + square
                features = torch.where(features < 12 * SQUARES, split, features)
                if self.inputs == "lean":
                    attacks = (features >= 19 * SQUARES) & (features < 23 * SQUARES)
                    features = torch.where(attacks, (PLANES + 48) * SQUARES, features)
            x = self.bits(features, batch["offsets"]) + self.globals(batch["globals"])
            return x.clamp(0, 1).square()

        def keys(self, batch):
            """Rows of the tables for each move."""
            if self.policy == "actions":
                return {"by_action": batch["action"]}
            plane, square = batch["action"] // SQUARES, batch["action"] % SQUARES
            planes = dense(batch).flatten(2)
            occupied = planes[:, :12]
            piece = torch.where(occupied.any(1), occupied.argmax(1) + 1, 0)  # [rows, 64]; 0: empty
            here, there = piece[batch["row"], square], piece[batch["row"], batch["to"]]
            own, enemy = planes[:, 19], planes[:, 20]
            bucket = (there > 6) * 4 + (enemy[batch["row"], batch["to"]] > 0) * 2 + (own[batch["row"], batch["to"]] > 0)
            found = {"by_plane": plane * 8 + bucket.long(), "by_end": here * 64 + batch["to"], "by_start": here * 64 + square}
            if self.policy in ("exchange", "kings"):
                kind = lambda p: torch.where(p > 6, p - 6, p)  # noqa: E731
                row, to = batch["row"], batch["to"]
                way = lambda at: own[row, at].long() + 2 * enemy[row, at].long()  # noqa: E731
                pawns = planes[:, 22]
                victim = torch.where(there > 6, kind(there), 0)
                index = (kind(here) * 7 + victim) * 4 + way(to)
                index = (index * 4 + way(square)) * 4 + pawns[row, to].long() + 2 * pawns[row, square].long()
                found["by_exchange"] = index
                if self.policy == "kings":
                    for name, plane_of in (("by_enemy_king", 11), ("by_own_king", 5)):
                        king = planes[:, plane_of].argmax(1)[row]
                        delta = (to // 8 - king // 8 + 7) * 15 + to % 8 - king % 8 + 7
                        found[name] = kind(here) * 225 + delta
            return found

        def forward(self, batch):
            x = self.hidden(batch)
            keys = self.keys(batch)
            vector = sum(self.tables[name](index) for name, index in keys.items())
            bias = sum(self.biases[name](index) for name, index in keys.items())[:, 0]
            query = self.query(x)
            logits = (query[batch["row"]] * vector).sum(1) / math.sqrt(vector.shape[1]) * 4 + bias
            return logits, self.value(x)

    return Tower, Sparse


def build(name: str):
    Tower, Sparse = networks()
    head, *options = name.split(",")
    kind, size = head.split("-")
    if kind == "tower":
        return Tower(*map(int, size.split("x")))
    settings = dict(option.split("=") for option in options if not option.startswith("batch"))
    return Sparse(int(size), **{key: int(value) if value.isdigit() else value for key, value in settings.items()})


def log_policy(logits, batch):
    import torch

    rows = len(batch["globals"])
    top = torch.full((rows,), -1e9).scatter_reduce(0, batch["row"], logits, "amax")
    shifted = logits - top.detach()[batch["row"]]
    total = torch.zeros(rows).index_add(0, batch["row"], shifted.exp())
    return shifted - total.log()[batch["row"]]


def errors(network, samples: Samples) -> dict:
    """Returns KL divergence and top-1 agreement with the search's policy, and the mean squared error of win minus loss."""
    import torch

    network.eval()
    sums = np.zeros(5)
    with torch.no_grad():
        for first in range(0, samples.length, 2048):
            batch = samples.batch(np.arange(first, min(first + 2048, samples.length)))
            logits, value = network(batch)
            found, target = log_policy(logits, batch), batch["policy"]
            kl = (target * (target.clamp_min(1e-9).log() - found)).sum()
            rows = len(batch["globals"])

            def best(scores):
                top = torch.full((rows,), -1e9).scatter_reduce(0, batch["row"], scores, "amax")
                hit = torch.where(scores >= top[batch["row"]], torch.arange(len(scores)), len(scores))
                return torch.full((rows,), len(scores)).scatter_reduce(0, batch["row"], hit, "amin")

            agree = (best(found) == best(target)).sum()
            wdl = value.softmax(1)
            truth = batch["values"]
            off = ((wdl[:, 0] - wdl[:, 2]) - (truth[:, 0] - truth[:, 2])).square()
            sums += [float(kl), float(agree), float((off * batch["weights"]).sum()), float(batch["weights"].sum()), rows]
    return {"kl": round(sums[0] / sums[4], 4), "top1": round(sums[1] / sums[4], 4), "mse": round(sums[2] / sums[3], 4), "samples": int(sums[4])}


def train(name: str, source: Path, tests: list[Path], seed: int, threads: int, limit: int | None) -> None:
    import torch

    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    network, samples = build(name), Samples(source)
    tower = name.startswith("tower")
    options = dict(option.split("=") for option in name.split(",")[1:])
    size = int(options.get("batch", 256 if tower else 1024))
    rate = 4e-3 if tower else 2e-3
    order = np.random.default_rng(seed).permutation(samples.length)[:limit]
    steps = len(order) // size
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.01)
    mean = {key: value.clone() for key, value in network.state_dict().items()}
    began, spent = time.time(), 0.0
    for step in range(steps):
        progress = step / steps
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, step / 200) * (0.05 + 0.95 * math.cos(progress * math.pi / 2))
        batch = samples.batch(np.sort(order[step * size:(step + 1) * size]))
        started = time.time()
        network.train()
        logits, value = network(batch)
        policy = -(batch["policy"] * log_policy(logits, batch)).sum() / size
        values = -((batch["values"] * value.log_softmax(1)).sum(1) * batch["weights"]).mean()
        optimizer.zero_grad()
        (policy + values).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        spent += time.time() - started
        decay = min(0.98 if tower else 0.995, (step + 1) / (step + 10))
        with torch.no_grad():
            for key, value in network.state_dict().items():
                if value.is_floating_point():
                    mean[key].lerp_(value, 1 - decay)
                else:
                    mean[key].copy_(value)
        if step % 200 == 0:
            print(f"{name} {step}/{steps}: policy {policy:.3f} value {values:.3f} {1e6 * spent / (step + 1) / size:.0f} us per sample", file=sys.stderr, flush=True)
    network.load_state_dict(mean)
    result = {"network": name, "seed": seed, "samples": steps * size, "seconds": round(time.time() - began),
              "us_per_sample": round(1e6 * spent / steps / size, 1), "parameters": sum(p.numel() for p in network.parameters()),
              "tests": {test.name: errors(network, Samples(test)) for test in tests}}
    print(json.dumps(result), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("prepare")
    one.add_argument("out", type=Path)
    one.add_argument("shards", type=Path, nargs="+")
    two = commands.add_parser("train")
    two.add_argument("network")
    two.add_argument("train", type=Path)
    two.add_argument("tests", type=Path, nargs="+")
    two.add_argument("--seed", type=int, default=1)
    two.add_argument("--threads", type=int, default=1)
    two.add_argument("--limit", type=int)
    found = parser.parse_args()
    if found.command == "prepare":
        prepare(found.out, found.shards)
    else:
        train(found.network, found.train, found.tests, found.seed, found.threads, found.limit)


if __name__ == "__main__":
    main()
