"""Runs every code snippet of the documentation."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import re
import subprocess
import sys

import pytest

OPTIONS = doctest.NORMALIZE_WHITESPACE
MODULES = ["catapult", "catapult.pgn", "catapult.svg", "catapult.data", "catapult.envs", "catapult.envs.vector"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=OPTIONS).failed == 0


def test_everything_has_a_docstring() -> None:
    from catapult import _catapult

    without = []
    for name, value in vars(_catapult).items():
        if name.startswith("_") or not callable(value):
            continue
        if not value.__doc__:
            without.append(name)
        if isinstance(value, type):
            for member, method in vars(value).items():
                if not member.startswith("_") and callable(method) and not method.__doc__:
                    without.append(f"{name}.{member}")
    assert not [name for name in without if not name.startswith(("PgnReader", "VectorGames", "Rows.read"))], without


def test_the_page(repository) -> None:
    for extra in ("pettingzoo", "duckdb", "pandas", "pyarrow"):
        pytest.importorskip(extra)
    page = repository / "docs" / "python.md"
    text = re.sub(r"^```.*$", "", page.read_text(), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, "python.md", str(page), 0)
    assert len(test.examples) > 50
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    assert runner.run(test).failed == 0


def test_the_readme(repository, monkeypatch) -> None:
    """The game of the README, with one simulation per move."""
    section = (repository / "README.md").read_text().split("## Use it from Python")[1].split("\n## ")[0]
    code = re.search(r"```python\n(.*?)```", section, re.DOTALL).group(1)
    assert "simulations=400" in code
    monkeypatch.chdir(repository)
    scope: dict = {}
    exec(code.replace("simulations=400", "simulations=1"), scope)
    assert scope["board"].is_game_over()


def test_the_evaluator_page(repository) -> None:
    page = (repository / "docs/evaluator.md").read_text()
    scope: dict = {}
    for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(code, scope)
    assert scope["result"]["games"] == 20


def test_the_moving_picture(repository) -> None:
    drawn = subprocess.run([sys.executable, str(repository / "docs/teleport.py")], capture_output=True, text=True, check=True)
    assert drawn.stdout == (repository / "docs/teleport.svg").read_text()


def test_the_types_are_those_of_the_module(tmp_path) -> None:
    """The stubs contain every name of the native module with the same arguments."""
    pytest.importorskip("mypy")
    # PyO3 exports some names by itself; the package has its own list.
    (tmp_path / "allowed").write_text("catapult._catapult.__all__\n")
    command = [sys.executable, "-m", "mypy.stubtest", "catapult._catapult", "--allowlist", str(tmp_path / "allowed")]
    command += ["--ignore-disjoint-bases"]
    found = subprocess.run(command, capture_output=True, text=True, cwd="/")
    assert found.returncode == 0, found.stdout + found.stderr


def test_code_that_uses_them_type_checks(repository, tmp_path) -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", str(repository / "python/tests/typed.py"), "--cache-dir", str(tmp_path)]
    found = subprocess.run(command, capture_output=True, text=True, cwd="/")
    assert found.returncode == 0, found.stdout + found.stderr


NOTEBOOKS = {"play-and-look": (), "train-a-tiny-network": ("torch",), "what-teleports-do": ("pandas", "matplotlib")}


def test_notebooks_write_games_to_folders_of_their_own(repository) -> None:
    notebooks = sorted((repository / "python" / "notebooks").glob("*.ipynb"))
    assert [notebook.stem for notebook in notebooks] == sorted(NOTEBOOKS)
    folders = []
    for notebook in notebooks:
        code = "".join("".join(cell["source"]) for cell in json.loads(notebook.read_text())["cells"])
        folders += sorted(set(re.findall(r'folder="([^"]+)"', code)))
    assert len(folders) == 2 and len(set(folders)) == len(folders), folders


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebooks(repository, name: str, tmp_path) -> None:
    for extra in ("nbformat", "nbclient", "ipykernel", *NOTEBOOKS[name]):
        pytest.importorskip(extra)
    import nbclient
    import nbformat

    notebook = nbformat.read(repository / "python" / "notebooks" / f"{name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    client = nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert outputs and not any(output.output_type == "error" for output in outputs)
    if keep := os.environ.get("CATAPULT_NOTEBOOKS"):
        nbformat.write(notebook, os.path.join(keep, f"{name}.ipynb"))
