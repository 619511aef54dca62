"""Runs exported programs with PyTorch's interpreter, and records the results of their ops."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.export.graph_signature import InputKind, OutputKind
from torch.utils import _pytree as pytree

from ttmlir.errors import Error
from ttmlir.frontends.reference import Array
from ttmlir.frontends.torch._int4_weights import PRODUCT, product_in_f64
from ttmlir.frontends.torch._locations import name_ops
from ttmlir.frontends.torch._types import array_of, tensor_of

_RANDOM = "depends on random numbers, which differ from PyTorch's"
_CHANGES = (OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION)
#: Ops that update statistics in training, which their schemas do not declare.
_STATISTICS = ("batch_norm", "instance_norm")


@dataclass(frozen=True)
class Random:
    """Indices and names of values that depend on random numbers: see ``Returned``."""

    leaves: frozenset[int]
    state: frozenset[str]
    inputs: frozenset[int]


@dataclass(frozen=True)
class Tensors:
    """The contents of ``Returned`` as tensors: state and inputs before and after."""

    leaves: Sequence[Any]
    state: Mapping[str, tuple[Any, Any]]
    inputs: Mapping[int, tuple[Any, Any]]


@dataclass(frozen=True)
class Run:
    """A graph that was run: the results of its ops, and its return values."""

    ops: dict[str, tuple[Array, ...]]
    unknown: dict[str, str]
    returned: Tensors
    random: Random


def run_program(
    program: torch.export.ExportedProgram,
    buffers: Mapping[str, torch.Tensor],
    leaves: Sequence[Any],
    is_double: bool,
) -> Run:
    """Runs a program with PyTorch's interpreter, on copies of the tensors that it changes."""
    changes = _changes(program.graph_module)
    given = [argument(x) for x in leaves]
    first = _placed(program, buffers, given)
    if changes:
        before = [_doubled(x) for x in first] if is_double else first
        values = copies(first, is_double)
    else:
        before = values = [_doubled(x) for x in first] if is_double else first
    walk = _Walk(program.graph_module, is_double, changes)
    results = pytree.tree_leaves(walk.run(*values))
    found: list[Any] = []
    state: dict[str, tuple[Any, Any]] = {}
    inputs: dict[int, tuple[Any, Any]] = {}
    random_leaves, random_state, random_inputs = set[int](), set[str](), set[int]()
    numbers: dict[str, int] = {}
    specs = program.graph_signature.input_specs
    for spec, old, new in zip(specs, before, values, strict=True):
        if spec.kind == InputKind.USER_INPUT:
            number = len(numbers)
            numbers[getattr(spec.arg, "name", "") or f"#{number}"] = number
            if isinstance(old, torch.Tensor):
                inputs[number] = old, new
                random_inputs |= {number} if walk.is_random_value(new) else set()
        elif isinstance(old, torch.Tensor):
            state[str(spec.target)] = old, new
            random_state |= {str(spec.target)} if walk.is_random_value(new) else set()
    ends = _output_nodes(program.graph)
    for result, end, output in zip(
        results, ends, program.graph_signature.output_specs, strict=True
    ):
        is_random = end in walk.random or walk.is_random_value(result)
        if output.kind in _CHANGES:
            name = str(output.target)
            state[name] = state[name][0], result
            random_state |= {name} if is_random else set()
        elif output.kind == OutputKind.USER_INPUT_MUTATION:
            number = numbers[str(output.target)]
            inputs[number] = inputs[number][0], result
            random_inputs |= {number} if is_random else set()
        elif output.kind in (OutputKind.USER_OUTPUT, OutputKind.LOSS_OUTPUT):
            random_leaves |= {len(found)} if is_random else set()
            found.append(result)
    return Run(
        walk.values,
        walk.unknown,
        Tensors(found, state, inputs),
        Random(frozenset(random_leaves), frozenset(random_state), frozenset(random_inputs)),
    )


def _output_nodes(graph: torch.fx.Graph) -> list[Any]:
    [output] = [n for n in graph.nodes if n.op == "output"]
    return list(pytree.tree_leaves(output.args[0]))


def _placed(
    program: torch.export.ExportedProgram,
    buffers: Mapping[str, torch.Tensor],
    leaves: Sequence[Any],
) -> list[Any]:
    """Returns the values of the placeholders in order."""
    given = iter(leaves)
    found: list[Any] = []
    for spec in program.graph_signature.input_specs:
        if spec.kind == InputKind.USER_INPUT:
            found.append(next(given))
        elif spec.target in buffers:
            found.append(buffers[spec.target])
        elif spec.target in program.state_dict:
            found.append(program.state_dict[spec.target])
        elif spec.target in program.constants:
            found.append(program.constants[spec.target])
        else:
            raise Error(f"the program has no tensor '{spec.target}'")
    return found


def _changes(module: torch.fx.GraphModule) -> bool:
    """Whether a graph or a nested one has in-place ops."""
    graphs = [m.graph for m in module.modules() if isinstance(m, torch.fx.GraphModule)]
    return any(
        _is_mutable(node.target) or any(name in str(node.target) for name in _STATISTICS)
        for graph in graphs
        for node in graph.nodes
        if node.op == "call_function"
    )


def _is_mutable(target: Any) -> bool:
    return isinstance(target, torch._ops.OpOverload) and target._schema.is_mutable


class _Walk(torch.fx.Interpreter):  # type: ignore[misc]
    """Runs a graph and records the results of its ops.

    Dependence on random numbers is tracked by memory, because views and in-place ops behave as in
    PyTorch.
    """

    def __init__(self, module: torch.fx.GraphModule, is_double: bool, changes: bool) -> None:
        super().__init__(module)
        self._is_double, self._changes = is_double, changes
        self._names: dict[torch.fx.Node, str] = {}
        name_ops(module.graph, self._names)
        self.values: dict[str, tuple[Array, ...]] = {}
        self.unknown: dict[str, str] = {}
        #: Nodes that depend on random numbers.
        self.random: set[torch.fx.Node] = set()
        #: Storages with random elements. They are kept alive, so that no other one reuses their
        #: address.
        self._random_memories: dict[int, Any] = {}

    def is_random_value(self, value: Any) -> bool:
        """Whether a tensor depends on random numbers."""
        return any(memory._cdata in self._random_memories for memory in _memories(value))

    def run_node(self, node: torch.fx.Node) -> Any:
        given = self.fetch_args_kwargs_from_env(node) if node.op == "call_function" else ()
        is_random = _is_random(node, given) or any(
            n in self.random or self.is_random_value(self.env.get(n)) for n in node.all_input_nodes
        )
        result = self._computed(node)
        if is_random and node.op != "output":
            self.random.add(node)
            touched = (result, given) if _is_mutable(node.target) else result
            self._random_memories |= {m._cdata: m for m in _memories(touched)}
        name = self._names.get(node)
        # Programs have only the parts of complex numbers.
        if name is not None and not any(map(_is_complex, _listed(result))):
            used = [x for i, x in enumerate(_listed(result)) if _is_used(node, i)]
            arrays = (_array(x) for x in used if isinstance(x, torch.Tensor))
            # Copy values that are changed later.
            self.values[name] = tuple(a.copy() if self._changes else a for a in arrays)
            if is_random:
                self.unknown[name] = _RANDOM
        return result

    def _computed(self, node: torch.fx.Node) -> Any:
        if not self._is_double:
            return super().run_node(node)
        if node.op != "call_function" or node.target is operator.getitem:
            return pytree.tree_map(_doubled, super().run_node(node))
        args, kwargs = self.fetch_args_kwargs_from_env(node)
        if node.target is PRODUCT:
            return product_in_f64(*args, **kwargs)
        if not _keeps_dtypes(node):
            args, kwargs = pytree.tree_map(_doubled, (args, kwargs))
            result = self.call_function(node.target, args, kwargs)
            return self._copied_cast(node, pytree.tree_map(_doubled, result))
        # Its behaviour depends on the dtypes in the program.
        metas = torch.fx.node.map_arg((node.args, node.kwargs), lambda n: n.meta.get("val"))
        args, kwargs = pytree.tree_map(_as_meta, (args, kwargs), metas)
        return pytree.tree_map(_doubled, self.call_function(node.target, args, kwargs))

    def _copied_cast(self, node: torch.fx.Node, result: Any) -> Any:
        """Copies the result of a cast that copies in the program but is a no-op in float64."""
        meta = node.meta.get("val")
        if not isinstance(result, torch.Tensor) or not isinstance(meta, torch.Tensor):
            return result
        for source in node.all_input_nodes:
            own, value = source.meta.get("val"), self.env.get(source)
            is_cast = isinstance(own, torch.Tensor) and own.dtype != meta.dtype
            if is_cast and {m._cdata for m in _memories(value)} & {
                m._cdata for m in _memories(result)
            }:
                return result.clone()
        return result


def _is_complex(x: Any) -> bool:
    return isinstance(x, torch.Tensor) and x.is_complex()


def _memories(value: Any) -> Iterator[Any]:
    """Yields the storages of the tensors in a value."""
    for x in pytree.tree_leaves(value):
        if isinstance(x, torch.Tensor) and x.layout == torch.strided:
            yield x.untyped_storage()


def _is_random(node: torch.fx.Node, given: Any) -> bool:
    """Whether an op draws random numbers in this call, such as a dropout in training."""
    if isinstance(node.target, torch._ops.HigherOrderOperator):
        graphs = [x for x in pytree.tree_leaves(given) if isinstance(x, torch.fx.GraphModule)]
        inner = [n for g in graphs for n in g.graph.nodes if n.op == "call_function"]
        return any(_is_random(n, ()) for n in inner)
    if torch.Tag.nondeterministic_seeded not in getattr(node.target, "tags", ()):
        return False
    schema = node.target._schema  # type: ignore[union-attr]
    names = [argument.name for argument in schema.arguments]
    own = {a.name: a.default_value for a in schema.arguments if a.has_default_value()}
    own |= dict(zip(names, node.args, strict=False)) | node.kwargs
    return all(
        own[name] is None or bool(own[name])
        for name in ("p", "dropout_p", "train", "training")
        if name in own
    )


def _listed(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


def _is_used(node: torch.fx.Node, i: int) -> bool:
    """Whether result ``i`` of several, or the only one, is used."""
    reads = [user.args[1] for user in node.users if user.target is operator.getitem]
    return not reads or i in reads


def _keeps_dtypes(node: torch.fx.Node) -> bool:
    """Whether an op reinterprets floats, or has a nested graph."""
    is_graph = isinstance(node.target, torch._ops.HigherOrderOperator)
    return is_graph or str(node.target) == "aten.view.dtype"


def _doubled(x: Any) -> Any:
    """Returns a float or its dtype in 64 bits; other values unchanged."""
    if isinstance(x, torch.Tensor):
        if x.is_complex():
            return x.to(torch.complex128)
        return x.double() if x.is_floating_point() else x
    if isinstance(x, torch.dtype) and x.is_complex:
        return torch.complex128
    if isinstance(x, torch.dtype) and x.is_floating_point:
        return torch.float64
    return x


def _as_meta(x: Any, meta: Any) -> Any:
    if isinstance(x, torch.Tensor) and isinstance(meta, torch.Tensor):
        return x.to(meta.dtype)
    return x


def argument(x: Any) -> Any:
    """Converts an argument for PyTorch."""
    if isinstance(x, np.ndarray):
        return tensor_of(x)
    return x.detach() if isinstance(x, torch.Tensor) else x


def copies(values: Iterable[Any], is_double: bool) -> list[Any]:
    """Copies tensors, optionally with floats in 64 bits; aliases stay aliases, and other values are
    unchanged."""
    memories: dict[tuple[int, torch.dtype], torch.Tensor] = {}
    found: list[Any] = []
    for x in values:
        if not isinstance(x, torch.Tensor):
            found.append(x)
            continue
        x = x.detach().resolve_conj().resolve_neg()
        if x.layout != torch.strided or x.is_quantized:
            found.append(x.clone())
            continue
        storage = x.untyped_storage()
        key = storage._cdata, x.dtype
        if key not in memories:
            whole = torch.empty(0, dtype=x.dtype).set_(storage)  # type: ignore[call-overload]
            memories[key] = _doubled(whole).clone() if is_double else whole.clone()
        found.append(memories[key].as_strided(x.shape, x.stride(), x.storage_offset()))
    return found


def _array(x: torch.Tensor) -> Array:
    return array_of(x.detach())
