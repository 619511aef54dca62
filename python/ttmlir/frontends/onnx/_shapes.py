"""Reshaping, slicing and concatenation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.counted_slices import Span
from ttmlir.frontends.data_movement import joined, permuted, reshaped, sliced, spread
from ttmlir.frontends.onnx._elementwise import common
from ttmlir.frontends.onnx._op import Op, Result, Value, axis_of, handles, shape_of
from ttmlir.frontends.onnx._types import NUMPY, element_of, known_tensor


def empty(shape: Sequence[int], like: Tensor) -> Value:
    """Returns a tensor without elements, as a constant."""
    return np.zeros(shape, NUMPY[like.dtype])


# The same elements -------------------------------------------------------------------------------


@handles("Shape")
def _shape(op: Op, x: Value) -> Result:
    part = slice(op.integer("start"), op.attribute("end"))
    return np.array(shape_of(x)[part], np.int64)


@handles("Size")
def _size(op: Op, x: Value) -> Result:
    return np.array(math.prod(shape_of(x)), np.int64)


def completed(shape: Sequence[int], x: Value, keeps_zeros: bool) -> list[int]:
    """Resolves 0 and -1 in a shape."""
    own = shape_of(x)
    found = [own[i] if n == 0 and not keeps_zeros else n for i, n in enumerate(shape)]
    if -1 in found:
        rest = math.prod(n for n in found if n != -1)
        found[found.index(-1)] = math.prod(own) // rest if rest else 0
    if math.prod(found) != math.prod(own):
        raise ValueError(f"expected a shape of {math.prod(own)} elements, found {list(shape)}")
    return found


@handles("Reshape")
def _reshape(op: Op, x: Value, shape: Value = None) -> Result:
    given = op.integers("shape") if op.since < 5 else op.ints(shape, "the shape")
    return reshaped(op, op.tensor(x), completed(given or [], x, bool(op.integer("allowzero"))))


@handles("Flatten")
def _flatten(op: Op, x: Value) -> Result:
    shape = shape_of(x)
    axis = op.integer("axis", 1)
    axis += len(shape) if axis < 0 else 0
    return reshaped(op, op.tensor(x), (math.prod(shape[:axis]), math.prod(shape[axis:])))


@handles("Squeeze")
def _squeeze(op: Op, x: Value, axes: Value = None) -> Result:
    shape = shape_of(x)
    given = op.integers("axes") if op.since < 13 else None
    if axes is not None:
        given = op.ints(axes, "the axes")
    ones = [d for d, n in enumerate(shape) if n == 1]
    gone = ones if given is None else [axis_of(d, len(shape)) for d in given]
    if any(shape[d] != 1 for d in gone):
        raise ValueError(f"expected extents of 1 at {gone}, found the shape {shape}")
    return reshaped(op, op.tensor(x), [n for d, n in enumerate(shape) if d not in gone])


@handles("Unsqueeze")
def _unsqueeze(op: Op, x: Value, axes: Value = None) -> Result:
    shape = list(shape_of(x))
    given = (op.integers("axes") or []) if op.since < 13 else op.ints(axes, "the axes")
    rank = len(shape) + len(given)
    rest = iter(shape)
    new = {axis_of(d, rank) for d in given}
    return reshaped(op, op.tensor(x), [1 if d in new else next(rest) for d in range(rank)])


@handles("Transpose")
def _transpose(op: Op, x: Value) -> Result:
    tensor = op.tensor(x)
    order = op.integers("perm")
    if order is None:
        order = list(range(tensor.rank))[::-1]
    if sorted(order) != list(range(tensor.rank)):
        raise ValueError(f"expected the dimensions of {tensor.shape} in an order, found {order}")
    return permuted(op, tensor, order)


@handles("DepthToSpace")
def _depth_to_space(op: Op, x: Value) -> Result:
    n, c, h, w = shape_of(x)
    size = op.integer("blocksize")
    depth = c // (size * size)
    if op.text("mode", "DCR") == "DCR":
        rows = reshaped(op, op.tensor(x), (n, size, size, depth, h, w))
        rows = op.b.permute(rows, (0, 3, 4, 1, 5, 2))
    else:
        rows = reshaped(op, op.tensor(x), (n, depth, size, size, h, w))
        rows = op.b.permute(rows, (0, 1, 4, 2, 5, 3))
    return reshaped(op, rows, (n, depth, h * size, w * size))


@handles("SpaceToDepth")
def _space_to_depth(op: Op, x: Value) -> Result:
    n, c, h, w = shape_of(x)
    size = op.integer("blocksize")
    rows = reshaped(op, op.tensor(x), (n, c, h // size, size, w // size, size))
    if op.text("mode", "DCR") == "DCR":
        rows = op.b.permute(rows, (0, 3, 5, 1, 2, 4))
    else:
        rows = op.b.permute(rows, (0, 1, 3, 5, 2, 4))
    return reshaped(op, rows, (n, c * size * size, h // size, w // size))


# Parts -------------------------------------------------------------------------------------------


@handles("Slice")
def _slice(
    op: Op,
    x: Value,
    starts: Value = None,
    ends: Value = None,
    axes: Value = None,
    steps: Value = None,
) -> Result:
    if op.since < 10:
        first, last, given = op.integers("starts"), op.integers("ends"), op.integers("axes")
        stride = None
    else:
        first, last = op.ints(starts, "the start"), op.ints(ends, "the end")
        given = None if axes is None else op.ints(axes, "the axes")
        stride = None if steps is None else op.ints(steps, "the step")
    if first is None or last is None:
        raise ValueError("expected starts and ends")
    whole, strides = op.tensor(x), stride or [1] * len(first)
    dims = list(range(len(first))) if given is None else [axis_of(d, whole.rank) for d in given]
    bounds = {d: n for d, *n in zip(dims, first, last, strides, strict=True)}
    found, done = op.sliced(whole, {d: Span.of(*n) for d, n in bounds.items()})
    rest = {d: n for d, n in bounds.items() if d not in done}
    begins, ends, strides = ([n[i] for n in rest.values()] for i in range(3))
    return cut(op, found, begins, ends, list(rest), strides)


def cut(
    op: Op,
    x: Tensor,
    starts: Sequence[int],
    ends: Sequence[int],
    dims: Sequence[int],
    steps: Sequence[int],
) -> Value:
    """Slices like NumPy along some dimensions."""
    begins, stops, strides = [0] * x.rank, list(x.shape), [1] * x.rank
    turned, shape = [], list(x.shape)
    for dim, start, end, step in zip(dims, starts, ends, steps, strict=True):
        d = axis_of(dim, x.rank)
        places = range(*slice(start, end, step).indices(x.shape[d]))
        shape[d] = len(places)
        if not places:
            continue
        low, high = min(places[0], places[-1]), max(places[0], places[-1])
        begins[d], stops[d], strides[d] = low, high + 1, abs(step)
        if step < 0 and len(places) > 1:
            turned.append(d)
    if 0 in shape:
        return empty(shape, x)
    whole = begins == [0] * x.rank and stops == list(x.shape) and strides == [1] * x.rank
    found = x if whole else op.b.slice(x, begins, stops, strides)
    return op.b.reverse(found, turned) if turned else found


@handles("Split")
def _split(op: Op, x: Value, split: Value = None) -> Result:
    found = op.tensor(x)
    dim = axis_of(op.integer("axis"), found.rank)
    extent, count = found.shape[dim], len(op.node.output)
    sizes = op.integers("split") if op.since < 13 else None
    if split is not None:
        sizes = op.ints(split, "the sizes")
    if sizes is None:
        each = -(-extent // count)
        sizes = [max(min(each, extent - i * each), 0) for i in range(count)]
    if sum(sizes) != extent or len(sizes) != count:
        raise ValueError(f"expected {count} sizes with the sum {extent}, found {sizes}")
    results: list[Value] = []
    begin = 0
    for size in sizes:
        shape = [size if d == dim else n for d, n in enumerate(found.shape)]
        part = sliced(op, found, dim, begin, begin + size) if size else empty(shape, found)
        results.append(part)
        begin += size
    return results


@handles("Trilu")
def _trilu(op: Op, x: Value, k: Value = None) -> Result:
    found = op.tensor(x)
    diagonal = 0 if k is None else op.ints(k, "the diagonal")[0]
    rows, columns = found.shape[-2:]
    mask = np.tri(rows, columns, diagonal - 1 if op.integer("upper", 1) else diagonal, dtype=bool)
    kept = op.tensor(~mask if op.integer("upper", 1) else mask, "bool")
    if found.dtype == "bool":
        return op.b.logical_and(found, kept)
    return op.b.where(kept, found, op.tensor(0, found.dtype))


# Several tensors, and repeated ones --------------------------------------------------------------


@handles("Concat")
def _concat(op: Op, *inputs: Value) -> Result:
    dtype = common(op, *inputs)
    rank = len(shape_of(inputs[0]))
    parts = [op.tensor(x, dtype) for x in inputs if 0 not in shape_of(x)]
    return joined(op, parts, axis_of(op.integer("axis", 1), rank))


@handles("Constant", folds=False)
def _constant(op: Op) -> Result:
    for name in ("value", "sparse_value"):
        if op.has(name):
            return known_tensor(op.attribute(name))
    for name in ("value_float", "value_int", "value_floats", "value_ints"):
        if op.has(name):
            dtype = np.float32 if "float" in name else np.int64
            return np.asarray(op.attribute(name), dtype)
    text = op.attribute("value_strings", op.attribute("value_string"))
    strings = text if isinstance(text, list) else [text]
    found = np.array([s.decode() for s in strings], object)
    return found if op.has("value_strings") else found.reshape(())


@handles("ConstantOfShape", folds=False)
def _constant_of_shape(op: Op, shape: Value) -> Result:
    tensor = op.attribute("value")
    value = np.zeros(1, np.float32) if tensor is None else known_tensor(tensor)
    # Broadcast from one element, without a copy.
    return np.broadcast_to(value.reshape(()), op.ints(shape, "the shape"))


@handles("Range")
def _range(op: Op, start: Value, limit: Value, delta: Value) -> Result:
    for x, what in ((start, "the start"), (limit, "the limit"), (delta, "the step")):
        op.known(x, what)
    raise op.fail("expected numbers")


@handles("Expand", folds=False)
def _expand(op: Op, x: Value, shape: Value) -> Result:
    target = np.broadcast_shapes(shape_of(x), tuple(op.ints(shape, "the shape")))
    if isinstance(x, np.ndarray):
        return np.broadcast_to(x, target)
    found = op.tensor(x)
    if 0 in target:
        return empty(target, found)
    found = reshaped(op, found, (1,) * (len(target) - found.rank) + found.shape)
    return spread(op, found, target)


@handles("Tile")
def _tile(op: Op, x: Value, repeats: Value) -> Result:
    found, counts = op.tensor(x), op.ints(repeats, "the repeats")
    if 0 in counts:
        return empty([n * k for n, k in zip(found.shape, counts, strict=True)], found)
    return found if all(n == 1 for n in counts) else op.b.repeat(found, counts)


@handles("EyeLike")
def _eye_like(op: Op, x: Value) -> Result:
    rows, columns = shape_of(x)
    dtype = op.dtype_of(x)
    found = np.eye(rows, columns, op.integer("k"), NUMPY[dtype])
    if op.has("dtype"):
        found = found.astype(element_of(op.integer("dtype")))
    return found


@handles("OneHot")
def _one_hot(op: Op, indices: Value, depth: Value, values: Value) -> Result:
    b = op.b
    places = op.tensor(indices)
    places = op.cast(places, "i32")
    count = op.ints(depth, "the depth")[0]
    rank = places.rank + 1
    dim = axis_of(op.integer("axis", -1), rank)
    shape = list(places.shape)
    shape.insert(dim, 1)
    places = reshaped(op, places, shape)
    # A negative index counts from the end.
    negative = op.compare("lt", places, op.tensor(0, "i32"))
    places = b.where(negative, b.add(places, op.tensor(count, "i32")), places)
    row = b.arange([count if d == dim else 1 for d in range(rank)], dim=dim, dtype="i32")
    chosen = op.compare("eq", places, row)
    both = op.tensor(values)
    off, on = (reshaped(op, b.slice(both, [i], [i + 1]), ()) for i in range(2))
    return b.where(chosen, on, off)


@handles("ReverseSequence")
def _reverse_sequence(op: Op, x: Value, lengths: Value) -> Result:
    b, found = op.b, op.tensor(x)
    time, batch = op.integer("time_axis"), op.integer("batch_axis", 1)
    counts = op.cast(op.tensor(lengths), "i32")
    column = [found.shape[batch] if d == batch else 1 for d in range(found.rank)]
    counts = reshaped(op, counts, column)
    row = [found.shape[time] if d == time else 1 for d in range(found.rank)]
    places = b.arange(row, dim=time, dtype="i32")
    mirrored = b.subtract(b.subtract(counts, op.tensor(1, "i32")), places)
    index = b.where(op.compare("lt", places, counts), mirrored, places)
    return b.gather_dim(found, spread(op, index, found.shape), time)
