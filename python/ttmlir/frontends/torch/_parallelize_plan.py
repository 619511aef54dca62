"""Plans of ``torch.distributed.tensor.parallel.parallelize_module``, without a process group.

Styles state how the parameters of a module are sharded, and which layouts activations have on its
border. A program for one chip needs only the former: the compiler chooses those of activations.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

import torch
from torch.distributed.tensor import parallel as styles
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    ParallelStyle,
    RowwiseParallel,
    SequenceParallel,
)

from ttmlir.errors import Error
from ttmlir.frontends import ParameterSharding, ParameterShardings
from ttmlir.frontends.torch._dtensors import aliases, dtensor_shardings

#: Styles that convert inputs and results of a module. Not all versions of PyTorch have all.
_BORDERS = tuple(
    getattr(styles, name)
    for name in ("PrepareModuleInput", "PrepareModuleOutput", "PrepareModuleInputOutput")
    if hasattr(styles, name)
)
#: The dimensions of a weight and a bias that an axis shards. PyTorch multiplies by the transposed
#: weight, so its columns are dimension 0.
_DIMS: dict[tuple[type, type], tuple[int | None, int | None]] = {
    (ColwiseParallel, torch.nn.Linear): (0, 0),
    (RowwiseParallel, torch.nn.Linear): (1, None),
    (ColwiseParallel, torch.nn.Embedding): (1, None),
    (RowwiseParallel, torch.nn.Embedding): (0, None),
}
#: A style for each axis, or one for the only axis of the plan.
_Styles = tuple[ParallelStyle | None, ...]


def parameter_shardings(source: Any, parallel: Any) -> tuple[ParameterShardings | None, Any]:
    """Returns the shardings of a module's ``DTensor`` parameters or those of a plan in
    ``parallel``, and the rest of ``parallel``.

    Args:
        source: a module or an exported program.
        parallel: a style for the module; or a mapping, in which module name patterns have a style,
            or a style or None for each mesh axis; or anything else, which is returned.

    Raises:
        Error: a pattern matches no module, a style does not support a module, tied parameters have
            different shardings, or a tensor has an unsupported placement.
    """
    plan, rest = _split(parallel)
    if not isinstance(source, torch.nn.Module):
        if plan:
            raise Error(
                "parallel: a plan needs the module itself, which has the names of modules, found "
                f"{type(source).__name__}"
            )
        return None, parallel
    found = dtensor_shardings(source)
    if found is None:
        return (_resolved(source, plan), rest) if plan else (None, parallel)
    if plan or isinstance(rest, str):
        raise Error(
            "parallel: the module has DTensors, which state its division: expected None, or a "
            f"mapping of inputs to shardings and of a kind to chips, found {_text(parallel)}"
        )
    return found, rest


def _text(parallel: Any) -> str:
    return repr(parallel) if isinstance(parallel, str) else "a plan"


def _split(parallel: Any) -> tuple[dict[str, _Styles], Any]:
    """Returns the entries with styles, and the rest.

    Raises:
        Error: some entries name an axis of the mesh, and others do not.
    """
    if isinstance(parallel, ParallelStyle):
        return {"": (parallel,)}, None
    if not isinstance(parallel, Mapping):
        return {}, parallel
    plan: dict[str, _Styles] = {}
    rest = {}
    for pattern, value in parallel.items():
        if isinstance(value, ParallelStyle):
            plan[pattern] = (value,)
        elif _has_style(value):
            plan[pattern] = tuple(value)
        else:
            rest[pattern] = value
            continue
        first = next(iter(plan))
        if len(plan[pattern]) != len(plan[first]):
            raise Error(
                f"parallel: expected one style for each pattern, or an entry for each axis of the "
                f"mesh, found {len(plan[first])} for '{first}' and {len(plan[pattern])} for "
                f"'{pattern}'"
            )
    return plan, rest if plan else parallel


def _has_style(value: Any) -> bool:
    """Whether it lists a style or None for each axis.

    Raises:
        Error: it also lists something else.
    """
    if not isinstance(value, Sequence) or isinstance(value, str):
        return False
    if not any(isinstance(entry, ParallelStyle) for entry in value):
        return False
    for entry in value:
        if entry is not None and not isinstance(entry, ParallelStyle):
            raise Error(f"parallel: expected a style or None for each axis, found {entry!r}")
    if len(value) > 2:
        raise Error(f"parallel: expected styles for at most two axes, found {len(value)}")
    return True


def _resolved(module: torch.nn.Module, plan: Mapping[str, _Styles]) -> ParameterShardings:
    """Finds the modules and parameters of a plan."""
    axes = len(next(iter(plan.values())))
    kinds = ["none"] * axes
    found: dict[str, ParameterSharding] = {}
    for pattern, entries in plan.items():
        for name, child in _matching(module, pattern):
            for axis, style in enumerate(entries):
                if style is None:
                    continue
                place = f"'{name}'" if name else "the module"
                origin = f"{type(style).__name__} of {place}"
                for own, dim in _dims(style, child, origin).items():
                    parameter: torch.Tensor = getattr(child, own)
                    full = f"{name}.{own}" if name else own
                    dims: list[int | None] = [None] * axes
                    if full in found:
                        dims = list(found[full].dims)
                    dims[axis] = dim
                    found[full] = ParameterSharding(tuple(parameter.shape), tuple(dims), origin)
                if isinstance(child, torch.nn.Linear) and isinstance(
                    style, ColwiseParallel | RowwiseParallel
                ):
                    kinds[axis] = "tensor"
    return ParameterShardings(_with_ties(module, found), tuple(kinds))


def _matching(module: torch.nn.Module, pattern: str) -> Iterator[tuple[str, torch.nn.Module]]:
    """Yields the submodules whose name matches part by part, and the module itself for the empty
    pattern, as in PyTorch.

    Raises:
        Error: none matches.
    """
    wanted = pattern.split(".") if pattern else []
    names = []
    is_found = False
    for name, child in module.named_modules(remove_duplicate=False):
        parts = name.split(".") if name else []
        names.append(name)
        if len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted)):
            is_found = True
            yield name, child
    if not is_found:
        near = difflib.get_close_matches(pattern, names, 1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise Error(f"parallel: no module matches '{pattern}'{hint}")


def _dims(style: ParallelStyle, module: torch.nn.Module, origin: str) -> dict[str, int | None]:
    """Returns the dimension of each of the module's own parameters that a style shards.

    Raises:
        Error: the style does not support the module.
    """
    if isinstance(style, _BORDERS):
        return {}
    names = [name for name, _ in module.named_parameters(recurse=False)]
    if isinstance(style, SequenceParallel):
        return dict.fromkeys(names)
    for (kind, supported), (weight, bias) in _DIMS.items():
        if isinstance(style, kind) and isinstance(module, supported):
            return {name: bias if name == "bias" else weight for name in names}
    if not isinstance(style, ColwiseParallel | RowwiseParallel):
        raise Error(
            f"parallel: {origin}: expected ColwiseParallel, RowwiseParallel, SequenceParallel or "
            "one of those that prepare inputs and outputs"
        )
    raise Error(
        f"parallel: {origin}: expected nn.Linear or nn.Embedding, found {type(module).__name__}"
    )


def _with_ties(
    module: torch.nn.Module, found: Mapping[str, ParameterSharding]
) -> dict[str, ParameterSharding]:
    """Adds the other names of tied parameters, which are one argument of the program.

    Raises:
        Error: they have different shardings.
    """
    tied = dict(found)
    for names in aliases(module):
        stated = [name for name in names if name in found]
        for name in stated[1:]:
            if found[name].dims != found[stated[0]].dims:
                raise Error(
                    f"parallel: '{stated[0]}' and '{name}' are one parameter: expected one "
                    f"sharding, found {found[stated[0]].dims} for {found[stated[0]].origin} and "
                    f"{found[name].dims} for {found[name].origin}"
                )
        for name in names if stated else ():
            tied[name] = found[stated[0]]
    return tied
