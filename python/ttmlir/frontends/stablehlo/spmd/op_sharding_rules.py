"""Sharding rules: the factors of each StableHLO op."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ttmlir.frontends.stablehlo._elementwise import ELEMENTWISE
from ttmlir.frontends.stablehlo._op import Op
from ttmlir.frontends.stablehlo.spmd import dot_sharding_rules, shape_sharding_rules
from ttmlir.frontends.stablehlo.spmd.rule_builder import RULES, RuleBuilder, rules, shapes_of
from ttmlir.frontends.stablehlo.spmd.sharding_rules import Rule

#: Modules with further rules, registered on import.
MODULES = (dot_sharding_rules, shape_sharding_rules)


def rule_of(op: Op) -> Rule:
    """Returns the rule of an op; an unknown op must not be sharded."""
    if op.name in RULES:
        return RULES[op.name](op)
    if op.name.startswith("chlo.") and _is_elementwise(op):
        return along(op)
    return RuleBuilder(op).rule()


# Elementwise, and ops that only some dimensions deviate from ------------------------------------


def _is_elementwise(op: Op) -> bool:
    shape = op.shape()
    return len(op.operation.results) == 1 and all(
        s in (shape, ()) for s in shapes_of(op.operation.operands)
    )


def along(op: Op, whole: Sequence[int] = ()) -> Rule:
    """Returns the rule of an op whose tensors all have the same dimensions, some of which must be
    whole; tensors of lower rank, such as initial values, are whole."""
    draft = RuleBuilder(op)
    rank = max((len(s) for s in draft.outputs), default=0)
    for d in range(rank):
        if d in whole:
            continue
        inputs = {i: d for i, s in enumerate(draft.inputs) if len(s) == rank}
        outputs = {i: d for i, s in enumerate(draft.outputs) if len(s) == rank}
        extents = {draft.inputs[i][d] for i in inputs} | {draft.outputs[i][d] for i in outputs}
        if len(extents) == 1:
            draft.factor(extents.pop(), inputs, outputs)
    return draft.rule()


for _name in (*ELEMENTWISE, "stablehlo.map"):
    RULES[_name] = along


@rules("stablehlo.bitcast_convert")
def _bitcast_convert(op: Op) -> Rule:
    draft = RuleBuilder(op)
    for d, (n, m) in enumerate(zip(op.input_shape(), op.shape(), strict=False)):
        if n == m:
            draft.factor(n, {0: d}, {0: d})
    return draft.rule()


@rules("stablehlo.optimization_barrier")
def _each(op: Op) -> Rule:
    draft = RuleBuilder(op)
    for i, shape in enumerate(draft.inputs):
        for d, n in enumerate(shape):
            draft.factor(n, {i: d}, {i: d})
    return draft.rule()


@rules("stablehlo.sort")
def _sort(op: Op) -> Rule:
    rank = len(op.input_shape())
    return along(op, [op.integer("dimension", -1) % max(rank, 1)])


@rules("stablehlo.reverse")
def _reverse(op: Op) -> Rule:
    return along(op, op.ints("dimensions"))


@rules("stablehlo.concatenate")
def _concatenate(op: Op) -> Rule:
    return along(op, [op.integer("dimension")])


@rules("stablehlo.cholesky", "stablehlo.triangular_solve")
def _matrices(op: Op) -> Rule:
    rank = len(op.shape())
    return along(op, [rank - 2, rank - 1])


@rules("chlo.top_k", "mhlo.topk")
def _top_k(op: Op) -> Rule:
    return along(op, [len(op.shape()) - 1])


@rules("stablehlo.custom_call", "mhlo.custom_call")
def _custom_call(op: Op) -> Rule:
    target = op.text("call_target_name")
    if target in ("TopK", "mhlo.topk", "chlo.top_k"):
        return _top_k(op)
    if target in ("Qr", "ProductOfElementaryHouseholderReflectors"):
        draft = RuleBuilder(op)
        for d in range(len(op.input_shape()) - 2):
            inputs = dict.fromkeys(range(len(draft.inputs)), d)
            draft.factor(op.input_shape()[d], inputs, dict.fromkeys(range(len(draft.outputs)), d))
        return draft.rule()
    if target.startswith(("mhlo.", "chlo.")) and _is_elementwise(op):
        return along(op)
    return RuleBuilder(op).rule()


@rules("stablehlo.pad")
def _pad(op: Op) -> Rule:
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    return along(op, [d for d in range(len(op.shape())) if any(op.ints(n)[d] for n in names)])


# Reductions --------------------------------------------------------------------------------------

_BODIES = {"stablehlo.add": "sum", "stablehlo.maximum": "max", "stablehlo.minimum": "min"}


@rules("stablehlo.reduce")
def _reduce(op: Op) -> Rule:
    draft = RuleBuilder(op)
    count = len(draft.inputs) // 2
    dims = op.ints("dimensions")
    kept = [d for d in range(len(op.input_shape())) if d not in dims]
    for r, d in enumerate(kept):
        n = op.input_shape()[d]
        draft.factor(n, dict.fromkeys(range(count), d), dict.fromkeys(range(count), r))
    for d in dims:
        draft.factor(op.input_shape()[d], dict.fromkeys(range(count), d), reduces=_combined(op))
    return draft.rule()


def _combined(op: Op) -> str:
    """Returns the reduction that combines the results of parts."""
    name = op.body_name() if len(op.operation.results) == 1 else ""
    if op.dtype() == "bool" or name not in _BODIES:
        return "body"
    return _BODIES[name]


def _unmoved(op: Op) -> Iterator[int]:
    """Yields the dimensions along which each window contains exactly its own element."""
    extents = op.ints("window_dimensions", [1] * len(op.input_shape()))
    ones = [1] * len(extents)
    lists = [
        extents,
        op.ints("window_strides", ones),
        op.ints("base_dilations", ones),
        op.ints("window_dilations", ones),
    ]
    padding = op.pairs("padding", len(extents))
    for d in range(len(extents)):
        if all(found[d] == 1 for found in lists) and padding[d] == (0, 0):
            yield d


@rules("stablehlo.reduce_window", "stablehlo.select_and_scatter")
def _windows(op: Op) -> Rule:
    unmoved = set(_unmoved(op))
    return along(op, [d for d in range(len(op.input_shape())) if d not in unmoved])


# Collectives of manual computations --------------------------------------------------------------


@rules("stablehlo.all_reduce", "stablehlo.collective_permute", "stablehlo.collective_broadcast")
def _elements(op: Op) -> Rule:
    return _each(op)


@rules("stablehlo.all_gather")
def _all_gather(op: Op) -> Rule:
    return along(op, [op.integer("all_gather_dim")])


@rules("stablehlo.reduce_scatter")
def _reduce_scatter(op: Op) -> Rule:
    return along(op, [op.integer("scatter_dimension")])


@rules("stablehlo.all_to_all")
def _all_to_all(op: Op) -> Rule:
    return along(op, [op.integer("split_dimension"), op.integer("concat_dimension")])
