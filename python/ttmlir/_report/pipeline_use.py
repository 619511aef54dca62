"""How a pipeline used its chips."""

from __future__ import annotations

from dataclasses import dataclass

from ttmlir._report import tables


@dataclass(frozen=True)
class StageUse:
    """The work of a stage for each micro-batch, on each of its chips.

    ``seconds`` excludes transfers of the host, and ``busy`` is the share of the pipeline's time in
    which the stage works. ``sent_bytes`` go to other stages. DRAM is in bytes of a channel:
    ``dram_high_water`` is the peak, ``weight_bytes`` is in use all the time.
    """

    chips: tuple[int, ...]
    ops: int
    seconds: float
    busy: float
    sent_bytes: int
    weight_bytes: int
    dram_high_water: int
    l1_high_water: int


@dataclass(frozen=True)
class PipelineUse:
    """The schedule of a pipeline for the micro-batches of one call, without transfers of the host.

    Args:
        stages: in order.
        micro_batches: in a call.
        seconds: of a call.
        latency: of one micro-batch in an empty pipeline.
        period: between micro-batches in a long sequence of calls.
        fill: until the last stage starts.
        drain: after the first stage has ended.
        bubble: the share of the time in which stages wait, on average.
        unused_chips: ids of chips of the system without a stage.
    """

    stages: tuple[StageUse, ...]
    micro_batches: int
    seconds: float
    latency: float
    period: float
    fill: float
    drain: float
    bubble: float
    unused_chips: tuple[int, ...] = ()

    @property
    def calls_per_second(self) -> float:
        """The throughput of calls that follow each other."""
        return 1 / (self.period * self.micro_batches) if self.period else 0.0

    @property
    def summary(self) -> str:
        """The numbers of stages and micro-batches, and the bubble."""
        count = self.micro_batches
        return (
            f"{len(self.stages)} stages, {count} micro-batch{'es' * (count > 1)}, bubble "
            f"{self.bubble:.1%}"
        )

    def text(self) -> str:
        """A table of the stages below a line about the schedule."""
        count = self.micro_batches
        title = (
            f"Pipeline: {count} micro-batch{'es' * (count > 1)} in {tables.time(self.seconds)} on "
            f"the chips, fill {tables.time(self.fill)}, drain {tables.time(self.drain)}, "
            f"bubble {self.bubble:.1%}; latency of one {tables.time(self.latency)}, then one each "
            f"{tables.time(self.period)} ({self.calls_per_second:,.1f} calls/s)"
        )
        if self.unused_chips:
            chips = ", ".join(map(str, self.unused_chips))
            title += f"; not used: chip{'s' * (len(self.unused_chips) > 1)} {chips}"
        head = ["stage", "chips", "ops", "time", "busy", "sends", "weights", "DRAM", "L1"]
        return tables.text_table(title, head, [self._cells(i) for i in range(len(self.stages))])

    def _cells(self, number: int) -> list[str]:
        stage = self.stages[number]
        return [
            str(number),
            ",".join(map(str, stage.chips)),
            str(stage.ops),
            tables.time(stage.seconds),
            f"{stage.busy:.1%}",
            tables.size(stage.sent_bytes) if stage.sent_bytes else "",
            tables.size(stage.weight_bytes),
            tables.size(stage.dram_high_water),
            tables.size(stage.l1_high_water),
        ]
