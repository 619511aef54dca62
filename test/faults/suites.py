"""Runs test suites of a built copy with a fault, and reports the test that detects it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from faults import Fault
from planting import VARIABLE

Command = list[str | Path]

#: In the order of the runs: the fast ones first.
SUITES = ("unit", "lit", "roundtrip", "pytest")


@dataclass(frozen=True)
class Built:
    """A copy that is built and installed; ``build`` may be a view of its build tree."""

    tree: Path
    build: Path

    @property
    def python(self) -> Path:
        return self.tree / ".venv" / "bin" / "python"

    @property
    def check(self) -> Path:
        return self.tree / "test" / "check.py"


@dataclass(frozen=True)
class Found:
    """The detection of a fault: ``by`` is a test, or the reason why a run ended without one."""

    by: str
    where: str
    seconds: float


def failed_test(report: Path) -> str:
    """Returns the first failed test in a JUnit file; empty if there is none."""
    try:
        root = ElementTree.parse(report).getroot()
    except (OSError, ElementTree.ParseError):
        return ""
    for case in root.iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            names = (case.get("classname", ""), case.get("name", ""))
            return "::".join(dict.fromkeys(filter(None, names)))
    return ""


def view(built: Built, folder: Path) -> Built:
    """Links the build tree into another folder for a parallel run with its own reports and
    outputs."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "test").mkdir(parents=True)
    for entry in built.build.iterdir():
        if entry.name not in ("test", "Testing") and entry.suffix != ".xml":
            (folder / entry.name).symlink_to(entry)
    for entry in (built.build / "test").iterdir():
        if entry.name != "ttmlir":
            (folder / "test" / entry.name).symlink_to(entry)
    (folder / "test" / "ttmlir").mkdir()
    for name in ("lit.site.cfg.py", "CTestTestfile.cmake"):
        text = (built.build / "test" / "ttmlir" / name).read_text(encoding="utf-8")
        text = text.replace(str(built.build), str(folder))
        (folder / "test" / "ttmlir" / name).write_text(text, encoding="utf-8")
    return Built(built.tree, folder)


class Runner:
    """Runs tests of a copy, with one fault or none, and writes their output to a file.

    Args:
        built: the copy.
        log: the file to append to.
        number: of the fault; 0 for none.
        all_tests: whether to request all tests from ``check.py``.
        pytest_arguments: for all runs of pytest.
        jobs: for lit.
    """

    def __init__(
        self,
        built: Built,
        log: Path,
        number: int,
        *,
        all_tests: bool,
        pytest_arguments: Sequence[str],
        jobs: int,
    ) -> None:
        self.built, self.log, self.number = built, log, number
        self.all_tests, self.pytest_arguments = all_tests, list(pytest_arguments)
        self.jobs = jobs

    def environment(self) -> Mapping[str, str]:
        environment = dict(os.environ)
        # The variables of env/activate belong to another build.
        for name in ("PYTHONPATH", "TTMLIR_VENV_DIR", "TTMLIR_TOOLCHAIN_DIR", VARIABLE):
            environment.pop(name, None)
        environment["TTMLIR_BUILD_DIR"] = str(self.built.build)
        environment["TTMLIR_TEST_TIER"] = "all" if self.all_tests else "sample"
        environment["LIT_OPTS"] = f"-j {self.jobs}"
        if self.number:
            environment[VARIABLE] = str(self.number)
            environment["LIT_OPTS"] += " --max-failures 1"
        return environment

    def run(self, command: Command, seconds: float) -> int | None:
        """Returns the status of a command; None if it times out. Its child processes end with
        it."""
        with self.log.open("ab") as log:
            log.write(f"\n+ {' '.join(map(str, command))}\n".encode())
            log.flush()
            process = subprocess.Popen(
                list(map(str, command)),
                cwd=self.built.tree,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                return process.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                return None
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()

    def judge(self, command: Command, report: Path, seconds: float) -> str:
        """Returns how a run detected the fault; empty if it did not."""
        report.unlink(missing_ok=True)
        # Caches that remember a fault would help to detect the next one.
        shutil.rmtree(self.built.tree / ".hypothesis", ignore_errors=True)
        status = self.run(command, seconds)
        if status is None:
            return f"it took longer than {seconds:.0f} s"
        if status == 0:
            return ""
        return failed_test(report) or f"it ended with status {status}"

    def first(self, fault: Fault, seconds: float) -> str:
        """Runs the tests most likely to detect the fault, as far as the copy has them."""
        report = self.built.build / "first.xml"
        suite, *arguments = fault.first
        tests = self.built.tree / "test"
        python, build = self.built.python, self.built.build
        if suite == "unit":
            ctest: Command = [python.parent / "ctest", "--test-dir", build, "-R", *arguments]
            stop: Command = ["--stop-on-failure", "--output-on-failure", "--output-junit", report]
            return self.judge([*ctest, *stop], report, seconds)
        path = arguments[0]
        folder = {"lit": "ttmlir", "pytest": "python"}[suite]
        if not (tests / folder / path).exists():
            return ""
        if suite == "lit":
            lit: Command = [python, "-c", "import lit.main; lit.main.main()", "-s", "-v"]
            where: Command = [f"--xunit-xml-output={report}", build / "test" / "ttmlir" / path]
            return self.judge([*lit, *where], report, seconds)
        pytest: Command = [python, "-m", "pytest", "-x", tests / "python" / path]
        pytest += [*arguments[1:], f"--junitxml={report}", *self.pytest_arguments]
        found = self.judge(pytest, report, seconds)
        # 5: no tests selected, as in a suite that has no such test yet.
        return "" if found == "it ended with status 5" else found

    def suite(self, name: str, seconds: float) -> str:
        """Runs a suite like ``make test``; with a fault it stops at the first failure."""
        report = self.built.build / f"{name}.xml"
        command: Command = [self.built.python, self.built.check, "--build", self.built.build]
        if self.all_tests and "--all" in self.built.check.read_text(encoding="utf-8"):
            command.append("--all")
        stop = ["-x"] if self.number else []
        arguments = ["--", *stop, *self.pytest_arguments] if name == "pytest" else []
        return self.judge([*command, "--suite", name, *arguments], report, seconds)

    def everything(self, seconds: float) -> Iterator[tuple[str, str]]:
        """Yields each suite and its detection."""
        end = time.monotonic() + seconds
        for name in SUITES:
            yield name, self.suite(name, max(end - time.monotonic(), 1))

    def find(self, fault: Fault, first_seconds: float, seconds: float) -> Found:
        """Runs the tests most likely to detect the fault, then all tests until one does."""
        begin = time.monotonic()
        if by := self.first(fault, first_seconds):
            return Found(by, "first", time.monotonic() - begin)
        for name, by in self.everything(seconds):
            if by:
                return Found(by, name, time.monotonic() - begin)
        return Found("", "", time.monotonic() - begin)


def say(text: str) -> None:
    print(text, flush=True)
