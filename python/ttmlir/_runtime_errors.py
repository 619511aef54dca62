"""The exceptions of ``ttmlir.runtime``: one for each category of errors of the C++ runtime, which
raises them by their names. Errors of kernels are the faults of ``ttmlir.errors``."""

from __future__ import annotations

import builtins

from ttmlir import errors


class RuntimeError(errors.Error, builtins.RuntimeError):
    """Base of all errors of the runtime."""


class FileError(RuntimeError, errors.FileError):
    """A file cannot be opened, read or written."""


class FormatError(RuntimeError, ValueError):
    """Not a flatbuffer of this project, truncated, or inconsistent."""


class VersionError(RuntimeError):
    """Written by another version of the compiler."""


class SystemMismatchError(RuntimeError):
    """Compiled for a system that is not the opened one."""


class ArgumentError(RuntimeError, ValueError):
    """Wrong count, shape, data type, device or index."""


class OutOfMemoryError(RuntimeError, errors.OutOfMemoryError):
    """L1, DRAM or host memory is exhausted."""


class UnsupportedError(RuntimeError):
    """Valid, but this runtime cannot do it."""


class InternalError(RuntimeError):
    """A defect of the runtime."""


__all__ = [
    "ArgumentError",
    "FileError",
    "FormatError",
    "InternalError",
    "OutOfMemoryError",
    "RuntimeError",
    "SystemMismatchError",
    "UnsupportedError",
    "VersionError",
]

# Where users find them.
for _name in __all__:
    globals()[_name].__module__ = "ttmlir.runtime"
