"""``numerics="exact"`` bit for bit against a model of the vector engine of its own: each program on
both chips, in both widths of the destination and both modes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from library import run_exact
from matrix_engine import Array, bits_of, pack
from tiers import seed_of
from tiles import BF16, Buffer, check, engine, from_bits, run
from vector_engine import VectorEngine
from vector_programs import VectorPrograms

import ttmlir
from ttmlir import kernel

#: The functions with programs: the instructions, and the methods of the builder.
INSTRUCTIONS = {"reciprocal": "recip"}
PROGRAMS = (
    *("exp", "exp2", "expm1", "reciprocal", "sqrt", "rsqrt", "cbrt", "log", "log1p", "sigmoid"),
    *("silu", "tanh", "gelu", "mish", "hardsigmoid", "erf", "erfc", "sin", "cos", "relu", "relu6"),
    "square",
)
TARGETS = pytest.mark.parametrize("target", ["n150", "p150"])
MODES = pytest.mark.parametrize("approx", [False, True], ids=["accurate", "approximate"])
DESTINATIONS = pytest.mark.parametrize("fp32", [False, True], ids=["dst16", "dst32"])
FUNCTIONS = pytest.mark.parametrize("function", PROGRAMS)

EVERY_BF16 = np.arange(1 << 16).astype(np.uint16).view(BF16)


def model(function: str, config: VectorPrograms, *operands: Array, out: str) -> Array:
    """What the packer makes of the result."""
    words = [bits_of(np.ascontiguousarray(x.astype(np.float32))) for x in operands]
    return pack(config.stored(getattr(config, function)(*words)), out)


def patterns(rng: np.random.Generator, count: int) -> Array:
    """f32: half of them any bits, with more of the outermost exponents, half ordinary numbers."""
    bits = rng.integers(0, 1 << 32, count // 2)
    edge = rng.choice([0, 1, 126, 127, 254, 255], bits.size)
    bits = np.where(rng.random(bits.size) < 0.3, bits & ~(255 << 23) | edge << 23, bits)
    bits = np.where(rng.random(bits.size) < 0.1, bits & ~0x7FFFFF, bits)
    usual = rng.standard_normal(count - bits.size) * np.exp2(rng.integers(-4, 8, count - bits.size))
    return np.concatenate([from_bits(bits, "f32"), usual.astype(np.float32)])


def apply(
    function: str, operands: list[Array], target: str, fp32: bool, approx: bool, out: str
) -> Array:
    """A kernel that computes the function of columns of tiles."""

    def instructions(buffers: list[Buffer], result: Buffer, row: int, column: int) -> None:
        kernel.unary_op_init_common(buffers[0], result)
        for index, buffer in enumerate(buffers):
            kernel.copy_tile_init(buffer)
            kernel.copy_tile(buffer, row, index)
        name = INSTRUCTIONS.get(function, function)
        if len(buffers) == 2:
            getattr(kernel, f"{name}_binary_tile_init")()
            getattr(kernel, f"{name}_binary_tile")(0, 1, 0)
        else:
            getattr(kernel, f"{name}_tile_init")()
            getattr(kernel, f"{name}_tile")(0)

    tiles = [x.reshape(-1, 32) for x in operands]
    dtypes = ["bf16" if x.dtype == BF16 else "f32" for x in operands]
    options = {"math_approx_mode": approx, "preserve_fp32_precision": fp32}
    config = engine("hifi4", fp32, target=target)
    inputs = list(zip(tiles, dtypes, strict=True))
    return run(instructions, inputs, tiles[0].shape, config, out=out, options=options).reshape(-1)


def compare(
    function: str, operands: list[Array], target: str, fp32: bool, approx: bool, out: str
) -> None:
    config = VectorPrograms(target == "n150", fp32, approx)
    found = apply(function, operands, target, fp32, approx, out)
    check(found, model(function, config, *operands, out=out))


@pytest.mark.sampled(40)
@FUNCTIONS
@DESTINATIONS
@MODES
@TARGETS
def test_programs(target: str, approx: bool, fp32: bool, function: str) -> None:
    rng = np.random.default_rng(seed_of(f"{target} {approx} {fp32} {function}"))
    for x in (rng.choice(EVERY_BF16, 1024), patterns(rng, 1024))[: 1 + fp32]:
        compare(function, [x], target, fp32, approx, "f32" if fp32 else "bf16")


@pytest.mark.whole_run
@FUNCTIONS
@DESTINATIONS
@MODES
@TARGETS
def test_every_number(target: str, approx: bool, fp32: bool, function: str) -> None:
    """All numbers of bf16, and as many of f32."""
    compare(function, [EVERY_BF16], target, fp32, approx, "f32" if fp32 else "bf16")
    if fp32:
        rng = np.random.default_rng(seed_of(f"{target} {approx} {function}"))
        compare(function, [patterns(rng, 1 << 16)], target, fp32, approx, "f32")


@DESTINATIONS
@TARGETS
def test_powers(target: str, fp32: bool) -> None:
    """Whole and other exponents, of both signs, and bases that are negative."""
    rng = np.random.default_rng(seed_of(f"{target} {fp32}"))
    base, exponent = patterns(rng, 4096), patterns(rng, 4096)
    exponent[1024:] = rng.integers(-20, 21, 3072) / 2
    exponent[1024:2048] = np.rint(exponent[1024:2048])
    operands = [base, exponent]
    if not fp32:
        with np.errstate(invalid="ignore"):
            operands = [x.astype(BF16) for x in operands]
    compare("power", operands, target, fp32, False, "f32" if fp32 else "bf16")


@TARGETS
def test_multiply_add(target: str) -> None:
    """The sums and products of f32 that the vector engine has for itself, special values too."""
    rng = np.random.default_rng(seed_of(target))
    x, y = patterns(rng, 1 << 14), patterns(rng, 1 << 14)
    half = x.size // 2
    near = bits_of(x[:half]) + rng.integers(-9, 10, half)
    y[:half] = from_bits((near ^ rng.choice([0, 1 << 31], half)) & 0xFFFFFFFF, "f32")
    config = VectorEngine(target == "n150", True)
    for name, method in (("add", config.add), ("mul", config.mul)):
        found = apply(name, [x, y], target, True, False, "f32")
        check(found, pack(method(bits_of(x), bits_of(y)), "f32"))


@pytest.mark.parametrize("wormhole", [False, True], ids=["p150", "n150"])
def test_fused_sums(wormhole: bool) -> None:
    """The model where rounding once and rounding the product first differ: operands of which the
    engine keeps what lies within three bits, and loses the rest."""
    config = VectorEngine(wormhole, True)
    one, ulp = 1 + 2.0**-23, 2.0**-23

    def mad(a: float, b: float, c: float) -> float:
        words = [bits_of(np.array([v], np.float32)) for v in (a, b, c)]
        return float(config.mad(*words).astype(np.uint32).view(np.float32)[0])

    # (1 + u)^2 = 1 + 2u + u^2: of u^2, 2^-46, a trace remains in 2^-26.
    assert mad(one, one, -1 - 2 * ulp) == 2.0**-26
    assert mad(one, one, 0) == 1 + 2 * ulp
    # What is shifted out entirely leaves no trace: half of a unit stays a tie.
    assert mad(1 + 2.0**-12, 1 + 2.0**-12, 2.0**-60) == 1 + 2.0**-11
    assert mad(3, 2.0**100, -np.inf) == -np.inf
    # The product alone overflows; Wormhole calls its sum with an infinity NaN.
    lost = mad(2.0**100, 2.0**100, -np.inf)
    assert np.isnan(lost) if wormhole else lost == -np.inf
    assert mad(2.0**-100, 2.0**-100, 1) == 1
    assert np.copysign(1, mad(-0.0, 1, -0.0)) == (1 if wormhole else -1)


def rounded(value: Fraction) -> float:
    """To f32, ties to even, from the exact value."""
    if value == 0:
        return 0.0
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (exponent - 23)
    return float(round(value / unit) * unit)


@pytest.mark.parametrize("wormhole", [False, True], ids=["p150", "n150"])
def test_sums_that_do_not_cancel(wormhole: bool) -> None:
    """The model against fractions: three bits are enough for right rounding where the product is
    exact in them and both terms have one sign, except that Wormhole forgets the second last bit of
    sums that it shifts by two."""
    rng = np.random.default_rng(seed_of("fractions"))
    a, b = np.ldexp(rng.integers(1 << 12, 1 << 13, (2, 2000)), -12).astype(np.float32)
    c = np.ldexp(rng.uniform(1, 2, 2000), rng.integers(-20, 20, 2000)).astype(np.float32)
    found = VectorEngine(wormhole, True).mad(bits_of(a), bits_of(b), bits_of(c))
    exact = [
        Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        for x, y, z in zip(a, b, c, strict=True)
    ]
    expected = np.array([rounded(value) for value in exact], np.float32)
    tops = np.maximum(1, np.exp2(np.floor(np.log2(c))))
    twice = [value >= 4 * top for value, top in zip(exact, tops, strict=True)]
    wrong = np.flatnonzero(bits_of(expected) != found)
    assert all(wormhole and twice[i] for i in wrong)


def library(backend: str, x: Array, fp32: bool, approx: bool) -> list[Array]:
    """All functions in one program."""
    builder = ttmlir.Builder()
    operand = builder.input("x", x.shape, x.dtype.name)
    names = [name for name in PROGRAMS if name != "square"]
    builder.output(*(getattr(builder, name)(operand) for name in names))
    options: dict[str, Any] = {"fp32_dest_acc_en": fp32, "math_approx_mode": approx}
    exe = ttmlir.compile(builder, backend=backend, target="n150", **options)
    return list(map(np.asarray, run_exact(exe, x)))


@DESTINATIONS
@MODES
@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_library(backend: str, approx: bool, fp32: bool) -> None:
    """Calls of the library and generated kernels run the same programs."""
    rng = np.random.default_rng(seed_of(f"{approx} {fp32}"))
    x = rng.choice(EVERY_BF16, (32, 64))
    config = VectorPrograms(True, fp32, approx)
    names = [name for name in PROGRAMS if name != "square"]
    for name, found in zip(names, library(backend, x, fp32, approx), strict=True):
        check(found, model(name, config, x, out="bf16"))
