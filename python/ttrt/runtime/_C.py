"""What scripts import of the extension itself, where it has more than the package."""

from __future__ import annotations

from ttmlir.runtime import get_available_runtimes
from ttrt.runtime import (
    DataType,
    DebugEnv,
    DebugLine,
    Device,
    DeviceOptions,
    DeviceRuntime,
    Event,
    Tensor,
    close_device,
    create_tensor,
    get_current_runtime,
    get_current_system_desc,
    get_debug_prints,
    get_device_options,
    open_device,
    set_compatible_runtime,
    set_device_options,
    submit,
    wait,
)

__all__ = [
    "DataType",
    "DebugEnv",
    "DebugLine",
    "Device",
    "DeviceOptions",
    "DeviceRuntime",
    "Event",
    "Tensor",
    "close_device",
    "create_tensor",
    "get_available_runtimes",
    "get_current_runtime",
    "get_current_system_desc",
    "get_debug_prints",
    "get_device_options",
    "open_device",
    "set_compatible_runtime",
    "set_device_options",
    "submit",
    "wait",
]
