"""Ops on complex tensors, which are pairs of real values: see ``complex_numbers``."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

from ttmlir.builder import Tensor
from ttmlir.frontends import complex_numbers as numbers
from ttmlir.frontends._op_base import registers
from ttmlir.frontends.complex_numbers import Complex, Pair, on_parts
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.torch._op import Handler, Op, Result, handler_of
from ttmlir.frontends.torch._reductions import dims_of
from ttmlir.frontends.torch._types import REAL_OF

#: Ops that apply to the real and the imaginary part alike.
_PARTWISE_NAMES = """
_index_put_impl _reshape_alias _unsafe_index _unsafe_index_put _unsafe_view alias as_strided
as_strided_scatter cat chunk clone col2im concat constant_pad_nd contiguous copy cumsum detach
diagonal diagonal_scatter expand expand_as flatten flip gather index index_add index_copy
index_fill index_put index_select lift lift_fresh lift_fresh_copy masked_fill masked_scatter mean
movedim narrow permute put repeat reshape roll rot90 scatter.src scatter.value scatter_add select
select_scatter slice slice_scatter split split_with_sizes squeeze stack sum swapaxes t take
transpose tril triu unbind unflatten unfold unsafe_split unsqueeze view view_as where
"""
_PARTWISE = frozenset(_PARTWISE_NAMES.split())
#: Bilinear ops; a third operand, if any, is added.
_BILINEAR = frozenset(["bmm", "convolution", "matmul", "mm", "mv"])
#: Value arguments; the imaginary part of real ones is 0.
_VALUES = frozenset({"fill_value", "other", "value"})
#: Handlers for ops that have complex operands or results.
COMPLEX_HANDLERS: dict[str, Handler] = {}


def complex_handles(*names: str) -> Callable[[Handler], Handler]:
    """Registers a function as the handler for ops with complex operands or results."""
    return registers(COMPLEX_HANDLERS, names)


def is_complex(x: Any) -> bool:
    """Whether an operand, an example value or a number is complex."""
    if isinstance(x, torch.Tensor):
        return bool(x.is_complex())
    return isinstance(x, (Complex, complex))


def has_complex(op: Op, args: Any) -> bool:
    """Whether an op has complex operands or results."""
    return any(map(is_complex, pytree.tree_leaves((args, op.node.meta.get("val")))))


def complex_handler_of(op: Op) -> Handler | None:
    """Returns the handler for an op on complex tensors; None if there is none."""
    name = str(op.target)
    packet = name.rpartition(".")[0] if name.startswith(("aten.", "prims.")) else name
    own = packet.partition(".")[2]
    overload = name.partition(".")[2]
    for key in (name, packet):
        if key in COMPLEX_HANDLERS:
            return COMPLEX_HANDLERS[key]
    if name == "aten.view.dtype":
        return None
    if own in _PARTWISE or overload in _PARTWISE:
        return _partwise
    return _bilinear if own in _BILINEAR else None


# Operands ----------------------------------------------------------------------------------------


def pair(op: Op, x: Any, dtype: str | None = None) -> Pair:
    """Converts an operand, real or complex, to parts of a dtype, by default the op's."""
    dtype = dtype or op.dtype()
    if isinstance(x, Complex):
        return Complex(op.tensor(x.real, dtype), op.tensor(x.imag, dtype))
    if isinstance(x, torch.Tensor) and x.is_complex():
        x = x.resolve_conj()
        return Complex(op.tensor(x.real, dtype), op.tensor(x.imag, dtype))
    if isinstance(x, complex):
        return Complex(op.tensor(x.real, dtype), op.tensor(x.imag, dtype))
    return Complex(op.tensor(x, dtype), op.tensor(0.0, dtype))


def _part_dtype(x: Any, op: Op) -> str:
    """Returns the dtype of the parts of an operand."""
    if isinstance(x, Complex):
        return str(x.real.dtype)
    return op.kind(x.dtype)


def parts(op: Op, x: Any) -> Pair:
    """Converts a complex operand in its own dtype."""
    return pair(op, x, _part_dtype(x, op))


def _spread(op: Op, z: Pair) -> Pair:
    """Broadcasts both parts to the shape of the result."""
    shape = op.shape()
    real, imag = (
        part if part.shape == shape else op.b.broadcast(_with_rank(op, part, shape), shape)
        for part in z.parts
    )
    return Complex(real, imag)


def _with_rank(op: Op, x: Tensor, shape: Sequence[int]) -> Tensor:
    return reshaped(op, x, (1,) * (len(shape) - x.rank) + x.shape)


class _PartOp(Op):
    """An op on the real (0) or imaginary (1) parts, with real results."""

    def __init__(self, op: Op, part: int = 0) -> None:
        def value_of(node: torch.fx.Node) -> Any:
            return _part(op.value_of(node), part, is_value=False)

        super().__init__(op.importer, op.node, op.place, op.kind, op.target, value_of)

    def meta(self, i: int = 0) -> torch.Tensor:
        found = super().meta(i)
        if not found.is_complex():
            return found
        return torch.empty(tuple(found.shape), dtype=REAL_OF[found.dtype], device="meta")


def _partwise(op: Op, *args: Any, **kwargs: Any) -> Result:
    """Applies the op to the real and to the imaginary parts."""
    handler = handler_of(op.target)
    if handler is None:
        raise op.fail("the op is not supported for complex numbers")
    names = [argument.name for argument in op.target._schema.arguments]
    found = []
    for i in range(2):
        part_op = _PartOp(op, i)
        given = [_part(x, i, names[place] in _VALUES) for place, x in enumerate(args)]
        named = {name: _part(x, i, name in _VALUES) for name, x in kwargs.items()}
        result = handler(part_op, *given, **named)
        found.append(result if isinstance(result, (list, tuple)) else [result])
    results = [_joined(op, real, imag) for real, imag in zip(*found, strict=True)]
    return results if isinstance(op.node.meta["val"], (list, tuple)) else results[0]


def _part(x: Any, i: int, is_value: bool) -> Any:
    """Returns the real or imaginary part of an argument, or of each element of a list."""

    def own(x: Any) -> Any:
        if isinstance(x, Complex):
            return x.parts[i]
        if isinstance(x, torch.Tensor) and x.is_complex():
            x = x.resolve_conj()
            return x.imag if i else x.real
        if isinstance(x, complex):
            return x.imag if i else x.real
        if i and isinstance(x, Tensor) and x.dtype in ("f16", "bf16", "f32", "f64"):
            return torch.zeros(()).expand(x.shape)
        if i and isinstance(x, torch.Tensor) and x.is_floating_point():
            return torch.zeros_like(x)
        return 0 if i and is_value and isinstance(x, (bool, int, float)) else x

    return pytree.tree_map(own, x)


def _joined(op: Op, real: Any, imag: Any) -> Any:
    if real is None:
        return None
    if isinstance(real, torch.Tensor) and isinstance(imag, torch.Tensor):
        return torch.complex(real.to(torch.float64), imag.to(torch.float64))
    return Complex(op.tensor(real), op.tensor(imag))


# Conversions -------------------------------------------------------------------------------------


@complex_handles("aten.complex")
def _complex(op: Op, real: Any, imag: Any) -> Result:
    return _spread(op, Complex(op.tensor(real, op.dtype()), op.tensor(imag, op.dtype())))


@complex_handles("aten.polar")
def _polar(op: Op, abs: Any, angle: Any) -> Result:
    dtype = op.dtype()
    return _spread(op, numbers.polar(op.b, op.tensor(abs, dtype), op.tensor(angle, dtype)))


@complex_handles("aten.view_as_complex", "aten.view_as_complex_copy")
def _view_as_complex(op: Op, self: Any) -> Result:
    return numbers.from_last(op.b, op.tensor(self))


@complex_handles("aten.view_as_real", "aten.view_as_real_copy")
def _view_as_real(op: Op, self: Any) -> Result:
    return numbers.to_last(op.b, parts(op, self))


@complex_handles("aten.real", "prims.real")
def _real(op: Op, self: Any) -> Result:
    return parts(op, self).real


@complex_handles("aten.imag", "prims.imag")
def _imag(op: Op, self: Any) -> Result:
    return parts(op, self).imag


@complex_handles("aten.select.int")
def _select(op: Op, self: Any, dim: int, index: int) -> Result:
    return _partwise(op, self, dim, index)


@complex_handles("aten._to_copy", "aten.to", "prims.convert_element_type", "aten.type_as")
def _to(op: Op, self: Any, *_: object, **__: object) -> Result:
    if op.meta().is_complex():
        return _spread(op, pair(op, self))
    if op.dtype() == "bool":
        return numbers.is_nonzero(op.b, parts(op, self))
    return op.tensor(parts(op, self).real, op.dtype())


@complex_handles("aten.resolve_conj", "aten.resolve_neg", "aten.positive")
def _same(op: Op, self: Any) -> Result:
    return pair(op, self)


@complex_handles(
    "aten._conj",
    "aten._conj_copy",
    "aten._conj_physical",
    "aten.conj",
    "aten.conj_physical",
    "prims.conj",
    "prims.conj_physical",
)
def _conj(op: Op, self: Any) -> Result:
    return numbers.conj(op.b, pair(op, self))


@complex_handles(
    "aten.full_like",
    "aten.zeros_like",
    "aten.ones_like",
    "aten.new_full",
    "aten.new_zeros",
    "aten.new_ones",
    "aten.fill",
    "aten.zero",
)
def _filled(op: Op, self: Any, *args: Any, **named: Any) -> Result:
    handler = handler_of(op.target)
    assert handler is not None
    like = self.real if isinstance(self, Complex) else self
    values = [x for x in (*args, *named.values()) if isinstance(x, Complex)]
    if values:
        return _spread(op, pair(op, values[0]))
    return handler(op, like, *args, **named)


# Elementwise -------------------------------------------------------------------------------------


def _unary(name: str) -> Handler:
    return lambda op, self: numbers.UNARY[name](op.b, pair(op, self))


for _name in numbers.UNARY:
    for _space in ("aten", "prims"):
        COMPLEX_HANDLERS[f"{_space}.{_name}"] = _unary(_name)
COMPLEX_HANDLERS["aten.sgn"] = _unary("sign")
COMPLEX_HANDLERS["aten._neg_view"] = _unary("neg")
COMPLEX_HANDLERS["aten.special_expm1"] = _unary("expm1")
COMPLEX_HANDLERS["aten.special_log1p"] = _unary("log1p")
COMPLEX_HANDLERS["aten.special_expit"] = _unary("sigmoid")


@complex_handles("aten.log2", "aten.log10", "prims.log2", "prims.log10")
def _other_log(op: Op, self: Any) -> Result:
    base = 2 if "log2" in op.name else 10
    return numbers.scaled_log(op.b, pair(op, self), 1 / math.log(base))


@complex_handles("aten.exp2", "aten.special_exp2", "prims.exp2")
def _exp2(op: Op, self: Any) -> Any:
    z, factor = pair(op, self), op.tensor(math.log(2))
    return numbers.exp(op.b, on_parts(z, lambda part: op.b.multiply(part, factor)))


@complex_handles("aten.silu")
def _silu(op: Op, self: Any) -> Result:
    z = pair(op, self)
    return numbers.multiply(op.b, z, numbers.logistic(op.b, z))


@complex_handles("aten.ldexp")
def _ldexp(op: Op, self: Any, other: Any) -> Result:
    return _mul(op, self, _exp2(op, other))


@complex_handles("aten.abs", "prims.abs")
def _abs(op: Op, self: Any) -> Result:
    return numbers.absolute(op.b, parts(op, self))


@complex_handles("aten.angle")
def _angle(op: Op, self: Any) -> Result:
    return numbers.angle(op.b, parts(op, self))


@complex_handles("aten.isfinite", "prims.isfinite")
def _isfinite(op: Op, self: Any) -> Result:
    return numbers.is_finite(op.b, parts(op, self))


@complex_handles("aten.isnan", "aten.isinf")
def _isnan(op: Op, self: Any) -> Result:
    handler = handler_of(op.target)
    assert handler is not None
    real, imag = (op.tensor(handler(op, part)) for part in parts(op, self).parts)
    return op.b.logical_or(real, imag)


def _operands(op: Op, x: Any, y: Any) -> tuple[Pair, Pair]:
    return pair(op, x), pair(op, y)


def _scaled(op: Op, x: Any, alpha: Any) -> Any:
    return x if alpha == 1 else _mul(op, x, alpha)


@complex_handles("aten.add", "prims.add")
def _add(op: Op, self: Any, other: Any, alpha: Any = 1) -> Result:
    return _spread(op, numbers.add(op.b, *_operands(op, self, _scaled(op, other, alpha))))


@complex_handles("aten.sub", "prims.sub")
def _sub(op: Op, self: Any, other: Any, alpha: Any = 1) -> Result:
    return _spread(op, numbers.subtract(op.b, *_operands(op, self, _scaled(op, other, alpha))))


@complex_handles("aten.rsub")
def _rsub(op: Op, self: Any, other: Any, alpha: Any = 1) -> Result:
    return _spread(op, numbers.subtract(op.b, *_operands(op, other, _scaled(op, self, alpha))))


@complex_handles("aten.mul", "prims.mul")
def _mul(op: Op, self: Any, other: Any) -> Any:
    if is_complex(self) and is_complex(other):
        return _spread(op, numbers.multiply(op.b, *_operands(op, self, other)))
    x, y = (self, other) if is_complex(self) else (other, self)
    factor = op.tensor(y, op.dtype())
    return _spread(op, on_parts(pair(op, x), lambda part: op.b.multiply(part, factor)))


@complex_handles("aten.div", "aten.true_divide", "prims.div")
def _div(op: Op, self: Any, other: Any, rounding_mode: str | None = None) -> Result:
    if not is_complex(other):
        z, divisor = pair(op, self), op.tensor(other, op.dtype())
        return _spread(op, on_parts(z, lambda part: op.b.div(part, divisor)))
    return _spread(op, numbers.divide(op.b, *_operands(op, self, other)))


@complex_handles("aten.pow", "prims.pow")
def _pow(op: Op, self: Any, exponent: Any) -> Result:
    if isinstance(exponent, (int, float)) and float(exponent).is_integer() and abs(exponent) <= 8:
        return numbers.integer_power(op.b, pair(op, self), int(exponent))
    if exponent == 0.5 and not isinstance(exponent, Tensor):
        return numbers.sqrt(op.b, pair(op, self))
    return _spread(op, numbers.power(op.b, *_operands(op, self, exponent)))


def _compared(equal: bool) -> Handler:
    def handler(op: Op, self: Any, other: Any) -> Result:
        dtype = next(
            _part_dtype(x, op)
            for x in (self, other)
            if not isinstance(x, complex) and is_complex(x)
        )
        compare = numbers.equal if equal else numbers.not_equal
        return compare(op.b, pair(op, self, dtype), pair(op, other, dtype))

    return handler


for _space in ("aten", "prims"):
    COMPLEX_HANDLERS[f"{_space}.eq"] = _compared(True)
    COMPLEX_HANDLERS[f"{_space}.ne"] = _compared(False)


def _truth(op: Op, x: Any) -> Any:
    return numbers.is_nonzero(op.b, parts(op, x)) if is_complex(x) else x


@complex_handles(
    "aten.logical_not",
    "aten.logical_and",
    "aten.logical_or",
    "aten.logical_xor",
    "aten.any",
    "aten.all",
)
def _logical(op: Op, *args: Any, **kwargs: Any) -> Result:
    handler = handler_of(op.target)
    assert handler is not None
    return handler(op, *(_truth(op, x) for x in args), **kwargs)


# Products and reductions -------------------------------------------------------------------------


def _bilinear(op: Op, x: Any, y: Any, *rest: Any, **named: Any) -> Result:
    """A product that is bilinear in the first two operands; a bias is added to both parts."""
    handler = handler_of(op.target)
    assert handler is not None
    b, part_op = op.b, _PartOp(op)
    is_biased = "convolution" in op.name and rest[0] is not None
    bias = rest[0] if is_biased else None
    others = (None, *rest[1:]) if is_biased else rest

    def product(p: Any, q: Any) -> Tensor:
        return part_op.tensor(handler(part_op, p, q, *others, **named))

    if not is_complex(x) or not is_complex(y):
        z = pair(op, x) if is_complex(x) else pair(op, y)
        found = Complex(
            *(product(part, y) if is_complex(x) else product(x, part) for part in z.parts)
        )
    else:
        found = numbers.bilinear(b, pair(op, x), pair(op, y), product)
    if bias is None:
        return found
    offset = pair(op, bias)
    shape = (1, *offset.real.shape, *[1] * (len(op.shape()) - 2))
    return numbers.add(b, found, on_parts(offset, lambda part: reshaped(op, part, shape)))


@complex_handles("aten.dot", "aten.vdot")
def _dot(op: Op, self: Any, other: Any) -> Result:
    x, y = _operands(op, self, other)
    x = numbers.conj(op.b, x) if "vdot" in op.name else x
    found = numbers.multiply(op.b, x, y)
    return on_parts(found, lambda part: reshaped(op, op.b.sum(part, [0], False), ()))


@complex_handles("aten.addmm", "aten.baddbmm", "aten.addmv", "aten.addbmm")
def _addmm(op: Op, self: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Result:
    b, (left, right) = op.b, _operands(op, mat1, mat2)
    if "addmv" in op.name:
        right = on_parts(right, lambda part: reshaped(op, part, (*part.shape, 1)))
    found = numbers.bilinear(b, left, right, b.matmul)
    if ".addbmm" in op.name:
        found = on_parts(found, lambda part: b.sum(part, [0], False))
    found = on_parts(found, lambda part: reshaped(op, part, op.shape()))
    found = _scaled(op, found, alpha)
    return (
        found
        if beta == 0
        else _spread(op, numbers.add(b, found, pair(op, _scaled(op, self, beta))))
    )


@complex_handles("aten.linear")
def _linear(op: Op, input: Any, weight: Any, bias: Any = None) -> Result:
    b, (x, w) = op.b, _operands(op, input, weight)
    width = x.real.shape[-1]
    rows = on_parts(x, lambda p: reshaped(op, p, (math.prod(p.shape[:-1]), width)))
    found = numbers.bilinear(b, rows, w, lambda p, q: b.matmul(p, q, transpose_b=True))
    found = on_parts(found, lambda part: reshaped(op, part, op.shape()))
    return found if bias is None else _spread(op, numbers.add(b, found, pair(op, bias)))


@complex_handles("aten.prod.default", "aten.prod.dim_int", "aten.cumprod")
def _prod(op: Op, self: Any, dim: int | None = None, *_: Any, **__: Any) -> Result:
    z = pair(op, self)
    rank = z.real.rank
    if "cumprod" in op.name:
        return numbers.running_product(op.b, z, dim % rank) if dim is not None and rank else z
    for d in dims_of(op, dim, rank):
        z = numbers.product_along(op.b, z, d)
    return on_parts(z, lambda part: reshaped(op, part, op.shape()))


@complex_handles("aten.linalg_vector_norm")
def _vector_norm(op: Op, self: Any, *args: Any, **kwargs: Any) -> Result:
    handler = handler_of(op.target)
    assert handler is not None
    return handler(op, numbers.absolute(op.b, parts(op, self)), *args, **kwargs)


@complex_handles("aten.var.correction", "aten.var.dim", "aten.var.default", "aten.std.correction")
def _variance(op: Op, self: Any, *args: Any, **kwargs: Any) -> Result:
    """The variance is the sum of those of both parts."""
    handler = handler_of(op.target)
    assert handler is not None
    real, imag = (op.tensor(handler(op, part, *args, **kwargs)) for part in parts(op, self).parts)
    if ".std" in op.name:
        return numbers.absolute(op.b, Complex(real, imag))
    return op.b.add(real, imag)


@complex_handles("aten.var_mean.correction", "aten.std_mean.correction")
def _variance_and_mean(op: Op, self: Any, *args: Any, **kwargs: Any) -> Result:
    handler = handler_of(op.target)
    assert handler is not None
    pairs: list[Any] = [
        handler(_PartOp(op), part, *args, **kwargs) for part in parts(op, self).parts
    ]
    (first, real), (second, imag) = ([op.tensor(x) for x in found] for found in pairs)
    if ".std" in op.name:
        return [numbers.absolute(op.b, Complex(first, second)), Complex(real, imag)]
    return [op.b.add(first, second), Complex(real, imag)]
