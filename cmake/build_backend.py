"""The build backend: scikit-build-core, and one line that says that and how long it compiles.

pip shows nothing of what a backend prints unless it is called with `-v`; minutes of silence look
like a hang. So the line goes to the terminal of the user, if there is one.
"""

from __future__ import annotations

import os

from scikit_build_core import build as hooks
from scikit_build_core.build import *  # noqa: F403

#: Minutes of one core for everything in the wheel, as measured on 2 cores at 2.8 GHz.
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
        pass  # Nobody looks.


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, list[str] | str] | None = None,
    metadata_directory: str | None = None,
) -> str:
    tell()
    return hooks.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str,
    config_settings: dict[str, list[str] | str] | None = None,
    metadata_directory: str | None = None,
) -> str:
    tell()
    return hooks.build_editable(wheel_directory, config_settings, metadata_directory)
