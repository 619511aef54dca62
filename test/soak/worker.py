"""One process of a campaign. A module of its own, so that a new process can import it."""

from __future__ import annotations

import itertools
import json
import time
from pathlib import Path

import engine
from campaigns import CAMPAIGNS


def work(name: str, first: int, step: int, minutes: float, count: int | None, path: Path) -> None:
    """Runs cases from seed ``first`` on, and leaves the summary in a file."""
    until = time.monotonic() + 60 * minutes
    summary = engine.run(CAMPAIGNS[name](), itertools.count(first, step), until, count)
    findings = [vars(finding) for finding in summary.findings]
    content = {"cases": summary.cases, "ends": summary.ends, "findings": findings}
    path.write_text(json.dumps(content), encoding="utf-8")
