"""Mutation testing: plants faults into a copy of the checkout and runs the tests on each.

    python test/faults/run.py --check                     # seconds; test/python calls it
    python test/faults/run.py --tier short                # what `make test` runs
    python test/faults/run.py --tier all --jobs 4         # what `make test-all` runs
    python test/faults/run.py --faults 3,7,20-30 --keep
    python test/faults/run.py --tests ../older --keep     # the tests of another checkout

``faults.py`` is the table. The copy, a clone of the committed state, is built once with all faults
in a form that can be switched; the environment variable TTMLIR_PLANTED_FAULT is the number of the
active one. All tests must pass without a fault. Then, for each fault, the tests most likely to
detect it run first, and if they do not, all tests of the tier until one does. A run that takes too
long, or that ends without a report, also counts as detection.

``--check`` only checks that each original text is in its file exactly once, in the current
checkout. It is fast, and a test calls it: a change to one of these places must also update the
table.

Results are in FOLDER (build/faults): results.md, results.json, and in logs/ the output of the
tests. Faults that results.json already has for a commit are not run again: to run them again,
remove the file, or the fault from it. The copy is removed at the end unless ``--keep`` is given.
Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import planting
from faults import FAULTS, Fault
from suites import Built, Command, Found, Runner, say, view

ROOT = Path(__file__).resolve().parents[2]
#: Packages for the full test run, in addition to the test tools.
EXTRAS, GROUPS = "torch==2.13.0", "browser"

_LIT_CONFIG = f"""
import os

name = "{planting.VARIABLE}"
if name in os.environ:
    config.environment[name] = os.environ[name]
"""

# The copy ----------------------------------------------------------------------------------------


class Copy:
    """A clone with all faults, built and installed, with the original sources beside the build.

    Some tests read sources, and the version is that of the commit: so the faults are in the sources
    only during builds. The build must look up to date afterwards, so planted files keep their
    modification times.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.folder, self.tree = options.folder, options.folder / "tree"
        self.built = Built(self.tree, self.tree / "build")
        self.commit, self.jobs = options.commit, options.build_jobs
        self.extras, self.groups = options.extras, options.groups
        self.stamp = self.tree / ".git" / "planted"

    def call(self, *command: str | Path) -> None:
        say(f"+ {' '.join(map(str, command))}")
        environment = {k: v for k, v in os.environ.items() if k != planting.VARIABLE}
        subprocess.run(list(map(str, command)), cwd=self.tree, env=environment, check=True)

    def prepare(self) -> None:
        """Clones and builds, unless that has been done."""
        # The tests that run first do not matter for the build.
        faults = [replace(fault, first=()) for fault in FAULTS]
        wanted = f"{self.commit} {faults!r}"
        if self.stamp.exists() and self.stamp.read_text(encoding="utf-8") == wanted:
            return
        shutil.rmtree(self.tree, ignore_errors=True)
        subprocess.run(["git", "clone", "-q", "--no-checkout", ROOT, self.tree], check=True)
        subprocess.run(["git", "-C", self.tree, "checkout", "-q", self.commit], check=True)
        if wrong := planting.problems(self.tree, FAULTS):
            sys.exit("\n".join(["faults without a place in the commit:", *wrong]))
        self.with_faults(self._build)
        self.stamp.write_text(wanted, encoding="utf-8")

    def _build(self) -> None:
        made = [".venv/.installed", *(f".venv/.group-{name}" for name in self.groups.split())]
        self.call("make", "VENV=.venv", f"JOBS={self.jobs}", *made)
        pip: Command = [
            self.built.python,
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            "-q",
        ]
        if self.extras:
            self.call(*pip, *self.extras.split())
        self._build_tests()

    def _build_tests(self) -> None:
        cmake: Command = [self.built.python.parent / "cmake", "--build", self.built.build]
        targets = ["ttmlir-tools", "ttmlir-unittests"]
        self.call(*cmake, "--parallel", str(self.jobs), "--target", *targets)
        # lit removes the variable from the environment of the tests.
        config = self.built.build / "test" / "ttmlir" / "lit.site.cfg.py"
        text = config.read_text(encoding="utf-8")
        if planting.VARIABLE not in text:
            config.write_text(text + _LIT_CONFIG, encoding="utf-8")

    def with_faults(self, build: Callable[[], None]) -> None:
        """Runs a build step with the faults in the sources."""
        kept = self.folder / "planted"
        files = planting.by_file(FAULTS)
        if not self.stamp.exists():
            shutil.rmtree(kept, ignore_errors=True)
            planting.plant(self.tree, FAULTS, self.folder / "planted_fault.h")
            for file in files:
                (kept / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(self.tree / file, kept / file)
        for file in files:
            shutil.copy2(kept / file, self.tree / file)
        try:
            build()
        finally:
            git: Command = ["git", "-C", self.tree, "checkout", "-q", "--", *files]
            subprocess.run(git, check=True)

    def take_tests(self, source: Path | None) -> None:
        """Copies the tests of another checkout, or the copy's own, into it and builds them."""
        stamp = self.tree / ".git" / "tests"
        wanted = f"{source.resolve()} {commit_of(source)}" if source else ""
        found = stamp.read_text(encoding="utf-8") if stamp.exists() else ""
        if wanted == found:
            return
        stamp.write_text("unknown", encoding="utf-8")
        shutil.rmtree(self.tree / "test")
        subprocess.run(["git", "-C", self.tree, "checkout", "-q", "--", "test"], check=True)
        if source:
            shutil.rmtree(self.tree / "test")
            ignored = shutil.ignore_patterns("__pycache__", ".hypothesis", ".pytest_cache")
            shutil.copytree(source / "test", self.tree / "test", symlinks=True, ignore=ignored)
        self.with_faults(self._build_tests)
        stamp.write_text(wanted, encoding="utf-8")


def commit_of(checkout: Path, name: str = "HEAD") -> str:
    command = ["git", "-C", str(checkout), "rev-parse", "--short=10", f"{name}^{{commit}}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{checkout}: {done.stderr.strip()}")
    return done.stdout.strip()


# Results -----------------------------------------------------------------------------------------


class Results:
    """The results so far, as JSON and as a table; written after each fault.

    The name of a tier includes the commit, and the tests if they are from another checkout, so that
    results of several commits can coexist.
    """

    def __init__(self, folder: Path) -> None:
        self.json, self.table = folder / "results.json", folder / "results.md"
        self.lock = threading.Lock()
        self.tiers: dict[str, dict[str, Any]] = {}
        if self.json.exists():
            self.tiers = json.loads(self.json.read_text(encoding="utf-8"))["tiers"]

    def of(self, tier: str) -> dict[str, Any]:
        return self.tiers.setdefault(tier, {"passes_without": False, "faults": {}})

    def has(self, tier: str, fault: Fault) -> bool:
        """Whether the fault was run in its current form."""
        entry = self.of(tier)["faults"].get(str(fault.number))
        return entry is not None and entry["faulty"] == planting.switched(fault)

    def add(self, tier: str, fault: Fault, found: Found) -> None:
        with self.lock:
            entry = {"kind": fault.kind, "file": fault.file, "area": fault.area}
            entry |= {"faulty": planting.switched(fault), **asdict(found)}
            self.of(tier)["faults"][str(fault.number)] = entry
            self.save()

    def save(self) -> None:
        new = self.json.with_suffix(".new")
        new.write_text(json.dumps({"tiers": self.tiers}, indent=2) + "\n", encoding="utf-8")
        new.replace(self.json)
        self.table.write_text(self.markdown(), encoding="utf-8")

    def markdown(self) -> str:
        lines = ["# Planted faults", ""]
        for tier, known in self.tiers.items():
            runs = known["faults"]
            count = sum(bool(entry["by"]) for entry in runs.values())
            lines += [f"## {tier}: {count} of {len(runs)} found", ""]
            lines += ["| fault | kind | where | found by | in | s |", "|--:|---|---|---|---|--:|"]
            for number in sorted(runs, key=int):
                lines.append(_row(number, runs[number]))
            lines.append("")
        return "\n".join(lines)


def _row(number: str, entry: dict[str, Any]) -> str:
    by = f"`{entry['by']}`" if entry["by"] else "**nothing**"
    cells = (number, entry["kind"], f"`{entry['file']}`", by, entry["where"])
    texts = [cell.replace("|", r"\|").replace("\n", " ") for cell in cells]
    return f"| {' | '.join(texts)} | {entry['seconds']:.0f} |"


# Running -----------------------------------------------------------------------------------------


class Campaign:
    """A run of a tier: first without a fault, then with each."""

    def __init__(self, options: argparse.Namespace, copy: Copy, results: Results) -> None:
        self.options, self.copy, self.results = options, copy, results
        self.tier = tier_name(options)
        self.logs = options.folder / "logs"
        self.logs.mkdir(exist_ok=True)

    def runner(self, built: Built, number: int) -> Runner:
        log = self.logs / f"{self.tier.replace(' ', '-')}-{number:02}.log"
        log.unlink(missing_ok=True)
        deselect = [f"--deselect={test}" for test in self.options.deselect]
        return Runner(
            built,
            log,
            number,
            all_tests=self.options.tier == "all",
            pytest_arguments=deselect,
            jobs=max(1, (os.cpu_count() or 1) // (self.options.jobs if number else 1)),
        )

    def passes_without(self) -> bool:
        """Whether the tests of the copy pass while no fault is active."""
        known = self.results.of(self.tier)
        if known["passes_without"]:
            return True
        runner = self.runner(self.copy.built, 0)
        say(f"without a fault: {runner.log}")
        found = False
        for suite, by in runner.everything(self.options.timeout):
            say(f"  {suite}: {by or 'passes'}")
            found |= bool(by)
        if not found:
            known["passes_without"] = True
            self.results.save()
        return not found

    def run(self, faults: Sequence[Fault]) -> None:
        """Runs the faults, several in parallel."""
        free: queue.Queue[Built] = queue.Queue()
        for i in range(self.options.jobs):
            own = self.copy.built
            free.put(view(own, self.options.folder / "views" / str(i)) if i else own)

        def one(fault: Fault) -> Found:
            built = free.get()
            try:
                runner = self.runner(built, fault.number)
                return runner.find(fault, self.options.first_timeout, self.options.timeout)
            finally:
                free.put(built)

        with ThreadPoolExecutor(self.options.jobs) as pool:
            running = {pool.submit(one, fault): fault for fault in faults}
            for done in as_completed(running):
                fault, found = running[done], done.result()
                self.results.add(self.tier, fault, found)
                by = f"found by {found.by} ({found.where})" if found.by else "NOT FOUND"
                say(f"{fault.number:2} {fault.file}: {by} in {found.seconds:.0f} s")


def tier_name(options: argparse.Namespace) -> str:
    name = f"{options.tier} at {options.commit}"
    if options.tests is None:
        return name
    return f"{name} with tests of {options.tests.resolve().name} {commit_of(options.tests)}"


def chosen(text: str) -> list[Fault]:
    """Returns the faults of a list such as ``3,7,20-30``."""
    numbers: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    if unknown := numbers - {fault.number for fault in FAULTS}:
        raise argparse.ArgumentTypeError(f"there are no faults {sorted(unknown)}")
    return [fault for fault in FAULTS if fault.number in numbers]


def check() -> int:
    """Checks that all faults can be planted in the checkout."""
    wrong = planting.problems(ROOT, FAULTS)
    for line in wrong:
        say(line)
    say(f"{len(FAULTS) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="only check the original texts")
    parser.add_argument("--list", action="store_true", help="only print the table")
    parser.add_argument("--faults", type=chosen, default=list(FAULTS), metavar="3,7,20-30")
    parser.add_argument("--tier", choices=("short", "all"), default="short")
    parser.add_argument("--tests", type=Path, metavar="PATH", help="a checkout with other tests")
    parser.add_argument(
        "--commit", default="HEAD", help="the commit to test, such as that of an earlier run"
    )
    parser.add_argument("--jobs", type=int, default=1, help="faults at a time")
    parser.add_argument("--build-jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "faults")
    parser.add_argument("--keep", action="store_true", help="keep the copy for the next run")
    parser.add_argument("--extras", default=EXTRAS, help="packages for the tests")
    parser.add_argument("--groups", default=GROUPS, help="dependency groups for the tests")
    parser.add_argument(
        "--deselect",
        action="append",
        default=[],
        metavar="TEST",
        help="a pytest test that fails without a fault",
    )
    parser.add_argument("--first-timeout", type=float, default=900, metavar="SECONDS")
    parser.add_argument("--timeout", type=float, default=4 * 3600, metavar="SECONDS")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    if options.jobs < 1 or options.build_jobs < 1:
        parser.error("expected at least one job")
    return options


def main() -> int:
    options = parse()
    if options.check:
        return check()
    if options.list:
        for fault in options.faults:
            say(f"{fault.number:2} {fault.area:8} {fault.file}: {fault.kind}")
        return 0
    options.folder.mkdir(parents=True, exist_ok=True)
    options.commit = commit_of(ROOT, options.commit)
    begin, results = time.monotonic(), Results(options.folder)
    tier = tier_name(options)
    left = [fault for fault in options.faults if not results.has(tier, fault)]
    if left:
        copy = Copy(options)
        copy.prepare()
        copy.take_tests(options.tests)
        campaign = Campaign(options, copy, results)
        if not campaign.passes_without():
            say("the tests fail without a fault: see the log above, and --deselect")
            return 1
        campaign.run(left)
        if not options.keep:
            for name in ("tree", "views", "planted"):
                shutil.rmtree(options.folder / name, ignore_errors=True)
    runs = results.of(tier)["faults"]
    found = sum(bool(runs[str(fault.number)]["by"]) for fault in options.faults)
    say(f"\n{results.table}, after {(time.monotonic() - begin) / 60:.0f} minutes")
    say(f"\n{found} passed, {len(options.faults) - found} failed")
    return 0 if found == len(options.faults) else 1


if __name__ == "__main__":
    sys.exit(main())
