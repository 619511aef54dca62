"""Long runs that draw their own cases: `python test/soak --minutes 120`.

Every case has a seed. The first line says the seed that the run begins with; `--campaign NAME
--seed N --count 1` runs the case of a finding again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import engine
import sanitizers
from campaigns import CAMPAIGNS

#: Reproducers that are kept of findings that read alike.
ALIKE = 3


def signature(finding: engine.Finding) -> str:
    """What findings of one cause have in common: the first error, or else the last line, without
    numbers and types."""
    lines = finding.message.strip().splitlines() or [""]
    line = next((line.split("error: ")[1] for line in lines if "error: " in line), lines[-1])
    line = re.sub(r"'?tensor<.*?>>?>?'?", "tensor", line)
    line = re.sub(r"[0-9]+(x[0-9]+)*", "N", line)
    return f"{finding.campaign}: {finding.kind}: {line[:110]}"


def campaign(name: str, options: argparse.Namespace, minutes: float) -> engine.Summary:
    """Runs a campaign in as many processes as are asked for."""
    total, jobs = engine.Summary(), options.jobs if options.count is None else 1
    reports = [options.findings / f".{name}-{i}.json" for i in range(jobs)]
    worker = [sys.executable, str(Path(__file__).with_name("worker.py")), name]
    count = "all" if options.count is None else str(options.count)
    environment = None
    if name == "texts":
        environment = sanitizers.environment(python=True)
        if "LD_PRELOAD" not in environment:
            print(f"\n{name}: without sanitizers, build-asan-ubsan has no compiler", flush=True)
    processes = [
        subprocess.Popen(
            [*worker, str(options.seed + i), str(jobs), str(minutes), count, str(report)],
            env=environment,
        )
        for i, report in enumerate(reports)
    ]
    for process, report in zip(processes, reports, strict=True):
        status = process.wait()
        if not report.exists():
            raise SystemExit(f"error: {name}: a process ended with status {status}")
        content = json.loads(report.read_text("utf-8"))
        report.unlink()
        total.cases += content["cases"]
        total.ends += Counter(content["ends"])
        total.findings += [engine.Finding(**finding) for finding in content["findings"]]
    return total


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=120.0, help="for all campaigns together")
    parser.add_argument("--seed", type=int, help="of the first case; random unless given")
    parser.add_argument("--campaign", action="append", choices=sorted(CAMPAIGNS), metavar="NAME")
    parser.add_argument("--count", type=int, help="of cases of each campaign, in one process")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--findings", type=Path, default=Path("build/soak"), metavar="FOLDER")
    options = parser.parse_args()
    if options.seed is None:
        options.seed = int.from_bytes(os.urandom(4), "little")
    options.findings.mkdir(parents=True, exist_ok=True)
    return options


def main() -> int:
    options = parse()
    print(f"seed {options.seed}", flush=True)
    names = options.campaign or list(CAMPAIGNS)
    cases, findings = 0, 0
    for name in names:
        begin = time.monotonic()
        summary = campaign(name, options, options.minutes / len(names))
        seconds = time.monotonic() - begin
        print(f"\n{name}: {summary.cases} cases in {seconds:.0f} s", flush=True)
        for end, times in sorted(summary.ends.items()):
            print(f"{times:8d}  {end}")
        alike: Counter[str] = Counter()
        for finding in summary.findings:
            alike[signature(finding)] += 1
            if alike[signature(finding)] <= ALIKE:
                print(f"  {finding.save(options.findings)}: {finding.kind}")
        for text, times in alike.most_common():
            print(f"  {times} times {text}")
        cases += summary.cases
        findings += len(summary.findings)
    print(f"\n{cases - findings} passed, {findings} failed", flush=True)
    return 1 if findings or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
