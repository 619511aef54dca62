"""Maps exceptions to PJRT status codes, from which JAX raises its own exceptions."""

from __future__ import annotations

from enum import IntEnum


class Code(IntEnum):
    """The PJRT status codes in use."""

    CANCELLED = 1
    INVALID_ARGUMENT = 3
    NOT_FOUND = 5
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    UNIMPLEMENTED = 12
    INTERNAL = 13


class PluginError(Exception):
    """An error with the status code that JAX reports."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code


def describe(error: BaseException) -> tuple[int, str]:
    """Returns the code and the message of an exception."""
    message = str(error) or type(error).__name__
    return int(_code(error)), message


def _code(error: BaseException) -> Code:
    from ttmlir import errors, runtime

    if isinstance(error, PluginError):
        return error.code
    if isinstance(error, MemoryError):
        return Code.RESOURCE_EXHAUSTED
    if isinstance(error, (NotImplementedError, runtime.UnsupportedError)):
        return Code.UNIMPLEMENTED
    if isinstance(error, FileNotFoundError):
        return Code.NOT_FOUND
    if isinstance(error, (runtime.VersionError, runtime.SystemMismatchError)):
        return Code.FAILED_PRECONDITION
    if isinstance(error, (errors.CompileError, errors.InputError, ValueError, TypeError)):
        return Code.INVALID_ARGUMENT
    if isinstance(error, KeyboardInterrupt):
        return Code.CANCELLED
    return Code.INTERNAL
