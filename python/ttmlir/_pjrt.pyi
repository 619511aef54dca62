from collections.abc import Callable
from typing import Any

def api(
    backend: Callable[[], Any],
    start: Callable[[], None],
    describe: Callable[[BaseException], tuple[int, str]],
    current: tuple[int, ...],
    minimum: tuple[int, ...],
    /,
) -> Any:
    """The function table as a capsule, for JAX. ``backend`` makes a Backend for a client, ``start``
    starts a thread that calls ``work``, and ``describe`` makes a code and a message of an
    exception; ``current`` and ``minimum`` are versions of StableHLO."""

def work() -> None:
    """Runs jobs on this thread until ``stop``."""

def stop() -> None:
    """Ends ``work`` behind the job that runs; other jobs fail."""

def drop_all() -> None:
    """Drops all objects of Python that JAX still has, behind ``stop`` and the end of ``work``."""
