"""Generates the tables of today's TTIR ops.

From the records of ``llvm-tblgen --dump-json cpp/conversion/TodayToTTIR/TodayOps.td`` this script
writes

* ``TodayOps.inc`` (table ``rows``): the rows for the reader, and the declarations of its rules;
* ``today_ops.md`` (``page``): the page of the reference.
"""

from __future__ import annotations

import json

from records import Records, macro, write_table

PAGE = """\
# Ops of today's TTIR

What becomes of every op of [today's TTIR](../today.md). Operands are `?` optional, `*` of any
number, `!` changed by the op, and `^` destinations, which are dropped. Attributes are `name: kind`,
with `=` a default; integers may come in another width, lists as arrays or as dense ones. A `window`
is a number or an `array<i32>`, a `number` is an f32 or an i32.

| op | operands | attributes | results | becomes |
| --- | --- | --- | --- | --- |
ROWS
Not expressed, each with its reason:

| op | why |
| --- | --- |
REFUSED"""


def table(records: Records) -> list[Records]:
    found = [records[name] for name in records["!instanceof"]["TodayOp"]]
    return sorted(found, key=lambda row: row["name"])


def rows(records: Records) -> str:
    """Formats C++: X(name, operands, attributes, results, target, ignored, rule, refused) for each
    op, and X(rule) for each rule."""
    found = table(records)

    def text(row: Records) -> str:
        fields = ["name", "operands", "attributes", "results", "target", "ignored"]
        texts = [
            json.dumps("; ".join(row[field]) if field == "attributes" else row[field])
            for field in fields
        ]
        return ", ".join([*texts, row["rule"] or "carry", json.dumps(row["refused"])])

    return "\n".join(
        [
            macro("TTMLIR_TODAY_OPS", map(text, found)),
            macro("TTMLIR_TODAY_RULES", sorted({row["rule"] or "carry" for row in found})),
        ]
    )


def page(records: Records) -> str:
    def cell(items: str | list[str]) -> str:
        names = items.split(", ") if isinstance(items, str) else items
        return ", ".join(f"`{name}`".replace("|", "\\|") for name in names if name)

    def row(op: Records) -> str:
        becomes = op["becomes"] or f"`{op['target']}`"
        cells = [
            f"`{op['name']}`",
            cell(op["operands"]),
            cell(op["attributes"]),
            cell(op["results"]),
            becomes,
        ]
        return f"| {' | '.join(cells)} |\n"

    found = table(records)
    expressed = "".join(row(op) for op in found if not op["refused"])
    refused = "".join(f"| `{op['name']}` | {op['refused']} |\n" for op in found if op["refused"])
    return PAGE.replace("ROWS", expressed).replace("REFUSED", refused)


if __name__ == "__main__":
    write_table({"rows": rows, "page": page}, "cpp/conversion/TodayToTTIR/TodayOps.td")
