"""The ttir dialect: a class for each operation, and in ``ir`` the shapes that they make."""

from .._mlir_libs._ttmlir import register_dialect as register_dialect
from .._mlir_libs._ttmlir import ttir_ir as ir
from ._ttir_ops_gen import *
from ._ttir_ops_gen import _Dialect
