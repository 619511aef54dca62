"""The build backend: scikit-build-core, with a line that announces the compilation and its
duration.

pip shows no output of a backend without `-v`, and minutes of silence look like a hang. So the line
is written to the user's terminal, if there is one.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

from scikit_build_core import build as hooks
from scikit_build_core.build import *  # noqa: F403

#: Minutes of one core, user and system, for everything in the wheel; measured with 2 jobs.
CORE_MINUTES = 14


def jobs() -> int:
    chosen = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", "")
    return int(chosen) if chosen.isdecimal() and int(chosen) else len(os.sched_getaffinity(0))


def tell() -> None:
    minutes = max(1, round(CORE_MINUTES / jobs()))
    try:
        with open("/dev/tty", "w", encoding="utf-8") as terminal:
            terminal.write(
                f"\nttmlir: compiling with {jobs()} jobs takes about {minutes} min from nothing; "
                "`pip -v` shows how far it is\n"
            )
    except OSError:
        pass  # No terminal.


def telling(hook: Callable[..., str]) -> Callable[..., str]:
    """Wraps a hook to print the line first."""

    @functools.wraps(hook)
    def build(*arguments: Any, **named: Any) -> str:
        tell()
        return hook(*arguments, **named)

    return build


build_wheel = telling(hooks.build_wheel)
build_editable = telling(hooks.build_editable)
