"""Library calls with ``numerics="exact"``: the bits of the same kernel as a program of its own,
stage by stage, and those of the other backend where it has the same data flow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from library import DESTINATIONS, run_exact
from matrix_engine import Array, Engine, bits_of, greatest, pack, zeros
from tiles import BF16, DTYPES, Buffer, as_sources, check, engine, operand, result_type, run
from vector_engine import round16

import ttmlir
from ttmlir import kernel

FORMATS = pytest.mark.parametrize("dtype", ["bf16", "f32", "f16"])
BACKENDS = ("ttnn", "ttmetal")
ROWS, COLUMNS = 40, 80  # both with padding
EPSILON = 2.0**-10


def library(
    config: Engine, op: str, *arrays: Array, backend: str = "ttnn", **arguments: Any
) -> Array:
    """The result of an op of the builder."""
    builder = ttmlir.Builder()
    inputs = [
        builder.input(f"x{index}", array.shape, array.dtype.name)
        for index, array in enumerate(arrays)
    ]
    builder.output(getattr(builder, op)(*inputs, **arguments))
    options: dict[str, Any] = {"target": "n150", "backend": backend}
    options |= {"math_fidelity": config.fidelity, "fp32_dest_acc_en": config.fp32}
    return run_exact(ttmlir.compile(builder, **options), *arrays)


def values(dtype: str, shape: tuple[int, ...], *seed: object) -> Array:
    rng = np.random.default_rng(list(repr((dtype, shape, *seed)).encode()))
    return operand(rng, "ordinary", shape, dtype)


def padded(array: Array, fill: float = 0) -> Array:
    """A matrix in whole tiles."""
    widths = [(0, -extent % 32) for extent in array.shape]
    return np.pad(array.astype(np.float32), widths, constant_values=fill).astype(array.dtype)


class Stages:
    """The stages of a kernel on rows of tiles, each as a program of one kernel. What is between
    them has the format of the destination."""

    def __init__(self, config: Engine) -> None:
        self.config = config

    def _run(self, instructions: Any, inputs: list[Array], columns: int, out: str) -> Array:
        names = {array: name for name, array in DTYPES.items()}
        return run(
            instructions,
            [(array, names[array.dtype]) for array in inputs],
            (inputs[0].shape[0], columns),
            self.config,
            out=out or result_type(self.config),
            options={"preserve_fp32_precision": self.config.fp32},
        )

    def reduce(self, x: Array, pool: str, *then: Callable[[], None]) -> Array:
        """The reduction of rows, and functions of it."""
        columns = x.shape[1] // 32

        def instructions(buffers: list[Buffer], result: Buffer, row: int, _: int) -> None:
            tiles, ones = buffers
            kernel.reduce_init(tiles, ones, result, pool, "row")
            for column in range(columns):
                kernel.reduce_tile(tiles, ones, row * columns + column, 0, 0, pool, "row")
            kernel.reduce_uninit()
            for step in then:
                step()

        return self._run(instructions, [x, np.ones((32, 32), BF16)], 32, "")

    def combine(
        self,
        operation: str,
        x: Array,
        y: Array,
        broadcast: str = "",
        *,
        then: Callable[[], None] = lambda: None,
        out: str = "",
    ) -> Array:
        """Tiles with those of ``y``, or with its first column or row of tiles."""
        columns = x.shape[1] // 32

        def instructions(buffers: list[Buffer], result: Buffer, row: int, column: int) -> None:
            tile = row * columns + column
            if not broadcast:
                kernel.binary_op_init_common(*buffers, result)
                getattr(kernel, f"{operation}_tiles_init")(*buffers)
                getattr(kernel, f"{operation}_tiles")(*buffers, tile, tile, 0)
            else:
                second = row if broadcast == "col" else column
                kernel.init_bcast(*buffers, result, operation, broadcast)
                multiply = getattr(kernel, f"{operation}_tiles_bcast")
                multiply(*buffers, tile, second, 0, broadcast)
            then()

        return self._run(instructions, [x, y], x.shape[1], out)


def with_number(operation: str, number: float) -> Callable[[], None]:
    """The destination and a number that it can hold."""

    def step() -> None:
        kernel.fill_tile_init()
        kernel.fill_tile(1, number)
        getattr(kernel, f"{operation}_binary_tile_init")()
        getattr(kernel, f"{operation}_binary_tile")(0, 1, 0)

    return step


def function(name: str) -> Callable[[], None]:
    def step() -> None:
        getattr(kernel, f"{name}_tile_init")()
        getattr(kernel, f"{name}_tile")(0)

    return step


def without_padding(array: Array) -> Array:
    result = array.copy()
    result[:, COLUMNS:] = 0
    return result


@FORMATS
@DESTINATIONS
@pytest.mark.parametrize("fidelity", ["lofi", "hifi4"])
def test_softmax(fidelity: str, fp32: bool, dtype: str) -> None:
    config = engine(fidelity, fp32, dtype)
    x = values(dtype, (ROWS, COLUMNS), fidelity, fp32)
    stages, tiles = Stages(config), padded(x, -np.inf)
    line = stages.reduce(tiles, "max")
    numbers = stages.combine("sub", tiles, line, "col", then=function("exp"))
    numbers = without_padding(numbers)
    line = stages.reduce(numbers, "sum", function("recip"))
    expected = stages.combine("mul", numbers, line, "col", out=dtype)[:ROWS, :COLUMNS]
    check(library(config, "softmax", x, dim=-1), bits_of(expected))
    across = np.ascontiguousarray(x.T)[None]
    check(library(config, "softmax", across, dim=1)[0].T, bits_of(expected))


@pytest.mark.sampled(24)
@FORMATS
@DESTINATIONS
@pytest.mark.parametrize("fidelity", ["lofi", "hifi4"])
@pytest.mark.parametrize("parameters", [0, 1, 2])
@pytest.mark.parametrize("op", ["layer_norm", "rms_norm"])
def test_norms(op: str, parameters: int, fidelity: str, fp32: bool, dtype: str) -> None:
    config = engine(fidelity, fp32, dtype)
    x = values(dtype, (ROWS, COLUMNS), fidelity, fp32)
    rows = [values(dtype, (COLUMNS,), index) for index in range(parameters)]
    stages, numbers = Stages(config), padded(x)
    divide = with_number("div", float(COLUMNS))
    if op == "layer_norm":
        line = stages.reduce(numbers, "sum", divide)
        numbers = without_padding(stages.combine("sub", numbers, line, "col"))
    squares = stages.combine("mul", numbers, numbers)
    root = function("rsqrt")
    line = stages.reduce(squares, "sum", divide, with_number("add", EPSILON), root)
    out = dtype if not parameters else ""
    numbers = stages.combine("mul", numbers, line, "col", out=out)
    for index, row in enumerate(rows):
        out = dtype if index + 1 == parameters else ""
        operation = ("mul", "add")[index]
        numbers = stages.combine(operation, numbers, padded(row[None]), "row", out=out)
    found = library(config, op, x, *rows, epsilon=EPSILON)
    check(found, bits_of(np.ascontiguousarray(numbers[:ROWS, :COLUMNS])))


@pytest.mark.sampled(8)
@FORMATS
@DESTINATIONS
@pytest.mark.parametrize("fidelity", ["lofi", "hifi4"])
def test_rotary_embedding(fidelity: str, fp32: bool, dtype: str) -> None:
    config = engine(fidelity, fp32, dtype)
    x = values(dtype, (ROWS, 2 * COLUMNS), fidelity, fp32)
    cos, sin = (values(dtype, (ROWS, 2 * COLUMNS), name) for name in ("cos", "sin"))
    turned = np.concatenate([-x[:, COLUMNS:], x[:, :COLUMNS]], 1)
    stages = Stages(config)
    straight = stages.combine("mul", padded(x), padded(cos))
    across = stages.combine("mul", padded(turned), padded(sin))
    expected = stages.combine("add", straight, across, out=dtype)[:ROWS]
    found = library(config, "rotary_embedding", *(array[None, None] for array in (x, cos, sin)))
    check(found[0, 0], bits_of(np.ascontiguousarray(expected)))


def sources_as_f32(config: Engine, array: Array) -> Array:
    """What source registers have of ordinary numbers."""
    if array.dtype != np.float32:
        return array.astype(np.float32)
    kept = np.uint32(0xFFFFE000 if config.fp32 else 0xFFFF0000)
    return (array.view(np.uint32) & kept).view(np.float32)


def in_destination(config: Engine, array: Array) -> Array:
    """What the vector engine leaves of f32."""
    kept = np.uint32(0xFFFFFFFF if config.fp32 else 0xFFFFE000 if config.half else 0xFFFF0000)
    return (array.astype(np.float32).view(np.uint32) & kept).view(np.float32)


def quotient(config: Engine, array: Array, divisor: int) -> Array:
    """What the vector engine leaves of a division, which has no published program: the quotient
    rounded to bf16 where the destination has that."""
    result = array / np.float32(divisor)
    if not config.fp32 and not config.half:
        return round16(bits_of(result)).astype(np.uint32).view(np.float32)
    return in_destination(config, result)


def packed(array: Array, dtype: str) -> Array:
    return pack(bits_of(np.ascontiguousarray(array)), dtype)


def sum_rows(config: Engine, matrix: Array) -> Array:
    """The sums of the columns of a matrix in whole tiles, as f32."""
    ones, lines = as_sources(config, np.ones(16, matrix.dtype)), []
    for column in range(0, matrix.shape[1], 32):
        line = zeros((32,))
        for row in range(0, matrix.shape[0], 32):
            tile = as_sources(config, matrix[row : row + 32, column : column + 32])
            line = config.sum_columns(tile, ones, line)
        lines.append(config.to_f32(line))
    return np.concatenate(lines).astype(np.uint32).view(np.float32)


@FORMATS
@DESTINATIONS
@pytest.mark.parametrize("dim", [-1, -2])
@pytest.mark.parametrize("op", ["max", "min"])
def test_extremes(op: str, dim: int, fp32: bool, dtype: str) -> None:
    """Both backends: tf32 at most, since the pooling unit compares source registers."""
    config = engine("hifi4", fp32, dtype)
    x = values(dtype, (2, ROWS, COLUMNS), op, dim, fp32)
    seen = sources_as_f32(config, x)
    expected = packed(getattr(np, op)(seen, axis=dim), dtype)
    for backend in BACKENDS:
        check(library(config, op, x, dim=dim, backend=backend), expected)


@FORMATS
@DESTINATIONS
@pytest.mark.parametrize("dims", [-1, -2, (0, 2), (0, 1), None])
@pytest.mark.parametrize("op", ["sum", "max"])
def test_reductions_of_both_backends(op: str, dims: Any, fp32: bool, dtype: str) -> None:
    """Outer dimensions with inner ones, and what both backends make of them."""
    config = engine("hifi4", fp32, dtype)
    x = values(dtype, (4, ROWS, 64), op, dims, fp32)
    both = [library(config, op, x, dim=dims, backend=backend) for backend in BACKENDS]
    check(both[0], bits_of(both[1]))


@FORMATS
@DESTINATIONS
@pytest.mark.parametrize("count", [64, 999])
def test_means(count: int, fp32: bool, dtype: str) -> None:
    """The vector engine divides the sum, by a number with all bits."""
    config = engine("hifi4", fp32, dtype)
    x = values(dtype, (count, 32), fp32)
    means = quotient(config, sum_rows(config, padded(x)), count)
    check(library(config, "mean", x, dim=-2), packed(means, dtype))


@DESTINATIONS
@pytest.mark.parametrize("op", ["sum", "mean", "max", "min", "prod"])
def test_outer_dimensions(op: str, fp32: bool) -> None:
    """The vector engine joins one tile after the other."""
    config = engine("hifi4", fp32)
    x = values("bf16", (5, 3, 7), op, fp32)
    join = {"max": np.maximum, "min": np.minimum, "prod": np.multiply}.get(op, np.add)
    total = x[0].astype(np.float32)
    for matrix in x[1:]:
        total = in_destination(config, join(total, matrix.astype(np.float32)))
    if op == "mean":
        total = quotient(config, total, 5)
    check(library(config, op, x, dim=0), packed(total, "bf16"))


@FORMATS
@DESTINATIONS
@pytest.mark.parametrize("dim", [0, 1, 2])
def test_running_sums(dim: int, fp32: bool, dtype: str) -> None:
    config = engine("hifi4", fp32, dtype)
    x = values(dtype, (6, 9, 5), dim, fp32)
    lines, total = [], np.float32(0)
    for line in np.moveaxis(in_destination(config, x), dim, 0):
        total = in_destination(config, total + line)
        lines.append(total)
    check(library(config, "cumsum", x, dim=dim), packed(np.stack(lines, dim), dtype))


def windows(
    x: Array, kernel_size: int, stride: int, padding: int, outside: float
) -> tuple[Array, int]:
    """Matrices of a window's pixels and channels, and the number of windows along a side."""
    widths = [(0, 0), (padding, padding), (padding, padding), (0, 0)]
    image = np.pad(x.astype(np.float32), widths, constant_values=outside).astype(x.dtype)
    side = (image.shape[1] - kernel_size) // stride + 1
    spans = [slice(i * stride, i * stride + kernel_size) for i in range(side)]
    found = [
        image[0, rows, columns].reshape(-1, x.shape[-1]) for rows in spans for columns in spans
    ]
    return np.stack(found), side


@FORMATS
@DESTINATIONS
def test_maximum_of_windows(fp32: bool, dtype: str) -> None:
    config = engine("hifi4", fp32, dtype)
    x = values(dtype, (1, 9, 9, 40), fp32)
    taps, side = windows(x, 3, 2, 1, -np.inf)
    expected = packed(sources_as_f32(config, taps).max(1), dtype).reshape(1, side, side, 40)
    window: dict[str, Any] = {"kernel": (3, 3), "stride": (2, 2), "padding": (1, 1)}
    for backend in BACKENDS:
        check(library(config, "max_pool2d", x, backend=backend, **window), expected)


@DESTINATIONS
@pytest.mark.parametrize("fidelity", ["lofi", "hifi4"])
@pytest.mark.parametrize("kernel_size", [3, 6, 9])  # 9, 36 and 81 pixels: one tile and more
def test_mean_of_windows(kernel_size: int, fidelity: str, fp32: bool) -> None:
    config = engine(fidelity, fp32)
    x = values("bf16", (1, 9, 9, 32), kernel_size, fidelity, fp32)
    taps, side = windows(x, kernel_size, 3, 0, 0)
    sums = np.stack([sum_rows(config, padded(matrix)) for matrix in taps])
    means = quotient(config, sums, kernel_size**2)
    size = (kernel_size, kernel_size)
    found = library(config, "avg_pool2d", x, kernel=size, stride=(3, 3))
    check(found, packed(means, "bf16").reshape(1, side, side, 32))


@DESTINATIONS
@pytest.mark.parametrize("padding", [0, 1, 3])
@pytest.mark.parametrize("fidelity", ["lofi", "hifi4"])
def test_transposed_convolution(fidelity: str, padding: int, fp32: bool) -> None:
    """A convolution of the input with zeros between its pixels, with the kernel turned round."""
    config, stride, size = engine(fidelity, fp32), 2, 3
    x = values("bf16", (1, 5, 5, 16), fidelity, padding, fp32)
    weight = values("bf16", (16, 32, size, size), fidelity)
    spread = np.zeros((1, 9, 9, 16), BF16)
    spread[:, ::stride, ::stride] = x
    reach = size - 1 - padding
    if reach < 0:
        spread = spread[:, -reach:reach, -reach:reach]
    taps, side = windows(spread, size, 1, max(reach, 0), 0)
    turned = weight[:, :, ::-1, ::-1].transpose(2, 3, 0, 1).reshape(-1, 32)
    rows = padded(taps.reshape(len(taps), -1))
    depth = np.zeros((rows.shape[1], 32), BF16)
    depth[: len(turned)] = turned
    product = config.matmul(as_sources(config, rows), as_sources(config, depth))
    expected = pack(config.to_f32(product), "bf16")[: len(taps)].reshape(1, side, side, 32)
    found = library(
        config, "conv_transpose2d", x, weight, stride=(stride, stride), padding=(padding, padding)
    )
    check(found, expected)


def test_nan_is_the_greatest() -> None:
    """Numbers of exponent 255 are like any other: the packer makes infinity of NaN."""
    x = np.zeros((32, 32), np.float32)
    x[0, 3], x[1, 4], x[2, :] = np.nan, -np.inf, -np.inf
    words = greatest(bits_of(x), 1)
    expected = pack(words, "f32")
    check(library(engine("hifi4", True, "f32"), "max", x, dim=-1), expected)
