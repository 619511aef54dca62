"""Generates the op tables for lowering, serialization and the Python builder.

An op is described once, in its TableGen definition (see cpp/dialects/OpTables.td for the fields):

* a TTIR op names the TTNN op that it is lowered to (``loweredTo``);
* a TTNN op names its flatbuffer table and the source of each of its fields (``schemaTable`` and
  ``schemaFields``).

From the records of ``llvm-tblgen --dump-json`` this script writes

* ``TTIRToTTNN.inc``: one line ``TTIR_TO_TTNN(AbsOp, AbsOp)`` for each one-to-one lowering;
* ``_op_table.py``: methods of the Python builder;
* ``TTNNToFlatbuffer.inc``: a function ``createOp(cache, op)`` for each TTNN op with a table, and
  ``serializePayload(cache, Operation *)`` that dispatches to them.

``TTNNToFlatbuffer.inc`` is included inside ``namespace mlir::tt::ttnn`` after a header that
declares, in that namespace (``fbs`` stands for ``::tt::target``, ``Offset`` and ``Vector`` for
those of ``::flatbuffers``):

    struct FlatbufferObjectCache { ::flatbuffers::FlatBufferBuilder *fbb; ... };

    // One object for each value in destination-passing style; a null value gives a null offset.
    Offset<fbs::TensorRef> tensorRef(FlatbufferObjectCache &, Value);
    Offset<Vector<Offset<fbs::TensorRef>>> tensorRefs(FlatbufferObjectCache &, ValueRange);
    Offset<fbs::DeviceRef> deviceRef(FlatbufferObjectCache &, Value);

    // Attributes. A null attribute gives a null offset, or zero for a scalar or an enumerator.
    Offset<Vector<int64_t>>             toFlatbuffer(FlatbufferObjectCache &, ShapeAttr);
    Offset<Vector<int32_t>>             toFlatbuffer(FlatbufferObjectCache &, ArrayAttr); // of i32
    Offset<fbs::MemoryConfigDesc>       toFlatbuffer(FlatbufferObjectCache &, MemoryConfigAttr);
    fbs::DataType                       toFlatbuffer(FlatbufferObjectCache &, DataTypeAttr);
    fbs::TensorLayout                   toFlatbuffer(FlatbufferObjectCache &, ttnn::LayoutAttr);
    int32_t                             toFlatbuffer(FlatbufferObjectCache &, IntegerAttr);
    bool                                toFlatbuffer(FlatbufferObjectCache &, BoolAttr);
    float                               toFlatbuffer(FlatbufferObjectCache &, FloatAttr);
    Offset<Vector<int64_t>>             toFlatbuffer(FlatbufferObjectCache &, DenseI64ArrayAttr);
    Offset<Vector<int32_t>>             toFlatbuffer(FlatbufferObjectCache &, DenseI32ArrayAttr);
    fbs::ReduceType                     toFlatbuffer(FlatbufferObjectCache &, ReduceTypeAttr);
    fbs::Topology                       toFlatbuffer(FlatbufferObjectCache &, TopologyAttr);
    fbs::MeshShardType                  toFlatbuffer(FlatbufferObjectCache &, MeshShardTypeAttr);
    fbs::MeshShardDirection       toFlatbuffer(FlatbufferObjectCache &, MeshShardDirectionAttr);

and, for the sources ``function(attribute)``,

    int64_t                 toWide(FlatbufferObjectCache &, IntegerAttr);
    Offset<Vector<int64_t>> toWide(FlatbufferObjectCache &, ArrayAttr);         // of integers
    int32_t                 toFirst(FlatbufferObjectCache &, ArrayAttr);        // the first entry
    Offset<Vector<float>>   toFloats(FlatbufferObjectCache &, ArrayRef<FloatAttr>);
    Offset<Vector<int64_t>> toBounds(FlatbufferObjectCache &, ArrayAttr, RankedTensorType input);
    fbs::DataType           toElementType(FlatbufferObjectCache &, ElementsAttr);
    Offset<Vector<uint8_t>> toElements(FlatbufferObjectCache &, ElementsAttr);
    fbs::ttnn::UpsampleMode toUpsampleMode(FlatbufferObjectCache &, StringAttr);
    Offset<Vector<int64_t>> toRows(FlatbufferObjectCache &, DenseIntElementsAttr);   // rank 2
    uint32_t                toRowSize(FlatbufferObjectCache &, DenseIntElementsAttr);

An op marked ``schemaByHand`` (``ttnn.get_device``) gets no body: the includer defines
``Offset<fbs::ttnn::GetDeviceOp> createOp(FlatbufferObjectCache &, GetDeviceOp)`` before it
includes the table. The generated dispatcher is

    struct Payload { fbs::ttnn::OpType type; Offset<void> table; };
    // Nothing when the op has no table (an error at the op is for the caller to emit).
    std::optional<Payload> serializePayload(FlatbufferObjectCache &cache, Operation *op);
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from records import Records, write_table


def ops(records: Records, base: str) -> Iterator[tuple[str, Records]]:
    """Yields (C++ class, record) of every op derived from the TableGen class ``base``, by name."""
    for name in sorted(records["!instanceof"].get(base, [])):
        yield name.split("_", 1)[1], records[name]


def getter(name: str) -> str:
    """Returns ODS's accessor: ``in_channels`` gives ``getInChannels``."""
    return "get" + "".join(part[:1].upper() + part[1:] for part in name.split("_"))


# Lowering -----------------------------------------------------------------------------------------


def lowerings(ttir: Records) -> str:
    lines = [
        f"TTIR_TO_TTNN({name}, {op['loweredTo']})"
        for name, op in ops(ttir, "TTIR_Op")
        if op["loweredTo"]
    ]
    return "\n".join([*lines, ""])


# Builder ------------------------------------------------------------------------------------------

# The result has another element type than the input, so the method is hand-written.
OTHER_SIGNATURE = {"typecast"}

# Type and literal of a parameter, by the constraint of the attribute.
PARAMETERS = {
    "BoolAttr": ("bool", "boolean({})"),
    "F32Attr": ("float", "f32({})"),
    "I32Attr": ("int", 'integer("i32", {})'),
    "SI32Attr": ("int", 'integer("si32", {})'),
    "I64Attr": ("int", 'integer("i64", {})'),
    "SI64Attr": ("int", 'integer("si64", {})'),
    "DenseI64ArrayAttr": ("Sequence[int]", 'array("i64", {})'),
    "DenseI32ArrayAttr": ("Sequence[int]", 'array("i32", {})'),
    "StrAttr": ("str", "json.dumps(str({}))"),
    "UI32Attr": ("int", 'integer("ui32", {})'),
}


def eltwise_method(row: Records) -> list[str]:
    op = row["mnemonic"]
    if row["arity"] > 2 or row["parameters"] or op in OTHER_SIGNATURE:
        return []
    names = ["x"] if row["arity"] == 1 else ["a", "b"]
    arguments = ", ".join(f"{name}: Tensor" for name in names)
    inputs = "(x,)" if row["arity"] == 1 else "(a, b)"
    return [
        f"    def {op}(self, {arguments}, *, name: str | None = None) -> Tensor:",
        f'        """{row["summary"]}: {row["meaning"]}."""',
        f'        return self._eltwise("{op}", {inputs}, name)',
        "",
    ]


def shared_method(row: Records) -> list[str]:
    op = row["mnemonic"]
    if not row["builder"]:
        return []
    tensors = ["x" if name == "input" else name for _, name in row["operands"]["args"]]
    arguments = [f"{name}: Tensor" for name in tensors]
    attributes = []
    for constraint, name in row["attributes"]["args"]:
        if constraint["def"] not in PARAMETERS:
            raise SystemExit(
                f"op_tables.py: {op}: attribute '{name}' is a {constraint['def']}, expected one of "
                f"{', '.join(PARAMETERS)}, or a method of the builder that is written by hand"
            )
        kind, literal = PARAMETERS[constraint["def"]]
        arguments.append(f"{name}: {kind}")
        attributes.append(f'"{name}": {literal.format(name)}')
    return [
        f"    def {op}(self, {', '.join(arguments)}, *, name: str | None = None) -> Tensor:",
        f'        """{row["summary"]}."""',
        f"        attributes = {{{', '.join(attributes)}}}",
        f'        return self._build("{op}", ({", ".join(tensors)},), attributes, name=name)',
        "",
    ]


def composite_method(ttir: Records, op: Records) -> list[str]:
    """Returns the method of a composite op; optional tensors are keywords, like attributes."""
    name, inputs = op["opName"], op["inputs"]["args"]
    kinds = {tensor: ttir[constraint["def"]]["!superclasses"] for constraint, tensor in inputs}
    needed = [f"{tensor}: Tensor" for tensor, kind in kinds.items() if "Optional" not in kind]
    options = [f"{t}: Tensor | None = None" for t, kind in kinds.items() if "Optional" in kind]
    attributes = []
    for constraint, attribute in op["attributes"]["args"]:
        record = ttir[constraint["def"]]
        base = attribute_kind(ttir, constraint["def"])
        if base not in PARAMETERS:
            raise SystemExit(
                f"op_tables.py: {name}: attribute '{attribute}' is a {base}, expected one of "
                f"{', '.join(PARAMETERS)}, or a method of the builder that is written by hand"
            )
        kind, literal = PARAMETERS[base]
        default = record["defaultValue"]
        if record["isOptional"] and default is None:
            options.append(f"{attribute}: {kind} | None = None")
        elif default is None:
            needed.append(f"{attribute}: {kind}")
        else:
            options.append(f"{attribute}: {kind} = {python_literal(default)}")
        attributes.append(
            (attribute, literal.format(attribute), record["isOptional"] and not default)
        )
    arguments = ", ".join([*needed, "*", *options, "name: str | None = None"])
    like = op["like"] or inputs[0][1]
    result = "tuple[Tensor, ...]" if op["hasSeveral"] else "Tensor"
    lines = [
        f"    def {name}(self, {arguments}) -> {result}:",
        f'        """{op["summary"]}"""',
        "        attributes: dict[str, str] = {",
        *(f'            "{a}": {value},' for a, value, optional in attributes if not optional),
        "        }",
    ]
    for attribute, value, optional in attributes:
        if optional:
            lines.append(f"        if {attribute} is not None:")
            lines.append(f'            attributes["{attribute}"] = {value}')
    operands = ", ".join(kinds)
    segmented = any(trait["def"] == "AttrSizedOperandSegments" for trait in op["traits"])
    lines += [
        f"        operands = ({operands},)",
        "        inputs = [tensor for tensor in operands if tensor is not None]",
        f"        segments = {'[int(t is not None) for t in operands]' if segmented else 'None'}",
    ]
    call = f'("{name}", inputs, attributes, {like}.dtype, name, segments)'
    if op["hasSeveral"]:
        return [*lines, f"        return self._build_several{call}", ""]
    return [*lines, f"        return self._build_several{call}[0]", ""]


def python_literal(default: str) -> str:
    """Converts the default of an attribute from C++ to Python."""
    text = {"false": "False", "true": "True"}.get(default, default)
    return re.sub(r"(?<=\d)f$", "", text)


def builder(ttir: Records) -> str:
    """Returns builder methods for ops whose tensors and attributes are passed on unchanged."""
    found = {}
    for base, method in (("EltwiseRow", eltwise_method), ("SharedOp", shared_method)):
        for name in ttir["!instanceof"][base]:
            found[ttir[name]["mnemonic"]] = method(ttir[name])
    for _, op in ops(ttir, "TTIR_CompositeOp"):
        if op["builder"]:
            found[op["opName"]] = composite_method(ttir, op)
    lines = [
        '"""Ops of tensors and attributes as their definitions have them."""',
        "",
        "from __future__ import annotations",
        "",
        "import json",
        "from collections.abc import Sequence",
        "",
        "from ttmlir._mlir_literals import array, boolean, f32, integer",
        "from ttmlir.builder._functions import Functions",
        "from ttmlir.builder._tensor import Tensor",
        "",
        "",
        "class OpTable(Functions):",
    ]
    return "\n".join([*lines, *(line for _, method in sorted(found.items()) for line in method)])


# Serialization ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Member:
    """An operand, a result or an attribute of an op."""

    name: str
    kind: str
    """The innermost constraint of an attribute; else empty."""
    is_variadic: bool
    is_device: bool
    is_optional: bool
    has_default: bool
    is_result: bool

    @property
    def is_attribute(self) -> bool:
        return bool(self.kind)


@dataclass(frozen=True)
class Field:
    """An entry of ``schemaFields``."""

    name: str
    type: str
    """The type as written; empty if it follows from the source."""
    source: str


def schema_fields(texts: Iterable[str]) -> list[Field]:
    fields = []
    for text in texts:
        head, _, source = text.partition("=")
        name, _, written = head.partition(":")
        fields.append(Field(name.strip(), written.strip(), source or name.strip()))
    return fields


def members(records: Records, op: Records) -> dict[str, Member]:
    found = {}
    arguments, results = op["arguments"]["args"], op["results"]["args"]
    for constraint, name in [*arguments, *results]:
        record = records[constraint["def"]]
        parents = record["!superclasses"]
        base = record.get("baseType", {}) or {}
        found[name] = Member(
            name,
            kind=attribute_kind(records, constraint["def"]) if "Attr" in parents else "",
            is_variadic="Variadic" in parents,
            is_device="TT_Device" in (constraint["def"], base.get("def")),
            is_optional=bool(record.get("isOptional")) or "Optional" in parents,
            has_default=bool(record.get("defaultValue")),
            is_result=[constraint, name] in results,
        )
    return found


def attribute_kind(records: Records, constraint: str) -> str:
    """Unwraps OptionalAttr, DefaultValuedAttr and ConfinedAttr."""
    while base := records[constraint]["baseAttr"]:
        constraint = base["def"]
    return constraint


# C++ for the source `function(attribute, ...)`, in addition to plain names: see the header comment.
FUNCTIONS = {
    "wide": "toWide(cache, {0})",
    "first": "toFirst(cache, {0})",
    "floats": "toFloats(cache, {{{all}}})",
    "bounds": "toBounds(cache, {0}, op.getInput().getType())",
    "dataType": "toElementType(cache, {0})",
    "elements": "toElements(cache, {0})",
    "upsampleMode": "toUpsampleMode(cache, {0})",
    "rows": "toRows(cache, {0})",
    "rowSize": "toRowSize(cache, {0})",
}


def source_text(source: str, known: dict[str, Member], op_name: str) -> str:
    """Returns C++ that computes the value of a field from ``source``."""

    def member(name: str) -> Member:
        if name not in known:
            raise SystemExit(
                f"op_tables.py: {op_name}: schemaFields name '{name}', "
                f"expected one of {', '.join(known)}"
            )
        return known[name]

    if re.fullmatch(r"(::)?\w+::\w+", source):
        return f"fbs{source}" if source.startswith("::") else f"fbs::ttnn::{source}"
    if re.fullmatch(r"-?[0-9].*", source):
        return source
    if call := re.fullmatch(r"(\w+)\((.*)\)", source):
        arguments = [f"op.{getter(member(name).name)}Attr()" for name in call[2].split(",")]
        return FUNCTIONS[call[1]].format(*arguments, all=", ".join(arguments))
    everything = re.fullmatch(r"\[(\w+)\]", source)
    found = member(everything[1] if everything else source)
    access = f"op.{getter(found.name)}"
    if everything:
        return f"tensorRefs(cache, {access}())"
    if found.is_attribute:
        return f"toFlatbuffer(cache, {access}Attr())"
    value = f"{access}().front()" if found.is_variadic else f"{access}()"
    return f"{'deviceRef' if found.is_device else 'tensorRef'}(cache, {value})"


def optional_attribute(source: str, known: dict[str, Member]) -> str | None:
    """Returns the attribute that determines whether the field is written."""
    name = re.sub(r"\w+\((\w+)\)", r"\1", source)
    found = known.get(name)
    return name if found and found.is_attribute and found.is_optional else None


def create_function(
    function: str, name: str, table: str, texts: Iterable[str], known: dict[str, Member]
) -> list[str]:
    fields = schema_fields(texts)
    table = f"fbs{table}" if table.startswith("::") else f"fbs::ttnn::{table}"
    lines = [f"static Offset<{table}> {function}(FlatbufferObjectCache &cache, {name} op) {{"]
    # A table is built in one go: objects that it refers to come first.
    for field in fields:
        lines.append(f"  auto {field.name}_ = {source_text(field.source, known, name)};")
    lines.append(f"  {table}Builder table(*cache.fbb);")
    for field in fields:
        decides = optional_attribute(field.source, known)
        guard = f"if (op.{getter(decides)}Attr())\n    " if decides else ""
        lines.append(f"  {guard}table.add_{field.name}({field.name}_);")
    return [*lines, "  return table.Finish();", "}", ""]


def creators(ttnn: Records, name: str, op: Records) -> list[str]:
    """Returns the functions that build the tables of an op."""
    known = members(ttnn, op)
    lines = []
    if not op["schemaByHand"]:
        lines += create_function("createOp", name, op["schemaTable"], op["schemaFields"], known)
    if op["variantAttr"]:
        fields = op["variantFields"]
        lines += create_function("createVariant", name, op["variantTable"], fields, known)
    return lines


def op_type(table: str) -> str:
    """Returns the member of the union of all tables."""
    return f"fbs::ttnn::OpType::{table.removeprefix('::')}"


def serialization(ttnn: Records) -> str:
    lines: list[str] = []
    cases: list[str] = []
    for name, op in ops(ttnn, "TTNN_Op"):
        table = op["schemaTable"]
        if not table:
            continue
        lines += creators(ttnn, name, op)
        cases.append(f"      .Case([&](ttnn::{name} op) -> Result {{")
        if op["variantAttr"]:
            variant = op["variantTable"]
            cases += [
                f'        if (op->hasAttr("{op["variantAttr"]}"))',
                f"          return Payload{{{op_type(variant)},",
                "                         createVariant(cache, op).Union()};",
            ]
        cases += [
            f"        return Payload{{{op_type(table)}, createOp(cache, op).Union()}};",
            "      })",
        ]
    return "\n".join(
        [
            *lines,
            "std::optional<Payload> serializePayload(FlatbufferObjectCache &cache,",
            "                                        Operation *operation) {",
            "  using Result = std::optional<Payload>;",
            "  return llvm::TypeSwitch<Operation *, Result>(operation)",
            *cases,
            "      .Default([](Operation *) -> Result { return std::nullopt; });",
            "}",
            "",
        ]
    )


if __name__ == "__main__":
    write_table(
        {"lowering": lowerings, "serialization": serialization, "builder": builder},
        "the definitions of the ops",
    )
