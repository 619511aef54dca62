"""A program of one op in TTIR of today, and the same of the builder and of NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

import ttmlir

#: Of NumPy; what its functions return has no type.
Array = Any
windows: Any = np.lib.stride_tricks.sliding_window_view
Builder = ttmlir.Builder

#: Element type of a text, the dtype of its arrays, and its name in the builder.
ELEMENTS: dict[str, tuple[Any, str]] = {
    "f32": (np.float32, "f32"),
    "bf16": (ml_dtypes.bfloat16, "bf16"),
    "f16": (np.float16, "f16"),
    "i32": (np.int32, "si32"),
    "ui32": (np.uint32, "u32"),
    "ui16": (np.uint16, "u16"),
    "ui8": (np.uint8, "u8"),
}


def split(text: str) -> tuple[tuple[int, ...], str]:
    """Shape and element type of a text such as `2x3xf32`."""
    *extents, element = text.split("x")
    return tuple(map(int, extents)), element


@dataclass(frozen=True)
class Case:
    """An op on tensors of ``inputs`` with ``results``, both as `2x3xf32`.

    ``own`` builds the same program, and gives the same bits. ``numpy`` computes it in float64,
    where that says what the op means; ``tolerance`` is relative to the greatest number of the
    result.
    """

    op: str
    inputs: Sequence[str]
    results: Sequence[str]
    attributes: str = ""
    own: Callable[..., Any] | None = None
    numpy: Callable[..., Any] | None = None
    tolerance: float = 1e-5
    #: Of each input: `uniform` in [-4, 4), `positive` in [0.1, 4), `unit` in (-0.9, 0.9), `part` in
    #: [0.1, 1), `index` below 3, `count` in [1, 5], a `table` of numbers that are all different,
    #: `truth`, or `small` whole numbers.
    values: Sequence[str] = ()
    #: The op changes its first operand and has no result; the program returns that.
    is_changed: bool = False

    def text(self) -> str:
        """The program: arguments and results as in the case."""
        names = [f"%arg{i}" for i in range(len(self.inputs))]
        arguments = ", ".join(
            f"{name}: tensor<{t}>" for name, t in zip(names, self.inputs, strict=True)
        )
        types = [f"tensor<{t}>" for t in self.results]
        count = f":{len(types)}" if len(types) > 1 else ""
        returned = [f"%0#{i}" if count else "%0" for i in range(len(types))]
        attributes = f" <{{{self.attributes}}}>" if self.attributes else ""
        signature = f"({', '.join(f'tensor<{t}>' for t in self.inputs)}) -> "
        signature += "()" if self.is_changed else f"({', '.join(types)})" if count else types[0]
        made = "" if self.is_changed else f"%0{count} = "
        if self.is_changed:
            returned = ["%arg0"]
        return (
            f"func.func @main({arguments}) -> ({', '.join(types)}) {{\n"
            f'  {made}"ttir.{self.op}"({", ".join(names)}){attributes} : {signature}\n'
            f"  return {', '.join(returned)} : {', '.join(types)}\n}}\n"
        )

    def arrays(self, seed: int = 0) -> list[Array]:
        rng = np.random.default_rng([seed, *self.op.encode()])
        kinds = [*self.values, *["uniform"] * len(self.inputs)]
        return [draw(rng, t, kind) for t, kind in zip(self.inputs, kinds, strict=False)]

    def build(self) -> Builder:
        assert self.own is not None
        b = ttmlir.Builder("main")
        tensors = []
        for i, text in enumerate(self.inputs):
            shape, element = split(text)
            tensors.append(b.input(f"arg{i}", shape, ELEMENTS[element][1]))
        made = self.own(b, *tensors)
        b.output(*(made if isinstance(made, tuple) else (made,)))
        return b


def draw(rng: np.random.Generator, text: str, kind: str) -> Array:
    shape, element = split(text)
    dtype = ELEMENTS[element][0]
    if kind == "index":
        return rng.integers(0, 3, shape).astype(dtype)
    if kind == "truth":
        return rng.integers(0, 2, shape).astype(dtype)
    if kind == "count":
        return rng.integers(1, 6, shape).astype(dtype)
    if kind == "table":
        return rng.permutation(math.prod(shape)).reshape(shape).astype(dtype)
    if kind == "small" or np.issubdtype(np.dtype(dtype), np.integer):
        low = 0 if np.issubdtype(np.dtype(dtype), np.unsignedinteger) else -9
        return rng.integers(low, 10, shape).astype(dtype)
    ranges = {"uniform": (-4, 4), "positive": (0.1, 4), "unit": (-0.9, 0.9), "part": (0.1, 1)}
    return rng.uniform(*ranges[kind], shape).astype(dtype)


def case(
    op: str,
    signature: str,
    attributes: str = "",
    own: Callable[..., Any] | None = None,
    *,
    values: str = "",
    **more: Any,
) -> Case:
    """A case whose tensors are written as `3x37xf32, 37xf32 -> 3x37xf32`, and its ``values`` as
    words. Without ``own`` the builder's method of the op's name takes the operands."""
    inputs, results = (side.replace(",", " ").split() for side in signature.split("->"))
    own = own or (lambda b, *x: getattr(b, op)(*x))
    return Case(op, inputs, results, attributes, own, values=values.split(), **more)


def unary(op: str, values: str = "uniform", **more: Any) -> Case:
    return case(op, "3x37xf32 -> 3x37xf32", values=values, **more)


def binary(op: str, name: str = "", element: str = "f32", values: str = "uniform") -> Case:
    """Operands broadcast on both sides."""
    return case(
        op,
        f"3x1x{element}, 2x1x37x{element} -> 2x3x37x{element}",
        own=lambda b, x, y: getattr(b, name or op)(x, y),
        values=f"{values} {values}",
    )


def reduction(op: str, values: str = "uniform") -> list[Case]:
    def reduced(signature: str, given: str, dims: list[int], keep_dim: bool) -> Case:
        attributes = f"{given}keep_dim = {str(keep_dim).lower()}"

        def own(b: Builder, x: Any) -> Any:
            return getattr(b, op)(x, dim=dims, keep_dim=keep_dim)

        return case(op, signature, attributes, own, values=values)

    return [
        reduced("3x4x37xf32 -> 3x1x37xf32", "dim_arg = [-2 : i32], ", [1], True),
        reduced("3x4x37xf32 -> 4xf32", "dim_arg = [0 : i32, 2 : i32], ", [0, 2], False),
        reduced("3x4xf32 -> 1x1xf32", "", [0, 1], True),
    ]
