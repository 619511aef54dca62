"""Nodes of strings and maps, which the host computes beside the device."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from onnx_models import F32, I64, expected, model

import ttmlir
from ttmlir.errors import CompileError, Error, InputError
from ttmlir.onnx import backend
from ttrt.common.api import API
from ttrt.common.errors import TTRTError

ML = "ai.onnx.ml"
TEXT = TensorProto.STRING
RNG = np.random.default_rng(0)
WEIGHTS = {
    "table": RNG.standard_normal((3, 8)).astype(np.float32),
    "weights": RNG.standard_normal((8, 2)).astype(np.float32),
}


def words(*names: str) -> Any:
    return np.array(names, object)


def classifier() -> list[onnx.NodeProto]:
    return [
        helper.make_node(
            "StringNormalizer", ["s"], ["low"], case_change_action="LOWER", name="lower"
        ),
        helper.make_node(
            "LabelEncoder",
            ["low"],
            ["number"],
            domain=ML,
            keys_strings=["a", "b", "c"],
            values_int64s=[0, 1, 2],
            default_int64=0,
            name="numbers",
        ),
        helper.make_node("Gather", ["table", "number"], ["rows"], name="rows"),
        helper.make_node("MatMul", ["rows", "weights"], ["scores"], name="scores"),
        helper.make_node("ArgMax", ["scores"], ["place"], axis=1, keepdims=0, name="place"),
        helper.make_node(
            "LabelEncoder",
            ["place"],
            ["label"],
            domain=ML,
            keys_int64s=[0, 1],
            values_strings=["no", "yes"],
            name="names",
        ),
    ]


def source(nodes: list[onnx.NodeProto], outputs: dict[str, int]) -> onnx.ModelProto:
    kinds = list(outputs.values())
    inputs = {"s": (TEXT, ["n"])}
    return model(nodes, inputs, list(outputs), WEIGHTS, kinds=kinds, domains=[ML])


def test_before_and_after() -> None:
    text = source(classifier(), {"label": TEXT, "scores": F32})
    exe = ttmlir.compile(text)
    for s in (words("A", "b", "C", "A"), words("c")):
        for found, want in zip(exe(s), expected(text, {"s": s}), strict=True):
            assert found.shape == want.shape
            if found.dtype == object:
                assert found.tolist() == want.tolist()
            else:
                assert np.allclose(found, want, atol=1e-5)
    assert exe.compilations == 2
    report = exe.report(words("c"))
    assert report.host_nodes == ("lower", "numbers", "names")
    assert "On the host: lower, numbers, names" in str(report)
    assert exe.output_names == ("label", "scores")


def test_buckets() -> None:
    text = source(classifier(), {"label": TEXT, "scores": F32})
    exe = ttmlir.compile(text, buckets={"n": [4, 8]})
    for s in (words("A", "b", "C"), words("c"), words(*"abcab")):
        label, scores = exe(s)
        wanted = expected(text, {"s": s})
        assert label.tolist() == wanted[0].tolist()
        assert np.allclose(scores, wanted[1], atol=1e-5)
    assert exe.compilations == 2


def test_labels_of_strings() -> None:
    node = helper.make_node(
        "LinearClassifier",
        ["x"],
        ["label", "scores"],
        domain=ML,
        name="linear",
        coefficients=RNG.standard_normal(12).tolist(),
        intercepts=[0.0, 1.0, 0.0],
        classlabels_strings=["low", "mid", "high"],
        post_transform="SOFTMAX",
    )
    rows = helper.make_node(
        "ZipMap", ["scores"], ["rows"], domain=ML, classlabels_strings=["low", "mid", "high"]
    )
    x = RNG.standard_normal((5, 4)).astype(np.float32)
    linear = model(
        [node], {"x": (F32, [5, 4])}, ["label", "scores"], kinds=[TEXT, F32], domains=[ML]
    )
    wanted = expected(linear, {"x": x})
    exe = ttmlir.compile(linear)
    label, scores = exe(x)
    assert label.tolist() == wanted[0].tolist()
    assert np.allclose(scores, wanted[1], atol=1e-5)
    assert exe.signature.host_nodes() == ("linear/labels",)
    assert exe.report(x).cycles > 0
    both = model([node, rows], {"x": (F32, [5, 4])}, ["rows"], kinds=[F32], domains=[ML])
    found = ttmlir.compile(both)(x)
    names = ["low", "mid", "high"]
    assert [list(row) for row in found] == [names] * 5
    assert np.allclose([list(row.values()) for row in found], wanted[1], atol=1e-5)


NODES: dict[str, tuple[onnx.NodeProto, Any]] = {
    "categories": (
        helper.make_node(
            "CategoryMapper",
            ["s"],
            ["y"],
            domain=ML,
            cats_strings=["a", "b"],
            cats_int64s=[5, 7],
            default_int64=-1,
        ),
        [7, -1, 5],
    ),
    "one hot": (
        helper.make_node(
            "OneHotEncoder", ["s"], ["y"], domain=ML, cats_strings=["a", "b"], zeros=1
        ),
        [[0, 1], [0, 0], [1, 0]],
    ),
    "counts": (
        helper.make_node(
            "TfIdfVectorizer",
            ["s"],
            ["y"],
            mode="TF",
            min_gram_length=1,
            max_gram_length=1,
            max_skip_count=0,
            ngram_counts=[0],
            ngram_indexes=[0, 1],
            pool_strings=["a", "b"],
        ),
        [1, 1],
    ),
    "pattern": (helper.make_node("RegexFullMatch", ["s"], ["y"], pattern="[ab]"), [1, 0, 1]),
}


@pytest.mark.parametrize("name", NODES)
def test_nodes(name: str) -> None:
    node, wanted = NODES[name]
    kind = TensorProto.BOOL if name == "pattern" else I64 if name == "categories" else F32
    text = model([node], {"s": (TEXT, [3])}, ["y"], kinds=[kind], domains=[ML])
    found = ttmlir.compile(text)(words("b", "z", "a"))
    assert found.tolist() == wanted
    # The device goes on computing with it.
    more = helper.make_node("Cast", ["y"], ["f"], to=F32)
    twice = helper.make_node("Add", ["f", "f"], ["z"])
    text = model([node, more, twice], {"s": (TEXT, [3])}, ["z"], domains=[ML])
    assert np.array_equal(ttmlir.compile(text)(words("b", "z", "a")), 2 * np.array(wanted))


def test_maps() -> None:
    node = helper.make_node(
        "DictVectorizer", ["m"], ["v"], domain=ML, string_vocabulary=["a", "b", "c"], name="vector"
    )
    twice = helper.make_node("Add", ["v", "v"], ["y"])
    kind = helper.make_map_type_proto(TEXT, helper.make_tensor_type_proto(F32, None))
    text = model([node, twice], {}, ["y"], domains=[ML])
    text.graph.input.append(helper.make_value_info("m", kind))
    with pytest.raises(Error, match="input 'm' is not a tensor: pass an example"):
        ttmlir.compile(text)
    exe = ttmlir.compile(text, example_inputs={"m": {"a": 0.0}})
    assert exe({"m": {"c": 2.0, "a": 1.0}}).reshape(-1).tolist() == [2, 0, 4]


def in_parts() -> onnx.ModelProto:
    """A model whose labels are looked up in a table, looked up once more, and named again."""
    again = [
        helper.make_node(
            "LabelEncoder",
            ["label"],
            ["weight"],
            domain=ML,
            keys_strings=["no", "yes"],
            values_floats=[-0.5, 2.0],
            name="weight",
        ),
        helper.make_node("Unsqueeze", ["weight", "one"], ["column"], name="column"),
        helper.make_node("Mul", ["column", "scores"], ["scaled"], name="scaled"),
        helper.make_node("ArgMax", ["scaled"], ["best"], axis=1, keepdims=0, name="best"),
        helper.make_node(
            "LabelEncoder",
            ["best"],
            ["word"],
            domain=ML,
            keys_int64s=[0, 1],
            values_strings=["A", "b"],
            name="word",
        ),
        helper.make_node("StringConcat", ["label", "word"], ["both"], name="both"),
        helper.make_node(
            "LabelEncoder",
            ["both"],
            ["number2"],
            domain=ML,
            keys_strings=["noA", "nob", "yesA", "yesb"],
            values_int64s=[0, 1, 2, 0],
            name="number2",
        ),
        helper.make_node("Gather", ["table", "number2"], ["rows2"], name="rows2"),
        helper.make_node("MatMul", ["rows2", "weights"], ["scores2"], name="scores2"),
        helper.make_node("Add", ["scores2", "scaled"], ["sum"], name="sum"),
        helper.make_node("MatMul", ["sum", "large"], ["y"], name="y"),
    ]
    large = RNG.standard_normal((2, 3000)).astype(np.float32)
    weights = {**WEIGHTS, "one": np.array([1], np.int64), "large": large}
    outputs = {"both": TEXT, "y": F32, "scores": F32, "best": I64}
    inputs = {"s": (TEXT, ["n"])}
    nodes = [*classifier(), *again]
    kinds = list(outputs.values())
    return model(nodes, inputs, list(outputs), weights, kinds=kinds, domains=[ML])


@pytest.mark.parametrize("kind", ["ttnn", "ttmetal"])
def test_between_parts_of_the_device(kind: str) -> None:
    text = in_parts()
    exe = ttmlir.compile(text, shapes={"n": 4}, backend=kind)
    assert [program.name for program in exe.programs] == ["small", "small_1", "small_2"]
    for s in (words("A", "b", "C", "A"), words("c", "c", "b", "a")):
        for found, want in zip(exe(s), expected(text, {"s": s}), strict=True):
            assert found.shape == want.shape
            assert found.dtype == want.dtype
            if found.dtype == object:
                assert found.tolist() == want.tolist()
            else:
                assert np.allclose(found, want, atol=1e-5)
    hosted = ("lower", "numbers", "names", "weight", "word", "both", "number2")
    assert exe.signature.host_nodes() == hosted
    first = exe.report(words("A", "b", "C", "A"))
    last = exe.report(program="small_2")
    assert first.programs == last.programs == ("small", "small_1", "small_2")
    assert "programs of a call: small, small_1, small_2" in str(first)
    assert {op.name for op in last.ops if op.phase == "run"} != {op.name for op in first.ops}
    assert set(exe.signature.parameters(exe.programs[2])) == {"large"}
    assert backend.is_compatible(text)


def test_shapes_of_parts() -> None:
    text = in_parts()
    exe = ttmlir.compile(text)
    for n in (2, 3, 2):
        s = words(*"abc"[:n])
        for found, want in zip(exe(s), expected(text, {"s": s}), strict=True):
            assert found.tolist() == want.tolist() or np.allclose(found, want, atol=1e-5)
    assert exe.compilations == 2


def test_exact_numbers_in_all_parts() -> None:
    text, s = in_parts(), words("A", "b")
    exe = ttmlir.compile(text, shapes={"n": 2})
    fast, exact = exe(s), exe(s, numerics="exact")
    again = ttmlir.compile(text, shapes={"n": 2}, numerics="exact")(s)
    assert exact[1].tobytes() == again[1].tobytes() != fast[1].tobytes()


def test_only_a_call_runs_all_parts() -> None:
    exe = ttmlir.compile(in_parts(), shapes={"n": 2})
    with pytest.raises(Error, match="the host computes between the parts of a run: 'lower', "):
        exe.trace(words("a", "b"))
    compiled = ttmlir.compile(in_parts(), buckets={"n": [4]})
    with pytest.raises(CompileError, match="buckets need a model without host nodes between"):
        compiled(words("a", "b"))
    with pytest.raises(Error, match="'pipeline' needs a model without host nodes between"):
        ttmlir.compile(in_parts(), shapes={"n": 2}, target="n300", parallel="pipeline")
    found = exe.compare("f64", words("a", "b"))
    assert "none is off" in str(found)


def test_ttrt_names_the_nodes_between_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    onnx.save(in_parts(), "parts.onnx")
    API.initialize_apis()
    args = {"binary": "parts.onnx", "shapes": "n=2", "log-file": "log"}
    with pytest.raises(TTRTError, match="host computes between programs of the model: 'lower', "):
        API.Run(args=args)()


def test_refused() -> None:
    nodes = classifier()
    text = source(nodes, {"label": TEXT})
    assert backend.is_compatible(text)
    exe = ttmlir.compile(text, shapes={"n": 3})
    with pytest.raises(InputError, match="keep_on_device: the host computes results"):
        exe(words("a", "b", "c"), keep_on_device=True)
    with pytest.raises(InputError, match="found an array of float32"):
        exe(np.zeros(3, np.float32))


@pytest.mark.parametrize("reference", ["f64", "model"])
def test_comparison(reference: str) -> None:
    """The nodes of the device are compared, with the values that the host computes for them."""
    text = source(classifier(), {"label": TEXT, "scores": F32})
    exe = ttmlir.compile(text, shapes={"n": 3})
    found = exe.compare("f64" if reference == "f64" else text, words("a", "B", "c"))
    text_of = str(found)
    assert "3 ops and 2 outputs compared: none is off" in text_of
    assert "not compared" not in text_of
    wrong = {**WEIGHTS, "weights": WEIGHTS["weights"] + np.float32([[0.5, 0.0]])}
    other = model(
        classifier(),
        {"s": (TEXT, [3])},
        ["label", "scores"],
        wrong,
        kinds=[TEXT, F32],
        domains=[ML],
    )
    off = exe.compare(other, words("a", "B", "c")).first_off
    assert off is not None
    assert off.name == "scores"


def test_comparison_of_labels() -> None:
    node = helper.make_node(
        "LinearClassifier",
        ["x"],
        ["label", "scores"],
        domain=ML,
        name="linear",
        coefficients=RNG.standard_normal(12).tolist(),
        intercepts=[0.0, 1.0, 0.0],
        classlabels_strings=["low", "mid", "high"],
        post_transform="SOFTMAX",
    )
    x = RNG.standard_normal((5, 4)).astype(np.float32)
    kinds = [TEXT, F32]
    text = model([node], {"x": (F32, [5, 4])}, ["label", "scores"], kinds=kinds, domains=[ML])
    exe = ttmlir.compile(text)
    assert exe.compare("f64", x).first_off is None
    # The model has names of labels, the device their numbers.
    found = exe.compare(text, x)
    assert found.first_off is None
    assert "not compared" in str(found)


def test_shapes_that_depend_on_strings() -> None:
    node = helper.make_node("StringNormalizer", ["s"], ["t"], stopwords=["the"], name="stop")
    text = model([node, *classifier()[1:]], {"s": (TEXT, [3])}, ["scores"], WEIGHTS, domains=[ML])
    text.graph.node[1].input[0] = "t"
    exe = ttmlir.compile(text)
    assert exe(words("a", "b", "c")).shape == (3, 2)
    with pytest.raises(InputError, match="found the shape 2, give example_inputs"):
        exe(words("a", "the", "c"))
    exe = ttmlir.compile(text, example_inputs=[words("the", "the", "a")])
    assert exe(words("the", "b", "the")).shape == (1, 2)
