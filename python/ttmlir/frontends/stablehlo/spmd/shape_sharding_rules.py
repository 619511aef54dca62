"""Sharding rules of ops that create tensors or change shapes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from jaxlib.mlir import ir

from ttmlir.frontends.stablehlo._op import Op
from ttmlir.frontends.stablehlo._types import is_complex
from ttmlir.frontends.stablehlo.spmd.rule_builder import RuleBuilder, divided, rules
from ttmlir.frontends.stablehlo.spmd.sharding_rules import Rule


@rules("stablehlo.constant")
def _constant(op: Op) -> Rule:
    draft = RuleBuilder(op)
    if is_complex(op.operation.results[0].type):
        return draft.rule()  # The bindings cannot return the elements.
    value: Any = ir.DenseElementsAttr(op.attribute("value"))
    if not value.is_splat:
        return draft.rule()
    for d, n in enumerate(op.shape()):
        draft.factor(n, {}, {0: d})
    return draft.rule(_splat)


def _splat(copy: Any, cuts: Mapping[int, int]) -> None:
    value = ir.DenseElementsAttr(copy.attributes["value"])
    kind = ir.RankedTensorType(copy.results[0].type)
    if kind != value.type:
        copy.attributes["value"] = ir.DenseElementsAttr.get_splat(kind, value.get_splat_value())


@rules("stablehlo.iota")
def _iota(op: Op) -> Rule:
    draft = RuleBuilder(op)
    for d, n in enumerate(op.shape()):
        if d != op.integer("iota_dimension"):
            draft.factor(n, {}, {0: d})
    return draft.rule()


@rules("stablehlo.broadcast_in_dim")
def _broadcast_in_dim(op: Op) -> Rule:
    draft = RuleBuilder(op)
    shape = op.shape()
    own = {r: d for d, r in enumerate(op.ints("broadcast_dimensions"))}
    for r, n in enumerate(shape):
        is_same = r in own and op.input_shape()[own[r]] == n
        draft.factor(n, {0: own[r]} if is_same else {}, {0: r})
    return draft.rule()


@rules("stablehlo.transpose")
def _transpose(op: Op) -> Rule:
    draft = RuleBuilder(op)
    for r, d in enumerate(op.ints("permutation")):
        draft.factor(op.shape()[r], {0: d}, {0: r})
    return draft.rule()


@rules("stablehlo.reshape")
def _reshape(op: Op) -> Rule:
    """Splits dimensions into the greatest factors that both shapes share."""
    draft = RuleBuilder(op)
    source, target = op.input_shape(), op.shape()
    if 0 in source:
        return draft.rule()
    i = j = 0
    a = source[0] if source else 1
    b = target[0] if target else 1
    while i < len(source) and j < len(target):
        # The remaining parts of both dimensions begin at the same element.
        part = math.gcd(a, b)
        if part > 1:
            draft.factor(part, {0: i}, {0: j})
        a, b = a // part, b // part
        if a > 1 and b > 1:
            # No common factors until the products match again.
            while a != b:
                if a < b:
                    i += 1
                    a *= source[i]
                else:
                    j += 1
                    b *= target[j]
            a = b = 1
        if a == 1:
            i += 1
            a = source[i] if i < len(source) else 1
        if b == 1:
            j += 1
            b = target[j] if j < len(target) else 1
    return draft.rule()


@rules("stablehlo.slice")
def _slice(op: Op) -> Rule:
    draft = RuleBuilder(op)
    limits = op.ints("limit_indices")
    factors = {}
    for d, n in enumerate(op.input_shape()):
        if (op.ints("start_indices")[d], limits[d], op.ints("strides")[d]) == (0, n, 1):
            factors[d] = draft.factor(n, {0: d}, {0: d})
    return draft.rule(divided("limit_indices", limits, factors))


@rules("stablehlo.dynamic_slice")
def _dynamic_slice(op: Op) -> Rule:
    draft = RuleBuilder(op)
    factors = {
        d: draft.factor(n, {0: d}, {0: d})
        for d, n in enumerate(op.input_shape())
        if op.shape()[d] == n
    }
    return draft.rule(divided("slice_sizes", op.ints("slice_sizes"), factors))


@rules("stablehlo.dynamic_update_slice")
def _dynamic_update_slice(op: Op) -> Rule:
    draft = RuleBuilder(op)
    for d, n in enumerate(op.input_shape()):
        if op.input_shape(1)[d] == n:
            draft.factor(n, {0: d, 1: d}, {0: d})
    return draft.rule()
