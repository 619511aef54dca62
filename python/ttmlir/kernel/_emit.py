"""Emits ops for the functions that kernels call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

from ttmlir import ir
from ttmlir.builder._dtypes import DTYPES, canonical
from ttmlir.dialects.tt import DataType
from ttmlir.kernel._errors import BuildError
from ttmlir.kernel._resources import CircularBuffer, to_word
from ttmlir.kernel._tracing import create, current
from ttmlir.kernel._values import Buffer, Int, Value, number

_RESULT_TYPES = {
    "i32": "i32",
    "noc_addr": "!ttkernel.noc_addr",
    "accessor": "!ttkernel.tensor_accessor",
}


def call(
    mnemonic: str, operands: Sequence[ir.Value[Any]], attributes: Mapping[str, ir.Attribute | None]
) -> None:
    """Adds an op without results to the current kernel."""
    create(mnemonic, operands, attributes, [])


def value(
    mnemonic: str,
    operands: Sequence[ir.Value[Any]],
    attributes: Mapping[str, ir.Attribute | None],
    result: str,
) -> Value:
    """Adds an op with one result to the current kernel."""
    current(mnemonic)
    kind = ir.Type.parse(_RESULT_TYPES[result])
    return Value(create(mnemonic, operands, attributes, [kind]).result)


def buffer(value: Buffer, name: str) -> ir.Value[Any]:
    """Returns the current kernel's value for a circular buffer."""
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
    """Converts an operand of any type."""
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
    """Returns the attribute of a signed or unsigned 32-bit number."""
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
    """Returns an attribute, given as one or as text."""
    return value if isinstance(value, ir.Attribute) else ir.Attribute.parse(str(value))


def data_type(name: str, value: DataType | str) -> ir.Attribute:
    """Returns a number format, given as an enumerator or a name such as ``bf16``."""
    return int_attr(to_data_type(value))


def to_data_type(value: Any) -> DataType:
    """Returns the enumerator of a name such as ``bf16`` or ``bfp8_b``, or of a NumPy dtype."""
    if isinstance(value, DataType):
        return value
    return next(m for m in DataType if str(m) == DTYPES[canonical(value)].tile)


def enumerator(mnemonic: str, enum: type[IntEnum], value: IntEnum | str) -> ir.Attribute:
    """Returns the attribute of an enumerator or of its keyword."""
    current(mnemonic)
    keywords = [str(member) for member in enum]
    keyword = str(enum(value)) if isinstance(value, int) else value
    if keyword not in keywords:
        raise BuildError(f"{mnemonic}: expected one of {', '.join(keywords)}, found {value!r}")
    return ir.Attribute.parse(f"#ttkernel.{mnemonic}<{keyword}>")
