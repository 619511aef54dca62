"""When the stages of a pipeline work: the schedule that estimates, reports, plans and timelines
share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ttmlir import runtime
from ttmlir._formats import DATA_TYPES
from ttmlir._programs import TensorInfo
from ttmlir._report.op_costs import EthernetUse, OpReport, TimeParts
from ttmlir._report.pipeline_use import PipelineUse, StageUse
from ttmlir.report import Report

_TILE = 32


@dataclass(frozen=True)
class Send:
    """A result of a stage that another stage takes.

    Args:
        source: the stage that returns it.
        target: the stage that takes it.
        bytes: of each chip.
        page_bytes: of its pages.
    """

    source: int
    target: int
    bytes: int
    page_bytes: int

    @staticmethod
    def of(source: int, target: int, info: TensorInfo) -> Send:
        """Returns the send of a result."""
        shape = info.shard_shape or info.device_shape or info.shape
        found = DATA_TYPES[info.data_type]
        *outer, rows, columns = (1, 1, *shape)
        if "row_major" in info.layout:
            page = columns * runtime.host_dtype(info.data_type).itemsize
            return Send(source, target, math.prod(outer) * rows * page, page)
        tiles = math.prod(outer) * -(-rows // _TILE) * -(-columns // _TILE)
        return Send(source, target, tiles * found.tile_bytes, found.tile_bytes)


@dataclass(frozen=True)
class Pipeline:
    """The chips of a pipeline, and what its stages send.

    Args:
        desc: the system.
        mesh_shape: of all chips.
        chip_ids: row-major.
        stages: the chips of each stage.
        sends: of each micro-batch.
        num_links: between two chips that a send uses.
        micro_batches: of a call.
    """

    desc: runtime.SystemDesc
    mesh_shape: tuple[int, ...]
    chip_ids: tuple[int, ...]
    stages: tuple[tuple[int, ...], ...]
    sends: tuple[Send, ...]
    num_links: int
    micro_batches: int

    def scheduled(
        self,
        reports: Sequence[runtime.Report],
        timeline: bool | runtime.TraceFilter = False,
    ) -> runtime.PipelineSchedule:
        """Schedules the micro-batches of a call, given the report of each stage for one."""
        return runtime.schedule_pipeline(
            self.desc,
            self.mesh_shape,
            self.chip_ids,
            [
                runtime.PipelineStage(chips, report)
                for chips, report in zip(self.stages, reports, strict=True)
            ],
            [
                runtime.PipelineSend(s.source, s.target, s.bytes, s.page_bytes, self.num_links)
                for s in self.sends
            ],
            self.micro_batches,
            timeline,
        )

    def reported(
        self,
        program: str,
        reports: Sequence[runtime.Report],
        timeline: bool | runtime.TraceFilter = False,
    ) -> Report:
        """Returns the report of a call. Its operations are those of the first micro-batch."""
        schedule = self.scheduled(reports, timeline)
        own = [Report.from_runtime(found) for found in reports]
        clock_hz = own[0].clock_hz
        ops = _ops(own, schedule)
        links = _links(own, schedule, self.micro_batches)
        used = {chip for chips in self.stages for chip in chips}
        pipeline = PipelineUse(
            stages=tuple(self._stage(i, own[i], schedule) for i in range(len(own))),
            micro_batches=self.micro_batches,
            seconds=schedule.chip_cycles / clock_hz,
            latency=schedule.latency_cycles / clock_hz,
            period=schedule.period_cycles / clock_hz,
            fill=schedule.fill_cycles / clock_hz,
            drain=schedule.drain_cycles / clock_hz,
            bubble=schedule.idle,
            unused_chips=tuple(c for c in range(self.desc.num_chips) if c not in used),
        )
        return replace(
            own[0],
            program=program,
            cycles=schedule.cycles,
            seconds=schedule.cycles / clock_hz,
            l1_high_water=max(report.l1_high_water for report in own),
            dram_high_water=max(report.dram_high_water for report in own),
            ops=ops,
            trace=schedule.timeline,
            ethernet_bytes=sum(use.bytes for use in links),
            ethernet_use=links,
            memory=(),
            pipeline=pipeline,
        )

    def _stage(self, number: int, report: Report, schedule: runtime.PipelineSchedule) -> StageUse:
        cycles = sum(op.cycles for op in report.ops if not op.host_bytes)
        total = cycles * self.micro_batches
        return StageUse(
            chips=self.stages[number],
            ops=sum(op.cycles > 0 and not op.host_bytes for op in report.ops),
            seconds=cycles / report.clock_hz,
            busy=total / schedule.chip_cycles if schedule.chip_cycles else 0.0,
            sent_bytes=sum(send.bytes for send in self.sends if send.source == number),
            weight_bytes=min((op.dram_high_water for op in report.ops), default=0),
            dram_high_water=report.dram_high_water,
            l1_high_water=report.l1_high_water,
        )


def _ops(reports: Sequence[Report], schedule: runtime.PipelineSchedule) -> tuple[OpReport, ...]:
    """Returns the operations of the first micro-batch when they run, with sends."""
    ops = []
    for command in schedule.commands:
        if command.micro_batch > 0:
            continue
        if command.name == "send":
            ops.append(_sent(command))
            continue
        now = command.begin
        for op in reports[command.stage].ops:
            if _name(op) == command.name:
                ops.append(replace(op, start=now))
                now += op.cycles
    return tuple(sorted(ops, key=lambda op: op.start))


def _name(op: OpReport) -> str:
    """The command that an operation belongs to."""
    if not op.host_bytes:
        return "run"
    return "download" if op.phase == "download" else "upload"


def _sent(command: runtime.PipelineCommand) -> OpReport:
    cycles = command.end - command.begin
    return OpReport(
        name="send",
        location="",
        cycles=cycles,
        compute_cycles=0.0,
        memory_cycles=0.0,
        cores=0,
        dram_read_bytes=0,
        dram_write_bytes=0,
        l1_read_bytes=0,
        l1_write_bytes=0,
        noc_bytes=0,
        host_bytes=0,
        l1_high_water=0,
        dram_high_water=0,
        ethernet_bytes=command.bytes,
        ethernet_cycles=cycles,
        start=command.begin,
        parts=TimeParts(ethernet=cycles),
    )


def _links(
    reports: Sequence[Report], schedule: runtime.PipelineSchedule, micro_batches: int
) -> tuple[EthernetUse, ...]:
    """Returns the traffic of a call: of sends, and of collectives in stages."""
    found: dict[tuple[int, int, int], EthernetUse] = {}
    uses: list[tuple[Any, int]] = [(use, 1) for use in schedule.ethernet_use]
    ops = [op for report in reports for op in report.ops]
    uses += [(use, micro_batches) for op in ops for use in op.ethernet_use]
    for use, times in uses:
        key = (use.from_chip, use.to_chip, use.link)
        one = found.get(key, EthernetUse(*key, 0, 0, 0, 0.0))
        found[key] = EthernetUse(
            *key,
            one.bytes + use.bytes * times,
            one.wire_bytes + use.wire_bytes * times,
            one.packets + use.packets * times,
            one.busy + use.busy * times,
        )
    return tuple(found[key] for key in sorted(found))
