"""The exceptions of the package."""

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
    """What a pass decided at an op: what and why, and why nothing else.

    ``kind`` is passed, missed, failure or analysis, ``pass_name`` the name of the pass on the
    command line, ``decision`` the sort of what it decided, ``op`` the operation's name. ``reason``
    says what and why, ``rejected`` what was not chosen, and ``args`` has further values by their
    names. ``location`` is file:line:column, ``function`` the one that the op is in, ``name`` what
    its author called it; each is empty if there is none.
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
        """The remark that a pass emitted or that a file has."""
        kind, pass_name, decision, function, location, name, found = raw
        args = dict(found)
        op = args.pop("Op", "")
        reason, rejected = args.pop("Reason", decision), args.pop("Rejected", "")
        kind = kind.lower()
        return cls(kind, pass_name, op, reason, location, function, name, decision, rejected, args)

    def to_raw(self) -> RawRemark:
        """The remark as serializers take it."""
        args = {"Op": self.op, "Reason": self.reason, "Rejected": self.rejected, **self.args}
        given = {key: value for key, value in args.items() if value}
        where = self.function, self.location, self.name
        return (self.kind, self.pass_name, self.decision, *where, given)


def to_place(location: str) -> str:
    """A location of MLIR as file:line:column, or as it is without one."""
    if match := re.search(r'"([^"]*)":(\d+):(\d+)', location):
        return ":".join(match.groups())
    return "" if location == "loc(unknown)" else location


def to_name(location: str) -> str:
    """The name of a location of MLIR, or those of a fused one; empty for a place in a file."""
    return _locations.label(location)


class CompileError(Error):
    """The program does not parse, verify or lower.

    ``diagnostics`` has the compiler's messages in order; the text of the exception is all of them.
    """

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join([message, *map(str, self.diagnostics)]))


class InputError(Error, ValueError):
    """Inputs of a call are wrong in count, shape or dtype."""


class FileError(Error, OSError):
    """A file cannot be read or written; ``errno`` and ``filename`` are those of the system's error,
    if it has one."""

    def __init__(self, message: str, errno: int | None = None, filename: str | None = None) -> None:
        super().__init__(message)
        self.errno, self.filename = errno, filename

    def __str__(self) -> str:
        return str(self.args[0])


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file or folder."""


class OutOfMemoryError(Error, MemoryError):
    """A memory of the device, or that of the host, has no room for what a program needs.

    ``report`` is what ``Executable.report`` has of the run until then, with who holds the memory
    and what there was no room for; ``error.report.save("memory.html")`` shows it.
    """

    report: Any = None


@dataclass(frozen=True)
class Waiter:
    """A thread or command queue that waits in a deadlock: where, for what, and who could have let
    it go on."""

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
    """Threads or command queues that wait for each other for ever: all of them are ``waiters``."""

    kind = "Deadlock"

    def __init__(self, message: str, *, waiters: Sequence[Waiter] = (), **place: Any) -> None:
        super().__init__(message, **place)
        self.waiters = tuple(waiters)
