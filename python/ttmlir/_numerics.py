"""The arithmetic of runs: ``numerics=``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import RLock
from typing import Literal, TypeAlias

from ttmlir import runtime
from ttmlir.errors import InputError

Numerics: TypeAlias = Literal["fast", "exact"]

#: The options of a device by name.
OPTIONS: dict[Numerics, runtime.Numerics] = {
    "fast": runtime.Numerics.Fast,
    "exact": runtime.Numerics.Exact,
}

# Held while a device has another option than its own: two threads that restore the option of each
# other would leave the wrong one.
_changing = RLock()


def check_numerics(numerics: str | None) -> None:
    """Raises InputError unless it is one of the names, or None for no choice."""
    # Other values, such as a list, may have no hash.
    if numerics is not None and not (isinstance(numerics, str) and numerics in OPTIONS):
        raise InputError(f"numerics: expected one of {', '.join(OPTIONS)}, found {numerics!r}")


def option_of(numerics: Numerics) -> runtime.Numerics:
    """Returns the option for a name.

    Raises:
        InputError: there is no such name.
    """
    check_numerics(numerics)
    return OPTIONS[numerics]


def name_of(device: runtime.Device, numerics: Numerics | None) -> Numerics:
    """Returns the name of the arithmetic of a run: the given one, or that of the device.

    Raises:
        InputError: there is no such name.
    """
    check_numerics(numerics)
    if numerics is not None:
        return numerics
    found = runtime.get_device_options(device).numerics
    return next(name for name, option in OPTIONS.items() if option == found)


def computing(device: runtime.Device, numerics: Numerics | None) -> AbstractContextManager[None]:
    """Runs on the device use this arithmetic within the context; with None, that of the device.

    Raises:
        InputError: there is no such name.
    """
    return nullcontext() if numerics is None else _changed(device, option_of(numerics))


@contextmanager
def _changed(device: runtime.Device, numerics: runtime.Numerics) -> Iterator[None]:
    with _changing:
        before = _exchanged(device, numerics)
        try:
            yield
        finally:
            _exchanged(device, before)


def _exchanged(device: runtime.Device, numerics: runtime.Numerics) -> runtime.Numerics:
    """Sets the option, leaves all others, and returns the one before."""
    options = runtime.get_device_options(device)
    before = options.numerics
    if before != numerics:
        options.numerics = numerics
        runtime.set_device_options(device, options)
    return before
