"""Rows about ops, attributes and types, checked against their TableGen definitions."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "ops"))

from op_definitions import records

from ttmlir import ir

from .table import Row, World

PREFIXES = {
    "tt": "TT",
    "ttir": "TTIR",
    "ttkernel": "TTKernel",
    "ttmetal": "TTMetal",
    "ttnn": "TTNN",
}
#: The summary of an attribute of an op by what a row calls it.
ATTRIBUTES = {
    "bool": "bool attribute",
    "elements": "constant vector/tensor attribute",
    "f32": "32-bit float attribute",
    "i32": "32-bit signless integer attribute",
    "i32[]": "32-bit integer array attribute",
    "i64": "64-bit signless integer attribute",
    "i64[]": "64-bit integer array attribute",
    "maps": "AffineMap array attribute",
    "si32": "32-bit signed integer attribute",
    "symbol": "flat symbol reference attribute",
}
#: The C++ class of those without a summary of MLIR's.
STORAGE = {"array": "ArrayAttr", "enum": "IntegerAttr"}
#: The definition of the type of an operand or result; a tensor where a row says nothing.
TYPES = {
    "": "TT_Tensor",
    "cb": "TTKernel_CB",
    "device": "TT_Device",
    "i32": "I32",
    "memref|cb": "TTKernel_MemRefOrCB",
    "noc_addr": "TTKernel_NocAddr",
    "tensor|memref": "TTIR_TensorOrMemref",
}


@dataclass(frozen=True)
class Op(Row):
    """An op: ``text`` is its name, ``cls`` its class in C++, and ``signature`` has its operands, in
    braces its attributes, and its results. An operand reads ``name:type``, with a * behind if it
    is variadic. Operands and attributes that the manual does not have are allowed."""

    cls: str
    signature: str

    def check(self, world: World) -> None:
        dialect, mnemonic = self.text.split(".")
        known = records(dialect)
        record = known[f"{PREFIXES[dialect]}_{self.cls}"]
        assert record["opName"] == mnemonic, record["opName"]
        parts = re.fullmatch(r"([^{]*?) ?(?:\{(.*)\})? ?(?:-> (.*))?", self.signature)
        assert parts, self.signature
        operands, attributes, results = (split(part or "") for part in parts.groups())
        arguments = {name: known[kind["def"]] for kind, name in record["arguments"]["args"]}
        values = [n for n, kind in arguments.items() if "TypeConstraint" in kind["!superclasses"]]
        assert values[: len(operands)] == [re.split(r"[:*]", text)[0] for text in operands], values
        returned = {name: known[kind["def"]] for kind, name in record["results"]["args"]}
        assert list(returned) == [re.split(r"[:*]", text)[0] for text in results], list(returned)
        for text in (*operands, *results):
            check_value(text, arguments | returned)
        for text in attributes:
            check_attribute(*text.split(": "), arguments)


def split(text: str) -> list[str]:
    return text.split(", ") if text else []


def check_value(text: str, values: dict[str, Any]) -> None:
    name, _, kind = text.rstrip("*").partition(":")
    found = values[name]
    assert ("Variadic" in found["!superclasses"]) == text.endswith("*"), text
    definition = found["baseType"]["def"] if "baseType" in found else found["!name"]
    assert definition == TYPES[kind], text


def check_attribute(name: str, kind: str, arguments: dict[str, Any]) -> None:
    found = arguments[name]
    if kind in ATTRIBUTES:
        assert found["summary"] == ATTRIBUTES[kind], name
    else:
        storage = found["storageType"].strip()
        assert storage.split("::")[-1] == STORAGE.get(kind, kind), name


def ops(dialect: str, table: dict[str, str]) -> list[Row]:
    """A row for each ``name:class`` of a table by signatures."""
    return [
        Op(f"{dialect}.{name.split(':')[0]}", name.split(":")[1], signature)
        for signature, names in table.items()
        for name in names.split()
    ]


@dataclass(frozen=True)
class Traits(Row):
    """The traits and interfaces of an op, which may have more."""

    cls: str
    traits: str

    def check(self, world: World) -> None:
        dialect = self.text.split(".")[0]
        known = records(dialect)
        record = known[f"{PREFIXES[dialect]}_{self.cls}"]
        missing = set(self.traits.split()) - all_traits(known, record)
        assert not missing, f"lacks {missing}"


def all_traits(known: dict[str, Any], record: dict[str, Any]) -> set[str]:
    """Names of the traits of an op and of those that they stand for, as definitions and in C++."""
    found: set[str] = set()
    for trait in (known[entry["def"]] for entry in record.get("traits") or []):
        found |= {trait["!name"], *all_traits(known, trait)}
        found |= {trait[key] for key in ("trait", "cppInterfaceName") if key in trait}
    return found | {f"{name}Trait" for name in found}


def traits(dialect: str, table: dict[tuple[str, str], str]) -> list[Row]:
    return [
        Traits(f"{dialect}.{name.split(':')[0]}", name.split(":")[1], text)
        for (of, text), names in table.items()
        if of == dialect
        for name in names.split()
    ]


@dataclass(frozen=True)
class Parameters(Row):
    """An attribute or type: ``text`` is how it is written, ``cls`` its class in C++, and
    ``parameters`` their names and C++ types. ``examples`` are read."""

    cls: str
    parameters: str
    examples: tuple[str, ...] = ()

    def check(self, world: World) -> None:
        dialect, mnemonic = self.text.lstrip("#!").split(".")
        known = records("ttnn" if dialect == "tt" else dialect)
        name = f"{PREFIXES[dialect]}_{self.cls}"
        record = known[name if name in known else name.removesuffix("Type")]
        assert (record["cppClassName"], record["mnemonic"]) == (self.cls, mnemonic)
        found = []
        for kind, parameter in record["parameters"]["args"]:
            cpp = kind if isinstance(kind, str) else known[kind["def"]]["cppType"]
            short = re.sub(r"(::)?(mlir|llvm|tt|ttkernel|ttmetal)::", "", cpp)
            found.append(f"{parameter} {short}")
        assert found == split(self.parameters), found
        parse = ir.Attribute.parse if self.text.startswith("#") else ir.Type.parse
        with ir.Context():
            for example in self.examples:
                read = parse(example)
                assert parse(str(read)) == read


@dataclass(frozen=True)
class Enumeration(Row):
    """An attribute of one of some cases: ``text`` is how it is written, ``cases`` are words with
    the enumerators of ``enumeration``, a class in Python, behind a colon."""

    enumeration: Any
    cases: str

    def check(self, world: World) -> None:
        with ir.Context():
            for case in self.cases.split():
                word, name = case.split(":")
                attribute = ir.Attribute.parse(f"{self.text}<{word}>")
                # None is no name in Python.
                member = getattr(self.enumeration, {"None": "None_"}.get(name, name))
                assert attribute.value is member or attribute.value == int(member), case
