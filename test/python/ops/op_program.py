"""One op of TTIR: its program, its run on the emulator, and its reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import op_sizes
import tiers
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from op_formats import FORMATS, Array, Format, Shape, check
from op_oracle import evaluate

import ttmlir

Test = TypeVar("Test", bound=Callable[..., Any])

#: The operand constraint of every operand.
ALIASES = (
    "#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>\n"
)


def draws(whole: int) -> Callable[[Test], Test]:
    """Draws ``whole`` inputs, the same in every run; for one that fails none smaller is sought.

    In a sample there are fewer of them, which change with the seed of the sample."""

    def decorate(test: Test) -> Test:
        drawn = draws_of_any_run(tiers.count(whole))(test)
        return seed(tiers.seed_of(test.__qualname__))(drawn) if tiers.SAMPLE else drawn

    return decorate


def draws_of_any_run(count: int) -> settings:
    """As many draws in a sample, too."""
    return settings(
        max_examples=count,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


@dataclass(frozen=True)
class Case:
    """An op with its inputs, and what it is to compute.

    ``reference`` takes the inputs as float64 or integer arrays of JAX. ``ulps`` of f32 and the
    absolute ``slack`` are the error of a computation in f32, before the result is rounded to its
    format.
    """

    op: str
    inputs: Sequence[tuple[Array, str]]
    shape: Shape
    dtype: str
    reference: Callable[..., Any] = field(repr=False)
    attributes: Mapping[str, str] = field(default_factory=dict)
    ulps: float = 0.0
    slack: Array | float = field(default=0.0, repr=False)
    segments: Sequence[int] = ()
    has_destination: bool = True
    has_constraints: bool = True
    #: Of an op with several results all of them; the program returns number ``picked``, whose
    #: shape and dtype are those of the case.
    results: Sequence[tuple[Shape, str]] = ()
    picked: int = 0

    def __repr__(self) -> str:
        inputs = ", ".join(f"{dtype}{list(array.shape)}" for array, dtype in self.inputs)
        attributes = ", ".join(f"{name} = {text}" for name, text in self.attributes.items())
        return f"{self.op}({inputs}) -> {self.dtype}{list(self.shape)} {{{attributes}}}"

    def _repr_pretty_(self, printer: Any, _: bool) -> None:
        """How hypothesis shows a case."""
        printer.text(repr(self))

    @property
    def format(self) -> Format:
        return FORMATS[self.dtype]

    def text(self, name: str = "") -> str:
        """A module with a function of the inputs that returns the result of the op ``name``."""
        types = [FORMATS[dtype].type(array.shape) for array, dtype in self.inputs]
        result = self.format.type(self.shape)
        results = [FORMATS[dtype].type(shape) for shape, dtype in self.results] or [result]
        names = [f"%arg{i}" for i in range(len(types))]
        arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
        lines = [f"func.func @op({arguments}) -> {result} {{"]
        attributes = dict(self.attributes)
        if self.has_destination:
            for i, kind in enumerate(results):
                lines.append(f"  %out{i} = tensor.empty() : {kind}")
                names.append(f"%out{i}")
            types += results
        if self.has_destination and self.has_constraints:
            attributes["operand_constraints"] = f"[{', '.join(['#any'] * len(names))}]"
        if self.segments:
            counts = ", ".join(map(str, self.segments))
            attributes["operandSegmentSizes"] = f"array<i32: {counts}>"
        properties = ", ".join(f"{name} = {text}" for name, text in sorted(attributes.items()))
        properties = f" <{{{properties}}}>" if properties else ""
        lines += [
            f'  %result:{len(results)} = "ttir.{self.op}"({", ".join(names)}){properties}',
            f"    : ({', '.join(types)}) -> ({', '.join(results)})" + (name and f' loc("{name}")'),
            f"  return %result#{self.picked} : {result}",
            "}",
        ]
        return ALIASES + "\n".join(lines) + "\n"

    def expected(self) -> Array:
        """The exact result, computed in float64 or in integers."""
        wide = (
            array.astype(np.float64 if FORMATS[dtype].is_float else np.int64)
            for array, dtype in self.inputs
        )
        return evaluate(self.reference, *wide).reshape(self.shape)

    def run(self) -> Array:
        """The result on the emulator."""
        result: Array = ttmlir.compile(self.text())(*(array for array, _ in self.inputs))
        return result

    def check(self) -> None:
        check(self.run(), self.expected(), self.format, self.ulps, self.slack)


Strategy = st.SearchStrategy[Case]


@st.composite
def shapes(
    draw: st.DrawFn,
    min_rank: int = 1,
    max_rank: int = 6,
    *,
    scalars: bool = False,
    empty: bool = False,
) -> Shape:
    """Shapes of rank 1 to 6, few extents of which are multiples of 32. Where the edges are drawn,
    also rank 0 for an op that takes ``scalars``, and extents of 0 for one that takes ``empty``
    tensors."""
    sizes = op_sizes.current()
    least = 0 if scalars and sizes.edges else min_rank
    rank = draw(st.integers(least, max_rank))
    none = (0,) if empty and sizes.edges else ()
    extents = [draw(st.sampled_from((*none, *sizes.outer))) for _ in range(rank - 2)]
    extents += [draw(st.sampled_from((*none, *sizes.inner))) for _ in range(min(rank, 2))]
    return op_sizes.bounded(extents)


def edges() -> bool:
    """Whether the edges of shapes are drawn, which block floats do not have."""
    return op_sizes.current().edges


def least() -> int:
    """The least extent: 0 where the edges are drawn, else 1."""
    return 0 if edges() else 1


def or_none(*extents: int) -> tuple[int, ...]:
    """Extents; where the edges are drawn also 0."""
    return (0, *extents) if edges() else extents


def products() -> tuple[int, ...]:
    """Extents of products; where the edges are drawn also 0."""
    return or_none(*op_sizes.current().product)


def generators() -> st.SearchStrategy[np.random.Generator]:
    return st.integers(0, 2**32 - 1).map(np.random.default_rng)


# Attributes as text -------------------------------------------------------------------------------


def i32(value: int) -> str:
    return f"{value} : i32"


def si32(value: int) -> str:
    return f"{value} : si32"


def f32(value: float) -> str:
    return f"{float(np.float32(value))!r} : f32".replace("inf", "0x7F800000")


def boolean(value: bool) -> str:
    return str(value).lower()


def i32_list(values: Sequence[int]) -> str:
    return f"[{', '.join(f'{v} : i32' for v in values)}]"


def i64_list(values: Sequence[int]) -> str:
    return f"[{', '.join(f'{v} : i64' for v in values)}]"


def dense(values: Sequence[int], width: int = 64) -> str:
    return f"array<i{width}: {', '.join(map(str, values))}>" if values else f"array<i{width}>"
