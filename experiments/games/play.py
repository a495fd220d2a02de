#!/usr/bin/env python3
"""Plays games of networks against themselves and writes them as PGN with evaluations.

play.py [--simulations N] [--plies N] [--folder FOLDER] [RULE_SET ...]
play.py --table [--folder FOLDER] [RULE_SET ...]    prints the page's table from the files of the folder

Needs the Python package `catapult`.
"""

import argparse
import math
import re
from pathlib import Path

import catapult
import catapult.pgn

HERE = Path(__file__).resolve().parent
OPTIONS = ["instant", "third", "free", "pawns", "promote", "bare", "still"]
NETWORKS = {"chess": "all-rules", "chesspp": "all-rules"} | {f"chesspp+{option}": "all-rules" for option in OPTIONS}
NETWORKS |= {"half": "half-longer", "maxim": "maxim-long", "century": "century-long"}
GAMES, SEED = 3, 1
# The first decisions of a game are drawn from the search's probabilities, at this temperature.
SAMPLED, TEMPERATURE = 8, 1.5
# The engine's conversion of win minus loss to centipawns: 90 tan(1.5637541897 q).
SLOPE = 1.5637541897


def is_special(board, move):
    """True for a teleport, a passage through a portal, a capture on the way, or the declaration of a Jester."""
    if board.variant == "maxim":
        floor = board.floor_at(move.to_square) if move.from_square is not None else None
        return floor is not None and floor.kind == "portal"
    return move.is_teleport or "x" in move.uci() or move.uci().endswith("j")


def evaluation(line, white):
    """Evaluation after the line's first move, from White's side: pawns, or moves to mate. None without a visit."""
    sign = 1 if white else -1
    if line.mate is not None:
        # A mate in one is on the board after the move.
        return f"#{sign * (line.mate - (line.mate > 0))}"
    return line.value if line.value is None else f"{max(-128.0, min(128.0, sign * 0.9 * math.tan(SLOPE * line.value))):+.2f}"


def comment(board, analysis, move):
    """PGN comment of a move: its evaluation, and the best other move if one of the two is special."""
    played = next(line for line in analysis.lines if line.move == move)
    other = next((line for line in analysis.lines if line.move != move), None)
    shown = evaluation(played, board.turn)
    words = [f"[%eval {shown.removeprefix('+')}]"] if shown and shown not in ("#0", "#-0") else []
    if other and (is_special(board, move) or is_special(board, other.move)):
        words.append(f"{shown or '?'}; instead {other.san[0]} {evaluation(other, board.turn) or '?'}")
    return " ".join(words)


def play(variant, simulations, plies):
    """Plays the games of a rule set. Returns them as PGN."""
    name = NETWORKS[variant]
    engine = catapult.Engine(HERE.parents[1] / f"models/{name}.safetensors", simulations=simulations)
    boards = [catapult.Board(variant) for _ in range(GAMES)]
    comments = [[] for _ in boards]
    for decision in range(10 * plies):
        going = [n for n, board in enumerate(boards) if not board.is_game_over() and (board.ply() < plies or not board.is_turn_start)]
        temperature = TEMPERATURE if decision < SAMPLED else 0.0
        found = engine.analyse_many([boards[n] for n in going], temperature=temperature, seed=1000 * SEED + decision) if going else []
        for n, analysis in zip(going, found):
            comments[n].append(comment(boards[n], analysis, analysis.best))
            boards[n].push(analysis.best)
    player = f"{name}, {simulations} simulations"
    tags = {"Event": f"Games of {variant}, seed {SEED}", "White": player, "Black": player}
    return "".join(catapult.pgn.write(board, tags | {"Round": str(n + 1)}, comments[n]) for n, board in enumerate(boards))


def worth(shown):
    """Win minus loss for White of a shown evaluation."""
    if shown.startswith("#"):
        return -1.0 if "-" in shown else 1.0
    return math.atan(float(shown) / 0.9) / SLOPE


def moments(board, text):
    """Special moves of a game and of its comments: gain over the other move for the mover, the moves as text, True if played."""
    comments = []
    for token, inside in re.findall(r"([^\s{}]+)|\{([^}]*)\}", text):
        if token:
            comments += [] if re.fullmatch(r"\d+\.(\.\.)?|1-0|0-1|1/2-1/2|\*", token) else [(token, "")]
        else:
            comments[-1] = (comments[-1][0], " ".join(inside.split()))
    replayed, found = catapult.Board(board.variant), []
    for move, (san, inside) in zip(board.move_stack, comments, strict=True):
        special, white = is_special(replayed, move), replayed.turn
        number = f"{replayed.fullmove_number}{'.' if white else '...'} {san}"
        shown = re.search(r"(\S+); instead (\S+) (\S+)$", inside)
        if shown and "?" not in shown.groups():
            own, other, value = shown.groups()
            gain = (worth(own) - worth(value)) * (1 if white else -1)
            found.append((gain if special else -gain, f"{number} {own}; instead {other} {value}", special))
        elif special:
            found.append((-2.0, number, special))
        replayed.push(move)
    return found


def row(variant, text):
    """Row of the page's table about the games of a rule set."""
    games = list(catapult.pgn.read_text(text))
    bodies = re.split(r"^\[Event .*$", text, flags=re.M)[1:]
    found = [moments(game.board, re.sub(r"^\[\w+ \".*$", "", body, flags=re.M)) for game, body in zip(games, bodies, strict=True)]
    results = ", ".join(f"{game.result} ({game.board.ply()})" for game in games)
    played = ", ".join(str(sum(special for *_, special in moves)) for moves in found)
    _, number, shown = max(((gain, n + 1, shown) for n, moves in enumerate(found) for gain, shown, _ in moves), default=("", "", ""))
    return f"| [`{variant}`]({variant}.pgn) | `{NETWORKS[variant]}` | {results} | {played} | {f'{number}: `{shown}`' if shown else ''} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rule_sets", nargs="*", metavar="RULE_SET", help=f"default: all of {', '.join(NETWORKS)}")
    parser.add_argument("--simulations", type=int, default=800)
    parser.add_argument("--plies", type=int, default=400, help="plies after which a game is truncated")
    parser.add_argument("--folder", type=Path, default=HERE)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if unknown := [name for name in options.rule_sets if name not in NETWORKS]:
        parser.error(f"{unknown[0]}: no such rule set; allowed are {', '.join(NETWORKS)}")
    for variant in options.rule_sets or NETWORKS:
        path = options.folder / f"{variant}.pgn"
        if options.table:
            print(row(variant, path.read_text()))
        else:
            path.write_text(play(variant, options.simulations, options.plies))
            print(path)


if __name__ == "__main__":
    main()
