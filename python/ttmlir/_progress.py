"""Progress display on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

#: The lines shown now; each nested block adds a line.
_shown: list[Any] = []


@contextmanager
def working(text: str) -> Iterator[None]:
    """Shows a text and the elapsed time of the block, if stderr is a terminal."""
    with _task(text, None):
        yield


@contextmanager
def bar(text: str, total: int) -> Iterator[Callable[[str], None]]:
    """Shows a progress bar, if stderr is a terminal. The block gets a function that advances the
    bar by one of ``total`` and takes a detail to show after ``text``."""
    with _task(text, total) as update:

        def done(more: str) -> None:
            update(advance=1, description=f"{text}: {more}")

        yield done


@contextmanager
def _task(text: str, total: int | None) -> Iterator[Callable[..., None]]:
    if _shown:
        task = _shown[-1].add_task(text, total=total)
        try:
            yield lambda **values: _shown[-1].update(task, **values)
        finally:
            _shown[-1].remove_task(task)
    elif not sys.stderr.isatty():
        yield lambda **_: None
    else:
        with _progress() as progress:
            _shown.append(progress)
            try:
                task = progress.add_task(text, total=total)
                yield lambda **values: progress.update(task, **values)
                if total is None:
                    progress.update(task, total=1, completed=1)
            finally:
                _shown.pop()


def _progress() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(20), TimeElapsedColumn()
    return Progress(*columns, console=Console(stderr=True))
