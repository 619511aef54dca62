"""Reads graphs of MLIR in any dialect that the package knows, and of compiled programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ttmlir import ir
from ttmlir._files import read_file
from ttmlir._parsing import parse
from ttmlir.errors import Error
from ttmlir.explorer.graphs import Graph, graphs_of, record_of

#: File suffixes of the runtime, and of the compiler.
BINARIES = (".ttnn", ".ttm", ".ttb")
SOURCES = (".mlir", ".mlirbc")
_SPLIT = re.compile(r"^// -----.*$", re.MULTILINE)


def read_graphs(path: str) -> list[Graph]:
    """Reads the graphs of a file.

    Raises:
        FileError: the file cannot be read.
        Error: its type is not supported, or its content is invalid.
    """
    suffix = Path(path).suffix
    if suffix in BINARIES:
        return _binary_graphs(path)
    if suffix not in SOURCES:
        raise Error(f"'{path}': expected {', '.join(SOURCES + BINARIES)}")
    parts = list(_parts(read_file(path)))
    graphs = []
    for number, part in enumerate(parts, 1):
        own = graphs_of(parse(part, path))
        if len(parts) > 1:
            _prefix(own, f"part {number}: ")
        graphs += own
    return graphs


def program_graphs(exe: Any) -> list[Graph]:
    """Returns the graphs of a compiled program, with the locations that the file stores for its
    ops."""
    if not exe.mlir:
        raise Error("the file does not have the program that it was made from")
    module = parse(exe.mlir)
    with module.context:
        locations = {}
        for program in json.loads(exe.binary.as_json(elements=False))["programs"]:
            for text in _debug_infos(program):
                _, found, location = text.rpartition(" loc(")
                if found:
                    attribute = ir.Attribute.parse(f"loc({location.strip()}")
                    key = program["name"], record_of(text)
                    locations[key] = ir.Location.from_attr(attribute)
    return graphs_of(module, locations)


def _binary_graphs(path: str) -> list[Graph]:
    from ttmlir.executable import load

    try:
        return program_graphs(load(path))
    except Error as error:
        raise error if path in str(error) else Error(f"'{path}': {error}") from None


def _parts(content: bytes) -> Iterator[bytes | str]:
    """Splits a test file into modules that keep their line numbers."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        yield content
        return
    begin = 0
    for end in [*(match.start() for match in _SPLIT.finditer(text)), len(text)]:
        if text[begin:end].strip():
            yield "\n" * text.count("\n", 0, begin) + text[begin:end]
        begin = end


def _prefix(graphs: list[Graph], prefix: str) -> None:
    for graph in graphs:
        graph.id = prefix + graph.id
        for node in graph.nodes:
            node.subgraphs = [prefix + id for id in node.subgraphs]


def _debug_infos(part: Any) -> Iterator[str]:
    """Yields the debug texts of all ops in a program, including nested ones."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "debug_info" and isinstance(value, str):
                yield value
            else:
                yield from _debug_infos(value)
    elif isinstance(part, list):
        for value in part:
            yield from _debug_infos(value)
