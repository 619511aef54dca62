"""The state of cores and threads while a program is stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import ml_dtypes
import numpy as np

from ttmlir import _runtime as native
from ttmlir._formats import FORMATS
from ttmlir._runtime_errors import ArgumentError
from ttmlir.errors import InputError

Array = np.ndarray[Any, np.dtype[Any]]
_Result = TypeVar("_Result")

_NAMES = {f.data_type: name for name, f in FORMATS.items()}
_PORTS = ("in", "dfl", "out", "int")
_SIDE = 32


def checked(call: Callable[[], _Result]) -> _Result:
    """Calls the runtime, whose errors of arguments become an InputError."""
    try:
        return call()
    except ArgumentError as error:
        raise InputError(str(error)) from None


def port_name(port: int) -> str:
    """Returns the name of a circular buffer: ``in0`` for 0, ``out0`` for 16."""
    return f"{_PORTS[port // 8]}{port % 8}"


def decode(data: bytes, dtype: str, tiled: bool = True) -> Array:
    """Decodes a tile, or elements in a row, as float32 or integers.

    Raises:
        InputError: the format is unknown, or the bytes are not those of its elements.
    """
    if dtype not in FORMATS:
        raise InputError(f"expected a format of {', '.join(FORMATS)}, found '{dtype}'")
    form = FORMATS[dtype]
    if not tiled:
        if form.block:
            raise InputError(f"{dtype} exists only in tiles")
        element = np.dtype(ml_dtypes.bfloat16 if form.numpy == "bfloat16" else form.numpy)
        found: Array = np.frombuffer(
            data[: len(data) // element.itemsize * element.itemsize], element
        )
        return found if found.dtype.kind in "iu" else found.astype(np.float32)
    if len(data) < form.tile_bytes:
        raise InputError(
            f"expected the {form.tile_bytes} bytes of a tile of {dtype}, found {len(data)}"
        )
    if np.dtype(form.numpy if form.numpy != "bfloat16" else "f4").kind in "iu":
        # Integers of 32 bits are not all floats.
        faces: Array = np.frombuffer(data[: form.tile_bytes], form.numpy).reshape(2, 2, 16, 16)
        rows: Array = faces.transpose(0, 2, 1, 3).reshape(_SIDE, _SIDE)
        return rows
    kind = native.DataType[form.data_type]
    tile: Any = native.unpack_tiles(data[: form.tile_bytes], _SIDE, _SIDE, kind)
    return np.asarray(tile)


def line_of(location: str) -> str:
    """Returns ``file:line`` of ``file:line:column``."""
    parts = location.rsplit(":", 2)
    return ":".join(parts[:2]) if len(parts) == 3 and parts[1].isdigit() else location


@dataclass(frozen=True)
class Breakpoint:
    """A breakpoint. ``line`` is as given, ``places`` are the lines where it stops in the kernels
    that run now; none if they have no such line."""

    id: int
    line: str
    kernel: str
    thread: str
    core: tuple[int, int] | None
    device: int
    enabled: bool
    once: bool
    hits: int
    places: tuple[str, ...]

    @classmethod
    def from_runtime(cls, raw: native.DebugBreakpoint) -> Breakpoint:
        """Creates a breakpoint from the runtime's."""
        device, *core = raw.core or (0, -1, -1)
        return cls(
            raw.id,
            f"{raw.file}:{raw.line}" if raw.file else "",
            raw.kernel,
            raw.thread,
            (core[0], core[1]) if raw.core else None,
            device,
            raw.enabled,
            raw.once,
            raw.hits,
            tuple(raw.places),
        )

    def __str__(self) -> str:
        parts = [self.line or "the start"]
        if self.kernel:
            parts.append(f"of kernel {self.kernel}")
        if self.thread:
            parts.append(f"on {self.thread}")
        if self.core is not None:
            parts.append(f"of core ({self.core[0]}, {self.core[1]})")
            if self.device:
                parts.append(f"of device {self.device}")
        return " ".join(parts)


@dataclass(frozen=True)
class Thread:
    """A thread of a core (row, column): ``noc0``, ``noc1`` or ``compute``.

    ``location`` and ``instruction`` are those of the next instruction, ``engine`` is the one that
    executes it (``unpack``, ``math`` or ``pack``, of a compute thread). ``state`` is ``ready``,
    ``waiting`` or ``ended``; while it waits, ``waits_for`` describes for what, and ``suppliers``
    the threads that could supply it. ``waypoint`` is the last one that a C++ kernel has set, and
    ``steps`` counts executed instructions.
    """

    core: tuple[int, int]
    name: str
    device: int
    kernel: str
    location: str
    instruction: str
    opcode: str
    engine: str
    state: str
    waits_for: str
    suppliers: tuple[str, ...]
    waypoint: str
    steps: int

    @classmethod
    def from_runtime(cls, raw: native.DebugThread) -> Thread:
        """Creates a thread from the runtime's."""
        device, y, x, name = raw.place
        return cls(
            (y, x),
            name,
            device,
            raw.kernel,
            raw.location,
            raw.instruction,
            raw.opcode,
            raw.engine,
            raw.state,
            raw.waits_for,
            tuple(raw.suppliers),
            raw.waypoint,
            raw.steps,
        )

    @property
    def line(self) -> str:
        """``file:line`` of the next instruction."""
        return line_of(self.location)

    @property
    def place(self) -> tuple[int, int, int, str]:
        """Device, row, column and name."""
        return self.device, *self.core, self.name

    def __str__(self) -> str:
        where = f"{self.kernel} on {self.name} of core ({self.core[0]}, {self.core[1]})"
        return where + (f" of device {self.device}" if self.device else "")


@dataclass(frozen=True)
class Register:
    """A destination register that was written: 32x32 numbers of ``kind`` f32, i32 or u32, in the
    ``section`` of the matrix engine (``math``) or of the packer (``pack``)."""

    section: str
    index: int
    kind: str
    values: Array


@dataclass(frozen=True)
class Buffer:
    """A circular buffer of a core. Sizes and the address are in bytes, the other numbers in pages.

    ``available`` pages can be waited for, ``room`` can be reserved. The consumer has waited for
    ``waited`` pages from ``read_page`` on, and the producer has reserved ``reserved`` pages from
    ``write_page`` on. ``pushed`` and ``popped`` count since the start of the kernels.
    """

    name: str
    port: int
    address: int
    page_size: int
    pages: int
    dtype: str
    tiled: bool
    available: int
    room: int
    read_page: int
    write_page: int
    waited: int
    reserved: int
    pushed: int
    popped: int
    producer: str
    consumer: str
    data: bytes

    def page(self, index: int) -> Array:
        """Decodes the page at a position of the buffer, from 0: its first tile of 32x32 numbers,
        or a row of elements.

        Raises:
            InputError: there is no such page.
        """
        if not 0 <= index < self.pages:
            raise InputError(f"{self.name}: expected a page below {self.pages}, found {index}")
        begin = index * self.page_size
        return decode(self.data[begin : begin + self.page_size], self.dtype, self.tiled)

    @property
    def front(self) -> tuple[Array, ...]:
        """The pages that were pushed and not popped, first the next one to pop."""
        return tuple(
            self.page((self.read_page + i) % self.pages)
            for i in range(min(self.available, self.pages))
        )


class Core:
    """The state of a core while the program is stopped; every property reads it anew."""

    def __init__(self, debugger: native.Debugger, place: tuple[int, int, int]) -> None:
        self._debugger = debugger
        self._place = place

    @property
    def buffers(self) -> Mapping[str, Buffer]:
        """The circular buffers by name: ``in0`` is 0, ``dfl0`` 8, ``out0`` 16, ``int0`` 24."""
        return {
            port_name(b.port): Buffer(
                port_name(b.port),
                b.port,
                b.address,
                b.page_size,
                b.pages,
                _NAMES[b.dtype.name],
                b.tiled,
                b.available,
                b.room,
                b.read_page,
                b.write_page,
                b.waited,
                b.reserved,
                b.pushed,
                b.popped,
                b.producer,
                b.consumer,
                self.l1(b.address, b.pages * b.page_size),
            )
            for b in self._debugger.buffers(self._place)
        }

    @property
    def semaphores(self) -> Mapping[int, int]:
        """Values of the program's semaphores, by id."""
        return {s.id: s.value for s in self._debugger.semaphores(self._place)}

    @property
    def registers(self) -> tuple[Register, ...]:
        """The destination registers that were written."""
        types = {"f32": np.float32, "i32": np.int32, "u32": np.uint32}
        return tuple(
            Register(
                r.section,
                r.index,
                r.kind,
                np.frombuffer(r.words, types[r.kind]).reshape(_SIDE, _SIDE),
            )
            for r in self._debugger.registers(self._place)
        )

    def l1(self, address: int, size: int) -> bytes:
        """Reads bytes of L1.

        Raises:
            InputError: the L1 does not have them.
        """
        if address < 0 or size < 0:
            raise InputError(f"expected bytes of an L1, found {size} at {address}")
        return checked(lambda: self._debugger.read_l1(self._place, address, size))

    def tile(self, address: int, dtype: str = "bf16") -> Array:
        """Decodes a tile of L1 as 32x32 numbers.

        Raises:
            InputError: the format is unknown, or the L1 does not have the bytes.
        """
        if dtype not in FORMATS:
            raise InputError(f"expected a format of {', '.join(FORMATS)}, found '{dtype}'")
        return decode(self.l1(address, FORMATS[dtype].tile_bytes), dtype)
