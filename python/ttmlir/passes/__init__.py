"""Pipelines and translations of the compiler.

>>> import ttmlir
>>> from ttmlir import passes
>>> b = ttmlir.Builder()
>>> b.output(b.relu(b.input("x", (32, 32)), name="activation"))
>>> options = passes.TTIRToTTNNBackendPipelineOptions(override_grid_sizes={"activation": (1, 1)})
>>> passes.ttir_to_ttnn_backend_pipeline(b.module, options)
>>> passes.ttnn_to_flatbuffer_bytes(b.module)[8:12]
b'TTNN'

``from ttmlir.passes import passes`` imports the same functions.
"""

from ttmlir._options import PipelineOptions
from ttmlir._pipelines import (
    LinalgToTTIRPipelineOptions,
    TosaToTTIRPipelineOptions,
    TTIRToTTMetalBackendPipelineOptions,
    TTIRToTTNNBackendPipelineOptions,
)
from ttmlir.passes import passes as passes
from ttmlir.passes.passes import (
    Goldens,
    PassError,
    SharedVoidPtr,
    linalg_to_ttir_pipeline,
    run_pipeline,
    tosa_to_ttir_pipeline,
    ttir_to_ttmetal_backend_pipeline,
    ttir_to_ttnn_backend_pipeline,
    ttmetal_to_flatbuffer_binary,
    ttmetal_to_flatbuffer_bytes,
    ttmetal_to_flatbuffer_file,
    ttnn_to_flatbuffer_binary,
    ttnn_to_flatbuffer_bytes,
    ttnn_to_flatbuffer_file,
)

__all__ = [
    "Goldens",
    "LinalgToTTIRPipelineOptions",
    "PassError",
    "PipelineOptions",
    "SharedVoidPtr",
    "TTIRToTTMetalBackendPipelineOptions",
    "TTIRToTTNNBackendPipelineOptions",
    "TosaToTTIRPipelineOptions",
    "linalg_to_ttir_pipeline",
    "passes",
    "run_pipeline",
    "tosa_to_ttir_pipeline",
    "ttir_to_ttmetal_backend_pipeline",
    "ttir_to_ttnn_backend_pipeline",
    "ttmetal_to_flatbuffer_binary",
    "ttmetal_to_flatbuffer_bytes",
    "ttmetal_to_flatbuffer_file",
    "ttnn_to_flatbuffer_binary",
    "ttnn_to_flatbuffer_bytes",
    "ttnn_to_flatbuffer_file",
]
