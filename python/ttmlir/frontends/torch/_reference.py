"""Computes a module and the ops in it with PyTorch, by the importer's op names.

The outputs are those of a call of the source; in float64, those of its graph. The ops are those of
the imported graph: the source's own, or PyTorch's decomposition of it. PyTorch runs both, including
all in-place ops; only the names of ops are shared with the importer.
"""

from __future__ import annotations

import copy
import operator
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch
from torch.utils import _pytree as pytree

from ttmlir.errors import CompileError
from ttmlir.frontends.reference import Array, Known, Returned, Values
from ttmlir.frontends.torch._dtensors import dtensors
from ttmlir.frontends.torch._export import exported_module
from ttmlir.frontends.torch._interpreter import Random, Tensors, argument, copies, run_program
from ttmlir.frontends.torch._program import Imported, Output, import_program
from ttmlir.frontends.torch._types import array_of

_RANDOM_OUTPUT = "depends on random numbers, which differ on the device"


def of_module(
    source: torch.nn.Module | torch.export.ExportedProgram, args: Any, kwargs: Any
) -> Values:
    """Computes the values of a module in its own dtypes. Neither the arguments nor the module's
    tensors are changed.

    Raises:
        CompileError: it cannot be exported.
    """
    is_distributed = isinstance(source, torch.nn.Module) and bool(dtensors(source))
    if isinstance(source, torch.export.ExportedProgram):
        exported, title = source, "an exported program of PyTorch"
    else:
        exported = exported_module(source, args, kwargs)
        title = f"{type(source).__name__} in PyTorch"
    try:
        imported = import_program(exported)
    except CompileError:
        # PyTorch also computes modules that the importer does not support.
        imported = None
    # Its ops are those that the importer sees.
    program = imported.program if imported else exported
    spec = exported.call_spec.in_spec
    if spec is not None and set(kwargs) == set(spec.child(1).context):
        kwargs = {name: kwargs[name] for name in spec.child(1).context}
    leaves = pytree.tree_leaves((tuple(args), dict(kwargs)))
    with _quiet():
        run = run_program(program, {}, leaves, False)
        # A call of a module with distributed parameters would compute on shards.
        own = _called(exported if is_distributed else source, exported, args, kwargs)
    returned = _known(own, run.random)
    outputs = _ordered(returned, imported)
    return Values(title, run.ops, outputs, run.unknown, returned=returned)


def in_f64(
    program: torch.export.ExportedProgram,
    buffers: Mapping[str, torch.Tensor],
    leaves: Sequence[Any],
    source: torch.export.ExportedProgram | None = None,
) -> Values:
    """Computes the values of an imported program in float64.

    Args:
        program: the imported program, which determines the ops.
        buffers: those that calls change, with their values before the call.
        leaves: the arguments.
        source: the exported program, which determines the outputs; by default those of
            ``program``.
    """
    with _quiet(), _default_dtype(torch.float64):
        run = run_program(program, buffers, leaves, True)
        own = run if source in (None, program) else run_program(source, buffers, leaves, True)
    returned = _known(own.returned, own.random)
    outputs = [leaf for leaf in returned.leaves if leaf is not None]
    return Values("PyTorch in float64", run.ops, outputs, run.unknown, returned=returned)


def arranged(values: Values, imported: Imported, returns: Sequence[Any], count: int) -> Values:
    """Reorders outputs to match an imported program, and adds other results of its executable's
    calls: tensors that were known during import, and those that the source changes and the
        executable leaves
    unchanged.

    Args:
        values: of a reference.
        imported: the program.
        returns: results of the executable: outputs of the program, and known values.
        count: number of outputs of the program.
    """
    returned = values.returned
    if returned is None or len(returned.leaves) != len(returns):
        return values
    program, mutated = imported.program, imported.mutated
    outputs: dict[int, Known | None] = {}
    others: dict[str, tuple[Array, Known]] = {}
    states = {state.buffer: state.output for state in imported.states}
    for name, number in states.items():
        outputs[number] = returned.state[name][1] if name in returned.state else None
    for number, place in mutated.items():
        outputs[number] = returned.inputs[place][1] if place in returned.inputs else None
    for i, (own, leaf) in enumerate(zip(returns, returned.leaves, strict=True)):
        if isinstance(own, Output):
            outputs[own.number] = leaf
        elif isinstance(own, torch.Tensor) and leaf is not None:
            others[f"result {i}"] = _array(own), leaf
    for name, (before, after) in returned.state.items():
        kept = program.state_dict.get(name, program.constants.get(name))
        if name not in states and isinstance(kept, torch.Tensor) and _is_changed(before, after):
            others[f"buffer {name}"] = _array(kept), after
    for place, (before, after) in returned.inputs.items():
        if place not in mutated.values() and _is_changed(before, after):
            others[f"argument {place}"] = before, after
    return replace(values, outputs=[outputs.get(i) for i in range(count)], others=others)


def _ordered(returned: Returned, imported: Imported | None) -> list[Known | None]:
    """Returns the outputs in the order of the imported program."""
    if imported is None:
        return [leaf for leaf in returned.leaves if leaf is not None]
    first: list[Known | None] = [
        returned.state[state.buffer][1] if state.buffer in returned.state else None
        for state in imported.states
    ]
    first += [returned.inputs[place][1] for place in imported.mutated.values()]
    pairs = zip(imported.outputs, returned.leaves, strict=False)
    return first + [leaf for own, leaf in pairs if isinstance(own, Output)]


def _is_changed(before: Array, after: Known) -> bool:
    if isinstance(after, str) or before.shape != after.shape:
        return True
    return before.tobytes() != after.tobytes()


# The source itself -------------------------------------------------------------------------------


def _known(own: Tensors, random: Random) -> Returned:
    """Returns the source's return values, except for random ones."""

    def unless_random(x: torch.Tensor, is_random: bool) -> Known:
        return _RANDOM_OUTPUT if is_random else _array(x)

    leaves = [
        unless_random(leaf, i in random.leaves) if isinstance(leaf, torch.Tensor) else None
        for i, leaf in enumerate(own.leaves)
    ]
    state = {
        name: (_array(before), unless_random(after, name in random.state))
        for name, (before, after) in own.state.items()
    }
    inputs = {
        place: (_array(before), unless_random(after, place in random.inputs))
        for place, (before, after) in own.inputs.items()
    }
    return Returned(leaves, state, inputs)


def _called(
    source: torch.nn.Module | torch.export.ExportedProgram,
    exported: torch.export.ExportedProgram,
    args: Any,
    kwargs: Any,
) -> Tensors:
    """Calls a copy of the source with PyTorch."""
    module = None
    if isinstance(source, torch.nn.Module):
        try:
            module = copy.deepcopy(source)
        except Exception:
            # Not every module can be copied; its exported program can.
            source = exported
    if module is None:
        module = copy.deepcopy(exported.module())
    given, spec = pytree.tree_flatten((tuple(args), dict(kwargs)))
    before = [argument(x) for x in given]
    after = copies(before, False)
    own_args, own_kwargs = pytree.tree_unflatten(after, spec)
    first = _state_of(source, exported)
    leaves = pytree.tree_leaves(module(*own_args, **own_kwargs))
    state = {name: (x, _attribute(module, name)) for name, x in first.items()}
    return Tensors(
        leaves,
        {name: pair for name, pair in state.items() if isinstance(pair[1], torch.Tensor)},
        _inputs_of(before, after),
    )


def _state_of(
    source: torch.nn.Module | torch.export.ExportedProgram, exported: torch.export.ExportedProgram
) -> dict[str, torch.Tensor]:
    """Returns parameters, buffers and constants of a source, with their values before the call."""
    named: dict[str, Any] = {**exported.constants, **exported.state_dict}
    if isinstance(source, torch.nn.Module):
        named |= {name: _attribute(source, name) for name in named}
    return {name: x for name, x in named.items() if isinstance(x, torch.Tensor)}


def _attribute(module: torch.nn.Module, name: str) -> Any:
    try:
        return operator.attrgetter(name)(module)
    except AttributeError:
        return None


def _inputs_of(before: Sequence[Any], after: Sequence[Any]) -> dict[int, tuple[Any, Any]]:
    pairs = enumerate(zip(before, after, strict=True))
    return {i: pair for i, pair in pairs if isinstance(pair[0], torch.Tensor)}


@contextmanager
def _quiet() -> Iterator[None]:
    """Disables gradients and warnings, and restores the caller's random state."""
    with torch.no_grad(), torch.random.fork_rng(devices=[]), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _default_dtype(dtype: torch.dtype) -> Iterator[None]:
    """Sets the float dtype to which ops convert integers."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def _array(x: torch.Tensor) -> Array:
    return array_of(x.detach())
