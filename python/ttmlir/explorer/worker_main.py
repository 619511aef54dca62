"""The child process of ``Worker``: reads a ``Subject`` and ``Trial``s, and answers with the results
of ``Bench`` or an error."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from typing import BinaryIO

from ttmlir.errors import Error
from ttmlir.explorer.evaluation import Bench, Subject


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    bench: Bench | None = None
    answer: tuple[bool, object]
    while True:
        try:
            request = pickle.load(requests)
        except EOFError:
            return
        try:
            if isinstance(request, Subject):
                bench = Bench(request)
                answer = False, bench.describe()
            else:
                assert bench is not None
                answer = False, bench.run(request)
        except Error as error:
            answer = True, str(error)
        except (Exception, AssertionError) as error:
            # A bug of ours: the page reports it and keeps running.
            answer = True, f"{type(error).__name__}: {error}"
        pickle.dump(answer, answers)
        answers.flush()


def main() -> None:
    # Redirect output of libraries to stderr: stdout carries the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    # The server handles Ctrl-C in the terminal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
