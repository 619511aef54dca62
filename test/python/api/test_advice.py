"""Costs without a run, and suggestions of faster options, in both backends."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir


def mlp() -> ttmlir.Builder:
    """A program with two products, whose weights are parameters."""
    b = ttmlir.Builder()
    x, up = b.input("x", (256, 512), "bf16"), b.parameter("up", (512, 1024), "bf16")
    down = b.parameter("down", (1024, 512), "bf16")
    hidden = b.gelu(b.matmul(x, up, name="up"), name="gelu")
    b.output(b.add(b.matmul(hidden, down, name="down"), x, name="sum"))
    return b


def weights() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    return {
        "up": rng.standard_normal((512, 1024)).astype("f4") / 20,
        "down": rng.standard_normal((1024, 512)).astype("f4") / 30,
    }


def compiled(**options: Any) -> ttmlir.Executable:
    exe = ttmlir.compile(mlp(), **options)
    exe.bind({name: as_input(exe, name, w) for name, w in weights().items()})
    return exe


def as_input(exe: ttmlir.Executable, name: str, array: Any) -> Any:
    (dtype,) = (info.dtype for info in exe.inputs if info.name == name)
    return array.astype(dtype)


def argument(exe: ttmlir.Executable) -> Any:
    x = np.random.default_rng(1).standard_normal((256, 512))
    return as_input(exe, "x", x.astype("f4"))


# Estimates ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("target", ["n150", "p150"])
def test_an_estimate_is_the_report_of_a_later_run(level: int, target: str) -> None:
    exe = compiled(optimization_level=level, target=target)
    x = argument(exe)
    exe(x)  # Computes what depends on parameters alone.
    report, estimate = exe.report(x), exe.estimate()
    assert [(op.name, op.label, op.phase) for op in estimate.ops] == [
        (op.name, op.label, op.phase) for op in report.ops
    ]
    assert [op.cycles for op in estimate.ops] == [op.cycles for op in report.ops]
    assert estimate.cycles == report.cycles
    assert estimate.seconds == report.seconds
    assert estimate.worker_cores == report.worker_cores
    assert estimate.host_to_device_bytes == report.host_to_device_bytes
    assert estimate.memory == ()


def test_an_estimate_runs_nothing() -> None:
    """A model that would take minutes on the emulator."""
    b = ttmlir.Builder()
    x = b.input("x", (8192, 8192), "bf16")
    for _ in range(20):
        x = b.matmul(x, b.parameter("w", (8192, 8192), "bf16"))
    b.output(x)
    estimate = ttmlir.compile(b, optimization_level=0).estimate()
    products = [op for op in estimate.ops if op.name == "matmul"]
    assert len(products) == 20
    assert sum(op.flops for op in products) == 20 * 2 * 8192**3


def test_programs_that_only_a_run_times() -> None:
    with pytest.raises(ttmlir.Error, match="forward: programs of kernels cannot be estimated"):
        ttmlir.compile(mlp(), backend="ttmetal").estimate()
    b = ttmlir.Builder()
    x = b.input("x", (32, 32))
    (y,) = b.for_loop(3, lambda i, y: b.add(y, x), [x])
    b.output(y)
    with pytest.raises(ttmlir.Error, match="cannot be estimated: the number of times"):
        ttmlir.compile(b).estimate()
    with pytest.raises(ttmlir.InputError, match="no program 1"):
        compiled().estimate(program=1)


# Advice ------------------------------------------------------------------------------------------


def test_suggestions_hold() -> None:
    """Each suggestion takes the time that it says, and its results are as near as it says."""
    exe = compiled()
    x = argument(exe)
    advice = exe.advise(x, limit=3)
    assert 1 <= len(advice) <= 3
    assert [s.after for s in advice] == sorted(s.after for s in advice)
    expected = exe(x).astype("f8")
    for suggestion in advice.all():
        assert suggestion.before == advice.seconds
        assert suggestion.after <= 0.99 * suggestion.before
        changed = compiled(**suggestion.keywords)
        changed(x)
        parts = (report := changed.report(x)).parts("run")
        assert parts.total / report.clock_hz == pytest.approx(suggestion.after)
        found = changed(x).astype("f8")
        correlation = np.corrcoef(expected.ravel(), found.ravel())[0, 1]
        assert suggestion.correlation == pytest.approx(correlation, abs=1e-6)
        assert correlation > 0.9
        # Approximate functions may give the same bits here.
        assert correlation < 1 or "dtype" not in suggestion.options
        assert str(suggestion) in str(advice)


def test_an_unoptimized_program_is_told_of_level_1() -> None:
    advice = compiled(optimization_level=0).advise(limit=24)
    (level,) = (s for s in advice if s.keywords == {"optimization_level": 1})
    assert level.speedup > 1.2
    assert level.correlation is None


def test_slow_layouts_are_found() -> None:
    """An override that puts a result on one core is the first thing to change."""
    slow = {"down": "1x1:l1:block_sharded"}
    exe = compiled(override_output_layout=slow, override_compute_config={"up": "hifi4"})
    advice = exe.advise(limit=24, trials=40)
    layouts = [s.keywords["override_output_layout"] for s in advice if "over" in s.options]
    assert advice[0].speedup > 1.5
    assert layouts


def test_several_changes_add_up() -> None:
    exe = compiled(optimization_level=0)
    together = exe.advise(limit=6, trials=40).together
    assert together is not None
    assert len(together.keywords) > 1
    assert together.after < min(s.after for s in exe.advise(limit=6, trials=40))


def test_trials_are_bounded() -> None:
    advice = compiled(optimization_level=0).advise(trials=2)
    assert advice.trials == 2
    assert len(advice) <= 2


def test_nothing_to_say() -> None:
    b = ttmlir.Builder()
    b.output(b.add(b.input("x", (32, 32)), b.input("y", (32, 32))))
    advice = ttmlir.compile(b).advise()
    assert str(advice).endswith("trials, none at least 1% faster")


def test_kernels() -> None:
    b = ttmlir.Builder()
    x, y = b.input("x", (512, 512), "bf16"), b.input("y", (512, 512), "bf16")
    b.output(b.matmul(b.matmul(x, y, name="first"), y, name="second"))
    exe = ttmlir.compile(b, backend="ttmetal", math_fidelity="hifi4")
    a = as_input(exe, "x", np.random.default_rng(0).standard_normal((512, 512)).astype("f4"))
    advice = exe.advise(a, a, limit=2)
    assert advice
    assert all(s.correlation is not None and s.correlation > 0.99 for s in advice)


def test_reports_end_with_advice(tmp_path: Path) -> None:
    exe = compiled()
    assert exe.report().advice is None
    report = exe.report(advise=True)
    assert report.advice
    assert str(report).endswith(str(report.advice))
    assert report.as_dict()["advice"]["suggestions"][0]["reason"] == report.advice[0].reason
    report.save(tmp_path / "report.html")
    assert report.advice[0].reason in (tmp_path / "report.html").read_text()


def test_executables_without_a_source(tmp_path: Path) -> None:
    exe = ttmlir.compile(mlp())
    exe.save(tmp_path / "mlp.ttnn")
    for other in (ttmlir.load(tmp_path / "mlp.ttnn"), pickle.loads(pickle.dumps(exe))):
        with pytest.raises(ttmlir.Error, match="an executable from a file has no source"):
            other.advise()


@pytest.mark.parametrize("keyword", ["limit", "trials"])
def test_bad_counts(keyword: str) -> None:
    with pytest.raises(ttmlir.InputError, match=f"{keyword}: expected a positive integer, found 0"):
        ttmlir.compile(mlp()).advise(**{keyword: 0})


def test_wrong_arguments() -> None:
    with pytest.raises(ttmlir.InputError, match="forward: expected 1 inputs"):
        compiled().advise(1, 2)


@pytest.mark.torch
def test_modules() -> None:
    """The source is a PyTorch module; parameters stay bound."""
    torch = pytest.importorskip("torch")
    model = torch.nn.Sequential(
        torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 64)
    )
    x = torch.randn(128, 256)
    exe = ttmlir.compile(model.eval(), x, dtype="bf16")
    advice = exe.advise(x)
    assert advice
    assert all(s.correlation is not None and s.correlation > 0.95 for s in advice)
    torch.testing.assert_close(exe(x), model(x), atol=0.05, rtol=0.05)
