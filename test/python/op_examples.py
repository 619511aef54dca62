"""The examples of the ops' descriptions as modules that parse, compile and run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from op_definitions import ONLY_IN_TTIR, Definition, definitions

from ttmlir import ir
from ttmlir.dialects import tt

#: What the names of examples stand for: as in the output of ttmlir-opt, `#layout` is that of the
#: host and `#layout1` that of the device.
ALIASES = {
    "any": "#tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>",
    "any_device_tile": "#tt.operand_constraint<dram|l1|tile|any_layout|any_device_tile>",
    "parallel": "#tt.iterator_type<parallel>",
    "map": "affine_map<(d0, d1) -> (d0, d1)>",
    "l1_": "#tt.memory_space<l1>",
    "layout": "#tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, "
    "#tt.memory_space<system>>>",
    "layout1": "#tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, "
    "#tt.memory_space<dram>>, interleaved>",
}
#: Where the example of an op is about another device tensor.
LAYOUTS = {
    "alloc": "#tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>, "
    "interleaved>",
    "arange": "#tt.layout<(d0) -> (0, d0), undef, <1x1>, memref<1x128xf32, "
    "#tt.memory_space<dram>>, interleaved>",
}


@cache
def device_text() -> str:
    """The default device."""
    context = ir.Context()
    return str(tt.ir.DeviceAttr.from_system_desc(context, default_system(context), []))


def default_system(context: ir.Context) -> ir.Attribute:
    return tt.ir.SystemDescAttr.get_default(context)


def _depths(text: str) -> Iterator[tuple[int, str, int]]:
    """(index, character, how many brackets are open in front of it)."""
    depth = 0
    for index, character in enumerate(text):
        if character in ")]}" or (character == ">" and text[index - 1] != "-"):
            depth -= 1
        yield index, character, depth
        if character in "([{<":
            depth += 1


def split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that are in no brackets."""
    parts, start = [], 0
    for index, character, depth in _depths(text):
        if character == separator and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [part for part in (*parts, text[start:].strip()) if part]


def signature(statement: str) -> tuple[list[str], list[str]]:
    """Types of the operands and of the results of an op in the generic form."""
    starts = [
        index
        for index, character, depth in _depths(statement)
        if character == "(" and depth == 0 and statement[:index].endswith(" : ")
    ]
    types = statement[starts[-1] :]
    arrow = next(
        index
        for index, character, depth in _depths(types)
        if character == ">"
        and depth < 1
        and types[index - 1] == "-"
        and index > 1
        and types[: index - 2].endswith(")")
    )
    results = types[arrow + 1 :].strip()
    if results.startswith("("):
        results = results[1:-1]
    return split(types[1 : arrow - 3], ","), split(results, ",")


def function_text(op: Definition) -> str:
    """A function of the values that the example uses and does not define, named after the op. It
    returns what the example's last op gives."""
    if "Terminator" in op.traits:
        op = definitions()["ttir.generic"]
    arguments: dict[str, str] = {}
    defined: dict[str, list[str]] = {}
    statements = split(re.sub(r"\n\s*", "\n", op.example), "\n")
    for statement in statements:
        found = re.match(r'(?:(%\w+)(?::\d+)? = )?"[\w.]+"\(([^)]*)\)', statement)
        if found is None:
            empty = re.match(r"(%\w+) = tensor\.empty\(\) : (.+)", statement)
            assert empty is not None, f"expected an op in the generic form, found {statement}"
            defined[empty[1]] = [empty[2]]
            continue
        operands, results = signature(statement)
        names = split(found[2], ",")
        assert len(names) == len(operands), f"expected a type for each of {names} in {statement}"
        for value, kind in zip(names, operands, strict=True):
            if value not in defined:
                arguments[value] = kind
        if found[1]:
            defined[found[1]] = results
    last = re.match(r"(%\w+)(?::\d+)? = ", statements[-1])
    types = defined[last[1]] if last else []
    values = [f"{last[1]}#{i}" for i in range(len(types))] if last else []
    parameters = ", ".join(f"{value}: {kind}" for value, kind in arguments.items())
    lines = [
        f"func.func @{op.mnemonic}({parameters}) -> ({', '.join(types)}) {{",
        *(f"  {statement}" for statement in statements),
        f"  return {', '.join(values)}{' : ' if types else ''}{', '.join(types)}",
        "}",
    ]
    return "\n".join(lines) + "\n"


def aliases(op: Definition) -> dict[str, str]:
    """What the names of attributes in the example stand for."""
    found = ALIASES | {"device": device_text()}
    if op.mnemonic in LAYOUTS:
        found["layout1"] = LAYOUTS[op.mnemonic]
    return found


def module_text(op: Definition) -> str:
    """A module with the function of the example."""
    lines = [f"#{name} = {text}\n" for name, text in aliases(op).items()]
    return "".join([*lines, function_text(op)])


def examples() -> str:
    """A module with the examples of all ops of TTIR that become calls on one chip."""
    lines = [f"#{name} = {text}\n" for name, text in (ALIASES | {"device": device_text()}).items()]
    return "".join(
        [*lines, *(function_text(op) for op in definitions().values() if is_call(op))],
    )


#: Ops of TTIR that are calls with ``optimization_level=1`` and taken apart without.
OPTIMIZED = frozenset(
    {
        "ttir.concatenate_heads",
        "ttir.rotary_embedding",
        "ttir.scaled_dot_product_attention",
        "ttir.split_query_key_value_and_split_heads",
    }
)


def optimized_examples() -> str:
    """A module with the examples of these ops."""
    lines = [f"#{name} = {text}\n" for name, text in (ALIASES | {"device": device_text()}).items()]
    return "".join([*lines, *(function_text(definitions()[name]) for name in sorted(OPTIMIZED))])


def is_call(op: Definition) -> bool:
    """A call on one chip, whose example has no layout of its own."""
    between_chips = "cluster_axis" in op.example or "mesh" in op.text
    in_ttir = op.dialect == "ttir" and op.name not in ONLY_IN_TTIR
    return in_ttir and not between_chips and "#layout" not in op.example


def _counted(line: str) -> str:
    """The values in a line by number."""
    values: dict[str, str] = {}
    return re.sub(r"%[\w#:]+", lambda m: values.setdefault(m[0], f"%{len(values)}"), line)


def statements_of(op: Definition, text: str, names: dict[str, str]) -> list[str]:
    """The lines of ``text`` with the op. ``names`` of attributes are written out."""
    found = []
    for line in text.splitlines():
        if f'"{op.name}"' not in line:
            continue
        previous = ""
        while line != previous:
            previous = line
            line = re.sub(r"#(\w+)\b(?!\.)", lambda match: names.get(match[1], match[0]), line)
        # Results with names of their own are printed one by one, otherwise as one with a count.
        line = re.sub(r"^(\s*%\w+)(?:, %\w+)+ = ", r"\1 = ", line)
        found.append(_counted(line).strip())
    return found


def as_written(op: Definition) -> list[str]:
    """The example's lines with the op."""
    context = ir.Context()
    known = ALIASES["l1_"]
    names = {
        name: str(ir.Attribute.parse(text.replace("#l1_", known), context))
        for name, text in aliases(op).items()
    }
    return statements_of(op, op.example, names)


def as_printed(op: Definition) -> list[str]:
    """The same lines of the module with the example, as it is printed."""
    printed = str(ir.Module.parse(module_text(op), ir.Context()))
    names = dict(re.findall(r"^#(\w+) = (.*)$", printed, re.M))
    return statements_of(op, printed, names)
