"""Generates the tables of kernel instructions for schema, compiler and runtime.

From the records of ``llvm-tblgen --dump-json cpp/dialects/TTKernel/Instructions.td`` (see
InstructionBase.td there for the fields) this script writes

* ``opcode.fbs`` (table ``schema``): the enumeration of opcodes in files;
* ``instructions.inc`` (``instructions``): lists of macros, see its first lines;
* ``ttkernel-functions.h`` (``declarations``): the C++ functions that kernels call;
* ``ttk/instructions.h`` (``kernel_api``): the same functions with a body, for kernels in C++ that
  run on the emulator.

It ends with an error that names the instruction if a record is incomplete.
"""

from __future__ import annotations

import re
from collections import defaultdict

from function_tables import boolean, summed
from kernel_functions import snake
from records import Records, macro, write_table

#: Enumerators of the runtime's `Threads`.
THREADS = {"Any": "Any", "Noc": "DataMovement", "Compute": "Compute"}

#: Letters of operands, with their meaning in comments of the schema; others only have a name.
LETTERS = {"r": "r ", "c": "c ", "t": "t ", "*": "r... "}
FORMS = {*LETTERS, *"xsipbwfdekom"}

#: Letters of operands for the engines.
FORMATS = "absoABOhr-"

#: Conversions of arguments in C++ text: of an operand, or of an attribute.
CPP_FORMS = {
    *("value", "semaphore", "enumerator", "flag", "flag_if_set", "reuse", "format"),
    *("format_number", "word", "number", "text", "accessor", "page_size", "aligned_page_size"),
}

SCHEMA = """\
namespace tt.target.metal;

/// What an instruction does. The members are the mnemonics of the `ttkernel` ops (see the generated
/// page of that dialect for the meaning of each) and the instructions of control and arithmetic,
/// the latter on 32 bits and named as in MLIR's `arith`. The operands of an instruction are, in
/// order, those of the op followed by its attributes in the order of the definition. Each is one
/// number:
///
/// - r: a register;
/// - c: a circular buffer's port (0 to 31), known when the kernel is built;
/// - t: the index of an instruction;
/// - p: a predicate, as arith::CmpIPredicate numbers them;
/// - w: how many bits the source (extsi) or the result (trunci) has;
/// - a number that is known when the kernel is built: an attribute (enumerators as their value,
///   flags as 0 or 1), or the index of an accessor or a string of the program.
///
/// The comment behind each member lists them; `-> r` marks a result.
enum Opcode : ushort {
"""

INSTRUCTIONS = """\
// The instructions of kernels. A list calls X for each, in the order of opcodes:
//
// TTMLIR_INSTRUCTIONS: all.
//   X(name, operands, result, threads, engine, takesTime, handler)
//     name          the enumerator of the schema's Opcode
//     operands      a letter for each operand, a text
//     result        true if it gives one
//     threads       the enumerator of Threads
//     engine        of a compute kernel that executes it or waits, the enumerator of Engine
//     takesTime     true if the clock counts its calls
//     handler       who knows its function
// TTMLIR_TILE_INSTRUCTIONS: those on tiles.
//   X(name, destination, cost, work, handler)
//     destination   what it does with destination registers, the enumerator of Destination
//     cost          what it takes, a sum of constants of namespace cost
//     work          the same of a function of the vector engine: constants of namespace work
//     handler       who knows its function
// TTMLIR_ENGINE_STATE: those that set up the engines, or need them set up.
//   X(name, does, formats, counterpart)
//     does          the enumerator of EngineSetup::Step::Does
//     formats       a letter for each operand, a text
//     counterpart   another Opcode, or std::nullopt
// TTMLIR_<GROUP>_HANDLERS: the instructions of a group that have a function.
//   X(name)
// TTMLIR_KERNEL_OPS: the ops that become an instruction.
//   X(op, name)     the op a text
// TTMLIR_KERNEL_CALLS: the C++ of the ops.
//   X(op, callee, literal, templateArguments, arguments)
//     literal       an expression instead of a call, or an empty text
//     ...Arguments  a text, see cpp/conversion/TTKernelToEmitC/KernelPatterns.cpp
"""

DECLARATIONS = """\
//
// The functions that kernels call, for ttkernel-declarations.h.
#ifndef TTKERNEL_FUNCTIONS_H
#define TTKERNEL_FUNCTIONS_H

"""


def stop(name: str, expected: str, found: str) -> SystemExit:
    return SystemExit(f"instruction_tables.py: {name}: expected {expected}, found {found}")


def arguments(records: Records, row: Records) -> list[Records]:
    """Returns operands, then attributes by name as MLIR has them, in the order of files; a variadic
    operand is last."""
    args = [records[arg["def"]] for arg in row["args"]]
    operands = [arg for arg in args if arg["isOperand"] and arg["form"] != "*"]
    attributes = sorted((a for a in args if not a["isOperand"]), key=lambda arg: arg["name"])
    return operands + attributes + [arg for arg in args if arg["form"] == "*"]


def checked(records: Records, row: Records) -> Records:
    """Returns the instruction after checking that its record is complete."""
    name = row["name"]
    if not row["group"]:
        raise stop(name, "`group`", "none")
    if "args" not in row:
        return row
    args = arguments(records, row)
    for arg in args:
        for field, known in (("form", FORMS), ("cppForm", CPP_FORMS)):
            if arg[field] not in known:
                known_words = ", ".join(sorted(known))
                raise stop(f"{name}: `{arg['name']}`", f"`{field}` of {known_words}", arg[field])
    on_tiles = "destination" in row
    if "ComputeInstruction" in row["!superclasses"] and not on_tiles:
        raise stop(name, "what it does with tiles, a class such as `Math`", "none")
    if on_tiles and not row["cost"]:
        raise stop(name, "`cost`", "none")
    if on_tiles and row["cost"] == ["vector"] and not row["work"]:
        raise stop(name, "`work`", "none")
    has_formats = "Vector" not in row.get("setup", "NeedsVector")
    if has_formats and not re.fullmatch(f"[{FORMATS}]{{{len(args)}}}", row["formats"]):
        expected = f"`formats` of {len(args)} letters of {FORMATS}, one for each operand"
        raise stop(name, expected, f"'{row['formats']}'")
    return row


def instructions(records: Records) -> list[Records]:
    """Returns all instructions of files, in the order of their opcodes."""
    found: dict[int, Records] = {}
    rows = [records[name] for name in records["!instanceof"]["Instruction"]]
    for row in rows:
        number = row["opcode"]
        if number == -1:  # kNoOpcode
            continue
        if number in found:
            other = found[number]["name"]
            raise stop(row["name"], "an opcode of its own", f"{number}, which is that of {other}")
        found[number] = checked(records, row)
    if missing := set(range(len(found))) - set(found):
        last = found[max(found)]
        raise stop(
            last["name"], f"{min(missing)}, the next opcode that is free", f"{last['opcode']}"
        )
    names = {row["name"] for row in found.values()}
    for row in found.values():
        if row.get("counterpart") and row["counterpart"] not in names:
            raise stop(row["name"], "an instruction as `counterpart`", row["counterpart"])
    return [found[number] for number in sorted(found)]


def form(records: Records, row: Records) -> str:
    """Returns a letter for each operand of the instruction."""
    if "form" in row:
        return str(row["form"])
    return "".join(arg["form"] for arg in arguments(records, row))


def has_result(row: Records) -> bool:
    return bool(row["result"] if "result" in row else row["gives"])


# Schema -------------------------------------------------------------------------------------------


def schema(records: Records) -> str:
    lines = []
    for row in instructions(records):
        if "args" in row:
            args = arguments(records, row)
            operands = [LETTERS.get(arg["form"], "") + snake(arg["name"]) for arg in args]
        else:
            operands = list(row["form"])
        results = ["-> r"] if has_result(row) else []
        comment = " ".join([*filter(None, [", ".join(operands)]), *results])
        lines.append(f"  {row['name']} = {row['opcode']}, // {comment}".removesuffix(" // "))
    return SCHEMA + "\n".join([*lines, "}", ""])


# Lists for C++ ------------------------------------------------------------------------------------


def cpp_items(records: Records, row: Records) -> tuple[list[str], list[str]]:
    """Returns template arguments and arguments of the call: a text, the number of an operand, or a
    key of CPP_FORMS with that or with the name of an attribute."""
    args = {arg["name"]: arg for arg in (records[arg["def"]] for arg in row["args"])}
    numbers = {name: str(n) for n, name in enumerate(n for n, a in args.items() if a["isOperand"])}

    def item(arg: Records) -> str:
        value = str(numbers.get(arg["name"], arg["name"]))
        return value if arg["cppForm"] == "value" else f"{arg['cppForm']} {value}"

    templates = [item(arg) for arg in args.values() if arg["isTemplateParameter"]]
    plain = [item(arg) for arg in args.values() if not arg["isTemplateParameter"]]
    for name in row["call"]:
        word, _, arg = name.rpartition(" ")
        if arg not in args or word not in {"", *CPP_FORMS}:
            raise stop(row["name"], f"`call` of {', '.join(args)}", name)
    if row["call"]:
        plain = [numbers.get(name, name) for name in row["call"]]
    return [*row["templateArgs"], *templates], plain


def kernel_calls(records: Records) -> list[str]:
    calls = []
    for row in instructions(records):
        if "args" in row:
            templates, plain = map(",".join, cpp_items(records, row))
            calls.append(
                f'"ttkernel.{row["mnemonic"]}", "{row["callee"]}", "{row["literal"]}", '
                f'"{templates}", "{plain}"'
            )
    return calls


def lists(records: Records) -> str:
    rows = instructions(records)
    tiles = [row for row in rows if "destination" in row]
    groups: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row["hasFunction"]:
            groups[row["group"]].append(row["name"])

    def handler(row: Records) -> str:
        return f"{row['group']}Handler"

    def counterpart(row: Records) -> str:
        other = row["counterpart"]
        return f"Opcode::{other}" if other else "std::nullopt"

    return "\n".join(
        [
            INSTRUCTIONS,
            macro(
                "TTMLIR_INSTRUCTIONS",
                [
                    f'{row["name"]}, "{form(records, row)}", {boolean(has_result(row))}, '
                    f"{THREADS[row['threads']]}, {row['engine']}, {boolean(row['takesTime'])}, "
                    f"{'tileHandler' if 'destination' in row else handler(row)}"
                    for row in rows
                ],
            ),
            macro(
                "TTMLIR_TILE_INSTRUCTIONS",
                [
                    f"{row['name']}, {row['destination']}, {summed('cost', row['cost'])}, "
                    f"{summed('work', row['work']) or '{}'}, {handler(row)}"
                    for row in tiles
                ],
            ),
            macro(
                "TTMLIR_ENGINE_STATE",
                [
                    f'{row["name"]}, {row["setup"]}, "{row["formats"]}", {counterpart(row)}'
                    for row in rows
                    if "setup" in row
                ],
            ),
            *(macro(f"TTMLIR_{group.upper()}_HANDLERS", names) for group, names in groups.items()),
            macro(
                "TTMLIR_KERNEL_OPS", [f'"{op}", {row["name"]}' for row in rows for op in row["ops"]]
            ),
            macro("TTMLIR_KERNEL_CALLS", kernel_calls(records)),
        ]
    )


# Declarations -------------------------------------------------------------------------------------


def parameter(arg: Records) -> str:
    if arg["cppType"] == "typename":
        return "typename T"
    space = "" if arg["cppType"].endswith(("&", "*")) else " "
    default = f" = {arg['cppDefault']}" if arg["cppDefault"] else ""
    return f"{arg['cppType']}{space}{snake(arg['name'])}{default}"


def declarations(records: Records) -> str:
    lines = []
    for row in instructions(records):
        if "args" not in row or not row["declared"] or row["literal"]:
            continue
        args = {arg["name"]: arg for arg in (records[arg["def"]] for arg in row["args"])}
        templates = [parameter(arg) for arg in args.values() if arg["isTemplateParameter"]]
        plain = [arg for arg in args.values() if not arg["isTemplateParameter"]]
        if row["call"]:
            plain = [args[name] for name in row["call"]]
        results = [records[result["def"]]["cppType"] for result in row["gives"]]
        lines += [f"/// {row['summary']}."]
        lines += [f"template <{', '.join(templates)}>"] if templates else []
        lines += [
            f"{results[0] if results else 'void'} {row['callee']}"
            f"({', '.join(map(parameter, plain))});"
        ]
    return DECLARATIONS + "\n".join([*lines, "", "#endif // TTKERNEL_FUNCTIONS_H", ""])


# Functions for kernels in C++ -------------------------------------------------------------------

#: Instructions that runtime/include/kernel_api/ttk has by hand, because their functions have more
#: parameters, or parameters of another kind, than the instruction.
BY_HAND = {
    *("get_dataformat", "get_noc_addr", "get_noc_addr_from_bank_id", "get_noc_multicast_addr"),
    *("noc_async_read", "noc_async_write", "noc_async_write_multicast"),
    *("noc_async_write_multicast_loopback_src", "noc_async_read_barrier"),
    *("noc_async_write_barrier", "noc_async_writes_flushed", "noc_async_atomic_barrier"),
    *("noc_async_full_barrier", "noc_inline_dw_write", "noc_async_read_page"),
    *("noc_async_read_set_trid", "noc_async_write_set_trid"),
    *("noc_async_read_barrier_with_trid", "noc_async_write_barrier_with_trid"),
    *("noc_async_write_one_packet_with_trid", "reset_noc_trid_barrier_counter"),
    *("noc_async_write_page", "noc_semaphore_inc", "noc_semaphore_set_remote"),
    *("noc_semaphore_set_multicast", "noc_semaphore_set_multicast_loopback_src"),
    *("noc_semaphore_inc_multicast", "tensor_accessor_get_noc_addr", "assert_that"),
    *("pack_tile", "mm_init", "mm_init_short", "init_bcast", "unary_bcast_init"),
    *("reduce_init", "reduce_tile", "reduce_uninit", "reconfig_data_format"),
    *("compute_kernel_hw_startup", "copy_tile_init", "transpose_wh_init", "tilize_init"),
    *("typecast_tile", "typecast_tile_init", "get_semaphore", "pack_reconfig_data_format"),
    *("reconfig_data_format_srca", "reconfig_data_format_srcb"),
    *("binary_dest_reuse_tiles", "binary_dest_reuse_tiles_init"),
    *("mm_block_init", "mm_block_init_short", "matmul_block"),
    *(
        "add_tiles_init",
        "sub_tiles_init",
        "mul_tiles_init",
        "fill_with_val",
        "pack_reconfig_l1_acc",
        "pack_untilize_init",
        "pack_untilize_block",
        "pack_untilize_dest_init",
        "pack_untilize_dest",
    ),
}
#: Instructions of the emulator that are no functions of the library.
NO_FUNCTIONS = {
    *("add", "sub", "mul", "matmul", "pack", "unpack_a", "unpack_ab"),
    *("pack_set_data_type", "unpack_set_data_type"),
}
#: Types of parameters and results.
KERNEL_TYPES = {
    "CBId": "std::uint32_t",
    "L1Address": "std::uint32_t",
    "u32": "std::uint32_t",
    "NocAddress": "std::uint64_t",
    "Semaphore": "ttk::Semaphore",
}

KERNEL_API = """\
//
// The instructions of the emulator as functions, for kernels in C++.
#ifndef TTK_INSTRUCTIONS_H
#define TTK_INSTRUCTIONS_H

#include "ttk/core.h"

"""


def kernel_function(records: Records, row: Records) -> list[str]:
    def kind(name: str) -> str:
        return KERNEL_TYPES.get(name, name)

    args = arguments(records, row)
    declared: list[str] = []
    templates: list[str] = []
    for arg in (records[arg["def"]] for arg in row["args"]):
        to = templates if arg["isTemplateParameter"] else declared
        default = f" = {arg['cppDefault']}" if arg["cppDefault"] else ""
        to.append(f"{kind(arg['cppType'])} {snake(arg['name'])}{default}")
    if row["group"] in ("destination", "vector"):
        # Such as the precision of an approximation, which does not change results.
        templates.append("auto... ttk_options")
    values = [
        f"ttk::address({snake(arg['name'])})"
        if arg["cppForm"] == "semaphore"
        else f"{snake(arg['name'])}"
        for arg in args
    ]
    ports = [snake(arg["name"]) for arg in args if arg["form"] == "c"]
    port = ports[0] if ports else "0"
    call = ", ".join([f"{row['opcode']}", "ttk_place", *values])
    results = [kind(records[result["def"]]["cppType"]) for result in row["gives"]]
    result = results[0] if results else "void"
    body = f"ttk::issue({call})"
    statement = f"return static_cast<{result}>({body});" if results else f"{body};"
    return [
        f"/// {row['summary']}.",
        *([f"template <{', '.join(templates)}>"] if templates else []),
        f"TTK_API {result} {row['callee']}({', '.join([*declared, 'TTK_PLACE'])}) {{",
        f"  ttk::use<{row['opcode']}>({port});",
        f"  {statement}",
        "}",
    ]


def kernel_api(records: Records) -> str:
    groups: dict[str, list[str]] = {"Any": [], "Noc": [], "Compute": []}
    opcodes = []
    for row in instructions(records):
        opcodes.append(f"inline constexpr std::uint32_t k_{row['name']} = {row['opcode']};")
        if "args" not in row or not row["declared"] or row["literal"]:
            continue
        if row["name"] in BY_HAND or row["name"] in NO_FUNCTIONS:
            continue
        groups[row["threads"]] += kernel_function(records, row)
    lines = [
        *("namespace ttk {", "/// Opcodes.", *opcodes, "} // namespace ttk", ""),
        *("inline namespace ckernel {", "", *groups["Any"]),
        *("", "#ifdef TTK_COMPUTE", "", *groups["Compute"]),
        *("", "#else", "", *groups["Noc"], "", "#endif", ""),
        *("} // namespace ckernel", ""),
    ]
    return KERNEL_API + "\n".join([*lines, "#endif // TTK_INSTRUCTIONS_H", ""])


if __name__ == "__main__":
    write_table(
        {
            "schema": schema,
            "instructions": lists,
            "declarations": declarations,
            "kernel_api": kernel_api,
        },
        "cpp/dialects/TTKernel/Instructions.td",
    )
