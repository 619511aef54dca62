"""Checks a source distribution: the last commit, with its hash, without server-only files.

Usage: check_sdist.py SDIST   in the checkout that it was made from
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Files that only the repository's server reads, and those that only a source distribution has.
LEFT_OUT = (".ci/", ".dockerignore", ".github/")
ADDED = {"PKG-INFO"}
HASH = "cmake/git_hash.txt"


def problems(found: set[str], tracked: set[str]) -> list[str]:
    """Returns one sentence for each file that is missing or not in the repository."""
    expected = {name for name in tracked if not name.startswith(LEFT_OUT)} | ADDED
    return [f"{name} is missing" for name in sorted(expected - found)] + [
        f"{name} is not in the repository" for name in sorted(found - expected)
    ]


def git(command: str, *options: str) -> str:
    """Returns the output of a git command about the last commit."""
    arguments = ["git", command, *options, "HEAD"]
    return subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def main() -> None:
    sdist = Path(sys.argv[1])
    with tarfile.open(sdist) as archive:
        files = {m.name.partition("/")[2]: m for m in archive.getmembers() if not m.isdir()}
        hash_file = archive.extractfile(files[HASH]) if HASH in files else None
        found_hash = hash_file.read().decode().strip() if hash_file else "none"
    errors = problems(set(files), set(git("ls-tree", "-r", "-z", "--name-only").split("\0")) - {""})
    expected = git("rev-parse").strip()
    if found_hash != expected:
        errors.append(f"{HASH} has {found_hash}, expected the last commit, {expected}")
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    print(f"{sdist.name}: {sdist.stat().st_size / 1e6:.1f} MB, {len(errors)} problems")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
