"""Runs the script of a rank."""

from __future__ import annotations

import io
import os
import re
import runpy
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any, NamedTuple

from ttmlir import _runtime, mpi, runtime
from ttmlir._version import __git_hash__, __version__
from ttmlir.mpi import _jax_processes
from ttmlir.mpi._supervisor import say
from ttmlir.mpi._transport import MpiMessages

# Seconds for the other ranks to say how they have ended, after an error.
_GRACE = 5.0


class Pipes(NamedTuple):
    """Descriptors that a rank shares with the process that supervises it."""

    ready: int
    ended: int


def run(script: str, arguments: list[str], all_output: bool, pipes: Pipes | None) -> int:
    """Runs the script on this rank and returns its status.

    Args:
        script: path of the script.
        arguments: its arguments.
        all_output: whether ranks other than 0 print as well.
        pipes: to the process that supervises this one, if there is one.
    """
    messages = MpiMessages()
    if pipes is not None:
        os.write(pipes.ready, b"1")
        os.close(pipes.ready)
        threading.Thread(target=_end_with, args=(pipes.ended, messages), daemon=True).start()
    mpi._set_place(messages.rank, messages.size)
    if messages.rank and not all_output:
        _discard_output()
    _write_whole_lines()
    # An MPI may have given each rank processors of its own.
    share = (os.cpu_count() or 1) // messages.local_size()
    _runtime.set_num_threads(max(1, min(share, len(os.sched_getaffinity(0)))))
    if messages.size > 1:
        transport = _runtime.callback_transport(messages.rank, messages.size, messages.exchange)
        _runtime.set_transport(transport)
    _jax_processes.prepare()
    error = _run(script, arguments)
    return _end(messages, error)


def _end_with(ended: int, messages: MpiMessages) -> None:
    """Ends all ranks when the process that supervises this one has ended."""
    os.read(ended, 1)
    say(f"rank {messages.rank} of {messages.size}: the process that mpirun started was killed")
    messages.abort()


def _discard_output() -> None:
    sys.stdout.flush()
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 1)


def _write_whole_lines() -> None:
    """Keeps the lines of ranks apart: ``mpirun`` joins what they write, piece by piece.

    An unbuffered interpreter writes a text and the end of its line separately.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True, write_through=False)


def _run(script: str, arguments: list[str]) -> str:
    """Runs the script; returns the text of the error with which it ends, or an empty one."""
    try:
        _runtime.require_same("version of ttmlir", f"{__version__} ({__git_hash__})")
        sys.argv = [script, *arguments]
        sys.path[0] = str(Path(script).resolve().parent)
        # As the interpreter names it in locations.
        runpy.run_path(os.path.abspath(script), run_name="__main__")
    except SystemExit as end:
        return _status_text(end.code)
    except BaseException as error:
        return _describe(error)
    finally:
        sys.stdout.flush()
    return ""


def _status_text(status: Any) -> str:
    """Returns what the interpreter prints of ``sys.exit(status)``; empty for success."""
    if status is None or status == 0:
        return ""
    return f"the script ended with status {status}" if isinstance(status, int) else str(status)


def _describe(error: BaseException) -> str:
    """Returns the traceback, from the script on."""
    inner = error.__traceback__
    while inner and inner.tb_frame.f_code.co_filename in (
        __file__,
        runpy.__file__,
        "<frozen runpy>",
    ):
        inner = inner.tb_next
    return "".join(traceback.format_exception(type(error), error, inner)).rstrip()


def _end(messages: MpiMessages, error: str) -> int:
    """Ends together with the other ranks, with one message if there was an error."""
    shared = True
    if not error:
        _jax_processes.finish()
        try:
            _runtime.gather_texts("the end of the script", "")
        except runtime.RuntimeError as other:
            error = str(other)
    try:
        if error:
            messages.deadline = time.monotonic() + _GRACE
            _runtime.report_failure(error.splitlines()[-1])
        errors = _runtime.gather_texts("the last message", error)
    except BaseException as other:
        # Not all ranks take part any more; what ended this one is the reason.
        errors, shared = [error or str(other)], False
    found = [(rank, text) for rank, text in enumerate(errors) if text]
    if found and (messages.rank == 0 or not shared):
        told = re.compile(rf"rank \d+ of {messages.size}: ")
        # Ranks that were told of the error name the one that has it.
        rank, text = next((f for f in found if not told.search(f[1].splitlines()[-1])), found[0])
        rank = rank if shared else messages.rank
        print(text, file=sys.stderr)
        print(
            f"ttmlir.mpi: rank {rank} of {messages.size} has failed, see above; all ranks end",
            file=sys.stderr,
            flush=True,
        )
    _runtime.set_transport(None)
    if not shared:
        messages.abort()
    return 1 if found else 0
