"""Measures how far ``fast`` numerics are from ``exact``, and writes docs/src/fast_and_exact.md.

    python benchmarks/accuracy/numerics_distances.py [--check]

Every op runs with both, on the same operands. ``--check`` compares the measurement with the page.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from page import table

import ttmlir

PAGE = Path(__file__).parents[2] / "docs" / "src" / "fast_and_exact.md"
TEMPLATE = Path(__file__).parent / "fast_and_exact.md.in"

Array = np.ndarray[Any, np.dtype[Any]]
Build = Callable[..., Any]
Shape = tuple[int, ...]

FORMATS = ("bf16", "f32", "bfp8_b")
FIDELITIES = ("lofi", "hifi2", "hifi3", "hifi4")
CHIPS = {"Wormhole": "n150", "Blackhole": "p150"}


class Op(NamedTuple):
    """An op of the builder on operands of these shapes, drawn from the normal distribution or, if
    there are limits, evenly between them."""

    build: Build
    shapes: tuple[Shape, ...]
    limits: tuple[float, float] | None = None
    text: str = ""


def _op(name: str, *shapes: Shape, text: str = "", **keywords: Any) -> Op:
    return Op(lambda b, *tensors: getattr(b, name)(*tensors, **keywords), shapes, text=text)


def _elementwise(name: str, low: float, high: float, arity: int = 1, **keywords: Any) -> Op:
    found = _op(name, *((256, 256),) * arity, **keywords)
    return found._replace(limits=(low, high), text=f"{low:g} to {high:g}")


_SQUARE, _IMAGE, _HEADS = (256, 256), (1, 32, 32, 64), (1, 4, 128, 64)

OPS: dict[str, Op] = {
    "matmul": _op("matmul", (256, 1024), (1024, 256), text="K is 1024"),
    "linear": _op("linear", (256, 1024), (1024, 256), (1, 256), text="K is 1024, with a bias"),
    "conv2d": _op("conv2d", _IMAGE, (64, 64, 3, 3), padding=(1, 1), text="3x3, 64 channels"),
    "conv_transpose2d": _op("conv_transpose2d", _IMAGE, (64, 64, 3, 3), text="3x3, 64 channels"),
    "scaled_dot_product_attention": _op(
        "scaled_dot_product_attention", _HEADS, _HEADS, _HEADS, text="128 keys, 64 wide, causal"
    ),
    "add": _op("add", _SQUARE, _SQUARE),
    "subtract": _op("subtract", _SQUARE, _SQUARE),
    "multiply": _op("multiply", _SQUARE, _SQUARE),
    "div": _elementwise("div", 0.5, 10, 2),
    "maximum": _op("maximum", _SQUARE, _SQUARE),
    "minimum": _op("minimum", _SQUARE, _SQUARE),
    "power": _elementwise("power", 0.1, 4, 2),
    "sum": _op("sum", _SQUARE, dim=[1], keep_dim=True, text="256 columns"),
    "mean": _op("mean", _SQUARE, dim=[1], keep_dim=True, text="256 columns"),
    "max": _op("max", _SQUARE, dim=[1], keep_dim=True, text="256 columns"),
    "min": _op("min", _SQUARE, dim=[1], keep_dim=True, text="256 columns"),
    "prod": _op("prod", (32, 256), dim=[0], keep_dim=True, text="32 rows"),
    "cumsum": _op("cumsum", _SQUARE, dim=0, text="256 rows"),
    "softmax": _op("softmax", _SQUARE, text="256 columns"),
    "layer_norm": _op("layer_norm", _SQUARE, (256,), (256,), text="256 columns"),
    "rms_norm": _op("rms_norm", _SQUARE, (256,), text="256 columns"),
    "max_pool2d": _op("max_pool2d", _IMAGE, kernel=(2, 2), text="2x2"),
    "avg_pool2d": _op("avg_pool2d", _IMAGE, kernel=(2, 2), text="2x2"),
    "exp": _elementwise("exp", -10, 10),
    "exp2": _elementwise("exp2", -10, 10),
    "expm1": _elementwise("expm1", -5, 5),
    "log": _elementwise("log", 1, 60),
    "log1p": _elementwise("log1p", -0.9, 10),
    "sqrt": _elementwise("sqrt", 0, 1000),
    "rsqrt": _elementwise("rsqrt", 1, 60),
    "cbrt": _elementwise("cbrt", -1000, 1000),
    "reciprocal": _elementwise("reciprocal", 0.5, 10),
    "square": _elementwise("square", -10, 10),
    "sigmoid": _elementwise("sigmoid", -10, 10),
    "hardsigmoid": _elementwise("hardsigmoid", -5, 5),
    "silu": _elementwise("silu", -10, 10),
    "gelu": _elementwise("gelu", -5, 5),
    "mish": _elementwise("mish", -10, 10),
    "tanh": _elementwise("tanh", -5, 5),
    "erf": _elementwise("erf", -4, 4),
    "erfc": _elementwise("erfc", -4, 4),
    "sin": _elementwise("sin", -10, 10),
    "cos": _elementwise("cos", -10, 10),
    "tan": _elementwise("tan", -1.5, 1.5),
    "asin": _elementwise("asin", -1, 1),
    "acos": _elementwise("acos", -1, 1),
    "atan": _elementwise("atan", -10, 10),
    "sinh": _elementwise("sinh", -5, 5),
    "cosh": _elementwise("cosh", -5, 5),
    "atan2": _elementwise("atan2", -10, 10, 2),
    "lgamma": _elementwise("lgamma", 0.5, 50),
    "erfinv": _elementwise("erfinv", -0.99, 0.99),
    "relu": _elementwise("relu", -10, 10),
    "relu6": _elementwise("relu6", -10, 10),
    "leaky_relu": _elementwise("leaky_relu", -10, 10, parameter=0.01),
    "clamp": _elementwise("clamp", -4, 4, min=-0.7, max=1.3),
    "abs": _elementwise("abs", -10, 10),
    "neg": _elementwise("neg", -10, 10),
    "floor": _elementwise("floor", -10, 10),
    "lt": _elementwise("lt", -10, 10, 2),
    "where": _elementwise("where", 0, 2, 3),
    "transpose": _op("transpose", _SQUARE, dim0=0, dim1=1),
}


class Distance(NamedTuple):
    """The root mean square of the differences over that of the ``exact`` results, and the share of
    results with other bits."""

    relative: float
    different: float

    def cells(self) -> tuple[str, str]:
        if not self.different:
            return "0", "0 %"
        share = max(round(100 * self.different), 1)
        return f"{self.relative:.1e}", f"{'<' * (self.different < 0.005)}{share} %"


def distance(op: Op, dtype: str, target: str, **options: Any) -> Distance:
    """Returns the distance of ``fast`` from ``exact`` for operands and results in a format."""
    builder = ttmlir.Builder()
    tensors = [builder.input(f"x{i}", shape, dtype) for i, shape in enumerate(op.shapes)]
    builder.output(op.build(builder, *tensors))
    exe = ttmlir.compile(builder, target=target, **options)
    rng = np.random.default_rng(0)
    arrays = []
    for info in exe.inputs:
        drawn = rng.uniform(*op.limits, info.shape) if op.limits else rng.normal(size=info.shape)
        arrays.append(drawn.astype(np.float32).astype(info.dtype))
    fast, exact = (
        np.asarray(exe(*arrays, numerics=name)).astype(np.float64) for name in ("fast", "exact")
    )
    scale = np.sqrt(np.mean(exact**2))
    return Distance(
        float(np.sqrt(np.mean((fast - exact) ** 2)) / scale), float(np.mean(fast != exact))
    )


def op_row(chip: str, name: str) -> tuple[str, ...]:
    """The cells of an op on the page."""
    op = OPS[name]
    cells = [f"`{name}`", op.text]
    for dtype in FORMATS:
        cells += distance(op, dtype, CHIPS[chip]).cells()
    return tuple(cells)


def product_row(chip: str, fidelity: str, fp32_dest_acc_en: bool) -> tuple[str, ...]:
    """The cells of a product of bf16 in a compute configuration, by its inner extent."""
    cells = [f"`{fidelity}`", "32" if fp32_dest_acc_en else "16"]
    for inner in INNER:
        op = _op("matmul", (128, inner), (inner, 128))
        options = {"math_fidelity": fidelity, "fp32_dest_acc_en": fp32_dest_acc_en}
        cells.append(distance(op, "bf16", CHIPS[chip], **options).cells()[0])
    return tuple(cells)


INNER = (64, 256, 1024, 4096)
OP_HEADER = (
    *("op", "operands"),
    *(cell for dtype in FORMATS for cell in (dtype, "different")),
)
PRODUCT_HEADER = ("`math_fidelity`", "bits of the destination", *(f"K = {k}" for k in INNER))


def op_rows(chip: str) -> dict[str, tuple[str, ...]]:
    """The cells of all ops, by name."""
    rows = {}
    for name in OPS:
        rows[name] = op_row(chip, name)
        print(chip, *rows[name], flush=True)
    return rows


def is_equal(row: tuple[str, ...]) -> bool:
    """Whether the results have the same bits in all formats."""
    return set(row[2:]) == {"0", "0 %"}


def product_rows(chip: str) -> Iterator[tuple[str, ...]]:
    for fidelity in FIDELITIES:
        for wide in (False, True):
            yield (cells := product_row(chip, fidelity, wide))
            print(chip, *cells, flush=True)


def page() -> str:
    wormhole, blackhole = (op_rows(chip) for chip in CHIPS)
    equal = [name for name, row in wormhole.items() if row == blackhole[name] and is_equal(row)]
    other = [row for name, row in blackhole.items() if row != wormhole[name]]
    parts = {
        "@Wormhole@": table(OP_HEADER, (row for n, row in wormhole.items() if n not in equal)),
        "@equal@": textwrap.fill(
            f"These ops have the same bits: {', '.join(f'`{name}`' for name in equal)}.", 120
        ),
        "@Blackhole@": table(OP_HEADER, other),
        "@products@": table(PRODUCT_HEADER, product_rows("Wormhole")),
    }
    text = TEMPLATE.read_text(encoding="utf-8")
    for mark, content in parts.items():
        text = text.replace(mark, content.strip())
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the page")
    check = parser.parse_args().check
    text = page()
    if not check:
        PAGE.write_text(text, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != text:
        sys.exit(f"{PAGE.name} differs: run {Path(__file__).name} again")


if __name__ == "__main__":
    main()
