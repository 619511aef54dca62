"""`ttrt perf`: measures a run on this host, and models its time on the chip.

The chip's times come from the emulator's model; the host's are wall time of the emulation and tell
nothing about a chip.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from ttmlir.captured import TraceReport
from ttmlir.errors import Error, Remark
from ttmlir.report import PerfCsv, Report
from ttrt.common import traces
from ttrt.common.command import write_text
from ttrt.common.run import Call, Run, where
from ttrt.common.util import Binary, Program, TTRTError, one_entry


class Perf(Run):
    """Writes to ``<artifacts>/<binary>/perf``: ``host_perf_results.csv`` with a row for each loop,
    ``ops_perf_results.csv`` with a row for each operation of the chips and the columns that
    ``tt-perf-report`` reads (not with `--host-only`), ``perf.json`` with everything, and
    ``<program index>.trace.json`` (or ``.pftrace``) with the timeline of each program. With
    `--replays`, ``<program index>.queues.json`` has that of its captured trace."""

    name = "perf"
    help = "run performance trace and collect performance data"

    checks_by_default = False

    def preprocess(self) -> None:
        super().preprocess()
        if self["html"] and self["host-only"]:
            raise TTRTError("expected --html or --host-only, found both")
        if self["replays"] and self["host-only"]:
            raise TTRTError("expected --replays or --host-only, found both")
        self.artifacts.create_artifacts()

    def check_constraints(self) -> None:
        super().check_constraints()
        every = self["program-index"] == "all"
        count = sum(len(file.programs) if every else 1 for file in self.files)
        if self["html"] and count > 1:
            raise TTRTError(
                f"--html: expected one program, found {count}; choose it by its file and "
                "--program-index"
            )

    def _run_file(self, device: Any, file: Binary) -> None:
        self.programs: list[dict[str, Any]] = []
        self.reports: dict[int, Report] = {}
        self.captured: dict[int, TraceReport] = {}
        self.ops = PerfCsv()
        self.artifacts.save_binary(file, self.query)
        super()._run_file(device, file)
        self._write(file)

    def measure(self, device: Any, file: Binary, program: Program, call: Call) -> None:
        """Measures host times without the model, then runs once more with it."""
        seconds = call.run(device, file, program, self["loops"])
        entry: dict[str, Any] = {
            "program_index": program.index,
            "program": program.name,
            "loops": len(seconds),
            "host_seconds": seconds,
            "host_seconds_min": min(seconds),
            "host_seconds_mean": sum(seconds) / len(seconds),
            "host_seconds_max": max(seconds),
        }
        self.programs.append(entry)
        mean = entry["host_seconds_mean"] * 1e3
        place = one_entry(where(file, program))
        lines = [f"{place}: {len(seconds)}x on this host, {mean:.3f} ms each"]
        if not self["host-only"]:
            report = self._model(device, file, program, call)
            entry["device"] = report.as_dict()
            self.reports[program.index] = report
            if self["html"]:
                try:
                    report.save(self["html"])
                except Error as error:
                    raise TTRTError(str(error)) from None
            self.ops.add(report)
            lines.append(self._table(report))
            if self["replays"]:
                captured = self._capture(device, file, program, call)
                entry["captured_trace"] = captured.as_dict()
                self.captured[program.index] = captured
                lines.append(str(captured))
        self.logger.output("\n".join(lines))

    def _table(self, report: Report) -> str:
        """Formats the requested part of the report; by default all of it."""
        chosen = self["ops"] or self["kernels"]
        return report.text(
            sort=self["sort"],
            top=self["top"] or None,
            ops=self["ops"] or not chosen,
            kernels=self["kernels"] or not chosen,
        )

    def _model(self, device: Any, file: Binary, program: Program, call: Call) -> Report:
        from ttmlir import runtime

        runtime.enable_report(device, True, trace=traces.filter_of(self.args))
        try:
            call.run(device, file, program, 1)
            found, count = file.fbb.get_program_remarks(program.index)
            remarks = tuple(map(Remark.from_raw, found))
            return Report.from_runtime(runtime.get_report(device), remarks, count)
        finally:
            runtime.enable_report(device, False)

    def _capture(self, device: Any, file: Binary, program: Program, call: Call) -> TraceReport:
        """Models replays of a captured trace, which includes the parameters."""
        from ttmlir import runtime

        tensors = call.tensors()
        arguments = file.fbb.get_program_arguments(program.index)
        for tensor, (_, kind, _) in zip(tensors, arguments, strict=True):
            if kind in ("parameter", "constant"):
                tensor.freeze()
        trace = runtime.capture_trace(device, file.fbb, program.index, tensors)
        try:
            found = runtime.get_trace_report(trace, self["replays"], timeline=True)
        finally:
            runtime.release_trace(device, trace)
        return TraceReport.from_runtime(found)

    def _write(self, file: Binary) -> None:
        self.file_manager.remove_directory(self.artifacts.folder(file.name, "perf"))
        folder = self.artifacts.folder(file.name, "perf")
        host = [
            {"program_index": p["program_index"], "program": p["program"], "loop": i, "seconds": s}
            for p in self.programs
            for i, s in enumerate(p["host_seconds"])
        ]
        try:
            _write_csv(folder / "host_perf_results.csv", host)
            if self.ops.rows:  # Empty if all programs failed, which the report shows.
                write_text(folder / "ops_perf_results.csv", self.ops.text())
            for index, report in self.reports.items():
                if why := traces.save(report.save_trace, folder, index, self["trace-format"]):
                    self.logger.warning(why)
            for index, captured in self.captured.items():
                kind = self["trace-format"]
                if why := traces.save(captured.save_timeline, folder, index, kind, "queues"):
                    self.logger.warning(why)
            write_text(folder / "perf.json", json.dumps(self.programs, indent=2) + "\n")
        except OSError as error:
            raise TTRTError(f"cannot write to '{folder}': {error.strerror}") from None
        self.logger.info(f"performance data saved: {folder}")


def _write_csv(target: Path, rows: list[dict[str, Any]]) -> None:
    if rows:
        with target.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
