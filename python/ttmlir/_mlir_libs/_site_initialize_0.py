"""Runs when ``ttmlir.ir`` is imported: every new context knows the project's dialects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._ttmlir import attach_clock
from ._ttmlir import register_dialects as register_dialects

if TYPE_CHECKING:
    from ttmlir import ir


def context_init_hook(context: ir.Context) -> None:
    """Lets the optimizer compare layouts by the emulator's clock, if the runtime is there."""
    try:
        from ttmlir import _runtime
    except ImportError:
        return
    attach_clock(context, _runtime.clock)
