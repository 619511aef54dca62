"""The chips of the emulated system."""

from __future__ import annotations

import hashlib
import json
import os

from jax_plugins.ttmlir._errors import Code, PluginError
from jax_plugins.ttmlir._processes import divide
from ttmlir import _runtime, mpi, runtime
from ttmlir._targets import resolve, targets

VARIABLE = "TTMLIR_TARGET"


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
        #: Equal for equal systems.
        self.text = json.dumps(content, sort_keys=True)
        chip = content["chip_descs"][0]
        self.arch = str(chip["arch"]).lower()
        self.dram_bytes = int(chip["num_dram_channels"]) * int(chip["dram_channel_size"])
        self.num_chips = self.desc.num_chips
        self.division = divide(self.num_chips)
        if self.division.is_divided:
            digest = hashlib.sha256(self.text.encode()).hexdigest()[:16]
            _runtime.require_same("system of the JAX devices", f"'{self.name}' ({digest})")
        self._devices: dict[tuple[str, int | None], runtime.Device] = {}

    def device(self, backend: str, chip: int | None = None) -> runtime.Device:
        """Returns all chips as one device, or one chip, which keeps the state that its last program
        left. Opened by the first call; used by the worker only. Executables of ``ttmlir.compile``
        share the device, except on several ranks: they divide chips in another way.

        Programs of TTMetal use memory at fixed addresses, so each backend has its own device.
        """
        key = backend, chip if self.num_chips > 1 else None
        device = self._devices.get(key)
        if device is None:
            if key[1] is None and mpi.size() > 1:
                device = runtime.open_system(self.desc, list(range(self.num_chips)))
                _runtime.set_chip_owners(device, self.division.ranks)
            elif key[1] is None:
                device = runtime.shared_device(self.desc, backend)
            else:
                device = runtime.create_sub_mesh_device(self.device(backend), [1, 1], [0, key[1]])
            self._devices[key] = device
        return device
