"""Loops and conditionals, and ops that only order or group values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.complex_numbers import Complex
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.stablehlo._constants import TOKEN, Known, Value, components
from ttmlir.frontends.stablehlo._elementwise import cast, number
from ttmlir.frontends.stablehlo._op import Op, Result, handles, is_composite
from ttmlir.frontends.stablehlo._types import NUMPY, is_complex, is_token


@dataclass(frozen=True)
class Counter:
    """A loop counter that counts up by one from a start to an end, each known or a tensor."""

    place: int
    start: int | Tensor
    end: int | Tensor


@handles("stablehlo.while")
def _while(op: Op) -> Result:
    if counter := _counter(op):
        return _counted(op, counter)
    return _conditional(op)


def _places(types: Sequence[Any]) -> list[int]:
    """Returns the indices of tensor types; twice for complex numbers, which are two tensors."""
    return [
        i
        for i, kind in enumerate(types)
        if not is_token(kind)
        for _ in range(2 if is_complex(kind) else 1)
    ]


def _carried(op: Op, skip: int = -1) -> tuple[list[int], list[Tensor]]:
    """Returns the operands that are tensors, with their indices."""
    places = [i for i in _places([v.type for v in op.operation.operands]) if i != skip]
    return places, _taken(op, places, op.inputs)


def _given(count: int, places: Sequence[int], tensors: Sequence[Tensor]) -> list[Value]:
    """Returns ``count`` values, given the tensors of the tensor values."""
    parts: dict[int, list[Value]] = {}
    for i, tensor in zip(places, tensors, strict=True):
        parts.setdefault(i, []).append(tensor)
    values: list[Value] = [TOKEN] * count
    for i, own in parts.items():
        values[i] = own[0] if len(own) == 1 else Complex(own[0], own[1])
    return values


def _taken(op: Op, places: Sequence[int], values: Sequence[Value]) -> list[Tensor]:
    """Returns the tensors of values."""
    return [
        op.importer.tensor(part) for i in dict.fromkeys(places) for part in components(values[i])
    ]


def _conditional(op: Op) -> list[Value]:
    places, tensors = _carried(op)
    count = len(op.inputs)
    if not tensors:
        raise op.fail("expected a loop that carries a tensor")

    def condition(*given: Tensor) -> Tensor:
        return op.importer.tensor(op.run(0, _given(count, places, given))[0])

    def body(*given: Tensor) -> list[Tensor]:
        return _taken(op, places, op.run(1, _given(count, places, given)))

    return _given(count, places, op.b.while_loop(condition, body, tensors))


def _counted(op: Op, counter: Counter) -> list[Value]:
    """Builds a loop with a known number of iterations: the host need not read a condition."""
    b = op.b
    places, tensors = _carried(op, counter.place)
    kind = op.input_dtype(counter.place)
    start, end = counter.start, counter.end
    turns: int | Tensor
    last: Value
    if isinstance(start, int) and isinstance(end, int):
        turns = max(end - start, 0)
        last = Known(np.array(max(end, start), NUMPY[kind]))
    else:
        low, high = (number(op, x, kind) if isinstance(x, int) else x for x in (start, end))
        turns = b.subtract(high, low)
        last = b.maximum(high, low)

    def body(iteration: Tensor, *given: Tensor) -> list[Tensor]:
        now = cast(op, reshaped(op, iteration, ()), kind)
        if not isinstance(start, int):
            now = b.add(now, start)
        elif start:
            now = b.add(now, number(op, start, kind))
        values = _given(len(op.inputs), places, given)
        values[counter.place] = now
        return _taken(op, places, op.run(1, values))

    found: Sequence[Tensor] = b.for_loop(turns, body, tensors) if tensors else ()
    values = _given(len(op.inputs), places, found)
    values[counter.place] = last
    return values


def _counter(op: Op) -> Counter | None:
    """Returns the counter if the loop has the form ``i < n`` and ``i + 1``."""
    condition = [inner.operation for inner in op.block(0).operations]
    compares = [c for c in condition if c.name == "stablehlo.compare"]
    if len(compares) != 1 or any(
        c.name not in ("stablehlo.compare", "stablehlo.constant", "stablehlo.return")
        for c in condition
    ):
        return None
    compare = compares[0]
    inner = Op(op.importer, compare, (), op.place)
    place = _position(compare.operands[0], op.block(0).arguments)
    if inner.text("comparison_direction") != "LT" or place is None:
        return None
    if list(condition[-1].operands) != list(compare.results) or not _counts(op, place):
        return None
    start = _bound(op, op.inputs[place])
    end = _bound(op, _unchanging(op, compare.operands[1]))
    if start is None or end is None:
        return None
    if isinstance(start, int) and isinstance(end, int):
        is_whole = op.input_dtype(place) not in ("bool", "f16", "bf16", "f32", "f64")
        return Counter(place, start, end) if is_whole and end - start < 2**31 else None
    return Counter(place, start, end) if op.input_dtype(place) == "i32" else None


def _counts(op: Op, place: int) -> bool:
    """Whether the body adds 1 to its argument at an index."""
    result = _returned(op, place)
    step = _defining(op.block(1), result)
    if step is None or step.name != "stablehlo.add":
        return False
    if _position(step.operands[0], op.block(1).arguments) != place:
        return False
    one = _constant_of(op, 1, step.operands[1])
    return isinstance(one, Known) and one.splat() == 1


def _unchanging(op: Op, value: Any) -> Value | None:
    """Returns the limit in the condition, if it is the same in each iteration."""
    place = _position(value, op.block(0).arguments)
    if place is not None:
        same = _position(_returned(op, place), op.block(1).arguments) == place
        return op.inputs[place] if same else None
    return _constant_of(op, 0, value)


def _returned(op: Op, place: int) -> Any:
    """Returns the result of the body at an index."""
    return [inner.operation for inner in op.block(1).operations][-1].operands[place]


def _bound(op: Op, value: Value | None) -> int | Tensor | None:
    """Returns a limit as a number or a tensor."""
    if isinstance(value, Known):
        splat = value.splat()
        return None if splat is None or np.asarray(splat).dtype.kind not in "iu" else int(splat)
    return value if isinstance(value, Tensor) else None


def _position(value: Any, arguments: Any) -> int | None:
    return next((i for i, argument in enumerate(arguments) if argument == value), None)


def _defining(block: Any, value: Any) -> Any:
    """Returns the op in a block that defines a value."""
    for inner in block.operations:
        if value in list(inner.operation.results):
            return inner.operation
    return None


def _constant_of(op: Op, region: int, value: Any) -> Value | None:
    """Returns a value of a region if it is a constant or captured from outside."""
    if _position(value, op.block(region).arguments) is not None:
        return None
    inner = _defining(op.block(region), value)
    if inner is None:
        return op.importer.value(value)
    if inner.name != "stablehlo.constant":
        return None
    return op.importer.apply(inner.name, inner, ())[0]


# Conditionals -----------------------------------------------------------------------------------


@handles("stablehlo.if")
def _if(op: Op) -> Result:
    flag = op.splat(0)
    if flag is not None:
        return op.run(0 if flag else 1, ())
    return _branch(op, op.tensor(), 0, 1)


@handles("stablehlo.case")
def _case(op: Op) -> Result:
    last = len(op.operation.regions) - 1
    chosen = op.splat(0)
    if chosen is not None:
        return op.run(int(chosen) if 0 <= int(chosen) <= last else last, ())
    if not last:
        return op.run(0, ())
    return _cases(op, op.tensor(), 0, last)


def _cases(op: Op, index: Tensor, first: int, last: int) -> list[Value]:
    """Selects the branch with the index, from ``first`` on; the last one for any other index."""
    is_first = op.b._eltwise("eq", (index, number(op, first, index.dtype)), None, dtype="bool")
    if first == last - 1:
        return _branch(op, is_first, first, last)
    others = [*range(first + 1, last)]
    return _branch(op, is_first, first, others[0], (index, first + 1, last))


def _branch(
    op: Op,
    condition: Tensor,
    yes: int,
    no: int,
    rest: tuple[Tensor, int, int] | None = None,
) -> list[Value]:
    """Builds a conditional of two regions, or of one and several others."""
    types = [result.type for result in op.operation.results]
    places = _places(types)

    def tensors(values: list[Value]) -> list[Tensor]:
        return _taken(op, places, values)

    def otherwise() -> list[Tensor]:
        return tensors(op.run(no, ()) if rest is None else _cases(op, *rest))

    if not places:
        return [TOKEN] * len(types)
    found = op.b.cond(condition, lambda: tensors(op.run(yes, ())), otherwise)
    return _given(len(types), places, found)


# Groups and orders ------------------------------------------------------------------------------


@handles("stablehlo.optimization_barrier", "sdy.sharding_constraint", "sdy.reshard")
def _identity(op: Op) -> Result:
    return list(op.inputs)


@handles("sdy.named_computation")
def _named_computation(op: Op) -> Result:
    return op.run(0, op.inputs)


@handles("stablehlo.async_start")
def _async_start(op: Op) -> Result:
    return tuple(op.run(0, op.inputs))


@handles("stablehlo.async_done")
def _async_done(op: Op) -> Result:
    group = op.inputs[0]
    assert isinstance(group, tuple)
    return list(group)


@handles("stablehlo.tuple")
def _tuple(op: Op) -> Result:
    return tuple(op.inputs)


@handles("stablehlo.get_tuple_element")
def _get_tuple_element(op: Op) -> Result:
    group = op.inputs[0]
    assert isinstance(group, tuple)
    return group[op.integer("index")]


@handles("stablehlo.after_all", "stablehlo.create_token")
def _token(op: Op) -> Result:
    return TOKEN


@handles("stablehlo.composite")
def _composite(op: Op) -> Result:
    name = op.text("name")
    if is_composite(name):
        return op.importer.apply(name, op.operation, op.inputs)
    return op.importer.call(op.text("decomposition"), op.inputs, op.place)
