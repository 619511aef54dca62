"""The chips of a program: device numbers for JAX, mesh positions for the runtime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jax_plugins.ttmlir._processes import Division
from ttmlir import Executable, _runtime, runtime


@dataclass(frozen=True)
class Mesh:
    """``shape`` is the shape of the mesh, and ``chips`` has the number of the chip at each
    position; ``positions`` are those of this process, in the order of JAX's device assignment."""

    shape: tuple[int, ...]
    chips: tuple[int, ...]
    positions: tuple[int, ...]

    @staticmethod
    def of(executable: Executable, chips: Sequence[int], division: Division) -> Mesh:
        """Returns the mesh of an executable on these chips, in the order of the device
        assignment."""
        program = executable.programs[0]
        ids = program.chip_ids or tuple(chips)
        positions = tuple(ids.index(chip) for chip in chips if division.is_own(chip))
        return Mesh(program.mesh_shape, ids, positions)

    @property
    def is_divided(self) -> bool:
        """Whether other processes have chips of the mesh."""
        return len(self.positions) < len(self.chips)

    def join(self, shards: Sequence[runtime.Tensor], device: runtime.Device) -> runtime.Tensor:
        """Combines tensors of the chips of this process, in the order of the device assignment,
        into one of the mesh."""
        if len(self.chips) == 1:
            return shards[0]
        # A program of TTMetal moves a row-major input to the chips itself. An input that other
        # programs produced on some of the chips then goes through the host.
        if len({shard.is_on_device for shard in shards}) > 1:
            shards = [runtime.to_host(shard) for shard in shards]
        placed: list[runtime.Tensor | None] = [None] * len(self.chips)
        for position, shard in zip(self.positions, shards, strict=True):
            placed[position] = shard
        return _runtime.combine_own_tensors(placed, self.shape, device, self.chips)

    def split(self, tensor: runtime.Tensor) -> Sequence[runtime.Tensor]:
        """Returns the tensors of the chips of this process in the order of the device
        assignment."""
        if len(self.chips) == 1:
            return (tensor,)
        shards = _runtime.get_own_shards(tensor)
        # A tensor on the host is the same for all chips.
        if len(shards) == 1:
            shards *= len(self.chips)
        return [shard for p in self.positions if (shard := shards[p]) is not None]
