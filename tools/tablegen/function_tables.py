"""Generates the tables of elementwise functions for schema, compiler and runtime.

From the records of ``llvm-tblgen --dump-json cpp/dialects/Eltwise.td`` this script writes

* ``eltwise.fbs`` (table ``schema``): the enumeration of elementwise types in files of TTNN;
* ``functions.inc`` (``functions``): lists of macros, see its first lines.
"""

from __future__ import annotations

from records import Records, macro, write_table

#: Elementwise operations that are not functions of only floats or only integers.
OF_THEIR_OWN = ("Typecast", "Where")

FUNCTIONS = """\
// The elementwise functions. A list calls X for each, in the order of the schema:
//
// TTMLIR_UNARY_FUNCTIONS, TTMLIR_BINARY_FUNCTIONS: of one input and of two.
//   X(Name, name, parameters, integersOnly, truth, work)
//     Name          the enumerator of UnaryOp or BinaryOp, and of the schema's EltwiseOpType
//     name          a text, as in the dialects
//     parameters    how many numbers of f32 it takes
//     integersOnly  true if there is no such function of floats
//     truth         true if results are 1 and 0
//     work          what the vector engine does for a tile, a sum of constants of namespace work
// TTMLIR_ELTWISE_TYPES: the schema's EltwiseOpType.
//   X(entry)        UnaryOp::Name, BinaryOp::Name, or an object of a class Name for what is neither
// TTMLIR_UNARY_INSTRUCTIONS, TTMLIR_BINARY_INSTRUCTIONS: those of the vector engine.
//   X(instruction, Name, scalars, integers)
//     instruction   without `_tile`
//     scalars       how many numbers it takes beside tiles
//     integers      true if the engine has it for integers
// TTMLIR_ELTWISE_OPS: what computes an op of `ttir`.
//   X(name, instruction, matrixInstruction, integers), with an empty text for no instruction
"""


def rows(records: Records, field: str) -> list[Records]:
    return [records[row["def"]] for row in records["EltwiseTable"][field]]


def schema(records: Records) -> str:
    names = [row["name"] for row in rows(records, "rows")]
    lines = ["namespace tt.target.ttnn;", "", "enum EltwiseOpType: uint32 {"]
    lines += [f"  {name} = {number}," for number, name in enumerate(names)]
    return "\n".join([*lines, "}", ""])


def summed(space: str, words: list[str]) -> str:
    """Formats a C++ sum of constants; a word without a constant is a C++ error."""
    return " + ".join(f"{space}::{word}" for word in words)


def work(row: Records) -> str:
    if not row["work"]:
        raise SystemExit(f"function_tables.py: {row['instruction']}: expected `work`, found none")
    return summed("work", row["work"])


def boolean(bit: int) -> str:
    return "true" if bit else "false"


def functions(records: Records) -> str:
    ops = rows(records, "rows")
    table = [row for row in ops if row["name"] not in OF_THEIR_OWN]
    kinds = {1: "UnaryOp", 2: "BinaryOp"}

    def described(row: Records) -> str:
        return (
            f'{row["name"]}, "{row["mnemonic"]}", {len(row["parameters"])}, '
            f"{boolean(row['integersOnly'])}, {boolean(row['truth'])}, {work(row)}"
        )

    def instruction(row: Records) -> str:
        return (
            f"{row['instruction']}, {row['name']}, {len(row['scalars'])}, "
            f"{boolean(row['integers'])}"
        )

    unary = [row for row in table if row["arity"] == 1]
    binary = [row for row in table if row["arity"] == 2]

    return "\n".join(
        [
            FUNCTIONS,
            macro("TTMLIR_UNARY_FUNCTIONS", map(described, unary)),
            macro("TTMLIR_BINARY_FUNCTIONS", map(described, binary)),
            macro(
                "TTMLIR_ELTWISE_TYPES",
                [
                    f"{kinds[row['arity']]}::{row['name']}"
                    if row in table
                    else f"{row['name']}{{}}"
                    for row in ops
                ],
            ),
            macro("TTMLIR_UNARY_INSTRUCTIONS", map(instruction, unary)),
            macro("TTMLIR_BINARY_INSTRUCTIONS", map(instruction, binary)),
            macro(
                "TTMLIR_ELTWISE_OPS",
                [
                    f'"{row["mnemonic"]}", "{row["instruction"]}_tile", '
                    f'"{row["matrixInstruction"]}", {boolean(row["integers"])}'
                    for row in ops
                    if row["name"] != "Typecast"
                ],
            ),
        ]
    )


if __name__ == "__main__":
    write_table({"schema": schema, "functions": functions}, "cpp/dialects/Eltwise.td")
