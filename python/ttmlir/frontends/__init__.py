"""Front ends: how programs in other forms become TTIR.

A front end is an object with the interface of ``FrontEnd``. ``ttmlir.compile`` asks each one
whether it recognizes the source, the installed ones first, then those of ``BUILT_IN`` in their
order. It lowers the source to a module of TTIR and says in a ``Signature`` how the executable is
called. A package adds one by an entry point of the group ``ttmlir.frontends`` that names such an
object; ``docs/src/add_a_front_end.md`` writes one.

No front end imports the compiler or the executable: they import the front ends.
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
from ttmlir.frontends._signature import Call, ExecutableLike, Signature
from ttmlir.frontends._source import Source

if TYPE_CHECKING:
    from ttmlir import ir, runtime
    from ttmlir.frontends.reference import Values

__all__ = [
    "DTYPE",
    "Arguments",
    "Call",
    "ExecutableLike",
    "FrontEnd",
    "Keyword",
    "Lowered",
    "Options",
    "Signature",
    "Source",
    "any_of",
    "find",
    "front_ends",
    "optional",
]

#: The one list of the front ends of this package, in the order in which they are asked: those that
#: take any function or any text come last.
BUILT_IN = ("builder", "torch", "onnx", "jax", "stablehlo", "mlir")
#: The group of the entry points of other packages.
GROUP = "ttmlir.frontends"


@dataclass(frozen=True)
class Keyword:
    """A keyword of ``ttmlir.compile`` that only some front ends take.

    Args:
        name: of the keyword.
        type: its annotation.
        description: for ``help(ttmlir.compile)``.
        default: a value that means the same as leaving it out.
    """

    name: str
    type: str
    description: str
    default: Any = None


#: Of the front ends that choose formats.
DTYPE = Keyword(
    "dtype",
    "str | Mapping[str, str]",
    "the format of weights and activations: ``f32``, ``bf16`` or ``bfp8_b``, or a mapping from "
    "patterns of names to them; those of the source by default",
)


@dataclass(frozen=True)
class Arguments:
    """What ``ttmlir.compile`` was given besides the source: positional ``examples`` and the
    keywords of the front end, without those that were left out."""

    examples: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = field(default_factory=dict)

    def example_inputs(self, kinds: tuple[type, ...], expected: str) -> Any:
        """Example inputs, which are given by position or by the keyword ``example_inputs``.

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


@dataclass(frozen=True)
class Options:
    """What the compiler tells a front end: the ``system`` to compile for, None where only the
    module is wanted, and the chips that the user has chosen."""

    system: runtime.SystemDesc | None = None
    chip_ids: tuple[int, ...] = ()


@dataclass(frozen=True)
class Lowered:
    """A source as a module of TTIR.

    Args:
        module: a verified module that nobody else holds.
        signature: how the executable is called.
        pipeline: passes that turn the module into TTIR first; empty if it is.
        mesh_shape: the mesh that the program was written for; empty if it does not say.
        chip_ids: the chips of the mesh, row-major, where the program chooses them.
    """

    module: ir.Module
    signature: Signature = field(default_factory=Signature)
    pipeline: str = ""
    mesh_shape: tuple[int, ...] = ()
    chip_ids: tuple[int, ...] = ()


class FrontEnd(ABC):
    """Lowers one kind of source to TTIR. Its module is imported with ``ttmlir.compile``: what it
    needs besides, such as PyTorch, it imports in ``lower``."""

    #: By which messages and documents call it.
    name: str
    #: Its sources in messages, such as "a module of PyTorch".
    noun: str
    #: The extra of ``pip install ttmlir[...]`` that it needs.
    extra: str = ""
    #: Those that it takes besides the keywords that all of them take.
    keywords: Sequence[Keyword] = ()
    #: Whether positional arguments behind the source are examples of those of a call.
    takes_examples: bool = False

    @abstractmethod
    def recognizes(self, source: Source) -> bool:
        """Whether the source is of its kind. It must not import what may be not installed."""

    @abstractmethod
    def lower(self, source: Source, arguments: Arguments, options: Options) -> Lowered:
        """Lowers a source that it recognizes.

        Raises:
            CompileError: the source does not parse or verify, or has ops that are not supported.
            Error: an argument is missing or wrong, or a package that it needs is not installed.
        """

    def reference(self, source: Source, args: Sequence[Any], kwargs: Any) -> Values | None:
        """The results that ``Executable.compare`` compares with for a source that was given to it,
        and for arguments of a call. None compares with the TTIR of the source, computed in f32 on
        the emulator.

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
    """The front ends of other packages; one that does not load is left out with a warning."""
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
    """All front ends, in the order in which they are asked."""
    return (*_installed(), *_built_in())


def find(source: Source) -> FrontEnd:
    """The front end of a source.

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
    """``a, b or c``, each once."""
    *first, last = dict.fromkeys(names)
    return f"{', '.join(first)} or {last}" if first else last


@contextmanager
def optional() -> Iterator[None]:
    """Imports inside raise ``Error`` with the extra to install where a package is missing."""
    try:
        yield
    except ImportError as error:
        raise Error(str(error)) from None
