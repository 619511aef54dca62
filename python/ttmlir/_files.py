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
    """Returns the path in quotes, shortened if long: it may be a program passed in place of a
    path."""
    text = os.fspath(path)
    if len(text) > _LONGEST:
        half = _LONGEST // 2
        text = f"{text[:half]}...{text[-half:]}"
    return f"'{text}'"


def file_error(path: str | os.PathLike[str], what: str, error: OSError) -> FileError:
    """Wraps an OSError in the package's error: the path cannot be read, or written."""
    kind = MissingFileError if isinstance(error, FileNotFoundError) else FileError
    message = f"{shown(path)} cannot be {what}: {error.strerror}"
    return kind(message, error.errno, os.fspath(path))


def check_exists(path: str | os.PathLike[str]) -> None:
    """Raises FileError if the path does not exist."""
    try:
        os.stat(path)
    except OSError as error:
        raise file_error(path, "read", error) from None
    except ValueError as error:
        raise FileError(f"{shown(path)} cannot be read: {error}") from None


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[int]:
    """Yields the descriptor of a regular file opened for reading; a pipe does not block.

    Raises:
        FileError: the file does not exist, is not a regular file or cannot be read.
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
    """Returns the content of a regular file.

    Raises:
        FileError: the file does not exist, is not a regular file or cannot be read.
        OutOfMemoryError: the file does not fit into memory.
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
    """Yields a file that replaces the one at the path when the block ends without an error, so that
    the path never has part of a file.

    Raises:
        FileError: the folder does not exist or is not writable.
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
