"""The kernel under construction, and the locations of its ops in the user's source."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from types import CodeType, FrameType
from typing import Any

from ttmlir import ir
from ttmlir.kernel._errors import BuildError
from ttmlir.kernel._resources import CircularBuffer, Semaphore, Tensor

# Frames of this package are not the user's; _functions.py is next to this file.
_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep


@dataclass
class Trace:
    """A kernel under construction: ``buffers`` has the block argument of each circular buffer,
    ``tensors`` and ``semaphores`` are those that it may use, ``points`` is a stack of the insertion
    points of nested blocks, with the names of the functions that opened them."""

    name: str
    buffers: dict[CircularBuffer, ir.Value[Any]]
    tensors: Sequence[Tensor]
    semaphores: Sequence[Semaphore]
    points: list[tuple[str, ir.InsertionPoint]]
    #: Constants by value and width, at the start of the kernel.
    constants: dict[tuple[int, int], ir.Value[Any]] = field(default_factory=dict)
    #: The location of all ops until the function of the kernel is called.
    start: ir.Location | None = None


_current: ContextVar[Trace | None] = ContextVar("kernel", default=None)


def current(what: str) -> Trace:
    """Returns the kernel under construction, to which ``what`` is added.

    Raises:
        BuildError: no kernel is under construction.
    """
    trace = _current.get()
    if trace is None:
        raise BuildError(
            f"{what}: expected a call from a kernel that a program builds, found one outside"
        )
    return trace


@contextmanager
def tracing(trace: Trace) -> Iterator[None]:
    token = _current.set(trace)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def block(what: str, point: ir.InsertionPoint) -> Iterator[None]:
    """Inserts ops at ``point`` while a loop or branch is open."""
    trace = current(what)
    opened = (what, point)
    trace.points.append(opened)
    yield
    if trace.points.pop() is not opened:
        raise BuildError(f"{trace.name}: a {what} ends before one that began in it")


def at(what: str) -> dict[str, Any]:
    """Returns the insertion point and location of a new op."""
    return {"ip": current(what).points[-1][1], "loc": location()}


def create(
    mnemonic: str,
    operands: Sequence[ir.Value[Any]],
    attributes: Mapping[str, ir.Attribute | None],
    results: Sequence[ir.Type],
) -> ir.Operation:
    """Adds a ttkernel op to the kernel under construction, without the attributes that are
    None."""
    present = {name: attr for name, attr in attributes.items() if attr is not None}
    return ir.Operation.create(
        f"ttkernel.{mnemonic}",
        results=results,
        operands=operands,
        attributes=present,
        **at(mnemonic),
    )


def location() -> ir.Location:
    """Returns the innermost line of the user's code on the stack."""
    trace = _current.get()
    if trace is not None and trace.start is not None:
        return trace.start
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_OWN):
        frame = frame.f_back
    while frame is not None and _is_library(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return ir.Location.unknown()
    return ir.Location.file(
        frame.f_code.co_filename, frame.f_lineno, _column(frame.f_code, frame.f_lasti)
    )


def location_of(function: Callable[..., Any]) -> ir.Location:
    """Returns the location of a function."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        return ir.Location.unknown()
    return ir.Location.file(code.co_filename, code.co_firstlineno, 1)


@cache
def _is_library(filename: str) -> bool:
    """Whether a file belongs to Python itself, such as contextlib's."""
    return os.path.dirname(filename) == os.path.dirname(contextmanager.__code__.co_filename)


@cache
def _column(code: CodeType, instruction: int) -> int:
    """Returns the 1-based column of a call; 1 before Python 3.11, which does not record columns."""
    positions = getattr(code, "co_positions", None)
    if positions is None or instruction < 0:
        return 1
    found = list(positions())[instruction // 2][2]
    return 1 if found is None else found + 1
