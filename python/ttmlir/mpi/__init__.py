"""Systems of chips emulated by several processes, on one or more hosts.

    mpirun -n 8 python -m ttmlir.mpi script.py

runs the script in 8 processes, the *ranks*. Each of them has an equal part of the chips of a mesh:
it keeps their tensors, runs their share of each program, and exchanges the data of collectives
with the others by MPI. Results and modelled times are the same as in one process.

A script that calls ``jax.distributed.initialize()`` has the ranks as processes of JAX.
"""

from __future__ import annotations

__all__ = ["rank", "size"]

# The number of this process and of all, which `python -m ttmlir.mpi` sets.
_place = (0, 1)


def rank() -> int:
    """Returns the number of this process among the ranks; 0 in a script that runs without MPI."""
    return _place[0]


def size() -> int:
    """Returns the number of ranks; 1 in a script that runs without MPI."""
    return _place[1]


def _set_place(rank: int, size: int) -> None:
    global _place
    _place = (rank, size)
