"""Conditionals and loops, whose bodies are graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.onnx._loops import (
    INDEX,
    Number,
    counted_from_end,
    element,
    repeated,
    stacked,
)
from ttmlir.frontends.onnx._op import (
    NeedsValueError,
    Op,
    Result,
    Value,
    axis_of,
    handles,
    shape_of,
)

#: Most iterations of a loop that is unrolled because all its conditions are known.
_MOST = 4096
_ENDLESS = 2**31 - 1


@handles("If", folds=False)
def _if(op: Op, cond: Value) -> Result:
    graphs = [op.attribute("then_branch"), op.attribute("else_branch")]
    if isinstance(cond, np.ndarray):
        return op.importer.call(graphs[not bool(cond.reshape(-1)[0])], [], op.scope)

    def shapes(graph: onnx.GraphProto) -> list[Any] | None:
        found = op.importer.attempt(lambda: op.importer.call(graph, [], op.scope))
        return found and [x.shape if isinstance(x, (Tensor, np.ndarray)) else x for x in found]

    both = [shapes(graph) for graph in graphs]
    is_fixed = all(isinstance(shape, tuple) for found in both for shape in found or ())
    if not is_fixed or (None not in both and both[0] != both[1]):
        raise NeedsValueError(
            "the condition, on which the shapes of the results depend,", op.importer.sources(cond)
        )
    kinds: list[str] = []

    def branch(graph: onnx.GraphProto) -> list[Tensor]:
        found = [op.tensor(x) for x in op.importer.call(graph, [], op.scope)]
        kinds[:] = kinds or [x.dtype for x in found]
        return [op.cast(x, kind) for x, kind in zip(found, kinds, strict=True)]

    truth = op.tensor(cond)
    return op.b.cond(truth, lambda: branch(graphs[0]), lambda: branch(graphs[1]))


# Loop --------------------------------------------------------------------------------------------


class _Loop:
    """A Loop node.

    Args:
        op: the node.
        count: maximum number of iterations; None if unlimited.
        cond: whether there is a first iteration.
        carried: initial values.
    """

    def __init__(self, op: Op, count: Value, cond: Value, carried: Sequence[Value]) -> None:
        self.op, self.count, self.cond, self.carried = op, count, cond, list(carried)
        self.body: onnx.GraphProto = op.attribute("body")
        self.stacks = len(self.body.output) - 1 - len(self.carried)

    def iteration(self, number: Number, carried: list[Any]) -> tuple[Any, list[Any], list[Any]]:
        """Builds an iteration: whether another one follows, the carried values, and the stacked
        ones."""
        op = self.op
        if isinstance(number, int):
            own: Value = np.array(number, np.int64)
        else:
            own = op.cast(reshaped(op, number, ()), "i64")
        found = op.importer.call(self.body, [own, np.array(True), *carried], op.scope)
        behind = 1 + len(self.carried)
        return found[0], found[1:behind], found[behind:]

    def built(self) -> list[Any]:
        op = self.op
        count = None if self.count is None else self._maybe_known(self.count)
        if isinstance(self.cond, np.ndarray) and not self.cond.reshape(-1)[0]:
            count = 0
        if count == 0:
            stacks = list(self.body.output)[1 + len(self.carried) :]
            return [*self.carried, *map(self._empty, stacks)]
        is_true = self.cond is None or isinstance(self.cond, np.ndarray)
        ends = not is_true or not self._goes_on()
        if count is not None and not ends and not (isinstance(count, Tensor) and self.stacks):
            kept, made = repeated(op, count, self._turn_of_all, self.carried, [0] * self.stacks)
            return [*kept, *made]
        if self.stacks or any(isinstance(x, (list, type(None))) for x in self.carried):
            return self._until_known(count)
        return self._while(count)

    def _maybe_known(self, count: Value) -> int | Tensor | None:
        if isinstance(count, np.ndarray):
            found = max(int(count.reshape(-1)[0]), 0)
            # Exporters write the greatest 64-bit number for an unlimited loop.
            return None if found > _ENDLESS else found
        return self.op.tensor(count, INDEX)

    def _turn_of_all(self, number: Number, carried: list[Any]) -> tuple[list[Any], list[Any]]:
        return self.iteration(number, carried)[1:]

    def _goes_on(self) -> bool:
        """Whether the body is known never to end the loop."""
        op = self.op

        def build() -> list[Any]:
            number = op.tensor(np.zeros(1, np.int32))
            given = [x if isinstance(x, (list, type(None))) else op.tensor(x) for x in self.carried]
            return [self.iteration(number, given)[0]]

        found = op.importer.attempt(build)
        if found is None:
            # The iteration numbers may be known.
            found = op.importer.attempt(lambda: [self.iteration(0, self.carried)[0]])
        if found is None:
            return True
        return isinstance(found[0], np.ndarray) and bool(found[0].reshape(-1)[0])

    def _until_known(self, count: int | Tensor | None) -> list[Any]:
        """Unrolls the loop; the number of iterations must be known."""
        op = self.op
        if isinstance(count, Tensor):
            raise NeedsValueError("the number of iterations", op.importer.sources(self.count))
        go, now = self.cond, list(self.carried)
        rows: list[list[Any]] = []
        while len(rows) < _MOST and (count is None or len(rows) < count):
            if go is not None and not op.known(go, "the condition").reshape(-1)[0]:
                break
            go, now, made = self.iteration(len(rows), now)
            rows.append(made)
        else:
            if count is None or len(rows) < count:
                raise op.fail(f"only {_MOST} turns are supported of a loop that stacks results")
        results = list(now)
        for i in range(self.stacks):
            if not rows:
                results.append(self._empty(self.body.output[1 + len(self.carried) + i]))
                continue
            parts = [row[i] for row in rows]
            results.append(stacked(op, parts, 0, shape_of(parts[0]), op.dtype_of(parts[0])))
        return results

    def _empty(self, info: onnx.ValueInfoProto) -> Any:
        """Returns the stacked output of no iterations."""
        kind = info.type.tensor_type
        extents = [d.dim_value for d in kind.shape.dim]
        return np.zeros([0, *extents], onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type))

    def _while(self, count: int | Tensor | None) -> list[Any]:
        op, b = self.op, self.op.b
        first = [op.tensor(x) for x in self.carried]
        one = op.tensor(np.ones(1, np.int32))
        go = one if self.cond is None else reshaped(op, op.tensor(self.cond, INDEX), (1,))
        most = None
        if count is not None:
            given = np.array([count], np.int32) if isinstance(count, int) else count
            most = reshaped(op, op.tensor(given), (1,))

        def condition(number: Tensor, go: Tensor, *now: Tensor) -> Tensor:
            if most is None:
                return go
            return b.multiply(go, op.cast(op.compare("lt", number, most), INDEX))

        def body(number: Tensor, go: Tensor, *now: Tensor) -> list[Tensor]:
            again, kept, _ = self.iteration(number, list(now))
            step = op.tensor(np.ones(1, np.int32))
            found = [b.add(number, step), reshaped(op, op.tensor(again, INDEX), (1,))]
            return found + [op.tensor(x, y.dtype) for x, y in zip(kept, now, strict=True)]

        begin = [op.tensor(np.zeros(1, np.int32)), go, *first]
        return list(b.while_loop(condition, body, begin, name=op.place.name)[2:])


@handles("Loop", folds=False)
def _loop(op: Op, count: Value, cond: Value = None, *carried: Value) -> Result:
    return _Loop(op, count, cond, carried).built()


# Scan --------------------------------------------------------------------------------------------


@handles("Scan", folds=False)
def _scan(op: Op, *inputs: Value) -> Result:
    if op.since >= 9:
        return _scanned(op, inputs, "scan_input_directions", "scan_output_directions")
    lengths, given = inputs[0], [op.tensor(x) for x in inputs[1:]]
    if lengths is not None:
        raise op.fail("sequence_lens is not supported: leave it out, or use operator set 9")
    rows = [
        _scanned(op, [element(op, x, 0, n) for x in given], "directions", "")
        for n in range(given[0].shape[0])
    ]
    return [
        stacked(op, parts, 0, shape_of(parts[0]), op.dtype_of(parts[0]))
        for parts in zip(*rows, strict=True)
    ]


def _scanned(op: Op, inputs: Sequence[Value], forth: str, back: str) -> list[Any]:
    body: onnx.GraphProto = op.attribute("body")
    scans = op.integer("num_scan_inputs")
    states = list(inputs[: len(inputs) - scans])
    given = [op.tensor(x) for x in inputs[len(states) :]]
    count_of_stacks = len(body.output) - len(states)
    axes = op.integers("scan_input_axes") or [0] * scans
    axes = [axis_of(axis, x.rank) for axis, x in zip(axes, given, strict=True)]
    backward = op.integers(forth) or [0] * scans
    stacks = op.integers("scan_output_axes") or [0] * count_of_stacks
    reverse = op.integers(back) or [0] * count_of_stacks
    count = given[0].shape[axes[0]]
    ranks = [len(o.type.tensor_type.shape.dim) + 1 for o in body.output[len(states) :]]
    stacks = [axis % rank if axis < 0 else axis for axis, rank in zip(stacks, ranks, strict=True)]

    def iteration(number: Number, now: list[Any]) -> tuple[list[Any], list[Any]]:
        parts = [
            element(op, x, dim, counted_from_end(op, count, number) if flag else number)
            for x, dim, flag in zip(given, axes, backward, strict=True)
        ]
        found = op.importer.call(body, [*now, *parts], op.scope)
        return found[: len(states)], found[len(states) :]

    kept, made = repeated(op, count, iteration, states, stacks, [bool(r) for r in reverse])
    return [*kept, *made]
