"""`ttrt accuracy`: files of each kind, the status, and what is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir

Call = Any
RNG = np.random.default_rng(0)


def program() -> ttmlir.Builder:
    b = ttmlir.Builder("mlp")
    x, w = b.input("x", (32, 64), "bf16"), b.input("w", (64, 32), "bf16")
    b.output(b.softmax(b.relu(b.matmul(x, w))))
    return b


def test_a_program_beside_itself_in_f32(ttrt: Call, tmp_path: Path) -> None:
    (tmp_path / "mlp.mlir").write_text(str(program()))
    done = ttrt("accuracy", "mlp.mlir", "--json", "mlp.json", "--page", "mlp.html")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("mlp on ttnn beside the same in f32 on the emulator\n")
    # relu is the activation of the product.
    assert "2 ops and 1 outputs compared: none is off" in done.stdout
    names = [op["name"] for op in json.loads((tmp_path / "mlp.json").read_text())["ops"]]
    assert names == ["relu_1", "softmax_1"]
    assert "softmax_1" in (tmp_path / "mlp.html").read_text()
    [entry] = json.loads((tmp_path / "accuracy_results.json").read_text())
    assert (entry["file_path"], entry["result"]) == ("mlp.mlir", "pass")
    metal = ttrt("accuracy", "mlp.mlir", "--backend", "ttmetal", "--target", "p150", "--parts")
    assert metal.returncode == 0, metal.stderr
    assert "not compared: a part of the op" in metal.stdout


def test_numerics(ttrt: Call, tmp_path: Path) -> None:
    (tmp_path / "mlp.mlir").write_text(str(program()))
    errors = []
    for numerics in ("fast", "exact"):
        done = ttrt("accuracy", "mlp.mlir", "--numerics", numerics, "--json", "mlp.json")
        assert done.returncode == 0, done.stderr
        found = json.loads((tmp_path / "mlp.json").read_text())
        assert found["numerics"] == numerics
        errors.append([row["relative_error"] for row in found["ops"]])
    assert done.stdout.startswith("mlp on ttnn, exact numerics, beside the same in f32")
    assert errors[0] != errors[1]
    wrong = ttrt("accuracy", "mlp.mlir", "--numerics", "slow")
    assert wrong.returncode != 0
    assert "'slow' is not one of 'exact', 'fast'" in wrong.stderr


def test_the_least_correlation_is_the_status(ttrt: Call, tmp_path: Path) -> None:
    (tmp_path / "mlp.mlir").write_text(str(program()))
    assert ttrt("accuracy", "mlp.mlir", "--min-pcc", "0.99").returncode == 0
    done = ttrt("accuracy", "mlp.mlir", "--min-pcc", "0.99999999")
    assert done.returncode == 1
    assert "expected a PCC of at least 1, found 0.99" in done.stderr
    [entry] = json.loads((tmp_path / "accuracy_results.json").read_text())
    assert entry["result"] == "fail"
    off = ttrt("accuracy", "mlp.mlir", "--max-relative", "1e-7")
    assert off.returncode == 0
    assert "the first one is relu_1" in off.stdout


@pytest.mark.parametrize("suffix", [".ttnn", ".ttm"])
def test_goldens_of_a_file(ttrt: Call, tmp_path: Path, suffix: str) -> None:
    backend: Any = {".ttnn": "ttnn", ".ttm": "ttmetal"}[suffix]
    inputs = [RNG.standard_normal(s).astype("bfloat16") for s in ((32, 64), (64, 32))]
    output = ttmlir.compile(program(), backend=backend)(*inputs)
    goldens = {"input_0": inputs[0], "input_1": inputs[1], "output_0": output}
    for name, found in (("right", goldens), ("wrong", goldens | {"output_0": 1 - output})):
        ttmlir.compile(program(), backend=backend, goldens=found).save(tmp_path / (name + suffix))
    assert "none is off" in ttrt("accuracy", f"right{suffix}", "--min-pcc", "0.999").stdout
    done = ttrt("accuracy", f"wrong{suffix}", "--min-pcc", "0.999")
    assert done.returncode == 1
    assert "the first one is output 0" in done.stdout


@pytest.mark.torch
def test_what_is_not_compared_fails(ttrt: Call, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    module, x = torch.nn.Dropout(0.5).train(), torch.ones(32, 32)
    torch.export.save(torch.export.export(module, (x,)), tmp_path / "drops.pt2")
    done = ttrt("accuracy", "drops.pt2")
    assert done.returncode == 1
    assert "0 ops and 0 outputs compared" in done.stdout
    assert (
        "drops.pt2: expected all outputs to be compared, found 1 of 1 that are not; output 0: "
        "depends on random numbers, which differ on the device"
    ) in done.stderr


@pytest.mark.torch
def test_an_exported_program(ttrt: Call, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    net = torch.nn.Sequential(torch.nn.Linear(16, 8), torch.nn.GELU()).eval()
    torch.export.save(torch.export.export(net, (torch.randn(4, 16),)), tmp_path / "net.pt2")
    done = ttrt("accuracy", "net.pt2", "--dtype", "bf16", "--min-pcc", "0.999")
    assert done.returncode == 0, done.stderr
    assert "0/linear" in done.stdout
    assert "PyTorch in float64" in done.stdout


def test_a_model_of_onnx(ttrt: Call, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    weight = onnx.numpy_helper.from_array(RNG.standard_normal((16, 8)).astype(np.float32), "w")
    graph = onnx.helper.make_graph(
        [
            onnx.helper.make_node("MatMul", ["x", "w"], ["m"], name="product"),
            onnx.helper.make_node("Tanh", ["m"], ["y"], name="bounded"),
        ],
        "net",
        [onnx.helper.make_tensor_value_info("x", 1, [4, 16])],
        [onnx.helper.make_tensor_value_info("y", 1, [4, 8])],
        [weight],
    )
    made = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)])
    made.ir_version = 9
    onnx.save(made, tmp_path / "net.onnx")
    done = ttrt("accuracy", "net.onnx", "--min-pcc", "0.9999")
    assert done.returncode == 0, done.stderr
    assert "1 ops and 1 outputs compared: none is off" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["model.foo"], "expected one of .onnx, .pt2, .mlir, .mlirbc, .ttnn, .ttm, .ttb"),
        (["missing.mlir"], "'missing.mlir' cannot be read: No such file"),
        (["missing.ttnn"], "'missing.ttnn' cannot be read: No such file"),
        (["plain.ttnn"], "the file has no goldens of outputs"),
        (["mlp.mlir", "--json", "out.txt"], "--json: expected a file that ends in .json"),
        (["mlp.mlir", "--target", "n1500"], "n1500"),
    ],
)
def test_errors_are_one_line(
    ttrt: Call, tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "mlp.mlir").write_text(str(program()))
    ttmlir.compile(program()).save(tmp_path / "plain.ttnn")
    done = ttrt("accuracy", *arguments)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
