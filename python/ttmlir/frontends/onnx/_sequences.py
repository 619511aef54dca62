"""Sequences and optional values, which are resolved during import."""

from __future__ import annotations

from typing import Any

import numpy as np

from ttmlir.frontends.data_movement import joined, reshaped, sliced
from ttmlir.frontends.onnx._op import Op, Result, Value, axis_of, handles


def _list(op: Op, x: Value) -> list[Any]:
    if not isinstance(x, list):
        raise op.fail("expected a sequence of tensors")
    return x


def _place(op: Op, position: Value, count: int) -> int:
    """Returns an index below ``count``; a negative one counts from the end."""
    place = op.ints(position, "the position in a sequence")[0]
    if not -count <= place < count:
        raise op.fail(f"expected a place in [-{count}, {count}), found {place}")
    return place % count


@handles("SequenceConstruct")
def _construct(op: Op, *inputs: Value) -> Result:
    return [list(inputs)]


@handles("SequenceEmpty")
def _empty(op: Op) -> Result:
    return [[]]


@handles("SequenceLength")
def _length(op: Op, sequence: Value) -> Result:
    return np.array(len(_list(op, sequence)), np.int64)


@handles("SequenceAt")
def _at(op: Op, sequence: Value, position: Value) -> Result:
    items = _list(op, sequence)
    return [items[_place(op, position, len(items))]]


@handles("SequenceInsert")
def _insert(op: Op, sequence: Value, tensor: Value, position: Value = None) -> Result:
    items = list(_list(op, sequence))
    count = len(items)
    place = count if position is None else op.ints(position, "the position in a sequence")[0]
    if not -count <= place <= count:
        raise op.fail(f"expected a place in [-{count}, {count}], found {place}")
    items.insert(place, tensor)
    return [items]


@handles("SequenceErase")
def _erase(op: Op, sequence: Value, position: Value = None) -> Result:
    items = list(_list(op, sequence))
    del items[-1 if position is None else _place(op, position, len(items))]
    return [items]


@handles("SplitToSequence")
def _split(op: Op, x: Value, split: Value = None) -> Result:
    tensor = op.tensor(x)
    dim = axis_of(op.integer("axis"), tensor.rank)
    extent = tensor.shape[dim]
    if split is None:
        sizes = [1] * extent
    else:
        known = op.known(split, "the extents of parts")
        if known.ndim:
            sizes = [int(n) for n in known]
        else:
            size = int(known)
            sizes = [min(size, extent - i) for i in range(0, extent, size)]
    ends = np.cumsum(sizes).tolist()
    parts = [
        sliced(op, tensor, dim, end - size, end) for size, end in zip(sizes, ends, strict=True)
    ]
    if split is None and not op.integer("keepdims", 1):
        rest = [n for d, n in enumerate(tensor.shape) if d != dim]
        parts = [reshaped(op, part, rest) for part in parts]
    return [parts]


@handles("ConcatFromSequence")
def _concat(op: Op, sequence: Value) -> Result:
    items = _list(op, sequence)
    if not items:
        raise op.fail("expected a sequence with at least one tensor")
    tensors = [op.tensor(x) for x in items]
    rank = tensors[0].rank
    if not op.integer("new_axis"):
        return joined(op, tensors, axis_of(op.integer("axis"), rank))
    dim = axis_of(op.integer("axis"), rank + 1)
    return joined(op, [reshaped(op, x, (*x.shape[:dim], 1, *x.shape[dim:])) for x in tensors], dim)


@handles("SequenceMap", folds=False)
def _map(op: Op, sequence: Value, *others: Value) -> Result:
    items = _list(op, sequence)
    body = op.attribute("body")
    rows = []
    for i, item in enumerate(items):
        given = [_list(op, x)[i] if isinstance(x, list) else x for x in others]
        rows.append(op.importer.call(body, [item, *given], op.scope))
    return [[row[i] for row in rows] for i in range(len(body.output))]


# Optional ----------------------------------------------------------------------------------------


@handles("Optional", folds=False)
def _optional(op: Op, x: Value = None) -> Result:
    return [x]


@handles("OptionalHasElement", folds=False)
def _has_element(op: Op, x: Value = None) -> Result:
    return np.array(x is not None)


@handles("OptionalGetElement", folds=False)
def _get_element(op: Op, x: Value) -> Result:
    if x is None:
        raise op.fail("the optional value has no element")
    return [x]
