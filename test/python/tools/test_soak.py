"""The long runs themselves: every campaign runs, and what a case does wrong is a finding."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

SOAK = Path(__file__).parents[2] / "soak"
sys.path.insert(0, str(SOAK))

import engine  # noqa: E402

#: Cases of each campaign that take little time.
CASES = {"networks": 1, "matrix": 12, "kernels": 5, "sizes": 1, "programs": 4, "texts": 20}


@pytest.mark.parametrize("campaign", CASES)
def test_campaign(campaign: str, tmp_path: Path) -> None:
    command = [sys.executable, str(SOAK), "--campaign", campaign, "--seed", "1000"]
    command += ["--count", str(CASES[campaign]), "--findings", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("seed 1000\n")
    assert done.stdout.endswith(f"\n{CASES[campaign]} passed, 0 failed\n")


class Planted:
    """Case 1 fails, 2 raises, 3 aborts, 4 hangs; the others are fine."""

    name = "planted"
    seconds = 5.0
    batch = 4

    def run(self, seed: int, note: engine.Note) -> str:
        note(f"case {seed}")
        if seed == 1:
            raise engine.Failure("wrong", "not what was expected", "reduced")
        if seed == 2:
            raise ValueError("unforeseen")
        if seed == 3:
            os.abort()
        if seed == 4:
            time.sleep(60)
        return "fine"


def test_findings(tmp_path: Path) -> None:
    summary = engine.run(Planted(), itertools.count(), time.monotonic() + 30, 7)
    assert summary.cases == 7
    assert summary.ends == {"fine": 3, "finding": 4}
    found = {f.seed: (f.kind, f.reproducer) for f in summary.findings}
    assert found == {
        1: ("wrong", "reduced"),
        2: ("exception ValueError", "case 2"),
        3: ("SIGABRT", "case 3"),
        4: ("hang: no end after 5 s", "case 4"),
    }
    assert summary.findings[0].save(tmp_path).read_text() == "reduced"
