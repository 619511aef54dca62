"""Random programs of 5 to 40 ops in both backends, against float64 and against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from engine import Failure, Note
from intervals import Array, Interval, is_float
from program_model import Chips, Program, Step, reduced, used
from program_nn import COLLECTIVES, COMPUTING, source
from program_ops import ELEMENTWISE, EXTENTS, LARGEST, MOVEMENT, Rule, Scope, to_layout

import ttmlir

MESHES = {(1, 2): "n300", (2, 4): "t3000", (1, 8): "t3000"}
TARGETS = ("n150", "n150", "n150", "p150", "e150")


@dataclass(frozen=True)
class Way:
    """One way of compiling a program."""

    backend: str
    target: str
    options: Mapping[str, Any]

    def __str__(self) -> str:
        words = [f"{key}={value!r}" for key, value in self.options.items()]
        return ", ".join([f"backend={self.backend!r}", f"target={self.target!r}", *words])

    def run(self, program: Program) -> list[Array]:
        exe = ttmlir.compile(
            program.build(), backend=self.backend, target=self.target, **self.options
        )
        results = exe(*(step.data for step in program.inputs))
        return list(results) if isinstance(results, tuple) else [results]


# Generation ---------------------------------------------------------------------------------------


def is_useful(chips: Chips) -> bool:
    """Whether there is something to compare: no overflow near, and bounds close together."""
    for chip in chips:
        if not np.isfinite(chip.low).all() or not np.isfinite(chip.high).all():
            return False
        if chip.largest > LARGEST:
            return False
        if chip.radius.mean() > 0.02 * (np.abs(chip.centre).mean() + 1e-2):
            return False
    return True


def _rules(
    rng: np.random.Generator, mesh: tuple[int, ...], has_layouts: bool
) -> Callable[[], Rule]:
    """Chooses rules: families of ops first, so that none drowns in another."""
    families: list[Sequence[Rule]] = [
        list(ELEMENTWISE.values()),
        list(ELEMENTWISE.values()),
        list(MOVEMENT.values()),
        list(COMPUTING.values()),
        list(COMPUTING.values()),
    ]
    if has_layouts:
        families.append([to_layout])
    if mesh != (1, 1):
        families += [list(COLLECTIVES.values())] * 2

    def choose() -> Rule:
        family = families[int(rng.integers(len(families)))]
        return family[int(rng.integers(len(family)))]

    return choose


def generate(
    seed: int,
    mesh: tuple[int, ...] | None = None,
    lengths: tuple[int, int] = (5, 41),
    has_layouts: bool = True,
    extents: Sequence[int] = EXTENTS,
) -> Program:
    """The program of a seed.

    Args:
        seed: of all choices.
        mesh: of its chips; one chip or any by default.
        lengths: half-open range of its number of ops.
        has_layouts: whether some ops place tensors by ``to_layout``.
        extents: of dimensions.
    """
    rng = np.random.default_rng(seed)
    if mesh is None:
        mesh = list(MESHES)[int(rng.integers(len(MESHES)))] if rng.random() < 0.2 else (1, 1)
    scope = Scope(rng, mesh, [], [], extents)
    choose = _rules(rng, mesh, has_layouts)
    length = int(rng.integers(*lengths))

    def append(step: Step) -> bool:
        if step.data is not None:
            chips = [Interval.exact(step.data)]
        else:
            assert step.evaluate is not None
            chips = step.evaluate(*(scope.bounds[i] for i in step.operands))
        if not is_useful(chips):
            return False
        scope.steps.append(step)
        scope.bounds.append(chips)
        return True

    ops = 0
    for _ in range(20 * length):
        if ops == length:
            break
        if not scope.steps or scope.chance(0.15):
            for step in source(scope):
                append(step)
            continue
        made = choose()(scope)
        if made is not None and append(made):
            ops += 1
    return _finished(scope)


def _finished(scope: Scope) -> Program:
    """Returns what no step uses, and a few of the others."""
    taken = {i for step in scope.steps for i in step.operands}
    candidates = [i for i, step in enumerate(scope.steps) if not step.is_whole]
    outputs = [i for i in candidates if i not in taken]
    outputs += [i for i in candidates if i in taken and scope.chance(0.05)]
    return used(Program(tuple(scope.steps), tuple(sorted(outputs)), scope.mesh))


def ways(seed: int, program: Program) -> list[Way]:
    """Library calls and kernels, each with options of their own."""
    mesh = program.mesh
    rng = np.random.default_rng([seed, 1])

    def one(values: Sequence[Any]) -> Any:
        return values[int(rng.integers(len(values)))]

    calls = one(
        (
            {},
            {"optimization_level": 0},
            {"optimization_level": 1},
            {"sharding_pass_enabled": True},
            {"enable_optimizer": False},
        )
    )
    kernels: dict[str, Any] = {"default_memory_space": one(("dram", "dram", "l1"))}
    if mesh != (1, 1):
        kernels["use_all_gather_kernel"] = bool(one((False, True)))
        return [Way("ttnn", MESHES[mesh], calls), Way("ttmetal", MESHES[mesh], kernels)]
    # What the program places in L1 needs its cores.
    places = any("grid" in step.arguments for step in program.steps)
    grid = one(((6, 6), None) if places else ((1, 1), (2, 3), (6, 6), None, None))
    if grid is not None:
        kernels["grid"] = grid
    return [Way("ttnn", one(TARGETS), calls), Way("ttmetal", one(TARGETS), kernels)]


# Comparison ---------------------------------------------------------------------------------------


def difference(actual: Array, expected: Interval, step: Step) -> str | None:
    """What is wrong with a result, in words."""
    if actual.shape != expected.shape:
        return f"expected a shape of {expected.shape}, found {actual.shape}"
    if is_float(step.dtype) != (actual.dtype.kind not in "iu"):
        return f"expected {step.dtype}, found {actual.dtype}"
    wrong = ~expected.holds(actual)
    if not wrong.any():
        return None
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return (
        f"{int(wrong.sum())} of {wrong.size} elements are wrong; at {place}: expected "
        f"{expected.low[place]!r} to {expected.high[place]!r}, found {float(actual[place])!r}"
    )


def problem(program: Program, way: Way) -> tuple[str, str] | None:
    """The kind and the text of what goes wrong, if anything does."""
    try:
        results = way.run(program)
    except ttmlir.Error as error:
        return f"{way.backend} {type(error).__name__}", str(error)
    for i, actual, expected in zip(program.outputs, results, program.expected(), strict=True):
        text = difference(actual, expected, program.steps[i])
        if text is not None:
            return f"{way.backend} wrong numbers", f"v{i} ({program.steps[i]}): {text}"
    return None


def text_of(program: Program, way: Way) -> str:
    """A reproducer: how to compile, the steps, and the module."""
    lines = [f"ttmlir.compile(module, {way})", *str(program).splitlines()]
    comment = "\n".join(f"// {line}" for line in lines)
    try:
        module = str(program.build())
    except Exception as error:
        module = f"// cannot be built: {error}"
    return f"{comment}\n{module}\n"


class Programs:
    name = "programs"
    seconds = 120.0
    batch = 100

    def run(self, seed: int, note: Note) -> str:
        program = generate(seed)
        for way in ways(seed, program):
            note(text_of(program, way), ".mlir")
            found = problem(program, way)
            if found is None:
                continue
            kind = found[0]

            def fails(part: Program, way: Way = way, kind: str = kind) -> bool:
                again = problem(part, way)
                return again is not None and again[0] == kind

            small = reduced(program, fails)
            _, message = problem(small, way) or found
            raise Failure(kind, message, text_of(small, way), ".mlir")
        return f"{min(len(program.steps), 60) // 10 * 10}+ steps"
