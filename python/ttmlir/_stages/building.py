"""Compiles pipelines: ``ttmlir.compile(..., parallel="pipeline")``."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from ttmlir import ir, runtime
from ttmlir._numerics import Numerics
from ttmlir._parallel import PIPELINE, Division
from ttmlir._parsing import copied
from ttmlir._programs import Program, TensorInfo, program_of
from ttmlir._stages import cutting
from ttmlir._stages.executable import PipelineExecutable, Stage, Values
from ttmlir._stages.schedule import Pipeline, Send
from ttmlir.errors import CompileError, Error, Remark
from ttmlir.executable import Executable
from ttmlir.frontends import Signature

#: Compiles a module of TTIR with options of the backend.
Compile = Callable[[ir.Module, Any], Executable]
#: Bytes of the send that measures the links.
_PROBE = 1 << 20


@dataclass
class PipelineBuilder:
    """Cuts a program into the stages of a division and compiles them.

    Args:
        module: TTIR, which is not changed; its arguments are marked.
        signature: of the program.
        options: of the backend, without those of the mesh.
        division: with a pipeline on one axis.
        desc: the system.
        compile: compiles the program of a stage.
        numerics: of the executable.
        remarks: whether it has remarks on the cuts, or a regular expression of passes.
    """

    module: ir.Module
    signature: Signature
    options: Any
    division: Division
    desc: runtime.SystemDesc
    compile: Compile
    numerics: Numerics | None = None
    remarks: bool | str = False
    _programs: dict[int, ir.Module] = field(default_factory=dict)
    _timings: dict[int, cutting.Timing] = field(default_factory=dict)

    def __call__(self, micro_batches: int | None = None) -> PipelineExecutable:
        """Compiles the pipeline.

        Args:
            micro_batches: the number of micro-batches of a call; by default chosen by the modelled
                time.

        Raises:
            CompileError: the program cannot be cut, or micro-batches do not divide the batch or are
                not independent.
            Error: only a run tells the time of the program.
        """
        cutting.simplified(self.module, self.options)
        if micro_batches is None:
            micro_batches = self._best_count()
        timing = self._timing(micro_batches)
        module = copied(self._program(micro_batches))
        function = cutting.function_of(module)
        input_dims, output_dims = cutting.micro_batch_dims(function)
        cutting.state_inputs(module, self._stage_kinds)
        found: list[Remark] = []
        programs, results = cutting.cut(
            module,
            self.division.stages,
            timing,
            bytes_per_cycle=self._bytes_per_cycle(timing),
            weight_limit=self._weight_limit,
            remarks=found,
        )
        if not (isinstance(self.remarks, str) and re.search(self.remarks, "ttir-pipeline-stages")):
            found = found if self.remarks is True else []
        stages, sends = self._compiled(programs, len(input_dims))
        whole = _whole(program_of(timing.binary, 0), input_dims, output_dims, micro_batches)
        program = replace(
            whole, mesh_shape=self.division.mesh_shape, chip_ids=tuple(self._ids.ravel().tolist())
        )
        return PipelineExecutable(
            program,
            stages,
            Values(input_dims, output_dims, results),
            self._pipeline(sends, micro_batches),
            self.signature,
            self.numerics,
            tuple(found),
        )

    # Chips ---------------------------------------------------------------------------------------

    @cached_property
    def _ids(self) -> np.ndarray[Any, np.dtype[Any]]:
        """The ids of the chips, in the shape of the mesh."""
        mesh = self.division.mesh_shape
        device = runtime.open_mesh_device(list(mesh), system_desc=self.desc)
        try:
            return np.array(device.ids).reshape(mesh)
        finally:
            runtime.close_device(device)

    @property
    def _axis(self) -> int:
        return self.division.kinds.index(PIPELINE)

    @property
    def _stage_mesh(self) -> tuple[int, ...]:
        mesh = list(self.division.mesh_shape)
        mesh[self._axis] = 1
        return tuple(mesh)

    @property
    def _stage_kinds(self) -> tuple[str, ...]:
        """The kinds of the axes of a stage."""
        return tuple("none" if kind == PIPELINE else kind for kind in self.division.kinds)

    def _chips(self, stage: int) -> tuple[int, ...]:
        return tuple(self._ids.take(stage, self._axis).ravel().tolist())

    def _pipeline(self, sends: Sequence[Send], micro_batches: int) -> Pipeline:
        return Pipeline(
            self.desc,
            self.division.mesh_shape,
            tuple(self._ids.ravel().tolist()),
            tuple(self._chips(stage) for stage in range(self.division.stages)),
            tuple(sends),
            getattr(self.options, "num_links", 0) or 1,
            micro_batches,
        )

    # Micro-batches -------------------------------------------------------------------------------

    def _program(self, count: int) -> ir.Module:
        """Returns the program for one of ``count`` micro-batches."""
        if count not in self._programs:
            module = cutting.micro_batched(self.module, count)
            self.division.mark(module)
            self._programs[count] = module
        return self._programs[count]

    def _timing(self, count: int) -> cutting.Timing:
        """Times a micro-batch on the chips of one stage."""
        if count not in self._timings:
            module = self._program(count)
            options = replace(
                cutting.timing_options(self.options, self._stage_mesh, self._chips(0)),
                parallelism=self._stage_kinds,
            )
            try:
                self._timings[count] = cutting.timed(module, options, self.desc)
            except runtime.RuntimeError as error:
                raise Error(f"parallel: 'pipeline' cuts a program by its time: {error}") from None
        return self._timings[count]

    def _best_count(self) -> int:
        """Returns the divisor of the batch with the least time of a call if all stages take equally
        long, without sends, searched from the number of stages in the direction in which the time
        falls."""
        batch = cutting.batch_of(cutting.function_of(self.module))
        # The chips of a stage divide each micro-batch.
        chips = prod(
            extent
            for extent, kind in zip(self._stage_mesh, self._stage_kinds, strict=True)
            if kind == "data"
        )
        counts = [n for n in range(1, batch + 1) if batch % (n * chips) == 0]
        if len(counts) <= 1:
            return 1
        stages = self.division.stages
        try:
            self._program(counts[1])
        except CompileError as error:
            reason = next((d.message for d in error.diagnostics if d.severity == "error"), "")
            warnings.warn(
                f"parallel: 'pipeline' runs the batch as one micro-batch: {reason or error}",
                stacklevel=5,
            )
            return 1

        def seconds(index: int) -> float:
            count = counts[index]
            return (count + stages - 1) / stages * self._timing(count).cycles

        at = min(range(len(counts)), key=lambda i: abs(counts[i] - stages))
        for step in (1, -1):
            begin = at
            while 0 <= at + step < len(counts) and seconds(at + step) < seconds(at):
                at += step
            if at != begin:
                break
        return counts[at]

    # Stages --------------------------------------------------------------------------------------

    def _bytes_per_cycle(self, timing: cutting.Timing) -> float:
        """Measures the rate of the links between two stages with the clock."""
        if self.division.stages == 1:
            return 0.0
        probe = self._pipeline([Send(0, 1, _PROBE, 0)], 1)
        probe = replace(probe, stages=probe.stages[:2])
        report = runtime.estimate_report(timing.binary, 0, None)
        run = sum(op.cycles for op in report.ops if not op.host_bytes)
        try:
            latency = probe.scheduled([report] * 2).latency_cycles
        except runtime.RuntimeError as error:
            raise CompileError(f"parallel: 'pipeline': {error}") from None
        return _PROBE / (latency - 2 * run)

    @property
    def _weight_limit(self) -> int:
        """The bytes of parameters, in the dtypes of the program, that chips of a stage have room
        for."""
        chip = json.loads(self.desc.as_json())["system_desc"]["chip_descs"][0]
        usable = chip["dram_unreserved_end"] - chip["dram_unreserved_base"]
        # Other kinds than these divide weights.
        chips = prod(
            extent
            for extent, kind in zip(self._stage_mesh, self._stage_kinds, strict=True)
            if kind not in ("data", "sequence")
        )
        # At most that much smaller as block floats.
        packed = 8 if getattr(self.options, "weight_dtype", "default") != "default" else 1
        return int(usable * chip["num_dram_channels"] * chips * packed)

    def _compiled(
        self, programs: Sequence[cutting.StageProgram], num_arguments: int
    ) -> tuple[list[Stage], list[Send]]:
        """Compiles the stages in order, each for the shards that earlier ones leave."""
        kinds = tuple(
            "none" if kind in ("data", "sequence") else kind for kind in self._stage_kinds
        )
        stages: list[Stage] = []
        sends: list[Send] = []
        made: dict[int, tuple[int, TensorInfo]] = {}
        for number, program in enumerate(programs):
            given = [made.get(value) for value in program.inputs]
            # A whole value is stated, too: the next stage must not expect shards of it.
            whole = (None,) * len(self._stage_mesh) if prod(self._stage_mesh) > 1 else None
            cutting.state_shards(
                program.module, [one and (one[1].shard_dims or whole) for one in given]
            )
            options = replace(
                self.options,
                mesh_shape=self._stage_mesh,
                chip_ids=self._chips(number),
                parallelism=kinds,
            )
            if number > 0:
                options = replace(options, inputs_on_device=True)
            if number + 1 < len(programs):
                options = replace(options, results_on_device=True)
            stage = Stage(self.compile(program.module, options), program.inputs, program.outputs)
            sends += [Send.of(one[0], number, one[1]) for one in given if one]
            for value, info in zip(program.outputs, stage.program.outputs, strict=True):
                if value >= num_arguments:
                    made[value] = (number, info)
            stages.append(stage)
        return stages, sends


def _whole(
    program: Program,
    input_dims: Sequence[int | None],
    output_dims: Sequence[int | None],
    count: int,
) -> Program:
    """Describes a program for the whole batch, given that for a micro-batch."""

    def whole(info: TensorInfo, dim: int | None) -> TensorInfo:
        info = replace(info, shard_dims=None, shard_shape=None, layout="")
        if dim is None or count == 1:
            return info
        if info.device_shape is None:
            return replace(info, shape=_times(info.shape, dim, count))
        # Complex numbers have their parts in a first dimension.
        own = dim - (len(info.device_shape) - len(info.shape))
        shape = _times(info.shape, own, count) if own >= 0 else info.shape
        return replace(info, shape=shape, device_shape=_times(info.device_shape, dim, count))

    return replace(
        program,
        inputs=tuple(map(whole, program.inputs, input_dims)),
        outputs=tuple(map(whole, program.outputs, output_dims)),
    )


def _times(shape: tuple[int, ...], dim: int, count: int) -> tuple[int, ...]:
    return tuple(n * count if i == dim else n for i, n in enumerate(shape))
