"""The ttnn dialect: a class for each operation, its enumerations, and in ``ir`` its attributes.

>>> from ttmlir import ir
>>> from ttmlir.dialects import ttnn
>>> with ir.Context() as context:
...     dram = ttnn.BufferType.DRAM
...     ttnn.ir.MemoryConfigAttr.get(context, ttnn.TensorMemoryLayout.Interleaved, dram)
MemoryConfigAttr(#ttnn.memory_config<<interleaved>, <dram>>)
"""

from .._mlir_libs._ttmlir import register_dialect as register_dialect
from .._mlir_libs._ttmlir import ttnn_ir as ir
from ._ttnn_enum_gen import *
from ._ttnn_ops_gen import *
from ._ttnn_ops_gen import _Dialect
