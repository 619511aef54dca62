"""Checks that a tag, the project and its changelog have the same version.

Usage: check_release.py TAG   such as v0.1.0
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import project_version

ROOT = Path(__file__).resolve().parent.parent


def entries(root: Path = ROOT) -> list[tuple[str, str]]:
    """Returns version and date of each heading of the changelog, the newest first."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    return re.findall(r"^## (\S+) - (\S+)$", text, re.MULTILINE)


def problems(tag: str, root: Path = ROOT) -> list[str]:
    """Returns one sentence for each change required before the release."""
    version = project_version.version(root)
    found = []
    if tag != f"v{version}":
        found.append(f"the tag is {tag}, expected v{version}, the version of the project")
    newest, date = entries(root)[0]
    if newest != version:
        found.append(f"CHANGELOG.md begins with {newest}, expected {version}")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        found.append(f"CHANGELOG.md dates {newest} '{date}', expected the day of the release")
    return found


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("error: expected one tag, such as v0.1.0")
    errors = problems(sys.argv[1])
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    sys.exit(1 if errors else 0)
