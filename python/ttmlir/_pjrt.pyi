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
    """Returns the function table as a capsule for JAX. ``backend`` creates a Backend for a client,
    ``start`` starts a thread that calls ``work``, and ``describe`` returns the code and message of
    an exception; ``current`` and ``minimum`` are versions of StableHLO."""

def work() -> None:
    """Runs jobs on this thread until ``stop``."""

def stop() -> None:
    """Ends ``work`` after the running job; other jobs fail."""

def drop_all() -> None:
    """Drops all Python objects that JAX still holds, after ``stop`` and the end of ``work``."""
