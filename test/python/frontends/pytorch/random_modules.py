"""Random modules of PyTorch, by several ways onto the chip: all give what PyTorch gives.

A module is the text of its ``forward``, which grows by one statement after another; each is run by
PyTorch as it is drawn, and left out where PyTorch refuses it. ``check(seed)`` draws and runs one;
``python random_modules.py SEED`` prints it.
"""

from __future__ import annotations

import io
import logging
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from module_statements import KINDS, Drawing, Value, random_tensor

import ttmlir
from ttmlir.errors import CompileError

#: Statements of a module.
MOST_STATEMENTS = 9


@dataclass
class Drawn:
    """A module as text, and its arguments and buffers."""

    seed: int
    lines: list[str]
    results: list[str]
    arguments: list[torch.Tensor]
    buffers: list[torch.Tensor]

    @property
    def forward(self) -> str:
        names = ", ".join(f"a{i}" for i in range(len(self.arguments)))
        body = "\n".join(f"    {line}" for line in self.lines)
        return f"def forward(self, {names}):\n{body}\n    return ({', '.join(self.results)},)\n"

    def module(self, dtype: torch.dtype | None = None) -> torch.nn.Module:
        """The module, with floats of a dtype where one is given."""
        scope: dict[str, Any] = {"torch": torch, "F": torch.nn.functional}
        exec(self.forward, scope)
        kind = type("Drawn", (torch.nn.Module,), {"forward": scope["forward"]})
        made: torch.nn.Module = kind()
        for i, buffer in enumerate(self.buffers):
            made.register_buffer(f"b{i}", _floats_in(buffer.clone(), dtype))
        return made.eval()

    def inputs(self, dtype: torch.dtype | None = None) -> list[torch.Tensor]:
        return [_floats_in(x.clone(), dtype) for x in self.arguments]

    @cached_property
    def _exported(self) -> torch.export.ExportedProgram:
        return torch.export.export(self.module(), tuple(self.inputs()), strict=False)

    @cached_property
    def _decomposed(self) -> torch.export.ExportedProgram:
        return self.exported().run_decompositions()

    def exported(self) -> torch.export.ExportedProgram:
        """The module exported, with its first buffers: exporting takes longer than the rest."""
        return self._with_buffers(self._exported)

    def decomposed(self) -> torch.export.ExportedProgram:
        return self._with_buffers(self._decomposed)

    def _with_buffers(self, program: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
        """A program whose buffers calls may have changed, as it was."""
        for i, buffer in enumerate(self.buffers):
            if f"b{i}" in program.state_dict:
                program.state_dict[f"b{i}"].copy_(buffer)
        return program

    def __str__(self) -> str:
        kinds = [f"{x.dtype}{list(x.shape)}" for x in [*self.arguments, *self.buffers]]
        return f"# seed {self.seed}: {', '.join(kinds)}\n{self.forward}"


def _floats_in(x: torch.Tensor, dtype: torch.dtype | None) -> torch.Tensor:
    return x.to(dtype) if dtype is not None and x.is_floating_point() else x


def draw(seed: int, extents: Sequence[int] = ()) -> Drawn:
    """The module of a seed, with arguments of any small extents, or of these."""
    # Branches are compiled while they are drawn, and say what is refused.
    logging.disable(logging.CRITICAL)
    d = Drawing(np.random.default_rng(seed), extents=extents)
    arguments = [random_tensor(d) for _ in range(d.integer(1, 4))]
    buffers = [random_tensor(d) for _ in range(d.integer(0, 3))]
    d.scope = {"torch": torch, "F": torch.nn.functional}
    names = [f"a{i}" for i in range(len(arguments))]
    for name, x in zip(names, arguments, strict=True):
        d.scope[name] = x.clone()
        d.values.append(Value(name, d.scope[name], is_exact=True))

    class Self:
        pass

    d.scope["self"] = Self()
    for i, x in enumerate(buffers):
        setattr(d.scope["self"], f"b{i}", x.clone())
        tensor = getattr(d.scope["self"], f"b{i}")
        d.values.append(Value(f"self.b{i}", tensor, is_exact=True, is_own=True))
    kinds = [kind for kind, weight in KINDS for _ in range(weight)]
    count = d.integer(2, MOST_STATEMENTS)
    for _ in range(40):
        if len(d.lines) >= count:
            break
        d.one(kinds)(d)
    found = [v.name for v in d.values if v.name.startswith("x")] or names[:1]
    results = [name for name in found if d.chance(0.5)] or found[-1:]
    return Drawn(seed, d.lines, [f"{name}.clone()" for name in results], arguments, buffers)


# Ways --------------------------------------------------------------------------------------------


def _loaded(drawn: Drawn) -> Any:
    memory = io.BytesIO()
    torch.export.save(drawn.exported(), memory)
    memory.seek(0)
    return torch.export.load(memory)


def _with_arguments(drawn: Drawn) -> Drawn:
    """Buffers that nothing changes as arguments."""
    text = drawn.forward
    for i in range(len(drawn.buffers)):
        text = text.replace(f"self.b{i}", f"a{len(drawn.arguments) + i}")
    lines = [line.strip() for line in text.splitlines()[1:-1]]
    results = text.splitlines()[-1].strip().removeprefix("return (").removesuffix(",)").split(", ")
    arguments = [*drawn.arguments, *drawn.buffers]
    return Drawn(drawn.seed, lines, results, arguments, [])


def _divided(drawn: Drawn) -> Any:
    """The module over the chips of a mesh, which shard its arguments in some way."""
    rng = np.random.default_rng(drawn.seed)
    mesh = ((1, 2), (2, 2), (2, 4), (1, 3))[rng.integers(4)]
    shardings = {}
    # Inputs that nothing reads are none of the program.
    for info in ttmlir.compile(drawn.exported()).inputs:
        extents, dims = list(info.shape), []
        for chips in mesh:
            possible = [d for d, n in enumerate(extents) if chips > 1 and n and n % chips == 0]
            dims.append(possible[rng.integers(len(possible))] if possible else None)
            if possible:
                extents[dims[-1]] //= chips
        if any(dim is not None for dim in dims):
            shardings[info.name] = tuple(dims)
    return ttmlir.compile(
        drawn.exported(), target="t3000", mesh_shape=mesh, parallel=shardings or None
    )


#: By name: whether bits are those of the first way, and what makes an executable of it.
WAYS: dict[str, Callable[[Drawn], Any]] = {
    "ttnn": lambda d: ttmlir.compile(d.module(), *d.inputs()),
    "ttmetal": lambda d: ttmlir.compile(d.exported(), backend="ttmetal"),
    "loaded": lambda d: ttmlir.compile(_loaded(d)),
    "decomposed": lambda d: ttmlir.compile(d.decomposed()),
    "arguments": lambda d: ttmlir.compile(
        _with_arguments(d).module(), *_with_arguments(d).inputs()
    ),
    "optimized": lambda d: ttmlir.compile(d.exported(), enable_optimizer=True),
    "unfolded": lambda d: ttmlir.compile(
        d.exported(), enable_fusing=False, enable_const_eval=False,
        enable_erase_inverse_ops=False, enable_recognition=False,
    ),
    "divided": _divided,
    "level 1": lambda d: ttmlir.compile(d.exported(), optimization_level=1),
}  # fmt: skip


class WrongError(AssertionError):
    """A way gives other numbers than PyTorch."""


def check(seed: int, ways: tuple[str, ...] = tuple(WAYS)) -> str:
    """Runs the module of a seed by ways; gives ``right``, or the op that is refused.

    Raises:
        WrongError: a way gives other numbers than PyTorch.
    """
    drawn = draw(seed)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        expected = drawn.module()(*drawn.inputs())
        try:
            exact = drawn.module(torch.float64)(*drawn.inputs(torch.float64))
        except RuntimeError:  # A conversion to float32 meets float64.
            exact = expected
        refused = ""
        results: dict[str, Any] = {}
        for way in ways:
            try:
                executable = WAYS[way](drawn)
            except CompileError as error:
                refused = _reason(str(error))
                continue
            except (torch._dynamo.exc.TorchDynamoException, RuntimeError, AssertionError) as error:
                if not _is_by_torch(error):
                    raise
                return "not exported"
            arguments = _with_arguments(drawn).inputs() if way == "arguments" else drawn.inputs()
            found, wanted = executable(*arguments), expected
            if way == "decomposed":
                # PyTorch's decompositions differ from its ops where numbers are infinite: the
                # causal mask of attention is added to scores instead of hiding them.
                wanted = drawn.decomposed().module()(*drawn.inputs())
            for i, (x, y, z) in enumerate(zip(found, wanted, exact, strict=True)):
                if fault := difference(x, y, z):
                    raise WrongError(f"{way}: result {i} {fault}\n{drawn}")
            results[way] = found
            if way == "level 1" and "ttnn" in results:
                for i, (x, y) in enumerate(zip(found, results["ttnn"], strict=True)):
                    if not has_equal_bits(x, y) and not has_attention(executable):
                        raise WrongError(
                            f"{way}: result {i} has other bits than at level 0\n{drawn}"
                        )
    return f"refused: {refused}" if refused else "right"


def has_equal_bits(x: torch.Tensor, y: torch.Tensor) -> bool:
    """Whether two results are equal; NaNs are."""
    return x.dtype == y.dtype and torch.allclose(x, y, 0, 0, equal_nan=True)


def has_attention(executable: Any) -> bool:
    """Whether a program calls attention, which sums in another order than its parts do."""
    return any("attention" in op.name for op in executable.report().ops)


def _is_by_torch(error: BaseException) -> bool:
    """Whether the innermost frames of an error are PyTorch's."""
    frames = traceback.extract_tb(error.__traceback__)
    return "/torch/" in frames[-1].filename and "ttmlir" not in frames[-1].filename


def _reason(text: str) -> str:
    lines = [line for line in text.splitlines() if ": note: " in line or ": error: " in line]
    return (lines or text.splitlines())[-1].rpartition(": ")[2][:100]


def difference(found: torch.Tensor, expected: torch.Tensor, exact: torch.Tensor) -> str:
    """What differs: integers and truth values in no bit, floats by what a computation in f32 may be
    off, measured by one in f64."""
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return (
            f"is {found.dtype}{list(found.shape)}, expected {expected.dtype}{list(expected.shape)}"
        )
    if not expected.is_floating_point():
        wrong = found != expected
    else:
        x, y, z = (t.to(torch.float64) for t in (found, expected, exact.to(torch.float64)))
        spread = (y - z).abs().nan_to_num(0.0, 0.0, 0.0)
        scale = y.abs()
        limit = 1e-5 + 2e-5 * scale + 100 * spread
        same = (x == y) | (x.isnan() & y.isnan())
        # Beyond f32, or beside a pole, anything may become infinite.
        wild = ~y.isfinite() | (scale > 1e30)
        wrong = ~same & ~(((x - y).abs() <= limit) | (wild & ~x.isfinite()))
    if not bool(wrong.any()):
        return ""
    place = wrong.nonzero()[0].tolist() if wrong.dim() else []
    at = tuple(place)
    return f"has {found[at].item()} at {place}, expected {expected[at].item()}"


def seeds(first: int, count: int) -> Iterator[int]:
    yield from range(first, first + count)


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if count == 1:
        print(draw(first))
    ends: dict[str, int] = {}
    for seed in seeds(first, count):
        try:
            end = check(seed)
        except WrongError as error:
            end = "wrong"
            print(error, flush=True)
        except Exception as error:
            end = f"{type(error).__name__}"
            print(f"{seed}: {end}: {str(error)[:400]}\n{draw(seed)}", flush=True)
        ends[end] = ends.get(end, 0) + 1
        if end.startswith("refused") and "--refused" in sys.argv:
            print(end, draw(seed))
    for end, times in sorted(ends.items(), key=lambda item: -item[1]):
        print(f"{times:6d}  {end}")
