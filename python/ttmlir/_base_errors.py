"""Base classes of the exceptions in ``ttmlir.errors`` and of those that the build generates."""

from __future__ import annotations


class Error(Exception):
    """Base of all exceptions that this package raises."""

    __module__ = "ttmlir.errors"


class Fault(Error, RuntimeError):
    """A kernel violated a rule of the chip or of the checks; base of the classes for each kind.

    ``core`` is the row and column in the worker grid, or None. ``thread`` is noc0, noc1 or compute,
    the engine unpack, math or pack, or host for faults found after all kernels have ended.
    ``location`` is the source location of the ``instruction`` in the ``kernel``. ``address`` and
    ``bytes`` give the memory range, 0 bytes if there is none. On a mesh ``device``
    is the position of the chip and ``chip`` its id in the system; None on one chip.
    """

    __module__ = "ttmlir.errors"
    kind = ""

    def __init__(
        self,
        message: str,
        *,
        core: tuple[int, int] | None = None,
        thread: str = "",
        kernel: str = "",
        location: str = "",
        instruction: str = "",
        address: int = 0,
        bytes: int = 0,
        device: int | None = None,
        chip: int | None = None,
    ) -> None:
        super().__init__(message)
        self.core = core
        self.thread = thread
        self.kernel = kernel
        self.location = location
        self.instruction = instruction
        self.address = address
        self.bytes = bytes
        self.device = device
        self.chip = chip
