"""Programs of the generator: steps that a builder can make and the oracle can follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from intervals import HOST, Array, Interval, is_float

import ttmlir
from ttmlir.builder import Tensor

#: The tensors of the chips of a mesh, by position; one without a mesh.
Chips = list[Interval]
Evaluate = Callable[..., Chips]


@dataclass(frozen=True, eq=False)
class Step:
    """A value of a program.

    ``method`` is the builder's, ``operands`` are earlier values and ``arguments`` its keywords.
    ``evaluate`` gives the bounds of the result from those of the operands. An input has the values
    that it is given, whole, in ``data``.
    """

    method: str
    shape: tuple[int, ...]
    dtype: str
    operands: tuple[int, ...] = ()
    arguments: Mapping[str, Any] = field(default_factory=dict)
    evaluate: Evaluate | None = None
    data: Array | None = None
    #: A tensor of the whole mesh, which only `mesh_shard` takes.
    is_whole: bool = False

    def __str__(self) -> str:
        operands = [f"v{i}" for i in self.operands]
        words = [f"{key}={value!r}" for key, value in self.arguments.items()]
        result = f"{self.dtype}[{', '.join(map(str, self.shape))}]"
        return f"{self.method}({', '.join(operands + words)}) -> {result}"


@dataclass(frozen=True)
class Program:
    """Steps in an order in which each has its operands before it, and those that are returned."""

    steps: tuple[Step, ...]
    outputs: tuple[int, ...]
    mesh: tuple[int, ...] = (1, 1)

    def __str__(self) -> str:
        lines = [f"v{i} = {step}" for i, step in enumerate(self.steps)]
        outputs = ", ".join(f"v{i}" for i in self.outputs)
        return "\n".join([f"mesh {self.mesh}", *lines, f"return {outputs}"])

    @property
    def inputs(self) -> list[Step]:
        return [step for step in self.steps if step.method == "input"]

    def build(self) -> ttmlir.Builder:
        is_one = self.mesh == (1, 1)
        # One that `parallel` divides has no mesh of its own.
        builder = ttmlir.Builder("soak", mesh_shape=() if is_one else self.mesh)
        values: list[Tensor] = []
        for i, step in enumerate(self.steps):
            values.append(_make(builder, step, [values[j] for j in step.operands], f"v{i}"))
        outputs = [values[i] for i in self.outputs]
        if not is_one:
            # Chip by chip: the first dimension is cut along both axes of the mesh.
            outputs = [
                builder.mesh_gather(t, tuple(0 if n > 1 else None for n in self.mesh))
                for t in outputs
            ]
        builder.output(*outputs)
        return builder

    def bounds(self) -> list[Chips]:
        """The bounds of every step."""
        found: list[Chips] = []
        for step in self.steps:
            if step.data is not None:
                found.append([Interval.exact(step.data)])
            else:
                assert step.evaluate is not None
                found.append(step.evaluate(*(found[i] for i in step.operands)))
        return found

    def expected(self) -> list[Interval]:
        """The bounds of what the program returns: the chips' tensors one after the other."""
        bounds = self.bounds()
        return [joined(bounds[i]) for i in self.outputs]


def joined(chips: Chips) -> Interval:
    return Interval(
        np.concatenate([chip.low for chip in chips]), np.concatenate([chip.high for chip in chips])
    )


def _make(builder: ttmlir.Builder, step: Step, operands: Sequence[Tensor], name: str) -> Tensor:
    method = getattr(builder, step.method)
    if step.method == "input":
        result = method(name, step.shape, **step.arguments)
    elif step.method == "concat":
        result = method(operands, **step.arguments)
    else:
        result = method(*operands, **step.arguments)
    assert isinstance(result, Tensor)
    if result.shape != step.shape:
        raise AssertionError(f"{step}: the builder expects a shape of {result.shape}")
    return result


# Reduction to a few steps -------------------------------------------------------------------------


def used(program: Program) -> Program:
    """Without the steps that no output depends on."""
    needed = set(program.outputs)
    for i in reversed(range(len(program.steps))):
        if i in needed:
            needed.update(program.steps[i].operands)
    order = sorted(needed)
    place = {old: new for new, old in enumerate(order)}
    steps = [
        replace(program.steps[i], operands=tuple(place[j] for j in program.steps[i].operands))
        for i in order
    ]
    return Program(tuple(steps), tuple(place[i] for i in program.outputs), program.mesh)


def _as_input(program: Program, index: int, chips: Chips) -> Program:
    """With a step replaced by an input that has its numbers."""
    step = program.steps[index]
    values = chips[0].centre
    host = HOST[step.dtype]
    data = values.astype(host) if is_float(step.dtype) else np.rint(values).astype(host)
    given = Step("input", step.shape, step.dtype, arguments={"dtype": step.dtype}, data=data)
    steps = (*program.steps[:index], given, *program.steps[index + 1 :])
    return used(Program(steps, program.outputs, program.mesh))


def reduced(program: Program, fails: Callable[[Program], bool]) -> Program:
    """A part of a program that still fails: with fewer outputs, and inputs instead of steps."""
    for output in program.outputs:
        alone = used(Program(program.steps, (output,), program.mesh))
        if len(program.outputs) > 1 and fails(alone):
            program = alone
            break
    changed = program.mesh == (1, 1)
    while changed:
        changed = False
        bounds = program.bounds()
        for index in reversed(range(len(program.steps))):
            if program.steps[index].method == "input" or index in program.outputs:
                continue
            smaller = _as_input(program, index, bounds[index])
            if len(smaller.steps) < len(program.steps) and fails(smaller):
                program, changed = smaller, True
                break
    return program
