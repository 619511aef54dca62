"""Compiled programs as Python callables."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ttmlir import runtime
from ttmlir._bound import Bound, Source, is_mapped, unchanging
from ttmlir._files import check_exists, written
from ttmlir._formats import DATA_TYPES
from ttmlir._host import Host, hosts, narrow, widen
from ttmlir._version import __version__
from ttmlir.errors import Error, InputError, OutOfMemoryError, Remark
from ttmlir.report import Report

if TYPE_CHECKING:
    from ttmlir._comparison.values import Values
    from ttmlir.comparison import Comparison


@dataclass(frozen=True)
class TensorInfo:
    """An input or output: its shape and its numpy dtype on the host, the data type that the program
    wants, and where and how the program wants it, as a text for people.

    ``device_shape`` is given where the program has another type or shape than the source, whose
    ``dtype`` and ``shape`` are: int64, uint64 and float64 in 32 bits, bool in 8, a scalar as the
    shape (1,), and one element for a shape with an extent of 0.

    Of an input, ``name`` is that of the source, or ``arg0``, ``arg1`` and so on, and
    ``argument_type`` is ``input``, ``parameter``, ``constant`` or ``default``. ``aliased_output``
    is the number of the output that has its memory, if the caller gives the input up.
    """

    shape: tuple[int, ...]
    dtype: str
    data_type: str
    layout: str = ""
    device_shape: tuple[int, ...] | None = None
    name: str = ""
    argument_type: str = "input"
    aliased_output: int | None = None

    @property
    def is_parameter(self) -> bool:
        """Whether it is the same tensor in many calls."""
        return self.argument_type in ("parameter", "constant")

    # Calls ask for what follows again and again.

    @cached_property
    def _numpy(self) -> np.dtype[Any]:
        """The ``dtype`` itself."""
        return np.dtype(self.dtype)

    @cached_property
    def _type(self) -> runtime.DataType:
        return runtime.DataType[self.data_type]

    @cached_property
    def _own_shape(self) -> list[int]:
        """The shape that the program has, as tensors give theirs."""
        return list(self.shape if self.device_shape is None else self.device_shape)

    @cached_property
    def _source(self) -> Host | None:
        """What the source says, where the program has another type or shape."""
        return None if self.device_shape is None else Host(self._numpy, self.shape)

    @property
    def host(self) -> Host | None:
        """The type and shape of arrays on the host, where the program has another one."""
        return self._source

    def accepts(self, tensor: runtime.Tensor) -> bool:
        """Whether the tensor has the very type and shape that the program has."""
        return tensor.dtype is self._type and tensor.shape == self._own_shape

    def __str__(self) -> str:
        shape = "x".join(map(str, self.shape)) or "scalar"
        stored = f" as {self.data_type}" if DATA_TYPES[self.data_type].block else ""
        return f"{shape} {self.dtype}{stored}"


@dataclass(frozen=True)
class Program:
    """One function of the compiled module."""

    index: int
    name: str
    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    mesh_shape: tuple[int, ...] = (1, 1)
    chip_ids: tuple[int, ...] = ()
    """Chips of the mesh, row-major; empty for the first one of the device."""
    variables: tuple[str, ...] = ()
    """Names of the variables that it reads or writes, which keep their values from call to call."""

    def __str__(self) -> str:
        inputs = ", ".join(map(str, self.inputs))
        outputs = ", ".join(map(str, self.outputs))
        mesh = f" on mesh {'x'.join(map(str, self.mesh_shape))}" if len(self.chip_ids) > 1 else ""
        return f"{self.name}({inputs}) -> {outputs}{mesh}"


def load(
    path: str | os.PathLike[str], *, system_desc: runtime.SystemDesc | None = None
) -> Executable:
    """Loads a ``.ttnn``, ``.ttm`` or ``.ttb`` file.

    Args:
        path: the file.
        system_desc: the system to run it on; found among the targets if it is not given.

    Raises:
        FileError: there is no such file.
        Error: the file is truncated, foreign or of another version.
    """
    check_exists(path)
    try:
        binary = runtime.load_binary_from_path(os.fspath(path))
        # A file of another version loads as far as its header.
        if binary.version != __version__:
            raise Error(f"'{path}' was written by version {binary.version}, expected {__version__}")
        return Executable(binary, system_desc)
    except runtime.RuntimeError as error:
        raise Error(str(error)) from None


def _restore(binary: bytes, system_desc: bytes | None) -> Executable:
    """What pickle makes an executable from."""
    desc = None if system_desc is None else runtime.load_system_desc_from_bytes(system_desc)
    return Executable(runtime.load_binary_from_bytes(binary), desc)


class Executable:
    """A compiled module. Calling it runs one of its programs on an emulated system.

    The system is opened at the first call and shared by all executables for the same system, so a
    result left on the device can be the input of another executable. It is closed when all of them,
    and all results on it, are gone. Not thread-safe.
    """

    def __init__(
        self,
        binary: runtime.Binary,
        system_desc: runtime.SystemDesc | None = None,
    ) -> None:
        self.binary = binary
        self._system_desc = system_desc
        self._bound = Bound()

    def __repr__(self) -> str:
        return f"<ttmlir.Executable {'; '.join(map(str, self.programs))}>"

    def __reduce__(self) -> tuple[Any, ...]:
        desc = self._system_desc
        return _restore, (self.binary.to_bytes(), desc and desc.to_bytes())

    def __call__(
        self,
        *inputs: Any,
        program: int | str = 0,
        keep_on_device: bool = False,
        device: runtime.Device | None = None,
    ) -> Any:
        """Runs a program.

        Args:
            inputs: one for each argument that is not bound: numpy, torch or other DLPack arrays of
                the program's shapes and data types
                (``ml_dtypes.bfloat16`` for bf16), or results kept on the device. Inputs of int64,
                uint64, float64 and bool take arrays that NumPy casts to them safely, and numbers.
                A tensor on the device that is given to a donated input cannot be used again: the
                output that the input is paired with has its memory.
            program: index or name.
            keep_on_device: return the results as tensors where the program leaves them, without a
                copy to the host (compile with ``results_on_device`` to leave them on the device).
                Outputs of donated inputs always stay there.
            device: an open device instead of the shared one.

        Returns:
            A numpy array, or a tuple of them for several results; ``runtime.Tensor`` with
            ``keep_on_device``.

        Raises:
            InputError: wrong count, shape or data type, or a number that does not fit.
            OutOfMemoryError: a memory of the device is exhausted.
            Error: the program cannot run.
            Fault: a kernel did something wrong; a class of ``ttmlir.errors`` for each kind.
        """
        which = self._find(program)
        tensors = self._tensors(which, inputs)
        values: list[Any] = self._run(device or self.device, which, tensors)
        if not keep_on_device:
            values = self._arrays(which, values)
        return values[0] if len(values) == 1 else tuple(values)

    def bind(
        self, source: Source | None = None, /, *, program: int | str | None = None, **tensors: Any
    ) -> None:
        """Gives arguments their tensors for all calls to come, which take the other arguments only.

        What the program computes of parameters and constants alone is computed at the next call,
        stays on the device, and is not computed again.

        Args:
            source: a safetensors file, which is mapped into memory and whose pages are given back
                once they were used, or a dictionary, such as ``module.state_dict()`` of torch: its
                tensors are bound to the arguments of their names. It must have all parameters that
                are not bound; what it has besides does not matter.
            program: index or name of the program; all programs that have such arguments if it is
                not given.
            tensors: arrays by the names of arguments. One that its owner can change is copied.

        Raises:
            InputError: a name that does not exist or is bound, a parameter that is missing, a wrong
                shape or data type. Nothing is bound then.
            FileError: the file does not exist or is damaged.
            TypeError: a source that is neither a path nor a dictionary.
        """
        programs = self.programs if program is None else (self._find(program),)
        bound = []
        made: dict[tuple[int, Any], runtime.Tensor] = {}
        given, places = self._bound.places(programs, source, tensors)
        for which, i, value in places:
            info = which.inputs[i]
            # Programs share a tensor that they have in one form.
            key = (id(value), (info.shape, info.data_type, info.device_shape, info.layout))
            if key not in made:
                tensor = self._tensor(f"{which.name}: '{info.name}'", value, info, keeps=True)
                made[key] = self._placed(self.device, which, i, tensor)
                made[key].freeze(mapped_file=is_mapped(value, made[key]))
            bound.append((which, i, made[key]))
        self._bound.set(given, bound)

    def place(
        self,
        index: int,
        value: Any,
        /,
        *,
        program: int | str = 0,
        device: runtime.Device | None = None,
        position: int | None = None,
    ) -> runtime.Tensor:
        """An input as a tensor where the program wants it: calls that are given the tensor do not
        bring the array there again.

        Args:
            index: the number of the argument.
            value: what a call takes for it. An array that its owner can change is copied.
            program: index or name of the program.
            device: an open device instead of the shared one.
            position: of a program on a mesh, the position of the chip that gets the tensor; all of
                them if it is not given. ``ttmlir.runtime.combine_device_tensors`` makes one
                tensor of those of all chips.

        Raises:
            InputError: no such argument, or a wrong shape or data type.
            OutOfMemoryError: a memory of the device is exhausted.
        """
        which = self._find(program)
        if not 0 <= index < len(which.inputs):
            raise InputError(f"{which.name}: no input {index}, it has {len(which.inputs)}")
        where = f"{which.name}: input {index}"
        tensor = self._tensor(where, value, which.inputs[index], keeps=True)
        return self._placed(device or self.device, which, index, tensor, position)

    def run_placed(
        self,
        tensors: Sequence[runtime.Tensor],
        /,
        *,
        program: int | str = 0,
        device: runtime.Device | None = None,
    ) -> list[runtime.Tensor]:
        """A call with all inputs where the program wants them, as ``place`` returns them, that
        leaves the results where the program does: what a call costs least.

        Raises:
            OutOfMemoryError: a memory of the device is exhausted.
            Error: the program cannot run on them.
        """
        which = self._find(program)
        try:
            return list(runtime.run(device or self.device, self.binary, which.index, list(tensors)))
        except runtime.RuntimeError as error:
            raise _error(which, error) from None

    def unbind(self) -> None:
        """Frees the bound tensors and what was computed of them."""
        self._bound.clear()
        self.binary.release_kept()

    def reset_variables(self) -> None:
        """Gives the variables of all programs, on all devices, the values that they had before the
        first call."""
        self.binary.reset_variables()

    @cached_property
    def device(self) -> runtime.Device:
        """The device that calls use; see ``runtime.shared_device``."""
        return runtime.shared_device(self.system_desc, self.backend)

    @cached_property
    def backend(self) -> str:
        """``ttnn`` or ``ttmetal``."""
        return "ttmetal" if self.binary.file_identifier == "TTM0" else "ttnn"

    @cached_property
    def system_desc(self) -> runtime.SystemDesc:
        """The system that the executable was compiled for."""
        if self._system_desc is not None:
            return self._system_desc
        for target in runtime.get_default_targets():
            desc = runtime.get_default_system_desc(target)
            if json.loads(desc.as_json())["system_desc"] == self._content["system_desc"]:
                return desc
        raise Error(
            "the executable was compiled for a system that is none of "
            f"{', '.join(runtime.get_default_targets())}: "
            "give its descriptor with ttmlir.load(path, system_desc=...)"
        )

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """The programs, one for each public function of the module."""
        return tuple(_program(self.binary, i) for i in range(self.binary.num_programs))

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """Inputs of the first program."""
        return self.programs[0].inputs

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """Outputs of the first program."""
        return self.programs[0].outputs

    @property
    def mlir(self) -> str:
        """The module of the backend's dialect that the executable was made from."""
        return str(self._debug_info().get("mlir", {}).get("source", ""))

    @property
    def cpp(self) -> str:
        """The C++ of the module for the TTNN library, or of its kernels; empty if it has none."""
        kernels = [k for p in self.programs for k in self.binary.get_program_kernels(p.index)]
        if kernels:
            return "\n".join(f"// {name}\n{text}" for name, text in kernels)
        return str(self._debug_info().get("cpp", ""))

    @cached_property
    def remarks(self) -> tuple[Remark, ...]:
        """What the compiler's passes decided and why, program by program, in the order of the
        passes; at most 10,000 of a program."""
        return tuple(remark for p in self.programs for remark in self._remarks(p)[0])

    def _remarks(self, program: Program) -> tuple[tuple[Remark, ...], int]:
        """Those that the file has of a program, and how many there were."""
        found, count = self.binary.get_program_remarks(program.index)
        return tuple(map(Remark.from_raw, found)), count

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a ``.ttnn`` or ``.ttm`` file: the whole file or nothing."""
        with written(path) as file:
            file.write(self.binary.to_bytes())

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Executable:
        """The same as ``ttmlir.load``."""
        return load(path)

    def report(
        self,
        program: int | str = 0,
        *,
        inputs: Sequence[Any] | None = None,
        trace: bool | runtime.TraceFilter = False,
        device: runtime.Device | None = None,
    ) -> Report:
        """Runs a program, on zeros unless it is given ``inputs``, and returns what the chip would
        need for it.

        The cost does not depend on the values, but for how often loops turn and which branches are
        taken. The report prints as a table, is a page in a notebook and saves as one
        (``ttmlir.Report.save``). With ``trace`` it has the timeline, or what a
        ``ttmlir.TraceFilter`` keeps of it, for ``ttmlir.Report.save_trace``.

        Variables have their first values in it and keep those of the calls.

        Args:
            program: index or name.
            inputs: those of a call, in its order: of tensors that are on the device the report
                tells that they need not go there.
            trace: see above.
            device: an open device instead of the shared one. What else is on a device, such as the
                parameters of other executables, counts in its memory.

        Raises:
            InputError: wrong inputs, as in a call.
            OutOfMemoryError: a memory of the device is exhausted; its ``report`` shows who has it.
        """
        which = self._find(program)
        bound = self._bound.of(which)
        if inputs is None:
            inputs = [
                np.zeros(info.shape, info.dtype)
                for i, info in enumerate(which.inputs)
                if i not in bound
            ]
        device = device or self.device
        tensors = self._tensors(which, inputs)
        own = self._remarks(which)
        runtime.enable_report(device, True, trace)
        try:
            self._run(device, which, tensors, self._unused_binary(which))
            return Report.from_runtime(runtime.get_report(device), *own)
        except OutOfMemoryError as error:
            found = runtime.get_report(device)
            if found.failed:
                error.report = Report.from_runtime(found, *own)
            raise
        finally:
            runtime.enable_report(device, False)

    def compare(
        self,
        reference: Any,
        /,
        *args: Any,
        program: int | str = 0,
        min_pcc: float | None = None,
        max_relative: float | None = None,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> Comparison:
        """Runs a program and compares the result of every op with that of what it was made from.

        The ops that run are those of the program, with their operands, layouts and formats; each
        result is copied to the host. Errors of earlier ops go on into later ones, and variables
        have their first values. Of a program on a mesh only the outputs are compared.

        Args:
            reference: ``"f64"``, the module of PyTorch, the function of JAX or the model of ONNX
                that the executable was made from, in float64; another module, exported program,
                function or model; a program of MLIR, which is computed in f32 on the emulator;
                arrays by the names of ops, and of outputs by ``output_0`` and so on; or
                ``"goldens"``, the arrays in the file, which are the arguments, too, if there are
                none.
            args: those of a call.
            program: index or name.
            min_pcc: the least correlation of a result that is not off; by default by its format.
            max_relative: the greatest relative error of one.
            device: an open device instead of the shared one.
            kwargs: those of a call.

        Raises:
            InputError: wrong arguments, as in a call.
            Error: there is no such reference, or the program cannot run.
        """
        # It builds on executables and on the compiler, which do not build on it.
        driver = import_module("ttmlir._comparison.driver")
        found: Comparison = driver.compare(
            self,
            reference,
            args,
            kwargs,
            program=program,
            min_pcc=min_pcc,
            max_relative=max_relative,
            device=device,
        )
        return found

    def _call_inputs(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """The inputs of a program for the arguments of a call."""
        if kwargs:
            raise InputError(f"expected no keywords, found {', '.join(kwargs)}")
        return list(args)

    def _reference(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Values:
        """What the source computes in float64 for the arguments of a call."""
        raise Error(
            "the executable does not know its source: compile a module of PyTorch, a function of "
            "JAX or a model of ONNX to compare with it in float64, or give a reference"
        )

    @cached_property
    def _content(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.binary.as_json(elements=False))
        return content

    def _debug_info(self) -> dict[str, Any]:
        programs = self._content.get("programs", [])
        info: dict[str, Any] = programs[0].get("debug_info", {}) if programs else {}
        return info

    def _find(self, program: int | str) -> Program:
        if not isinstance(program, int | str):
            raise TypeError(
                f"expected the index or the name of a program, found {type(program).__name__}: "
                "inputs of a report go into inputs=[...]"
            )
        for candidate in self.programs:
            if program in (candidate.index, candidate.name):
                return candidate
        names = ", ".join(f"{p.index} ({p.name})" for p in self.programs)
        raise InputError(f"no program {program!r}, expected one of {names}")

    def _tensors(self, program: Program, inputs: Sequence[Any]) -> list[runtime.Tensor]:
        """All arguments: bound ones, and the inputs in their order."""
        self._bound.check_files()
        bound = self._bound.of(program)
        missing = len(program.inputs) - len(bound)
        if len(inputs) != missing:
            free = [info for i, info in enumerate(program.inputs) if i not in bound]
            text = f"{program.name}: expected {missing} inputs ({', '.join(map(str, free))})"
            names = [info.name for i, info in enumerate(program.inputs) if i in bound]
            if names:
                text += f" beside what is bound ({', '.join(names)})"
            unbound = [info.name for info in free if info.is_parameter]
            if len(inputs) < missing and unbound:
                text += f"; bind() has not been given {', '.join(unbound)}"
            raise InputError(f"{text}, found {len(inputs)}")
        self._check_donated(program, bound, inputs)
        given = iter(inputs)
        return [
            bound[i]
            if i in bound
            else self._tensor(f"{program.name}: input {i}", next(given), info)
            for i, info in enumerate(program.inputs)
        ]

    @staticmethod
    def _check_donated(
        program: Program, bound: Mapping[int, runtime.Tensor], inputs: Sequence[Any]
    ) -> None:
        """A tensor that is given up is no other input."""
        free = [(i, info) for i, info in enumerate(program.inputs) if i not in bound]
        for (i, info), value in zip(free, inputs, strict=True):
            if info.aliased_output is None or not isinstance(value, runtime.Tensor):
                continue
            if sum(other is value for other in inputs) > 1:
                raise InputError(
                    f"{program.name}: input {i}: expected a tensor that may be given up, found one "
                    "that is another input, too"
                )

    def _tensor(
        self, where: str, value: Any, info: TensorInfo, *, keeps: bool = False
    ) -> runtime.Tensor:
        """An argument as the program has it; one that is kept does not change with its array."""
        if not isinstance(value, runtime.Tensor):
            try:
                value = _to_tensor(unchanging(value) if keeps else value, info)
            except (TypeError, ValueError, OverflowError, runtime.RuntimeError) as error:
                raise InputError(f"{where}: expected {info}: {error}") from None
        tensor: runtime.Tensor = value
        try:
            _check(where, info, tensor)
        except runtime.RuntimeError as error:  # It was given up.
            raise InputError(f"{where}: {error}") from None
        return tensor

    def _placed(
        self,
        device: runtime.Device,
        program: Program,
        index: int,
        tensor: runtime.Tensor,
        position: int | None = None,
    ) -> runtime.Tensor:
        """The argument where the program wants it."""
        try:
            return runtime.to_layout(tensor, device, self.binary, program.index, index, position)
        except runtime.RuntimeError as error:
            raise _error(program, error) from None

    def _unused_binary(self, program: Program) -> runtime.Binary:
        """One with variables that no call has changed."""
        if not program.variables:
            return self.binary
        return runtime.load_binary_from_bytes(self.binary.to_bytes())

    def _run(
        self,
        device: runtime.Device,
        program: Program,
        tensors: Sequence[runtime.Tensor],
        binary: runtime.Binary | None = None,
    ) -> list[runtime.Tensor]:
        # Programs of TTMetal bring their inputs to their places themselves.
        if self.backend == "ttnn":
            tensors = [self._placed(device, program, i, t) for i, t in enumerate(tensors)]
        try:
            return list(runtime.run(device, binary or self.binary, program.index, tensors))
        except runtime.RuntimeError as error:
            raise _error(program, error) from None

    def _arrays(self, program: Program, results: Sequence[runtime.Tensor]) -> list[Any]:
        """Raises Error where the chips of a mesh do not have the same result."""
        try:
            return [
                widen(runtime.to_numpy(result), info._source)
                for result, info in zip(results, program.outputs, strict=True)
            ]
        except runtime.RuntimeError as error:
            raise Error(f"{program.name}: {error}") from None


def _error(program: Program, error: runtime.RuntimeError) -> Error:
    kind = OutOfMemoryError if isinstance(error, runtime.OutOfMemoryError) else Error
    return kind(f"{program.name}: {error}")


def _to_tensor(value: Any, info: TensorInfo) -> runtime.Tensor:
    """An array or a number as the program has it."""
    dtype = info._numpy
    if info.device_shape is None:
        return runtime.from_array(value, dtype)
    array = runtime.to_host_array(value, dtype)
    if array.shape != info.shape or not np.can_cast(array.dtype, dtype, "safe"):
        shape = "x".join(map(str, array.shape)) or "scalar"
        raise ValueError(f"found {shape} {array.dtype.name}")
    return runtime.from_numpy(narrow(array, runtime.host_dtype(info.data_type), info.device_shape))


def _check(where: str, info: TensorInfo, tensor: runtime.Tensor) -> None:
    """Raises InputError unless the tensor is what the program takes; block floats also take the
    wider formats, from which the device makes them, and integers of one width each other's bits."""
    if info.accepts(tensor):
        return
    shape, data_type = tuple(tensor.shape), tensor.dtype.name
    accepted = {info.data_type}
    if DATA_TYPES[info.data_type].block:
        accepted |= {"Float32", "BFloat16"}
    for width in ("32", "16", "8"):
        if info.data_type in (f"UInt{width}", f"Int{width}"):
            accepted |= {f"UInt{width}", f"Int{width}"}
    if shape != (info.device_shape or info.shape) or data_type not in accepted:
        dtype = runtime.host_dtype(data_type).name
        found = TensorInfo(shape, dtype, data_type)
        raise InputError(f"{where}: expected {info}, found {found}")


def _program(binary: runtime.Binary, index: int) -> Program:
    mesh_shape, chip_ids = binary.get_program_mesh(index)
    return Program(
        index,
        binary.get_program_name(index),
        _infos(
            binary.get_program_inputs(index),
            binary.get_program_input_layouts(index),
            hosts(binary, index, inputs=True),
            binary.get_program_arguments(index),
        ),
        _infos(
            binary.get_program_outputs(index),
            binary.get_program_output_layouts(index),
            hosts(binary, index, inputs=False),
        ),
        tuple(mesh_shape),
        tuple(chip_ids),
        tuple(binary.get_program_variables(index)),
    )


def _infos(
    descs: Sequence[runtime.TensorDesc],
    layouts: Sequence[str],
    sources: Sequence[Host | None],
    arguments: Sequence[tuple[str, str, int]] = (),
) -> tuple[TensorInfo, ...]:
    """Of inputs, if there are arguments, or of outputs."""
    infos = []
    for i, (d, layout, host) in enumerate(zip(descs, layouts, sources, strict=True)):
        shape = tuple(d.shape)
        info = TensorInfo(shape, runtime.host_dtype(d.dtype).name, d.dtype.name, layout)
        if host is not None:
            info = TensorInfo(host.shape, host.dtype.name, d.dtype.name, layout, shape)
        if arguments:
            name, kind, output = arguments[i]
            info = replace(
                info,
                name=name or f"arg{i}",
                argument_type=kind,
                aliased_output=output if output >= 0 else None,
            )
        infos.append(info)
    return tuple(infos)
