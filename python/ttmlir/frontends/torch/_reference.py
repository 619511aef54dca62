"""What PyTorch computes for each op of a program, by the names that the importer gives them."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch.export.graph_signature import InputKind, OutputKind
from torch.utils import _pytree as pytree

from ttmlir._comparison.values import Array, Values
from ttmlir.errors import Error
from ttmlir.frontends.torch._export import exported_module
from ttmlir.frontends.torch._functional import functional
from ttmlir.frontends.torch._places import name_ops
from ttmlir.frontends.torch._program import import_program
from ttmlir.frontends.torch._types import array_of, tensor_of
from ttmlir.frontends.torch._views import changes_in_place, root

_RANDOM = "depends on random numbers, which are not those of PyTorch"


def of_module(
    source: torch.nn.Module | torch.export.ExportedProgram, args: Any, kwargs: Any
) -> Values:
    """The values of a module, in the dtypes that it has, for arguments as it takes them.

    Raises:
        CompileError: it cannot be exported.
    """
    if isinstance(source, torch.export.ExportedProgram):
        exported, title = source, "an exported program of PyTorch"
    else:
        exported = exported_module(source, args, kwargs)
        title = f"{type(source).__name__} in PyTorch"
    # Its ops are those that the importer takes.
    program = import_program(exported).program
    return _values(title, program, {}, pytree.tree_leaves((tuple(args), dict(kwargs))), False)


def in_f64(
    program: torch.export.ExportedProgram,
    buffers: Mapping[str, torch.Tensor],
    leaves: Sequence[Any],
) -> Values:
    """The values of a program that was imported, computed in float64.

    Args:
        program: taken apart as for the importer.
        buffers: those that calls change, as they are before the call.
        leaves: the arguments.
    """
    return _values("PyTorch in float64", program, buffers, leaves, True)


def _values(
    title: str,
    program: torch.export.ExportedProgram,
    buffers: Mapping[str, torch.Tensor],
    leaves: Sequence[Any],
    is_double: bool,
) -> Values:
    walk = _Walk(program.graph_module, is_double)
    default = torch.float64 if is_double else torch.get_default_dtype()
    with torch.no_grad(), _default_dtype(default), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = pytree.tree_leaves(walk.run(*_inputs(program, buffers, leaves)))
    kinds = [spec.kind for spec in program.graph_signature.output_specs]
    first = (OutputKind.BUFFER_MUTATION, OutputKind.USER_INPUT_MUTATION)
    chosen = [r for r, k in zip(results, kinds, strict=True) if k in first]
    chosen += [r for r, k in zip(results, kinds, strict=True) if k not in first]
    outputs = [_array(r) for r in chosen if isinstance(r, torch.Tensor)]
    random = [v is not None and v in walk.random for v in _output_nodes(program, first)]
    return Values(
        title,
        walk.values,
        [None if r else o for o, r in zip(outputs, random, strict=False)],
        walk.unknown,
    )


@contextmanager
def _default_dtype(dtype: torch.dtype) -> Iterator[None]:
    """What integers become where an op makes floats of them."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def _output_nodes(program: torch.export.ExportedProgram, first: Any) -> list[Any]:
    """The nodes of the outputs in the order of the program that is imported."""
    [output] = [n for n in program.graph.nodes if n.op == "output"]
    nodes = pytree.tree_leaves(output.args[0])
    specs = program.graph_signature.output_specs
    pairs = list(zip(nodes, specs, strict=True))
    ordered = [n for n, s in pairs if s.kind in first] + [
        n for n, s in pairs if s.kind not in first
    ]
    return [n for n in ordered if isinstance(n, torch.fx.Node)]


def _inputs(
    program: torch.export.ExportedProgram,
    buffers: Mapping[str, torch.Tensor],
    leaves: Sequence[Any],
) -> list[Any]:
    """The values of the placeholders, in their order."""
    given = iter(leaves)
    found: list[Any] = []
    for spec in program.graph_signature.input_specs:
        if spec.kind == InputKind.USER_INPUT:
            value = next(given)
            found.append(tensor_of(value) if isinstance(value, np.ndarray) else value)
        elif spec.target in buffers:
            found.append(buffers[spec.target])
        elif spec.target in program.state_dict:
            found.append(program.state_dict[spec.target])
        elif spec.target in program.constants:
            found.append(program.constants[spec.target])
        else:
            raise Error(f"the program has no tensor '{spec.target}'")
    return found


class _Walk(torch.fx.Interpreter):  # type: ignore[misc]
    """Runs a graph and keeps the results of its ops."""

    def __init__(self, module: torch.fx.GraphModule, is_double: bool) -> None:
        super().__init__(module)
        self._is_double = is_double
        self._names: dict[torch.fx.Node, str] = {}
        name_ops(module.graph, self._names)
        self.values: dict[str, tuple[Array, ...]] = {}
        self.unknown: dict[str, str] = {}
        #: Nodes that depend on random numbers.
        self.random: set[torch.fx.Node] = set()

    def run_node(self, node: torch.fx.Node) -> Any:
        result = self._computed(node)
        if changes_in_place(node.target):
            # The values that were kept stay as they are.
            own = root(node)
            self.env.update({n: result for n in self.env if root(n) is own})
        if _is_random(node) or any(n in self.random for n in node.all_input_nodes):
            self.random.add(node)
        name = self._names.get(node)
        if name is not None:
            used = [x for i, x in enumerate(_listed(result)) if _is_used(node, i)]
            self.values[name] = tuple(_array(x) for x in used if isinstance(x, torch.Tensor))
            if node in self.random:
                self.unknown[name] = _RANDOM
        return result

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        if not changes_in_place(target):
            return super().call_function(target, args, kwargs)
        made: Any = functional(target)
        return made(*args, **kwargs).to(args[0].dtype)

    def _computed(self, node: torch.fx.Node) -> Any:
        if not self._is_double:
            return super().run_node(node)
        if node.op != "call_function" or node.target is operator.getitem:
            return pytree.tree_map(_doubled, super().run_node(node))
        args, kwargs = self.fetch_args_kwargs_from_env(node)
        if not _keeps_dtypes(node):
            args, kwargs = pytree.tree_map(_doubled, (args, kwargs))
            return pytree.tree_map(_doubled, self.call_function(node.target, args, kwargs))
        # What it does depends on the dtypes that the program says.
        metas = torch.fx.node.map_arg((node.args, node.kwargs), lambda n: n.meta.get("val"))
        args, kwargs = pytree.tree_map(_as_meta, (args, kwargs), metas)
        return pytree.tree_map(_doubled, self.call_function(node.target, args, kwargs))


def _is_random(node: torch.fx.Node) -> bool:
    """Whether an op draws numbers as it is called: a dropout does so when it trains, and drops."""
    if torch.Tag.nondeterministic_seeded not in getattr(node.target, "tags", ()):
        return False
    schema = node.target._schema  # type: ignore[union-attr]
    names = [argument.name for argument in schema.arguments]
    given = {a.name: a.default_value for a in schema.arguments if a.has_default_value()}
    given |= dict(zip(names, node.args, strict=False)) | node.kwargs
    return all(
        given[name] is None or bool(given[name])
        for name in ("p", "dropout_p", "train", "training")
        if name in given
    )


def _listed(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


def _is_used(node: torch.fx.Node, i: int) -> bool:
    """Whether something reads result ``i`` of several, or the only one."""
    reads = [user.args[1] for user in node.users if user.target is operator.getitem]
    return not reads or i in reads


def _keeps_dtypes(node: torch.fx.Node) -> bool:
    """Whether an op reads the bits of floats, or has a graph of its own."""
    is_graph = isinstance(node.target, torch._ops.HigherOrderOperator)
    return is_graph or str(node.target) == "aten.view.dtype"


def _doubled(x: Any) -> Any:
    """A float or its dtype in 64 bits; everything else as it is."""
    if isinstance(x, torch.Tensor):
        return x.double() if x.is_floating_point() else x
    if isinstance(x, torch.dtype) and x.is_floating_point:
        return torch.float64
    return x


def _as_meta(x: Any, meta: Any) -> Any:
    if isinstance(x, torch.Tensor) and isinstance(meta, torch.Tensor):
        return x.to(meta.dtype)
    return x


def _array(x: torch.Tensor) -> Array:
    return array_of(x.detach())
