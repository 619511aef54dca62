"""Messages between ranks by mpi4py."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any, NoReturn

try:
    from mpi4py import MPI
except ImportError as error:
    message = f"ttmlir.mpi needs mpi4py and an MPI: pip install ttmlir[mpi] ({error})"
    raise ImportError(message) from None

from ttmlir.mpi._supervisor import LINGER

# Polls without a pause, before others may need the processor.
_SPINS = 100
_PAUSE = 0.0002  # seconds


class MpiMessages:
    """Exchanges messages with all ranks of ``MPI.COMM_WORLD``.

    ``deadline`` is the ``time.monotonic()`` at which waiting ends with a TimeoutError; by default
    it does not end.
    """

    def __init__(self) -> None:
        # Messages of the script do not mix with those of the runtime.
        self._comm = MPI.COMM_WORLD.Dup()
        self.rank = self._comm.Get_rank()
        self.size = self._comm.Get_size()
        self.deadline: float | None = None

    def exchange(self, messages: Sequence[bytes]) -> list[bytes]:
        """Sends a message to each rank and returns what each rank has sent, by rank."""
        given = memoryview(bytearray(8 * self.size)).cast("q")
        for other, message in enumerate(messages):
            given[other] = len(message)
        sizes = memoryview(bytearray(8 * self.size)).cast("q")
        counts = (1, MPI.INT64_T)
        self._wait([self._comm.Ialltoall([given, *counts], [sizes, *counts])])
        found = [bytearray(size) for size in sizes]
        requests = []
        for other in range(self.size):
            if other != self.rank:
                requests.append(self._comm.Irecv([found[other], MPI.BYTE], other))
        for other, message in enumerate(messages):
            if other != self.rank:
                requests.append(self._comm.Isend([message, MPI.BYTE], other))
        self._wait(requests)
        return [
            messages[other] if other == self.rank else bytes(found[other])
            for other in range(self.size)
        ]

    def local_size(self) -> int:
        """Returns the number of ranks on this host."""
        local = self._comm.Split_type(MPI.COMM_TYPE_SHARED)
        try:
            return local.Get_size()
        finally:
            local.Free()

    def abort(self) -> NoReturn:
        """Ends all ranks with status 1; does not return."""
        try:
            time.sleep(LINGER)
            MPI.COMM_WORLD.Abort(1)
        finally:
            # mpirun does not know this process if the one that it started was killed.
            os._exit(1)

    def _wait(self, requests: list[Any]) -> None:
        # MPI's own waiting would keep a processor busy that other ranks need.
        polls = 0
        while not MPI.Request.Testall(requests):
            polls += 1
            if polls < _SPINS:
                os.sched_yield()
                continue
            time.sleep(_PAUSE)
            if self.deadline is not None and time.monotonic() > self.deadline:
                raise TimeoutError("the other ranks do not answer")
