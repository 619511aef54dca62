"""The settings that a user can change, and the compiler options for them."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ttmlir._formats import FORMATS
from ttmlir._numerics import Numerics
from ttmlir._pipelines import BACKENDS
from ttmlir.compiler import DEFAULTS
from ttmlir.dialects import tt
from ttmlir.errors import InputError

Overrides = Mapping[str, Mapping[str, str]]

#: Used in place of a list of values for settings that are rows and columns of cores.
GRID = ("RxC",)
#: Parts of the layout of an op's result, in the order of their text.
LAYOUT_PARTS: dict[str, tuple[str, ...]] = {
    "grid": GRID,
    "memory": ("dram", "l1"),
    "sharding": tuple(str(v) for v in tt.TensorMemoryLayout if str(v) != "none"),
    "layout": ("tile", "row_major"),
    "dtype": tuple(FORMATS),
}
_FIDELITIES = ("lofi", "hifi2", "hifi3", "hifi4")
_FLAG = ("true", "false")
#: Parts of an op's compute configuration.
COMPUTE_PARTS: dict[str, tuple[str, ...]] = {
    "fidelity": _FIDELITIES,
    "fp32_dest_acc_en": _FLAG,
    "math_approx_mode": _FLAG,
    "packer_l1_acc": _FLAG,
}
#: Settings of an op by backend: TTMetal kernels place their results themselves, and always
#: accumulate products in L1.
OP_SETTINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "ttnn": LAYOUT_PARTS | COMPUTE_PARTS,
    "ttmetal": {name: v for name, v in COMPUTE_PARTS.items() if name != "packer_l1_acc"},
}
#: Settings of a program: options of the pipelines.
OPTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "ttnn": {
        "sharding_pass_enabled": ("true",),
        "resharding_enabled": ("true",),
        "math_fidelity": _FIDELITIES,
    },
    "ttmetal": {
        "override_device_shape": GRID,
        "default_memory_space": ("dram", "l1"),
        "math_fidelity": _FIDELITIES,
    },
}
#: The arithmetic of the engines, the default of the page first.
NUMERICS: tuple[Numerics, ...] = ("exact", "fast")
_GRID = re.compile(r"([1-9]\d{0,2})x([1-9]\d{0,2})")


def describe_settings(backend: str) -> dict[str, Any]:
    """Returns the settings and their values for the page."""
    return {
        "settings": OP_SETTINGS[backend],
        "options": OPTIONS[backend],
        "numerics": NUMERICS,
    }


def check_overrides(overrides: Any, ops: Iterable[str], backend: str) -> None:
    """Raises InputError unless these are valid settings of those ops."""
    known = list(ops)
    if not isinstance(overrides, dict):
        raise InputError(f"overrides: expected an object by the names of ops, found {overrides!r}")
    for name, settings in overrides.items():
        if name not in known:
            raise InputError(f"no op has the name '{name}'{_hint(name, known)}")
        _check(name, settings, OP_SETTINGS[backend])


def check_options(options: Any, backend: str) -> None:
    """Raises InputError unless these are valid options of a program."""
    _check("options", options, OPTIONS[backend])


def keywords_of(overrides: Overrides, options: Mapping[str, str]) -> dict[str, Any]:
    """Returns the keywords for ``ttmlir.compile``."""
    keywords = {name: _value(text) for name, text in options.items()}
    for keyword, parts in (
        ("override_output_layout", LAYOUT_PARTS),
        ("override_compute_config", COMPUTE_PARTS),
    ):
        texts = {
            name: ":".join(_part(part, settings[part]) for part in parts if part in settings)
            for name, settings in overrides.items()
        }
        if texts := {name: text for name, text in texts.items() if text}:
            keywords[keyword] = texts
    return keywords


def export(
    overrides: Overrides, options: Mapping[str, str], backend: str, path: str
) -> dict[str, str]:
    """Returns the choices as pipeline options, as a command line, and as Python."""
    keywords = keywords_of(overrides, options)
    pipeline = BACKENDS[backend]
    # The pipeline has other defaults than ttmlir.compile.
    text = str(pipeline(**{**DEFAULTS.get(backend, {}), **keywords}))
    flag = f"--{pipeline.pipeline}" + (f"={shlex.quote(text)}" if text else "")
    given = "".join(f",\n    {name}={value!r}" for name, value in keywords.items())
    return {
        "text": text,
        "command": f"ttmlir-opt {flag} {shlex.quote(path)}",
        "python": f"ttmlir.compile({path!r}, backend={backend!r}{given})",
    }


def _part(name: str, value: str) -> str:
    """Formats a part of an override; flags include their name."""
    return {"true": name, "false": f"{name}=false"}.get(value, value)


def _value(text: str) -> Any:
    if grid := _GRID.fullmatch(text):
        return int(grid[1]), int(grid[2])
    return True if text == "true" else text


def _check(where: str, settings: Any, known: Mapping[str, tuple[str, ...]]) -> None:
    if not isinstance(settings, dict):
        raise InputError(f"{where}: expected an object of settings, found {settings!r}")
    for name, value in settings.items():
        if name not in known:
            raise InputError(f"{where}: there is no setting '{name}'{_hint(name, known)}")
        values = known[name]
        if values is GRID:
            if not isinstance(value, str) or not _GRID.fullmatch(value):
                raise InputError(f"{where}: {name}: expected such as 8x8, found {value!r}")
        elif value not in values:
            raise InputError(f"{where}: {name}: expected {', '.join(values)}, found {value!r}")


def _hint(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    return f"; did you mean '{near[0]}'?" if near else ""
