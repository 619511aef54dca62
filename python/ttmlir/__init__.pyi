"""A compiler for Tenstorrent-style chips, with an emulator of the chip inside."""

from . import dialects as dialects
from . import emitc as emitc
from . import errors as errors
from . import explorer as explorer
from . import ir as ir
from . import jax as jax
from . import kernel as kernel
from . import onnx as onnx
from . import pages as pages
from . import passes as passes
from . import runtime as runtime
from . import torch as torch
from ._jit import jit as jit
