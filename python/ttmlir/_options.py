"""Base class of pipeline options in Python, and parsers of their values.

A field corresponds to the command-line option of the same name, with dashes for underscores.
``str()`` of the object is the option text; fields with default values are omitted.

>>> from ttmlir.passes import TTIRToTTNNBackendPipelineOptions
>>> str(TTIRToTTNNBackendPipelineOptions(enable_optimizer=False, mesh_shape=(2, 1, 1)))
'enable-optimizer=false mesh-shape=2,1,1'
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Set
from dataclasses import dataclass, fields
from operator import index
from typing import Any, ClassVar

#: Formats the value of the option of that name; raises ValueError for an invalid one.
Reader = Callable[[str, Any], str]


@dataclass(frozen=True, kw_only=True)
class PipelineOptions:
    """Options of the pipeline named ``pipeline`` or by one of its ``aliases``.

    Raises:
        ValueError: the value of an option is invalid.
    """

    pipeline: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    #: The formatter of each option's value for the command line.
    _readers: ClassVar[Mapping[str, Reader]] = {}

    def __post_init__(self) -> None:
        str(self)  # Checks all values.

    def __str__(self) -> str:
        texts = []
        for field in fields(self):
            value, default = getattr(self, field.name), field.default
            if value is None and default is None:
                continue
            text = self._readers[field.name](field.name, value)
            if default is None or text != self._readers[field.name](field.name, default):
                texts.append(f"{field.name.replace('_', '-')}={text}")
        return " ".join(texts)


def boolean(name: str, value: Any) -> str:
    if not isinstance(value, bool):
        raise ValueError(f"{name}: expected True or False, found {value!r}")
    return "true" if value else "false"


def count(name: str, value: Any) -> str:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**63:
        raise ValueError(f"{name}: expected a number from 0, found {value!r}")
    return str(value)


def choice(*names: str) -> Reader:
    def read(name: str, value: Any) -> str:
        if value not in names:
            raise ValueError(f"{name}: expected one of {', '.join(names)}, found {value!r}")
        return str(value)

    return read


def choices(*names: str) -> Reader:
    def read(name: str, value: Any) -> str:
        if isinstance(value, str) or not isinstance(value, Collection):
            raise ValueError(f"{name}: expected a list of {', '.join(names)}, found {value!r}")
        one = choice(*names)
        return ",".join(one(f"{name}[{i}]", item) for i, item in enumerate(value))

    return read


def path(name: str, value: Any) -> str:
    if not isinstance(value, str | os.PathLike):
        raise ValueError(f"{name}: expected a path, found {value!r}")
    text = str(os.fspath(value))
    return f'"{text}"' if any(c.isspace() for c in text) else text


def extents(name: str, value: Any) -> str:
    return ",".join(_numbers(name, value, 1, "positive extents, such as (2, 4)"))


def chips(name: str, value: Any) -> str:
    return ",".join(_numbers(name, value, 0, "chips of the system, such as (0, 1)"))


def grids(name: str, value: Any) -> str:
    def grid(key: str, found: Any) -> str:
        return "x".join(_numbers(name, found, 1, f"(rows, columns) for '{key}'", 2))

    return _entries(name, value, grid)


def layouts(name: str, value: Any) -> str:
    return _colon_separated(name, value, "layout", "4x4:l1:block_sharded", ",=")


def compute_configs(name: str, value: Any) -> str:
    return _colon_separated(name, value, "compute_config", "hifi4:fp32_dest_acc_en", ",")


def _colon_separated(name: str, value: Any, what: str, example: str, foreign: str) -> str:
    """Formats strings by op names as parts joined by colons, without the characters ``foreign``;
    the compiler's parser checks them."""

    def parts(key: str, found: Any) -> str:
        if (
            not isinstance(found, str)
            or not found
            or any(c.isspace() or c in foreign for c in found)
        ):
            raise ValueError(
                f"{name}: expected parts joined by colons, such as '{example}', for '{key}', "
                f"found {found!r}"
            )
        from ttmlir._mlir_libs._ttmlir import overrides

        if problem := getattr(overrides, f"check_{what}")(key, found):
            raise ValueError(f"{name}: {problem}")
        return found

    return _entries(name, value, parts)


def _entries(name: str, value: Any, text: Callable[[str, Any], str]) -> str:
    if not isinstance(value, Mapping):
        raise ValueError(f"{name}: expected a dict by the names of ops, found {value!r}")
    return ",".join(f"{key}={text(key, found)}" for key, found in value.items())


def _numbers(name: str, value: Any, least: int, what: str, size: int | None = None) -> list[str]:
    """Formats integers; ``what`` describes them in the error message."""
    if (
        not isinstance(value, Collection)
        or isinstance(value, str | bytes | Mapping | Set)
        or (size is not None and len(value) != size)
        or not all(hasattr(n, "__index__") and index(n) >= least for n in value)
    ):
        raise ValueError(f"{name}: expected {what}, found {value!r}")
    return [str(index(number)) for number in value]
