"""Debugs kernels: stops threads of cores at lines and instructions, and shows their state.

    with program.debug(x=numbers) as debug:
        debug.break_at("reader.py:12")
        stop = debug.run()
        print(stop, debug.core(0, 0).buffers["in0"])

A program starts stopped in front of its first kernels. ``interact(debug)`` is the prompt of
`ttrt debug`.
"""

from __future__ import annotations

from ttmlir.debugger._session import Debugger, Stop
from ttmlir.debugger._state import Breakpoint, Buffer, Core, Register, Thread
from ttmlir.debugger._terminal import interact

__all__ = ["Breakpoint", "Buffer", "Core", "Debugger", "Register", "Stop", "Thread", "interact"]
