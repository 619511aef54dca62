"""Every elementwise operation against NumPy in float64: shapes, types, special values."""

from __future__ import annotations

import math
from collections.abc import Callable

import machine
import numpy as np
import pytest
import ttnn_file
from hypothesis import given, settings
from hypothesis import strategies as st
from machine import BF16
from scipy import special

from ttmlir import runtime

_erf = np.vectorize(math.erf, otypes=[float])
SCALE, ALPHA = 1.25, 1.5


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _round(x):
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1, x), whole)


def _left_shift(x, count):
    bits = 8 * x.itemsize
    inside = (count >= 0) & (count < bits)
    return np.where(inside, np.left_shift(x, np.where(inside, count, 0).astype(x.dtype)), 0)


def _right_shift(x, count):
    bits = 8 * x.itemsize
    inside = (count >= 0) & (count < bits)
    return x.astype(np.int64) >> np.where(inside, count, 63).astype(np.int64)


def _logical_right_shift(x, count):
    unsigned = x.astype(f"u{x.itemsize}")
    return _right_shift(unsigned, count.astype(np.int64))


def _popcount(x):
    return np.bitwise_count(x.astype(f"u{x.itemsize}"))


def _clz(x):
    unsigned = x.astype(f"u{x.itemsize}").astype(np.float64)
    return 8 * x.itemsize - np.frexp(unsigned)[1]  # the exponent of 0 is 0


# name: (function, lowest and highest operand)
UNARY: dict[str, tuple[Callable[[np.ndarray], np.ndarray], float, float]] = {
    "Relu": (lambda x: np.maximum(x, 0), -9, 9),
    "Sqrt": (np.sqrt, -1, 99),
    "Sigmoid": (_sigmoid, -30, 30),
    "Reciprocal": (lambda x: 1 / x, -9, 9),
    "Exp": (np.exp, -40, 40),
    "Abs": (np.abs, -9, 9),
    "Neg": (np.negative, -9, 9),
    "Typecast": (lambda x: x, -9, 9),
    "LogicalNot": (lambda x: (x == 0).astype(float), -9, 9),
    "Rsqrt": (lambda x: 1 / np.sqrt(x), -1, 99),
    "Log": (np.log, -1, 1e6),
    "Sin": (np.sin, -50, 50),
    "Cos": (np.cos, -50, 50),
    "Tan": (np.tan, -50, 50),
    "Tanh": (np.tanh, -9, 9),
    "Gelu": (lambda x: x / 2 * (1 + _erf(x / math.sqrt(2))), -4, 9),
    "Silu": (lambda x: x * _sigmoid(x), -30, 30),
    "Ceil": (np.ceil, -9, 9),
    "Floor": (np.floor, -9, 9),
    "Sign": (np.sign, -9, 9),
    "Cbrt": (np.cbrt, -99, 99),
    "Expm1": (np.expm1, -20, 20),
    "Log1p": (np.log1p, -2, 1e6),
    "IsFinite": (lambda x: np.isfinite(x).astype(float), -9, 9),
    "LeakyRelu": (lambda x: np.where(x >= 0, x, np.float64(np.float32(0.1)) * x), -9, 9),
    "Erf": (_erf, -5, 5),
    "Clamp": (lambda x: np.clip(x, -2.5, 3), -9, 9),
    "Asin": (np.arcsin, -1.2, 1.2),
    "Acos": (np.arccos, -1.2, 1.2),
    "Atan": (np.arctan, -20, 20),
    "Sinh": (np.sinh, -20, 20),
    "Cosh": (np.cosh, -20, 20),
    "Asinh": (np.arcsinh, -99, 99),
    "Acosh": (np.arccosh, 0, 99),
    "Atanh": (np.arctanh, -1.2, 1.2),
    "Erfc": (special.erfc, -4, 9),
    "Erfinv": (special.erfinv, -1.2, 1.2),
    "Lgamma": (lambda x: np.where(np.isinf(x), np.inf, special.gammaln(x)), 0, 99),
    "Digamma": (special.digamma, -20, 99),
    "Exp2": (np.exp2, -40, 40),
    "Round": (_round, -9, 9),
    "RoundEven": (np.rint, -9, 9),
    "Trunc": (np.trunc, -9, 9),
    "Frac": (lambda x: x - np.trunc(x), -9, 9),
    "SignBit": (lambda x: np.signbit(x).astype(float), -9, 9),
    "Square": (np.square, -9, 9),
    "HardSigmoid": (lambda x: np.clip(x + 3, 0, 6) / 6, -9, 9),
    "Relu6": (lambda x: np.clip(x, 0, 6), -9, 9),
    "SoftSign": (lambda x: x / (1 + np.abs(x)), -9, 9),
    "Selu": (lambda x: SCALE * np.where(x < 0, ALPHA * np.expm1(x), x), -9, 9),
    "Mish": (lambda x: x * np.tanh(np.logaddexp(x, 0)), -30, 30),
}
PARAMETERS = {"LeakyRelu": [0.1], "Clamp": [-2.5, 3.0], "Selu": [SCALE, ALPHA]}
BINARY: dict[str, tuple[Callable[[np.ndarray, np.ndarray], np.ndarray], float, float]] = {
    "Add": (np.add, -9, 9),
    "Multiply": (np.multiply, -9, 9),
    "Subtract": (np.subtract, -9, 9),
    "Div": (np.divide, -9, 9),
    "Maximum": (np.maximum, -9, 9),
    "Minimum": (np.minimum, -9, 9),
    "GreaterEqual": (np.greater_equal, -3, 3),
    "GreaterThan": (np.greater, -3, 3),
    "LessEqual": (np.less_equal, -3, 3),
    "LessThan": (np.less, -3, 3),
    "Equal": (np.equal, -3, 3),
    "NotEqual": (np.not_equal, -3, 3),
    "LogicalAnd": (np.logical_and, -2, 2),
    "LogicalOr": (np.logical_or, -2, 2),
    "LogicalXor": (np.logical_xor, -2, 2),
    "Remainder": (np.fmod, -9, 9),
    "Power": (np.power, -4, 4),
    "Atan2": (np.arctan2, -9, 9),
}
WHOLE = {"GreaterEqual", "GreaterThan", "LessEqual", "LessThan", "Equal", "NotEqual"}
WHOLE |= {"LogicalAnd", "LogicalOr", "LogicalXor", "LogicalNot"}  # few values, so that some meet
BITWISE = {"BitwiseAnd": np.bitwise_and, "BitwiseOr": np.bitwise_or, "BitwiseXor": np.bitwise_xor}
SHIFTS = {
    "LogicalLeftShift": _left_shift,
    "RightShift": _right_shift,
    "LogicalRightShift": _logical_right_shift,
}
COUNTS = {"PopCount": _popcount, "Clz": _clz}
SPECIAL = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0])


def test_tables_name_every_operation():
    schema = (ttnn_file.SCHEMA / "TTNN" / "eltwise.fbs").read_text(encoding="utf-8")
    body = schema.split("enum EltwiseOpType: uint32 {")[1].split("}")[0]
    names = {line.split("=")[0].strip() for line in body.splitlines() if "=" in line}
    assert names == set(UNARY) | set(BINARY) | set(BITWISE) | {"Where", "BitwiseNot"} | set(
        SHIFTS
    ) | set(COUNTS)


def draw(rng, kind, low, high, shape, dtype, special):
    x = rng.uniform(low, high, size=shape)
    if kind in WHOLE:
        x = np.round(x)
    if special:
        x = np.where(rng.random(shape) < 0.2, rng.choice(SPECIAL, size=shape), x)
    return x.astype(machine.DTYPES[ttnn_file.host_dtype(dtype)])


def stored(program: ttnn_file.Program, tensor: dict, shape, dtype) -> dict:
    """What the device holds, as f32, appended to the program."""
    host = program.tensor(shape, ttnn_file.host_dtype(dtype))
    program.op("FromDeviceOp", **{"in": tensor}, out=host)
    return host


def all_at_once(table, dtype, shapes, out_shape, rng, special):
    """Runs every operation of a table in one program; yields name, operands as the device has them,
    and result."""
    program = ttnn_file.Program()
    arrays, moves, tensors = [], [], []
    for kind, (_, low, high) in table.items():
        ins = []
        for shape in shapes:
            arrays.append(draw(rng, kind, low, high, shape, dtype, special))
            host = program.input(program.tensor(shape, ttnn_file.host_dtype(dtype)))
            moved = program.dram(shape, dtype)
            moves.append((host, moved))
            ins.append(moved)
        tensors.append((kind, ins, program.dram(out_shape, dtype)))
    device = program.get_device()
    for host, moved in moves:
        program.op("ToDeviceOp", **{"in": host}, device=device, out=moved)
    for kind, ins, out in tensors:
        program.op("EltwiseOp", type=kind, ins=ins, out=out, parameters=PARAMETERS.get(kind, []))
        for tensor, shape in zip(ins, shapes, strict=True):
            program.outputs.append(stored(program, tensor, shape, dtype))
        program.outputs.append(stored(program, out, out_shape, dtype))
    found = iter(machine.run(program, *arrays))
    for kind, ins, _ in tensors:
        yield kind, [next(found) for _ in ins], next(found)


def check(table, dtype, shapes, out_shape, seed, special):
    rng = np.random.default_rng(seed)
    for kind, ins, out in all_at_once(table, dtype, shapes, out_shape, rng, special):
        with np.errstate(all="ignore"):
            exact = table[kind][0](*(x.astype(np.float64) for x in ins)).astype(np.float64)
            if dtype == "Float32":
                exact = exact.astype(np.float32).astype(np.float64)  # too large is infinity
        try:
            machine.close(out, exact, dtype)
        except AssertionError as error:
            raise AssertionError(f"{kind}: {error}") from None


SHAPES = st.lists(st.integers(1, 40), min_size=1, max_size=5).filter(
    lambda shape: math.prod(shape) <= 4000
)


@settings(max_examples=8, deadline=None)
@given(shape=SHAPES, dtype=st.sampled_from(["Float32", "BFloat16"]), seed=st.integers(0, 2**32))
def test_unary(shape, dtype, seed):
    check(UNARY, dtype, [tuple(shape)], tuple(shape), seed, special=True)


@settings(max_examples=3, deadline=None)
@given(shape=SHAPES, seed=st.integers(0, 2**32))
def test_unary_block_floats(shape, seed):
    narrow = {k: (f, max(low, -4), min(high, 4)) for k, (f, low, high) in UNARY.items()}
    for kind in ("Sqrt", "Rsqrt", "Log", "Log1p", "Reciprocal"):
        narrow[kind] = (narrow[kind][0], 0.5, 4)
    narrow["Acosh"] = (np.arccosh, 1, 4)
    for kind in ("Asin", "Acos", "Atanh", "Erfinv"):
        narrow[kind] = (narrow[kind][0], -0.9, 0.9)
    for kind in ("Lgamma", "Digamma"):
        narrow[kind] = (narrow[kind][0], 0.5, 4)
    del narrow["Tan"]  # poles leave nothing of the other elements of a block
    check(narrow, "BFP_BFloat8", [tuple(shape)], tuple(shape), seed, special=False)


@st.composite
def broadcasts(draw):
    shape = draw(SHAPES)
    shapes = []
    for _ in range(2):
        own = [n if draw(st.booleans()) else 1 for n in shape]
        shapes.append(tuple(own[draw(st.integers(0, len(own) - 1)) :]))
    return shapes, np.broadcast_shapes(*shapes)


@settings(max_examples=8, deadline=None)
@given(
    shapes=broadcasts(),
    dtype=st.sampled_from(["Float32", "BFloat16"]),
    seed=st.integers(0, 2**32),
)
def test_binary(shapes, dtype, seed):
    check(BINARY, dtype, *shapes, seed, special=True)


def test_binary_block_floats():
    table = {k: v for k, v in BINARY.items() if k not in ("Div", "Power", "Remainder")}
    check(table, "BFP_BFloat8", [(40, 70), (70,)], (40, 70), 3, special=False)


INTEGERS = ["UInt8", "UInt16", "UInt32", "Int8", "Int16", "Int32"]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers(dtype, rng):
    """Arithmetic wraps, and what has no remainder of its own is NumPy's in the type."""
    numpy_type = machine.DTYPES[dtype]
    limits = np.iinfo(numpy_type)
    a, b = rng.integers(limits.min, limits.max, (2, 33, 40), dtype=numpy_type, endpoint=True)
    a[0, :8], b[1, :8] = b[0, :8], np.arange(1, 9)
    b[b == 0] = 1
    for kind, (function, _, _) in BINARY.items():
        if kind == "Atan2":
            continue
        if kind == "Power":
            exponents = (b & 7).astype(numpy_type)
            out = run_eltwise(kind, a, exponents)
            np.testing.assert_array_equal(out, np.power(a, exponents))
            continue
        with np.errstate(over="ignore"):
            expected = function(a, b)
            if kind == "Div":
                expected = np.trunc(a.astype(np.float64) / b).astype(np.int64)
        np.testing.assert_array_equal(run_eltwise(kind, a, b), expected.astype(numpy_type), kind)
    for kind, function in BITWISE.items():
        np.testing.assert_array_equal(run_eltwise(kind, a, b), function(a, b))
    np.testing.assert_array_equal(run_eltwise("BitwiseNot", a), np.bitwise_not(a))
    np.testing.assert_array_equal(run_eltwise("LogicalNot", a), (a == 0).astype(numpy_type))
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(run_eltwise("Neg", a), np.negative(a))
        np.testing.assert_array_equal(run_eltwise("Abs", a), np.abs(a))
        np.testing.assert_array_equal(run_eltwise("Square", a), np.square(a))
    np.testing.assert_array_equal(run_eltwise("Sign", a), np.sign(a))
    np.testing.assert_array_equal(run_eltwise("SignBit", a), (a < 0).astype(numpy_type))
    np.testing.assert_array_equal(run_eltwise("Relu", a), np.maximum(a, 0))
    np.testing.assert_array_equal(run_eltwise("Relu6", a), np.clip(a, 0, 6))
    for kind in ("Ceil", "Floor", "Round", "RoundEven", "Trunc"):
        np.testing.assert_array_equal(run_eltwise(kind, a), a)
    np.testing.assert_array_equal(run_eltwise("Frac", a), np.zeros_like(a))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_bits(dtype, rng):
    """Shifts by any count, and counts of bits, in the width of the format."""
    numpy_type = machine.DTYPES[dtype]
    limits = np.iinfo(numpy_type)
    a = rng.integers(limits.min, limits.max, (33, 40), dtype=numpy_type, endpoint=True)
    a = a >> rng.integers(0, limits.bits, a.shape).astype(numpy_type)
    a[0, :3] = 0, limits.min, limits.max
    counts = rng.integers(max(limits.min, -9), limits.bits + 9, a.shape).astype(numpy_type)
    counts[1, :3] = limits.min, limits.max, limits.bits
    for kind, function in SHIFTS.items():
        expected = function(a, counts).astype(numpy_type)
        np.testing.assert_array_equal(run_eltwise(kind, a, counts), expected, kind)
    for kind, function in COUNTS.items():
        expected = function(a).astype(numpy_type)
        np.testing.assert_array_equal(run_eltwise(kind, a), expected, kind)
        # In another format, too, they are of the bits that the element has.
        np.testing.assert_array_equal(run_eltwise(kind, a, dtype="Int32"), expected, kind)


def run_eltwise(kind: str, *arrays: np.ndarray, dtype: str | None = None, **options) -> np.ndarray:
    shape = np.broadcast_shapes(*(a.shape for a in arrays))
    names = [machine.NAMES[a.dtype] for a in arrays]

    def emit(program, ins, out, device):
        program.op("EltwiseOp", type=kind, ins=ins, out=out, parameters=PARAMETERS.get(kind, []))

    program = machine.op_program(
        [a.shape for a in arrays], shape, emit, dtypes=names, out_dtype=dtype or names[0], **options
    )
    return machine.run(program, *arrays)[0]


@pytest.mark.parametrize("kind", sorted(WHOLE - {"LogicalNot"}))
@pytest.mark.parametrize("out", ["UInt8", "UInt32", "BFloat16"])
def test_truth_in_another_type(kind, out, rng):
    """The result is 0 or 1 whatever its type: operands meet in their own."""
    a, b = np.round(rng.uniform(-3, 3, (2, 40, 50)) * 2) / 2
    for numpy_type in (np.float32, BF16):
        x, y = a.astype(numpy_type), b.astype(numpy_type)
        expected = BINARY[kind][0](a, b)
        np.testing.assert_array_equal(run_eltwise(kind, x, y, dtype=out).astype(float), expected)
    halves = np.array([[0.5, -0.5, 0.0, np.nan]], np.float32)
    np.testing.assert_array_equal(run_eltwise("LogicalNot", halves, dtype="UInt8"), [[0, 0, 1, 0]])
    np.testing.assert_array_equal(run_eltwise("IsFinite", halves, dtype="UInt8"), [[1, 1, 1, 0]])


def test_mixed_types(rng):
    """A float among them makes it f32; integers compute in 32 bits, signed if one is."""
    small = rng.integers(0, 255, (33, 40), dtype=np.uint8)
    signed = rng.integers(-99, 99, (33, 40), dtype=np.int32)
    half = rng.normal(size=(33, 40)).astype(BF16)
    np.testing.assert_array_equal(
        run_eltwise("Subtract", small, small[::-1].copy(), dtype="Int32"),
        small.astype(np.int32) - small[::-1],
    )
    np.testing.assert_array_equal(
        run_eltwise("Maximum", small, signed, dtype="Int32"), np.maximum(small, signed)
    )
    np.testing.assert_array_equal(
        run_eltwise("LessThan", small, signed, dtype="UInt8"), small < signed
    )
    np.testing.assert_array_equal(
        run_eltwise("Add", small, half, dtype="Float32"),
        small.astype(np.float32) + half.astype(np.float32),
    )
    with pytest.raises(runtime.RuntimeError, match="expected integer tensors, found bf16"):
        run_eltwise("BitwiseAnd", half, half)


@settings(max_examples=8, deadline=None)
@given(
    shapes=broadcasts(),
    dtype=st.sampled_from(["Float32", "BFloat16", "Int32", "UInt8"]),
    test=st.sampled_from(["Float32", "BFloat16", "UInt8", "UInt16", "Int32"]),
    tiled=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_where(shapes, dtype, test, tiled, seed):
    rng = np.random.default_rng(seed)
    (first, second), shape = shapes
    condition = rng.integers(0, 2, first).astype(machine.DTYPES[test])
    if test in ("Float32", "BFloat16"):
        condition = np.where(rng.random(first) < 0.2, np.nan, condition / 4)
        condition = condition.astype(machine.DTYPES[test])
    elif test != "UInt8":
        condition = condition * 256  # the low byte is not all
    a = rng.integers(0, 200, second).astype(machine.DTYPES[dtype])
    b = rng.integers(0, 200, shape[-1:]).astype(machine.DTYPES[dtype])
    layouts = [{"tiled": tiled}] * 3
    out = run_eltwise(
        "Where", condition, a, b, dtype=dtype, layouts=layouts, out_layout={"tiled": tiled}
    )
    np.testing.assert_array_equal(
        out, np.broadcast_to(np.where(condition.astype(float) != 0, a, b), out.shape)
    )


TYPES = ["Float32", "Float16", "BFloat16", *INTEGERS]


@pytest.mark.parametrize("source", TYPES)
@pytest.mark.parametrize("target", TYPES)
def test_typecast(source, target, rng):
    """Floats truncate to integers and saturate there, NaN is 0; integers keep their low bits."""
    low, high = (0, 2**32) if source.startswith("U") else (-(2**31), 2**31)
    if source == "Float16":
        low, high = -65000, 65000
    x = rng.uniform(low, high, (40, 50)) / rng.choice([1, 2**8, 2**16, 2**24], (40, 50))
    if source in INTEGERS:
        x = x.astype(np.int64)
    x = x.astype(machine.DTYPES[source])
    if source not in INTEGERS:
        x[0, :3] = [np.nan, np.inf, -np.inf]
    out = run_eltwise("Typecast", x, dtype=target)
    if source in INTEGERS and target in INTEGERS:
        np.testing.assert_array_equal(out, x.astype(machine.DTYPES[target]))
        return
    exact = x.astype(np.float64)
    if target in INTEGERS:
        limits = np.iinfo(machine.DTYPES[target])
        exact = np.clip(np.where(np.isnan(exact), 0, np.trunc(exact)), limits.min, limits.max)
        np.testing.assert_array_equal(out, exact.astype(machine.DTYPES[target]))
        return
    bits, tiny = {"Float32": (24, 0), "Float16": (11, 2**-25), "BFloat16": (8, 0)}[target]
    if target == "Float16":
        exact = np.where(np.abs(exact) >= 65520, np.copysign(np.inf, exact), exact)
    np.testing.assert_allclose(out.astype(np.float64), exact, rtol=2.0**-bits, atol=tiny)


@pytest.mark.parametrize(
    ("kind", "parameters", "expected"),
    [
        ("Clamp", [1.0], "expected 2 parameters, found 1"),
        ("LeakyRelu", [], "expected 1 parameters, found 0"),
        ("Exp", [1.0], "expected 0 parameters, found 1"),
    ],
)
def test_wrong_parameters(kind, parameters, expected):
    def emit(program, ins, out, device):
        program.op("EltwiseOp", type=kind, ins=ins, out=out, parameters=parameters)

    with pytest.raises(runtime.RuntimeError, match=expected):
        machine.load(machine.op_program([(4, 4)], (4, 4), emit))
