"""Programs with dynamic shapes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttmlir.errors import Error, InputError
from ttmlir.frontends._lowered import Lowered, Options

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Derived:
    """An extent that follows from others, such as ``2*batch``: its text and its value."""

    text: str
    of: Callable[[Mapping[str, int]], int]

    def __str__(self) -> str:
        return self.text


#: A number, the name of a dynamic extent, or an extent that follows from others.
Extent = int | str | Derived


@dataclass(frozen=True)
class DynamicInput:
    """Name and shape of an argument; the shape of one that is not a tensor is None."""

    name: str
    shape: tuple[Extent, ...] | None

    def __str__(self) -> str:
        shape = self.shape or ()
        return f"'{self.name}' ({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


class DynamicProgram(ABC):
    """A source with named dynamic extents.

    ``inputs`` describes the flattened arguments of a call; ``limits`` has the minimum and maximum
    (None if unlimited) of bounded extents.
    """

    inputs: tuple[DynamicInput, ...]
    limits: Mapping[str, tuple[int, int | None]]

    @abstractmethod
    def leaves(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Returns the values of a call for ``inputs``.

        Raises:
            InputError: they have a different structure.
        """

    @abstractmethod
    def replaced(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], leaves: Sequence[Any]
    ) -> tuple[Sequence[Any], Mapping[str, Any]]:
        """Returns the arguments of a call with other leaves."""

    @abstractmethod
    def lower(self, shapes: Sequence[Shape | None], options: Options) -> Lowered:
        """Lowers the source for fixed shapes of ``inputs``.

        Raises:
            CompileError: the source is not supported, or not for these shapes.
        """

    def padded(self, leaf: Any, shape: Shape) -> Any:
        """Returns a leaf followed by zeros along each dimension, up to a shape."""
        array = np.asarray(leaf)
        whole = np.zeros(shape, array.dtype)
        whole[tuple(map(slice, array.shape))] = array
        return whole

    @property
    def extents(self) -> tuple[str, ...]:
        """The names of the extents, in the order of the arguments."""
        names = (n for info in self.inputs for n in info.shape or () if isinstance(n, str))
        return tuple(dict.fromkeys(names))

    def named(self, name: str) -> str:
        """Returns the extent with a name, or of a dimension such as ``x.1``.

        Raises:
            Error: there is none.
        """
        found = {
            f"{info.name}.{i}": n
            for info in self.inputs
            for i, n in enumerate(info.shape or ())
            if isinstance(n, str)
        }
        found |= {extent: extent for extent in self.extents}
        if name not in found:
            known = ", ".join(f"'{n}'" for n in found)
            raise Error(f"no extent '{name}' varies, expected one of {known}")
        return found[name]

    def measured(self, infos: Sequence[DynamicInput], shapes: Sequence[Any]) -> dict[str, int]:
        """Returns the value of each extent for the shapes of a call.

        Raises:
            InputError: a shape does not fit, or an extent is outside of its limits.
        """
        found: dict[str, int] = {}
        owner: dict[str, str] = {}
        for info, shape in zip(infos, shapes, strict=True):
            if info.shape is None or shape is None:
                continue
            if len(shape) != len(info.shape):
                raise InputError(f"input {info}: found the shape {tuple(shape)}")
            for own, n in zip(info.shape, shape, strict=True):
                if isinstance(own, int) and own != n:
                    raise InputError(f"input {info}: found the shape {tuple(shape)}")
                if not isinstance(own, str):
                    continue
                if found.setdefault(own, n) != n:
                    raise InputError(
                        f"input {info}: the extent '{own}' is {n}, but {found[own]} in "
                        f"'{owner[own]}'"
                    )
                owner.setdefault(own, info.name)
        self._check(infos, shapes, found)
        return found

    def _check(
        self, infos: Sequence[DynamicInput], shapes: Sequence[Any], found: Mapping[str, int]
    ) -> None:
        for name, n in found.items():
            low, high = self.limits.get(name, (0, None))
            if n < low or (high is not None and n > high):
                limit = f"{low} to {high}" if high is not None else f"at least {low}"
                raise InputError(f"the extent '{name}' is {n}, expected {limit}")
        for info, shape in zip(infos, shapes, strict=True):
            for own, n in zip(info.shape or (), shape or (), strict=True):
                if isinstance(own, Derived) and own.of(found) != n:
                    raise InputError(
                        f"input {info}: found the shape {tuple(shape)}, expected {own} = "
                        f"{own.of(found)}"
                    )

    def shapes(self, extents: Mapping[str, int]) -> list[Shape | None]:
        """Returns the shapes of the inputs for values of all extents."""

        def value(n: Extent) -> int:
            if isinstance(n, Derived):
                return n.of(extents)
            return extents[n] if isinstance(n, str) else n

        return [None if i.shape is None else tuple(map(value, i.shape)) for i in self.inputs]
