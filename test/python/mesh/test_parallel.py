"""Programs for one chip that ``ttmlir.compile(parallel=...)`` divides over a mesh."""

from __future__ import annotations

import json
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import _divisions

WEIGHTS = ["w1", "w2", "bias"]
RNG = np.random.default_rng(5)


def mlp() -> ttmlir.Builder:
    b = ttmlir.Builder("mlp")
    x, bias = b.input("x", (16, 64)), b.input("bias", (64,))
    w1, w2 = b.input("w1", (64, 128)), b.input("w2", (128, 64))
    hidden = b.gelu(b.matmul(x, w1), name="hidden")
    b.output(b.softmax(b.add(x, b.linear(hidden, w2, bias)), -1))
    return b


def arrays() -> dict[str, np.ndarray]:
    shapes = {"x": (16, 64), "bias": (64,), "w1": (64, 128), "w2": (128, 64)}
    # Results near 1, so that errors of sums are not those of a softmax of large numbers.
    return {name: RNG.normal(0, 0.1, s).astype(np.float32) for name, s in shapes.items()}


def compiled(parallel: Any, **keywords: Any) -> ttmlir.Executable:
    options: Any = {"target": "t3000", "parameters": WEIGHTS, **keywords}
    return ttmlir.compile(mlp(), parallel=parallel, **options)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize(
    ("parallel", "mesh"),
    [
        ("data", (1, 8)),
        ("tensor", (1, 8)),
        ({"tensor": 2}, (1, 2)),
        ({"data": 2, "tensor": 4}, (2, 4)),
        ({"tensor": 2, "data": 4}, (2, 4)),
        ({"data": 4, "w1": (None, 1), "w2": (None, 0)}, (1, 4)),
    ],
)
def test_the_numbers_of_one_chip(backend: Any, parallel: Any, mesh: tuple[int, int]) -> None:
    values = list(arrays().values())
    expected = compiled(None, mesh_shape=(1, 1), backend=backend)(*values)
    exe = compiled(parallel, backend=backend)
    assert exe.programs[0].mesh_shape == mesh
    found = exe(*values)
    if parallel == "data":
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_tensor_parallelism_sends_one_sum() -> None:
    exe = compiled("tensor", remarks="ttir-partition")
    [remark] = exe.remarks
    assert "all_reduce makes tensor<16x64xf32> on each chip" in str(remark)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_sums_over_both_axes_of_a_mesh(backend: Any) -> None:
    values = list(arrays().values())
    exe = compiled("tensor", mesh_shape=(2, 4), backend=backend, remarks="ttir-partition")
    # Each chip reduces its part of the one axis along the other.
    sent = [str(remark).split("ttir.")[1].partition(":")[0] for remark in exe.remarks]
    assert sent == ["reduce_scatter", "all_reduce", "all_gather"]
    expected = compiled(None, mesh_shape=(1, 1), backend=backend)(*values)
    np.testing.assert_allclose(exe(*values), expected, rtol=1e-5, atol=1e-6)


def test_collectives_use_several_links() -> None:
    b = ttmlir.Builder()
    b.output(b.matmul(b.input("x", (128, 256)), b.input("w", (256, 1024))))
    shardings = {"x": (None, 1), "w": (None, 0)}
    keywords: dict[str, Any] = {"mesh_shape": (1, 4), "parallel": shardings}
    one = ttmlir.compile(b, target="galaxy", num_links=1, **keywords)
    four = ttmlir.compile(b, target="galaxy", **keywords)
    assert "num_links = 4 : ui32" in four.mlir
    assert four.estimate().seconds < one.estimate().seconds
    values = [RNG.normal(0, 1, shape).astype(np.float32) for shape in ((128, 256), (256, 1024))]
    np.testing.assert_array_equal(one(*values), four(*values))
    with pytest.raises(ttmlir.CompileError, match="expected at most 2 between chips"):
        ttmlir.compile(b, target="t3000", num_links=3, **keywords)
    # One of two links carries the commands for chips without PCIe.
    assert "num_links" not in ttmlir.compile(b, target="t3000", **keywords).mlir
    assert "num_links = 2 : ui32" in ttmlir.compile(b, target="p150x8", **keywords).mlir
    plain = ttmlir.compile(b, target="galaxy", optimization_level=0, **keywords)
    assert "num_links" not in plain.mlir


def test_collectives_stay_in_l1() -> None:
    def block() -> ttmlir.Builder:
        b = ttmlir.Builder("block")
        x, weight = b.input("x", (32, 512), "bf16"), b.input("weight", (512,), "bf16")
        w1, w2 = b.input("w1", (512, 1024), "bf16"), b.input("w2", (1024, 512), "bf16")
        y = b.add(x, b.matmul(b.relu(b.matmul(b.rms_norm(x, weight), w1)), w2))
        b.output(b.rms_norm(y, weight))
        return b

    keywords: dict[str, Any] = {"target": "t3000", "parallel": "tensor", "parameters": WEIGHTS[:2]}
    exe, plain = (ttmlir.compile(block(), optimization_level=i, **keywords) for i in (1, 0))
    (sum_,) = (op for op in exe.estimate().ops if op.name == "all_reduce")
    assert [t.memory for t in (*sum_.operands, *sum_.results)] == ["l1", "l1"]
    shapes = ((32, 512), (512,), (512, 1024), (1024, 512))
    values = [RNG.normal(0, 0.1, shape).astype(exe.inputs[0].dtype) for shape in shapes]
    np.testing.assert_array_equal(exe(*values), plain(*values))


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_parts_of_a_joined_product_are_sharded(backend: Any) -> None:
    b = ttmlir.Builder("gated")
    x, up, down = b.input("x", (32, 64)), b.input("w1", (64, 256)), b.input("w2", (128, 64))
    y = b.matmul(x, up)
    gate, value = (b.slice(y, [0, i], [32, i + 128]) for i in (0, 128))
    b.output(b.matmul(b.multiply(b.silu(gate), value), down))
    keywords: dict[str, Any] = {"target": "t3000", "parameters": WEIGHTS[:2], "backend": backend}
    exe = ttmlir.compile(b, parallel="tensor", remarks="ttir-partition", **keywords)
    sent = [str(remark).split("ttir.")[1].partition(":")[0] for remark in exe.remarks]
    assert sent == ["all_reduce"]
    values = [RNG.normal(0, 0.1, shape).astype("f4") for shape in ((32, 64), (64, 256), (128, 64))]
    expected = ttmlir.compile(b, mesh_shape=(1, 1), **keywords)(*values)
    np.testing.assert_allclose(exe(*values), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_chips_that_share_a_head_compute_it(backend: Any) -> None:
    b = ttmlir.Builder("heads")
    x, w = b.input("x", (32, 128)), b.input("w1", (128, 128))
    b.output(b.exp(b.reshape(b.matmul(x, w), [32, 2, 64])))
    keywords: dict[str, Any] = {"target": "t3000", "parameters": WEIGHTS[:1], "backend": backend}
    exe = ttmlir.compile(
        b, mesh_shape=(2, 4), parallel="tensor", remarks="ttir-partition", **keywords
    )
    assert not exe.remarks
    values = [RNG.normal(0, 0.1, shape).astype("f4") for shape in ((32, 128), (128, 128))]
    expected = ttmlir.compile(b, mesh_shape=(1, 1), **keywords)(*values)
    np.testing.assert_array_equal(exe(*values), expected)


@pytest.mark.parametrize("target", ["galaxy", "bh_galaxy"])
@pytest.mark.parametrize(("axis", "last"), [(0, 28), (1, 3)])
def test_a_galaxy_is_a_torus(target: str, axis: int, last: int) -> None:
    """Collectives use the links between the first and the last chip of an axis."""
    b = ttmlir.Builder(mesh_shape=(8, 4))
    b.output(b.all_gather(b.input("x", (64, 64), "bf16"), 0, cluster_axis=axis))
    (op,) = (op for op in ttmlir.compile(b, target=target).estimate().ops if op.ethernet_bytes)
    used = {(use.from_chip, use.to_chip) for use in op.ethernet_use}
    assert {(0, last), (last, 0)} <= used


def test_a_kind_on_the_given_mesh() -> None:
    values = list(arrays().values())
    exe = compiled("data", mesh_shape=(2, 4))
    assert exe.programs[0].mesh_shape == (2, 4)
    expected = compiled(None, mesh_shape=(1, 1))(*values)
    np.testing.assert_array_equal(exe(*values), expected)


def test_parameters_are_sharded_once() -> None:
    given = arrays()
    exe = compiled("tensor")
    exe.bind({name: given[name] for name in WEIGHTS})
    first, again = exe(given["x"]), exe(given["x"])
    np.testing.assert_array_equal(first, again)
    # The input alone crosses the host in a call, to each chip or in parts.
    moved = sum(op.host_bytes for op in exe.report(given["x"]).ops if op.phase != "download")
    assert moved <= 8 * given["x"].nbytes


def test_auto_is_not_slower_than_a_choice_by_hand() -> None:
    def seconds(exe: ttmlir.Executable) -> float:
        report = exe.estimate()
        return sum(op.cycles for op in report.ops if not op.host_bytes)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        best = seconds(compiled("auto"))
    for parallel in ("data", "tensor", {"data": 2, "tensor": 4}):
        assert best <= seconds(compiled(parallel))


def test_an_interrupt_takes_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def interrupted(_text: str, total: int) -> Iterator[Callable[[str], None]]:
        left = iter(range(total))

        def done(_more: str) -> None:
            if next(left) == 1:
                signal.raise_signal(signal.SIGINT)

        yield done

    monkeypatch.setattr(_divisions, "bar", interrupted)
    with pytest.warns(UserWarning, match="interrupted, takes the best of 2 of 15 divisions"):
        exe = compiled("auto")
    # Those are one chip, and data on all: 16 rows for 8 chips.
    assert exe.programs[0].mesh_shape in [(1, 1), (1, 8)]


def test_estimates_of_collectives_are_those_of_a_run() -> None:
    given = arrays()
    exe = compiled("tensor")
    exe.bind({name: given[name] for name in WEIGHTS})
    exe(given["x"])
    estimate, report = exe.estimate(), exe.report(given["x"])
    sent, run = ([op for op in r.ops if op.ethernet_bytes] for r in (estimate, report))
    assert [op.name for op in sent] == ["all_reduce"]
    assert [(op.cycles, op.ethernet_bytes) for op in sent] == [
        (op.cycles, op.ethernet_bytes) for op in run
    ]


def test_unused_chips_are_a_warning() -> None:
    with pytest.warns(UserWarning, match="uses 1 of the 8 chips of the target: parallel='data'"):
        compiled(None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled(None, mesh_shape=(1, 1))
        compiled(None, target="n150")


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"parallel": "layers"}, "'tensor', 'expert', 'pipeline', 'auto', or a mapping of these"),
        ({"parallel": {}}, "or a mapping of these to numbers of chips"),
        ({"parallel": {"data": 0}}, "'data': expected a positive number of chips, found 0"),
        ({"parallel": {"data": 16}}, "16 chips in the mesh 1x16, the target has 8"),
        (
            {"parallel": {"w1": 3}},
            "'w1': expected one of data, sequence, tensor, expert, pipeline with a number",
        ),
        ({"parallel": {"w1": (0, 1)}}, "shardings need mesh_shape"),
        ({"parallel": {"data": 2, "w1": (0,)}}, "an entry for each axis of the mesh 1x2, found 1"),
        ({"parallel": {"data": 2, "w1": (0, -1)}}, "expected dimensions or None for each axis"),
        ({"parallel": {"data": 2}, "mesh_shape": (1, 2)}, "numbers of chips or mesh_shape"),
        ({"parallel": "data", "parallelism": ("data",)}, "expected parallel or parallelism"),
        ({"parallel": "auto", "mesh_shape": (1, 2)}, "'auto' chooses the mesh"),
        ({"parallel": "auto", "backend": "ttmetal"}, "which can be timed without a run"),
        ({"parallelism": ("data", "what")}, r"parallelism\[1\]: expected one of none, data"),
        ({"parallel": {"data": 2, "w": (None, 0)}}, "no argument matches 'w'; did you mean"),
    ],
)
def test_wrong_arguments(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ttmlir.Error, match=message):
        compiled(**{"parallel": None, **keywords})


def test_chips_that_do_not_divide() -> None:
    with pytest.raises(ttmlir.CompileError, match="3 chips do not divide dimension 0"):
        compiled({"data": 3})


def test_a_plan(tmp_path: Path) -> None:
    seen = []
    plan = ttmlir.plan(
        mlp(),
        targets=["n150", "n300"],
        precisions=[None, "performance"],
        parameters=WEIGHTS,
        progress=seen.append,
    )
    # One chip of each, and four kinds on two chips; two of them compile with a batch of 16.
    assert len(plan) == len(seen) == 2 * (1 + 5)
    assert all(choice.fits for choice in plan)
    times = [choice.seconds for choice in plan]
    assert times == sorted(times)
    assert plan.best is plan[0]
    one = plan.best_of("n150")
    assert one is not None
    assert one.parallel == {}
    assert one.link_bytes == 0
    assert any(choice.link_bytes for choice in plan if choice.parallel == {"tensor": 2})
    exe = ttmlir.compile(mlp(), parameters=WEIGHTS, **plan.best.keywords)
    assert exe(*arrays().values()).shape == (16, 64)
    assert str(plan).startswith(f"best: compile(..., target='{plan.best.target}'")
    # The fastest choice of the first target, with what makes it faster.
    assert plan.changed == one
    for change in plan.changes:
        assert change.after < change.before == one.seconds
    assert plan.total == len(plan)
    plan.save(tmp_path / "plan.json")
    plan.save(tmp_path / "plan.html")
    saved = json.loads((tmp_path / "plan.json").read_text())["choices"]
    assert [entry["seconds"] for entry in saved] == times
    assert "performance" in (tmp_path / "plan.html").read_text()
    with pytest.raises(ttmlir.InputError, match=r"ends in \.html or \.json"):
        plan.save(tmp_path / "plan.txt")


def test_prices_and_watts() -> None:
    keywords: dict[str, Any] = {"parameters": WEIGHTS, "precisions": [None], "changes": 0}
    plan = ttmlir.plan(
        mlp(), targets=["n150", "p150"], prices={"n150": 2.5}, watts={"p150": 300}, **keywords
    )
    assert plan.changes == ()
    for choice in plan:
        cells = choice.cells()
        if choice.target == "n150":
            assert float(cells["calls/s/$"].replace(",", "")) == pytest.approx(
                1 / choice.seconds / 2.5, rel=0.01
            )
            assert cells["J a call"] == ""
        else:
            assert float(cells["J a call"]) == pytest.approx(300 * choice.seconds, rel=0.01)
    with pytest.raises(ttmlir.Error, match="watts: 'n300' is not one of the targets n150"):
        ttmlir.plan(mlp(), targets=["n150"], watts={"n300": 1}, **keywords)


def test_an_interrupted_plan() -> None:
    plan = ttmlir.plan(
        mlp(),
        targets=["n150", "n300"],
        parameters=WEIGHTS,
        progress=lambda _: signal.raise_signal(signal.SIGINT),
    )
    assert (len(plan), plan.total) == (1, 12)
    assert "of the 1 of 12 choices before the interrupt" in str(plan)


def test_wrong_plans() -> None:
    with pytest.raises(ttmlir.Error, match="no target 'n151'"):
        ttmlir.plan(mlp(), targets=["n151"])
    with pytest.raises(TypeError, match="expected a list of names, found 'n150'"):
        ttmlir.plan(mlp(), targets="n150")
    with pytest.raises(TypeError, match=r"plan\(\) chooses parallel itself: remove it"):
        ttmlir.plan(mlp(), parallel="data")
    with pytest.raises(ttmlir.Error, match="programs of kernels cannot be estimated"):
        ttmlir.plan(mlp(), targets=["n150"], backend="ttmetal")
