"""PyTorch modules: lowered to TTIR, and called with tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.utils import _pytree as pytree

from ttmlir import runtime
from ttmlir._host_arrays import widen
from ttmlir._parsing import copied
from ttmlir.errors import Error, InputError
from ttmlir.frontends import Call, ExecutableLike, Lowered, Signature
from ttmlir.frontends.counted import CUT, CountedNumbers, check_no_counts
from ttmlir.frontends.dtype_policy import Policy
from ttmlir.frontends.reference import Values
from ttmlir.frontends.torch._export import exported_module
from ttmlir.frontends.torch._program import Imported, Output, identifier, import_program
from ttmlir.frontends.torch._reference import arranged, in_f64
from ttmlir.frontends.torch._types import array_of, random_state, tensor_of

if TYPE_CHECKING:
    from ttmlir._programs import Program, TensorInfo


@dataclass
class _State:
    """Current values of the buffers that calls change, by argument."""

    values: dict[str, Any]
    #: Why the buffers on the device were lost; empty if they are valid.
    lost: str = ""


class ModuleSignature(Signature):
    """The signature of a PyTorch module.

    The executable takes pytrees of PyTorch tensors or NumPy arrays, of the shapes and dtypes that
    it was compiled for, and returns the same structure as the module, with PyTorch tensors as
    leaves. Parameters stay on the device from the first call on, as do buffers that the module
    changes.
    """

    def __init__(self, imported: Imported, source: torch.export.ExportedProgram) -> None:
        self.imported, self._source = imported, source
        spec = imported.program.call_spec
        self._in_spec, self._out_spec = spec.in_spec, spec.out_spec
        self._constants = _constants(imported)
        self._first = {s.argument: _buffer(imported, s.buffer) for s in imported.states}
        self._state = _State(dict(self._first))
        #: For each output of the program, its index, or the value that the module returns.
        self.outputs = imported.outputs

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("the executable of a module cannot be pickled: save() writes its program")

    def call(
        self, exe: ExecutableLike, program: Program, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Call:
        leaves = self._flat(args, kwargs)
        return _ModuleCall(exe, program, self._inputs(exe, leaves), self, leaves)

    def parameters(self, program: Program) -> Mapping[str, Callable[[], Any]]:
        """Returns the parameters in the program's formats, those that have values."""
        found: dict[str, Callable[[], Any]] = {}
        for info in program.inputs:
            tensor = self.imported.parameters.get(info.name)
            if tensor is not None and not tensor.is_meta:
                found[info.name] = partial(_parameter, tensor, info.dtype)
        return found

    def reference(
        self, exe: ExecutableLike, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Values:
        leaves = self._flat(args, kwargs)
        check_no_counts(self.imported.counted)
        return in_f64(self.imported.program, self.buffers(exe), leaves, self._source)

    def arranged(self, exe: ExecutableLike, values: Values) -> Values:
        return arranged(values, self.imported, self.outputs, len(exe.outputs))

    def changed_inputs(self) -> Sequence[int]:
        return list(self.imported.mutated.values())

    def known_results(self) -> Sequence[Any]:
        found = [value for value in self.outputs if not isinstance(value, Output | CountedNumbers)]
        return [array_of(x) if isinstance(x, torch.Tensor) else x for x in found]

    def buffers(self, exe: ExecutableLike) -> dict[str, torch.Tensor]:
        """Returns the current values of buffers that calls change, by name.

        Raises:
            Error: a call failed while they were on the device; ``reset_buffers`` starts over.
        """
        self._check_state()
        found = {}
        for state in self.imported.states:
            value = self._state.values[state.argument]
            if isinstance(value, runtime.Tensor):
                value = tensor_of(widen(runtime.to_numpy(value), exe.outputs[state.output].host))
            found[state.buffer] = value.clone()
        return found

    def reset_buffers(self) -> None:
        self._state.values = dict(self._first)
        self._state.lost = ""

    def share(self, other: ModuleSignature) -> None:
        """Shares the buffers of another signature of the same module."""
        self._first, self._state = other._first, other._state

    def keep(self, results: Sequence[runtime.Tensor]) -> None:
        """Keeps the buffers of a call for the next one."""
        for state in self.imported.states:
            self._state.values[state.argument] = results[state.output]

    def lose(self, error: BaseException) -> None:
        """Records that a call failed, which may have changed its buffers on the device in place."""
        if any(isinstance(value, runtime.Tensor) for value in self._state.values.values()):
            self._state.lost = str(error).partition("\n")[0] or type(error).__name__

    def returned(self, values: Sequence[Any]) -> Any:
        """Returns the module's return value with the given leaves."""
        return pytree.tree_unflatten(values, self._out_spec)

    def _check_state(self) -> None:
        if self._state.lost:
            names = ", ".join(state.buffer for state in self.imported.states)
            raise Error(
                f"the buffers ({names}) were lost in a call that failed ({self._state.lost}): "
                "reset_buffers() restores their initial values"
            )

    def _flat(self, args: Any, kwargs: Any) -> list[Any]:
        """Returns the leaves of the arguments, in the order of the program."""
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

    def _inputs(self, exe: ExecutableLike, leaves: Sequence[Any]) -> list[Any]:
        """Returns the unbound inputs of the program."""
        self._check_state()
        values = [self._state.values[state.argument] for state in self.imported.states]
        free = exe.unbound_inputs(exe.programs[0])[len(values) :]
        for i, info in zip(self.imported.kept, free, strict=False):
            values.append(_input(leaves[i], info, i))
        if self.imported.is_random:
            values.append(random_state())
        return [value.detach() if isinstance(value, torch.Tensor) else value for value in values]


class _ModuleCall(Call):
    def __init__(
        self,
        exe: ExecutableLike,
        program: Program,
        inputs: Sequence[Any],
        signature: ModuleSignature,
        leaves: Sequence[Any],
    ) -> None:
        super().__init__(exe, program, inputs)
        self._signature, self._leaves = signature, leaves

    def failed(self, error: BaseException) -> None:
        self._signature.lose(error)

    def results(self, tensors: Sequence[runtime.Tensor], keep_on_device: bool) -> Any:
        self._signature.keep(tensors)
        mutated = self._signature.imported.mutated
        # An argument that the program returns as it was is read from memory that changes here.
        changing = [_bounds(self._leaves[place]) for place in mutated.values()]

        def kept(result: torch.Tensor) -> torch.Tensor:
            begin, end = _bounds(result)
            overlaps = any(begin < last and first < end for first, last in changing)
            return result.clone() if overlaps else result

        written = [
            (self._leaves[place], kept(self._leaf(tensors[number], number)))
            for number, place in mutated.items()
        ]
        counted, extents = self._signature.imported.counted, {}
        if counted is not None:
            if keep_on_device and counted.any:
                raise InputError(CUT)
            extents = counted.extents(lambda i: self.exe.array(self.program, i, tensors[i]))
        found: list[Any] = []
        for value in self._signature.outputs:
            if isinstance(value, CountedNumbers):
                array = value.value(extents)
                found.append(tensor_of(array) if array.ndim else int(array))
            elif isinstance(value, Output):
                result, number = tensors[value.number], value.number
                if keep_on_device:
                    found.append(result)
                elif counted is not None and counted.has(number):
                    array = self.exe.array(self.program, number, result)
                    found.append(tensor_of(counted.padding.cut(array, number, extents).copy()))
                else:
                    found.append(kept(self._leaf(result, number)))
            else:
                found.append(value.clone() if isinstance(value, torch.Tensor) else value)
        for leaf, value in written:
            _write(leaf, value)
        return self._signature.returned(found)

    def _leaf(self, result: runtime.Tensor, number: int) -> torch.Tensor:
        return tensor_of(self.exe.array(self.program, number, result))


def _input(leaf: Any, info: TensorInfo, number: int) -> Any:
    """Converts an argument to a tensor of the dtype that the module was exported with."""
    if isinstance(leaf, runtime.Tensor):
        return leaf
    if not isinstance(leaf, torch.Tensor):
        leaf = np.asarray(leaf)
        return leaf if leaf.dtype == info._numpy or leaf.ndim else leaf.astype(info._numpy)
    if leaf.device.type != "cpu":
        raise InputError(f"argument {number}: expected a tensor on the CPU, found {leaf.device}")
    return array_of(leaf)


def _write(target: Any, value: torch.Tensor) -> None:
    """Changes an argument like the module does."""
    if isinstance(target, torch.Tensor):
        with torch.no_grad():
            target.copy_(value)
    elif isinstance(target, np.ndarray):
        target[...] = array_of(value)


def _bounds(array: Any) -> tuple[int, int]:
    """Returns the addresses of the first byte of an array and behind the last one."""
    if isinstance(array, torch.Tensor):
        begin, size = array.data_ptr(), array.element_size()
        strides = [stride * size for stride in array.stride()]
    elif isinstance(array, np.ndarray):
        begin, size, strides = array.ctypes.data, array.itemsize, list(array.strides)
    else:
        return 0, 0
    if 0 in array.shape:
        return begin, begin
    steps = [(extent - 1) * stride for extent, stride in zip(array.shape, strides, strict=True)]
    return begin + sum(min(step, 0) for step in steps), begin + size + sum(
        max(step, 0) for step in steps
    )


def _buffer(imported: Imported, name: str) -> torch.Tensor:
    program = imported.program
    found = program.state_dict.get(name)
    return (program.constants[name] if found is None else found).detach().clone()


def _constants(imported: Imported) -> dict[int, Any]:
    """Returns the arguments that are not tensors, by index."""
    found = {}
    specs = [s for s in imported.program.graph_signature.input_specs if s.kind.name == "USER_INPUT"]
    for i, spec in enumerate(specs):
        if hasattr(spec.arg, "value"):
            found[i] = spec.arg.value
    return found


def _parameter(tensor: torch.Tensor, dtype: str) -> Any:
    """Returns the value of a parameter, in bf16 if the program takes bf16."""
    is_narrow = dtype == "bfloat16" and tensor.dtype != torch.bfloat16
    return array_of(tensor.to(torch.bfloat16) if is_narrow else tensor)


# Lowering ----------------------------------------------------------------------------------------


def lower_module(
    source: torch.nn.Module | torch.export.ExportedProgram,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None,
    dtype: Policy,
    name: str = "main",
) -> Lowered:
    """Lowers a module for arguments like ``args``, or an exported program.

    Args:
        source: the module, in the mode to run it in, or an exported program.
        args: example arguments: tensors or arrays in pytrees.
        kwargs: example keyword arguments.
        dtype: the formats of weights and activations.
        name: of the function of an exported program.

    Raises:
        CompileError: the program cannot be exported or is not supported.
        Error: example arguments are missing, or are given with an exported program.
    """
    if isinstance(source, torch.export.ExportedProgram):
        if args or kwargs:
            raise Error("expected no example inputs with an exported program, which has its own")
        exported = source
    else:
        if not args and not kwargs:
            raise Error("a module needs example_inputs, a tuple of arguments to export it with")
        exported, name = exported_module(source, args, kwargs), type(source).__name__
    imported = import_program(exported, dtype=dtype, name=identifier(name))
    return Lowered(copied(imported.builder.module), ModuleSignature(imported, exported))
