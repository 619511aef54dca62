"""Executables of pipelines."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np

from ttmlir import runtime
from ttmlir._bound_arguments import Bound
from ttmlir._host_arrays import widen
from ttmlir._numerics import Numerics
from ttmlir._programs import Program, TensorInfo, run_error
from ttmlir._stages.schedule import Pipeline
from ttmlir.advice import Advice
from ttmlir.captured import CapturedTrace
from ttmlir.comparison import Comparison
from ttmlir.errors import Error, InputError, Remark
from ttmlir.executable import Executable
from ttmlir.frontends import Signature
from ttmlir.report import Report

#: A tensor of each micro-batch, or one for all of them.
Parts = tuple[runtime.Tensor, ...]


@dataclass(frozen=True)
class Stage:
    """A stage of a pipeline.

    Args:
        executable: its program, for one micro-batch.
        inputs: the numbers of the values that it takes; below the number of arguments of the
            pipeline, its arguments.
        outputs: the numbers of its results.
    """

    executable: Executable
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]

    @property
    def program(self) -> Program:
        """Its only program."""
        return self.executable.programs[0]

    @property
    def chips(self) -> tuple[int, ...]:
        """Ids, row-major over the mesh of the stage."""
        return self.program.chip_ids


@dataclass(frozen=True)
class Values:
    """The values that the stages of a pipeline exchange.

    Args:
        inputs: the dimension that micro-batches divide, of each argument; None for what is the same
            for all.
        outputs: likewise, of each result.
        results: the numbers of the values that the pipeline returns.
    """

    inputs: tuple[int | None, ...]
    outputs: tuple[int | None, ...]
    results: tuple[int, ...]


class MicroBatches:
    """A result of a pipeline that stays on the chips: a tensor of each micro-batch.

    A call of the pipeline accepts it as an input. ``numpy.asarray`` joins it on the host.
    """

    def __init__(self, parts: Parts, dim: int, info: TensorInfo) -> None:
        self.parts = parts
        self._dim, self._info = dim, info

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the whole batch."""
        return self._info.shape

    def joined(self) -> np.ndarray[Any, np.dtype[Any]]:
        """Copies the whole batch to the host, in the source's type."""
        whole = np.concatenate([runtime.to_numpy(part) for part in self.parts], self._dim)
        return widen(whole, self._info.host)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        found = self.joined()
        return found if dtype is None else found.astype(dtype)

    def __repr__(self) -> str:
        return f"<ttmlir.MicroBatches {len(self.parts)} of {self._info}>"


class _Placed:
    """An argument that is bound: its tensors on the chips of each stage that takes it."""

    def __init__(self, parts: Mapping[int, Parts]) -> None:
        self.parts = parts


class PipelineExecutable(Executable):
    """A program that is cut into stages on different chips, each of which works on another
    micro-batch.

    It is called like ``ttmlir.Executable``. Parameters are on the chips of the stages that use them
    only, and so are donated inputs. ``stages`` have a program each, with ``save`` and ``mlir``.
    """

    def __init__(
        self,
        program: Program,
        stages: Sequence[Stage],
        values: Values,
        pipeline: Pipeline,
        signature: Signature,
        numerics: Numerics | None,
        remarks: tuple[Remark, ...] = (),
    ) -> None:
        self.programs = (program,)
        self.stages = tuple(stages)
        self.pipeline = pipeline
        self.signature = signature
        self.numerics = numerics
        self.backend = stages[0].executable.backend
        self._values = values
        self._cuts = remarks
        self._system_desc = pipeline.desc
        self._bound = Bound()
        self._recompile = None

    @property
    def micro_batches(self) -> int:
        """The number of micro-batches of a call."""
        return self.pipeline.micro_batches

    def __repr__(self) -> str:
        return (
            f"<ttmlir.PipelineExecutable {self.programs[0]}, stages: {len(self.stages)}, "
            f"micro-batches: {self.micro_batches}>"
        )

    def __reduce__(self) -> NoReturn:
        raise TypeError("a pipeline cannot be pickled: compile its source again")

    # Contents ------------------------------------------------------------------------------------

    @property
    def mlir(self) -> str:
        """The modules of all stages."""
        return "\n".join(stage.executable.mlir for stage in self.stages)

    @property
    def cpp(self) -> str:
        """The C++ code of all stages."""
        return "\n".join(stage.executable.cpp for stage in self.stages)

    @property
    def remarks(self) -> tuple[Remark, ...]:  # type: ignore[override]
        """The remarks on the cuts, and those of all stages."""
        own = (remark for stage in self.stages for remark in stage.executable.remarks)
        return (*self._cuts, *own)

    @property
    def binary(self) -> NoReturn:  # type: ignore[override]
        """Stages have a binary each.

        Raises:
            Error: always.
        """
        raise self._one_program("binary", "stages[i].executable.binary")

    def save(self, path: str | os.PathLike[str]) -> NoReturn:
        """A file has one program: use ``stages[i].executable.save(path)``.

        Raises:
            Error: always.
        """
        raise self._one_program("save()", "stages[i].executable.save(path)")

    def compare(self, reference: Any, /, *args: Any, **kwargs: Any) -> Comparison:
        """Compares the ops of one program: compile without a pipeline.

        Raises:
            Error: always.
        """
        raise self._one_program("compare()", "an executable that is compiled without a pipeline")

    def advise(self, *args: Any, **kwargs: Any) -> Advice:
        """Searches for options of one program: compile without a pipeline.

        Raises:
            Error: always.
        """
        raise self._one_program("advise()", "an executable that is compiled without a pipeline")

    def trace(self, *args: Any, **kwargs: Any) -> CapturedTrace:
        """Captures one program: use ``stages[i].executable.trace(...)``.

        Raises:
            Error: always.
        """
        raise self._one_program("trace()", "stages[i].executable.trace(...)")

    def place(self, *args: Any, **kwargs: Any) -> runtime.Tensor:
        """Stages have chips each: pass arrays, or bind them.

        Raises:
            Error: always.
        """
        raise self._one_program("place()", "arrays in calls, or bind(...)")

    def run_placed(self, *args: Any, **kwargs: Any) -> list[runtime.Tensor]:
        """Stages have chips each: pass arrays, or bind them.

        Raises:
            Error: always.
        """
        raise self._one_program("run_placed()", "a call")

    @staticmethod
    def _one_program(what: str, instead: str) -> Error:
        return Error(
            f"{what} needs one program, but a pipeline has one for each stage: use {instead}"
        )

    # Arguments -----------------------------------------------------------------------------------

    def unbind(self) -> None:
        """Frees the bound tensors and the values computed from them."""
        self._bound.clear()
        for stage in self.stages:
            stage.executable.binary.release_kept()

    def reset_variables(self) -> None:
        """Pipelines have no variables."""

    def bind_shared(
        self,
        values: Mapping[str, Callable[[], Any]],
        placed: dict[Any, runtime.Tensor],
        program: Program | None = None,
    ) -> None:
        """Binds arguments. Nothing is shared: other executables may have other stages."""
        super().bind_shared(values, {}, program)

    def _frozen(self, program: Program, index: int, value: Any) -> Any:
        info = program.inputs[index]
        whole = self._tensor(f"{program.name}: '{info.name}'", value, info, keeps=True)
        parts = {}
        for number, stage in enumerate(self.stages):
            if index in stage.inputs:
                at = stage.inputs.index(index)
                own = stage.executable
                parts[number] = tuple(
                    own._placed(self.device, stage.program, at, part)
                    for part in self._parts(index, whole)
                )
                for part in parts[number]:
                    part.freeze()
        return _Placed(parts)

    def _tensor(self, where: str, value: Any, info: TensorInfo, *, keeps: bool = False) -> Any:
        if not isinstance(value, MicroBatches):
            return super()._tensor(where, value, info, keeps=keeps)
        if value.shape != info.shape or len(value.parts) != self.micro_batches:
            raise InputError(
                f"{where}: expected {info} in {self.micro_batches} micro-batches, found {value!r}"
            )
        return value

    def _parts(self, index: int, value: Any) -> Parts:
        """Splits an argument into micro-batches; one part if it is the same for all."""
        if isinstance(value, MicroBatches):
            return value.parts
        dim = self._values.inputs[index]
        if dim is None or self.micro_batches == 1:
            return (value,)
        whole = runtime.to_numpy(value)
        parts = np.split(whole, self.micro_batches, dim)
        return tuple(runtime.from_numpy(np.ascontiguousarray(part)) for part in parts)

    # Runs ----------------------------------------------------------------------------------------

    def _run(
        self,
        device: runtime.Device,
        program: Program,
        tensors: Sequence[Any],
        binary: runtime.Binary | None = None,
        numerics: Numerics | None = None,
    ) -> list[Any]:
        return self._run_stages(device, tensors, numerics, lambda stage, micro_batch, run: run())

    def _run_stages(
        self,
        device: runtime.Device,
        tensors: Sequence[Any],
        numerics: Numerics | None,
        observed: Callable[[int, int, Callable[[], list[runtime.Tensor]]], list[runtime.Tensor]],
    ) -> list[Any]:
        """Runs all micro-batches; ``observed`` runs a stage."""
        numerics = self.numerics if numerics is None else numerics
        given = [
            value if isinstance(value, _Placed) else self._parts(i, value)
            for i, value in enumerate(tensors)
        ]
        found: list[list[runtime.Tensor]] = [[] for _ in self._values.results]
        for micro_batch in range(self.micro_batches):
            values: dict[int, runtime.Tensor] = {}
            for number, stage in enumerate(self.stages):
                inputs = []
                for value in stage.inputs:
                    if value >= len(given):
                        inputs.append(_sent(values[value], device, stage))
                        continue
                    own = given[value]
                    parts = own.parts[number] if isinstance(own, _Placed) else own
                    inputs.append(parts[micro_batch if len(parts) > 1 else 0])

                def run(stage: Stage = stage, inputs: list[Any] = inputs) -> list[runtime.Tensor]:
                    return stage.executable._run(device, stage.program, inputs, numerics=numerics)

                results = observed(number, micro_batch, run)
                values.update(zip(stage.outputs, results, strict=True))
            for results, value in zip(found, self._values.results, strict=True):
                results.append(values[value])
        return [self._joined(number, tuple(parts)) for number, parts in enumerate(found)]

    def _joined(self, number: int, parts: Parts) -> Any:
        dim = self._values.outputs[number]
        if dim is None or self.micro_batches == 1:
            return parts[0]
        return MicroBatches(parts, dim, self.programs[0].outputs[number])

    def array(self, program: Program, number: int, result: Any) -> Any:
        """Converts one result to an array of the host.

        Raises:
            Error: the chips of a stage return different results.
        """
        if not isinstance(result, MicroBatches):
            return super().array(program, number, result)
        try:
            return result.joined()
        except runtime.RuntimeError as error:
            raise Error(f"{program.name}: {error}") from None

    # Cost ----------------------------------------------------------------------------------------

    def _reported(
        self,
        device: runtime.Device,
        program: Program,
        inputs: Sequence[Any],
        trace: bool | runtime.TraceFilter = False,
        numerics: Numerics | None = None,
    ) -> tuple[Report, list[Any]]:
        """Reports the schedule of the stages, with their cost for the last micro-batch: the first
        one also computes what depends on parameters alone."""
        reports: dict[int, runtime.Report] = {}

        def observed(
            number: int, micro_batch: int, run: Callable[[], list[runtime.Tensor]]
        ) -> list[runtime.Tensor]:
            if micro_batch + 1 < self.micro_batches:
                return run()
            runtime.enable_report(device, True)
            try:
                results = run()
                reports[number] = runtime.get_report(device)
            finally:
                runtime.enable_report(device, False)
            return results

        results = self._run_stages(device, self._tensors(program, inputs), numerics, observed)
        found = [reports[number] for number in range(len(self.stages))]
        return self._report_of(found, trace), results

    def estimate(self, *, program: int | str = 0, position: int | None = None) -> Report:
        """Estimates a call; see ``Executable``."""
        self._find(program)
        reports = []
        for stage in self.stages:
            try:
                reports.append(runtime.estimate_report(stage.executable.binary, 0, position))
            except runtime.RuntimeError as error:
                raise run_error(stage.program, error) from None
        return self._report_of(reports)

    def _report_of(
        self, reports: Sequence[runtime.Report], trace: bool | runtime.TraceFilter = False
    ) -> Report:
        remarks = self.remarks
        found = self.pipeline.reported(self.programs[0].name, reports, trace)
        return replace(
            found,
            remarks=remarks,
            num_remarks=len(remarks),
            host_nodes=self.signature.host_nodes(),
        )


def _sent(tensor: runtime.Tensor, device: runtime.Device, stage: Stage) -> runtime.Tensor:
    """Copies a result to the chips of another stage; one on the host is uploaded there."""
    if not tensor.is_on_device:
        return tensor
    shards = [
        runtime.copy_to_chip(shard, device, chip)
        for shard, chip in zip(runtime.get_shards(tensor), stage.chips, strict=True)
    ]
    if len(shards) == 1:
        return shards[0]
    return runtime.combine_device_tensors(shards, tensor.mesh_shape)
