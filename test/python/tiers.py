"""The two tiers of the tests: all cases, or the sample that ``make test`` runs.

``TTMLIR_TEST_TIER=sample``, which ``test/check.py`` sets without ``--all``, leaves out cases of
tests that are marked:

- ``@pytest.mark.sampled(n)``: n of the cases are drawn, by a seed that changes with the commit.
  ``always`` has the ids of cases that are among them in any case.
- ``@pytest.mark.whole_run``: none.

Tests under ``draws`` (ops/op_program.py) draw fewer inputs in a sample, by the same seed. The
command that repeats a failed case is printed at the end.
"""

from __future__ import annotations

import hashlib
import os
import random
import shlex
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

SAMPLE = os.environ.get("TTMLIR_TEST_TIER") == "sample"


def _seed() -> str:
    """That of the environment, the commit, or where there is no commit always the same."""
    given = os.environ.get("TTMLIR_TEST_SEED")
    if given:
        return given
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return "0"
    return done.stdout.strip() or "0"


SEED = _seed()


def count(whole: int) -> int:
    """How many inputs a test draws that draws ``whole`` of them when all cases run."""
    return max(2, whole // 4) if SAMPLE else whole


def seed_of(name: str) -> int:
    """Where a test of that name begins to draw."""
    return int.from_bytes(hashlib.sha256(f"{SEED} {name}".encode()).digest()[:8], "big")


def pytest_report_header() -> str:
    if not SAMPLE:
        return "cases: all"
    return f"cases: a sample, TTMLIR_TEST_TIER=sample TTMLIR_TEST_SEED={SEED}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not SAMPLE:
        return
    functions: dict[str, list[pytest.Item]] = defaultdict(list)
    dropped: set[pytest.Item] = set()
    for item in items:
        if item.get_closest_marker("whole_run"):
            dropped.add(item)
        elif item.get_closest_marker("sampled"):
            functions[item.nodeid.partition("[")[0]].append(item)
    for name, cases in functions.items():
        marker = cases[0].get_closest_marker("sampled")
        assert marker is not None
        always = marker.kwargs.get("always", ())
        rest = [case for case in cases if case.nodeid.partition("[")[2][:-1] not in always]
        left_out = max(0, len(cases) - marker.args[0])
        dropped.update(random.Random(f"{SEED} {name}").sample(rest, left_out))
    config.hook.pytest_deselected(items=sorted(dropped, key=lambda item: item.nodeid))
    items[:] = [item for item in items if item not in dropped]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not SAMPLE:
        return
    names = dict.fromkeys(
        report.nodeid
        for kind in ("failed", "error")
        for report in terminalreporter.getreports(kind)
    )
    if names:
        terminalreporter.section("to repeat them")
    for name in names:
        terminalreporter.line(
            f"TTMLIR_TEST_TIER=sample TTMLIR_TEST_SEED={SEED} python -m pytest {shlex.quote(name)}"
        )
