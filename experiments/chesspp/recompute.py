#!/usr/bin/env python3
"""Recomputes the study's effects, intervals and p-values from metrics.csv and networks.csv.

    pip install numpy scipy
    python3 experiments/chesspp/recompute.py

Prints one row per claim, then draws by cause and by simulations. The claims and the published numbers come from
metrics.json. Exits with status 1 if a number differs from the published one by more than 1e-6.

An effect is the mean over the levels of its claim: 64 and 128 simulations, or 128 if the claim names none. Its interval
is Student's over the networks (jackknife: the spread of the effect with one network left out), extended to include the
bootstrap interval over games. The bootstrap needs the games, which are not here. An interval that it extends is marked
"games". The script prints such an interval as published and does not check it.
"""

import csv
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import stats

TOLERANCE = 1e-6
STUDENT_INTERVALS = 19  # of 27; the study's page claims this number of checks
STRONGEST = 128  # simulations of claims that name no level

Row = dict[str, str]


@dataclass
class Claim:
    """One registered claim: its effect from the CSV files, and the published numbers from metrics.json."""

    name: str
    metric: str
    family: str | None  # claims of a family are adjusted together; None is a fact about the rules, not a test
    values: np.ndarray  # effect per network, in the order of the seeds
    left_out: np.ndarray  # effect of all networks except one, in the same order
    effect: float  # effect of all networks
    published: float
    interval: tuple[float, float]
    p: float
    games_interval: tuple[float, float]  # bootstrap over games, for these networks only
    games_p: float
    adjusted_p: float | None  # None if not tested
    verdict: str


def table(path: Path) -> dict[tuple[str, str, int], list[Row]]:
    """Reads the rows of the last checkpoint by metric, arm and simulations. Sorts rows of networks by seed."""
    found: dict[tuple[str, str, int], list[Row]] = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["checkpoint"] == "last":
                found.setdefault((row["metric"], row["arm"], int(row["simulations"])), []).append(row)
    for rows in found.values():
        rows.sort(key=lambda row: int(row.get("seed", 0)))
    return found


def read(folder: Path) -> list[Claim]:
    """Reads the claims, and computes their effects."""
    measures, networks = table(folder / "metrics.csv"), table(folder / "networks.csv")
    claims = []
    for found in json.loads((folder / "metrics.json").read_text())["judgements"]:
        endpoint, published = found["endpoint"], found["effect"]
        levels = endpoint.get("levels") or [STRONGEST]

        def effect(rows: dict[tuple[str, str, int], list[Row]], column: str) -> np.ndarray:
            def of(arm: str) -> np.ndarray:
                each = [[float(row[column]) for row in rows[endpoint["metric"], arm, level]] for level in levels]
                return np.mean(each, axis=0)

            return of(endpoint["arm"]) - (of(endpoint["control"]) if "control" in endpoint else endpoint["against"])

        claims.append(Claim(
            endpoint["claim"], endpoint["metric"], endpoint.get("family"), effect(networks, "value"), effect(networks, "without"),
            effect(measures, "value").item(), published["difference"]["value"], tuple(published["difference"]["rule"]),
            published["rule_p"], tuple(published["difference"]["agents"]), published["agents_p"], found.get("adjusted_p"),
            found["verdict"],
        ))
    return claims


def student(claim: Claim) -> tuple[float, float, float]:
    """Returns Student's 95 % interval and two-sided p, by the jackknife over networks."""
    n = len(claim.left_out)
    error = np.sqrt((n - 1) / n * np.sum((claim.left_out - claim.left_out.mean()) ** 2))
    half = stats.t.ppf(0.975, n - 1) * error
    return claim.effect - half, claim.effect + half, 2 * stats.t.sf(abs(claim.effect) / error, n - 1)


def benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    """Returns the adjusted p-values of one family."""
    order = np.argsort(p)
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return adjusted


def described(folder: Path) -> None:
    """Prints the draws of Chess++ minus chess by cause, and by simulations. These are not registered."""
    networks = table(folder / "networks.csv")

    def difference(metric: str, level: int) -> np.ndarray:
        of = [np.array([float(row["value"]) for row in networks[metric, arm, level]]) for arm in ("chesspp", "chess")]
        return of[0] - of[1]

    def show(name: str, values: np.ndarray) -> None:
        half = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
        print(f"{name:60} {values.mean():+9.4f} {f'[{values.mean() - half:+.4f}, {values.mean() + half:+.4f}]':>20}")

    print("\nChess++ minus chess, not registered; Student's 95 % over networks")
    for cause in ("clock", "repetition", "dead", "stalemate"):
        show(f"drawn: {cause}, 64 and 128 simulations", np.mean([difference(f"drawn_{cause}", level) for level in (64, 128)], axis=0))
    show("draws, per doubling from 32 to 128 simulations", (difference("draw_rate", 128) - difference("draw_rate", 32)) / 2)


def between_networks(folder: Path) -> None:
    """Prints the draws of Chess++ minus chess in games between networks, by the jackknife over networks. Each match counts
    for both of its networks. Truncated games are not draws. Not registered."""
    matches = json.loads((folder / "metrics.json").read_text())["population"]
    seeds = sorted({match["network"]["seed"] for match in matches})

    def difference(without: int | None) -> float:
        rate = {}
        for arm in ("chesspp", "chess"):
            played = [(m["network"]["seed"], m["opponent"]["seed"], m["result"]) for m in matches if m["arm"] == arm]
            kept = [result for one, other, result in played if one != other and without not in (one, other)]
            rate[arm] = sum(result["draws"] for result in kept) / sum(result["games"] for result in kept)
        return rate["chesspp"] - rate["chess"]

    left_out, value = np.array([difference(seed) for seed in seeds]), difference(None)
    n = len(left_out)
    half = stats.t.ppf(0.975, n - 1) * np.sqrt((n - 1) / n * np.sum((left_out - left_out.mean()) ** 2))
    print(f"{'draws between networks, 64 simulations':60} {value:+9.4f} {f'[{value - half:+.4f}, {value + half:+.4f}]':>20}")


def main() -> int:
    folder = Path(__file__).parent
    claims = read(folder)
    wrong: list[str] = []

    def check(claim: Claim, what: str, mine: float, published: float) -> None:
        if not abs(mine - published) <= TOLERANCE:
            wrong.append(f"{claim.name}: {what} is {mine:.9g} here and {published:.9g} in metrics.json")

    own = [student(claim) for claim in claims]
    p = np.array([max(own_p, claim.games_p) for claim, (_, _, own_p) in zip(claims, own)])

    # A rule that was never used is not tested. It stays in its family with a p of 1.
    adjusted: dict[int, float] = {}
    for family in dict.fromkeys(claim.family for claim in claims if claim.family):
        rows = [row for row, claim in enumerate(claims) if claim.family == family]
        tested = [p[row] if claims[row].adjusted_p is not None else 1.0 for row in rows]
        adjusted.update(zip(rows, benjamini_hochberg(np.array(tested))))
        print(f"family \"{family}\": {len(rows)} tests")

    print(f"\n{'claim':60} {'effect':>9} {'95 %, other seeds':>20} {'from':>8} {'p':>8} {'adj. p':>8} {'sign':>6}  registered verdict")
    student_intervals = 0
    for row, claim in enumerate(claims):
        low, high, _ = own[row]
        n = len(claim.values)
        check(claim, "effect", claim.effect, claim.published)
        is_student = low <= claim.games_interval[0] and high >= claim.games_interval[1]
        student_intervals += is_student
        if is_student:
            check(claim, "lower end", low, claim.interval[0])
            check(claim, "upper end", high, claim.interval[1])
        else:
            low, high = claim.interval
        check(claim, "p", p[row], claim.p)
        if claim.adjusted_p is not None:
            check(claim, "adjusted p", adjusted[row], claim.adjusted_p)
        shown = f"{adjusted[row]:8.2g}" if claim.adjusted_p is not None else f"{'-':>8}"
        same = np.count_nonzero(np.sign(claim.values) == np.sign(claim.effect))
        print(f"{claim.name:60} {claim.effect:+9.4f} {f'[{low:+.4f}, {high:+.4f}]':>20} {'Student' if is_student else 'games':>8} "
              f"{p[row]:8.2g} {shown} {f'{same}/{n}':>6}  {claim.verdict}")

    described(folder)
    between_networks(folder)
    print(f"\n{student_intervals} of {len(claims)} intervals are Student's; the others (\"games\") are not checked")
    if student_intervals != STUDENT_INTERVALS:
        wrong.append(f"{student_intervals} intervals are Student's, not {STUDENT_INTERVALS}")
    print("\n".join(wrong) if wrong else "all checked numbers agree with metrics.json", file=sys.stderr if wrong else sys.stdout)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
