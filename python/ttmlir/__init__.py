"""A compiler for Tenstorrent-style chips, with an emulator of the chip inside.

    import ttmlir

    exe = ttmlir.compile("mlp.mlir", backend="ttnn", target="n150")
    y = exe(x, w1, b1)

Nothing is loaded before it is used: importing this package takes a few milliseconds.
"""

from __future__ import annotations

# Type checkers take this for typing's, whose import would be most of this package's.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ttmlir import dialects, emitc, errors, ir, kernel, passes, runtime
    from ttmlir._targets import targets
    from ttmlir._version import __git_hash__, __version__
    from ttmlir.builder import Builder
    from ttmlir.compiler import compile
    from ttmlir.errors import (
        CompileError,
        Diagnostic,
        Error,
        InputError,
        OutOfMemoryError,
        Remark,
    )
    from ttmlir.executable import Executable, Program, TensorInfo, load
    from ttmlir.report import ChannelUse, CoreUse, LinkUse, OpReport, Report

# Where each public name lives; None is a module of that name.
_HOMES: dict[str, str | None] = {
    "Builder": "builder",
    "ChannelUse": "report",
    "CompileError": "errors",
    "CoreUse": "report",
    "Diagnostic": "errors",
    "Error": "errors",
    "Executable": "executable",
    "InputError": "errors",
    "LinkUse": "report",
    "OpReport": "report",
    "OutOfMemoryError": "errors",
    "Program": "executable",
    "Remark": "errors",
    "Report": "report",
    "TensorInfo": "executable",
    "__git_hash__": "_version",
    "__version__": "_version",
    "compile": "compiler",
    "dialects": None,
    "emitc": None,
    "errors": None,
    "ir": None,
    "kernel": None,
    "load": "executable",
    "passes": None,
    "runtime": None,
    "targets": "_targets",
}

__all__ = [
    "Builder",
    "ChannelUse",
    "CompileError",
    "CoreUse",
    "Diagnostic",
    "Error",
    "Executable",
    "InputError",
    "LinkUse",
    "OpReport",
    "OutOfMemoryError",
    "Program",
    "Remark",
    "Report",
    "TensorInfo",
    "__git_hash__",
    "__version__",
    "compile",
    "dialects",
    "emitc",
    "errors",
    "ir",
    "kernel",
    "load",
    "passes",
    "runtime",
    "targets",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ttmlir' has no attribute '{name}'")
    from importlib import import_module

    home = _HOMES[name]
    if home is None:
        return import_module(f"ttmlir.{name}")
    value = getattr(import_module(f"ttmlir.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
