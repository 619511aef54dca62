"""Resources of a program of kernels: cores, tensors, circular buffers, semaphores and arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from ttmlir.dialects.ttkernel import CBPort
from ttmlir.kernel._errors import BuildError

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class CoreRange:
    """A rectangle of cores: the row and column of its first core, and its extents."""

    y: int
    x: int
    rows: int
    columns: int

    def __post_init__(self) -> None:
        if min(self.y, self.x) < 0 or min(self.rows, self.columns) < 1:
            raise BuildError(
                f"expected cores from (0, 0) on and at least one row and column, found {self}"
            )

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns} cores at ({self.y}, {self.x})"

    def __len__(self) -> int:
        return self.rows * self.columns

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yields the cores as (row, column), in row-major order."""
        for y in range(self.y, self.y + self.rows):
            for x in range(self.x, self.x + self.columns):
                yield y, x

    def covers(self, other: CoreRange) -> bool:
        """Whether all cores of ``other`` are in this range."""
        return self.overlap(other) == len(other)

    def overlap(self, other: CoreRange) -> int:
        """Returns the number of cores in both ranges."""
        rows = min(self.y + self.rows, other.y + other.rows) - max(self.y, other.y)
        columns = min(self.x + self.columns, other.x + other.columns) - max(self.x, other.x)
        return max(rows, 0) * max(columns, 0)


#: A range, or (rows, columns) starting at core (0, 0).
Cores = CoreRange | tuple[int, int]


def to_range(cores: Cores) -> CoreRange:
    if isinstance(cores, CoreRange):
        return cores
    if isinstance(cores, Sequence) and len(cores) == 2:
        return CoreRange(0, 0, *cores)
    raise BuildError(f"cores: expected (rows, columns) or a CoreRange, found {cores!r}")


@dataclass(frozen=True, eq=False)
class Tensor:
    """A tensor on the device.

    In DRAM its pages are interleaved over the banks; in L1 every core of ``grid`` has one shard. A
    page is a tile of 32x32 elements, or a row of the last dimension if it is not ``tiled``.

    Attributes:
        address: of the tensor in every bank or core that has a part of it.
        size: bytes in the fullest bank or core.
        page_size: bytes of a page.
        page_rows, page_columns: extents in pages; ``pages`` is their product.
        accessor_args: the page layout, as the text of a ``#ttkernel.tensor_accessor_args``.
        role: ``input``, ``output`` or ``scratch``.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    tiled: bool
    memory: str
    grid: tuple[int, int]
    role: str
    address: int
    size: int
    page_size: int
    aligned_page_size: int
    page_rows: int
    page_columns: int
    accessor_args: str = field(repr=False)

    @property
    def pages(self) -> int:
        return self.page_rows * self.page_columns

    @property
    def shard(self) -> tuple[int, int]:
        """Rows and columns of pages of one core."""
        return self.page_rows // self.grid[0], self.page_columns // self.grid[1]

    def __str__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return f"'{self.name}' of {shape} {self.dtype} in {self.memory}"


@dataclass(frozen=True, eq=False)
class CircularBuffer:
    """A queue of pages between the kernels of a core.

    Attributes:
        pages: its capacity, in pages of ``page_size`` bytes.
        cores: the cores with this buffer.
        tensor: the tensor in L1 whose shards provide its memory, if any.
    """

    name: str
    port: CBPort
    dtype: str
    tiled: bool
    pages: int
    page_size: int
    cores: CoreRange
    tensor: Tensor | None = None

    @property
    def size(self) -> int:
        """Size of the buffer in every core's L1, in bytes."""
        return self.pages * self.page_size


@dataclass(frozen=True, eq=False)
class Semaphore:
    """A word at one address in L1 of every core of the program, ``initial`` when it starts."""

    id: int
    initial: int


@dataclass(frozen=True)
class Argument:
    """A number passed to a kernel at run time instead of being built into it; see
    ``per_core``, ``common`` and ``compile_time``."""

    kind: str
    value: Any = field(default=0)

    def values(self, cores: CoreRange) -> list[int]:
        """Returns one number for all cores, or one for each in row-major order; not for a tensor.

        Raises:
            BuildError: the count is neither 1 nor the number of cores.
        """
        if callable(self.value):
            found = [self.value(y, x) for y, x in cores]
        else:
            found = [int(number) for number in np.asarray(self.value).reshape(-1)]
        if len(found) not in (1, len(cores)):
            raise BuildError(
                f"{self.kind} argument: expected one number or one for each of the {cores}, "
                f"found {len(found)}"
            )
        return [to_word(number) for number in found]


def to_word(number: int) -> int:
    """Returns the 32 bits of a signed or unsigned number."""
    if not hasattr(type(number), "__index__") or not -(1 << 31) <= number < 1 << 32:
        raise BuildError(f"expected a number of 32 bits, found {number!r}")
    return int(number) % (1 << 32)


def runtime(value: int | Tensor) -> Argument:
    """An argument that all cores get when the kernel starts: a number, or the address of a
    tensor."""
    return Argument("runtime", value)


def per_core(values: Sequence[int] | Array | Callable[[int, int], int]) -> Argument:
    """An argument with a separate number for every core: one for each core of the kernel in
    row-major order, or a function of the core's row and column."""
    return Argument("per-core", values)


def common(value: int) -> Argument:
    """An argument that is stored once for all kernels of the program."""
    return Argument("common", value)


def compile_time(value: int) -> Argument:
    """An argument that is compiled into the kernel but keeps its name in the C++."""
    return Argument("compile-time", value)


def padded_rows(shape: Sequence[int], tiled: bool) -> tuple[int, int]:
    """Returns rows and columns of a tensor with leading dimensions collapsed.

    Raises:
        BuildError: matrices that do not end with a tile would share tiles.
    """
    rows, columns = prod(shape[:-1]), shape[-1]
    if tiled and len(shape) > 2 and shape[-2] % 32:
        raise BuildError(
            f"expected a multiple of 32 rows in the matrices of a tiled tensor of rank "
            f"{len(shape)}, found shape {tuple(shape)}"
        )
    return rows, columns
