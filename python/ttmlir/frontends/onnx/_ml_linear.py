"""Linear models and support vector machines of ``ai.onnx.ml``."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.arithmetic import product_power
from ttmlir.frontends.data_movement import joined, reshaped
from ttmlir.frontends.onnx._ml_scores import DOMAIN, labels_of, named, transformed, two_columns
from ttmlir.frontends.onnx._op import Op, Result, Value, handles
from ttmlir.frontends.onnx._reductions import reduced


def _floats(op: Op, name: str) -> Any:
    return np.array(op.numbers(name) or [], np.float32)


def _rows(op: Op, x: Value) -> Tensor:
    found = op.tensor(x, "f32")
    return reshaped(op, found, (1, *found.shape)) if found.rank == 1 else found


def _product(op: Op, rows: Tensor, weights: Any, offsets: Any) -> Tensor:
    """Returns rows times weights (outputs, features), plus offsets, if there are any."""
    found = op.b.matmul(rows, op.tensor(weights, "f32"), transpose_b=True)
    if not offsets.size:
        return found
    return op.b.add(found, op.tensor(offsets.reshape(1, -1), "f32"))


# Linear models -----------------------------------------------------------------------------------


@handles("LinearRegressor", domain=DOMAIN)
def _linear_regressor(op: Op, x: Value) -> Result:
    weights = _floats(op, "coefficients").reshape(op.integer("targets", 1), -1)
    found = _product(op, _rows(op, x), weights, _floats(op, "intercepts"))
    return transformed(op, found, op.text("post_transform", "NONE"))


@handles("LinearClassifier", domain=DOMAIN)
def _linear_classifier(op: Op, x: Value) -> Result:
    rows, transform = _rows(op, x), op.text("post_transform", "NONE")
    labels = op.integers("classlabels_ints") or []
    weights = _floats(op, "coefficients").reshape(-1, rows.shape[1])
    scores = _product(op, rows, weights, _floats(op, "intercepts"))
    if weights.shape[0] == 1 and len(labels) == 2:
        scores = two_columns(op, scores)
    scores = transformed(op, scores, transform)
    if scores.shape[1] > 1:
        return [labels_of(op, scores, labels), scores]
    limit = op.tensor(0.0 if transform == "NONE" else 0.5, "f32")
    is_first = reshaped(op, op.compare("ge", scores, limit), scores.shape[:1])
    return [named(op, op.cast(is_first, "i32"), [0, *(labels or [1])]), scores]


# Support vector machines -------------------------------------------------------------------------


def _kernels(op: Op, rows: Tensor, vectors: Any) -> Tensor:
    """Returns the kernel of each row and each vector, (rows, vectors)."""
    b, name = op.b, op.text("kernel_type", "LINEAR")
    gamma, offset, degree = (op.numbers("kernel_params") or [0.0] * 3)[:3]
    known = op.tensor(vectors, "f32")
    if name == "RBF":
        n, width = rows.shape
        across = reshaped(op, known, (1, *vectors.shape))
        squares = b.square(b.subtract(reshaped(op, rows, (n, 1, width)), across))
        distances = reshaped(op, reduced(op, "sum", squares, [2]), (n, vectors.shape[0]))
        return b.exp(b.multiply(distances, op.tensor(-gamma, "f32")))
    products = b.matmul(rows, known, transpose_b=True)
    if name == "LINEAR":
        return products
    if name not in ("POLY", "SIGMOID"):
        raise op.fail(f"expected a kernel LINEAR, POLY, RBF or SIGMOID, found '{name}'")
    found = b.add(b.multiply(products, op.tensor(gamma, "f32")), op.tensor(offset, "f32"))
    return b.tanh(found) if name == "SIGMOID" else product_power(op, found, int(degree))


@handles("SVMRegressor", domain=DOMAIN)
def _svm_regressor(op: Op, x: Value) -> Result:
    b, rows, count = op.b, _rows(op, x), op.integer("n_supports")
    weights, offset = _floats(op, "coefficients").reshape(1, -1), _floats(op, "rho")[:1]
    if count:
        rows = _kernels(op, rows, _floats(op, "support_vectors").reshape(count, -1))
    found = _product(op, rows, weights, offset)
    if op.integer("one_class"):
        is_inside = op.compare("gt", found, op.tensor(0.0, "f32"))
        return b.where(is_inside, op.tensor(1.0, "f32"), op.tensor(-1.0, "f32"))
    return transformed(op, found, op.text("post_transform", "NONE"))


@handles("SVMClassifier", domain=DOMAIN)
def _svm_classifier(op: Op, x: Value) -> Result:
    rows, labels = _rows(op, x), op.integers("classlabels_ints") or []
    sizes, rho = op.integers("vectors_per_class") or [], _floats(op, "rho")
    classes, weights = max(len(labels), 1), _floats(op, "coefficients")
    has_chances = bool(_floats(op, "prob_a").size) and bool(sizes)
    if not sizes:
        scores = _product(op, rows, weights.reshape(classes, -1), np.repeat(rho[:1], classes))
        ranks = scores
    else:
        scores, ranks = _pairs(op, rows, sizes, weights.reshape(-1, sum(sizes)), rho)
    found = _label(op, ranks, labels, rho, has_chances, bool((weights >= 0).all()))
    if has_chances:
        scores = _chances(op, scores)
    transform = op.text("post_transform", "NONE")
    if scores.shape[1] == 1:
        if transform == "PROBIT":
            return [found, transformed(op, scores, transform)]
        if len(labels) == 2 and rho.size == 1:
            scores = two_columns(op, scores)
    return [found, transformed(op, scores, transform)]


def _pairs(op: Op, rows: Tensor, sizes: list[int], weights: Any, rho: Any) -> tuple[Tensor, Tensor]:
    """Returns the score of each pair of classes, and how many of them each class wins."""
    b, classes = op.b, len(sizes)
    ends = np.cumsum([0, *sizes])
    parts = [slice(*pair) for pair in itertools.pairwise(ends)]
    pairs = list(itertools.combinations(range(classes), 2))
    table = np.zeros((len(pairs), int(ends[-1])), np.float32)
    first, second = np.zeros((2, len(pairs), classes), np.float32)
    for k, (i, j) in enumerate(pairs):
        table[k, parts[i]] = weights[j - 1, parts[i]]
        table[k, parts[j]] = weights[i, parts[j]]
        first[k, i] = second[k, j] = 1
    vectors = _floats(op, "support_vectors").reshape(int(ends[-1]), -1)
    scores = _product(op, _kernels(op, rows, vectors), table, rho[: len(pairs)])
    wins = op.cast(op.compare("gt", scores, op.tensor(0.0, "f32")), "f32")
    votes = b.matmul(wins, op.tensor(first - second, "f32"))
    return scores, b.add(votes, op.tensor(second.sum(0, keepdims=True), "f32"))


def _label(
    op: Op, ranks: Tensor, labels: list[int], rho: Any, has_chances: bool, is_positive: bool
) -> Tensor:
    """Returns the label of each row, as ONNX's reference chooses it."""
    b = op.b
    names = labels or list(range(ranks.shape[1]))
    if rho.size != 1:
        return labels_of(op, ranks, names)
    most = reshaped(op, reduced(op, "max", ranks, [1]), ranks.shape[:1])
    if len(labels) != 2:
        return named(op, op.cast(op.compare("gt", most, op.tensor(0.0, "f32")), "i32"), [0, 1])
    found = labels_of(op, ranks, names)
    if has_chances or not is_positive:
        return found
    is_second = op.compare("ge", most, op.tensor(0.5, "f32"))
    return b.where(is_second, op.tensor(labels[1], found.dtype), found)


def _chances(op: Op, scores: Tensor) -> Tensor:
    """Returns the probabilities of two classes."""
    b = op.b
    slope, offset = (float(_floats(op, name)[0]) for name in ("prob_a", "prob_b"))
    line = b.add(b.multiply(scores, op.tensor(slope, "f32")), op.tensor(offset, "f32"))
    first = b.clamp(b.sigmoid(b.neg(line)), 1e-7, 1 - 1e-7)
    return joined(op, [first, b.subtract(op.tensor(1.0, "f32"), first)], 1)
