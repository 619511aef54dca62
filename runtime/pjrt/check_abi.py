"""Compares abi.h and functions.h with the official header of the PJRT C API: the size of each
structure, the offset of each member, the place of each function in the table, and the values of the
enumerations.

The header is not ours to carry. It is in the wheel of tensorflow-cpu, among others:

    pip download --no-deps tensorflow-cpu
    python check_abi.py tensorflow_cpu-*.whl

A path that is no wheel is the header itself. The compiler is $CXX, or c++. `--assertions` prints
the assertions at the end of abi.h instead, as they have to be.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ABI = Path(__file__).with_name("abi.h")
FUNCTIONS = ABI.with_name("functions.h")
# Enumerations: how the official header begins the names of their values.
ENUMERATIONS = {
    "ErrorCode": "PJRT_Error_Code_",
    "BufferType": "PJRT_Buffer_Type_",
    "NamedValueType": "PJRT_NamedValue_k",
    "MemoryLayoutType": "PJRT_Buffer_MemoryLayout_Type_",
}


def official_header(path: Path) -> str:
    """The text of the header, from a file or a wheel."""
    if not zipfile.is_zipfile(path):
        return path.read_text()
    with zipfile.ZipFile(path) as wheel:
        names = [n for n in wheel.namelist() if n.endswith("xla/pjrt/c/pjrt_c_api.h")]
        if not names:
            sys.exit(f"{path}: expected a wheel with xla/pjrt/c/pjrt_c_api.h, found none in it")
        return wheel.read(min(names, key=len)).decode()


def structures(text: str) -> dict[str, list[str]]:
    """The members of the structures of abi.h by their names."""
    found: dict[str, list[str]] = {}
    for match in re.finditer(r"^struct (\w+) \{\n(.*?)^\};", text, re.MULTILINE | re.DOTALL):
        body = re.sub(r"union \{|\};", "", match[2])
        found[match[1]] = re.findall(r"(\w+)(?:\[.*\]\)\(\))?;", body)
    return found


def functions(text: str) -> list[str]:
    """The names in the table, in order."""
    return re.findall(r"^  F\((\w+)\)", text, re.MULTILINE)


def enumerators(text: str, name: str) -> list[str]:
    match = re.search(rf"enum class {name} : int \{{(.*?)\}}", text, re.DOTALL)
    assert match, name
    return re.findall(r"(\w+)(?: = \d+)?,?(?=[\s,]|$)", re.sub(r"= \d+", "", match[1]))


def official_enumerator(name: str, prefix: str, official: str) -> str:
    """The official spelling of an enumerator, which is in other capitals."""
    for candidate in re.findall(rf"\b{prefix}(\w+)", official):
        if candidate.replace("_", "").lower() == name.lower():
            return f"{prefix}{candidate}"
    sys.exit(f"the header has no {prefix}{name}")


def comparison(text: str, official: str) -> str:
    """A C++ program that does not compile where something differs."""
    lines = ['#include "official.h"', f'#include "{ABI}"', "namespace abi = tt::pjrt::abi;"]

    def check(condition: str, what: str) -> None:
        lines.append(f'static_assert({condition}, "{what} differs");')

    for name, members in structures(text).items():
        if name in ("Head", "Api"):
            continue
        check(f"sizeof(abi::{name}) == sizeof(PJRT_{name})", f"the size of {name}")
        for member in members:
            own, other = f"abi::{name}", f"PJRT_{name}"
            theirs = "struct_size" if member == "head" else member
            check(f"offsetof({own}, {member}) == offsetof({other}, {theirs})", f"{name}.{member}")
            if member != "head":
                size = "sizeof((({}*)nullptr)->{})"
                check(
                    f"{size.format(own, member)} == {size.format(other, member)}",
                    f"the size of {name}.{member}",
                )
            elif re.search(rf"struct PJRT_{name} \{{\s*size_t struct_size;\s*PJRT_Ext", official):
                check(
                    f"sizeof(abi::Head) == offsetof({other}, extension_start) + sizeof(void *)",
                    f"the head of {name}",
                )
    table = functions(FUNCTIONS.read_text())
    for name in table:
        check(
            f"offsetof(PJRT_Api, PJRT_{name}) == offsetof(abi::Api, functions) + "
            f"sizeof(void *) * std::size_t(abi::Function::{name})",
            f"the place of {name}",
        )
    check("sizeof(PJRT_Api) == sizeof(abi::Api)", "the size of the table")
    check("abi::majorVersion == PJRT_API_MAJOR", "the major version")
    check("abi::minorVersion <= PJRT_API_MINOR", "the minor version")
    for name, prefix in ENUMERATIONS.items():
        for value in enumerators(text, name):
            other = official_enumerator(value, prefix, official)
            check(f"int(abi::{name}::{value}) == int({other})", f"{name}::{value}")
    return "\n".join([*lines, ""])


def run(compiler: str, folder: str, program: str, *flags: str) -> str:
    source = Path(folder, "check.cpp")
    source.write_text(program)
    command = [compiler, "-std=c++20", "-I", folder, "-Wno-invalid-offsetof", *flags, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        sys.exit("\n".join(errors or [done.stderr]))
    return done.stdout


def assertions(text: str, compiler: str, folder: str) -> str:
    """The lines at the end of abi.h."""
    prints = [f'#include "{ABI}"', "#include <cstdio>", "int main() {"]
    for name, members in structures(text).items():
        if name == "Head":
            continue
        own, last = f"tt::pjrt::abi::{name}", members[-1]
        prints.append(
            f'std::printf("TT_ABI({name}, %zu, {last}, %zu)\\n", sizeof({own}), '
            f"offsetof({own}, {last}));"
        )
    run(compiler, folder, "\n".join([*prints, "}"]), "-o", f"{folder}/print")
    return subprocess.run([f"{folder}/print"], capture_output=True, text=True, check=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("header", type=Path, help="the official header, or a wheel that has it")
    parser.add_argument("--assertions", action="store_true", help="print the lines for abi.h")
    arguments = parser.parse_args()
    text, official = ABI.read_text(), official_header(arguments.header)
    compiler = os.environ.get("CXX", "c++")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "official.h").write_text(official)
        run(compiler, folder, comparison(text, official), "-fsyntax-only")
        if arguments.assertions:
            print(assertions(text, compiler, folder), end="")
            return
    count = sum(len(members) for members in structures(text).values())
    version = re.findall(r"#define PJRT_API_M(?:AJ|IN)OR (\d+)", official)
    print(
        f"abi.h agrees with version {'.'.join(version)}: {len(structures(text))} structures, "
        f"{count} members, {len(functions(FUNCTIONS.read_text()))} functions"
    )


if __name__ == "__main__":
    main()
