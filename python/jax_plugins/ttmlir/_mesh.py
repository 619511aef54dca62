"""The chips of a program: device numbers for JAX, mesh positions for the runtime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ttmlir import Executable, runtime


@dataclass(frozen=True)
class Mesh:
    """``shape`` is the shape of the mesh; ``devices`` holds, for each position, the index of the
    chip in JAX's device assignment."""

    shape: tuple[int, ...]
    devices: tuple[int, ...]

    @staticmethod
    def of(executable: Executable, chips: Sequence[int]) -> Mesh:
        """Returns the mesh of an executable on these chips, in the order of the device
        assignment."""
        program = executable.programs[0]
        ids = program.chip_ids or tuple(chips)
        return Mesh(program.mesh_shape, tuple(map(list(chips).index, ids)))

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """The position of each device of the assignment."""
        return tuple(map(self.devices.index, range(len(self.devices))))

    def join(self, shards: Sequence[runtime.Tensor]) -> runtime.Tensor:
        """Combines tensors of the chips, in the order of the device assignment, into one of the
        mesh."""
        if len(shards) == 1:
            return shards[0]
        shards = [shards[d] for d in self.devices]
        # A program of TTMetal moves a row-major input to the chips itself. An input that other
        # programs produced on some of the chips then goes through the host.
        if len({shard.is_on_device for shard in shards}) > 1:
            shards = [runtime.to_host(shard) for shard in shards]
        return runtime.combine_device_tensors(shards, self.shape)

    def split(self, tensor: runtime.Tensor) -> Sequence[runtime.Tensor]:
        """Returns the tensors of the chips in the order of the device assignment."""
        if len(self.devices) == 1:
            return (tensor,)
        shards = runtime.get_shards(tensor)
        # A tensor on the host is the same for all chips.
        return (
            [shards[p] for p in self.positions] if len(shards) > 1 else shards * len(self.devices)
        )
