"""The chips of a program: numbers of devices for JAX, positions in a mesh for the runtime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ttmlir import Executable, runtime


@dataclass(frozen=True)
class Mesh:
    """``shape`` is that of the mesh; ``devices`` has, for each position, the number of the chip in
    JAX's device assignment of the program."""

    shape: tuple[int, ...]
    devices: tuple[int, ...]

    @staticmethod
    def of(executable: Executable, chips: Sequence[int]) -> Mesh:
        """The mesh of an executable on these chips, in the order of the device assignment."""
        program = executable.programs[0]
        ids = program.chip_ids or tuple(chips)
        return Mesh(program.mesh_shape, tuple(map(list(chips).index, ids)))

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """The position of each device of the assignment."""
        return tuple(map(self.devices.index, range(len(self.devices))))

    def join(self, shards: Sequence[runtime.Tensor]) -> runtime.Tensor:
        """The tensors of the chips, in the order of the device assignment, as one of the mesh."""
        if len(shards) == 1:
            return shards[0]
        shards = [shards[d] for d in self.devices]
        # A program of TTMetal brings an input in rows to the chips itself: then one that other
        # programs have made on some of the chips goes the way of the others.
        if len({shard.is_on_device for shard in shards}) > 1:
            shards = [runtime.to_host(shard) for shard in shards]
        return runtime.combine_device_tensors(shards, self.shape)

    def split(self, tensor: runtime.Tensor) -> Sequence[runtime.Tensor]:
        """The tensors of the chips in the order of the device assignment."""
        if len(self.devices) == 1:
            return (tensor,)
        shards = runtime.get_shards(tensor)
        # One that is on the host is the same for all.
        return (
            [shards[p] for p in self.positions] if len(shards) > 1 else shards * len(self.devices)
        )
