#!/usr/bin/env python3
"""Elo by length of training: prints the page's tables from results.tsv, chesspp.json and chess.json.

    python curve.py          # tables and slopes
    python curve.py --draw   # also writes curve.svg

For each number of simulations, the slope is that of the least-squares line over the base-2 logarithm
of the number of generations: through all runs, and through those of at most 80 generations. Its 95 %
interval is Student's t over the runs. The picture has the lines through all runs. The variance of a
run in a gain is that of its games plus that of seeds: the variance of runs of one length beyond their
games', pooled over the lengths. The slope of ratings is that of the line through one network per length.
"""

import csv
import json
import math
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
# Quantiles .975 of Student's t by degrees of freedom.
STUDENT = {2: 4.303, 4: 2.776, 10: 2.228, 15: 2.131, 16: 2.120, 17: 2.110}
# Minutes of processor time per generation: mean of the runs of 10 and 20 generations.
MINUTES = 0.4
COLOURS = {"64": "#3b82f6", "800": "#d97706"}
# Distance of a line's name from its end, where no disc is.
NAMED = {"64": 56, "800": -10}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 480, 284, 52, 16, 14, 60


def runs() -> list[dict]:
    with (FOLDER / "results.tsv").open() as file:
        found = list(csv.DictReader(file, delimiter="\t"))
    for run in found:
        won, drawn, lost, capped = (int(run[name]) for name in ("wins", "draws", "losses", "capped"))
        run["score"] = (won + (drawn + capped) / 2) / (won + drawn + lost + capped)
        run["elo"] = 400 * math.log10(run["score"] / (1 - run["score"]))
        games = won + drawn + lost + capped
        of_game = (won + (drawn + capped) / 4) / games - run["score"] ** 2
        run["variance"] = of_game / games * (400 / math.log(10) / run["score"] / (1 - run["score"])) ** 2
    return found


def line(points: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Returns the slope, the intercept and half the width of the slope's interval."""
    count = len(points)
    x, y = (sum(values) / count for values in zip(*points))
    spread = sum((a - x) ** 2 for a, _ in points)
    slope = sum((a - x) * (b - y) for a, b in points) / spread
    rest = sum((b - y - slope * (a - x)) ** 2 for a, b in points)
    return slope, y - slope * x, STUDENT[count - 2] * math.sqrt(rest / (count - 2) / spread)


def bend(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Returns how much more each doubling gains than the one before, by a parabola, and half the interval's width."""
    slope, start, _ = line(points)
    square, offset, _ = line([(x, x * x) for x, _ in points])
    rest = [(x * x - offset - square * x, y - start - slope * x) for x, y in points]
    spread = sum(a * a for a, _ in rest)
    term = sum(a * b for a, b in rest) / spread
    variance = sum((b - term * a) ** 2 for a, b in rest) / (len(points) - 3) / spread
    return 2 * term, 2 * STUDENT[len(points) - 3] * math.sqrt(variance)


def gains(points: list[tuple[float, float]], variances: list[float]) -> list[tuple[float, float, float, float]]:
    """Returns, for neighbouring lengths x, both x, and the gain with its standard error. `variances` are the games'."""
    of = {x: [(b, variance) for (a, b), variance in zip(points, variances) if a == x] for x, _ in points}
    mean = {x: sum(y for y, _ in its) / len(its) for x, its in of.items()}
    scatter = sum((y - mean[x]) ** 2 for x, y in points) / (len(points) - len(of))
    repeated = [variance for its in of.values() if len(its) > 1 for _, variance in its]
    seeds = max(0.0, scatter - sum(repeated) / len(repeated))
    error = {x: sum(variance + seeds for _, variance in its) / len(its) ** 2 for x, its in of.items()}
    return [(a, b, mean[b] - mean[a], math.sqrt(error[a] + error[b])) for a, b in zip(sorted(of), sorted(of)[1:])]


def ratings(game: str) -> dict[int, dict[int, dict]]:
    """Returns the ratings of the networks curve-N in the file of a game, by simulations and generations N."""
    found: dict[int, dict[int, dict]] = {}
    for player in json.loads((FOLDER / f"{game}.json").read_text())["players"]:
        name, _, generations = player["name"].rpartition("-")
        if name == "curve":
            found.setdefault(player["simulations"], {})[int(generations)] = player["rating"]
    return {simulations: dict(sorted(of.items())) for simulations, of in sorted(found.items())}


def draw(series: dict[str, list[tuple[float, float]]]) -> str:
    points = [point for of_series in series.values() for point in of_series]
    lowest = 100 * math.floor(min(y for _, y in points) / 100)
    highest = 100 * math.ceil(max(y for _, y in points) / 100)
    shortest, longest = min(points)[0], max(points)[0]
    first, last = shortest - 0.4, longest + 0.4

    def across(x: float) -> str:
        return f"{LEFT + (x - first) / (last - first) * (WIDTH - LEFT - RIGHT):.1f}"

    def down(y: float) -> str:
        return f"{TOP + (highest - y) / (highest - lowest) * (HEIGHT - TOP - BOTTOM):.1f}"

    parts = []
    for elo in range(lowest, highest + 1, 100):
        parts.append(f'<path d="M{LEFT} {down(elo)}H{WIDTH - RIGHT}" class="g"/><text x="{LEFT - 6}" y="{down(elo)}" dy="4" text-anchor="end">{elo:+d}</text>')
    for x in sorted({x for x, _ in points}):
        parts.append(f'<text x="{across(x)}" y="{HEIGHT - BOTTOM + 17}" text-anchor="middle">{2**x:.0f}<tspan x="{across(x)}" dy="14">{2**x * MINUTES:.0f} min</tspan></text>')
    for simulations, of_series in series.items():
        slope, start, _ = line(of_series)
        ends = [start + slope * x for x in (shortest, longest)]
        parts.append(f'<g class="s{simulations}"><path d="M{across(shortest)} {down(ends[0])}L{across(longest)} {down(ends[1])}" class="l"/>')
        parts.extend(f'<circle cx="{across(x)}" cy="{down(y)}" r="4"/>' for x, y in of_series)
        parts.append(f'<text x="{across(longest - 0.05)}" y="{down(ends[1])}" dy="{NAMED[simulations]}" text-anchor="end" class="n">{simulations} simulations</text></g>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">generations, and processor time</text>')
    body = "\n".join(parts)
    style = "text{font:12px sans-serif;fill:#777}path{fill:none}.g{stroke:#777;stroke-opacity:.3}.l{stroke-width:2;stroke-opacity:.5}"
    for simulations, colour in COLOURS.items():
        style += f".s{simulations} .l{{stroke:{colour}}}.s{simulations} circle,.s{simulations} .n{{fill:{colour}}}"
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">
<title>Elo of trained networks by generations of training</title>
<style>{style}</style>
{body}
</svg>
"""


def main() -> None:
    found = runs()
    for run in found:
        print(f"| {run['generations']} | {run['seed']} | {run['simulations']} | {run['wins']} / {run['draws']} / {run['losses']} / {run['capped']} | {100 * run['score']:.1f} | {run['elo']:+.0f} |")
    series = {
        simulations: [(math.log2(int(run["generations"])), run["elo"]) for run in found if run["simulations"] == simulations]
        for simulations in COLOURS
    }
    games = {simulations: [run["variance"] for run in found if run["simulations"] == simulations] for simulations in COLOURS}
    for rows in zip(*(gains(points, games[simulations]) for simulations, points in series.items())):
        cells = [f"{gain:+.0f} ± {error:.0f}" for _, _, gain, error in rows]
        print(f"| {2**rows[0][0]:.0f} to {2**rows[0][1]:.0f} | {' | '.join(cells)} |")
    for longest in (640, 320):
        for simulations, points in series.items():
            change, half = bend([point for point in points if point[0] <= math.log2(longest)])
            print(f"{simulations} simulations, up to {longest} generations: each doubling gains {change:+.0f} Elo [{change - half:+.0f}, {change + half:+.0f}] more than the one before")
    for longest in (640, 80):
        for simulations, points in series.items():
            points = [point for point in points if point[0] <= math.log2(longest)]
            slope, _, half = line(points)
            print(f"{simulations} simulations, up to {longest} generations: {slope:+.0f} Elo per doubling [{slope - half:+.0f}, {slope + half:+.0f}], {len(points)} runs")
    for game in ("chesspp", "chess"):
        of_game = ratings(game)
        for generations in next(iter(of_game.values())):
            cells = [f"{r['elo']:+.0f} [{r['low']:+.0f}, {r['high']:+.0f}]" for r in (of[generations] for of in of_game.values())]
            print(f"| {generations} | {' | '.join(cells)} |")
        for simulations, of in of_game.items():
            slope, _, half = line([(math.log2(generations), rating["elo"]) for generations, rating in of.items()])
            print(f"{game}, {simulations} simulations: {slope:+.0f} Elo per doubling [{slope - half:+.0f}, {slope + half:+.0f}], {len(of)} networks")
    if "--draw" in sys.argv:
        (FOLDER / "curve.svg").write_text(draw(series))


if __name__ == "__main__":
    main()
