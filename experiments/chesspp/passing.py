#!/usr/bin/env python3
"""Counts catapult moves per game, and describes the draws by the fifty-move rule.

    pip install numpy pyarrow
    for n in 1 2 3 4 5 6 7 8 9 10 11 12; do for s in 0 1; do
        scripts/catapult cluster unit studies/study-chesspp games/chesspp.rules-$n.last.64/shard-000$s
    done; done
    python3 experiments/chesspp/passing.py studies/study-chesspp

The loop replays Chess++ at 64 simulations (2,400 games, some 15 minutes of one core). It needs the networks in the
folder (see README.md), and a study begun with
`scripts/catapult cluster units studies/study-chesspp --begin configs/study/chesspp.toml`.
This count was made after the verdicts and is not registered.
"""

import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}  # in pawns; catapults count 0


def play(fen: str, moves: list[str]) -> tuple[list[bool], dict[str, str]]:
    """Returns a list with True for each ply that moves a catapult, and the final pieces (square to letter)."""
    board: dict[str, str] = {}
    for rank, row in zip("87654321", fen.split()[0].split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                board["abcdefgh"[file] + rank] = letter
                file += 1
    catapult_moves = []
    for move in moves:
        start, end = move[:2], move[2:4]
        # A move from a square without a piece moves the catapult there.
        catapult_moves.append(start not in board)
        if start not in board:
            continue
        piece = board.pop(start)
        if not move.endswith("t"):  # `t` marks a teleport, which is never en passant, castling or promotion
            if piece in "Pp" and start[0] != end[0] and end not in board:
                board.pop(end[0] + start[1], None)  # en passant
            if piece in "Kk" and abs(ord(start[0]) - ord(end[0])) == 2:
                rook_from, rook_to = ("h", "f") if end[0] == "g" else ("a", "d")
                board[rook_to + start[1]] = board.pop(rook_from + start[1])
            if len(move) == 5:
                piece = move[4].upper() if piece == "P" else move[4]
        board[end] = piece
    return catapult_moves, board


def main(folder: Path) -> None:
    counts: dict[str, list[int]] = {"all": [], "decisive": [], "drawn": []}
    last_hundred, bare, rook_endings = [], 0, 0
    leader_values: dict[int, list[float]] = {10: [], 58: [], 99: []}  # by half-move clock
    for network in range(1, 13):
        own = []
        for shard in sorted(folder.glob(f"games/chesspp.rules-{network}.last.64/shard-*.parquet")):
            columns = ["start_fen", "moves", "outcome", "winner", "raw_win", "raw_loss"]
            for game in pq.read_table(shard, columns=columns).to_pylist():
                is_catapult, board = play(game["start_fen"], game["moves"])
                own.append(sum(is_catapult))
                counts["decisive" if game["winner"] in ("white", "black") else "drawn"].append(own[-1])
                if game["outcome"] != "hundred-plies":
                    continue
                last_hundred.append(np.mean(is_catapult[-100:]))
                sides = [sorted(p.lower() for p in board.values() if p.isupper() == white) for white in (True, False)]
                bare += ["k"] in sides
                rook_endings += sorted(sides) == [["k"], ["k", "r"]]
                lead = sum(VALUES[p.lower()] * (1 if p.isupper() else -1) for p in board.values())
                if abs(lead) >= 3:
                    for clock, values in leader_values.items():
                        ply = len(game["moves"]) - 100 + clock
                        value = game["raw_win"][ply] - game["raw_loss"][ply]  # from the view of the side to move
                        values.append(value if (ply % 2 == 0) == (lead > 0) else -value)
        print(f"network {network:2}: {len(own)} games, catapult moves per game: mean {np.mean(own):.3f}, median {np.median(own):g}")
        counts["all"] += own
    for name, found in counts.items():
        print(f"{name}: {len(found)} games, catapult moves: mean {np.mean(found):.1f}, median {np.median(found):g}")
    print(f"games without a catapult move: {np.mean(np.array(counts['all']) == 0):.1%}")
    print(f"share of all catapult moves in drawn games: {sum(counts['drawn']) / sum(counts['all']):.1%}")
    print(f"fifty-move draws: {len(last_hundred)}, {bare} with a bare king, {rook_endings} of them king and rook against king")
    print(f"catapult moves among their last hundred plies: mean {np.mean(last_hundred):.1%}, median {np.median(last_hundred):.1%}")
    for clock, values in leader_values.items():
        print(f"raw value of a side three pawns ahead at half-move clock {clock}: {np.mean(values):+.2f} ({len(values)} games)")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
