"""Executable.compare beside ONNX: nodes by name, function bodies, float64, and the runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

import ttmlir  # noqa: E402
from ttmlir.frontends.onnx._op import HANDLERS  # noqa: E402

RNG = np.random.default_rng(0)
X = RNG.standard_normal((2, 3, 8, 8), np.float32)
WEIGHTS = {
    "cw": RNG.standard_normal((8, 3, 3, 3), np.float32) / 5,
    "cb": RNG.standard_normal(8, np.float32),
    "w": RNG.standard_normal((10, 128), np.float32) / 11,
    "b": RNG.standard_normal(10, np.float32),
}


def model(**changed: Any) -> Any:
    nodes = [
        helper.make_node("Conv", ["x", "cw", "cb"], ["c"], name="conv", pads=[1] * 4),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("MaxPool", ["r"], ["p"], "pool", kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Flatten", ["p"], ["f"], name="flat"),
        helper.make_node("Gemm", ["f", "w", "b"], ["g"], name="fc", transB=1),
        # It has a function body.
        helper.make_node("HardSwish", ["g"], ["h"], name="act"),
        helper.make_node("Split", ["h"], ["left", "right"], name="halves", axis=1),
        helper.make_node("Mul", ["left", "right"], ["m"], name="same"),
        helper.make_node("Add", ["left", "m"], ["a"], name="same"),
        helper.make_node("Softmax", ["a"], ["y"], name="shares"),
    ]
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, X.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 5])],
        [numpy_helper.from_array(v, k) for k, v in (WEIGHTS | changed).items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    made.ir_version = 9
    onnx.checker.check_model(made)
    return made


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_nodes_beside_the_runtime_and_float64(backend: Any, dtype: str, tmp_path: Path) -> None:
    onnx.save(model(), tmp_path / "net.onnx")
    exe = ttmlir.compile(tmp_path / "net.onnx", backend=backend, dtype=dtype)
    for reference in ("f64", tmp_path / "net.onnx", model()):
        found = exe.compare(reference, X)
        assert found.first_off is None, str(found)
        names = {op.name for op in found.compared}
        assert {"Relu:r", "pool", "flat", "act", "shares"} <= names, str(found)
        # Two nodes have this name.
        assert "same" not in names
        assert found.outputs[0].is_compared


def test_a_wrong_weight_is_found() -> None:
    exe = ttmlir.compile(model(), optimization_level=0)
    found = exe.compare(model(w=WEIGHTS["w"] * 1.01), {"x": X})
    assert found.first_off is not None
    assert found.first_off.name == "fc"
    assert exe.compare(model(cb=WEIGHTS["cb"] + 0.1), x=X).first_off.name == "conv"  # type: ignore[union-attr]


def test_an_importer_that_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        wrong = HANDLERS[("", "Relu")]
        patched.setitem(HANDLERS, ("", "Softmax"), wrong)
        exe = ttmlir.compile(model())
    for reference in ("f64", model()):
        found = exe.compare(reference, X)
        assert found.first_off is not None
        assert found.first_off.name == "shares"
        assert found.outputs[0].is_off


def test_external_files_are_read_by_the_runtime(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    onnx.save(model(), path, save_as_external_data=True, location="net.data", size_threshold=0)
    exe = ttmlir.compile(path)
    for reference in ("f64", path, str(path), model()):
        found = exe.compare(reference, X)
        assert found.first_off is None, str(found)
        assert found.outputs[0].is_compared


def test_float64_is_float64() -> None:
    found = ttmlir.compile(model()).compare("f64", X)
    assert "float64" in found.reference
    assert found.outputs[0].max_error is not None
    assert 0 < found.outputs[0].max_error < 1e-6


def test_a_model_that_its_reference_cannot_compute() -> None:
    wrong = model(w=np.zeros((10, 7), np.float32))
    with pytest.raises(ttmlir.Error, match="the model cannot be computed by its reference"):
        ttmlir.compile(model()).compare(wrong, X)


@pytest.mark.parametrize("opset", [7, 9, 13, 14])
def test_batch_norm_of_every_opset(opset: int) -> None:
    """ONNX's reference computes those before 14 with the batch's own mean."""
    own = {name: np.float32([0.5, -1, 2]) for name in ("scale", "bias", "mean")}
    own["variance"] = np.float32([0.5, 1, 2])
    node = helper.make_node("BatchNormalization", ["x", *own], ["y"], name="norm", momentum=0.9)
    graph = helper.make_graph(
        [node],
        "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, X.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, X.shape)],
        [numpy_helper.from_array(v, k) for k, v in own.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    exe = ttmlir.compile(made)
    for reference in ("f64", made):
        found = exe.compare(reference, X)
        assert found.first_off is None, str(found)
        assert not found.not_compared
