"""The ttnn dialect: a class for each operation, and its enumerations."""

from .._mlir_libs._ttmlir import register_dialect as register_dialect
from ._ttnn_enum_gen import *
from ._ttnn_ops_gen import *
from ._ttnn_ops_gen import _Dialect
