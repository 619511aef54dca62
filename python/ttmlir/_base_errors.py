"""The exceptions that others derive from, in ``ttmlir.errors`` and in what the build generates."""

from __future__ import annotations


class Error(Exception):
    """Base of every exception that this package raises itself."""

    __module__ = "ttmlir.errors"


class Fault(Error, RuntimeError):
    """A kernel did what the chip does not allow, or what the checks do not; the base of the classes
    of all kinds.

    ``core`` is the row and column in the grid of workers, None without one; ``thread`` is noc0,
    noc1 or compute, or the engine unpack, math or pack, or host for what is wrong when all kernels
    are over; ``location`` is the place of the ``instruction`` in the source of the ``kernel``;
    ``address`` and ``bytes`` say which memory it is about, 0 bytes for none. On a mesh ``device``
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
