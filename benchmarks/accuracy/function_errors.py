"""Measures the errors of the vector engine's programs, and writes docs/src/functions.md.

    python benchmarks/accuracy/function_errors.py [--check]

Every function runs with ``numerics="exact"`` on both chips, and is compared with float64.
``--check`` compares the measurement with the page. Needs SciPy.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
from page import table
from plots import Curve, Plot, picture
from scipy import special

import ttmlir

DOCS = Path(__file__).parents[2] / "docs" / "src"
PAGE = DOCS / "functions.md"
PICTURES = DOCS / "pictures"
TEMPLATE = Path(__file__).parent / "functions.md.in"

Array = np.ndarray[Any, np.dtype[Any]]


class Function(NamedTuple):
    exact: Callable[[Array], Array]
    low: float
    high: float
    #: Has an approximate program of its own.
    approximate: bool = False


FUNCTIONS = {
    "exp": Function(np.exp, -80, 80, True),
    "exp2": Function(np.exp2, -80, 80),
    "expm1": Function(np.expm1, -10, 80),
    "reciprocal": Function(lambda x: 1 / x, -1e30, 1e30, True),
    "sqrt": Function(np.sqrt, 0, 1e30, True),
    "rsqrt": Function(lambda x: 1 / np.sqrt(x), 0, 1e30, True),
    "cbrt": Function(np.cbrt, -1e30, 1e30),
    "log": Function(np.log, 0, 1e30),
    "log1p": Function(np.log1p, -0.99, 1e30),
    "sigmoid": Function(special.expit, -10, 10, True),
    "silu": Function(lambda x: x * special.expit(x), -10, 10),
    "tanh": Function(np.tanh, -10, 10, True),
    "gelu": Function(lambda x: x * special.ndtr(x), -5, 5, True),
    "mish": Function(lambda x: x * np.tanh(np.logaddexp(0, x)), -10, 10, True),
    "hardsigmoid": Function(lambda x: np.clip(x / 6 + 0.5, 0, 1), -2.5, 2.5),
    "erf": Function(special.erf, -4, 4),
    "erfc": Function(special.erfc, -4, 8),
    "sin": Function(np.sin, -100, 100),
    "cos": Function(np.cos, -100, 100),
}
CHIPS = {"Wormhole": "n150", "Blackhole": "p150"}
#: Bits of a significand behind the point, and the least ordinary number.
FORMATS = {"bf16": (7, 2.0**-126), "f32": (23, 2.0**-126)}


class Errors(NamedTuple):
    x: Array
    units: Array  # in the last place
    absolute: float


def operands(function: Function, dtype: str) -> Array:
    """All numbers of bf16 between the limits, or as many of f32: half of them with any exponent."""
    if dtype == "bf16":
        x = np.arange(1 << 16).astype(np.uint16).view(ml_dtypes.bfloat16)
    else:
        rng = np.random.default_rng(1)
        any_exponent = rng.integers(0, 1 << 32, 1 << 16).astype(np.uint32).view(np.float32)
        low, high = max(function.low, -100), min(function.high, 100)
        x = np.concatenate([any_exponent, rng.uniform(low, high, 1 << 16).astype(np.float32)])
    with np.errstate(invalid="ignore"):
        values = x.astype(np.float64)
    inside = (values >= function.low) & (values <= function.high) & (abs(values) >= 2.0**-100)
    x = x[inside]
    return np.pad(x, (0, -x.size % 1024), mode="edge").reshape(-1, 32)


def run(name: str, x: Array, target: str, approximate: bool) -> Array:
    builder = ttmlir.Builder()
    builder.output(getattr(builder, name)(builder.input("x", x.shape, x.dtype.name)))
    wide = x.dtype == np.float32
    options = {"fp32_dest_acc_en": wide, "math_approx_mode": approximate}
    exe = ttmlir.compile(builder, target=target, numerics="exact", **options)
    return np.asarray(exe(x)).astype(np.float64)


def errors(name: str, dtype: str, target: str, approximate: bool) -> Errors:
    function = FUNCTIONS[name]
    x = operands(function, dtype)
    expected = function.exact(x.astype(np.float64))
    error = abs(run(name, x, target, approximate) - expected)
    bits, least = FORMATS[dtype]
    # The exponent of f32: next to a power of two, that of f64 depends on the host's units.
    _, exponent = np.frexp(np.maximum(abs(expected), least).astype(np.float32))
    unit = np.ldexp(1.0, exponent - 1 - bits)
    return Errors(x.astype(np.float64), error / unit, float(error.max()))


def number(value: float) -> str:
    return f"{value:.2f}" if 0.01 <= value < 1000 else f"{value:.1e}"


def row(chip: str, name: str, approximate: bool) -> tuple[str, ...]:
    """The cells of a line of the page."""
    function = FUNCTIONS[name]
    cells = [f"`{name}`", f"{function.low:g} to {function.high:g}"]
    cells.append("approximate" if approximate else "accurate")
    for dtype in FORMATS:
        found = errors(name, dtype, CHIPS[chip], approximate)
        cells += [number(float(value)) for value in (found.units.max(), found.units.mean())]
        cells.append(number(found.absolute) if found.absolute < 1 else "")
    return tuple(cells)


def rows(chip: str) -> Iterator[tuple[str, ...]]:
    for name, function in FUNCTIONS.items():
        for approximate in (False, True)[: 1 + function.approximate]:
            yield (cells := row(chip, name, approximate))
            print(chip, *cells, flush=True)


def plots(dtype: str) -> Iterator[Plot]:
    """The errors on Wormhole where functions are most used."""
    for name, function in FUNCTIONS.items():
        low, high = max(function.low, -8.0), min(function.high, 8.0)
        curves = []
        for approximate in (False, True)[: 1 + function.approximate]:
            found = errors(name, dtype, CHIPS["Wormhole"], approximate)
            curves.append(Curve(found.x, found.units))
        yield Plot(name, low, high, curves)


HEADER = ("function", "x", "mode")
COLUMNS = ("worst", "mean", "absolute")


def page() -> str:
    text = TEMPLATE.read_text(encoding="utf-8")
    header = (*HEADER, *(f"{dtype}: {column}" for dtype in FORMATS for column in COLUMNS))
    for chip in CHIPS:
        text = text.replace(f"@{chip}@", table(header, rows(chip)).strip())
    return text


def files() -> dict[Path, str]:
    pictures = {
        PICTURES / f"errors_{bits}_bits.svg": picture(list(plots(dtype)))
        for dtype, bits in (("bf16", 16), ("f32", 32))
    }
    return {PAGE: page(), **pictures}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the page")
    check = parser.parse_args().check
    for path, text in files().items():
        if not check:
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.name} differs: run {Path(__file__).name} again")


if __name__ == "__main__":
    main()
