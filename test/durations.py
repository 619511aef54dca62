"""Prints how long the tests of a run took: by folder, and the slowest of them.

    python test/durations.py [--count 40] [REPORT ...]

The reports are JUnit files; by default those that test/check.py has written to build.
"""

from __future__ import annotations

import argparse
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path

BUILD = Path(__file__).resolve().parents[1] / "build"
SUITES = ("unit", "lit", "roundtrip", "pytest")


def folder(name: str) -> str:
    """That of a test: ``test.python.ops.test_edges`` is in ``ops``."""
    parts = name.split(".")
    return "/".join(parts[2:-1]) or "." if parts[:2] == ["test", "python"] else name


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=40, help="how many of the slowest")
    parser.add_argument("reports", nargs="*", type=Path)
    options = parser.parse_args()
    reports = options.reports or [
        path for suite in SUITES if (path := BUILD / f"{suite}.xml").exists()
    ]
    if not reports:
        sys.exit(f"error: expected reports in {BUILD}, found none: run make test")
    cases: list[tuple[float, str]] = []
    folders: dict[str, list[float]] = defaultdict(list)
    for report in reports:
        for case in ElementTree.parse(report).getroot().iter("testcase"):
            name, seconds = case.get("classname", ""), float(case.get("time", 0))
            cases.append((seconds, f"{name}::{case.get('name')}"))
            is_pytest = name.startswith("test.python.")
            folders[folder(name) if is_pytest else report.stem].append(seconds)
    print(f"{'seconds':>8} {'tests':>6} folder")
    for name, times in sorted(folders.items(), key=lambda entry: -sum(entry[1])):
        print(f"{sum(times):8.1f} {len(times):6} {name}")
    print(f"{sum(seconds for seconds, _ in cases):8.1f} {len(cases):6} in all\n")
    for seconds, name in sorted(cases, reverse=True)[: options.count]:
        print(f"{seconds:8.1f} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
