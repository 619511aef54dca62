"""Generates ``ttmlir/kernel/_functions.py``: a Python function for each op of the ttkernel dialect.

A function has the op's mnemonic and takes its operands, then its attributes; operands may be
Python numbers. The type of an argument follows from its constraint in the definition, see
``OPERANDS`` and ``ATTRIBUTES``; an attribute of another kind is passed unchanged.
"""

from __future__ import annotations

import keyword
import re
from typing import NamedTuple

from records import Records, write_table

#: Parameter types, with the functions of ttmlir.kernel that convert them.
OPERANDS = {
    "I32": ("Int", "_values.number"),
    "I1": ("Int", "_values.condition"),
    "TTKernel_CB": ("Buffer", "_emit.buffer"),
    "TTKernel_NocAddr": ("Value", "_emit.noc_address"),
    "TTKernel_TensorAccessor": ("Value", "_emit.accessor"),
}
ATTRIBUTES = {
    "I32Attr": ("int", "_emit.int_attr"),
    "StrAttr": ("str", "_emit.str_attr"),
    "UnitAttr": ("bool", "_emit.flag"),
}
RESULTS = {"I32": "i32", "TTKernel_NocAddr": "noc_addr", "TTKernel_TensorAccessor": "accessor"}

#: Omitted ops: terminators, which the builder creates; calls of kernels outside of the module; and
#: ops that _tensor_accessor.py wraps.
OTHERWISE = ("builtin", "return", "tensor_accessor", "unreachable")

HEAD = '''"""The functions of kernels, one for each op of the ttkernel dialect."""

from __future__ import annotations

from ttmlir.dialects.tt import DataType
from ttmlir.dialects.ttkernel import BroadcastType, EltwiseBinaryType, PoolType, ReduceDim
from ttmlir.kernel import _emit, _values
from ttmlir.kernel._values import Buffer, Int, Value

'''


class Parameter(NamedTuple):
    declaration: str
    operand: str = ""
    attribute: str = ""


def snake(name: str) -> str:
    """Converts names: numPages -> num_pages, srcLocalL1Addr -> src_local_l1_addr, from -> from_."""
    own = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()
    return f"{own}_" if keyword.iskeyword(own) else own


def sentence(text: str) -> str:
    """Returns the first paragraph of a description as plain text in one line."""
    paragraph = text.strip().split("\n\n")[0]
    return " ".join(paragraph.replace("`ttkernel.", "`").split()).replace('"', "'")


def parameter(records: Records, constraint: str, name: str, default: str = "") -> Parameter:
    own = snake(name)
    record = records[constraint]
    parents = record["!superclasses"]
    if "Variadic" in parents:
        return Parameter(f"*{own}: Int | Value", f"*map(_emit.any_value, {own})")
    if constraint in OPERANDS:
        kind, convert = OPERANDS[constraint]
        given = f" = {default}" if default else ""
        return Parameter(f"{own}: {kind}{given}", f'{convert}({own}, "{own}")')
    if constraint in ATTRIBUTES:
        kind, convert = ATTRIBUTES[constraint]
        default = " = False" if constraint == "UnitAttr" else ""
        return Parameter(f"{own}: {kind}{default}", "", f'"{name}": {convert}({own})')
    if constraint == "TT_DataType":
        return Parameter(f"{own}: DataType | str", "", f'"{name}": _emit.data_type("{own}", {own})')
    if "EnumAttr" in parents:
        enum, mnemonic = record["enum"]["def"].split("_", 1)[1], record["mnemonic"]
        return Parameter(
            f"{own}: {enum} | str", "", f'"{name}": _emit.enumerator("{mnemonic}", {enum}, {own})'
        )
    return Parameter(f"{own}: object", "", f'"{name}": _emit.attribute({own})')


def name_of(records: Records, op: Records) -> str:
    """Returns the name of the instruction, which is never a Python keyword."""
    return str(records[op["instruction"]["def"]]["name"])


def function(records: Records, op: Records) -> list[str]:
    mnemonic = op["opName"]
    rows = [records[arg["def"]] for arg in records[op["instruction"]["def"]].get("args", [])]
    defaults = {row["name"]: row["cppDefault"] for row in rows if row["isOperand"]}
    parameters = [
        parameter(records, c["def"], name, defaults.get(name, ""))
        for c, name in op["arguments"]["args"]
    ]
    # In Python, parameters with defaults and variadic ones come last.
    order = sorted(parameters, key=lambda p: ("=" in p.declaration) + p.declaration.startswith("*"))
    results = [RESULTS[c["def"]] for c, _ in op["results"]["args"]]
    operands = ", ".join(p.operand for p in parameters if p.operand)
    attributes = ", ".join(p.attribute for p in parameters if p.attribute)
    arguments = [f'"{mnemonic}"', f"[{operands}]", f"{{{attributes}}}"]
    kind = "Value" if results else "None"
    call = "_emit.value" if results else "_emit.call"
    if results:
        arguments.append(f'"{results[0]}"')
    lines = [f"def {name_of(records, op)}("]
    lines += [f"    {p.declaration}," for p in order]
    lines += [
        f") -> {kind}:",
        f'    """{sentence(op["description"])}"""',
        f"    {'return ' if results else ''}{call}({', '.join(arguments)})",
        "",
        "",
    ]
    return lines


def functions(records: Records) -> str:
    found = [records[name] for name in records["!instanceof"]["Op"]]
    own = [op for op in found if op["opDialect"]["def"] == "TTKernel_Dialect"]
    own = sorted((op for op in own if op["opName"] not in OTHERWISE), key=lambda op: op["opName"])
    names = [name_of(records, op) for op in own]
    lines = [HEAD, "__all__ = [", *(f'    "{name}",' for name in sorted(names)), "]", "", ""]
    for op in own:
        lines += function(records, op)
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    write_table({"functions": functions}, "the definitions of the ops")
