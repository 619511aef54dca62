"""The arithmetic of runs: ``numerics=``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import RLock
from typing import Literal, TypeAlias
from weakref import WeakSet, WeakValueDictionary

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


class _Function:
    """A function whose results binaries keep, and share by its fingerprint."""

    def __init__(self) -> None:
        #: The arithmetic of the results; None before the first run.
        self.numerics: runtime.Numerics | None = None
        self.users: WeakSet[KeptResults] = WeakSet()


_functions: WeakValueDictionary[int, _Function] = WeakValueDictionary()


class KeptResults:
    """The results that the programs of a binary keep from run to run.

    The runtime finds them by function and arguments. They also depend on the arithmetic, so those
    of another one have to be freed before a run, in all binaries that share them.
    """

    def __init__(self, binary: runtime.Binary) -> None:
        self._binary = binary
        self._functions: dict[int, list[_Function]] = {}

    def prepare(self, device: runtime.Device, program: int) -> None:
        """Frees the results that a run of the program would find, if their arithmetic is not that
        of the device."""
        if program not in self._functions:
            self._functions[program] = self._found(program)
        if not (functions := self._functions[program]):
            return
        numerics = runtime.get_device_options(device).numerics
        for function in functions:
            if function.numerics != numerics:
                for user in function.users:
                    user._binary.release_kept()
                function.numerics = numerics

    def _found(self, program: int) -> list[_Function]:
        found = []
        for fingerprint, _ in self._binary.get_program_kept(program):
            function = _functions.get(fingerprint)
            if function is None:
                function = _functions[fingerprint] = _Function()
            function.users.add(self)
            found.append(function)
        return found
