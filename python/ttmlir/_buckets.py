"""Buckets: the values that extents are padded to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttmlir import runtime
from ttmlir._padding.analysis import Walk
from ttmlir._padding.convention import Padding
from ttmlir._padding.factors import Extents
from ttmlir._padding.rules import rule_of
from ttmlir._programs import Program, TensorInfo
from ttmlir.errors import CompileError, Error, InputError
from ttmlir.executable import Executable
from ttmlir.frontends import DynamicProgram, Lowered, Options

Array = np.ndarray[Any, np.dtype[Any]]
#: Values to compare a program with at, besides those near the bucket.
_OTHERS = (3, 2, 4, 5, 6, 7)


@dataclass(frozen=True)
class Buckets:
    """The buckets of each extent that has some, in ascending order."""

    of: Mapping[str, tuple[int, ...]]

    @staticmethod
    def checked(program: DynamicProgram, given: Mapping[str, Sequence[int]]) -> Buckets:
        """Returns buckets given by the names of extents or dimensions.

        Raises:
            Error: there is no such extent, a bucket is not a number within the limits of the
                extent, or calls change an input that has it.
        """
        found: dict[str, tuple[int, ...]] = {}
        for name, sizes in given.items():
            extent = program.named(name)
            if extent in found:
                raise Error(f"buckets: '{extent}' is given twice")
            if isinstance(sizes, (str, bytes)) or not isinstance(sizes, Sequence) or not sizes:
                raise Error(f"buckets: expected a list of numbers for '{name}', found {sizes!r}")
            low, high = program.limits.get(extent, (1, None))
            for n in sizes:
                is_number = isinstance(n, (int, np.integer)) and not isinstance(n, bool)
                if not is_number or n < max(low, 1) or (high is not None and n > high):
                    limit = f"{max(low, 1)} to {high}" if high else f"at least {max(low, 1)}"
                    raise Error(f"buckets: expected numbers of {limit} for '{name}', found {n!r}")
            found[extent] = tuple(sorted({int(n) for n in sizes}))
        return Buckets(found)

    def padded(self, extents: Mapping[str, int]) -> dict[str, int]:
        """Returns the extents with the next bucket for those that have some.

        Raises:
            InputError: an extent is greater than its largest bucket, or 0.
        """
        found = dict(extents)
        for name, sizes in self.of.items():
            if not 1 <= extents[name] <= sizes[-1]:
                raise InputError(
                    f"the extent '{name}' is {extents[name]}, expected 1 to {sizes[-1]}, its "
                    "largest bucket"
                )
            found[name] = next(n for n in sizes if n >= extents[name])
        return found


class PaddedLowering:
    """Lowers a program for the extents of buckets, and keeps padding out of its results."""

    def __init__(
        self, program: DynamicProgram, buckets: Buckets, extents: Mapping[str, int]
    ) -> None:
        self._program, self._extents = program, extents
        least = {name: max(program.limits.get(name, (1, None))[0], 1) for name in buckets.of}
        # No smaller extent has the least one as its bucket.
        padded = [name for name in buckets.of if extents[name] > least[name]]
        others = _others(program, {name: extents[name] for name in padded})
        self._others = {**extents, **others}
        self._of = Extents({n: (others[n], extents[n]) for n in padded}, least)
        #: Known after ``lower``.
        self.padding: Padding | None = None

    def lower(self, options: Options) -> Lowered:
        shapes = self._program.shapes(self._extents)
        lowered = self._program.lower(shapes, options)
        if not self._of.values:
            self.padding = Padding(self._of)
            return lowered
        if lowered.pipeline:
            raise CompileError("buckets need a front end that lowers to TTIR")
        if lowered.signature.count_parts() > 1:
            raise CompileError("buckets need a model without host nodes between its parts")
        other = self._program.lower(self._program.shapes(self._others), options)
        others = self._program.shapes(self._others)
        for i in lowered.signature.changed_inputs():
            if shapes[i] != others[i]:
                raise CompileError(
                    f"buckets: calls change the input {self._program.inputs[i]}, which cannot be "
                    "padded"
                )
        known = [found.signature.known_results() for found in (other, lowered)]
        if any(not np.array_equal(x, y) for x, y in zip(*known, strict=True)):
            names = ", ".join(f"'{name}'" for name in self._of.values)
            raise CompileError(
                f"the program cannot pad {names}: a result depends only on extents and is not "
                "computed on the device"
            )
        names = ", ".join(f"'{name}'" for name in self._of.values)
        refusal = f"the program cannot pad {names}: leave it out of buckets"
        self.padding = Walk(other.module, lowered.module, self._of, rule_of, refusal).run()
        return lowered


def _others(program: DynamicProgram, extents: Mapping[str, int]) -> dict[str, int]:
    """Returns other values for extents, as different from them as no other two."""
    found: dict[str, int] = {}
    used: set[int] = set()
    for name, n in extents.items():
        low, high = program.limits.get(name, (1, None))
        near = (n + 1, n + 2, n + 3, n - 1, n - 2, 1)
        for other in (*(o for o in _OTHERS if o < n), *near):
            fits = max(low, 1) <= other and (high is None or other <= high)
            if fits and other != n and abs(other - n) not in used:
                found[name] = other
                used.add(abs(other - n))
                break
        else:
            raise Error(f"buckets: '{name}' has too few values to tell its dimensions from others")
    return found


class Unpadded:
    """An executable as the signature of its source sees it: without padding."""

    def __init__(self, exe: Executable, padding: Padding, extents: Mapping[str, int]) -> None:
        self._exe, self._padding, self._extents = exe, padding, extents

    @property
    def programs(self) -> tuple[Program, ...]:
        return self._exe.programs

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        return self._exe.outputs

    def unbound_inputs(self, program: Program) -> list[TensorInfo]:
        found = self._exe.unbound_inputs(program)
        return found[: len(found) - len(self._padding.masks)]

    def is_bound(self, program: Program) -> Any:
        return self._exe.is_bound(program)

    def arrays(self, program: Program, results: Sequence[runtime.Tensor]) -> list[Any]:
        return [self.array(program, i, result) for i, result in enumerate(results)]

    def array(self, program: Program, number: int, result: runtime.Tensor) -> Any:
        array = self._exe.array(program, number, result)
        return self._padding.cut(array, number, self._extents)

    def masks(self) -> list[Array]:
        """Returns the last inputs of the program: which elements are no padding."""
        of = self._padding.extents
        return [np.arange(f.padded) < of.value(f, self._extents) for f in self._padding.masks]
