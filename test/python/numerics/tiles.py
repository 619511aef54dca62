"""Programs of one compute kernel on one core, operands for them, and their results as bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
from matrix_engine import Array, Engine, Numbers, bits_of, numbers, source

from ttmlir import kernel

BF16 = np.dtype(ml_dtypes.bfloat16)
DTYPES = {"f32": np.dtype(np.float32), "bf16": BF16, "f16": np.dtype(np.float16)}

Buffer = kernel.CircularBuffer

#: Makes the instructions for one tile of the result, in destination register 0, from the buffers of
#: the inputs and of the result and the position of the tile in rows and columns of tiles.
Instructions = Callable[[list[Buffer], Buffer, int, int], None]


def is_half(dtype: str) -> bool:
    return dtype in ("f16", "bfp8", "bfp4", "bfp2")


def engine(fidelity: str, fp32: bool, dtype: str = "bf16", target: str = "n150") -> Engine:
    return Engine(fidelity, fp32, half=is_half(dtype), wormhole=target == "n150")


def as_sources(config: Engine, values: Array) -> Numbers:
    return source(values, wide=config.fp32)


def result_type(config: Engine) -> str:
    """The format of the destination."""
    return "f32" if config.fp32 else "f16" if config.half else "bf16"


@kernel.data_movement(noc=0)
def _read(tensors: list[kernel.Tensor], buffers: list[Buffer]) -> None:
    for tensor, buffer in zip(tensors, buffers, strict=True):
        pages = tensor.page_rows * tensor.page_columns
        accessor = kernel.tensor_accessor(tensor)
        kernel.cb_reserve_back(buffer, pages)
        address = kernel.get_write_ptr(buffer)
        for page in kernel.range(pages):
            kernel.noc_async_read_page(page, accessor, address + page * tensor.page_size)
        kernel.noc_async_read_barrier()
        kernel.cb_push_back(buffer, pages)


@kernel.data_movement(noc=1)
def _write(tensor: kernel.Tensor, buffer: Buffer) -> None:
    accessor = kernel.tensor_accessor(tensor)
    for page in kernel.range(tensor.page_rows * tensor.page_columns):
        kernel.cb_wait_front(buffer, 1)
        kernel.noc_async_write_page(page, accessor, kernel.get_read_ptr(buffer))
        kernel.noc_async_write_barrier()
        kernel.cb_pop_front(buffer, 1)


def run(
    instructions: Instructions,
    inputs: list[tuple[Array, str]],
    shape: tuple[int, int],
    config: Engine,
    *,
    out: str = "",
    options: dict[str, Any] | None = None,
    numerics: str = "exact",
) -> Array:
    """Runs a kernel.

    Args:
        instructions: what computes a tile of the result.
        inputs: numbers and their formats on the chip, all of them in L1 at once.
        shape: of the result.
        config: fidelity, destination and chip.
        out: the format of the result, by default that of the destination.
        options: more for ``kernel.compute``.
        numerics: of the run.
    """

    @kernel.compute(fidelity=config.fidelity, fp32_dest_acc_en=config.fp32, **(options or {}))
    def compute(pages: list[int], buffers: list[Buffer], result: Buffer) -> None:
        for buffer, count in zip(buffers, pages, strict=True):
            kernel.cb_wait_front(buffer, count)
        for row in range(shape[0] // 32):
            for column in range(shape[1] // 32):
                kernel.tile_regs_acquire()
                instructions(buffers, result, row, column)
                kernel.tile_regs_commit()
                kernel.cb_reserve_back(result, 1)
                kernel.tile_regs_wait()
                kernel.pack_tile(0, result, 0)
                kernel.tile_regs_release()
                kernel.cb_push_back(result, 1)
        for buffer, count in zip(buffers, pages, strict=True):
            kernel.cb_pop_front(buffer, count)

    out = out or result_type(config)
    program = kernel.Program("exact", target="n150" if config.wormhole else "p150")
    tensors, buffers, pages = [], [], []
    for index, (values, dtype) in enumerate(inputs):
        pages.append(values.size // 1024)
        tensors.append(program.input(f"x{index}", values.shape, dtype))
        buffers.append(program.circular_buffer(f"in{index}", dtype, pages=pages[-1]))
    y = program.output("y", shape, out)
    result = program.circular_buffer("out0", out, pages=2)
    program.add(_read, tensors, buffers)
    program.add(compute, pages, buffers, result)
    program.add(_write, y, result)
    arrays = {f"x{index}": values for index, (values, _) in enumerate(inputs)}
    found: Array = program.run(numerics=numerics, **arrays)["y"]
    return found


# Operands -----------------------------------------------------------------------------------------


def from_bits(bits: Array, dtype: str) -> Array:
    kind = DTYPES[dtype]
    return bits.astype(f"u{kind.itemsize}").view(kind)


def ordinary(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Array:
    """Numbers of magnitudes around 1."""
    return rng.standard_normal(shape).astype(np.float32).astype(DTYPES[dtype])


def mixed(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Array:
    """Magnitudes that reach beyond what the engine aligns, zeros of both signs, sums that cancel
    but for their last bits."""
    exponent = rng.integers(-13, 14, shape)
    values = np.ldexp(rng.integers(1024, 2048, shape).astype(np.float64), exponent - 10)
    values = np.where(rng.random(shape) < 0.3, np.exp2(exponent), values)
    values *= rng.choice([-1.0, 1.0, 1.0, 0.0, -0.0], shape)
    # Pairs of neighbours that differ in sign.
    flat = values.reshape(-1)
    pairs = rng.random(flat.size // 2) < 0.4
    flat[1::2] = np.where(pairs, -flat[0::2], flat[1::2])
    return flat.reshape(shape).astype(np.float32).astype(DTYPES[dtype])


def any_bits(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Array:
    """Every pattern of bits: NaN, infinities, denormals and all magnitudes."""
    bits = rng.integers(0, 1 << 8 * DTYPES[dtype].itemsize, shape)
    fraction = {"f32": 23, "bf16": 7, "f16": 10}[dtype]
    width = 8 * DTYPES[dtype].itemsize - 1 - fraction
    ones = (1 << width) - 1
    # More of the outermost exponents, and of those around 1.
    near = (ones >> 1) + rng.integers(-3, 4, shape)
    special = rng.choice([0, 0, 1, ones - 1, ones, ones], shape)
    chosen = np.where(rng.random(shape) < 0.5, near, special)
    keep = rng.random(shape) < 0.3
    exp = np.where(keep, bits >> fraction & ones, chosen)
    return from_bits(bits & ~(ones << fraction) | exp << fraction, dtype)


KINDS = {"ordinary": ordinary, "mixed": mixed, "any_bits": any_bits}


def host_block_float(values: Array, bits: int) -> Array:
    """What bfp8_b (7 bits), bfp4_b (3) or bfp2_b (1) keep when the host converts f32 in tiles, for
    blocks along the last axis: nearest even, saturating, no negative zero."""
    words = bits_of(values.astype(np.float32)).reshape(*values.shape[:-1], -1, 16)
    exp = words >> 23 & 255
    top = exp.max(-1, keepdims=True)
    man = np.where(exp == 0, 0, words & 0x7FFFFF | 1 << 23) >> np.minimum(top - exp, 24)
    drop = 24 - bits
    man = np.minimum((man + (1 << drop - 1) - 1 + (man >> drop & 1)) >> drop, (1 << bits) - 1)
    wide = np.ldexp(man.astype(np.float64), top - 127 - (bits - 1))
    wide = np.where((words >> 31 != 0) & (man != 0), -wide, wide)
    return wide.reshape(values.shape).astype(np.float32)


def operand(rng: np.random.Generator, kind: str, shape: tuple[int, ...], dtype: str) -> Array:
    """Numbers of a kind as a format of the chip keeps them."""
    if dtype in DTYPES:
        return KINDS[kind](rng, shape, dtype)
    values = KINDS[kind](rng, shape, "f32")
    values = np.where(np.abs(numbers(values).exp - 127) > 60, np.float32(0), values)
    return host_block_float(values, {"bfp8_b": 7, "bfp4_b": 3, "bfp2_b": 1}[dtype])


def check(found: Array, expected: Array) -> None:
    """Compares bits, which ``expected`` has as integers."""
    bits = bits_of(np.ascontiguousarray(found))
    wrong = np.argwhere(bits != expected)
    if wrong.size:
        at = tuple(map(int, wrong[0]))
        raise AssertionError(
            f"{len(wrong)} of {bits.size} differ, the first at {at}: "
            f"expected {int(expected[at]):#x}, found {int(bits[at]):#x}"
        )
