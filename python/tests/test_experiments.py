"""Scripts beside published experiments agree with the published numbers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def recompute(folder: Path, script: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(script)], cwd=folder, capture_output=True, text=True)


def test_the_study_of_chesspp_is_recomputed(repository: Path) -> None:
    script = repository / "experiments/chesspp/recompute.py"
    found = recompute(repository, script)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "fewer draws" in found.stdout


def test_a_changed_number_is_found(repository: Path, tmp_path: Path) -> None:
    study = repository / "experiments/chesspp"
    (tmp_path / "recompute.py").write_text((study / "recompute.py").read_text())
    results = json.loads((study / "metrics.json").read_text())
    results["judgements"][0]["effect"]["difference"]["value"] += 0.01
    (tmp_path / "metrics.json").write_text(json.dumps(results))
    assert recompute(tmp_path, tmp_path / "recompute.py").returncode == 1
