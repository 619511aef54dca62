"""The cost of a run on the chip, in the emulator's model."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from ttmlir import _trace_files
from ttmlir._files import written
from ttmlir._report import tables
from ttmlir._report.op_costs import ChannelUse as ChannelUse
from ttmlir._report.op_costs import CoreUse as CoreUse
from ttmlir._report.op_costs import EthernetUse as EthernetUse
from ttmlir._report.op_costs import KernelUse as KernelUse
from ttmlir._report.op_costs import LinkUse as LinkUse
from ttmlir._report.op_costs import MemoryRequest as MemoryRequest
from ttmlir._report.op_costs import MemoryUse as MemoryUse
from ttmlir._report.op_costs import OperandUse as OperandUse
from ttmlir._report.op_costs import OpReport as OpReport
from ttmlir._report.op_costs import TimeParts as TimeParts
from ttmlir._report.perf_csv import PerfCsv as PerfCsv
from ttmlir._report.pipeline_use import PipelineUse as PipelineUse
from ttmlir._report.pipeline_use import StageUse as StageUse
from ttmlir._report.tables import SORT_KEYS as SORT_KEYS

if TYPE_CHECKING:
    import os

    from ttmlir import runtime
    from ttmlir.advice import Advice
    from ttmlir.errors import Remark

T = TypeVar("T")
PHASES = ("upload", "run", "download")


@dataclass(frozen=True)
class Report:
    """Cost of one run of a program; ``seconds`` is modelled time, not time on the host.

    ``trace`` is the timeline if requested; see ``save_trace``. ``ethernet_use`` is the total
    traffic of links between chips. ``remarks`` are the first of the ``num_remarks`` remarks of the
    compiler's passes on the program. ``memory`` lists the owners of the device's memories over
    time; ``failed`` is the failed allocation if the run has exhausted a memory, see
    ``OutOfMemoryError.report``. ``worker_cores`` is the number of worker cores of a chip.
    ``advice`` is what makes the program faster, if requested. ``host_nodes`` names the nodes of a
    model that the host computes beside the device, ``programs`` those of a call that runs more than
    one, of which this report has one. ``pipeline`` is set for a pipeline: then
    ``ops`` are those of the first micro-batch, and everything else is of all micro-batches.
    """

    program: str
    arch: str
    clock_hz: float
    cycles: float
    seconds: float
    l1_high_water: int
    dram_high_water: int
    ops: tuple[OpReport, ...]
    trace: runtime.Trace | None = field(default=None, repr=False, compare=False)
    ethernet_bytes: int = 0
    ethernet_use: tuple[EthernetUse, ...] = ()
    remarks: tuple[Remark, ...] = ()
    num_remarks: int = 0
    memory: tuple[MemoryUse, ...] = ()
    failed: MemoryRequest | None = None
    worker_cores: int = 0
    advice: Advice | None = None
    host_nodes: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    pipeline: PipelineUse | None = None

    @property
    def repeats(self) -> int:
        """How often a call runs the operations: once for each micro-batch of a pipeline."""
        return self.pipeline.micro_batches if self.pipeline else 1

    def parts(self, phase: str | None = None) -> TimeParts:
        """The time of all operations by cause, or of those of a phase: ``upload``, ``run`` or
        ``download``."""
        chosen = (op.parts for op in self.ops if phase in (None, op.phase))
        return sum(chosen, TimeParts())

    @property
    def host_to_device_bytes(self) -> int:
        """Bytes transferred from the host to the device: uploads, and host operands that an
        operation transfers itself. An argument that is on the device already counts as 0."""
        return self.repeats * sum(op.host_bytes for op in self.ops if op.phase != "download")

    @property
    def device_to_host_bytes(self) -> int:
        """Bytes transferred from the device to the host: results, and conditions of loops and
        branches."""
        return self.repeats * sum(op.host_bytes for op in self.ops if op.phase == "download")

    @staticmethod
    def from_runtime(
        found: runtime.Report, remarks: tuple[Remark, ...] = (), num_remarks: int = 0
    ) -> Report:
        """Converts the result of ``runtime.get_report`` to Python values."""
        return _copy(
            Report,
            found,
            remarks=remarks,
            num_remarks=num_remarks,
            advice=None,
            host_nodes=(),
            programs=(),
            pipeline=None,
        )

    def save_trace(self, path: str | os.PathLike[str]) -> None:
        """Writes the timeline in the format of the file's suffix: ``.json`` for Chrome's viewer, or
        ``.pftrace`` (or ``.perfetto-trace``) for Perfetto, which opens both.

        Raises:
            InputError: there is no timeline, or the suffix is unknown.
            ValueError: the timeline is empty, or has more slices than its filter allows.
            FileError: the file cannot be written.
        """
        _trace_files.save(self.trace, path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the report as a self-contained ``.html`` page.

        Raises:
            InputError: the path has another suffix.
            FileError: the file cannot be written.
        """
        from ttmlir.pages import save_report_page

        save_report_page(self, path)

    def save_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes a row for each operation and chip, with the columns that ``tt-perf-report`` reads;
        transfers with the host are omitted."""
        file = PerfCsv()
        file.add(self)
        with written(path) as target:
            target.write(file.text().encode())

    def text(
        self,
        *,
        sort: str = "start",
        top: int | None = None,
        ops: bool = True,
        kernels: bool = True,
    ) -> str:
        """The report as text, as by ``str``: a row for each operation that takes time and for each
        of its kernels, totals of the phases, links between chips, and remarks.

        Args:
            sort: the key of a column, one of ``SORT_KEYS``: largest first, text columns
                alphabetically. ``start`` is the order of the run.
            top: the number of operations to show, or of kernels if operations are not shown.
            ops: show rows for operations.
            kernels: show rows for kernels, below their operation if it is shown.

        Raises:
            ValueError: the column does not exist, or ``top`` is less than 1.

        Example:
            >>> import ttmlir
            >>> b = ttmlir.Builder()
            >>> b.output(b.exp(b.input("x", (64, 64)), name="e"))
            >>> report = ttmlir.compile(b).report()
            >>> "eltwise.exp" in report.text(sort="time", top=3, kernels=False)
            True
        """
        if top is not None and top < 1:
            raise ValueError(f"top: expected at least 1, found {top}")
        rows = tables.rows(self.ops, self.clock_hz, self.cycles)
        shown = tables.choose(rows, sort, top, ops=ops, kernels=kernels)
        found = [tables.text_table(self.title(), *tables.cells(shown))]
        found.append(tables.text_table("Phases", *self._phases()))
        if self.pipeline:
            found.append(self.pipeline.text())
        if self.ethernet_use:
            found.append(tables.text_table("Ethernet links", *self._links()))
        notes = [f"\nOn the host: {', '.join(self.host_nodes)}"] if self.host_nodes else []
        if self.programs:
            notes.append(f"\nThis is one of the programs of a call: {', '.join(self.programs)}")
        return "\n".join(["\n\n".join(found), *notes, *self._remarks(), *self._advice()])

    def __str__(self) -> str:
        return self.text()

    def as_dict(self) -> dict[str, Any]:
        """Returns everything but the timeline as JSON-compatible values, including operation names
        from locations and total transfers."""
        found = asdict(replace(self, trace=None))
        del found["trace"]
        found["host_to_device_bytes"] = self.host_to_device_bytes
        found["device_to_host_bytes"] = self.device_to_host_bytes
        for op, entry in zip(self.ops, found["ops"], strict=True):
            entry |= {"label": op.label, "source": op.source, "bound": op.bound}
        return found

    def _repr_html_(self) -> str:
        from ttmlir.pages import report_frame

        return report_frame(self)

    def _remarks(self) -> list[str]:
        """Lists missed optimizations first, and counts the other remarks."""
        ordered = sorted(self.remarks, key=lambda remark: remark.kind != "missed")
        lines = [str(remark) for remark in ordered[:_SHOWN_REMARKS]]
        if rest := self.num_remarks - len(lines):
            lines.append(f"and {rest:,} more of {self.num_remarks:,} remarks, see 'remarks'")
        return lines

    def _advice(self) -> list[str]:
        return ["", *self.advice.lines()] if self.advice else []

    def title(self) -> str:
        """One line with the totals."""
        return (
            f"{self.program} on {self.arch}: {tables.time(self.seconds)} modelled "
            f"({self.cycles:,.0f} cycles at {self.clock_hz / 1e9:g} GHz), "
            f"L1 high water {tables.size(self.l1_high_water)} a core, "
            f"DRAM {tables.size(self.dram_high_water)} a channel, "
            f"{self.host_to_device_bytes:,} bytes to the device, "
            f"{self.device_to_host_bytes:,} to the host"
            f"{f', {self.pipeline.summary}' if self.pipeline else ''}"
        )

    def _phases(self) -> tuple[list[str], list[list[str]]]:
        """Returns the time of each phase, by cause."""
        chosen = {phase: [op for op in self.ops if op.phase == phase] for phase in PHASES}
        rows = [
            tables.Row.of_phase(phase, ops, self.clock_hz, self.cycles)
            for phase, ops in chosen.items()
            if ops
        ]
        return tables.cells(rows)

    def _links(self) -> tuple[list[str], list[list[str]]]:
        rows = [
            [
                f"chip {use.from_chip} to {use.to_chip}, link {use.link}",
                f"{use.bytes:,}",
                f"{use.wire_bytes:,}",
                f"{use.packets:,}",
                f"{use.busy:,.0f}",
                f"{use.busy / max(self.cycles, 1.0):.1%}",
            ]
            for use in self.ethernet_use
        ]
        return ["link", "bytes", "on the wire", "packets", "cycles", "busy"], rows


_SHOWN_REMARKS = 20

#: The element types of lists.
_PARTS: dict[str, type] = {
    "ops": OpReport,
    "operands": OperandUse,
    "results": OperandUse,
    "kernels": KernelUse,
    "memory": MemoryUse,
    "core_use": CoreUse,
    "link_use": LinkUse,
    "channel_use": ChannelUse,
    "ethernet_use": EthernetUse,
}
_ITEMS: dict[str, type] = {"parts": TimeParts, "failed": MemoryRequest}


def _copy(kind: type[T], source: Any, **values: Any) -> T:
    """Copies the fields of a runtime object, except for the given ones, and recursively those of
    objects in its lists."""
    for name in (f.name for f in fields(kind) if f.name not in values):  # type: ignore[arg-type]
        value = getattr(source, name)
        part = _PARTS.get(name)
        if name in _ITEMS and value is not None:
            values[name] = _copy(_ITEMS[name], value)
        elif isinstance(value, list):
            values[name] = tuple(_copy(part, v) if part else v for v in value)
        else:
            values[name] = value
    return kind(**values)
