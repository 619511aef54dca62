"""Modules as graphs: one for each function and each region of an op.

>>> import ttmlir
>>> from ttmlir.explorer.graphs import graphs_of
>>> b = ttmlir.Builder()
>>> b.output(b.relu(b.input("x", (32, 32)), name="block/clip"))
>>> [graph] = graphs_of(b.module)
>>> [(node.label, node.namespace) for node in graph.nodes if node.op == "ttir.relu"]
[('clip: ttir.relu', 'block')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ttmlir import ir
from ttmlir.explorer.tensors import attribute, describe

#: Ops that only allocate a result. They have the location of the op that writes it.
EMPTY = ("tensor.empty", "ttir.empty", "ttnn.empty", "ttnn.get_device")
#: Ops that only move a tensor. They have the location of the op that produces or reads it.
MOVES = (
    "ttir.to_layout",
    "ttnn.to_layout",
    "ttnn.to_memory_config",
    "ttnn.to_device",
    "ttnn.from_device",
)
#: Names of the regions of ops, where they are not numbered.
_REGIONS = {"scf.if": ("then", "else"), "scf.while": ("before", "after")}


@dataclass(frozen=True)
class Edge:
    """An operand: the node that computes it, the index of the result there, and its own index."""

    source: str
    output: int
    input: int


@dataclass
class Node:
    """An op, a block argument, or a value captured from outside of the region.

    ``name`` is the name in the op's location, which overrides refer to; ``source`` its position in
    a file; ``outputs`` the properties of each result, see ``tensors.describe``; ``subgraphs`` the
    ids of nested or called graphs. ``record`` identifies an op of a compiled program in a
    report.
    """

    id: str
    op: str
    label: str
    name: str = ""
    namespace: str = ""
    source: str = ""
    record: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    inputs: list[Edge] = field(default_factory=list)
    outputs: list[dict[str, str]] = field(default_factory=list)
    subgraphs: list[str] = field(default_factory=list)


@dataclass
class Graph:
    """``function`` is the name of the function that it represents or is nested in."""

    id: str
    function: str
    nodes: list[Node]


#: The locations of ops in a compiled program, by function and ``record_of``.
Locations = Mapping[tuple[str, str], ir.Location]


def graphs_of(module: ir.Module, locations: Locations | None = None) -> list[Graph]:
    """Builds the graphs of a module; a function's graph comes before the graphs nested in it.

    Args:
        module: a verified module of any dialects.
        locations: locations of ops that the module itself does not have.
    """
    reader = _Reader(ir.AsmState(module.operation), locations or {})
    reader.symbols(module.operation, "")
    ids = {graph.id for graph in reader.graphs}
    for graph in reader.graphs:
        for node in graph.nodes:
            node.subgraphs = [id for id in node.subgraphs if id in ids]
    return reader.graphs


def choosable(node: Node) -> bool:
    """Whether it computes a tensor, so that a user can choose the layout of the result."""
    tensor = bool(node.outputs) and "shape" in node.outputs[0]
    return tensor and node.op not in (*EMPTY, *MOVES, "argument", "value")


def record_of(text: str) -> str:
    """Returns the part of an op's debug text in a file that identifies it in its function: results,
    name and operands."""
    found = re.match(r'(?:(%\w+)(?::\d+)? = )?"([\w.]+)"\(([^)]*)\)', text)
    return _record(found[1] or "", found[2], found[3]) if found else ""


def _record(result: str, name: str, operands: str) -> str:
    return f"{result} {name} {operands}"


def names_of(location: ir.Location) -> list[str]:
    """Returns the names in a location, from the outermost: callers come before callees, and slashes
    separate names."""
    if location.is_a_callsite():
        return names_of(location.caller) + names_of(location.callee)
    if location.is_a_fused():
        return next((names for part in location.locations if (names := names_of(part))), [])
    if location.is_a_name():
        return [name for name in location.name_str.split("/") if name]
    return []


def place_of(location: ir.Location) -> str:
    """Returns ``file:line:column``, or an empty string."""
    if location.is_a_file():
        # MLIR's file name for a text without one, which cannot be opened.
        if location.filename == "-":
            return ""
        return f"{location.filename}:{location.start_line}:{location.start_col}"
    inner: list[ir.Location] = []
    if location.is_a_callsite():
        inner = [location.callee, location.caller]
    elif location.is_a_fused():
        inner = location.locations
    elif location.is_a_name():
        inner = [location.child_loc]
    return next((place for part in inner if (place := place_of(part))), "")


class _Reader:
    def __init__(self, state: ir.AsmState, locations: Locations) -> None:
        self._state = state
        self._locations = locations
        self.graphs: list[Graph] = []

    def symbols(self, operation: ir.Operation, prefix: str) -> None:
        """Builds a graph for each function in a module, and one for all other ops of the module."""
        others = []
        for op in _ops(operation):
            name = op.attributes["sym_name"].value if "sym_name" in op.attributes else ""
            if op.name == "builtin.module" or (op.regions and _holds_symbols(op)):
                self.symbols(op, f"{prefix}{name or op.name}/")
            elif name and len(op.regions) == 1:
                self.region(op.regions[0], prefix + name, name)
            else:
                others.append(op)
        if others:
            self.graph(prefix + "module", "", [], others)

    def region(self, region: ir.Region, id: str, function: str) -> None:
        blocks = list(region.blocks)
        arguments = [argument for block in blocks for argument in block.arguments]
        self.graph(id, function, arguments, [op.operation for b in blocks for op in b.operations])

    def graph(self, id: str, function: str, arguments: list[Any], ops: list[Any]) -> None:
        id = self._unique(id)
        graph = Graph(id, function, [self._argument(value) for value in arguments])
        self.graphs.append(graph)
        made = [self._op(op, index, graph) for index, op in enumerate(ops)]
        graph.nodes += made
        values = {node.id: (node.id, 0) for node in graph.nodes}
        for op, node in zip(ops, made, strict=True):
            for number, result in enumerate(op.results):
                values[result.get_name(self._state)] = (node.id, number)
        for op, node in zip(ops, made, strict=True):
            for number, operand in enumerate(op.operands):
                name = operand.get_name(self._state)
                if name not in values:
                    outside = Node(name, "value", f"{name} of outside")
                    outside.outputs.append(describe(operand.type))
                    graph.nodes.append(outside)
                    values[name] = (name, 0)
                node.inputs.append(Edge(*values[name], number))

    def _argument(self, value: Any) -> Node:
        id = value.get_name(self._state)
        names = names_of(value.location)
        name = "/".join(names)
        node = Node(id, "argument", name or id, name, source=place_of(value.location))
        node.outputs.append(describe(value.type))
        return node

    def _op(self, op: Any, index: int, graph: Graph) -> Node:
        results = [result.get_name(self._state) for result in op.results]
        first = results[0].partition("#")[0] if results else ""
        record = _record(first, op.name, ", ".join(v.get_name(self._state) for v in op.operands))
        location = self._locations.get((graph.function, record), op.location)
        names = names_of(location)
        node = Node(first or f"{op.name}@{index}", op.name, ": ".join([*names[-1:], op.name]))
        node.name = location.name_str if location.is_a_name() else ""
        node.namespace = "/".join(names[:-1])
        node.source = place_of(location)
        node.record = record
        node.attributes = {key: attribute(value) for key, value in op.attributes.items()}
        node.outputs = [describe(result.type) for result in op.results]
        node.subgraphs = [
            value.value
            for value in op.attributes.values()
            if isinstance(value, ir.FlatSymbolRefAttr)
        ]
        for name, region in zip(_region_names(op), op.regions, strict=True):
            if len(region.blocks):
                id = self._unique(f"{graph.id}/{node.id} {name}")
                node.subgraphs.append(id)
                self.region(region, id, graph.function)
        return node

    def _unique(self, id: str) -> str:
        taken = {graph.id for graph in self.graphs}
        number, unique = 2, id
        while unique in taken:
            number, unique = number + 1, f"{id} ({number})"
        return unique


def _ops(operation: Any) -> Iterator[Any]:
    for region in operation.regions:
        for block in region.blocks:
            yield from (op.operation for op in block.operations)


def _holds_symbols(op: Any) -> bool:
    return any("sym_name" in inner.attributes for inner in _ops(op))


def _region_names(op: Any) -> list[str]:
    count = len(op.regions)
    if "kernelConfigs" in op.attributes:
        # `#ttkernel.noc_config<noc0>` gives the thread; there is only one compute kernel.
        configs = map(str, op.attributes["kernelConfigs"])
        threads = [re.search(r"noc\d", text) for text in configs]
        return [f"kernel {i} {t[0] if t else 'compute'}" for i, t in enumerate(threads)]
    names = _REGIONS.get(op.name, ())
    return list(names) if len(names) == count else [f"region {i}" for i in range(count)]
