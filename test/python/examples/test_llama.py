"""The Llama block that is cut over the chips of a mesh."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[3] / "examples" / "llama.py"


@pytest.fixture(scope="module")
def llama() -> ModuleType:
    spec = importlib.util.spec_from_file_location("llama", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["llama"] = module
    spec.loader.exec_module(module)
    return module


def test_reference(llama: ModuleType) -> None:
    """What a block does, of its own making: a change of a token shows in later ones only, and no
    position but the difference of two matters to the scores."""
    config = llama.Config(sequence=8, hidden=64, heads=4, kv_heads=2, head_dim=16, mlp=96)
    inputs = llama.make_inputs(config, seed=1)
    before = llama.reference(config, inputs)
    inputs["x"][5] += 1
    changed = np.abs(llama.reference(config, inputs) - before).max(axis=1)
    assert not changed[:5].any()
    assert changed[5:].all()

    cos, sin = llama.angles(config)
    rng = np.random.default_rng(2)
    q, k = rng.standard_normal((2, config.head_dim))

    def turn(x: np.ndarray, position: int) -> np.ndarray:
        first, second = np.split(x, 2)
        return x * cos[position] + np.concatenate([-second, first]) * sin[position]

    np.testing.assert_allclose(turn(q, 3) @ turn(k, 1), turn(q, 7) @ turn(k, 5))
    assert not np.isclose(turn(q, 3) @ turn(k, 1), turn(q, 3) @ turn(k, 2))


@pytest.mark.parametrize("mesh", [(1, 2), (1, 8)])
@pytest.mark.parametrize("collective", ["reduce_scatter", "all_reduce"])
def test_block(llama: ModuleType, mesh: tuple[int, ...], collective: str) -> None:
    exact, lowered = (
        llama.run(llama.Config(), mesh, lowered=lowered, collective=collective)
        for lowered in (False, True)
    )
    assert exact.ok
    assert lowered.ok
    # Two sums of (64, 512) in tiles of bf16; each sends (N-1)/N of it twice through a chip.
    chips, tiles = mesh[1], 2 * 16
    assert sum(exact.links.values()) == 2 * 2 * (chips - 1) * tiles * 2048
    assert lowered.links.keys() == exact.links.keys()
    for link, count in exact.links.items():
        assert count / lowered.links[link] == pytest.approx(2048 / 1088, rel=1e-6)
    # Less precise, but no other result.
    assert lowered.max_error != exact.max_error
    assert lowered.modelled_seconds < exact.modelled_seconds


def test_command() -> None:
    command = [sys.executable, str(EXAMPLE), "--mesh", "1x2", "--sequence", "32"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1x2 n300" in done.stdout
    wrong = subprocess.run(
        [sys.executable, str(EXAMPLE), "--mesh", "3x3"], capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 2
    assert "expected one of 1x2, 1x8, found '3x3'" in wrong.stderr
