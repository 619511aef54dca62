"""Debugged runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal

from ttmlir import _runtime as native
from ttmlir.debugger._logs import print_line, watcher_log
from ttmlir.debugger._state import Breakpoint, Core, Thread, checked
from ttmlir.errors import Error, InputError

Reason = Literal["launch", "breakpoint", "step", "interrupt", "fault", "deadlock", "ended"]
Place = tuple[int, int, int, str]


@dataclass(frozen=True)
class Stop:
    """A stop of a program. ``reason`` is ``launch`` (kernels are about to start), ``breakpoint``,
    ``step``, ``interrupt``, ``fault``, ``deadlock`` or ``ended``. ``thread`` is None if the stop is
    of no thread, ``message`` that of a fault or an error, and ``error`` the exception with which
    the program has ended."""

    reason: Reason
    thread: Thread | None = None
    breakpoints: tuple[int, ...] = ()
    message: str = ""
    error: BaseException | None = None

    def __str__(self) -> str:
        text = (
            "breakpoint " + ", ".join(map(str, self.breakpoints))
            if self.breakpoints
            else self.reason
        )
        if self.thread is not None:
            text += f": {self.thread}, {self.thread.instruction} at {self.thread.location}"
        return text + (f": {self.message}" if self.message else "")


class Debugger:
    """A program that runs in another thread, under control of this object.

    Made by ``ttmlir.kernel.Program.debug`` and ``ttmlir.Executable.debug``; use it in a ``with``
    statement, which stops the program in front of its first kernels and abandons it at the end.
    Cores are (row, column). Results, faults and modelled times are those of a run without a
    debugger.
    """

    def __init__(
        self,
        device: native.Device,
        call: Callable[[], Any],
        sources: Mapping[str, str] | None = None,
    ) -> None:
        self._device = device
        self._call = call
        #: Texts of kernels that are in no file, by the file of their locations.
        self.sources: dict[str, str] = dict(sources or {})
        self._native = native.Debugger()
        self._runner: threading.Thread | None = None
        self._result: Any = None
        self._error: BaseException | None = None
        self._stop = Stop("ended")

    def __enter__(self) -> Debugger:
        checked(lambda: native.set_debugger(self._device, self._native))
        self._runner = threading.Thread(target=self._run, name="ttmlir-debugged", daemon=True)
        self._runner.start()
        try:
            stop = self.wait()
            if stop.error is not None:
                raise stop.error
            if stop.reason == "ended":
                raise Error(
                    "the program has no kernels to debug: expected a program of the ttmetal backend"
                )
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Abandons the program if it has not ended."""
        if self._runner is not None:
            self._native.abandon()
            self._runner.join()
            self._runner = None

    def _run(self) -> None:
        message = ""
        try:
            self._result = self._call()
        except BaseException as error:
            self._error, message = error, str(error) or type(error).__name__
        # Later runs are not debugged.
        native.set_debugger(self._device, None)
        self._native.end(message)

    @property
    def stop(self) -> Stop:
        """The last stop."""
        return self._stop

    @property
    def result(self) -> Any:
        """The result of the program.

        Raises:
            InputError: it has not ended.
            Fault: it has ended with a fault.
        """
        if self._stop.reason != "ended":
            raise InputError("the program has not ended: continue it until it ends")
        if self._error is not None:
            raise self._error
        return self._result

    # ------------------------------------------------------------------------------------------
    # Breakpoints

    def break_at(
        self,
        line: str = "",
        *,
        kernel: str = "",
        thread: str = "",
        core: tuple[int, int] | None = None,
        device: int = 0,
        once: bool = False,
    ) -> Breakpoint:
        """Stops threads in front of a line.

        Args:
            line: ``file:line``; the file by its last components, such as ``reader.py``. Stops at
                the next line with an instruction if this one has none, and at the start of the
                kernels without a line.
            kernel, thread, core, device: stop only this kernel, threads of this name and this core.
            once: remove the breakpoint at its first stop.

        Returns:
            The breakpoint. Its ``places`` are empty if no kernel that runs now has such a line;
            kernels that start later may have one.

        Raises:
            InputError: the line or the name of the thread is malformed.
        """
        file, number = "", 0
        if line:
            file, colon, text = line.rpartition(":")
            if not colon or not file or not text.isdecimal() or not 0 < int(text) < 1 << 32:
                raise InputError(f"expected a line as file:line, found '{line}'")
            number = int(text)
        place = None if core is None else (device, *core)
        found = checked(
            lambda: self._native.add_breakpoint(
                file=file, line=number, kernel=kernel, thread=thread, core=place, once=once
            )
        )
        return next(b for b in self.breakpoints if b.id == found)

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """All breakpoints, with their hits."""
        return tuple(map(Breakpoint.from_runtime, self._native.breakpoints()))

    def delete(self, breakpoint: int) -> None:
        """Deletes a breakpoint by its id.

        Raises:
            InputError: there is none.
        """
        checked(lambda: self._native.remove_breakpoint(breakpoint))

    def enable(self, breakpoint: int, enabled: bool = True) -> None:
        """Enables or disables a breakpoint by its id.

        Raises:
            InputError: there is none.
        """
        checked(lambda: self._native.enable_breakpoint(breakpoint, enabled))

    # ------------------------------------------------------------------------------------------
    # Control

    def run(self, *, launches: bool = False) -> Stop:
        """Continues until the next stop: a breakpoint, a fault, a deadlock or the end.

        Args:
            launches: also stop in front of the kernels of each later launch.
        """
        stop = self._resume("continue", None)
        while stop.reason == "launch" and not launches:
            stop = self._resume("continue", None)
        return stop

    def step(self, thread: Thread | Place | None = None) -> Stop:
        """Continues until a thread has executed one instruction; by default the thread of the last
        stop. Other threads run meanwhile."""
        return self._resume("instruction", self._place(thread))

    def step_line(self, thread: Thread | Place | None = None) -> Stop:
        """Continues until a thread reaches another line; by default the thread of the last stop.
        Other threads run meanwhile."""
        return self._resume("line", self._place(thread))

    def step_core(self, core: tuple[int, int] | Thread | None = None, device: int = 0) -> Stop:
        """Executes one instruction of each thread of a core that does not wait; all other cores
        stand still.

        Args:
            core: the core, or one of its threads, of which the stop then is; by default the thread
                of the last stop.
            device: the position of the chip on a mesh.

        Raises:
            InputError: no kernel runs on the core.
        """
        if not isinstance(core, tuple):
            return self._resume("core", self._place(core))
        own = [t for t in self.threads if (t.device, t.core) == (device, core)]
        if not own:
            raise InputError(f"no kernel runs on core ({core[0]}, {core[1]})")
        return self._resume("core", own[0].place)

    def interrupt(self) -> Stop:
        """Stops a program that another thread, or an interrupted call, has continued."""
        self._native.interrupt()
        return self.wait()

    def wait(self) -> Stop:
        """Waits until the program stops. Ctrl-C ends the wait, not the program."""
        raw = self._native.wait()
        thread = None
        if raw.place is not None:
            thread = next((t for t in self.threads if t.place == raw.place), None)
        error = self._error if raw.reason == "ended" else None
        reason: Any = raw.reason
        self._stop = Stop(reason, thread, tuple(raw.breakpoints), raw.message, error)
        return self._stop

    def _resume(self, how: str, place: Place | None) -> Stop:
        checked(lambda: self._native.resume(how, place))
        return self.wait()

    def _place(self, thread: Thread | Place | None) -> Place:
        if isinstance(thread, Thread):
            return thread.place
        if thread is not None:
            return thread
        if self._stop.thread is not None:
            return self._stop.thread.place
        threads = self.threads
        if not threads:
            raise InputError("no kernel runs")
        return threads[0].place

    # ------------------------------------------------------------------------------------------
    # State

    @property
    def threads(self) -> tuple[Thread, ...]:
        """All threads, by device, core, noc0, noc1 and compute.

        Raises:
            InputError: the program is not stopped in its kernels.
        """
        return checked(lambda: tuple(map(Thread.from_runtime, self._native.threads())))

    @property
    def waiting(self) -> tuple[Thread, ...]:
        """The threads that wait, with what they wait for and who could supply it."""
        return tuple(t for t in self.threads if t.state == "waiting")

    def thread(self, name: str, core: tuple[int, int] = (0, 0), device: int = 0) -> Thread:
        """Returns a thread: ``noc0``, ``noc1`` or ``compute`` of a core.

        Raises:
            InputError: no kernel runs there.
        """
        for found in self.threads:
            if found.place == (device, *core, name):
                return found
        raise InputError(f"no kernel runs on {name} of core ({core[0]}, {core[1]})")

    def core(self, row: int, column: int, device: int = 0) -> Core:
        """Returns the state of a core.

        Raises:
            InputError: the program is not stopped in its kernels, or has no such core.
        """
        place = (device, row, column)
        checked(lambda: self._native.buffers(place))
        return Core(self._native, place)

    def arguments(self, thread: Thread) -> dict[str, tuple[int, ...]]:
        """Returns the arguments of a thread's kernel (``runtime``, ``common``, ``compile_time``)
        and its ``registers``, which hold the values of a kernel that is not C++."""
        raw = checked(lambda: self._native.arguments(thread.place))
        return {
            "runtime": tuple(raw.runtime),
            "common": tuple(raw.common),
            "compile_time": tuple(raw.compile_time),
            "registers": tuple(raw.registers),
        }

    def code(self, thread: Thread) -> tuple[tuple[str, str, bool], ...]:
        """Returns the location and text of each instruction of a thread's kernel, and whether it
        is the next one. For a C++ kernel these are its lines, without text."""
        found = checked(lambda: self._native.code(thread.place))
        return tuple((line.location, line.text, line.is_next) for line in found)

    @property
    def prints(self) -> tuple[str, ...]:
        """The lines that kernels have printed so far, as ``0:(x=0,y=0):BR: text``."""
        return tuple(
            print_line((line.core[0], line.core[1]), line.thread, line.text, line.device)
            for line in self._native.prints()
        )

    def watcher_log(self) -> str:
        """Returns the state of all cores in the format of tt-metal's watcher."""
        return watcher_log(self.threads)
