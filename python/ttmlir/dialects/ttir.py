"""The ttir dialect: a class for each operation, and in ``ir`` shape inference."""

from .._mlir_libs._ttmlir import register_dialect as register_dialect
from .._mlir_libs._ttmlir import ttir_ir as ir
from ._ttir_ops_gen import *
from ._ttir_ops_gen import _Dialect
