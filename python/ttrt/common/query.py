"""`ttrt query`: the system descriptor of the emulated system."""

from __future__ import annotations

import json
from typing import Any

from ttrt.common.command import Command
from ttrt.common.errors import TTRTError


def _system(target: str) -> Any:
    """Returns the descriptor of a named system or of a file."""
    from ttmlir._targets import resolve

    path = target if target.endswith(".ttsys") else None
    try:
        return resolve(target, path)
    except Exception as error:
        raise TTRTError(f"argument 'target': {error}") from None


class Query(Command):
    """Sets ``system_desc`` to the runtime's object and ``device_ids`` to its chips."""

    name = "query"
    help = "query information about the current system"

    system_desc: Any = None
    device_ids: list[int]
    quiet = False

    def execute(self) -> None:
        self.find()
        if not self.quiet:
            self.logger.output(self.system_desc.as_json())
        if self["save-artifacts"]:
            self.artifacts.save_system_desc(self.system_desc)
        self.record("", "pass")

    def find(self) -> None:
        """Queries the runtime, without printing or saving anything."""
        from ttrt import runtime

        if self["target"]:
            self.system_desc = _system(self["target"])
            self.device_ids = list(range(self.system_desc.num_chips))
            return
        self.system_desc, device_ids = runtime.get_current_system_desc()
        self.device_ids = list(device_ids)

    def get_system_desc_as_dict(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.system_desc.as_json())
        return content
