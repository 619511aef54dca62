"""The ttmetal dialect: device commands that launch kernels, and in ``ir`` its attributes.

>>> from ttmlir import ir
>>> from ttmlir.dialects import ttmetal
>>> with ir.Context() as context:
...     ttmetal.ir.CoreRangeAttr.get(context, [0, 0], [8, 8])
CoreRangeAttr(#ttmetal.core_range<0x0, 8x8>)
"""

from .._mlir_libs._ttmlir import register_dialect as register_dialect
from .._mlir_libs._ttmlir import ttmetal_ir as ir
from . import _tt_enum_gen as _tt_enum_gen
from ._ttmetal_ops_gen import *
from ._ttmetal_ops_gen import _Dialect
