"""The ttkernel dialect: ops, enumerations, and in ``ir`` its attributes and types.

>>> from ttmlir import ir
>>> from ttmlir.dialects import ttkernel
>>> with ir.Context() as context, ir.Location.unknown():
...     l1 = ir.Attribute.parse("#tt.memory_space<l1>")
...     tiles = ir.MemRefType.get([2, 4], ir.Type.parse("!tt.tile<32x32, f32>"), memory_space=l1)
...     ttkernel.ir.CBType.get(context, 66560, ttkernel.CBPort.In0, tiles).page_size
4096
"""

from .._mlir_libs import _mlir
from .._mlir_libs._ttmlir import register_dialect as register_dialect
from .._mlir_libs._ttmlir import ttkernel_ir as ir
from . import _tt_enum_gen as _tt_enum_gen
from ._ttkernel_enum_gen import *
from ._ttkernel_enum_gen import BroadcastType, EltwiseBinaryType, PoolType, ReduceDim
from ._ttkernel_ops_gen import *
from ._ttkernel_ops_gen import _Dialect


def _register_enumerators() -> None:
    """Lets op builders accept enumerators for enum attributes."""
    classes = {
        EltwiseBinaryType: ir.EltwiseBinaryTypeAttr,
        BroadcastType: ir.BroadcastTypeAttr,
        PoolType: ir.PoolTypeAttr,
        ReduceDim: ir.ReduceDimAttr,
    }
    for enum, attribute in classes.items():

        def make(value, context, get=attribute.get):
            return get(context, value)

        _mlir.ir.AttrBuilder.insert(f"TTKernel_{enum.__name__}Attr", make)


_register_enumerators()
