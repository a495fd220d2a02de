"""Scripts beside published experiments agree with the published numbers."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import chess.pgn
import numpy as np
import pytest

import catapult
import catapult.pgn


def recompute(folder: Path, script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(script), *arguments], cwd=folder, capture_output=True, text=True)


def test_the_study_of_chesspp_is_recomputed(repository: Path) -> None:
    script = repository / "experiments/chesspp/recompute.py"
    found = recompute(repository, script)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "fewer draws" in found.stdout
    # As on the page. The differences of the levels' means agree: 9.3 points at 32 simulations, 5.8 at 128.
    for part in ["+0.0717     [+0.0592, +0.0842]", "-0.0177     [-0.0321, -0.0033]", "+0.0429 [-0.0279, +0.1136]"]:
        assert " ".join(part.split()) in " ".join(found.stdout.split())


def test_a_changed_number_is_found(repository: Path, tmp_path: Path) -> None:
    study = repository / "experiments/chesspp"
    for name in ["recompute.py", "metrics.json", "metrics.csv", "networks.csv"]:
        (tmp_path / name).write_text((study / name).read_text())
    results = json.loads((study / "metrics.json").read_text())
    results["judgements"][0]["effect"]["difference"]["value"] += 0.01
    (tmp_path / "metrics.json").write_text(json.dumps(results))
    found = recompute(tmp_path, tmp_path / "recompute.py")
    assert found.returncode == 1
    # Only that number differs.
    assert found.stderr.count("\n") == 1 and ": effect is " in found.stderr, found.stderr


def test_a_changed_value_of_a_network_is_found(repository: Path, tmp_path: Path) -> None:
    study = repository / "experiments/chesspp"
    for name in ["recompute.py", "metrics.json", "metrics.csv", "networks.csv"]:
        (tmp_path / name).write_text((study / name).read_text())
    rows = (tmp_path / "networks.csv").read_text().splitlines()
    place = next(at for at, row in enumerate(rows) if row.startswith("study-chesspp,draw_rate,chesspp,rules,last,128,1,"))
    rows[place] = rows[place].rsplit(",", 1)[0] + ",0.5"
    (tmp_path / "networks.csv").write_text("\n".join(rows) + "\n")
    assert recompute(tmp_path, tmp_path / "recompute.py").returncode == 1


def test_the_clock_experiment_is_recomputed(repository: Path) -> None:
    script = repository / "experiments/clock/compare.py"
    found = recompute(repository, script)
    assert found.returncode == 0, found.stdout + found.stderr
    page = " ".join((repository / "experiments/clock/README.md").read_text().split())
    rows = [line for line in found.stdout.splitlines() if line.startswith(("| repetition", "| all draws", "| 1 |", "| K+Q v K", "| teleports", "| chesspp | +"))]
    assert len(rows) == 7
    assert all(row in page for row in rows)
    assert "registered reading: from the rules, by the mean only" in found.stdout
    # One network is evaluated again. The last digits depend on the kernel.
    again = recompute(script.parent, script.parent / "values.py", "networks/clock-1.safetensors").stdout.splitlines()[1:]
    recorded = [row for row in (script.parent / "values.csv").read_text().splitlines() if row.startswith("networks/clock-1.")]
    for found_row, row in zip(again, recorded, strict=True):
        (*found_place, found_value), (*place, value) = found_row.split(","), row.split(",")
        assert found_place == place and float(found_value) == pytest.approx(float(value), abs=0.001)


def test_the_curve_is_that_of_its_results(repository: Path, tmp_path: Path) -> None:
    folder = repository / "experiments/curve"
    for name in ["curve.py", "results.tsv", "chesspp.json", "chess.json"]:
        (tmp_path / name).write_text((folder / name).read_text())
    found = recompute(tmp_path, tmp_path / "curve.py", "--draw")
    assert found.returncode == 0, found.stderr
    assert (tmp_path / "curve.svg").read_text() == (folder / "curve.svg").read_text()
    printed = found.stdout.splitlines()
    rows, gains, bends, slopes = printed[:38], printed[38:44], printed[44:48], printed[48:52]
    page = (folder / "README.md").read_text()
    assert all("\n".join(table) in page for table in (rows, gains, printed[52:58], printed[60:64]))
    for game, lengths, student, found in [("chesspp", 6, 2.776, printed[58:60]), ("chess", 4, 4.303, printed[64:66])]:
        players = json.loads((folder / f"{game}.json").read_text())["players"]
        for simulations, said in zip((800, 3200), found, strict=True):
            rated = [one for one in players if one["name"].startswith("curve-") and one["simulations"] == simulations]
            assert len(rated) == lengths
            x = [np.log2(int(one["name"].removeprefix("curve-"))) for one in rated]
            (slope, _), covariance = np.polyfit(x, [one["rating"]["elo"] for one in rated], 1, cov=True)
            half = student * covariance[0, 0] ** 0.5
            interval = f"{slope:+.0f} Elo per doubling [{slope - half:+.0f}, {slope + half:+.0f}]"
            assert said.startswith(f"{game}, {simulations} simulations: {interval}")
            assert f"{slope:+.0f} Elo [{slope - half:+.0f}, {slope + half:+.0f}]" in page
    with (folder / "results.tsv").open() as file:
        runs = list(csv.DictReader(file, delimiter="\t"))
    # numpy fits the same lines.
    cases = [("64", 640, 2.110), ("800", 640, 2.110), ("64", 80, 2.228), ("800", 80, 2.228)]
    for (simulations, longest, student), slope in zip(cases, slopes, strict=True):
        chosen = [run for run in runs if run["simulations"] == simulations and int(run["generations"]) <= longest]
        scores = [(int(run["wins"]) + (int(run["draws"]) + int(run["capped"])) / 2) / 200 for run in chosen]
        elo = [400 * np.log10(score / (1 - score)) for score in scores]
        fitted, covariance = np.polyfit(np.log2([int(run["generations"]) for run in chosen]), elo, 1, cov=True)
        half = student * covariance[0, 0] ** 0.5
        interval = f"[{fitted[0] - half:+.0f}, {fitted[0] + half:+.0f}]"
        assert slope.startswith(f"{simulations} simulations, up to {longest} generations: {fitted[0]:+.0f} Elo per doubling {interval}")
        assert f"{fitted[0]:+.0f} Elo {interval}" in page
        if longest > 80:
            for last, student in [(640, 2.120), (320, 2.131)]:
                kept = [(np.log2(int(run["generations"])), value) for run, value in zip(chosen, elo) if int(run["generations"]) <= last]
                (curvature, _, _), covariance = np.polyfit(*zip(*kept), 2, cov=True)
                half = student * 2 * covariance[0, 0] ** 0.5
                change = f"{2 * curvature:+.0f} Elo [{2 * curvature - half:+.0f}, {2 * curvature + half:+.0f}]"
                assert f"{simulations} simulations, up to {last} generations: each doubling gains {change} more" in " ".join(bends)
                assert change in page
            # The gain from 80 generations to the next length, and its standard error from games and seeds.
            of = {run["generations"]: [value for other, value in zip(chosen, elo) if other["generations"] == run["generations"]] for run in chosen}
            variances = {run["generations"]: [] for run in chosen}
            for run in chosen:
                points = np.repeat([1, 0.5, 0.5, 0], [int(run[name]) for name in ("wins", "draws", "capped", "losses")])
                slope = 400 / np.log(10) / points.mean() / (1 - points.mean())
                variances[run["generations"]].append(slope**2 * points.var() / len(points))
            several = [length for length in of if len(of[length]) > 1]
            seeds = max(0, np.mean([np.var(of[length], ddof=1) - np.mean(variances[length]) for length in several]))
            gain = np.mean(of["160"]) - np.mean(of["80"])
            error = sum(np.mean(variances[length]) + seeds for length in ("80", "160")) / 3
            assert f"| {gain:+.0f} ± {error**0.5:.0f} |" in gains[3]


@pytest.mark.parametrize(
    ("name", "arms"),
    [("ablate-recipe", ["double-rate", "32-simulations", "8-simulations"]), ("ablate-targets", ["soft-policy", "reanalysis"])],
)
def test_the_effects_of_the_ablations_are_recomputed(repository: Path, name: str, arms: list[str]) -> None:
    folder = repository / "experiments" / name
    page = (folder / "README.md").read_text()
    with (folder / "networks.csv").open() as file:
        rows = list(csv.DictReader(file))
    for arm in arms:
        elo = [float(row["value"]) for row in rows if row["agent"] == arm and row["metric"] == "elo_against_control"]
        mean, error = np.mean(elo), np.std(elo, ddof=1) / len(elo) ** 0.5
        # 2.776: quantile .975 of Student's t with four degrees of freedom.
        effect = f"{mean:+.0f} [{mean - 2.776 * error:+.0f}, {mean + 2.776 * error:+.0f}]"
        assert f"| {effect} |" in page, effect
        assert " | ".join([f"| `{arm}`", *(f"{value:+.0f}" for value in elo)]) in page


def test_the_exams_of_the_players_are_recomputed(repository: Path, tmp_path: Path) -> None:
    players = repository / "experiments/players"
    found = recompute(repository, players / "recompute.py")
    assert found.returncode == 0, found.stderr
    networks, chess, others, distances = found.stdout.strip().split("\n\n")
    assert networks.count("\n") == 12 and distances.count("\n") == 2
    assert all(table in (players / "README.md").read_text() for table in (networks, distances))
    assert all(table in (players / "exams.md").read_text() for table in (chess, others))
    # A changed verdict and a changed interval are found.
    for old, new in [('"fail"', '"pass"'), ("0.1621", "0.1721")]:
        shutil.copytree(repository / "models", tmp_path / "models", dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.safetensors"))
        folder = tmp_path / "experiments/players"
        shutil.copytree(players, folder, dirs_exist_ok=True)
        exam = folder / "exams/tower-32x4-1.json"
        text = exam.read_text()
        assert old in text
        exam.write_text(text.replace(old, new, 1))
        found = recompute(tmp_path, folder / "recompute.py")
        assert found.returncode == 1 and "tower-32x4-1.json" in found.stderr


def test_rooks_and_queens_are_counted(repository: Path, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    # Black's queen is lost at ply 7.
    chess_moves = "e2e4 d7d5 e4d5 d8d5 b1c3 d5d2 d1d2 g8f6 g1f3 b8c6 f1e2 e7e6 c3b5 f8e7 a2a3 a7a6 b5c3 h7h6 h2h3 h6h5"
    quiet = "a2a3 a7a6 h2h3 h7h6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6 g2g3 g7g6 a3a4 a6a5 b3b4 b6b5"
    for variant, moves in [("chess", chess_moves), ("chesspp", quiet)]:
        (tmp_path / variant).mkdir()
        game = {"variant": variant, "start_fen": catapult.Board(variant).fen(), "moves": moves.split()}
        pq.write_table(pa.Table.from_pylist([game]), tmp_path / variant / "games.parquet")
    found = recompute(tmp_path, repository / "experiments/judged/major.py", "chess", "chesspp")
    assert found.stdout == "| 20 | 1, 1 | 5.00 | 6.00 | +1.00 [+1.00, +1.00] |\n", found.stderr


def play_games(repository: Path, *arguments: str) -> str:
    script = repository / "experiments/games/play.py"
    found = subprocess.run([sys.executable, str(script), *arguments], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_the_published_games_are_those_of_the_page(repository: Path) -> None:
    folder = repository / "experiments/games"
    rows = play_games(repository, "--table").splitlines()
    assert len(rows) == len(list(folder.glob("*.pgn"))) == 12
    assert "\n".join(rows) in (folder / "README.md").read_text()
    for path in folder.glob("*.pgn"):
        games = list(catapult.pgn.read(path))
        assert [(game.variant, game.error) for game in games] == [(path.stem, None)] * 3
        assert len({tuple(game.board.move_stack) for game in games}) == 3
        # Mates need no evaluation, and the eight sampled moves of a game may be unvisited.
        wanted = sum(len(game.board.move_stack) - game.board.is_checkmate() for game in games)
        assert wanted - 24 <= path.read_text().count("[%eval") <= wanted


def test_python_chess_reads_the_evaluations(repository: Path) -> None:
    mates = 0
    with (repository / "experiments/games/chess.pgn").open() as file:
        while game := chess.pgn.read_game(file):
            *nodes, last = game.mainline()
            assert all(node.eval() is not None for node in nodes[8:])
            if last.board().is_checkmate():
                # The engine announces the mate that it gives, so signs are those of the winner.
                winner = game.headers["Result"] == "1-0"
                assert nodes[-1].eval().pov(winner).mate() > 0
                mates += 1
    assert mates


@pytest.mark.parametrize("variant", ["chesspp+instant", "maxim", "half", "century"])
def test_games_are_played_with_evaluations(repository: Path, tmp_path: Path, variant: str) -> None:
    play_games(repository, variant, "--simulations", "2", "--plies", "30", "--folder", str(tmp_path))
    games = list(catapult.pgn.read(tmp_path / f"{variant}.pgn"))
    assert [game.error for game in games] == [None] * 3
    row = play_games(repository, "--table", variant, "--folder", str(tmp_path))
    assert all(f"({game.board.ply()})" in row for game in games)


def test_the_effects_of_the_screening_are_recomputed(repository: Path) -> None:
    folder = repository / "experiments/screen"
    found = recompute(repository, folder / "screen.py")
    assert found.returncode == 0, found.stderr
    lines = found.stdout.splitlines()
    rows, effects = lines[:16], lines[16:]
    page = (folder / "README.md").read_text()
    assert "\n".join(rows) in page and "\n".join(effects) in page
    with (folder / "results.tsv").open() as file:
        results = list(csv.DictReader(file, delimiter="\t"))
    counts = [[int(row[name]) for name in ("wins", "draws", "losses", "capped")] for row in results]
    scores = np.array([(won + (drawn + capped) / 2) / (won + drawn + lost + capped) for won, drawn, lost, capped in counts])
    elo = (400 * np.log10(scores / (1 - scores))).reshape(16, 2).mean(axis=1)
    # The settings of the plan say which parts are off. Least squares then finds the same effects.
    plan = recompute(repository, folder / "screen.py", "plan").stdout.splitlines()
    keys = ["root_temperature", "choice_noise", "prior_plies", "fork_share", "value_lambda", "surprise_share", "loss.future", "growth_scale"]
    on = np.array([[1.0, *(0.0 if f"{key}=" in line else 1.0 for key in keys)] for line in plan])
    fitted, rest, rank, _ = np.linalg.lstsq(on, elo)
    assert rank == 9
    error = (rest[0] / 7 * np.linalg.inv(on.T @ on).diagonal()[1:]) ** 0.5
    for line, effect, half in zip(effects, fitted[1:], 2.3646 * error, strict=True):
        assert f"| {effect:+.0f} [{effect - half:+.0f}, {effect + half:+.0f}] |" in line
        # The distribution function of Student's t with seven degrees of freedom, in closed form.
        angle = np.arctan(abs(effect) / (half / 2.3646) / 7**0.5)
        cosine = np.cos(angle)
        p = 1 - 2 / np.pi * (angle + np.sin(angle) * (cosine + 2 / 3 * cosine**3 + 8 / 15 * cosine**5))
        shown = f"{p:.3f}"[1:] if p >= 0.0005 else "< .001"
        assert f"] | {shown} |" in line
    # The changes that were tried: eight runs, in the page only.
    tried = re.findall(r"^\| \d \| ((?:[-+] \| ){7})([\d/ ]+) \| ([\d/ ]+) \| [-+]\d+ \|$", page, re.MULTILINE)
    assert len(tried) == 8
    levels = np.array([[1.0 if sign == "+" else -1.0 for sign in signs.split(" | ")[:7]] for signs, *_ in tried])
    matches = np.array([[[int(part) for part in match.split(" / ")] for match in both] for _, *both in tried])
    share = matches @ [1, 0.5, 0, 0.5] / matches.sum(axis=2)
    elo = (400 * np.log10(share / (1 - share))).mean(axis=1)
    assert (levels.T @ levels == 8 * np.eye(7)).all()
    for column, effect in enumerate(levels.T @ elo / 4, 1):
        assert re.search(rf"^\| {column} \| [^+\n]* \| {re.escape(f'{effect:+.0f}')} \|$", page, re.MULTILINE)
    assert f"{2.3646 * (error[0] * 2**0.5):.0f} Elo to either side" in page
    # The root temperature in both: the second estimate has twice the variance of the first.
    both, half = (2 * -fitted[1] + levels[:, 6] @ elo / 4) / 3, 2.3646 * error[0] * (2 / 3) ** 0.5
    assert f"{both:+.0f} [{both - half:+.0f}, {both + half:+.0f}]" in page
