"""Program arguments that keep their tensors between calls."""

from __future__ import annotations

import mmap
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from ttmlir import runtime
from ttmlir._safetensors import SafeTensors
from ttmlir.errors import InputError


class Argument(Protocol):
    """The properties of a ``TensorInfo`` that are used here."""

    @property
    def name(self) -> str: ...
    @property
    def is_parameter(self) -> bool: ...
    @property
    def aliased_output(self) -> int | None: ...


class Arguments(Protocol):
    """The properties of a ``Program`` that are used here."""

    @property
    def index(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def inputs(self) -> Sequence[Argument]: ...


P = TypeVar("P", bound=Arguments)
Source = Mapping[str, Any] | str | os.PathLike[str]


def tensors_of(source: Source | None) -> Mapping[str, Any]:
    """Returns the tensors of a safetensors file or of a dictionary by name."""
    if source is None:
        return {}
    if isinstance(source, Mapping):
        return source
    if not isinstance(source, str | os.PathLike):
        raise TypeError(
            "source: expected the path of a safetensors file or a dictionary, "
            f"found {type(source).__name__}"
        )
    return SafeTensors(source)


def unchanging(value: Any) -> Any:
    """Returns the array, or a copy if its owner may change it."""
    if isinstance(value, runtime.Tensor):
        return value
    if isinstance(value, np.ndarray) and not value.flags.writeable and value.flags.aligned:
        return value
    return np.array(runtime.to_host_array(value))


def is_mapped(array: Any, tensor: runtime.Tensor) -> bool:
    """Whether the tensor is backed directly by a read-only mapped file."""
    base = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, memoryview):
        base = base.obj
    return (
        isinstance(base, mmap.mmap)
        and memoryview(base).readonly
        and tensor.address == array.ctypes.data
    )


def listed(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


class Bound:
    """The bound tensors of an executable, by program and argument."""

    def __init__(self) -> None:
        self._tensors: dict[int, dict[int, runtime.Tensor]] = {}
        self._files: list[SafeTensors] = []
        #: Counts changes, to detect results that were computed from earlier tensors.
        self.changes = 0

    def check_files(self) -> None:
        """Raises FileError if a mapped file has become shorter."""
        for file in self._files:
            file.check_size()

    def of(self, program: Arguments) -> dict[int, runtime.Tensor]:
        """Returns the bound tensors of a program by argument index."""
        return self._tensors.get(program.index, {})

    def places(
        self, programs: Iterable[P], source: Source | None, named: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], list[tuple[P, int, Any]]]:
        """Returns the tensors of the source, and the arguments to bind with their values.

        Raises:
            InputError: no program has an argument of that name, it is bound already, or a parameter
                is missing in the source.
        """
        programs = list(programs)
        given = tensors_of(source)
        places: list[tuple[P, int, Any]] = []
        used: set[str] = set()
        for program in programs:
            bound = self.of(program)
            counts = Counter(info.name for info in program.inputs)
            for i, info in enumerate(program.inputs):
                if info.name in named:
                    if counts[info.name] > 1:
                        raise InputError(
                            f"{program.name}: {counts[info.name]} arguments have the name "
                            f"'{info.name}'"
                        )
                    if i in bound:
                        raise InputError(
                            f"{program.name}: '{info.name}' is bound already: unbind() frees it"
                        )
                    if info.aliased_output is not None:
                        raise InputError(
                            f"{program.name}: '{info.name}' is donated: each call takes the tensor"
                        )
                    used.add(info.name)
                    places.append((program, i, named[info.name]))
                elif source is not None and i not in bound and info.aliased_output is None:
                    if info.name in given:
                        places.append((program, i, given[info.name]))
                    elif info.is_parameter:
                        raise InputError(
                            f"{program.name}: {given!r} has no '{info.name}' ({info})"
                            if isinstance(given, SafeTensors)
                            else f"{program.name}: expected a tensor '{info.name}' ({info}), "
                            f"found {listed(given)}"
                        )
        unknown = [name for name in named if name not in used]
        if unknown:
            names = {info.name for program in programs for info in program.inputs}
            raise InputError(
                f"no argument {listed(unknown)}, expected one of {listed(sorted(names))}"
            )
        if source is not None and not places:
            raise InputError(f"nothing to bind: all parameters are bound, or {given!r} has none")
        return given, places

    def set(
        self,
        given: Mapping[str, Any],
        places: Iterable[tuple[Arguments, int, runtime.Tensor]],
    ) -> None:
        for program, i, tensor in places:
            self._tensors.setdefault(program.index, {})[i] = tensor
        self.changes += 1
        if isinstance(given, SafeTensors):
            self._files.append(given)

    def clear(self) -> None:
        self._tensors.clear()
        self._files.clear()
        self.changes += 1
