"""Conditions, loops, scans and sequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from nodes import Arrays, assert_close, info, model_of, random, reference, run
from onnx import helper

from ttmlir.errors import CompileError
from ttmlir.onnx import backend

F32, I64, BOOL = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64, onnx.TensorProto.BOOL


def graph(
    nodes: Sequence[onnx.NodeProto],
    inputs: Sequence[tuple[str, int, Sequence[int]]],
    outputs: Sequence[tuple[str, int, Sequence[int]]],
    **known: Any,
) -> onnx.GraphProto:
    """A graph of an attribute."""
    stored = [onnx.numpy_helper.from_array(np.asarray(x), name) for name, x in known.items()]
    return helper.make_graph(
        list(nodes),
        "part",
        [helper.make_tensor_value_info(*i) for i in inputs],
        [helper.make_tensor_value_info(*o) for o in outputs],
        stored,
    )


def node(op_type: str, inputs: str, outputs: str, **attributes: Any) -> onnx.NodeProto:
    """A node whose names are separated by blanks; ``_`` stands for none."""
    names = [[n.replace("_", "") for n in text.split()] for text in (inputs, outputs)]
    return helper.make_node(op_type, *names, **attributes)


def program(model: onnx.ModelProto, inputs: Arrays) -> str:
    """The text of the program that is imported."""
    prepared = backend.prepare(model)
    return str(prepared.executable(dict(inputs)).signature.imported.builder)


def compare(model: onnx.ModelProto, inputs: Arrays) -> None:
    assert_close(run(model, inputs), reference(model, inputs))


# If ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("truth", [True, False])
def test_if(truth: bool) -> None:
    then = graph([node("Add", "x y", "a")], [], [("a", F32, (3, 4))])
    other = graph([node("Mul", "x two", "b")], [], [("b", F32, (3, 4))], two=np.float32(2))
    branch = node("If", "c", "z", then_branch=then, else_branch=other)
    inputs = {"x": random(3, 4), "y": random(3, 4, seed=1), "c": np.array(truth)}
    model = model_of([branch], inputs, ["z"])
    compare(model, inputs)
    assert "scf.if" in program(model, inputs)


def test_if_with_other_shapes() -> None:
    then = graph([node("Concat", "x x", "a", axis=0)], [], [("a", F32, (6, 4))])
    other = graph([node("Mul", "x x", "b")], [], [("b", F32, (3, 4))])
    branch = node("If", "c", "z", then_branch=then, else_branch=other)
    inputs = {"x": random(3, 4), "c": np.array(True)}
    compare(model_of([branch], inputs, ["z"]), inputs)


# Loop --------------------------------------------------------------------------------------------


def counted(count: int) -> tuple[onnx.NodeProto, Arrays]:
    """Adds the turn's number and stacks what is carried."""
    body = graph(
        [
            node("Cast", "i", "f", to=F32),
            node("Add", "x f", "y"),
            node("Mul", "y w", "z"),
            node("Identity", "z", "row"),
            node("Identity", "c", "again"),
        ],
        [("i", I64, ()), ("c", BOOL, ()), ("x", F32, (2, 3))],
        [("again", BOOL, ()), ("z", F32, (2, 3)), ("row", F32, (2, 3))],
    )
    known = {"n": np.array(count, np.int64), "t": np.array(True)}
    return node("Loop", "n t x0", "last rows", body=body), known


@pytest.mark.parametrize("count", [1, 2, 7])
def test_loop(count: int) -> None:
    loop, known = counted(count)
    inputs = {"x0": random(2, 3), "w": random(2, 3, seed=1) / 2}
    model = model_of([loop], inputs, ["last", "rows"], known=known)
    # onnx's reference joins the rows instead of stacking them.
    rows, now = [], inputs["x0"]
    for i in range(count):
        now = (now + np.float32(i)) * inputs["w"]
        rows.append(now)
    assert_close(run(model, inputs), [now, np.stack(rows)])
    assert ("scf.for" in program(model, inputs)) == (count > 2)


def test_loop_without_turns() -> None:
    loop, known = counted(0)
    inputs = {"x0": random(2, 3), "w": random(2, 3)}
    last, rows = run(model_of([loop], inputs, ["last", "rows"], known=known), inputs)
    assert_close([last, rows], [inputs["x0"], np.zeros((0, 2, 3), np.float32)])


def doubling(shape: tuple[int, int] = (2, 3)) -> onnx.NodeProto:
    """Doubles as long as the sum is below 100."""
    body = graph(
        [
            node("Add", "x x", "y"),
            node("ReduceSum", "y", "s", keepdims=0),
            node("Less", "s limit", "again"),
        ],
        [("i", I64, ()), ("c", BOOL, ()), ("x", F32, shape)],
        [("again", BOOL, ()), ("y", F32, shape)],
        limit=np.float32(100),
    )
    return node("Loop", "n t x0", "last", body=body)


@pytest.mark.parametrize("most", [3, 50])
@pytest.mark.parametrize("go", [True, False])
def test_loop_until(most: int, go: bool) -> None:
    inputs = {"x0": np.abs(random(2, 3)), "n": np.array(most, np.int64), "t": np.array(go)}
    model = model_of([doubling()], inputs, ["last"])
    compare(model, inputs)
    assert "scf.while" in program(model, inputs)


def test_loop_of_any_number_of_turns() -> None:
    inputs = {"x0": np.abs(random(2, 3)), "t": np.array(True)}
    known = {"n": np.array(np.iinfo(np.int64).max)}
    model = model_of([doubling()], inputs, ["last"], known=known)
    found = inputs["x0"] * 2
    while found.sum() < 100:
        found = found * 2
    assert_close(run(model, inputs), [found])


def test_loop_with_a_computed_number_of_turns() -> None:
    body = graph(
        [node("Add", "x w", "y"), node("Identity", "c", "again")],
        [("i", I64, ()), ("c", BOOL, ()), ("x", F32, (4, 4))],
        [("again", BOOL, ()), ("y", F32, (4, 4))],
    )
    loop = node("Loop", "n _ x0", "last", body=body)
    inputs = {"x0": random(4, 4), "w": random(4, 4, seed=1), "n": np.array(9, np.int64)}
    model = model_of([loop], inputs, ["last"])
    # onnx's reference takes a condition that is left out for a false one.
    assert_close(run(model, inputs), [inputs["x0"] + 9 * inputs["w"]])
    assert "scf.for" in program(model, inputs)


def test_loop_whose_state_grows() -> None:
    body = graph(
        [node("Concat", "x w", "y", axis=0), node("Identity", "c", "again")],
        [("i", I64, ()), ("c", BOOL, ()), ("x", F32, None)],  # type: ignore[list-item]
        [("again", BOOL, ()), ("y", F32, None)],  # type: ignore[list-item]
    )
    loop = node("Loop", "n _ x0", "last", body=body)
    inputs = {"x0": random(1, 4), "w": random(2, 4, seed=1)}
    model = model_of([loop], inputs, ["last"], known={"n": np.array(4, np.int64)})
    assert_close(run(model, inputs), [np.concatenate([inputs["x0"], *[inputs["w"]] * 4])])


def test_loops_within_loops() -> None:
    inner = graph(
        [node("Mul", "v w", "u"), node("Add", "u x", "v2"), node("Identity", "d", "d2")],
        [("j", I64, ()), ("d", BOOL, ()), ("v", F32, (3, 3))],
        [("d2", BOOL, ()), ("v2", F32, (3, 3))],
    )
    outer = graph(
        [
            node("Loop", "m _ x", "y", body=inner),
            node("Tanh", "y", "z"),
            node("Identity", "c", "again"),
        ],
        [("i", I64, ()), ("c", BOOL, ()), ("x", F32, (3, 3))],
        [("again", BOOL, ()), ("z", F32, (3, 3))],
    )
    inputs = {"x0": random(3, 3), "w": random(3, 3, seed=1)}
    known = {"n": np.array(4, np.int64), "m": np.array(3, np.int64)}
    model = model_of([node("Loop", "n _ x0", "last", body=outer)], inputs, ["last"], known=known)
    now = inputs["x0"]
    for _ in range(4):
        inner_now = now
        for _ in range(3):
            inner_now = inner_now * inputs["w"] + now
        now = np.tanh(inner_now)
    assert_close(run(model, inputs), [now])
    assert program(model, inputs).count("scf.for") == 2


def test_loop_that_stacks_until() -> None:
    loop = doubling((20, 30))
    body = loop.attribute[0].g
    body.output.append(info("y", np.zeros((20, 30), np.float32)))
    loop.output.append("rows")
    inputs = {"x0": np.abs(random(20, 30)), "t": np.array(True)}
    model = model_of([loop], inputs, ["last", "rows"], known={"n": np.array(9, np.int64)})
    with pytest.raises(CompileError, match="the condition"):
        run(model, inputs)


def test_reasons_inside_of_loops() -> None:
    body = graph(
        [node("ImageDecoder", "x", "y"), node("Identity", "c", "again")],
        [("i", I64, ()), ("c", BOOL, ()), ("x", F32, (4,))],
        [("again", BOOL, ()), ("y", F32, (4,))],
    )
    body.node[0].name = "inner"
    loop = node("Loop", "n _ x0", "last", body=body)
    loop.name = "outer"
    model = model_of([loop], {"x0": random(4)}, ["last"], known={"n": np.array(9, np.int64)})
    with pytest.raises(CompileError) as caught:
        run(model, {"x0": random(4)})
    notes = [d for d in caught.value.diagnostics if d.severity == "note"]
    assert [(n.location, "'ImageDecoder'" in n.message) for n in notes] == [("outer/inner", True)]


# Scan --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("back", [0, 1])
@pytest.mark.parametrize("extent", [2, 9])
def test_scan(axis: int, back: int, extent: int) -> None:
    body = graph(
        [node("Add", "s x", "t"), node("Mul", "t x", "u")],
        [("s", F32, (4,)), ("x", F32, (4,))],
        [("t", F32, (4,)), ("u", F32, (4,))],
    )
    scan = node(
        "Scan",
        "s0 x0",
        "last rows",
        body=body,
        num_scan_inputs=1,
        scan_input_axes=[axis],
        scan_input_directions=[back],
        scan_output_axes=[axis - 2],
        scan_output_directions=[1 - back],
    )
    x = random(extent, 4, seed=1)
    inputs = {"s0": random(4), "x0": x if axis == 0 else np.ascontiguousarray(x.T)}
    rows, sums, now = [], [], inputs["s0"]
    for row in x[::-1] if back else x:
        now = now + row
        sums.append(now)
        rows.append(now * row)
    stack = np.stack(rows if back else rows[::-1])
    expected = [sums[-1], stack if axis == 0 else stack.T]
    assert_close(run(model_of([scan], inputs, ["last", "rows"]), inputs), expected)


# Sequences ---------------------------------------------------------------------------------------


def test_sequences() -> None:
    nodes = [
        node("SplitToSequence", "x parts", "a", axis=1),
        node("SequenceInsert", "a y first", "b"),
        node("SequenceErase", "b last", "d"),
        node("SequenceAt", "d last", "one"),
        node("SequenceLength", "d", "count"),
        node("ConcatFromSequence", "d", "z", axis=-1),
    ]
    inputs = {"x": random(2, 6), "y": random(2, 3, seed=1)}
    known = {
        "parts": np.array([1, 2, 3], np.int64),
        "first": np.array(0, np.int64),
        "last": np.array(-1, np.int64),
    }
    compare(model_of(nodes, inputs, ["one", "count", "z"], known=known), inputs)


@pytest.mark.parametrize("keepdims", [0, 1])
def test_stack_of_a_split(keepdims: int) -> None:
    nodes = [
        node("SplitToSequence", "x", "a", axis=0, keepdims=keepdims),
        node("ConcatFromSequence", "a", "z", axis=1, new_axis=1),
    ]
    inputs = {"x": random(3, 4)}
    compare(model_of(nodes, inputs, ["z"]), inputs)


def test_sequence_map() -> None:
    body = graph(
        [node("Mul", "e w", "f")], [("e", F32, (2,)), ("w", F32, (2,))], [("f", F32, (2,))]
    )
    nodes = [
        node("SequenceConstruct", "x y", "a"),
        node("SequenceMap", "a y", "b", body=body),
        node("ConcatFromSequence", "b", "z", axis=0),
    ]
    inputs = {"x": random(2), "y": random(2, seed=1)}
    found = run(model_of(nodes, inputs, ["z"]), inputs)
    assert_close(found, [np.concatenate([inputs["x"] * inputs["y"], inputs["y"] ** 2])])


def test_optional() -> None:
    nodes = [
        node("Optional", "x", "o"),
        node("OptionalGetElement", "o", "y"),
        node("Neg", "y", "z"),
        node("OptionalHasElement", "o", "has"),
    ]
    inputs = {"x": random(3)}
    found = run(model_of(nodes, inputs, ["z", "has"]), inputs)
    assert_close(found, [-inputs["x"], np.array(True)])


def test_place_outside_of_a_sequence() -> None:
    nodes = [node("SequenceConstruct", "x x", "a"), node("SequenceAt", "a p", "z")]
    inputs = {"x": random(3)}
    with pytest.raises(CompileError, match=r"expected a place in \[-2, 2\), found 2"):
        run(model_of(nodes, inputs, ["z"], known={"p": np.array(2, np.int64)}), inputs)
