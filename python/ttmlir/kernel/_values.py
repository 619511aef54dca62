"""What a kernel computes with while it is being built."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from ttmlir.kernel._trace import BuildError, current

if TYPE_CHECKING:
    from ttmlir import ir
    from ttmlir.kernel._resources import CircularBuffer, Semaphore, Tensor

#: A number of the kernel: a value, one that is known while it is built, or an address.
Int = Union["Value", int, float, "Semaphore", "Tensor"]
#: A circular buffer.
Buffer = Union["CircularBuffer", "Value"]


class Value:
    """A number that the kernel computes: 32 bits, a condition, a NoC address or an accessor.

    Numbers have Python's operators ``+ - * // % << >> & | ^`` and ``< <= > >= == !=``, with each
    other and with Python's own. They wrap at 32 bits; ``//`` and ``%`` round towards zero and,
    like the comparisons, take numbers as signed. A float operand is an error. Conditions have
    ``& | ^ ~``.
    """

    __slots__ = ("_trace", "_value", "type")

    def __init__(self, value: ir.Value[Any]) -> None:
        self._trace = current("a value")
        if not hasattr(value, "get_name"):
            raise BuildError(f"expected a value of the IR, found {type(value).__name__}")
        self._value = value
        #: The type in the IR: ``i32``, ``i1``, ``!ttkernel.noc_addr`` ...
        self.type = str(value.type)

    @property
    def value(self) -> ir.Value[Any]:
        """The value in the IR of the kernel that is being built.

        Raises:
            BuildError: another kernel computes it, the kernel has been built, or the loop or branch
                that computes it is over.
        """
        trace = current("a value")
        if trace is not self._trace:
            raise BuildError(
                f"{trace.name}: expected a value of this kernel, found one that the kernel "
                f"'{self._trace.name}' computes: pass numbers to kernels as arguments"
            )
        owner = self._value.owner
        home = owner.operation.block if hasattr(owner, "operation") else owner
        if all(point.block != home for _, point in trace.points):
            raise BuildError(
                f"{trace.name}: expected a value of this place, found one of a loop or branch that "
                "is over: numbers leave a kernel.range that is given carried=(...) as its results, "
                "and kernel.select chooses between two"
            )
        return self._value

    def __repr__(self) -> str:
        return f"<ttmlir.kernel.Value {self.type}>"

    def __bool__(self) -> bool:
        raise TypeError(
            "the kernel computes this condition when it runs: write `with kernel.if_(condition):`, "
            "or kernel.select(condition, a, b); conditions are joined by & and |"
        )

    def __index__(self) -> int:
        raise TypeError(
            "the kernel computes this number when it runs: loop over it with kernel.range"
        )

    def __add__(self, other: Int) -> Value:
        return _binary("addi", self, other)

    def __radd__(self, other: Int) -> Value:
        return _binary("addi", other, self)

    def __sub__(self, other: Int) -> Value:
        return _binary("subi", self, other)

    def __rsub__(self, other: Int) -> Value:
        return _binary("subi", other, self)

    def __mul__(self, other: Int) -> Value:
        return _binary("muli", self, other)

    def __rmul__(self, other: Int) -> Value:
        return _binary("muli", other, self)

    def __floordiv__(self, other: Int) -> Value:
        return _binary("divsi", self, other)

    def __rfloordiv__(self, other: Int) -> Value:
        return _binary("divsi", other, self)

    def __mod__(self, other: Int) -> Value:
        return _binary("remsi", self, other)

    def __rmod__(self, other: Int) -> Value:
        return _binary("remsi", other, self)

    def __lshift__(self, other: Int) -> Value:
        return _binary("shli", self, other)

    def __rlshift__(self, other: Int) -> Value:
        return _binary("shli", other, self)

    def __rshift__(self, other: Int) -> Value:
        return _binary("shrui", self, other)

    def __rrshift__(self, other: Int) -> Value:
        return _binary("shrui", other, self)

    def __and__(self, other: Int) -> Value:
        return _binary("andi", self, other)

    def __rand__(self, other: Int) -> Value:
        return _binary("andi", other, self)

    def __or__(self, other: Int) -> Value:
        return _binary("ori", self, other)

    def __ror__(self, other: Int) -> Value:
        return _binary("ori", other, self)

    def __xor__(self, other: Int) -> Value:
        return _binary("xori", self, other)

    def __rxor__(self, other: Int) -> Value:
        return _binary("xori", other, self)

    def __lt__(self, other: Int) -> Value:
        return _compare("slt", self, other)

    def __le__(self, other: Int) -> Value:
        return _compare("sle", self, other)

    def __gt__(self, other: Int) -> Value:
        return _compare("sgt", self, other)

    def __ge__(self, other: Int) -> Value:
        return _compare("sge", self, other)

    def __eq__(self, other: Int) -> Value:  # type: ignore[override]
        return _compare("eq", self, other)

    def __ne__(self, other: Int) -> Value:  # type: ignore[override]
        return _compare("ne", self, other)

    __hash__ = None  # type: ignore[assignment]

    def __neg__(self) -> Value:
        return _binary("subi", 0, self)

    def __invert__(self) -> Value:
        return _binary("xori", self, -1)


def _binary(name: str, a: Int, b: Int) -> Value:
    from ttmlir.kernel import _emit

    if not (_emit.is_number(a) and _emit.is_number(b)):
        return NotImplemented  # type: ignore[no-any-return]
    return _emit.arith(name, a, b)


def _compare(predicate: str, a: Int, b: Int) -> Value:
    from ttmlir.kernel import _emit

    if not (_emit.is_number(a) and _emit.is_number(b)):
        return NotImplemented  # type: ignore[no-any-return]
    return _emit.compare(predicate, a, b)
