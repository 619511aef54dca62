"""linalg on tensors, compiled and run, against NumPy and JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import programs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import lax
from programs import Array, check, function, random, run, tensor, wide

import ttmlir

FLOATS = ("f32", "bf16")
LETTERS = "ijklmn"


def affine_map(loops: str, indices: list[str]) -> str:
    return f"affine_map<({', '.join(loops)}) -> ({', '.join(indices)})>"


def generic(
    inputs: list[tuple[list[str], Array, str]],
    output: tuple[str, tuple[int, ...], str],
    body: list[str],
    kinds: str = "",
    init: str = "tensor.empty()",
) -> Any:
    """Runs a ``linalg.generic``: inputs with their indices, the output's loops.

    ``body`` computes %v from %x0, %x1, .. and %acc.
    """
    loops, shape, element = output
    kinds = kinds or "p" * len(loops)
    types = [tensor(x.shape, e) for _, x, e in inputs]
    result_loops = [loop for loop, kind in zip(loops, kinds, strict=True) if kind == "p"]
    result = tensor(shape, element)
    maps = [affine_map(loops, indices) for indices, _, _ in inputs]
    maps.append(affine_map(loops, result_loops))
    iterators = ", ".join('"parallel"' if k == "p" else '"reduction"' for k in kinds)
    arguments = ", ".join(f"%x{i}: {e}" for i, (_, _, e) in enumerate(inputs))
    names = ", ".join(f"%{'abcdefgh'[i]}" for i in range(len(inputs)))
    ins = f"ins({names} : {', '.join(types)}) " if inputs else ""
    comma = ", " if inputs else ""
    lines = [
        f"%init = {init} : {result}",
        f"%r = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
        f"iterator_types = [{iterators}]}} {ins}outs(%init : {result}) {{",
        f"^bb0({arguments}{comma}%acc: {element}):",
        *body,
        f"linalg.yield %v : {element}",
        f"}} -> {result}",
    ]
    # A tensor of rank 0 has one element on the device.
    arrays = [x for _, x, _ in inputs]
    return run(function(types, lines, [result]), *arrays)


def elementwise(body: list[str], inputs: list[Array], element: str, result: str = "") -> Any:
    """A body on tensors of one shape."""
    shape = inputs[0].shape
    loops = LETTERS[: len(shape)]
    return generic(
        [(list(loops), x, element) for x in inputs], (loops, shape, result or element), body
    )


positive = np.abs
UNARY: dict[str, tuple[Callable[..., Any], Callable[..., Any], float]] = {
    # The op, what it computes, the inputs that it is defined for, and how many roundings it has.
    "arith.negf": (np.negative, lambda x: x, 1),
    "math.absf": (np.abs, lambda x: x, 1),
    "math.acos": (np.arccos, lambda x: np.clip(x, -1, 1), 2),
    "math.acosh": (np.arccosh, lambda x: np.abs(x) + 1, 2),
    "math.asin": (np.arcsin, lambda x: np.clip(x, -1, 1), 2),
    "math.asinh": (np.arcsinh, lambda x: x, 2),
    "math.atan": (np.arctan, lambda x: x, 2),
    "math.atanh": (np.arctanh, lambda x: np.clip(x, -0.9, 0.9), 2),
    "math.cbrt": (np.cbrt, lambda x: x, 3),
    "math.ceil": (np.ceil, lambda x: x, 1),
    "math.cos": (np.cos, lambda x: np.clip(x, -1.4, 1.4), 2),
    "math.cosh": (np.cosh, lambda x: np.clip(x, -5, 5), 2),
    "math.erf": (lax.erf, lambda x: x, 2),
    "math.erfc": (lax.erfc, lambda x: x, 2),
    "math.exp": (np.exp, lambda x: np.clip(x, -9, 9), 4),
    "math.exp2": (np.exp2, lambda x: np.clip(x, -9, 9), 2),
    "math.expm1": (np.expm1, lambda x: np.clip(x, -9, 9), 4),
    "math.floor": (np.floor, lambda x: x, 1),
    "math.log": (np.log, lambda x: np.abs(x) + 2, 2),
    "math.log10": (np.log10, lambda x: np.abs(x) + 2, 3),
    "math.log1p": (np.log1p, lambda x: np.abs(x), 2),
    "math.log2": (np.log2, lambda x: np.abs(x) + 2, 3),
    "math.round": (lambda x: np.trunc(x + np.copysign(0.5, x)), lambda x: x, 1),
    "math.roundeven": (np.rint, lambda x: x, 1),
    "math.rsqrt": (lambda x: 1 / np.sqrt(x), lambda x: np.abs(x) + 0.1, 2),
    "math.sin": (np.sin, lambda x: np.clip(x, 0.1, 3), 2),
    "math.sinh": (np.sinh, lambda x: np.clip(x, -5, 5), 2),
    "math.sqrt": (np.sqrt, np.abs, 1),
    "math.tan": (np.tan, lambda x: np.clip(x, -1.4, 1.4), 8),
    "math.tanh": (np.tanh, lambda x: x, 2),
    "math.trunc": (np.trunc, lambda x: x, 1),
}


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("name", UNARY)
def test_unary_bodies(name: str, element: str) -> None:
    reference, domain, steps = UNARY[name]
    x = random(np.random.default_rng(0), (5, 33), element)
    x[0, :6] = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5])
    x = domain(wide(x)).astype(programs.ELEMENTS[element])
    got = elementwise([f"%v = {name} %x0 : {element}"], [x], element)
    check(got, reference(wide(x)), element, steps=steps)


def test_rounding_of_what_is_almost_a_half() -> None:
    x = np.array([0.49999997, -0.49999997, 8388609.0, 4194304.5, np.inf, -np.inf], np.float32)
    want = np.array([0, -0.0, 8388609.0, 4194305.0, np.inf, -np.inf], np.float32)
    check(elementwise(["%v = math.round %x0 : f32"], [x], "f32"), want, "f32")
    want[3] = 4194304.0
    check(elementwise(["%v = math.roundeven %x0 : f32"], [x], "f32"), want, "f32")


BINARY: dict[str, Callable[..., Any]] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
    "arith.remf": np.fmod,
}


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("name", BINARY)
def test_binary_bodies(name: str, element: str) -> None:
    rng = np.random.default_rng(1)
    a, b = random(rng, (5, 33), element), random(rng, (5, 33), element)
    b = np.where(wide(b) == 0, 1, wide(b)).astype(b.dtype)
    got = elementwise([f"%v = {name} %x0, %x1 : {element}"], [a, b], element)
    check(got, BINARY[name](wide(a), wide(b)), element, scale=2000 if "rem" in name else 0)


INTEGERS: dict[str, Callable[..., Any]] = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.divsi": lambda a, b: np.trunc(a.astype(np.float64) / b).astype(np.int32),
    "arith.remsi": np.fmod,
    "arith.maxsi": np.maximum,
    "arith.minsi": np.minimum,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
}


@pytest.mark.parametrize("name", INTEGERS)
def test_integer_bodies(name: str) -> None:
    rng = np.random.default_rng(2)
    a = rng.integers(-(2**31), 2**31, (5, 33)).astype(np.int32)
    b = rng.integers(1, 2**20, (5, 33)).astype(np.int32) * rng.choice([-1, 1], (5, 33))
    got = elementwise([f"%v = {name} %x0, %x1 : i32"], [a, b.astype(np.int32)], "i32")
    with np.errstate(over="ignore"):
        check(got, INTEGERS[name](a, b.astype(np.int32)), "i32")


NAN = np.float32(np.nan)
PREDICATES: dict[str, Callable[..., Any]] = {
    "oeq": lambda a, b: a == b,
    "ogt": lambda a, b: a > b,
    "oge": lambda a, b: a >= b,
    "olt": lambda a, b: a < b,
    "ole": lambda a, b: a <= b,
    "one": lambda a, b: (a < b) | (a > b),
    "ord": lambda a, b: ~(np.isnan(a) | np.isnan(b)),
    "ueq": lambda a, b: ~((a < b) | (a > b)),
    "ugt": lambda a, b: ~(a <= b),
    "uge": lambda a, b: ~(a < b),
    "ult": lambda a, b: ~(a >= b),
    "ule": lambda a, b: ~(a > b),
    "une": lambda a, b: a != b,
    "uno": lambda a, b: np.isnan(a) | np.isnan(b),
    "true": lambda a, b: np.ones_like(a, bool),
    "false": lambda a, b: np.zeros_like(a, bool),
}


@pytest.mark.parametrize("predicate", PREDICATES)
def test_comparisons(predicate: str) -> None:
    numbers = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan], np.float32)
    a, b = (np.ascontiguousarray(x) for x in np.broadcast_arrays(numbers[:, None], numbers))
    got = elementwise([f"%v = arith.cmpf {predicate}, %x0, %x1 : f32"], [a, b], "f32", "i1")
    check(got, PREDICATES[predicate](a, b).astype(np.uint8), "i1")


@pytest.mark.parametrize("name", ["maxnumf", "minnumf"])
def test_numbers_win_over_nan(name: str) -> None:
    a = np.array([1, np.nan, 3, np.nan], np.float32)
    b = np.array([2, 5, np.nan, np.nan], np.float32)
    reference = np.fmax if name == "maxnumf" else np.fmin
    check(elementwise([f"%v = arith.{name} %x0, %x1 : f32"], [a, b], "f32"), reference(a, b), "f32")


def test_conversions() -> None:
    x = np.array([2.7, -2.7, 3e9, -3e9, 0.0], np.float32)
    got = elementwise(["%v = arith.fptosi %x0 : f32 to i32"], [x], "f32", "i32")
    check(got, np.array([2, -2, 2**31 - 1, -(2**31), 0], np.int32), "i32")
    n = np.array([0, 1, 2, -3], np.int32)
    got = elementwise(["%v = arith.trunci %x0 : i32 to i1"], [n], "i32", "i1")
    check(got, (n & 1).astype(np.uint8), "i1")
    bits = np.array([0, 1], np.bool_)
    for op, one in {"extui": 1, "extsi": -1}.items():
        got = elementwise([f"%v = arith.{op} %x0 : i1 to i32"], [bits], "i1", "i32")
        check(got, np.array([0, one], np.int32), "i32")
    for op, one in {"uitofp": 1.0, "sitofp": -1.0}.items():
        got = elementwise([f"%v = arith.{op} %x0 : i1 to f32"], [bits], "i1", "f32")
        check(got, np.array([0, one], np.float32), "f32")


def test_bits() -> None:
    x = np.random.default_rng(3).integers(-(2**31), 2**31, (5, 33)).astype(np.int32)
    x[0, :4] = 0, -1, 1, -(2**31)
    got = elementwise(["%v = math.ctpop %x0 : i32"], [x], "i32")
    check(got, np.bitwise_count(x.view(np.uint32)).astype(np.int32), "i32")
    got = elementwise(["%v = math.ctlz %x0 : i32"], [x], "i32")
    check(got, (32 - np.frexp(x.view(np.uint32).astype(np.float64))[1]).astype(np.int32), "i32")
    n = np.random.default_rng(4).integers(0, 32, x.shape).astype(np.int32)
    wide, places = x.view(np.uint32), n.astype(np.uint32)
    for op, want in {
        "shli": (wide << places).view(np.int32),
        "shrui": (wide >> places).view(np.int32),
        "shrsi": x >> n,
    }.items():
        check(elementwise([f"%v = arith.{op} %x0, %x1 : i32"], [x, n], "i32"), want, "i32")


def test_atan2() -> None:
    y = np.array([0.0, -0.0, 1, -1, 2, -3], np.float32)
    x = np.array([-1.0, -1.0, 0.0, -0.0, 5, -4], np.float32)
    got = elementwise(["%v = math.atan2 %x0, %x1 : f32"], [y, x], "f32")
    check(got, np.arctan2(y, x), "f32", steps=2)


def test_copysign_and_classes() -> None:
    a = np.array([1, -2, 3, -4], np.float32)
    b = np.array([0.0, -0.0, -5, 6], np.float32)
    got = elementwise(["%v = math.copysign %x0, %x1 : f32"], [a, b], "f32")
    check(got, np.copysign(a, b), "f32")
    x = np.array([1, np.inf, -np.inf, np.nan], np.float32)
    for op in ("isnan", "isinf", "isfinite"):
        got = elementwise([f"%v = math.{op} %x0 : f32"], [x], "f32", "i1")
        check(got, getattr(np, op)(x).astype(np.uint8), "i1")


def test_index() -> None:
    x = np.zeros((5, 33), np.int32)
    body = [
        "%i = linalg.index 0 : index",
        "%j = linalg.index 1 : index",
        "%p = arith.muli %i, %j : index",
        "%n = arith.index_cast %p : index to i32",
        "%v = arith.addi %x0, %n : i32",
    ]
    check(elementwise(body, [x], "i32"), np.outer(np.arange(5), np.arange(33)), "i32")


@st.composite
def expressions(draw: Any) -> tuple[tuple[int, ...], list[list[str]]]:
    """Extents of loops, and for each of three operands the loops that index it, in any order; an
    extent of 1 comes as the index 0."""
    extents = tuple(draw(st.lists(st.integers(1, 12), min_size=1, max_size=4)))
    loops = list(LETTERS[: len(extents)])
    operands = []
    for _ in range(3):
        used = draw(st.lists(st.sampled_from(loops), unique=True, max_size=len(loops)))
        if used and draw(st.booleans()):
            used.insert(draw(st.integers(0, len(used))), "0")
        operands.append(used)
    return extents, operands


def operand(rng: Any, used: list[str], extents: tuple[int, ...], element: str) -> Array:
    shape = tuple(1 if i == "0" else extents[LETTERS.index(i)] for i in used)
    return random(rng, shape, element)


def letters(used: list[str]) -> str:
    return "".join("z" if i == "0" else i for i in used)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(case=expressions(), element=st.sampled_from((*FLOATS, "i32")))
def test_indexing_maps(case: Any, element: str) -> None:
    extents, operands = case
    rng = np.random.default_rng(3)
    loops = LETTERS[: len(extents)]
    arrays = [operand(rng, used, extents, element) for used in operands]
    kind = "i" if element == "i32" else "f"
    # Exact in every format, so that only the places are compared.
    body = [
        f"%p = arith.max{'si' if kind == 'i' else 'imumf'} %x0, %x1 : {element}",
        f"%v = arith.min{'si' if kind == 'i' else 'imumf'} %p, %x2 : {element}",
    ]
    inputs = [(used, x, element) for used, x in zip(operands, arrays, strict=True)]
    full = np.ones(extents, np.float64)
    a, b, c = (
        np.einsum(f"{letters(used)},{loops}->{loops}", wide(x).astype(np.float64), full)
        for used, x in zip(operands, arrays, strict=True)
    )
    got = generic(inputs, (loops, extents, element), body)
    check(got, np.minimum(np.maximum(a, b), c), element)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    extents=st.lists(st.integers(1, 9), min_size=1, max_size=5),
    roles=st.lists(st.sampled_from(["a", "b", "ab", "k", "ak"]), min_size=5, max_size=5),
    element=st.sampled_from(["f32", "i32"]),
    seed=st.integers(0, 2**16),
)
def test_contractions(extents: list[int], roles: list[str], element: str, seed: int) -> None:
    """Sums of products over any split of the loops: batches, rows, columns, inner ones and such
    that only one operand has."""
    rng = np.random.default_rng(seed)
    loops = LETTERS[: len(extents)]
    roles = roles[: len(extents)]
    if not any("k" in role for role in roles):
        roles[-1] = "k"
    kinds = "".join("r" if "k" in role else "p" for role in roles)
    has = {"a": "a", "b": "b", "ab": "ab", "k": "ab", "ak": "a"}
    used: list[list[str]] = []
    for which in "ab":
        dims = [loop for loop, role in zip(loops, roles, strict=True) if which in has[role]]
        used.append([dims[i] for i in rng.permutation(len(dims))])
    a, b = (random(rng, [extents[LETTERS.index(i)] for i in dims], element) for dims in used)
    result = "".join(loop for loop, kind in zip(loops, kinds, strict=True) if kind == "p")
    subscripts = f"{''.join(used[0])},{''.join(used[1])}->{result}"
    dtype = np.float64 if element == "f32" else np.int32
    want = np.einsum(subscripts, a, b, dtype=dtype, casting="unsafe")
    size = np.einsum(subscripts, np.abs(a), np.abs(b), dtype=dtype, casting="unsafe").max()
    kind = "f" if element == "f32" else "i"
    body = [
        f"%m = arith.mul{kind} %x0, %x1 : {element}",
        f"%v = arith.add{kind} %acc, %m : {element}",
    ]
    shape = tuple(extents[LETTERS.index(i)] for i in result)
    got = generic(
        [(used[0], a, element), (used[1], b, element)],
        (loops, shape, element),
        body,
        kinds,
        init=f"arith.constant dense<{0.0 if kind == 'f' else 0}>",
    )
    check(got, want, element, scale=float(size))


REDUCTIONS: dict[str, tuple[str, str, Callable[..., Any]]] = {
    # The body's op, the initial value, what it computes.
    "sum": ("arith.addf", "0.0", np.sum),
    "sum from 2": ("arith.addf", "2.0", lambda x, axis: x.sum(axis) + 2),
    "product": ("arith.mulf", "1.0", np.prod),
    "maximum": ("arith.maximumf", "0xFF800000", np.max),
    "maximum from 1": ("arith.maximumf", "1.0", lambda x, axis: np.maximum(x.max(axis), 1)),
    "minimum": ("arith.minimumf", "0x7F800000", np.min),
    "number maximum": ("arith.maxnumf", "0xFF800000", np.nanmax),
}


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name: str, axis: int) -> None:
    op, start, reference = REDUCTIONS[name]
    x = random(np.random.default_rng(4), (3, 5, 40), "f32")
    if name == "product":
        x = np.clip(x, 0.8, 1.2)
    if name == "number maximum":
        x[0, 0, 0] = np.nan
    shape = [n for i, n in enumerate(x.shape) if i != axis]
    types = [tensor(x.shape, "f32")]
    result = tensor(shape, "f32")
    body = [
        f"%init = arith.constant dense<{start}> : {result}",
        f"%r = linalg.reduce {{ {op} }} ins(%a : {types[0]}) outs(%init : {result}) "
        f"dimensions = [{axis}]",
    ]
    got = run(function(types, body, [result]), x)
    check(got, reference(x, axis=axis), "f32", scale=np.nansum(np.abs(x)) if "sum" in name else 0)


def test_all_of_a_tensor() -> None:
    x = random(np.random.default_rng(5), (7, 40), "f32")
    t = tensor(x.shape, "f32")
    body = [
        "%init = arith.constant dense<0xFF800000> : tensor<f32>",
        f"%r = linalg.reduce {{ arith.maximumf }} ins(%a : {t}) outs(%init : tensor<f32>) "
        "dimensions = [0, 1]",
    ]
    check(run(function([t], body, ["tensor<f32>"]), x), x.max(), "f32")


NAMED: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "ceil": np.ceil,
    "exp": np.exp,
    "floor": np.floor,
    "log": np.log,
    "negf": np.negative,
    "reciprocal": np.reciprocal,
    "round": lambda x: np.trunc(x + 0.5),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sqrt": np.sqrt,
    "square": np.square,
    "tanh": np.tanh,
    "erf": jax.lax.erf,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": np.maximum,
    "min": np.minimum,
    "powf": np.power,
}


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("name", NAMED)
def test_named(name: str, element: str) -> None:
    rng = np.random.default_rng(6)
    count = 2 if name in ("add", "sub", "mul", "div", "max", "min", "powf") else 1
    dtype = programs.ELEMENTS[element]
    arrays = [rng.uniform(1.2, 3, (7, 40)).astype(dtype) for _ in range(count)]
    t = tensor((7, 40), element)
    names, types = ", ".join(["%a", "%b"][:count]), ", ".join([t] * count)
    body = [
        f"%init = tensor.empty() : {t}",
        f"%r = linalg.{name} ins({names} : {types}) outs(%init : {t}) -> {t}",
    ]
    got = run(function([t] * count, body, [t]), *arrays)
    check(got, NAMED[name](*map(wide, arrays)), element, steps=8 if name == "powf" else 2, scale=1)


def test_softmax() -> None:
    x = random(np.random.default_rng(7), (7, 40), "f32")
    t = tensor(x.shape, "f32")
    body = [
        f"%init = tensor.empty() : {t}",
        f"%r = linalg.softmax dimension(1) ins(%a : {t}) outs(%init : {t}) -> {t}",
    ]
    check(run(function([t], body, [t]), x), jax.nn.softmax(x, axis=1), "f32", steps=4, scale=1e-3)


def test_slices_of_tensors() -> None:
    x = random(np.random.default_rng(8), (7, 40), "f32")
    y = random(np.random.default_rng(9), (3, 4), "f32")
    types = [tensor(x.shape, "f32"), tensor(y.shape, "f32")]
    body = [
        f"%r = tensor.insert_slice %b into %a[2, 5] [3, 4] [1, 1] : {types[1]} into {types[0]}",
        f"%s = tensor.extract_slice %a[1, 0] [3, 8] [2, 5] : {types[0]} to tensor<3x8xf32>",
        f"%t = tensor.extract_slice %a[1, 0] [1, 40] [1, 1] : {types[0]} to tensor<40xf32>",
        f"%u = tensor.concat dim(0) %a, %a : ({types[0]}, {types[0]}) -> tensor<14x40xf32>",
    ]
    results = [types[0], "tensor<3x8xf32>", "tensor<40xf32>", "tensor<14x40xf32>"]
    inserted, strided, row, both = run(function(types, body, results), x, y)
    want = x.copy()
    want[2:5, 5:9] = y
    check(inserted, want, "f32")
    check(strided, x[1:6:2, ::5], "f32")
    check(row, x[1], "f32")
    check(both, np.concatenate([x, x]), "f32")


PACKINGS = [
    # Dimensions that are cut, their tiles, the order of the outer dimensions.
    ([0, 1], [4, 8], [0, 1]),
    ([1, 0], [8, 2], [1, 0]),
    ([1], [16], [1, 0]),
]


@pytest.mark.parametrize(("dims", "tiles", "order"), PACKINGS)
def test_packing(dims: list[int], tiles: list[int], order: list[int]) -> None:
    x = random(np.random.default_rng(12), (7, 40), "f32")
    sizes = [dict(zip(dims, tiles, strict=True)).get(d, 1) for d in range(2)]
    outer = [-(-extent // size) for extent, size in zip(x.shape, sizes, strict=True)]
    high = [n * size - extent for n, size, extent in zip(outer, sizes, x.shape, strict=True)]
    padded = np.pad(x, [(0, h) for h in high], constant_values=2.5)
    cut = padded.reshape(outer[0], sizes[0], outer[1], sizes[1])
    whole = [d for d in order if d not in dims]
    want = cut.transpose([2 * d for d in order] + [2 * d + 1 for d in dims + whole])
    want = want.reshape(want.shape[: 2 + len(dims)])
    t, p = tensor(x.shape, "f32"), tensor(want.shape, "f32")
    form = f"outer_dims_perm = {order} inner_dims_pos = {dims} inner_tiles = {tiles}"
    body = [
        "%value = arith.constant 2.5 : f32",
        f"%packed = tensor.empty() : {p}",
        f"%plain = tensor.empty() : {t}",
        f"%r = linalg.pack %a padding_value(%value : f32) {form} into %packed : {t} -> {p}",
        f"%s = linalg.unpack %r {form} into %plain : {p} -> {t}",
    ]
    packed, back = run(function([t], body, [p, t]), x)
    check(packed, want, "f32")
    check(back, x, "f32")


CONVOLUTIONS: dict[str, tuple[str, str, str, int]] = {
    # Layouts of image, kernel and result as JAX writes them, and the groups.
    "conv_2d_nhwc_hwcf": ("NHWC", "HWIO", "NHWC", 1),
    "conv_2d_nhwc_fhwc": ("NHWC", "OHWI", "NHWC", 1),
    "conv_2d_nchw_fchw": ("NCHW", "OIHW", "NCHW", 1),
    "conv_1d_nwc_wcf": ("NWC", "WIO", "NWC", 1),
    "conv_1d_ncw_fcw": ("NCW", "OIW", "NCW", 1),
    "depthwise_conv_2d_nhwc_hwc": ("NHWC", "HWO", "NHWC", 4),
    "depthwise_conv_2d_nchw_chw": ("NCHW", "OHW", "NCHW", 4),
    "depthwise_conv_1d_nwc_wc": ("NWC", "WO", "NWC", 4),
    "conv_3d_ndhwc_dhwcf": ("NDHWC", "DHWIO", "NDHWC", 1),
    "conv_3d_ncdhw_fcdhw": ("NCDHW", "OIDHW", "NCDHW", 1),
    "depthwise_conv_3d_ndhwc_dhwc": ("NDHWC", "DHWO", "NDHWC", 4),
}


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize(("stride", "dilation"), [(1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolutions(name: str, stride: int, dilation: int, element: str) -> None:
    image, kernel, result, groups = CONVOLUTIONS[name]
    extents = {"N": 2, "D": 6, "H": 9, "W": 8, "C": 4, "I": 4, "O": 4 if groups > 1 else 33}
    window = {**extents, "D": 2, "H": 3, "W": 2}
    rng = np.random.default_rng(10)
    dtype = programs.ELEMENTS[element]
    x = rng.standard_normal([extents[d] for d in image]).astype(dtype)
    k = rng.standard_normal([window[d] for d in kernel]).astype(dtype)
    space = len(image) - 2
    full, weight = kernel, wide(k)
    if groups > 1:
        full, weight = kernel + "I", weight[..., None]
    want = lax.conv_general_dilated(
        wide(x),
        weight,
        (stride,) * space,
        "VALID",
        rhs_dilation=(dilation,) * space,
        dimension_numbers=(image, full, result),
        feature_group_count=groups,
        precision=lax.Precision.HIGHEST,
    )
    # In bf16 the sums are f32.
    types, t = [tensor(x.shape, element), tensor(k.shape, element)], tensor(want.shape, "f32")
    body = [
        f"%init = arith.constant dense<0.0> : {t}",
        f"%r = linalg.{name} {{dilations = dense<{dilation}> : tensor<{space}xi64>, "
        f"strides = dense<{stride}> : tensor<{space}xi64>}} "
        f"ins(%a, %b : {', '.join(types)}) outs(%init : {t}) -> {t}",
    ]
    check(run(function(types, body, [t]), x, k), want, "f32", scale=20)


#: Products of 8-bit integers, in the quantized ops less their zero points: inputs and result.
PRODUCTS: dict[str, tuple[str, str, str]] = {
    "matmul": ("5x40", "40x33", "5x33"),
    "quantized_matmul": ("5x40", "40x33", "5x33"),
    "quantized_batch_matmul": ("3x5x40", "3x40x33", "3x5x33"),
    "conv_2d_nhwc_hwcf": ("2x9x8x4", "3x2x4x33", "2x7x7x33"),
    "conv_2d_nhwc_hwcf_q": ("2x9x8x4", "3x2x4x33", "2x7x7x33"),
    "conv_2d_nhwc_fhwc_q": ("2x9x8x4", "33x3x2x4", "2x7x7x33"),
    "depthwise_conv_2d_nhwc_hwc_q": ("2x9x8x4", "3x2x4", "2x7x7x4"),
}


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("name", PRODUCTS)
def test_products_of_integers(name: str, backend: str) -> None:
    shapes = [tuple(map(int, text.split("x"))) for text in PRODUCTS[name]]
    rng = np.random.default_rng(12)
    a, b = (rng.integers(-128, 128, shape).astype(np.int8) for shape in shapes[:2])
    init = rng.integers(-1000, 1000, shapes[2]).astype(np.int32)
    is_quantized = name.startswith("quantized") or name.endswith("_q")
    zeros = (3, -7) if is_quantized else (0, 0)
    x, w = a.astype(np.int64) - zeros[0], b.astype(np.int64) - zeros[1]
    if "conv" not in name:
        want, window = x @ w, ""
    else:
        window = "{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} "
        is_deep = name.startswith("depthwise")
        kernel = "OHWI" if "fhwc" in name else "HWIO"
        want = lax.conv_general_dilated(
            x.astype(np.float32),
            (w[:, :, None] if is_deep else w).astype(np.float32),
            (1, 1),
            "VALID",
            dimension_numbers=("NHWC", kernel, "NHWC"),
            feature_group_count=4 if is_deep else 1,
            precision=lax.Precision.HIGHEST,
        )
    types = [
        f"tensor<{text}x{e}>" for text, e in zip(PRODUCTS[name], ("i8", "i8", "i32"), strict=True)
    ]
    points = ("%zero, %other", "i32, i32") if is_quantized else ("", "")
    ins = ", ".join(filter(None, ("%a, %b", points[0])))
    kinds = ", ".join(filter(None, (types[0], types[1], points[1])))
    body = [
        f"%zero = arith.constant {zeros[0]} : i32",
        f"%other = arith.constant {zeros[1]} : i32",
        f"%r = linalg.{name} {window}ins({ins} : {kinds}) outs(%c : {types[2]}) -> {types[2]}",
    ]
    exe = ttmlir.compile(function(types, body, [types[2]]), backend=backend)
    np.testing.assert_array_equal(exe(a, b, init), np.asarray(want).astype(np.int64) + init)


@pytest.mark.parametrize("element", ["f32", "i32"])
@pytest.mark.parametrize("layout", ["nhwc", "nchw", "nwc", "ncw", "ndhwc"])
@pytest.mark.parametrize("name", ["max", "sum", "min"])
def test_pools(name: str, layout: str, element: str) -> None:
    if name == "min" and layout in ("nchw", "ncw"):
        pytest.skip("linalg has no such op")
    extents = {"n": 2, "d": 5, "h": 8, "w": 9, "c": 33}
    windows = {"n": 1, "d": 2, "h": 3, "w": 2, "c": 1}
    x = random(np.random.default_rng(11), [extents[d] for d in layout], element)
    least, greatest = (-np.inf, np.inf) if element == "f32" else (-(2**31), 2**31 - 1)
    init, reduce = {
        "max": (least, lax.max),
        "sum": (0, lax.add),
        "min": (greatest, lax.min),
    }[name]
    window = [windows[d] for d in layout]
    strides = [2 if d in "dhw" else 1 for d in layout]
    want = lax.reduce_window(x, x.dtype.type(init), reduce, window, strides, "VALID")
    space = len(layout) - 2
    t, r = tensor(x.shape, element), tensor(want.shape, element)
    k = tensor([windows[d] for d in layout if d in "dhw"], element)
    start = {"max": "0xFF800000", "sum": "0.0", "min": "0x7F800000"}[name]
    start = start if element == "f32" else str(init)
    body = [
        f"%window = tensor.empty() : {k}",
        f"%init = arith.constant dense<{start}> : {r}",
        f"%r = linalg.pooling_{layout}_{name} {{dilations = dense<1> : tensor<{space}xi64>, "
        f"strides = dense<2> : tensor<{space}xi64>}} ins(%a, %window : {t}, {k}) "
        f"outs(%init : {r}) -> {r}",
    ]
    check(run(function([t], body, [r]), x), want, element, scale=5000 if name == "sum" else 0)
