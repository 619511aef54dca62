"""``mpirun -n 8 python -m ttmlir.mpi script.py``: runs the script on 8 ranks."""

from __future__ import annotations

import argparse
import os
import sys

from ttmlir.mpi._supervisor import PIPES, place_of_environment, supervise


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="mpirun -n RANKS python -m ttmlir.mpi",
        description="Runs a script in several processes, each of which emulates an equal part of "
        "the chips of its meshes.",
    )
    parser.add_argument(
        "--all-output",
        action="store_true",
        help="show what all ranks print, not only rank 0",
    )
    parser.add_argument(
        "--start-timeout",
        type=float,
        default=8.0,
        metavar="SECONDS",
        help="time for all ranks to start (default: 8)",
    )
    parser.add_argument("script", help="path of the script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    options = parser.parse_args()
    pipes = os.environ.pop(PIPES, None)
    place = place_of_environment()
    if pipes is None and place is not None and place.size > 1:
        return supervise(place, sys.argv[1:], options.start_timeout)
    try:
        # Imported here because the process that supervises does not need MPI.
        from ttmlir.mpi import _worker
    except ImportError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return _worker.run(
        options.script,
        options.arguments,
        options.all_output,
        None if pipes is None else _worker.Pipes(*map(int, pipes.split())),
    )


if __name__ == "__main__":
    sys.exit(main())
