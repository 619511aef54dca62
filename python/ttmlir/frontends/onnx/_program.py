"""Converts models to programs of the builder."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import onnx

from ttmlir import ir
from ttmlir.builder import Builder, Tensor
from ttmlir.errors import CompileError, Error
from ttmlir.frontends.counted import (
    CountedNumbers,
    CountedResults,
    Counts,
    followed,
    known_numbers,
    sliced_extents,
    with_other_bounds,
)
from ttmlir.frontends.diagnostics import UnsupportedError, refusal
from ttmlir.frontends.dtype_policy import DTypes, Policy
from ttmlir.frontends.onnx._importer import UNKNOWN, Importer
from ttmlir.frontends.onnx._model import Model
from ttmlir.frontends.onnx._op import Place, Scope
from ttmlir.frontends.onnx._types import (
    ELEMENTS,
    NUMPY,
    Array,
    Shape,
    element_of,
    kind_name,
    unsupported,
)

#: Shapes may depend on inputs with at most one dimension and this many elements.
_MOST_KNOWN = 64


@dataclass(frozen=True)
class TensorType:
    """Name, shape and dtype of an input."""

    name: str
    shape: Shape
    dtype: np.dtype[Any]

    def __str__(self) -> str:
        return f"'{self.name}' ({'x'.join(map(str, self.shape)) or 'scalar'} {self.dtype.name})"


@dataclass(frozen=True)
class SequenceType:
    """Name and element types of a sequence input."""

    name: str
    items: tuple[TensorType, ...]

    def __str__(self) -> str:
        return f"'{self.name}' (a sequence of {len(self.items)})"


@dataclass(frozen=True)
class NothingType:
    """An optional input without a value."""

    name: str

    def __str__(self) -> str:
        return f"'{self.name}' (nothing)"


@dataclass(frozen=True)
class HostType:
    """An input that is no tensor and that only the host reads, such as a map."""

    name: str

    def __str__(self) -> str:
        return f"'{self.name}'"


InputType = TensorType | SequenceType | NothingType | HostType


@dataclass(frozen=True)
class Output:
    """An output of the program, by index."""

    number: int


@dataclass(frozen=True)
class Imported:
    """A model converted to a program of the builder.

    The arguments of the program are the tensors of ``parameters``, then the model's ``inputs``, or
    items of sequences, whose names are in ``kept``, and with ``is_random`` the random state, four
    words of u32. The other inputs are unused, or are fixed to the values ``specialized``.
    """

    builder: Builder
    parameters: dict[str, Array]
    inputs: tuple[InputType, ...]
    kept: tuple[str, ...]
    specialized: dict[str, Array]
    #: In order, by name: the index of an output of the program, a value, or a list.
    outputs: dict[str, Any]
    is_random: bool
    #: Of the outputs that the program computes, by name.
    types: dict[str, TensorType]
    #: The indices of the outputs with the numbers of elements, and then how results are cut.
    counts: tuple[int, ...] = ()
    counted: CountedResults | None = None

    @property
    def is_constant(self) -> bool:
        """Whether the program computes no output."""
        return not any(map(_is_computed, self.outputs.values()))


def _is_computed(value: Any) -> bool:
    return isinstance(value, Output | CountedNumbers) or (
        isinstance(value, list) and any(map(_is_computed, value))
    )


class NeedsInputError(Error):
    """Shapes depend on the values of inputs: ``names``."""

    def __init__(self, message: str, names: Sequence[str]) -> None:
        super().__init__(message)
        self.names = tuple(names)


def import_model(
    model: Model,
    inputs: Sequence[InputType],
    *,
    values: Mapping[str, Array] | None = None,
    dtype: Policy = None,
    name: str = "main",
    context: ir.Context | None = None,
) -> Imported:
    """Converts a model to TTIR.

    Args:
        model: a loaded model.
        inputs: name, shape and dtype of each input of the model, in order.
        values: of inputs, by name. Values that shapes depend on become constants of the program.
        dtype: the formats of weights and activations, see ``DTypes``.
        name: of the function.
        context: of the module; by default a new one.

    Raises:
        CompileError: nodes are not supported; lists all of them by name.
        Error: the dtype does not exist, or a shape depends on an input whose value is not given.
    """
    given = dict(values or {})
    specialized: dict[str, Array] = {}
    sources: dict[str, dict[int, str]] = {}
    while True:
        policy, counts = DTypes(dtype), Counts(sources=sources)
        program = _Program(model, inputs, specialized, policy, name, counts, context)
        found = program.built()
        if found is not None:
            policy.check_used()
            if not counts.numbers:
                return found
            others = Counts(are_others=True, sources=sources)
            again = _Program(model, inputs, specialized, DTypes(dtype), name, others)
            other = with_other_bounds(again.built)
            assert other is not None
            # A slice of a slice is known only once the first one has an extent of its own.
            sliced = sliced_extents((others, counts))
            if sliced != sources:
                sources = sliced
                continue
            try:
                return _counted(found, other, (others, counts))
            except CompileError:
                known = program.values_of_counts(given)
                if not known:
                    raise
                specialized |= known
                continue
        specialized |= program.more(given)


def _counted(found: Imported, other: Imported, counts: tuple[Counts, Counts]) -> Imported:
    """Follows the extents that depend on values through a program; ``other`` is the same with other
    bounds."""
    results = followed(counts, other.builder, found.builder, found.counts)
    outputs = {
        name: _numbers(other.outputs[name], value, results) for name, value in found.outputs.items()
    }
    return replace(found, outputs=outputs, counted=results)


def _numbers(other: Any, own: Any, results: CountedResults) -> Any:
    if isinstance(own, list):
        return [_numbers(x, y, results) for x, y in zip(other, own, strict=True)]
    if own is None or isinstance(own, Output):
        return own
    return known_numbers(other, own, results)


class _Program:
    """An attempt to import a model, with the values of some inputs."""

    def __init__(
        self,
        model: Model,
        inputs: Sequence[InputType],
        specialized: Mapping[str, Array],
        policy: DTypes,
        name: str,
        counts: Counts,
        context: ir.Context | None = None,
    ) -> None:
        self.model, self.inputs, self.name = model, inputs, name
        self.specialized = dict(specialized)
        self.builder = Builder(name, context=context)
        self.importer = Importer(self.builder, policy, model.functions, counts)

    def built(self) -> Imported | None:
        """Returns the program; None if it needs values of more inputs."""
        graph, importer = self.model.proto.graph, self.importer
        values: dict[str, Any] = {"": None, **self.model.initializers}
        for name, known in self.model.initializers.items():
            importer.named(known, name)
        read = {n for node in graph.node for n in _reads(node)} | {o.name for o in graph.output}
        kept: list[str] = []
        for info in self.inputs:
            if isinstance(info, NothingType | HostType) or info.name not in read:
                values[info.name] = None
            elif isinstance(info, SequenceType):
                values[info.name] = [self._argument(item, kept) for item in info.items]
            else:
                values[info.name] = self._argument(info, kept)
        scope = Scope(ChainMap(values), self.model.opsets)
        made = values.keys() | {name for node in graph.node for name in node.output}
        if missing := [o.name for o in graph.output if o.name not in made]:
            raise CompileError(f"{self.model.name}: no node has the output '{missing[0]}'")
        results = importer.run(graph.node, [o.name for o in graph.output], scope)
        if importer.needed and all(map(self._may_be_known, importer.needed)):
            return None
        for name, what in importer.needed.items():
            if not self._may_be_known(name):
                reason = f"{what} depends on the values of the input '{name}': use a fixed shape"
                importer.errors.append(UnsupportedError(what, reason, Place(name)))
        if importer.errors:
            raise refusal(self.name, importer.errors)
        return self._finish(results, kept)

    def _argument(self, info: TensorType, kept: list[str]) -> Any:
        """Returns the value of an input."""
        if info.name in self.specialized:
            return self.specialized[info.name]
        if 0 in info.shape:
            return np.zeros(info.shape, info.dtype)
        if reason := unsupported(info.dtype):
            place = Place(info.name)
            self.importer.errors.append(UnsupportedError(info.name, reason, place))
            return UNKNOWN
        kept.append(info.name)
        return self.importer.input(info.name, info.shape, ELEMENTS[info.dtype])

    def _may_be_known(self, name: str) -> bool:
        info = next((i for i in self.inputs if i.name == name), None)
        if not isinstance(info, TensorType):
            return False
        return int(np.prod(info.shape)) <= _MOST_KNOWN

    def values_of_counts(self, given: Mapping[str, Array]) -> dict[str, Array]:
        """Returns the values of the inputs that extents depend on, for an attempt in which these
        are known; none if an input is large, or its value is not given."""
        names = self.importer.counted_sources - set(self.specialized)
        if not all(name in given and self._may_be_known(name) for name in names):
            return {}
        return {name: np.asarray(given[name]) for name in names}

    def more(self, given: Mapping[str, Array]) -> dict[str, Array]:
        """Returns the values for the next attempt."""
        needed = self.importer.needed
        missing = [name for name in needed if name not in given]
        if missing:
            uses = "; ".join(f"{what} depends on '{n}'" for n, what in needed.items())
            raise NeedsInputError(
                f"{self.model.name}: {uses}: give the values in example_inputs", missing
            )
        return {name: np.asarray(given[name]) for name in needed}

    def _finish(self, results: Sequence[Any], kept: Sequence[str]) -> Imported:
        outputs: list[Tensor] = []
        places: dict[str, Any] = {}
        for info, value in zip(self.model.proto.graph.output, results, strict=True):
            places[info.name] = self._output(value, info.type, outputs)
        types = {
            name: TensorType(name, outputs[i.number].shape, NUMPY[outputs[i.number].dtype])
            for name, i in places.items()
            if isinstance(i, Output)
        }
        numbers = self.importer.counts.numbers.values()
        counts = tuple(range(len(outputs), len(outputs) + len(numbers)))
        outputs += numbers
        if not outputs:
            # A program must compute something.
            outputs.append(self.builder.constant(0, shape=(1,), dtype="i32"))
        self.builder.output(*outputs)
        return Imported(
            self.builder,
            self.importer.parameters,
            tuple(self.inputs),
            tuple(kept),
            self.specialized,
            places,
            self.importer.is_random,
            types,
            counts,
        )

    def _output(self, value: Any, kind: onnx.TypeProto, outputs: list[Tensor]) -> Any:
        if isinstance(value, list):
            inner = kind.sequence_type.elem_type
            return [self._output(x, inner, outputs) for x in value]
        if not isinstance(value, Tensor):
            return value
        dtype = value.dtype
        if kind.HasField("tensor_type") and kind.tensor_type.elem_type:
            declared = element_of(kind.tensor_type.elem_type)
            if declared not in ELEMENTS:
                element = kind_name(kind.tensor_type.elem_type)
                raise Error(f"{self.model.name}: outputs of type {element} are not supported")
            dtype = ELEMENTS[declared]
        if value.dtype != dtype:
            value = self.builder.typecast(value, dtype)
        outputs.append(value)
        return Output(len(outputs) - 1)


def _reads(node: onnx.NodeProto) -> list[str]:
    """Returns all names that a node, including nested ones, reads."""
    found = list(node.input)
    for attribute in node.attribute:
        for graph in [attribute.g, *attribute.graphs]:
            found += [n for inner in graph.node for n in _reads(inner)]
            found += [o.name for o in graph.output]
    return found


def identifier(name: str) -> str:
    """Returns a valid function name for the IR."""
    return re.sub(r"\W+", "_", name).strip("_") or "main"
