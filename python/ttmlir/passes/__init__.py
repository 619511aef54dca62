"""Pipelines and translations of the compiler.

>>> import ttmlir
>>> from ttmlir import passes
>>> b = ttmlir.Builder()
>>> b.output(b.relu(b.input("x", (32, 32))))
>>> passes.ttir_to_ttnn_backend_pipeline(b.module, "enable-optimizer=false")
>>> passes.ttnn_to_flatbuffer_bytes(b.module)[8:12]
b'TTNN'

``from ttmlir.passes import passes`` gives the same functions.
"""

from .._mlir_libs._ttmlir import passes as passes
from .._mlir_libs._ttmlir.passes import (
    PassError,
    SharedVoidPtr,
    ttir_to_ttnn_backend_pipeline,
    ttnn_to_flatbuffer_binary,
    ttnn_to_flatbuffer_bytes,
    ttnn_to_flatbuffer_file,
)

# The name that users catch it by.
PassError.__module__ = __name__

__all__ = [
    "PassError",
    "SharedVoidPtr",
    "passes",
    "ttir_to_ttnn_backend_pipeline",
    "ttnn_to_flatbuffer_binary",
    "ttnn_to_flatbuffer_bytes",
    "ttnn_to_flatbuffer_file",
]
