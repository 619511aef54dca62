"""Executables of programs whose shapes vary between calls."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ttmlir import runtime
from ttmlir._bound_arguments import Bound
from ttmlir._buckets import Buckets, PaddedLowering, Unpadded
from ttmlir._numerics import Numerics, check_numerics
from ttmlir._padding.convention import Padding
from ttmlir._specializations import Specializations
from ttmlir.advice import Advice
from ttmlir.captured import CapturedTrace
from ttmlir.errors import Error, InputError
from ttmlir.executable import Executable
from ttmlir.frontends import Call, DynamicProgram, Lowered, Options, Signature
from ttmlir.report import Report

if TYPE_CHECKING:
    from ttmlir._bound_arguments import Source
    from ttmlir.comparison import Comparison

#: The extents of a specialization by name, and whether inputs are padded to them.
Key = tuple[tuple[tuple[str, int], ...], bool]
#: Compiles a program that the function lowers.
Build = Callable[[Callable[[Options], Lowered]], Executable]


@dataclass(frozen=True)
class Specialization:
    """An executable for fixed extents, and how its inputs are padded."""

    executable: Executable
    padding: Padding | None = None


class DynamicExecutable(Executable):
    """A program with extents that vary, compiled for each combination of them that calls have.

    A call compiles, or takes, the executable for its shapes, its *specialization*, with the
    arguments and results of ``ttmlir.Executable``. All of them use the same tensors of parameters.
    ``specialize`` returns one, which has everything that needs fixed shapes: programs, inputs and
    outputs, MLIR, ``save``, ``trace``.
    """

    def __init__(
        self,
        program: DynamicProgram,
        build: Build,
        system_desc: runtime.SystemDesc,
        backend: str,
        limit: int,
        buckets: Mapping[str, Sequence[int]] | None = None,
        numerics: Numerics | None = None,
    ) -> None:
        self._program, self._build = program, build
        self._system_desc = system_desc
        self.backend = backend
        self.signature = Signature()
        self._bound = Bound()
        self._recompile = None
        self.numerics = numerics
        self._specializations: Specializations[Key, Specialization] = Specializations(limit)
        self._buckets = Buckets.checked(program, buckets) if buckets else None
        self._bindings: list[tuple[Source | None, dict[str, Any]]] = []
        self._bound_names: set[str] = set()

    def __repr__(self) -> str:
        inputs = ", ".join(map(str, self._program.inputs))
        return f"<ttmlir.DynamicExecutable ({inputs})>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "an executable with extents that vary cannot be pickled: specialize(...) returns one "
            "with fixed shapes"
        )

    @property
    def extents(self) -> tuple[str, ...]:
        """The names of the extents that vary."""
        return self._program.extents

    @property
    def specializations(self) -> tuple[dict[str, int], ...]:
        """The extents of the specializations that exist, the one that was used last at the end."""
        return tuple(dict(extents) for extents, _ in self._specializations.all())

    @property
    def compilations(self) -> int:
        """How often a call compiled a specialization."""
        return self._specializations.made

    def specialize(self, **extents: int) -> Executable:
        """Returns the executable for values of the extents, by name, which may differ from buckets:
        its inputs are not padded.

        Raises:
            InputError: an extent is missing, or outside of its limits.
            Error: there is no such extent.
            CompileError: the program does not compile for them.
        """
        found = {self._program.named(name): int(n) for name, n in extents.items()}
        if missing := [name for name in self.extents if name not in found]:
            raise InputError(
                f"specialize() expects the extents {', '.join(self.extents)}, "
                f"{', '.join(missing)} missing"
            )
        self._program.measured(self._program.inputs, self._program.shapes(found))
        return self._exact(found)

    def __call__(
        self,
        *args: Any,
        program: int | str = 0,
        keep_on_device: bool = False,
        numerics: Numerics | None = None,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> Any:
        """Runs the program for the shapes of the arguments; see ``Executable``.

        Raises:
            CompileError: the program does not compile for these shapes.
            InputError: an argument does not fit the program, or an extent is outside of its limits.
        """
        extents = self._extents_of(args, kwargs)
        if self._buckets is None:
            found = self._exact(extents)
            return found(
                *args,
                program=program,
                keep_on_device=keep_on_device,
                numerics=numerics,
                device=device,
                **kwargs,
            )
        if keep_on_device:
            raise InputError(
                "keep_on_device: results of a program with buckets are cut to size on the host"
            )
        check_numerics(numerics)
        exe, call, inputs = self._padded_call(extents, args, kwargs)
        tensors = exe._tensors(call.program, inputs)
        try:
            results = exe._run(device or exe.device, call.program, tensors, numerics=numerics)
        except BaseException as error:
            call.failed(error)
            raise
        return call.results(results, False)

    def bind(
        self, source: Source | None = None, /, *, program: int | str | None = None, **tensors: Any
    ) -> None:
        """Binds tensors to arguments of all specializations; see ``Executable``."""
        for info in self._program.inputs:
            if info.name in tensors and any(not isinstance(n, int) for n in info.shape or ()):
                raise InputError(f"bind: input {info} has a shape that varies: pass it in calls")
        for one in self._specializations.all().values():
            one.executable.bind(source, program=program, **tensors)
        self._bindings.append((source, dict(tensors)))
        named = set(tensors) | (set(source) if isinstance(source, Mapping) else set())
        self._bound_names |= named

    def unbind(self) -> None:
        """Frees the tensors that ``bind`` was given."""
        self._bindings.clear()
        self._bound_names.clear()
        for one in self._specializations.all().values():
            one.executable.unbind()

    def report(
        self,
        *args: Any,
        program: int | str = 0,
        inputs: Sequence[Any] | None = None,
        trace: bool | runtime.TraceFilter = False,
        advise: bool = False,
        numerics: Numerics | None = None,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> Report:
        """Reports the cost of a call with these arguments, padded to buckets like a call; see
        ``Executable``. ``specialize(...).report()`` needs none."""
        if inputs is not None:
            raise self._needs_extents("report(inputs=...)")
        extents = self._extents_of(args, kwargs)
        if self._buckets is None:
            return self._exact(extents).report(
                *args,
                program=program,
                trace=trace,
                advise=advise,
                numerics=numerics,
                device=device,
                **kwargs,
            )
        exe, _, values = self._padded_call(extents, args, kwargs)
        return exe.report(
            inputs=values, trace=trace, advise=advise, numerics=numerics, device=device
        )

    def estimate(
        self, *, program: int | str = 0, position: int | None = None, **extents: int
    ) -> Report:
        """Estimates a call with these extents, by name; see ``Executable``."""
        return self.specialize(**extents).estimate(program=program, position=position)

    def advise(
        self,
        *args: Any,
        program: int | str = 0,
        inputs: Sequence[Any] | None = None,
        limit: int = 5,
        trials: int = 24,
        **kwargs: Any,
    ) -> Advice:
        """Searches for options that make a call with these arguments faster, without buckets; see
        ``Executable``."""
        found = self._exact(self._extents_of(args, kwargs))
        return found.advise(*args, program=program, limit=limit, trials=trials, **kwargs)

    def trace(
        self,
        *args: Any,
        program: int | str = 0,
        inputs: Sequence[Any] | None = None,
        numerics: Numerics | None = None,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> CapturedTrace:
        """Captures a call with these arguments, whose shapes the trace has, without buckets; see
        ``Executable``."""
        found = self._exact(self._extents_of(args, kwargs))
        return found.trace(*args, program=program, numerics=numerics, device=device, **kwargs)

    def compare(
        self,
        reference: Any,
        /,
        *args: Any,
        program: int | str = 0,
        min_pcc: float | None = None,
        max_relative: float | None = None,
        numerics: Numerics | None = None,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> Comparison:
        """Compares the specialization for these arguments, without buckets; see ``Executable``."""
        return self._exact(self._extents_of(args, kwargs)).compare(
            reference,
            *args,
            program=program,
            min_pcc=min_pcc,
            max_relative=max_relative,
            numerics=numerics,
            device=device,
            **kwargs,
        )

    def save(self, path: str | os.PathLike[str]) -> NoReturn:
        """A file has one combination of extents: use ``specialize(...).save(path)``.

        Raises:
            Error: always.
        """
        raise self._needs_extents("save()")

    def buffers(self) -> dict[str, Any]:
        """Current values of a PyTorch module's buffers that calls change, by name."""
        return self._last().buffers()

    def reset_buffers(self) -> None:
        """Resets these buffers to their values at compile time."""
        self._last().reset_buffers()

    @property
    def input_names(self) -> tuple[str, ...]:
        """The names of the arguments of a call."""
        return tuple(i.name for i in self._program.inputs if i.name not in self._bound_names)

    @property
    def output_names(self) -> tuple[str, ...]:
        """The names of the results of a call, once there was one."""
        return self._last().output_names

    @property
    def binary(self) -> NoReturn:  # type: ignore[override]
        """Specializations have a binary each.

        Raises:
            Error: always.
        """
        raise self._needs_extents("this")

    def _needs_extents(self, what: str) -> Error:
        if all(name.isidentifier() for name in self.extents):
            call = f"specialize({', '.join(f'{name}=...' for name in self.extents)})"
        else:
            call = f"specialize(**{{{', '.join(f'{name!r}: ...' for name in self.extents)}}})"
        return Error(
            f"{what} needs fixed shapes, but {', '.join(self.extents)} vary: use the executable "
            f"that {call} returns"
        )

    def _last(self) -> Executable:
        found = list(self._specializations.all().values())
        if not found:
            raise self._needs_extents("before the first call, this")
        return found[-1].executable

    def _extents_of(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, int]:
        """Returns the extents of a call."""
        leaves = self._program.leaves(args, kwargs)
        infos = self._program.inputs
        if len(leaves) != len(infos):
            infos = tuple(info for info in infos if info.name not in self._bound_names)
        if len(leaves) != len(infos):
            text = ", ".join(map(str, infos))
            raise InputError(f"expected {len(infos)} inputs ({text}), found {len(leaves)}")
        return self._program.measured(infos, [_shape_of(leaf) for leaf in leaves])

    def _exact(self, extents: Mapping[str, int]) -> Executable:
        """Returns the executable for these extents."""
        shapes = self._program.shapes(extents)

        def make() -> Specialization:
            return self._made(lambda options: self._program.lower(shapes, options))

        return self._specializations.get((tuple(extents.items()), False), make).executable

    def _padded_call(
        self, extents: Mapping[str, int], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[Executable, Call, list[Any]]:
        """Returns the executable for the buckets of a call, the call, and its inputs."""
        assert self._buckets is not None
        buckets, padded = self._buckets, self._buckets.padded(extents)

        def make() -> Specialization:
            lowering = PaddedLowering(self._program, buckets, padded)
            return Specialization(self._made(lowering.lower).executable, lowering.padding)

        found = self._specializations.get((tuple(padded.items()), True), make)
        exe, padding = found.executable, found.padding
        assert padding is not None
        shapes = self._program.shapes(padded)
        leaves = [
            leaf if shape is None or _shape_of(leaf) == shape else self._program.padded(leaf, shape)
            for leaf, shape in zip(self._program.leaves(args, kwargs), shapes, strict=True)
        ]
        args, kwargs = self._program.replaced(args, kwargs, leaves)
        view = Unpadded(exe, padding, extents)
        call = exe.signature.call(view, exe.programs[0], args, kwargs)
        return exe, call, [*call.inputs, *view.masks()]

    def _made(self, lower: Callable[[Options], Lowered]) -> Specialization:
        exe = self._build(lower)
        for source, tensors in self._bindings:
            exe.bind(source, **tensors)
        return Specialization(exe)


def _shape_of(leaf: Any) -> tuple[int, ...]:
    return tuple(leaf.shape) if hasattr(leaf, "shape") else np.shape(leaf)
