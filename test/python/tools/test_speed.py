"""The modelled throughput of models: its table in the documents, and what it counts."""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from types import ModuleType

import pytest

import ttmlir

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "src" / "speed.md"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        return importlib.import_module("bench_speed")


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_table_in_the_documents(bench: ModuleType) -> None:
    """If it has other rows: `python benchmarks/run.py speed` prints it."""
    lines = PAGE.read_text("utf-8").splitlines()
    tables = [n for n, line in enumerate(lines) if cells(line) == list(bench.COLUMNS)]
    assert len(tables) == 1
    start = tables[0] + 2
    shown = lines[start : lines.index("", start)]
    found = [dict(zip(bench.COLUMNS, cells(line), strict=True)) for line in shown]
    expected = [
        (model.name, str(batch), target, precision, f"{published:,.0f}" if published else "-")
        for model in bench.MODELS
        for target, (batch, published) in model.published.items()
        for precision in bench.PRECISIONS
    ]
    assert [tuple(row[name] for name in bench.COLUMNS[:5]) for row in found] == expected
    means = next(line for line in lines if line.startswith("The geometric mean"))
    for precision in bench.PRECISIONS:
        rows = [r for r in found if r["precision"] == precision and r["ratio"] != "-"]
        ratios = [float(r["ratio"]) for r in rows]
        for row, ratio in zip(rows, ratios, strict=True):
            modelled, published = (
                float(row[name].replace(",", "")) for name in ("modelled", "published")
            )
            assert modelled / published == pytest.approx(ratio, abs=1e-3)
        mean = float(means.split(f" with {precision}")[0].split()[-1])
        assert bench.geometric_mean(ratios) == pytest.approx(mean, abs=1e-3)


def test_transfers_are_not_of_the_run(bench: ModuleType) -> None:
    b = ttmlir.Builder()
    b.output(b.exp(b.input("x", (512, 512), "bf16")))
    exe = ttmlir.compile(b)
    with exe.trace() as trace:
        captured = trace.report()
    report, cost = exe.report(), bench.cost(captured)
    transfers = [op for op in report.ops if op.phase != "run"]
    assert cost.host == pytest.approx(sum(op.cycles for op in transfers) / report.clock_hz)
    assert cost.host + cost.run == pytest.approx(report.seconds)
    assert cost.expensive(1).startswith("exp ")
    assert cost.throughput == pytest.approx(1 / captured.period_seconds)


def test_limit(bench: ModuleType) -> None:
    bf16 = bench.PRECISIONS["balanced"]
    # 64 cores with 2048 operations a cycle at 1 GHz; 288 GB/s.
    assert bench.limit("wormhole_b0", bf16, 131.072, 1) == pytest.approx(1e-3)
    assert bench.limit("wormhole_b0", bf16, 1, 288e6) == pytest.approx(2e-3)


def test_geometric_mean(bench: ModuleType) -> None:
    assert bench.geometric_mean([0.5, 2.0, 8.0]) == pytest.approx(2.0)


@pytest.mark.torch
def test_layers_are_extrapolated(bench: ModuleType) -> None:
    import torch
    from torch import nn

    def build(layers: int) -> nn.Module:
        return nn.Sequential(nn.Linear(64, 256), *(nn.Linear(256, 256) for _ in range(layers)))

    model = bench.Model(
        "linear", 7, 1e-3, {"n150": (32, 1000.0)}, build, lambda batch: (torch.ones(batch, 64),)
    )
    rows = list(bench.rows([model]))
    assert [row.precision for row in rows] == list(bench.PRECISIONS)
    x = torch.ones(32, 64)
    for row in rows:
        keywords = bench.PRECISIONS[row.precision].keywords | bench.OPTIONS
        expected = bench.cost(bench.captured(build(7).eval(), (x,), **keywords))
        assert row.cost.run == pytest.approx(expected.run, rel=0.01)
        assert row.cost.dram == pytest.approx(expected.dram, rel=0.01)
        assert row.modelled == pytest.approx(32 / max(expected.run, expected.host), rel=0.01)
        assert row.ratio == pytest.approx(row.modelled / 1000)
        assert len(row.cells()) == len(bench.COLUMNS)
        assert math.isfinite(row.limit)
