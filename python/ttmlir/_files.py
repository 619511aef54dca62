"""Reading and writing the files that a caller names."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ttmlir.errors import Error, FileError, MissingFileError, OutOfMemoryError

_LONGEST = 200  # characters of a path in a message


def shown(path: str | os.PathLike[str]) -> str:
    """The path in quotes, without the middle if it is long: it may be a text given for a path."""
    text = os.fspath(path)
    if len(text) > _LONGEST:
        half = _LONGEST // 2
        text = f"{text[:half]}...{text[-half:]}"
    return f"'{text}'"


def file_error(path: str | os.PathLike[str], what: str, error: OSError) -> FileError:
    """The error of the package for one of the system: the path cannot be read, or written."""
    kind = MissingFileError if isinstance(error, FileNotFoundError) else FileError
    message = f"{shown(path)} cannot be {what}: {error.strerror}"
    return kind(message, error.errno, os.fspath(path))


def check_exists(path: str | os.PathLike[str]) -> None:
    """Raises a FileError unless there is something at the path."""
    try:
        os.stat(path)
    except OSError as error:
        raise file_error(path, "read", error) from None
    except ValueError as error:
        raise FileError(f"{shown(path)} cannot be read: {error}") from None


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[int]:
    """The descriptor of a regular file, to be read; a pipe does not block.

    Raises:
        FileError: there is no such file, it is not a regular one or cannot be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            mode = os.fstat(descriptor).st_mode
            if not stat.S_ISREG(mode):
                raise FileError(
                    f"{shown(path)} cannot be read: expected a regular file, found {_kind(mode)}"
                )
            yield descriptor
        finally:
            os.close(descriptor)
    except FileError:
        raise
    except OSError as error:
        raise file_error(path, "read", error) from None
    except ValueError as error:
        raise FileError(f"{shown(path)} cannot be read: {error}") from None


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The content of a regular file.

    Raises:
        FileError: there is no such file, it is not a regular one or cannot be read.
        OutOfMemoryError: the host has no room for it.
    """
    with opened(path) as descriptor, open(descriptor, "rb", closefd=False) as file:
        try:
            return file.read()
        except MemoryError:
            size = os.fstat(descriptor).st_size
            raise OutOfMemoryError(
                f"{shown(path)} cannot be read: it has {size} bytes, too many for the memory"
            ) from None


@contextmanager
def written(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to that is at the path when the block ends, and only then: the whole file or
    nothing.

    Raises:
        FileError: there is no such folder, or no way to write into it.
    """
    try:
        target = Path(path)
        temporary = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            with temporary.open("wb") as file:
                yield file
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
    except Error:
        raise
    except OSError as error:
        raise file_error(path, "written", error) from None
    except ValueError as error:
        raise FileError(f"{shown(path)} cannot be written: {error}") from None


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a pipe" if stat.S_ISFIFO(mode) else "a device"
