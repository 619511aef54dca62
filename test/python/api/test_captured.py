"""Captured traces: results, bad input, memory, modelled times and timelines, in both backends."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import runtime

BACKENDS = pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
ON_DEVICE = pytest.mark.parametrize("on_device", [False, True], ids=["host", "device"])
Build = Callable[[ttmlir.Builder], Any]


def product(b: ttmlir.Builder) -> Any:
    x, w = b.input("x", (64, 128), "bf16"), b.parameter("w", (128, 64), "bf16")
    return b.relu(b.matmul(x, w, name="product"))


def several(b: ttmlir.Builder) -> Any:
    x, y = b.input("x", (64, 96)), b.input("y", (64, 96))
    total = b.add(x, y)
    return b.exp(total), total, b.sum(x, [1])


def unchanged(b: ttmlir.Builder) -> Any:
    x, y = b.input("x", (32, 64)), b.input("y", (32, 64))
    return x, b.add(x, y), y


def constants(b: ttmlir.Builder) -> Any:
    c = b.constant(np.arange(4096, dtype=np.float32).reshape(64, 64))
    return b.add(b.exp(b.sin(c)), b.input("x", (64, 64)))


def convolution(b: ttmlir.Builder) -> Any:
    x, w = b.input("x", (1, 16, 16, 32), "bf16"), b.parameter("w", (64, 32, 3, 3), "bf16")
    return b.relu(b.conv2d(x, w, padding=(1, 1)))


def integers(b: ttmlir.Builder) -> Any:
    return b.multiply(b.input("x", (2, 3), "int64"), b.input("factor", (), "int64"))


def loop(b: ttmlir.Builder) -> Any:
    x = b.input("x", (32, 32))
    return b.for_loop(3, lambda i, y: b.add(b.multiply(y, y), x), [x])


PROGRAMS = (product, several, unchanged, constants, convolution, integers, loop)


def compiled(build: Build, **options: Any) -> ttmlir.Executable:
    b = ttmlir.Builder(build.__name__)
    results = build(b)
    b.output(*results) if isinstance(results, (tuple, list)) else b.output(results)
    return ttmlir.compile(b, **options)


def values(infos: list[ttmlir.TensorInfo], seed: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    return tuple(
        rng.integers(-4, 5, info.shape).astype(info.dtype)
        if info.dtype.startswith("int")
        else rng.standard_normal(info.shape).astype(info.dtype)
        for info in infos
    )


def bound(exe: ttmlir.Executable) -> ttmlir.Executable:
    infos = [info for info in exe.inputs if info.is_parameter]
    if infos:
        exe.bind(dict(zip([info.name for info in infos], values(infos, 1), strict=True)))
    return exe


def batches(exe: ttmlir.Executable, count: int) -> list[tuple[np.ndarray, ...]]:
    infos = exe.unbound_inputs(exe.programs[0])
    return [values(infos, 10 + i) for i in range(count)]


def same(found: Any, expected: Any) -> None:
    found = found if isinstance(found, tuple) else (found,)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        assert a.tobytes() == b.tobytes()


@pytest.fixture
def mlp() -> ttmlir.Executable:
    return bound(compiled(product))


# Results -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("build", PROGRAMS, ids=lambda build: build.__name__)
@BACKENDS
@ON_DEVICE
def test_replays_give_the_results_of_calls(build: Build, backend: str, on_device: bool) -> None:
    options = {"inputs_on_device": True, "results_on_device": True} if on_device else {}
    exe = bound(compiled(build, backend=backend, **options))
    inputs = batches(exe, 5)
    expected = [exe(*arguments) for arguments in inputs]
    with exe.trace() as trace:
        assert trace.buffers == 2
        for arguments, results in zip(inputs, expected, strict=True):
            same(trace(*arguments), results)
        for found, results in zip(trace.stream(inputs), expected, strict=True):
            same(found, results)
        # In the middle of a stream there are buffers for a call.
        for i, found in enumerate(trace.stream(inputs)):
            same(trace(*inputs[-1]), expected[-1])
            same(found, expected[i])


@pytest.mark.parametrize("level", [0, 1])
def test_levels_are_captured(level: int) -> None:
    exe = bound(compiled(convolution, optimization_level=level))
    (x,) = batches(exe, 1)
    with exe.trace() as trace:
        same(trace(*x), exe(*x))


def test_kernels_with_inputs_in_l1() -> None:
    exe = bound(compiled(product, backend="ttmetal", default_memory_space="l1"))
    inputs = batches(exe, 3)
    with exe.trace() as trace:
        for found, arguments in zip(trace.stream(inputs), inputs, strict=True):
            same(found, exe(*arguments))


def test_meshes_are_captured() -> None:
    b = ttmlir.Builder("mesh", mesh_shape=(1, 2))
    x = b.mesh_shard(b.input("x", (64, 256), "bf16"), (0, 1))
    w = b.mesh_shard(b.parameter("w", (256, 32), "bf16"), (1, 0))
    b.output(b.mesh_gather(b.all_reduce(b.matmul(x, w), 1), (0, None)))
    exe = bound(ttmlir.compile(b, target="n300"))
    inputs = batches(exe, 3)
    with exe.trace() as trace:
        for found, arguments in zip(trace.stream(inputs), inputs, strict=True):
            same(found, exe(*arguments))
        assert trace.report().run.ethernet_bytes > 0


def test_module_of_torch() -> None:
    torch = pytest.importorskip("torch")
    module = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 8))
    x = torch.randn(4, 32)
    exe = ttmlir.compile(module.eval(), example_inputs=(x,))
    with exe.trace(x) as trace:
        assert torch.equal(trace(x), exe(x))
        assert [torch.equal(y, exe(z)) for z in (x, -x) for y in trace.stream([z])] == [True, True]


@pytest.mark.torch
def test_resnet() -> None:
    """ResNet-18 in full, on three images."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    config = transformers.ResNetConfig(
        embedding_size=64,
        hidden_sizes=[64, 128, 256, 512],
        depths=[2, 2, 2, 2],
        layer_type="basic",
        num_labels=1000,
        return_dict=False,
    )
    torch.manual_seed(0)
    model = transformers.ResNetForImageClassification(config).eval()
    images = [torch.randn(1, 3, 224, 224) for _ in range(3)]
    exe = ttmlir.compile(model, example_inputs=(images[0],))
    expected = [exe(image)[0] for image in images]
    with exe.trace(images[0]) as trace:
        for found, result in zip(trace.stream(images), expected, strict=True):
            assert torch.equal(found[0], result)
        report = trace.report()
    assert not any(op.host_bytes for op in report.run.ops)
    assert report.bound == "run"
    # Most of a call without the trace is the host's.
    assert report.call_seconds > 2 * report.latency_seconds
    assert report.first_call_seconds > 2 * report.call_seconds


@BACKENDS
def test_calls_of_others_between_replays(backend: str) -> None:
    """They have their own memory, or that of no trace."""
    exe, other = (bound(compiled(build, backend=backend)) for build in (product, several))
    (x,), (y,) = batches(exe, 1), batches(other, 1)
    expected, others = exe(*x), other(*y)
    with exe.trace() as first, other.trace() as second, exe.trace() as third:
        for _ in range(2):
            same(other(*y), others)
            same(first(*x), expected)
            same(second(*y), others)
            same(third(*x), expected)


@BACKENDS
def test_addresses_are_those_of_the_capture(backend: str) -> None:
    """Whatever others allocate between two replays."""
    exe = bound(compiled(several, backend=backend))
    device = runtime.open_system(exe.system_desc)
    (x,) = batches(exe, 1)
    trace = exe.trace(device=device)

    def addresses() -> list[tuple[str, str, int]]:
        runtime.enable_report(device, True)
        same(trace(*x), exe(*x))
        memory = runtime.get_report(device).memory
        runtime.enable_report(device, False)
        return [(m.name, m.space, m.address) for m in memory if m.begin > 0]

    first = addresses()
    others = [exe(*x, keep_on_device=True, device=device) for _ in range(3)]
    others += [exe.place(0, x[0], device=device) for _ in range(3)]
    assert others
    assert first
    assert addresses() == first
    del others
    assert addresses() == first


# Bad input ---------------------------------------------------------------------------------------


@BACKENDS
def test_other_shapes_and_types_lose_nothing(backend: str) -> None:
    exe = bound(compiled(product, backend=backend))
    (x,) = batches(exe, 1)
    expected = exe(*x)
    with exe.trace() as trace:
        for wrong, message in (
            ((np.zeros((32, 128), "bfloat16"),), "input 0: expected 64x128 bfloat16, found 32x128"),
            (
                (np.zeros((64, 128), "float32"),),
                "input 0: expected 64x128 bfloat16, found .*float32",
            ),
            ((), "expected 1 inputs"),
            ((*x, *x), "expected 1 inputs"),
        ):
            with pytest.raises(ttmlir.InputError, match=message):
                trace(*wrong)
            same(trace(*x), expected)


def test_a_bad_batch_of_a_stream_comes_behind_the_others(mlp: ttmlir.Executable) -> None:
    good = batches(mlp, 3)
    with mlp.trace() as trace:
        stream = trace.stream([*good, np.zeros((1, 128), "bfloat16"), good[0]])
        for arguments in good:
            same(next(stream), mlp(*arguments))
        with pytest.raises(ttmlir.InputError, match="found 1x128"):
            next(stream)


def test_streams_that_end_early_free_their_buffers(mlp: ttmlir.Executable) -> None:
    inputs = batches(mlp, 4)
    with mlp.trace() as trace:
        for _ in range(3):
            stream = trace.stream(inputs)
            same(next(stream), mlp(*inputs[0]))
            stream.close()
        same(trace(*inputs[1]), mlp(*inputs[1]))


def test_streams_share_buffers_only_one_by_one(mlp: ttmlir.Executable) -> None:
    inputs = batches(mlp, 3)
    with mlp.trace() as trace:
        first, second = trace.stream(inputs), trace.stream(inputs)
        next(first)
        with pytest.raises(ttmlir.Error, match="expected free buffers, found that all 2"):
            list(second)
        for found, arguments in zip(first, inputs[1:], strict=True):
            same(found, mlp(*arguments))


def test_released_traces(mlp: ttmlir.Executable) -> None:
    (x,) = batches(mlp, 1)
    with mlp.trace() as trace:
        trace(*x)
    trace.release()
    assert "released" in repr(trace)
    with pytest.raises(ttmlir.Error, match="found one that was released; capture it again"):
        trace(*x)
    with pytest.raises(ttmlir.Error, match="released"):
        trace.report()


@BACKENDS
def test_closed_and_freed_devices(backend: str) -> None:
    exe = bound(compiled(product, backend=backend))
    (x,) = batches(exe, 1)
    for end, message in (
        (runtime.close_device, "found one that was closed; capture it again"),
        (runtime.Device.deallocate_buffers, "all buffers of the device were freed; capture"),
    ):
        device = runtime.open_system(exe.system_desc)
        trace = exe.trace(device=device)
        trace(*x)
        end(device)
        with pytest.raises(ttmlir.Error, match=message):
            trace(*x)
        trace.release()


def test_devices_of_others(mlp: ttmlir.Executable) -> None:
    device, other = (runtime.open_system(mlp.system_desc) for _ in range(2))
    tensors = [runtime.from_array(np.zeros(i.shape, i.dtype)) for i in mlp.inputs]
    tensors[1].freeze()
    trace = runtime.capture_trace(device, mlp.binary, 0, tensors)
    buffer = runtime.write_trace_inputs(device, trace, tensors[:1])
    for call in (
        lambda: runtime.write_trace_inputs(other, trace, tensors[:1]),
        lambda: runtime.replay_trace(other, trace, buffer),
        lambda: runtime.read_trace_outputs(other, trace, buffer),
        lambda: runtime.release_trace(other, trace),
    ):
        with pytest.raises(runtime.ArgumentError, match="expected the device of the capture"):
            call()
    runtime.replay_trace(device, trace, buffer)
    assert len(runtime.read_trace_outputs(device, trace, buffer)) == 1


def test_commands_in_a_wrong_order(mlp: ttmlir.Executable) -> None:
    device = runtime.open_system(mlp.system_desc)
    tensors = [runtime.from_array(np.zeros(i.shape, i.dtype)) for i in mlp.inputs]
    tensors[1].freeze()
    trace = runtime.capture_trace(device, mlp.binary, 0, tensors)
    for call, message in (
        (lambda: runtime.replay_trace(device, trace, 0), "expected buffers 0 as written ones"),
        (lambda: runtime.read_trace_outputs(device, trace, 1), "as ones with outputs, found free"),
        (lambda: runtime.replay_trace(device, trace, 2), "expected buffers below 2, found 2"),
        (lambda: runtime.write_trace_inputs(device, trace, tensors), "expected 1 inputs beside"),
    ):
        with pytest.raises(runtime.ArgumentError, match=message):
            call()


def test_other_bound_tensors(mlp: ttmlir.Executable) -> None:
    (x,) = batches(mlp, 1)
    trace = mlp.trace()
    trace(*x)
    mlp.unbind()
    mlp.bind(w=np.ones((128, 64), "bfloat16"))
    with pytest.raises(ttmlir.Error, match="others were bound since; capture it again"):
        trace(*x)
    with mlp.trace() as again:
        same(again(*x), mlp(*x))


def test_parameters_that_are_not_bound() -> None:
    with pytest.raises(ttmlir.Error, match="input 1 'w': expected a bound parameter"):
        compiled(product).trace()


def halved(b: ttmlir.Builder) -> Any:
    """As often as the value says."""
    x = b.input("x", (1,))
    return b.while_loop(
        lambda y: b.gt(y, b.constant(np.ones(1, "f4"))),
        lambda y: b.multiply(y, b.constant(np.full(1, 0.5, "f4"))),
        [x],
    )


@BACKENDS
def test_conditions_that_the_host_reads(backend: str) -> None:
    with pytest.raises(
        ttmlir.Error, match=r"(while|control_flow).*: the host reads the condition; a trace may"
    ):
        compiled(halved, backend=backend).trace()


def test_kernels_on_a_mesh() -> None:
    b = ttmlir.Builder("mesh", mesh_shape=(1, 2))
    x = b.mesh_shard(b.input("x", (64, 64)), (0, 1))
    b.output(b.mesh_gather(b.exp(x), (0, 1)))
    exe = ttmlir.compile(b, backend="ttmetal", target="n300")
    with pytest.raises(
        ttmlir.Error, match="a trace of kernels runs on one chip, found a mesh of 2"
    ):
        exe.trace()


def test_programs_with_variables() -> None:
    source = """
    tosa.variable @count = dense<0.0> : tensor<1xf32>
    func.func @next(%x: tensor<1xf32>) -> tensor<1xf32> {
      %0 = tosa.variable_read @count : tensor<1xf32>
      %1 = tosa.add %0, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
      tosa.variable_write @count, %1 : tensor<1xf32>
      return %1 : tensor<1xf32>
    }"""
    with pytest.raises(ttmlir.Error, match="variable 'count' has another address after each call"):
        ttmlir.compile(source).trace()


@BACKENDS
def test_donated_inputs(backend: str) -> None:
    def step(b: ttmlir.Builder) -> Any:
        return b.add(b.input("state", (32, 32), donated=True), b.input("x", (32, 32)))

    with pytest.raises(ttmlir.Error, match="input 0: it is donated"):
        compiled(step, backend=backend).trace()


def test_inputs_of_a_call_or_of_the_program(mlp: ttmlir.Executable) -> None:
    (x,) = batches(mlp, 1)
    with pytest.raises(TypeError, match=r"trace\(\) takes arguments of a call or inputs"):
        mlp.trace(*x, inputs=x)
    with mlp.trace(inputs=x) as trace:
        same(trace(*x), mlp(*x))


# Memory ------------------------------------------------------------------------------------------


@BACKENDS
def test_memory_is_free_after(backend: str) -> None:
    exe = bound(compiled(product, backend=backend))
    device = runtime.open_system(exe.system_desc)
    (x,) = batches(exe, 1)
    exe(*x, device=device)

    def in_use() -> int:
        return exe.report(*x, device=device).dram_high_water

    before = in_use()
    trace = exe.trace(device=device)
    assert in_use() > before
    trace.release()
    assert in_use() == before
    trace = exe.trace(device=device)
    trace(*x)
    del trace
    gc.collect()
    assert in_use() == before


def test_memory_of_a_trace_has_its_name(mlp: ttmlir.Executable) -> None:
    device = runtime.open_system(mlp.system_desc)
    trace = mlp.trace(device=device)
    owners = {use.name for use in mlp.report(device=device).memory}
    assert any(name.startswith("trace of product") for name in owners)
    trace.release()


def large_result(b: ttmlir.Builder) -> Any:
    """More than half of the L1 of all cores."""
    return b.to_layout(b.exp(b.input("x", (4096, 8192), "bf16")), memory_space="l1", grid=(8, 8))


def test_one_buffer_where_l1_has_no_room_for_two() -> None:
    exe = compiled(large_result)
    inputs = [(np.full((4096, 8192), i, "bfloat16"),) for i in range(3)]
    expected = [exe(*arguments) for arguments in inputs]
    with exe.trace() as trace:
        assert trace.buffers == 1
        for found, results in zip(trace.stream(inputs), expected, strict=True):
            same(found, results)
        report = trace.report()
    assert report.bound == "buffers"
    assert report.period_seconds == pytest.approx(report.run_seconds + report.transfer_seconds)


# Times -------------------------------------------------------------------------------------------

DISPATCH, OP, PROGRAM = 2.05e-6, 90e-6, 5e-6  # seconds, of runtime/data/wormhole_b0.json


def deep(b: ttmlir.Builder) -> Any:
    """Runs longer than its transfers take."""
    x, w = b.input("x", (128, 256), "bf16"), b.parameter("w", (256, 256), "bf16")
    for _ in range(6):
        x = b.softmax(b.matmul(x, w), -1)
    return x


@pytest.mark.parametrize(("build", "bound_by"), [(deep, "run"), (several, "transfers")])
def test_times_of_the_library(build: Build, bound_by: str) -> None:
    exe = bound(compiled(build))
    call = exe.report()
    with exe.trace() as trace:
        report = trace.report()
    parts = {phase: call.parts(phase).total for phase in ("upload", "run", "download")}
    found = {
        "upload": report.write.cycles,
        "run": report.run.cycles,
        "download": report.read.cycles,
    }
    assert found == pytest.approx(parts)
    assert report.bound == bound_by
    assert report.period_seconds == pytest.approx(max(report.run_seconds, report.transfer_seconds))
    assert report.latency_seconds == pytest.approx(call.seconds)
    ops = [op.cycles / call.clock_hz for op in report.run.ops if op.cycles]
    assert report.run.parts().dispatch / call.clock_hz == pytest.approx(len(ops) * DISPATCH)
    # Launching an op takes the host longer than the chip takes for it.
    assert max(ops) < OP
    expected = report.transfer_seconds + len(ops) * OP + ops[-1]
    assert report.call_seconds == pytest.approx(expected)
    assert report.capture_seconds == pytest.approx(len(ops) * OP)
    assert report.first_call_seconds == pytest.approx(
        report.parameters_seconds + report.call_seconds + report.capture_seconds
    )


def test_times_of_kernels() -> None:
    """Inputs and outputs are copied to and from the addresses of the kernels."""
    exe = bound(compiled(product, backend="ttmetal"))
    call = exe.report()
    with exe.trace() as trace:
        report = trace.report()
    kernels = [op for op in report.run.ops if not op.name.startswith("copy_")]
    run = sum(op.cycles for op in call.ops if op.phase == "run")
    assert sum(op.cycles for op in kernels) == pytest.approx(run)
    copies = {op.name: op for op in report.run.ops if op.name.startswith("copy_")}
    for name, elements in (("copy_input", 64 * 128), ("copy_output", 64 * 64)):
        seconds = DISPATCH + 2 * 2 * elements / 288e9
        assert copies[name].cycles / call.clock_hz == pytest.approx(seconds)
        assert copies[name].host_bytes == 0
    assert report.capture_seconds == pytest.approx(PROGRAM * (len(kernels) + 2))
    assert report.period_seconds == pytest.approx(max(report.run_seconds, report.transfer_seconds))


def test_parameters_cost_once() -> None:
    with bound(compiled(deep)).trace() as trace:
        report = trace.report()
    # 256x256 bf16, in tiles of 2048 bytes.
    assert report.parameters.host_to_device_bytes == 256 * 256 * 2
    assert report.write.host_to_device_bytes == 128 * 256 * 2
    assert 0 < report.parameters_seconds < report.first_call_seconds


def test_the_report_as_text_and_values(mlp: ttmlir.Executable) -> None:
    with mlp.trace() as trace:
        report = trace.report()
    text = str(report)
    for words in ("trace of product on wormhole_b0", "first call", "capture", "bound by transfers"):
        assert words in text
    values = json.loads(json.dumps(report.as_dict()))
    assert values["period_seconds"] == report.period_seconds
    assert values["host_to_device_bytes"] == 64 * 128 * 2


@pytest.mark.parametrize("replays", [0, 1001])
def test_reports_of_too_many_replays(mlp: ttmlir.Executable, replays: int) -> None:
    with mlp.trace() as trace, pytest.raises(ttmlir.Error, match="of 1 to 1000 replays"):
        trace.report(replays=replays)


@pytest.mark.parametrize("build", [deep, several])
def test_commands_of_the_queues(build: Build) -> None:
    """Each queue does one thing at a time, in order, and events order the queues."""
    with bound(compiled(build)).trace() as trace:
        commands = trace.report(replays=6).commands
    ends: dict[tuple[str, int], float] = {}
    last = [0.0, 0.0]
    for command in commands:
        assert command.ready == last[command.queue]
        assert command.ready <= command.begin <= command.end
        last[command.queue] = command.end
        ends[command.name, command.replay] = command.end
    assert len(ends) == 3 * 6
    for command in commands:
        i = command.replay
        needs = {
            "write inputs": [("replay", i - 2)],
            "replay": [("write inputs", i), ("read outputs", i - 2)],
            "read outputs": [("replay", i)],
        }[command.name]
        assert all(command.begin >= ends.get(need, 0) for need in needs)
    runs = [c for c in commands if c.name == "replay"]
    overlaps = [
        c
        for c in commands
        if c.queue == 1 and any(r.begin < c.end and c.begin < r.end for r in runs)
    ]
    assert len(overlaps) >= 6


# Timelines ---------------------------------------------------------------------------------------


def test_the_timeline_shows_both_queues(tmp_path: Path) -> None:
    with bound(compiled(deep)).trace() as trace:
        report = trace.report(replays=4, timeline=True)
        with pytest.raises(ttmlir.InputError, match="no timeline"):
            trace.report().save_timeline(tmp_path / "none.json")
    report.save_timeline(tmp_path / "queues.json")
    report.save_timeline(tmp_path / "queues.pftrace")
    assert (tmp_path / "queues.pftrace").stat().st_size > 0
    events = json.loads((tmp_path / "queues.json").read_text())["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert sorted(names.values()) == ["queue 0", "queue 1"]
    slices = [e for e in events if e["ph"] == "X"]
    queues = {
        name: [e for e in slices if names[e["tid"]] == name] for name in ("queue 0", "queue 1")
    }
    titles = {name: [e["name"] for e in found] for name, found in queues.items()}
    assert [t for t in titles["queue 0"] if t.startswith("replay")] == [
        f"replay {i}" for i in range(4)
    ]
    assert titles["queue 0"].count("softmax") == titles["queue 0"].count("matmul") == 4 * 6
    assert {"write inputs 3", "read outputs 0"} <= set(titles["queue 1"])
    assert all("wait for event" in found for found in titles.values())
    by_name = {e["name"]: e for e in slices}
    run, write = by_name["replay 0"], by_name["write inputs 1"]
    assert run["ts"] < write["ts"] + write["dur"]
    assert write["ts"] < run["ts"] + run["dur"]
    for command in report.commands:
        found = by_name[f"{command.name} {command.replay}"]
        assert found["ts"] == pytest.approx(command.begin * 1e6 / report.clock_hz, abs=1e-3)
    arrows = [e for e in events if e["ph"] == "s"]
    assert len(arrows) == sum(c.ready < c.begin for c in report.commands)


def test_the_timeline_of_a_window(tmp_path: Path) -> None:
    with bound(compiled(deep)).trace() as trace:
        commands = trace.report(replays=4).commands
        third = next(c for c in commands if c.name == "replay" and c.replay == 2)
        window = ttmlir.TraceFilter(window=(third.begin + 1, third.end - 1))
        trace.report(replays=4, timeline=window).save_timeline(tmp_path / "window.json")
    events = json.loads((tmp_path / "window.json").read_text())["traceEvents"]
    assert [e["name"] for e in events if e["name"].startswith("replay")] == ["replay 2"]


@pytest.mark.parametrize(
    ("kept", "message"),
    [
        ({"tracks": ["cores"]}, "the trace is empty: its tracks and window"),
        ({"window": (1e9, 2e9)}, "the trace is empty: its tracks and window"),
        ({"ops": ["nothing"]}, "the trace is empty: no op matches 'nothing'"),
        ({"limit": 3}, "expected at most 3"),
    ],
)
def test_timelines_that_are_not_written(
    mlp: ttmlir.Executable, tmp_path: Path, kept: dict[str, Any], message: str
) -> None:
    with mlp.trace() as trace:
        report = trace.report(timeline=ttmlir.TraceFilter(**kept))
    with pytest.raises(ValueError, match=message):
        report.save_timeline(tmp_path / "none.json")
    assert not list(tmp_path.iterdir())
