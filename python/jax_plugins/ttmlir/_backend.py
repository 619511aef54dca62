"""The backend that the extension module ``ttmlir._pjrt`` calls for a client of JAX."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jax_plugins.ttmlir._devices import System
from ttmlir._version import __git_hash__, __version__

if TYPE_CHECKING:
    from jax_plugins.ttmlir._execution import Runner


class Backend:
    """The chips of one system.

    JAX creates its clients for all platforms, even if the program only uses the CPU. So the
    compiler and the runtime are loaded at the first use of a device.
    """

    def __init__(self) -> None:
        self.system = System()
        chips = hashlib.sha256(self.system.text.encode()).hexdigest()[:16]
        #: Part of the keys of JAX's compilation cache.
        self.platform_version = f"ttmlir {__version__} {__git_hash__} system {chips}"
        self.process_index = self.system.division.index
        #: Kind, name, description, bytes of memory and process of each device.
        self.devices = [
            (
                f"{self.system.arch} (emulated)",
                f"TTDevice(id={chip})",
                f"TTDevice(id={chip}, {self.system.arch}, chip {chip} of {self.system.name}, "
                "emulated)",
                self.system.dram_bytes,
                process,
            )
            for chip, process in enumerate(self.system.division.owners)
        ]

    @cached_property
    def runner(self) -> Runner:
        from jax_plugins.ttmlir._execution import Runner

        return Runner(self.system)

    def __getattr__(self, name: str) -> Any:
        """Looks up a method of the runner and caches it on the backend."""
        if name.startswith("_"):
            raise AttributeError(name)
        method = getattr(self.runner, name)
        setattr(self, name, method)
        return method
