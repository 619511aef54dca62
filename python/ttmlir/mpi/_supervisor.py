"""The process of a rank that MPI starts: it runs the script in a second process, and ends all ranks
with a message if that one is killed, or if MPI does not start."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType
from typing import NamedTuple

#: The variable with two file descriptors of the second process: it writes to the first when MPI has
#: started, and the second ends with this process.
PIPES = "TTMLIR_MPI_PIPES"

#: Seconds for mpirun to pass on what a rank has printed, before it ends all ranks.
LINGER = 0.3

_TURN = 0.5  # seconds in which a rank speaks for all
_RANKS = (("PMI_RANK", "PMI_SIZE"), ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"))


class Place(NamedTuple):
    rank: int
    size: int
    variable: str  # of the environment, with the rank

    def __str__(self) -> str:
        return f"rank {self.rank} of {self.size}"


def place_of_environment() -> Place | None:
    """Returns the place that mpirun gives this process; None if another program started it."""
    for rank, size in _RANKS:
        if rank in os.environ and size in os.environ:
            return Place(int(os.environ[rank]), int(os.environ[size]), rank)
    return None


def started_ranks(variable: str) -> set[int]:
    """Returns the ranks on this host that run this module: the processes that mpirun has started
    beside this one.

    Args:
        variable: of the environment, with the rank.
    """
    ranks = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent != os.getppid() or b"ttmlir.mpi" not in (folder / "cmdline").read_bytes():
                continue
            entries = (folder / "environ").read_bytes().split(b"\0")
        except OSError:  # It has ended, or is another user's.
            continue
        values = dict(entry.partition(b"=")[::2] for entry in entries)
        ranks.add(int(values.get(variable.encode(), b"-1")))
    return ranks


def supervise(place: Place, arguments: list[str], start_timeout: float) -> int:
    """Runs ``python -m ttmlir.mpi`` with the arguments in a second process; returns the status.

    Args:
        place: of this process among the ranks.
        arguments: of the command.
        start_timeout: seconds in which MPI must start on all ranks.
    """
    ready, theirs = os.pipe()
    ended, _ = os.pipe()  # The end for writing is open as long as this process runs.
    for descriptor in (theirs, ended):
        os.set_inheritable(descriptor, True)
    # Also inherits what MPI passes to the processes that it starts.
    worker = subprocess.Popen(
        [sys.executable, "-m", "ttmlir.mpi", *arguments],
        env=os.environ | {PIPES: f"{theirs} {ended}"},
        close_fds=False,
    )
    os.close(theirs)
    os.close(ended)
    _forward_signals(worker)
    if not _starts(worker, ready, start_timeout):
        started = started_ranks(place.variable)
        if place.rank != min(started, default=place.rank):
            time.sleep(_TURN)  # One message is enough.
        missing = sorted(set(range(place.size)) - started)
        say(
            f"{place}: the ranks have not all started within {start_timeout:g} s"
            + (f"; not on this host: rank {', '.join(map(str, missing))}" if missing else "")
        )
        worker.kill()
        worker.wait()
        _abort()
        return 1
    status = worker.wait()
    if status >= 0:
        return status
    name = signal.Signals(-status).name
    say(f"{place}: its process {worker.pid} was killed by {name}; all ranks end")
    _abort()
    return 1


def say(text: str) -> None:
    """Prints an error of this rank."""
    print(f"ttmlir.mpi: {text}", file=sys.stderr, flush=True)


def _forward_signals(worker: subprocess.Popen[bytes]) -> None:
    def forward(number: int, frame: FrameType | None) -> None:
        if worker.poll() is None:
            worker.send_signal(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, forward)


def _starts(worker: subprocess.Popen[bytes], ready: int, timeout: float) -> bool:
    """Waits until MPI has started in the process, or the process has ended."""
    end = time.monotonic() + timeout
    while (left := end - time.monotonic()) > 0:
        if select.select([ready], [], [], min(left, 0.1))[0] or worker.poll() is not None:
            return True
    return False


def _abort() -> None:
    """Makes mpirun end all ranks with status 1, in place of a process that cannot ask for it any
    more. An mpirun that starts processes in another way than MPICH's sees the status of this one.
    """
    time.sleep(LINGER)
    descriptor = os.environ.get("PMI_FD", "")
    if descriptor.isdecimal():
        try:
            os.write(int(descriptor), b"cmd=abort exitcode=1\n")
            time.sleep(1)  # It ends this process.
        except OSError:
            pass
