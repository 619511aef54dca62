"""Division of programs over chips: ``ttmlir.compile(..., parallel=...)``."""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any, Literal, get_args

from ttmlir import ir
from ttmlir._lowering import mark_arguments
from ttmlir.errors import CompileError, Error

#: The kinds of parallelism along a mesh axis: see ``ttir-partition``.
Kind = Literal["data", "sequence", "tensor", "expert"]
#: The tensor dimension that each mesh axis shards, or None.
ShardDims = Sequence[int | None]
Parallel = Kind | Literal["auto"] | Mapping[str, int | ShardDims]

_KINDS: tuple[str, ...] = get_args(Kind)
_EXPECTED = (
    f"{', '.join(map(repr, (*_KINDS, 'auto')))}, or a mapping of these to numbers of chips and of "
    "name patterns of arguments to shardings"
)


@dataclass(frozen=True)
class Division:
    """The division of a program over chips.

    Args:
        mesh_shape: of the chips; empty if it is set elsewhere.
        kinds: a kind or "none" for each mesh axis.
        shardings: the dimension that each mesh axis shards, or -1, by argument name pattern.
    """

    mesh_shape: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()
    shardings: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def mark(self, module: ir.Module) -> None:
        """Sets the shardings on the arguments of the module's functions.

        Raises:
            CompileError: a pattern matches no argument name.
        """
        if not self.shardings:
            return
        found: set[str] = set()
        names: dict[str, None] = {}

        def marks(name: str, number: int) -> dict[str, ir.Attribute]:
            names[name] = None
            matching = [p for p in self.shardings if fnmatch.fnmatchcase(name, p)]
            found.update(matching)
            if not matching:
                return {}
            dims = ir.DenseI64ArrayAttr.get(list(self.shardings[matching[-1]]), module.context)
            return {"tt.shard_dims": dims}

        mark_arguments(module, marks)
        for pattern in self.shardings:
            if pattern not in found:
                near = difflib.get_close_matches(pattern, names, 1)
                hint = f"; did you mean '{near[0]}'?" if near else ""
                raise CompileError(f"parallel: no argument matches '{pattern}'{hint}")


def division(parallel: Any, mesh_shape: Sequence[int], chips: int) -> Division:
    """Reads the argument ``parallel`` of ``ttmlir.compile``.

    Args:
        parallel: a kind, a mapping, or None.
        mesh_shape: the mesh shape given by the user, or empty.
        chips: the number of chips of the system.

    Raises:
        Error: an invalid argument, or one that does not fit the mesh or the system.
    """
    if parallel is None:
        return Division()
    if isinstance(parallel, str):
        if parallel not in _KINDS:
            raise Error(f"parallel: expected {_EXPECTED}, found {parallel!r}")
        if mesh_shape:
            return Division(kinds=(parallel,) * len(mesh_shape))
        return Division((1, chips), ("none", parallel))
    if not isinstance(parallel, Mapping) or not parallel:
        raise Error(f"parallel: expected {_EXPECTED}, found {parallel!r}")
    counts: dict[str, int] = {}
    shardings: dict[str, tuple[int, ...]] = {}
    for name, value in parallel.items():
        if isinstance(value, Sequence) and not isinstance(value, str):
            shardings[name] = _dims(name, value)
        elif name in _KINDS:
            counts[name] = _count(name, value)
        else:
            raise Error(
                f"parallel: '{name}': expected one of {', '.join(_KINDS)} with a number of chips, "
                f"or a name pattern with a sharding such as (None, 0), found {value!r}"
            )
    return _on_mesh(counts, shardings, tuple(mesh_shape), chips)


def _on_mesh(
    counts: Mapping[str, int],
    shardings: Mapping[str, tuple[int, ...]],
    mesh_shape: tuple[int, ...],
    chips: int,
) -> Division:
    if counts and mesh_shape:
        raise Error(
            f"parallel: expected numbers of chips or mesh_shape, found {dict(counts)} and "
            f"{mesh_shape}"
        )
    if not counts and not mesh_shape:
        raise Error("parallel: shardings need mesh_shape, or a kind with a number of chips")
    made = tuple(counts.values())
    kinds = tuple(counts)
    if len(made) == 1:
        made, kinds = (1, *made), ("none", *kinds)
    mesh = mesh_shape or made
    total = 1
    for extent in mesh:
        total *= extent
    if total > chips:
        raise Error(f"parallel: {total} chips in the mesh {_text(mesh)}, the target has {chips}")
    for pattern, dims in shardings.items():
        if len(dims) != len(mesh):
            raise Error(
                f"parallel: '{pattern}': expected an entry for each axis of the mesh "
                f"{_text(mesh)}, found {len(dims)}"
            )
    return Division(made, kinds, shardings)


def _text(mesh: Sequence[int]) -> str:
    return "x".join(map(str, mesh))


def _count(name: str, value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__") or index(value) < 1:
        raise Error(f"parallel: '{name}': expected a positive number of chips, found {value!r}")
    return index(value)


def _dims(pattern: str, value: Sequence[Any]) -> tuple[int, ...]:
    dims = []
    for dim in value:
        if dim is not None and (not hasattr(dim, "__index__") or index(dim) < 0):
            raise Error(
                f"parallel: '{pattern}': expected dimensions or None for each axis of the mesh, "
                f"found {value!r}"
            )
        dims.append(-1 if dim is None else index(dim))
    return tuple(dims)
