"""The process of a rank that MPI starts: it runs the script in a second process, and ends all ranks
with a message if that one is killed, or if MPI does not start."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import FrameType
from typing import NamedTuple

#: The file descriptor to which the second process writes when MPI has started.
READY = "TTMLIR_MPI_READY"

_RANKS = (("PMI_RANK", "PMI_SIZE"), ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"))
_PR_SET_PDEATHSIG = 1


class Place(NamedTuple):
    rank: int
    size: int

    def __str__(self) -> str:
        return f"rank {self.rank} of {self.size}"


def place_of_environment() -> Place | None:
    """Returns the place that mpirun gives this process; None if another program started it."""
    for rank, size in _RANKS:
        if rank in os.environ and size in os.environ:
            return Place(int(os.environ[rank]), int(os.environ[size]))
    return None


class Attendance:
    """The ranks that have started on this host: a folder with a file for each, which they share as
    children of one process of mpirun."""

    def __init__(self, place: Place) -> None:
        self._place = place
        name = f"ttmlir-mpi-{os.getuid()}-{os.getppid()}-{place.size}"
        self._folder = Path(tempfile.gettempdir()) / name
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._own = self._folder / str(place.rank)
        self._own.touch()

    def missing(self) -> list[int]:
        """Returns the ranks that have not started on this host."""
        return [r for r in range(self._place.size) if not (self._folder / str(r)).exists()]

    def is_first(self) -> bool:
        """Whether this is the first rank that has started, which speaks for all."""
        return all(other in self.missing() for other in range(self._place.rank))

    def end(self) -> None:
        try:
            self._own.unlink(missing_ok=True)
            self._folder.rmdir()  # by the last one
        except OSError:
            pass


def supervise(place: Place, arguments: list[str], start_timeout: float) -> int:
    """Runs ``python -m ttmlir.mpi`` with the arguments in a second process; returns the status.

    Args:
        place: of this process among the ranks.
        arguments: of the command.
        start_timeout: seconds in which MPI must start on all ranks.
    """
    attendance = Attendance(place)
    try:
        ready, theirs = os.pipe()
        os.set_inheritable(theirs, True)
        # Also inherits what MPI passes to the processes that it starts.
        worker = subprocess.Popen(
            [sys.executable, "-m", "ttmlir.mpi", *arguments],
            env=os.environ | {READY: str(theirs)},
            close_fds=False,
            preexec_fn=_end_with_parent,
        )
        os.close(theirs)
        _forward_signals(worker)
        if not _starts(worker, ready, start_timeout):
            missing = ", ".join(map(str, attendance.missing()))
            if attendance.is_first():
                _say(
                    f"{place}: the ranks have not all started within {start_timeout:g} s"
                    + (f"; missing on this host: rank {missing}" if missing else "")
                )
            worker.kill()
            worker.wait()
            _abort()
            return 1
        status = worker.wait()
    finally:
        attendance.end()
    if status >= 0:
        return status
    name = signal.Signals(-status).name
    _say(f"{place}: its process {worker.pid} was killed by {name}; all ranks end")
    _abort()
    return 1


def _say(text: str) -> None:
    print(f"ttmlir.mpi: {text}", file=sys.stderr, flush=True)


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


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
    descriptor = os.environ.get("PMI_FD", "")
    if descriptor.isdecimal():
        try:
            os.write(int(descriptor), b"cmd=abort exitcode=1\n")
            time.sleep(1)  # It ends this process.
        except OSError:
            pass
