"""Writes costs and errors of ops as node data for Model Explorer.

>>> import ttmlir
>>> from ttmlir.explorer.files import program_graphs
>>> from ttmlir.explorer.overlays import overlays_of
>>> b = ttmlir.Builder()
>>> b.output(b.relu(b.input("x", (32, 32))))
>>> exe = ttmlir.compile(b)
>>> overlays = overlays_of(program_graphs(exe), [exe.report()])
>>> sorted(overlays)
['DRAM traffic in bytes', 'L1 high water in bytes', 'time in cycles']
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ttmlir._files import file_error, read_file
from ttmlir.errors import Error, to_name, to_place
from ttmlir.explorer.files import read_graphs
from ttmlir.explorer.graphs import Graph, Node, choosable, record_of
from ttmlir.report import Report

#: By overlay, graph and node.
Overlays = dict[str, dict[str, dict[str, float]]]

_VALUES: dict[str, Callable[[Mapping[str, Any]], float]] = {
    "time in cycles": lambda op: op["cycles"],
    "DRAM traffic in bytes": lambda op: op["dram_read_bytes"] + op["dram_write_bytes"],
    "L1 high water in bytes": lambda op: op["l1_high_water"],
}
#: Colour gradient: greater values are more red.
GRADIENT = ({"stop": 0, "bgColor": "#ffffff"}, {"stop": 1, "bgColor": "#e4572e"})
ACCURACY = "greatest error, relative"


def overlays_of(
    graphs: Sequence[Graph],
    reports: Sequence[Report | Mapping[str, Any]],
    accuracy: Mapping[str, Mapping[str, Any]] | None = None,
) -> Overlays:
    """Returns the costs of a run at the nodes that caused them.

    Args:
        graphs: of the compiled program, or of its source.
        reports: of its functions, from ``Executable.report()`` or ``read_perf``.
        accuracy: the accuracy of ops by name.
    """
    found: Overlays = {name: defaultdict(dict) for name in _VALUES}
    for program, ops in map(_program, reports):
        own = [graph for graph in graphs if graph.function == program]
        for op in ops:
            if place := _find(own, op["location"]):
                graph, node = place
                for name, value in _VALUES.items():
                    values = found[name][graph.id]
                    high_water = name.startswith("L1")
                    before = values.get(node.id, 0.0)
                    new = float(value(op))
                    values[node.id] = max(before, new) if high_water else before + new
    for graph in graphs:
        values = {
            node.id: error["max_error"] / (error["max_value"] or 1.0)
            for node in graph.nodes
            if choosable(node) and (error := (accuracy or {}).get(node.name))
        }
        if values:
            found.setdefault(ACCURACY, {})[graph.id] = values
    return {name: values for name, values in found.items() if values}


def save_overlays(model: str, report: Report | str, folder: str) -> list[Path]:
    """Writes a file for each overlay, for ``model-explorer --node_data_paths``.

    Args:
        model: the file that Model Explorer shows.
        report: ``Executable.report()``, or the path of the ``perf.json`` of ``ttrt perf``.
        folder: the output folder.
    """
    costs = [report] if isinstance(report, Report) else read_perf(report)
    paths = []
    for name, by_graph in overlays_of(read_graphs(model), costs).items():
        path = Path(folder, f"{Path(model).name}.{name.split()[0].lower()}.json")
        data = {
            graph: {
                "name": name,
                "results": {node: {"value": value} for node, value in values.items()},
                "gradient": GRADIENT,
            }
            for graph, values in by_graph.items()
        }
        try:
            path.write_text(json.dumps(data), encoding="utf-8")
        except OSError as error:
            raise file_error(path, "written", error) from None
        paths.append(path)
    return paths


def read_perf(path: str) -> list[dict[str, Any]]:
    """Reads the ``perf.json`` of ``ttrt perf``."""
    try:
        programs = json.loads(read_file(path))
        for program in programs:
            [(op["location"], *(value(op) for value in _VALUES.values())) for op in _ops(program)]
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Error(f"'{path}': expected the perf.json of ttrt perf") from None
    return list(programs)


def _program(report: Report | Mapping[str, Any]) -> tuple[str, Sequence[Mapping[str, Any]]]:
    if isinstance(report, Report):
        return report.program, [asdict(op) for op in report.ops]
    return report["program"], _ops(report)


def _ops(program: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Returns the ops of a program; none for `ttrt perf --host-only`."""
    ops: Sequence[Mapping[str, Any]] = program.get("device", {}).get("ops", [])
    return ops


def _find(graphs: Sequence[Graph], location: str) -> tuple[Graph, Node] | None:
    """Finds the node of an op in a report; in another form of the program, the node it came
    from."""
    record = record_of(location)
    where = f"loc({location.rpartition(' loc(')[2]}"
    name, place = to_name(where), to_place(where)
    tests: list[Callable[[Node], bool]] = [
        lambda node: bool(record) and node.record == record,
        lambda node: bool(name) and node.name == name and choosable(node),
        lambda node: bool(place) and Path(node.source).name == Path(place).name,
    ]
    for test in tests:
        for graph in graphs:
            for node in graph.nodes:
                if test(node):
                    return graph, node
    return None
