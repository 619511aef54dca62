"""Sharding over L1: the same numbers, less DRAM traffic, and room for long chains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ttmlir
from ttmlir import ir, passes, runtime

Program = Callable[[ttmlir.Builder], None]
RNG = np.random.default_rng(11)


def chain(b: ttmlir.Builder, shape: tuple[int, ...] = (256, 256)) -> None:
    x, y = b.input("x", shape), b.input("y", shape)
    for _ in range(4):
        x = b.multiply(b.add(b.relu(x), y), y)
    b.output(x)


def layers(b: ttmlir.Builder) -> None:
    x = b.input("x", (1, 784))
    hidden = b.relu(b.matmul(x, b.input("w1", (784, 256))) + b.input("b1", (1, 256)))
    b.output(b.softmax(b.matmul(hidden, b.input("w2", (256, 10))) + b.input("b2", (1, 10))))


def forks(b: ttmlir.Builder) -> None:
    x = b.input("x", (96, 160))
    left, right = b.exp(b.abs(x)), b.sqrt(b.abs(b.neg(x)))
    b.output(b.add(left, right), b.relu(left))


def shapes(b: ttmlir.Builder) -> None:
    x = b.input("x", (4, 40, 96))
    flat = b.reshape(b.relu(x), (160, 96))
    turned = b.exp(b.transpose(flat, 0, 1))
    b.output(b.concat([turned, b.neg(turned)], 1), b.sum(b.relu(turned), [1], keep_dim=True))


def columns(b: ttmlir.Builder) -> None:
    x = b.input("x", (2048, 32))
    b.output(b.softmax(b.exp(b.relu(x))))


def rows(b: ttmlir.Builder) -> None:
    x = b.input("x", (640,))
    b.output(b.abs(b.neg(b.relu(x))))


def image(b: ttmlir.Builder) -> None:
    x = b.input("x", (1, 16, 16, 32))
    y = b.conv2d(x, b.input("w", (64, 32, 3, 3)), padding=(1, 1))
    b.output(b.relu(b.max_pool2d(b.relu(y), (2, 2), stride=(2, 2))))


def halves(b: ttmlir.Builder) -> None:
    x, y = b.input("x", (64, 256), "bf16"), b.input("y", (256, 64), "bf16")
    b.output(b.exp(b.relu(b.matmul(b.abs(x), y))))


PROGRAMS = [chain, layers, forks, shapes, columns, rows, image, halves]


def compiled(program: Program, *, rows: bool = False, **options: Any) -> ttmlir.Executable:
    """The program in tiles, which the builder asks for, or in rows, as the layout optimizer alone
    places it."""
    b = ttmlir.Builder()
    program(b)
    source = str(b.module).replace("|tile|", "|scalar|tile|") if rows else b
    return ttmlir.compile(source, optimization_level=0, **options)


def results(exe: ttmlir.Executable, inputs: list[np.ndarray]) -> list[np.ndarray]:
    found = exe(*inputs)
    return list(found) if isinstance(found, tuple) else [found]


def random_inputs(exe: ttmlir.Executable) -> list[np.ndarray]:
    return [RNG.standard_normal(i.shape).astype(i.dtype) for i in exe.inputs]


def dram_bytes(exe: ttmlir.Executable) -> int:
    return sum(op.dram_read_bytes + op.dram_write_bytes for op in exe.report().ops)


def l1_bytes(exe: ttmlir.Executable) -> int:
    return sum(op.l1_read_bytes + op.l1_write_bytes for op in exe.report().ops)


@pytest.mark.parametrize("in_rows", [False, True], ids=["tiles", "rows"])
@pytest.mark.parametrize("resharding", [False, True], ids=["", "resharding"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_same_numbers(program: Program, resharding: bool, in_rows: bool) -> None:
    plain = compiled(program, rows=in_rows)
    options = {"sharding_pass_enabled": True, "resharding_enabled": resharding}
    by_rules = compiled(program, rows=in_rows, **options, clock_search_limit=0)
    by_clock = compiled(program, rows=in_rows, **options)
    assert "_sharded" in by_rules.mlir
    inputs = random_inputs(plain)
    for sharded in by_rules, by_clock:
        assert ("!tt.tile" not in sharded.mlir) == in_rows
        for expected, found in zip(results(plain, inputs), results(sharded, inputs), strict=True):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("target", ttmlir.targets())
@pytest.mark.parametrize("shape", [(4096, 32), (32, 4096), (320, 416)])
def test_other_chips(target: str, shape: tuple[int, int]) -> None:
    """Columns and rows of cores are wound over grids of other shapes than 8x8."""

    def program(b: ttmlir.Builder) -> None:
        chain(b, shape)

    plain = compiled(program, target=target)
    sharded = compiled(program, target=target, sharding_pass_enabled=True)
    inputs = random_inputs(plain)
    np.testing.assert_array_equal(sharded(*inputs), plain(*inputs))
    assert dram_bytes(sharded) < dram_bytes(plain)


def test_a_chain_in_l1_spares_dram() -> None:
    plain, sharded = compiled(chain), compiled(chain, sharding_pass_enabled=True)
    inputs = random_inputs(plain)
    np.testing.assert_array_equal(sharded(*inputs), plain(*inputs))
    assert l1_bytes(plain) == 0 < l1_bytes(sharded)
    # Of 12 ops, 11 keep their result out of DRAM, and as many read their first input in L1.
    tensor = 256 * 256 * 4
    assert dram_bytes(plain) - dram_bytes(sharded) == 2 * 11 * tensor


def test_resharding_reads_the_input_in_l1() -> None:
    sharded = compiled(chain, sharding_pass_enabled=True)
    resharded = compiled(chain, sharding_pass_enabled=True, resharding_enabled=True)
    inputs = random_inputs(sharded)
    np.testing.assert_array_equal(resharded(*inputs), sharded(*inputs))
    assert dram_bytes(resharded) < dram_bytes(sharded)


def long_chain(b: ttmlir.Builder) -> None:
    """Results that together exceed L1 by far, two at a time do not."""
    x = b.input("x", (1024, 1024))
    for _ in range(40):
        x = b.neg(x)
    b.output(x)


def test_tensors_are_freed_after_their_last_use() -> None:
    exe = compiled(long_chain, sharding_pass_enabled=True)
    x = RNG.standard_normal((1024, 1024)).astype(np.float32)
    np.testing.assert_array_equal(exe(x), x)
    assert exe.report().l1_high_water == 2 * 1024 * 1024 * 4 // 64
    kept = compiled(long_chain, sharding_pass_enabled=True, enable_deallocate=False)
    with pytest.raises(ttmlir.OutOfMemoryError, match="L1 exhausted"):
        kept(x)


def test_the_pipeline_alone_frees_as_compile_does() -> None:
    b = ttmlir.Builder()
    long_chain(b)
    for sharding in (False, True):
        compiled_one = ttmlir.compile(b, optimization_level=0, sharding_pass_enabled=sharding)
        module = ir.Module.parse(str(b.module), ir.Context())
        passes.ttir_to_ttnn_backend_pipeline(
            module, "sharding-pass-enabled=true" if sharding else ""
        )
        assert str(module).count("ttnn.dealloc") == compiled_one.mlir.count("ttnn.dealloc")
        assert ("ttnn.dealloc" in compiled_one.mlir) == sharding
        binary = runtime.load_binary_from_bytes(passes.ttnn_to_flatbuffer_bytes(module))
        x = RNG.standard_normal((1024, 1024)).astype(np.float32)
        np.testing.assert_array_equal(ttmlir.Executable(binary)(x), x)


@pytest.mark.parametrize(
    "layout",
    [
        "4x2:l1:block_sharded",
        "height_sharded:2x1",
        "width_sharded:1x4:tile",
        "3x3:block_sharded",
        "1x1:l1:single_bank",
        "l1:interleaved:tile",
        "dram:tile",
        "2x2",
    ],
)
def test_output_layouts_run(layout: str) -> None:
    b = ttmlir.Builder()
    x = b.input("x", (64, 100))
    b.output(b.exp(b.relu(x, name="relu")))
    exe = ttmlir.compile(b, override_output_layout={"relu": layout})
    value = RNG.standard_normal((64, 100)).astype(np.float32)
    np.testing.assert_array_equal(exe(value), ttmlir.compile(b)(value))


def test_output_layout_may_change_the_data_type() -> None:
    b = ttmlir.Builder()
    b.output(b.neg(b.abs(b.input("x", (64, 64)), name="abs")))
    exe = ttmlir.compile(b, override_output_layout={"abs": "l1:tile:bf16"})
    value = RNG.standard_normal((64, 64)).astype(np.float32)
    found = exe(value)
    assert found.dtype == np.float32
    assert 0 < np.abs(found + np.abs(value)).max() <= np.abs(value).max() * 2**-8


@settings(max_examples=25, deadline=None)
@given(
    shape=st.lists(st.integers(1, 70), min_size=1, max_size=4).map(tuple),
    ops=st.lists(st.sampled_from(["relu", "add", "abs", "multiply"]), min_size=2, max_size=6),
    dtype=st.sampled_from(["f32", "bf16"]),
    resharding=st.booleans(),
    in_rows=st.booleans(),
)
def test_random_chains(
    shape: tuple[int, ...], ops: list[str], dtype: str, resharding: bool, in_rows: bool
) -> None:
    def program(b: ttmlir.Builder) -> None:
        x, y = b.input("x", shape, dtype), b.input("y", shape, dtype)
        for op in ops:
            x = getattr(b, op)(x, y) if op in ("add", "multiply") else getattr(b, op)(x)
        b.output(x)

    plain = compiled(program, rows=in_rows)
    sharded = compiled(
        program, rows=in_rows, sharding_pass_enabled=True, resharding_enabled=resharding
    )
    inputs = random_inputs(plain)
    np.testing.assert_array_equal(sharded(*inputs), plain(*inputs))
