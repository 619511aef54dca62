"""The example that newcomers run first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ttmlir

EXAMPLE = Path(__file__).parents[3] / "examples" / "digits.py"


def test_digits(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib")
    command = [sys.executable, str(EXAMPLE), "--epochs", "30", "--output-dir", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "same as NumPy" in done.stdout
    assert "100.00%" in done.stdout
    assert (tmp_path / "digits.png").read_bytes().startswith(b"\x89PNG")
    exe = ttmlir.load(tmp_path / "digits.ttnn")
    zeros = [np.zeros(i.shape, np.float32) for i in exe.inputs]
    assert not exe(*zeros).any()
