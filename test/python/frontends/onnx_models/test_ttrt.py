"""``ttrt run`` of models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx_models import F32, I64, model, perceptron

from ttrt.common.api import API
from ttrt.common.errors import TTRTError
from ttrt.common.models import shapes_of


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    API.initialize_apis()


def _run(**args: object) -> list[dict[str, object]]:
    return API.Run(args={"log-file": "log", **args})()


def test_runs_with_its_weights(tmp_path: Path) -> None:
    onnx.save(perceptron(), "perceptron.onnx")
    x = np.random.default_rng(2).standard_normal((3, 64)).astype(np.float32)
    np.savez("inputs.npz", x=x)
    args = {"load-inputs": "inputs.npz", "save-artifacts": True, "artifact-dir": "saved"}
    (entry,) = _run(binary="perceptron.onnx", **args)
    assert entry["result"] == "pass"
    import ttmlir

    want = ttmlir.compile(perceptron(3))(x)
    (saved,) = tmp_path.glob("saved/**/*output_0.*")
    if saved.suffix == ".npy":
        assert np.allclose(np.load(saved), want, atol=1e-5)


def test_shapes() -> None:
    onnx.save(perceptron(), "perceptron.onnx")
    assert _run(binary="perceptron.onnx", shapes="batch=2")[0]["result"] == "pass"
    with pytest.raises(TTRTError, match="give 'batch' in shapes="):
        _run(binary="perceptron.onnx")
    assert shapes_of("batch=1,x=1x3x224x224,y=7x") == {
        "batch": 1,
        "x": (1, 3, 224, 224),
        "y": (7,),
    }
    with pytest.raises(TTRTError, match="argument 'shapes': expected a list such as"):
        _run(binary="perceptron.onnx", shapes="batch")


def test_inputs_that_do_not_fit() -> None:
    onnx.save(perceptron(3), "perceptron.onnx")
    for name, array, what in (
        ("z", np.zeros((3, 64), np.float32), "no input 'z'"),
        ("x", np.zeros((3, 65), np.float32), r"expected a shape like \(3, 64\), found \(3, 65\)"),
    ):
        np.savez("inputs.npz", **{name: array})
        with pytest.raises(TTRTError, match=what):
            _run(binary="perceptron.onnx", **{"load-inputs": "inputs.npz"})
    Path("inputs.npz").write_bytes(b"no archive")
    with pytest.raises(TTRTError, match=r"is not an .npz file of arrays"):
        _run(binary="perceptron.onnx", **{"load-inputs": "inputs.npz"})


def test_values_that_shapes_depend_on() -> None:
    nodes = [onnx.helper.make_node("Expand", ["x", "shape"], ["y"])]
    source = model(nodes, {"x": (F32, [1, 6]), "shape": (I64, [2])}, ["y"])
    onnx.save(source, "expand.onnx")
    np.savez("inputs.npz", shape=np.array([5, 6]))
    assert _run(binary="expand.onnx", **{"load-inputs": "inputs.npz"})[0]["result"] == "pass"


def test_a_model_that_is_damaged() -> None:
    Path("damaged.onnx").write_bytes(b"\x08\x01garbage")
    with pytest.raises(TTRTError, match="is not a model of ONNX"):
        _run(binary="damaged.onnx")
