"""Sharding rules of products, gathers and scatters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from ttmlir.frontends.stablehlo._op import Op
from ttmlir.frontends.stablehlo.spmd import sharded_indexing
from ttmlir.frontends.stablehlo.spmd.rule_builder import RuleBuilder, divided, rules
from ttmlir.frontends.stablehlo.spmd.sharding_rules import Adapt, Rule


@rules("stablehlo.dot_general")
def _dot_general(op: Op) -> Rule:
    numbers = stablehlo.DotDimensionNumbers(op.attribute("dot_dimension_numbers"))
    draft = RuleBuilder(op)
    left, right = op.input_shape(0), op.input_shape(1)
    of_left, of_right = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
    by_left, by_right = numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions
    r = 0
    for d, e in zip(of_left, of_right, strict=True):
        draft.factor(left[d], {0: d, 1: e}, {0: r})
        r += 1
    for i, (shape, used) in enumerate(
        ((left, {*of_left, *by_left}), (right, {*of_right, *by_right}))
    ):
        for d, n in enumerate(shape):
            if d not in used:
                draft.factor(n, {i: d}, {0: r})
                r += 1
    for d, e in zip(by_left, by_right, strict=True):
        draft.factor(left[d], {0: d, 1: e}, reduces=_sum_of(op))
    return draft.rule(work=math.prod(draft.sizes.values()))


def _sum_of(op: Op) -> str:
    """Returns the reduction for parts of a sum: booleans are true if any part is."""
    return "or" if op.dtype() == "bool" else "sum"


@rules("stablehlo.convolution")
def _convolution(op: Op) -> Rule:
    numbers = stablehlo.ConvDimensionNumbers(op.attribute("dimension_numbers"))
    draft = RuleBuilder(op)
    image, kernel = op.input_shape(0), op.input_shape(1)
    groups, batches = op.integer("feature_group_count", 1), op.integer("batch_group_count", 1)
    of_image = numbers.input_batch_dimension, numbers.input_feature_dimension
    inner, outer = numbers.kernel_input_feature_dimension, numbers.kernel_output_feature_dimension
    batch, feature = numbers.output_batch_dimension, numbers.output_feature_dimension
    work = math.prod(kernel) * math.prod(op.shape()) // max(kernel[outer], 1)
    if groups > 1:
        by_group = draft.factor(groups, {0: of_image[1], 1: outer}, {0: feature})
        draft.factor(image[of_image[0]], {0: of_image[0]}, {0: batch})
        return draft.rule(_fewer("feature_group_count", groups, by_group), work)
    if batches > 1:
        by_group = draft.factor(batches, {0: of_image[0], 1: outer}, {0: feature})
        draft.factor(image[of_image[1]], {0: of_image[1], 1: inner}, reduces=_sum_of(op))
        return draft.rule(_fewer("batch_group_count", batches, by_group), work)
    draft.factor(image[of_image[0]], {0: of_image[0]}, {0: batch})
    draft.factor(kernel[outer], {1: outer}, {0: feature})
    draft.factor(kernel[inner], {0: of_image[1], 1: inner}, reduces=_sum_of(op))
    return draft.rule(work=work)


def _fewer(name: str, number: int, factor: int) -> Adapt:
    """Divides a group count in proportion to the factor."""

    def adapt(copy: Any, cuts: Mapping[int, int]) -> None:
        i64 = ir.IntegerType.get_signless(64)
        copy.attributes[name] = ir.IntegerAttr.get(i64, number // cuts.get(factor, 1))

    return adapt


@rules("stablehlo.gather")
def _gather(op: Op) -> Rule:
    numbers = stablehlo.GatherDimensionNumbers(op.attribute("dimension_numbers"))
    draft = RuleBuilder(op)
    sizes = op.ints("slice_sizes")
    batching = list(numbers.operand_batching_dims)
    own = [
        d
        for d in range(len(op.input_shape()))
        if d not in numbers.collapsed_slice_dims and d not in batching
    ]
    factors = {}
    for d, r in zip(own, numbers.offset_dims, strict=True):
        if sizes[d] == op.input_shape()[d]:
            factors[d] = draft.factor(sizes[d], {0: d}, {0: r})
    for d in numbers.collapsed_slice_dims if sharded_indexing.are_signed(op) else ():
        if d in numbers.start_index_map:
            kind = "or" if op.dtype() == "bool" else "sum"
            draft.indexed[draft.factor(op.input_shape()[d], {0: d}, reduces=kind)] = d
    indices = [d for d in range(len(op.input_shape(1))) if d != int(numbers.index_vector_dim)]
    results = [r for r in range(len(op.shape())) if r not in numbers.offset_dims]
    beside = dict(zip(numbers.start_indices_batching_dims, batching, strict=True))
    for d, r in zip(indices, results, strict=True):
        operands = {1: d} | ({0: beside[d]} if d in beside else {})
        draft.factor(op.input_shape(1)[d], operands, {0: r})
    return draft.rule(divided("slice_sizes", sizes, factors))


@rules("stablehlo.scatter")
def _scatter(op: Op) -> Rule:
    numbers = stablehlo.ScatterDimensionNumbers(op.attribute("scatter_dimension_numbers"))
    draft = RuleBuilder(op)
    count = (len(draft.inputs) - 1) // 2
    updates = draft.inputs[count + 1]
    tensors = range(count)
    batching = list(numbers.input_batching_dims)
    own = [
        d
        for d in range(len(op.input_shape()))
        if d not in numbers.inserted_window_dims and d not in batching
    ]

    def pass_on(d: int, update: int, index: int | None = None) -> None:
        operands = dict.fromkeys(tensors, d) | {count + 1 + i: update for i in tensors}
        if index is not None:
            operands[count] = index
        draft.factor(op.input_shape()[d], operands, dict.fromkeys(tensors, d))

    for d, u in zip(own, numbers.update_window_dims, strict=True):
        if updates[u] == op.input_shape()[d]:
            pass_on(d, u)
    for d in numbers.inserted_window_dims if sharded_indexing.are_signed(op) else ():
        if d in numbers.scattered_dims_to_operand_dims:
            every = dict.fromkeys(tensors, d)
            draft.indexed[draft.factor(op.input_shape()[d], every, every)] = d
    indices = [d for d in range(len(draft.inputs[count])) if d != int(numbers.index_vector_dim)]
    behind = [u for u in range(len(updates)) if u not in numbers.update_window_dims]
    beside = dict(zip(numbers.scatter_indices_batching_dims, batching, strict=True))
    for d, u in zip(indices, behind, strict=True):
        if d in beside:
            pass_on(beside[d], u, d)
    return draft.rule()
