"""Functions of the vector engine on destination registers that TTIR has no ops for, and rows that
the packer writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes  # noqa: F401  # bfloat16 for NumPy
import numpy as np
import pytest
from mistakes import read, write

from ttmlir import errors, kernel

Array = np.ndarray[Any, np.dtype[Any]]
GENERATOR = np.random.default_rng(20261130)


def bits(number: float) -> int:
    return int(np.float32(number).view(np.uint32))


def on_tiles(body: Callable[[], None], *arrays: Array) -> Array:
    """What a kernel makes of tiles in destination registers 0, 1, ...: register 0 at its end."""
    dtype = {"float32": "f32", "int32": "i32"}[str(arrays[0].dtype)]
    program = kernel.Program()
    tensors = [program.input(f"x{i}", a.shape, dtype) for i, a in enumerate(arrays)]
    y = program.output("y", (32, 32), dtype)
    into = program.circular_buffer("in0", dtype, pages=len(arrays))
    out = program.circular_buffer("out0", dtype)

    @kernel.compute(fp32_dest_acc_en=True)
    def compute() -> None:
        kernel.init_sfpu(into, out)
        kernel.copy_tile_init(into)
        kernel.tile_regs_acquire()
        kernel.cb_wait_front(into, len(arrays))
        for i in range(len(arrays)):
            kernel.copy_tile(into, i, i)
        body()
        kernel.tile_regs_commit()
        kernel.tile_regs_wait()
        kernel.cb_reserve_back(out, 1)
        kernel.pack_tile(0, out)
        kernel.tile_regs_release()
        kernel.cb_push_back(out, 1)
        kernel.cb_pop_front(into, len(arrays))

    @kernel.data_movement(noc=0)
    def reader() -> None:
        for tensor in tensors:
            read(tensor, 0, into)

    @kernel.data_movement(noc=1)
    def writer() -> None:
        write(y, 0, out)

    program.add(reader)
    program.add(compute)
    program.add(writer)
    return program.run(**{f"x{i}": a for i, a in enumerate(arrays)})["y"]


FLOATS = GENERATOR.normal(size=(32, 32)).astype(np.float32)
INTEGERS = GENERATOR.integers(-3, 4, (2, 32, 32)).astype(np.int32)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("add", lambda x, p: x + p),
        ("sub", lambda x, p: x - p),
        ("mul", lambda x, p: x * p),
        ("div", lambda x, p: x * p),
        ("rsub", lambda x, p: p - x),
    ],
)
def test_a_tile_and_a_number(name: str, expected: Callable[[Array, Any], Array]) -> None:
    def body() -> None:
        kernel.binop_with_scalar_tile_init()
        getattr(kernel, f"{name}_unary_tile")(0, bits(0.7))

    np.testing.assert_array_equal(on_tiles(body, FLOATS), expected(FLOATS, np.float32(0.7)))


COMPARISONS: dict[str, Callable[[Array], Array]] = {
    "eqz": lambda x: x == 0,
    "nez": lambda x: x != 0,
    "ltz": lambda x: x < 0,
    "gtz": lambda x: x > 0,
    "lez": lambda x: x <= 0,
    "gez": lambda x: x >= 0,
}


@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons_with_zero(name: str) -> None:
    def body(suffix: str) -> Callable[[], None]:
        def compare() -> None:
            getattr(kernel, f"{name}_tile_init")()
            getattr(kernel, f"{name}_tile{suffix}")(0)

        return compare

    x = INTEGERS[0]
    expected = COMPARISONS[name](x).astype(np.int32)
    np.testing.assert_array_equal(on_tiles(body("_int32"), x), expected)
    np.testing.assert_array_equal(on_tiles(body(""), x.astype(np.float32)), expected)
    with pytest.raises(errors.TileFormatFault, match=r"a comparison .*with 0: expected integers"):
        on_tiles(body("_int32"), FLOATS)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("add", np.add), ("sub", np.subtract), ("mul", np.multiply)],
)
def test_integers(name: str, expected: Callable[[Array, Array], Array]) -> None:
    def body() -> None:
        getattr(kernel, f"{name}_int_tile_init")()
        getattr(kernel, f"{name}_int_tile")(0, 1, 0, "i32")

    large = INTEGERS * np.int32(10**9)
    np.testing.assert_array_equal(on_tiles(body, *large), expected(*large))


def test_functions_of_integers() -> None:
    def body() -> None:
        kernel.binop_with_scalar_tile_init()
        kernel.add_unary_tile_int32(0, 5)
        kernel.sub_unary_tile_int32(0, 7)
        kernel.negative_tile_init()
        kernel.negative_tile_int32(0)
        kernel.copy_dest_values_init()
        kernel.copy_dest_values(0, 1, "i32")
        kernel.relu_tile_init()
        kernel.relu_tile_int32(1)
        kernel.abs_tile_init()
        kernel.abs_tile_int32(0)
        kernel.add_int_tile_init()
        kernel.add_int_tile(0, 1, 0, "i32")

    x = INTEGERS[0]
    np.testing.assert_array_equal(on_tiles(body, x), np.abs(2 - x) + np.maximum(2 - x, 0))


def test_random_numbers() -> None:
    def body(seed: int, count: int) -> Callable[[], None]:
        def draw() -> None:
            kernel.rand_tile_init(seed)
            for _ in range(count):
                kernel.rand_tile(0, bits(-1), bits(2))

        return draw

    first = on_tiles(body(3, 1), FLOATS)
    np.testing.assert_array_equal(on_tiles(body(3, 1), FLOATS), first)
    for other in (on_tiles(body(4, 1), FLOATS), on_tiles(body(3, 2), FLOATS)):
        assert (other != first).mean() > 0.99
    assert first.min() >= -1
    assert first.max() < 1
    # Uniform: a standard deviation of 1 / sqrt(3), within five standard errors.
    assert abs(first.mean()) < 5 / np.sqrt(3 * first.size)


@pytest.mark.parametrize("along", ["row", "col"])
@pytest.mark.parametrize(("pool", "expected"), [("sum", np.sum), ("max", np.max)])
def test_reductions(pool: str, along: str, expected: Callable[..., Array]) -> None:
    def body() -> None:
        kernel.sfpu_reduce_init(pool, "f32")
        kernel.sfpu_reduce(0, pool, "f32", along)

    x = INTEGERS[0].astype(np.float32)
    found = on_tiles(body, x)
    axis = 1 if along == "row" else 0
    np.testing.assert_array_equal(found.take(0, axis), expected(x, axis))


def test_an_operation_needs_its_own_init() -> None:
    def body() -> None:
        kernel.eqz_tile_init()
        kernel.nez_tile(0)

    with pytest.raises(errors.InitFault, match="nez_tile"):
        on_tiles(body, FLOATS)


@pytest.mark.parametrize("from_registers", [False, True])
def test_rows_from_the_packer(from_registers: bool) -> None:
    """Two blocks of two tiles each, side by side in rows of four tiles."""
    program = kernel.Program()
    x = program.input("x", (32, 128), "bf16")
    y = program.output("y", (32, 128), "f32", layout="row_major")
    into = program.circular_buffer("in0", "bf16", pages=2)
    rows = program.circular_buffer("out0", "f32", pages=32, page_size=512)
    shape = {"block_ct_dim": 2, "full_ct_dim": 4}

    @kernel.compute()
    def compute() -> None:
        if from_registers:
            kernel.reconfig_data_format_srca(into)
            kernel.copy_tile_init(into)
            kernel.pack_untilize_dest_init(rows, **shape)
        else:
            kernel.pack_untilize_init(into, rows, **shape)
        kernel.cb_reserve_back(rows, 32)
        for block in range(2):
            kernel.cb_wait_front(into, 2)
            if from_registers:
                kernel.tile_regs_acquire()
                kernel.copy_tile(into, 0, 0)
                kernel.copy_tile(into, 1, 1)
                kernel.tile_regs_commit()
                kernel.tile_regs_wait()
                kernel.pack_untilize_dest(rows, block_c_index=block, **shape)
                kernel.tile_regs_release()
            else:
                kernel.pack_untilize_block(into, 1, rows, block_c_index=block, **shape)
            kernel.cb_pop_front(into, 2)
        kernel.pack_untilize_uninit(rows)
        kernel.cb_push_back(rows, 32)

    @kernel.data_movement(noc=0)
    def reader() -> None:
        for page in kernel.range(x.pages):
            read(x, page, into)

    @kernel.data_movement(noc=1)
    def writer() -> None:
        for page in kernel.range(y.pages):
            write(y, page, rows)

    program.add(reader)
    program.add(compute)
    program.add(writer)
    values = GENERATOR.normal(size=(32, 128)).astype("bfloat16")
    np.testing.assert_array_equal(program.run(x=values)["y"], values.astype(np.float32))
