"""Rules of loops and conditionals: padding is followed through their bodies."""

from __future__ import annotations

from ttmlir._padding.analysis import Step, Value
from ttmlir._padding.rule_table import rule


@rule("scf.for")
def _for(step: Step) -> list[Value]:
    step.check_attributes()
    begin, _, _, *carried = _dims_only(step.inputs)
    _same(step, carried, _body(step, 0, [begin, *carried]))
    return carried


@rule("scf.while")
def _while(step: Step) -> list[Value]:
    step.check_attributes()
    carried = _dims_only(step.inputs)
    _, *given = _body(step, 0, carried)
    _same(step, carried, given)
    _same(step, carried, _body(step, 1, carried))
    return carried


@rule("scf.if")
def _if(step: Step) -> list[Value]:
    step.check_attributes()
    then, otherwise = (_body(step, i, []) for i in range(2))
    _same(step, then, otherwise)
    return _dims_only(then)


def _body(step: Step, number: int, arguments: list[Value]) -> list[Value]:
    """Returns the results of a region."""
    other, padded = (op.regions[number].blocks[0] for op in (step.other, step.padded))
    return step.walk.block(other, padded, arguments)


def _dims_only(values: list[Value]) -> list[Value]:
    return [Value(value.dims) for value in values]


def _same(step: Step, first: list[Value], second: list[Value]) -> None:
    """Checks that values have the same padding in each iteration, or in both branches."""
    for one, two in zip(first, second, strict=True):
        if one.dims != two.dims and (one.varies or two.varies):
            raise step.refuse([*one.dims, *two.dims], "its results are padded differently along")
