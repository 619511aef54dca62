"""Random graphs of ONNX against ONNX's own reference.

A graph grows by one node after another, each of which the reference runs as it is drawn; a node
that it refuses is left out. ``check(seed)`` draws and runs one; ``python random_graphs.py SEED``
prints it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from nodes import model_of, reference, run

from ttmlir.errors import CompileError
from ttmlir.onnx import backend as chip

Array = np.ndarray[Any, np.dtype[Any]]

MOST_NODES = 10
MOST_ELEMENTS = 4096
#: f32 of a node whose inputs are those of the reference.
TOLERANCE = 3e-5


class WrongError(AssertionError):
    """The chip gives other numbers than the reference."""


@dataclass
class _Graph:
    seed: int
    rng: np.random.Generator
    inputs: dict[str, Array] = field(default_factory=dict)
    known: dict[str, Array] = field(default_factory=dict)
    values: dict[str, Array] = field(default_factory=dict)
    nodes: list[onnx.NodeProto] = field(default_factory=list)

    def one(self, items: Any) -> Any:
        return items[int(self.rng.integers(len(items)))]

    def integer(self, low: int, high: int) -> int:
        """Of [low, high)."""
        return int(self.rng.integers(low, max(high, low + 1)))

    def name(self, kinds: str = "fiub") -> str | None:
        found = [n for n, x in self.values.items() if x.dtype.kind in kinds]
        return found[-1 - min(int(self.rng.exponential(2.0)), len(found) - 1)] if found else None

    def constant(self, value: Any, dtype: Any = np.int64) -> str:
        name = f"c{len(self.known)}"
        self.known[name] = np.asarray(value, dtype)
        return name

    def add(self, op: str, inputs: list[str], **attributes: Any) -> bool:
        """A node with one result; false where the reference refuses it."""
        result = f"y{len(self.nodes)}"
        node = helper.make_node(op, inputs, [result], **attributes)
        given = {n: self.values.get(n, self.known.get(n)) for n in inputs if n}
        try:
            (found,) = reference(model_of([node], given, [result]), given)
        except Exception:  # Whatever the reference raises for what is no model.
            return False
        found = np.asarray(found)
        if found.size > MOST_ELEMENTS or found.ndim > 5 or found.dtype.kind not in "fiub":
            return False
        self.values[result] = found
        self.nodes.append(node)
        return True

    def model(self, outputs: list[str] | None = None) -> onnx.ModelProto:
        """The graph, which returns what each node gives, or ``outputs`` alone."""
        used = {n for node in self.nodes for n in node.input}
        known = {n: x for n, x in self.known.items() if n in used}
        outputs = outputs or [node.output[0] for node in self.nodes]
        return model_of(self.nodes, self.inputs, outputs, known=known)

    def __str__(self) -> str:
        return f"# seed {self.seed}\n{onnx.printer.to_text(self.model())}"


def _unary(g: _Graph) -> bool:
    name = g.name("f")
    ops = ("Relu", "Tanh", "Abs", "Neg", "Sigmoid", "Floor", "Sin", "Erf", "Softsign", "Sign")
    return name is not None and g.add(g.one(ops), [name])


def _binary(g: _Graph) -> bool:
    x, y = g.name(), g.name()
    if x is None or y is None or g.values[x].dtype != g.values[y].dtype:
        return False
    if g.values[x].dtype.kind == "b":
        return g.add(g.one(("And", "Or", "Xor")), [x, y])
    return g.add(
        g.one(("Add", "Sub", "Mul", "Max", "Min", "Less", "Equal", "GreaterOrEqual")), [x, y]
    )


def _integers(g: _Graph) -> bool:
    if (x := g.name("iu")) is None:
        return False
    number = g.constant(g.one((1, 3, 7, 100)), g.values[x].dtype)
    op = g.one(("Add", "Sub", "Mul", "Div", "Mod", "BitwiseAnd", "BitwiseOr", "BitwiseXor"))
    return g.add(op, [x, number])


def _cast(g: _Graph) -> bool:
    if (x := g.name("iub")) is None:
        return False
    kinds = (
        TensorProto.FLOAT,
        TensorProto.INT64,
        TensorProto.INT32,
        TensorProto.BOOL,
        TensorProto.UINT8,
    )
    return g.add("Cast", [x], to=g.one(kinds))


def _where(g: _Graph) -> bool:
    mask, x, y = g.name("b"), g.name(), g.name()
    if mask is None or x is None or y is None or g.values[x].dtype != g.values[y].dtype:
        return False
    return g.add("Where", [mask, x, y])


def _shape(g: _Graph) -> bool:
    x = g.name()
    assert x is not None
    shape = g.values[x].shape
    rank = len(shape)
    axis = g.integer(-rank, rank) if rank else 0
    extent = shape[axis] if rank else 1
    kind = g.integer(0, 10)
    if kind == 0:
        return g.add(
            "Reshape", [x, g.constant(g.one(([-1], [0, -1], [1, -1], [-1, 2], [2, -1, 3])))]
        )
    if kind == 1:
        return rank > 0 and g.add("Transpose", [x], perm=[int(i) for i in g.rng.permutation(rank)])
    if kind == 2:
        begin, end = g.integer(-extent - 1, extent + 1), g.integer(-extent - 1, extent + 2)
        numbers = [g.constant([n]) for n in (begin, end, axis, g.one((1, 1, 2, -1)))]
        return g.add("Slice", [x, *numbers])
    if kind == 3:
        return g.add("Unsqueeze", [x, g.constant([g.integer(-rank - 1, rank + 1)])])
    if kind == 4:
        return g.add("Squeeze", [x, g.constant([axis])])
    if kind == 5:
        return g.add("Expand", [x, g.constant([g.integer(1, 4), *[1] * rank])])
    if kind == 6:
        return g.add("Tile", [x, g.constant([g.integer(1, 3) for _ in range(rank)])])
    if kind == 7:
        pads = [g.integer(-1, 3) for _ in range(2 * rank)]
        return g.add("Pad", [x, g.constant(pads)], mode=g.one(("constant", "constant", "edge")))
    if kind == 8:
        y = g.name()
        if y is None or g.values[y].dtype != g.values[x].dtype:
            return False
        return g.add("Concat", [x, y], axis=axis)
    return g.add("Flatten", [x], axis=g.integer(0, rank + 1))


def _places(g: _Graph) -> bool:
    x = g.name()
    assert x is not None
    shape = g.values[x].shape
    if not shape or not all(shape):
        return False
    axis = g.integer(-len(shape), len(shape))
    extent = shape[axis]
    places = g.rng.integers(-extent, extent, g.one(((3,), (2, 2), ())))
    if g.integer(0, 3) == 0:
        return g.add("Gather", [x, g.constant(places)], axis=axis)
    own = list(shape)
    own[axis] = g.integer(1, extent + 2)
    indices = g.constant(g.rng.integers(-extent, extent, own))
    if g.integer(0, 2):
        return g.add("GatherElements", [x, indices], axis=axis)
    updates = g.constant(np.asarray(g.rng.integers(0, 5, own)), g.values[x].dtype)
    # The last of several updates of a place may be any, of which sums do not depend.
    return g.add("ScatterElements", [x, indices, updates], axis=axis, reduction="add")


def _reduce(g: _Graph) -> bool:
    if (x := g.name("fi")) is None:
        return False
    rank = g.values[x].ndim
    if not rank:
        return False
    axis = g.integer(-rank, rank)
    op = g.one(("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ArgMax", "CumSum", "Softmax"))
    if op in ("ReduceMean", "Softmax") and g.values[x].dtype.kind != "f":
        return False
    if op == "ArgMax":
        return g.add(op, [x], axis=axis, keepdims=g.integer(0, 2))
    if op == "CumSum":
        options = {"exclusive": g.integer(0, 2), "reverse": g.integer(0, 2)}
        return g.add(op, [x, g.constant(axis)], **options)
    if op == "Softmax":
        return g.add(op, [x], axis=axis)
    return g.add(op, [x, g.constant([axis])], keepdims=g.integer(0, 2))


def _product(g: _Graph) -> bool:
    x, y = g.name("f"), g.name("f")
    if x is None or y is None or not g.values[x].ndim or not g.values[y].ndim:
        return False
    return g.add("MatMul", [x, y])


def _control(g: _Graph) -> bool:
    """A condition, or a loop that is told how often it turns."""
    x = g.name("f")
    test = g.name("b")
    if x is None:
        return False
    kind = TensorProto.FLOAT
    if test is not None and g.values[test].size == 1 and g.integer(0, 2):
        branches = []
        for i, op in enumerate(("Neg", "Relu")):
            out = helper.make_tensor_value_info(f"b{i}", kind, None)
            node = helper.make_node(op, [x], [f"b{i}"])
            branches.append(helper.make_graph([node], f"branch{i}", [], [out]))
        # Graphs inside read values outside: they are inputs of the node, too, for the reference.
        return _with_outside(g, "If", [test], x, then_branch=branches[0], else_branch=branches[1])
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["goes"], ["goes_on"]),
            helper.make_node("Mul", ["now", "now"], ["square"]),
            helper.make_node("Tanh", ["square"], ["next"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("turn", TensorProto.INT64, []),
            helper.make_tensor_value_info("goes", TensorProto.BOOL, []),
            helper.make_tensor_value_info("now", kind, None),
        ],
        [
            helper.make_tensor_value_info("goes_on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("next", kind, None),
        ],
    )
    turns, goes = g.constant(g.integer(0, 4)), g.constant(True, np.bool_)
    return g.add("Loop", [turns, goes, x], body=body)


def _with_outside(g: _Graph, op: str, inputs: list[str], outside: str, **graphs: Any) -> bool:
    result = f"y{len(g.nodes)}"
    node = helper.make_node(op, inputs, [result], **graphs)
    given = {n: g.values[n] for n in [*inputs, outside]}
    try:
        (found,) = reference(model_of([node], given, [result]), given)
    except Exception:  # As above.
        return False
    g.values[result] = np.asarray(found)
    g.nodes.append(node)
    return True


_KINDS: tuple[Callable[[_Graph], bool], ...] = (
    *(_unary, _binary, _binary, _integers, _integers, _cast, _where),
    *(_shape, _shape, _shape, _places, _places, _reduce, _reduce, _product, _control),
)


def draw(seed: int, extents: Sequence[int] = ()) -> _Graph:
    """The graph of a seed, with inputs of any small extents, or of these."""
    g = _Graph(seed, np.random.default_rng(seed))
    for i in range(g.integer(1, 4)):
        if extents:
            shape = [g.one(extents) for _ in range(g.integer(1, 4))]
            while math.prod(shape) > MOST_ELEMENTS:
                shape.pop()
        else:
            shape = [
                g.one((0, 1, 1, 2)) if g.integer(0, 5) == 0 else g.integer(1, 6)
                for _ in range(g.integer(0, 4))
            ]
        dtype = g.one((np.float32, np.float32, np.int64, np.int64, np.int32, np.bool_))
        numbers = np.asarray(g.rng.standard_normal(shape) * 3)
        if dtype is np.int64 and g.integer(0, 3) == 0:
            numbers = numbers * 1e8
        g.inputs[f"x{i}"] = g.values[f"x{i}"] = np.asarray(numbers.astype(dtype)).reshape(shape)
    count = g.integer(2, MOST_NODES)
    for _ in range(60):
        if len(g.nodes) >= count:
            break
        g.one(_KINDS)(g)
    return g


def check(seed: int, backend: str = "ttnn") -> str:
    """Runs the graph of a seed; gives ``right``, or what is refused. Each node is computed by the
    reference for the operands that the chip had. In library calls every other seed runs all nodes
    with ``optimization_level=1``, and each those that the last one needs with both levels.

    Raises:
        WrongError: the chip gives other numbers than the reference.
    """
    g = draw(seed)
    if not g.nodes:
        return "nothing"
    options = {"optimization_level": seed % 2} if backend == "ttnn" else {}
    try:
        found = run(g.model(), g.inputs, backend=backend, **options)
    except CompileError as error:
        return "refused: " + str(error).splitlines()[-1].rpartition(": ")[2][:100]
    except AssertionError:
        return "known"
    if fault := wrong_node(g, found):
        raise WrongError(f"{backend}: {fault}\n{g}")
    if backend == "ttnn":
        _check_levels(g)
    return "right"


def wrong_node(g: _Graph, found: Sequence[Any]) -> str:
    """The first node, if any, whose result is not what the reference computes from the operands
    that the chip had, and what is wrong; ``found`` are the results of all nodes."""
    values = {**g.inputs, **g.known}
    for node, x in zip(g.nodes, found, strict=True):
        outside = [n for a in node.attribute if a.HasField("g") for m in a.g.node for n in m.input]
        given = {n: values[n] for n in [*node.input, *outside] if n in values}
        (expected,) = reference(model_of([node], given, [node.output[0]]), given)
        if fault := difference(np.asarray(x), np.asarray(expected)):
            return f"{node.op_type} {node.output[0]} {fault}"
        values[node.output[0]] = np.asarray(x)
    return ""


def _check_levels(g: _Graph) -> None:
    """Both levels give the same bits, also where nothing outside reads what is on the way."""
    last = g.model([g.nodes[-1].output[0]])
    prepared = [chip.prepare(last, optimization_level=level) for level in (0, 1)]
    try:
        plain, fast = (np.asarray(p.run(dict(g.inputs))[0]) for p in prepared)
    except CompileError:
        return
    if not np.array_equal(plain, fast, equal_nan=plain.dtype.kind == "f"):
        raise WrongError(f"level 1: {g.nodes[-1].op_type} has other bits than at level 0\n{g}")


def difference(found: Array, expected: Array) -> str:
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return f"is {found.dtype}{found.shape}, expected {expected.dtype}{expected.shape}"
    if expected.dtype.kind == "f":
        wrong = ~np.isclose(found, expected, TOLERANCE, TOLERANCE, equal_nan=True)
    else:
        wrong = found != expected
    if not np.any(wrong):
        return ""
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"has {found[place]} at {list(place)}, expected {expected[place]}"


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if count == 1:
        print(draw(first))
    ends: dict[str, int] = {}
    for seed in range(first, first + count):
        try:
            end = check(seed, "ttmetal" if seed % 5 == 0 else "ttnn")
        except WrongError as error:
            end = "wrong"
            print(error, flush=True)
        ends[end] = ends.get(end, 0) + 1
        if "--refused" in sys.argv and end.startswith("refused"):
            print(end, draw(seed), flush=True)
    for end, times in sorted(ends.items(), key=lambda item: -item[1]):
        print(f"{times:6d}  {end}")
