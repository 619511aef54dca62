"""The tt dialect: ops, enumerations, and in ``ir`` its attributes and types.

>>> from ttmlir import ir
>>> from ttmlir.dialects import tt
>>> with ir.Context() as context:
...     print(tt.ir.TileType.get(context, 32, 32, tt.DataType.BFloat16))
!tt.tile<32x32, bf16>
"""

from .._mlir_libs._ttmlir import register_dialect as register_dialect
from .._mlir_libs._ttmlir import tt_ir as ir
from ._tt_enum_gen import *
from ._tt_ops_gen import *
from ._tt_ops_gen import _Dialect
