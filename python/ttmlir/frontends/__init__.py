"""Front ends: convert programs of other forms to TTIR.

A front end implements ``FrontEnd``. ``ttmlir.compile`` uses the first one that recognizes the
source: it asks those of installed packages first, then ``BUILT_IN`` in order. The front end lowers
the source to a TTIR module and returns a ``Signature``, which defines how the executable is called.
A package adds a front end with an entry point in the group ``ttmlir.frontends``; see
``docs/src/add_a_front_end.md``.

Front ends do not import the compiler or the executable, which import them.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module, metadata
from typing import TYPE_CHECKING, Any

from ttmlir.errors import Error
from ttmlir.frontends._dynamic import Derived, DynamicInput, DynamicProgram
from ttmlir.frontends._lowered import Lowered, Options
from ttmlir.frontends._shardings import ParameterSharding, ParameterShardings
from ttmlir.frontends._signature import Call, ExecutableLike, Signature
from ttmlir.frontends._source import Source

if TYPE_CHECKING:
    from ttmlir.frontends.reference import Values

__all__ = [
    "DTYPE",
    "Arguments",
    "Call",
    "Derived",
    "DynamicInput",
    "DynamicProgram",
    "ExecutableLike",
    "FrontEnd",
    "Keyword",
    "Lowered",
    "Options",
    "ParameterSharding",
    "ParameterShardings",
    "Signature",
    "Source",
    "any_of",
    "find",
    "front_ends",
    "optional",
]

#: The front ends of this package, in the order in which they are asked: those that accept any
#: function or any text are last.
BUILT_IN = ("builder", "torch", "onnx", "jax", "stablehlo", "mlir")
#: The entry point group for other packages.
GROUP = "ttmlir.frontends"


@dataclass(frozen=True)
class Keyword:
    """A keyword of ``ttmlir.compile`` that only some front ends support.

    Args:
        name: of the keyword.
        type: its annotation.
        description: for ``help(ttmlir.compile)``.
        default: a value equivalent to leaving it out.
    """

    name: str
    type: str
    description: str
    default: Any = None


#: The keyword of front ends that choose formats.
DTYPE = Keyword(
    "dtype",
    "str | Mapping[str, str]",
    "the format of weights and activations: ``f32``, ``bf16``, ``bfp8_b`` or ``bfp4_b``, or a "
    "mapping from name patterns to formats; by default the source's dtypes",
)


@dataclass(frozen=True)
class Arguments:
    """The arguments of ``ttmlir.compile`` besides the source: positional ``examples``, and the
    front end's keywords that were given."""

    examples: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = field(default_factory=dict)

    def example_inputs(self, kinds: tuple[type, ...], expected: str) -> Any:
        """Returns the example inputs, given by position or by the keyword ``example_inputs``.

        Raises:
            TypeError: they are given both ways, or the keyword is not one of ``kinds``.
        """
        inputs = self.keywords.get("example_inputs")
        if inputs is None:
            return self.examples
        if self.examples:
            raise TypeError("compile() takes example arguments or example_inputs, found both")
        if not isinstance(inputs, kinds):
            raise TypeError(f"example_inputs: expected {expected}, found {type(inputs).__name__}")
        return inputs


class FrontEnd(ABC):
    """Lowers one kind of source to TTIR. Its module is imported with ``ttmlir.compile``; ``lower``
    imports further dependencies, such as PyTorch."""

    #: The name in messages and documentation.
    name: str
    #: The noun for its sources in messages, such as "a module of PyTorch".
    noun: str
    #: The extra of ``pip install ttmlir[...]`` that it requires.
    extra: str = ""
    #: Its keywords in addition to the common ones.
    keywords: Sequence[Keyword] = ()
    #: Whether positional arguments after the source are example arguments.
    takes_examples: bool = False

    @abstractmethod
    def recognizes(self, source: Source) -> bool:
        """Whether it can lower the source. Must not import optional packages."""

    @abstractmethod
    def lower(self, source: Source, arguments: Arguments, options: Options) -> Lowered:
        """Lowers a source that it recognizes.

        Raises:
            CompileError: the source does not parse or verify, or has unsupported ops.
            Error: an argument is missing or wrong, or a required package is not installed.
        """

    def dynamic(self, source: Source, arguments: Arguments) -> DynamicProgram | None:
        """Returns the program of a source with dynamic shapes, which is lowered for the shapes of
        each call; None if all shapes are known, in which case ``lower`` is used.

        Raises:
            CompileError, Error: as for ``lower``.
        """
        return None

    def parameter_shardings(
        self, source: Source, parallel: Any
    ) -> tuple[ParameterShardings | None, Any]:
        """Returns the shardings of parameters that the source has, or that entries of ``parallel``
        state in the form of its framework, and the rest of ``parallel``.

        Raises:
            Error: an entry matches nothing in the source, or is not supported.
        """
        return None, parallel

    def reference(self, source: Source, args: Sequence[Any], kwargs: Any) -> Values | None:
        """Returns the results that ``Executable.compare`` uses as the reference for a source passed
        to it, given the arguments of a call. None means that the source's TTIR, computed in f32 on
        the emulator, is the reference.

        Raises:
            Error: as for ``lower``.
        """
        return None


@cache
def _built_in() -> tuple[FrontEnd, ...]:
    names = (f"ttmlir.frontends.entries.{name}" for name in BUILT_IN)
    return tuple(entry for name in names for entry in import_module(name).FRONT_ENDS)


@cache
def _installed() -> tuple[FrontEnd, ...]:
    return tuple(_load())


def _load() -> Iterator[FrontEnd]:
    """Yields the front ends of other packages; warns about one that does not load."""
    for point in metadata.entry_points(group=GROUP):
        try:
            found = point.load()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
        else:
            if isinstance(found, FrontEnd):
                yield found
                continue
            reason = f"expected a ttmlir.frontends.FrontEnd, found {type(found).__name__}"
        text = f"the front end '{point.name}' of {point.value} is left out: {reason}"
        warnings.warn(text, stacklevel=2)


def front_ends() -> tuple[FrontEnd, ...]:
    """Returns all front ends, in the order in which they are asked."""
    return (*_installed(), *_built_in())


def find(source: Source) -> FrontEnd:
    """Finds the front end of a source.

    Raises:
        FileError: the source is the path of a file that cannot be read.
        TypeError: no front end recognizes it.
    """
    for entry in front_ends():
        if entry.recognizes(source):
            return entry
    nouns = any_of([entry.noun for entry in front_ends()])
    raise TypeError(f"source: expected {nouns}, found {type(source.value).__name__}")


def any_of(names: Sequence[str]) -> str:
    """Formats ``a, b or c`` without duplicates."""
    *first, last = dict.fromkeys(names)
    return f"{', '.join(first)} or {last}" if first else last


@contextmanager
def optional() -> Iterator[None]:
    """Turns import errors in the block into an ``Error`` that names the extra to install."""
    try:
        yield
    except ImportError as error:
        raise Error(str(error)) from None
