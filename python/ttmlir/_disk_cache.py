"""A cache of compiled programs in a folder of the user."""

from __future__ import annotations

import hashlib
import io
import os
import warnings
from pathlib import Path
from typing import Any

from ttmlir import ir, runtime
from ttmlir._files import file_error, read_file, written
from ttmlir._version import __version__
from ttmlir.errors import FileError

#: Digits of the two parts of a file's name.
_DIGITS = 32


class DiskCache:
    """A folder of compiled programs, each in a file that ``ttmlir.load`` reads.

    File names contain digests of the source and of the content, which detects damaged files. Files
    are written atomically and never changed. If a file cannot be read or written, a warning is
    issued and the program is compiled.

    Args:
        folder: created if it does not exist.

    Raises:
        FileError: it cannot be created, or is not a folder.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise file_error(folder, "used as a cache", error) from None

    @staticmethod
    def key(module: ir.Module, options: Any, desc: runtime.SystemDesc, *rest: Any) -> str:
        """Returns the key of a module that is compiled with these options."""
        buffer = io.BytesIO()
        module.operation.write_bytecode(buffer)
        found = hashlib.sha256()
        for part in (__version__, repr(options), desc.to_bytes(), repr(rest), buffer.getvalue()):
            data = part if isinstance(part, bytes) else part.encode()
            found.update(len(data).to_bytes(8, "little") + data)
        return found.hexdigest()[:_DIGITS]

    def get(self, key: str) -> bytes | None:
        """Returns the content of the file for a key; None if it is missing or damaged."""
        path = self._find(key)
        if path is None:
            return None
        try:
            content = read_file(path)
        except FileError as error:
            self._warn(str(error))
            return None
        if path.stem != _stem(key, content):
            self._warn(f"'{path}' is damaged: remove it")
            return None
        return content

    def put(self, key: str, content: bytes, suffix: str) -> None:
        """Adds the file for a new key."""
        if self._find(key) is not None:
            return
        try:
            with written(self._folder / f"{_stem(key, content)}{suffix}") as file:
                file.write(content)
        except FileError as error:
            self._warn(str(error))

    def _find(self, key: str) -> Path | None:
        try:
            names = sorted(os.listdir(self._folder))
        except OSError as error:
            self._warn(str(file_error(self._folder, "read", error)))
            return None
        return next((self._folder / n for n in names if n.startswith(f"{key}-")), None)

    def _warn(self, reason: str) -> None:
        warnings.warn(f"cache: {reason}; the program is compiled without it", stacklevel=2)


def _stem(key: str, content: bytes) -> str:
    return f"{key}-{hashlib.sha256(content).hexdigest()[:_DIGITS]}"
