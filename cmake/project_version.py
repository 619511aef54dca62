"""The version, major.minor.patch, for the package's metadata and for CMake.

Major and minor are the release in pyproject.toml. The patch is the number of commits since the tag
of that release, `v<major>.<minor>.0`; it is 0 until the tag exists. A source distribution has the
version of its commit. In a shallow clone without the tag, as CI creates by default, the patch
is 0.

Usage: project_version.py   prints the version.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def described(root: Path, tag: str) -> str:
    """Returns the output of `git describe` for the checkout, or at the time of `git archive`."""
    if not (root / ".git").exists():
        archived = root / "cmake" / "git_describe.txt"
        return archived.read_text(encoding="utf-8").strip() if archived.exists() else ""
    # The checkout may belong to another user, as in a container.
    command = ["git", "-C", str(root), "-c", "safe.directory=*", "describe", "--tags"]
    try:
        done = subprocess.run(
            [*command, f"--match={tag}"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""  # No git, no commit, or no tag.
    return done.stdout.strip()


def version(root: Path = ROOT) -> str:
    info = root / "PKG-INFO"
    if info.exists():
        made = re.search(r"^Version: (\S+)$", info.read_text(encoding="utf-8"), re.MULTILINE)
        if made:
            return made[1]
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    release = re.search(r'^release = "(\d+\.\d+)"$', text, re.MULTILINE)
    if release is None:
        raise ValueError("pyproject.toml: expected a line 'release = \"<major>.<minor>\"'")
    tag = f"v{release[1]}.0"
    since = re.fullmatch(rf"{re.escape(tag)}-(\d+)-g[0-9a-f]+", described(root, tag))
    return f"{release[1]}.{since[1] if since else 0}"


def dynamic_metadata(
    settings: Mapping[str, object], project: Mapping[str, object]
) -> dict[str, str]:
    """Returns metadata for scikit-build-core."""
    del settings, project
    return {"version": version()}


if __name__ == "__main__":
    print(version())
