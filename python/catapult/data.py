"""Played games as a dataset: shards, runs, and training samples.

A *shard* is a Parquet file of games. Its name contains the hash of its bytes, which is verified on reading.
A *run* is a folder created by `catapult train`. A *row* is a training sample: a position with its targets.

>>> import catapult, catapult.data, tempfile
>>> folder = tempfile.mkdtemp()
>>> path = catapult.data.selfplay(catapult.Engine("material", simulations=8), "chesspp", games=2, folder=folder, seed=1, ply_cap=40)
>>> shard = catapult.data.Shard(path)
>>> len(shard), shard.metadata["network"], shard[0].board().move_stack[0].uci() == shard[0].moves[0]
(2, 'material', True)
>>> rows = catapult.data.rows([path])
>>> rows.arrays([0])["planes"].shape
(1, 8, 8, 32)

**Arrays of training samples** (a dict; everything is seen from the side to move):

- `planes` float32 [rows, ranks, files, planes] and `globals` float32 [rows, globals]: network inputs
- `moves` int64 [moves, 4]: per legal move its row, policy plane, square and destination; rows in order
- `actions` int64 [moves]: the same moves as `plane * squares + square`
- `offsets` int64 [rows + 1]: row `i` has moves `offsets[i]` to `offsets[i + 1]`
- `policy` float32 [moves]: the search's improved policy, which sums to 1 per row
- `values` float32 [rows, 3]: win, draw and loss; `value_weight` float32 [rows]: loss weight
- `moves_left` float32 [rows]: plies to the end of the game, valid if `moves_left_weight` is 1
- `future` uint8 [rows, ranks, files, 2 * future planes]: occupancy of each square 8 and 24 plies later
- `future_weight` float32 [rows, 2]: loss weights of `future`
- `frequency` float32 [rows]: sampling frequency relative to the mean row
- `row` int64 [rows]: index of the row; `mirrored` bool [rows]: true if the files are flipped
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._catapult import GamePlayed, Rows, Shard, _learner_seed, _toml, _window, selfplay, shards

__all__ = [
    "FUTURE_PLIES",
    "GamePlayed",
    "Rows",
    "Run",
    "Shard",
    "batches",
    "dense_policy",
    "rows",
    "selfplay",
    "shards",
    "torch_dataset",
]

# Horizons in plies of the auxiliary targets, which give the occupancy of each square.
FUTURE_PLIES = (8, 24)

# Settings of the training targets in a run's `[learning]`.
_TARGETS = ("result_share", "value_lambda", "adjudicated_weight", "adjudicated_from", "surprise_share")

_Path = str | os.PathLike[str]


def _files(source: _Path | Iterable[_Path]) -> list[Path]:
    sources = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    files: list[Path] = []
    for path in map(Path, sources):
        if path.is_dir():
            files.extend(shards(path))
        elif not path.exists():
            raise FileNotFoundError(f"{path}: there is no such file or folder")
        else:
            files.append(path)
    if not files:
        raise ValueError(f"{source}: there are no shards")
    return files


def rows(
    source: _Path | Iterable[_Path],
    variants: Sequence[str] | None = None,
    *,
    window: Mapping[str, Any] | None = None,
    targets: Mapping[str, Any] | None = None,
    last: int | None = None,
) -> Rows:
    """Reads the training samples of shards: files, or folders of them, in order.

    `variants` are the variants of the games (default: the first shard's metadata). Several variants
    must share the 8x8 board. `window` and `targets` are settings from a run's `[window]` and
    `[learning]`: `rows_per_game`, `high_clock_rows`; `result_share`, `value_lambda`,
    `adjudicated_weight`, `adjudicated_from`, `surprise_share`. `last` keeps only that many of the
    last rows. Each game's own seed selects its rows.

    Raises OSError if a file cannot be read. Raises ValueError, with file and game, if a file is
    damaged or a move is illegal. Outcomes are not checked.
    """
    files = _files(source)
    if variants is None:
        named = Shard(files[0]).metadata.get("variant", "")
        variants = [name.strip() for name in named.split(",") if name.strip()]
    window, targets = dict(window or {}), dict(targets or {})
    unknown = set(targets) - set(_TARGETS)
    if unknown:
        raise ValueError(f"targets: unknown {', '.join(sorted(unknown))}; known are {', '.join(sorted(_TARGETS))}")
    return Rows.read(files, list(variants), window, targets, last)


def batches(rows: Rows, batch_rows: int = 256, *, seed: int = 0, mirror: bool = True) -> Iterator[dict[str, np.ndarray]]:
    """Returns an endless iterator over shuffled batches, sampled like those of `catapult train`.

    Every row occurs with its frequency. If there are fewer than `batch_rows` rows, each batch has
    all of them. With `mirror`, a random half of the rows is flipped left to right if the rules
    allow it. Equal seeds give equal batches.
    """
    return iter(rows.batches(batch_rows, seed, mirror))


def dense_policy(batch: Mapping[str, np.ndarray], actions: int) -> np.ndarray:
    """A batch's policy targets as float32 [rows, actions], with 0 for illegal actions."""
    dense = np.zeros((len(batch["values"]), actions), np.float32)
    # With four catapults, two moves can share an action.
    np.add.at(dense, (batch["moves"][:, 0], batch["actions"]), batch["policy"])
    return dense


def torch_dataset(rows: Rows, batch_rows: int = 256, *, steps: int | None = None, seed: int = 0, mirror: bool = True) -> Any:
    """The batches as a `torch.utils.data.IterableDataset` of dicts of tensors.

    Pass `batch_size=None` to `DataLoader`. Each of several workers draws with its own seed. `steps`
    is the number of batches over all workers; without it the dataset is endless. Each pass repeats
    the same batches: for more training, raise `steps` or pass another `seed`. Workers need the
    start method fork: `DataLoader(..., num_workers=2, multiprocessing_context="fork")`.
    """
    import torch
    from torch.utils.data import IterableDataset, get_worker_info

    class Batches(IterableDataset):
        def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
            worker = get_worker_info()
            number, workers = (worker.id, worker.num_workers) if worker else (0, 1)
            own: Iterable[int] = itertools.count() if steps is None else range(number, steps, workers)
            drawn = batches(rows, batch_rows, seed=seed + number * 0x9E3779B9, mirror=mirror)
            # `zip` reads `own` first, so no batch is drawn after the last step.
            for _, batch in zip(own, drawn):
                yield {name: torch.from_numpy(array) for name, array in batch.items()}

    return Batches()


class Run:
    """A folder created by `catapult train`: `Run("runs/quickstart")`.

    `config` is its config as a dict, `generations` the numbers of its complete generations.
    """

    def __init__(self, path: _Path) -> None:
        self.path = Path(path)
        config = self.path / "config.toml"
        if not config.is_file():
            raise ValueError(f"{self.path} contains no config.toml, so it is not a run")
        try:
            self.config: dict[str, Any] = _toml(config.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{config}: {error}") from error
        origin = self.path / "fork.json"
        self._fork = json.loads(origin.read_text(encoding="utf-8")) if origin.is_file() else None

    def _config_of(self, generation: int) -> dict[str, Any]:
        """Config of a generation: in a fork, the trunk's up to the generation of the fork."""
        return self._fork["trunk"] if self._fork and generation <= self._fork["generation"] else self.config

    def _generation(self, generation: int) -> Path:
        return self.path / f"generation-{generation:04}"

    @property
    def generations(self) -> list[int]:
        numbers = []
        while (self._generation(len(numbers)) / "report.json").is_file():
            numbers.append(len(numbers))
        return numbers

    @property
    def variants(self) -> list[str]:
        """Variants of the run."""
        one = self.config.get("variant")
        return [one] if one else list(self.config.get("variants", []))

    def report(self, generation: int) -> dict[str, Any]:
        """The report of a complete generation."""
        path = self._generation(generation) / "report.json"
        if not path.is_file():
            raise ValueError(f"{self.path}: generation {generation} is not complete")
        return json.loads(path.read_text(encoding="utf-8"))

    def network(self, generation: int) -> Path:
        """Path of a generation's network."""
        return self._generation(generation) / "network.safetensors"

    def shards(self, generation: int) -> list[Path]:
        """Shards of a generation's games."""
        return shards(self._generation(generation) / "games")

    def rows(self, generation: int) -> Rows:
        """Training samples of a generation's games."""
        return self._rows(generation, [generation], None)

    def window(self, generation: int) -> Rows:
        """Training samples in the replay window of a complete generation, oldest first."""
        self.report(generation)
        reported = [self.report(number)["learning"]["new_rows"] for number in range(1, generation + 1)]
        config = self._config_of(generation)
        settings, lag = config.get("window", {}), config.get("games", {}).get("lag", 0)
        first, size = _window(settings, lag, generation, reported, config.get("initial") is None)
        return self._rows(generation, range(first, generation + 1), size)

    def batches(self, generation: int, window: Rows | None = None) -> Iterator[dict[str, np.ndarray]]:
        """The batches on which a generation was trained, in order.

        The iterator is endless; the generation used `report(generation)["learning"]["steps"]`
        batches. `window` is the generation's window, if it has been read already.
        """
        learning = self._config_of(generation).get("learning", {})
        return batches(
            self.window(generation) if window is None else window,
            learning.get("batch_rows", 256),
            seed=_learner_seed(self.config["seed"], generation),
            mirror=learning.get("mirror", True),
        )

    def _rows(self, learner: int, generations: Iterable[int], last: int | None) -> Rows:
        """Samples of `generations` as generation `learner` learns from them."""
        config = self._config_of(learner)
        learning = config.get("learning", {})
        targets = {name: learning[name] for name in _TARGETS if name in learning}
        files = []
        for generation in generations:
            found, wanted = self.shards(generation), self._config_of(generation).get("games", {}).get("shards", 2)
            if len(found) < wanted:
                raise ValueError(f"{self.path}: generation {generation} has {len(found)} of {wanted} shards")
            files += found
        return rows(files, self.variants, window=config.get("window"), targets=targets, last=last)

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"
