"""Captured traces: programs that the device replays without the host."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ttmlir import _trace_files, runtime
from ttmlir._numerics import Numerics, computing, name_of
from ttmlir._programs import Program, run_error
from ttmlir._report import tables
from ttmlir.errors import Error
from ttmlir.frontends import ExecutableLike, Signature
from ttmlir.report import Report

if TYPE_CHECKING:
    import os
    from types import TracebackType

    from typing_extensions import Self

__all__ = ["CapturedTrace", "QueueCommand", "TraceReport"]


@dataclass(frozen=True)
class QueueCommand:
    """A command of one of the device's two queues, in cycles: queue 0 runs the trace, queue 1
    transfers. From ``ready``, the command is the next one in its queue, and waits for the other
    queue until ``begin``."""

    queue: int
    name: str
    replay: int
    ready: float
    begin: float
    end: float


@dataclass(frozen=True)
class TraceReport:
    """Modelled cost of a captured trace.

    ``parameters`` has the operations that compute values from bound tensors, once. ``write``,
    ``run`` and ``read`` are the parts of one replay: input transfers, the trace itself, and output
    transfers. ``commands`` are the commands of the first replays, and ``timeline`` is their
    timeline if requested; see ``save_timeline``. ``buffers`` is the number of buffers of each input
    and output.
    """

    program: str
    arch: str
    clock_hz: float
    buffers: int
    parameters: Report
    write: Report
    run: Report
    read: Report
    parameters_cycles: float
    call_cycles: float
    capture_cycles: float
    latency_cycles: float
    period_cycles: float
    commands: tuple[QueueCommand, ...]
    timeline: runtime.Trace | None = field(default=None, repr=False, compare=False)

    @property
    def parameters_seconds(self) -> float:
        """Time to upload the parameters, and to compute values that depend only on them."""
        return self.parameters_cycles / self.clock_hz

    @property
    def call_seconds(self) -> float:
        """Time of a call without the trace, in which the host launches each operation."""
        return self.call_cycles / self.clock_hz

    @property
    def capture_seconds(self) -> float:
        """Time of the capture, in which the host prepares all launches again."""
        return self.capture_cycles / self.clock_hz

    @property
    def first_call_seconds(self) -> float:
        """Time before the first replay, without compilation: parameters, a warm-up call, and the
        capture."""
        return self.parameters_seconds + self.call_seconds + self.capture_seconds

    @property
    def run_seconds(self) -> float:
        """Time of the trace itself, on queue 0."""
        return self.run.seconds

    @property
    def transfer_seconds(self) -> float:
        """Time of the transfers of a replay, on queue 1."""
        return self.write.seconds + self.read.seconds

    @property
    def latency_seconds(self) -> float:
        """Time of a single replay, from the first byte of its inputs to the last byte of its
        outputs."""
        return self.latency_cycles / self.clock_hz

    @property
    def period_seconds(self) -> float:
        """Time between replays in a long ``CapturedTrace.stream``."""
        return self.period_cycles / self.clock_hz

    @property
    def bound(self) -> str:
        """The bottleneck of the period: ``run``, ``transfers``, or ``buffers`` if L1 has room for
        only one, so that transfers do not overlap with runs."""
        if self.buffers == 1:
            return "buffers"
        return "run" if self.run_seconds >= self.transfer_seconds else "transfers"

    @staticmethod
    def from_runtime(found: runtime.TraceReport) -> TraceReport:
        """Converts the result of ``runtime.get_trace_report`` to Python values."""
        run = Report.from_runtime(found.run)
        return TraceReport(
            run.program,
            run.arch,
            run.clock_hz,
            found.buffers,
            Report.from_runtime(found.parameters),
            Report.from_runtime(found.write),
            run,
            Report.from_runtime(found.read),
            found.parameters_cycles,
            found.call_cycles,
            found.capture_cycles,
            found.latency_cycles,
            found.period_cycles,
            tuple(
                QueueCommand(c.queue, c.name, c.replay, c.ready, c.begin, c.end)
                for c in found.commands
            ),
            found.timeline,
        )

    def save_timeline(self, path: str | os.PathLike[str]) -> None:
        """Writes the timeline of both queues, in the formats of ``Report.save_trace``.

        Raises:
            InputError: there is no timeline, or the suffix is unknown.
            ValueError: the timeline is empty, or has more slices than its filter allows.
            FileError: the file cannot be written.
        """
        _trace_files.save(self.timeline, path)

    def as_dict(self) -> dict[str, Any]:
        """Returns the times in seconds and the bytes, as JSON-compatible values."""
        return {
            "program": self.program,
            "arch": self.arch,
            "buffers": self.buffers,
            "bound": self.bound,
            "parameters_seconds": self.parameters_seconds,
            "call_seconds": self.call_seconds,
            "capture_seconds": self.capture_seconds,
            "first_call_seconds": self.first_call_seconds,
            "write_seconds": self.write.seconds,
            "run_seconds": self.run.seconds,
            "read_seconds": self.read.seconds,
            "latency_seconds": self.latency_seconds,
            "period_seconds": self.period_seconds,
            "host_to_device_bytes": self.write.host_to_device_bytes,
            "device_to_host_bytes": self.read.device_to_host_bytes,
        }

    def __str__(self) -> str:
        rows = [
            ("first call", self.first_call_seconds, "before the first replay"),
            ("  parameters", self.parameters_seconds, "uploaded and computed once"),
            ("  warm-up", self.call_seconds, "a call that the host launches op by op"),
            ("  capture", self.capture_seconds, "the host goes through the ops again"),
            ("single replay", self.latency_seconds, ""),
            (
                "  write inputs",
                self.write.seconds,
                f"queue 1: {self.write.host_to_device_bytes:,} bytes",
            ),
            (
                "  run",
                self.run.seconds,
                f"queue 0: {self.run.parts().dispatch / max(self.run.cycles, 1):.0%} dispatch",
            ),
            (
                "  read outputs",
                self.read.seconds,
                f"queue 1: {self.read.device_to_host_bytes:,} bytes",
            ),
            ("each replay of many", self.period_seconds, f"bound by {self.bound}"),
        ]
        lines = [f"trace of {self.program} on {self.arch}: {1 / self.period_seconds:,.0f} a second"]
        lines += [
            f"{name:<20} {tables.time(time):>10}  {note}".rstrip() for name, time, note in rows
        ]
        return "\n".join(lines)


class Captures(ExecutableLike, Protocol):
    """The part of an executable that a trace needs."""

    binary: runtime.Binary
    signature: Signature
    numerics: Numerics | None

    def free_tensors(self, program: Program, inputs: Any) -> list[runtime.Tensor]: ...
    def count_bindings(self) -> int: ...


class CapturedTrace:
    """A program captured with all its addresses, which the device replays without the host; created
    by ``Executable.trace``. It is not the timeline of a report.

    Calls take the arguments of the executable and return bit-identical results, with the numerics
    of the capture. The trace holds its device memory until ``release``, the end of its ``with``
    block, or its destruction.

    Example:
        >>> import numpy as np, ttmlir
        >>> b = ttmlir.Builder()
        >>> b.output(b.exp(b.input("x", (2, 2))))
        >>> with ttmlir.compile(b).trace() as trace:
        ...     for y in trace.stream([np.zeros((2, 2), "f4"), np.ones((2, 2), "f4")]):
        ...         print(y[0, 0])
        1.0
        2.7182817
    """

    def __init__(
        self,
        executable: Captures,
        program: Program,
        device: runtime.Device,
        tensors: list[runtime.Tensor],
        numerics: Numerics | None = None,
    ) -> None:
        """Captures a program on these inputs; see ``Executable.trace``."""
        self._executable = executable
        #: The program that was captured.
        self.program = program
        self._device = device
        self._bound = executable.count_bindings()
        self._numerics = name_of(device, executable.numerics if numerics is None else numerics)
        try:
            with computing(device, self._numerics):
                self._trace = runtime.capture_trace(
                    device, executable.binary, program.index, tensors
                )
        except runtime.RuntimeError as error:
            raise run_error(program, error) from None
        #: The number of buffers of each input and output: two, or one if L1 has no room for two, so
        #: that transfers do not overlap with runs.
        self.buffers: int = self._trace.buffers
        self._released = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Writes the inputs, replays the trace and reads the outputs.

        Args:
            args: as in a call of the executable: arrays with the shapes and data types that the
                trace was captured with.
            kwargs: keywords as in a call.

        Raises:
            InputError: wrong count, structure, name, shape or data type. The trace remains usable.
            Error: the trace was released, its device was closed or has freed its buffers, other
                tensors were bound since the capture, or streams use all buffers.
            Fault: a kernel violated a rule.
        """
        return self._finish(*self._start(args, kwargs))

    def stream(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Replays the trace for a sequence of batches, in order, and yields their results.

        The next inputs are written and their replay is started before results are read, so that
        transfers overlap with runs.

        Args:
            batches: the arguments of each call: a tuple, or one argument.

        Raises:
            InputError: a batch is wrong; results of earlier batches are yielded first.
            Error: as in a call.
        """
        started: deque[tuple[Any, int]] = deque()
        failure: Exception | None = None
        remaining = iter(batches)
        try:
            while failure is None:
                try:
                    batch = next(remaining)
                    args = batch if isinstance(batch, tuple) else (batch,)
                    started.append(self._start(args, {}))
                except StopIteration:
                    break
                except Exception as error:
                    failure = error
                else:
                    if len(started) == self.buffers:
                        yield self._finish(*started.popleft())
            while started:
                yield self._finish(*started.popleft())
        finally:
            for _, buffer in started:
                runtime.discard_trace_inputs(self._trace, buffer)
        if failure is not None:
            raise failure

    def report(
        self, *, replays: int = 8, timeline: bool | runtime.TraceFilter = False
    ) -> TraceReport:
        """Returns the modelled cost of the trace on the chip.

        Args:
            replays: the number of consecutive replays in the timeline and the commands.
            timeline: whether to record the timeline of both queues, or a filter that selects a part
                of it, for ``TraceReport.save_timeline``.

        Raises:
            InputError: not 1 to 1000 replays.
            Error: as in a call.
        """
        return TraceReport.from_runtime(self._report(replays, timeline))

    def release(self) -> None:
        """Frees the memory of the trace, which is then unusable; further calls do nothing."""
        if not self._released:
            self._released = True
            runtime.release_trace(self._device, self._trace)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()

    def __repr__(self) -> str:
        state = ", released" if self._released else ""
        return f"<ttmlir.CapturedTrace of {self.program}{state}>"

    def _report(
        self, replays: int, timeline: bool | runtime.TraceFilter = False
    ) -> runtime.TraceReport:
        try:
            return runtime.get_trace_report(self._trace, replays, timeline)
        except runtime.RuntimeError as error:
            raise run_error(self.program, error) from None

    def _start(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, int]:
        """Writes the inputs of a replay and starts it; returns the call and its buffer."""
        if self._executable.count_bindings() != self._bound:
            raise Error(
                f"{self.program.name}: expected the bound tensors of the capture, found that "
                "others were bound since; capture it again"
            )
        call = self._executable.signature.call(self._executable, self.program, args, kwargs)
        tensors = self._executable.free_tensors(self.program, call.inputs)
        try:
            with computing(self._device, self._numerics):
                buffer = runtime.write_trace_inputs(self._device, self._trace, tensors)
                try:
                    runtime.replay_trace(self._device, self._trace, buffer)
                except BaseException:
                    runtime.discard_trace_inputs(self._trace, buffer)
                    raise
        except runtime.RuntimeError as error:
            call.failed(error)
            raise run_error(self.program, error) from None
        return call, buffer

    def _finish(self, call: Any, buffer: int) -> Any:
        """Reads the outputs of a replay."""
        try:
            with computing(self._device, self._numerics):
                results = runtime.read_trace_outputs(self._device, self._trace, buffer)
        except runtime.RuntimeError as error:
            raise run_error(self.program, error) from None
        return call.results(list(results), False)
