"""`ttrt read`: prints sections of flatbuffer files."""

from __future__ import annotations

import json
from typing import Any

from ttmlir.errors import Remark
from ttrt.common.command import Command
from ttrt.common.util import BINARIES, Binary, Flatbuffer, SkipFile, SystemDesc, TTRTError


class Read(Command):
    name = "read"
    help = "read information from flatbuffer binary"

    def check_constraints(self) -> None:
        types: dict[str, type[Any]] = {**dict.fromkeys(BINARIES, Binary), ".ttsys": SystemDesc}
        self.files = self.load_files(types)

    def check_version(self, file: Flatbuffer) -> None:
        """Allows a file of another version: it is printed as far as the formats agree."""
        try:
            file.check_version()
        except SkipFile as error:
            self.logger.warning(f"{error}: fields that only v{file.version} has are not shown")

    def execute(self) -> None:
        for file in self.files:
            try:
                text = getattr(self, self["section"])(file)
            except TTRTError as error:
                self.record(file.file_path, "error" if self.named else "skip", error)
                continue
            if len(self.files) > 1:
                self.logger.info(f"reading {file.file_path}")
            self.logger.output(text)
            if self["save-artifacts"]:
                self.artifacts.save_binary(file)
            self.record(file.file_path, "pass")

    def all(self, file: Flatbuffer) -> str:
        return file.as_json()

    def version(self, file: Flatbuffer) -> str:
        return file.version_text()

    def system_desc(self, file: Flatbuffer) -> str:
        return file.system_desc_text()

    def mlir(self, file: Flatbuffer) -> str:
        lines = []
        for program in self._programs(file):
            if program.mlir is None:
                lines.append(f"no debug info found for program:{program.name}")
                continue
            name, source = program.mlir
            lines.append(f"program[{program.index}]:{program.name}-{name}\n{source}")
        return "\n".join(lines)

    def cpp(self, file: Flatbuffer) -> str:
        lines = []
        for program in self._programs(file):
            title = f"program[{program.index}]:{program.name}"
            kernels = self._of_this_version(file, "get_program_kernels", program.index)
            if kernels:
                texts = "\n".join(f"// {name}\n{text}" for name, text in kernels)
                lines.append(f"{title}\n{texts}")
            elif program.cpp is None:
                lines.append(f"no debug info found for program:{program.name}")
            else:
                lines.append(f"{title}\n{program.cpp}")
        return "\n".join(lines)

    def remarks(self, file: Flatbuffer) -> str:
        lines = []
        for program in self._programs(file):
            found, count = self._of_this_version(file, "get_program_remarks", program.index)
            lines.append(f"program[{program.index}]:{program.name}, {count} remarks")
            lines += [str(Remark.from_raw(raw)) for raw in found]
            if count > len(found):
                lines.append(f"and {count - len(found)} more, which the file does not store")
        return "\n".join(lines)

    def inputs(self, file: Flatbuffer) -> str:
        return "\n".join(
            f"program:{p.name}\n{json.dumps(p.inputs, indent=2)}" for p in self._programs(file)
        )

    def outputs(self, file: Flatbuffer) -> str:
        return "\n".join(
            f"program:{p.name}\n{json.dumps(p.outputs, indent=2)}" for p in self._programs(file)
        )

    def _of_this_version(self, file: Flatbuffer, name: str, index: int) -> Any:
        """Calls a function of the binary for a program."""
        try:
            return getattr(file.fbb, name)(index)
        except RuntimeError as error:  # A binary of another version.
            raise TTRTError(
                f"'{file.file_path}': {error}; --section all has what the file has"
            ) from None

    def _programs(self, file: Flatbuffer) -> list[Any]:
        if not isinstance(file, Binary):
            raise TTRTError(
                f"'{file.file_path}' is a system descriptor and has no section "
                f"'{self['section']}', expected all, system_desc or version"
            )
        return file.programs
