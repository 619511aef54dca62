"""One process of a campaign: ``python worker.py NAME FIRST STEP MINUTES COUNT REPORT``.

Runs cases from the seed FIRST on, every STEPth, and leaves the summary in the file REPORT. COUNT is
``all`` if time alone ends the campaign.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from pathlib import Path

import engine
from campaigns import CAMPAIGNS


def work(name: str, first: int, step: int, minutes: float, count: int | None, path: Path) -> None:
    until = time.monotonic() + 60 * minutes
    summary = engine.run(CAMPAIGNS[name](), itertools.count(first, step), until, count)
    findings = [vars(finding) for finding in summary.findings]
    content = {"cases": summary.cases, "ends": summary.ends, "findings": findings}
    path.write_text(json.dumps(content), encoding="utf-8")


if __name__ == "__main__":
    name, first, step, minutes, count, report = sys.argv[1:]
    limit = None if count == "all" else int(count)
    work(name, int(first), int(step), float(minutes), limit, Path(report))
