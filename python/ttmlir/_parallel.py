"""Division of programs over chips: ``ttmlir.compile(..., parallel=...)``."""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from operator import index
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from ttmlir import ir
from ttmlir._lowering import mark_arguments
from ttmlir.errors import CompileError, Error
from ttmlir.frontends import ParameterShardings

if TYPE_CHECKING:
    from torch.distributed.tensor.parallel import ParallelStyle

#: The kinds of parallelism along a mesh axis: see ``ttir-partition``, and ``ttir-pipeline-stages``.
Kind = Literal["data", "sequence", "tensor", "expert", "pipeline"]
#: The tensor dimension that each mesh axis shards, or None.
ShardDims = Sequence[int | None]
#: A style for all modules that a pattern matches, or one for each mesh axis, or None.
Styles: TypeAlias = "ParallelStyle | Sequence[ParallelStyle | None]"
Parallel: TypeAlias = (
    "Kind | Literal['auto'] | ParallelStyle | Mapping[str, int | ShardDims | Styles]"
)

_KINDS: tuple[str, ...] = get_args(Kind)
#: The kind of an axis whose chips have different stages of the program.
PIPELINE = "pipeline"
_EXPECTED = (
    f"{', '.join(map(repr, (*_KINDS, 'auto')))}, or a mapping of these to numbers of chips and of "
    "name patterns of arguments to shardings, or, for a module of PyTorch, of modules to styles"
)


@dataclass(frozen=True)
class Division:
    """The division of a program over chips.

    Args:
        mesh_shape: of the chips; empty if it is set elsewhere.
        kinds: a kind or "none" for each mesh axis.
        shardings: the dimension that each mesh axis shards, or -1, by argument name pattern.
        parameters: likewise, by the name of an argument that the program may not have; patterns
            have priority.
    """

    mesh_shape: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()
    shardings: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    parameters: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def stages(self) -> int:
        """The number of pipeline stages; 0 if the program is not cut."""
        return self.mesh_shape[self.kinds.index(PIPELINE)] if PIPELINE in self.kinds else 0

    def mark(self, module: ir.Module) -> None:
        """Sets the shardings on the arguments of the module's functions.

        Raises:
            CompileError: a pattern matches no argument name, or an argument that the sharding does
                not fit.
        """
        if not self.shardings and not self.parameters:
            return
        found: set[str] = set()
        names: dict[str, None] = {}

        def marks(name: str, argument: ir.BlockArgument[Any]) -> dict[str, ir.Attribute]:
            names[name] = None
            matching = [p for p in self.shardings if fnmatch.fnmatchcase(name, p)]
            found.update(matching)
            dims = self.shardings[matching[-1]] if matching else self.parameters.get(name)
            if matching:
                self._check(matching[-1], name, argument)
            # Block floats have a layout; the kind of the axis divides their products.
            if dims is None or (not matching and getattr(argument.type, "encoding", None)):
                return {}
            return {"tt.shard_dims": ir.DenseI64ArrayAttr.get(list(dims), module.context)}

        mark_arguments(module, marks)
        for pattern in self.shardings:
            if pattern not in found:
                near = difflib.get_close_matches(pattern, names, 1)
                hint = f"; did you mean '{near[0]}'?" if near else ""
                raise CompileError(f"parallel: no argument matches '{pattern}'{hint}")

    def _check(self, pattern: str, name: str, argument: ir.BlockArgument[Any]) -> None:
        """Checks the sharding of an argument.

        Raises:
            CompileError: an axis shards a dimension that the argument does not have, or that the
                chips do not divide.
        """
        shaped, dims, mesh = argument.type, self.shardings[pattern], _text(self.mesh_shape)
        if not isinstance(shaped, ir.RankedTensorType) or not shaped.has_static_shape:
            return  # An error of the compiler.
        found = f"'{name}', {_text(shaped.shape)}"
        for axis, dim in enumerate(dims):
            if dim >= shaped.rank:
                raise CompileError(
                    f"parallel: '{pattern}': expected a dimension of {found}, below {shaped.rank}, "
                    f"or None, for axis {axis} of the mesh {mesh}, found {dim}"
                )
        for dim, extent in enumerate(shaped.shape):
            axes = [axis for axis, own in enumerate(dims) if own == dim]
            if extent % (parts := prod(self.mesh_shape[axis] for axis in axes)):
                names = " and ".join(map(str, axes))
                raise CompileError(
                    f"parallel: '{pattern}': {parts} chips along axis {names} of the mesh {mesh} "
                    f"do not divide dimension {dim} of {found}"
                )


def division(
    parallel: Any,
    mesh_shape: Sequence[int],
    chips: int,
    planned: ParameterShardings | None = None,
) -> Division:
    """Reads the argument ``parallel`` of ``ttmlir.compile``.

    Args:
        parallel: a kind, a mapping, or None.
        mesh_shape: the mesh shape given by the user, or empty.
        chips: the number of chips of the system.
        planned: shardings of parameters, for which ``parallel`` is a mapping or None.

    Raises:
        Error: an invalid argument, or one that does not fit the mesh or the system.
    """
    if planned is not None:
        counts, shardings = _entries(parallel or {})
        return _planned(planned, counts, shardings, tuple(mesh_shape), chips)
    if parallel is None:
        return Division()
    if isinstance(parallel, str):
        if parallel not in _KINDS:
            raise Error(f"parallel: expected {_EXPECTED}, found {parallel!r}")
        if mesh_shape and parallel == PIPELINE:
            chips_given = f"such as {{'{PIPELINE}': {prod(mesh_shape)}}}"
            raise Error(
                f"parallel: '{PIPELINE}': expected numbers of chips, {chips_given}, instead "
                f"of mesh_shape"
            )
        if mesh_shape:
            return Division(kinds=(parallel,) * len(mesh_shape))
        return Division((1, chips), ("none", parallel))
    if not isinstance(parallel, Mapping) or not parallel:
        raise Error(f"parallel: expected {_EXPECTED}, found {parallel!r}")
    counts, shardings = _entries(parallel)
    return _on_mesh(counts, shardings, tuple(mesh_shape), chips)


def _entries(
    parallel: Mapping[str, Any],
) -> tuple[dict[str, int], dict[str, tuple[int, ...]]]:
    """Returns the numbers of chips by kind, and the shardings by argument name pattern."""
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
    return counts, shardings


def _on_mesh(
    counts: Mapping[str, int],
    shardings: Mapping[str, tuple[int, ...]],
    mesh_shape: tuple[int, ...],
    chips: int,
) -> Division:
    _check_one(counts, mesh_shape)
    if not counts and not mesh_shape:
        raise Error("parallel: shardings need mesh_shape, or a kind with a number of chips")
    made = tuple(counts.values())
    kinds = tuple(counts)
    if len(made) == 1:
        made, kinds = (1, *made), ("none", *kinds)
    _check_mesh(mesh_shape or made, shardings, chips)
    _check_stages(kinds, shardings)
    return Division(mesh_shape or made, kinds, shardings)


def _check_one(counts: Mapping[str, int], mesh_shape: tuple[int, ...]) -> None:
    if counts and mesh_shape:
        raise Error(
            f"parallel: expected numbers of chips or mesh_shape, found {dict(counts)} and "
            f"{mesh_shape}"
        )


def _check_stages(kinds: Sequence[str], shardings: Mapping[str, tuple[int, ...]]) -> None:
    """Checks that no sharding is along the axis of a pipeline."""
    for axis, kind in enumerate(kinds):
        for pattern, dims in shardings.items():
            if kind == PIPELINE and dims[axis] >= 0:
                raise Error(
                    f"parallel: '{pattern}': expected None for axis {axis} of the mesh, whose "
                    f"chips are stages, found {dims[axis]}"
                )


def _check_mesh(
    mesh: tuple[int, ...], shardings: Mapping[str, tuple[int, ...]], chips: int
) -> None:
    if (total := prod(mesh)) > chips:
        raise Error(f"parallel: {total} chips in the mesh {_text(mesh)}, the target has {chips}")
    for pattern, dims in shardings.items():
        if len(dims) != len(mesh):
            raise Error(
                f"parallel: '{pattern}': expected an entry for each axis of the mesh "
                f"{_text(mesh)}, found {len(dims)}"
            )


# Plans -------------------------------------------------------------------------------------------


def _planned(
    planned: ParameterShardings,
    counts: Mapping[str, int],
    shardings: Mapping[str, tuple[int, ...]],
    mesh_shape: tuple[int, ...],
    chips: int,
) -> Division:
    """Combines a plan with at most one kind, on the other axis."""
    _check_one(counts, mesh_shape)
    if len(counts) > 1:
        raise Error(
            f"parallel: expected at most one kind, on the axis that the plan does not shard, "
            f"found {', '.join(counts)}"
        )
    count = next(iter(counts.values()), 0)
    single = len(planned.kinds) == 1
    mesh, axes = (_mesh_of_axis if single else _mesh_of_axes)(planned, count, mesh_shape, chips)
    kinds = ["none"] * len(mesh)
    for axis, kind in zip(axes, planned.kinds, strict=True):
        kinds[axis] = kind
    for kind in counts:
        free = [i for i, own in enumerate(kinds) if own == "none" and mesh[i] == count]
        if not free:
            raise Error(
                f"parallel: '{kind}': expected {count} chips on an axis that the plan does not "
                f"shard, found the mesh {_text(mesh)}"
            )
        kinds[free[0]] = kind
    _check_mesh(mesh, shardings, chips)
    _check_stages(kinds, shardings)
    parameters = {}
    for name, parameter in planned.parameters.items():
        dims: list[int | None] = [None] * len(mesh)
        for axis, dim in zip(axes, parameter.dims, strict=True):
            dims[axis] = dim
        for dim, extent in enumerate(parameter.shape):
            sharded = [axis for axis, own in enumerate(dims) if own == dim]
            if extent % (parts := prod(mesh[axis] for axis in sharded)):
                raise Error(
                    f"parallel: {parameter.origin}: {parts} chips along axis "
                    f"{' and '.join(map(str, sharded))} of the mesh {_text(mesh)} do not divide "
                    f"dimension {dim} of '{name}', {_text(parameter.shape)}"
                )
        parameters[name] = tuple(-1 if dim is None else dim for dim in dims)
    return Division(mesh, tuple(kinds), shardings, parameters)


#: A mesh, and its axes that the plan shards.
_Mesh = tuple[tuple[int, ...], tuple[int, ...]]


def _mesh_of_axis(
    planned: ParameterShardings, count: int, mesh_shape: tuple[int, ...], chips: int
) -> _Mesh:
    """Returns the mesh of a plan for one axis; ``count`` chips, or 0, are along the other one."""
    [own] = planned.mesh_shape or (None,)
    if not mesh_shape:
        return (count or 1, _rest(count, chips) if own is None else own), (1,)
    long = [i for i, extent in enumerate(mesh_shape) if extent > 1 and own in (None, extent)]
    if not long and own is not None and own > 1:
        raise Error(
            f"mesh_shape: expected an axis of {own} chips, as in the device mesh of the module, "
            f"found {_text(mesh_shape)}"
        )
    if len(long) > 1:
        raise Error(
            f"parallel: the plan does not name an axis of the mesh {_text(mesh_shape)}: expected a "
            "style or None for each axis, such as (None, ColwiseParallel())"
        )
    return mesh_shape, (long[0] if long else len(mesh_shape) - 1,)


def _mesh_of_axes(
    planned: ParameterShardings, count: int, mesh_shape: tuple[int, ...], chips: int
) -> _Mesh:
    """Returns the mesh of a plan that names its axes."""
    axes = tuple(range(len(planned.kinds)))
    mesh = planned.mesh_shape or mesh_shape
    if not mesh:
        if not count or "none" not in planned.kinds:
            raise Error("parallel: a plan that names its axes needs mesh_shape")
        free = planned.kinds.index("none")
        mesh = tuple(count if axis == free else _rest(count, chips) for axis in axes)
    if len(mesh) != len(axes) or (mesh_shape and mesh != mesh_shape):
        expected = planned.mesh_shape and f"{_text(mesh)}, the device mesh of the module"
        raise Error(
            f"mesh_shape: expected {expected or f'{len(axes)} axes, as in the plan'}, "
            f"found {_text(mesh_shape)}"
        )
    return mesh, axes


def _rest(count: int, chips: int) -> int:
    """Returns the number of chips of the axis of a plan beside an axis of ``count``."""
    if count and chips % count:
        raise Error(f"parallel: {count} chips do not divide the {chips} chips of the target")
    return chips // count if count else chips


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
