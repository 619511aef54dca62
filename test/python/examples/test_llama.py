"""The Llama block that is cut over the chips of a mesh."""

from __future__ import annotations

import functools
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "llama.py"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    """The benchmark that makes the table, which imports the example."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        return importlib.import_module("bench_mesh")


@pytest.fixture(scope="module")
def llama(bench: ModuleType) -> Iterator[ModuleType]:
    """The example, which runs nothing twice."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench.llama, "run", functools.cache(bench.llama.run))
        yield bench.llama


def test_reference(llama: ModuleType) -> None:
    """What a block does, of its own making: a change of a token shows in later ones only, and no
    position but the difference of two matters to the scores."""
    config = llama.Config(sequence=8, hidden=64, heads=4, kv_heads=2, head_dim=16, mlp=96)
    inputs = dict(llama.make_inputs(config, seed=1))
    before = llama.reference(config, inputs)
    inputs["x"] = inputs["x"].copy()
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


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mesh", [(1, 2), (1, 8)])
@pytest.mark.parametrize("collective", ["reduce_scatter", "all_reduce"])
def test_block(llama: ModuleType, mesh: tuple[int, ...], collective: str) -> None:
    runs = {
        way: llama.run(llama.Config(), mesh, way=way, collective=collective) for way in llama.WAYS
    }
    for way, found in runs.items():
        assert found.ok, way
    exact, lowered = runs["ttnn"], runs["ttnn, bfp8"]
    # Two sums of (64, 1024) in tiles of bf16; each sends (N-1)/N of it twice through a chip.
    chips, tiles = mesh[1], 2 * 32
    assert sum(exact.links.values()) == 2 * 2 * (chips - 1) * tiles * 2048
    assert lowered.links.keys() == exact.links.keys()
    for link, count in exact.links.items():
        assert count * 1088 == lowered.links[link] * 2048
    # Less precise, farther from float64 than bf16 may be, and nothing else.
    assert lowered.correlation < exact.least_correlation
    assert lowered.collective_seconds < exact.collective_seconds
    assert all(remark.kind == "passed" for remark in lowered.remarks)
    ends = ["scatter", "gather"] if collective == "reduce_scatter" else ["sum"]
    names = [f"{part}_out_{end}" for part in ("attention", "mlp") for end in ends]
    assert [remark.name for remark in lowered.remarks] == names
    # The library's collectives send as much for kernels as for calls; kernels also count up
    # semaphores, 4 bytes each.
    command, kernels = runs["ttmetal"], runs["ttmetal, kernels"]
    assert command.links == exact.links
    assert (kernels.correlation, kernels.max_error) == (command.correlation, command.max_error)
    for link, count in kernels.links.items():
        assert 0 < count - exact.links[link] < exact.links[link] / 100


@pytest.mark.usefixtures("llama")
def test_table_in_the_documents(bench: ModuleType) -> None:
    """If it is another one: `python benchmarks/run.py mesh` prints it."""

    def cells(text: str) -> list[list[str]]:
        return [line.strip("| ").split(" | ") for line in text.splitlines()]

    printed = cells(bench.table("reduce_scatter"))
    lines = (ROOT / "docs" / "src" / "mesh.md").read_text().splitlines()
    start = lines.index(f"| {' | '.join(bench.COLUMNS)} |")
    shown = cells("\n".join(lines[start : start + len(printed)]))
    # Hosts that multiply bf16 in pairs round sums otherwise: the last digit may differ by one.
    # Times may differ a little, so that not every change of the model of costs shows here.
    exact = len(bench.COLUMNS) - 2
    numbers = slice(2, 6)
    assert shown[:2] == printed[:2]
    assert len(shown) == len(printed)
    for mine, found in zip(shown[2:], printed[2:], strict=True):
        assert mine[:2] + mine[6:exact] == found[:2] + found[6:exact]
        for left, right in zip(mine[numbers], found[numbers], strict=True):
            digit = 10.0 ** -len(right.partition(".")[2])
            assert float(left) == pytest.approx(float(right), rel=0, abs=1.001 * digit)
        for left, right in zip(mine[exact:], found[exact:], strict=True):
            assert float(left.removesuffix(" us")) == pytest.approx(
                float(right.removesuffix(" us")), rel=0.1
            )


def test_what_is_lowered(llama: ModuleType) -> None:
    """Both projections with their residuals, and the MLP up to its multiply."""
    text = llama.compile_block(llama.Config(), (1, 2), way="ttnn, bfp8").mlir
    aliases = dict(line.split(" = ", 1) for line in text.splitlines() if line.startswith("#layout"))
    lowered = []
    for line in text.splitlines():
        name = line.rpartition("-> ")[2].rpartition(", ")[2].partition(">")[0]
        if "ttnn." in line and "bfp_bf8" in aliases.get(name, ""):
            lowered.append(line.split('"')[1].removeprefix("ttnn."))
    sums = ["matmul", "reduce_scatter", "all_gather"]
    assert [op for op in lowered if op != "empty"] == [
        *sums,
        *["matmul", "matmul", "multiply"],  # silu is the activation of the first
        *sums,
    ]


def test_command() -> None:
    command = [sys.executable, str(EXAMPLE), "--mesh", "1x2", "--way", "ttnn, bfp8"]
    done = subprocess.run(
        [*command, "--sequence", "40", "--collective", "all_reduce", "--seed", "3"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1x2: 2 of 2 collectives carry bfp8:\n  attention_out_sum, mlp_out_sum\n" in done.stdout
    wrong = subprocess.run(
        [sys.executable, str(EXAMPLE), "--mesh", "3x3"], capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 2
    assert "expected one of 1x2, 1x8, found '3x3'" in wrong.stderr
