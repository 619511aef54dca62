"""Ranks in threads of this process, which need no MPI."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from ttmlir import _runtime, runtime

T = TypeVar("T")


def devices(size: int, system: runtime.SystemDesc) -> list[runtime.Device]:
    """A device for each rank, with all chips of the system."""
    opened = []
    try:
        for transport in _runtime.local_transports(size):
            _runtime.set_transport(transport)
            opened.append(runtime.open_system(system, list(range(system.num_chips))))
    finally:
        _runtime.set_transport(None)
    return opened


def on_ranks(size: int, body: Callable[[int], T]) -> list[T | Exception]:
    """What ``body(rank)`` returns or raises, by rank, in threads that run side by side."""
    found: list[T | Exception] = [RuntimeError("the rank hangs")] * size

    def run(rank: int) -> None:
        try:
            found[rank] = body(rank)
        except Exception as error:
            found[rank] = error

    threads = [threading.Thread(target=run, args=(rank,), daemon=True) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return found
