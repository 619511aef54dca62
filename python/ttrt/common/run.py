"""`ttrt run`: runs programs on the emulated system with generated inputs and checks the outputs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ttrt.common.command import Command
from ttrt.common.query import Query
from ttrt.common.util import Binary, GoldenMismatch, Program, SkipFile, TTRTError


class Run(Command):
    name = "run"
    help = "run a flatbuffer binary"

    def preprocess(self) -> None:
        super().preprocess()
        self.query = Query(logger=self.logger, artifacts=self.artifacts)
        self.query.find()

    def check_constraints(self) -> None:
        self.files = [
            file
            for file in self.load_files({".ttnn": Binary})
            if self.keep(file, lambda file=file: self._check(file))
        ]

    def _check(self, file: Binary) -> None:
        file.check_system_desc(self.query)
        index = self["program-index"]
        if index != "all" and not file.check_program_index_exists(int(index)):
            raise SkipFile(
                f"program index={index} is greater than number of programs in: {file.file_path}"
            )

    def execute(self) -> None:
        if not self.files:
            return
        from ttrt import runtime

        runtime.DebugEnv.get(self["load-kernels-from-disk"], self["disable-async-ttnn"])
        runtime.set_compatible_runtime(self.files[0].fbb)
        device = runtime.open_device([self.query.device_ids[0]])
        try:
            for file in self.files:
                self._run_file(device, file)
        finally:
            runtime.close_device(device)

    def _run_file(self, device: Any, file: Binary) -> None:
        if self["save-artifacts"]:
            self.artifacts.save_binary(file, self.query)
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
        import numpy as np

        from ttmlir.runtime import host_dtype
        from ttrt import runtime
        from ttrt.common import tensors

        rng = np.random.default_rng(self["seed"])
        inputs = []
        for ref in program.inputs:
            shape, name = tensors.describe(ref)
            inputs.append(tensors.initialize(self["init"], shape, host_dtype(name), rng))
        outputs = []
        for ref in program.outputs:
            shape, name = tensors.describe(ref)
            outputs.append(np.zeros(shape, host_dtype(name)))
        handles = [runtime.from_numpy(a) for a in inputs]
        results = [runtime.from_numpy(a) for a in outputs]

        start = time.perf_counter()
        for _ in range(self["loops"]):
            event = runtime.submit(device, file.fbb, program.index, handles, results)
        runtime.wait(event)
        elapsed = time.perf_counter() - start
        self.logger.info(
            f"ran {file.file_path} program[{program.index}]:{program.name} "
            f"{self['loops']}x in {elapsed * 1e3:.2f} ms"
        )
        device.deallocate_buffers()
        if self["save-artifacts"]:
            self._save(file, program, inputs, outputs)
        self._check_outputs(file, program, inputs, outputs)

    def _check_outputs(
        self, file: Binary, program: Program, inputs: list[Any], outputs: list[Any]
    ) -> None:
        from ttrt.common import tensors

        where = f"{file.file_path} program[{program.index}]:{program.name}"
        if self["identity"]:
            if len(inputs) != len(outputs):
                raise GoldenMismatch(
                    f"Failed: identity needs as many outputs as inputs in binary {where}: "
                    f"expected {len(inputs)}, found {len(outputs)}"
                )
            for i, (expected, found) in enumerate(zip(inputs, outputs, strict=True)):
                tensors.check_close(
                    expected,
                    found,
                    self["rtol"],
                    self["atol"],
                    f"Failed: inputs and outputs do not match in binary {where}, output {i}",
                )
        if self["non-zero"]:
            for i, found in enumerate(outputs):
                if not found.astype("float64").any():
                    raise GoldenMismatch(
                        f"Failed: output tensor all zero in binary {where}, output {i}"
                    )

    def _save(self, file: Binary, program: Program, inputs: list[Any], outputs: list[Any]) -> None:
        folder = Path(self.artifacts.get_binary_run_folder_path(file)) / f"program_{program.index}"
        for kind, arrays in (("input", inputs), ("output", outputs)):
            for i, array in enumerate(arrays):
                name = f"program_{program.index}_{kind}_{i}"
                self.artifacts.save_tensor(folder, name, array)
