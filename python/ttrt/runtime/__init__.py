"""Devices, tensors and programs: the runtime's API under the documented names."""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("ttmlir._runtime") is None:
    raise ImportError(
        "Error: Project was not built with runtime enabled, "
        "rebuild with: -DTTMLIR_ENABLE_RUNTIME=ON"
    )

from ttmlir.runtime import (
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
    from_numpy,
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
    "from_numpy",
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
