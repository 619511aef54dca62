"""Modules of PyTorch as executables: what ``ttmlir.compile`` does with one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.utils import _pytree as pytree

from ttmlir import runtime
from ttmlir._comparison.values import Values
from ttmlir._host import widen
from ttmlir.errors import Error, InputError
from ttmlir.executable import Executable, TensorInfo
from ttmlir.frontends.dtype_policy import Policy
from ttmlir.frontends.torch._export import exported_module
from ttmlir.frontends.torch._program import Imported, Output, identifier, import_program
from ttmlir.frontends.torch._types import array_of, random_state, tensor_of
from ttmlir.report import Report

#: ``ttmlir.compile`` of a builder, which calls what is here.
Compile = Callable[..., Executable]


class ModuleExecutable(Executable):
    """The executable of a module of PyTorch.

    It is called as the module is, with pytrees of tensors of the shapes and dtypes that it was
    compiled for, and returns what the module does, with tensors of PyTorch as leaves. Arrays of
    NumPy are taken as well. Parameters are on the device from the first call on, and buffers that
    the module changes stay there from call to call. Everything else is as with any other
    ``ttmlir.Executable``.
    """

    def __init__(
        self,
        executable: Executable,
        imported: Imported,
        source: torch.export.ExportedProgram | None = None,
    ) -> None:
        super().__init__(executable.binary, executable._system_desc)
        self._inputs = imported.inputs
        self._mutated, self._outputs = imported.mutated, imported.outputs
        self._kept, self._states = imported.kept, imported.states
        self._is_random = imported.is_random
        self._program, self._source = imported.program, source
        spec = imported.program.call_spec
        self._in_spec, self._out_spec = spec.in_spec, spec.out_spec
        self._constants = _constants(imported)
        self._first = {s.argument: _buffer(imported, s.buffer) for s in self._states}
        self._state: dict[str, Any] = dict(self._first)
        #: Why the buffers on the device are no more; empty if they are there.
        self._lost = ""
        self._places = {info.name: i for i, info in enumerate(self.programs[0].inputs)}

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("the executable of a module cannot be pickled: save() writes its program")

    def __call__(
        self,
        *args: Any,
        program: int | str = 0,
        keep_on_device: bool = False,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> Any:
        """Runs the module.

        Args:
            args: of the module: tensors, arrays or numbers in pytrees.
            program: as with any other executable.
            keep_on_device: leave the results on the device, as ``runtime.Tensor``.
            device: an open device instead of the shared one.
            kwargs: of the module.

        Raises:
            InputError: arguments of another structure, shape or dtype.
        """
        leaves = self._flat(args, kwargs)
        which = self._find(program)
        target = device or self.device
        tensors = self._tensors(which, self._arguments(leaves))
        try:
            results = self._run(target, which, tensors)
        except BaseException as error:
            self._lose(error)
            raise
        for state in self._states:
            self._state[state.argument] = results[state.output]
        for number, place in self._mutated.items():
            _write(leaves[place], self._leaf(results[number], number))
        found = [
            (results[v.number] if keep_on_device else self._leaf(results[v.number], v.number))
            if isinstance(v, Output)
            else v.clone()
            if isinstance(v, torch.Tensor)
            else v
            for v in self._outputs
        ]
        return pytree.tree_unflatten(found, self._out_spec)

    def report(  # type: ignore[override]
        self,
        *args: Any,
        trace: bool | runtime.TraceFilter = False,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> Report:
        """What the chip needs for the module: see ``Executable.report``.

        Args:
            args: of the module; zeros without any.
            trace: whether the report has a timeline.
            device: an open device instead of the shared one.
            kwargs: of the module.
        """
        given = args or kwargs
        inputs = self._arguments(self._flat(args, kwargs)) if given else None
        return super().report(inputs=inputs, trace=trace, device=device)

    def _reference(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Values:
        from ttmlir.frontends.torch._reference import in_f64

        leaves = self._flat(args, kwargs)
        return in_f64(self._program, self.buffers(), leaves, self._source)

    def _call_inputs(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        return self._arguments(self._flat(args, kwargs))

    def buffers(self) -> dict[str, torch.Tensor]:
        """The buffers that calls change, by their names, as they are now.

        Raises:
            Error: a call failed while it had them on the device; ``reset_buffers`` begins again.
        """
        self._check_state()
        program = self.programs[0]
        found = {}
        for state in self._states:
            value = self._state[state.argument]
            if isinstance(value, runtime.Tensor):
                info = program.outputs[state.output]
                value = tensor_of(widen(runtime.to_numpy(value), info.host))
            found[state.buffer] = value.clone()
        return found

    def reset_buffers(self) -> None:
        """Gives the buffers that calls change the values that they were compiled with."""
        self._state = dict(self._first)
        self._lost = ""

    # ---------------------------------------------------------------------------------------------

    def _lose(self, error: BaseException) -> None:
        """Notes that a call failed which had buffers on the device: it changes them in place."""
        if any(isinstance(value, runtime.Tensor) for value in self._state.values()):
            self._lost = str(error).partition("\n")[0] or type(error).__name__

    def _check_state(self) -> None:
        if self._lost:
            names = ", ".join(state.buffer for state in self._states)
            raise Error(
                f"the buffers ({names}) were lost in a call that failed ({self._lost}): "
                "reset_buffers() gives them their first values"
            )

    def _flat(self, args: Any, kwargs: Any) -> list[Any]:
        """The leaves of the arguments, in the order of the program."""
        spec = self._in_spec
        if spec is not None and set(kwargs) == set(spec.child(1).context):
            kwargs = {name: kwargs[name] for name in spec.child(1).context}
        leaves: list[Any]
        leaves, tree = pytree.tree_flatten((tuple(args), kwargs))
        if tree != spec:
            raise InputError(f"expected arguments of the structure {spec}, found {tree}")
        for i, value in self._constants.items():
            if type(leaves[i]) is not type(value) or leaves[i] != value:
                raise InputError(
                    f"argument {i}: expected {value!r}, which the module was exported with, "
                    f"found {leaves[i]!r}"
                )
        return leaves

    def _arguments(self, leaves: Sequence[Any]) -> list[Any]:
        """The inputs of the program that are not bound."""
        self._check_state()
        values = [self._state[state.argument] for state in self._states]
        program = self.programs[0]
        first = len(values)
        free = [info for i, info in enumerate(program.inputs) if i not in self._bound.of(program)]
        for i, info in zip(self._kept, free[first:], strict=False):
            values.append(_input(leaves[i], info, i))
        if self._is_random:
            values.append(random_state())
        return [value.detach() if isinstance(value, torch.Tensor) else value for value in values]

    def _leaf(self, result: runtime.Tensor, number: int) -> torch.Tensor:
        info = self.programs[0].outputs[number]
        return tensor_of(widen(runtime.to_numpy(result), info.host))


def _input(leaf: Any, info: TensorInfo, number: int) -> Any:
    """An argument as a tensor of the dtype that the module was exported with."""
    if isinstance(leaf, runtime.Tensor):
        return leaf
    if not isinstance(leaf, torch.Tensor):
        leaf = np.asarray(leaf)
        return leaf if leaf.dtype == info._numpy or leaf.ndim else leaf.astype(info._numpy)
    if leaf.device.type != "cpu":
        raise InputError(f"argument {number}: expected a tensor on the CPU, found {leaf.device}")
    return array_of(leaf)


def _write(target: Any, value: torch.Tensor) -> None:
    """Changes an argument as the module does."""
    if isinstance(target, torch.Tensor):
        with torch.no_grad():
            target.copy_(value)
    elif isinstance(target, np.ndarray):
        target[...] = array_of(value)


def _buffer(imported: Imported, name: str) -> torch.Tensor:
    program = imported.program
    found = program.state_dict.get(name)
    return (program.constants[name] if found is None else found).detach().clone()


def _constants(imported: Imported) -> dict[int, Any]:
    """By its number, each argument that is no tensor."""
    found = {}
    specs = [s for s in imported.program.graph_signature.input_specs if s.kind.name == "USER_INPUT"]
    for i, spec in enumerate(specs):
        if hasattr(spec.arg, "value"):
            found[i] = spec.arg.value
    return found


# Compiling ---------------------------------------------------------------------------------------


def compile_module(
    compile: Compile,
    source: torch.nn.Module | torch.export.ExportedProgram,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None,
    dtype: Policy,
    keywords: Mapping[str, Any],
) -> ModuleExecutable:
    """The executable of a module for arguments like ``args``, or of an exported program.

    Args:
        compile: ``ttmlir.compile``.
        source: the module in the mode that it is to run in, or what was exported.
        args: examples of its arguments: tensors or arrays in pytrees.
        kwargs: examples of its keywords.
        dtype: the formats of weights and activations.
        keywords: of ``ttmlir.compile``.

    Raises:
        CompileError: the program cannot be exported, expressed or compiled.
        Error: example arguments that are missing, or are given with an exported program.
    """
    if isinstance(source, torch.export.ExportedProgram):
        if args or kwargs:
            raise Error("expected no example inputs with an exported program, which has its own")
        exported, name = source, "main"
    else:
        if not args and not kwargs:
            raise Error("a module needs example_inputs, a tuple of arguments to export it with")
        exported, name = exported_module(source, args, kwargs), type(source).__name__
    imported = import_program(exported, dtype=dtype, name=identifier(name))
    executable = ModuleExecutable(compile(imported.builder, **keywords), imported, exported)
    if imported.parameters:
        executable.bind(_stored(imported, executable))
    return executable


def _stored(imported: Imported, executable: Executable) -> dict[str, Any]:
    """The parameters in the formats that the program has them in."""
    found: dict[str, Any] = {}
    for info in executable.programs[0].inputs:
        tensor = imported.parameters.get(info.name)
        if tensor is not None:
            is_narrow = info.dtype == "bfloat16" and tensor.dtype != torch.bfloat16
            found[info.name] = array_of(tensor.to(torch.bfloat16) if is_narrow else tensor)
    return found
