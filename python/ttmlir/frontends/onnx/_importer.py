"""Builds TTIR from the graphs of a model."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import onnx

from ttmlir.builder import Builder, Tensor
from ttmlir.frontends.counted import Counts
from ttmlir.frontends.diagnostics import UnsupportedError
from ttmlir.frontends.dtype_policy import DTypes
from ttmlir.frontends.onnx import _handlers
from ttmlir.frontends.onnx._constant_folding import RANDOM, emptied, evaluated
from ttmlir.frontends.onnx._function_bodies import body_of, schema_of
from ttmlir.frontends.onnx._model import Model
from ttmlir.frontends.onnx._op import (
    DECLINED,
    HANDLERS,
    AbandonedError,
    NeedsValueError,
    Op,
    Place,
    Scope,
    Value,
)
from ttmlir.frontends.onnx._types import (
    ELEMENTS,
    FLOATS,
    NUMPY,
    STATE,
    Array,
    Shape,
    element_of,
    unsupported,
)

#: Constants with at most this many elements are inlined, larger ones become parameters.
_SMALL = 4096
#: Maximum depth of nested function calls.
_DEEPEST = 32


class _Unknown:
    """The output of a node that is not supported."""


UNKNOWN = _Unknown()


class Importer:
    """Imports graphs into a function of a builder.

    Args:
        builder: the builder to write to.
        dtypes: the formats of computations and weights.
        functions: the model's functions, by domain, name and overload.
        counts: the extents that depend on values.
    """

    def __init__(
        self,
        builder: Builder,
        dtypes: DTypes,
        functions: Mapping[tuple[str, str, str], onnx.FunctionProto],
        counts: Counts,
    ) -> None:
        self.builder, self.dtypes, self.functions = builder, dtypes, functions
        self.counts = counts
        #: The inputs of the model that extents depend on.
        self.counted_sources: set[str] = set()
        self.errors: list[UnsupportedError] = []
        #: The constants that are parameters of the program.
        self.parameters: dict[str, Array] = {}
        #: Whether the program takes the random state as its last input.
        self.is_random = False
        #: Inputs of the model whose values are needed for shapes, with the reason.
        self.needed: dict[str, str] = {}
        self._state: Tensor | None = None
        self._taken: set[str] = set()
        self._names: dict[int, tuple[Array, str]] = {}
        self._arguments: dict[int, tuple[Array, Tensor]] = {}
        # By block, because values built in a region are not visible outside.
        self._constants: dict[tuple[Any, ...], tuple[Array, Tensor]] = {}
        self._sources: dict[int, tuple[Tensor, frozenset[str]]] = {}
        self._own_sources: frozenset[str] = frozenset()
        self._depth = 0
        self._place = ""

    # Values --------------------------------------------------------------------------------------

    def input(self, name: str, shape: Shape, dtype: str) -> Tensor:
        """Adds an input of the model as an argument of the program."""
        tensor = self.builder.input(self._unused(name), shape, dtype)
        self._sources[id(tensor)] = (tensor, frozenset([name]))
        return tensor

    def sources(self, x: Value) -> frozenset[str]:
        """Returns the inputs of the model that a value depends on."""
        if isinstance(x, list):
            return frozenset().union(*map(self.sources, x))
        if not isinstance(x, Tensor):
            return frozenset()
        return self._sources.get(id(x), (x, self._own_sources))[1]

    def named(self, known: Any, name: str) -> None:
        """Records the name of a large constant."""
        if isinstance(known, np.ndarray):
            self._names.setdefault(id(known), (known, name))

    def constant(self, known: Array, dtype: str) -> Tensor:
        """Builds a constant from an array, in the builder's ``dtype``."""
        compact = _compact(known)
        name = self._names.get(id(known), (known, ""))[1]
        if compact.size > _SMALL:
            return self._parameter(known, name, dtype)
        if name and known.dtype in ELEMENTS:
            self.dtypes.stored(name, ELEMENTS[known.dtype], known.ndim)
        where = self.builder.block
        content = (compact.tobytes(), known.dtype) if compact.size == 1 else id(known)
        key = (content, known.shape, dtype, where)
        if key not in self._constants:
            self._constants[key] = (known, self._constant(compact, known.shape, dtype))
        return self._constants[key][1]

    def _constant(self, value: Array, shape: Shape, dtype: str) -> Tensor:
        value = converted(value, dtype)
        if value.size == 1 and 0 not in shape:
            return self.builder.constant(value.reshape(()), shape=shape, dtype=dtype)
        return self.builder.constant(np.broadcast_to(value, shape), shape=shape, dtype=dtype)

    def _parameter(self, known: Array, name: str, dtype: str) -> Tensor:
        """Adds a weight as an argument of the program that is bound once."""
        if id(known) not in self._arguments:
            name = self._unused(name or f"{self._place}.constant")
            own = ELEMENTS.get(known.dtype, dtype)
            stored = self.dtypes.stored(name, own, known.ndim)
            with self.builder._inside(self.builder._function.entry_block):
                tensor = self.builder.input(name, known.shape, stored, argument_type="parameter")
            self.parameters[name] = known
            self._arguments[id(known)] = (known, tensor)
        tensor = self._arguments[id(known)][1]
        return tensor if tensor.dtype == dtype else self.builder.typecast(tensor, dtype)

    def _unused(self, name: str) -> str:
        """Makes an argument name unique by appending a number."""
        found, number = name, 0
        while found in self._taken:
            number += 1
            found = f"{name}_{number}"
        self._taken.add(found)
        return found

    def random_bits(self, shape: Shape, seed: float | None = None) -> Tensor:
        """Builds random u32 words, different for each node, or those of a seed."""
        b = self.builder
        if seed is not None:
            [bits] = np.array([seed], np.float32).view(np.uint32)
            words = np.random.SeedSequence(int(bits)).generate_state(STATE, np.uint32)
            _, found = b.rng_bit_generator(b.constant(words), shape or (1,), "philox")
            return found if shape else b.reshape(found, ())
        if b.block != b._function.entry_block:
            raise ValueError("random numbers in loops and conditions are not supported")
        if self._state is None:
            self._state = b.input("random_state", (STATE,), "u32")
            self.is_random = True
        self._state, bits = b.rng_bit_generator(self._state, shape or (1,), "philox")
        return bits if shape else b.reshape(bits, ())

    # Walking -------------------------------------------------------------------------------------

    def call(self, graph: onnx.GraphProto, inputs: Sequence[Value], scope: Scope) -> list[Any]:
        """Imports a graph attribute of a node and returns its outputs.

        Args:
            graph: the attribute.
            inputs: of the graph, in order.
            scope: of the node.
        """
        inner = scope.inner(self._place)
        names = [i.name for i in graph.input]
        inner.values.update(zip(names, inputs, strict=True))
        for tensor in graph.initializer:
            inner.values[tensor.name] = onnx.numpy_helper.to_array(tensor)
            self.named(inner.values[tensor.name], tensor.name)
        found = self.run(graph.node, [o.name for o in graph.output], inner)
        if any(x is UNKNOWN for x in found):
            raise AbandonedError
        return found

    def attempt(self, build: Callable[[], list[Any]]) -> list[Any] | None:
        """Builds ops to inspect the shapes and dtypes of the results, then erases the ops. Returns
        None if part of it is not supported."""
        block, constants, state = self.builder.block, dict(self._constants), self._state
        errors, needed = list(self.errors), dict(self.needed)
        count = len(block.operations)
        try:
            found = build()
        except (AbandonedError, UnsupportedError, NeedsValueError, ValueError, TypeError):
            found = None
        failed = len(self.errors) > len(errors) or len(self.needed) > len(needed)
        self.errors, self.needed = errors, needed
        self._constants, self._state = constants, state
        for op in reversed(list(block.operations)[count:]):
            op.operation.erase()
        return None if failed else found

    def run(
        self, nodes: Sequence[onnx.NodeProto], outputs: Sequence[str], scope: Scope
    ) -> list[Any]:
        """Imports nodes and returns values by name."""
        values = scope.values
        needed = _needed(nodes, outputs)
        for number, node in enumerate(nodes):
            if number not in needed:
                continue
            results = self._node(node, scope, _place(node, number, scope))
            for name, value in zip(node.output, results, strict=False):
                if name:
                    values[name] = value
                    self.named(value, name)
        missing = [name for name in outputs if name and name not in values]
        if missing:
            raise ValueError(f"no node has the output '{missing[0]}'")
        return [values[name] if name else None for name in outputs]

    def _node(self, node: onnx.NodeProto, scope: Scope, place: Place) -> list[Any]:
        domain = "" if node.domain == "ai.onnx" else node.domain
        opset = scope.opsets.get(domain, 1)
        schema = schema_of(node, opset)
        since = opset if schema is None else schema.since_version
        kind = place.name

        def kinds(dtype: str) -> str:
            return self.dtypes.computed(kind, dtype)

        op = Op(self, node, scope, place, since, kinds)
        outer = self._place, self._own_sources
        with self.builder.located("", 0, 0, place.name):
            try:
                inputs = self._inputs(op)
                self._place = place.name
                self._own_sources = self._dependencies(op, inputs)
                results = self._built(op, domain, inputs)
                self._remember(results)
                return results
            except AbandonedError:
                pass
            except UnsupportedError as error:
                self.errors.append(error)
            except NeedsValueError as error:
                if not error.sources:
                    self.errors.append(
                        op.fail(f"{error.what} is computed at run time: expected a constant")
                    )
                for source in error.sources:
                    self.needed.setdefault(source, f"{error.what} of '{place.name}' ({op.name})")
            except (ValueError, TypeError, IndexError, KeyError, RuntimeError) as error:
                self.errors.append(op.fail(str(error)))
            finally:
                self._place, self._own_sources = outer
        # Keep importing to report all unsupported ops at once.
        return [UNKNOWN] * len(node.output)

    def _inputs(self, op: Op) -> list[Any]:
        found: list[Any] = []
        for name in op.node.input:
            if name and name not in op.scope.values:
                raise op.fail(f"no preceding node, input or initializer has the name '{name}'")
            found.append(op.scope.values[name] if name else None)
        return found

    def _dependencies(self, op: Op, inputs: Sequence[Any]) -> frozenset[str]:
        """Returns the inputs of the model that a node depends on."""
        captured = [op.scope.values[n] for n in _captured(op.node) if n in op.scope.values]
        return frozenset().union(*(self.sources(x) for x in [*inputs, *captured]))

    def _remember(self, results: Sequence[Any]) -> None:
        for value in results:
            for x in value if isinstance(value, list) else [value]:
                if isinstance(x, Tensor):
                    self._sources.setdefault(id(x), (x, self._own_sources))

    def _built(self, op: Op, domain: str, inputs: list[Any]) -> list[Any]:
        entry = HANDLERS.get((domain, op.node.op_type))
        is_function = (op.node.domain, op.node.op_type, op.node.overload) in self.functions
        if is_function:
            entry = None
        if any(x is UNKNOWN for x in inputs):
            opset = op.scope.opsets.get(domain, 1)
            if entry is None and not _has_body(op.node, opset, self.functions):
                raise op.fail(_handlers.why_not(op))
            return [UNKNOWN] * len(op.node.output)
        folds = not is_function and (entry is None or entry.folds)
        if folds and op.node.op_type not in RANDOM and not any(map(_is_built, inputs)):
            found = evaluated(op, inputs)
            if found is not None:
                return found
        if (found := emptied(op, inputs)) is not None:
            return found
        if entry is not None:
            op.inputs = [self._as(op, x) for x in inputs]
            result = entry.handler(op, *op.inputs)
            if result is not DECLINED:
                return list(result) if isinstance(result, (list, tuple)) else [result]
        body = body_of(op, inputs, self.functions)
        if body is None:
            raise op.fail(_handlers.why_not(op))
        return self._called(op, body, inputs)

    def _called(self, op: Op, body: onnx.FunctionProto, inputs: list[Any]) -> list[Any]:
        opsets = {**op.scope.opsets, **{o.domain: o.version for o in body.opset_import}}
        scope = Scope(ChainMap({"": None}), opsets, op.place.name)
        given = [*inputs, *[None] * (len(body.input) - len(inputs))]
        scope.values.update(zip(body.input, given, strict=True))
        # A body may test whether an optional input is present: it is not.
        used = [name for i, name in enumerate(body.output) if op.is_used(i)]
        if self._depth == _DEEPEST:
            raise op.fail(f"functions call one another {_DEEPEST} deep: this one calls itself")
        self._depth += 1
        try:
            found = iter(self.run(body.node, used, scope))
        finally:
            self._depth -= 1
        return [next(found) if op.is_used(i) else None for i in range(len(op.node.output))]

    def _as(self, op: Op, x: Any) -> Any:
        """Converts an input to the format that the node computes in."""
        if isinstance(x, list):
            return [self._as(op, e) for e in x]
        if not isinstance(x, Tensor) or x.dtype not in NUMPY:
            return x
        made = op.cast(x, op.kind(x.dtype))
        self._sources.setdefault(id(made), (made, self.sources(x)))
        return made


def _is_built(x: Any) -> bool:
    return isinstance(x, Tensor) or (isinstance(x, list) and any(map(_is_built, x)))


def name_of(node: onnx.NodeProto, number: int) -> str:
    """Returns the name of a node, or its kind and its output."""
    output = next((name for name in node.output if name), str(number))
    return node.name or f"{node.op_type}:{output}"


def _place(node: onnx.NodeProto, number: int, scope: Scope) -> Place:
    name = name_of(node, number)
    return Place(f"{scope.prefix}/{name}" if scope.prefix else name)


def is_expressible(model: Model) -> bool:
    """Whether all nodes of a model have handlers or function bodies, and its inputs have supported
    types."""
    functions = model.functions

    def has_meaning(node: onnx.NodeProto) -> bool:
        domain = "" if node.domain == "ai.onnx" else node.domain
        if (domain, node.op_type) in HANDLERS:
            return True
        return _has_body(node, model.opsets.get(domain, 1), functions)

    kinds = [i.type.tensor_type.elem_type for i in model.inputs if i.type.HasField("tensor_type")]
    kinds = [kind for kind in kinds if kind]
    return all(map(has_meaning, model.proto.graph.node)) and not any(
        unsupported(element_of(kind)) for kind in kinds
    )


def _has_body(
    node: onnx.NodeProto, opset: int, functions: Mapping[tuple[str, str, str], Any]
) -> bool:
    """Whether a node can be expanded to its function body."""
    if (node.domain, node.op_type, node.overload) in functions:
        return True
    schema = schema_of(node, opset)
    return schema is not None and (schema.has_function or schema.has_context_dependent_function)


def converted(known: Array, dtype: str) -> Array:
    """Converts the elements; finite values stay finite, such as the lowest f32, which masks
    contain, in bf16."""
    target = NUMPY[dtype]
    if known.dtype == target:
        return known
    with np.errstate(all="ignore"):
        if known.dtype in ELEMENTS and ELEMENTS[known.dtype] in FLOATS and dtype in FLOATS:
            limits: Any = ml_dtypes.finfo(target)  # type: ignore[no-untyped-call]
            low, high = (np.asarray(n).astype(known.dtype) for n in (limits.min, limits.max))
            known = np.where(np.isinf(known), known, np.clip(known, low, high))
        return known.astype(target)


def _compact(known: Array) -> Array:
    """Returns the elements, with extent 1 in each dimension whose stride is 0."""
    for dim, (stride, extent) in enumerate(zip(known.strides, known.shape, strict=True)):
        if stride == 0 and extent > 1:
            known = known[(slice(None),) * dim + (slice(0, 1),)]
    return known


def _captured(node: onnx.NodeProto) -> set[str]:
    """Returns the names that nested graphs of a node capture from outside."""
    found: set[str] = set()
    for attribute in node.attribute:
        graphs = [*attribute.graphs, *([attribute.g] if attribute.HasField("g") else [])]
        for graph in graphs:
            own = {i.name for i in graph.input} | {i.name for i in graph.initializer}
            own |= {name for inner in graph.node for name in inner.output}
            used = {name for inner in graph.node for name in inner.input}
            used |= {o.name for o in graph.output}
            for inner in graph.node:
                used |= _captured(inner)
            found |= used - own
    return found - {""}


def _needed(nodes: Sequence[onnx.NodeProto], outputs: Sequence[str]) -> set[int]:
    """Returns the indices of the nodes that outputs depend on."""
    wanted, needed = set(outputs), set()
    for number in reversed(range(len(nodes))):
        node = nodes[number]
        if any(name in wanted for name in node.output if name):
            needed.add(number)
            wanted.update(node.input)
            wanted |= _captured(node)
    return needed
