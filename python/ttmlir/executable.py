"""Compiled programs as Python callables."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ttmlir import runtime
from ttmlir.errors import Error, InputError
from ttmlir.report import OpReport, Report


@dataclass(frozen=True)
class TensorInfo:
    """Shape and host data type of an input or output, and where the chip holds it."""

    shape: tuple[int, ...]
    dtype: str
    memory_space: str

    def __str__(self) -> str:
        return f"{'x'.join(map(str, self.shape))} {self.dtype}"


@dataclass(frozen=True)
class Program:
    """One function of the compiled module."""

    index: int
    name: str
    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]

    def __str__(self) -> str:
        inputs = ", ".join(map(str, self.inputs))
        outputs = ", ".join(map(str, self.outputs))
        return f"{self.name}({inputs}) -> {outputs}"


def load(path: str | os.PathLike[str]) -> Executable:
    """Loads a ``.ttnn`` file.

    Raises:
        Error: the file is missing, truncated, foreign or of another version.
    """
    try:
        return Executable(runtime.load_binary_from_path(os.fspath(path)))
    except runtime.RuntimeError as error:
        raise Error(str(error)) from None


class Executable:
    """A compiled module. Calling it runs one of its programs on an emulated system.

    The system is opened at the first call and shared by all executables for the same system, so a
    result left on the device can be the input of another executable. Not thread-safe.
    """

    def __init__(self, binary: runtime.Binary) -> None:
        self.binary = binary

    def __repr__(self) -> str:
        return f"<ttmlir.Executable {'; '.join(map(str, self.programs))}>"

    def __call__(
        self,
        *inputs: Any,
        program: int | str = 0,
        keep_on_device: bool = False,
        device: runtime.Device | None = None,
    ) -> Any:
        """Runs a program.

        Args:
            inputs: numpy, torch or other DLPack arrays of the program's shapes and data types
                (``ml_dtypes.bfloat16`` for bf16), or results kept on the device.
            program: index or name.
            keep_on_device: return the results as tensors of the device, without a copy to the host.
            device: an open device instead of the shared one.

        Returns:
            A numpy array, or a tuple of them for several results; ``runtime.Tensor`` with
            ``keep_on_device``.

        Raises:
            InputError: wrong count, shape or data type.
            Error: the device's memory is exhausted, or the program cannot run.
        """
        which = self._find(program)
        tensors = self._tensors(which, inputs)
        try:
            device = device or self.device
            results = runtime.run(device, self.binary, which.index, tensors)
            if keep_on_device:
                values: list[Any] = list(results)
            else:
                values = [runtime.to_numpy(result) for result in results]
        except runtime.RuntimeError as error:
            raise Error(str(error)) from None
        return values[0] if len(values) == 1 else tuple(values)

    @property
    def device(self) -> runtime.Device:
        """The open device that calls use."""
        return runtime.shared_device(self.binary)

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """The programs, one for each public function of the module."""
        return tuple(
            Program(
                index,
                program.get("name", ""),
                tuple(_tensor_info(ref) for ref in program.get("inputs", [])),
                tuple(_tensor_info(ref) for ref in program.get("outputs", [])),
            )
            for index, program in enumerate(self._content.get("programs", []))
        )

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """Inputs of the first program."""
        return self.programs[0].inputs

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """Outputs of the first program."""
        return self.programs[0].outputs

    @property
    def mlir(self) -> str:
        """The TTNN module that the executable was made from."""
        return str(self._debug_info().get("mlir", {}).get("source", ""))

    @property
    def cpp(self) -> str:
        """The C++ of the module against the TTNN library; empty if it has none."""
        return str(self._debug_info().get("cpp", ""))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a ``.ttnn`` file: the whole file or nothing."""
        target = Path(path)
        temporary = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            self.binary.store(str(temporary))
            os.replace(temporary, target)
        except (OSError, runtime.RuntimeError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise Error(f"'{target}' cannot be written: {reason}") from None
        finally:
            temporary.unlink(missing_ok=True)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Executable:
        """The same as :func:`ttmlir.load`."""
        return load(path)

    def report(self, program: int | str = 0) -> Report:
        """Runs a program on zeros and returns what the chip would need for it.

        The cost does not depend on the values. The report prints as a table and is one in a
        notebook.
        """
        import numpy as np

        which = self._find(program)
        zeros = [np.zeros(i.shape, runtime.numpy_dtype(i.dtype)) for i in which.inputs]
        device = self.device
        try:
            runtime.enable_report(device, True)
            try:
                runtime.run(device, self.binary, which.index, self._tensors(which, zeros))
                found = runtime.get_report(device)
            finally:
                runtime.enable_report(device, False)
        except runtime.RuntimeError as error:
            raise Error(str(error)) from None
        return _to_report(found)

    @cached_property
    def _content(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.binary.as_json())
        return content

    def _debug_info(self) -> dict[str, Any]:
        programs = self._content.get("programs", [])
        info: dict[str, Any] = programs[0].get("debug_info", {}) if programs else {}
        return info

    def _find(self, program: int | str) -> Program:
        for candidate in self.programs:
            if program in (candidate.index, candidate.name):
                return candidate
        names = ", ".join(f"{p.index} ({p.name})" for p in self.programs)
        raise InputError(f"no program {program!r}, expected one of {names}")

    def _tensors(self, program: Program, inputs: Sequence[Any]) -> list[runtime.Tensor]:
        if len(inputs) != len(program.inputs):
            raise InputError(
                f"{program.name}: expected {len(program.inputs)} inputs "
                f"({', '.join(map(str, program.inputs))}), found {len(inputs)}"
            )
        tensors = []
        for i, (value, info) in enumerate(zip(inputs, program.inputs, strict=True)):
            if not isinstance(value, runtime.Tensor):
                try:
                    value = runtime.from_array(value, default_dtype=info.dtype)
                except (TypeError, ValueError, runtime.RuntimeError) as error:
                    raise InputError(f"{program.name}: input {i}: {error}") from None
            _check(program, i, info, value)
            tensors.append(value)
        return tensors


def _check(program: Program, index: int, info: TensorInfo, tensor: runtime.Tensor) -> None:
    shape, dtype = tuple(tensor.shape), runtime.host_dtype_name(tensor)
    on_device = runtime.is_on_device(tensor)
    if shape != info.shape or (dtype != info.dtype and not on_device):
        found = TensorInfo(shape, dtype, "")
        raise InputError(f"{program.name}: input {index}: expected {info}, found {found}")


def _tensor_info(ref: dict[str, Any]) -> TensorInfo:
    desc = ref["desc"]
    memory = desc["layout"]["memory_desc"]
    return TensorInfo(
        tuple(desc["shape"]), runtime.numpy_name(memory["data_type"]), memory["memory_space"]
    )


def _to_report(found: Any) -> Report:
    def fields(kind: type, source: Any) -> dict[str, Any]:
        names = [name for name in kind.__dataclass_fields__ if name != "ops"]
        return {name: getattr(source, name) for name in names}

    ops = tuple(OpReport(**fields(OpReport, op)) for op in found.ops)
    return Report(**fields(Report, found), ops=ops)
