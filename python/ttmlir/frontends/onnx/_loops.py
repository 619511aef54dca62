"""Loops, which become loops of the program or are unrolled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import joined, reshaped, sliced
from ttmlir.frontends.onnx._op import Op, Value, shape_of
from ttmlir.frontends.onnx._types import NUMPY, Shape

INDEX = "i32"
#: Loops with at most this many iterations are unrolled.
_SHORT = 2
#: Loops with more iterations are never unrolled.
_LONG = 1024

#: The number of an iteration: a constant, or a tensor of shape (1,).
Number: TypeAlias = "int | Tensor"
#: Builds an iteration from its number and carried values; returns carried and stacked values.
Iteration: TypeAlias = "Callable[[Number, list[Any]], tuple[list[Any], list[Any]]]"


def element(op: Op, x: Tensor, dim: int, place: Number) -> Tensor:
    """Selects an index of a dimension, which is removed."""
    shape = [n for d, n in enumerate(x.shape) if d != dim]
    if isinstance(place, int):
        return reshaped(op, sliced(op, x, dim, place, place + 1), shape)
    zeros = op.tensor(np.zeros(1, np.int32))
    starts = joined(op, [place if d == dim else zeros for d in range(x.rank)], 0)
    sizes = [1 if d == dim else n for d, n in enumerate(x.shape)]
    return reshaped(op, op.b.dynamic_slice(x, starts, sizes), shape)


def counted_from_end(op: Op, count: int, number: Number) -> Number:
    """Returns the number of an iteration, counted from the end."""
    if isinstance(number, int):
        return count - 1 - number
    return op.b.subtract(op.tensor(np.array([count - 1], np.int32)), number)


def _stack_shape(shape: Shape, dim: int, count: int) -> list[int]:
    return [*shape[:dim], count, *shape[dim:]]


def _slot_shape(shape: Shape, dim: int, count: int) -> list[int]:
    """Returns the shape of a stack in a loop: updates need two dimensions."""
    return _stack_shape(shape or (1,), dim, count)


def stacked(op: Op, parts: Sequence[Any], dim: int, shape: Shape, dtype: str) -> Value:
    """Stacks tensors of one shape along a new dimension."""
    if not parts or 0 in shape:
        return np.zeros(_stack_shape(shape, dim, len(parts)), NUMPY[dtype])
    if all(isinstance(x, np.ndarray) for x in parts):
        return np.stack(parts, dim)
    one = _stack_shape(shape, dim, 1)
    return joined(op, [reshaped(op, op.tensor(x, dtype), one) for x in parts], dim)


def repeated(
    op: Op,
    count: int | Tensor,
    iteration: Iteration,
    carried: Sequence[Any],
    axes: Sequence[int],
    reverse: Sequence[bool] = (),
    always: bool = False,
) -> tuple[list[Any], list[Any]]:
    """Builds a loop; returns the final carried values and the stacked results.

    Args:
        op: the node.
        count: number of iterations; a tensor of one element only if nothing is stacked.
        turn: builds an iteration.
        carried: initial values.
        axes: the dimension along which each result is stacked.
        reverse: whether the first iteration's result comes last.
        always: whether to build a loop even for few iterations.
    """
    reverse = reverse or [False] * len(axes)
    if isinstance(count, int) and count <= _SHORT and not always:
        return _written_out(op, count, iteration, carried, axes, reverse)
    types = _fixed_types(op, iteration, carried)
    if types is not None:
        return _in_a_loop(op, count, iteration, carried, axes, reverse, types)
    if isinstance(count, int) and count <= _LONG:
        return _written_out(op, count, iteration, carried, axes, reverse)
    # Reports the error that was suppressed before.
    iteration(_zero(op), [op.tensor(x) for x in carried])
    raise op.fail(
        "the shapes of carried values change between iterations, and there are "
        + (f"more than {_LONG}" if isinstance(count, int) else "a computed number of them")
    )


def _zero(op: Op) -> Tensor:
    return op.tensor(np.zeros(1, np.int32))


def _fixed_types(
    op: Op, iteration: Iteration, carried: Sequence[Any]
) -> tuple[list[Shape], list[tuple[Shape, str]]] | None:
    """Returns the shapes of carried values, and shapes and dtypes of stacked ones; None if they
    change between iterations."""
    if not carried or any(not isinstance(x, (Tensor, np.ndarray)) for x in carried):
        return None
    if any(0 in shape_of(x) for x in carried):
        return None

    def build() -> list[Any]:
        return list(iteration(_zero(op), [op.tensor(x) for x in carried]))

    found = op.importer.attempt(build)
    if found is None:
        return None
    kept, made = found
    if any(not isinstance(x, (Tensor, np.ndarray)) for x in [*kept, *made]):
        return None
    if [shape_of(x) for x in kept] != [shape_of(x) for x in carried]:
        return None
    if any(0 in shape_of(x) for x in made):
        return None
    return [shape_of(x) for x in kept], [(shape_of(x), op.dtype_of(x)) for x in made]


def _in_a_loop(
    op: Op,
    count: int | Tensor,
    iteration: Iteration,
    carried: Sequence[Any],
    axes: Sequence[int],
    reverse: Sequence[bool],
    types: tuple[list[Shape], list[tuple[Shape, str]]],
) -> tuple[list[Any], list[Any]]:
    first = [op.tensor(x) for x in carried]
    shapes = types[1]
    assert isinstance(count, int) or not shapes
    extent = count if isinstance(count, int) else 0
    places = [
        np.broadcast_to(NUMPY[dtype].type(0), _slot_shape(shape, dim, extent))
        for (shape, dtype), dim in zip(shapes, axes, strict=True)
    ]
    first += [op.tensor(x, dtype) for x, (_, dtype) in zip(places, shapes, strict=True)]

    def body(number: Tensor, *now: Tensor) -> list[Tensor]:
        kept, made = iteration(number, list(now[: len(carried)]))
        found = [op.tensor(x, before.dtype) for x, before in zip(kept, now, strict=False)]
        for whole, x, dim, backward in zip(now[len(carried) :], made, axes, reverse, strict=True):
            new = op.tensor(x, whole.dtype)
            new = reshaped(op, new, _slot_shape(new.shape, dim, 1))
            where = counted_from_end(op, extent, number) if backward else number
            assert isinstance(where, Tensor)
            found.append(op.b.update_slice(whole, new, where, dims=(dim,)))
        return found

    results = list(op.b.for_loop(count, body, first, name=op.place.name))
    made = [
        reshaped(op, x, _stack_shape(shape, dim, extent))
        for x, (shape, _), dim in zip(results[len(carried) :], shapes, axes, strict=True)
    ]
    return results[: len(carried)], made


def _written_out(
    op: Op,
    count: int | Tensor,
    iteration: Iteration,
    carried: Sequence[Any],
    axes: Sequence[int],
    reverse: Sequence[bool],
) -> tuple[list[Any], list[Any]]:
    assert isinstance(count, int)
    now, rows = list(carried), []
    for number in range(count):
        now, made = iteration(number, now)
        rows.append(made)
    if not rows:
        if axes:
            raise op.fail("the shape of stacked results is unknown without iterations")
        return now, []
    results = []
    for i, dim in enumerate(axes):
        parts = [row[i] for row in rows]
        parts = parts[::-1] if reverse[i] else parts
        shape, dtype = shape_of(parts[0]), op.dtype_of(parts[0])
        results.append(stacked(op, parts, dim, shape, dtype))
    return now, results
