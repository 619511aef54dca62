"""The location of an op in the source: the Python line and the module."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass

import torch

from ttmlir.frontends.torch._aliasing import changes_in_place

_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
#: A file of an installed package.
INSTALLED = re.compile(r"[/\\](?:site|dist)-packages[/\\]")
#: Wrappers of torch.compile around module names: ``L['self'].layers.0``, ``L__self___layers_0``.
_ROOT = re.compile(r"^(?:L\['\w+'\]|L__\w+?___)\.?|^_?self\.")


@dataclass(frozen=True)
class Place:
    """A line of the user's program, with the module and the op.

    ``module`` is the name of the submodule, such as ``layers.0.mlp``; empty for the root.
    """

    module: str = ""
    op: str = ""
    file: str = ""
    line: int = 0

    @property
    def name(self) -> str:
        """The op's name in the program."""
        return f"{self.module}/{self.op}" if self.module else self.op

    @property
    def line_text(self) -> str:
        return f"{self.file}:{self.line}:1" if self.file else self.name


def place_of(node: torch.fx.Node) -> Place:
    """Returns the innermost line in the user's code; lines of installed packages count only if
    there are no others."""
    name = str(node.target).removeprefix("aten.").partition(".")[0]
    if changes_in_place(node.target):
        name = name.removesuffix("_")
    frames = [
        (file, int(line)) for file, line in _FRAME.findall(node.meta.get("stack_trace") or "")
    ]
    own = [frame for frame in frames if not INSTALLED.search(frame[0])]
    file, line = (own or frames or [("", 0)])[-1]
    return Place(_module(node), name, file, line)


def name_ops(graph: torch.fx.Graph, names: dict[torch.fx.Node, str]) -> None:
    """Gives each op of a graph a unique name: the second ``layers.0/add`` is ``layers.0/add_1``.
    Ops that have a name keep it."""
    used = set(names.values())
    for node in graph.nodes:
        if node.op != "call_function" or node.target is operator.getitem or node in names:
            continue
        name = unique = place_of(node).name
        number = 0
        while unique in used:
            number += 1
            unique = f"{name}_{number}"
        used.add(unique)
        names[node] = unique


def _module(node: torch.fx.Node) -> str:
    stack = node.meta.get("nn_module_stack") or {}
    path = ""
    for entry in stack.values():
        path = entry[0] if isinstance(entry, tuple) else str(entry)
    return _ROOT.sub("", path).strip(".")
