"""Shared fixtures. Some need the repository around the package."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import catapult

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def repository() -> Path:
    if not (REPOSITORY / "crates" / "rules" / "tests" / "data").is_dir():
        pytest.skip("needs the repository")
    return REPOSITORY


@pytest.fixture(scope="session")
def shipped(repository: Path) -> Path:
    """A network from the repository."""
    return repository / "models" / "opponents" / "chesspp-quickstart.safetensors"


def random_game(variant: str, seed: int, plies: int = 120) -> catapult.Board:
    """A game of random legal moves."""
    rng = random.Random(f"{variant} {seed}")
    board = catapult.Board(variant)
    while board.ply() < plies and not board.is_game_over():
        board.push(rng.choice(board.legal_moves))
    return board
