#!/usr/bin/env python3
"""Writes the page's opening explorer from the games of a training run.

    selfplay.py explorer RUN FIRST LAST | gzip -9n > ../src/explorer.json.gz

RUN is a run's folder, FIRST and LAST are generations of it. The variable CATAPULT is the program. Needs pyarrow.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys

import pyarrow.parquet

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("CATAPULT", ROOT / "scripts/catapult")

PLIES = 8
LEAST_GAMES = 3

COLUMNS = ["variant", "game", "parent", "winner", "moves"]


def shards(run, first, last, columns=()):
    """Yields the rows of each shard, each with the FENs of its positions, and the shard's metadata."""
    for generation in range(first, last + 1):
        for file in sorted((run / f"generation-{generation:04}/games").glob("*.parquet")):
            table = pyarrow.parquet.read_table(file, columns=[*COLUMNS, *columns])
            fens = iter(subprocess.run([PROGRAM, "convert", file, "--to", "fen"], check=True, capture_output=True, text=True).stdout.splitlines())
            rows = table.to_pylist()
            for row in rows:
                row["fens"] = [next(fens) for _ in range(len(row["moves"]) + 1)]
                row["generation"] = generation
            yield rows, {key.decode(): value.decode() for key, value in table.schema.metadata.items()}


def unclocked(fen):
    """Returns a FEN without its two counters."""
    return " ".join(field for index, field in enumerate(fen.split(" ")) if index not in (4, 5))


def source(run, first, last, meta, games):
    keys = {"simulations": int(meta["simulations"]), "seed": int(meta["seed"]), "search_defaults": int(meta["search_defaults"])}
    return {"run": run.name, "generations": [first, last], **keys, "games": games}


def explorer(run, first, last):
    games = collections.Counter()
    counts = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0, 0]))
    networks = []
    for rows, meta in shards(run, first, last):
        networks += [meta["network"]] if meta["network"] not in networks else []
        for row in rows:
            # A forked game starts in the middle of its parent.
            if row["parent"] is not None:
                continue
            games[row["variant"]] += 1
            seen = set()
            for fen, move in list(zip(row["fens"], row["moves"]))[:PLIES]:
                key = row["variant"], unclocked(fen)
                # A position that recurs in a game counts once.
                if key in seen:
                    continue
                seen.add(key)
                found = counts[key][move]
                found[0] += 1
                found[1] += row["winner"] == "white"
                found[2] += row["winner"] is None
    positions = {variant: {} for variant in sorted(games)}
    for (variant, key), moves in sorted(counts.items()):
        if sum(found[0] for found in moves.values()) >= LEAST_GAMES:
            positions[variant][key] = {move: found for move, found in sorted(moves.items(), key=lambda item: (-item[1][0], item[0]))}
    about = {**source(run, first, last, meta, dict(sorted(games.items()))), "networks": [networks[0], networks[-1]]}
    return {"source": about, "plies": PLIES, "least_games": LEAST_GAMES, "positions": positions}


def main():
    name, run, first, last, *network = sys.argv[1:]
    made = {"explorer": explorer}[name](pathlib.Path(run), int(first), int(last), *network)
    print(json.dumps(made, separators=(",", ":")))


if __name__ == "__main__":
    main()
