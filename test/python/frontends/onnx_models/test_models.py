"""``ttmlir.compile`` of models: how they are given, called and stored."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx_models import F32, I64, expected, model, perceptron

import ttmlir
from ttmlir.errors import CompileError, Error, FileError, InputError


def _x(rows: int = 4) -> np.ndarray:
    return np.random.default_rng(1).standard_normal((rows, 64)).astype(np.float32)


def test_sources(tmp_path: Path) -> None:
    source, x = perceptron(4), _x()
    onnx.save(source, tmp_path / "perceptron.onnx")
    want = expected(source, {"x": x})[0]
    content = source.SerializeToString()
    for given in (source, content, tmp_path / "perceptron.onnx", str(tmp_path / "perceptron.onnx")):
        executable = ttmlir.compile(given)
        assert isinstance(executable, ttmlir.Executable)
        np.testing.assert_allclose(executable(x), want, rtol=1e-4, atol=1e-4)


def test_calls() -> None:
    executable = ttmlir.compile(perceptron(4))
    x = _x()
    assert executable.input_names == ("x",)
    assert executable.output_names == ("y",)
    want = executable(x)
    for found in (executable(x=x), executable({"x": x})):
        assert np.array_equal(found, want)
    assert executable.report(x).seconds > 0
    names = {op.label for op in executable.report().ops}
    assert any("layers.0/" in name for name in names)


def test_weights_are_parameters() -> None:
    executable = ttmlir.compile(perceptron(4))
    kinds = {info.name: info.argument_type for info in executable.inputs}
    # The offset is small enough for the program itself.
    assert kinds == {"x": "input", "up": "parameter", "down": "parameter"}


def test_splats_stay_splats() -> None:
    nodes = [
        helper.make_node(
            "ConstantOfShape",
            ["shape"],
            ["ones"],
            value=numpy_helper.from_array(np.array([0.5], np.float32)),
        ),
        helper.make_node("Add", ["x", "ones"], ["y"]),
    ]
    source = model(nodes, {"x": (F32, [128, 256])}, ["y"], {"shape": np.array([128, 256])})
    executable = ttmlir.compile(source)
    assert [info.name for info in executable.inputs] == ["x"]
    x = np.zeros((128, 256), np.float32)
    assert (executable(x) == 0.5).all()


@pytest.mark.parametrize(
    ("dtype", "stored"),
    [
        ("bf16", {"BFloat16"}),
        ("bfp8_b", {"BFP_BFloat8"}),
        ({"up": "bfp8_b", "layers.*": "bf16"}, {"BFP_BFloat8", "Float32"}),
    ],
)
def test_formats(dtype: str | dict[str, str], stored: set[str]) -> None:
    x = _x()
    executable = ttmlir.compile(perceptron(4), dtype=dtype)
    assert {i.data_type for i in executable.inputs if i.is_parameter} == stored
    found, want = executable(x), expected(perceptron(4), {"x": x})[0]
    assert found.dtype == np.float32
    assert np.corrcoef(found.ravel(), want.ravel())[0, 1] > 0.999


def test_formats_that_fit_nothing() -> None:
    with pytest.raises(Error, match="has a name like attention"):
        ttmlir.compile(perceptron(4), dtype={"attention*": "bf16"})
    with pytest.raises(Error, match="expected one of f32, bf16, bfp8_b"):
        ttmlir.compile(perceptron(4), dtype="fp4")


# Shapes ------------------------------------------------------------------------------------------


def test_dynamic_shapes() -> None:
    source = perceptron()
    for keywords in ({"shapes": {"batch": 3}}, {"shapes": {"x": (3, 64)}}):
        assert ttmlir.compile(source, **keywords)(_x(3)).shape == (3, 64)
    assert ttmlir.compile(source, example_inputs=[_x(2)])(_x(2)).shape == (2, 64)
    assert ttmlir.compile(source, _x(5))(_x(5)).shape == (5, 64)
    assert isinstance(ttmlir.compile(source), ttmlir.DynamicExecutable)
    with pytest.raises(Error, match="no extent or input 'rows', expected 'batch', 'x'"):
        ttmlir.compile(source, shapes={"rows": 3})
    with pytest.raises(Error, match=r"expected a shape like \(batch, 64\), found \(3, 65\)"):
        ttmlir.compile(source, shapes={"x": (3, 65)})


def test_values_that_shapes_depend_on() -> None:
    nodes = [
        helper.make_node("Concat", ["rows", "columns"], ["shape"], axis=0),
        helper.make_node("Reshape", ["x", "shape"], ["y"]),
    ]
    inputs = {"x": (F32, [4, 6]), "rows": (I64, [1])}
    source = model(nodes, inputs, ["y"], {"columns": np.array([-1])})
    x, rows = np.arange(24, dtype=np.float32).reshape(4, 6), np.array([3])
    with pytest.raises(Error, match=r"the shape of 'Reshape:y' \(Reshape\) depends on 'rows'"):
        ttmlir.compile(source)
    executable = ttmlir.compile(source, example_inputs={"rows": rows})
    assert np.array_equal(executable(x, rows), x.reshape(3, 8))
    with pytest.raises(InputError, match=r"expected \[3\], which shapes depend on.*found \[2\]"):
        executable(x, np.array([2]))


def test_values_of_large_inputs() -> None:
    nodes = [helper.make_node("Reshape", ["data", "x"], ["y"])]
    source = model(nodes, {"x": (I64, [100])}, ["y"], {"data": np.ones(1, np.float32)})
    with pytest.raises(CompileError, match="the shape of 'Reshape:y'") as caught:
        ttmlir.compile(source, example_inputs=[np.ones(100, np.int64)])
    assert "depends on the values of the input 'x'" in str(caught.value)


# Bad input ---------------------------------------------------------------------------------------


def test_inputs() -> None:
    executable, x = ttmlir.compile(perceptron(4)), _x()
    with pytest.raises(InputError, match=r"no input 'z', expected 'x'"):
        executable(z=x)
    with pytest.raises(InputError, match=r"expected 1 inputs, 'x' \(4x64 float32\) missing"):
        executable()
    with pytest.raises(InputError, match=r"expected 1 inputs \('x'\), found 2"):
        executable(x, x)
    with pytest.raises(InputError, match="input 'x' is given twice"):
        executable(x, x=x)
    with pytest.raises(InputError, match=r"input 'x' \(4x64 float32\): found the shape 3x64"):
        executable(_x(3))
    with pytest.raises(InputError, match="found an array of float64"):
        executable(x.astype(np.float64))


def test_all_nodes_that_cannot_be_expressed() -> None:
    nodes = [
        helper.make_node("Bessel", ["x"], ["a"], name="first", domain="my.ops"),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Root", ["b"], ["c"], name="second"),
        helper.make_node("Spectrum", ["c"], ["y"], name="third", domain="my.ops"),
    ]
    source = model(nodes, {"x": (F32, [4])}, ["y"], domains=["my.ops"])
    with pytest.raises(CompileError, match="'small' cannot be imported") as caught:
        ttmlir.compile(source)
    notes = [d for d in caught.value.diagnostics if d.severity == "note"]
    assert [n.location for n in notes] == ["first", "second", "third"]
    assert "the domain 'my.ops' is unknown" in notes[0].message
    assert "ONNX has no such op" in notes[1].message


@pytest.mark.parametrize("length", [10, 300, 5000])
def test_damaged(tmp_path: Path, length: int) -> None:
    path = tmp_path / "cut.onnx"
    path.write_bytes(perceptron().SerializeToString()[:length])
    with pytest.raises(CompileError, match=r"cut.onnx' is not a model of ONNX"):
        ttmlir.compile(path)


def test_names_that_are_no_text() -> None:
    content = perceptron(4).SerializeToString().replace(b"MatMul", b"Mat\xff\xfel")
    with pytest.raises(CompileError, match="the model is damaged: a name in it is not valid UTF-8"):
        ttmlir.compile(content)


def test_files(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"none.onnx' cannot be read: No such file"):
        ttmlir.compile(tmp_path / "none.onnx")
    (tmp_path / "empty.onnx").write_bytes(b"")
    with pytest.raises(CompileError, match="it has no graph"):
        ttmlir.compile(tmp_path / "empty.onnx")


@pytest.mark.parametrize(("version", "what"), [(5, "convert the model"), (99, "update onnx")])
def test_operator_sets(version: int, what: str) -> None:
    source = perceptron()
    source.opset_import[0].version = version
    with pytest.raises(CompileError, match=f"expected an operator set from 6 to .*{what}"):
        ttmlir.compile(source, shapes={"batch": 1})


def test_initializers_that_are_damaged() -> None:
    source = perceptron(4)
    source.graph.initializer[0].raw_data = b"1234"
    with pytest.raises(CompileError, match="initializer 'up' is damaged"):
        ttmlir.compile(source)


def test_names_that_there_are_not() -> None:
    nodes = [helper.make_node("Add", ["x", "nobody"], ["y"])]
    with pytest.raises(CompileError, match=r"no preceding node.*has the name 'nobody'"):
        ttmlir.compile(model(nodes, {"x": (F32, [4])}, ["y"]))
    nodes = [helper.make_node("Relu", ["x"], ["z"])]
    with pytest.raises(CompileError, match="no node has the output 'y'"):
        ttmlir.compile(model(nodes, {"x": (F32, [4])}, ["y"]))


def test_keywords() -> None:
    with pytest.raises(TypeError, match="takes example_kwargs for a module of PyTorch"):
        ttmlir.compile(perceptron(4), example_kwargs={})
    with pytest.raises(TypeError, match="takes shapes for a model of ONNX, found str"):
        ttmlir.compile("func.func @f() {\n}", shapes={})
    with pytest.raises(TypeError, match="expected a list or a dictionary of arrays, found int"):
        ttmlir.compile(perceptron(4), example_inputs=3)


# External files ----------------------------------------------------------------------------------


def _saved(folder: Path) -> Path:
    path = folder / "large.onnx"
    onnx.save_model(
        perceptron(4), path, save_as_external_data=True, location="large.bin", size_threshold=100
    )
    return path


def test_external_files(tmp_path: Path) -> None:
    path, x = _saved(tmp_path), _x()
    assert path.stat().st_size < 2000
    want = expected(perceptron(4), {"x": x})[0]
    np.testing.assert_allclose(ttmlir.compile(path)(x), want, rtol=1e-4, atol=1e-4)


def test_external_files_are_mapped(tmp_path: Path) -> None:
    from ttmlir.frontends.onnx import load_model

    found = load_model(_saved(tmp_path)).initializers
    assert all(isinstance(array, np.memmap) for array in found.values())


def test_external_files_that_are_wrong(tmp_path: Path) -> None:
    path = _saved(tmp_path)
    data = tmp_path / "large.bin"
    content = data.read_bytes()
    data.write_bytes(content[:1000])
    with pytest.raises(FileError, match=r"'up': expected 32768 bytes from 0 on in .*has 1000"):
        ttmlir.compile(path)
    data.unlink()
    with pytest.raises(FileError, match=r"large.bin' cannot be read: No such file"):
        ttmlir.compile(path)
    with pytest.raises(FileError, match=r"in the file 'large.bin': give the path of the model"):
        ttmlir.compile(path.read_bytes())
    source = onnx.load(path, load_external_data=False)
    for entry in source.graph.initializer[0].external_data:
        if entry.key == "location":
            entry.value = "../large.bin"
    onnx.save(source, path)
    with pytest.raises(FileError, match=r"expected a file beside the model, found '../large.bin'"):
        ttmlir.compile(path)


# Functions ---------------------------------------------------------------------------------------


def test_functions_of_the_model() -> None:
    body = [
        helper.make_node("Constant", [], ["factor"]),
        helper.make_node("Mul", ["a", "factor"], ["scaled"]),
        helper.make_node("Add", ["scaled", "b"], ["c"]),
    ]
    body[0].attribute.add(name="value_float", ref_attr_name="scale", type=onnx.AttributeProto.FLOAT)
    function = helper.make_function(
        "my.ops", "Axpy", ["a", "b"], ["c"], body, [helper.make_opsetid("", 20)], ["scale"]
    )
    nodes = [helper.make_node("Axpy", ["x", "x"], ["y"], domain="my.ops", scale=2.0)]
    source = model(nodes, {"x": (F32, [4])}, ["y"], domains=["my.ops"], functions=[function])
    x = np.arange(4, dtype=np.float32)
    assert np.array_equal(ttmlir.compile(source)(x), 3 * x)


def test_functions_that_call_themselves() -> None:
    body = [helper.make_node("Again", ["a"], ["b"], domain="my.ops", name="again")]
    sets = [helper.make_opsetid("", 20), helper.make_opsetid("my.ops", 1)]
    function = helper.make_function("my.ops", "Again", ["a"], ["b"], body, sets)
    nodes = [helper.make_node("Again", ["x"], ["y"], domain="my.ops", name="first")]
    source = model(nodes, {"x": (F32, [4])}, ["y"], domains=["my.ops"], functions=[function])
    with pytest.raises(CompileError, match="this one calls itself"):
        ttmlir.compile(source)


def test_results_that_are_known() -> None:
    nodes = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Relu", ["x"], ["y"])]
    source = model(nodes, {"x": (F32, [2, 3])}, ["s", "y"], kinds=[I64, F32])
    shape, y = ttmlir.compile(source)(-np.ones((2, 3), np.float32))
    assert shape.tolist() == [2, 3]
    assert not y.any()


def test_numbers_of_64_bits() -> None:
    nodes = [helper.make_node("Add", ["x", "large"], ["y"])]
    inputs = {"x": (I64, [2])}
    source = model(nodes, inputs, ["y"], {"large": np.array([2**40, 1])}, kinds=[I64])
    (found,) = [ttmlir.compile(source)(np.array([-7, 2**31 - 1]))]
    assert found.tolist() == [2**40 - 7, 2**31]


def test_strings() -> None:
    nodes = [helper.make_node("StringConcat", ["x", "x"], ["y"])]
    source = model(nodes, {"x": (TensorProto.STRING, [2])}, ["y"], kinds=[TensorProto.STRING])
    # The host computes them.
    assert ttmlir.compile(source)(["a", "b"]).tolist() == ["aa", "bb"]


def test_without_onnx() -> None:
    program = (
        "import sys; sys.modules['onnx'] = None; import ttmlir\n"
        "try: ttmlir.compile('model.onnx')\n"
        "except ttmlir.Error as error: print(error)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "needs ONNX: pip install ttmlir[onnx]" in found.stdout, found.stderr
