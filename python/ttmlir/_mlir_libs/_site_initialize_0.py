"""Registers the project's dialects in every new context. Runs when ``ttmlir.ir`` is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._ttmlir import attach_clock
from ._ttmlir import register_dialects as register_dialects

if TYPE_CHECKING:
    from ttmlir import ir


def context_init_hook(context: ir.Context) -> None:
    """Makes the emulator's clock available to the optimizer, if the runtime is built."""
    try:
        from ttmlir import _runtime
    except ImportError:
        return
    attach_clock(context, _runtime.clock)
