"""The source passed to ``ttmlir.compile``, read once."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import Any

from ttmlir._files import read_file


class Source:
    """A source of a program: any object, text, bytes or a path.

    ``value`` is the original object. ``path`` and ``content`` are for front ends that read files.
    """

    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    def is_text(self) -> bool:
        """Whether it is text, bytes or the path of a file."""
        return isinstance(self.value, str | bytes | os.PathLike)

    @cached_property
    def path(self) -> Path | None:
        """The path, unless the program itself was given."""
        value = self.value
        if isinstance(value, os.PathLike):
            return Path(value)
        return Path(value) if isinstance(value, str) and not _is_program(value) else None

    @cached_property
    def content(self) -> str | bytes | None:
        """The text, or the bytes if they are not UTF-8; None for other objects.

        Raises:
            FileError: the file cannot be read.
        """
        if not self.is_text:
            return None
        if self.path is None:
            return self.value  # type: ignore[no-any-return]
        content = read_file(self.path)
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError:
            return content

    @property
    def label(self) -> str:
        """The name of the source in messages."""
        if self.path is not None:
            return str(self.path)
        return "<bytes>" if isinstance(self.value, bytes) else "<string>"


def _is_program(text: str) -> bool:
    """Whether it is a program, possibly truncated, rather than a path, which may not exist."""
    if "\n" in text or not text.strip():
        return True
    if os.path.splitext(text)[1] in (".mlir", ".mlirbc", ".bc"):
        return False
    return any(c in text for c in '%{}="@#!') and not os.path.exists(text)
