"""Numbers of a kernel under construction, and their conversion to operands."""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import Any, Union

from ttmlir import ir
from ttmlir.dialects import arith as _arith_dialect
from ttmlir.kernel._errors import BuildError
from ttmlir.kernel._resources import CircularBuffer, Semaphore, Tensor
from ttmlir.kernel._tracing import at, create, current, location

# Its builders have no types.
_arith: Any = _arith_dialect

#: A number of the kernel: a computed value, a constant, or an address.
Int = Union["Value", int, float, Semaphore, Tensor]
#: A circular buffer.
Buffer = Union[CircularBuffer, "Value"]


class Value:
    """A number that the kernel computes: 32 bits, a condition, a NoC address or an accessor.

    Numbers have Python's operators ``+ - * // % << >> & | ^`` and ``< <= > >= == !=``, with each
    other and with Python's own. They wrap at 32 bits; ``//`` and ``%`` round towards zero and,
    like comparisons, treat numbers as signed. A float operand is an error. Conditions have
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
        """The value in the IR of the kernel under construction.

        Raises:
            BuildError: another kernel computes it, the kernel is finished, or the loop or branch
                that computes it has ended.
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
                f"{trace.name}: expected a value in scope, found one of a loop or branch that has "
                "ended: pass carried=(...) to kernel.range to get numbers as its results, or "
                "choose between two with kernel.select"
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
    if not (_is_number(a) and _is_number(b)):
        return NotImplemented  # type: ignore[no-any-return]
    return arith(name, a, b)


def _compare(predicate: str, a: Int, b: Int) -> Value:
    if not (_is_number(a) and _is_number(b)):
        return NotImplemented  # type: ignore[no-any-return]
    return compare(predicate, a, b)


def _is_number(value: object) -> bool:
    """Whether ``number`` accepts it."""
    return isinstance(value, (Value, int, float, Semaphore, Tensor))


def constant(number: int, bits: int = 32) -> ir.Value[Any]:
    """Returns a constant of the kernel; 32-bit constants may be signed or unsigned.

    Raises:
        BuildError: the number has more than 32 bits.
    """
    if not -(1 << 31) <= number < 1 << 32:
        raise BuildError(f"expected a number of 32 bits, found {number}")
    signed = number - (1 << 32) if number >= 1 << 31 and bits == 32 else number
    trace = current("a number")
    if (signed, bits) not in trace.constants:
        kind = ir.IntegerType.get_signless(bits)
        begin = ir.InsertionPoint.at_block_begin(trace.points[0][1].block)
        trace.constants[signed, bits] = _arith.constant(kind, signed, loc=location(), ip=begin)
    return trace.constants[signed, bits]


def number(value: Int, name: str = "number") -> ir.Value[Any]:
    """Returns a 32-bit operand. A float is converted to the bits of its f32, a condition to 0 or 1,
    a semaphore to its address, a tensor to its base address."""
    if isinstance(value, Value):
        if value.type == "i1":
            i32 = ir.IntegerType.get_signless(32)
            wide: ir.Value[Any] = _arith.extui(i32, value.value, **at("a number"))
            return wide
        if value.type != "i32":
            raise BuildError(f"{name}: expected a number, found a value of type {value.type}")
        return value.value
    if isinstance(value, Semaphore):
        trace = current(name)
        if value not in trace.semaphores:
            raise BuildError(
                f"{name}: expected a semaphore of the program, declared for the kernels that run "
                f"beside '{trace.name}', found another one"
            )
        index = constant(value.id)
        i32 = ir.IntegerType.get_signless(32)
        return Value(create("get_semaphore", [index], {}, [i32]).result).value
    if isinstance(value, Tensor):
        return constant(own_tensor(value, name).address)
    if isinstance(value, (bool, IntEnum)):
        return constant(int(value))
    if isinstance(value, float):
        return constant(struct.unpack("<I", struct.pack("<f", value))[0])
    try:
        return constant(value.__index__())
    except (AttributeError, TypeError):
        raise BuildError(
            f"{name}: expected a number or a value of the kernel, found {type(value).__name__}"
        ) from None


def own_tensor(value: Tensor, name: str) -> Tensor:
    """Checks that a tensor belongs to the program under construction."""
    if value not in current(f"the tensor {value}").tensors:
        raise BuildError(
            f"{name}: expected a tensor of the program, found {value} of another program"
        )
    return value


def integer(value: Int, name: str) -> ir.Value[Any]:
    """Returns a 32-bit operand of integer arithmetic, which excludes floats."""
    if isinstance(value, float):
        raise BuildError(
            f"{name}: expected an integer, found {value!r}: the cores compute with 32-bit "
            "integers; a float is passed as its bits, which only ops on tiles accept"
        )
    return number(value, name)


def condition(value: Int, name: str = "condition") -> ir.Value[Any]:
    """Returns a 1-bit operand; a number is true if it is nonzero."""
    if isinstance(value, Value) and value.type == "i1":
        return value.value
    if isinstance(value, (bool, int)):
        return constant(int(bool(value)), 1)
    return compare("ne", value, 0).value


def arith(name: str, a: Int, b: Int) -> Value:
    """Builds ``arith.<name>`` on numbers, or on two conditions."""
    where = at(name)
    bits = [isinstance(v, Value) and v.type == "i1" for v in (a, b)]
    if any(bits) and name in ("andi", "ori", "xori"):
        lhs, rhs = condition(a), condition(b)
    else:
        lhs, rhs = integer(a, "operand"), integer(b, "operand")
    return Value(getattr(_arith, name)(lhs, rhs, **where))


def compare(predicate: str, a: Int, b: Int) -> Value:
    """Builds ``arith.cmpi`` on numbers, or on two conditions."""
    where = at("a comparison")
    kind = getattr(_arith.CmpIPredicate, predicate)
    both = all(isinstance(v, Value) and v.type == "i1" for v in (a, b))
    convert = condition if both else integer
    return Value(_arith.cmpi(kind, convert(a, "operand"), convert(b, "operand"), **where))
