"""Hand-written kernels: program the threads of a core, and run them on the emulated chip.

    from ttmlir import kernel

    @kernel.data_movement(noc=0)
    def read(x, buffer):
        pages = kernel.tensor_accessor(x)
        for page in kernel.range(x.pages):
            kernel.cb_reserve_back(buffer, 1)
            kernel.noc_async_read_page(page, pages, kernel.get_write_ptr(buffer))
            kernel.noc_async_read_barrier()
            kernel.cb_push_back(buffer, 1)

    program = kernel.Program("copy")
    x = program.input("x", (64, 64), "bf16")
    buffer = program.circular_buffer("in0", "bf16", pages=2)
    program.add(read, x, buffer)
    ...
    result = program.run(x=numbers)

The function of a kernel is called once, while the program is built; its calls of this module become
the kernel. The functions have the names of the ops of the ttkernel dialect.
"""

from __future__ import annotations

from ttmlir.kernel._arrays import Array, array
from ttmlir.kernel._control import else_, if_, maximum, minimum, range, select, while_
from ttmlir.kernel._cpp_kernels import from_cpp
from ttmlir.kernel._errors import BuildError
from ttmlir.kernel._functions import *  # noqa: F403
from ttmlir.kernel._functions import __all__ as _functions
from ttmlir.kernel._kernels import Compute, DataMovement, Kernel, compute, data_movement, parse
from ttmlir.kernel._names import missing as _missing
from ttmlir.kernel._program import Program
from ttmlir.kernel._resources import (
    Argument,
    CircularBuffer,
    CoreRange,
    Semaphore,
    Tensor,
    common,
    compile_time,
    per_core,
    runtime,
)
from ttmlir.kernel._tensor_accessor import tensor_accessor
from ttmlir.kernel._values import Value

__all__ = [
    "Argument",
    "Array",
    "CircularBuffer",
    "Compute",
    "CoreRange",
    "DataMovement",
    "Kernel",
    "BuildError",
    "Program",
    "Semaphore",
    "Tensor",
    "Value",
    "array",
    "common",
    "compile_time",
    "compute",
    "data_movement",
    "else_",
    "from_cpp",
    "if_",
    "maximum",
    "minimum",
    "parse",
    "per_core",
    "range",
    "runtime",
    "select",
    "tensor_accessor",
    "while_",
    *_functions,
]


def __getattr__(name: str) -> object:
    raise AttributeError(_missing(name, __all__), name=name)
