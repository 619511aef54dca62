"""Ops that make tensors and give them other shapes and layouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ttmlir import _shapes, ir
from ttmlir._literals import array, f32, integers
from ttmlir.builder._dtypes import DTYPES, array_dtype, canonical, element_dtype, is_float
from ttmlir.builder._functions import Functions, extents, user_location
from ttmlir.builder._tensor import Tensor


class TensorOps(Functions):
    """Constants, shapes and layouts."""

    # New tensors ---------------------------------------------------------------------------------

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
        return self._elements("constant", value, shape, dtype, name)

    def fill(
        self,
        value: Any,
        *,
        shape: Sequence[int] | None = None,
        dtype: Any = None,
        name: str | None = None,
    ) -> Tensor:
        """A new tensor filled as by ``constant``."""
        return self._elements("fill", value, shape, dtype, name)

    def _elements(
        self, op: str, value: Any, shape: Sequence[int] | None, dtype: Any, name: str | None
    ) -> Tensor:
        values = np.asarray(value)
        if dtype is None:
            dtype = "f32" if values.dtype.kind == "f" and values.ndim == 0 else values.dtype
        dtype = canonical(dtype)
        found = extents(op, shape if shape is not None else values.shape or (1,))
        if values.shape not in ((), found):
            raise ValueError(f"{op}: expected an array of shape {found}, found {values.shape}")
        self._check_open()
        with self.context, user_location(self.context, name), ir.InsertionPoint(self._block):
            kind = ir.RankedTensorType.get(found, self._element_type(dtype))
            attributes: dict[str, ir.Attribute] = {"value": _dense(op, values, kind, dtype)}
            if op == "fill":
                attributes["operand_constraints"] = ir.ArrayAttr.get([self._constraint])
            made = self._create(op, (), kind, attributes, destination=op == "fill")
        return self._tensor(made, found, element_dtype(dtype))

    def full(
        self,
        shape: Sequence[int],
        fill_value: float,
        dtype: Any = "f32",
        *,
        name: str | None = None,
    ) -> Tensor:
        """``fill_value`` in every element."""
        dtype = canonical(dtype)
        text = f32(fill_value) if is_float(dtype) else f"{int(fill_value)} : i32"
        return self._source(
            "full", shape, dtype, {"fill_value": text, "shape": array("i32", shape)}, name
        )

    def arange(
        self,
        shape: Sequence[int],
        start: int = 0,
        step: int = 1,
        dim: int = -1,
        dtype: Any = "f32",
        *,
        name: str | None = None,
    ) -> Tensor:
        """``start``, ``start + step`` and so on along ``dim``, the same along the others."""
        if step == 0:
            raise ValueError("arange: expected a step other than 0, found 0")
        axis = _shapes.normalize(dim, len(shape))
        attributes = {
            "start": f"{start} : si64",
            "end": f"{start + step * shape[axis]} : si64",
            "step": f"{step} : si64",
            "arange_dimension": f"{axis} : i64",
        }
        return self._source("arange", shape, canonical(dtype), attributes, name)

    def _source(
        self,
        op: str,
        shape: Sequence[int],
        dtype: str,
        attributes: dict[str, str],
        name: str | None,
    ) -> Tensor:
        """An op without operands."""
        self._check_open()
        shape = extents(op, shape)
        with self.context, user_location(self.context, name), ir.InsertionPoint(self._block):
            kind = ir.RankedTensorType.get(shape, self._element_type(dtype))
            parsed = {key: ir.Attribute.parse(value) for key, value in attributes.items()}
            made = self._create(op, (), kind, parsed, destination=False)
        return self._tensor(made, shape, element_dtype(dtype))

    # Shapes --------------------------------------------------------------------------------------

    def transpose(
        self, x: Tensor, dim0: int = -2, dim1: int = -1, *, name: str | None = None
    ) -> Tensor:
        """``x`` with two dimensions exchanged."""
        shape = list(x.shape)
        i, j = _shapes.normalize(dim0, x.rank), _shapes.normalize(dim1, x.rank)
        shape[i], shape[j] = shape[j], shape[i]
        attributes = {"dim0": f"{dim0} : si32", "dim1": f"{dim1} : si32"}
        return self._build("transpose", (x,), tuple(shape), attributes, name=name)

    def permute(self, x: Tensor, permutation: Sequence[int], *, name: str | None = None) -> Tensor:
        """``x`` with its dimensions in another order: dimension i is ``permutation[i]`` of x."""
        dims = [_shapes.normalize(d, x.rank) for d in permutation]
        if sorted(dims) != list(range(x.rank)):
            raise ValueError(
                f"permute: expected each of {x.rank} dimensions once, found {tuple(permutation)}"
            )
        shape = tuple(x.shape[d] for d in dims)
        return self._build("permute", (x,), shape, {"permutation": array("i64", dims)}, name=name)

    def reshape(self, x: Tensor, shape: Sequence[int], *, name: str | None = None) -> Tensor:
        """The elements of ``x`` in another shape; one extent may be -1."""
        extents = _shapes.reshape(x.shape, shape)
        return self._build("reshape", (x,), extents, {"shape": integers("i32", extents)}, name=name)

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
        self._check_inputs("concat", tensors)
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

    def repeat(self, x: Tensor, repeats: Sequence[int], *, name: str | None = None) -> Tensor:
        """``x`` so many times along each dimension."""
        if len(repeats) != x.rank or any(r < 1 for r in repeats):
            raise ValueError(f"repeat: expected {x.rank} positive numbers, found {tuple(repeats)}")
        shape = tuple(e * r for e, r in zip(x.shape, repeats, strict=True))
        attributes = {"repeat_dimensions": array("i64", repeats)}
        return self._build("repeat", (x,), shape, attributes, name=name)

    def slice(
        self,
        x: Tensor,
        begins: Sequence[int],
        ends: Sequence[int],
        step: Sequence[int] | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Elements from ``begins`` to before ``ends`` in each dimension, every ``step``-th."""
        step = list(step) if step is not None else [1] * x.rank
        begins, ends, shape = _shapes.slice(x.shape, begins, ends, step)
        attributes = {
            "begins": integers("i32", begins),
            "ends": integers("i32", ends),
            "step": integers("i32", step),
        }
        return self._build("slice", (x,), shape, attributes, name=name)

    def pad(
        self,
        x: Tensor,
        padding: Sequence[tuple[int, int]],
        value: float = 0.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """``x`` with ``value`` around it: (before, after) for each dimension."""
        pairs = [p for p in padding if isinstance(p, Sequence) and len(p) == 2]
        if not len(pairs) == len(padding) == x.rank or any(min(p) < 0 for p in pairs):
            raise ValueError(
                f"pad: expected (before, after), numbers >= 0, for each of {x.rank} dimensions, "
                f"found {tuple(padding)}"
            )
        shape = tuple(e + p[0] + p[1] for e, p in zip(x.shape, padding, strict=True))
        attributes = {
            "padding": array("i32", (n for pair in padding for n in pair)),
            "value": f32(value),
        }
        return self._build("pad", (x,), shape, attributes, name=name)

    def cumsum(self, x: Tensor, dim: int, *, name: str | None = None) -> Tensor:
        """Sums of all elements up to each along ``dim``."""
        axis = _shapes.normalize(dim, x.rank)
        return self._build("cumsum", (x,), x.shape, {"dim": f"{axis} : i64"}, name=name)

    def gather(
        self,
        x: Tensor,
        start_indices: Tensor,
        *,
        offset_dims: Sequence[int],
        collapsed_slice_dims: Sequence[int] = (),
        operand_batching_dims: Sequence[int] = (),
        start_indices_batching_dims: Sequence[int] = (),
        start_index_map: Sequence[int],
        index_vector_dim: int,
        slice_sizes: Sequence[int],
        name: str | None = None,
    ) -> Tensor:
        """Slices of ``x`` at ``start_indices``, with the attributes of StableHLO's gather."""
        dropped = {*collapsed_slice_dims, *operand_batching_dims}
        shape = _shapes.gather(
            start_indices.shape, offset_dims, dropped, index_vector_dim, slice_sizes
        )
        lists = {
            "offset_dims": offset_dims,
            "collapsed_slice_dims": collapsed_slice_dims,
            "operand_batching_dims": operand_batching_dims,
            "start_indices_batching_dims": start_indices_batching_dims,
            "start_index_map": start_index_map,
            "slice_sizes": slice_sizes,
        }
        attributes = {key: array("i64", value) for key, value in lists.items()}
        attributes["index_vector_dim"] = f"{index_vector_dim} : si64"
        return self._build("gather", (x, start_indices), shape, attributes, name=name)

    # Layouts -------------------------------------------------------------------------------------

    def to_layout(
        self,
        x: Tensor,
        *,
        memory_space: str = "dram",
        tiled: bool = True,
        grid: Sequence[int] = (1, 1),
        memory_layout: str | None = None,
        format: str | None = None,
        name: str | None = None,
    ) -> Tensor:
        """``x`` in a layout of your choice instead of the compiler's.

        Args:
            x: any tensor.
            memory_space: ``system``, ``dram`` or ``l1``.
            tiled: in 32x32 tiles, else row by row.
            grid: rows and columns of cores that the tensor is divided over.
            memory_layout: ``interleaved`` (default on the device), ``height_sharded``,
                ``width_sharded``, ``block_sharded``, ``single_bank`` or ``none`` (default on the
                host).
            format: store the elements as this key of ``DTYPES``, such as ``bfp8_b``; the tensor's
                own otherwise.
            name: of the location.
        """
        self._check_open()
        self._check_inputs("to_layout", (x,))
        stored = x.dtype if format is None else canonical(format)
        if DTYPES[stored].element != DTYPES[x.dtype].element:
            raise ValueError(
                f"to_layout: expected a format whose elements are {x.dtype}, found {stored}"
            )
        if DTYPES[stored].block and not tiled:
            raise ValueError(f"to_layout: {stored} is stored in tiles, tiled=False given")
        try:
            layout = self._layout(x.shape, stored, memory_space, tiled, grid, memory_layout)
        except ValueError as error:
            raise ValueError(f"to_layout: {error}") from None
        self._lay_out(x)
        with self.context, user_location(self.context, name), ir.InsertionPoint(self._block):
            kind = ir.RankedTensorType.get(x.shape, self._element_type(x.dtype), layout)
            made = self._create("to_layout", (x,), kind, {}, destination=True)
        return self._tensor(made, x.shape, x.dtype)

    def _lay_out(self, x: Tensor) -> None:
        """Gives ``x`` the layout that the compiler begins with, unless it has one."""
        if x.layout is not None:
            return
        layout = self._layout(x.shape, x.dtype, "system", tiled=False)
        with self.context, ir.Location.unknown():
            kind = ir.RankedTensorType.get(x.shape, self._element_type(x.dtype), layout)
        owner = x.value.owner
        # The results of an op are the tensors of its destinations, which are its last operands,
        # so both have one type.
        if not isinstance(owner, ir.Block) and len(owner.operands):
            first = len(owner.operands) - len(owner.results)
            owner.operands[first + ir.OpResult(x.value).result_number].set_type(kind)
        x.value.set_type(kind)


def _dense(
    op: str, values: np.ndarray[Any, Any], kind: ir.RankedTensorType, dtype: str
) -> ir.Attribute:
    """A ``dense`` attribute, of one value where all are the same."""
    if values.size == 0 or 0 in kind.shape:
        raise ValueError(f"{op}: expected elements, found a shape of {tuple(kind.shape)}")
    first = values.flat[0]
    if values.ndim == 0 or (values == first).all():
        element = kind.element_type
        scalar: ir.Attribute = (
            ir.FloatAttr.get(element, float(first))
            if is_float(dtype)
            else ir.IntegerAttr.get(element, int(first))
        )
        return ir.DenseElementsAttr.get_splat(kind, scalar)
    data: Any = np.ascontiguousarray(values, array_dtype(dtype))
    dense: ir.Attribute = ir.DenseElementsAttr.get(data, type=kind)
    return dense
