"""Declarations of a program of kernels: tensors, buffers, semaphores, and kernels on cores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ttmlir._targets import SystemDescLike, resolve
from ttmlir.kernel import _formats
from ttmlir.kernel._device_layout import Machine
from ttmlir.kernel._errors import BuildError
from ttmlir.kernel._kernels import Kernel
from ttmlir.kernel._resources import (
    CircularBuffer,
    CoreRange,
    Cores,
    Semaphore,
    Tensor,
    to_range,
    to_word,
)

MAX_SEMAPHORES = 16


@dataclass(frozen=True)
class Use:
    """A kernel on cores, with the arguments of its function."""

    kernel: Kernel
    cores: CoreRange
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]


@dataclass
class Dispatch:
    """Kernels that run concurrently, and their shared resources."""

    uses: list[Use] = field(default_factory=list)
    buffers: list[CircularBuffer] = field(default_factory=list)
    semaphores: list[Semaphore] = field(default_factory=list)


class Declarations:
    """The declarations of a ``Program``. Each is checked immediately, against the chip."""

    def __init__(
        self,
        name: str = "main",
        *,
        cores: Cores = (1, 1),
        mesh: Sequence[int] = (1, 1),
        target: str = "n150",
        system_desc: SystemDescLike | None = None,
    ) -> None:
        self.name = name
        self.mesh = tuple(mesh)
        if not self.mesh or min(self.mesh) < 1:
            raise BuildError(f"mesh: expected positive extents, found {self.mesh}")
        self.chips = math.prod(self.mesh)
        self.system_desc = resolve(target, system_desc)
        self.machine = Machine(self.system_desc)
        self.cores = self.machine.check(to_range(cores))
        self.tensors: list[Tensor] = []
        self.dispatches = [Dispatch()]

    def input(
        self,
        name: str,
        shape: Sequence[int],
        dtype: Any = "bf16",
        *,
        layout: str = "tile",
        memory: str = "dram",
        grid: tuple[int, int] = (1, 1),
    ) -> Tensor:
        """Declares an input of ``run``.

        Args:
            name: the keyword of ``run``.
            shape: its extents.
            dtype: ``f32``, ``bf16``, ``bfp8_b`` and so on, or a dtype of numpy.
            layout: ``tile``, or ``row_major``: pages are rows of the last dimension.
            memory: ``dram``: pages interleaved over all banks; or ``l1``: a shard on every core of
                ``grid``.
            grid: rows and columns of cores that have shards, starting at core (0, 0).
        """
        return self._tensor(name, shape, dtype, layout, memory, grid, "input")

    def output(
        self,
        name: str,
        shape: Sequence[int],
        dtype: Any = "bf16",
        *,
        layout: str = "tile",
        memory: str = "dram",
        grid: tuple[int, int] = (1, 1),
    ) -> Tensor:
        """Declares a tensor that the kernels write and ``run`` returns. See ``input``."""
        return self._tensor(name, shape, dtype, layout, memory, grid, "output")

    def scratch(
        self,
        name: str,
        shape: Sequence[int],
        dtype: Any = "bf16",
        *,
        layout: str = "tile",
        memory: str = "dram",
        grid: tuple[int, int] = (1, 1),
    ) -> Tensor:
        """Declares a tensor that only the kernels use. See ``input``."""
        return self._tensor(name, shape, dtype, layout, memory, grid, "scratch")

    def circular_buffer(
        self,
        port: str,
        dtype: Any = "bf16",
        *,
        pages: int = 2,
        page_size: int | None = None,
        cores: Cores | None = None,
        tensor: Tensor | None = None,
    ) -> CircularBuffer:
        """Declares a queue of pages between the kernels of a core.

        Args:
            port: ``in0`` to ``in7``, ``dfl0`` to ``dfl7``, ``out0`` to ``out7`` or ``int0`` to
                ``int7``.
            dtype: of the elements.
            pages: its capacity.
            page_size: bytes of a row-major page; by default a page is a tile.
            cores: the cores with this buffer; by default those of the program.
            tensor: a tensor in L1 whose shards provide the buffer's memory, format and
                pages.
        """
        dispatch = self.dispatches[-1]
        member = _formats.port(port)
        if any(member is other.port for other in dispatch.buffers):
            raise BuildError(f"port: '{port}' is used by another circular buffer")
        where = self.cores if cores is None else self.machine.check(to_range(cores))
        if tensor is not None:
            buffer = self._alias(port, member, tensor)
        else:
            name, tile = _formats.name(dtype), page_size is None
            size = _formats.tile_bytes(name) if page_size is None else page_size
            _formats.check_page(name, size, pages, tile)
            buffer = CircularBuffer(port, member, name, tile, pages, size, where)
        dispatch.buffers.append(buffer)
        self._declared()
        return buffer

    def semaphore(self, initial: int = 0) -> Semaphore:
        """Declares a word in L1 of every core, ``initial`` when the kernels start."""
        found = self.dispatches[-1].semaphores
        if len(found) == MAX_SEMAPHORES:
            raise BuildError(f"expected at most {MAX_SEMAPHORES} semaphores, found one more")
        found.append(Semaphore(len(found), to_word(initial)))
        self._declared()
        return found[-1]

    def add(
        self,
        kernel: Kernel,
        *arguments: Any,
        cores: Cores | None = None,
        **keywords: Any,
    ) -> None:
        """Runs a kernel on cores.

        Args:
            kernel: a function with a decorator of this module, or the result of ``parse``.
            arguments, keywords: arguments of its function: tensors, circular buffers, semaphores
            and
                any Python objects, known while the kernel is built; and results of ``runtime``,
                ``per_core``, ``common`` and ``compile_time``, which the function gets as values of
                the kernel.
            cores: by default those of the program.
        """
        if not isinstance(kernel, Kernel):
            raise BuildError(
                "expected a kernel, such as a function decorated with @kernel.data_movement(), "
                f"found {type(kernel).__name__}"
            )
        where = self.cores if cores is None else self.machine.check(to_range(cores))
        for other in self.dispatches[-1].uses:
            same_thread = other.kernel.config.thread == kernel.config.thread
            if same_thread and other.cores.overlap(where):
                raise BuildError(
                    f"the kernels '{other.kernel.name}' on {other.cores} and '{kernel.name}' on "
                    f"{where} share cores: expected one {kernel.config.thread} kernel a core"
                )
        self.dispatches[-1].uses.append(Use(kernel, where, arguments, keywords))
        self._declared()

    def then(self) -> None:
        """Starts a new dispatch: kernels added from here on run after the earlier ones, with
        circular buffers and semaphores of their own."""
        self.dispatches.append(Dispatch())
        self._declared()

    def _declared(self) -> None:
        """Called after each declaration: discards the module built before."""

    def _tensor(
        self,
        name: str,
        shape: Sequence[int],
        dtype: Any,
        layout: str,
        memory: str,
        grid: tuple[int, int],
        role: str,
    ) -> Tensor:
        if not isinstance(name, str) or not name.isidentifier():
            raise BuildError(f"expected a name that is a Python identifier, found {name!r}")
        if any(other.name == name for other in self.tensors):
            raise BuildError(f"expected a unique name for every tensor, found '{name}' twice")
        tensor = self.machine.place(
            name, tuple(shape), _formats.name(dtype), layout, memory, grid, role
        )
        self.tensors.append(tensor)
        self._declared()
        return tensor

    def _alias(self, port: str, member: Any, tensor: Tensor) -> CircularBuffer:
        if tensor not in self.tensors:
            raise BuildError(f"expected a tensor of the program, found {tensor} of another program")
        if tensor.memory != "l1":
            raise BuildError(f"expected a tensor in l1 under a circular buffer, found {tensor}")
        rows, columns = tensor.shard
        return CircularBuffer(
            port,
            member,
            tensor.dtype,
            tensor.tiled,
            rows * columns,
            tensor.page_size,
            CoreRange(0, 0, *tensor.grid),
            tensor,
        )
