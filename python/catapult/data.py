"""Played games as a dataset: shards, runs, and the rows that our learner learns from.

A *shard* is a Parquet file of games that carries the hash of its bytes in its name and is verified when it is read. A *run* is a folder that
`catapult train` makes. A *row* is a position with what the network is to say of it.

>>> import catapult, catapult.data, tempfile
>>> folder = tempfile.mkdtemp()
>>> path = catapult.data.selfplay(catapult.Engine("material", simulations=8), "chesspp", games=2, folder=folder, seed=1, ply_cap=40)
>>> shard = catapult.data.Shard(path)
>>> len(shard), shard.metadata["network"], shard[0].board().move_stack[0].uci() == shard[0].moves[0]
(2, 'material', True)
>>> rows = catapult.data.rows([path])
>>> rows.arrays([0])["planes"].shape
(1, 8, 8, 32)

**The arrays of rows** (a dict; everything is seen from the side to move):

- `planes` float32 [rows, ranks, files, planes] and `globals` float32 [rows, globals]: the inputs of our networks
- `moves` int64 [moves, 4]: each legal move of each row: row, policy plane, square, destination; rows in order
- `actions` int64 [moves]: the same as `plane * squares + square`; `offsets` int64 [rows + 1]: row `i` has `offsets[i]` to `offsets[i + 1]`
- `policy` float32 [moves]: the search's improved policy, which sums to 1 for each row
- `values` float32 [rows, 3]: win, draw and loss; `value_weight` float32 [rows]
- `moves_left` float32 [rows]: plies to the end of the game, where `moves_left_weight` is 1
- `future` uint8 [rows, ranks, files, 2 * future planes]: what stands on each square 8 and then 24 plies later; `future_weight` float32 [rows, 2]
- `frequency` float32 [rows]: how often the row is drawn, as a multiple of the mean row
- `row` int64 [rows] and `mirrored` bool [rows]: which row it is, and whether it was flipped left to right
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._catapult import (
    Engine,
    GamePlayed,
    Rows,
    Shard,
    _find_shards,
    _learner_seed,
    _selfplay,
    _toml,
    _window,
)

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

#: Plies after a position at which the auxiliary targets say what stands on each square.
FUTURE_PLIES = (8, 24)

_Path = str | os.PathLike[str]


def shards(folder: _Path) -> list[Path]:
    """The shards that lie in a folder, by name; they are verified when they are read. Damaged and unfinished files are passed over."""
    return [Path(path) for _, _, path in _find_shards(os.fspath(folder))]


def _files(source: _Path | Iterable[_Path]) -> list[str]:
    sources = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    files: list[str] = []
    for each in sources:
        path = Path(each)
        if path.is_dir():
            files.extend(str(shard) for shard in shards(path))
        elif not path.exists():
            raise FileNotFoundError(f"{path}: there is no such file or folder")
        else:
            files.append(str(path))
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
    """The rows of shards: files, or folders of them, in their order.

    `variants` are those of the games (by default what the first shard's metadata says); several must share the 8x8 board. `window` and
    `targets` are settings as in a run's `[window]` and `[learning]` (`rows_per_game`, `high_clock_rows`; `result_share`, `value_lambda`,
    `adjudicated_weight`, `adjudicated_from`, `surprise_share`), `last` keeps so many of the last rows. Which rows of a game are kept is
    drawn by the game's own seed.

    Raises OSError if a file can't be read, ValueError, naming file and game, for one that is damaged or breaks the rules.
    """
    files = _files(source)
    if variants is None:
        named = Shard(files[0]).metadata.get("variant", "")
        variants = [name.strip() for name in named.split(",") if name.strip()]
    known = {"result_share", "value_lambda", "adjudicated_weight", "adjudicated_from", "surprise_share"}
    unknown = set(targets or {}) - known
    if unknown:
        raise ValueError(f"targets: unknown {', '.join(sorted(unknown))}; known are {', '.join(sorted(known))}")
    for name, value in (targets or {}).items():
        least = -1 if name == "adjudicated_from" else 0
        if not least <= value <= 1:
            raise ValueError(f"targets: {name} = {value}: it may be {least} to 1")
    return Rows.read(files, list(variants), json.dumps(dict(window or {})), json.dumps(dict(targets or {})), last)


def batches(rows: Rows, batch_rows: int = 256, *, seed: int = 0, mirror: bool = True) -> Iterator[dict[str, np.ndarray]]:
    """Batches without end, drawn as our learner draws them: every row as often as its frequency, shuffled, and every other one, where its
    rules allow it, flipped left to right if `mirror` says so. The same seed gives the same batches.
    """
    return iter(rows.batches(batch_rows, seed, mirror))


def dense_policy(batch: Mapping[str, np.ndarray], actions: int) -> np.ndarray:
    """A batch's policy targets as float32 [rows, actions], 0 for what is not legal."""
    dense = np.zeros((len(batch["values"]), actions), np.float32)
    dense[batch["moves"][:, 0], batch["actions"]] = batch["policy"]
    return dense


def torch_dataset(rows: Rows, batch_rows: int = 256, *, steps: int | None = None, seed: int = 0, mirror: bool = True) -> Any:
    """The batches as a `torch.utils.data.IterableDataset` of dicts of tensors; give `DataLoader` `batch_size=None`. With several workers
    each draws by a seed of its own. `steps` ends it after so many batches (over all workers); without it, it does not end.
    """
    import torch
    from torch.utils.data import IterableDataset, get_worker_info

    class Batches(IterableDataset):
        def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
            worker = get_worker_info()
            number, workers = (worker.id, worker.num_workers) if worker else (0, 1)
            left = None if steps is None else len(range(number, steps, workers))
            for batch in batches(rows, batch_rows, seed=seed + number * 0x9E3779B9, mirror=mirror):
                if left is not None:
                    if left == 0:
                        return
                    left -= 1
                yield {name: torch.from_numpy(array) for name, array in batch.items()}

    return Batches()


def selfplay(
    engine: Engine,
    variant: str,
    games: int,
    folder: _Path,
    *,
    name: str = "games",
    seed: int = 0,
    slots: int = 64,
    **settings: Any,
) -> Path:
    """Plays games of an engine against itself, with its simulations and settings, and writes them as a shard; gives the shard's path.

    `slots` games are under way at once. `settings` are those of a config's `[selfplay]`: `sampled_plies`, `ply_cap`, `fork_share` and so on.
    The same engine, seed and settings give the same bytes. Records name a network by the hash of its file.
    """
    path = _selfplay(engine, variant, games, os.fspath(folder), name, seed, slots, json.dumps(settings))
    return Path(path)


class Run:
    """A folder that `catapult train` made: `Run("runs/quickstart")`.

    `config` is its config as a dict, `generations` the numbers of those that are complete.
    """

    def __init__(self, path: _Path) -> None:
        self.path = Path(path)
        config = self.path / "config.toml"
        if not config.is_file():
            raise ValueError(f"{self.path} holds no config.toml, so it is not a run")
        self.config: dict[str, Any] = json.loads(_toml(config.read_text(encoding="utf-8")))

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
        """The variants that it plays."""
        one = self.config.get("variant")
        return [one] if one else list(self.config.get("variants", []))

    def report(self, generation: int) -> dict[str, Any]:
        """What a complete generation reported."""
        path = self._generation(generation) / "report.json"
        if not path.is_file():
            raise ValueError(f"{self.path}: generation {generation} is not complete")
        return json.loads(path.read_text(encoding="utf-8"))

    def network(self, generation: int) -> Path:
        """The file of a generation's network."""
        return self._generation(generation) / "network.safetensors"

    def shards(self, generation: int) -> list[Path]:
        """The shards of a generation's games, which the network of the generation before played."""
        return shards(self._generation(generation) / "games")

    def rows(self, generation: int) -> Rows:
        """The rows of a generation's games."""
        return self._rows([generation], None)

    def window(self, generation: int) -> Rows:
        """The rows that the learner of a complete generation drew from: the replay window, oldest first."""
        self.report(generation)
        reported = [self.report(number)["learning"]["new_rows"] for number in range(1, generation + 1)]
        settings = json.dumps(self.config.get("window", {}))
        first, size = _window(settings, generation, reported, self.config.get("initial") is None)
        return self._rows(range(first, generation + 1), size)

    def batches(self, generation: int, window: Rows | None = None) -> Iterator[dict[str, np.ndarray]]:
        """The very batches that the learner of a generation made its steps on, in their order; they do not end by themselves
        (`report(generation)["learning"]["steps"]`). `window` is that of the generation, if it has been read already.
        """
        learning = self.config.get("learning", {})
        return batches(
            self.window(generation) if window is None else window,
            learning.get("batch_rows", 256),
            seed=_learner_seed(self.config["seed"], generation),
            mirror=learning.get("mirror", True),
        )

    def _rows(self, generations: Iterable[int], last: int | None) -> Rows:
        learning = self.config.get("learning", {})
        names = ("result_share", "value_lambda", "adjudicated_weight", "adjudicated_from", "surprise_share")
        targets = {name: learning[name] for name in names if name in learning}
        files = [file for generation in generations for file in self.shards(generation)]
        return rows(files, self.variants, window=self.config.get("window"), targets=targets, last=last)

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"
