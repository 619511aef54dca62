"""TOSA's elementwise ops, compiled and run, against NumPy and JAX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
import programs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import check, function, random, run, tensor, wide

FLOATS = ("f32", "bf16")

UNARY: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    # The op, what it computes, and the inputs that it is defined for.
    "abs": (np.abs, lambda x: x),
    "ceil": (np.ceil, lambda x: x),
    "cos": (np.cos, lambda x: np.clip(x, -3, 3)),
    "erf": (jax.lax.erf, lambda x: x),
    "exp": (np.exp, lambda x: np.clip(x, -20, 20)),
    "floor": (np.floor, lambda x: x),
    "log": (np.log, lambda x: np.abs(x) + 2),
    "reciprocal": (np.reciprocal, lambda x: np.where(np.abs(x) < 0.1, 1, x)),
    "rsqrt": (lambda x: 1 / np.sqrt(x), lambda x: np.abs(x) + 0.1),
    "sigmoid": (jax.nn.sigmoid, lambda x: np.clip(x, -10, 10)),
    "sin": (np.sin, lambda x: np.clip(x, 0.1, 3)),
    "tanh": (np.tanh, lambda x: x),
}
BINARY: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "sub": np.subtract,
}
COMPARISONS = {"equal": np.equal, "greater": np.greater, "greater_equal": np.greater_equal}
LOGICAL = {
    "logical_and": np.logical_and,
    "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
}
BITWISE = {
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
}


def op(name: str, inputs: Sequence[str], result: str, attributes: str = "") -> str:
    names = ", ".join(f"%{'abc'[i]}" for i in range(len(inputs)))
    text = f"%r = tosa.{name} {names}{attributes} : ({', '.join(inputs)}) -> {result}"
    return function(inputs, [text], [result])


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("name", UNARY)
def test_unary(name: str, element: str) -> None:
    reference, domain = UNARY[name]
    x = random(np.random.default_rng(0), (5, 33), element)
    x = domain(wide(x)).astype(programs.ELEMENTS[element])
    got = run(op(name, [tensor(x.shape, element)], tensor(x.shape, element)), x)
    check(got, reference(wide(x)), element, steps=2)


@st.composite
def broadcast_shapes(draw: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two shapes of one rank that broadcast."""
    shape = draw(st.lists(st.integers(1, 40), min_size=1, max_size=4))
    ones = draw(st.lists(st.sampled_from("ab "), min_size=len(shape), max_size=len(shape)))
    both = list(zip(shape, ones, strict=True))
    return (
        tuple(1 if one == "a" else extent for extent, one in both),
        tuple(1 if one == "b" else extent for extent, one in both),
    )


@settings(max_examples=6, deadline=None, derandomize=True)
@given(shapes=broadcast_shapes(), element=st.sampled_from((*FLOATS, "i32")))
@pytest.mark.parametrize("name", BINARY)
def test_binary(name: str, shapes: tuple[Any, Any], element: str) -> None:
    rng = np.random.default_rng(1)
    a, b = (random(rng, shape, element) for shape in shapes)
    result = np.broadcast_shapes(*shapes)
    text = op(name, [tensor(s, element) for s in shapes], tensor(result, element))
    check(run(text, a, b), BINARY[name](wide(a), wide(b)), element)


@settings(max_examples=4, deadline=None, derandomize=True)
@given(shapes=broadcast_shapes(), element=st.sampled_from((*FLOATS, "i32")))
def test_mul(shapes: tuple[Any, Any], element: str) -> None:
    rng = np.random.default_rng(2)
    a, b = (random(rng, shape, element) for shape in shapes)
    types = [tensor(s, element) for s in shapes]
    result = tensor(np.broadcast_shapes(*shapes), element)
    body = [
        '%shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>',
        f"%r = tosa.mul %a, %b, %shift : ({', '.join(types)}, tensor<1xi8>) -> {result}",
    ]
    check(run(function(types, body, [result]), a, b), wide(a) * wide(b), element)


@pytest.mark.parametrize("element", FLOATS)
def test_pow(element: str) -> None:
    rng = np.random.default_rng(3)
    dtype = programs.ELEMENTS[element]
    a = rng.uniform(0.1, 4, (8, 40)).astype(dtype)
    b = rng.uniform(-3, 3, (8, 40)).astype(dtype)
    types = [tensor(a.shape, element)] * 2
    check(run(op("pow", types, types[0]), a, b), np.power(wide(a), wide(b)), element, steps=8)


@pytest.mark.parametrize("element", [*FLOATS, "i32"])
@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons(name: str, element: str) -> None:
    rng = np.random.default_rng(4)
    a, b = random(rng, (7, 40), element), random(rng, (7, 40), element)
    b[::2] = a[::2]
    if element == "f32":
        a[0, 0] = np.nan
    types = [tensor(a.shape, element)] * 2
    check(run(op(name, types, tensor(a.shape, "i1")), a, b), COMPARISONS[name](a, b), "i1")


@pytest.mark.parametrize("name", LOGICAL)
def test_logical(name: str) -> None:
    rng = np.random.default_rng(5)
    a, b = random(rng, (7, 40), "i1"), random(rng, (7, 40), "i1")
    types = [tensor(a.shape, "i1")] * 2
    check(run(op(name, types, types[0]), a, b), LOGICAL[name](a, b), "i1")


def test_logical_not() -> None:
    a = random(np.random.default_rng(6), (7, 40), "i1")
    check(run(op("logical_not", [tensor(a.shape, "i1")], tensor(a.shape, "i1")), a), 1 - a, "i1")


@pytest.mark.parametrize("name", BITWISE)
def test_bitwise(name: str) -> None:
    rng = np.random.default_rng(7)
    a, b = (rng.integers(-(2**31), 2**31, (7, 40)).astype(np.int32) for _ in "ab")
    types = [tensor(a.shape, "i32")] * 2
    check(run(op(name, types, types[0]), a, b), BITWISE[name](a, b), "i32")


def test_bitwise_not() -> None:
    a = np.random.default_rng(8).integers(-(2**31), 2**31, (7, 40)).astype(np.int32)
    check(run(op("bitwise_not", [tensor(a.shape, "i32")], tensor(a.shape, "i32")), a), ~a, "i32")


def test_intdiv_truncates() -> None:
    a = np.array([7, -7, 7, -7, 2**31 - 1, -(2**31)], np.int32)
    b = np.array([2, 2, -2, -2, 3, 7], np.int32)
    types = [tensor(a.shape, "i32")] * 2
    want = np.trunc(a.astype(np.float64) / b).astype(np.int32)
    check(run(op("intdiv", types, types[0]), a, b), want, "i32")


SHIFTS: dict[str, Callable[..., Any]] = {
    "logical_left_shift": lambda x, n: (x.view(np.uint32) << np.uint32(n)).view(np.int32),
    "logical_right_shift": lambda x, n: (x.view(np.uint32) >> np.uint32(n)).view(np.int32),
    "arithmetic_right_shift {round = false}": lambda x, n: x >> n,
    # The last bit that falls out counts as a half.
    "arithmetic_right_shift {round = true}": lambda x, n: (
        (x >> n) + ((x >> (n - 1)) & 1 if n else 0)
    ),
}


@pytest.mark.parametrize("count", [0, 1, 7, 30, 31])
@pytest.mark.parametrize("name", SHIFTS)
def test_shifts(name: str, count: int) -> None:
    x = np.random.default_rng(12).integers(-(2**31), 2**31, (7, 40)).astype(np.int32)
    x[0, :6] = [0, 1, -1, 2**31 - 1, -(2**31), -(2**31) + 1]
    op_name, _, attributes = name.partition(" ")
    t = tensor(x.shape, "i32")
    body = [
        f'%n = "tosa.const"() <{{values = dense<{count}> : tensor<1x1xi32>}}> : '
        "() -> tensor<1x1xi32>",
        f"%r = tosa.{op_name} %a, %n {attributes} : ({t}, tensor<1x1xi32>) -> {t}",
    ]
    check(run(function([t], body, [t]), x), SHIFTS[name](x, np.int32(count)), "i32")


def test_shifts_by_tensors_and_leading_zeros() -> None:
    rng = np.random.default_rng(13)
    x = rng.integers(-(2**31), 2**31, (7, 40)).astype(np.int32)
    n = rng.integers(0, 32, (7, 40)).astype(np.int32)
    x[0, :3] = 0, -1, 1
    types = [tensor(x.shape, "i32")] * 2
    for name, reference in SHIFTS.items():
        op_name, _, attributes = name.partition(" ")
        if "round = true" in name:
            expected = (x >> n) + np.where(n > 0, (x >> np.maximum(n - 1, 0)) & 1, 0)
        elif "arithmetic" in name:
            expected = x >> n
        else:
            expected = reference(x, n.astype(np.uint32))
        text = op(op_name, types, types[0], f" {attributes}" if attributes else "")
        check(run(text, x, n), expected.astype(np.int32), "i32")
    want = 32 - np.frexp(x.view(np.uint32).astype(np.float64))[1]
    check(run(op("clz", types[:1], types[0]), x), want.astype(np.int32), "i32")


@pytest.mark.parametrize("element", FLOATS)
def test_select(element: str) -> None:
    rng = np.random.default_rng(9)
    c = random(rng, (7, 1), "i1")
    a, b = random(rng, (7, 40), element), random(rng, (1, 40), element)
    types = [tensor(c.shape, "i1"), tensor(a.shape, element), tensor(b.shape, element)]
    text = op("select", types, tensor(a.shape, element))
    check(run(text, c, a, b), np.where(c != 0, wide(a), wide(b)), element)


@pytest.mark.parametrize(
    ("element", "low", "high"),
    [
        ("f32", -1.5, 2.5),
        ("f32", 0.0, np.inf),
        ("bf16", 0.0, 6.0),
        ("i32", -100, 16777217),
        ("i32", -(2**31), 2**31 - 1),
    ],
)
def test_clamp(element: str, low: float, high: float) -> None:
    a = random(np.random.default_rng(10), (7, 40), element)
    if element == "i32":
        a[0, :2] = (2**31 - 1, -(2**31))

    def bound(value: float) -> str:
        return f"{value} : i32" if element == "i32" else number(value, element)

    attributes = f" {{min_val = {bound(low)}, max_val = {bound(high)}}}"
    text = op("clamp", [tensor(a.shape, element)], tensor(a.shape, element), attributes)
    check(run(text, a), np.clip(wide(a), low, high), element)


def number(value: float, element: str) -> str:
    if np.isinf(value):
        return {"f32": "0x7F800000", "bf16": "0x7F80"}[element] + f" : {element}"
    return f"{value} : {element}"


@pytest.mark.parametrize("name", ["maximum", "minimum"])
@pytest.mark.parametrize("mode", ["PROPAGATE", "IGNORE"])
def test_nan_mode(name: str, mode: str) -> None:
    a = np.array([1.0, np.nan, 3.0, np.nan], np.float32)
    b = np.array([2.0, 5.0, np.nan, np.nan], np.float32)
    types = ["tensor<4xf32>"] * 2
    got = run(op(name, types, types[0], f" {{nan_mode = {mode}}}"), a, b)
    reference = {
        ("maximum", "PROPAGATE"): np.maximum,
        ("maximum", "IGNORE"): np.fmax,
        ("minimum", "PROPAGATE"): np.minimum,
        ("minimum", "IGNORE"): np.fmin,
    }[name, mode]
    check(got, reference(a, b), "f32")


CASTS: list[tuple[str, str, Any, Any]] = [
    ("f32", "bf16", [1.0, 1 / 3, -1e30], None),
    ("bf16", "f32", [1.0, 1 / 3, -1e30], None),
    # Halves go to the even number, what does not fit to the nearest that does.
    (
        "f32",
        "i32",
        [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997, 8388609.0, 3e9, -3e9, np.nan],
        [0, 2, 2, 0, -2, -2, 0, 8388609, 2**31 - 1, -(2**31), 0],
    ),
    ("bf16", "i32", [0.5, 1.5, 2.5, -2.5, 200.0], [0, 2, 2, -2, 200]),
    ("i32", "f32", [0, -7, 16777216, 16777217, 2**31 - 1], None),
    ("f32", "i1", [0.0, -0.0, 1e-30, 2.0, np.nan], [0, 0, 1, 1, 1]),
    ("i32", "i1", [0, 1, -5], [0, 1, 1]),
    ("i1", "f32", [0, 1], None),
    ("i1", "i32", [0, 1], None),
]


@pytest.mark.parametrize(("source", "target", "values", "want"), CASTS)
def test_cast(source: str, target: str, values: Any, want: Any) -> None:
    x = np.array(values).astype(programs.ELEMENTS[source])
    expected = x.astype(programs.ELEMENTS[target]) if want is None else np.array(want)
    text = op("cast", [tensor(x.shape, source)], tensor(x.shape, target))
    got = run(text, x)
    np.testing.assert_array_equal(wide(got), wide(expected.astype(got.dtype)))
    assert got.dtype == programs.ELEMENTS[target]


@pytest.mark.parametrize("element", FLOATS)
def test_negate(element: str) -> None:
    a = random(np.random.default_rng(11), (7, 40), element)
    t = tensor(a.shape, element)
    body = [
        f'%z = "tosa.const"() <{{values = dense<0.0> : tensor<1x{element}>}}> : '
        f"() -> tensor<1x{element}>",
        f"%r = tosa.negate %a, %z, %z : ({t}, tensor<1x{element}>, tensor<1x{element}>) -> {t}",
    ]
    check(run(function([t], body, [t]), a), -wide(a), element)


def test_rank_0() -> None:
    text = op("add", ["tensor<f32>"] * 2, "tensor<f32>")
    check(run(text, np.float32(2.0), np.float32(0.5)), np.float32(2.5), "f32")
