"""The ops of ``torch._prims``, which decompositions and programs of TorchDynamo may contain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttmlir.frontends.data_movement import reshaped, spread
from ttmlir.frontends.random_numbers import normal

# Both modules register handlers that are reused here under other names.
from ttmlir.frontends.torch import _elementwise, _shapes  # noqa: F401
from ttmlir.frontends.torch._op import HANDLERS, Handler, Op, Operand, Result, handles
from ttmlir.frontends.torch._reductions import moments, reduced

_SAME_NAMES = """
abs acos acosh asin asinh atan atan2 atanh bitwise_and bitwise_not bitwise_or bitwise_xor cat ceil
clone cos cosh digamma div eq erf erfc exp exp2 expm1 fill floor fmax fmin fmod ge gt hypot isfinite
le lgamma log log10 log1p log2 lt maximum minimum mul ne neg pow reciprocal remainder round rsqrt
sign signbit sin sinh sqrt sub tan tanh trunc add as_strided as_strided_scatter
"""
#: The equivalent op of ATen, with the same arguments.
_EQUAL = {
    **{name: name for name in _SAME_NAMES.split()},
    "conj": "conj",
    "conj_physical": "conj",
    "copy_strided": "clone",
    "device_put": "clone",
    "erf_inv": "erfinv",
    "real": "real",
    "rev": "flip",
    "shift_left": "bitwise_left_shift",
    "shift_right_arithmetic": "bitwise_right_shift",
    "transpose": "permute",
    "view_of": "alias",
    "where": "where.self",
    **dict.fromkeys(("collapse", "collapse_view", "reshape", "split_dim", "squeeze"), "reshape"),
}

for _name, _other in _EQUAL.items():
    HANDLERS[f"prims.{_name}"] = HANDLERS[f"aten.{_other}"]


@handles("prims.broadcast_in_dim")
def _broadcast_in_dim(
    op: Op, a: Operand, shape: Sequence[int], broadcast_dimensions: Sequence[int]
) -> Result:
    x = op.tensor(a)
    # They are ascending: new dimensions get the extent 1 first.
    extents = [1] * len(shape)
    for extent, d in zip(x.shape, broadcast_dimensions, strict=True):
        extents[d] = extent
    return spread(op, reshaped(op, x, extents), op.shape())


_REDUCTIONS = {
    "amax": ("max", "reduce_or"),
    "amin": ("min", "reduce_and"),
    "prod": ("prod", "reduce_and"),
    "sum": ("sum", "reduce_or"),
}


def _reduction(of_numbers: str, of_truths: str) -> Handler:
    def handler(
        op: Op, inp: Operand, dims: Sequence[int] | None, *, output_dtype: Any = None
    ) -> Result:
        x = op.tensor(inp, op.dtype())
        name = of_truths if x.dtype == "bool" else of_numbers
        own = range(x.rank) if dims is None else sorted({d % x.rank for d in dims})
        return reshaped(op, reduced(op, name, x, list(own)), op.shape())

    return handler


for _name, _names in _REDUCTIONS.items():
    HANDLERS[f"prims.{_name}"] = _reduction(*_names)


@handles("prims.var")
def _var(
    op: Op,
    inp: Operand,
    dims: Sequence[int] | None,
    correction: float | None = 1,
    *,
    output_dtype: Any = None,
) -> Result:
    x = op.tensor(inp, op.dtype())
    own = range(x.rank) if dims is None else sorted({d % x.rank for d in dims})
    variance, _ = moments(op, x, list(own), 1 if correction is None else correction)
    return reshaped(op, variance, op.shape())


@handles("prims.normal")
def _normal(op: Op, shape: Sequence[int], *, mean: float, std: float, **_: object) -> Result:
    b = op.b
    scaled = b.multiply(normal(op, op.shape()), op.tensor(float(std), "f32"))
    return op.cast(b.add(scaled, op.tensor(float(mean), "f32")), op.dtype())
