"""References in JAX, computed by numpy.

XLA compiles each primitive again for each shape, which takes much longer than the tests' small
tensors do: so a reference is traced, and numpy evaluates what has a function in ``FUNCTIONS``; JAX
itself evaluates the rest, in 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import jax
import jax.core
import numpy as np
from jax.extend import core
from jax_x64 import x64
from op_formats import Array, Shape


@contextmanager
def oracle() -> Iterator[None]:
    """JAX in 64 bits. Most of its time would go into optimizing programs that run once."""
    jax.config.update("jax_disable_most_optimizations", True)
    try:
        with x64():
            yield
    finally:
        jax.config.update("jax_disable_most_optimizations", False)


def evaluate(reference: Callable[..., Any], *arrays: Array) -> Array:
    """The result of a function of JAX arrays, whose inputs are float64 or integers of 64 bits."""
    with oracle():
        try:
            traced = jax.make_jaxpr(reference)(*arrays)
        except (jax.errors.TracerArrayConversionError, jax.errors.ConcretizationTypeError):
            # It reads its inputs, mostly in numpy.
            return np.asarray(reference(*map(jax.numpy.asarray, arrays)))
        with np.errstate(all="ignore"):
            return np.asarray(_run(traced.jaxpr, traced.consts, arrays)[0])


def _run(jaxpr: core.Jaxpr, constants: Sequence[Any], arguments: Sequence[Any]) -> list[Any]:
    values: dict[Any, Any] = dict(zip(jaxpr.constvars, constants, strict=True))
    values.update(zip(jaxpr.invars, arguments, strict=True))

    def read(atom: Any) -> Any:
        return atom.val if isinstance(atom, core.Literal) else values[atom]

    for equation in jaxpr.eqns:
        results = _apply(equation, [read(atom) for atom in equation.invars])
        values.update(zip(equation.outvars, results, strict=True))
    return [read(atom) for atom in jaxpr.outvars]


def _apply(equation: core.JaxprEqn, operands: Sequence[Any]) -> Sequence[Any]:
    name, parameters = equation.primitive.name, equation.params
    inner = parameters.get("jaxpr" if name == "jit" else "call_jaxpr")
    if name in ("jit", "custom_jvp_call") and inner is not None:
        return _run(inner.jaxpr, inner.consts, operands)
    arrays = [np.asarray(x) for x in operands]
    function = FUNCTIONS.get(name)
    if function is None or not _is_the_same(equation, arrays):
        found = equation.primitive.bind(*map(jax.numpy.asarray, operands), **parameters)
        return found if equation.primitive.multiple_results else [found]
    result = np.asarray(function(*arrays, **parameters))
    kind = equation.outvars[0].aval
    assert result.shape == kind.shape, f"{name}: {result.shape}, expected {kind.shape}"
    return [result.astype(kind.dtype, copy=False)]


def _is_the_same(equation: core.JaxprEqn, operands: Sequence[Array]) -> bool:
    """Whether numpy's function is JAX's for operands of these dtypes."""
    name, kinds = equation.primitive.name, [x.dtype.kind for x in operands]
    if name in ("div", "integer_pow", "pow", "rem"):
        return set(kinds) == {"f"}
    if name == "convert_element_type":
        return kinds[0] != "f" or np.dtype(equation.params["new_dtype"]).kind == "f"
    if name in ("reduce_and", "reduce_or"):
        return kinds[0] == "b"
    if name == "select_n":
        return kinds[0] == "b"
    return True


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Of operands of one shape; the parameters are JAX's precisions and shardings."""
    return lambda *operands, **_: function(*operands)


def _reduction(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, axes, **_: function(x, axis=tuple(axes))


def _extremum(function: Callable[..., Any], of_nothing: Callable[[np.dtype[Any]], Any]) -> Any:
    return lambda x, axes, **_: function(x, axis=tuple(axes), initial=of_nothing(x.dtype))


def _least(dtype: np.dtype[Any]) -> Any:
    return -np.inf if dtype.kind == "f" else dtype.kind != "b" and np.iinfo(dtype).min


def _greatest(dtype: np.dtype[Any]) -> Any:
    return np.inf if dtype.kind == "f" else dtype.kind == "b" or np.iinfo(dtype).max


def _cumulative(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(x: Array, axis: int, reverse: bool) -> Array:
        return np.flip(function(np.flip(x, axis), axis), axis) if reverse else function(x, axis)

    return run


def _broadcast(x: Array, shape: Shape, broadcast_dimensions: Shape, **_: Any) -> Array:
    extents = [1] * len(shape)
    for extent, dimension in zip(x.shape, broadcast_dimensions, strict=True):
        extents[dimension] = extent
    return np.broadcast_to(x.reshape(extents), shape)


def _iota(dtype: Any, shape: Shape, dimension: int, **_: Any) -> Array:
    return _broadcast(np.arange(shape[dimension], dtype=dtype), shape, (dimension,))


def _slice(x: Array, start_indices: Shape, limit_indices: Shape, strides: Shape | None) -> Array:
    steps = strides or (1,) * x.ndim
    return x[tuple(map(slice, start_indices, limit_indices, steps))]


def _product(a: Array, b: Array, dimension_numbers: Any, **_: Any) -> Array:
    """A product of matrices whose rows and columns are all the dimensions of their kind."""
    (contracted_a, contracted_b), (batch_a, batch_b) = dimension_numbers
    free_a = [d for d in range(a.ndim) if d not in (*contracted_a, *batch_a)]
    free_b = [d for d in range(b.ndim) if d not in (*contracted_b, *batch_b)]
    shapes = [[a.shape[d] for d in dims] for dims in (batch_a, free_a, contracted_a)]
    batch, rows, inner = (int(np.prod(shape)) for shape in shapes)
    columns = [b.shape[d] for d in free_b]
    left = a.transpose((*batch_a, *free_a, *contracted_a)).reshape(batch, rows, inner)
    right = b.transpose((*batch_b, *contracted_b, *free_b))
    result = left @ right.reshape(batch, inner, int(np.prod(columns)))
    return result.reshape((*shapes[0], *shapes[1], *columns))


#: By name of the primitive: of the operands, and with JAX's parameters by name.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        name: _plain(function)
        for name, function in {
            "abs": np.abs,
            "acos": np.arccos,
            "acosh": np.arccosh,
            "add": np.add,
            "add_any": np.add,
            "and": np.bitwise_and,
            "asin": np.arcsin,
            "asinh": np.arcsinh,
            "atan": np.arctan,
            "atan2": np.arctan2,
            "atanh": np.arctanh,
            "cbrt": np.cbrt,
            "ceil": np.ceil,
            "copy": np.copy,
            "cos": np.cos,
            "cosh": np.cosh,
            "div": np.divide,
            "eq": np.equal,
            "exp": np.exp,
            "exp2": np.exp2,
            "expm1": np.expm1,
            "floor": np.floor,
            "ge": np.greater_equal,
            "gt": np.greater,
            "is_finite": np.isfinite,
            "le": np.less_equal,
            "log": np.log,
            "log1p": np.log1p,
            "lt": np.less,
            "max": np.maximum,
            "min": np.minimum,
            "mul": np.multiply,
            "ne": np.not_equal,
            "neg": np.negative,
            "or": np.bitwise_or,
            "pow": np.power,
            "rem": np.fmod,
            "select_n": lambda which, no, yes: np.where(which, yes, no),
            "sign": np.sign,
            "sin": np.sin,
            "sinh": np.sinh,
            "sqrt": np.sqrt,
            "square": np.square,
            "stop_gradient": np.copy,
            "sub": np.subtract,
            "tan": np.tan,
            "tanh": np.tanh,
            "xor": np.bitwise_xor,
        }.items()
    },
    **{
        name: _reduction(function)
        for name, function in {
            "reduce_and": np.all,
            "reduce_or": np.any,
            "reduce_prod": np.prod,
            "reduce_sum": np.sum,
        }.items()
    },
    "broadcast_in_dim": _broadcast,
    "concatenate": lambda *operands, dimension: np.concatenate(operands, dimension),
    "convert_element_type": lambda x, new_dtype, **_: x.astype(new_dtype),
    "cummax": _cumulative(np.maximum.accumulate),
    "cummin": _cumulative(np.minimum.accumulate),
    "cumprod": _cumulative(np.cumprod),
    "cumsum": _cumulative(np.cumsum),
    "dot_general": _product,
    "integer_pow": lambda x, y: x**y,
    "iota": _iota,
    "reduce_max": _extremum(np.max, _least),
    "reduce_min": _extremum(np.min, _greatest),
    "reshape": lambda x, new_sizes, **_: x.reshape(new_sizes),
    "rev": lambda x, dimensions: np.flip(x, dimensions),
    "slice": _slice,
    "squeeze": lambda x, dimensions: np.squeeze(x, tuple(dimensions)),
    "transpose": lambda x, permutation: x.transpose(permutation),
}
