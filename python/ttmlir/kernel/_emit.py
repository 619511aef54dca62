"""How the functions that kernels call become ops."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

from ttmlir import ir
from ttmlir.builder._dtypes import DTYPES, canonical
from ttmlir.dialects import arith as _arith_dialect
from ttmlir.dialects.tt import DataType
from ttmlir.kernel._resources import CircularBuffer, Semaphore, Tensor, to_word
from ttmlir.kernel._trace import BuildError, at, current, location
from ttmlir.kernel._values import Buffer, Int, Value

# Its builders have no types.
_arith: Any = _arith_dialect

_RESULT_TYPES = {
    "i32": "i32",
    "noc_addr": "!ttkernel.noc_addr",
    "accessor": "!ttkernel.tensor_accessor",
}


def call(
    mnemonic: str, operands: Sequence[ir.Value[Any]], attributes: Mapping[str, ir.Attribute | None]
) -> None:
    """Adds an op without results to the kernel that is being built."""
    _create(mnemonic, operands, attributes, [])


def value(
    mnemonic: str,
    operands: Sequence[ir.Value[Any]],
    attributes: Mapping[str, ir.Attribute | None],
    result: str,
) -> Value:
    """Adds an op with one result."""
    current(mnemonic)
    kind = ir.Type.parse(_RESULT_TYPES[result])
    return Value(_create(mnemonic, operands, attributes, [kind]).result)


def _create(
    mnemonic: str,
    operands: Sequence[ir.Value[Any]],
    attributes: Mapping[str, ir.Attribute | None],
    results: Sequence[ir.Type],
) -> ir.Operation:
    present = {name: attr for name, attr in attributes.items() if attr is not None}
    return ir.Operation.create(
        f"ttkernel.{mnemonic}",
        results=results,
        operands=operands,
        attributes=present,
        **at(mnemonic),
    )


def is_number(value: object) -> bool:
    """Whether ``number`` takes it."""
    return isinstance(value, (Value, int, float, Semaphore, Tensor))


def constant(number: int, bits: int = 32) -> ir.Value[Any]:
    """A number of the kernel that is known while it is built; those of 32 bits have a sign or not.

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
    """An operand of 32 bits. A float stands for the bits of its f32, a condition for 0 or 1, a
    semaphore for its address, a tensor for its base address."""
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
        return Value(
            _create("get_semaphore", [index], {}, [ir.IntegerType.get_signless(32)]).result
        ).value
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
    """The tensor, which has to be of the program that is being built."""
    if value not in current(f"the tensor {value}").tensors:
        raise BuildError(
            f"{name}: expected a tensor of the program, found {value} of another program"
        )
    return value


def integer(value: Int, name: str) -> ir.Value[Any]:
    """An operand of 32 bits that is computed with: the bits of a float are none."""
    if isinstance(value, float):
        raise BuildError(
            f"{name}: expected an integer, found {value!r}: the cores compute with integers of 32 "
            "bits, and a float stands for its bits, which only ops on tiles take"
        )
    return number(value, name)


def condition(value: Int, name: str = "condition") -> ir.Value[Any]:
    """An operand of one bit; a number stands for whether it is not 0."""
    if isinstance(value, Value) and value.type == "i1":
        return value.value
    if isinstance(value, (bool, int)):
        return constant(int(bool(value)), 1)
    return compare("ne", value, 0).value


def buffer(value: Buffer, name: str) -> ir.Value[Any]:
    """A circular buffer as the kernel that is being built has it."""
    if isinstance(value, Value) and value.type.startswith("!ttkernel.cb"):
        return value.value
    if not isinstance(value, CircularBuffer):
        raise BuildError(f"{name}: expected a circular buffer, found {type(value).__name__}")
    trace = current(f"the circular buffer '{value.name}'")
    if value not in trace.buffers:
        raise BuildError(
            f"{name}: the circular buffer '{value.name}' is not on all cores of the kernel "
            f"'{trace.name}'"
        )
    return trace.buffers[value]


def noc_address(value: Value, name: str) -> ir.Value[Any]:
    return _typed(value, name, "!ttkernel.noc_addr", "a NoC address, such as get_noc_addr gives")


def accessor(value: Value, name: str) -> ir.Value[Any]:
    return _typed(value, name, "!ttkernel.tensor_accessor", "what tensor_accessor gives")


def any_value(value: Int) -> ir.Value[Any]:
    """An operand that may have any type."""
    if isinstance(value, Value):
        return value.value
    return number(value, "value")


def _typed(value: Value, name: str, kind: str, what: str) -> ir.Value[Any]:
    if isinstance(value, Value) and value.type == kind:
        return value.value
    found = value.type if isinstance(value, Value) else type(value).__name__
    raise BuildError(f"{name}: expected {what}, found {found}")


def int_attr(value: int) -> ir.Attribute:
    current("a number")
    if not hasattr(type(value), "__index__") or isinstance(value, Value):
        raise BuildError(
            f"expected a number that is known while the kernel is built, found "
            f"{type(value).__name__}"
        )
    return word_attr(value.__index__())


def word_attr(value: int) -> ir.Attribute:
    """A number of 32 bits, with or without a sign."""
    word = to_word(value)
    signed = word - (1 << 32) if word >> 31 else word
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(32), signed)


def str_attr(value: str) -> ir.Attribute:
    current("a text")
    return ir.StringAttr.get(value)


def flag(value: bool) -> ir.Attribute | None:
    current("a flag")
    return ir.UnitAttr.get() if value else None


def attribute(value: object) -> ir.Attribute:
    """An attribute, or its text."""
    return value if isinstance(value, ir.Attribute) else ir.Attribute.parse(str(value))


def data_type(name: str, value: DataType | str) -> ir.Attribute:
    """A number format: an enumerator, or a name such as ``bf16``."""
    return int_attr(to_data_type(value))


def to_data_type(value: Any) -> DataType:
    """The enumerator of a name such as ``bf16`` or ``bfp8_b``, or of a dtype of numpy."""
    if isinstance(value, DataType):
        return value
    return next(m for m in DataType if str(m) == DTYPES[canonical(value)].tile)


def enumerator(mnemonic: str, enum: type[IntEnum], value: IntEnum | str) -> ir.Attribute:
    """The attribute of an enumerator or of its keyword."""
    current(mnemonic)
    keywords = [str(member) for member in enum]
    keyword = str(enum(value)) if isinstance(value, int) else value
    if keyword not in keywords:
        raise BuildError(f"{mnemonic}: expected one of {', '.join(keywords)}, found {value!r}")
    return ir.Attribute.parse(f"#ttkernel.{mnemonic}<{keyword}>")


def arith(name: str, a: Int, b: Int) -> Value:
    """``arith.<name>`` on numbers, or on two conditions."""
    where = at(name)
    bits = [isinstance(v, Value) and v.type == "i1" for v in (a, b)]
    if any(bits) and name in ("andi", "ori", "xori"):
        lhs, rhs = condition(a), condition(b)
    else:
        lhs, rhs = integer(a, "operand"), integer(b, "operand")
    return Value(getattr(_arith, name)(lhs, rhs, **where))


def compare(predicate: str, a: Int, b: Int) -> Value:
    """``arith.cmpi`` on numbers, or on two conditions."""
    where = at("a comparison")
    kind = getattr(_arith.CmpIPredicate, predicate)
    both = all(isinstance(v, Value) and v.type == "i1" for v in (a, b))
    convert = condition if both else integer
    return Value(_arith.cmpi(kind, convert(a, "operand"), convert(b, "operand"), **where))
