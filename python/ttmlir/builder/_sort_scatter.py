"""Sorting, gathers, scatters, slices and random numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from ttmlir import ir
from ttmlir._mlir_literals import array, boolean, f32, integer, integers
from ttmlir.builder._dtypes import ELEMENTS, canonical
from ttmlir.builder._functions import Functions, extents
from ttmlir.builder._tensor import Tensor

#: The reductions of scatters, as named in the IR.
REDUCTIONS = {"set": "invalid", "add": "sum", "multiply": "prod", "max": "max", "min": "min"}

#: The dtype of indices.
PLACES = "i32"


def _reduction(op: str, name: str) -> str:
    if name not in REDUCTIONS:
        raise ValueError(
            f"{op}: expected reduce to be one of {', '.join(REDUCTIONS)}, found {name!r}"
        )
    return f"#tt.reduce_type<{REDUCTIONS[name]}>"


class SortScatterOps(Functions):
    """Sorting, gathers and scatters along dimensions, dynamic slices, random numbers."""

    # Orders --------------------------------------------------------------------------------------

    def argsort(
        self, x: Tensor, dim: int = -1, descending: bool = False, *, name: str | None = None
    ) -> Tensor:
        """Indices that sort the elements along ``dim``; the sort is stable."""
        attributes = {"dim": integer("i64", dim), "descending": boolean(descending)}
        return self._build("argsort", (x,), attributes, name=name, dtype=PLACES)

    def sort(
        self,
        tensors: Sequence[Tensor],
        dim: int = -1,
        descending: bool = False,
        num_keys: int = 1,
        *,
        name: str | None = None,
    ) -> tuple[Tensor, ...]:
        """Sorts the tensors by the first ``num_keys`` of them; also returns the original
        indices."""
        attributes = {
            "dim": integer("si32", dim),
            "descending": boolean(descending),
            "stable": boolean(True),
            "num_keys": integer("i32", num_keys),
        }
        self._check_inputs("sort", tensors)
        dtypes = [*(t.dtype for t in tensors), PLACES]
        return self._build_all("sort", tensors, attributes, dtypes, name, segments=(len(tensors),))

    def topk(
        self,
        x: Tensor,
        k: int,
        dim: int = -1,
        largest: bool = True,
        *,
        name: str | None = None,
    ) -> tuple[Tensor, ...]:
        """The ``k`` greatest (or smallest) elements along ``dim``, sorted, and their indices."""
        attributes = {
            "k": integer("i32", k),
            "dim": integer("i32", dim),
            "largest": boolean(largest),
            "sorted": boolean(True),
        }
        self._check_inputs("topk", (x,))
        return self._build_all("topk", (x,), attributes, [x.dtype, PLACES], name)

    def topk_router_gpt(
        self,
        x: Tensor,
        weight: Tensor,
        bias: Tensor,
        k: int,
        *,
        name: str | None = None,
    ) -> tuple[Tensor, ...]:
        """Indices of the ``k`` greatest logits ``x @ weight + bias`` of each row, and the logits;
        ``k`` is rounded up to a multiple of 8."""
        self._check_inputs("topk_router_gpt", (x, weight, bias))
        attributes = {
            "k": integer("i32", k),
            "num_experts": integer("i32", weight.shape[-1] if weight.shape else 0),
        }
        inputs = (x, weight, bias)
        return self._build_all("topk_router_gpt", inputs, attributes, [PLACES, x.dtype], name)

    def gather_dim(self, x: Tensor, index: Tensor, dim: int, *, name: str | None = None) -> Tensor:
        """Gathers elements of ``x`` at the indices ``index`` along ``dim``, like PyTorch's
        gather."""
        attributes = {"dim": integer("i32", dim)}
        return self._build("gather_dim", (x, index), attributes, name=name)

    # Scatters ------------------------------------------------------------------------------------

    def scatter(
        self,
        x: Tensor,
        scatter_indices: Tensor,
        updates: Tensor,
        *,
        update_window_dims: Sequence[int],
        inserted_window_dims: Sequence[int] = (),
        input_batching_dims: Sequence[int] = (),
        scatter_indices_batching_dims: Sequence[int] = (),
        scatter_dims_to_operand_dims: Sequence[int],
        index_vector_dim: int,
        reduce: str = "set",
        name: str | None = None,
    ) -> Tensor:
        """Scatters ``updates`` into ``x`` at ``scatter_indices``, with the attributes of StableHLO.

        ``reduce`` is ``set``, ``add``, ``multiply``, ``max`` or ``min``.
        """
        lists = {
            "update_window_dims": update_window_dims,
            "inserted_window_dims": inserted_window_dims,
            "input_batching_dims": input_batching_dims,
            "scatter_indices_batching_dims": scatter_indices_batching_dims,
            "scatter_dims_to_operand_dims": scatter_dims_to_operand_dims,
        }
        attributes = {key: array("i64", value) for key, value in lists.items()}
        attributes["index_vector_dim"] = integer("si64", index_vector_dim)
        attributes["reduce_type"] = _reduction("scatter", reduce)
        return self._build("scatter", (x, scatter_indices, updates), attributes, name=name)

    def scatter_dim(
        self,
        x: Tensor,
        index: Tensor,
        source: Tensor,
        dim: int,
        reduce: str = "set",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Scatters ``source`` into ``x`` at the indices ``index`` along ``dim``, like PyTorch's
        scatter.

        ``reduce`` is ``set``, ``add``, ``multiply``, ``max`` or ``min``.
        """
        attributes = {
            "dim": integer("i32", dim),
            "reduce_type": _reduction("scatter_dim", reduce),
        }
        return self._build("scatter_dim", (x, index, source), attributes, name=name)

    def scatter_rows(
        self,
        x: Tensor,
        indices: Tensor,
        updates: Tensor,
        reduce: str = "set",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Scatters the rows ``updates`` into the table ``x`` at ``indices``.

        ``reduce`` is ``set``, ``add``, ``multiply``, ``max`` or ``min``.
        """
        attributes = {"reduce_type": _reduction("scatter_rows", reduce)}
        return self._build("scatter_rows", (x, indices, updates), attributes, name=name)

    def previous_equal(self, x: Tensor, limit: int, *, name: str | None = None) -> Tensor:
        """For each number in a list, the index of its previous occurrence; numbers are below
        ``limit``."""
        attributes = {"limit": integer("i64", limit)}
        return self._build("previous_equal", (x,), attributes, name=name, dtype=PLACES)

    # Slices --------------------------------------------------------------------------------------

    def dynamic_slice(
        self,
        x: Tensor,
        start_indices: Tensor,
        slice_sizes: Sequence[int],
        *,
        name: str | None = None,
    ) -> Tensor:
        """``slice_sizes`` elements of each dimension from ``start_indices``, clamped to fit."""
        attributes = {"slice_sizes": array("i64", slice_sizes)}
        return self._build("dynamic_slice", (x, start_indices), attributes, name=name)

    def dynamic_update_slice(
        self, x: Tensor, update: Tensor, start_indices: Tensor, *, name: str | None = None
    ) -> Tensor:
        """Writes ``update`` into ``x`` at ``start_indices``, clamped to fit."""
        return self._build("dynamic_update_slice", (x, update, start_indices), name=name)

    def update_slice(
        self,
        x: Tensor,
        update: Tensor,
        index: Tensor | None = None,
        *,
        starts: Sequence[int] | None = None,
        dims: Sequence[int] = (),
        clamp: bool = True,
        name: str | None = None,
    ) -> Tensor:
        """Writes ``update`` into ``x`` at ``starts``, zeros by default, plus ``index[i]`` in
        dimension ``dims[i]``. An out-of-bounds update is clamped to fit, or skipped if ``clamp`` is
        false."""
        attributes = {
            "starts": array("i64", starts or (0,) * len(x.shape)),
            "dims": array("i64", dims),
            "clamp": boolean(clamp),
        }
        inputs = (x, update) if index is None else (x, update, index)
        return self._build("update_slice", inputs, attributes, name=name)

    def index(
        self,
        x: Tensor,
        dim: int,
        begin: int,
        end: int,
        step: int = 1,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Elements ``begin``, ``begin + step`` and so on below ``end`` of a dimension."""
        values = {"dim": dim, "begin": begin, "end": end, "step": step}
        attributes = {key: integer("i32", value) for key, value in values.items()}
        return self._build("index", (x,), attributes, name=name)

    def index_select(
        self,
        x: Tensor,
        dim: int,
        begin: int,
        length: int,
        stride: int = 1,
        *,
        name: str | None = None,
    ) -> Tensor:
        """``length`` elements of a dimension from ``begin``, ``stride`` apart."""
        values = {"dim": dim, "begin": begin, "length": length, "stride": stride}
        attributes = {key: integer("si32", value) for key, value in values.items()}
        return self._build("index_select", (x,), attributes, name=name)

    def repeat_interleave(
        self, x: Tensor, repeats: int, dim: int, *, name: str | None = None
    ) -> Tensor:
        """Repeats each element along ``dim`` ``repeats`` times."""
        attributes = {"repeats": integer("ui32", repeats), "dim": integer("si32", dim)}
        return self._build("repeat_interleave", (x,), attributes, name=name)

    def reverse(self, x: Tensor, dimensions: Sequence[int], *, name: str | None = None) -> Tensor:
        """Reverses ``x`` along ``dimensions``."""
        attributes = {"dimensions": array("i64", dimensions)}
        return self._build("reverse", (x,), attributes, name=name)

    def slice_dynamic(
        self,
        x: Tensor,
        begins: Tensor,
        ends: Tensor,
        shape: Sequence[int],
        step: Sequence[int] | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """``shape`` elements of each dimension from ``begins``, ``step`` apart."""
        attributes = {"shape": array("i64", shape)}
        if step is not None:
            attributes["step"] = integers("i32", step)
        return self._build("slice_dynamic", (x, begins, ends), attributes, name=name)

    def get_dimension_size(self, x: Tensor, dimension: int, *, name: str | None = None) -> Tensor:
        """Extent of a dimension, as a tensor of one element."""
        attributes = {"dimension": integer("i32", dimension)}
        return self._build("get_dimension_size", (x,), attributes, name=name, dtype=PLACES)

    # Bits ----------------------------------------------------------------------------------------

    def bitcast_convert(self, x: Tensor, dtype: object, *, name: str | None = None) -> Tensor:
        """Reinterprets the bits as elements of ``dtype``; if the widths differ, the innermost
        dimension is split or merged."""
        self._check_inputs("bitcast_convert", (x,))
        target = canonical(dtype, border=True)
        for found in (x.dtype, target):
            if found == "bool" or found not in ELEMENTS or ELEMENTS[found].block:
                raise ValueError(
                    f"bitcast_convert: expected elements with bits of their own, found {found}"
                )
        bits = [8 * np.dtype(ELEMENTS[found].numpy).itemsize for found in (x.dtype, target)]
        shape = list(x.shape)
        if bits[1] < bits[0]:
            shape.append(bits[0] // bits[1])
        elif bits[1] > bits[0] and (len(shape) < 2 or shape.pop() * bits[0] != bits[1]):
            raise ValueError(
                "bitcast_convert: expected an innermost dimension of "
                f"{bits[1] // bits[0]}, found {tuple(x.shape)}"
            )
        return self._build("bitcast_convert", (x,), name=name, shape=tuple(shape), dtype=target)

    def threefry2x32(self, key: Tensor, counts: Tensor, *, name: str | None = None) -> Tensor:
        """Random bits for ``counts``, as by JAX's ``threefry_2x32``."""
        return self._build(
            "threefry2x32", (key, counts), name=name, dtype=counts.dtype, shape=counts.shape
        )

    def rng_bit_generator(
        self,
        state: Tensor,
        shape: Sequence[int],
        algorithm: str = "three_fry",
        *,
        name: str | None = None,
    ) -> tuple[Tensor, ...]:
        """New state and random bits by ``three_fry`` or ``philox``, as in XLA."""
        attributes = {"algorithm": json.dumps(algorithm), "shape": array("i64", shape)}
        self._check_inputs("rng_bit_generator", (state,))
        dtypes = [state.dtype, state.dtype]
        return self._build_all("rng_bit_generator", (state,), attributes, dtypes, name)

    def rand(
        self,
        shape: Sequence[int],
        low: float = 0.0,
        high: float = 1.0,
        seed: int = 0,
        dtype: object = "f32",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Uniform random numbers in [low, high) from ``seed``, as by ``jax.random.uniform``."""
        found, target = extents("rand", shape), canonical(dtype)
        if not np.float32(low) < np.float32(high):
            raise ValueError(f"rand: expected low < high, found {low} and {high}")
        attributes = {
            "shape": array("i64", found),
            "low": f32(low),
            "high": f32(high),
            "seed": integer("ui32", seed),
        }
        self._check_open()
        with self.context, self._location(name), ir.InsertionPoint(self._block):
            kind = ir.RankedTensorType.get(found, self._element_type(target))
            made = {key: ir.Attribute.parse(value) for key, value in attributes.items()}
            made["operand_constraints"] = ir.ArrayAttr.get([self._constraint])
            result = self._create("rand", (), [kind], made).result
        return self._tensor(result, found, target)

    def dropout(
        self,
        x: Tensor,
        prob: float,
        scale: float = 1.0,
        seed: int = 0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Zeroes each element with probability ``prob`` and multiplies the others by ``scale``."""
        attributes = {"prob": f32(prob), "scale": f32(scale), "seed": integer("ui32", seed)}
        return self._build("dropout", (x,), attributes, name=name)

    def sampling(
        self,
        input_values: Tensor,
        input_indices: Tensor,
        k: Tensor,
        p: Tensor,
        temp: Tensor,
        seed: int = 0,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Samples an element of each row of ``input_indices`` by its logit in ``input_values``:
        among the ``k`` greatest, up to the cumulative probability ``p``, at the temperature
        ``temp``."""
        tensors = (input_values, input_indices, k, p, temp)
        self._check_inputs("sampling", tensors)
        attributes = {"seed": integer("ui32", seed)}
        return self._build("sampling", tensors, attributes, name=name, dtype=input_indices.dtype)
