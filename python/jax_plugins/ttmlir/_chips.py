"""The chips of the emulated system."""

from __future__ import annotations

import json
import os

from jax_plugins.ttmlir._errors import Code, PluginError
from ttmlir import runtime
from ttmlir._targets import resolve, targets

VARIABLE = "TTMLIR_TARGET"


class Chip:
    """A chip of a system. Used by the worker only, as all that follows."""

    def __init__(self, system: System, number: int) -> None:
        self.number = number
        self._system = system
        self._devices: dict[str, runtime.Device] = {}

    def device(self, backend: str) -> runtime.Device:
        """The chip as a device, opened at the first call. Programs of TTMetal have memory at fixed
        addresses, and so each backend has its own."""
        device = self._devices.get(backend)
        if device is None:
            whole = self._system.device(backend)
            if len(whole.ids) > 1:
                device = runtime.create_sub_mesh_device(whole, [1, 1], [0, self.number])
            else:
                device = whole
            self._devices[backend] = device
        return device


class System:
    """The system that ``TTMLIR_TARGET`` names: one of the targets, or a ``.ttsys`` file."""

    def __init__(self) -> None:
        self.name = os.environ.get(VARIABLE) or "n150"
        is_file = self.name.endswith(".ttsys") or os.sep in self.name
        if not is_file and self.name not in targets():
            raise PluginError(
                Code.INVALID_ARGUMENT,
                f"{VARIABLE}: expected one of {', '.join(targets())}, or the path of a .ttsys "
                f"file, found '{self.name}'",
            )
        self.desc = resolve(self.name, self.name if is_file else None)
        content = json.loads(self.desc.as_json())["system_desc"]
        #: The same for equal systems.
        self.text = json.dumps(content, sort_keys=True)
        chip = content["chip_descs"][0]
        self.arch = str(chip["arch"]).lower()
        self.dram_bytes = int(chip["num_dram_channels"]) * int(chip["dram_channel_size"])
        self.chips = tuple(Chip(self, i) for i in range(self.desc.num_chips))
        self._devices: dict[str, runtime.Device] = {}

    def device(self, backend: str) -> runtime.Device:
        """All chips as one device, which executables of ``ttmlir.compile`` have, too."""
        if backend not in self._devices:
            self._devices[backend] = runtime.shared_device(self.desc, backend)
        return self._devices[backend]
