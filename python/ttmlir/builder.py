"""Writes TTIR programs without boilerplate.

>>> import ttmlir
>>> b = ttmlir.Builder()
>>> x = b.input("x", (64, 128), "bf16")
>>> w = b.input("w", (128, 96), "bfp8_b")
>>> y = b.relu(b.matmul(x, w))
>>> b.output(y)
>>> y.shape, y.dtype
((64, 96), 'bf16')
>>> b.module.operation.verify()
True
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from ttmlir import _shapes, ir
from ttmlir._shapes import Shape

#: Formats of elements: the type in the IR and, where the tensor is stored in another format than
#: that type's own, the format of its tiles.
DTYPES: dict[str, tuple[str, str | None]] = {
    "f32": ("f32", None),
    "f16": ("f16", None),
    "bf16": ("bf16", None),
    "i32": ("i32", None),
    "u32": ("i32", None),
    "u16": ("i16", None),
    "u8": ("i8", None),
    "bfp8": ("f16", "bfp_f8"),
    "bfp4": ("f16", "bfp_f4"),
    "bfp2": ("f16", "bfp_f2"),
    "bfp8_b": ("bf16", "bfp_bf8"),
    "bfp4_b": ("bf16", "bfp_bf4"),
    "bfp2_b": ("bf16", "bfp_bf2"),
}

# Long names that NumPy and PyTorch use.
_SYNONYMS = {
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",
    "int32": "i32",
    "uint32": "u32",
    "uint16": "u16",
    "uint8": "u8",
}

_MEMORY_SPACES = ("system", "dram", "l1")


def _canonical_dtype(dtype: Any) -> str:
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or np.dtype(dtype).name
    name = _SYNONYMS.get(name, name)
    if name not in DTYPES:
        raise ValueError(f"unknown dtype {dtype!r}: expected one of {', '.join(DTYPES)}")
    return name


def _user_location(context: ir.Context, name: str | None) -> ir.Location:
    """The line outside of this file that is being executed, under ``name`` if there is one."""
    frame = sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    location = ir.Location.file(frame.f_code.co_filename, frame.f_lineno, 0, context)
    return ir.Location.name(name, location, context) if name else location


@dataclass(frozen=True, eq=False)
class Tensor:
    """A value of the program that is being built.

    ``+ - * / @ >=`` and negation build the ops of that name; a Python number on either side
    becomes a constant of this tensor's dtype.
    """

    builder: Builder = field(repr=False)
    value: ir.Value = field(repr=False)
    shape: Shape
    dtype: str

    @property
    def rank(self) -> int:
        return len(self.shape)

    def _other(self, other: Tensor | float) -> Tensor:
        if isinstance(other, Tensor):
            return other
        return self.builder.constant(other, shape=(1,) * self.rank, dtype=self.dtype)

    def __add__(self, other: Tensor | float) -> Tensor:
        return self.builder.add(self, self._other(other))

    def __radd__(self, other: float) -> Tensor:
        return self.builder.add(self._other(other), self)

    def __sub__(self, other: Tensor | float) -> Tensor:
        return self.builder.subtract(self, self._other(other))

    def __rsub__(self, other: float) -> Tensor:
        return self.builder.subtract(self._other(other), self)

    def __mul__(self, other: Tensor | float) -> Tensor:
        return self.builder.multiply(self, self._other(other))

    def __rmul__(self, other: float) -> Tensor:
        return self.builder.multiply(self._other(other), self)

    def __truediv__(self, other: Tensor | float) -> Tensor:
        return self.builder.div(self, self._other(other))

    def __rtruediv__(self, other: float) -> Tensor:
        return self.builder.div(self._other(other), self)

    def __ge__(self, other: Tensor | float) -> Tensor:
        return self.builder.ge(self, self._other(other))

    def __matmul__(self, other: Tensor) -> Tensor:
        return self.builder.matmul(self, other)

    def __neg__(self) -> Tensor:
        return self.builder.neg(self)


class Builder:
    """Builds a module of functions on tensors, one op a call.

    The first function is called ``name``; ``function(name)`` begins another. Inputs and outputs
    belong to the function that was begun last.

    Every op takes an optional ``name``, which becomes its location in the IR (the key of grid
    overrides and of reports); the file and line of the call are recorded anyway.

    Args:
        name: of the first function.
        constraint: where operands of ops may lie, an alias of ``#tt.operand_constraint``.
        context: to build in; a new one otherwise.

    Raises:
        ValueError: from the op methods, where shapes or dtypes do not fit together.
    """

    def __init__(
        self,
        name: str = "forward",
        *,
        constraint: str = "any_device_tile",
        context: ir.Context | None = None,
    ) -> None:
        self.context = context or ir.Context()
        with self.context, ir.Location.unknown():
            self._module = ir.Module.create()
            self._constraint = ir.Attribute.parse(f"#tt.operand_constraint<{constraint}>")
        self._functions: set[str] = set()
        self._outputs: list[Tensor] | None = None
        self.function(name)

    # Functions -----------------------------------------------------------------------------------

    def function(self, name: str) -> None:
        """Begins a function; the one before it must have its outputs."""
        self._check_finished()
        if name in self._functions:
            raise ValueError(f"the module has a function '{name}' already")
        from ttmlir.dialects import func

        location = _user_location(self.context, None)
        with self.context, location, ir.InsertionPoint(self._module.body):
            self._function = func.FuncOp(name, ir.FunctionType.get([], []))
            self._block = self._function.add_entry_block()
        self._functions.add(name)
        self._function_name = name
        self._outputs = None

    def _check_finished(self) -> None:
        if self._functions and self._outputs is None:
            raise ValueError(f"function '{self._function_name}' has no output yet: call output()")

    def _check_open(self) -> None:
        if self._outputs is not None:
            raise ValueError(
                f"function '{self._function_name}' has its outputs: begin another with function()"
            )

    def input(
        self,
        name: str,
        shape: Sequence[int],
        dtype: Any = "f32",
        *,
        memory_space: str | None = None,
        tiled: bool | None = None,
    ) -> Tensor:
        """Adds an argument to the function.

        Args:
            name: of the argument, its location in the IR.
            shape: extents, at least one.
            dtype: a key of ``DTYPES``, or NumPy's or PyTorch's name. Block floats (``bfp8_b`` ...)
                are stored in 32x32 tiles on the device; their elements are bf16 or f16 in the IR.
            memory_space: where the caller puts the tensor: ``system``, ``dram`` or ``l1``. By
                default block floats go to ``dram``, everything else to where the compiler wants
                it.
            tiled: whether the tensor is stored in 32x32 tiles; block floats always are. Says
                nothing unless ``memory_space`` is given.
        """
        self._check_open()
        shape = tuple(int(e) for e in shape)
        if not shape or any(e < 1 for e in shape):
            raise ValueError(f"input '{name}': expected positive extents, found {shape}")
        dtype = _canonical_dtype(dtype)
        tile_format = DTYPES[dtype][1]
        if tile_format and tiled is False:
            raise ValueError(f"input '{name}': {dtype} is stored in tiles, tiled=False given")
        if tile_format and memory_space is None:
            memory_space = "dram"
        encoding = None
        if memory_space is not None:
            if memory_space not in _MEMORY_SPACES:
                raise ValueError(
                    f"input '{name}': expected memory_space to be one of "
                    f"{', '.join(_MEMORY_SPACES)}, found {memory_space!r}"
                )
            encoding = self._layout(shape, dtype, memory_space, bool(tiled or tile_format))
        element = self._element_type(dtype)
        with self.context:
            location = _user_location(self.context, name)
            kind = ir.RankedTensorType.get(shape, element, encoding, loc=location)
            value = self._block.add_argument(kind, location)
        return Tensor(
            self,
            value,
            shape,
            "bf16" if tile_format and dtype[-1] == "b" else ("f16" if tile_format else dtype),
        )

    def output(self, *tensors: Tensor) -> None:
        """Returns ``tensors`` from the function, which ends it."""
        self._check_open()
        if not tensors:
            raise ValueError(f"function '{self._function_name}': expected at least one output")
        from ttmlir.dialects import func

        with self.context, _user_location(self.context, None), ir.InsertionPoint(self._block):
            func.ReturnOp([t.value for t in tensors])
            kind = ir.FunctionType.get(
                [a.type for a in self._block.arguments], [t.value.type for t in tensors]
            )
            self._function.attributes["function_type"] = ir.TypeAttr.get(kind)
        self._outputs = list(tensors)

    @property
    def module(self) -> ir.Module:
        """The finished module."""
        self._check_finished()
        return self._module

    def __str__(self) -> str:
        return str(self.module)

    # Types ---------------------------------------------------------------------------------------

    def _element_type(self, dtype: str) -> ir.Type:
        return ir.Type.parse(DTYPES[dtype][0], self.context)

    def _layout(self, shape: Shape, dtype: str, memory_space: str, tiled: bool) -> ir.Attribute:
        """The default layout of ``shape`` on one core: all dimensions but the last collapsed."""
        element, tile_format = DTYPES[dtype]
        dims = [f"d{i}" for i in range(len(shape))]
        rows = []
        for i, dim in enumerate(dims[:-1]):
            stride = prod(shape[i + 1 : -1])
            rows.append(dim if i == len(dims) - 2 else f"{dim} * {stride}")
        shard = [prod(shape[:-1]), shape[-1]]
        if tiled:
            shard = [-(-e // 32) for e in shard]
            kept = {"f32": "f32", "f16": "f16", "bf16": "bf16", "i32": "u32", "i16": "u16"}
            element = f"!tt.tile<32x32, {tile_format or kept.get(element, 'u8')}>"
        memory_layout = "" if memory_space == "system" else ", interleaved"
        return ir.Attribute.parse(
            f"#tt.layout<({', '.join(dims)}) -> ({' + '.join(rows) or '0'}, {dims[-1]}), undef, "
            f"<1x1>, memref<{shard[0]}x{shard[1]}x{element}, #tt.memory_space<{memory_space}>>"
            f"{memory_layout}>",
            self.context,
        )

    # Ops -----------------------------------------------------------------------------------------

    def _build(
        self,
        op: str,
        inputs: Sequence[Tensor],
        shape: Shape,
        attributes: dict[str, str] | None = None,
        *,
        name: str | None,
        dtype: str | None = None,
        segments: bool = False,
    ) -> Tensor:
        """``ttir.<op>`` of ``inputs`` into a new tensor; ``attributes`` are texts."""
        self._check_open()
        for tensor in inputs:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"{op}: expected tensors of a Builder, found {tensor!r}")
            if tensor.builder is not self:
                raise ValueError(f"{op}: an input belongs to another Builder")
        dtype = dtype or inputs[0].dtype
        location = _user_location(self.context, name)
        with self.context, location, ir.InsertionPoint(self._block):
            kind = ir.RankedTensorType.get(shape, self._element_type(dtype))
            destination = ir.Operation.create("tensor.empty", results=[kind])
            operands = [*(t.value for t in inputs), destination.result]
            properties: dict[str, ir.Attribute] = {
                key: ir.Attribute.parse(value) for key, value in (attributes or {}).items()
            }
            properties["operand_constraints"] = ir.ArrayAttr.get([self._constraint] * len(operands))
            if segments:
                properties["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([len(inputs), 1])
            made = ir.Operation.create(
                f"ttir.{op}", results=[kind], operands=operands, attributes=properties
            )
        return Tensor(self, made.result, shape, dtype)

    def _same_dtype(self, op: str, tensors: Iterable[Tensor]) -> None:
        dtypes = {t.dtype for t in tensors}
        if len(dtypes) > 1:
            raise ValueError(f"{op}: expected one dtype, found {', '.join(sorted(dtypes))}")

    def _eltwise(self, op: str, inputs: Sequence[Tensor], name: str | None) -> Tensor:
        self._same_dtype(op, inputs)
        try:
            shape = _shapes.broadcast(*(t.shape for t in inputs))
        except ValueError as error:
            raise ValueError(f"{op}: {error}") from None
        return self._build(op, inputs, shape, name=name, segments=True)

    def constant(
        self,
        value: Any,
        *,
        shape: Sequence[int] | None = None,
        dtype: Any = None,
        name: str | None = None,
    ) -> Tensor:
        """A constant from an array, or ``value`` in every element of ``shape``.

        The dtype is the array's unless it is given.
        """
        self._check_open()
        array = np.asarray(value)
        if dtype is None:
            dtype = "f32" if array.dtype.kind == "f" and array.ndim == 0 else array.dtype
        dtype = _canonical_dtype(dtype)
        extents = tuple(shape) if shape is not None else (array.shape or (1,))
        if array.shape not in ((), extents):
            raise ValueError(f"constant: expected an array of shape {extents}, found {array.shape}")
        with (
            self.context,
            _user_location(self.context, name),
            ir.InsertionPoint(self._block),
        ):
            element = self._element_type(dtype)
            kind = ir.RankedTensorType.get(extents, element)
            first = array.flat[0]
            if array.ndim == 0 or (array == first).all():
                scalar = (
                    ir.FloatAttr.get(element, float(first))
                    if dtype[0] in "fb"
                    else ir.IntegerAttr.get(element, int(first))
                )
                attribute = ir.DenseElementsAttr.get_splat(kind, scalar)
            else:
                data = np.ascontiguousarray(array, _storage_dtype(dtype))
                attribute = ir.DenseElementsAttr.get(data, signless=True, type=kind)
            made = ir.Operation.create(
                "ttir.constant", results=[kind], attributes={"value": attribute}
            )
        return Tensor(self, made.result, extents, dtype)

    def matmul(self, a: Tensor, b: Tensor, *, name: str | None = None) -> Tensor:
        """(.., M, K) by (.., K, N) is (.., M, N); leading dimensions broadcast."""
        self._same_dtype("matmul", (a, b))
        try:
            shape = _shapes.matmul(a.shape, b.shape)
        except ValueError as error:
            raise ValueError(f"matmul: {error}") from None
        return self._build("matmul", (a, b), shape, name=name)

    def softmax(self, x: Tensor, dim: int = -1, *, name: str | None = None) -> Tensor:
        """Normalised exponentials along ``dim``."""
        _shapes.normalize(dim, x.rank)
        attributes = {"dimension": f"{dim} : si32"}
        return self._build("softmax", (x,), x.shape, attributes, name=name)

    def _reduction(
        self, op: str, x: Tensor, dim: int | Sequence[int] | None, keep_dim: bool, name: str | None
    ) -> Tensor:
        dims = range(x.rank) if dim is None else [dim] if isinstance(dim, int) else dim
        axes = [_shapes.normalize(d, x.rank) for d in dims]
        attributes = {"keep_dim": "true" if keep_dim else "false"}
        if dim is not None:
            attributes["dim_arg"] = f"[{', '.join(f'{d} : i32' for d in axes)}]"
        shape = _shapes.reduce(x.shape, axes, keep_dim)
        return self._build(op, (x,), shape, attributes, name=name)

    def sum(
        self,
        x: Tensor,
        dim: int | Sequence[int] | None = None,
        keep_dim: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Sum along ``dim`` (all dimensions if None)."""
        return self._reduction("sum", x, dim, keep_dim, name)

    def mean(
        self,
        x: Tensor,
        dim: int | Sequence[int] | None = None,
        keep_dim: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Mean along ``dim`` (all dimensions if None)."""
        return self._reduction("mean", x, dim, keep_dim, name)

    def max(
        self,
        x: Tensor,
        dim: int | Sequence[int] | None = None,
        keep_dim: bool = False,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Maximum along ``dim`` (all dimensions if None)."""
        return self._reduction("max", x, dim, keep_dim, name)

    def transpose(
        self, x: Tensor, dim0: int = -2, dim1: int = -1, *, name: str | None = None
    ) -> Tensor:
        """``x`` with two dimensions exchanged."""
        shape = list(x.shape)
        i, j = _shapes.normalize(dim0, x.rank), _shapes.normalize(dim1, x.rank)
        shape[i], shape[j] = shape[j], shape[i]
        attributes = {"dim0": f"{dim0} : si32", "dim1": f"{dim1} : si32"}
        return self._build("transpose", (x,), tuple(shape), attributes, name=name)

    def reshape(self, x: Tensor, shape: Sequence[int], *, name: str | None = None) -> Tensor:
        """The elements of ``x`` in another shape; one extent may be -1."""
        extents = _shapes.reshape(x.shape, shape)
        attributes = {"shape": f"[{', '.join(f'{e} : i32' for e in extents)}]"}
        return self._build("reshape", (x,), extents, attributes, name=name)

    def squeeze(self, x: Tensor, dim: int, *, name: str | None = None) -> Tensor:
        """``x`` without dimension ``dim``, whose extent must be 1."""
        axis = _shapes.normalize(dim, x.rank)
        if x.shape[axis] != 1 or x.rank == 1:
            raise ValueError(
                f"squeeze: expected rank >= 2 and extent 1 in dimension {dim}, "
                f"found {_shapes.text(x.shape)}"
            )
        shape = x.shape[:axis] + x.shape[axis + 1 :]
        return self._build("squeeze", (x,), shape, {"dim": f"{dim} : si32"}, name=name)

    def unsqueeze(self, x: Tensor, dim: int, *, name: str | None = None) -> Tensor:
        """``x`` with a dimension of extent 1 inserted at ``dim``."""
        axis = _shapes.normalize(dim, x.rank + 1)
        shape = (*x.shape[:axis], 1, *x.shape[axis:])
        return self._build("unsqueeze", (x,), shape, {"dim": f"{dim} : si32"}, name=name)

    def concat(self, tensors: Sequence[Tensor], dim: int, *, name: str | None = None) -> Tensor:
        """The tensors one after the other along ``dim``."""
        if not tensors:
            raise ValueError("concat: expected at least one tensor")
        self._same_dtype("concat", tensors)
        axis = _shapes.normalize(dim, tensors[0].rank)
        shape = _shapes.concat([t.shape for t in tensors], axis)
        return self._build("concat", tensors, shape, {"dim": f"{dim} : si32"}, name=name)

    def broadcast(self, x: Tensor, shape: Sequence[int], *, name: str | None = None) -> Tensor:
        """``x`` repeated to ``shape`` by NumPy's rules."""
        extents = tuple(shape)
        if _shapes.broadcast(x.shape, extents) != extents:
            raise ValueError(
                f"broadcast: {_shapes.text(x.shape)} does not broadcast to {_shapes.text(extents)}"
            )
        offset = len(extents) - x.rank
        dims = ", ".join(str(offset + i) for i in range(x.rank))
        return self._build("broadcast", (x,), extents, {"dimension": f"[{dims}]"}, name=name)

    def embedding(self, indices: Tensor, table: Tensor, *, name: str | None = None) -> Tensor:
        """Rows of ``table`` (rows, width) by ``indices``: (.., ) gives (.., width)."""
        if table.rank != 2:
            raise ValueError(f"embedding: expected a table of rank 2, found {table.shape}")
        shape = (*indices.shape, table.shape[1])
        return self._build("embedding", (indices, table), shape, name=name, dtype=table.dtype)

    def conv2d(
        self,
        x: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        *,
        stride: tuple[int, int] = (1, 1),
        dilation: tuple[int, int] = (1, 1),
        padding: tuple[int, int] = (0, 0),
        groups: int = 1,
        name: str | None = None,
    ) -> Tensor:
        """Convolves ``x`` (N, H, W, C) with ``weight`` (O, C / groups, KH, KW) to (N, H', W', O).

        ``bias`` is (1, 1, 1, O); ``padding`` is that of each side (height, width).
        """
        if x.rank != 4 or weight.rank != 4:
            raise ValueError(f"conv2d: expected rank 4, found {x.shape} and {weight.shape}")
        if weight.shape[1] * groups != x.shape[3]:
            raise ValueError(
                f"conv2d: expected a weight with {x.shape[3]} / {groups} input channels, "
                f"found {_shapes.text(weight.shape)}"
            )
        inputs = (x, weight) if bias is None else (x, weight, bias)
        self._same_dtype("conv2d", inputs)
        height, width = (
            _shapes.window(e, k, s, d, 2 * p, False)
            for e, k, s, d, p in zip(
                x.shape[1:3], weight.shape[2:], stride, dilation, padding, strict=True
            )
        )
        values = {"stride": stride, "dilation": dilation}
        attributes = {
            f"{key}_{side}": f"{value[i]} : si32"
            for key, value in values.items()
            for i, side in enumerate(("height", "width"))
        }
        attributes["groups"] = f"{groups} : si32"
        attributes |= {f"padding_{s}": f"{padding[0]} : si32" for s in ("top", "bottom")}
        attributes |= {f"padding_{s}": f"{padding[1]} : si32" for s in ("left", "right")}
        shape = (x.shape[0], height, width, weight.shape[0])
        return self._build("conv2d", inputs, shape, attributes, name=name)

    def max_pool2d(
        self,
        x: Tensor,
        kernel: tuple[int, int],
        *,
        stride: tuple[int, int] | None = None,
        dilation: tuple[int, int] = (1, 1),
        padding: tuple[int, int] = (0, 0),
        ceil_mode: bool = False,
        name: str | None = None,
    ) -> Tensor:
        """Maximum over a window that slides over ``x`` (N, H, W, C), by ``kernel`` unless told."""
        if x.rank != 4:
            raise ValueError(f"max_pool2d: expected rank 4, found {x.shape}")
        stride = stride or kernel
        height, width = (
            _shapes.window(e, k, s, d, 2 * p, ceil_mode)
            for e, k, s, d, p in zip(x.shape[1:3], kernel, stride, dilation, padding, strict=True)
        )
        values = {"kernel": kernel, "stride": stride, "dilation": dilation}
        attributes = {
            f"{key}_{side}": f"{value[i]} : si32"
            for key, value in values.items()
            for i, side in enumerate(("height", "width"))
        }
        attributes["ceil_mode"] = "true" if ceil_mode else "false"
        attributes |= {f"padding_{s}": f"{padding[0]} : si32" for s in ("top", "bottom")}
        attributes |= {f"padding_{s}": f"{padding[1]} : si32" for s in ("left", "right")}
        shape = (x.shape[0], height, width, x.shape[3])
        return self._build("max_pool2d", (x,), shape, attributes, name=name)

    def abs(self, x: Tensor, *, name: str | None = None) -> Tensor:
        """Absolute values."""
        return self._eltwise("abs", (x,), name)

    def exp(self, x: Tensor, *, name: str | None = None) -> Tensor:
        """Exponentials."""
        return self._eltwise("exp", (x,), name)

    def neg(self, x: Tensor, *, name: str | None = None) -> Tensor:
        """Negatives."""
        return self._eltwise("neg", (x,), name)

    def reciprocal(self, x: Tensor, *, name: str | None = None) -> Tensor:
        """1 divided by the elements."""
        return self._eltwise("reciprocal", (x,), name)

    def relu(self, x: Tensor, *, name: str | None = None) -> Tensor:
        """The elements, 0 for negative ones."""
        return self._eltwise("relu", (x,), name)

    def sigmoid(self, x: Tensor, *, name: str | None = None) -> Tensor:
        """1 / (1 + exp(-x))."""
        return self._eltwise("sigmoid", (x,), name)

    def sqrt(self, x: Tensor, *, name: str | None = None) -> Tensor:
        """Square roots."""
        return self._eltwise("sqrt", (x,), name)

    def add(self, a: Tensor, b: Tensor, *, name: str | None = None) -> Tensor:
        """a + b, broadcast by NumPy's rules, as are all binary ops."""
        return self._eltwise("add", (a, b), name)

    def subtract(self, a: Tensor, b: Tensor, *, name: str | None = None) -> Tensor:
        """a - b."""
        return self._eltwise("subtract", (a, b), name)

    def multiply(self, a: Tensor, b: Tensor, *, name: str | None = None) -> Tensor:
        """a * b."""
        return self._eltwise("multiply", (a, b), name)

    def div(self, a: Tensor, b: Tensor, *, name: str | None = None) -> Tensor:
        """a / b."""
        return self._eltwise("div", (a, b), name)

    def maximum(self, a: Tensor, b: Tensor, *, name: str | None = None) -> Tensor:
        """The greater elements."""
        return self._eltwise("maximum", (a, b), name)

    def ge(self, a: Tensor, b: Tensor, *, name: str | None = None) -> Tensor:
        """1 where a >= b, else 0."""
        return self._eltwise("ge", (a, b), name)


def _storage_dtype(dtype: str) -> np.dtype:
    """NumPy's dtype of the elements of a constant."""
    import ml_dtypes

    element = DTYPES[dtype][0]
    names = {"f32": "f4", "f16": "f2", "i32": "u4" if dtype[0] == "u" else "i4", "i16": "u2"}
    return np.dtype(ml_dtypes.bfloat16 if element == "bf16" else names.get(element, "u1"))
