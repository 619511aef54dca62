"""Programs of kernels."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

from ttmlir import ir, runtime
from ttmlir._numerics import Numerics
from ttmlir.debugger import Debugger
from ttmlir.executable import Executable
from ttmlir.kernel._build import build, to_executable
from ttmlir.kernel._cpp_kernels import CppUses
from ttmlir.kernel._declarations import Declarations
from ttmlir.kernel._kernels import CppSource
from ttmlir.kernel._run import Result, run


class Program(Declarations):
    """A program of kernels on the cores of one chip, or of every chip of a mesh.

    Declare tensors, circular buffers and semaphores, add kernels, run::

        program = kernel.Program("double", cores=(1, 1))
        x = program.input("x", (32, 32), "bf16")
        ...
        program.add(reader, x, buffer)
        y = program.run(x=numbers)["y"]

    Args:
        name: of the program.
        cores: default cores of kernels: (rows, columns) or a ``CoreRange``.
        mesh: the number of chips along each axis of a mesh. All of them run the kernels, each on
            its own tensors; ``get_my_device_id`` returns the position of the chip.
        target, system_desc: the system, as for ``ttmlir.compile``.
    """

    _module: ir.Module | None = None
    _executable: Executable | None = None
    _cpp: CppUses | None = None

    def _declared(self) -> None:
        self._module = self._executable = None

    @property
    def module(self) -> ir.Module:
        """The program in the ttmetal and ttkernel dialects, built on first use.

        Raises:
            BuildError: the program is incomplete, or does not fit the chip.
            ttmlir.CompileError: a kernel does not verify.
        """
        if self._module is None:
            self._cpp = CppUses()
            self._module = build(self, self._cpp)
        return self._module

    @property
    def mlir(self) -> str:
        """The module as text."""
        return str(self.module)

    def compile(self) -> Executable:
        """Returns the executable, which takes the inputs in the order of their declaration."""
        if self._executable is None:
            module = self.module
            self._executable = to_executable(self, module, self._cpp or CppUses())
        return self._executable

    @property
    def cpp(self) -> str:
        """The kernels as C++."""
        return self.compile().cpp

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a ``.ttm`` file. Of kernels in C++ it has the text and the headers of their own;
        they run only if they are allowed to: ``ttmlir.load(path, allow_cpp=True)``."""
        self.compile().save(path)

    def run(
        self,
        *,
        checks: bool | Collection[str] = True,
        numerics: Numerics = "fast",
        step_limit: int | None = None,
        report: bool = False,
        trace: str | os.PathLike[str] | None = None,
        trace_filter: runtime.TraceFilter | None = None,
        host_threads: int | None = None,
        **inputs: Any,
    ) -> Result:
        """Runs the program on an emulated chip.

        Args:
            checks: detect errors that the chip would not report. Their kinds are ``transfers``
                (missing barriers), ``buffers`` (pages that were not reserved or waited for),
                ``memory`` (reads of uninitialized memory), ``races``, ``init`` (compute
                instructions without their init) and ``leftovers`` (pages left reserved or
                unpopped). True enables all but the last; a set enables those that it names.
            numerics: ``fast``, or ``exact`` for the bits of the engines.
            step_limit: maximum number of instructions of a thread; by default the emulator's limit.
            report: also report the cost on the chip.
            trace: a file for the timeline of every thread, for Chrome (``.json``) or Perfetto
                (``.pftrace``).
            trace_filter: the part of the timeline to keep; all by default.
            host_threads: number of threads on this machine to simulate cores; the results do not
                depend on it.
            inputs: arrays by input name. On a mesh, every chip gets the same array; a list has one
                for each chip.

        Returns:
            The results by name, and the output that the kernels printed. On a mesh a result is a
            tuple with an array for each chip.

        Raises:
            ttmlir.errors.Fault: a kernel violated a rule. Each kind is a class; the message names
                the kernel, core, thread and line.
            ttmlir.InputError: the inputs do not match those that the program declares.
        """
        return run(
            self,
            self.compile(),
            inputs,
            checks=checks,
            numerics=numerics,
            step_limit=step_limit,
            report=report,
            trace=trace,
            trace_filter=trace_filter,
            host_threads=host_threads,
        )

    def debug(
        self,
        *,
        checks: bool | Collection[str] = True,
        numerics: Numerics = "fast",
        step_limit: int | None = None,
        report: bool = False,
        **inputs: Any,
    ) -> Debugger:
        """Returns a debugger for one run, with the arguments and the result of ``run``::

            with program.debug(x=numbers) as debug:
                debug.break_at("reader.py:12")
                print(debug.run())

        Raises:
            BuildError: the program cannot be built.
        """
        executable = self.compile()
        kernels = [use.kernel for dispatch in self.dispatches for use in dispatch.uses]
        texts = {k.source: k.body.text for k in kernels if isinstance(k.body, CppSource)}
        return Debugger(
            executable.device,
            lambda: run(
                self,
                executable,
                inputs,
                checks=checks,
                numerics=numerics,
                step_limit=step_limit,
                report=report,
                trace=None,
                trace_filter=None,
                host_threads=None,
            ),
            texts,
        )
