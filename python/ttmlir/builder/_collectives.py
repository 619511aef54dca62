"""Collective operations of the chips of a mesh.

Between ``mesh_shard`` and ``mesh_gather``, tensors are those of one chip. ``cluster_axis`` is the
mesh axis along which chips communicate: on a mesh of 2x4, axis 1 makes two groups of four.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import overload

from ttmlir._mlir_literals import array, integer
from ttmlir.builder._functions import Functions
from ttmlir.builder._tensor import Tensor

REDUCE_TYPES = ("sum", "mean", "max", "min")


class CollectiveOps(Functions):
    """Shards of tensors, and collectives between the chips of ``mesh_shape``."""

    # Between the host and the chips --------------------------------------------------------------

    def mesh_shard(
        self, x: Tensor, shard_dims: Sequence[int | None], *, name: str | None = None
    ) -> Tensor:
        """Splits a host tensor into shards, one for each chip.

        Args:
            x: a tensor of the whole mesh.
            shard_dims: for each axis of the mesh, the dimension of ``x`` to split along it, or None
                to replicate. All None replicates the tensor on all chips.
            name: of the location.

        Returns:
            The shard of one chip: split extents are divided by the number of chips along the axis.

        Raises:
            ValueError: an extent is not divisible by the number of chips.

        Example:
            >>> import ttmlir
            >>> b = ttmlir.Builder(mesh_shape=(2, 4))
            >>> b.mesh_shard(b.input("x", (8192, 784)), (0, 1)).shape
            (4096, 196)
        """
        counts = self._shards("mesh_shard", x, shard_dims)
        return self._mesh_shard(x, shard_dims, counts, "full_to_shard", name)

    def mesh_gather(
        self, x: Tensor, shard_dims: Sequence[int | None], *, name: str | None = None
    ) -> Tensor:
        """Assembles a host tensor from the shards of the chips, the inverse of ``mesh_shard``.

        Args:
            x: the tensor of each chip.
            shard_dims: for each axis of the mesh, the dimension to concatenate along it, or None if
                all chips along the axis have the same data.
            name: of the location.

        Example:
            >>> import ttmlir
            >>> b = ttmlir.Builder(mesh_shape=(1, 2))
            >>> x = b.mesh_shard(b.input("x", (32, 64)), (None, 1))
            >>> b.mesh_gather(b.relu(x), (None, 1)).shape
            (32, 64)
        """
        counts = self._shards("mesh_gather", x, shard_dims)
        return self._mesh_shard(x, shard_dims, counts, "shard_to_full", name)

    def _shards(self, op: str, x: Tensor, shard_dims: Sequence[int | None]) -> list[int]:
        """Returns the number of shards of each dimension."""
        self._check_inputs(op, (x,))
        is_list = isinstance(shard_dims, Sequence) and not isinstance(shard_dims, str)
        if not is_list or len(shard_dims) != len(self.mesh_shape):
            self._check_mesh(op)
            raise ValueError(
                f"{op}: expected a dimension or None for each axis of the mesh "
                f"{_mesh(self.mesh_shape)}, found {shard_dims!r}"
            )
        counts = [1] * x.rank
        for dim, chips in zip(shard_dims, self.mesh_shape, strict=True):
            if dim is None:
                continue
            # A negative one would mean the last dimension here, but no dimension in the IR.
            if not isinstance(dim, int) or not 0 <= dim < x.rank:
                raise ValueError(
                    f"{op}: expected a dimension from 0 to {x.rank - 1}, or None, for each axis of "
                    f"the mesh {_mesh(self.mesh_shape)}, found {dim!r}"
                )
            counts[dim] *= chips
        return counts

    def _mesh_shard(
        self,
        x: Tensor,
        shard_dims: Sequence[int | None],
        counts: Sequence[int],
        direction: str,
        name: str | None,
    ) -> Tensor:
        dims = [-1 if d is None else d for d in shard_dims]
        kind = "replicate" if all(d < 0 for d in dims) else "devices"
        attributes = {
            "shard_type": f"#tt.shard_type<{kind}>",
            "shard_direction": f"#tt.shard_direction<{direction}>",
            "shard_shape": array("i64", counts),
            "shard_dims": array("i64", dims),
        }
        return self._build("mesh_shard", (x,), attributes, name=name)

    # Along an axis of the mesh -------------------------------------------------------------------

    @overload
    def all_gather(
        self, x: Tensor, dim: int, cluster_axis: int, *, name: str | None = None
    ) -> Tensor: ...
    @overload
    def all_gather(
        self, x: Sequence[Tensor], dim: int, cluster_axis: int, *, name: str | None = None
    ) -> tuple[Tensor, ...]: ...
    def all_gather(
        self, x: Tensor | Sequence[Tensor], dim: int, cluster_axis: int, *, name: str | None = None
    ) -> Tensor | tuple[Tensor, ...]:
        """Concatenates the tensors of a group of chips along ``dim``, on each of them.

        Args:
            x: the tensor of each chip; for a sequence, one op gathers each of them.
            dim: dimension; a negative one counts from the end.
            cluster_axis: axis of the mesh along which the chips of a group lie.
            name: of the location.

        Example:
            >>> import ttmlir
            >>> b = ttmlir.Builder(mesh_shape=(1, 4))
            >>> x = b.mesh_shard(b.input("x", (32, 256)), (None, 1))
            >>> x.shape, b.all_gather(x, -1, cluster_axis=1).shape
            ((32, 64), (32, 256))
        """
        attributes = {
            "all_gather_dim": integer("si32", dim),
            "cluster_axis": self._axis("all_gather", cluster_axis),
        }
        return self._of_each("all_gather", x, attributes, name)

    @overload
    def reduce_scatter(
        self,
        x: Tensor,
        dim: int,
        cluster_axis: int,
        reduce: str = "sum",
        *,
        name: str | None = None,
    ) -> Tensor: ...
    @overload
    def reduce_scatter(
        self,
        x: Sequence[Tensor],
        dim: int,
        cluster_axis: int,
        reduce: str = "sum",
        *,
        name: str | None = None,
    ) -> tuple[Tensor, ...]: ...
    def reduce_scatter(
        self,
        x: Tensor | Sequence[Tensor],
        dim: int,
        cluster_axis: int,
        reduce: str = "sum",
        *,
        name: str | None = None,
    ) -> Tensor | tuple[Tensor, ...]:
        """Reduces the tensors of a group and scatters the result along ``dim``: chip i gets part i.

        Args:
            x: the tensor of each chip; for a sequence, one op reduces each of them.
            dim: dimension to scatter; a negative one counts from the end.
            cluster_axis: axis of the mesh along which the chips of a group lie.
            reduce: ``sum``, ``mean``, ``max`` or ``min``.
            name: of the location.

        Raises:
            ValueError: the extent is not divisible by the group size.

        Example:
            >>> import ttmlir
            >>> b = ttmlir.Builder(mesh_shape=(1, 4))
            >>> x = b.mesh_shard(b.input("x", (32, 256)), (None, None))
            >>> b.reduce_scatter(x, 1, cluster_axis=1).shape
            (32, 64)
        """
        attributes = {
            "reduce_type": _reduce_type("reduce_scatter", reduce),
            "scatter_dim": integer("si32", dim),
            "cluster_axis": self._axis("reduce_scatter", cluster_axis),
        }
        return self._of_each("reduce_scatter", x, attributes, name)

    @overload
    def all_reduce(
        self, x: Tensor, cluster_axis: int, reduce: str = "sum", *, name: str | None = None
    ) -> Tensor: ...
    @overload
    def all_reduce(
        self,
        x: Sequence[Tensor],
        cluster_axis: int,
        reduce: str = "sum",
        *,
        name: str | None = None,
    ) -> tuple[Tensor, ...]: ...
    def all_reduce(
        self,
        x: Tensor | Sequence[Tensor],
        cluster_axis: int,
        reduce: str = "sum",
        *,
        name: str | None = None,
    ) -> Tensor | tuple[Tensor, ...]:
        """Reduces the tensors of a group element by element, with the result on each chip.

        Args:
            x: the tensor of each chip; for a sequence, one op reduces each of them.
            cluster_axis: axis of the mesh along which the chips of a group lie.
            reduce: ``sum``, ``mean``, ``max`` or ``min``.
            name: of the location.

        Example:
            >>> import ttmlir
            >>> b = ttmlir.Builder(mesh_shape=(1, 2))
            >>> x = b.mesh_shard(b.input("x", (32, 64)), (None, 1))
            >>> w = b.mesh_shard(b.input("w", (64, 96)), (None, 0))
            >>> b.all_reduce(b.matmul(x, w), cluster_axis=1).shape
            (32, 96)
        """
        attributes = {
            "reduce_type": _reduce_type("all_reduce", reduce),
            "cluster_axis": self._axis("all_reduce", cluster_axis),
        }
        return self._of_each("all_reduce", x, attributes, name)

    def mesh_partition(
        self, x: Tensor, dim: int, cluster_axis: int | None = None, *, name: str | None = None
    ) -> Tensor:
        """Returns part i along ``dim`` of each chip's own tensor on chip i of a group, without
        communication.

        Args:
            x: the tensor of each chip.
            dim: dimension; a negative one counts from the end.
            cluster_axis: axis of the mesh along which the chips of a group lie; None for one group
                of all chips, in row-major order.
            name: of the location.

        Raises:
            ValueError: the extent is not divisible by the group size.

        Example:
            >>> import ttmlir
            >>> b = ttmlir.Builder(mesh_shape=(2, 4))
            >>> x = b.mesh_shard(b.input("x", (32, 256)), (None, None))
            >>> b.mesh_partition(x, 1, cluster_axis=0).shape, b.mesh_partition(x, 1).shape
            ((32, 128), (32, 32))
        """
        attributes = {"dim": integer("si32", dim)}
        if cluster_axis is not None:
            attributes["cluster_axis"] = self._axis("mesh_partition", cluster_axis)
        return self._build("mesh_partition", (x,), attributes, name=name)

    # Between positions of the mesh ---------------------------------------------------------------

    def collective_permute(
        self, x: Tensor, source_target_pairs: Sequence[tuple[int, int]], *, name: str | None = None
    ) -> Tensor:
        """Sends tensors from chip to chip; a chip that is no target gets zeros.

        Args:
            x: the tensor of each chip.
            source_target_pairs: pairs of row-major mesh positions: the sending chip and the
                receiving one.
            name: of the location.

        Example:
            >>> import ttmlir
            >>> b = ttmlir.Builder(mesh_shape=(1, 2))
            >>> x = b.mesh_shard(b.input("x", (32, 64)), (None, 1))
            >>> b.collective_permute(x, [(0, 1), (1, 0)]).shape
            (32, 32)
        """
        attributes = {"source_target_pairs": _rows("source_target_pairs", source_target_pairs, 2)}
        return self._build("collective_permute", (x,), attributes, name=name)

    def all_to_all(
        self,
        x: Tensor,
        split_dim: int,
        concat_dim: int,
        replica_groups: Sequence[Sequence[int]],
        *,
        name: str | None = None,
    ) -> Tensor:
        """Exchanges parts of tensors between the chips of a group.

        Each chip splits its tensor along ``split_dim`` into as many parts as its group has chips
        and sends part i to chip i; it concatenates the parts that it receives along ``concat_dim``.

        Args:
            x: the tensor of each chip.
            split_dim: dimension to split.
            concat_dim: dimension to concatenate.
            replica_groups: row-major mesh positions of the chips of each group; all groups have
                the same size, and every chip is in one.
            name: of the location.

        Raises:
            ValueError: the extent is not divisible by the group size.

        Example:
            >>> import ttmlir
            >>> b = ttmlir.Builder(mesh_shape=(1, 2))
            >>> x = b.mesh_shard(b.input("x", (128, 64)), (None, 0))
            >>> x.shape, b.all_to_all(x, 1, 0, [[0, 1]]).shape
            ((64, 64), (128, 32))
        """
        groups = _rows("replica_groups", replica_groups)
        attributes = {
            "split_dim": integer("si32", split_dim),
            "concat_dim": integer("si32", concat_dim),
            "split_count": integer("si32", len(replica_groups[0]) if replica_groups else 0),
            "replica_groups": groups,
        }
        return self._build("all_to_all", (x,), attributes, name=name)

    def collective_broadcast(
        self, x: Tensor, replica_groups: Sequence[Sequence[int]], *, name: str | None = None
    ) -> Tensor:
        """Copies the tensor of the first chip of each group to its chips; all other chips get
        zeros.

        Args:
            x: the tensor of each chip.
            replica_groups: row-major mesh positions of the chips of each group; all groups
                have the same size.
            name: of the location.

        Example:
            >>> import ttmlir
            >>> b = ttmlir.Builder(mesh_shape=(1, 2))
            >>> x = b.mesh_shard(b.input("x", (32, 64)), (None, 1))
            >>> b.collective_broadcast(x, [[0, 1]]).shape
            (32, 32)
        """
        attributes = {"replica_groups": _rows("replica_groups", replica_groups)}
        return self._build("collective_broadcast", (x,), attributes, name=name)

    # Helpers -------------------------------------------------------------------------------------

    def _axis(self, op: str, cluster_axis: int) -> str:
        """Returns the attribute of a mesh axis, after checking it."""
        self._check_mesh(op)
        try:
            return integer("ui32", cluster_axis)
        except (TypeError, ValueError) as error:
            raise type(error)(f"cluster_axis: {error}") from None

    def _check_mesh(self, op: str) -> None:
        if not self.mesh_shape:
            raise ValueError(f"{op}: expected a mesh, ttmlir.Builder(mesh_shape=...), found none")

    def _of_each(
        self,
        op: str,
        x: Tensor | Sequence[Tensor],
        attributes: dict[str, str],
        name: str | None,
    ) -> Tensor | tuple[Tensor, ...]:
        """Builds a collective of one tensor, or of several at once."""
        tensors = (x,) if isinstance(x, Tensor) else tuple(x)
        if not tensors:
            raise ValueError(f"{op}: expected at least one tensor")
        dtypes = [t.dtype for t in tensors]
        results = self._build_all(op, tensors, attributes, dtypes, name, segments=(len(tensors),))
        return results[0] if isinstance(x, Tensor) else results


def _mesh(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "1x1"


def _reduce_type(op: str, reduce: str) -> str:
    if reduce not in REDUCE_TYPES:
        raise ValueError(
            f"{op}: expected reduce to be one of {', '.join(REDUCE_TYPES)}, found {reduce!r}"
        )
    return f"#tt.reduce_type<{reduce}>"


def _rows(what: str, rows: Sequence[Sequence[int]], size: int | None = None) -> str:
    """Formats ``dense<[[0, 1]]> : tensor<1x2xi64>``: rows of ``size`` mesh positions, by default as
    many as in the first row."""
    try:
        found = [tuple(map(index, row)) for row in rows]
    except TypeError:
        raise TypeError(f"{what}: expected rows of positions in the mesh, found {rows!r}") from None
    size = size if size is not None else len(found[0]) if found else 0
    for row in found:
        if len(row) != size:
            raise ValueError(f"{what}: expected rows of {size} positions in the mesh, found {row}")
    text = ", ".join(f"[{', '.join(map(str, row))}]" for row in found)
    return f"dense<{f'[{text}]' if text else ''}> : tensor<{len(found)}x{size}xi64>"
