"""Exceptions of the package."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ttmlir import _locations
from ttmlir._base_errors import Error as Error
from ttmlir._base_errors import Fault as Fault
from ttmlir._faults import *  # noqa: F403


@dataclass(frozen=True)
class Diagnostic:
    """One message of the compiler: ``severity`` is error, warning, note or remark."""

    severity: str
    message: str
    location: str

    def __str__(self) -> str:
        where = f"{self.location}: " if self.location else ""
        return f"{where}{self.severity}: {self.message}"


#: Kind, pass, decision, function, location, name and arguments.
RawRemark: TypeAlias = tuple[str, str, str, str, str, str, dict[str, str]]


@dataclass(frozen=True)
class Remark:
    """A decision of a pass about an op, with its reason and rejected alternatives.

    ``kind`` is passed, missed, failure or analysis, ``pass_name`` the command-line name of the
    pass, ``decision`` the kind of decision, ``op`` the name of the operation. ``reason`` explains
    the decision, ``rejected`` lists the alternatives, and ``args`` has further values by name.
    ``location`` is file:line:column, ``function`` the enclosing function, ``name`` the op's name in
    the source; each is empty if unknown.
    """

    kind: str
    pass_name: str
    op: str
    reason: str
    location: str
    function: str = ""
    name: str = ""
    decision: str = ""
    rejected: str = ""
    args: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        where = f"{self.location}: " if self.location else ""
        op = f"{self.op} '{self.name}'" if self.name else self.op
        instead = f"; not {self.rejected}" if self.rejected else ""
        return f"{where}{op}: {self.pass_name} {self.kind}: {self.reason}{instead}"

    @classmethod
    def from_raw(cls, raw: RawRemark) -> Remark:
        """Creates a remark from the raw form that passes emit and files store."""
        kind, pass_name, decision, function, location, name, found = raw
        args = dict(found)
        op = args.pop("Op", "")
        reason, rejected = args.pop("Reason", decision), args.pop("Rejected", "")
        kind = kind.lower()
        return cls(kind, pass_name, op, reason, location, function, name, decision, rejected, args)

    def to_raw(self) -> RawRemark:
        """Returns the raw form for serializers."""
        args = {"Op": self.op, "Reason": self.reason, "Rejected": self.rejected, **self.args}
        given = {key: value for key, value in args.items() if value}
        where = self.function, self.location, self.name
        return (self.kind, self.pass_name, self.decision, *where, given)


def to_place(location: str) -> str:
    """Returns an MLIR location as file:line:column, or unchanged if it has no file."""
    if match := re.search(r'"([^"]*)":(\d+):(\d+)', location):
        return ":".join(match.groups())
    return "" if location == "loc(unknown)" else location


def to_name(location: str) -> str:
    """Returns the name in an MLIR location, or those of a fused one; empty for a file location."""
    return _locations.label(location)


class CompileError(Error):
    """The program does not parse, verify or lower.

    ``diagnostics`` lists the compiler's messages in order; the exception's text contains all.
    """

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join([message, *map(str, self.diagnostics)]))


class InputError(Error, ValueError):
    """Call inputs with a wrong count, shape or dtype."""


class FileError(Error, OSError):
    """A file cannot be read or written; ``errno`` and ``filename`` are taken from the system's
    error, if there is one."""

    def __init__(self, message: str, errno: int | None = None, filename: str | None = None) -> None:
        super().__init__(message)
        self.errno, self.filename = errno, filename

    def __str__(self) -> str:
        return str(self.args[0])


class MissingFileError(FileError, FileNotFoundError):
    """The file or folder does not exist."""


class OutOfMemoryError(Error, MemoryError):
    """A memory of the device, or host memory, is too small for the program.

    ``report`` is a partial ``Executable.report`` of the run up to that point, with the owners of
    the memory and the failed allocation; ``error.report.save("memory.html")`` shows it.
    """

    report: Any = None


@dataclass(frozen=True)
class Waiter:
    """A thread or command queue waiting in a deadlock: its position, what it waits for, and the
    threads that could have released it."""

    core: tuple[int, int] | None
    thread: str
    kernel: str
    location: str
    instruction: str
    waits_for: str
    suppliers: tuple[str, ...]
    device: int | None = None
    chip: int | None = None


class DeadlockFault(Fault):
    """A deadlock: all threads and command queues in it are ``waiters``."""

    kind = "Deadlock"

    def __init__(self, message: str, *, waiters: Sequence[Waiter] = (), **place: Any) -> None:
        super().__init__(message, **place)
        self.waiters = tuple(waiters)
