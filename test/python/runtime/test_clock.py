"""One clock for both backends: what its times have to satisfy, whatever the constants are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

import ttmlir

Build = Callable[[ttmlir.Builder], object]


def one_op(build: Build, name: str = "op", **options: object) -> ttmlir.OpReport:
    """The report of the op that ``build`` makes, on a TTNN n150."""
    b = ttmlir.Builder("program")
    b.output(build(b))
    exe = ttmlir.compile(b, backend="ttnn", target="n150", **options)
    # Its result and operands may be prepared by ops of the same name.
    found = [op for op in exe.report().ops if op.label == name and op.kernels]
    return max(found, key=lambda op: op.flops)


def matmul(m: int, k: int, n: int, dtype: str = "bf16") -> Build:
    return lambda b: b.matmul(b.input("x", (m, k), dtype), b.input("w", (k, n), dtype), name="op")


def unary(op: str, *shape: int, dtype: str = "bf16") -> Build:
    return lambda b: getattr(b, op)(b.input("x", shape, dtype), name="op")


def add(*shape: int, dtype: str = "bf16") -> Build:
    return lambda b: b.add(b.input("x", shape, dtype), b.input("y", shape, dtype), name="op")


def softmax(*shape: int) -> Build:
    return lambda b: b.softmax(b.input("x", shape, "bf16"), name="op")


def layer_norm(*shape: int) -> Build:
    def build(b: ttmlir.Builder) -> object:
        weight, bias = (b.input(name, shape[-1:], "bf16") for name in ("weight", "bias"))
        return b.layer_norm(b.input("x", shape, "bf16"), weight, bias, name="op")

    return build


def everything(b: ttmlir.Builder) -> object:
    x, w = b.input("x", (256, 512), "bf16"), b.input("w", (512, 128), "bf16")
    y = b.gelu(b.matmul(x, w))
    y = b.softmax(y)
    return b.add(y, b.input("z", (256, 128), "bf16"))


def test_norms_that_all_cores_share_scale() -> None:
    """The cores combine their sums line by line, then over the lines: with eight times as many
    cores, a norm of one row of tiles takes less than 0.6 times as long."""

    def norm(cores: int) -> float:
        b = ttmlir.Builder("program")
        x, weight = b.input("x", (32, 8192), "bf16"), b.input("weight", (8192,), "bf16")
        y = b.rms_norm(b.relu(x, name="in"), weight, name="norm")
        b.output(b.exp(y, name="out"))
        layout = f"l1:width_sharded:1x{cores}:tile"
        layouts = dict.fromkeys(("in", "norm", "out"), layout)
        exe = ttmlir.compile(b, target="n150", override_output_layout=layouts)
        (found,) = (op for op in exe.estimate().ops if op.label == "norm" and op.kernels)
        return found.cycles

    assert norm(64) < 0.6 * norm(8)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_parts_add_up(backend: str) -> None:
    b = ttmlir.Builder("program")
    b.output(everything(b))
    report = ttmlir.compile(b, backend=backend, target="n150").report()
    for op in report.ops:
        assert op.parts.total == pytest.approx(op.cycles, rel=1e-9, abs=1e-6), op.name
        assert all(part > -1e-6 for part in vars(op.parts).values()), op
        for kernel in op.kernels:
            # Kernels begin behind the dispatch.
            taken = kernel.end - op.parts.dispatch
            assert kernel.parts.total == pytest.approx(taken, rel=1e-9, abs=1e-6)
            assert op.parts.dispatch <= kernel.begin <= kernel.end <= op.cycles + 1e-6
            assert 0 <= kernel.busy <= taken + 1e-6
    assert report.parts().total == pytest.approx(report.cycles)
    phases = [report.parts(phase).total for phase in ("upload", "run", "download")]
    assert sum(phases) == pytest.approx(report.cycles)
    assert min(phases) > 0
    for op, after in pairwise(report.ops):
        assert after.start == pytest.approx(op.start + op.cycles)


@pytest.mark.parametrize(
    "build",
    [
        matmul(512, 1024, 512),
        add(1024, 512),
        unary("gelu", 512, 1024),
        softmax(2048, 256),
        layer_norm(2048, 256),
        unary("transpose", 1024, 512),
    ],
    ids=["matmul", "add", "gelu", "softmax", "layer_norm", "transpose"],
)
def test_one_core_takes_as_long_as_it_has_to(build: Build) -> None:
    """Of a 1x1 grid against the whole 8x8: engines have all tiles to do, not one in 64. The whole
    op is faster than that by no more than the chip's memory is faster than one core's port. The
    packer adds up four blocks: each of many cores has few enough sums to leave them where they
    are."""
    whole = one_op(build, packer_l1_acc=True)
    one = one_op(build, packer_l1_acc=True, override_grid_sizes={"op": (1, 1)})
    assert (whole.cores, one.cores) == (64, 1)
    math = [max(core.math for core in op.core_use) for op in (one, whole)]
    assert math[0] == pytest.approx(64 * math[1])
    times = [op.cycles - op.parts.dispatch for op in (one, whole)]
    assert 6 * times[1] < times[0] < 70 * times[1]


def images(op: str, **arguments: object) -> Build:
    def build(b: ttmlir.Builder) -> object:
        x = b.input("x", (1, 16, 16, 64), "bf16")
        return getattr(b, op)(x, name="op", kernel=(2, 2), **arguments)

    return build


def reduction(op: str, **arguments: object) -> Build:
    def build(b: ttmlir.Builder) -> object:
        return getattr(b, op)(b.input("x", (64, 256), "bf16"), name="op", **arguments)

    return build


@pytest.mark.parametrize(
    ("build", "has_phases"),
    [
        (matmul(256, 256, 256), True),
        (reduction("sum", dim=-1), True),
        (reduction("mean", dim=-2), True),
        (reduction("softmax"), True),
        (reduction("layer_norm"), True),
        (reduction("rms_norm"), True),
        (images("avg_pool2d"), True),
        (reduction("max", dim=-1), False),
        (reduction("prod", dim=-1), False),
        (reduction("cumsum", dim=0), False),
        (images("max_pool2d"), False),
        (unary("exp", 256, 256), False),
    ],
)
def test_fidelity_is_charged_where_it_is_computed(build: Build, has_phases: bool) -> None:
    """Products, weighted sums and what is made of them take longer in more phases."""
    reports = [one_op(build, math_fidelity=fidelity) for fidelity in ("lofi", "hifi4")]
    low, high = (max(core.math for core in op.core_use) for op in reports)
    assert (low < high) == has_phases
    assert low == high or has_phases


@pytest.mark.parametrize("build", [add(1024, 2048), unary("exp", 1024, 1024, dtype="f32")])
def test_streams_move_their_operands_once(build: Build) -> None:
    op = one_op(build)
    read = sum(channel.read_bytes for channel in op.channel_use)
    written = sum(channel.write_bytes for channel in op.channel_use)
    assert read == pytest.approx(op.dram_read_bytes, rel=0.01)
    assert written == pytest.approx(op.dram_write_bytes, rel=0.01)
    assert op.noc_bytes == pytest.approx(op.dram_read_bytes + op.dram_write_bytes, rel=0.01)


@pytest.mark.parametrize(
    "build",
    [
        add(512, 512),
        unary("gelu", 2048, 512),
        softmax(8, 12, 384, 384),
        layer_norm(16, 512, 1024),
        lambda b: b.sum(b.input("x", (2048, 1024), "bf16"), dim=[1], name="op"),
        lambda b: b.max(b.input("x", (2048, 1024), "bf16"), dim=[0], name="op"),
        lambda b: b.permute(b.input("x", (16, 128, 512), "bf16"), (2, 0, 1), name="op"),
    ],
    ids=["add", "gelu", "softmax", "layer_norm", "sum", "max", "permute"],
)
def test_no_op_is_faster_than_what_it_keeps_busy(build: Build) -> None:
    """What is beyond the blocks of a stream takes its channels and engines as long as the rest."""
    op = one_op(build)
    assert op.cycles - op.parts.dispatch > max(op.compute_cycles, op.memory_cycles)
    moved = sum(use.read_bytes + use.write_bytes for use in op.channel_use)
    assert moved > 0.99 * (op.dram_read_bytes + op.dram_write_bytes)


def test_weights_of_a_norm_are_read_by_every_core() -> None:
    op = one_op(layer_norm(16, 512, 1024), optimization_level=0)
    moved = sum(use.read_bytes + use.write_bytes for use in op.channel_use)
    more = 2 * (op.cores - 1) * 32 * 2048  # of 32 tiles each
    assert moved == pytest.approx(op.dram_read_bytes + op.dram_write_bytes + more, rel=0.01)


def test_operands_on_the_host_are_brought_by_the_op() -> None:
    """To DRAM, from which all cores read: no core has them all."""

    def conv2d(b: ttmlir.Builder) -> object:
        x, w = b.input("x", (4, 32, 32, 64), "bf16"), b.input("w", (64, 64, 3, 3), "bf16")
        return b.conv2d(x, w, padding=(1, 1), name="op")

    op = one_op(conv2d)
    on_host = sum(use.bytes for use in op.operands if use.memory == "host")
    assert op.host_bytes == on_host > 0
    assert op.parts.host > 0
    assert sum(use.read_bytes for use in op.channel_use) > 0


@pytest.mark.parametrize("kernel", [3, 5])
def test_groups_gather_channels_of_their_own(kernel: int) -> None:
    """As many bytes as there are taps of each channel, and no product of channels."""

    def conv2d(groups: int) -> Build:
        def build(b: ttmlir.Builder) -> object:
            x = b.input("x", (2, 64, 64, 128), "bf16")
            w = b.input("w", (128, 128 // groups, kernel, kernel), "bf16")
            return b.conv2d(x, w, padding=(kernel // 2,) * 2, groups=groups, name="op")

        return build

    image = 2 * 64 * 64 * 128 * 2
    alone, four, dense = (one_op(conv2d(groups)) for groups in (128, 32, 1))
    for op in (alone, four):
        assert op.cores * 28.7 * op.cycles > kernel**2 * image
    assert alone.flops == four.flops / 4 == dense.flops / 128
    assert alone.cycles < dense.cycles


def test_a_transposed_convolution_does_not_multiply_zeros() -> None:
    """Each phase of the strides has a part of the taps, and its rows are put at their places."""

    def upscaled(kernel: int, stride: int, extent: int) -> Build:
        def build(b: ttmlir.Builder) -> object:
            x = b.input("x", (1, extent, extent, 64), "bf16")
            w = b.input("w", (64, 64, kernel, kernel), "bf16")
            return b.conv_transpose2d(x, w, stride=(stride, stride), name="op")

        return build

    once, twice = one_op(upscaled(2, 2, 64)), one_op(upscaled(4, 2, 64))
    assert once.flops == 2 * 128 * 128 * 64 * 64
    assert twice.flops == 4 * 2 * 130 * 130 * 64 * 64
    # One tap, and no rows that change their places.
    plain = one_op(upscaled(1, 1, 128))
    assert plain.flops == once.flops
    assert plain.compute_cycles < once.compute_cycles < twice.compute_cycles


def test_few_results_are_reduced_by_all_cores() -> None:
    """The mean of an image takes the time of its reads, and more rows take longer."""

    def mean(extent: int) -> Build:
        return lambda b: b.mean(
            b.input("x", (1, extent, extent, 32), "bf16"), (1, 2), keep_dim=True, name="op"
        )

    times = [one_op(mean(extent)) for extent in (32, 64, 256)]
    assert [op.cycles for op in times] == sorted(op.cycles for op in times)
    assert times[-1].cores == 64
    # One core would read all tiles, at 32 bytes a cycle.
    assert times[-1].cycles < 256 * 256 * 64 / 32 / 4
    # What each of the cores sends is added by one: three cycles would be none of it.
    assert times[-1].cycles - times[-1].parts.dispatch > 64 * 3 + times[-1].memory_cycles


def test_a_transpose_turns_its_tiles() -> None:
    """Tiles that only change places take no engine."""
    turned, moved = (
        one_op(lambda b, p=p: b.permute(b.input("x", (8, 256, 256), "bf16"), p, name="op"))
        for p in ((0, 2, 1), (1, 0, 2))
    )
    assert turned.compute_cycles > 0 == moved.compute_cycles


@pytest.mark.parametrize(
    "sizes",
    [
        [matmul(n, n, n) for n in (256, 512, 1024, 2048)],
        [unary("exp", n, 512) for n in (64, 256, 1024, 4096)],
        [add(n, 512) for n in (64, 256, 1024, 4096)],
        [softmax(n, 512) for n in (256, 1024, 4096, 16384)],
    ],
    ids=["matmul", "exp", "add", "softmax"],
)
def test_more_work_takes_longer(sizes: list[Build]) -> None:
    times = [one_op(build).cycles for build in sizes]
    assert times == sorted(times)
    # What is beyond the blocks of a stream goes on at its pace: four times the rows take four times
    # as long, up to the beginning and the end.
    assert times[-1] > 2.5 * times[-2]


def test_time_is_the_same_again() -> None:
    b = ttmlir.Builder("program")
    b.output(everything(b))
    exe = ttmlir.compile(b, backend="ttnn", target="n150")
    assert exe.report() == exe.report()


def test_fidelity_of_the_format_counts() -> None:
    """Block floats take one phase of the multiplier, bf16 two, f32 three on Wormhole."""
    found = [one_op(matmul(1024, 1024, 1024, dtype)) for dtype in ("bfp8_b", "bf16", "f32")]
    assert [op.fidelity for op in found] == ["lofi", "hifi2", "hifi3"]
    assert found[0].cycles < found[1].cycles < found[2].cycles
    assert all(op.flops == 2 * 1024**3 for op in found)
    assert all(op.ideal_compute_cycles < op.cycles for op in found)


def test_operands_in_shards_move_nothing() -> None:
    def chain(b: ttmlir.Builder) -> object:
        shards = {"memory_space": "l1", "grid": (8, 8), "memory_layout": "block_sharded"}
        x = b.to_layout(b.input("x", (512, 512), "bf16"), **shards)
        return b.exp(x, name="op")

    b = ttmlir.Builder("program")
    b.output(chain(b))
    ops = ttmlir.compile(b, target="n150").report().ops
    (op,) = [o for o in ops if o.label == "op" and o.kernels]
    assert op.noc_bytes == 0 and op.bound in ("compute", "dispatch")
    assert [use.sharding for use in (*op.operands, *op.results)] == [
        "block_sharded",
        "block_sharded",
    ]


def test_what_changes_its_place_moves_between_equal_shards() -> None:
    b = ttmlir.Builder("program")
    x = b.exp(b.input("x", (8, 16, 384, 64), "bf16"))
    b.output(b.exp(b.permute(x, (1, 0, 2, 3), name="op")))
    ops = ttmlir.compile(b, target="n150", optimization_level=1).report().ops
    (op,) = [o for o in ops if o.name == "permute"]
    assert "interleaved" not in [use.sharding for use in (*op.operands, *op.results)]
    assert op.noc_bytes > 8 * 16 * 384 * 64


def kernel_time(backend: str, build: Build, engine: str) -> float:
    """Cycles of the busiest core's engine for the op alone, on tiles, by the table of
    instructions."""
    b = ttmlir.Builder("program")
    b.output(build(b))
    options = {"inputs_on_device": True, "results_on_device": True}
    ops = ttmlir.compile(b, backend=backend, target="n150", **options).report().ops
    found = [max(getattr(c, engine) for c in op.core_use) for op in ops if op.core_use]
    return max(found)


@pytest.mark.parametrize(
    "build",
    [unary("gelu", 512, 512), unary("tanh", 512, 512), unary("sigmoid", 512, 512)],
    ids=["gelu", "tanh", "sigmoid"],
)
def test_a_tile_costs_the_same_in_both_backends(build: Build) -> None:
    """256 tiles on 64 cores: the math engine does the same instructions on four of them."""
    found = [kernel_time(backend, build, "math") for backend in ("ttnn", "ttmetal")]
    assert found[0] == pytest.approx(found[1], rel=0.02)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_no_op_of_a_mesh_is_faster_than_its_chips_can_be(backend: str) -> None:
    """Each chip has memory and engines of its own: ideal times are those of all of them."""
    b = ttmlir.Builder("mesh", mesh_shape=(1, 8))
    shape = (1024, 8192)
    x, y = (b.mesh_shard(b.input(name, shape, "bf16"), (None, 1)) for name in "xy")
    b.output(b.mesh_gather(b.add(x, y, name="op"), (None, 1)))
    report = ttmlir.compile(b, backend=backend, target="t3000").report()
    op = next(op for op in report.ops if op.name.endswith("add"))
    assert 0 < op.ideal_memory_cycles < op.cycles
    assert 0 < op.ideal_compute_cycles < op.cycles
