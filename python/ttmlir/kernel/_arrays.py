"""Local arrays of kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttmlir import ir
from ttmlir.kernel import _values
from ttmlir.kernel._control import range as kernel_range
from ttmlir.kernel._errors import BuildError
from ttmlir.kernel._tracing import at, current, location
from ttmlir.kernel._values import Int, Value

#: Elements of an array: a thread has 4 KiB of memory for its variables.
_MOST = 1024


class Array:
    """Numbers of 32 bits in the memory of the thread, such as ``array`` makes.

    ``a[i]`` loads an element and ``a[i] = number`` stores one; ``i`` is a number of the kernel or
    of Python. An index beyond the end of the array is an error: of Python's numbers while the
    kernel is built, of the kernel's numbers an ``OutOfBoundsFault`` when it runs.
    """

    __slots__ = ("_memory", "_size")

    def __init__(self, size: int) -> None:
        self._size = size
        trace = current("kernel.array")
        kind = ir.MemRefType.get([size], ir.IntegerType.get_signless(32))
        segments = ir.DenseI32ArrayAttr.get([0, 0])
        # At the start of the kernel, so that a loop does not make one for each iteration.
        start = ir.InsertionPoint.at_block_begin(trace.points[0][1].block)
        self._memory = ir.Operation.create(
            "memref.alloca",
            results=[kind],
            attributes={"operandSegmentSizes": segments},
            ip=start,
            loc=location(),
        )

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: Int) -> Value:
        i32 = ir.IntegerType.get_signless(32)
        operands = [self._memory.result, self._index(index)]
        load = ir.Operation.create(
            "memref.load", results=[i32], operands=operands, **at("kernel.array")
        )
        return Value(load.result)

    def __setitem__(self, index: Int, value: Int) -> None:
        operands = [_values.number(value, "value"), self._memory.result, self._index(index)]
        ir.Operation.create("memref.store", operands=operands, **at("kernel.array"))

    def _index(self, index: Int) -> ir.Value[Any]:
        if isinstance(index, int) and not 0 <= index < self._size:
            raise BuildError(
                f"kernel.array: expected an index from 0 to {self._size - 1}, found {index}"
            )
        number = _values.integer(index, "index")
        cast = ir.Operation.create(
            "arith.index_cast",
            results=[ir.IndexType.get()],
            operands=[number],
            **at("kernel.array"),
        )
        return cast.result


def array(numbers: int | Sequence[Int]) -> Array:
    """A local array of the kernel, of ``numbers`` zeros, or with these numbers::

        counts = kernel.array(8)
        for page in kernel.range(pages):
            counts[page % 8] = counts[page % 8] + 1

    It has at most 1,024 elements of 32 bits.

    Raises:
        BuildError: no kernel is under construction, or the number of elements is not supported.
    """
    current("kernel.array")
    size = numbers if isinstance(numbers, int) else len(numbers)
    if not 1 <= size <= _MOST:
        raise BuildError(f"kernel.array: expected 1 to {_MOST} elements, found {size}")
    result = Array(size)
    if isinstance(numbers, int):
        for i in kernel_range(size):
            result[i] = 0
    else:
        for i, number in enumerate(numbers):
            result[i] = number
    return result
