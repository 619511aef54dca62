"""Checks a source distribution: it has the files of the repository, but those for its server.

Usage: check_sdist.py SDIST   in the checkout that it was made from
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: What only the repository's server reads, and what only a source distribution has.
LEFT_OUT = (".ci/", ".dockerignore", ".github/")
ADDED = {"PKG-INFO"}


def problems(found: set[str], tracked: set[str]) -> list[str]:
    """Returns one sentence for each file that is missing or not of the repository."""
    expected = {name for name in tracked if not name.startswith(LEFT_OUT)} | ADDED
    return [f"{name} is missing" for name in sorted(expected - found)] + [
        f"{name} is not in the repository" for name in sorted(found - expected)
    ]


def main() -> None:
    sdist = Path(sys.argv[1])
    with tarfile.open(sdist) as archive:
        found = {m.name.partition("/")[2] for m in archive.getmembers() if not m.isdir()}
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    errors = problems(found, set(listed.stdout.split("\0")) - {""})
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    print(f"{sdist.name}: {sdist.stat().st_size / 1e6:.1f} MB, {len(errors)} problems")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
