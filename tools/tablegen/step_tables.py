"""Generates the tables of TTNN operations for schema and runtime.

An op names its table of the flatbuffer and the fields of it (see cpp/dialects/OpTables.td). From
the records of ``llvm-tblgen --dump-json cpp/dialects/TTNN/TTNNOps.td`` this script writes

* ``operations.fbs`` (table ``schema``): the tables, and the union of them;
* ``steps.inc`` (``steps``): for each table the structure that the runtime decodes it to, and lists
  of macros, see its first lines;
* ``decoding.inc`` (``decoding``): functions that decode the structures.

Several ops may share a table: the fields of one are then a prefix of the other's, and the first
field identifies the op.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from op_tables import Member, members, ops, schema_fields
from records import Records, macro, write_table

#: Types of the schema by attribute constraint.
ATTRIBUTES = {
    "BoolAttr": "bool",
    "I32Attr": "int32",
    "SI32Attr": "int32",
    "UI32Attr": "uint32",
    "I64Attr": "int64",
    "F32Attr": "float",
    "I32ArrayAttr": "[int32]",
    "DenseI32ArrayAttr": "[int32]",
    "DenseI64ArrayAttr": "[int64]",
    "TTNN_ShapeAttr": "[int64]",
    "TTNN_LayoutAttr": "tt.target.TensorLayout",
    "TTNN_MemoryConfigAttr": "tt.target.MemoryConfigDesc",
    "TT_DataTypeAttr": "tt.target.DataType",
    "TT_ReduceTypeAttr": "tt.target.ReduceType",
}

#: Result types of the conversions in op_tables.py, which may depend on the attribute.
CONVERSIONS = {
    "wide": "int64",
    "first": "int32",
    "floats": "[float]",
    "bounds": "[int64]",
    "dataType": "tt.target.DataType",
    "elements": "[ubyte]",
    "upsampleMode": "UpsampleMode",
}

TENSOR, DEVICE = "tt.target.TensorRef", "tt.target.DeviceRef"
CONFIG = "tt.target.MemoryConfigDesc"
INTEGERS = ("int32", "uint32", "int64")

STEPS = """\
// The operations of a TTNN program as structures. Fields have the names and the meaning of those
// of the schema.
//
// TTMLIR_TTNN_TABLES: the tables of the union OpType.
//   X(Table, name)  name in reports and messages
// TTMLIR_TTNN_STEPS: those whose structure stands below.
//   X(Step)
"""


def fail(op: str, message: str) -> NoReturn:
    raise SystemExit(f"step_tables.py: {op}: {message}")


@dataclass(frozen=True)
class Field:
    """A field of a table."""

    name: str
    type: str
    """In the schema."""
    is_nullable: bool
    is_result: bool
    source: str

    @property
    def declaration(self) -> str:
        scalar = self.type in INTEGERS
        return f"{self.name}: {self.type}{' = null' if self.is_nullable and scalar else ''};"

    @property
    def member(self) -> str:
        """Name in a structure: ``in_channels`` gives ``inChannels``."""
        return re.sub("_([a-z0-9])", lambda match: match[1].upper(), self.name)

    @property
    def is_enumerator(self) -> bool:
        return self.type not in (TENSOR, DEVICE, CONFIG) and self.type[0] not in "[bfiu"

    @property
    def cpp_type(self) -> str:
        """The type of the member; empty if the structure has none."""
        if self.type in INTEGERS:
            return "std::optional<std::int64_t>" if self.is_nullable else "std::int64_t"
        if self.type == TENSOR:
            return "OptionalValue" if self.is_nullable else "ValueIndex"
        if self.is_enumerator:
            scoped = self.type if "." in self.type else f"tt.target.ttnn.{self.type}"
            return "::" + scoped.replace(".", "::")
        known = {
            DEVICE: "DeviceIndex",
            CONFIG: "",
            f"[{TENSOR}]": "std::vector<ValueIndex>",
            "[float]": "std::vector<float>",
            "[ubyte]": "std::span<const std::uint8_t>",
            "bool": "bool",
            "float": "float",
        }
        return known.get(self.type, "std::vector<std::int64_t>")

    @property
    def reading(self) -> str:
        """C++ that decodes the member."""
        access, text = f"op->{self.name}()", f'"{self.name}"'
        if self.type == TENSOR:
            return f"d.{'useOptional' if self.is_nullable else 'use'}({access}, {text})"
        if self.type == f"[{TENSOR}]":
            return f"d.useAll({access}, {text})"
        if self.type == DEVICE:
            return f"d.device({access})"
        if self.type == "[ubyte]":
            return f"readBytes({access})"
        if self.is_enumerator:
            return f"readEnumerator({access}, {text})"
        if self.type[0] == "[":
            return f"readVector({access}, {text})"
        return f"readOptional({access})" if self.is_nullable else access


@dataclass(frozen=True)
class Table:
    name: str
    number: int
    by_hand: bool
    """The runtime has a hand-written structure and decoding."""
    makes_tensor: bool
    fields: list[Field]
    ops: dict[str, str]
    """Summary by mnemonic."""
    enumerators: dict[str, str]
    """Mnemonics by the first field, if several ops share the table."""
    reads: dict[str, str]
    """Operands that are not read completely: an enumerator of the runtime's Reads."""

    @property
    def text(self) -> str:
        """Name in reports and messages."""
        if len(self.ops) == 1:
            return next(iter(self.ops))
        words = re.sub(r"(?<!^)([A-Z])", r"_\1", self.name.removeprefix("::").removesuffix("Op"))
        return words.lower()

    @property
    def step(self) -> str:
        return self.name.removesuffix("Op") + "Step"


def field_type(
    op: str, written: str, source: str, known: dict[str, Member]
) -> tuple[str, Member | None]:
    """Returns the type of a field, by default that of its source, and the member of the op that the
    source names."""
    if enumerator := re.fullmatch(r"(::)?(\w+)::\w+", source):
        return ("tt.target." if enumerator[1] else "") + enumerator[2], None
    name = re.sub(r"^\w+\((\w+).*\)$|^\[(\w+)\]$", r"\1\2", source)
    if name not in known:
        fail(op, f"schemaFields name '{name}', expected one of {', '.join(known)}")
    found = known[name]
    if written:
        return written, found
    if call := re.match(r"(\w+)\(", source):
        if call[1] not in CONVERSIONS:
            fail(op, f"'{source}': expected one of {', '.join(CONVERSIONS)}")
        result = CONVERSIONS[call[1]]
        return f"[{result}]" if call[1] == "wide" and "Array" in found.kind else result, found
    if not found.is_attribute:
        kind = DEVICE if found.is_device else TENSOR
        return (f"[{kind}]" if source.startswith("[") else kind), found
    if found.kind not in ATTRIBUTES:
        fail(
            op,
            f"attribute '{name}' is a {found.kind}, expected one of {', '.join(ATTRIBUTES)}, "
            "or a type written in schemaFields",
        )
    return ATTRIBUTES[found.kind], found


def table_of(records: Records, op_name: str, op: Records) -> Table:
    known = members(records, op)
    fields = []
    enumerators = {}
    # A table of the enclosing namespace is hand-written.
    own = not op["schemaTable"].startswith("::")
    for number, each in enumerate(schema_fields(op["schemaFields"] if own else [])):
        if each.type and op["schemaByHand"]:
            fields.append(Field(each.name, each.type, False, False, each.source))
            continue
        if number == 0 and (case := re.fullmatch(r"(?:::)?(\w+::\w+)", each.source)):
            enumerators[case[1]] = op["opName"]
        kind, found = field_type(op_name, each.type, each.source, known)
        nullable = found is not None and found.is_optional and not found.has_default
        is_result = found is not None and found.is_result and not found.is_device
        fields.append(Field(each.name, kind, nullable, is_result, each.source))
    reads = {}
    for names, how in ((op["readsPart"], "Part"), (op["readsShape"], "Shape")):
        for name in names:
            if name not in [field.source for field in fields]:
                fail(op_name, f"'{name}' is not an operand in schemaFields")
            reads[name] = how
    traits = {trait["def"] for trait in op["traits"]}
    return Table(
        op["schemaTable"],
        op["schemaMember"],
        bool(op["stepByHand"]),
        "DestinationStyleOpInterface" not in traits,
        fields,
        {op["opName"]: op["summary"]},
        enumerators,
        reads,
    )


def tables(records: Records) -> list[Table]:
    """Returns all tables by number."""
    found: dict[str, Table] = {}
    for op_name, op in ops(records, "TTNN_Op"):
        if not op["schemaTable"]:
            continue
        table = table_of(records, op_name, op)
        other = found.setdefault(table.name, table)
        if other is table:
            continue
        shorter, longer = sorted([other.fields, table.fields], key=len)
        same = [each.declaration for each in shorter] == [
            each.declaration for each in longer[: len(shorter)]
        ]
        if not same or (other.number, other.by_hand) != (table.number, table.by_hand):
            fail(op_name, f"expected the number and the fields of {table.name} as in other ops")
        other.ops.update(table.ops)
        other.enumerators.update(table.enumerators)
        other.fields[:] = longer
    result = sorted(found.values(), key=lambda table: table.number)
    for number, table in enumerate(result, 1):
        if table.number != number:
            fail(
                table.name,
                f"schemaMember is {table.number}, which another table has or which is not the next "
                f"number: expected each from 1 on once, {number} is missing",
            )
    return result


# Schema -------------------------------------------------------------------------------------------


def schema(records: Records) -> str:
    found = tables(records)
    lines = [
        'include "Common/types.fbs";',
        'include "Common/collective.fbs";',
        'include "TTNN/eltwise.fbs";',
        'include "TTNN/enums.fbs";',
        "",
        "namespace tt.target.ttnn;",
        "",
    ]
    for table in found:
        if table.name.startswith("::"):
            continue
        if len(table.ops) == 1:
            lines += [f"/// {op}: {summary}" for op, summary in table.ops.items()]
        else:
            lines.append(f"/// {', '.join(table.ops)}.")
        lines.append(f"table {table.name} {{")
        lines += [f"  {field.declaration}" for field in table.fields]
        lines += ["}", ""]
    lines.append("union OpType {")
    for table in found:
        name = table.name.removeprefix("::")
        lines.append(f"  {name}: tt.target.{name}," if name != table.name else f"  {name},")
    return "\n".join([*lines, "}", ""])


# Runtime ------------------------------------------------------------------------------------------


def structure(table: Table) -> list[str]:
    lines = [f"struct {table.step} {{"]
    for field in table.fields:
        if field.cpp_type:
            lines.append(f"  {field.cpp_type} {field.member}{{}};")
    operands = [f for f in table.fields if TENSOR in f.type and not f.is_result]
    lines += ["", "  Operands operands() const {", "    Operands all;"]
    for field in operands:
        how = table.reads.get(field.source, "Whole")
        lines.append(f"    all.add({field.member}, Reads::{how});")
    results = [f.member for f in table.fields if f.is_result]
    lines += [
        "    return all;",
        "  }",
        f"  OptionalValue result() const {{ return {(results or ['std::nullopt'])[0]}; }}",
    ]
    if len(results) > 1:
        listed = ", ".join(results)
        lines.append(f"  std::vector<ValueIndex> results() const {{ return {{{listed}}}; }}")
    return [*lines, "};", ""]


def ordinary(records: Records) -> list[Table]:
    return [table for table in tables(records) if not table.by_hand]


def steps(records: Records) -> str:
    lines = [
        STEPS,
        macro(
            "TTMLIR_TTNN_TABLES",
            [f'{table.name.removeprefix("::")}, "{table.text}"' for table in tables(records)],
        ),
        macro("TTMLIR_TTNN_STEPS", [table.step for table in ordinary(records)]),
    ]
    for table in ordinary(records):
        lines += structure(table)
    return "\n".join(lines)


def decoding(records: Records) -> str:
    lines = []
    for table in ordinary(records):
        lines += [
            f"Step decode(Decoder &d, ::tt::target::ttnn::{table.name} const *op) {{",
            f"  {table.step} step;",
        ]
        for field in table.fields:
            if field.type == CONFIG:
                lines.append(f"  d.checkMemoryConfig(op->{field.name}());")
            elif not field.is_result:
                lines.append(f"  step.{field.member} = {field.reading};")
        if table.enumerators:
            lines.append(f"  switch (step.{table.fields[0].member}) {{")
            for case, op in table.enumerators.items():
                lines += [
                    f"  case ::tt::target::ttnn::{case}:",
                    f'    d.name = "{table.text}.{op}";',
                    "    break;",
                ]
            lines.append("  }")
        # After the operands: an operation must not read a tensor before it writes it.
        for field in table.fields:
            if field.is_result:
                how = "define" if table.makes_tensor else "result"
                lines.append(
                    f'  step.{field.member} = d.{how}(op->{field.name}(), "{field.name}");'
                )
        lines += ["  return step;", "}", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    write_table(
        {"schema": schema, "steps": steps, "decoding": decoding},
        "the definitions of the TTNN ops",
    )
