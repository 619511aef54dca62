"""The processes of ``jax.distributed``, each of which has some of the chips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jax_plugins.ttmlir._errors import Code, PluginError
from ttmlir import mpi


@dataclass(frozen=True)
class Division:
    """The process of each chip, ``owners``, and this one, ``index``. Without ``jax.distributed``,
    this process has all chips."""

    index: int
    owners: tuple[int, ...]

    @property
    def ranks(self) -> list[int]:
        """The rank that emulates each chip for this process."""
        return list(self.owners) if self.is_divided else [mpi.rank()] * len(self.owners)

    @property
    def is_divided(self) -> bool:
        return len(set(self.owners)) > 1

    def is_own(self, chip: int) -> bool:
        return self.owners[chip] == self.index

    def check(self, name: str, chips: Sequence[int]) -> None:
        """Checks the chips of a program.

        Raises:
            PluginError: they are not those of this process, or some of each process.
        """
        found = sorted({self.owners[chip] for chip in chips})
        if found != [self.index] and found != sorted(set(self.owners)):
            raise PluginError(
                Code.INVALID_ARGUMENT,
                f"{name}: expected devices of process {self.index}, which compiles the program, or "
                f"of all {len(set(self.owners))} processes, found devices of "
                f"process{'es' if len(found) > 1 else ''} {', '.join(map(str, found))}",
            )


def divide(num_chips: int) -> Division:
    """Divides the chips among the processes of ``jax.distributed``, if it is initialized: the first
    ones are those of process 0, and so on.

    Raises:
        PluginError: the processes are not the ranks of ``ttmlir.mpi``, or do not divide the chips.
    """
    from jax._src import distributed

    state = distributed.global_state
    if state.client is None:
        return Division(0, (0,) * num_chips)
    index, count = int(state.process_id), int(state.num_processes)
    if (index, count) != (mpi.rank(), mpi.size()):
        raise PluginError(
            Code.FAILED_PRECONDITION,
            f"process {index} of {count} of jax.distributed is rank {mpi.rank()} of {mpi.size()} "
            f"of ttmlir.mpi: run mpirun -n {count} python -m ttmlir.mpi script.py, and call "
            "jax.distributed.initialize() without arguments",
        )
    if num_chips % count:
        raise PluginError(
            Code.INVALID_ARGUMENT,
            f"process {index} of {count}: expected a system whose chips the processes divide, "
            f"found one of {num_chips} chip{'s' if num_chips > 1 else ''}",
        )
    return Division(index, tuple(chip * count // num_chips for chip in range(num_chips)))
