"""Exceptions of ``ttmlir.runtime``, one for each error category of the C++ runtime, which raises
them by name. Faults of kernels are in ``ttmlir.errors``."""

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
    """The file was written by another version of the compiler."""


class SystemMismatchError(RuntimeError):
    """The program was compiled for a system other than the open one."""


class ArgumentError(RuntimeError, ValueError):
    """A count, shape, data type, device or index is wrong."""


class OutOfMemoryError(RuntimeError, errors.OutOfMemoryError):
    """L1, DRAM or host memory is exhausted."""


class UnsupportedError(RuntimeError):
    """Valid, but not supported by this runtime."""


class InternalError(RuntimeError):
    """A bug in the runtime."""


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

# The public module of these names.
for _name in __all__:
    globals()[_name].__module__ = "ttmlir.runtime"
