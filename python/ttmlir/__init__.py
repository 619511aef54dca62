"""A compiler for Tenstorrent-style chips, with an emulator of the chip inside.

    import ttmlir

    exe = ttmlir.compile("mlp.mlir", backend="ttnn", target="n150")
    y = exe(x, w1, b1)

Modules are loaded on first use: importing this package takes a few milliseconds.
"""

from __future__ import annotations

# The module of each public name; None is a module of that name. Editors and type checkers read
# __init__.pyi, which lists the same names.
_HOMES = {
    "Advice": "advice",
    "Builder": "builder",
    "CapturedTrace": "captured",
    "ChannelUse": "report",
    "Choice": "planning",
    "Comparison": "comparison",
    "CompileError": "errors",
    "CoreUse": "report",
    "Diagnostic": "errors",
    "DynamicExecutable": "dynamic",
    "Error": "errors",
    "Executable": "executable",
    "FileError": "errors",
    "InputError": "errors",
    "KernelUse": "report",
    "LinkUse": "report",
    "MemoryRequest": "report",
    "MemoryUse": "report",
    "MicroBatches": "_stages.executable",
    "OpComparison": "comparison",
    "OpReport": "report",
    "OperandUse": "report",
    "OutOfMemoryError": "errors",
    "PipelineExecutable": "_stages.executable",
    "PipelineUse": "report",
    "Plan": "planning",
    "Program": "_programs",
    "QueueCommand": "captured",
    "Remark": "errors",
    "Report": "report",
    "StageUse": "report",
    "Suggestion": "advice",
    "TensorInfo": "_programs",
    "TimeParts": "report",
    "TraceFilter": "runtime",
    "TraceReport": "captured",
    "__git_hash__": "_version",
    "__version__": "_version",
    "compile": "compiler",
    "config": None,
    "dialects": None,
    "emitc": None,
    "errors": None,
    "explorer": None,
    "ir": None,
    "jit": "_jit",
    "jax": None,
    "kernel": None,
    "llm": None,
    "load": "executable",
    "mpi": None,
    "onnx": None,
    "pages": None,
    "passes": None,
    "plan": "planning",
    "runtime": None,
    "targets": "_targets",
    "torch": None,
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
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
    return sorted(_HOMES)
