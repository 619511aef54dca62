"""Generates tables for the C++ of TTNN ops from the op definitions.

Every op with a flatbuffer table is a function of the C++ library (``ttnn-precompiled.hpp``). Its
parameters are the operands of the op in order, then its attributes in order, then, for an op that
creates a tensor, a description of the tensor. From the records of ``llvm-tblgen --dump-json`` this
script writes

* ``TTNNToEmitC.inc`` (table ``emission``): ``addArguments(call, op)``, which adds the arguments of
  an op to a call; false for an op without a function;
* ``ttnn-operations.hpp`` (``declarations``): the functions;
* ``operations.inc`` (``definitions``): their implementations. A struct with the op's accessors in
  the compiler holds the arguments, so that the same generated code as in ``op_tables.py`` fills the
  table of the op; ``runtime/emitc/operations.cpp`` implements the helpers that it calls.

Attributes are passed as values of the C++ types in ``CPP_TYPES``: a new kind of attribute needs a
row there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from op_tables import creators, getter, op_type, ops
from records import Records, write_table

# C++ types of attributes by constraint.
CPP_TYPES = {
    "BoolAttr": "bool",
    "UnitAttr": "bool",
    "I32Attr": "int32_t",
    "SI32Attr": "int32_t",
    "UI32Attr": "uint32_t",
    "I64Attr": "int64_t",
    "SI64Attr": "int64_t",
    "F32Attr": "float",
    "StrAttr": "std::string",
    "ElementsAttr": "ttnn::Elements",
    "I32ArrayAttr": "std::vector<int32_t>",
    "I64ArrayAttr": "std::vector<int64_t>",
    "F32ArrayAttr": "std::vector<float>",
    "DenseI32ArrayAttr": "std::vector<int32_t>",
    "DenseI64ArrayAttr": "std::vector<int64_t>",
    "TTNN_ShapeAttr": "ttnn::Shape",
    "TTNN_LayoutAttr": "ttnn::Layout",
    "TTNN_MemoryConfigAttr": "ttnn::MemoryConfig",
    "TT_DataTypeAttr": "ttnn::DataType",
    "TTNN_DeviceComputeKernelConfigAttr": "ttnn::DeviceComputeKernelConfig",
    "I64ElementsAttr": "ttnn::Positions",
    "TT_ReduceTypeAttr": "ttnn::ReduceType",
    "TT_TopologyAttr": "ttnn::Topology",
    "TT_MeshShardTypeAttr": "ttnn::MeshShardType",
    "TT_MeshShardDirectionAttr": "ttnn::MeshShardDirection",
}


#: The compute configuration: the last parameter of a function, which a call omits if the op has
#: none.
CONFIG = "compute_config"

#: A call of its own in C++.
ACTIVATION = "activation"


@dataclass(frozen=True)
class Operand:
    name: str
    index: int
    """Index among the operands of the op."""
    is_variadic: bool
    is_optional: bool
    is_device: bool


@dataclass(frozen=True)
class Attribute:
    name: str
    cpp_type: str
    is_optional: bool


@dataclass(frozen=True)
class Signature:
    """The signature of an op's C++ function."""

    operands: list[Operand]
    attributes: list[Attribute]
    arity: int
    """Number of values of the variadic operand ``inputs``; -1 for any number."""
    makes_tensor: bool
    """The result is a new tensor, not a destination."""
    results: list[str]

    @property
    def has_several(self) -> bool:
        return len(self.results) > 1


def attribute(records: Records, op_name: str, name: str, constraint: str) -> Attribute:
    record, is_optional = records[constraint], False
    # OptionalAttr, DefaultValuedAttr and ConfinedAttr wrap another constraint.
    while record["baseAttr"]:
        is_optional |= bool(record["isOptional"]) and not record["defaultValue"]
        constraint = record["baseAttr"]["def"]
        record = records[constraint]
    if constraint not in CPP_TYPES:
        raise SystemExit(
            f"cpp_tables.py: {op_name}: attribute '{name}' is a {constraint}, "
            f"expected one of {', '.join(CPP_TYPES)}"
        )
    return Attribute(name, CPP_TYPES[constraint], is_optional)


def signature(records: Records, op_name: str, op: Records) -> Signature:
    operands: list[Operand] = []
    attributes: list[Attribute] = []
    for constraint, name in op["arguments"]["args"]:
        record = records[constraint["def"]]
        parents = record["!superclasses"]
        if "Attr" in parents:
            if name == ACTIVATION:
                continue
            attributes.append(attribute(records, op_name, name, constraint["def"]))
            continue
        base = record.get("baseType", {}) or {}
        operands.append(
            Operand(
                name,
                len(operands),
                is_variadic="Variadic" in parents,
                is_optional="Optional" in parents,
                is_device="TT_Device" in (constraint["def"], base.get("def")),
            )
        )
    traits = {trait["def"] for trait in op["traits"]}
    results = [name for _, name in op["results"]["args"]]
    return Signature(
        operands,
        attributes,
        op["arity"],
        makes_tensor=bool(results) and "DestinationStyleOpInterface" not in traits,
        results=results,
    )


# Emission -----------------------------------------------------------------------------------------


def emission(ttnn: Records) -> str:
    cases: list[str] = []
    for name, op in ops(ttnn, "TTNN_Op"):
        if not op["schemaTable"]:
            continue
        called = signature(ttnn, name, op)
        cases.append(f"      .Case([&](ttnn::{name} op) {{")
        for operand in called.operands:
            kind = "each"
            if operand.is_variadic and called.arity < 0:
                kind = "vector"
            elif operand.is_optional:
                kind = "optionalDevice" if operand.is_device else "optional"
            cases.append(f"        call.{kind}(op.getODSOperands({operand.index}));")
        for a in called.attributes:
            value = f"op.{getter(a.name)}Attr()"
            if a.cpp_type == "ttnn::Elements":
                cases.append(f"        call.elements({value});")
            else:
                guard = f"if ({value}) " if a.name == CONFIG else ""
                cases.append(f'        {guard}call.attribute("{a.cpp_type}", "{a.name}", {value});')
        if called.makes_tensor:
            cases.append("        call.spec(op->getResult(0).getType());")
        cases += ["        return true;", "      })"]
    return "\n".join(
        [
            "static bool addArguments(Call &call, Operation *operation) {",
            "  return llvm::TypeSwitch<Operation *, bool>(operation)",
            *cases,
            "      .Default([](Operation *) { return false; });",
            "}",
            "",
        ]
    )


# The library --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parameter:
    type: str
    name: str

    @property
    def declaration(self) -> str:
        reference = self.type.endswith(("&", "*"))
        return f"{self.type}{self.name}" if reference else f"{self.type} {self.name}"

    @property
    def with_default(self) -> str:
        return f"{self.declaration} = {{}}" if self.name == CONFIG else self.declaration


FLAT_NAMES = {1: ["input"], 2: ["a", "b"], 3: ["first", "second", "third"]}
SCALARS = (
    *("bool", "int32_t", "uint32_t", "int64_t", "float", "ttnn::Layout", "ttnn::DataType"),
    *("ttnn::ReduceType", "ttnn::MeshShardType", "ttnn::MeshShardDirection"),
)


def operand_parameters(called: Signature) -> list[list[Parameter]]:
    """Returns the parameters of each operand."""
    found = []
    for operand in called.operands:
        if operand.is_device:
            found.append([Parameter("Device *", operand.name)])
        elif operand.is_variadic and called.arity < 0:
            found.append([Parameter("const std::vector<Tensor> &", operand.name)])
        elif operand.is_variadic and operand.name == "inputs":
            names = FLAT_NAMES[called.arity]
            found.append([Parameter("const Tensor &", name) for name in names])
        elif operand.is_variadic:
            found.append([Parameter("const Tensor &", operand.name.removesuffix("s"))])
        elif operand.is_optional:
            found.append([Parameter("const std::optional<Tensor> &", operand.name)])
        else:
            found.append([Parameter("const Tensor &", operand.name)])
    return found


def attribute_parameter(attribute: Attribute) -> Parameter:
    cpp_type = attribute.cpp_type
    if attribute.is_optional:
        cpp_type = f"std::optional<{cpp_type}>"
    if cpp_type not in SCALARS:
        cpp_type = f"const {cpp_type} &"
    return Parameter(cpp_type, attribute.name)


def parameters(called: Signature) -> list[Parameter]:
    found = [p for each in operand_parameters(called) for p in each]
    found += [attribute_parameter(attribute) for attribute in called.attributes]
    if called.makes_tensor:
        found.append(Parameter("const TensorSpec &", "result"))
    return found


def functions(ttnn: Records) -> list[tuple[str, Records, Signature]]:
    return [
        (name, op, signature(ttnn, name, op))
        for name, op in ops(ttnn, "TTNN_Op")
        if op["schemaTable"] and not op["schemaByHand"]
    ]


def head(op: Records, listed: Iterable[str], called: Signature) -> str:
    result = "Tensor" if called.results else "void"
    if called.has_several:
        result = f"std::tuple<{', '.join(['Tensor'] * len(called.results))}>"
    return f"{result} {op['opName']}({', '.join(listed)})"


def declarations(ttnn: Records) -> str:
    lines = ["#ifndef TTNN_OPERATIONS_HPP", "#define TTNN_OPERATIONS_HPP", "", "namespace ttnn {"]
    for _, op, called in functions(ttnn):
        listed = [p.with_default for p in parameters(called)]
        lines += ["", f"/// {op['summary']}", f"TTNN_API {head(op, listed, called)};"]
    return "\n".join([*lines, "", "} // namespace ttnn", "", "#endif // TTNN_OPERATIONS_HPP", ""])


def accessor(name: str, result: str, value: str) -> str:
    return f"  {result} {getter(name)}() const {{ return {value}; }}"


def op_struct(name: str, called: Signature) -> list[str]:
    """Returns a struct of the arguments, with the accessors of the op."""
    lines = [f"struct {name} {{"]
    lines += [f"  {p.declaration};" for p in parameters(called)]
    destination = ""
    for operand, each in zip(called.operands, operand_parameters(called), strict=True):
        names = ", ".join(p.name for p in each)
        if operand.is_variadic and called.arity >= 0:
            lines.append(accessor(operand.name, "std::vector<Tensor>", f"{{{names}}}"))
        elif each[0].type == "const Tensor &":
            lines.append(accessor(operand.name, "Operand", f"{{{names}}}"))
        else:
            lines.append(accessor(operand.name, each[0].type.rstrip(), names))
        if operand.name in ("output", "outputs"):
            destination = names
    lines += [
        accessor(a.name + "_attr", attribute_parameter(a).type.rstrip(), a.name)
        for a in called.attributes
    ]
    for result in called.results:
        # Of several results, each has a destination of its name.
        if called.has_several:
            destination = f"{result}_output"
        if called.makes_tensor:
            lines.append(accessor(result, "const TensorSpec &", "result"))
        elif result.endswith("s"):
            lines.append(
                accessor(result, "std::array<Destination, 1>", f"{{Destination{{{destination}}}}}")
            )
        else:
            lines.append(accessor(result, "Destination", f"{{{destination}}}"))
    return [*lines, "};", ""]


def definitions(ttnn: Records) -> str:
    structs: list[str] = []
    bodies: list[str] = []
    for name, op, called in functions(ttnn):
        structs += op_struct(name, called)
        structs += creators(ttnn, name, op)
        listed = parameters(called)
        arguments = ", ".join(p.name for p in listed)
        config = f", {CONFIG}" if any(a.name == CONFIG for a in called.attributes) else ""
        run = f"run(library::{op_type(op['schemaTable'])}, createOp(call, op).Union(){config});"
        returned = [f"    {'return ' if called.results else ''}call.{run}"]
        if called.has_several:
            each = ", ".join(f"call.result({i})" for i in range(len(called.results)))
            returned = [f"    call.{run}", f"    return std::tuple({each});"]
        bodies += [
            f"{head(op, [p.declaration for p in listed], called)} {{",
            f'  return library::guarded("{op["opName"]}", [&] {{',
            "    library::Call call;",
            f"    const library::{name} op{{{arguments}}};",
            *returned,
            "  });",
            "}",
            "",
        ]
    return "\n".join(
        [
            "namespace ttnn::library {",
            *structs,
            "} // namespace ttnn::library",
            "",
            "namespace ttnn {",
            *bodies,
            "} // namespace ttnn",
            "",
        ]
    )


if __name__ == "__main__":
    write_table(
        {"emission": emission, "declarations": declarations, "definitions": definitions},
        "the definitions of the ops",
    )
