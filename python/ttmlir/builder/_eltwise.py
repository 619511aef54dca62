"""Elementwise ops: a line for each, in two tables, and the few that have attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, overload

from ttmlir import _shapes
from ttmlir._literals import f32
from ttmlir.builder._dtypes import DTYPES, canonical
from ttmlir.builder._functions import Functions
from ttmlir.builder._tensor import Tensor


class UnaryMethod(Protocol):
    def __call__(self, x: Tensor, *, name: str | None = None) -> Tensor: ...


class BinaryMethod(Protocol):
    def __call__(self, a: Tensor, b: Tensor, *, name: str | None = None) -> Tensor: ...


class _Unary:
    """Stands for the method of a unary op, of the name that it is assigned to."""

    def __init__(self, meaning: str) -> None:
        self.meaning = meaning

    def __set_name__(self, owner: type[EltwiseOps], op: str) -> None:
        def method(self: EltwiseOps, x: Tensor, *, name: str | None = None) -> Tensor:
            return self._eltwise(op, (x,), name)

        replace_entry(owner, op, method, self.meaning)

    if TYPE_CHECKING:

        @overload
        def __get__(self, builder: None, owner: Any) -> _Unary: ...
        @overload
        def __get__(self, builder: EltwiseOps, owner: Any) -> UnaryMethod: ...
        def __get__(self, builder: Any, owner: Any) -> Any: ...


class _Binary:
    """Stands for the method of a binary op, of the name that it is assigned to."""

    def __init__(self, meaning: str) -> None:
        self.meaning = meaning

    def __set_name__(self, owner: type[EltwiseOps], op: str) -> None:
        def method(self: EltwiseOps, a: Tensor, b: Tensor, *, name: str | None = None) -> Tensor:
            return self._eltwise(op, (a, b), name)

        replace_entry(owner, op, method, self.meaning + " Broadcasts by NumPy's rules.")

    if TYPE_CHECKING:

        @overload
        def __get__(self, builder: None, owner: Any) -> _Binary: ...
        @overload
        def __get__(self, builder: EltwiseOps, owner: Any) -> BinaryMethod: ...
        def __get__(self, builder: Any, owner: Any) -> Any: ...


def replace_entry(owner: type, op: str, method: Any, meaning: str) -> None:
    """Puts an ordinary method in the place of its table entry, for help() and debuggers."""
    method.__name__ = op
    method.__qualname__ = f"{owner.__qualname__}.{op}"
    method.__doc__ = meaning
    setattr(owner, op, method)


class EltwiseOps(Functions):
    """The elementwise ops."""

    abs = _Unary("Absolute values.")
    bitwise_not = _Unary("Integers with every bit inverted.")
    cbrt = _Unary("Cube roots.")
    ceil = _Unary("The least integers that are not less.")
    cos = _Unary("Cosines.")
    erf = _Unary("The error function.")
    exp = _Unary("Exponentials.")
    expm1 = _Unary("exp(x) - 1.")
    floor = _Unary("The greatest integers that are not greater.")
    gelu = _Unary("x times the normal distribution function of x.")
    isfinite = _Unary("1 for what is neither infinite nor NaN, else 0.")
    log = _Unary("Natural logarithms.")
    log1p = _Unary("log(1 + x).")
    logical_not = _Unary("1 for 0, else 0.")
    neg = _Unary("Negatives.")
    reciprocal = _Unary("1 divided by the elements.")
    relu = _Unary("The elements, 0 for negative ones.")
    rsqrt = _Unary("1 divided by the square roots.")
    sigmoid = _Unary("1 / (1 + exp(-x)).")
    sign = _Unary("-1, 0 or 1.")
    silu = _Unary("x / (1 + exp(-x)).")
    sin = _Unary("Sines.")
    sqrt = _Unary("Square roots.")
    tan = _Unary("Tangents.")
    tanh = _Unary("Hyperbolic tangents.")

    add = _Binary("a + b.")
    bitwise_and = _Binary("a & b, of integers.")
    bitwise_or = _Binary("a | b, of integers.")
    bitwise_xor = _Binary("a ^ b, of integers.")
    div = _Binary("a / b.")
    eq = _Binary("1 where a == b, else 0.")
    ge = _Binary("1 where a >= b, else 0.")
    gt = _Binary("1 where a > b, else 0.")
    le = _Binary("1 where a <= b, else 0.")
    logical_and = _Binary("1 where neither is 0, else 0.")
    logical_or = _Binary("1 where not both are 0, else 0.")
    logical_xor = _Binary("1 where exactly one is 0, else 0.")
    lt = _Binary("1 where a < b, else 0.")
    maximum = _Binary("The greater elements.")
    minimum = _Binary("The smaller elements.")
    multiply = _Binary("a * b.")
    ne = _Binary("1 where a != b, else 0.")
    power = _Binary("a to the power b.")
    remainder = _Binary("What is left of a divided by b towards 0, with the sign of a.")
    subtract = _Binary("a - b.")

    def _eltwise(
        self,
        op: str,
        inputs: Sequence[Tensor],
        name: str | None,
        attributes: dict[str, str] | None = None,
        dtype: str | None = None,
    ) -> Tensor:
        self._check_inputs(op, inputs)
        if dtype is None:
            self._same_dtype(op, inputs)
        try:
            shape = _shapes.broadcast(*(t.shape for t in inputs))
        except ValueError as error:
            raise ValueError(f"{op}: {error}") from None
        segments = (len(inputs),)
        return self._build(op, inputs, shape, attributes, name=name, dtype=dtype, segments=segments)

    def where(
        self, condition: Tensor, true: Tensor, false: Tensor, *, name: str | None = None
    ) -> Tensor:
        """``true`` where the condition is not 0, else ``false``; all three broadcast."""
        self._check_inputs("where", (condition, true, false))
        self._same_dtype("where", (true, false))
        return self._eltwise("where", (condition, true, false), name, dtype=true.dtype)

    def leaky_relu(self, x: Tensor, parameter: float = 0.01, *, name: str | None = None) -> Tensor:
        """The elements, negative ones times ``parameter``."""
        return self._eltwise("leaky_relu", (x,), name, {"parameter": f32(parameter)})

    def clamp(self, x: Tensor, min: float, max: float, *, name: str | None = None) -> Tensor:
        """The elements, at least ``min`` and at most ``max``."""
        if min > max:
            raise ValueError(f"clamp: expected min <= max, found {min} and {max}")
        return self._eltwise("clamp", (x,), name, {"min": f32(min), "max": f32(max)})

    def typecast(self, x: Tensor, dtype: Any, *, name: str | None = None) -> Tensor:
        """The elements in another format."""
        dtype = canonical(dtype)
        if DTYPES[dtype].block:
            raise ValueError(
                f"typecast: {dtype} is a way of storing {DTYPES[dtype].element}: "
                f"use to_layout(x, format='{dtype}')"
            )
        return self._eltwise("typecast", (x,), name, dtype=dtype)
