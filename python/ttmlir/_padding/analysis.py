"""Follows padding through a program, and inserts selects."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttmlir import ir
from ttmlir._padding.convention import Array, Need, Padding
from ttmlir._padding.factors import Dim, Dims, Extents, Factor, dim_of, dims_of, varies
from ttmlir._padding.insertion import Insertion
from ttmlir._padding.marks import ALONG, COUNT, PART, unmark
from ttmlir.builder import Builder, Tensor
from ttmlir.errors import CompileError, Diagnostic, to_name, to_place

#: The last ops of the blocks of loops and conditionals.
_TERMINATORS = ("scf.condition", "scf.yield")


@dataclass(frozen=True)
class Value:
    """A value: its dimensions, and its elements in the padded program if they do not depend on the
    inputs. Elements without padding may be ``places`` along a dimension that are not padding."""

    dims: Dims
    known: Array | None = None
    places: Dim | None = None

    @property
    def varies(self) -> bool:
        return varies(self.dims)


class RefusedError(Exception):
    """An op mixes padding with other elements."""


class Step:
    """An op of the padded program, and the same one of the other program."""

    def __init__(self, walk: Walk, other: Any, padded: Any) -> None:
        self.walk, self.other, self.padded = walk, other, padded
        self.name = str(padded.name).removeprefix("ttir.")
        self.places = [i for i, v in enumerate(padded.operands) if not _is_new(v)]
        self.inputs = [walk.values[padded.operands[i]] for i in self.places]

    @property
    def b(self) -> Builder:
        """Builds in front of the op of the padded program."""
        return self.walk.builder

    def attribute(self, name: str) -> Any:
        """Returns an attribute, which must be the same in both programs; None if absent."""
        other, padded = (op.attributes.get(name, None) for op in (self.other, self.padded))
        if other != padded:
            raise RefusedError(f"its attribute '{name}' depends on the extent")
        return padded

    def check_attributes(self, *differ: str) -> None:
        """Raises RefusedError unless the attributes are the same, except for those named."""
        for own in self.padded.attributes:
            name = str(own if isinstance(own, str) else own.name)
            if name not in differ:
                self.attribute(name)

    def numbers(self, name: str) -> list[int]:
        """Returns an attribute of integers."""
        return _numbers(self.attribute(name))

    def pair(self, name: str) -> tuple[list[int], list[int]]:
        """Returns an attribute of integers of both programs."""
        return _numbers(self.other.attributes[name]), _numbers(self.padded.attributes[name])

    def shapes(self, number: int = 0) -> tuple[list[int], list[int]]:
        """Returns the shapes of a result."""
        return _shape(self.other.results[number]), _shape(self.padded.results[number])

    def refuse(self, dims: Iterable[Dim], reason: str) -> RefusedError:
        factor = next(f for dim in dims for f in dim if f.varies)
        return RefusedError(f"{reason} {self.walk.padding.extents.name(factor)}")

    def tensor(self, number: int) -> Tensor:
        """Returns an input of the padded program."""
        return self.walk.builder.of(self.padded.operands[self.places[number]])

    def needs(self, dims: Iterable[Dim], least: int, reason: str) -> None:
        """Requires extents of at least ``least``: a call checks those that depend on values.

        Raises:
            RefusedError: with the reason, if others may be smaller.
        """
        for factor in (f for dim in dims for f in dim if f.varies):
            if not self.walk.is_computed(factor):
                if self.walk.least((factor,)) < least:
                    raise self.refuse([(factor,)], reason)
            else:
                label, place = _label(self.padded)
                name = label if f"'{place}'" in label or not place else f"{label} at {place}"
                self.walk.padding.needs.append(Need(name, factor, least))

    def cleaned(self, number: int, dims: Sequence[int], neutral: float | None) -> None:
        """Replaces the padding of an input along dimensions by a number; None is the least number
        of its type, infinity the greatest."""
        value = self.inputs[number]
        if varies(value.dims[d] for d in dims):
            tensor = self.walk.selected(self.tensor(number), value.dims, dims, neutral)
            self.padded.operands[self.places[number]] = tensor.value


class Walk:
    """The rules applied to two programs, op by op: the padded one, and the same for other extents.

    Args:
        other: the program for other extents.
        padded: the program, which changes.
        extents: those that are padded.
        rule_of: returns the rule of an op.
        refusal: the message if padding cannot be kept apart.
    """

    def __init__(
        self,
        other: ir.Module,
        padded: ir.Module,
        extents: Extents,
        rule_of: Callable[[Step], Rule],
        refusal: str,
    ) -> None:
        self._rule_of, self._refused = rule_of, refusal
        buffer = io.BytesIO()
        other.operation.write_bytecode(buffer)
        self._other = ir.Module.parse(buffer.getvalue(), padded.context)
        self._padded = padded
        self.padding = Padding(extents)
        self.values: dict[Any, Value] = {}
        self._masks: dict[Factor, Tensor] = {}
        #: Extents that the program computes itself.
        self._counts: dict[str, Any] = {}
        self._errors: list[Diagnostic] = []
        self._replaced: dict[Any, Any] = {}
        #: The value of the padded program for each of the other one.
        self._pairs: dict[Any, Any] = {}

    def run(self) -> Padding:
        """Changes the padded program so that padding does not reach other elements.

        Raises:
            CompileError: it has an op that cannot keep them apart; lists all of them.
        """
        functions = [_function(module) for module in (self._other, self._padded)]
        self.builder = Insertion(self._padded, functions[1])
        blocks = [f.regions[0].blocks[0] for f in functions]
        arguments = (block.arguments for block in blocks)
        dims = [dims_of(_shape(x), _shape(y)) for x, y in zip(*arguments, strict=True)]
        ops = [op.operation for op in blocks[1].operations]
        self.block(blocks[0], blocks[1], [Value(own) for own in dims])
        if self._errors:
            raise self._refusal(self._errors)
        for padded in ops:
            unmark(padded)
        return self.padding

    def block(self, other: Any, padded: Any, arguments: Sequence[Value]) -> list[Value]:
        """Follows padding through a block.

        Args:
            other: of the other program.
            padded: the same of the padded program.
            arguments: of the block.

        Returns:
            The operands of its last op.
        """
        blocks = other, padded
        pairs = zip(*(block.arguments for block in blocks), strict=True)
        for (own, argument), value in zip(pairs, arguments, strict=True):
            self._pairs[own], self.values[argument] = argument, value
        ops = [[op.operation for op in block.operations] for block in blocks]
        if [str(op.name) for op in ops[0]] != [str(op.name) for op in ops[1]]:
            raise self._refusal([Diagnostic("error", "its ops depend on the extents", "")])
        for other, padded in zip(*ops, strict=True):
            if [self._pairs[v] for v in other.operands] != list(padded.operands):
                place = to_place(str(padded.location))
                raise self._refusal([Diagnostic("error", "its ops depend on the extents", place)])
            if str(padded.name) not in _TERMINATORS:
                self._step(other, padded)
            for own, result in zip(other.results, padded.results, strict=True):
                self._pairs[own] = self._replaced.get(result, result)
        return [self.values[v] for v in ops[1][-1].operands]

    def _refusal(self, found: Sequence[Diagnostic]) -> CompileError:
        return CompileError(self._refused, found)

    def _step(self, other: Any, padded: Any) -> None:
        name = str(padded.name)
        if name == "tensor.empty":
            return
        if name == "func.return":
            self.padding.results = [self.values[v].dims for v in padded.operands]
            self._check_results(padded)
            return
        if not self.builder.is_inside(padded):
            self._outer = padded
        self.builder.before(padded)
        try:
            step = Step(self, other, padded)
            along = next((name for name in (ALONG, PART) if name in padded.attributes), None)
            found = _counted(step, along) if along else self._rule_of(step)(step)
        except RefusedError as error:
            label, place = _label(padded)
            self._errors.append(Diagnostic("error", f"{label}: {error}", place))
            found = [
                Value(dims_of(_shape(a), _shape(b)))
                for a, b in zip(other.results, padded.results, strict=True)
            ]
        for result, value in zip(padded.results, found, strict=True):
            self.values[self._replaced.get(result, result)] = value
        if COUNT in padded.attributes:
            self._counts[ir.StringAttr(padded.attributes[COUNT]).value] = padded.results[0]

    def _check_results(self, padded: Any) -> None:
        for i, dims in enumerate(self.padding.results):
            for factor in (f for dim in dims for f in dim if f.varies):
                if self.padding.extents.expression(factor) is None:
                    reason = f"result {i}: its extents do not follow from those of the inputs"
                    self._errors.append(Diagnostic("error", reason, to_place(str(padded.location))))

    # Selects -------------------------------------------------------------------------------------

    def mask(self, factor: Factor) -> Tensor:
        """Returns the truth values, true for elements along a factor that are not padding: an
        argument, or computed from a count."""
        if factor not in self._masks:
            found = self.padding.extents.expression(factor)
            if found is None:
                raise RefusedError(
                    f"its extent of {factor.padded} does not follow from those of the inputs"
                )
            if self.is_computed(factor):
                # Also later ops outside of a loop use them.
                with self.builder.at(self._outer) as b:
                    places = b.arange((factor.padded,), dtype="i32")
                    count = self._computed(factor)
                    self._masks[factor] = b._eltwise("lt", (places, count), None, dtype="bool")
            else:
                name = f"valid_{len(self._masks)}"
                self._masks[factor] = self.builder.argument(name, factor.padded)
                self.padding.masks.append(factor)
        return self._masks[factor]

    def is_computed(self, factor: Factor) -> bool:
        """Whether the extent of a factor depends on values."""
        found = self.padding.extents.expression(factor)
        return found is not None and found[0] in self._counts

    def extent(self, factor: Factor) -> Tensor:
        """Returns the extent of a factor without padding, as i32 of shape (1,)."""
        if self.is_computed(factor):
            return self._computed(factor)
        b = self.builder
        return b.sum(b.typecast(self.mask(factor), "i32"), (0,), True)

    def _computed(self, factor: Factor) -> Tensor:
        """Returns the extent of a factor that depends on values, as i32 of shape (1,)."""
        found = self.padding.extents.expression(factor)
        assert found is not None
        name, multiple, offset = found
        b = self.builder
        total = b.of(self._counts[name])
        if total.dtype != "i32":
            total = b.typecast(total, "i32")
        if multiple != 1:
            total = b.multiply(total, b.constant(multiple, shape=(1,), dtype="i32"))
        return b.add(total, b.constant(offset, shape=(1,), dtype="i32")) if offset else total

    def selected(
        self, tensor: Tensor, own_dims: Dims, dims: Sequence[int], neutral: float | None
    ) -> Tensor:
        """Returns a tensor with its padding along dimensions replaced, as by ``Step.cleaned``."""
        b = self.builder
        valid: Tensor | None = None
        for d in dims:
            if not varies([own_dims[d]]):
                continue
            own = self._valid_along(own_dims[d])
            shape = [1] * tensor.rank
            shape[d] = tensor.shape[d]
            own = b.reshape(own, shape)
            valid = own if valid is None else b.logical_and(valid, own)
        assert valid is not None
        number = _limit(tensor.dtype, neutral) if neutral in (None, math.inf) else neutral
        other = b.constant(number, shape=(1,) * tensor.rank, dtype=tensor.dtype)
        return b.where(valid, tensor, other)

    def _valid_along(self, dim: Dim) -> Tensor:
        """Returns the truth values of a dimension."""
        b = self.builder
        if len(dim) == 1:
            return self.mask(dim[0])
        whole = tuple(f.padded for f in dim)
        valid: Tensor | None = None
        for i, factor in enumerate(dim):
            if factor.varies:
                shape = [1] * len(dim)
                shape[i] = factor.padded
                own = b.reshape(self.mask(factor), shape)
                valid = own if valid is None else b.logical_and(valid, own)
        assert valid is not None
        if valid.shape != whole:
            valid = b.broadcast(valid, whole)
        return b.reshape(valid, (math.prod(whole),))

    def count(self, dims: Iterable[Dim]) -> Tensor:
        """Returns the number of elements along dimensions without padding, as f32 of shape (1,)."""
        b = self.builder
        total: Tensor | None = None
        fixed = 1
        for factor in (f for dim in dims for f in dim):
            if not factor.varies:
                fixed *= factor.padded
                continue
            if self.is_computed(factor):
                own = b.typecast(self._computed(factor), "f32")
            else:
                own = b.sum(b.typecast(self.mask(factor), "f32"), (0,), True)
            total = own if total is None else b.multiply(total, own)
        assert total is not None
        if fixed != 1:
            total = b.multiply(total, b.constant(fixed, shape=(1,), dtype="f32"))
        return total

    def number(self, count: Factor) -> Tensor | None:
        """Returns a number that depends on the extents, as f32 of shape (1,): one of them, with a
        factor or an offset, or a product of two; None if it is none of these."""
        extents, b = self.padding.extents, self.builder
        found = extents.expression(count)
        if found is not None:
            name, multiple, offset = found
            total = self.count([(Factor(*extents.values[name]),)])
            if multiple != 1:
                total = b.multiply(total, b.constant(multiple, shape=(1,), dtype="f32"))
            return b.add(total, b.constant(offset, shape=(1,), dtype="f32")) if offset else total
        factors = [Factor(*pair) for pair in extents.values.values()]
        for i, one in enumerate(factors):
            for two in factors[i + 1 :]:
                if (one.other * two.other, one.padded * two.padded) == (count.other, count.padded):
                    return self.count([(one, two)])
        return None

    def replaced(self, result: Any, tensor: Tensor) -> None:
        """Uses a tensor instead of the result of the op that is being visited, which is built in
        front of it."""
        result.replace_all_uses_with(tensor.value)
        self._replaced[result] = tensor.value

    def least(self, dim: Dim) -> int:
        """Returns the least extent of a dimension of one factor in a call."""
        extents = self.padding.extents
        if len(dim) != 1 or extents.expression(dim[0]) is None:
            return 0
        return extents.value(dim[0], extents.least)


def _limit(dtype: str, neutral: float | None) -> float:
    """Returns the least number of a dtype, or with infinity the greatest."""
    is_least = neutral is None
    if dtype.startswith(("f", "bf")):
        return -math.inf if is_least else math.inf
    if dtype == "bool":
        return 0 if is_least else 1
    limits = np.iinfo(np.dtype(_NUMPY[dtype]))
    return limits.min if is_least else limits.max


def _counted(step: Step, along: str) -> list[Value]:
    """A value of which the elements up to a count exist along the dimension that an attribute has,
    whatever it had as padding before."""
    d = ir.IntegerAttr(step.padded.attributes[along]).value
    dims = list(step.inputs[0].dims)
    dims[d] = dim_of([Factor(*(shape[d] for shape in step.shapes()))])
    return [Value(tuple(dims))]


def _label(op: Any) -> tuple[str, str]:
    """Returns the kind and the name of an op, and its place in the source."""
    text = str(op.location)
    own, place = to_name(text), to_place(text)
    label = f"'{op.name}'" + (f" '{own}'" if own else "")
    return label, own if place.startswith("loc(") else place  # It has a name only.


_NUMPY = {
    **{f"i{n}": f"int{n}" for n in (8, 16, 32, 64)},
    **{f"u{n}": f"uint{n}" for n in (8, 16, 32, 64)},
}
Rule = Callable[[Step], list[Value]]


def _function(module: ir.Module) -> Any:
    found = [op.operation for op in module.body.operations if op.operation.name == "func.func"]
    if len(found) != 1:
        raise CompileError(f"buckets need a program of one function, found {len(found)}")
    return found[0]


def _shape(value: Any) -> list[int]:
    """Returns the shape of a tensor; that of other values, such as bounds of loops, is empty."""
    kind = value.type
    return list(kind.shape) if isinstance(kind, ir.RankedTensorType) else []


def _is_new(value: Any) -> bool:
    return str(getattr(value.owner, "name", "")) == "tensor.empty"


def _numbers(attribute: Any) -> list[int]:
    """Returns the integers of an attribute: one, or an array."""
    if attribute is None:
        return []
    try:
        return [int(x) for x in attribute]
    except TypeError:
        try:
            return [int(attribute.value)]
        except AttributeError:
            return [int(attribute)]
