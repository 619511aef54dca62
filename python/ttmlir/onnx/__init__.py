"""ONNX's standard backend interface: ``ttmlir.onnx.backend``.

``ttmlir.compile`` compiles models; needs the extra ``onnx``: ``pip install ttmlir[onnx]``.
"""

from __future__ import annotations


def __getattr__(name: str) -> object:
    if name != "backend":
        raise AttributeError(f"module 'ttmlir.onnx' has no attribute '{name}'")
    from importlib import import_module

    return import_module("ttmlir.onnx.backend")
