"""The factors of each op of StableHLO."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from ttmlir.frontends.stablehlo._elementwise import ELEMENTWISE
from ttmlir.frontends.stablehlo._op import Op
from ttmlir.frontends.stablehlo._types import Shape, shape_of
from ttmlir.frontends.stablehlo.spmd.factors import Adapt, Factors, Rule

Builder: TypeAlias = "Callable[[Op], Rule]"

RULES: dict[str, Builder] = {}


def rules(*names: str) -> Callable[[Builder], Builder]:
    """Enters a function into the table under the names of ops."""

    def enter(builder: Builder) -> Builder:
        for name in names:
            RULES[name] = builder
        return builder

    return enter


def rule_of(op: Op) -> Rule:
    """The rule of an op; of one that is not known, that everything has to be whole."""
    if op.name in RULES:
        return RULES[op.name](op)
    if op.name.startswith("chlo.") and _is_elementwise(op):
        return along(op)
    return Draft(op).rule()


def _shapes(values: Sequence[Any]) -> list[Shape]:
    return [shape_of(v.type) if str(v.type).startswith("tensor<") else () for v in values]


class Draft:
    """A rule while it is written: all dimensions are whole until factors are put there."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.inputs = _shapes(op.operation.operands)
        self.outputs = _shapes(op.operation.results)
        self._operands: list[list[Factors]] = [[()] * len(s) for s in self.inputs]
        self._results: list[list[Factors]] = [[()] * len(s) for s in self.outputs]
        self.sizes: dict[int, int] = {}
        self.reduces: dict[int, str] = {}

    def factor(
        self,
        extent: int,
        operands: Mapping[int, int] | None = None,
        results: Mapping[int, int] | None = None,
        reduces: str = "",
    ) -> int:
        """A factor behind those that dimensions have; returns its number.

        Args:
            extent: its size.
            operands: the dimension of each operand that has it, by the number of the operand.
            results: the dimension of each result that has it.
            reduces: how parts of the results are combined, if they do not have it.
        """
        number = len(self.sizes)
        self.sizes[number] = extent
        for tensors, places in ((self._operands, operands), (self._results, results)):
            for i, d in (places or {}).items():
                tensors[i][d] = (*tensors[i][d], number)
        if reduces:
            self.reduces[number] = reduces
        return number

    def rule(self, adapt: Adapt | None = None, work: int = 0) -> Rule:
        return Rule(
            tuple(map(tuple, self._operands)),
            tuple(map(tuple, self._results)),
            self.sizes,
            self.reduces,
            adapt,
            work,
        )


def array(values: Sequence[int]) -> Any:
    return ir.DenseI64ArrayAttr.get(list(values))


# Elementwise and the same but for some dimensions ------------------------------------------------


def _is_elementwise(op: Op) -> bool:
    shape = op.shape()
    return len(op.operation.results) == 1 and all(
        s in (shape, ()) for s in _shapes(op.operation.operands)
    )


def along(op: Op, whole: Sequence[int] = ()) -> Rule:
    """An op all of whose tensors have the same dimensions, some of which have to be whole; the
    tensors of a lower rank, initial values and the like, are whole."""
    draft = Draft(op)
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
    draft = Draft(op)
    for d, (n, m) in enumerate(zip(op.input_shape(), op.shape(), strict=False)):
        if n == m:
            draft.factor(n, {0: d}, {0: d})
    return draft.rule()


@rules("stablehlo.optimization_barrier")
def _each(op: Op) -> Rule:
    draft = Draft(op)
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
        draft = Draft(op)
        for d in range(len(op.input_shape()) - 2):
            inputs = dict.fromkeys(range(len(draft.inputs)), d)
            draft.factor(op.input_shape()[d], inputs, dict.fromkeys(range(len(draft.outputs)), d))
        return draft.rule()
    if target.startswith(("mhlo.", "chlo.")) and _is_elementwise(op):
        return along(op)
    return Draft(op).rule()


# What makes tensors and gives them other shapes --------------------------------------------------


@rules("stablehlo.constant")
def _constant(op: Op) -> Rule:
    value: Any = ir.DenseElementsAttr(op.attribute("value"))
    draft = Draft(op)
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
    draft = Draft(op)
    for d, n in enumerate(op.shape()):
        if d != op.integer("iota_dimension"):
            draft.factor(n, {}, {0: d})
    return draft.rule()


@rules("stablehlo.broadcast_in_dim")
def _broadcast_in_dim(op: Op) -> Rule:
    draft = Draft(op)
    shape = op.shape()
    own = {r: d for d, r in enumerate(op.ints("broadcast_dimensions"))}
    for r, n in enumerate(shape):
        is_same = r in own and op.input_shape()[own[r]] == n
        draft.factor(n, {0: own[r]} if is_same else {}, {0: r})
    return draft.rule()


@rules("stablehlo.transpose")
def _transpose(op: Op) -> Rule:
    draft = Draft(op)
    for r, d in enumerate(op.ints("permutation")):
        draft.factor(op.shape()[r], {0: d}, {0: r})
    return draft.rule()


@rules("stablehlo.reshape")
def _reshape(op: Op) -> Rule:
    """Dimensions are cut into the greatest parts that both shapes have."""
    draft = Draft(op)
    source, target = op.input_shape(), op.shape()
    if 0 in source:
        return draft.rule()
    i = j = 0
    a = source[0] if source else 1
    b = target[0] if target else 1
    while i < len(source) and j < len(target):
        # What is left of both dimensions begins at the same place.
        part = math.gcd(a, b)
        if part > 1:
            draft.factor(part, {0: i}, {0: j})
        a, b = a // part, b // part
        if a > 1 and b > 1:
            # Nothing in common behind it, until the products are the same again.
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
    draft = Draft(op)
    limits = op.ints("limit_indices")
    factors = {}
    for d, n in enumerate(op.input_shape()):
        if (op.ints("start_indices")[d], limits[d], op.ints("strides")[d]) == (0, n, 1):
            factors[d] = draft.factor(n, {0: d}, {0: d})
    return draft.rule(_divided("limit_indices", limits, factors))


def _divided(name: str, numbers: Sequence[int], factors: Mapping[int, int]) -> Adapt:
    """Divides numbers of an attribute as their dimensions are."""

    def adapt(copy: Any, cuts: Mapping[int, int]) -> None:
        copy.attributes[name] = array(
            [n // cuts.get(factors[d], 1) if d in factors else n for d, n in enumerate(numbers)]
        )

    return adapt


@rules("stablehlo.pad")
def _pad(op: Op) -> Rule:
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    return along(op, [d for d in range(len(op.shape())) if any(op.ints(n)[d] for n in names)])


@rules("stablehlo.dynamic_slice")
def _dynamic_slice(op: Op) -> Rule:
    draft = Draft(op)
    factors = {
        d: draft.factor(n, {0: d}, {0: d})
        for d, n in enumerate(op.input_shape())
        if op.shape()[d] == n
    }
    return draft.rule(_divided("slice_sizes", op.ints("slice_sizes"), factors))


@rules("stablehlo.dynamic_update_slice")
def _dynamic_update_slice(op: Op) -> Rule:
    draft = Draft(op)
    for d, n in enumerate(op.input_shape()):
        if op.input_shape(1)[d] == n:
            draft.factor(n, {0: d, 1: d}, {0: d})
    return draft.rule()


# Products ----------------------------------------------------------------------------------------


@rules("stablehlo.dot_general")
def _dot_general(op: Op) -> Rule:
    numbers = stablehlo.DotDimensionNumbers(op.attribute("dot_dimension_numbers"))
    draft = Draft(op)
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
    """How parts of a sum are combined: truth values are true if any part is."""
    return "or" if op.dtype() == "bool" else "sum"


@rules("stablehlo.convolution")
def _convolution(op: Op) -> Rule:
    numbers = stablehlo.ConvDimensionNumbers(op.attribute("dimension_numbers"))
    draft = Draft(op)
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
    """Divides a number of groups as they are."""

    def adapt(copy: Any, cuts: Mapping[int, int]) -> None:
        i64 = ir.IntegerType.get_signless(64)
        copy.attributes[name] = ir.IntegerAttr.get(i64, number // cuts.get(factor, 1))

    return adapt


# Reductions --------------------------------------------------------------------------------------

_BODIES = {"stablehlo.add": "sum", "stablehlo.maximum": "max", "stablehlo.minimum": "min"}


@rules("stablehlo.reduce")
def _reduce(op: Op) -> Rule:
    draft = Draft(op)
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
    """How the results of parts are combined."""
    name = op.body_name() if len(op.operation.results) == 1 else ""
    if op.dtype() == "bool" or name not in _BODIES:
        return "body"
    return _BODIES[name]


def _unmoved(op: Op) -> Iterator[int]:
    """The dimensions along which windows see one element, which is theirs."""
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


# Places ------------------------------------------------------------------------------------------


@rules("stablehlo.gather")
def _gather(op: Op) -> Rule:
    numbers = stablehlo.GatherDimensionNumbers(op.attribute("dimension_numbers"))
    draft = Draft(op)
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
    indices = [d for d in range(len(op.input_shape(1))) if d != int(numbers.index_vector_dim)]
    results = [r for r in range(len(op.shape())) if r not in numbers.offset_dims]
    beside = dict(zip(numbers.start_indices_batching_dims, batching, strict=True))
    for d, r in zip(indices, results, strict=True):
        operands = {1: d} | ({0: beside[d]} if d in beside else {})
        draft.factor(op.input_shape(1)[d], operands, {0: r})
    return draft.rule(_divided("slice_sizes", sizes, factors))


@rules("stablehlo.scatter")
def _scatter(op: Op) -> Rule:
    numbers = stablehlo.ScatterDimensionNumbers(op.attribute("scatter_dimension_numbers"))
    draft = Draft(op)
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
    indices = [d for d in range(len(draft.inputs[count])) if d != int(numbers.index_vector_dim)]
    behind = [u for u in range(len(updates)) if u not in numbers.update_window_dims]
    beside = dict(zip(numbers.scatter_indices_batching_dims, batching, strict=True))
    for d, u in zip(indices, behind, strict=True):
        if d in beside:
            pass_on(beside[d], u, d)
    return draft.rule()


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
