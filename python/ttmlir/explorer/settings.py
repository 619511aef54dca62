"""What a person can set of an op, and how that is written for the compiler."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from ttmlir._formats import FORMATS
from ttmlir._pipelines import BACKENDS
from ttmlir.dialects import tt
from ttmlir.errors import InputError

Overrides = Mapping[str, Mapping[str, str]]

#: The parts of an override of a layout and their values, in the order of its text. A grid is any
#: `RxC`.
LAYOUT_PARTS: dict[str, tuple[str, ...]] = {
    "grid": (),
    "memory": ("dram", "l1"),
    "sharding": tuple(str(v) for v in tt.TensorMemoryLayout if str(v) != "none"),
    "layout": ("tile", "row_major"),
    "dtype": tuple(FORMATS),
}
_GRID = re.compile(r"[1-9]\d{0,3}x[1-9]\d{0,3}")


def check(overrides: Any, ops: Iterable[str]) -> None:
    """Raises InputError unless these are settings of those ops."""
    known = list(ops)
    if not isinstance(overrides, dict):
        raise InputError(f"overrides: expected an object by the names of ops, found {overrides!r}")
    for name, settings in overrides.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise InputError(f"no op has the name '{name}'{hint}")
        if not isinstance(settings, dict):
            raise InputError(f"{name}: expected an object of settings, found {settings!r}")
        for part, value in settings.items():
            _check_part(name, part, value)


def keywords_of(overrides: Overrides) -> dict[str, Any]:
    """Keywords of ``ttmlir.compile``."""
    layouts = {
        name: ":".join(settings[part] for part in LAYOUT_PARTS if part in settings)
        for name, settings in overrides.items()
    }
    layouts = {name: text for name, text in layouts.items() if text}
    return {"override_output_layout": layouts} if layouts else {}


def export(
    overrides: Overrides, options: Mapping[str, Any], backend: str, path: str
) -> dict[str, str]:
    """The choices as the compiler takes them: options of the pipeline, a command, and Python."""
    keywords = keywords_of(overrides) | dict(options)
    pipeline = BACKENDS[backend]
    text = str(pipeline(**keywords))
    given = "".join(f",\n    {name}={value!r}" for name, value in keywords.items())
    return {
        "options": text,
        "command": f"ttmlir-opt --{pipeline.pipeline}={shlex.quote(text)} {shlex.quote(path)}",
        "python": f"ttmlir.compile({path!r}, backend={backend!r}{given})",
    }


def _check_part(name: str, part: str, value: Any) -> None:
    if part not in LAYOUT_PARTS:
        raise InputError(f"{name}: expected {', '.join(LAYOUT_PARTS)}, found the setting '{part}'")
    values = LAYOUT_PARTS[part]
    if part == "grid":
        if not isinstance(value, str) or not _GRID.fullmatch(value):
            raise InputError(f"{name}: expected a grid such as 8x8, found {value!r}")
    elif value not in values:
        raise InputError(f"{name}: {part}: expected {', '.join(values)}, found {value!r}")
