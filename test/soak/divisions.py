"""Random programs, PyTorch modules and ONNX graphs, divided over meshes in random ways, against one
chip: the same bits, or, where chips have parts of a sum, numbers within what that may be off."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import programs
from engine import Failure, Note
from intervals import Array, sums_over_chips
from program_model import Program

import ttmlir

#: Meshes with their targets.
MESHES = {(1, 2): "n300", (2, 4): "t3000", (1, 8): "t3000", (4, 8): "galaxy"}
KINDS = ("data", "tensor", "sequence", "expert")
#: Extents that meshes divide, and a few that they do not.
EXTENTS = (1, 2, 3, 4, 8, 8, 16, 32, 32, 40, 64)
#: Collectives that add up.
SUMS = ("all_reduce", "reduce_scatter")
COLLECTIVES = (*SUMS, "all_gather", "all_to_all", "mesh_partition")


@dataclass(frozen=True)
class Source:
    """A program for one chip.

    Args:
        text: for reproducers.
        compile: with keywords of ``ttmlir.compile``.
        call: an executable of it, with its arguments.
        fault: describes what is wrong with results of a number of chips that round elsewhere;
            empty if nothing is.
        is_narrow: whether it has floats of less than 32 bits, which kernels round only at the end
            of a chain of ops: where stages, a collective or other extents cut the chain, results
            differ.
    """

    text: str
    compile: Callable[..., Any]
    call: Callable[[Any], list[Array]]
    fault: Callable[[list[Array], int], str]
    is_narrow: bool = False


# Sources -----------------------------------------------------------------------------------------


def _program(seed: int) -> Source | None:
    # A layout is one of a whole tensor.
    program = programs.generate(seed, (1, 1), (4, 17), False, EXTENTS)
    rng = np.random.default_rng([seed, 2])
    floats = [i for i, s in enumerate(program.steps) if s.data is not None and "f" in s.dtype]
    names = [f"v{i}" for i in floats if rng.random() < 0.5]

    def call(exe: Any) -> list[Array]:
        found = exe(*(step.data for step in program.inputs))
        return list(found) if isinstance(found, tuple) else [found]

    return Source(
        f"parameters={names}\n{program}",
        lambda **keywords: ttmlir.compile(program.build(), parameters=names, **keywords),
        call,
        lambda found, chips: _outside(program, found, chips),
        any(step.dtype == "bf16" for step in program.steps),
    )


def _outside(program: Program, found: list[Array], chips: int) -> str:
    """Compares with the bounds of sums over chips."""
    formats = [step.arguments.get("dtype", step.dtype) for step in program.steps]
    with sums_over_chips(chips, map(str, formats)), np.errstate(all="ignore"):
        bounds = program.expected()
    for i, actual, expected in zip(program.outputs, found, bounds, strict=True):
        if not (np.isfinite(expected.low).all() and np.isfinite(expected.high).all()):
            continue  # Beyond what the oracle can follow, such as logarithms near 0.
        if text := programs.difference(actual, expected, program.steps[i]):
            return f"v{i} ({program.steps[i]}): {text}"
    return ""


def _module(seed: int) -> Source | None:
    import random_modules
    import torch

    drawn = random_modules.draw(seed, EXTENTS)
    with torch.no_grad():
        expected = drawn.module()(*drawn.inputs())
        try:
            exact = drawn.module(torch.float64)(*drawn.inputs(torch.float64))
        except RuntimeError:  # A conversion to float32 meets float64.
            exact = expected

    def fault(found: list[Array], _: int) -> str:
        for i, (x, y, z) in enumerate(zip(found, expected, exact, strict=True)):
            if text := random_modules.difference(torch.from_numpy(x), y, z):
                return f"result {i} {text}"
        return ""

    return Source(
        str(drawn),
        lambda **keywords: ttmlir.compile(drawn.exported(), **keywords),
        lambda exe: [x.numpy() for x in exe(*drawn.inputs())],
        fault,
    )


def _graph(seed: int) -> Source | None:
    import random_graphs

    from ttmlir.onnx import backend

    graph = random_graphs.draw(seed, EXTENTS)
    if not graph.nodes:
        return None
    model = graph.model()
    several = len(model.graph.output) > 1

    def call(exe: Any) -> list[Array]:
        found = exe(graph.inputs)
        return [np.asarray(x) for x in (found if several else (found,))]

    def compiled(**keywords: Any) -> Any:
        return backend.prepare(model, keywords.pop("target"), **keywords).executable(graph.inputs)

    return Source(
        str(graph), compiled, call, lambda found, _: random_graphs.wrong_node(graph, found)
    )


SOURCES: dict[str, Callable[[int], Source | None]] = {
    "program": _program,
    "module": _module,
    "graph": _graph,
}

# Divisions ---------------------------------------------------------------------------------------


def _shardings(rng: np.random.Generator, mesh: Sequence[int], inputs: Any) -> dict[str, Any]:
    """Dimensions of arguments that the mesh divides, or sometimes one that it does not."""
    found = {}
    for info in inputs:
        extents, dims = list(info.shape), list[int | None]()
        for chips in mesh:
            is_any = rng.random() < 0.02
            possible = [
                d for d, n in enumerate(extents) if chips > 1 and n and (n % chips == 0 or is_any)
            ]
            dim = int(rng.choice(possible)) if possible and rng.random() < 0.7 else None
            if dim is not None:
                extents[dim] = max(1, extents[dim] // chips)
            dims.append(dim)
        if any(dim is not None for dim in dims):
            found[info.name] = tuple(dims)
    return found


def _divides(chips: int, inputs: Any, dim: int | None) -> bool:
    """Whether chips divide a dimension of all inputs that have one and are no parameters."""
    shapes = [info.shape for info in inputs if not info.is_parameter]
    found = [shape[dim] for shape in shapes if dim is not None and len(shape) > dim]
    return dim is None or (bool(found) and not any(n % chips for n in found))


def divided(
    rng: np.random.Generator, mesh: tuple[int, int], inputs: Any, backend: str
) -> dict[str, Any]:
    """Keywords of ``ttmlir.compile`` that divide a program with these inputs over a mesh."""
    refused = {"data": 0, "sequence": 1}
    kinds = [
        str(kind)
        for kind in rng.permutation(KINDS)
        # Most of these would be refused.
        if rng.random() < 0.1 or _divides(prod(mesh), inputs, refused.get(str(kind)))
    ][:2]
    counts = dict(zip(kinds, mesh, strict=True)) if mesh[0] > 1 else {kinds[0]: mesh[1]}
    way = rng.choice(("kinds", "kind", "shardings", "shardings", "both", "pipeline", "auto"))
    if way == "auto" and backend == "ttnn":
        return {"parallel": "auto"}
    if way == "pipeline":
        counts = {"pipeline": prod(mesh)}
        if mesh[0] > 1:
            names = ["pipeline", kinds[0]]
            rng.shuffle(names)
            counts = dict(zip(names, mesh, strict=True))
        micro_batches = rng.choice((0, 0, 1, 2, 4))
        return {
            "parallel": counts,
            **({"micro_batches": int(micro_batches)} if micro_batches else {}),
        }
    shardings = _shardings(rng, mesh, inputs)
    if way == "kind" or not shardings:
        return {"parallel": kinds[0], "mesh_shape": mesh}
    if way == "shardings":
        return {"parallel": shardings, "mesh_shape": mesh}
    return {"parallel": counts | (shardings if way == "both" else {})}


def _instructions(text: str) -> Counter[str]:
    """Counts the instructions of the compute threads, packs included."""
    return Counter(re.findall(r"ttkernel\.(\w+_tiles?)\b", text))


def rounds_elsewhere(one: Any, executable: Any, is_narrow: bool) -> bool:
    """Whether results may have other bits than those of one chip: a collective adds up parts of
    several chips, or kernels of narrow floats fuse other ops than those of one chip."""
    stages = getattr(executable, "stages", None)
    texts = [stage.executable.mlir for stage in stages] if stages else [executable.mlir]
    if is_narrow and executable.backend == "ttmetal":
        return (
            bool(stages)
            or any(name in texts[0] for name in COLLECTIVES)
            or _instructions(texts[0]) != _instructions(one.mlir)
        )
    return any(name in text for text in texts for name in SUMS)


# Cases -------------------------------------------------------------------------------------------


def reason_of(error: Exception) -> str:
    """The first error, without numbers and names."""
    lines = [line for line in str(error).splitlines() if "error: " in line] or [str(error)]
    line = lines[0].rpartition("error: ")[2].splitlines()[0]
    line = re.sub(r"'?tensor<.*?>>?>?'?", "tensor", line)
    return re.sub(r"'[^']*'", "'...'", re.sub(r"[0-9]+(x[0-9]+)*", "N", line))[:110]


def _different(found: list[Array], expected: list[Array]) -> str:
    for i, (x, y) in enumerate(zip(found, expected, strict=True)):
        if x.shape != y.shape or x.dtype != y.dtype:
            return f"result {i} is {x.dtype}{x.shape}, on one chip {y.dtype}{y.shape}"
        is_float = x.dtype.kind not in "iub"
        a, b = (v.astype(np.float64) if is_float else v for v in (x, y))
        wrong = (a != b) & ~(np.isnan(a) & np.isnan(b)) if is_float else a != b
        if wrong.any():
            place = tuple(int(n) for n in np.argwhere(wrong)[0])
            return (
                f"result {i}: {int(wrong.sum())} of {wrong.size} elements have other bits; "
                f"{x[place]!r} at {list(place)}, on one chip {y[place]!r}"
            )
    return ""


class Divisions:
    name = "divisions"
    seconds = 300.0
    batch = 25

    def run(self, seed: int, note: Note) -> str:
        rng = np.random.default_rng([seed, 3])
        # Programs take the least time.
        kind = str(rng.choice(list(SOURCES), p=(0.6, 0.2, 0.2)))
        try:
            source = SOURCES[kind](seed)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in ("torch", "onnx"):
                raise
            return f"{kind}: without its package"
        if source is None:
            return f"{kind}: nothing to divide"
        mesh = list(MESHES)[int(rng.integers(len(MESHES)))]
        target, backend = MESHES[mesh], str(rng.choice(("ttnn", "ttmetal")))
        about = f"# seed {seed}, {target}, backend={backend!r}\n{source.text}"
        note(about)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                one = source.compile(target=target, mesh_shape=(1, 1), backend=backend)
            except ttmlir.Error:
                return f"{kind}: not compiled for one chip"
            except Exception as error:
                if not type(error).__module__.startswith("torch"):
                    raise
                return f"{kind}: not exported"
            keywords = divided(rng, mesh, one.inputs, backend)
            about = f"# mesh {mesh}, {keywords}\n{about}"
            note(about)
            try:
                exe = source.compile(target=target, backend=backend, **keywords)
            except ttmlir.Error as error:
                return f"{kind}: refused: {reason_of(error)}"
            try:
                expected, found = source.call(one), source.call(exe)
            except ttmlir.Error as error:
                raise Failure(f"{backend} {type(error).__name__}", str(error), about) from None
        is_rounded = rounds_elsewhere(one, exe, source.is_narrow)
        text = source.fault(found, prod(mesh)) if is_rounded else _different(found, expected)
        if text:
            raise Failure(f"{kind} {backend} {'numbers' if is_rounded else 'bits'}", text, about)
        end = "within rounding" if is_rounded else "the bits of one chip"
        return f"{kind}: right, {end}"
