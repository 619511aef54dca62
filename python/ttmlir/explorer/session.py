"""The state of the explorer page: a program, the choices tried, and their costs."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ttmlir._numerics import check_numerics
from ttmlir.errors import Error, InputError
from ttmlir.explorer.evaluation import Subject, Trial
from ttmlir.explorer.settings import (
    check_options,
    check_overrides,
    describe_settings,
    export,
)
from ttmlir.explorer.worker import Stopped, Worker

_MOST_WAITING = 8
_MOST_TRIES = 200


class Stale(Error):
    """The change refers to an outdated state: another user has changed it first."""


class Busy(Error):
    """The job queue is full."""


@dataclass
class Try:
    """``status`` is waiting, running, done, failed or cancelled; ``message`` is the error if it
    failed."""

    id: int
    trial: Trial
    status: str = "waiting"
    message: str = ""
    result: dict[str, Any] = field(default_factory=dict)
    cancel: threading.Event = field(default_factory=threading.Event)

    def summary(self) -> dict[str, Any]:
        outputs = self.result.get("accuracy", {}).get("outputs", [])
        return {
            "id": self.id,
            "overrides": self.trial.overrides,
            "options": self.trial.options,
            "each_op": self.trial.each_op,
            "numerics": self.trial.numerics,
            "status": self.status,
            "message": self.message,
            "cycles": self.result.get("cycles"),
            "seconds": self.result.get("seconds"),
            "outputs": outputs,
        }


class Session:
    """Thread-safe. ``version`` counts changes by users, ``revision`` all changes.

    Args:
        read: reads the subject again on each call.
        time_limit: for a job, in seconds.
    """

    def __init__(self, read: Callable[[], Subject], time_limit: float) -> None:
        self._read = read
        self._time_limit = time_limit
        self._changed = threading.Condition()
        self._version = self._revision = 0
        self._subject = read()
        self._worker = Worker(self._subject, time_limit)
        self._program: dict[str, Any] = {}
        self._reads = 0
        self._loading = threading.Event()
        self._error = ""
        self._tries: dict[int, Try] = {}
        self._current = 0
        self._next = 0
        self._jobs: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name="ttmlir-explorer", daemon=True)
        self._thread.start()
        self._jobs.put(self._load)
        self._add(Trial())

    def state(self, since: int = -1, wait: float = 0.0) -> dict[str, Any]:
        """Returns the state as soon as it is newer than revision ``since``, or after ``wait``
        seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._revision > since, wait)
            return {
                "version": self._version,
                "revision": self._revision,
                "model": self._subject.path or "a program from Python",
                "backend": self._subject.backend,
                "target": self._subject.target,
                "error": self._error,
                "program": self._reads,
                "current": self._current,
                "tries": [found.summary() for found in self._tries.values()],
            }

    def program(self) -> dict[str, Any]:
        """Returns the graph of the program, and the settings of its ops."""
        with self._changed:
            if not self._program:
                raise Error(self._error or "the program is still being read")
            return self._program | describe_settings(self._subject.backend)

    def result(self, id: Any) -> dict[str, Any]:
        with self._changed:
            found = self._find(id)
            return found.summary() | {"result": found.result}

    def submit(
        self, version: Any, overrides: Any, options: Any, each_op: Any, numerics: Any
    ) -> dict[str, Any]:
        """Appends a choice to the queue and makes it the current one.

        Raises:
            Stale: another user changed the page since ``version``.
            Busy: too many choices wait.
            InputError: the op, setting or value does not exist.
        """
        with self._changed:
            self._check_version(version)
            program = self.program()
            check_overrides(overrides, program["ops"], self._subject.backend)
            check_options(options, self._subject.backend)
            check_numerics(numerics)
            if not isinstance(each_op, bool):
                raise InputError(f"each_op: expected true or false, found {each_op!r}")
            waiting = sum(found.status == "waiting" for found in self._tries.values())
            if waiting >= _MOST_WAITING:
                raise Busy(f"{waiting} choices wait: cancel some of them, or try again later")
            return {"id": self._add(Trial(overrides, options, each_op, numerics))}

    def select(self, version: Any, id: Any) -> dict[str, Any]:
        """Returns to an earlier choice."""
        with self._changed:
            self._check_version(version)
            self._current = self._find(id).id
            self._change()
            return {"id": self._current}

    def cancel(self, id: Any) -> dict[str, Any]:
        with self._changed:
            found = self._find(id)
            found.cancel.set()
            if found.status == "waiting":
                found.status = "cancelled"
            self._touch()
            return {"id": found.id}

    def reload(self, version: Any) -> dict[str, Any]:
        """Reads the program again. Choices are kept, and can be run again as long as their ops
        still have the same names."""
        with self._changed:
            self._check_version(version)
            self._change()
            self._jobs.put(self._reload)
            return {}

    def export(self, id: Any) -> dict[str, str]:
        """Returns a choice as compiler options; ``mlir`` is the program with op names, if no file
        has them."""
        with self._changed:
            trial, subject, program = self._find(id).trial, self._subject, self.program()
            own = bool(subject.path) and not program["named"]
            path = subject.path if own else "named.mlir"
            texts = export(trial.overrides, trial.options, subject.backend, path)
            return texts | {"mlir": "" if own else program["mlir"]}

    def close(self) -> None:
        """Stops the running job and the thread."""
        with self._changed:
            for found in self._tries.values():
                found.cancel.set()
            self._loading.set()
        self._jobs.put(None)
        self._thread.join()
        self._worker.stop()

    def _check_version(self, version: Any) -> None:
        if version != self._version:
            raise Stale(
                "another user changed the page: it now shows their choice, and yours was not run; "
                "look at it and run yours again"
            )

    def _find(self, id: Any) -> Try:
        if not isinstance(id, int) or id not in self._tries:
            raise InputError(f"there is no try {id!r}")
        return self._tries[id]

    def _add(self, trial: Trial) -> int:
        with self._changed:
            id, self._next = self._next, self._next + 1
            self._tries[id] = Try(id, trial)
            self._current = id
            old = [t.id for t in self._tries.values() if t.status not in ("waiting", "running")]
            for dropped in old[: max(len(self._tries) - _MOST_TRIES, 0)]:
                del self._tries[dropped]
            self._change()
            self._jobs.put(lambda: self._run(id))
            return id

    def _change(self) -> None:
        self._version += 1
        self._touch()

    def _touch(self) -> None:
        self._revision += 1
        self._changed.notify_all()

    def _work(self) -> None:
        while job := self._jobs.get():
            job()

    def _load(self) -> None:
        try:
            program, error = self._worker.describe(self._loading), ""
        except Error as found:
            program, error = {}, str(found)
        with self._changed:
            self._program, self._error = program or self._program, error
            self._reads += bool(program)
            self._touch()

    def _reload(self) -> None:
        try:
            subject = self._read()
        except Error as error:
            with self._changed:
                self._error = str(error)
                self._touch()
            return
        before, worker = self._worker, Worker(subject, self._time_limit)
        self._worker = worker
        self._load()
        with self._changed:
            if self._error:
                # The page keeps showing the previous state.
                self._worker = before
                worker.stop()
            else:
                self._subject = subject
                before.stop()
                self._add(Trial())

    def _run(self, id: int) -> None:
        with self._changed:
            found = self._tries.get(id)
            if found is None or found.status != "waiting":
                return
            found.status = "running"
            self._touch()
        status, message, result = "done", "", {}
        try:
            if not self._program:
                raise Error(self._error)
            result = self._worker.run(found.trial, found.cancel)
        except Stopped as error:
            status, message = "cancelled", str(error)
        except Error as error:
            status, message = "failed", str(error)
        with self._changed:
            found.status, found.message, found.result = status, message, result
            self._touch()
