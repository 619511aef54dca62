"""The contents of a compiled file."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

from ttmlir import runtime
from ttmlir._programs import Program, TensorInfo, program_of
from ttmlir.errors import Error, InputError, Remark


class CompiledFile:
    """A compiled module: its programs, its texts, and the system it was compiled for."""

    def __init__(
        self, binary: runtime.Binary, system_desc: runtime.SystemDesc | None = None
    ) -> None:
        self.binary = binary
        self._system_desc = system_desc

    @cached_property
    def backend(self) -> str:
        """``ttnn`` or ``ttmetal``."""
        return "ttmetal" if self.binary.file_identifier == "TTM0" else "ttnn"

    @cached_property
    def system_desc(self) -> runtime.SystemDesc:
        """The system that the executable was compiled for."""
        if self._system_desc is not None:
            return self._system_desc
        for target in runtime.get_default_targets():
            desc = runtime.get_default_system_desc(target)
            if json.loads(desc.as_json())["system_desc"] == self._content["system_desc"]:
                return desc
        raise Error(
            "the executable was compiled for a system that is none of "
            f"{', '.join(runtime.get_default_targets())}: "
            "give its descriptor with ttmlir.load(path, system_desc=...)"
        )

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """The programs, one for each public function of the module."""
        return tuple(program_of(self.binary, i) for i in range(self.binary.num_programs))

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
        """The module of the backend's dialect that the executable was made from."""
        return str(self._debug_info().get("mlir", {}).get("source", ""))

    @property
    def cpp(self) -> str:
        """The module as C++ for the TTNN library, or its kernels as C++; empty if there is none."""
        kernels = [k for p in self.programs for k in self.binary.get_program_kernels(p.index)]
        if kernels:
            return "\n".join(f"// {name}\n{text}" for name, text in kernels)
        return str(self._debug_info().get("cpp", ""))

    @cached_property
    def remarks(self) -> tuple[Remark, ...]:
        """The decisions of the compiler's passes with reasons, by program and in the order of the
        passes; at most 10,000 for each program."""
        return tuple(remark for p in self.programs for remark in self._remarks(p)[0])

    def _remarks(self, program: Program) -> tuple[tuple[Remark, ...], int]:
        """Returns the remarks of a program that the file stores, and how many there were."""
        found, count = self.binary.get_program_remarks(program.index)
        return tuple(map(Remark.from_raw, found)), count

    @cached_property
    def _content(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.binary.as_json(elements=False))
        return content

    def _debug_info(self) -> dict[str, Any]:
        programs = self._content.get("programs", [])
        info: dict[str, Any] = programs[0].get("debug_info", {}) if programs else {}
        return info

    def _find(self, program: int | str) -> Program:
        if not isinstance(program, int | str):
            found = type(program).__name__
            raise TypeError(f"expected the index or the name of a program, found {found}")
        for candidate in self.programs:
            if program in (candidate.index, candidate.name):
                return candidate
        names = ", ".join(f"{p.index} ({p.name})" for p in self.programs)
        raise InputError(f"no program {program!r}, expected one of {names}")
