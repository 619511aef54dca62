"""The long runs themselves: every campaign runs, and what a case does wrong is a finding."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SOAK = Path(__file__).parents[2] / "soak"

#: Cases of each campaign that take little time.
CASES = {
    "networks": 1,
    "matrix": 12,
    "kernels": 5,
    "sizes": 1,
    "programs": 4,
    "meshes": 2,
    "divisions": 4,
    "texts": 20,
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("campaign", CASES)
def test_campaign(campaign: str, tmp_path: Path) -> None:
    pytest.importorskip("jax", reason="needs jax")
    command = [sys.executable, str(SOAK), "--campaign", campaign, "--seed", "1000"]
    command += ["--count", str(CASES[campaign]), "--findings", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("seed 1000\n")
    assert done.stdout.endswith(f"\n{CASES[campaign]} passed, 0 failed\n")


def test_findings(tmp_path: Path) -> None:
    # In a process of its own: a child begins with the memory of the process that starts it.
    script = Path(__file__).with_name("planted_findings.py")
    command = [sys.executable, str(script), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    summary = json.loads(done.stdout)
    assert summary["ends"] == {"fine": 2, "finding": 4, "known abort": 1}
    assert summary["findings"] == {
        "1": ["wrong", "reduced"],
        "2": ["exception ValueError", "case 2"],
        "3": ["SIGABRT", "case 3"],
        "4": ["hang: no end after 5 s, most of them without a processor", "case 4"],
    }
    assert (tmp_path / "planted-1.txt").read_text() == "reduced"
