"""Ops that create tensors or change shapes and layouts."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

import ml_dtypes
import numpy as np

from ttmlir import ir
from ttmlir._mlir_literals import array, boolean, f32, integer, integers
from ttmlir.builder._dtypes import (
    DTYPES,
    SMALL_FLOATS,
    SMALL_INTEGERS,
    array_dtype,
    canonical,
    element_dtype,
    is_float,
)
from ttmlir.builder._functions import Functions, extents
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
        """A constant from an array, or ``value`` for all elements of ``shape``.

        The dtype is the array's by default.
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
        """Creates a tensor filled like ``constant``."""
        return self._elements("fill", value, shape, dtype, name)

    def _elements(
        self, op: str, value: Any, shape: Sequence[int] | None, dtype: Any, name: str | None
    ) -> Tensor:
        values = np.asarray(value)
        if dtype is None:
            dtype = "f32" if values.dtype.kind == "f" and values.ndim == 0 else values.dtype
        dtype = canonical(dtype, border=True)
        found = extents(op, shape if shape is not None else values.shape or (1,))
        if values.shape not in ((), found):
            raise ValueError(f"{op}: expected an array of shape {found}, found {values.shape}")
        _check_small(op, values, dtype)
        self._check_open()
        with self.context, self._location(name), ir.InsertionPoint(self._block):
            kind = ir.RankedTensorType.get(found, self._element_type(dtype))
            attributes: dict[str, ir.Attribute] = {"value": _dense(op, values, kind, dtype)}
            if op == "fill":
                attributes["operand_constraints"] = ir.ArrayAttr.get([self._constraint])
            made = self._create(op, (), [kind], attributes, destination=op == "fill")
        return self._tensor(made.result, found, element_dtype(dtype))

    def full(
        self,
        shape: Sequence[int],
        fill_value: float,
        dtype: Any = "f32",
        *,
        name: str | None = None,
    ) -> Tensor:
        """A tensor of ``fill_value``."""
        dtype = canonical(dtype, border=True)
        text = f32(fill_value) if is_float(dtype) else f"{int(fill_value)} : i32"
        return self._source(
            "full", shape, dtype, {"fill_value": text, "shape": array("i32", shape)}, name
        )

    def zeros(self, shape: Sequence[int], dtype: Any = "f32", *, name: str | None = None) -> Tensor:
        """A tensor of zeros."""
        return self._same_everywhere("zeros", shape, dtype, name)

    def ones(self, shape: Sequence[int], dtype: Any = "f32", *, name: str | None = None) -> Tensor:
        """A tensor of ones."""
        return self._same_everywhere("ones", shape, dtype, name)

    def _same_everywhere(
        self, op: str, shape: Sequence[int], dtype: Any, name: str | None
    ) -> Tensor:
        found = extents(op, shape)
        attributes = {"shape": array("i32", found)}
        return self._build_all(op, (), attributes, [canonical(dtype)], name, found)[0]

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
        """``start``, ``start + step`` and so on along ``dim``, constant along other dimensions."""
        if step == 0:
            raise ValueError("arange: expected a step other than 0, found 0")
        rank = len(shape)
        if index(dim) not in range(-rank, rank):
            raise ValueError(f"arange: expected a dimension in [-{rank}, {rank}), found {dim}")
        attributes = {
            "start": integer("si64", start),
            "end": integer("si64", start + step * shape[dim]),
            "step": integer("si64", step),
            "arange_dimension": integer("i64", dim % rank),
        }
        return self._source("arange", shape, canonical(dtype, border=True), attributes, name)

    def _source(
        self,
        op: str,
        shape: Sequence[int],
        dtype: str,
        attributes: dict[str, str],
        name: str | None,
    ) -> Tensor:
        """Builds an op without operands."""
        self._check_open()
        shape = extents(op, shape)
        with self.context, self._location(name), ir.InsertionPoint(self._block):
            kind = ir.RankedTensorType.get(shape, self._element_type(dtype))
            parsed = {key: ir.Attribute.parse(value) for key, value in attributes.items()}
            made = self._create(op, (), [kind], parsed, destination=False)
        return self._tensor(made.result, shape, element_dtype(dtype))

    # Shapes --------------------------------------------------------------------------------------

    def transpose(
        self, x: Tensor, dim0: int = -2, dim1: int = -1, *, name: str | None = None
    ) -> Tensor:
        """Swaps two dimensions of ``x``."""
        attributes = {"dim0": integer("si32", dim0), "dim1": integer("si32", dim1)}
        return self._build("transpose", (x,), attributes, name=name)

    def permute(self, x: Tensor, permutation: Sequence[int], *, name: str | None = None) -> Tensor:
        """Permutes the dimensions of ``x``: dimension i of the result is ``permutation[i]`` of
        x."""
        dims = [d + x.rank if index(d) < 0 else d for d in permutation]
        return self._build("permute", (x,), {"permutation": array("i64", dims)}, name=name)

    def reshape(self, x: Tensor, shape: Sequence[int], *, name: str | None = None) -> Tensor:
        """Reshapes ``x``; one extent may be -1."""
        return self._build("reshape", (x,), {"shape": integers("i32", shape)}, name=name)

    def squeeze(self, x: Tensor, dim: int, *, name: str | None = None) -> Tensor:
        """Removes dimension ``dim``, whose extent must be 1."""
        return self._build("squeeze", (x,), {"dim": integer("si32", dim)}, name=name)

    def unsqueeze(self, x: Tensor, dim: int, *, name: str | None = None) -> Tensor:
        """Inserts a dimension of extent 1 at ``dim``."""
        return self._build("unsqueeze", (x,), {"dim": integer("si32", dim)}, name=name)

    def concat(self, tensors: Sequence[Tensor], dim: int, *, name: str | None = None) -> Tensor:
        """Concatenates the tensors along ``dim``."""
        if not tensors:
            raise ValueError("concat: expected at least one tensor")
        self._check_inputs("concat", tensors)
        self._same_dtype("concat", tensors)
        return self._build("concat", tensors, {"dim": integer("si32", dim)}, name=name)

    def broadcast(self, x: Tensor, shape: Sequence[int], *, name: str | None = None) -> Tensor:
        """Broadcasts ``x`` to ``shape`` by NumPy's rules."""
        target = extents("broadcast", shape)
        try:
            fits = np.broadcast_shapes(x.shape, target) == target
        except ValueError:
            fits = False
        if not fits:
            raise ValueError(f"broadcast: expected a shape that {x.shape} fits, found {target}")
        dims = range(len(target) - x.rank, len(target))
        attributes = {"dimension": integers("i64", dims)}
        return self._build("broadcast", (x,), attributes, name=name, shape=target)

    def repeat(self, x: Tensor, repeats: Sequence[int], *, name: str | None = None) -> Tensor:
        """Repeats ``x`` the given number of times along each dimension."""
        attributes = {"repeat_dimensions": array("i64", repeats)}
        return self._build("repeat", (x,), attributes, name=name)

    def slice(
        self,
        x: Tensor,
        begins: Sequence[int],
        ends: Sequence[int],
        step: Sequence[int] | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Elements from ``begins`` up to, but not including, ``ends``, every ``step``-th."""
        step = step if step is not None else [1] * x.rank
        attributes = {
            "begins": integers("i32", begins),
            "ends": integers("i32", ends),
            "step": integers("i32", step),
        }
        return self._build("slice", (x,), attributes, name=name)

    def pad(
        self,
        x: Tensor,
        padding: Sequence[tuple[int, int]],
        value: float = 0.0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Pads ``x`` with ``value``: (before, after) for each dimension."""
        if not all(isinstance(p, Sequence) and len(p) == 2 for p in padding):
            raise ValueError(
                f"pad: expected (before, after) for each dimension, found {tuple(padding)}"
            )
        attributes = {
            "padding": array("i32", (n for pair in padding for n in pair)),
            "value": f32(value),
        }
        return self._build("pad", (x,), attributes, name=name)

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
        clamp: bool = False,
        name: str | None = None,
    ) -> Tensor:
        """Slices of ``x`` at ``start_indices``, with the attributes of StableHLO's gather.

        An out-of-bounds slice is an error at run time; with ``clamp`` it is moved inside.
        """
        lists = {
            "offset_dims": offset_dims,
            "collapsed_slice_dims": collapsed_slice_dims,
            "operand_batching_dims": operand_batching_dims,
            "start_indices_batching_dims": start_indices_batching_dims,
            "start_index_map": start_index_map,
            "slice_sizes": slice_sizes,
        }
        attributes = {key: array("i64", value) for key, value in lists.items()}
        attributes["index_vector_dim"] = integer("si64", index_vector_dim)
        if clamp:
            attributes["clamp"] = boolean(clamp)
        return self._build("gather", (x, start_indices), attributes, name=name)

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
        """Gives ``x`` an explicit layout instead of the compiler's choice.

        Args:
            x: any tensor.
            memory_space: ``system``, ``dram`` or ``l1``.
            tiled: in 32x32 tiles, otherwise row-major.
            grid: rows and columns of cores to shard the tensor over.
            memory_layout: ``interleaved`` (default on the device), ``height_sharded``,
                ``width_sharded``, ``block_sharded``, ``single_bank`` or ``none`` (default on the
                host).
            format: storage format, a key of ``DTYPES`` such as ``bfp8_b``; by default the tensor's
                own.
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
        with self.context, self._location(name), ir.InsertionPoint(self._block):
            kind = ir.RankedTensorType.get(x.shape, self._element_type(x.dtype), layout)
            made = self._create("to_layout", (x,), [kind], {})
        return self._tensor(made.result, x.shape, x.dtype)

    def _lay_out(self, x: Tensor) -> None:
        """Gives ``x`` the compiler's initial layout, unless it has one."""
        if x.layout is not None:
            return
        layout = self._layout(x.shape, x.dtype, "system", tiled=False)
        with self.context, ir.Location.unknown():
            kind = ir.RankedTensorType.get(x.shape, self._element_type(x.dtype), layout)
        owner = x.value.owner
        # The results of an op are its destinations, which are its last operands, so both have the
        # same type.
        if not isinstance(owner, ir.Block) and len(owner.operands):
            first = len(owner.operands) - len(owner.results)
            owner.operands[first + ir.OpResult(x.value).result_number].set_type(kind)
        x.value.set_type(kind)


def _is_splat(values: np.ndarray[Any, Any]) -> bool:
    """Whether all elements have the same bits: 0 and -0 differ, NaN equals NaN."""
    bits = np.ascontiguousarray(values).reshape(-1)
    return bool((bits.view(np.uint8).reshape(bits.size, -1) == bits[:1].view(np.uint8)).all())


def _check_small(op: str, values: np.ndarray[Any, Any], dtype: str) -> None:
    """Raises ValueError for the first element that is not in the range of a small type."""
    if dtype not in (*SMALL_FLOATS, *SMALL_INTEGERS) or values.dtype == array_dtype(dtype):
        return
    limits: Any = (ml_dtypes.finfo if dtype in SMALL_FLOATS else ml_dtypes.iinfo)(
        array_dtype(dtype)
    )
    low, high = float(limits.min), float(limits.max)
    wide = values.astype(np.float64)
    beyond = np.isfinite(wide) & ((wide < low) | (wide > high))
    if beyond.any():
        place = [int(i) for i in np.argwhere(beyond)[0]]
        raise ValueError(
            f"{op}: element {place} is {wide[tuple(place)]:g}, expected {low:g} to {high:g} of "
            f"{dtype}"
        )


def _dense(
    op: str, values: np.ndarray[Any, Any], kind: ir.RankedTensorType, dtype: str
) -> ir.Attribute:
    """Returns a ``dense`` attribute, a splat if all values are the same."""
    if 0 in kind.shape:
        nothing: ir.Attribute = ir.Attribute.parse(f"dense<> : {kind}")
        return nothing
    first = values.flat[0]
    if values.ndim == 0 or _is_splat(values):
        element = kind.element_type
        scalar: ir.Attribute = (
            ir.FloatAttr.get(element, float(first))
            if is_float(dtype)
            # The bindings interpret the bits as a signed integer.
            else ir.IntegerAttr.get(element, (int(first) + 2**63) % 2**64 - 2**63)
        )
        return ir.DenseElementsAttr.get_splat(kind, scalar)
    if dtype == "bool":
        bits = [ir.BoolAttr.get(False), ir.BoolAttr.get(True)]
        return ir.DenseElementsAttr.get([bits[int(bit)] for bit in values.flat], kind)
    data: Any = np.ascontiguousarray(values, array_dtype(dtype))
    dense: ir.Attribute = ir.DenseElementsAttr.get(data, type=kind)
    return dense
