"""What scripts import of the extension itself, where it has more than the package."""

from __future__ import annotations

from ttmlir.runtime import get_available_runtimes
from ttrt.runtime import (
    DataType,
    DebugEnv,
    Device,
    DeviceRuntime,
    Event,
    Tensor,
    close_device,
    create_tensor,
    get_current_runtime,
    get_current_system_desc,
    open_device,
    set_compatible_runtime,
    submit,
    wait,
)

__all__ = [
    "DataType",
    "DebugEnv",
    "Device",
    "DeviceRuntime",
    "Event",
    "Tensor",
    "close_device",
    "create_tensor",
    "get_available_runtimes",
    "get_current_runtime",
    "get_current_system_desc",
    "open_device",
    "set_compatible_runtime",
    "submit",
    "wait",
]
