"""Collectives of the chips of a mesh, of which a program of one chip is a special case."""

from __future__ import annotations

import numpy as np
from jaxlib.mlir import ir

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.stablehlo import _replica_groups as groups
from ttmlir.frontends.stablehlo._constants import Known
from ttmlir.frontends.stablehlo._custom_calls import calls
from ttmlir.frontends.stablehlo._elementwise import cast
from ttmlir.frontends.stablehlo._op import Op, Result, handles
from ttmlir.frontends.stablehlo._reductions import kind_of, pairwise
from ttmlir.frontends.stablehlo._replica_groups import Groups
from ttmlir.frontends.stablehlo._types import NUMPY
from ttmlir.frontends.stablehlo.spmd.collective_emitter import COUNTING, PARTITION


def _groups(op: Op, name: str = "replica_groups") -> Groups:
    """Returns the groups of an op as mesh positions.

    Raises:
        UnsupportedError: groups differ in size.
    """
    mesh = op.importer.mesh
    count = 1 if mesh is None else len(mesh.partitions)
    attribute = op.attribute(name)
    shape = ir.RankedTensorType(attribute.type).shape
    rows = np.broadcast_to(np.array(ir.DenseElementsAttr(attribute)), shape).tolist()
    rows = rows or [list(range(count))]
    if any(p < 0 for row in rows for p in row):
        raise op.fail("groups of different sizes are not supported: use groups of one size")
    positions = (0,) if mesh is None else mesh.positions
    return Groups(mesh, [[positions[p] for p in row] for row in rows])


@handles("stablehlo.partition_id", "stablehlo.replica_id")
def _position(op: Op) -> Result:
    mesh = op.importer.mesh
    if mesh is None:
        return Known(np.array(0, np.uint32))
    numbers = op.importer.tensor(Known(np.array(mesh.partitions, np.int32)))
    return reshaped(op, cast(op, op.b.mesh_partition(numbers, 0), "u32"), ())


@handles("stablehlo.all_gather")
def _all_gather(op: Op) -> Result:
    found = _groups(op)
    dim = op.integer("all_gather_dim")
    return [groups.all_gather(op.b, x, dim, found) for x in op.tensors()]


@handles("stablehlo.all_reduce")
def _all_reduce(op: Op) -> Result:
    found = _groups(op)
    return [_reduced(op, x, found, None) for x in op.tensors()]


@handles("stablehlo.reduce_scatter")
def _reduce_scatter(op: Op) -> Result:
    return _reduced(op, op.tensor(), _groups(op), op.integer("scatter_dimension"))


_KINDS = {"sum": "sum", "max": "max", "min": "min", "reduce_or": "max", "reduce_and": "min"}


def _reduced(op: Op, x: Tensor, found: Groups, dim: int | None) -> Tensor:
    """Reduces the tensors of each group; with a dimension, returns a part of the result."""
    if found.size == 1:
        return x
    body = kind_of(op, x.dtype)
    kind = _KINDS.get(body[0]) if body else None
    if kind is None:
        return _by_body(op, x, found, dim)
    dtype = x.dtype
    # Collectives do not support booleans.
    x = cast(op, x, "u8") if dtype == "bool" else x
    if dim is None:
        x = groups.all_reduce(op.b, x, found, kind)
    else:
        x = groups.reduce_scatter(op.b, x, dim, found, kind)
    return cast(op, x, dtype)


def _by_body(op: Op, x: Tensor, found: Groups, dim: int | None) -> Tensor:
    """Reduces the gathered tensors with the body of the op."""
    rows = groups.all_gather(op.b, reshaped(op, x, (1, *x.shape)), 0, found)
    (combined,) = pairwise(op, [rows], lambda *both: op.run(0, both))
    whole = reshaped(op, combined, x.shape)
    return whole if dim is None else groups.cut(op.b, whole, dim, found)


@handles("stablehlo.all_to_all")
def _all_to_all(op: Op) -> Result:
    found = _groups(op)
    if found.size == 1:
        return list(op.inputs)
    split, joined = op.integer("split_dimension"), op.integer("concat_dimension")
    return [op.b.all_to_all(x, split, joined, found.rows) for x in op.tensors()]


@handles("stablehlo.collective_broadcast")
def _collective_broadcast(op: Op) -> Result:
    found = _groups(op)
    if found.mesh is None:
        return list(op.inputs)
    return [op.b.collective_broadcast(x, found.rows) for x in op.tensors()]


@handles("stablehlo.collective_permute")
def _collective_permute(op: Op) -> Result:
    mesh = op.importer.mesh
    pairs = op.ints("source_target_pairs")
    if not pairs:
        return Known(np.broadcast_to(np.zeros((), NUMPY[op.dtype()]), op.shape()))
    if mesh is None:
        return list(op.inputs)
    at = mesh.positions
    chips = [(at[a], at[b]) for a, b in zip(pairs[::2], pairs[1::2], strict=True)]
    return [op.b.collective_permute(x, chips) for x in op.tensors()]


@handles("sdy.manual_computation")
def _manual_computation(op: Op) -> Result:
    """On one chip, the shard is the whole tensor."""
    return op.run(0, op.inputs)


@calls(COUNTING)
def _counting(op: Op) -> Result:
    """Counts along a dimension, starting from the operand."""
    dim, shape = op.integer("iota_dimension"), op.shape()
    own = op.b.arange([n if d == dim else 1 for d, n in enumerate(shape)], 0, 1, dim, "i32")
    begin = reshaped(op, op.tensor(), [1] * len(shape))
    found = op.result(cast(op, op.b.add(own, begin), op.dtype()), shape)
    op.importer.count(found, dim, begin)
    return found


@calls(PARTITION)
def _partition(op: Op) -> Result:
    """Returns the chip's part of a tensor along a dimension."""
    found, dim, value = _groups(op), op.integer("dim"), op.inputs[0]
    if isinstance(value, Known):
        same = value.compact()
        if same.shape[dim] == 1:
            return Known(np.broadcast_to(same, op.shape()))
    x = op.importer.part(value)
    if x.shape[dim] == 1:
        return op.result(x, op.shape())
    part = op.result(groups.cut(op.b, x, dim, found), op.shape())
    counted = op.importer.counted(value)
    if counted is not None and counted[0] != dim:
        op.importer.count(part, *counted)
    return part
