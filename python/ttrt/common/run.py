"""`ttrt run`: runs programs on the emulated system with generated inputs and checks the outputs."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ttrt.common import tensors
from ttrt.common.command import Command
from ttrt.common.models import MODELS, Model
from ttrt.common.query import Query
from ttrt.common.util import BINARIES, Binary, GoldenMismatch, Program, TTRTError


class Run(Command):
    name = "run"
    help = "run a flatbuffer binary"

    checks_by_default = True

    def preprocess(self) -> None:
        super().preprocess()
        target = {"target": self["target"]}
        self.query = Query(target, logger=self.logger, artifacts=self.artifacts)
        self.query.find()

    def check_constraints(self) -> None:
        self.files = [
            file
            for file in self.load_files(self._types())
            if self.keep(file, lambda file=file: self._check(file))
        ]

    def _types(self) -> dict[str, Any]:
        """Returns the loaders of files by extension; a model is compiled only if it is named
        itself."""
        is_model = Path(self["binary"]).suffix in MODELS
        if self["shapes"] and not is_model:
            raise TTRTError("--shapes: expected a model of ONNX")
        self.loaded = tensors.loaded(self["load-inputs"])
        if not is_model:
            return dict.fromkeys(BINARIES, Binary)
        options = {
            "system_desc": self.query.system_desc,
            "shapes": self["shapes"],
            "examples": self.loaded,
        }
        return dict.fromkeys(MODELS, partial(Model, **options))

    def _check(self, file: Binary) -> None:
        file.check_system_desc(self.query)
        file.check_program_index(self["program-index"])
        if self["allow-cpp"]:
            file.compile_cpp()

    def execute(self) -> None:
        if not self.files:
            return
        from ttmlir.runtime import open_system
        from ttrt import runtime

        runtime.DebugEnv.get(self["load-kernels-from-disk"], self["disable-async-ttnn"])
        # Programs choose the chips of their mesh among those of the system.
        device = open_system(self.query.system_desc, self.query.device_ids)
        try:
            for file in self.files:
                self._run_file(device, file)
        finally:
            runtime.close_device(device)

    def _options(self, file: Binary) -> Any:
        """Returns run options for the kernels of a file; checks are on unless time is measured."""
        from ttmlir._numerics import option_of
        from ttmlir.runtime import DeviceOptions

        if self["check"] and self["no-check"]:
            raise TTRTError("expected --check or --no-check, found both")
        options = DeviceOptions(
            checks=self["check"] or (self.checks_by_default and not self["no-check"]),
            numerics=option_of(self["numerics"]),
        )
        if self["step-limit"]:
            options.step_limit = self["step-limit"]
        if self["load-kernels-from-disk"]:
            saved = self.artifacts.get_binary_kernels_folder_path(file)
            options.kernel_directory = saved if Path(saved).is_dir() else tempfile.gettempdir()
        return options

    def _run_file(self, device: Any, file: Binary) -> None:
        from ttrt import runtime

        runtime.set_compatible_runtime(file.fbb)
        runtime.set_device_options(device, self._options(file))
        if self["save-artifacts"]:
            self.artifacts.save_binary(file, self.query)
            self.artifacts.save_kernels(file)
        index = self["program-index"]
        programs = file.programs if index == "all" else [file.get_program(int(index))]
        try:
            for program in programs:
                self._run_program(device, file, program)
        except GoldenMismatch as error:
            self.record(file.file_path, "fail", error)
        except (TTRTError, RuntimeError, ValueError, TypeError) as error:
            self.record(file.file_path, "error", TTRTError(f"{file.file_path}: {error}"))
        else:
            self.record(file.file_path, "pass")

    def _run_program(self, device: Any, file: Binary, program: Program) -> None:
        from ttmlir.runtime import get_goldens

        goldens = get_goldens(file.fbb, program.index)
        call = self._call(file, program, goldens)
        self.measure(device, file, program, call)
        self.show_prints(device)
        device.deallocate_buffers()
        if self["save-artifacts"]:
            self._save(file, program, call)
        self._check_outputs(file, program, call, goldens)

    def _call(self, file: Binary, program: Program, goldens: dict[str, Any]) -> Call:
        """Creates inputs, golden or generated, and zeroed outputs."""
        import numpy as np

        from ttmlir._host_arrays import hosts
        from ttmlir.runtime import host_dtype

        rng = np.random.default_rng(self["seed"])
        sources = hosts(file.fbb, program.index, inputs=True)
        results = hosts(file.fbb, program.index, inputs=False)
        call = Call([], [], results=results)
        known = self._known(file, program)
        for i, desc in enumerate(file.fbb.get_program_inputs(program.index)):
            # Always drawn, so that a golden input does not change the others.
            stored = (host_dtype(desc.dtype), tuple(desc.shape))
            source = sources[i]
            given = stored if source is None else (source.dtype, source.shape)
            array = tensors.initialize(self["init"], given[1], given[0], rng)
            golden = goldens.get(f"input_{i}")
            if i in known:
                array = tensors.fitting(known[i], array, f"{where(file, program)}: input {i}")
            elif golden is not None:
                array = golden.astype(array.dtype).reshape(array.shape)
            elif goldens:
                self.logger.warning(
                    f"{where(file, program)} has goldens but none of input {i}: "
                    f"it is initialized by --init {self['init']}"
                )
            call.inputs.append(array)
            call.stored.append(stored)
        for desc in file.fbb.get_program_outputs(program.index):
            call.buffers.append(np.zeros(tuple(desc.shape), host_dtype(desc.dtype)))
        return call

    def _known(self, file: Binary, program: Program) -> dict[int, Any]:
        """Returns given inputs by index: the weights of a model, and those of a file."""
        found = dict(file.weights) if isinstance(file, Model) else {}
        names = [name for name, _, _ in file.fbb.get_program_arguments(program.index)]
        for key, array in self.loaded.items():
            places = [i for i, name in enumerate(names) if key in (name, f"input_{i}")]
            if not places and not (isinstance(file, Model) and key in file.names):
                expected = ", ".join(n or f"input_{i}" for i, n in enumerate(names))
                raise TTRTError(f"--load-inputs: no input '{key}', expected some of {expected}")
            found |= dict.fromkeys(places, array)
        return found

    def measure(self, device: Any, file: Binary, program: Program, call: Call) -> None:
        """Runs the program the requested number of times, and logs the time."""
        seconds = call.run(device, file, program, self["loops"])
        self.logger.info(
            f"ran {where(file, program)} {self['loops']}x in {sum(seconds) * 1e3:.2f} ms"
        )

    def show_prints(self, device: Any) -> None:
        """Shows the lines that the kernels have printed."""
        from ttrt import runtime

        for line in runtime.get_debug_prints(device):
            for text in line.text.split("\n"):
                self.logger.output(f"{line.core[0]},{line.core[1]} {line.thread}: {text}")

    def _check_outputs(
        self, file: Binary, program: Program, call: Call, goldens: dict[str, Any]
    ) -> None:
        from ttrt.common.golden import check_close, tolerances

        place = where(file, program)
        descs = file.fbb.get_program_outputs(program.index)
        for i, (desc, found) in enumerate(zip(descs, call.outputs, strict=True)):
            expected = goldens.get(f"output_{i}")
            if expected is None:
                continue
            expected = expected.reshape(found.shape) if expected.size == found.size else expected
            rtol, atol = tolerances(
                desc.dtype.name, expected, self.args.given("rtol"), self.args.given("atol")
            )
            what = f"Failed: golden and output do not match in binary {place}, output {i}"
            check_close(expected, found, rtol, atol, what)
            self.logger.info(f"golden matches output {i} of {place} (rtol={rtol:g} atol={atol:g})")
        if self["identity"]:
            self._check_identity(place, call)
        if self["non-zero"]:
            for i, found in enumerate(call.outputs):
                if not found.astype("float64").any():
                    raise GoldenMismatch(
                        f"Failed: output tensor all zero in binary {place}, output {i}"
                    )

    def _check_identity(self, place: str, call: Call) -> None:
        from ttrt.common.golden import check_close

        if len(call.inputs) != len(call.outputs):
            raise GoldenMismatch(
                f"Failed: identity needs as many outputs as inputs in binary {place}: "
                f"expected {len(call.inputs)}, found {len(call.outputs)}"
            )
        for i, (expected, found) in enumerate(zip(call.inputs, call.outputs, strict=True)):
            what = f"Failed: inputs and outputs do not match in binary {place}, output {i}"
            check_close(expected, found, self["rtol"], self["atol"], what)

    def _save(self, file: Binary, program: Program, call: Call) -> None:
        folder = Path(self.artifacts.get_binary_run_folder_path(file)) / f"program_{program.index}"
        for kind, arrays in (("input", call.inputs), ("output", call.outputs)):
            for i, array in enumerate(arrays):
                name = f"program_{program.index}_{kind}_{i}"
                self.artifacts.save_tensor(folder, name, array)


@dataclass
class Call:
    """Inputs and outputs of a program, shared by all loops."""

    inputs: list[Any]
    outputs: list[Any]
    #: Type and shape of each input in the program, and the host forms of the results.
    stored: list[Any] = field(default_factory=list)
    results: list[Any] = field(default_factory=list)
    #: The output tensors of the program.
    buffers: list[Any] = field(default_factory=list)

    def run(self, device: Any, file: Binary, program: Program, loops: int) -> list[float]:
        """Runs the program; returns the host time of each loop in seconds."""
        from ttmlir._host_arrays import widen
        from ttrt import runtime

        handles = self.tensors()
        results = [runtime.from_numpy(a) for a in self.buffers]
        seconds = []
        for _ in range(loops):
            start = time.perf_counter()
            runtime.wait(runtime.submit(device, file.fbb, program.index, handles, results))
            seconds.append(time.perf_counter() - start)
        self.outputs[:] = map(widen, self.buffers, self.results)
        return seconds

    def tensors(self) -> list[Any]:
        """Returns the inputs as tensors of the program."""
        from ttmlir._host_arrays import narrow
        from ttrt import runtime

        return [
            runtime.from_numpy(narrow(array, *stored))
            for array, stored in zip(self.inputs, self.stored, strict=True)
        ]


def where(file: Binary, program: Program) -> str:
    """The name of a program in messages."""
    return f"{file.file_path} program[{program.index}]:{program.name}"
