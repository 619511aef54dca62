"""Compiled programs that run on an emulated system."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ttmlir import runtime
from ttmlir._bound_arguments import Bound, Source, is_mapped, unchanging
from ttmlir._compiled_file import CompiledFile
from ttmlir._files import written
from ttmlir._host_arrays import widen
from ttmlir._programs import Program, TensorInfo, check, to_tensor
from ttmlir.errors import Error, InputError, OutOfMemoryError
from ttmlir.frontends import Signature
from ttmlir.report import Report


class Runnable(CompiledFile):
    """What an executable is without comparisons: calls, bound arguments, buffers, reports."""

    def __init__(
        self,
        binary: runtime.Binary,
        system_desc: runtime.SystemDesc | None = None,
        signature: Signature | None = None,
    ) -> None:
        super().__init__(binary, system_desc)
        #: How calls look in the terms of the source.
        self.signature = signature or Signature()
        self._bound = Bound()

    def __call__(
        self,
        *args: Any,
        program: int | str = 0,
        keep_on_device: bool = False,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> Any:
        """Runs a program.

        Args:
            args: of a function of JAX or a module of PyTorch, its arguments, in pytrees. Else one
                for each argument that is not bound: numpy, torch or other DLPack arrays of
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
            kwargs: keywords of the function or the module; of a model of ONNX, inputs by name.

        Returns:
            What the function or the module returns, with arrays of NumPy or tensors of PyTorch as
            leaves. Else a numpy array, or a tuple of them for several results;
            ``runtime.Tensor`` with ``keep_on_device``.

        Raises:
            InputError: wrong count, structure, name, shape or data type, or a number that does not
                fit.
            OutOfMemoryError: a memory of the device is exhausted.
            Error: the program cannot run.
            Fault: a kernel did something wrong; a class of ``ttmlir.errors`` for each kind.
        """
        which = self._find(program)
        call = self.signature.call(self, which, args, kwargs)
        tensors = self._tensors(which, call.inputs)
        try:
            results = self._run(device or self.device, which, tensors)
        except BaseException as error:
            call.failed(error)
            raise
        return call.results(results, keep_on_device)

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

    @property
    def input_names(self) -> tuple[str, ...]:
        """The names of the arguments of a call of the first program."""
        return self.signature.input_names(self)

    @property
    def output_names(self) -> tuple[str, ...]:
        """The names of the results of a call of the first program."""
        return self.signature.output_names(self)

    def buffers(self) -> dict[str, Any]:
        """The buffers of a module of PyTorch that calls change, by their names, as they are now.

        Raises:
            Error: a call failed while it had them on the device; ``reset_buffers`` begins again.
        """
        return self.signature.buffers(self)

    def reset_buffers(self) -> None:
        """Gives these buffers the values that they had when the module was compiled."""
        self.signature.reset_buffers()

    def is_bound(self, program: Program) -> Callable[[int], bool]:
        """Tells for the number of an argument of a program whether it is bound."""
        return self._bound.of(program).__contains__

    def unbound_inputs(self, program: Program) -> list[TensorInfo]:
        """The inputs of a program that a call gives."""
        bound = self._bound.of(program)
        return [info for i, info in enumerate(program.inputs) if i not in bound]

    def arrays(self, program: Program, results: Sequence[runtime.Tensor]) -> list[Any]:
        """The results of a program as arrays of the host.

        Raises:
            Error: the chips of a mesh do not have the same result.
        """
        try:
            return [
                widen(runtime.to_numpy(result), info._source)
                for result, info in zip(results, program.outputs, strict=True)
            ]
        except runtime.RuntimeError as error:
            raise Error(f"{program.name}: {error}") from None

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

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a ``.ttnn`` or ``.ttm`` file: the whole file or nothing."""
        with written(path) as file:
            file.write(self.binary.to_bytes())

    def report(
        self,
        *args: Any,
        program: int | str = 0,
        inputs: Sequence[Any] | None = None,
        trace: bool | runtime.TraceFilter = False,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> Report:
        """Runs a program, on zeros unless it is given arguments, and returns what the chip would
        need for it.

        The cost does not depend on the values, but for how often loops turn and which branches are
        taken. The report prints as a table, is a page in a notebook and saves as one
        (``ttmlir.Report.save``). With ``trace`` it has the timeline, or what a
        ``ttmlir.TraceFilter`` keeps of it, for ``ttmlir.Report.save_trace``.

        Variables have their first values in it and keep those of the calls.

        Args:
            args: those of a call.
            program: index or name.
            inputs: instead of the arguments of a call, the inputs of the program that are not
                bound, in its order: of tensors that are on the device the report tells that they
                need not go there.
            trace: see above.
            device: an open device instead of the shared one. What else is on a device, such as the
                parameters of other executables, counts in its memory.
            kwargs: those of a call.

        Raises:
            InputError: wrong arguments, as in a call.
            OutOfMemoryError: a memory of the device is exhausted; its ``report`` shows who has it.
        """
        which = self._find(program)
        if args or kwargs:
            if inputs is not None:
                raise TypeError("report() takes arguments of a call or inputs, found both")
            inputs = self.signature.call(self, which, args, kwargs).inputs
        elif inputs is None:
            inputs = [np.zeros(info.shape, info.dtype) for info in self.unbound_inputs(which)]
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

    def _tensors(self, program: Program, inputs: Sequence[Any]) -> list[runtime.Tensor]:
        """All arguments: bound ones, and the inputs in their order."""
        self._bound.check_files()
        bound = self._bound.of(program)
        missing = len(program.inputs) - len(bound)
        if len(inputs) != missing:
            free = self.unbound_inputs(program)
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
                value = to_tensor(unchanging(value) if keeps else value, info)
            except (TypeError, ValueError, OverflowError, runtime.RuntimeError) as error:
                raise InputError(f"{where}: expected {info}: {error}") from None
        tensor: runtime.Tensor = value
        try:
            check(where, info, tensor)
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


def _error(program: Program, error: runtime.RuntimeError) -> Error:
    kind = OutOfMemoryError if isinstance(error, runtime.OutOfMemoryError) else Error
    return kind(f"{program.name}: {error}")
