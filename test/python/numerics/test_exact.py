"""``numerics="exact"`` bit for bit against a model of the matrix engine of its own."""

from __future__ import annotations

import numpy as np
import pytest
from matrix_engine import PHASES, Array, Engine, Numbers, greatest, numbers, pack, zeros
from tiles import (
    BF16,
    KINDS,
    Buffer,
    Instructions,
    as_sources,
    check,
    engine,
    from_bits,
    host_block_float,
    operand,
    ordinary,
    result_type,
    run,
)

from ttmlir import kernel

FORMATS = ("bf16", "f32", "f16", "bfp8_b")
DESTINATIONS = pytest.mark.parametrize("fp32", [False, True], ids=["dst16", "dst32"])
TARGETS = pytest.mark.parametrize("target", ["n150", "p150"])


def seed_of(*parts: object) -> np.random.Generator:
    return np.random.default_rng(list(repr(parts).encode()))


def expected(config: Engine, dst: Numbers, out: str = "") -> Array:
    """What the packer makes of a destination."""
    return pack(config.to_f32(dst), out or result_type(config))


def column(values: Array) -> Array:
    """The first column of all tiles, repeated over them."""
    return np.repeat(values[:, ::32], 32, 1)


# Products of matrices -----------------------------------------------------------------------------


def multiply_tiles(inner: int) -> Instructions:
    """The instructions of a product with ``inner`` tiles along K."""

    def instructions(buffers: list[Buffer], result: Buffer, row: int, column: int) -> None:
        a, b = buffers
        kernel.mm_init(a, b, result, 0)
        columns = b.pages // inner
        for k in kernel.range(inner):
            kernel.matmul_tiles(a, b, row * inner + k, k * columns + column, 0)

    return instructions


def check_matmul(config: Engine, a: Array, b: Array, dtype: str, out: str = "") -> None:
    shape = a.shape[0], b.shape[1]
    found = run(multiply_tiles(a.shape[1] // 32), [(a, dtype), (b, dtype)], shape, config, out=out)
    dst = config.matmul(as_sources(config, a), as_sources(config, b))
    check(found, expected(config, dst, out))


@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("fidelity", PHASES)
@DESTINATIONS
@TARGETS
def test_matmul(target: str, fp32: bool, fidelity: str, dtype: str) -> None:
    config = engine(fidelity, fp32, dtype, target)
    rng = seed_of(target, fp32, fidelity, dtype)
    kinds = [name for name in KINDS for _ in range(32)]
    a = np.concatenate([operand(rng, kind, (32, 96), dtype) for kind in KINDS])
    b = np.concatenate([operand(rng, kind, (96, 32), dtype) for kind in KINDS], 1)
    assert a.shape == (len(kinds), 96)
    check_matmul(config, a, b, dtype)


@pytest.mark.parametrize("fidelity", ["lofi", "hifi4"])
@TARGETS
def test_sums_of_minus_one(target: str, fidelity: str) -> None:
    """Operands that cancel in one group, while the other leaves some of the last places."""
    rng = seed_of(target, fidelity)
    a = np.zeros((64, 32), np.float32)
    a[:, 0], a[:, 1] = 1, -1
    a[:, 8:12] = np.ldexp(rng.integers(-2, 3, (64, 4)), -23)
    a[:, 16:20] = np.ldexp(rng.integers(-2, 3, (64, 4)), -24)
    a *= np.exp2(rng.integers(-90, 90, (64, 1)))
    b = np.exp2(rng.integers(-1, 2, (32, 32)).astype(np.float32))
    b[1] = b[0]
    config = engine(fidelity, True, "bf16", target)
    first, second = a.astype(BF16), b.astype(BF16)
    check_matmul(config, first, second, "bf16")
    other = engine(fidelity, True, "bf16", "p150" if target == "n150" else "n150")
    dst, apart = (e.matmul(as_sources(e, first), as_sources(e, second)) for e in (config, other))
    assert (dst.exp != apart.exp).any(), "the operands do not meet the difference of the chips"


@DESTINATIONS
def test_matmul_256(fp32: bool) -> None:
    rng = seed_of(fp32)
    a, b = ordinary(rng, (256, 256), "bf16"), ordinary(rng, (256, 256), "bf16")
    check_matmul(engine("hifi2", fp32), a, b, "bf16", out="bf16")


# Element by element -------------------------------------------------------------------------------

OPERATIONS = {"add": Engine.add, "sub": Engine.subtract, "mul": Engine.multiply}


@pytest.mark.sampled(32)
@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("fidelity", PHASES)
@DESTINATIONS
def test_elementwise(fp32: bool, fidelity: str, operation: str, dtype: str) -> None:
    """Two results in one destination, whose second one has a column for all columns."""
    config = engine(fidelity, fp32, dtype)
    rng = seed_of(fp32, fidelity, operation, dtype)
    a, b = (
        np.concatenate([operand(rng, kind, (32, 64), dtype) for kind in kinds])
        for kinds in (KINDS, reversed(KINDS))
    )

    def instructions(buffers: list[Buffer], result: Buffer, row: int, column: int) -> None:
        tile = row * 2 + column
        kernel.binary_op_init_common(*buffers, result)
        getattr(kernel, f"{operation}_tiles_init")(*buffers)
        getattr(kernel, f"{operation}_tiles")(*buffers, tile, tile, 0)
        kernel.init_bcast(*buffers, result, operation, "col")
        getattr(kernel, f"{operation}_tiles_bcast")(*buffers, tile, tile, 0, "col")

    found = run(instructions, [(a, dtype), (b, dtype)], a.shape, config)
    compute = OPERATIONS[operation]
    first, second = as_sources(config, a), as_sources(config, b)
    dst = compute(config, first, second)
    dst = compute(config, first, as_sources(config, column(b)), dst)
    check(found, expected(config, dst))


@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("operation", OPERATIONS)
@DESTINATIONS
def test_destination_as_operand(fp32: bool, operation: str, dtype: str) -> None:
    """The sum in the destination is truncated to the format of the operand beside it."""
    config = engine("hifi3", fp32, dtype)
    rng = seed_of(fp32, operation, dtype)
    a, b, c = (operand(rng, "mixed", (64, 64), dtype) for _ in range(3))

    def instructions(buffers: list[Buffer], result: Buffer, row: int, column: int) -> None:
        first, second, third = buffers
        tile = row * 2 + column
        kernel.binary_op_init_common(first, second, result)
        kernel.add_tiles_init(first, second)
        kernel.add_tiles(first, second, tile, tile, 0)
        kernel.binary_dest_reuse_tiles_init(third, operation, True)
        kernel.binary_dest_reuse_tiles(third, tile, 0, operation, True)

    found = run(instructions, [(x, dtype) for x in (a, b, c)], a.shape, config)
    total = config.add(as_sources(config, a), as_sources(config, b))
    moved = config.to_source(total, dtype)
    dst = OPERATIONS[operation](config, as_sources(config, c), moved)
    check(found, expected(config, dst))


# Reductions ---------------------------------------------------------------------------------------


def reduce_tiles(dim: str, pool: str, count: int) -> Instructions:
    """The instructions that reduce ``count`` tiles into one."""

    def instructions(buffers: list[Buffer], result: Buffer, row: int, column: int) -> None:
        tiles, scaler = buffers
        kernel.reduce_init(tiles, scaler, result, pool, dim)
        for tile in range(count):
            kernel.reduce_tile(tiles, scaler, tile, 0, 0, pool, dim)
        kernel.reduce_uninit()

    return instructions


def place(line: Array, dim: str) -> Array:
    """A tile with a line of results where the engine leaves them."""
    tile = np.zeros((32, 32), np.int64)
    if dim == "row":
        tile[:, 0] = line
    else:
        tile[0, : line.size] = line
    return tile


@pytest.mark.sampled(32)
@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("dim", ["row", "col", "scalar"])
@pytest.mark.parametrize("fidelity", PHASES)
@DESTINATIONS
def test_sums(fp32: bool, fidelity: str, dim: str, dtype: str) -> None:
    config = engine(fidelity, fp32, dtype)
    rng = seed_of(fp32, fidelity, dim, dtype)
    for kind in KINDS:
        x = np.concatenate([operand(rng, kind, (32, 32), dtype) for _ in range(3)])
        scaler = operand(rng, "ordinary", (32, 32), dtype)
        found = run(reduce_tiles(dim, "sum", 3), [(x, dtype), (scaler, dtype)], (32, 32), config)
        weights = as_sources(config, scaler)[0, :16]
        dst = zeros((1,) if dim == "scalar" else (32,))
        for tile in np.split(x, 3):
            numbers_of = as_sources(config, tile)
            if dim == "scalar":
                dst = config.sum_all(numbers_of, weights, dst, dtype)
            else:
                turned = numbers_of.transposed if dim == "row" else numbers_of
                dst = config.sum_columns(turned, weights, dst)
        check(found, place(expected(config, dst), dim))


@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("dim", ["row", "col", "scalar"])
@DESTINATIONS
def test_maxima(fp32: bool, dim: str, dtype: str) -> None:
    config = engine("hifi4", fp32, dtype)
    rng = seed_of(fp32, dim, dtype)
    for kind in KINDS:
        x = np.concatenate([operand(rng, kind, (32, 32), dtype) for _ in range(2)])
        x = -np.abs(x) if kind == "mixed" else x  # zero is not among the least
        ones = np.ones((32, 32), x.dtype)
        found = run(reduce_tiles(dim, "max", 2), [(x, dtype), (ones, dtype)], (32, 32), config)
        source = as_sources(config, x)
        words = config.to_f32(source._replace(man=source.man << 13))
        if config.half and config.fp32:
            words = np.where(source.exp == 0, words, words + (112 << 23))
        tiles = words.reshape(2, 32, 32)
        axis = {"row": (0, 2), "col": (0, 1), "scalar": (0, 1, 2)}[dim]
        line = pack(np.atleast_1d(greatest_over(tiles, axis)), result_type(config))
        check(found, place(line, dim))


def greatest_over(words: Array, axis: tuple[int, ...]) -> Array:
    for one in sorted(axis, reverse=True):
        words = greatest(words, one)
    return words


# What is known of single cases --------------------------------------------------------------------


def dot(config: Engine, a: list[float], b: list[float]) -> float:
    """The first row of one tile times the first column of another."""
    first, second = np.zeros((2, 32, 32), BF16)
    first[0, : len(a)], second[: len(b), 0] = a, b
    return float(
        run(multiply_tiles(1), [(first, "bf16"), (second, "bf16")], (32, 32), config)[0, 0]
    )


def test_slices_of_zero_keep_their_exponent() -> None:
    found = dot(engine("hifi2", True), [4096, 1 + 2**-7], [1, 1 + 2**-6])
    assert found == 4096.0


def test_normalization_rounds() -> None:
    a = [1, 0, 0, 0, 0, 0, 0, 0, 2**-23] + 7 * [0] + [1]
    assert dot(engine("lofi", True), a, 17 * [1]) == np.float32(2 + 2**-22)


@pytest.mark.parametrize(("target", "result"), [("n150", -16.0), ("p150", -(2.0**-23))])
def test_wormhole_and_minus_one(target: str, result: float) -> None:
    a = [1, 1, 0, 0, 0, 0, 0, 0, -(2**-23)]
    b = [1, -1, 0, 0, 0, 0, 0, 0, 1]
    assert dot(engine("lofi", True, target=target), a, b) == result
    assert dot(engine("lofi", False, target=target), a, b) == 0


@pytest.mark.parametrize("numerics", ["fast", "exact"])
@pytest.mark.parametrize(("operation", "second"), [("mul", 1), ("add", 0), ("sub", 0)])
def test_twice_three_is_six(operation: str, second: float, numerics: str) -> None:
    def instructions(buffers: list[Buffer], result: Buffer, row: int, column: int) -> None:
        kernel.binary_op_init_common(*buffers, result)
        getattr(kernel, f"{operation}_tiles_init")(*buffers)
        for _ in range(2):
            getattr(kernel, f"{operation}_tiles")(*buffers, 0, 0, 0)

    a, b = np.full((32, 32), 3, BF16), np.full((32, 32), second, BF16)
    inputs, config = [(a, "bf16"), (b, "bf16")], engine("hifi4", False)
    found = run(instructions, inputs, a.shape, config, numerics=numerics)
    assert (found == 6).all()


@pytest.mark.parametrize("fidelity", PHASES)
@pytest.mark.parametrize("factor", [2.0**70, np.inf])
@DESTINATIONS
def test_products_that_overflow(fp32: bool, factor: float, fidelity: str) -> None:
    def instructions(buffers: list[Buffer], result: Buffer, row: int, column: int) -> None:
        kernel.binary_op_init_common(*buffers, result)
        kernel.mul_tiles_init(*buffers)
        kernel.mul_tiles(*buffers, 0, 0, 0)

    first, second = np.full((32, 32), 2.0**70, BF16), np.full((32, 32), factor, BF16)
    inputs = [(first, "bf16"), (second, "bf16")]
    found = run(instructions, inputs, first.shape, engine(fidelity, fp32))
    assert (found == np.inf).all()


# Unpacker and packer ------------------------------------------------------------------------------


def copy_tiles(buffers: list[Buffer], result: Buffer, row: int, column: int) -> None:
    kernel.unary_op_init_common(buffers[0], result)
    kernel.copy_tile_init(buffers[0])
    kernel.copy_tile(buffers[0], row, 0)


@pytest.mark.parametrize("out", ["f32", "bf16", "f16"])
@pytest.mark.parametrize("preserve", [False, True], ids=["tf32", "f32"])
def test_packer(preserve: bool, out: str) -> None:
    """NaN, infinities, zeros, denormals and what lies half-way, from 32-bit registers."""
    rng = seed_of(preserve, out)
    x = operand(rng, "any_bits", (128, 32), "f32")
    ties = rng.integers(0, 1 << 32, (32, 32)) & ~0x1FFF | rng.choice([0x1000, 0x8000], (32, 32))
    x = np.concatenate([x, from_bits(ties, "f32")])
    config = engine("hifi4", True, "f32")
    options = {"preserve_fp32_precision": preserve}
    found = run(copy_tiles, [(x, "f32")], x.shape, config, out=out, options=options)
    words = x.view(np.uint32).astype(np.int64)
    if not preserve:  # the unpacker truncates, and has no denormals
        words = np.where(words & 0x7F800000 == 0, words & 0x80000000, words & ~0x1FFF)
    check(found, pack(words, out))


@pytest.mark.parametrize("out", ["bfp8_b", "bfp4_b"])
def test_packer_to_block_floats(out: str) -> None:
    rng = seed_of(out)
    x = np.concatenate([operand(rng, kind, (64, 32), "bf16") for kind in ("ordinary", "mixed")])
    x = np.ascontiguousarray(x)
    config = engine("hifi4", False)
    found = run(copy_tiles, [(x, "bf16")], x.shape, config, out=out)
    words = numbers(x)
    bits = words.negative << 31 | words.exp << 23 | (words.man & 127) << 16
    check(found.astype(np.float32), pack(bits, out))


def test_host_block_floats() -> None:
    """The oracle's quantizer and the host's agree, or the operands above were not what they say."""
    x = ordinary(seed_of(), (64, 32), "f32")
    config = engine("hifi4", True)
    for dtype, bits in (("bfp8_b", 7), ("bfp4_b", 3)):
        found = run(copy_tiles, [(x, dtype)], x.shape, config, out="f32")
        check(found, host_block_float(x, bits).view(np.uint32).astype(np.int64))
