"""Graphs whose placeholders are all inputs, as produced by AOTAutograd."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from ttmlir.builder import Builder, Tensor
from ttmlir.frontends.complex_numbers import Complex
from ttmlir.frontends.counted import Counts
from ttmlir.frontends.diagnostics import UnsupportedError, refusal
from ttmlir.frontends.dtype_policy import DTypes, Policy
from ttmlir.frontends.torch._importer import Importer
from ttmlir.frontends.torch._locations import Place
from ttmlir.frontends.torch._types import REAL_OF, element_of, unsupported


@dataclass(frozen=True)
class ImportedGraph:
    """A graph converted to a program of the builder.

    The program takes the graph inputs with the indices in ``kept`` and, with ``is_random``, the
    random state. For each result of the graph, ``results`` has its index among the outputs of the
    program, or the tensor or number itself.
    """

    builder: Builder
    kept: tuple[int, ...]
    results: tuple[Any, ...]
    is_random: bool


@dataclass(frozen=True)
class Computed:
    """A result of a graph that is output ``number`` of the program."""

    number: int


def import_graph(
    graph: torch.fx.GraphModule, *, dtype: Policy = None, name: str = "main"
) -> ImportedGraph:
    """Converts a graph of core ATen ops to TTIR.

    Args:
        graph: its placeholders have shapes and dtypes in ``meta["val"]``.
        dtype: the format to compute in.
        name: of the function.

    Raises:
        CompileError: ops are not supported; lists all of them with their Python lines.
    """
    builder = Builder(name)
    importer = Importer(builder, DTypes(dtype), Counts())
    values: dict[torch.fx.Node, Any] = {}
    kept = []
    for number, node in enumerate(n for n in graph.graph.nodes if n.op == "placeholder"):
        meta = node.meta.get("val")
        if not node.users or not isinstance(meta, torch.Tensor):
            values[node] = None
        elif meta.numel() == 0:
            values[node] = torch.empty(meta.shape, dtype=meta.dtype)
        elif reason := unsupported(meta.dtype):
            importer.errors.append(UnsupportedError(node.name, reason, Place(op=node.name)))
            values[node] = torch.zeros(meta.shape, dtype=meta.dtype)
        else:
            values[node] = importer.argument(node.name, meta, element_of(meta.dtype))
            kept.append(number)
    found = importer.run(graph, values)
    if importer.errors:
        raise refusal(name, importer.errors)
    outputs: list[Tensor] = []
    results: list[Any] = []
    complex_results: list[int] = []
    output = next(n for n in graph.graph.nodes if n.op == "output")
    for value, node in zip(found, torch.utils._pytree.tree_leaves(output.args[0]), strict=True):
        if isinstance(value, (Tensor, Complex)):
            dtype = node.meta["val"].dtype
            if dtype in REAL_OF:
                complex_results.append(len(outputs))
            results.append(Computed(len(outputs)))
            outputs.append(importer.source(value, dtype))
        else:
            results.append(value)
    if outputs:
        builder.output(*outputs, complex_results=complex_results)
    return ImportedGraph(builder, tuple(kept), tuple(results), importer.is_random)
