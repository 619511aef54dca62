"""Ops of ai.onnx.ml, against ONNX's reference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx_models import F32, I64, expected, model

import ttmlir
from ttmlir.errors import CompileError

ML = "ai.onnx.ml"
ROWS, WIDTH = 7, 4
RNG = np.random.default_rng(0)


def built(
    node: onnx.NodeProto, kind: int = F32, shape: Any = (ROWS, WIDTH), kinds: Any = ()
) -> Any:
    """A model of one node; version 5 of the operator set has trees of both forms."""
    found = model([node], {"x": (kind, list(shape))}, list(node.output), kinds=kinds)
    found.opset_import.append(helper.make_opsetid(ML, 5 if node.op_type == "TreeEnsemble" else 4))
    return found


def check(
    node: onnx.NodeProto, x: Any, kinds: Any = (), *, atol: float = 1e-5, **options: Any
) -> None:
    """Compares a node with the reference."""
    kind = helper.np_dtype_to_tensor_dtype(x.dtype)
    source = built(node, kind, x.shape, kinds)
    exe = ttmlir.compile(source, **options)
    assert not exe.signature.host_nodes()
    found = exe(x)
    found = found if isinstance(found, tuple) else (found,)
    for one, want in zip(found, expected(source, {"x": x}), strict=True):
        assert one.shape == want.shape
        assert one.dtype == want.dtype
        np.testing.assert_allclose(one, want, rtol=1e-4, atol=atol)


def numbers(*shape: int) -> Any:
    return np.random.default_rng(1).standard_normal(shape).astype(np.float32)


def node(kind: str, outputs: int = 1, **attributes: Any) -> onnx.NodeProto:
    return helper.make_node(kind, ["x"], ["y", "z"][:outputs], domain=ML, **attributes)


# Simple ops --------------------------------------------------------------------------------------

WITH_NAN = np.where(np.arange(ROWS * WIDTH).reshape(ROWS, WIDTH) % 3, numbers(ROWS, WIDTH), np.nan)
CLASSES = np.random.default_rng(2).integers(0, 4, (ROWS,))
SIMPLE: dict[str, tuple[onnx.NodeProto, Any, Any]] = {
    "maximum": (node("Normalizer", norm="MAX"), numbers(ROWS, WIDTH), [F32]),
    "sum": (node("Normalizer", norm="L1"), numbers(ROWS, WIDTH), [F32]),
    "root": (node("Normalizer", norm="L2"), np.zeros((ROWS, WIDTH), np.float32), [F32]),
    "scaler": (node("Scaler", offset=[1.0] * 4, scale=[1.0, 2, 3, 4]), numbers(ROWS, 4), [F32]),
    "missing numbers": (
        node("Imputer", imputed_value_floats=[1.0, 2, 3, 4], replaced_value_float=float("nan")),
        WITH_NAN.astype(np.float32),
        [F32],
    ),
    "missing integers": (
        node("Imputer", imputed_value_int64s=[7], replaced_value_int64=1),
        np.arange(ROWS * WIDTH).reshape(ROWS, WIDTH) % 3,
        [I64],
    ),
    "categories": (node("OneHotEncoder", cats_int64s=[3, 1, 2], zeros=1), CLASSES, [F32]),
    "labels": (
        node("LabelEncoder", keys_int64s=[3, 1], values_floats=[0.5, 2.5], default_float=-1.0),
        CLASSES,
        [F32],
    ),
    "labels of numbers": (
        node(
            "LabelEncoder",
            keys_tensor=numpy_helper.from_array(np.array([0.5, 2.0], np.float32)),
            values_tensor=numpy_helper.from_array(np.array([5, 7], np.int16)),
            default_tensor=numpy_helper.from_array(np.array([9], np.int16)),
        ),
        np.array([2.0, 0.5, 1.0], np.float32),
        [TensorProto.INT16],
    ),
}


@pytest.mark.parametrize("name", SIMPLE)
def test_simple_ops(name: str) -> None:
    one, x, kinds = SIMPLE[name]
    check(one, x, kinds)


def test_vectors_of_features() -> None:
    one = helper.make_node(
        "FeatureVectorizer", ["x", "v"], ["y"], domain=ML, inputdimensions=[3, 2]
    )
    inputs = {"x": (F32, [ROWS, WIDTH]), "v": (F32, [ROWS, 1])}
    source = model([one], inputs, ["y"], domains=[ML])
    given = {"x": numbers(ROWS, WIDTH), "v": numbers(ROWS, 1)}
    assert np.array_equal(ttmlir.compile(source)(**given), expected(source, given)[0])


# Linear models and support vector machines -------------------------------------------------------


@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"])
@pytest.mark.parametrize("labels", [[2, 5], [4, 0, 9], [3]])
def test_linear_classifiers(transform: str, labels: list[int]) -> None:
    outputs = len(labels) if len(labels) > 2 else 1
    one = node(
        "LinearClassifier",
        2,
        coefficients=numbers(outputs * WIDTH).tolist(),
        intercepts=numbers(outputs).tolist(),
        classlabels_ints=labels,
        post_transform=transform,
    )
    check(one, numbers(ROWS, WIDTH), [I64, F32])


def test_linear_regressor() -> None:
    one = node(
        "LinearRegressor",
        coefficients=numbers(3 * WIDTH).tolist(),
        intercepts=[1.0, 2.0, 3.0],
        targets=3,
        post_transform="NONE",
    )
    check(one, numbers(ROWS, WIDTH))
    check(one, numbers(ROWS, WIDTH), backend="ttmetal")


KERNELS = ["LINEAR", "POLY", "RBF", "SIGMOID"]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("one_class", [0, 1])
def test_support_vector_regressors(kernel: str, one_class: int) -> None:
    one = node(
        "SVMRegressor",
        coefficients=numbers(5).tolist(),
        kernel_params=[0.5, 0.25, 3.0],
        kernel_type=kernel,
        n_supports=5,
        one_class=one_class,
        post_transform="NONE",
        rho=[0.25],
        support_vectors=numbers(5 * WIDTH).tolist(),
    )
    check(one, numbers(ROWS, WIDTH))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("classes", [2, 3])
def test_support_vector_classifiers(kernel: str, classes: int) -> None:
    pairs, sizes = classes * (classes - 1) // 2, [2, 3, 2][:classes]
    one: dict[str, Any] = {
        "coefficients": numbers((classes - 1) * sum(sizes)).tolist(),
        "classlabels_ints": [4, 0, 9][:classes],
        "kernel_params": [0.5, 0.25, 2.0],
        "kernel_type": kernel,
        "post_transform": "NONE",
        "rho": numbers(pairs).tolist(),
        "support_vectors": numbers(sum(sizes) * WIDTH).tolist(),
        "vectors_per_class": sizes,
    }
    check(node("SVMClassifier", 2, **one), numbers(ROWS, WIDTH), [I64, F32])
    chances = {"prob_a": [-1.0] * pairs, "prob_b": [0.5] * pairs}
    if classes == 2:
        # The reference approaches probabilities in steps that end at 0.0025 for two classes.
        check(
            node("SVMClassifier", 2, **one, **chances), numbers(ROWS, WIDTH), [I64, F32], atol=5e-3
        )
        return
    # Probabilities of three classes are computed on the host.
    source = built(node("SVMClassifier", 2, **one, **chances), kinds=[I64, F32])
    exe, x = ttmlir.compile(source), numbers(ROWS, WIDTH)
    assert exe.signature.host_nodes() == ("SVMClassifier:y",)
    for found, want in zip(exe(x), expected(source, {"x": x}), strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-5)


# Trees -------------------------------------------------------------------------------------------


def trees(count: int, depth: int, targets: int, modes: list[str], prefix: str) -> dict[str, Any]:
    """Random trees in the form of a regressor or a classifier."""
    rng = np.random.default_rng(count)
    found: dict[str, list[Any]] = {
        f"nodes_{name}": []
        for name in ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids")
    }
    found["nodes_falsenodeids"] = []
    found["nodes_missing_value_tracks_true"] = []
    leaves: dict[str, list[Any]] = {f"{prefix}_{n}": [] for n in ("treeids", "nodeids", "ids")}
    leaves[f"{prefix}_weights"] = []
    for tree in range(count):
        total = 2 ** (depth + 1) - 1
        for number in range(total):
            is_leaf = number >= total // 2
            mode = "LEAF" if is_leaf else str(rng.choice(modes))
            row = (
                *(tree, number, int(rng.integers(WIDTH)), float(rng.integers(-2, 3) / 2), mode),
                *(0 if is_leaf else 2 * number + i for i in (1, 2)),
                int(rng.integers(2)),
            )
            for values, value in zip(found.values(), row, strict=True):
                values.append(value)
            for target in range(targets) if is_leaf else ():
                weight = float(np.float32(rng.random()))
                for values, value in zip(
                    leaves.values(), (tree, number, target, weight), strict=True
                ):
                    values.append(value)
    return {**found, **leaves}


@pytest.mark.parametrize("how", ["SUM", "AVERAGE", "MIN", "MAX"])
def test_regression_trees(how: str) -> None:
    modes = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]
    one = node(
        "TreeEnsembleRegressor",
        **trees(5, 3, 2, modes, "target"),
        n_targets=2,
        aggregate_function=how,
        base_values=[0.5, -0.5],
    )
    x = (np.round(numbers(ROWS, WIDTH) * 2) / 2).astype(np.float32)
    x[0, 0] = np.nan
    check(one, x)


@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC", "SOFTMAX"])
@pytest.mark.parametrize("labels", [[2, 5], [4, 0, 9]])
def test_classification_trees(transform: str, labels: list[int]) -> None:
    targets = 1 if len(labels) == 2 else len(labels)
    one = node(
        "TreeEnsembleClassifier",
        2,
        **trees(20, 4, targets, ["BRANCH_LEQ"], "class"),
        classlabels_int64s=labels,
        post_transform=transform,
    )
    check(one, numbers(ROWS, WIDTH), [I64, F32])


def test_wrong_trees() -> None:
    given = trees(1, 1, 1, ["BRANCH_LEQ"], "target")
    given["nodes_truenodeids"][0] = 0
    with pytest.raises(CompileError, match="a tree has a cycle"):
        ttmlir.compile(built(node("TreeEnsembleRegressor", **given, n_targets=1)))
    given = trees(1, 1, 1, ["BRANCH_SOMETIMES"], "target")
    with pytest.raises(CompileError, match="found 'BRANCH_SOMETIMES'"):
        ttmlir.compile(built(node("TreeEnsembleRegressor", **given, n_targets=1)))


def large(attributes: Mapping[str, Any]) -> int:
    return len(attributes["nodes_treeids"])


def test_many_trees() -> None:
    given = trees(60, 6, 1, ["BRANCH_LEQ"], "target")
    assert large(given) > 4096
    one = node("TreeEnsembleRegressor", **given, n_targets=1, aggregate_function="SUM")
    check(one, numbers(ROWS, WIDTH))
