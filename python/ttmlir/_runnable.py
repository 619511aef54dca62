"""Compiled programs that run on an emulated system."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ttmlir import runtime
from ttmlir._advisor import Advisor, Recompile
from ttmlir._bound_arguments import Bound, Source, is_mapped, unchanging
from ttmlir._compiled_file import CompiledFile
from ttmlir._files import written
from ttmlir._host_arrays import widen
from ttmlir._numerics import Numerics, check_numerics, computing
from ttmlir._programs import Program, TensorInfo, check, run_error, to_tensor
from ttmlir.advice import Advice
from ttmlir.captured import CapturedTrace
from ttmlir.errors import Error, InputError, OutOfMemoryError
from ttmlir.frontends import Signature
from ttmlir.report import Report


def _form(info: TensorInfo) -> tuple[Any, ...]:
    """Returns what arguments have in common that can share a tensor."""
    return info.shape, info.data_type, info.device_shape, info.shard_shape, info.layout


class Runnable(CompiledFile):
    """The part of an executable without comparisons: calls, bound arguments, buffers, reports."""

    def __init__(
        self,
        binary: runtime.Binary,
        system_desc: runtime.SystemDesc | None = None,
        signature: Signature | None = None,
        recompile: Recompile | None = None,
        numerics: Numerics | None = None,
    ) -> None:
        super().__init__(binary, system_desc)
        check_numerics(numerics)
        #: The arithmetic of runs, ``fast`` or ``exact``; None for the option of the device.
        self.numerics: Numerics | None = numerics
        #: Converts the arguments and results of calls to the source's terms.
        self.signature = signature or Signature()
        self._bound = Bound()
        self._recompile = recompile

    def __call__(
        self,
        *args: Any,
        program: int | str = 0,
        keep_on_device: bool = False,
        numerics: Numerics | None = None,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> Any:
        """Runs a program.

        Args:
            args: for a JAX function or a PyTorch module, its arguments as pytrees. Otherwise one
                for each argument that is not bound: numpy, torch or other DLPack arrays with
                the program's shapes and data types (``ml_dtypes.bfloat16`` for bf16), or results
                kept on the device. Inputs of int64, uint64, float64 and bool also accept arrays
                that NumPy casts to them safely, and numbers. A device tensor passed to a donated
                input becomes
                invalid: the output that the input is paired with reuses its memory.
            program: index or name.
            keep_on_device: return the results as tensors where the program leaves them, without a
                copy to the host (compile with ``results_on_device`` to leave them on the device).
                Outputs paired with donated inputs always stay on the device.
            numerics: the arithmetic of this run, ``fast`` or ``exact``; by default that of the
                executable.
            device: an open device instead of the shared one.
            kwargs: keywords of the function or the module; for an ONNX model, inputs by name.

        Returns:
            The function's or the module's return value, with NumPy arrays or PyTorch tensors as
            leaves. Otherwise a numpy array, or a tuple of them for several results;
            ``runtime.Tensor`` with ``keep_on_device``.

        Raises:
            InputError: wrong count, structure, name, shape or data type, a number that does not
                fit, or unknown ``numerics``.
            OutOfMemoryError: a memory of the device is exhausted.
            Error: the program cannot run.
            Fault: a kernel violated a rule; each kind is a class in ``ttmlir.errors``.
        """
        which = self._find(program)
        check_numerics(numerics)
        used = device or self.device
        call = self.signature.call(self, which, args, kwargs)
        call.run = lambda other, inputs: self._run(
            used, other, self._tensors(other, inputs), numerics=numerics
        )
        tensors = self._tensors(which, call.inputs)
        try:
            results = self._run(used, which, tensors, numerics=numerics)
        except BaseException as error:
            call.failed(error)
            raise
        return call.results(results, keep_on_device)

    def bind(
        self, source: Source | None = None, /, *, program: int | str | None = None, **tensors: Any
    ) -> None:
        """Binds tensors to arguments for all later calls, which then take only the other arguments.

        Values that depend only on parameters and constants are computed by the next call and stay
        on the device.

        Args:
            source: a safetensors file, which is mapped into memory and whose pages are released
                after use, or a dictionary, such as ``module.state_dict()`` in PyTorch. Its tensors
                are bound to the arguments of the same names. It must contain all parameters that
                are not bound; other entries are ignored.
            program: index or name of the program; by default all programs that have such
                arguments.
            tensors: arrays by argument name. An array that its owner can change is copied.

        Raises:
            InputError: a name does not exist or is bound already, a parameter is missing, or a
                shape or data type is wrong. Nothing is bound then.
            FileError: the file does not exist or is damaged.
            TypeError: the source is neither a path nor a dictionary.
        """
        programs = self.programs if program is None else (self._find(program),)
        bound = []
        made: dict[tuple[int, Any], runtime.Tensor] = {}
        given, places = self._bound.places(programs, source, tensors)
        for which, i, value in places:
            info = which.inputs[i]
            # Programs share a tensor if they use the same form of it.
            key = (id(value), _form(info))
            if key not in made:
                made[key] = self._frozen(which, i, value)
            bound.append((which, i, made[key]))
        self._bound.set(given, bound)

    def bind_shared(
        self,
        values: Mapping[str, Callable[[], Any]],
        placed: dict[Any, runtime.Tensor],
        program: Program | None = None,
    ) -> None:
        """Binds arguments of a program to tensors that executables for the same device share, and
        so do results that several of them compute from these alone.

        Args:
            values: compute the tensors, by the name of the argument. They are called for arguments
                that ``placed`` does not have in the form that the program takes.
            placed: the shared tensors, by name and form. New ones are added.
            program: by default the first one.
        """
        program = program or self.programs[0]
        bound = []
        for i, info in enumerate(program.inputs):
            if info.name not in values or info.aliased_output is not None:
                continue
            key = (info.name, *_form(info))
            if key not in placed:
                placed[key] = self._frozen(program, i, values[info.name]())
            bound.append((program, i, placed[key]))
        self._bound.set({}, bound)

    def _frozen(self, program: Program, index: int, value: Any) -> runtime.Tensor:
        """Places an argument for all later calls."""
        info = program.inputs[index]
        tensor = self._tensor(f"{program.name}: '{info.name}'", value, info, keeps=True)
        placed = self._placed(self.device, program, index, tensor)
        placed.freeze(mapped_file=is_mapped(value, placed))
        return placed

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
        """Places an input on the device in the layout of the program, so that calls with the
        returned tensor do not transfer it again.

        Args:
            index: index of the argument.
            value: a value that a call accepts. An array that its owner can change is copied.
            program: index or name of the program.
            device: an open device instead of the shared one.
            position: for a program on a mesh, the position of the chip that gets the tensor; by
                default all chips. ``ttmlir.runtime.combine_device_tensors`` combines the tensors of
                all chips into one.

        Raises:
            InputError: there is no such argument, or the shape or data type is wrong.
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
        numerics: Numerics | None = None,
        device: runtime.Device | None = None,
    ) -> list[runtime.Tensor]:
        """Runs a program on inputs returned by ``place`` and leaves the results on the device: the
        call with the least overhead. The keywords are those of a call.

        Raises:
            OutOfMemoryError: a memory of the device is exhausted.
            Error: the program cannot run on them.
        """
        which = self._find(program)
        return self._launched(device or self.device, which, tensors, self.binary, numerics)

    @property
    def input_names(self) -> tuple[str, ...]:
        """The names of the arguments of a call of the first program."""
        return self.signature.input_names(self)

    @property
    def output_names(self) -> tuple[str, ...]:
        """The names of the results of a call of the first program."""
        return self.signature.output_names(self)

    def buffers(self) -> dict[str, Any]:
        """Current values of a PyTorch module's buffers that calls change, by name.

        Raises:
            Error: a call failed while they were on the device; ``reset_buffers`` starts over.
        """
        return self.signature.buffers(self)

    def reset_buffers(self) -> None:
        """Resets these buffers to their values at compile time."""
        self.signature.reset_buffers()

    def is_bound(self, program: Program) -> Callable[[int], bool]:
        """Returns a predicate: whether the argument of an index is bound."""
        return self._bound.of(program).__contains__

    def unbound_inputs(self, program: Program) -> list[TensorInfo]:
        """Returns the inputs of a program that a call must pass."""
        bound = self._bound.of(program)
        return [info for i, info in enumerate(program.inputs) if i not in bound]

    def arrays(self, program: Program, results: Sequence[runtime.Tensor]) -> list[Any]:
        """Converts the results of a program to arrays of the host.

        Raises:
            Error: the chips of a mesh return different results.
        """
        return [self.array(program, i, result) for i, result in enumerate(results)]

    def array(self, program: Program, number: int, result: runtime.Tensor) -> Any:
        """Converts one result of a program to an array of the host.

        Raises:
            Error: the chips of a mesh return different results.
        """
        try:
            return widen(runtime.to_numpy(result), program.outputs[number]._source)
        except runtime.RuntimeError as error:
            raise Error(f"{program.name}: {error}") from None

    def unbind(self) -> None:
        """Frees the bound tensors and the values computed from them."""
        self._bound.clear()
        self.binary.release_kept()

    def reset_variables(self) -> None:
        """Resets the variables of all programs, on all devices, to the values before the first
        call."""
        self.binary.reset_variables()

    @cached_property
    def device(self) -> runtime.Device:
        """The device that calls use; see ``runtime.shared_device``."""
        return runtime.shared_device(self.system_desc, self.backend)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a ``.ttnn`` or ``.ttm`` file atomically."""
        with written(path) as file:
            file.write(self.binary.to_bytes())

    def report(
        self,
        *args: Any,
        program: int | str = 0,
        inputs: Sequence[Any] | None = None,
        trace: bool | runtime.TraceFilter = False,
        advise: bool = False,
        numerics: Numerics | None = None,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> Report:
        """Runs a program, on zeros unless arguments are given, and reports its cost on the chip.

        The cost does not depend on the values, except for loop counts and branches taken. The
        report prints as a table, displays as a page in a notebook and saves as one
        (``ttmlir.Report.save``). With ``trace`` it includes the timeline, or the part that a
        ``ttmlir.TraceFilter`` selects, for ``ttmlir.Report.save_trace``.

        Variables start from their initial values and are not changed for later calls.

        Args:
            args: arguments as in a call.
            program: index or name.
            inputs: in place of arguments of a call, the inputs of the program that are not
                bound, in its order. The report then omits transfers of tensors that are already on
                the device.
            trace: see above.
            advise: end the report with what makes the program faster, see ``advise``.
            numerics: as in a call.
            device: an open device instead of the shared one. Other tensors on the device, such as
                the parameters of other executables, count towards its memory.
            kwargs: keywords as in a call.

        Raises:
            InputError: wrong arguments, as in a call.
            OutOfMemoryError: a memory of the device is exhausted; its ``report`` lists the owners.
        """
        which = self._find(program)
        chosen = self._inputs_of("report", which, inputs, args, kwargs)
        report, _ = self._reported(device or self.device, which, chosen, trace, numerics)
        if advise:
            known = chosen if args or kwargs or inputs is not None else None
            report = replace(report, advice=self.advise(program=program, inputs=known))
        return report

    def _reported(
        self,
        device: runtime.Device,
        program: Program,
        inputs: Sequence[Any],
        trace: bool | runtime.TraceFilter = False,
        numerics: Numerics | None = None,
    ) -> tuple[Report, list[runtime.Tensor]]:
        """Returns the report of a run, and its results."""
        tensors = self._tensors(program, inputs)
        own = self._remarks(program)
        runtime.enable_report(device, True, trace)
        try:
            results = self._run(device, program, tensors, self._unused_binary(program), numerics)
            report = Report.from_runtime(runtime.get_report(device), *own)
            parts = self.programs[: self.signature.count_parts()]
            report = replace(
                report,
                host_nodes=self.signature.host_nodes(),
                programs=tuple(part.name for part in parts) if len(parts) > 1 else (),
            )
            return report, results
        except OutOfMemoryError as error:
            found = runtime.get_report(device)
            if found.failed:
                error.report = Report.from_runtime(found, *own)
            raise
        finally:
            runtime.enable_report(device, False)

    def estimate(self, *, program: int | str = 0, position: int | None = None) -> Report:
        """Returns the report of a call on arrays without running the program: the same time and
        bytes of every op as by ``report`` once values that depend on parameters alone are there,
        but nothing about memory over time.

        Args:
            program: index or name.
            position: of the last query of attention that takes positions, which a run reads; by
                default it reads all of the keys and values.

        Raises:
            Error: the position is negative; or only a run tells the time, for kernels
                (``ttmetal``), loops and conditions.
        """
        which = self._find(program)
        try:
            found = runtime.estimate_report(self.binary, which.index, position)
        except runtime.RuntimeError as error:
            raise run_error(which, error) from None
        return Report.from_runtime(found, *self._remarks(which))

    def advise(
        self,
        *args: Any,
        program: int | str = 0,
        inputs: Sequence[Any] | None = None,
        limit: int = 5,
        trials: int = 24,
        **kwargs: Any,
    ) -> Advice:
        """Searches for compile options that make the program faster on the chip, by compiling it
        with each: results in L1, block floats, fewer multiplier phases, and other layouts or phases
        of the most expensive ops. Modelled times do not include transfers to and from the host.

        With arguments, the suggestions are also run: each then has the correlation of its results
        with those of this executable, and those that do not fit in memory are left out.

        Args:
            args: arguments as in a call.
            program: index or name.
            inputs: in place of arguments of a call, the inputs of the program that are not
                bound, in its order.
            limit: the number of suggestions to return.
            trials: how many programs to compile at most.
            kwargs: keywords as in a call.

        Raises:
            InputError: wrong arguments, as in a call.
            Error: the executable was loaded from a file, which does not have the source.
        """
        if self._recompile is None:
            raise Error(
                "advise() compiles the source with other options, but an executable from a file "
                "has no source"
            )
        for name, value in (("limit", limit), ("trials", trials)):
            if not isinstance(value, int) or value < 1:
                raise InputError(f"{name}: expected a positive integer, found {value!r}")
        which = self._find(program)
        known = None
        if args or kwargs or inputs is not None:
            known = self._inputs_of("advise", which, inputs, args, kwargs)
        recompile = self._recompile

        def compile(keywords: Mapping[str, Any]) -> Runnable:
            made: Runnable = recompile(keywords)
            # Its arguments are the same, and so are the tensors bound to them.
            made._bound = self._bound
            return made

        advisor = Advisor(compile, which.name, known, trials)
        return advisor.advise(self, recompile.options, limit)

    def run_reported(
        self, program: int | str, inputs: Sequence[Any] | None
    ) -> tuple[Report, list[Any]]:
        """Runs a program on its inputs, or on zeros; returns the report and the result arrays."""
        which = self._find(program)
        chosen = self._inputs_of("report", which, inputs, (), {})
        report, results = self._reported(self.device, which, chosen)
        return report, self.arrays(which, results)

    def trace(
        self,
        *args: Any,
        program: int | str = 0,
        inputs: Sequence[Any] | None = None,
        numerics: Numerics | None = None,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> CapturedTrace:
        """Runs a program once and captures it with all its addresses. Replays run on the device
        without the host, which otherwise launches op by op, and their inputs and outputs are
        transferred on a second queue. (Timelines are another thing: ``report(trace=True)``.)

        Bound tensors, and what is computed from them, are part of the trace.

        Args:
            args: arguments as in a call, whose shapes and data types the trace has; zeros by
                default.
            program: index or name.
            inputs: in place of arguments of a call, the inputs of the program that are not
                bound, in its order.
            numerics: the arithmetic of the replays, as in a call.
            device: an open device instead of the shared one.
            kwargs: keywords as in a call.

        Raises:
            InputError: wrong arguments, as in a call.
            OutOfMemoryError: a memory of the device is exhausted.
            Error: the host has to act in the middle of a run, such as for a ``while`` loop or for
                nodes of an ONNX model; an input is donated; the program has variables; or values
                are computed from a parameter that is not bound.
        """
        which = self._find(program)
        if which.index == 0 and self.signature.count_parts() > 1:
            nodes = ", ".join(f"'{name}'" for name in self.signature.host_nodes())
            raise Error(f"{which.name}: the host computes between the parts of a run: {nodes}")
        tensors = self._tensors(which, self._inputs_of("trace", which, inputs, args, kwargs))
        return CapturedTrace(self, which, device or self.device, tensors, numerics)

    def free_tensors(self, program: Program, inputs: Sequence[Any]) -> list[runtime.Tensor]:
        """Converts the inputs of a call to tensors; those that are bound are left out.

        Raises:
            InputError: wrong count, shape or data type.
        """
        bound = self._bound.of(program)
        return [t for i, t in enumerate(self._tensors(program, inputs)) if i not in bound]

    def count_bindings(self) -> int:
        """How often tensors were bound or freed."""
        return self._bound.changes

    def _inputs_of(
        self,
        what: str,
        program: Program,
        inputs: Sequence[Any] | None,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Sequence[Any]:
        """Returns inputs of the program: those given, of the arguments of a call, or zeros."""
        if args or kwargs:
            if inputs is not None:
                raise TypeError(f"{what}() takes arguments of a call or inputs, found both")
            return self.signature.call(self, program, args, kwargs).inputs
        if inputs is not None:
            return inputs
        return [np.zeros(info.shape, info.dtype) for info in self.unbound_inputs(program)]

    def _tensors(self, program: Program, inputs: Sequence[Any]) -> list[runtime.Tensor]:
        """Returns all arguments: the bound ones, and the inputs in order."""
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
        """Checks that a donated tensor is passed as one input only."""
        free = [(i, info) for i, info in enumerate(program.inputs) if i not in bound]
        for (i, info), value in zip(free, inputs, strict=True):
            if info.aliased_output is None or not isinstance(value, runtime.Tensor):
                continue
            if sum(other is value for other in inputs) > 1:
                raise InputError(
                    f"{program.name}: input {i}: expected a tensor to donate, found one that is "
                    "also another input"
                )

    def _tensor(
        self, where: str, value: Any, info: TensorInfo, *, keeps: bool = False
    ) -> runtime.Tensor:
        """Converts an argument to a tensor of the program; a kept tensor does not alias its
        array."""
        if not isinstance(value, runtime.Tensor):
            try:
                value = to_tensor(unchanging(value) if keeps else value, info)
            except (TypeError, ValueError, OverflowError, runtime.RuntimeError) as error:
                raise InputError(f"{where}: expected {info}: {error}") from None
        tensor: runtime.Tensor = value
        try:
            check(where, info, tensor)
        except runtime.RuntimeError as error:  # It was donated.
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
        """Places the argument in the layout of the program."""
        try:
            return runtime.to_layout(tensor, device, self.binary, program.index, index, position)
        except runtime.RuntimeError as error:
            raise run_error(program, error) from None

    def _unused_binary(self, program: Program) -> runtime.Binary:
        """Returns a binary whose variables no call has changed."""
        if not program.variables:
            return self.binary
        return runtime.load_binary_from_bytes(self.binary.to_bytes())

    def _run(
        self,
        device: runtime.Device,
        program: Program,
        tensors: Sequence[runtime.Tensor],
        binary: runtime.Binary | None = None,
        numerics: Numerics | None = None,
    ) -> list[runtime.Tensor]:
        # Programs of TTMetal move their inputs into place themselves.
        if self.backend == "ttnn":
            tensors = [self._placed(device, program, i, t) for i, t in enumerate(tensors)]
        return self._launched(device, program, tensors, binary or self.binary, numerics)

    def _launched(
        self,
        device: runtime.Device,
        program: Program,
        tensors: Sequence[runtime.Tensor],
        binary: runtime.Binary,
        numerics: Numerics | None,
    ) -> list[runtime.Tensor]:
        """Runs a program on tensors in place."""
        try:
            with computing(device, self.numerics if numerics is None else numerics):
                return list(runtime.run(device, binary, program.index, list(tensors)))
        except runtime.RuntimeError as error:
            raise run_error(program, error) from None
