"""Ensembles of trees: all rows descend all trees by one level at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped, sliced, spread, taken
from ttmlir.frontends.onnx._ml_scores import DOMAIN, TRANSFORMS, labels_of, transformed
from ttmlir.frontends.onnx._op import Op, Result, Value, handles
from ttmlir.frontends.onnx._reductions import reduced

_INDEX = "i32"
#: Comparisons of a feature with a node's number, by the code of ``TreeEnsemble``.
_MODES = ("le", "lt", "ge", "gt", "eq", "ne")
_NAMES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")
_MEMBER = 6
_AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")


@dataclass
class _Forest:
    """Nodes of all trees: the children are 2 * node + 1 if the comparison holds, or 2 * node in
    ``children``; a leaf is its own child. ``leaves`` has node, target and weight."""

    features: list[int]
    splits: list[float]
    modes: list[int]
    children: list[int]
    missing: list[bool]
    roots: list[int]
    leaves: list[tuple[int, int, float]]

    def is_leaf(self, node: int) -> bool:
        return self.children[2 * node] == self.children[2 * node + 1] == node

    @property
    def depth(self) -> int:
        """The greatest number of comparisons of a row in a tree."""
        level, found = set(self.roots), 0
        while True:
            inner = [node for node in level if not self.is_leaf(node)]
            level = {child for node in inner for child in self.children[2 * node : 2 * node + 2]}
            if not inner:
                return found
            found += 1
            if found > len(self.features):
                raise ValueError("a tree has a cycle")


# Reading -----------------------------------------------------------------------------------------


def _numbers(op: Op, name: str) -> list[float]:
    """Returns an attribute of numbers, or of a tensor."""
    for own in (f"{name}_as_tensor", name):
        value = op.attribute(own)
        if isinstance(value, onnx.TensorProto):
            return [float(x) for x in onnx.numpy_helper.to_array(value).reshape(-1)]
        if value is not None:
            return [float(x) for x in value]
    return []


def _by_tree(op: Op, prefix: str) -> _Forest:
    """Reads the nodes of a regressor or a classifier, which have a tree and a number in it."""
    trees, ids = op.integers("nodes_treeids") or [], op.integers("nodes_nodeids") or []
    keys = list(zip(trees, ids, strict=True))
    places = {key: i for i, key in enumerate(keys)}
    kinds = [x.decode() for x in op.attribute("nodes_modes", [])]
    yes, no = op.integers("nodes_truenodeids") or [], op.integers("nodes_falsenodeids") or []
    children, modes = [], []
    for i, name in enumerate(kinds):
        if name == "LEAF":
            children += [i, i]
            modes.append(0)
            continue
        if name not in _NAMES:
            raise op.fail(f"expected modes of {', '.join((*_NAMES, 'LEAF'))}, found '{name}'")
        children += [places[trees[i], no[i]], places[trees[i], yes[i]]]
        modes.append(_NAMES.index(name))
    first: dict[int, int] = {}
    for i, tree in enumerate(trees):
        first.setdefault(tree, i)
    names = ("treeids", "nodeids", "ids")
    columns = [op.integers(f"{prefix}_{name}") or [] for name in names]
    weights = _numbers(op, f"{prefix}_weights")
    leaves = [
        (places[tree, node], target, weight)
        for tree, node, target, weight in zip(*columns, weights, strict=True)
    ]
    missing = op.integers("nodes_missing_value_tracks_true") or [0] * len(kinds)
    return _Forest(
        op.integers("nodes_featureids") or [],
        _numbers(op, "nodes_values"),
        modes,
        children,
        [bool(x) for x in missing],
        [first[tree] for tree in sorted(first)],
        leaves,
    )


def _indexed(op: Op) -> _Forest:
    """Reads the nodes of a TreeEnsemble, whose children are numbers of nodes or of leaves."""
    modes = [int(x) for x in _numbers(op, "nodes_modes")]
    count = len(modes)
    weights = _numbers(op, "leaf_weights")
    targets = op.integers("leaf_targetids") or []
    children = []
    pairs = [
        [
            child + (count if is_leaf else 0)
            for child, is_leaf in zip(
                op.integers(f"nodes_{name}nodeids") or [],
                op.integers(f"nodes_{name}leafs") or [],
                strict=True,
            )
        ]
        for name in ("false", "true")
    ]
    for no, yes in zip(*pairs, strict=True):
        children += [no, yes]
    total = count + len(weights)
    children += [n for i in range(count, total) for n in (i, i)]
    rest = [0] * len(weights)
    missing = op.integers("nodes_missing_value_tracks_true") or [0] * count
    forest = _Forest(
        [*(op.integers("nodes_featureids") or []), *rest],
        [*_numbers(op, "nodes_splits"), *rest],
        [*modes, *rest],
        children,
        [bool(x) for x in [*missing, *rest]],
        op.integers("tree_roots") or [],
        [(count + i, t, w) for i, (t, w) in enumerate(zip(targets, weights, strict=True))],
    )
    _split_members(forest, _sets(_numbers(op, "membership_values")))
    return forest


def _sets(values: Sequence[float]) -> list[list[float]]:
    """Returns lists that NaN ends."""
    found: list[list[float]] = [[]]
    for x in values:
        if math.isnan(x):
            found.append([])
        else:
            found[-1].append(x)
    return found


def _split_members(forest: _Forest, sets: Sequence[list[float]]) -> None:
    """Replaces a node that tests for members of a set by a chain of nodes that test for one."""
    own = iter(sets)
    for node in [i for i, mode in enumerate(forest.modes) if mode == _MEMBER]:
        members = next(own)
        no, yes = forest.children[2 * node : 2 * node + 2]
        last = node
        forest.modes[node] = _MODES.index("eq")
        for i, member in enumerate(members):
            if i:
                new = len(forest.modes)
                forest.children[2 * last] = new
                forest.modes.append(_MODES.index("eq"))
                forest.features.append(forest.features[node])
                forest.missing.append(forest.missing[node])
                forest.splits.append(member)
                forest.children += [no, yes]
                last = new
            else:
                forest.splits[node] = member
        if not members:
            forest.children[2 * node + 1] = no


# Building ----------------------------------------------------------------------------------------


def _reached(op: Op, x: Tensor, forest: _Forest, nan_differs: bool) -> Tensor:
    """Returns the leaf of each row in each tree, as i32 of shape (rows * trees,)."""
    b, rows, trees = op.b, x.shape[0], len(forest.roots)
    used = sorted({m for i, m in enumerate(forest.modes) if not forest.is_leaf(i)})
    tables = {
        "features": np.array(forest.features, np.int32),
        "splits": np.array(forest.splits, np.float32),
        "modes": np.array(forest.modes, np.int32),
        "missing": np.array(forest.missing, np.int32),
        "children": np.array(forest.children, np.int32),
    }
    built = {name: op.tensor(table) for name, table in tables.items()}
    roots = op.tensor(np.array(forest.roots, np.int32).reshape(1, trees))
    place = reshaped(op, spread(op, roots, (rows, trees)), (rows * trees,))

    def of(name: str) -> Tensor:
        return taken(op, built[name], 0, place)

    for _ in range(forest.depth):
        features = reshaped(op, of("features"), (rows, trees))
        values = reshaped(op, b.gather_dim(x, features, 1), (rows * trees,))
        splits = of("splits")
        holds: Tensor | None = None
        for mode in used:
            own = op.compare(_MODES[mode], values, splits)
            if holds is None:
                holds = own
            else:
                holds = b.where(op.compare("eq", of("modes"), op.tensor(mode, _INDEX)), own, holds)
        assert holds is not None
        if any(forest.missing) or (_MODES.index("ne") in used and not nan_differs):
            tracks = op.cast(of("missing"), "bool")
            if nan_differs:
                tracks = b.logical_or(holds, tracks)
            holds = b.where(op.compare("ne", values, values), tracks, holds)
        step = b.add(b.multiply(place, op.tensor(2, _INDEX)), op.cast(holds, _INDEX))
        place = taken(op, built["children"], 0, step)
    return place


def _scores(op: Op, x: Value, forest: _Forest, count: int, how: str, nan_differs: bool) -> Tensor:
    """Returns the aggregated weights of the leaves of each row, (rows, targets)."""
    found = op.tensor(x, "f32")
    found = reshaped(op, found, (1, *found.shape)) if found.rank == 1 else found
    rows, trees = found.shape[0], len(forest.roots)
    limits = np.finfo(np.float32)
    empty = {"MIN": limits.max, "MAX": limits.min}.get(how, 0)
    combine: Any = {"MIN": np.minimum, "MAX": np.maximum}.get(how, np.add)
    weights = np.full((len(forest.modes), count), empty, np.float32)
    for node, target, weight in forest.leaves:
        weights[node, target] = combine(weights[node, target], np.float32(weight))
    leaves = _reached(op, found, forest, nan_differs)
    table = reshaped(op, taken(op, op.tensor(weights), 0, leaves), (rows, trees, count))
    name = {"MIN": "min", "MAX": "max"}.get(how, "sum")
    total = reshaped(op, reduced(op, name, table, [1]), (rows, count))
    return op.b.div(total, op.tensor(float(trees), "f32")) if how == "AVERAGE" else total


def _with_base(op: Op, scores: Tensor) -> Tensor:
    base = _numbers(op, "base_values")
    return op.b.add(scores, op.tensor(np.array([base], np.float32))) if base else scores


@handles("TreeEnsembleRegressor", domain=DOMAIN)
def _regressor(op: Op, x: Value) -> Result:
    count, how = op.integer("n_targets", 1), op.text("aggregate_function", "SUM")
    scores = _scores(op, x, _by_tree(op, "target"), count, how, False)
    return transformed(op, _with_base(op, scores), op.text("post_transform", "NONE"))


@handles("TreeEnsemble", domain=DOMAIN)
def _ensemble(op: Op, x: Value) -> Result:
    how = _AGGREGATES[op.integer("aggregate_function", 1)]
    scores = _scores(op, x, _indexed(op), op.integer("n_targets", 1), how, True)
    scores = transformed(op, scores, TRANSFORMS[op.integer("post_transform")])
    return op.cast(scores, op.dtype_of(x))


@handles("TreeEnsembleClassifier", domain=DOMAIN)
def _classifier(op: Op, x: Value) -> Result:
    b, labels = op.b, op.integers("classlabels_int64s") or []
    transform = op.text("post_transform", "NONE")
    forest = _by_tree(op, "class")
    scores = _with_base(op, _scores(op, x, forest, len(labels), "SUM", False))
    ids = {target for _, target, _ in forest.leaves}
    if len(ids) == 1:
        # The weights are those of the second class, whatever their number is.
        [place] = ids
        second = sliced(op, scores, 1, place, place + 1)
        one = op.tensor(1.0, "f32")
        is_chance = transform in ("NONE", "PROBIT")
        first = b.subtract(one, second) if is_chance else b.neg(second)
        scores = b.concat([first, second], 1)
        labels = labels if len(labels) > 1 else [0, *labels]
    scores = transformed(op, scores, transform)
    return [labels_of(op, scores, labels), scores]
