"""Compiles and runs programs for a client of JAX."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from jax_plugins.ttmlir._buffers import Value
from jax_plugins.ttmlir._devices import System
from jax_plugins.ttmlir._errors import Code, PluginError
from jax_plugins.ttmlir._executable import Program, compile_program, load_program
from jax_plugins.ttmlir._options import read as read_options
from jax_plugins.ttmlir._types import dtype_of
from ttmlir import Report, TraceFilter, _runtime, runtime

#: Programs that JAX holds, by fingerprint.
_programs: weakref.WeakValueDictionary[str, Program] = weakref.WeakValueDictionary()


#: Reports that a caller has requested, by the fingerprints of the programs.
_recordings: dict[str, Recording] = {}


def find_program(fingerprint: str) -> Program | None:
    """Returns the program that an executable of JAX runs; None for one of another backend."""
    return _programs.get(fingerprint)


@dataclass
class Recording:
    """The report of a program's next call, set when that call ends."""

    trace: bool | TraceFilter
    report: Report | None = None


@contextmanager
def recording(program: Program, trace: bool | TraceFilter) -> Iterator[Recording]:
    """Records a report of the program's next call in this scope."""
    found = _recordings.setdefault(program.fingerprint, Recording(trace))
    try:
        yield found
    finally:
        _recordings.pop(program.fingerprint, None)


class Runner:
    """Methods of a ``Backend`` that the extension module calls. All but ``compile`` and ``load``
    are used by one thread at a time."""

    def __init__(self, system: System) -> None:
        self.system = system

    def compile(self, code: bytes, form: str, options: bytes) -> Program:
        """Compiles an MLIR module of JAX."""
        if form != "mlir":
            raise PluginError(
                Code.UNIMPLEMENTED, f"a program in the form '{form}': expected StableHLO in mlir"
            )
        return self._kept(compile_program(code, read_options(options), self.system))

    def load(self, serialized: bytes, options: bytes | None) -> Program:
        """Loads a program that ``Program.serialize`` wrote."""
        return self._kept(load_program(serialized, options, self.system))

    @staticmethod
    def _kept(program: Program) -> Program:
        _programs[program.fingerprint] = program
        return program

    def put(self, block: Any, number: int, shape: tuple[int, ...], chip: int) -> Value:
        """Creates a buffer from the host elements in ``block``."""
        dtype = dtype_of(number)
        array: np.ndarray[Any, Any] = np.ndarray(shape, dtype, block)
        return Value(dtype, shape, array=array)

    def fetch(self, value: Value, view: memoryview, order: tuple[int, ...]) -> None:
        """Copies the elements to host memory, with the dimensions in the given order."""
        shape = tuple(value.shape[dim] for dim in order)
        to: np.ndarray[Any, Any] = np.ndarray(shape, value.dtype, view)
        to[...] = value.array().transpose(order)

    def copy(self, value: Value, chip: int) -> Value:
        """Copies the elements to another chip."""
        return value.moved(self.system, chip)

    def execute(
        self, program: Program, values: Sequence[Value], given_up: Sequence[bool]
    ) -> list[Value]:
        """Runs a program on all its chips.

        ``values`` are the inputs of the first device of this process, then those of the next one;
        the results have the same order. The caller does not use donated inputs any more.
        """
        try:
            tensors = _place(program, values, given_up)
        except Exception as error:
            if program.mesh.is_divided:
                self.withdraw(str(error))
            raise
        wanted = _recordings.get(program.fingerprint) if _recordings else None
        if wanted is not None and wanted.report is None:
            wanted.report = _report(program, values, tensors, wanted.trace)
        executable = program.executable
        results = [
            program.mesh.split(tensor)
            for tensor in executable.run_placed(tensors, device=program.device)
        ]
        # The importer adds a placeholder output to a program without outputs.
        return [
            Value(dtype, shape, tensor=shards[d], host=host, backend=executable.backend)
            for d in range(len(program.mesh.positions))
            for shards, (dtype, shape, host) in zip(results, program.results, strict=False)
        ]

    @staticmethod
    def withdraw(message: str) -> None:
        """Tells the other processes of a program, which wait for this one, why it does not run."""
        _runtime.report_failure(message, is_new=True)


def _place(
    program: Program, values: Sequence[Value], given_up: Sequence[bool]
) -> list[runtime.Tensor]:
    """Places the inputs of ``Runner.execute`` on the chips of this process."""
    tensors = []
    for i, (given, places) in enumerate(zip(given_up, program.places, strict=True)):
        own = zip(values[i :: len(given_up)], places, strict=True)
        if given or places[0].info.aliased_output is None:
            shards = [value.tensor(place) for value, place in own]
        else:
            shards = [value.copy(place) for value, place in own]
        tensors.append(program.mesh.join(shards, program.device))
    return tensors


def _report(
    program: Program,
    values: Sequence[Value],
    tensors: Sequence[runtime.Tensor],
    trace: bool | TraceFilter,
) -> Report:
    """Reports a separate run, which leaves the inputs unchanged."""
    inputs = []
    for i, (tensor, places) in enumerate(zip(tensors, program.places, strict=True)):
        if places[0].info.aliased_output is not None:
            own = zip(values[i :: len(tensors)], places, strict=True)
            copies = [value.copy(place) for value, place in own]
            tensor = program.mesh.join(copies, program.device)
        inputs.append(tensor)
    return program.executable.report(inputs=inputs, trace=trace, device=program.device)
