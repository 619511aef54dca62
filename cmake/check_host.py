"""Lists missing prerequisites of the build, one for each line; `make` runs it first."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import sysconfig

#: The virtual environment has 3.0 and the build tree 1.2, measured after `make demo`; the rest is
#: for files that the tests build and write.
GIGABYTES = 6


def missing() -> list[str]:
    """Returns one sentence for each missing prerequisite, with a way to install it."""
    found: list[str] = []
    if sys.version_info < (3, 10):  # noqa: UP036
        found.append(
            f"Python 3.10 or newer is needed, found {sys.version.split()[0]}; "
            "name another one with `make PYTHON=python3.11 ...`"
        )
    if importlib.util.find_spec("ensurepip") is None:
        found.append(
            "the Python module ensurepip is missing, so no virtual environment can be made "
            "(Debian and Ubuntu: apt-get install python3-venv)"
        )
    header = os.path.join(sysconfig.get_path("include"), "Python.h")
    if not os.path.exists(header):
        found.append(f"{header} is missing (Debian and Ubuntu: apt-get install python3-dev)")
    if not any(shutil.which(c) for c in (os.environ.get("CXX") or "c++", "g++", "clang++")):
        found.append("no C++ compiler was found (Debian and Ubuntu: apt-get install g++)")
    free = shutil.disk_usage(".").free / 1e9
    if free < GIGABYTES:
        found.append(f"{GIGABYTES} GB of disk are needed here, found {free:.1f} GB free")
    return found


if __name__ == "__main__":
    problems = missing()
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)
