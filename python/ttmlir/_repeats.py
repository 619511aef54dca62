"""Layers that repeat in a program, so that the cost of many follows from that of a few."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ttmlir import ir

#: Ops of a layer at least: less is not worth another compilation.
_LEAST = 12
#: Layers that are compiled: their difference is the cost of each further one.
FEW, MORE = 2, 3


@dataclass(frozen=True)
class Repeats:
    """Equal layers of a program.

    Args:
        start: index of the first op of the first layer, in the only function.
        period: ops of a layer.
        count: layers.
    """

    start: int
    period: int
    count: int

    def extrapolated(self, few: float, more: float) -> float:
        """Returns the cost with all layers, from that with FEW and with MORE."""
        return few + (more - few) / (MORE - FEW) * (self.count - FEW)


def _operations(module: ir.Module) -> list[Any] | None:
    """The ops of the only function, the terminator last; None if there are several or blocks."""
    functions = list(module.body.operations)
    if len(functions) != 1 or functions[0].operation.name != "func.func":
        return None
    [region] = functions[0].regions
    blocks = list(region.blocks)
    return [op.operation for op in blocks[0].operations] if len(blocks) == 1 else None


def repeats_of(module: ir.Module) -> Repeats | None:
    """Finds the longest part of a program that consists of more than MORE equal layers, each of
    which uses only results of itself, of the layer before and from before all of them.

    Returns:
        The layers, or None if there are none.
    """
    ops = _operations(module)
    if ops is None:
        return None
    *body, _ = ops
    kinds: dict[Any, int] = {}
    ids = np.array([kinds.setdefault(_kind(op), len(kinds)) for op in body], np.int64)
    best: Repeats | None = None
    for period in range(_LEAST, len(ids) // (MORE + 1) + 1):
        start, length = _longest(ids[:-period] == ids[period:])
        count = length // period + 1
        if count <= MORE or (best and count * period <= best.count * best.period):
            continue
        # At the end of the equal ops: what follows is the rest of the program.
        best = Repeats(start + length - (count - 1) * period, period, count)
    if best is None or not _is_chain(body, best):
        return None
    return best


def _kind(op: Any) -> Any:
    attributes = tuple((name, op.attributes[name]) for name in op.attributes)
    if len(op.regions):
        return object()  # Loops and conditions are equal to themselves only.
    types = tuple(value.type for value in (*op.operands, *op.results))
    return op.name, types, attributes


def _longest(equal: Any) -> tuple[int, int]:
    """The start and the length of the longest run of true elements."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], equal.astype(np.int8), [0]))))
    if not len(edges):
        return 0, 0
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    longest = int(lengths.argmax())
    return int(starts[longest]), int(lengths[longest])


def _places(body: list[Any]) -> dict[Any, tuple[int, int]]:
    return {
        result: (i, number) for i, op in enumerate(body) for number, result in enumerate(op.results)
    }


def _is_chain(body: list[Any], layers: Repeats) -> bool:
    """Whether layers from the second on use the same results, relative to themselves, and ops
    behind the layers use the last one only."""
    place = _places(body)
    start, period = layers.start, layers.period
    end = start + layers.count * period
    for i in range(start + 2 * period, end):
        for now, before in zip(body[i].operands, body[i - period].operands, strict=True):
            a, b = place.get(now), place.get(before)
            if a is None or b is None:
                # Arguments, such as the weights of each layer.
                if (a is None) != (b is None):
                    return False
            elif a[0] < start:
                if a != b:
                    return False
            elif (a[0] - period, a[1]) != b or i - a[0] >= 2 * period:
                return False
    for op in (*body[end:], body[-1].block.operations[len(body)]):
        for value in op.operands:
            found = place.get(value)
            if found and start <= found[0] < end - period:
                return False
    return True


def shorten(module: ir.Module, layers: Repeats, count: int) -> None:
    """Keeps the first ``count`` of the layers; the arguments of the others stay, unused."""
    ops = _operations(module)
    assert ops is not None
    first = layers.start + count * layers.period
    end = layers.start + layers.count * layers.period
    for last, kept in zip(
        ops[end - layers.period : end], ops[first - layers.period : first], strict=True
    ):
        for old, new in zip(last.results, kept.results, strict=True):
            old.replace_all_uses_with(new)
    for op in reversed(ops[first:end]):
        op.erase()
