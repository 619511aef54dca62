"""The ttir dialect: a class for each operation."""

from .._mlir_libs._ttmlir import register_dialect as register_dialect
from ._ttir_ops_gen import *
from ._ttir_ops_gen import _Dialect
