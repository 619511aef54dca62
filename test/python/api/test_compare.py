"""Executable.compare: what is matched with what, what is off, and what is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir._comparison.alignment import assigned, measure, settled
from ttmlir._comparison.op_results import Probe
from ttmlir._comparison.tolerances import limits_of
from ttmlir.frontends.reference import Values

RNG = np.random.default_rng(0)
X = RNG.standard_normal((32, 64), np.float32)
W = RNG.standard_normal((64, 48), np.float32)
BACKENDS = ("ttnn", "ttmetal")


def mlp(dtype: str = "f32") -> ttmlir.Builder:
    b = ttmlir.Builder("mlp")
    x, w = b.input("x", X.shape, dtype), b.input("w", W.shape, dtype)
    product = b.matmul(x, w, name="layer/product")
    b.output(b.softmax(b.relu(product, name="layer/clip"), name="layer/shares"))
    return b


def expected(factor: float = 1.0) -> dict[str, Any]:
    product = X.astype(np.float64) @ W
    clip = np.maximum(product, 0) * factor
    shares = np.exp(clip - clip.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    return {
        "layer/product": product,
        "layer/clip": clip,
        "layer/shares": shares,
        "output_0": shares,
    }


def probe(
    op: str, *names: str, shape: tuple[int, ...] = (4, 6), reads: tuple[int, ...] = ()
) -> Probe:
    return Probe(op, names, "", "f32", shape, "f32", reads)


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_op_beside_given_arrays(backend: Any) -> None:
    found = ttmlir.compile(mlp(), backend=backend).compare(expected(), X, W)
    assert found.first_off is None
    names = {op.name for op in found.compared}
    assert {"layer/shares"} <= names <= set(expected())
    assert found.outputs[0].is_compared
    assert found.min_pcc is not None
    assert found.min_pcc > 0.999999
    # Whatever the program has of its own is there, and what it has not is named.
    assert names | set(found.missing) | {"layer/product", "layer/clip"} >= set(expected()) - {
        "output_0"
    }


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_results_are_those_of_the_program(backend: Any) -> None:
    exe = ttmlir.compile(mlp("bf16"), backend=backend)
    x, w = X.astype("bfloat16"), W.astype("bfloat16")
    found = exe.compare({"output_0": exe(x, w)}, x, w)
    assert found.outputs[0].max_error == 0


def test_the_first_op_that_is_off() -> None:
    exe = ttmlir.compile(mlp())
    wrong = expected(factor=1.05)
    found = exe.compare(wrong, X, W)
    assert found.first_off is not None
    assert found.first_off.name == "layer/clip"
    # The error is of size, which a correlation does not see.
    assert found.first_off.pcc == pytest.approx(1)
    assert found.first_off.relative_error == pytest.approx(0.05 / 1.05, rel=1e-3)
    assert "the first one is layer/clip" in str(found)
    loose = exe.compare(wrong, X, W, max_relative=1.0, min_pcc=0.5)
    assert loose.first_off is None


def test_limits_are_those_of_the_coarsest_format() -> None:
    x, w = X.astype("bfloat16"), W.astype("bfloat16")
    exe = ttmlir.compile(mlp("bf16"), optimization_level=0)
    found = exe.compare(expected(), x, w)
    assert {op.precision for op in found.ops} == {"bf16"}
    assert found.first_off is None
    strict = exe.compare(expected(), x, w, max_relative=1e-6)
    assert strict.first_off is not None
    assert strict.first_off.name == "layer/product"


@pytest.mark.parametrize("dtype", ["bf16", "f32"])
def test_a_program_beside_itself_in_f32(dtype: str) -> None:
    exe = ttmlir.compile(mlp(dtype), optimization_level=0)
    x, w = X.astype(exe.inputs[0].dtype), W.astype(exe.inputs[1].dtype)
    found = exe.compare(mlp(dtype), x, w)
    assert [op.name for op in found.compared] == ["layer/product", "layer/clip", "layer/shares"]
    errors = [op.max_error for op in found.compared]
    assert all(error == 0 for error in errors) if dtype == "f32" else any(errors)


def test_goldens_of_a_file(tmp_path: Path) -> None:
    shares = expected()["output_0"].astype(np.float32)
    goldens = {"input_0": X, "input_1": W, "output_0": shares}
    ttmlir.compile(mlp(), goldens=goldens).save(tmp_path / "mlp.ttnn")
    exe = ttmlir.load(tmp_path / "mlp.ttnn")
    assert exe.compare("goldens").first_off is None
    off = exe.compare("goldens", X, -W).first_off
    assert off is not None
    assert off.name == "output 0"


def test_loops_and_variables_keep_their_values() -> None:
    b = ttmlir.Builder("power")
    x, n = b.input("x", (32, 32)), b.input("n", (1,), "si32")
    b.output(b.abs(*b.for_loop(n, lambda i, y: b.matmul(y, x, name="turn"), [x]), name="size"))
    x = RNG.standard_normal((32, 32), np.float32) / 6
    want = np.abs(np.linalg.matrix_power(x.astype(np.float64), 4))
    exe = ttmlir.compile(b)
    found = exe.compare({"size": want, "output_0": want}, x, np.array([3], np.int32))
    assert [op.name for op in found.compared] == ["size"]
    assert found.first_off is None


def test_a_donated_input_stays_the_callers() -> None:
    b = ttmlir.Builder("step")
    x = b.input("x", (32, 32), donated=True)
    b.output(b.add(x, x, name="twice"))
    exe = ttmlir.compile(b)
    x = RNG.standard_normal((32, 32), np.float32)
    tensor = exe.place(0, x)
    assert exe.compare({"twice": x + x}, tensor).first_off is None
    np.testing.assert_array_equal(ttmlir.runtime.to_numpy(tensor), x)


def test_a_mesh_has_outputs_only() -> None:
    b = ttmlir.Builder("mesh", mesh_shape=(1, 2))
    x = b.mesh_shard(b.input("x", (32, 64)), (None, 1))
    b.output(b.mesh_gather(b.abs(x, name="size"), (None, 1)))
    exe = ttmlir.compile(b, target="n300")
    found = exe.compare({"size": abs(X), "output_0": abs(X)}, X)
    assert found.ops == ()
    assert found.outputs[0].max_error == 0


# Matching ----------------------------------------------------------------------------------------


def judged(probes: list[Probe], arrays: list[Any], ops: dict[str, Any]) -> list[Any]:
    probes = settled(probes)
    values = Values("", {k: v if isinstance(v, tuple) else (v,) for k, v in ops.items()}, [])
    return assigned(probes, arrays, values, [limits_of("f32")] * len(probes))


def test_the_last_step_has_the_value() -> None:
    a = RNG.standard_normal((4, 6))
    probes = [probe("exp", "op"), probe("add", "op")]
    first, last = judged(probes, [a * 3, a], {"op": a})
    assert first == "a part of the op"
    assert not last.is_off


def test_a_fused_op_has_the_value_of_its_last_name() -> None:
    a, b = RNG.standard_normal((2, 4, 6))
    probes = [probe("matmul", "linear"), probe("add+gelu", "linear", "gelu")]
    first, last = judged(probes, [a * 3, b], {"linear": a, "gelu": b})
    # The bias is added in the fused op.
    assert first == "its last step is fused into gelu"
    assert not last.is_off


def test_a_move_behind_a_fused_op_has_its_value() -> None:
    a, b = RNG.standard_normal((2, 2, 5, 4, 4))
    moved = np.ascontiguousarray(b.transpose(0, 2, 3, 1))
    probes = [probe("conv2d", "conv", "norm"), probe("permute", "conv", reads=(0,))]
    probes.append(probe("relu", "relu", reads=(1,)))
    first, second, last = judged(
        probes, [moved, b, np.maximum(b, 0)], {"conv": a, "norm": b, "relu": np.maximum(b, 0)}
    )
    assert first == "a part of the op"
    assert not second.is_off
    assert not last.is_off
    # One that is off still is.
    _, second, _ = judged(probes, [moved + 1, b + 1, b], {"conv": a, "norm": b, "relu": b})
    assert second.is_off
    # A step that computes something is no value of either.
    probes = [probe("conv2d", "conv", "norm"), probe("add", "conv", reads=(0,))]
    first, second = judged(probes, [moved, b], {"conv": a, "norm": b})
    assert first.note == "dimensions (0, 2, 3, 1)"
    assert second == "a step of it is fused into norm"


def test_a_move_that_changed_places_with_an_op() -> None:
    a = RNG.standard_normal((2, 5, 4, 4))
    clipped = np.maximum(a, 0)
    moved = a.transpose(0, 2, 3, 1)
    probes = [
        probe("conv2d", "conv"),
        probe("relu", "relu", reads=(0,)),
        probe("permute", "conv", reads=(1,)),
        probe("permute", "turn", reads=(2,)),
    ]
    arrays = [moved, np.maximum(moved, 0), clipped, np.maximum(moved, 0)]
    ops = {"conv": a, "relu": clipped, "turn": np.maximum(moved, 0)}
    first, second, third, last = judged(probes, arrays, ops)
    assert second == "a part of the op"
    assert [found.is_off for found in (first, third, last)] == [False] * 3
    # The source's own permutation is compared by its own name.
    *_, last = judged(probes, [*arrays[:3], moved], ops)
    assert last.is_off


def test_other_orders_of_the_same_elements() -> None:
    a = RNG.standard_normal((2, 5, 4, 4))
    moved = np.ascontiguousarray(a.transpose(0, 2, 3, 1))
    [found] = judged([probe("conv2d", "conv")], [moved], {"conv": a})
    assert not found.is_off
    assert found.note == "dimensions (0, 2, 3, 1)"
    # Rows of pixels, as products have them.
    [found] = judged([probe("matmul", "conv")], [moved.reshape(-1, 5)], {"conv": a})
    assert found.note == "dimensions (0, 2, 3, 1)"
    [found] = judged([probe("matmul", "linear")], [a.reshape(-1, 4)], {"linear": a})
    assert (found.is_off, found.note) == (False, "as 40x4")
    # An op that moves elements is taken as it is.
    square = RNG.standard_normal((4, 4))
    [found] = judged([probe("transpose", "turn")], [square.T], {"turn": square})
    assert found.is_off
    steps = [probe("exp", "op"), probe("transpose", "op")]
    _, found = judged(steps, [square, square.T], {"op": square})
    assert found.note == "dimensions (1, 0)"


def test_a_result_that_is_off_in_every_order() -> None:
    a = RNG.standard_normal((2, 5, 4, 4))
    wrong = (a + 0.2 * RNG.standard_normal(a.shape)).transpose(0, 2, 3, 1)
    for shape in (wrong.shape, (32, 5)):
        [found] = judged([probe("conv2d", "conv")], [wrong.reshape(shape)], {"conv": a})
        assert (found.is_off, found.note) == (True, "dimensions (0, 2, 3, 1)")
        assert found.relative == pytest.approx(0.2, rel=0.2)


def test_no_figure_where_the_order_is_unknown() -> None:
    a = RNG.standard_normal((2, 5, 4, 4))
    wrong = RNG.standard_normal((2, 4, 4, 5))
    [found] = judged([probe("conv2d", "conv")], [wrong], {"conv": a})
    assert found == "in another order, 2x4x4x5 instead of 2x5x4x4"
    [found] = judged([probe("conv2d", "conv")], [wrong[:1]], {"conv": a})
    assert found == "has the shape 1x4x4x5, the source's 2x5x4x4"


def test_several_results_go_to_the_steps_that_have_them() -> None:
    a, b = RNG.standard_normal((2, 4, 6))
    i = np.arange(24).reshape(4, 6)
    probes = [probe("sort", "topk"), probe("sort", "topk"), probe("neg", "topk")]
    values, places, last = judged(probes, [a, i, b], {"topk": (a, i)})
    assert not values.is_off
    assert not places.is_off
    assert last == "one of several results"


def test_special_values_and_nothing() -> None:
    a = np.array([1.0, np.inf, np.nan, 2.0])
    assert not measure(a, a.copy(), limits_of("f32")).is_off
    found = measure(a, np.array([1.0, np.inf, 3.0, np.nan]), limits_of("f32"))
    assert (found.accuracy.special, found.is_off) == (2, True)
    zeros = np.zeros(4)
    assert not measure(zeros, zeros, limits_of("f32")).is_off
    assert measure(zeros, zeros + 1e-3, limits_of("bf16")).is_off


def test_a_constant_has_no_correlation_to_be_off_by() -> None:
    a = np.ones(1000) + RNG.standard_normal(1000) * 1e-9
    assert not measure(a, a + RNG.standard_normal(1000) * 1e-9, limits_of("f32")).is_off


# Files and errors --------------------------------------------------------------------------------


def test_what_is_written(tmp_path: Path) -> None:
    exe = ttmlir.compile(mlp(), optimization_level=0)
    found = exe.compare(expected(factor=2), X, W)
    for suffix in (".json", ".svg", ".html"):
        found.save(tmp_path / f"found{suffix}")
    entry = json.loads((tmp_path / "found.json").read_text())
    assert entry == json.loads(found.to_json()) == json.loads(json.dumps(found.as_dict()))
    assert entry["first_off"] == "layer/clip"
    assert [op["name"] for op in entry["ops"]] == ["layer/product", "layer/clip", "layer/shares"]
    picture = (tmp_path / "found.svg").read_text()
    assert picture.startswith("<svg ")
    assert picture.count("<circle") == len(found.compared) + 1
    page = (tmp_path / "found.html").read_text()
    assert "layer/clip" in page
    assert "src=" not in page.partition("<script")[0]
    assert "<iframe" in found._repr_html_()
    with pytest.raises(ttmlir.InputError, match=r"expected a suffix of \.json, \.svg, \.html"):
        found.save(tmp_path / "found.txt")


def test_an_infinite_error_is_written_as_null(tmp_path: Path) -> None:
    found = ttmlir.compile(mlp()).compare({"layer/clip": np.zeros((32, 48))}, X, W)
    [clip] = found.compared
    assert clip.relative_error == np.inf
    assert json.loads(found.to_json())["ops"][clip.index]["relative_error"] is None
    found.save(tmp_path / "found.html")
    found.save(tmp_path / "found.svg")


@pytest.mark.parametrize(
    ("reference", "error", "message"),
    [
        ("f64", ttmlir.Error, "does not know its source"),
        ("goldens", ttmlir.Error, "the file has no goldens of outputs"),
        (
            "f32",
            ttmlir.Error,
            "expected 'f64', 'fast', 'exact', 'goldens' or an object, found 'f32'",
        ),
        (7, TypeError, "found int"),
    ],
)
def test_no_such_reference(reference: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ttmlir.compile(mlp()).compare(reference, X, W)


def test_wrong_arguments() -> None:
    exe = ttmlir.compile(mlp())
    with pytest.raises(ttmlir.InputError, match="expected 2 inputs"):
        exe.compare(expected(), X)
    with pytest.raises(ttmlir.InputError, match="expected no keywords, found y"):
        exe.compare(expected(), X, W, y=1)
    some = ttmlir.compile(mlp(), goldens={"output_0": X @ W})
    with pytest.raises(ttmlir.InputError, match="the file has no golden of input 0"):
        some.compare("goldens")
