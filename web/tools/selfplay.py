#!/usr/bin/env python3
"""Writes the page's puzzles and opening explorer from the games of a training run.

    selfplay.py openings RUN FIRST LAST FOLDER [RULES..]
    selfplay.py puzzles RUN FIRST LAST NETWORK > ../src/puzzles.json
    selfplay.py harder PUZZLES POSITIONS.epd NETWORK COUNT > ../src/puzzles.json
    selfplay.py captures PUZZLES TABLES NETWORK COUNT > ../src/puzzles.json

RUN is a run's folder, FIRST and LAST are generations of it, and NETWORK is the file of the network that verifies the
puzzles. `openings` writes one file per rule set of the run into FOLDER, or only those of RULES. `harder` adds proved positions to the file PUZZLES, at most COUNT per kind. `captures` adds
COUNT endings in which only the capture of both catapults wins; TABLES is a folder with KRvK-defender-two. The variable CATAPULT is the
program. Needs pyarrow. README.md explains the files and the thresholds.
"""

import collections
import gzip
import hashlib
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys

import chess
import pyarrow.parquet

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("CATAPULT", ROOT / "scripts/catapult")
TACTICS = ROOT / "experiments/tactics/catapult.epd"

PLIES = 8
LEAST_GAMES = 3

# Least score of the winning move, and highest score of every other move.
LEAST, MOST = 0.85, 0.6
RATINGS = [1, 4, 16, 64, 256, 1024]
# A harder puzzle is missed with each number of simulations in MISSED, and found with the last of HARDER.
MISSED = 256, 400
HARDER = [*RATINGS, 6400]
LEAST_OTHERS = 8
WANTED = 130
# Table of the endings in which only the capture of both catapults wins.
CAPTURES = "KRvK-defender-two"
# Positions tried per game.
TRIES = 4
# Legal replies to a teleport that is tried, without teleports and catapult moves.
MOST_REPLIES = 2
# Simulations that search all moves except the winning one.
OTHERS = 512

COLUMNS = ["variant", "game", "parent", "winner", "moves"]
SEARCHED = ["win", "draw"]


def shards(run, generation, *columns):
    """Yields the file, the rows and the metadata of each shard of a generation."""
    for file in sorted((run / f"generation-{generation:04}/games").glob("*.parquet")):
        table = pyarrow.parquet.read_table(file, columns=[*COLUMNS, *columns])
        yield file, table.to_pylist(), {key.decode(): value.decode() for key, value in table.schema.metadata.items()}


def unclocked(fen):
    """Returns a FEN without its two counters."""
    return " ".join(field for index, field in enumerate(fen.split(" ")) if index not in (4, 5))


def source(run, first, last, meta, games):
    keys = {"simulations": int(meta["simulations"]), "seed": int(meta["seed"]), "search_defaults": int(meta["search_defaults"])}
    return {"run": run.name, "generations": [first, last], **keys, "games": games}


def children(rules, fens):
    """Returns the FENs after the legal moves of each position, by move."""
    told = subprocess.run([PROGRAM, "moves", rules], input="".join(f"{fen}\n" for fen in fens), check=True, capture_output=True, text=True).stdout
    return {fen: json.loads(line)["moves"] for fen, line in zip(fens, told.splitlines(), strict=True)}


def tallied(rules, start, games):
    """Returns games, White's wins and draws of each move, by position."""
    counts = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0, 0]))
    at = [(start, set(), moves, winner) for moves, winner in games if moves]
    for ply in range(PLIES):
        after = children(rules, sorted({fen for fen, _, _, _ in at}))
        following = []
        for fen, seen, moves, winner in at:
            key = unclocked(fen)
            # A position that recurs in a game counts once.
            if key not in seen:
                seen.add(key)
                found = counts[key][moves[ply]]
                found[0] += 1
                found[1] += winner == "white"
                found[2] += winner is None
            if ply + 1 < len(moves):
                following.append((after[fen][moves[ply]], seen, moves, winner))
        at = following
    return counts


def openings(run, first, last, folder, rules):
    """Writes the file of each rule set: the moves of the first plies by position, with their results."""
    games, networks, meta = collections.defaultdict(list), [], {}
    for generation in range(first, last + 1):
        for _, rows, meta in shards(run, generation, "start_fen"):
            networks += [meta["network"]] if meta["network"] not in networks else []
            for row in rows:
                # A forked game starts in the middle of its parent.
                if row["parent"] is None and (not rules or row["variant"] in rules):
                    games[row["variant"]].append((row["start_fen"], row["moves"], row["winner"]))
    for rule_set, played in sorted(games.items()):
        counts = tallied(rule_set, played[0][0], [game[1:] for game in played])
        positions = {}
        for key, moves in sorted(counts.items()):
            if sum(found[0] for found in moves.values()) >= LEAST_GAMES:
                positions[key] = {move: found for move, found in sorted(moves.items(), key=lambda item: (-item[1][0], item[0]))}
        about = {**source(run, first, last, meta, len(played)), "networks": [networks[0], networks[-1]]}
        made = {"source": about, "rules": rule_set, "plies": PLIES, "least_games": LEAST_GAMES, "positions": positions}
        (folder / f"{re.sub('[+=]', '-', rule_set)}.json.gz").write_bytes(gzip.compress(json.dumps(made, separators=(",", ":")).encode(), 9, mtime=0))


class Engine:
    """The network as a UCI engine. A score is the chance to win plus half the chance to draw."""

    def __init__(self, network):
        self.process = subprocess.Popen([PROGRAM, "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        for option, value in [("UCI_Variant", "chesspp"), ("NetworkFile", network), ("UCI_ShowWDL", "true"), ("MultiPV", 256), ("VerboseMoveStats", "true")]:
            self.send(f"setoption name {option} value {value}")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def search(self, fen, nodes, moves=(), considered=0):
        """Returns the chosen move, the score and line of each visited move, and the legal moves.

        `moves` restricts the search.
        """
        self.send("ucinewgame")
        self.send(f"setoption name Considered value {considered}")
        self.send(f"position fen {fen}")
        self.send(f"go nodes {nodes}" + (f" searchmoves {' '.join(moves)}" if moves else ""))
        lines, legal = {}, []
        for line in self.process.stdout:
            words = line.split()
            if words[:3] == ["info", "string", "error:"]:
                raise ValueError(f"{fen}: {line}")
            if words[:1] == ["bestmove"]:
                return words[1], lines, sorted(legal)
            if words[:2] == ["info", "string"] and words[3:4] == ["N:"]:
                legal.append(words[2])
            if words[:1] == ["info"] and "wdl" in words and "pv" in words:
                pv = words[words.index("pv") + 1 :]
                win, draw, _ = map(int, words[words.index("wdl") + 1 :][:3])
                lines[pv[0]] = (win + draw / 2) / 1000, pv
        raise RuntimeError(f"the engine ended at {fen}")


def teleports(fields):
    """Yields teleports that both catapults of the side to move allow after moving them to other squares.

    The teleport gives check, its piece can't be captured, and at most MOST_REPLIES moves answer it.
    """
    board = chess.Board(" ".join(fields[:6]))
    lists = [re.findall("[a-h][1-8][*]?", part) for part in (fields[6] + "/-").split("/")[:2]]
    white = board.turn == chess.WHITE
    free = [square for square in chess.SQUARES if chess.square_name(square) not in {name[:2] for name in lists[white]}]
    for origin in free:
        piece = board.piece_at(origin)
        if not piece or piece.color != board.turn or piece.piece_type in (chess.PAWN, chess.KING):
            continue
        for to in free:
            taken = board.piece_at(to)
            if to == origin or taken and (taken.color == board.turn or taken.piece_type == chess.KING):
                continue
            after = board.copy(stack=False)
            after.set_piece_at(to, after.remove_piece_at(origin))
            after.turn = not board.turn
            after.ep_square = None
            if after.is_check() and after.is_valid() and not any(reply.to_square == to for reply in after.legal_moves) and after.legal_moves.count() <= MOST_REPLIES:
                names = chess.square_name(origin), chess.square_name(to)
                lists[not white] = sorted(names)
                yield " ".join([*fields[:6], "/".join("".join(part) or "-" for part in lists)]), "".join(names) + "t"


def composed(row, generation, fens):
    """Yields positions of a game, in random order, in which a teleport may win after moving catapults."""
    draw = random.Random(f"{generation} {row['game']}")
    scores = [win + draw / 2 for win, draw in zip(row["win"], row["draw"])]
    # The side to move does not win without the catapults.
    plies = [ply for ply in range(12, len(scores)) if 0.2 < scores[ply] < 0.55]
    for ply in draw.sample(plies, len(plies)):
        found = list(teleports(fens[ply].split(" ")))
        if found:
            yield ply, *draw.choice(found)


def best_score(searched):
    return max(score for score, _ in searched[1].values())


def verified(engine, fen, move):
    """Returns a puzzle, or None if the search does not find that the move alone wins."""
    try:
        if best_score(engine.search(fen, 32, [move])) < LEAST:
            return None
    except ValueError:
        # The catapults of the other side make the teleport illegal.
        return None
    # The first search only saves time.
    for nodes in (128, RATINGS[-1]):
        choice, lines, legal = engine.search(fen, nodes)
        others = [other for other in legal if other != move]
        if len(others) < LEAST_OTHERS or any(lines[other][0] > MOST for other in others if other in lines):
            return None
    if choice != move or lines[move][0] < LEAST:
        return None
    # All other moves are searched, also those that the network finds unlikely.
    best = best_score(engine.search(fen, OTHERS, others, 256))
    if best > MOST:
        return None
    score, line = lines[move]
    return {"score": round(score, 2), "others": round(best, 2), "line": line[:6], "rating": rating(engine, fen, [move])}


def chosen(engine, run, first, last, counted):
    """Yields puzzles from a run's games, the last games first. A game and its forks give at most one."""
    for generation in range(last, first - 1, -1):
        for file, rows, meta in shards(run, generation, *SEARCHED):
            counted["meta"] = meta
            lines = iter(subprocess.run([PROGRAM, "convert", file, "--to", "fen"], check=True, capture_output=True, text=True).stdout.splitlines())
            for row in rows:
                fens = [next(lines) for _ in range(len(row["moves"]) + 1)]
                if row["variant"] != "chesspp" or row["parent"] is not None:
                    continue
                counted["games"] += 1
                for ply, fen, move in itertools.islice(composed(row, generation, fens), TRIES):
                    puzzle = verified(engine, fen, move)
                    if puzzle:
                        counted["puzzles"] += 1
                        yield {"fen": fen, "moves": [move], "kind": "teleport", **puzzle, "from": f"generation {generation}, {file.name[:10]}, game {row['game']}, ply {ply}"}
                        break
                if counted["puzzles"] == WANTED:
                    return


def rating(engine, fen, moves, ratings=RATINGS):
    """Returns the least simulations of `ratings` from which on the choice is right, or None."""
    least = None
    for nodes in reversed(ratings):
        if engine.search(fen, nodes)[0] not in moves:
            break
        least = nodes
    return least


def positions(epd):
    """Yields the proved positions of an EPD file as puzzles without a line and a rating."""
    for text in epd.read_text().splitlines():
        head, *operations = (part.strip() for part in text.split(";"))
        values = dict(part.split(" ", 1) for part in operations if part)
        placement, side, castling, passant, _, clock = head.split(" ")
        fen = f"{placement} {side} {castling} {passant} {clock} {values['fmvn']} {json.loads(values['fields'])}"
        moves = values["bm"].split(" ")
        words = json.loads(values["c0"])
        kind = "teleport" if words.startswith("teleport") else "catapult"
        yield {"fen": fen, "moves": moves, "kind": kind, "proved": words, "line": [], "rating": None, "from": json.loads(values["id"])}


def proved(engine):
    """Yields the positions of experiments/tactics."""
    for puzzle in positions(TACTICS):
        move, lines, _ = engine.search(puzzle["fen"], RATINGS[-1], puzzle["moves"])
        yield {**puzzle, "line": lines[move][1][:6], "rating": rating(engine, puzzle["fen"], puzzle["moves"])}


def in_order(found):
    return sorted(found, key=lambda puzzle: (puzzle["rating"] or 2 * HARDER[-1], hashlib.sha256(puzzle["fen"].encode()).digest()))


def harder(path, epd, network, count):
    """Returns the puzzles of a file and those of an EPD file that have one solution and need many simulations."""
    engine, known = Engine(network), json.loads(pathlib.Path(path).read_text())
    counted, added = collections.Counter(), []
    fens = {puzzle["fen"] for puzzle in known["puzzles"]}
    for puzzle in positions(pathlib.Path(epd)):
        fen, moves, kind = puzzle["fen"], puzzle["moves"], puzzle["proved"]
        if len(moves) > 1 or fen in fens or counted[kind] == int(count) or any(engine.search(fen, nodes)[0] in moves for nodes in MISSED):
            continue
        move, lines, _ = engine.search(fen, HARDER[-1])
        if move in moves:
            counted[kind] += 1
            fens.add(fen)
            added.append({**puzzle, "line": lines[move][1][:6], "rating": rating(engine, fen, moves, HARDER), "from": puzzle["from"].replace("tactics", "endings")})
    for puzzle in known["puzzles"]:
        if puzzle["rating"] is None:
            puzzle["rating"] = rating(engine, puzzle["fen"], puzzle["moves"], HARDER)
    about = {**known["source"], "harder": {"network": pathlib.Path(network).name, "missed": MISSED[-1], "found": HARDER[-1]}}
    return {"source": about, "ratings": HARDER, "puzzles": in_order([*known["puzzles"], *added])}


def placed(draw):
    """Returns a random ending with a rook in which White, to move, may capture both catapults of the bare king, or None.

    One of White's men stands on a catapult, and the other one can go to the other catapult.
    """
    squares = draw.sample(chess.SQUARES, 3)
    board = chess.Board(None)
    for square, symbol in zip(squares, "KRk"):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    waiting, going = draw.sample(squares[:2], 2)
    to = [move.to_square for move in board.legal_moves if move.from_square == going] if board.is_valid() else []
    if not to or board.legal_moves.count() < LEAST_OTHERS:
        return None
    catapults = sorted(chess.square_name(square) for square in (waiting, draw.choice(to)))
    return f"{board.board_fen()} w - - 0 1 -/{''.join(catapults)}"


def swapped(fen):
    """Returns a position with the colours swapped."""
    placement, _, _, _, clock, number, catapults = fen.split(" ")
    squares = "".join(sorted(f"{name[0]}{9 - int(name[1])}" for name in re.findall("[a-h][1-8]", catapults)))
    return f"{'/'.join(reversed(placement.swapcase().split('/')))} b - - {clock} {number} {squares}/-"


def only_capture(fen, tables):
    """Returns the move that captures the catapults and its distance to mate, or None if it does not alone win."""
    told = subprocess.run([PROGRAM, "endings", "probe", fen, "--out", tables], check=True, capture_output=True, text=True).stdout
    wins = re.findall(r"^  ([KR])\S*([a-h][1-8])[+#]?: wins in (\d+)", told, re.M)
    if len(wins) != 1:
        return None
    [(letter, to, plies)] = wins
    board = chess.Board(fen.rsplit(" ", 1)[0])
    move = chess.square_name(board.pieces(chess.PIECE_SYMBOLS.index(letter.lower()), chess.WHITE).pop()) + to
    moves = subprocess.run([PROGRAM, "moves", "chesspp"], input=fen + "\n", check=True, capture_output=True, text=True).stdout
    return (move, int(plies)) if json.loads(moves)["moves"][move].endswith(" -") else None


def captures(path, tables, network, count):
    """Returns the puzzles of a file and endings in which only the capture of both catapults wins."""
    engine, known = Engine(network), json.loads(pathlib.Path(path).read_text())
    draw, added = random.Random("captures"), {}
    while len(added) < int(count):
        fen = placed(draw)
        won = fen and fen not in added and only_capture(fen, tables)
        if not won:
            continue
        move, plies = won
        placed_fen = fen
        # Every other puzzle is Black's.
        if len(added) % 2:
            fen, move = swapped(fen), "".join(sign if sign.isalpha() else str(9 - int(sign)) for sign in move)
        added[placed_fen] = {"fen": fen, "moves": [move], "kind": "capture", "proved": f"capture of the catapults wins: {CAPTURES}", "line": [move], "rating": rating(engine, fen, [move], HARDER), "from": f"captures {CAPTURES}, mate in {plies} plies"}
        print(f"{len(added)}: {fen} {move}", file=sys.stderr, flush=True)
    return {**known, "puzzles": in_order([*known["puzzles"], *added.values()])}


def puzzles(run, first, last, network):
    engine = Engine(network)
    counted = collections.Counter()
    found = in_order([*proved(engine), *chosen(engine, run, first, last, counted)])
    about = {**source(run, first, last, counted["meta"], counted["games"]), "network": pathlib.Path(network).name, "verified": {"simulations": RATINGS[-1], "least": LEAST, "most": MOST}}
    return {"source": about, "ratings": RATINGS, "puzzles": found}


def main():
    name, *arguments = sys.argv[1:]
    if name == "openings":
        run, first, last, folder, *rules = arguments
        return openings(pathlib.Path(run), int(first), int(last), pathlib.Path(folder), rules)
    if name in ("harder", "captures"):
        made = {"harder": harder, "captures": captures}[name](*arguments)
    else:
        run, first, last, network = arguments
        made = puzzles(pathlib.Path(run), int(first), int(last), network)
    print(json.dumps(made, separators=(",", ":")))


if __name__ == "__main__":
    main()
