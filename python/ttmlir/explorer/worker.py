"""Compiles and runs in a child process that can be killed at any time, or crash, without harm."""

from __future__ import annotations

import pickle
import select
import signal
import subprocess
import sys
import threading
import time
from typing import Any

from ttmlir.errors import Error


class Stopped(Error):
    """The job was cancelled or exceeded its time limit."""


class Worker:
    """Owns the child process, which gets the subject once and then trials. It is started on demand.
    Used by one thread; any other may set the event that cancels."""

    def __init__(self, subject: Any, time_limit: float) -> None:
        self._subject = subject
        self._time_limit = time_limit
        self._process: subprocess.Popen[bytes] | None = None

    def describe(self, cancel: threading.Event) -> Any:
        """Restarts the process; returns ``Bench.describe``."""
        self.stop()
        command = [sys.executable, "-m", "ttmlir.explorer.worker_main"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._ask(self._subject, cancel)

    def run(self, trial: Any, cancel: threading.Event) -> Any:
        """Returns the result of ``Bench.run``.

        Raises:
            Stopped: the job was cancelled or took too long; the next one starts a new process.
            Error: raised by the job, or the process has ended.
        """
        if self._process is None:
            self.describe(cancel)
        return self._ask(trial, cancel)

    def stop(self) -> None:
        """Kills the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _ask(self, request: Any, cancel: threading.Event) -> Any:
        assert self._process is not None
        process, requests, answers = self._process, self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        end = time.monotonic() + self._time_limit
        try:
            pickle.dump(request, requests)
            requests.flush()
            while not select.select([answers], [], [], 0.1)[0]:
                if cancel.is_set():
                    self.stop()
                    raise Stopped("cancelled")
                if time.monotonic() > end:
                    self.stop()
                    raise Stopped(f"stopped: it took longer than {self._time_limit:g} seconds")
            failed, answer = pickle.load(answers)
        except (OSError, EOFError, pickle.UnpicklingError):
            self.stop()
            raise Error(f"the process that compiles and runs {_end(process.returncode)}") from None
        if failed:
            raise Error(answer)
        return answer


def _end(status: int) -> str:
    return f"died of {signal.Signals(-status).name}" if status < 0 else "has ended"
