"""Emulated devices: load compiled programs, move tensors, run programs.

Names and behaviour are those of the C++ API (``tt::runtime``). Arrays can be numpy, ``ml_dtypes``,
torch or any other DLPack arrays.

    >>> import numpy as np
    >>> from ttmlir import runtime
    >>> tensor = runtime.from_array(np.ones((2, 3), np.float32))
    >>> runtime.to_numpy(tensor).sum()
    np.float32(6.0)
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from threading import Lock
from typing import Any

import ml_dtypes
import numpy as np

from ttmlir._formats import FORMATS
from ttmlir._runtime import (
    Binary,
    CapturedTrace,
    DataType,
    DebugEnv,
    DebugLine,
    Device,
    DeviceOptions,
    DeviceRuntime,
    Event,
    Flatbuffer,
    Machine,
    Numerics,
    OpCost,
    PipelineCommand,
    PipelineSchedule,
    PipelineSend,
    PipelineStage,
    QueueCommand,
    Report,
    SystemDesc,
    Tensor,
    TensorDesc,
    Trace,
    TraceFilter,
    TraceReport,
    WeakDevice,
    aggregate_tensor,
    capture_trace,
    close_device,
    combine_device_tensors,
    copy_to_chip,
    create_multi_device_host_tensor,
    create_sub_mesh_device,
    create_tensor,
    create_tensor_from_array,
    discard_trace_inputs,
    enable_report,
    estimate_report,
    get_available_runtimes,
    get_current_runtime,
    get_current_system_desc,
    get_debug_prints,
    get_default_device_options,
    get_default_system_desc,
    get_default_targets,
    get_device_options,
    get_machine,
    get_notes,
    get_num_threads,
    get_report,
    get_shards,
    get_trace_report,
    load_binary_from_bytes,
    load_binary_from_capsule,
    load_binary_from_path,
    load_from_path,
    load_system_desc_from_bytes,
    load_system_desc_from_path,
    open_device,
    open_mesh_device,
    open_system,
    read_trace_outputs,
    release_sub_mesh_device,
    release_trace,
    replay_trace,
    replicate_tensor,
    reshape_mesh_device,
    run,
    schedule_pipeline,
    set_compatible_runtime,
    set_current_runtime,
    set_current_system_desc,
    set_default_device_options,
    set_device_options,
    set_num_threads,
    shard_tensor,
    submit,
    to_array,
    to_host,
    to_layout,
    wait,
    write_trace_inputs,
)
from ttmlir._runtime_errors import (
    ArgumentError,
    FileError,
    FormatError,
    InternalError,
    OutOfMemoryError,
    RuntimeError,
    SystemMismatchError,
    UnsupportedError,
    VersionError,
)

__all__ = [
    "ArgumentError",
    "Binary",
    "CapturedTrace",
    "DataType",
    "DebugEnv",
    "DebugLine",
    "Device",
    "DeviceOptions",
    "DeviceRuntime",
    "Event",
    "FileError",
    "Flatbuffer",
    "FormatError",
    "InternalError",
    "Machine",
    "Numerics",
    "OpCost",
    "OutOfMemoryError",
    "PipelineCommand",
    "PipelineSchedule",
    "PipelineSend",
    "PipelineStage",
    "QueueCommand",
    "Report",
    "RuntimeError",
    "SystemDesc",
    "SystemMismatchError",
    "Tensor",
    "TensorDesc",
    "Trace",
    "TraceFilter",
    "TraceReport",
    "UnsupportedError",
    "VersionError",
    "WeakDevice",
    "aggregate_tensor",
    "capture_trace",
    "close_device",
    "combine_device_tensors",
    "copy_to_chip",
    "create_multi_device_host_tensor",
    "create_sub_mesh_device",
    "create_tensor",
    "create_tensor_from_array",
    "data_type_of",
    "discard_trace_inputs",
    "enable_report",
    "estimate_report",
    "from_array",
    "from_numpy",
    "get_available_runtimes",
    "get_current_runtime",
    "get_current_system_desc",
    "get_debug_prints",
    "get_default_device_options",
    "get_default_system_desc",
    "get_default_targets",
    "get_device_options",
    "get_goldens",
    "get_machine",
    "get_notes",
    "get_num_threads",
    "get_report",
    "get_shards",
    "get_trace_report",
    "host_dtype",
    "load_binary_from_bytes",
    "load_binary_from_capsule",
    "load_binary_from_path",
    "load_from_path",
    "load_system_desc_from_bytes",
    "load_system_desc_from_path",
    "open_device",
    "open_mesh_device",
    "open_system",
    "read_trace_outputs",
    "release_sub_mesh_device",
    "release_trace",
    "replay_trace",
    "replicate_tensor",
    "reshape_mesh_device",
    "run",
    "schedule_pipeline",
    "set_compatible_runtime",
    "set_current_runtime",
    "set_current_system_desc",
    "set_default_device_options",
    "set_device_options",
    "set_num_threads",
    "shard_tensor",
    "shared_device",
    "submit",
    "to_array",
    "to_host",
    "to_host_array",
    "to_layout",
    "to_numpy",
    "wait",
    "write_trace_inputs",
]

Array = np.ndarray[Any, np.dtype[Any]]

_HOST_DTYPES: dict[str, np.dtype[Any]] = {
    f.data_type: np.dtype("float32" if f.block else f.numpy) for f in FORMATS.values()
}
_DATA_TYPES: dict[str, DataType] = {
    **{f.numpy: DataType[f.data_type] for f in FORMATS.values() if not f.block},
    "bool": DataType.UInt8,
}
# The same by dtype, because names of dtypes are slow to compute.
_OF_DTYPES = {np.dtype(name): data_type for name, data_type in _DATA_TYPES.items()}


def host_dtype(data_type: DataType | str) -> np.dtype[Any]:
    """Returns the numpy dtype for a data type on the host; float32 for block floats."""
    if not isinstance(data_type, (DataType, str)):
        raise TypeError(f"expected a data type or its name, found {type(data_type).__name__}")
    name = data_type if isinstance(data_type, str) else data_type.name
    if name not in _HOST_DTYPES:
        raise ValueError(f"unknown data type {name}, expected one of {', '.join(_HOST_DTYPES)}")
    return _HOST_DTYPES[name]


def data_type_of(dtype: np.dtype[Any]) -> DataType:
    """Returns the data type for a numpy dtype.

    Raises:
        TypeError: the dtype has no counterpart on the device.
    """
    dtype = np.dtype(dtype)
    data_type = _OF_DTYPES.get(dtype) or _DATA_TYPES.get(dtype.name)
    if data_type is None:
        raise TypeError(
            f"dtype {dtype.name} has no counterpart on the device, "
            f"expected one of {', '.join(_DATA_TYPES)}"
        )
    return data_type


def from_numpy(array: Array) -> Tensor:
    """Returns a host tensor that shares the memory of a C-contiguous array and keeps it alive.

    Raises:
        TypeError: the array's dtype has no counterpart on the device.
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected an array of numpy, found {type(array).__name__}")
    data_type = data_type_of(array.dtype)
    # Numpy's buffer and DLPack protocols do not support bfloat16: its bits are passed.
    if array.dtype.kind not in "iuf" or not array.dtype.isnative:
        array = array.view(f"u{array.itemsize}")
    return create_tensor_from_array(array, data_type)


def to_host_array(value: Any, default_dtype: Any = None) -> Array:
    """Converts any array to a C-contiguous numpy array, without a copy if possible.

    Args:
        value: a numpy or torch array, another one with ``__array__`` or ``__dlpack__``, or numbers
            and lists, which are converted to ``default_dtype``.
    """
    array: Array
    torch = sys.modules.get("torch")
    if isinstance(value, Tensor):
        return to_numpy(value)
    if torch is not None and isinstance(value, torch.Tensor):
        value = value.detach().cpu().resolve_conj().resolve_neg().contiguous()
        # NumPy gets these types from ml_dtypes.
        name = str(value.dtype).removeprefix("torch.")
        if value.dtype == torch.bfloat16:
            array = value.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
        elif name.startswith("float8"):
            array = value.view(torch.uint8).numpy().view(getattr(ml_dtypes, name))
        else:
            array = value.numpy()
    elif isinstance(value, np.ndarray) or hasattr(value, "__array__"):
        array = np.asarray(value)
    elif hasattr(value, "__dlpack__"):
        array = np.from_dlpack(value)
    elif isinstance(value, (bool, int, float, complex, Sequence)) and not isinstance(
        value, (str, bytes)
    ):
        array = np.asarray(value, default_dtype)
    else:
        raise TypeError(
            f"expected an array, or numbers and lists of them, found {type(value).__name__}"
        )
    # Bytes in another order would be misinterpreted.
    if array.dtype.isnative and array.flags.c_contiguous:
        return array
    return np.require(array, array.dtype.newbyteorder("="), requirements="C")


def from_array(value: Any, default_dtype: Any = None) -> Tensor:
    """Returns a host tensor for any value that ``to_host_array`` accepts."""
    return from_numpy(to_host_array(value, default_dtype))


def get_goldens(binary: Binary, program_index: int) -> dict[str, Array]:
    """Returns the inputs and expected outputs of a program that its file stores: arrays by
    ``input_<i>`` and ``output_<i>``."""
    if not isinstance(binary, Binary):
        raise TypeError(f"expected a Binary, found {type(binary).__name__}")
    return {
        key: np.frombuffer(data, host_dtype(data_type)).reshape(shape)
        for key, shape, data_type, data in binary.get_program_goldens(program_index)
    }


def to_numpy(tensor: Tensor) -> Array:
    """Copies a tensor to the host, as ``ml_dtypes.bfloat16`` for bf16 and float32 for block
    floats."""
    array: Array = to_array(tensor)  # type: ignore[assignment]
    return array.view(ml_dtypes.bfloat16) if tensor.dtype == DataType.BFloat16 else array


# The devices that executables share, by backend and system, as weak references.
_shared: dict[str, WeakDevice] = {}
_sharing = Lock()


def shared_device(system_desc: SystemDesc, backend: str = "ttnn") -> Device:
    """Returns the device that executables for one system and backend share. It stays open while it,
    or a tensor on it, is in use.

    It has all chips of the system; programs choose theirs. TTMetal has a separate device, because
    its programs use memory at fixed addresses, which TTNN tensors must not occupy.
    """
    if not isinstance(system_desc, SystemDesc):
        raise TypeError(f"expected a SystemDesc, found {type(system_desc).__name__}")
    if backend not in ("ttnn", "ttmetal"):
        raise ValueError(f"expected backend 'ttnn' or 'ttmetal', found {backend!r}")
    key = backend + json.dumps(json.loads(system_desc.as_json())["system_desc"], sort_keys=True)
    with _sharing:
        device = _shared[key]() if key in _shared else None
        if device is None:
            device = open_system(system_desc, list(range(system_desc.num_chips)))
            _shared[key] = WeakDevice(device)
        return device
