"""Programs that are cut into stages on different chips: ``ttmlir.compile(parallel="pipeline")``."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import runtime

LAYERS = 4
WIDTH, BATCH = 64, 16
WEIGHTS = [f"{name}{i}" for i in range(LAYERS) for name in ("up", "down")]
RNG = np.random.default_rng(11)


def mlp() -> ttmlir.Builder:
    b = ttmlir.Builder("mlp")
    x = b.input("x", (BATCH, WIDTH))
    for i in range(LAYERS):
        up, down = b.input(f"up{i}", (WIDTH, 4 * WIDTH)), b.input(f"down{i}", (4 * WIDTH, WIDTH))
        x = b.add(x, b.matmul(b.gelu(b.matmul(x, up)), down), name=f"layer{i}")
    b.output(x)
    return b


X = RNG.normal(0, 1, (BATCH, WIDTH)).astype(np.float32)
VALUES = {
    name: RNG.normal(0, 0.1, (WIDTH, 4 * WIDTH) if "up" in name else (4 * WIDTH, WIDTH)).astype(
        "f4"
    )
    for name in WEIGHTS
}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the pipeline uses")
        yield


def compiled(parallel: Any, source: Any = None, **keywords: Any) -> Any:
    options: Any = {"target": "t3000", "parameters": WEIGHTS if source is None else (), **keywords}
    exe = ttmlir.compile(mlp() if source is None else source, parallel=parallel, **options)
    if source is None:
        exe.bind(VALUES)
    return exe


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize(
    ("parallel", "mesh", "is_equal"),
    [
        ({"pipeline": 2}, (1, 2), True),
        ("pipeline", (1, 8), True),
        ({"pipeline": 4, "tensor": 2}, (4, 2), False),
        ({"data": 2, "pipeline": 4}, (2, 4), True),
        ({"pipeline": 2, "sequence": 2}, (2, 2), False),
    ],
)
def test_the_numbers_of_one_chip(
    backend: Any, parallel: Any, mesh: tuple[int, int], is_equal: bool
) -> None:
    expected = compiled(None, mesh_shape=(1, 1), backend=backend)(X)
    exe = compiled(parallel, micro_batches=4, backend=backend)
    assert exe.programs[0].mesh_shape == mesh
    assert exe.micro_batches == 4
    found = exe(X)
    if is_equal:
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_stages_are_layers_with_their_weights() -> None:
    exe = compiled({"pipeline": 4}, micro_batches=2)
    names = [[info.name for info in stage.program.inputs] for stage in exe.stages]
    assert names[0] == ["x", "up0", "down0"]
    assert [sorted(n for n in own if n in WEIGHTS) for own in names] == [
        [f"down{i}", f"up{i}"] for i in range(LAYERS)
    ]
    assert [stage.chips for stage in exe.stages] == [(0,), (1,), (2,), (3,)]
    # Each sends one micro-batch of the residual stream: 8 rows in a row of tiles.
    assert [stage.program.outputs[0].shape for stage in exe.stages] == [(8, WIDTH)] * 4
    report = exe.estimate()
    assert [stage.sent_bytes for stage in report.pipeline.stages] == [2 * 32 * 32 * 4] * 3 + [0]
    seconds = [stage.seconds for stage in report.pipeline.stages]
    assert max(seconds) < 1.1 * min(seconds)


def test_an_estimate_is_a_report() -> None:
    exe = compiled({"pipeline": 4}, micro_batches=4)
    exe(X)
    estimate, report = exe.estimate(), exe.report(X, trace=True)
    for name in ("seconds", "latency", "period", "fill", "drain", "bubble"):
        assert getattr(estimate.pipeline, name) == getattr(report.pipeline, name)
    assert estimate.cycles == report.cycles
    found = estimate.pipeline
    assert found.unused_chips == (4, 5, 6, 7)
    slowest = max(stage.seconds for stage in found.stages)
    assert found.period == pytest.approx(slowest)
    assert found.calls_per_second == pytest.approx(1 / (4 * slowest))
    assert found.fill + 4 * found.stages[-1].seconds <= found.seconds * 1.000001
    assert found.bubble == pytest.approx(
        1 - 4 * sum(s.seconds for s in found.stages) / (4 * found.seconds)
    )
    sends = [op for op in report.ops if op.name == "send"]
    assert len(sends) == 3
    assert sum(use.bytes for use in report.ethernet_use) == 4 * sum(s.ethernet_bytes for s in sends)
    text = str(report)
    assert "Pipeline: 4 micro-batches" in text
    assert "not used: chips 4, 5, 6, 7" in text
    # Tiles have 32 rows, of which a micro-batch uses 4.
    assert report.host_to_device_bytes == 8 * X.nbytes
    assert json.dumps(report.as_dict())


def test_a_timeline_shows_stages_at_the_same_time(tmp_path: Path) -> None:
    exe = compiled({"pipeline": 2}, micro_batches=4)
    report = exe.report(X, trace=True)
    report.save_trace(tmp_path / "trace.pftrace")
    report.save_trace(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    devices = {
        e["pid"]: e["args"]["name"].split(" (")[0]
        for e in events
        if e.get("name") == "process_name"
    }
    slices = {
        (devices[e["pid"]], e["name"]): (e["ts"], e["ts"] + e["dur"])
        for e in events
        if e.get("ph") == "X" and "micro-batch" in e["name"]
    }
    first = slices["device 0", "stage 0, micro-batch 1"]
    second = slices["device 1", "stage 1, micro-batch 0"]
    assert max(first[0], second[0]) < min(first[1], second[1])
    # A stage starts when the link has delivered its micro-batch.
    sent = [e for e in events if e.get("name") == "send"]
    assert len(sent) == 4
    assert second[0] >= sent[0]["ts"] + sent[0]["dur"]
    filtered = exe.report(X, trace=runtime.TraceFilter(tracks=["ethernet"]))
    filtered.save_trace(tmp_path / "links.json")
    events = json.loads((tmp_path / "links.json").read_text())["traceEvents"]
    assert {e["name"] for e in events if e.get("ph") == "X"} == {"send"}


def test_the_clock_chooses_the_micro_batches() -> None:
    exe = compiled({"pipeline": 2})
    chosen = exe.estimate().pipeline.seconds
    assert BATCH % exe.micro_batches == 0
    for count in (1, 16):
        assert chosen <= compiled({"pipeline": 2}, micro_batches=count).estimate().seconds


# Values ------------------------------------------------------------------------------------------


def exchange() -> ttmlir.Builder:
    """A skip over a stage, an input that only the last stage takes, and results of several."""
    b = ttmlir.Builder("exchange")
    x, y, scale = b.input("x", (8, 64)), b.input("y", (8, 64)), b.input("scale", (64,))
    first = b.exp(b.multiply(x, b.sqrt(scale)))
    second = b.tanh(b.add(first, x))
    third = b.sigmoid(b.multiply(second, b.sqrt(scale)))
    b.output(b.add(b.add(third, first), y), second, b.transpose(third, 0, 1))
    return b


@pytest.mark.parametrize("micro_batches", [1, 2])
@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_values_of_several_stages(backend: Any, micro_batches: int) -> None:
    values = [RNG.uniform(0.1, 1, s).astype("f4") for s in ((8, 64), (8, 64), (64,))]
    keywords: Any = {"backend": backend, "parameters": ["scale"]}
    expected = compiled(None, exchange(), mesh_shape=(1, 1), **keywords)(*values)
    exe = compiled({"pipeline": 3}, exchange(), micro_batches=micro_batches, **keywords)
    for found, wanted in zip(exe(*values), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert exe.input_names == ("x", "y", "scale")


def test_a_stage_takes_whole_values_of_another_one() -> None:
    """The chips of the first stage all have the sums, the second stage divides the other input."""
    b = ttmlir.Builder("sums")
    x = b.input("x", (32, 64))
    b.output(b.exp(b.add(x, b.cumsum(x, 0))))
    with pytest.warns(UserWarning, match="'ttir.cumsum' combines samples of the whole batch"):
        exe = compiled({"pipeline": 2, "data": 4}, b)
    first, second = (stage.executable.programs[0] for stage in exe.stages)
    assert [info.shard_shape for info in first.outputs] == [None]
    assert [info.shard_shape for info in second.inputs] == [(8, 64), None]
    value = RNG.normal(0, 0.01, (32, 64)).astype("f4")
    np.testing.assert_array_equal(exe(value), compiled(None, b, mesh_shape=(1, 1))(value))


def cache(batch: int = 4) -> ttmlir.Builder:
    b = ttmlir.Builder("cache")
    keys = [b.input(f"keys{i}", (batch, 2, 64, 32), donated=True) for i in range(2)]
    row, at = b.input("row", (batch, 2, 1, 32)), b.input("at", (1,), "si32")
    sums = []
    for i in range(2):
        keys[i] = b.add(keys[i], b.exp(row))
        sums.append(b.sum(keys[i], [2], keep_dim=True))
        row = b.add(row, sums[-1])
    b.output(row, *keys)
    del at
    return b


def test_donated_state_stays_on_the_chips_of_its_stage() -> None:
    whole = compiled(None, cache(), mesh_shape=(1, 1))
    exe = compiled({"pipeline": 2}, cache(), micro_batches=2)
    owners = [
        {info.name for info in s.program.inputs if info.aliased_output is not None}
        for s in exe.stages
    ]
    assert owners == [{"keys0"}, {"keys1"}]
    rows = RNG.normal(-5, 1, (3, 4, 2, 1, 32)).astype("f4")
    at = np.zeros(1, "i4")
    state: list[Any] = [np.zeros((4, 2, 64, 32), "f4")] * 2
    expected: list[Any] = list(state)
    for row in rows:
        found, *state = exe(*state, row, at, keep_on_device=True)
        wanted, *expected = whole(*expected, row, at, keep_on_device=True)
        np.testing.assert_array_equal(np.asarray(found), runtime.to_numpy(wanted))
    np.testing.assert_array_equal(np.asarray(state[1]), runtime.to_numpy(expected[1]))
    assert state[0].shape == (4, 2, 64, 32)
    assert all(part.is_on_device for part in state[0].parts)
    with pytest.raises(ttmlir.InputError, match="expected 4x2x64x32 float32 in 4 micro-batches"):
        compiled({"pipeline": 2}, cache(), micro_batches=4)(*state, rows[0], at)


def test_results_that_are_kept_can_be_passed_back() -> None:
    exe = compiled({"pipeline": 2}, micro_batches=2, results_on_device=True)
    kept = exe(X, keep_on_device=True)
    assert kept.shape == X.shape
    np.testing.assert_array_equal(exe(kept), exe(np.asarray(kept)))


# Errors ------------------------------------------------------------------------------------------


def reduction() -> ttmlir.Builder:
    b = ttmlir.Builder("reduction")
    b.output(b.exp(b.sum(b.exp(b.input("x", (8, 64))), [0], name="total")))
    return b


@pytest.mark.parametrize(
    ("run", "text"),
    [
        (lambda: compiled({"pipeline": 2}, micro_batches=3), "3 micro-batches do not divide the"),
        (
            lambda: compiled({"pipeline": 2}, micro_batches=0),
            "expected a positive integer, found 0",
        ),
        (lambda: compiled("data", micro_batches=2), "micro_batches: expected parallel='pipeline'"),
        (lambda: compiled({"pipeline": 16}), "16 chips in the mesh 1x16, the target has 8"),
        (lambda: compiled({"pipeline": 4}, reduction(), micro_batches=1), "from 1 to 3 stages"),
        (
            lambda: compiled({"pipeline": 2}, reduction(), micro_batches=2),
            "'ttir.sum' combines samples of the whole batch",
        ),
        (
            lambda: compiled({"pipeline": 2, "up0": (None, 1)}),
            "one chip, found|expected an entry for each axis|expected None for axis",
        ),
        (
            lambda: compiled("pipeline", mesh_shape=(2, 4)),
            "expected numbers of chips, such as .*'pipeline': 8",
        ),
        (lambda: compiled({"pipeline": 2}, goldens={}), "goldens: a pipeline"),
    ],
)
def test_errors(run: Callable[[], Any], text: str) -> None:
    with pytest.raises(ttmlir.Error, match=text):
        run()


def test_state_that_all_samples_share_needs_one_micro_batch() -> None:
    b = ttmlir.Builder("counter")
    x, count = b.input("x", (8, 64)), b.input("count", (1,), donated=True)
    count = b.add(count, b.full((1,), 1.0))
    b.output(b.exp(b.multiply(b.exp(x), count)), count)
    with pytest.raises(ttmlir.CompileError, match="would change the donated input 'count'"):
        compiled({"pipeline": 2}, b, micro_batches=2)
    with pytest.warns(UserWarning, match="as one micro-batch: .*donated input 'count'"):
        exe = compiled({"pipeline": 2}, b)
    x = RNG.normal(0, 1, (8, 64)).astype("f4")
    found, count = exe(x, np.full(1, 2, "f4"))
    np.testing.assert_allclose(found, np.exp(np.exp(x) * 3), rtol=1e-4)
    assert float(count[0]) == 3


def test_a_batch_that_cannot_be_divided_is_one_micro_batch() -> None:
    with pytest.warns(UserWarning, match="as one micro-batch: .*'ttir.sum' combines samples"):
        exe = compiled({"pipeline": 2}, reduction())
    assert exe.micro_batches == 1
    x = RNG.normal(0, 1, (8, 64)).astype("f4")
    expected = compiled(None, reduction(), mesh_shape=(1, 1))(x)
    np.testing.assert_array_equal(exe(x), expected)


def test_unused_chips_are_a_warning() -> None:
    with pytest.warns(UserWarning, match="the pipeline uses 2 of the 8 chips"):
        ttmlir.compile(mlp(), target="t3000", parallel={"pipeline": 2}, parameters=WEIGHTS)


@pytest.mark.parametrize("name", ["save", "compare", "advise", "trace", "place", "run_placed"])
def test_what_needs_one_program_is_an_error(name: str) -> None:
    exe = compiled({"pipeline": 2}, micro_batches=1)
    with pytest.raises(ttmlir.Error, match="a pipeline has one for each stage"):
        getattr(exe, name)("x")


# Searches ----------------------------------------------------------------------------------------


def test_plans_compare_pipelines() -> None:
    plan = ttmlir.plan(mlp(), targets=["n300"], precisions=[None], parameters=WEIGHTS, changes=0)
    found = {tuple(choice.parallel.items()): choice for choice in plan}
    pipeline = found[(("pipeline", 2),)]
    assert pipeline.fits
    assert pipeline.link_bytes > 0
    exe = compiled(pipeline.parallel, target="n300")
    assert pipeline.seconds == exe.estimate().pipeline.seconds
    assert pipeline.calls_per_second == exe.estimate().pipeline.calls_per_second
    one = found[()]
    assert pipeline.weight_bytes < 0.7 * one.weight_bytes


def test_remarks_say_where_stages_end() -> None:
    exe = compiled({"pipeline": 2}, micro_batches=2)
    first, second = (remark for remark in exe.remarks if remark.decision == "Stage")
    assert "stage 0 ends after this op" in first.reason
    assert first.name == "layer1"
    assert second.reason.endswith("0 bytes pass on")
    chosen = compiled({"pipeline": 2}, micro_batches=2, remarks="ttnn-fusing").remarks
    assert {remark.pass_name for remark in chosen} == {"ttnn-fusing"}
    assert compiled({"pipeline": 2}, micro_batches=2, remarks=False).remarks == ()


def test_dynamic_shapes() -> None:
    torch = pytest.importorskip("torch")
    nn = torch.nn
    module = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 64)).eval()
    shapes = {"input": {0: torch.export.Dim("batch", min=2, max=32)}}
    exe = ttmlir.compile(
        module,
        torch.randn(8, 64),
        target="t3000",
        parallel={"pipeline": 2},
        micro_batches=2,
        dynamic_shapes=shapes,
    )
    one = ttmlir.compile(module, torch.randn(8, 64), dynamic_shapes=shapes)
    for batch in (4, 16):
        x = torch.randn(batch, 64)
        np.testing.assert_array_equal(exe(x).numpy(), one(x).numpy())
    with pytest.raises(ttmlir.CompileError, match="2 micro-batches do not divide the batch"):
        exe(torch.randn(5, 64))
