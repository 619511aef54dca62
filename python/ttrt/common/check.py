"""`ttrt check`: compares files with a system descriptor."""

from __future__ import annotations

from typing import Any

from ttrt.common.command import Command
from ttrt.common.query import Query
from ttrt.common.util import BINARIES, Binary, SystemDesc, TTRTError


class Check(Command):
    name = "check"
    help = "check a flatbuffer binary against a system desc file"

    def check_constraints(self) -> None:
        self.files = self.load_files(dict.fromkeys(BINARIES, Binary))
        self.system_descs = self._load_system_descs()

    def execute(self) -> None:
        for file in self.files:
            found = file.get_system_desc_as_dict()
            missing = [where for where, desc in self.system_descs if desc != found]
            for where, desc in self.system_descs:
                if desc == found:
                    self.logger.info(f"system desc '{where}' matched flatbuffer: {file.file_path}")
            if self["save-artifacts"]:
                self.artifacts.save_binary(file)
            if missing:
                names = ", ".join(f"'{name}'" for name in missing)
                error = TTRTError(f"system desc {names} did not match flatbuffer: {file.file_path}")
                self.record(file.file_path, "fail", error)
            else:
                self.record(file.file_path, "pass")

    def _load_system_descs(self) -> list[tuple[str, dict[str, Any]]]:
        path = self["system-desc"]
        if not path:
            query = Query(logger=self.logger, artifacts=self.artifacts)
            query.find()
            return [("current system", query.get_system_desc_as_dict()["system_desc"])]
        paths, _ = self.file_manager.find(path, (".ttsys",))
        if not paths:
            raise TTRTError(f"no .ttsys file found in '{path}'")
        loaded = [SystemDesc(self.logger, self.file_manager, p) for p in paths]
        return [(file.file_path, file.get_system_desc_as_dict()) for file in loaded]
