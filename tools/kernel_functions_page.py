"""Writes the page that lists the functions of kernels in C++, from the headers of the package.

kernel_functions_page.py HEADERS PAGE [--check]

``HEADERS`` is ``ttmlir/include/kernel_api`` of a package or build tree. With ``--check`` the page
is only compared.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

HEAD = """\
# Functions of kernels in C++

This page lists the functions of the kernel library that [kernels in C++](kernels.md#kernels-in-c)
can call, and those that the emulator lacks, whose use is a compile error. The headers are
`api/dataflow/dataflow_api.h` and `dataflow_api.h` for data movement kernels, and `api/compute/...`
and `compute_kernel_api/...` for compute kernels. Each header declares all functions of its kind and
those marked "both". Template arguments that select an approximation do not change results,
except for `exp_tile<true>` in exact numerics.

"""
#: Macros that define the function of their first argument.
MACROS = ("TTK_BROADCAST", "TTK_BARRIER", "TTK_TRANSACTION")
#: Macros and functions of the headers themselves.
INTERNAL = {
    "checkNoc",
    "accessorAt",
    "address",
    "issue",
    "issueAt",
    "refuse",
    "self",
    "siteAt",
    "wholeWord",
}
INTERNAL |= {"toArgument", "use", "name", "tileSlice", "zeroTile"}
#: Functions that are macros.
FUNCTION_MACROS = ("TSLICE",)


def functions(text: str) -> tuple[set[str], set[str]]:
    """Returns the names of the functions that a header defines, and of those that it refuses."""
    flat = re.sub(r"\\\n", " ", text)
    defined = set(re.findall(r"^(?!#).*?TTK_API [^;{}()=]*?\b(\w+)\(", flat, re.MULTILINE))
    for macro in MACROS:
        defined |= set(re.findall(rf"^{macro}\((\w+),", flat, re.MULTILINE))
    for word in re.findall(r"^TTK_ARITHMETIC\((\w+),", flat, re.MULTILINE):
        defined.add(f"{word}_tiles_init")
    defined |= {name for name in FUNCTION_MACROS if f"#define {name}(" in flat}
    refused = set(re.findall(r"^TTK_UNSUPPORTED\((\w+)\)", flat, re.MULTILINE))
    return defined - INTERNAL, refused - INTERNAL


def page(headers: Path) -> str:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (headers / "ttk").glob("*.h")}
    both, rest = texts["instructions"].split("#ifdef TTK_COMPUTE")
    compute, dataflow = rest.split("#else")
    sources = (
        ("both", both + texts["core"] + texts["arguments"] + texts["print"] + texts["objects"]),
        ("compute", compute + texts["compute"]),
        ("data movement", dataflow + texts["dataflow"]),
        ("data movement", texts["dataflow_lib"]),
        ("compute", texts["compute_lib"]),
    )
    rows: dict[tuple[str, str], bool] = {}
    for kind, text in sources:
        defined, refused = functions(text)
        if scope := re.search(r"^namespace (compute_kernel_lib) {$", text, re.MULTILINE):
            defined = {f"{scope[1]}::{name}" for name in defined}
        rows |= {(name, kind): False for name in refused}
        rows |= {(name, kind): True for name in defined}
    lines = ["| function | kernels | supported |", "| --- | --- | --- |"]
    lines += [
        f"| `{name}` | {kind} | {'yes' if rows[name, kind] else 'no'} |"
        for name, kind in sorted(rows)
    ]
    supported = sum(rows.values())
    count = f"{supported} functions are supported, {len(rows) - supported} are refused by name.\n\n"
    return HEAD + count + "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Writes the page of functions of kernels in C++.")
    parser.add_argument("headers", type=Path)
    parser.add_argument("page", type=Path)
    parser.add_argument("--check", action="store_true", help="compare the page, do not write it")
    arguments = parser.parse_args()
    text = page(arguments.headers)
    if not arguments.check:
        arguments.page.write_text(text, encoding="utf-8")
    elif arguments.page.read_text(encoding="utf-8") != text:
        print(f"{arguments.page} is out of date: run tools/kernel_functions_page.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
