"""Runs the cases of a campaign in child processes, so that a crash, a hang or a case that takes too
much memory is a finding like any other."""

from __future__ import annotations

import faulthandler
import json
import os
import re
import selectors
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import sanitizers

#: A child that holds more is ended.
MEMORY_LIMIT = 4 << 30


class Failure(Exception):
    """What a case raises that found something. ``reproducer`` is a file that shows it."""

    def __init__(self, kind: str, message: str, reproducer: str = "", suffix: str = ".txt") -> None:
        super().__init__(message)
        self.kind, self.message = kind, message
        self.reproducer, self.suffix = reproducer, suffix


class Note(Protocol):
    """Takes the reproducer of what is about to be run, should it end the process."""

    def __call__(self, text: str, suffix: str = ".txt") -> None: ...


class Campaign(Protocol):
    """A source of cases. ``seconds`` is the time that one may take, ``batch`` how many a child runs
    before the next one is started. One may have ``known_aborts``, those of other projects: pairs of
    patterns of what the process says and of the case."""

    name: str
    seconds: float
    batch: int

    def run(self, seed: int, note: Note) -> str:
        """Runs the case of a seed; gives one word for how it ended, which is counted.

        Raises:
            Failure: the case found something.
        """
        ...


@dataclass(frozen=True)
class Finding:
    campaign: str
    seed: int
    kind: str
    message: str
    reproducer: str
    suffix: str

    def save(self, folder: Path) -> Path:
        """Writes the reproducer, with the message beside it."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.campaign}-{self.seed}{self.suffix}"
        path.write_text(self.reproducer, encoding="utf-8", errors="surrogateescape")
        about = {key: value for key, value in asdict(self).items() if key != "reproducer"}
        path.with_suffix(".json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        return path


@dataclass
class Summary:
    cases: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)


class _Current:
    """The reproducer of the case that a child is at, in a file that outlives it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self, text: str, suffix: str = ".txt") -> None:
        self.path.write_text(suffix + "\n" + text, encoding="utf-8", errors="surrogateescape")

    def clear(self) -> None:
        self.path.write_text(".txt\n", encoding="utf-8")

    def read(self) -> tuple[str, str]:
        suffix, _, text = self.path.read_text("utf-8", errors="surrogateescape").partition("\n")
        return suffix, text


def _child(
    campaign: Campaign, seeds: list[int], until: float, out: int, current: _Current, log: int
) -> None:
    """Runs the cases that there is time for; a line of JSON for each before and after it."""
    os.dup2(log, 1)
    os.dup2(log, 2)
    # Says where it is when it is ended.
    faulthandler.register(signal.SIGUSR1, file=log)

    def say(**line: Any) -> None:
        data = (json.dumps(line) + "\n").encode()
        while data:
            data = data[os.write(out, data) :]

    def found(seed: int, kind: str, message: str, suffix: str, text: str) -> None:
        finding = Finding(campaign.name, seed, kind, message, text, suffix)
        say(seed=seed, finding=asdict(finding))

    for seed in seeds:
        if time.monotonic() >= until:
            return
        say(begins=seed)
        current.clear()
        os.lseek(log, 0, os.SEEK_SET)
        os.ftruncate(log, 0)
        try:
            say(seed=seed, end=campaign.run(seed, current))
        except Failure as failure:
            found(seed, failure.kind, failure.message, failure.suffix, failure.reproducer)
        except Exception as error:
            message = traceback.format_exc()[-4000:]
            found(seed, f"exception {type(error).__name__}", message, *current.read())
            # What the exception left behind does not reach the next case.
            return


def _memory(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _processor_seconds(pid: int) -> float:
    """Tells a process that waits for ever from one that had no processor."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return 0.0


def _lines(pid: int, out: int, seconds: float) -> Iterator[dict[str, Any]]:
    """What a child says. Ends it, and gives the reason, if it takes too long or too much memory."""
    selector = selectors.DefaultSelector()
    selector.register(out, selectors.EVENT_READ)
    rest, last, used = b"", time.monotonic(), _processor_seconds(pid)
    while True:
        reason = ""
        if selector.select(timeout=0.2):
            data = os.read(out, 1 << 16)
            if not data:
                return
            last, used = time.monotonic(), _processor_seconds(pid)
            *complete, rest = (rest + data).split(b"\n")
            yield from map(json.loads, complete)
        elif time.monotonic() - last > seconds:
            # The text is the kind of the finding: it has no number that differs by run.
            waited = _processor_seconds(pid) - used < seconds / 2
            reason = f"hang: no end after {seconds:g} s"
            reason += ", most of them without a processor" if waited else ""
            os.kill(pid, signal.SIGUSR1)
            time.sleep(1)
        if _memory(pid) > MEMORY_LIMIT:
            reason = f"memory: more than {MEMORY_LIMIT >> 20} MiB"
        if reason:
            os.kill(pid, signal.SIGKILL)
            yield {"killed": reason}
            return


def _batch(
    campaign: Campaign, seeds: list[int], until: float, folder: Path, summary: Summary
) -> int:
    """Runs one child. Returns how many of the seeds are done."""
    current = _Current(folder / "current")
    current.clear()
    log = os.open(folder / "log", os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    receive, send = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(receive)
            _child(campaign, seeds, until, send, current, log)
            status = 0
        finally:
            os._exit(status)
    os.close(send)

    done, running, killed = 0, None, ""
    for line in _lines(pid, receive, campaign.seconds):
        if "begins" in line:
            running = line["begins"]
        elif "killed" in line:
            killed = line["killed"]
        else:
            running, done = None, done + 1
            if "end" in line:
                summary.ends[line["end"]] += 1
            else:
                summary.ends["finding"] += 1
                summary.findings.append(Finding(**line["finding"]))
    _, status = os.waitpid(pid, 0)
    if running is not None:
        said = Path(folder / "log").read_text("utf-8", errors="replace")
        ended = os.waitstatus_to_exitcode(status)
        kind = killed or sanitizers.finding(said)
        kind = kind or (signal.Signals(-ended).name if ended < 0 else f"exit status {ended}")
        suffix, text = current.read()
        known = getattr(campaign, "known_aborts", ())
        if kind == "SIGABRT" and any(re.search(s, said) and re.search(t, text) for s, t in known):
            summary.ends["known abort"] += 1
        else:
            summary.ends["finding"] += 1
            if len(said) > 8000:
                # A sanitizer begins with what it found, others end with it.
                said = f"{said[:4000]}\n...\n{said[-4000:]}"
            summary.findings.append(Finding(campaign.name, running, kind, said, text, suffix))
        done += 1
    elif status and not done:
        said = Path(folder / "log").read_text("utf-8", errors="replace")
        raise RuntimeError(f"{campaign.name}: a child ended before its first case: {said}")
    os.close(receive)
    os.close(log)
    summary.cases += done
    return done


def run(campaign: Campaign, seeds: Iterator[int], until: float, limit: int | None) -> Summary:
    """Runs cases until a time of the monotonic clock, or so many of them."""
    summary = Summary()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        waiting: list[int] = []
        while time.monotonic() < until and (limit is None or summary.cases < limit):
            size = campaign.batch
            if limit is not None:
                size = min(size, limit - summary.cases)
            while len(waiting) < size:
                waiting.append(next(seeds))
            done = _batch(campaign, waiting[:size], until, Path(folder), summary)
            del waiting[:done]
    return summary
