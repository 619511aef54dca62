"""Runs every test suite of a build tree and ends with one line that adds them up.

Usage: check.py --build BUILD [--all] [--suite NAME ...] [-- PYTEST ARGUMENT ...]

Without --all, pytest runs a sample of what draws combinations (test/python/tiers.py).

Suites: unit (C++ unit tests through ctest), lit (test/ttmlir), roundtrip (the same files with
--verify-roundtrip) and pytest (test/python, against the installed package).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parent
ROOT = SOURCE.parent


@dataclass
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __str__(self) -> str:
        text = f"{self.passed} passed, {self.failed} failed"
        return f"{text}, {self.skipped} skipped" if self.skipped else text


def read_junit(path: Path) -> Counts:
    """Counts the test cases of a JUnit file."""
    counts = Counts()
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            counts.failed += 1
        elif case.find("skipped") is not None:
            counts.skipped += 1
        else:
            counts.passed += 1
    return counts


def run(command: list[str], report: Path) -> Counts:
    """Runs a suite that writes ``report``; one that fails without a failed case counts as one."""
    report.unlink(missing_ok=True)
    environment = {**os.environ, "TTMLIR_BUILD_DIR": str(report.parent)}
    status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    if not report.exists():
        print(f"error: {' '.join(command)} wrote no report, status {status}", flush=True)
        return Counts(failed=1)
    counts = read_junit(report)
    if status != 0 and counts.failed == 0:
        print(f"error: {command[0]} ended with status {status}", flush=True)
        counts.failed = 1
    return counts


def unit(build: Path, _: list[str]) -> Counts:
    report = build / "unit.xml"
    beside = Path(sys.executable).parent / "ctest"
    ctest = str(beside) if beside.exists() else "ctest"
    command = [ctest, "--test-dir", str(build), "--output-on-failure"]
    return run([*command, "-j", str(os.cpu_count() or 1), "--output-junit", str(report)], report)


def lit(build: Path, _: list[str], name: str = "lit", extra: tuple[str, ...] = ()) -> Counts:
    report = build / f"{name}.xml"
    command = [sys.executable, "-c", "import lit.main; lit.main.main()", "-s", "-v", *extra]
    return run(
        [*command, "--xunit-xml-output", str(report), str(build / "test" / "ttmlir")], report
    )


def roundtrip(build: Path, arguments: list[str]) -> Counts:
    return lit(build, arguments, "roundtrip", ("--param", "verify_roundtrip=1"))


def pytest(build: Path, arguments: list[str]) -> Counts:
    report = build / "pytest.xml"
    command = [sys.executable, "-m", "pytest", str(SOURCE / "python")]
    # A worker that has nothing left takes half of what another has: files stay together, mostly.
    workers = ["-n", str(len(os.sched_getaffinity(0))), "--dist", "worksteal"]
    return run([*command, *workers, f"--junitxml={report}", *arguments], report)


SUITES: dict[str, Callable[[Path, list[str]], Counts]] = {
    "unit": unit,
    "lit": lit,
    "roundtrip": roundtrip,
    "pytest": pytest,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--all", action="store_true", help="all cases, not a sample")
    parser.add_argument("--suite", action="append", choices=list(SUITES))
    parser.add_argument("pytest_arguments", nargs="*")
    options = parser.parse_args()
    build = options.build.resolve()
    os.environ["TTMLIR_TEST_TIER"] = "all" if options.all else "sample"

    total, lines = Counts(), []
    for name in options.suite or SUITES:
        print(f"\n==> {name}", flush=True)
        start = time.monotonic()
        counts = SUITES[name](build, options.pytest_arguments)
        if counts.passed + counts.failed == 0:
            print(f"error: {name} ran no test", flush=True)
            counts.failed = 1
        lines.append(f"{name:<10} {counts} in {time.monotonic() - start:.0f} s")
        total.passed += counts.passed
        total.failed += counts.failed
        total.skipped += counts.skipped
    print("\n" + "\n".join(lines) + f"\n\n{total}", flush=True)
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main())
